"""Illumination over a photo, estimated from the bare table and from the cards' common paper.

The table is one material, and so is the paper of a deck. A brighter place of either receives more light,
or the lens transmits more there. A quadratic in the photo's coordinates is fitted to the logarithms of
both. The art itself is never flattened.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.enrol.faces.cut_out import Size, cut_out
from vision.photo.decode import Photo
from vision.photo.lens import AnyLens

Array = NDArray[np.float64]

#: Longer side in pixels of the image in which the table is sampled; number and size of a card's cells.
_TABLE_PX, _CELLS, _CELL_PX = 120, (3, 4), 16
#: Quantile of a cell's brightness that is taken as paper.
_PAPER = 0.9
#: Level at which pixels are ignored as clipped.
_CLIPPED = 248
#: Greatest plausible ratio of illumination across a photo.
_MOST = 2.2
#: Weight of the prior for even light, in cells.
_STIFFNESS = 3.0
_ROUNDS = 8

_LINEAR = np.where(
    np.arange(256) / 255 <= 0.04045,
    np.arange(256) / 255 / 12.92,
    ((np.arange(256) / 255 + 0.055) / 1.055) ** 2.4,
).astype(np.float32)


def linear(pixels: NDArray[np.uint8]) -> NDArray[np.float32]:
    """sRGB bytes converted to linear light, 0 to 1."""
    return np.asarray(_LINEAR[pixels], np.float32)


def encoded(light: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Linear light, 0 to 1, converted to sRGB bytes."""
    light = np.clip(light, 0, 1)
    curve = np.where(light <= 0.0031308, 12.92 * light, 1.055 * np.power(light, 1 / 2.4) - 0.055)
    return np.asarray(np.rint(255 * curve), np.uint8)


@dataclass(frozen=True)
class LightField:
    """Quadratic model of log illumination: coefficients `terms` (5,) of x, y, x^2, x y and y^2. The origin
    is the photo's centre; the unit is half its longer side."""

    width: int
    height: int
    terms: tuple[float, ...] = (0.0,) * 5

    def at(self, points_px: Array) -> Array:
        """Relative illumination (...,) at photo pixels (..., 2); 1 at the photo's centre."""
        told = _monomials(points_px, self.width, self.height) @ np.asarray(self.terms)
        return np.asarray(np.exp(np.clip(told, -np.log(_MOST), np.log(_MOST))))


def light_over(photo: Photo, lens: AnyLens, outlines: Sequence[Array], size_mm: Size) -> LightField:
    """Illumination of a photo, fitted to its table and to cards with the given corners (4, 2) each."""
    groups = [_table_cells(photo, outlines), _paper_cells(photo, lens, outlines, size_mm)]
    groups = [group for group in groups if len(group[0]) >= 6]
    if not groups:
        return LightField(photo.width, photo.height)
    points = np.concatenate([group[0] for group in groups])
    level = np.concatenate([group[1] for group in groups])
    of = np.repeat(np.arange(len(groups)), [len(group[0]) for group in groups])
    rows = np.column_stack([_monomials(points, photo.width, photo.height), np.eye(len(groups))[of]])
    # both groups weigh alike, however many cells they have
    fair = np.array([1 / len(group[0]) for group in groups])[of] * 40
    weight = fair.copy()
    stiff = np.diag([_STIFFNESS] * 5 + [1e-6] * len(groups))
    told = np.zeros(rows.shape[1])
    for _ in range(_ROUNDS):
        scaled = rows * weight[:, None]
        told = np.linalg.solve(scaled.T @ rows + stiff, scaled.T @ level)
        off = np.abs(level - rows @ told)
        spread = np.array([max(1.48 * float(np.median(off[of == k])), 0.03) for k in range(len(groups))])[of]
        weight = fair / (1 + (off / (1.5 * spread)) ** 2) / (spread / 0.05)
    return LightField(photo.width, photo.height, tuple(float(each) for each in told[:5]))


