"""The open tile set of Labyrinth 2: what a buyer of the box could count, and that it can be played with."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from cli_runs import run_here
from labyrinth2_cases import PRINTED, SHAPES
from PIL import Image

from calibration.decks.check import check_deck
from calibration.decks.labyrinth2.tile_set import FRAME_MM, TILE_MM, build_catalogue
from calibration.decks.pieces import PX_PER_MM, catalogue_json, sides_of
from scorer.catalogue import FILE_NAME, Catalogue, load_catalogue
from scorer.labyrinth2.game import BUNDLED
from scorer.labyrinth2.rules.pieces import pieces_of
from scorer.square_grid import turned


@pytest.fixture(scope="module")
def tiles() -> Catalogue:
    return load_catalogue(BUNDLED)


def test_the_shipped_catalogue_is_what_the_set_says() -> None:
    assert (BUNDLED / FILE_NAME).read_bytes() == catalogue_json(build_catalogue())


def test_34_loose_tiles_of_three_shapes_each_once(tiles: Catalogue) -> None:
    loose = [card for card in tiles.cards if card.kind == "tile"]
    assert Counter(sides_of(card) for card in loose) == {
        ("top", "bottom"): 12,
        ("top", "right"): 16,
        ("right", "bottom", "left"): 6,
    }
    assert {card.copies for card in loose} == {1}


def test_what_else_is_in_the_box(tiles: Catalogue) -> None:
    counts: Counter[str] = Counter()
    for card in tiles.cards:
        counts[card.role or card.kind] += card.copies
    assert counts == {
        "tile": 34,
        "fixed": 16,
        "treasure": 24,
        "treasure-card": 24,
        "explorer": 4,
        "gargoyle": 2,
        "dragon": 1,
        "coin": 24,
        "die": 24,
        "board": 1,
    }
    assert sorted(pieces_of(tiles).treasures.values()) == list(range(1, 13))
    assert sorted(pieces_of(tiles).cards.values()) == list(range(1, 13))


def test_corners_are_printed_as_bends_that_open_inwards_and_the_others_as_three_ways(
    tiles: Catalogue,
) -> None:
    drawn = {}
    shapes = {"I": 0b0101, "L": 0b0011, "T": 0b1110}
    for row, line in enumerate(PRINTED):
        for column, sign in enumerate(line):
            shape, rotation = SHAPES[sign]
            drawn[14 * row + 2 * column] = turned(shapes[shape], rotation)
    assert {cell: sides for cell, (_, sides) in pieces_of(tiles).printed.items()} == drawn


def test_treasures_lie_on_the_printed_cells_where_nobody_starts(tiles: Catalogue) -> None:
    cells = tiles.card("board").chip_cells
    assert cells is not None and len(set(cells)) == 12
    assert not {(0, 0), (6, 0), (0, 6), (6, 6)} & set(cells)


def test_a_board_is_judged_with_it_where_no_catalogue_is_named(tiles: Catalogue, tmp_path: Path) -> None:
    loose = [card.id for card in tiles.cards if card.kind == "tile"]
    free = [(column, row) for row in range(7) for column in range(7) if row % 2 or column % 2]
    board = {
        "format": "waymark-board/1",
        "game": "labyrinth2",
        "tiles": [
            {"tile": name, "column": column, "row": row, "rotation": 0}
            for name, (column, row) in zip(loose, free, strict=False)
        ],
        "spare": [{"tile": loose[-1]}],
        "pieces": [
            {"piece": "dragon", "column": 3, "row": 3, "facing": "left"},
            {"piece": "explorer-red", "column": 0, "row": 0},
            *(
                {"piece": f"chip-{1 + k // 2}", "column": column, "row": row}
                for k, (column, row) in enumerate(tiles.card("board").chip_cells or ())
            ),
        ],
        "players": [{"name": "Aya", "piece": "explorer-red", "holds": {}}],
        "to_move": "Aya",
    }
    file = tmp_path / "board.json"
    file.write_text(json.dumps(board))
    result = run_here("referee", file, "--json", "-")
    answer = json.loads(result.stdout)
    assert result.exit_code == 0
    assert answer["problems"] == [] and answer["phase"] == "first" and answer["moves"]


def test_every_face_differs_enough_and_is_fine_enough() -> None:
    report = check_deck(BUNDLED)
    assert report.findings == ()
    assert report.nearest is not None and report.nearest.distance > 5


def test_the_board_shows_its_printed_cells_as_they_are_known(tiles: Catalogue) -> None:
    with Image.open(tiles.art_path(tiles.card("board"))) as picture:
        board = np.asarray(picture.convert("RGB"))
    for card in tiles.cards:
        if card.cell is not None:
            left, top = (round((FRAME_MM + TILE_MM * at) * PX_PER_MM) for at in card.cell)
            with Image.open(tiles.art_path(card)) as picture:
                face = np.asarray(picture.convert("RGB"))
            size = len(face)
            there = board[top : top + size, left : left + size]
            assert np.abs(there.astype(int) - face).mean() < 4, card.id


@pytest.mark.parametrize("name", ["I03", "dragon"])
def test_the_art_is_what_the_code_draws(tiles: Catalogue, name: str) -> None:
    pytest.importorskip("skia", exc_type=ImportError, reason="drawing the set needs the extra `deck`")
    from calibration.decks.labyrinth2.art import draw_piece

    card = tiles.card(name)
    drawn = np.asarray(draw_piece(card, PX_PER_MM).convert("RGB"))
    with Image.open(tiles.art_path(card)) as picture:
        shipped = np.asarray(picture.convert("RGB"))
    assert np.array_equal(drawn, shipped)
