"""Pieces of any size and corner radius, in grids and turned every way: where they lie, and ink on them."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from drawn_tiles import draw_mirrored, drawn_catalogue
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from long_rest import long_but
from table_photos import Laid, photograph

from scorer.catalogue import Catalogue
from scorer.laying import Grid, Laying
from vision.cards.adjacency import neighbours_of
from vision.cards.find_layout import read_layout
from vision.cards.index import load_index
from vision.cards.layout import Layout
from vision.photo import geometry
from vision.reader import likeliest_cards, scan_with_doubts

#: Sides in steps of half a millimetre.
SIDE = st.integers(60, 240).map(lambda halves: halves / 2)
IN_CELLS = Laying(rotations=frozenset({0, 90, 180, 270}), grid=Grid())
FREE = Laying(rotations=frozenset({0, 90, 180, 270}))
TILE_MM = 34.0


def assert_found(layout: Layout, cards: Sequence[Laid], corners: Sequence[np.ndarray]) -> None:
    """Every card is found once, with its corners within 2 % of its longer side."""
    truth = {card.card: quad for card, quad in zip(cards, corners, strict=True)}
    assert sorted(pose.card for pose in layout.poses) == sorted(truth)
    for pose in layout.poses:
        quad = truth[pose.card]
        longest = np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1).max()
        assert np.abs(pose.corners_px - quad).max() < 0.02 * longest, pose.card


@pytest.mark.long
@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@example((62.0, 87.0), 0.0)
@example((30.0, 30.0), 0.0)
@example((120.0, 32.0), 2.0)
@given(st.tuples(SIDE, SIDE), st.integers(0, 16).map(lambda halves: halves / 2))
def test_cards_of_every_size_and_corner_are_read_with_the_ink_on_them(
    size: tuple[float, float], radius: float
) -> None:
    assert_read(size, radius)


@pytest.mark.parametrize(
    ("size", "radius"), long_but([((57.0, 89.0), 3.0), ((52.5, 77.5), 8.0), ((62.0, 87.0), 0.0)], 0)
)
def test_cards_whose_sides_once_ended_in_an_error_are_read(size: tuple[float, float], radius: float) -> None:
    assert_read(size, radius)


def assert_read(size: tuple[float, float], radius: float) -> None:
    """Two cards of that size, side by side and one of them turned, are read with the line over them."""
    width, height = size
    with tempfile.TemporaryDirectory() as folder:
        catalogue = drawn_catalogue(Path(folder), 3, size, radius)
        index = load_index(catalogue)
        cards = [Laid("P0", 0, 0), Laid("P1", width, 0, 180)]
        line = [(x, height / 2) for x in np.linspace(1, 2 * width - 1, 30)]
        photo, corners = photograph(cards, catalogue, ink=[line], size=(800, 600), noise=1)
        layout = read_layout(photo, index)
        assert_found(layout, cards, corners)
        turns = {pose.card: pose.rotation for pose in layout.poses}
        assert (turns["P0"] - turns["P1"]) % 360 == 180
        scan = scan_with_doubts(photo, catalogue, index)
        assert len([place for stroke in scan.tableau.path for place in stroke]) == 6


@pytest.fixture(scope="module")
def tiles(tmp_path_factory: pytest.TempPathFactory) -> Catalogue:
    """Nine square tiles of which nothing is known but their art, and a size that is not the catalogue's."""
    folder = tmp_path_factory.mktemp("tiles") / "deck"
    own = [(TILE_MM, TILE_MM)] * 9
    return drawn_catalogue(folder, 9, (TILE_MM, TILE_MM), 1.0, seed=2, sizes_mm=own, openings=False)


