"""Printed sheets with resolution, bleed, backs and a ruler, the other parts of a game, files for services."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from cli_runs import run_here
from numpy.typing import NDArray
from PIL import Image

from calibration.decks.backs import draw_back
from calibration.decks.icons import icon_of
from calibration.decks.mapmasters.parts import objective_cards, spellbook_cards
from calibration.decks.print_options import SERVICES, Paper, PrintOptions
from calibration.decks.print_sheet import box_contents, print_sheets
from calibration.decks.service_files import write_for_service
from calibration.open_deck import bundled_catalogue
from scorer.catalogue import Catalogue, load_catalogue, read_catalogue
from scorer.errors import WaymarkError
from scorer.text import Language

PX_PER_MM = 5
MOST_BYTES = 8_000_000
RED, BLUE = (200, 30, 40), (30, 60, 200)


def deck_of(folder: Path, count: int, size_mm: tuple[float, float] = (63, 88)) -> Catalogue:
    """Cards whose left half is red and right half blue."""
    (folder / "art").mkdir()
    art = Image.new("RGB", (round(size_mm[0] * 8), round(size_mm[1] * 8)), RED)
    art.paste(BLUE, (art.width // 2, 0, art.width, art.height))
    art.save(folder / "art/c.png")
    cards = [{"id": f"C{number}", "kind": "dungeon", "art": "art/c.png"} for number in range(count)]
    catalogue = {"format": "waymark-catalogue/1", "name": "trial", "game": "mapmasters", "cards": cards}
    (folder / "catalogue.json").write_text(json.dumps(catalogue | {"card_size_mm": size_mm}))
    return read_catalogue(folder)


def pages(file: Path) -> list[NDArray[np.uint8]]:
    with pypdfium2.PdfDocument(file) as document:
        scale = PX_PER_MM * 25.4 / 72
        return [np.asarray(page.render(scale=scale).to_pil().convert("RGB")) for page in document]


def texts(file: Path) -> list[str]:
    with pypdfium2.PdfDocument(file) as document:
        return [page.get_textpage().get_text_range().replace("\r\n", "") for page in document]


def coloured(page: NDArray[np.uint8]) -> tuple[int, int, int, int]:
    """Left, top, right, bottom of what is in colour, in tenths of mm."""
    seen = np.ptp(page.astype(int), axis=2) > 40
    rows, columns = np.flatnonzero(seen.any(axis=1)), np.flatnonzero(seen.any(axis=0))
    ends = columns[0], rows[0], columns[-1] + 1, rows[-1] + 1
    left, top, right, bottom = (round(float(end) / PX_PER_MM * 10) for end in ends)
    return left, top, right, bottom


def pictures_in(file: Path) -> list[tuple[int, int]]:
    """Sizes in px of the pictures of a PDF's first page."""
    with pypdfium2.PdfDocument(file) as document:
        kinds = [pypdfium2.raw.FPDF_PAGEOBJ_IMAGE]
        return [tuple(each.get_px_size()) for each in document[0].get_objects(filter=kinds)]


def test_the_whole_open_box_is_small_with_everything_in_it(tmp_path: Path) -> None:
    result = run_here("deck", "print", tmp_path / "all.pdf", "--parts", "all", "--backs", "--json", "-")
    assert result.exit_code == 0
    assert json.loads(result.stdout) == {"file": str(tmp_path / "all.pdf"), "cards": 125, "pages": 40}
    assert (tmp_path / "all.pdf").stat().st_size <= MOST_BYTES
    with pypdfium2.PdfDocument(tmp_path / "all.pdf") as document:
        assert len(document) == 40


def test_a_resolution_is_that_of_the_pictures(tmp_path: Path) -> None:
    deck = deck_of(tmp_path, 1)
    for dpi, size in ((None, (504, 704)), (300, (744, 1039)), (150, (372, 520))):
        print_sheets(deck, deck.cards, tmp_path / "cards.pdf", options=PrintOptions(dpi))
        assert pictures_in(tmp_path / "cards.pdf") == [size]


