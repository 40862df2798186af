"""The printed sheets: as many to a page as go on it, true size, cut marks outside the cards. Measured on the
rendered page."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from long_rest import long_but
from numpy.typing import NDArray
from PIL import Image

from calibration.decks.print_options import Paper
from calibration.decks.print_sheet import box_contents, print_sheets
from scorer.catalogue import Catalogue, read_catalogue
from scorer.errors import WaymarkError

PX_PER_MM = 10
#: Fine enough for what is not measured to a hair.
COARSE_PX_PER_MM = 3


def make_deck(tmp_path: Path) -> Catalogue:
    """Eleven cards in plain, different, strong colours; the first is twice in the box."""
    (tmp_path / "art").mkdir()
    cards = []
    for number in range(11):
        colour = ((number * 97) % 200, 40 + (number * 31) % 160, 200)
        Image.new("RGB", (504, 704), colour).save(tmp_path / f"art/{number}.png")
        copies = 2 if number == 0 else 1
        cards.append({"id": f"C{number}", "kind": "dungeon", "art": f"art/{number}.png", "copies": copies})
    catalogue = {"format": "waymark-catalogue/1", "name": "trial", "game": "mapmasters", "cards": cards}
    (tmp_path / "catalogue.json").write_text(json.dumps(catalogue | {"card_size_mm": [63, 88]}))
    return read_catalogue(tmp_path)


@pytest.fixture
def deck(tmp_path: Path) -> Catalogue:
    return make_deck(tmp_path)


@pytest.fixture(scope="module")
def sheet(tmp_path_factory: pytest.TempPathFactory) -> tuple[Catalogue, NDArray[np.uint8]]:
    """Nine cards on A4, printed and rendered once: the deck and its page."""
    folder = tmp_path_factory.mktemp("sheet")
    deck = make_deck(folder)
    assert print_sheets(deck, deck.cards[:9], folder / "cards.pdf") == 1
    (page,) = pages(folder / "cards.pdf")
    return deck, page


def pages(file: Path, px_per_mm: int = PX_PER_MM) -> list[NDArray[np.uint8]]:
    """Each page as (height, width, 3)."""
    scale = px_per_mm * 25.4 / 72
    with pypdfium2.PdfDocument(file) as document:
        return [np.asarray(page.render(scale=scale).to_pil().convert("RGB")) for page in document]


def coloured_box(page: NDArray[np.uint8]) -> tuple[int, int, int, int]:
    """Left, top, right, bottom of what is in colour (marks and footer are grey)."""
    coloured = np.ptp(page.astype(int), axis=2) > 40
    rows, columns = np.flatnonzero(coloured.any(axis=1)), np.flatnonzero(coloured.any(axis=0))
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


@pytest.mark.parametrize(("paper", "size_mm"), long_but([("a4", (210, 297)), ("letter", (215.9, 279.4))], 0))
def test_nine_cards_at_true_size_in_the_middle_of_the_page(
    sheet: tuple[Catalogue, NDArray[np.uint8]], tmp_path: Path, paper: Paper, size_mm: tuple[float, float]
) -> None:
    deck, page = sheet
    if paper != "a4":
        assert print_sheets(deck, deck.cards[:9], tmp_path / "cards.pdf", paper=paper) == 1
        (page,) = pages(tmp_path / "cards.pdf")
    assert (page.shape[1], page.shape[0]) == pytest.approx([side * PX_PER_MM for side in size_mm], abs=1)
    left, top, right, bottom = coloured_box(page)
    assert (right - left, bottom - top) == pytest.approx((3 * 630, 3 * 880), abs=2)
    assert left == pytest.approx(page.shape[1] - right, abs=2)
    assert top == pytest.approx(page.shape[0] - bottom, abs=2)


def test_cards_lie_in_reading_order_with_cuts_every_63_and_88_mm(
    sheet: tuple[Catalogue, NDArray[np.uint8]],
) -> None:
    deck, page = sheet
    left, top, _, _ = coloured_box(page)
    for slot, card in enumerate(deck.cards[:9]):
        row, column = divmod(slot, 3)
        block = page[
            top + row * 880 + 4 : top + (row + 1) * 880 - 4,
            left + column * 630 + 4 : left + (column + 1) * 630 - 4,
        ]
        with Image.open(deck.art_path(card)) as art:
            expected = art.getpixel((5, 5))
        assert np.abs(block.astype(int) - expected).max() <= 4


def test_cut_marks_continue_every_cut_and_touch_no_card(sheet: tuple[Catalogue, NDArray[np.uint8]]) -> None:
    _, page = sheet
    left, top, right, bottom = coloured_box(page)
    dark = page.max(axis=2) < 140
    for column in range(4):
        x = left + column * 630
        assert dark[top - 50 : top - 20, x - 2 : x + 3].any()
        assert dark[bottom + 20 : bottom + 50, x - 2 : x + 3].any()
    for row in range(4):
        y = top + row * 880
        assert dark[y - 2 : y + 3, left - 50 : left - 20].any()
        assert dark[y - 2 : y + 3, right + 20 : right + 50].any()
    assert not dark[top - 12 : bottom + 12, left - 12 : left - 1].any()
    assert not dark[top - 12 : top - 1, left:right].any()


def test_the_whole_box_takes_as_many_pages_as_it_needs(deck: Catalogue, tmp_path: Path) -> None:
    contents = box_contents(deck)
    assert [card.id for card in contents[:3]] == ["C0", "C0", "C1"]
    assert print_sheets(deck, contents, tmp_path / "cards.pdf") == 2
    assert len(pages(tmp_path / "cards.pdf")) == 2


def test_no_cards_no_sheet(deck: Catalogue, tmp_path: Path) -> None:
    with pytest.raises(WaymarkError, match="no cards to print"):
        print_sheets(deck, [], tmp_path / "cards.pdf")


def test_art_that_is_gone_is_named(deck: Catalogue, tmp_path: Path) -> None:
    (tmp_path / "art/3.png").unlink()
    with pytest.raises(WaymarkError, match="'C3'"):
        print_sheets(deck, deck.cards, tmp_path / "cards.pdf")


def test_a_place_that_cannot_be_written(deck: Catalogue, tmp_path: Path) -> None:
    (tmp_path / "a-file").touch()
    with pytest.raises(WaymarkError) as caught:
        print_sheets(deck, deck.cards, tmp_path / "a-file" / "cards.pdf")
    assert caught.value.code == "not-writable"


# --- pieces of board games ----------------------------------------------------------------------------------


def print_piece(tmp_path: Path, art: Image.Image, **fields: object) -> list[NDArray[np.uint8]]:
    """The pages of a box with one piece, at `COARSE_PX_PER_MM`."""
    (tmp_path / "art").mkdir()
    art.save(tmp_path / "art/p.png")
    piece = {"id": "p", "art": "art/p.png", **fields}
    catalogue = {"format": "waymark-catalogue/1", "name": "trial", "game": "labyrinth2", "cards": [piece]}
    (tmp_path / "catalogue.json").write_text(json.dumps(catalogue | {"card_size_mm": [50, 50]}))
    box = read_catalogue(tmp_path)
    count = print_sheets(box, box_contents(box), tmp_path / "box.pdf")
    printed = pages(tmp_path / "box.pdf", COARSE_PX_PER_MM)
    assert len(printed) == count
    return printed


def test_square_tiles_fill_the_page(tmp_path: Path) -> None:
    (page,) = print_piece(tmp_path, Image.new("RGB", (400, 400), (200, 30, 40)), kind="tile", copies=15)
    left, top, right, bottom = coloured_box(page)
    assert (right - left, bottom - top) == pytest.approx((3 * 150, 5 * 150), abs=2)


def test_discs_lie_apart_and_are_printed_round(tmp_path: Path) -> None:
    art = Image.new("RGB", (176, 176), (200, 30, 40))
    (page,) = print_piece(tmp_path, art, kind="chip", shape="disc", size_mm=[22, 22], copies=2)
    coloured = np.ptp(page.astype(int), axis=2) > 40
    assert coloured.sum() == pytest.approx(2 * np.pi * 33**2, rel=0.03)
    left, _, right, _ = coloured_box(page)
    assert right - left == pytest.approx(66 + 75, abs=2)


def test_a_figure_is_printed_with_its_mirror_image_head_to_head_and_flaps_of_its_ground(
    tmp_path: Path,
) -> None:
    art = Image.new("RGB", (160, 240), (30, 60, 220))
    art.paste((220, 30, 30), (0, 0, 80, 240))  # its front, at the left
    art.paste((30, 160, 40), (0, 192, 160, 240))  # the ground
    (page,) = print_piece(tmp_path, art, kind="figure", shape="standing", size_mm=[20, 30])
    left, top, right, bottom = coloured_box(page)
    assert (right - left, bottom - top) == pytest.approx((60, 2 * 90 + 2 * 18), abs=2)

    def at(share: float, down_mm: float) -> str:
        pixel = page[top + round(down_mm * COARSE_PX_PER_MM), left + round(share * 60)]
        return "rgb"[int(np.argmax(pixel))]

    middle = 36
    assert [at(0.25, middle + mm) for mm in (-34, -28, -10, 10, 28, 34)] == ["g", "g", "r", "r", "g", "g"]
    assert [at(0.75, middle + mm) for mm in (-10, 10)] == ["b", "b"]


def test_a_board_is_printed_in_parts_that_join(tmp_path: Path) -> None:
    art = Image.new("RGB", (390, 390), (220, 30, 30))
    art.paste((30, 60, 220), (195, 0, 390, 195))
    printed = print_piece(tmp_path, art, kind="board", size_mm=[390, 390])
    assert len(printed) == 4
    for page, channel in zip(printed, (0, 2, 0, 0), strict=True):
        left, top, right, bottom = coloured_box(page)
        assert (right - left, bottom - top) == pytest.approx((585, 585), abs=2)
        assert int(np.argmax(page[(top + bottom) // 2, (left + right) // 2])) == channel


def test_a_card_larger_than_a_page_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WaymarkError) as caught:
        print_piece(tmp_path, Image.new("RGB", (300, 300)), kind="card", size_mm=[300, 300])
    assert caught.value.code == "cards-too-large"
