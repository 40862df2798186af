"""Expected picture of a board with its tiles in the photo's light, and the residual: pieces on it, hands,
glare.

Tiles may lie askew or off their cell's middle, so each is aligned by its image gradients (Lucas and Kanade,
1981). The light is estimated per cell, as a gain and a veil (added light) for each colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards.art import CELL_PX, BoardArt, Cell
from vision.boards.tiles import TileReading
from vision.boards.top_view import FromAbove, crop, crop_map

Floats = NDArray[np.float32]
#: Gain and veil (3,), blue, green, red.
Light = tuple[Floats, Floats]

#: Scale of the compared pictures relative to the art: 1 px per mm if a cell is 50 mm wide.
SHRINK = 0.5
#: Weight of brightness relative to colour differences, so that shadows are not taken for pieces.
BRIGHTNESS = 0.5
#: Bounds of the gain, and the visible share of a cell below which its light comes from its neighbours.
GAINS, LEAST_SEEN = (0.08, 2.5), 0.3
#: Residual (levels, all channels) up to which a pixel matches the art. Then the share of the cell by which
#: the neighbours' light must explain more to replace its own, and the weight of that light as a prior.
CLOSE, BETTER_LIGHT, PRIOR = 45.0, 0.02, 0.1
#: Least gain that is corrected for, because of noise. Then the deviation of the veil (levels) from the usual
#: that counts as glare, and the level in all channels above which a pixel is overexposed.
LEAST_GAIN, GLARE, BLOWN = 0.22, 15.0, 243
#: Remaining misalignment of a tile (px at half scale) within which differences are ignored.
SLACK_PX = 1


@dataclass(frozen=True)
class Expected:
    """The expected picture of a board and the photo's residual, from above at half the art's scale (h, w, 3).

    `art` is the picture expected, `seen` the photo, and `plain` the photo in the art's light. `unveiled` is
    the photo in the light of most of the board, since a piece in front of glare has none. `unlike` (h, w) is
    the residual of `plain` in levels. Masks (h, w): `inside` where the photo shows the board, `glare` strong
    glare, `blown` overexposed pixels that show nothing.
    """

    seen: Floats
    art: Floats
    plain: Floats
    unveiled: Floats
    unlike: Floats
    inside: NDArray[np.bool_]
    glare: NDArray[np.bool_]
    blown: NDArray[np.bool_]
    px_per_mm: float
    origin_mm: tuple[float, float]


def colour_planes(picture: Floats) -> Floats:
    """Colours (..., 3) in blue, green, red -> brightness (weighted down) and two colour differences, all in
    levels."""
    blue, green, red = picture[..., 0], picture[..., 1], picture[..., 2]
    bright = BRIGHTNESS * (0.3 * red + 0.59 * green + 0.11 * blue)
    return np.stack([bright, red - green, blue - green], axis=-1)


def expect(above: FromAbove, art: BoardArt, tiles: Sequence[TileReading]) -> Expected:
    """The expected picture of the board with these tiles, and the photo's residual from it.

    `above` has the art's scale and shows the whole ground.
    """
    laid = _laid(above, art, tiles)
    height, width = laid.shape[:2]
    size = (round(width * SHRINK), round(height * SHRINK))
    small = np.asarray(cv2.resize(laid, size, interpolation=cv2.INTER_AREA), np.float32)
    seen = np.asarray(cv2.resize(above.picture, size, interpolation=cv2.INTER_AREA), np.float32)
    inside = cv2.resize(above.inside.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0
    scale = above.px_per_mm * SHRINK
    gain, veil = _light(seen, small, art, scale, above.origin_mm)
    plain = _in_light(seen, gain, veil)
    there = inside if inside.any() else np.ones_like(inside)
    usual = [np.median(part[there], axis=0) for part in (gain, veil)]
    unveiled = _in_light(seen, np.asarray(usual[0], np.float32), np.asarray(usual[1], np.float32))
    blown = cv2.dilate((seen.min(axis=2) > BLOWN).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    unlike = unlikeness(plain, small) * inside * ~blown
    glare = np.abs(veil - usual[1]).max(axis=2) > GLARE
    return Expected(
        seen, small, plain, unveiled, unlike, inside, glare | blown, blown, scale, above.origin_mm
    )


def _in_light(seen: Floats, gain: Floats, veil: Floats) -> Floats:
    """The photo's colours converted to the art's light, by removing the veil and dividing by the gain."""
    return np.asarray((seen - veil) / np.maximum(gain, LEAST_GAIN), np.float32)


def unlikeness(seen: Floats, art: Floats) -> Floats:
    """Residual (h, w) in levels: the distance of the seen colours from the range of the art within a
    pixel."""
    ours, theirs = colour_planes(seen), colour_planes(art)
    kernel = np.ones((2 * SLACK_PX + 1,) * 2, np.uint8)
    low, high = cv2.erode(theirs, kernel), cv2.dilate(theirs, kernel)
    off = np.maximum(np.maximum(low - ours, ours - high), 0)
    return np.asarray(off.sum(axis=2), np.float32)


def _laid(above: FromAbove, art: BoardArt, tiles: Sequence[TileReading]) -> NDArray[np.uint8]:
    """The picture of the ground with the tiles drawn on it, each at its measured pose."""
    laid = art.ground.copy()
    grey = cv2.cvtColor(above.picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    left, top = art.ground_mm[:2]
    for reading in tiles:
        column, row = reading.cell
        picture = np.rot90(art.tiles[reading.tile].picture, -reading.rotation // 90)
        middle = np.array([column + 0.5, row + 0.5]) * art.cell_mm + np.asarray(reading.off_mm) - (left, top)
        pose = _settled(grey, np.ascontiguousarray(picture), middle * art.px_per_mm)
        x0, y0 = (np.array([column, row]) * art.cell_mm - (left, top)) * art.px_per_mm
        rim = 8
        box = (round(x0) - rim, round(y0) - rim)
        side = CELL_PX + 2 * rim
        shifted = pose.copy()
        shifted[:, 2] -= box
        part = laid[box[1] : box[1] + side, box[0] : box[0] + side]
        cv2.warpAffine(
            picture.copy(), shifted, (part.shape[1], part.shape[0]), dst=part, flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_TRANSPARENT,
        )  # fmt: skip
    return laid


def _settled(seen: Floats, picture: NDArray[np.uint8], middle_px: NDArray[np.float64]) -> NDArray[np.float64]:
    """Affine map (2, 3) from a tile's picture to the grey view, by three Gauss-Newton steps on shift and
    rotation."""
    side = picture.shape[0]
    own = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    own = own - cv2.blur(own, (25, 25))
    inner = slice(4, side - 4, 2)
    xs, ys = np.meshgrid(np.arange(side, dtype=np.float32), np.arange(side, dtype=np.float32))
    u, v = xs - (side - 1) / 2, ys - (side - 1) / 2
    dx = cv2.Sobel(own, cv2.CV_32F, 1, 0, ksize=3, scale=0.125)[inner, inner].ravel()
    dy = cv2.Sobel(own, cv2.CV_32F, 0, 1, ksize=3, scale=0.125)[inner, inner].ravel()
    slopes = np.stack([dx, dy, (dy * u[inner, inner].ravel() - dx * v[inner, inner].ravel()) / side])
    mine = own[inner, inner].ravel()
    shift, turn = middle_px - 0.5, 0.0
    for _ in range(3):
        view = crop(seen, shift, turn, 1.0, (side, side))
        away = (view - cv2.blur(view, (25, 25)))[inner, inner].ravel()
        gain = float(np.clip(away @ mine / max(float(mine @ mine), 1.0), 0.15, 2.5))
        off = away / gain - mine
        weight = 1 / (1 + (off / 25) ** 2) ** 2
        weighted = slopes * weight
        normal = (weighted @ slopes.T).astype(np.float64) + np.diag([1.0, 1.0, 1.0])
        step = np.linalg.solve(normal, (weighted @ off).astype(np.float64))
        # the view is sampled through the pose: a shift to the right in it requires sampling farther left
        shift = shift - np.clip(step[:2], -1.5, 1.5)
        turn = float(np.clip(turn - np.clip(step[2] / side, -0.03, 0.03), -0.1, 0.1))
    return crop_map(shift, turn, 1.0, (side, side))


def _light(
    seen: Floats, art: Floats, board: BoardArt, scale: float, origin_mm: tuple[float, float]
) -> tuple[Floats, Floats]:
    """Gain and veil (h, w, 3) of each pixel, interpolated from robust fits to the cells."""
    side = round(board.cell_mm * scale)
    shown: dict[Cell, tuple[Floats, Floats]] = {}
    own: dict[Cell, Light] = {}
    for column, row in board.cells:
        x = round((column * board.cell_mm - origin_mm[0]) * scale)
        y = round((row * board.cell_mm - origin_mm[1]) * scale)
        at = (slice(y + 2, y + side - 2, 2), slice(x + 2, x + side - 2, 2))
        shown[column, row] = art[at].reshape(-1, 3), seen[at].reshape(-1, 3)
        fit = line_through(*shown[column, row])
        if fit is not None:
            own[column, row] = fit
    if not own:
        return np.ones_like(art), np.zeros_like(art)
    gain = np.zeros((board.rows, board.columns, 3), np.float32)
    veil = np.zeros_like(gain)
    for cell in board.cells:
        gain[cell[1], cell[0]], veil[cell[1], cell[0]] = _light_of(cell, shown[cell], own)
    height, width = art.shape[:2]
    return _spread_out(gain, side, scale, origin_mm, (width, height)), _spread_out(
        veil, side, scale, origin_mm, (width, height)
    )


def _spread_out(
    cells: Floats, side: int, scale: float, origin_mm: tuple[float, float], size: tuple[int, int]
) -> Floats:
    """Bilinear interpolation of cell values (rows, columns, 3) to a picture."""
    shift = np.array([[side, 0, side / 2 - origin_mm[0] * scale], [0, side, side / 2 - origin_mm[1] * scale]])
    made = cv2.warpAffine(
        cells, shift.astype(np.float64), size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(made, np.float32)


def _light_of(cell: Cell, shown: tuple[Floats, Floats], own: dict[Cell, Light]) -> Light:
    """The gain and veil of a cell: its own fit, or a fit that starts from its neighbours' if that explains
    more.

    A piece in a cell has its own light, and a fit may then match the piece and not the tile.
    """
    away = {other: max(abs(other[0] - cell[0]), abs(other[1] - cell[1])) for other in own if other != cell}
    if not away:
        return own[cell]
    nearest = max(1, min(away.values()))
    round_it = [own[other] for other, far in away.items() if far <= nearest]
    start = (
        np.asarray(np.median([gain for gain, _ in round_it], axis=0), np.float32),
        np.asarray(np.median([veil for _, veil in round_it], axis=0), np.float32),
    )
    fitted = _line_near(*shown, start)
    if cell in own and _close(*shown, own[cell]) > _close(*shown, fitted) - BETTER_LIGHT:
        return own[cell]
    return fitted


def _off_line(art: Floats, seen: Floats, light: Light) -> Floats:
    return np.asarray(np.abs(seen - art * light[0] - light[1]).sum(axis=1), np.float32)


def _close(art: Floats, seen: Floats, light: Light) -> float:
    """The share of a cell's pixels that match the art in a given light."""
    return float(np.mean(_off_line(art, seen, light) < CLOSE * (0.4 + 0.6 * light[0].mean())))