def test_bleed_continues_the_art_and_cuts_stay_true(tmp_path: Path) -> None:
    deck = deck_of(tmp_path, 6)
    assert print_sheets(deck, deck.cards, tmp_path / "cards.pdf", options=PrintOptions(bleed_mm=3)) == 1
    (page,) = pages(tmp_path / "cards.pdf")
    left, top, right, bottom = coloured(page)
    assert (right - left, bottom - top) == pytest.approx((10 * 2 * 69, 10 * 3 * 94), abs=4)
    # Cut marks 3 mm inside the colour's edges, a card apart, outside the bleed.
    dark = page.max(axis=2) < 140
    above = dark[: round(top / 10 * PX_PER_MM) - 5].any(axis=0)
    cuts = np.flatnonzero(above) / PX_PER_MM
    expected = [left / 10 + 3 + at for at in (0, 63, 69, 132)]
    assert [cuts[np.abs(cuts - at).argmin()] for at in expected] == pytest.approx(expected, abs=0.3)
    # The mirror image beyond the edges: red at the left, blue at the right.
    row = round((top / 10 + 50) * PX_PER_MM)
    for at, colour in ((1, 0), (68, 2)):
        assert int(np.argmax(page[row, round((left / 10 + at) * PX_PER_MM)])) == colour


def test_backs_lie_behind_their_faces(tmp_path: Path) -> None:
    deck = deck_of(tmp_path, 11)
    assert print_sheets(deck, deck.cards, tmp_path / "cards.pdf", options=PrintOptions(backs=True)) == 4
    front, back, _, last = pages(tmp_path / "cards.pdf")
    assert coloured(front) == pytest.approx(coloured(back), abs=3)
    left, _, right, _ = coloured(last)
    assert right - left == pytest.approx(2 * 630, abs=4)
    assert left == pytest.approx(2100 - right, abs=4)


@pytest.mark.parametrize("kind", ["dungeon", "starter", "step", "boss", "other"])
def test_a_back_does_not_tell_which_way_up_it_lies(kind: str) -> None:
    back = draw_back(kind, (63, 88), 4, 3)
    assert back.shape == (376, 276, 3)
    assert np.array_equal(back, back[::-1, ::-1])


def test_a_ruler_of_50_mm_stands_beside_the_cards(tmp_path: Path) -> None:
    deck = deck_of(tmp_path, 9)
    papers: tuple[Paper, ...] = ("a4", "letter")
    for paper in papers:
        print_sheets(deck, deck.cards, tmp_path / "cards.pdf", paper=paper)
        (page,) = pages(tmp_path / "cards.pdf")
        left = round(coloured(page)[0] / 10 * PX_PER_MM)
        beside = page[:, : left - 5].max(axis=2) < 200
        dark = np.flatnonzero(beside[:, int(np.argmax(beside.sum(axis=0)))])
        longest = max(np.split(dark, np.flatnonzero(np.diff(dark) > 2) + 1), key=len)
        assert (longest[-1] - longest[0]) / PX_PER_MM == pytest.approx(50, abs=0.5)
        assert "50" in texts(tmp_path / "cards.pdf")[0]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_cards_of_words_say_what_they_do(language: Language) -> None:
    deck = load_catalogue(bundled_catalogue())
    objectives, books = objective_cards(deck), spellbook_cards()
    assert len(objectives) == 12 and len(books) == 17
    assert all(card.icon is not None and card.icon.shape[0] == card.icon.shape[1] for card in objectives)
    said = {card.title.message(language): card.corner.message(language) for card in objectives}
    assert said["rope" if language == "en" else "ロープ"] == (
        "3 VP each" if language == "en" else "1 つ 3 点"
    )
    assert all(card.words.message(language) for card in (*objectives, *books))


def test_icons_are_found_for_rooms_stairs_and_pits() -> None:
    deck = load_catalogue(bundled_catalogue())
    for thing in ("room", "stairs", "pit"):
        assert icon_of(deck, thing) is not None, thing
    assert icon_of(deck, "owl") is None


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_parts_of_the_game_are_printed(tmp_path: Path, language: str) -> None:
    names = "objectives,spellbooks,tokens,score,rules"
    file = tmp_path / "parts.pdf"
    result = run_here("deck", "print", file, "--parts", names, "--lang", language)
    assert result.exit_code == 0, result.stderr
    said = texts(file)
    assert len(said) == 2 + 2 + 1 + 1 + 2
    assert ("Score sheet" if language == "en" else "スコアシート") in said[5]
    # Rules are in both languages, whichever is asked for.
    assert "A monster needs a sword" in said[6] and "モンスターには剣" in said[7]
    with pypdfium2.PdfDocument(file) as document:
        for page in document:
            text = page.get_textpage()
            assert min(text.get_charbox(at)[1] for at in range(text.count_chars())) > 12


