"""Mirrored photos: of tableaus, boards and tables of groups; read again, answered, kept and drawn."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any, get_args, get_type_hints

import cv2
import numpy as np
import pytest
from cli_runs import run_here
from numpy.typing import NDArray
from shared_readings import open_deck, photo_file, reading_of

from scorer.catalogue import load_catalogue
from scorer.errors import WaymarkError
from scorer.games import game_named
from vision.boards.seen import BoardScan, LayeredScan, LooseScan
from vision.cards import cards_in_view, find_layout
from vision.groups.scan import GroupScan
from vision.mirrored import BOXES, MAPS, MIRRORED, POINTS, reflected
from vision.photo.decode import Photo, load_photo
from vision.reader import PinnedCard, likeliest_cards, scan_pinned
from vision.scan import Scan
from waymark.review.boards.assess import read_board
from waymark.review.pipeline import decode_reading, encode_reading, load_cards, read_table
from waymark.review.projection import turns_in_photo
from webapp.store.boards import decode_board, encode_board
from webapp.store.tables import decode_table, encode_table

SAMPLES = Path(__file__).parents[2] / "samples"


def mirror_image(file: Path) -> Photo:
    """A photo as a front camera saves it."""
    return Photo(np.ascontiguousarray(load_photo(file, whole=True).pixels[:, ::-1]))


def written(photo: Photo, file: Path) -> Path:
    file.write_bytes(cv2.imencode(".jpg", photo.pixels, [cv2.IMWRITE_JPEG_QUALITY, 93])[1].tobytes())
    return file


@pytest.fixture(scope="module")
def over() -> Scan:
    return read_table(mirror_image(photo_file("table-07")), open_deck())


def test_a_mirrored_tableau_is_read_as_if_it_were_not(over: Scan) -> None:
    plain = reading_of("table-07")
    assert over.photo.warnings == (MIRRORED, *plain.photo.warnings)
    assert (over.tableau.path, over.tableau.marks, over.sure) == (
        plain.tableau.path,
        plain.tableau.marks,
        plain.sure,
    )
    assert [card.card for card in over.cards] == [card.card for card in plain.cards]
    here = np.array([card.corners for card in over.cards])
    there = np.array([card.corners for card in plain.cards])
    assert np.abs(over.photo.width - 1 - here[..., 0] - there[..., 0]).max() < 3
    assert np.abs(here[..., 1] - there[..., 1]).max() < 3


def test_its_places_are_named_as_on_the_table(over: Scan) -> None:
    assert turns_in_photo(over.cards) == turns_in_photo(reading_of("table-07").cards)


def test_its_reading_is_kept_and_found_again(over: Scan) -> None:
    kept = decode_reading(encode_reading(over))
    assert kept.photo == over.photo and kept.cards == over.cards and kept.path_px == over.path_px


def test_its_ink_is_read_again_on_the_cards_as_people_leave_them(over: Scan) -> None:
    photo = mirror_image(photo_file("table-07"))
    pinned = tuple(
        PinnedCard(placed.card, placed.rotation, seen.corners, 1.0, placed.x, placed.y)
        for placed, seen in zip(over.tableau.cards, over.cards, strict=True)
    )
    # A person drags an outline as it is seen: clockwise, whatever the photo is.
    top_left, top_right, bottom_right, bottom_left = pinned[-1].corners
    drawn = replace(pinned[-1], corners=(top_right, top_left, bottom_left, bottom_right), changed=True)
    again = scan_pinned(photo, (*pinned[:-1], drawn), open_deck(), load_cards(open_deck()))
    assert again.tableau.path == over.tableau.path
    here = np.array([card.corners for card in over.cards])
    there = np.array([card.corners for card in again.cards])
    assert np.abs(here - there).max() < 8


def test_its_cards_are_told_apart(over: Scan) -> None:
    photo = mirror_image(photo_file("table-07"))
    for card in over.cards:
        assert likeliest_cards(photo, card.corners, load_cards(open_deck()))[0] == (card.card, 0)


@pytest.mark.parametrize("game", ["labyrinth2", "stone_dragon", "ice_and_idols"])
def test_a_mirrored_board_is_read_kept_and_found_again(game: str) -> None:
    bundled = game_named(game).bundled
    assert bundled is not None
    catalogue = load_catalogue(bundled)
    file = SAMPLES / f"{game}_photos" / "table-01.jpg"
    plain, over = read_board(load_photo(file), catalogue), read_board(mirror_image(file), catalogue)
    assert MIRRORED in over.warnings and MIRRORED not in plain.warnings
    assert [(each.tile, each.cell, each.rotation) for each in over.tiles] == [
        (each.tile, each.cell, each.rotation) for each in plain.tiles
    ]
    assert {(each.piece, each.cell, each.facing) for each in over.pieces} == {
        (each.piece, each.cell, each.facing) for each in plain.pieces
    }
    here, there = np.array(over.grid_px), np.array(plain.grid_px)
    assert np.abs(over.width - 1 - here[:, 0] - there[:, 0]).max() < 6
    corner = np.array([*cv2.perspectiveTransform(np.zeros((1, 1, 2)), np.array(over.to_photo))[0, 0]])
    assert np.abs(corner - here).sum(axis=1).min() < 3
    kept = decode_board(encode_board(over))
    assert type(kept) is type(over) and kept == over


@pytest.mark.long
def test_a_mirrored_table_of_groups_is_read_drawn_kept_and_found_again(tmp_path: Path) -> None:
    from waymark.review.groups import read_groups

    file = SAMPLES / "group_photos" / "table-of-four-groups.jpg"
    truth = json.loads(file.with_suffix(".truth.json").read_text())
    game = game_named("mapmasters", truth["tableau"].get("mode", "cooperative"))
    plain = read_groups([load_photo(file)], open_deck(), game, {})
    over = read_groups([mirror_image(file)], open_deck(), game, {})
    assert MIRRORED in over.photo.warnings
    assert [each.card for each in over.cards] == [each.card for each in plain.cards]
    assert {line.path for line in over.lines} & {line.path for line in plain.lines}
    here = np.array([card.corners for card in over.cards if card])
    there = np.array([card.corners for card in plain.cards if card])
    assert np.abs(over.photo.width - 1 - here[..., 0] - there[..., 0]).max() < 4
    kept = decode_table(encode_table(over))
    assert kept == over


def test_an_overlay_is_drawn_on_the_photo_as_it_came(tmp_path: Path) -> None:
    file = written(mirror_image(photo_file("table-07")), tmp_path / "p.jpg")
    drawn = tmp_path / "o.png"
    result = run_here("score", file, "--overlay", drawn, "--lang", "en")
    # A terminal breaks the sentence into lines.
    assert result.exit_code == 0 and MIRRORED.en in " ".join(result.output.split())
    picture, sent = (cv2.imread(str(each), cv2.IMREAD_GRAYSCALE) for each in (drawn, file))
    assert picture is not None and sent is not None
    # The ruling stands beside the photo.
    beside = 1000
    there, here = (alike(picture[:, :beside], each) for each in (sent, np.ascontiguousarray(sent[:, ::-1])))
    assert there > 500 > 10 * here


def alike(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> int:
    """How many features of a picture are clearly those of another: SIFT knows no mirror image."""
    sift = cv2.SIFT.create(4000)
    told, known = (sift.detectAndCompute(each, None)[1] for each in (one, other))
    pairs = cv2.BFMatcher().knnMatch(told, known, k=2)
    return sum(first.distance < 0.6 * second.distance for first, second in pairs)


def test_the_mirror_image_of_a_table_without_cards_is_searched_in_one_view(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(3)
    clutter = np.full((1500, 2000, 3), (70, 90, 110), np.uint8)
    for x, y, r in rng.integers((0, 0, 10), (2000, 1500, 90), (250, 3)).tolist():
        cv2.circle(clutter, (x, y), r, rng.integers(0, 255, 3).tolist(), -1)
    searched: dict[bool, list[int]] = {}
    find_in_view = cards_in_view.find_in_view
    for looks in (True, False):
        views = searched[looks] = []

        def counted(*given: Any, views: list[int] = views) -> Any:
            views.append(int(given[-1].view.grey.size))
            return find_in_view(*given)

        monkeypatch.setattr(find_layout, "find_in_view", counted)
        if not looks:
            monkeypatch.setattr(find_layout, "_is_mirrored", lambda *_: False)
        with pytest.raises(WaymarkError, match="No card"):
            read_table(Photo(clutter), open_deck())
    # The mirror image takes the place of a later view: both are paid from one budget.
    assert len(searched[True]) <= len(searched[False]) + 1
    assert sum(searched[True]) <= sum(searched[False]) + min(searched[False])


def types_in(hint: Any) -> Iterator[Any]:
    yield hint
    for part in get_args(hint):
        yield from types_in(part)


def test_every_place_in_the_photo_that_a_reading_tells_is_reflected() -> None:
    """A field in photo pixels is called as `vision.mirrored` knows it."""
    seen: set[type] = set()
    names: set[str] = set()
    waiting: list[Any] = [Scan, BoardScan, LayeredScan, LooseScan, GroupScan]
    while waiting:
        kind = waiting.pop()
        if not (isinstance(kind, type) and is_dataclass(kind)) or kind in seen:
            continue
        seen.add(kind)
        hints = get_type_hints(kind)
        for each in fields(kind):
            names.add(each.name)
            waiting += types_in(hints[each.name])
    in_photo = {name for name in names if name.endswith("_px")} | {"corners", "box", "to_photo"}
    # A distance is the same in the mirror.
    assert in_photo - {"reach_px"} == (POINTS | BOXES | MAPS) & names
    assert reflected(reflected(reading_of("table-07"), 1729), 1729) == reading_of("table-07")
