"""A tile that lies beside the board, wherever and however it is turned: which of those that may lie there it
is, and where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import homography
from vision.board_art import BoardArt
from vision.board_plane import FromAbove
from vision.square_tiles import SIDE_PX, in_blocks, normalised, upright_tile

Floats = NDArray[np.float32]

#: Turns tried, and the side of a tile (px) at which places are sought.
TURNS, SOUGHT_PX = 24, 22
#: Likeness from which a tile lies there, and from which it surely does.
LEAST, SURE, RIM_PX = 0.30, 0.45, 6
#: Places looked at closely; none nearer to the grid than this (cells), where its own tiles lie.
PLACES, CLEAR_OF_GRID = 6, 0.3


@dataclass(frozen=True)
class LooseTile:
    """A tile by its number in `BoardArt.tiles`, its middle on the board's plane (mm), its turn clockwise, and
    how alike (-1..1) and how sure (0..1) it is."""

    tile: int
    at_mm: tuple[float, float]
    turn_rad: float
    likeness: float
    confidence: float


def find_loose_tile(above: FromAbove, art: BoardArt, tiles: Sequence[int]) -> LooseTile | None:
    """The likeliest place of one of these tiles outside the board; None where none lies there."""
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
            template = _evened(_turned(art.tiles[tile].picture, turn, SOUGHT_PX, side))
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


def _turned(picture: NDArray[np.uint8], turn: float, side_px: float, cut_px: int) -> NDArray[np.uint8]:
    """The middle of a tile, turned clockwise, where the tile has `side_px`."""
    scale = side_px / picture.shape[0]
    cos, sin = np.cos(turn) * scale, np.sin(turn) * scale
    middle, half = (picture.shape[0] - 1) / 2, (cut_px - 1) / 2
    pose = np.array(
        [[cos, -sin, half - cos * middle + sin * middle], [sin, cos, half - sin * middle - cos * middle]]
    )
    soft = cv2.blur(picture, (max(1, round(0.8 / scale)),) * 2)
    return np.asarray(cv2.warpAffine(soft, pose, (cut_px, cut_px)), np.uint8)


def _evened(picture: NDArray[np.uint8]) -> Floats:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.float32)


def _settled(
    above: FromAbove, art: BoardArt, tile: int, turn: float, at_mm: tuple[float, float]
) -> LooseTile:
    """The place looked at closely: finer turns and shifts, at half the art's scale."""
    side = 40
    scale = side / art.cell_mm
    shrink = scale / above.px_per_mm
    rim = 8
    cut = round(side * 1.0)
    best = (-1.0, turn, at_mm)
    corner = np.asarray(at_mm) - (cut / 2 + rim) / scale
    pose = np.array(
        [
            [shrink, 0, (above.origin_mm[0] - corner[0]) * scale],
            [0, shrink, (above.origin_mm[1] - corner[1]) * scale],
        ]
    )
    window = cv2.warpAffine(above.picture, pose, (cut + 2 * rim, cut + 2 * rim), flags=cv2.INTER_AREA)
    seen = _evened(np.asarray(window, np.uint8))
    inner = 28
    for off in np.radians((-9.0, -6.0, -3.0, 0.0, 3.0, 6.0, 9.0)):
        template = _evened(_turned(art.tiles[tile].picture, turn + float(off), side, inner))
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
    """How alike a tile's art and what is seen there are, block by block, the worst third left out."""
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
    """A normalised cut-out of a loose tile, turned back, with a rim."""
    scale = SIDE_PX / art.cell_mm
    ratio = above.px_per_mm / scale
    cos, sin = np.cos(turn) * ratio, np.sin(turn) * ratio
    half = (SIDE_PX - 1) / 2 + RIM_PX
    x, y = (np.asarray(at_mm) - above.origin_mm) * above.px_per_mm - 0.5
    pose = np.array([[cos, -sin, x - cos * half + sin * half], [sin, cos, y - sin * half - cos * half]])
    wide = SIDE_PX + 2 * RIM_PX
    seen = cv2.warpAffine(above.picture, pose, (wide, wide), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    return normalised(np.asarray(seen, np.uint8))


def cut_outs(above: FromAbove, art: BoardArt, found: LooseTile) -> Floats:
    """(shifts, S, S, 3) normalised cut-outs of a loose tile, turned back."""
    plain = _upright(above, art, found.turn_rad, found.at_mm)
    steps = range(RIM_PX - 4, RIM_PX + 5, 2)
    return np.stack([plain[y : y + SIDE_PX, x : x + SIDE_PX] for y in steps for x in steps])


def spare_corners(found: LooseTile, art: BoardArt) -> NDArray[np.float64]:
    """(4, 2) a loose tile's corners on the board's plane (mm), beginning with its printed top left."""
    cos, sin = np.cos(found.turn_rad), np.sin(found.turn_rad)
    corners = homography.rectangle(art.cell_mm, art.cell_mm) - art.cell_mm / 2
    return np.asarray(corners @ np.array([[cos, sin], [-sin, cos]]) + np.asarray(found.at_mm))
