"""Cards in the heat maps of the network for outlines: on patterned cloths, and where cards touch."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from samples.deck import card_face, open_deck
from vision.outlines.blank_cards import elsewhere, find_blank_cards
from vision.outlines.card_lattice import best_laid, card_lattices
from vision.outlines.cores import Cores
from vision.outlines.edges import REACH_MM
from vision.outlines.outline_net import outline_maps
from vision.outlines.rectangles import Rectangle
from vision.photo import geometry
from vision.photo.decode import Photo, load_photo

Picture = NDArray[np.uint8]
SIZE_MM = (63.0, 88.0)
PX_PER_MM = 3.0
CORNER = (260, 120)


def gingham(height: int, width: int, check: int) -> Picture:
    """A cloth of three tones, as of two colours of thread."""
    y, x = np.mgrid[:height, :width] // check % 2
    tones = np.array([(235, 235, 240), (150, 140, 215), (70, 50, 190)], float)[x + y]
    weave = np.random.default_rng(2).normal(0, 5, tones.shape)
    return np.asarray(np.clip(tones + weave, 0, 255), np.uint8)


def taken(pixels: Picture) -> Photo:
    good, data = cv2.imencode(".png", pixels)
    assert good
    return load_photo(bytes(data), whole=True)


def touching(columns: int, rows: int) -> Photo:
    """Cards of the open deck without any gap on a dark table, the first at `CORNER`."""
    wide, high = (round(side * PX_PER_MM) for side in SIZE_MM)
    table = np.random.default_rng(3).normal(48, 3, (rows * high + 260, columns * wide + 520, 3))
    pixels = np.asarray(np.clip(table, 0, 255), np.uint8)
    cards = [card for card in open_deck().cards if card.kind == "dungeon"]
    for k in range(columns * rows):
        x, y = CORNER[0] + k % columns * wide, CORNER[1] + k // columns * high
        art = cv2.cvtColor(card_face(open_deck(), cards[k]), cv2.COLOR_RGB2BGR)
        pixels[y : y + high, x : x + wide] = cv2.resize(art, (wide, high), interpolation=cv2.INTER_AREA)
    return taken(pixels)


def middle_of(column: int, row: int) -> tuple[float, float]:
    """Middle of a card of `touching` in the photo."""
    wide, high = (side * PX_PER_MM for side in SIZE_MM)
    return CORNER[0] + (column + 0.5) * wide - 0.5, CORNER[1] + (row + 0.5) * high - 0.5


@pytest.mark.parametrize("check", [17, 40, 90])
def test_no_card_is_invented_out_of_a_gingham_cloth(check: int) -> None:
    assert find_blank_cards(taken(gingham(900, 1200, check)), SIZE_MM).cards == ()


def test_nothing_on_the_table_is_no_card() -> None:
    assert find_blank_cards(taken(np.full((900, 1200, 3), 120, np.uint8)), SIZE_MM).cards == ()


@pytest.mark.long
def test_touching_cards_are_told_apart() -> None:
    found = find_blank_cards(touching(3, 2), SIZE_MM).cards
    middles = np.array([card.corners_px.mean(axis=0) for card in found])
    true = np.array([middle_of(x, y) for x in range(3) for y in range(2)])
    away = np.linalg.norm(middles[:, None] - true, axis=2).min(axis=0)
    assert len(found) == 6
    assert np.median(away) < 0.3 and away.max() < 0.05 * SIZE_MM[1] * PX_PER_MM


@pytest.mark.long
def test_a_block_of_cards_is_never_surely_one_card() -> None:
    true = np.array([middle_of(x, y) for x in range(2) for y in range(2)])
    sure = [card for card in find_blank_cards(touching(2, 2), SIZE_MM).cards if card.clear]
    assert all(np.linalg.norm(card.corners_px.mean(axis=0) - true, axis=1).min() < 4 for card in sure)


def test_a_block_of_cards_agrees_better_with_the_maps_than_one_card_of_its_shape() -> None:
    maps = outline_maps(touching(2, 2))
    per_mm = maps.scale * PX_PER_MM
    plane = np.array([[per_mm, 0, CORNER[0] * maps.scale], [0, per_mm, CORNER[1] * maps.scale], [0, 0, 1.0]])
    cores = Cores(maps.planes, unlike(maps.planes), SIZE_MM)
    wide, high = SIZE_MM
    cards = [
        Rectangle(((x + 0.5) * wide, (y + 0.5) * high), 0.0, SIZE_MM, 1.0) for x in (0, 1) for y in (0, 1)
    ]
    whole = [Rectangle(SIZE_MM, 0.0, (2 * wide, 2 * high), 1.0)]
    assert cores.agreement(plane, cards) > cores.agreement(plane, whole)
    moved, settled = cores.fitted(plane @ np.diag([1.03, 0.98, 1.0]), cards)
    assert cores.agreement(moved, settled) > 0.95 * cores.agreement(plane, cards)


def unlike(planes: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The insides of cards, as if the colours told them as well as the network does."""
    return np.asarray(planes[..., 0] / 255, np.float32)