def evened(
    face: NDArray[np.uint8], corners_px: Array, field: LightField, level: float = 1.0
) -> NDArray[np.uint8]:
    """A rectified face corrected for the illumination between its corners (4, 2), scaled to even light of
    `level`."""
    height, width = face.shape[:2]
    coarse = (8, 8)
    matrix = cv2.getPerspectiveTransform(
        np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32), np.asarray(corners_px, np.float32)
    )
    u, v = np.meshgrid((np.arange(coarse[0]) + 0.5) / coarse[0], (np.arange(coarse[1]) + 0.5) / coarse[1])
    at = cv2.perspectiveTransform(np.dstack([u, v]).reshape(-1, 1, 2), matrix).reshape(*u.shape, 2)
    light = cv2.resize(field.at(at).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    return encoded(linear(face) * np.float32(level) / light[..., None])


def _monomials(points_px: Array, width: int, height: int) -> Array:
    half = max(width, height) / 2
    x = (np.asarray(points_px)[..., 0] - (width - 1) / 2) / half
    y = (np.asarray(points_px)[..., 1] - (height - 1) / 2) / half
    return np.stack([x, y, x * x, x * y, y * y], axis=-1)


def _table_cells(photo: Photo, outlines: Sequence[Array]) -> tuple[Array, Array]:
    """Centres (N, 2) in photo pixels of cells of bare table, and the logarithms (N,) of their light."""
    scale = _TABLE_PX / max(photo.width, photo.height)
    size = (round(photo.width * scale), round(photo.height * scale))
    small = cv2.resize(photo.reduced(2), size, interpolation=cv2.INTER_AREA)
    free = np.ones(small.shape[:2], np.uint8)
    for quad in outlines:
        grown = quad.mean(axis=0) + 1.2 * (quad - quad.mean(axis=0))
        cv2.fillConvexPoly(free, np.rint((grown + 0.5) * scale - 0.5).astype(np.int32), 0)
    light = linear(np.asarray(small, np.uint8)).mean(axis=2)
    free[(small.max(axis=2) >= _CLIPPED) | (light < 0.002)] = 0
    y, x = np.nonzero(free)
    at = np.asarray((np.column_stack([x, y]) + 0.5) / scale - 0.5, np.float64)
    return at, np.asarray(np.log(light[y, x].astype(np.float64)))


def _paper_cells(
    photo: Photo, lens: AnyLens, outlines: Sequence[Array], size_mm: Size
) -> tuple[Array, Array]:
    """Centres (N, 2) in photo pixels of cells of the cards, and the logarithms (N,) of the light of their
    brightest parts."""
    points, levels = [], []
    across, down = _CELLS if size_mm[0] <= size_mm[1] else _CELLS[::-1]
    for quad in outlines:
        face = cut_out(photo, lens, quad, size_mm, across * _CELL_PX / size_mm[0])
        face = np.asarray(cv2.resize(face, (across * _CELL_PX, down * _CELL_PX)), np.uint8)
        cells = linear(face).mean(axis=2).reshape(down, _CELL_PX, across, _CELL_PX)
        white = (face.min(axis=2) >= _CLIPPED).reshape(down, _CELL_PX, across, _CELL_PX).mean(axis=(1, 3))
        light = np.quantile(cells, _PAPER, axis=(1, 3))
        for row in range(down):
            for column in range(across):
                if white[row, column] < 0.02 and light[row, column] > 0.005:
                    u, v = (column + 0.5) / across, (row + 0.5) / down
                    top, bottom = quad[0] + u * (quad[1] - quad[0]), quad[3] + u * (quad[2] - quad[3])
                    points.append(top + v * (bottom - top))
                    levels.append(np.log(float(light[row, column])))
    return np.array(points).reshape(-1, 2), np.array(levels)


# --- one light for a deck -----------------------------------------------------------------------------------
# Camera and lamp change all cards of a photo by a gain of each channel. No photo shows the true light: the
# median over all photos is taken. A lamp that is mirrored in a card or its sleeve lays a veil over it, which
# is told by the card's darkest ink: all cards of a deck have about the same.

Rgb = tuple[float, float, float]

#: Share of a card that is its darkest ink, and shares between whose levels its paper is.
_INK_SHARE, _PAPER_SHARES = 0.02, (0.86, 0.97)
_GLARE_LEVEL = 248
#: Of a deck's photos so many have less veil than the one that tells how dark ink is.
_CLEAREST = 0.25
#: Shares of a view's light: a smaller veil is left, since ink differs as much; under a greater one too little
#: of the card is left for its art.
_LEAST_VEIL, MOST_VEIL = 0.1, 0.5
#: Cells across a view in which a veil is measured, the quantile that is a cell's darkest place, and the
#: share of the cells that are darker than the veil; prior for an even veil, and rounds of reweighting.
_VEIL_CELLS, _DARKEST, _BELOW = 8, 0.05, 0.15
_EVEN_VEIL, _VEIL_ROUNDS = (1e-4, 0.05, 0.05, 0.05, 0.05, 0.05), 25
#: Target level of the paper of a game's pieces, 0 to 1; printed white is slightly darker than white.
PAPER_LEVEL = 0.72
#: Greatest plausible gain of a colour balance.
_MOST_GAIN = 2.5


@dataclass(frozen=True)
class Tones:
    """Linear light (blue, green, red) of the darkest ink and of the paper, of a card's view or of a deck."""

    ink: Rgb
    paper: Rgb

    @property
    def contrast(self) -> Array:
        """Light (3,) of the paper over that of the ink. A veil leaves it as it is."""
        return np.asarray(np.maximum(np.array(self.paper) - np.array(self.ink), 1e-3), np.float64)


def tones_of(face: NDArray[np.uint8]) -> Tones | None:
    """The tones of a view (H, W, 3) BGR, or None where glare hides all of it."""
    small = np.asarray(cv2.resize(face, (60, 80), interpolation=cv2.INTER_AREA), np.uint8).reshape(-1, 3)
    shown = small[small.min(axis=1) < _GLARE_LEVEL]
    if len(shown) < 400:
        return None
    light = linear(shown)
    level = light.mean(axis=1)
    low, high = np.quantile(level, _PAPER_SHARES)
    paper = np.median(light[(level >= low) & (level <= high)], axis=0)
    return Tones(_rgb(np.quantile(light, _INK_SHARE, axis=0)), _rgb(paper))


def tones_of_photo(faces: Iterable[NDArray[np.uint8]]) -> Tones | None:
    """The tones of the cards of a photo, whose views are given: their medians, or None where glare hides all
    of them."""
    told = [tones for face in faces if (tones := tones_of(face)) is not None]
    if not told:
        return None
    ink = np.median([each.ink for each in told], axis=0)
    return Tones(_rgb(ink), _rgb(ink + np.median([each.contrast for each in told], axis=0)))


def tones_of_deck(photos: Sequence[Tones]) -> Tones:
    """The tones that all photos of a deck are balanced to: ink as in a photo without a veil, paper as in the
    median of the photos."""
    if not photos:
        return Tones((0.0,) * 3, (PAPER_LEVEL,) * 3)
    darkness = [np.array(each.ink) / each.contrast for each in photos]
    clearest = sorted(darkness, key=lambda each: float(each.mean()))[int(_CLEAREST * (len(photos) - 1))]
    contrast = np.median([each.contrast for each in photos], axis=0)
    return Tones(_rgb(clearest * contrast), _rgb(clearest * contrast + contrast))


def veil_over(view: Tones, photo: Tones, deck: Tones) -> tuple[Array, float]:
    """Light (3,) of the veil over a view in a photo, and its share of the view's light."""
    veil = np.maximum(np.array(view.ink) - _ink_in(photo, deck), 0.0)
    return veil, float(veil.mean() / max(np.mean(view.paper), 1e-3))


def unveiled(face: NDArray[np.uint8], photo: Tones | None, deck: Tones) -> NDArray[np.uint8]:
    """A view (H, W, 3) BGR of a photo in the deck's light, without its veil."""
    view = tones_of(face)
    if photo is None or view is None:
        return face
    veil, share = veil_over(view, photo, deck)
    if share < _LEAST_VEIL:
        return balanced(face, photo.contrast, deck.contrast)
    over = _veil_across(face, float(_ink_in(photo, deck).mean()))
    return balanced(face, photo.contrast, deck.contrast, over[..., None] * veil / veil.mean())


def _ink_in(photo: Tones, deck: Tones) -> Array:
    """Linear light (3,) of the deck's darkest ink in a photo without a veil."""
    return np.asarray(np.array(deck.ink) / deck.contrast * photo.contrast)


def _veil_across(face: NDArray[np.uint8], ink: float) -> Array:
    """Light (H, W) of a veil that changes slowly over a view: a quadratic that most cells' darkest places
    are lighter than, by quantile regression (Koenker and Bassett 1978)."""
    cells, side = _VEIL_CELLS, 10
    small = linear(cv2.resize(face, (cells * side, cells * side), interpolation=cv2.INTER_AREA)).mean(axis=2)
    darkest = np.quantile(small.reshape(cells, side, cells, side), _DARKEST, axis=(1, 3)).ravel() - ink
    rows = _over_card(cells, cells).reshape(-1, 6)
    weight, told = np.ones(len(rows)), np.zeros(6)
    for _ in range(_VEIL_ROUNDS):
        weighted = rows * weight[:, None]
        told = np.linalg.solve(weighted.T @ rows + np.diag(_EVEN_VEIL), weighted.T @ darkest)
        off = darkest - rows @ told
        weight = np.where(off > 0, _BELOW, 1 - _BELOW) / np.maximum(np.abs(off), 0.004)
        weight /= weight.mean()
    return np.asarray(np.maximum(_over_card(*face.shape[:2]) @ told, 0.0), np.float64)


def _over_card(height: int, width: int) -> Array:
    """1, x, y, x^2, x y and y^2 over an image, (height, width, 6); its middle is 0 and its sides are 1."""
    y, x = np.meshgrid(
        (np.arange(height) + 0.5) / height * 2 - 1, (np.arange(width) + 0.5) / width * 2 - 1, indexing="ij"
    )
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=2)


def balanced(
    face: NDArray[np.uint8], own: Array, target: Array, veil: Array | float = 0.0
) -> NDArray[np.uint8]:
    """A view (H, W, 3) BGR after its `veil` is taken away and each channel has the gain that maps the light
    `own` (3,) to the `target`."""
    gain = np.clip(target / np.maximum(own, 1e-3), 1 / _MOST_GAIN, _MOST_GAIN)
    return encoded(((linear(face) - veil) * gain).astype(np.float32))


def _rgb(light: NDArray[Any]) -> Rgb:
    blue, green, red = light
    return float(blue), float(green), float(red)