def in_cells(turns: Sequence[int | None], pitch: float) -> list[Laid]:
    """Tiles P0, P1, ... in three columns, row by row, turned so; None leaves a cell empty."""
    return [
        Laid(f"P{number}", number % 3 * pitch, number // 3 * pitch, turn)
        for number, turn in enumerate(turns)
        if turn is not None
    ]


def assert_lie_so(layout: Layout, cards: Sequence[Laid], pitch: float, *, off_mm: float) -> None:
    """Cells and turns are those of `cards`, whichever of its sides the whole has up."""
    truth = {card.card: card for card in cards}
    first = truth[layout.poses[0].card]
    whole = int(layout.poses[0].rotation - first.turn) % 360
    cos, sin = round(np.cos(np.radians(whole))), round(np.sin(np.radians(whole)))
    for pose in layout.poses:
        card = truth[pose.card]
        assert (pose.rotation - card.turn - whole) % 360 == 0, pose.card
        x, y = (card.x - first.x) / pitch, (card.y - first.y) / pitch
        expected = np.array([cos * x - sin * y, sin * x + cos * y]) * TILE_MM
        assert np.abs([pose.x_mm, pose.y_mm] - expected).max() <= off_mm, pose.card


TURNS: list[list[int | None]] = [
    [0, 90, 180, 270, 0, 90, 180, 270, 0],
    [270, None, 90, 0, 180, None, None, 90, 90],
    [90, None, 180, None, None, None, 0, None, 270],
]


@pytest.mark.parametrize("turns", long_but(TURNS, 1), ids=["full", "with holes", "corners alone"])
@pytest.mark.parametrize(("pitch", "roll"), long_but([(TILE_MM, 8.0), (36.5, 95.0)], 1))
def test_tiles_in_cells_are_read_in_every_turn(
    tiles: Catalogue, turns: list[int | None], pitch: float, roll: float
) -> None:
    index = load_index(tiles, laying=IN_CELLS)
    cards = in_cells(turns, pitch)
    photo, corners = photograph(cards, tiles, roll_deg=roll)
    layout = read_layout(photo, index)
    assert_found(layout, cards, corners)
    assert_lie_so(layout, cards, pitch, off_mm=0.0)
    assert layout.others == () and layout.doubts == ()
    assert min(pose.confidence for pose in layout.poses) > 0.6


@pytest.mark.long
def test_the_same_faces_lie_in_many_cells_of_a_board(tmp_path: Path) -> None:
    faces = drawn_catalogue(tmp_path / "deck", 3, (TILE_MM, TILE_MM), 1.0, seed=2, openings=False, copies=16)
    random = np.random.default_rng(1)
    cards = [
        Laid(f"P{random.integers(3)}", column * TILE_MM, row * TILE_MM, 90 * int(random.integers(4)))
        for row in range(4)
        for column in range(4)
    ]
    photo, _ = photograph(cards, faces, roll_deg=0.0)
    board = Laying(rotations=FREE.rotations, grid=Grid(4, 4))
    layout = read_layout(photo, load_index(faces, laying=board))
    lie = {(round(pose.x_mm), round(pose.y_mm)): (pose.card, pose.rotation) for pose in layout.poses}
    assert lie == {(round(card.x), round(card.y)): (card.card, card.turn) for card in cards}


def test_a_record_says_how_tiles_in_cells_lie(tiles: Catalogue) -> None:
    cards = in_cells(TURNS[1], 35.0)
    photo, _ = photograph(cards, tiles, roll_deg=0.0)
    scan = scan_with_doubts(photo, tiles, load_index(tiles, laying=IN_CELLS))
    lie = {placed.card: (placed.x, placed.y, placed.rotation) for placed in scan.tableau.cards}
    # Nothing printed tells which side of the whole is up: it is as the photo shows it.
    assert lie == {card.card: (card.x / 35 * TILE_MM, card.y / 35 * TILE_MM, card.turn) for card in cards}


def test_the_map_of_a_grid_leads_from_cells_to_the_photo(tiles: Catalogue) -> None:
    cards = in_cells(TURNS[0], 36.5)
    photo, _ = photograph(cards, tiles)
    layout = read_layout(photo, load_index(tiles, laying=IN_CELLS))
    for pose in layout.poses:
        at = np.array([pose.x_mm + TILE_MM / 2, pose.y_mm + TILE_MM / 2])
        middle = geometry.apply(layout.table_to_photo, at)
        assert np.linalg.norm(middle - pose.corners_px.mean(axis=0)) < 0.01 * photo.height


def test_a_piece_beside_the_grid_is_apart(tiles: Catalogue) -> None:
    cards = in_cells([0, 90, 180, 270, 0, 90], TILE_MM)
    photo, _ = photograph([*cards, Laid("P8", 125.0, 10.0, 30.0)], tiles)
    layout = read_layout(photo, load_index(tiles, laying=IN_CELLS))
    assert_lie_so(layout, cards, TILE_MM, off_mm=0.0)
    assert [pose.card for pose in layout.others] == ["P8"]


@pytest.mark.long
def test_turned_tiles_that_touch_freely_are_read(tiles: Catalogue) -> None:
    cards = in_cells([90, 0, None, 270, 180], TILE_MM)
    photo, corners = photograph(cards, tiles)
    layout = read_layout(photo, load_index(tiles, laying=FREE))
    assert_found(layout, cards, corners)
    assert_lie_so(layout, cards, TILE_MM, off_mm=1.0)


@pytest.mark.long
def test_pieces_of_different_sizes_lie_side_by_side(tmp_path: Path) -> None:
    sizes = [None, (44.0, 44.0), (88.0, 63.0), None]
    catalogue = drawn_catalogue(tmp_path / "deck", 4, (63.0, 88.0), 2.0, sizes_mm=sizes, openings=False)
    cards = [Laid("P0", 0, 0), Laid("P1", 63, 22, 90), Laid("P2", 107, 12.5), Laid("P3", 0, -88, 180)]
    photo, corners = photograph(cards, catalogue)
    layout = read_layout(photo, load_index(catalogue, laying=FREE))
    assert_found(layout, cards, corners)
    truth = {card.card: card for card in cards}
    first = truth[layout.poses[0].card]
    whole = (layout.poses[0].rotation - first.turn) % 360
    assert {(pose.rotation - truth[pose.card].turn) % 360 for pose in layout.poses} == {whole}
    if whole == 0:
        for pose in layout.poses:
            expected = [truth[pose.card].x - first.x, truth[pose.card].y - first.y]
            assert np.abs(np.array([pose.x_mm, pose.y_mm]) - expected).max() < 1.0


@pytest.mark.parametrize("turn", long_but([0, 180], 1))
def test_a_piece_that_is_much_the_same_upside_down_is_told_by_what_is_not(tmp_path: Path, turn: int) -> None:
    catalogue = drawn_catalogue(tmp_path / "deck", 3, (60.0, 60.0), 1.0, openings=False, draw=draw_mirrored)
    cards = [Laid("P0", 0, 0), Laid("P1", 60, 0, turn), Laid("P2", 0, 60)]
    photo, corners = photograph(cards, catalogue)
    assert_found(read_layout(photo, load_index(catalogue, laying=IN_CELLS)), cards, corners)


@pytest.mark.parametrize("turn", long_but([0, 90, 180, 270], 1))
def test_a_tile_s_turn_against_its_outline_is_told(tiles: Catalogue, turn: int) -> None:
    index = load_index(tiles, laying=IN_CELLS)
    photo, (corners,) = photograph([Laid("P4", 0, 0)], tiles)
    outline = np.roll(corners, turn // 90, axis=0)
    ranked = likeliest_cards(photo, tuple((float(x), float(y)) for x, y in outline), index)
    assert ranked[0] == ("P4", turn)


@pytest.mark.long
def test_neighbours_are_those_of_the_laying(tiles: Catalogue) -> None:
    size, half = (TILE_MM, TILE_MM), TILE_MM / 2

    def shifts(laying: Laying, other: tuple[float, float] = size) -> set[tuple[float, ...]]:
        return {tuple(shift) for shift in neighbours_of(tiles, laying).shifts(size, other).tolist()}

    beside = {(-TILE_MM, 0.0), (TILE_MM, 0.0), (0.0, -TILE_MM), (0.0, TILE_MM)}
    assert shifts(IN_CELLS) == shifts(FREE) == beside
    assert shifts(IN_CELLS, (20.0, 20.0)) == set()
    by_half = shifts(Laying(half_shifts=True))
    assert by_half > beside and (TILE_MM, half) in by_half and (-half, TILE_MM) in by_half