def test_a_part_that_there_is_not_is_named(tmp_path: Path) -> None:
    result = run_here("deck", "print", tmp_path / "x.pdf", "--parts", "owls")
    assert result.exit_code == 2 and "'owls'" in result.stderr and "objectives" in result.stderr
    own = run_here("deck", "print", tmp_path / "x.pdf", "--parts", "rules", "--game", "labyrinth2")
    assert own.exit_code == 2 and "'rules'" in own.stderr


@pytest.mark.parametrize(
    ("service", "size_px"),
    [("makeplayingcards", (822, 1122)), ("thegamecrafter", (825, 1125)), ("drivethrucards", (825, 1125))],
)
def test_a_service_gets_pictures_of_its_size(tmp_path: Path, service: str, size_px: tuple[int, int]) -> None:
    deck = deck_of(tmp_path, 2)
    count = write_for_service(deck, deck.cards, tmp_path / "cards.zip", service, backs=True)
    with zipfile.ZipFile(tmp_path / "cards.zip") as packed:
        names = packed.namelist()
        assert count == len(names) == 4
        assert names[0] == "faces/001-C0.jpg" and names[1] == "backs/001-dungeon.jpg"
        for name in names:
            with Image.open(io.BytesIO(packed.read(name))) as picture:
                assert picture.size == size_px and picture.info["dpi"] == pytest.approx((300, 300), abs=0.1)
        with Image.open(io.BytesIO(packed.read(names[0]))) as picture:
            row = np.asarray(picture.convert("RGB"))[500]
    # The card at true size: its middle, where the colours meet, is the picture's.
    assert row[size_px[0] // 2 - 12].argmax() == 0 and row[size_px[0] // 2 + 12].argmax() == 2
    assert row[2].argmax() == 0 and row[-3].argmax() == 2


def test_pages_have_the_card_as_trim_box(tmp_path: Path) -> None:
    deck = deck_of(tmp_path, 2, (70, 70))
    assert write_for_service(deck, deck.cards, tmp_path / "cards.pdf", "pages", backs=False) == 2
    with pypdfium2.PdfDocument(tmp_path / "cards.pdf") as document:
        assert len(document) == 2
        mm = 72 / 25.4
        assert document[0].get_size() == pytest.approx((76 * mm, 76 * mm), abs=0.01)
        assert document[0].get_trimbox() == pytest.approx((3 * mm, 3 * mm, 73 * mm, 73 * mm), abs=0.01)
        assert document[0].get_bleedbox() == pytest.approx((0, 0, 76 * mm, 76 * mm), abs=0.01)


def test_a_card_of_another_size_is_refused_by_a_template(tmp_path: Path) -> None:
    deck = deck_of(tmp_path, 1, (70, 70))
    with pytest.raises(WaymarkError) as caught:
        write_for_service(deck, deck.cards, tmp_path / "cards.zip", "thegamecrafter", backs=False)
    assert caught.value.code == "cards-too-large" and "70 x 70" in str(caught.value)


def test_services_and_their_files_are_checked_before_drawing(tmp_path: Path) -> None:
    unknown = run_here("deck", "print", tmp_path / "x.zip", "--service", "owlprint")
    assert unknown.exit_code == 2 and all(name in unknown.stderr for name in SERVICES)
    ending = run_here("deck", "print", tmp_path / "x.png", "--service", "pages")
    assert ending.exit_code == 2 and ".zip" in ending.stderr
    made = run_here(
        "deck", "print", tmp_path / "x.zip", "--service", "pages", "--cards", "D01", "--json", "-"
    )
    assert json.loads(made.stdout) == {"file": str(tmp_path / "x.zip"), "cards": 1, "pictures": 1}


def test_a_box_holds_its_copies(tmp_path: Path) -> None:
    assert [card.id for card in box_contents(deck_of(tmp_path, 3))] == ["C0", "C1", "C2"]