def seen_card(corner: tuple[int, int]) -> Cores:
    """Heat maps that show one upright card with its top left corner there, pixels."""
    planes = np.zeros((420, 380, 4), np.uint8)
    wide, high = (round(side * PX_PER_MM) for side in SIZE_MM)
    (x, y), rim = corner, 30
    planes[y : y + high, x : x + wide, 0] = 255
    side = np.zeros(planes.shape[:2], np.uint8)
    cv2.rectangle(side, (x, y), (x + wide, y + high), 255, 3)
    planes[..., 1] = side
    for core in (2, 3):
        planes[y + rim : y + high - rim, x + rim : x + wide - rim, core] = 255
    return Cores(planes, unlike(planes), SIZE_MM)


def framed_cards(columns: int, rows: int, frame_mm: float, *, rims: bool = True) -> Cores:
    """Heat maps of touching cards of which only the printed frames are seen; the `rims` around the frames are
    unlike the table by their colour, or like it."""
    wide, high = (round(side * PX_PER_MM) for side in SIZE_MM)
    size = (rows * high + 120, columns * wide + 120)
    planes, coloured = np.zeros((*size, 4), np.uint8), np.zeros(size, np.float32)
    coloured[60:-60, 60:-60] = rims
    side, frame, rim = np.zeros(size, np.uint8), round(frame_mm * PX_PER_MM), 38
    for x in range(60, 60 + columns * wide, wide):
        for y in range(60, 60 + rows * high, high):
            cv2.rectangle(side, (x + frame, y + frame), (x + wide - frame, y + high - frame), 255, 3)
            planes[y + frame : y + high - frame, x + frame : x + wide - frame, 0] = 255
            coloured[y + frame : y + high - frame, x + frame : x + wide - frame] = 1
            planes[y + rim : y + high - rim, x + rim : x + wide - rim, 2:] = 255
    planes[..., 1] = side
    return Cores(planes, coloured, SIZE_MM)


def test_touching_cards_are_as_far_apart_as_they_are_large_whatever_frame_is_printed() -> None:
    cores = framed_cards(3, 2, 3.0)
    best = best_laid(cores, list(card_lattices(cores, [], SIZE_MM, (0.0,))))
    assert best is not None and len(best.cards) == 6
    corners = [geometry.apply(best.plane, one.corners_mm()) for one in best.cards]
    sides = [np.linalg.norm(np.roll(each, -1, axis=0) - each, axis=1) / PX_PER_MM for each in corners]
    assert np.sort(np.array(sides), axis=1) == pytest.approx(np.array([[63, 63, 88, 88]] * 6), rel=0.02)


def test_the_rim_beyond_a_printed_frame_speaks_against_the_frame_by_its_colour() -> None:
    wide, high = SIZE_MM
    plane = np.array([[PX_PER_MM, 0, 60], [0, PX_PER_MM, 60], [0, 0, 1.0]])
    frames = [
        Rectangle(((x + 0.5) * wide, (y + 0.5) * high), 0.0, (wide - 12, high - 12), 1.0)
        for x in range(3)
        for y in range(2)
    ]
    cores = framed_cards(3, 2, 6.0)
    as_table = framed_cards(3, 2, 6.0, rims=False)
    assert cores.agreement(plane, frames) < 0.8 * as_table.agreement(plane, frames)


@pytest.mark.parametrize(
    ("off_mm", "found"), [((0.0, 0.0), 0), ((1.0, -1.0), 0), ((2.0, 7.0), 1), ((-6.0, 0.0), 1)]
)
def test_a_rectangle_beside_its_card_is_also_tried_where_the_maps_see_the_card(
    off_mm: tuple[float, float], found: int
) -> None:
    cores = seen_card((90, 60))
    middle = (90 / PX_PER_MM + SIZE_MM[0] / 2, 60 / PX_PER_MM + SIZE_MM[1] / 2)
    beside = Rectangle((middle[0] + off_mm[0], middle[1] + off_mm[1]), 0.0, SIZE_MM, 0.9)
    moved = elsewhere(cores, np.diag([PX_PER_MM, PX_PER_MM, 1.0]), [beside])
    assert len(moved) == found
    for one in moved:
        assert one.centre_mm == pytest.approx(middle, abs=REACH_MM)