def _line_near(art: Floats, seen: Floats, start: Light) -> Light:
    """Gain and veil (3,) of one cell, by a robust fit with a given light as its prior."""
    light = start
    for _ in range(2):
        spread = CLOSE * (0.4 + 0.6 * float(light[0].mean()))
        weight = (1 / (1 + (_off_line(art, seen, light) / spread) ** 2) ** 2).astype(np.float32)
        # the light around the cell weighs like a share of the cell, as it falls on the same art
        expected = art * start[0] + start[1]
        mixed = (weight[:, None] * seen + PRIOR * expected) / (weight[:, None] + PRIOR)
        light = _weighted_line(art, mixed, weight + PRIOR)
    return light


def line_through(art: Floats, seen: Floats) -> Light | None:
    """Gain and veil (3,) of one cell by a robust line fit; None where too little of the art is seen."""
    weight = np.ones(len(art), np.float32)
    gain, veil = np.ones(3, np.float32), np.zeros(3, np.float32)
    spread = 40.0
    for _ in range(5):
        gain, veil = _weighted_line(art, seen, weight)
        off = np.abs(seen - art * gain - veil).sum(axis=1)
        spread = max(1.5 * float(np.median(off)), 8.0)
        weight = (1 / (1 + (off / spread) ** 2) ** 2).astype(np.float32)
    if float(np.mean(weight > 0.25)) < LEAST_SEEN:
        return None
    return gain, veil


def _weighted_line(art: Floats, seen: Floats, weight: Floats) -> Light:
    """Gain, within bounds, and veil (3,) by weighted least squares."""
    total = weight.sum()
    mean_art, mean_seen = (weight @ art) / total, (weight @ seen) / total
    away = art - mean_art
    gain = (weight @ (away * (seen - mean_seen))) / np.maximum(weight @ (away * away), 1.0)
    gain = np.clip(gain, *GAINS).astype(np.float32)
    return gain, (mean_seen - gain * mean_art).astype(np.float32)
