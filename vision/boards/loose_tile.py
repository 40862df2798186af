"""The tile beside a board: position and rotation by correlation with its art at any angle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards.art import BoardArt
from vision.boards.tiles import SIDE_PX, in_blocks, normalised, upright_tile
from vision.boards.top_view import FromAbove, crop
from vision.photo import geometry

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

#: Number of rotations tried, and the side of a tile (px) in the first search.
TURNS, SOUGHT_PX = 24, 22
#: Least correlation of a loose tile, its correlation at full confidence, and the margin (px) of its cut-out.
LEAST, SURE, RIM_PX = 0.30, 0.45, 6
#: Number of places refined, and their least distance (cells) from the grid, where the board's own tiles lie.
PLACES, CLEAR_OF_GRID = 6, 0.3


@dataclass(frozen=True)
class LooseTile:
    """A tile beside the board: its number in `BoardArt.tiles`, its centre on the board's plane (mm) and its
    clockwise rotation.

    `likeness` (-1..1) is its correlation with its art, `confidence` (0..1) that it lies there.
    """

    tile: int
    at_mm: tuple[float, float]
    turn_rad: float
    likeness: float
    confidence: float


def find_loose_tile(above: FromAbove, art: BoardArt, tiles: Sequence[int]) -> LooseTile | None:
    """The best match of one of these tiles outside the board; None if no match is good enough."""
    if not tiles:
        return None
    shrink = SOUGHT_PX / art.cell_mm / above.px_per_mm
    size = (round(above.picture.shape[1] * shrink), round(above.picture.shape[0] * shrink))
    small = _evened(cv2.resize(above.picture, size, interpolation=cv2.INTER_AREA))
    scale = SOUGHT_PX / art.cell_mm
    spots: list[tuple[float, int, float, float, float]] = []
    side = round(SOUGHT_PX * 0.7)
    banned = np.zeros((size[1], size[0]), bool)
    rim = CLEAR_OF_GRID * art.cell_mm
    grid = np.array([art.columns, art.rows]) * art.cell_mm
    x0, y0 = ((-rim - np.asarray(above.origin_mm)) * scale).astype(int).clip(0)
    x1, y1 = ((grid + rim - above.origin_mm) * scale).astype(int)
    banned[y0:y1, x0:x1] = True
    for tile in tiles:
        for k in range(TURNS):
            turn = 2 * np.pi * k / TURNS
            template = _evened(_cut_at_angle(art.tiles[tile].picture, turn, SOUGHT_PX, side))
            alike = cv2.matchTemplate(small, template, cv2.TM_CCOEFF_NORMED)
            half = side // 2
            inner = banned[half : half + alike.shape[0], half : half + alike.shape[1]]
            alike = np.where(inner, -1.0, alike)
            y, x = np.unravel_index(int(alike.argmax()), alike.shape)
            at = (np.array([x, y]) + side / 2) / scale + above.origin_mm
            spots.append((float(alike[y, x]), tile, turn, float(at[0]), float(at[1])))
    spots.sort(reverse=True)
    best: LooseTile | None = None
    for _, tile, turn, x_mm, y_mm in spots[:PLACES]:
        found = _settled(above, art, tile, turn, (x_mm, y_mm))
        if best is None or found.likeness > best.likeness:
            best = found
    if best is None or best.likeness < LEAST:
        return None
    return best


def _cut_at_angle(picture: NDArray[np.uint8], turn: float, side_px: float, cut_px: int) -> NDArray[np.uint8]:
    """The central part of a tile's picture, rotated clockwise and scaled so that the tile has `side_px`."""
    scale = side_px / picture.shape[0]
    soft = cv2.blur(picture, (max(1, round(0.8 / scale)),) * 2)
    middle = np.full(2, (picture.shape[0] - 1) / 2)
    return crop(np.asarray(soft, np.uint8), middle, -turn, 1 / scale, (cut_px, cut_px))


def _evened(picture: NDArray[np.uint8]) -> Floats:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.float32)


def _settled(
    above: FromAbove, art: BoardArt, tile: int, turn: float, at_mm: tuple[float, float]
) -> LooseTile:
    """Local refinement of a match over small rotations and shifts, at a reduced scale."""
    side = 40
    scale = side / art.cell_mm
    shrink = scale / above.px_per_mm
    rim = 8
    cut = round(side * 1.0)
    best = (-1.0, turn, at_mm)
    corner = np.asarray(at_mm) - (cut / 2 + rim) / scale
    window = crop(above.picture, above.px(at_mm), 0.0, 1 / shrink, (cut + 2 * rim, cut + 2 * rim))
    seen = _evened(window)
    inner = 28
    for off in np.radians((-9.0, -6.0, -3.0, 0.0, 3.0, 6.0, 9.0)):
        template = _evened(_cut_at_angle(art.tiles[tile].picture, turn + float(off), side, inner))
        alike = cv2.matchTemplate(seen, template, cv2.TM_CCOEFF_NORMED)
        y, x = np.unravel_index(int(alike.argmax()), alike.shape)
        if alike[y, x] > best[0]:
            at = corner + (np.array([x, y]) + inner / 2) / scale
            best = (float(alike[y, x]), turn + float(off), (float(at[0]), float(at[1])))
    _, turned, at_mm = best
    likeness = _likeness(above, art, tile, turned, at_mm)
    confidence = float(np.clip((likeness - LEAST) / (SURE - LEAST), 0, 1))
    return LooseTile(tile, at_mm, turned, likeness, confidence)


def _likeness(above: FromAbove, art: BoardArt, tile: int, turn: float, at_mm: tuple[float, float]) -> float:
    """Block-wise correlation (-1..1) of a tile's art with the picture at a place, without the worst third of
    blocks."""
    plain = _upright(above, art, turn, at_mm)
    own = upright_tile(art.tiles[tile].picture)[None]
    best = -1.0
    for dy in (-2, -1, 0, 1, 2):
        for dx in (-2, -1, 0, 1, 2):
            part = plain[RIM_PX + dy : RIM_PX + dy + SIDE_PX, RIM_PX + dx : RIM_PX + dx + SIDE_PX]
            blocks = (in_blocks(part[None]) * in_blocks(own)).sum(axis=2)[:, 0]
            best = max(best, float(np.sort(blocks)[len(blocks) // 3 :].mean()))
    return best


def _upright(above: FromAbove, art: BoardArt, turn: float, at_mm: tuple[float, float]) -> Floats:
    """Normalised cut-out of a loose tile, rotated upright, with a margin."""
    ratio = above.px_per_mm * art.cell_mm / SIDE_PX
    wide = SIDE_PX + 2 * RIM_PX
    return normalised(crop(above.picture, above.px(at_mm), turn, ratio, (wide, wide)))


def cut_outs(above: FromAbove, art: BoardArt, found: LooseTile) -> Floats:
    """Normalised cut-outs (shifts, S, S, 3) of a loose tile, rotated upright."""
    plain = _upright(above, art, found.turn_rad, found.at_mm)
    steps = range(RIM_PX - 4, RIM_PX + 5, 2)
    return np.stack([plain[y : y + SIDE_PX, x : x + SIDE_PX] for y in steps for x in steps])


def spare_corners(found: LooseTile, art: BoardArt) -> NDArray[np.float64]:
    """Corners (4, 2) mm of a loose tile on the board's plane, starting with its printed top left."""
    corners = geometry.rectangle(art.cell_mm, art.cell_mm) - art.cell_mm / 2
    return geometry.apply(geometry.similarity(found.turn_rad, np.asarray(found.at_mm)), corners)
