"""Square and rectangular pieces of a few known sizes that lie apart on a table, found by their outlines: a
board, tiles, cards, figures laid on their side.

Each quadrangle of a size tells a plane; the plane in which most quadrangles are pieces of these sizes is the
table's, and each piece's sides are brought onto the edges in the photo in full size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import homography
from vision.bare_table import unlike_table
from vision.blank_cards import outline_near
from vision.lens import AnyLens, Lens
from vision.photo import Photo
from vision.quads import find_quads
from vision.table_pose import card_homography, misfit

Array = NDArray[np.float64]
Size = tuple[float, float]

#: The picture in which outlines are sought: its longer side.
VIEW_PX = 1400.0
#: How far a quadrangle may be from what a phone takes of a piece, and its sides from a size (a logarithm) in
#: the table's plane.
_MISFIT, _LIKE = 0.10, 0.07
#: Of what lies alone, and of how large it is as against the largest.
_MISFIT_ALONE, _AS_LARGE = 0.04, 0.8
#: Of quadrangles, the most that tell a plane.
_PLANES = 60
#: A piece counts by its area to this power: a frame within a piece is smaller than the piece.
_LARGER = 0.5
#: How much more of a piece than of what lies round it is no table.
_CONTRAST = 0.25
#: What lies so near the picture's rim runs out of it.
_RIM_PX = 3


@dataclass(frozen=True)
class LoosePiece:
    """A piece's outline: `size` is its number among the sizes that were asked for, `corners_px` (4, 2) photo
    pixels clockwise as seen, its width first. `clear`: its sides are plain to see."""

    size: int
    corners_px: Array
    clear: bool


@dataclass(frozen=True)
class _Fit:
    """A quadrangle that is a piece of a size in some plane, and how far off its sides are."""

    quad: Array
    size: int
    off: float

    @property
    def area(self) -> float:
        return abs(cv2.contourArea(self.quad.astype(np.float32)))


def find_loose_pieces(
    photo: Photo, sizes_mm: Sequence[Size], lens: AnyLens | None = None, *, alone: bool = False
) -> tuple[LoosePiece, ...]:
    """The pieces of these sizes (width and height, mm) in a photo, from the top down; the one that
    lies there `alone`, as a board does, which has frames and cells of its own shape."""
    lens = lens or Lens(photo.width, photo.height)
    scale = min(1.0, VIEW_PX / max(photo.width, photo.height))
    size_px = (round(photo.width * scale), round(photo.height * scale))
    small = np.asarray(cv2.resize(photo.pixels, size_px, interpolation=cv2.INTER_AREA), np.uint8)
    lab = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2Lab), np.uint8)
    unlike = unlike_table(lab)
    quads = find_quads(lab, unlike)
    fits = _only_one(quads, sizes_mm, size_px, unlike) if alone else _most_alike(quads, sizes_mm, size_px)
    found = []
    for fit in fits:
        if alone:  # (its sides are known to less than they reach)
            found.append(LoosePiece(fit.size, (fit.quad + 0.5) / scale - 0.5, True))
            continue
        corners = (fit.quad + 0.5) / scale - 0.5
        outline = outline_near(photo, lens, corners, sizes_mm[fit.size])
        clear = outline is not None and outline.clear
        found.append(LoosePiece(fit.size, outline.corners_px if outline is not None else corners, clear))
    return tuple(sorted(found, key=lambda each: float(each.corners_px[:, 1].mean())))


def _most_alike(quads: Sequence[Array], sizes_mm: Sequence[Size], size_px: tuple[int, int]) -> list[_Fit]:
    """The quadrangles that are pieces in the plane in which most are."""
    best: list[_Fit] = []
    best_merit = 0.0
    for quad in quads[:_PLANES]:
        for size in sizes_mm:
            for turn in (0, 1):
                plane = card_homography(np.roll(quad, turn, axis=0), size)
                off = misfit(plane, size_px)
                if off > _MISFIT:
                    continue
                fits = _apart(_in_plane(plane, quads, sizes_mm))
                merit = sum((1 - fit.off / _LIKE / 2) * fit.area**_LARGER for fit in fits) * (1 - 3 * off)
                if merit > best_merit:
                    best_merit, best = merit, fits
    return best


def _only_one(
    quads: Sequence[Array], sizes_mm: Sequence[Size], size_px: tuple[int, int], unlike: NDArray[np.float32]
) -> list[_Fit]:
    """The quadrangle that was found most often of those that part the table from what is none, and are about
    as large as any of these."""
    fits = []
    for quad in quads:
        for number, size in enumerate(sizes_mm):
            for turn in (0, 1):
                own = np.roll(quad, -turn, axis=0)
                off = misfit(card_homography(own, size), size_px)
                if off < _MISFIT_ALONE and _stands_out(quad, unlike):
                    fits.append(_Fit(own, number, off))
    largest = max((fit.area for fit in fits), default=0.0)
    return [fit for fit in fits if fit.area > _AS_LARGE * largest][:1]


def _in_plane(plane: Array, quads: Sequence[Array], sizes_mm: Sequence[Size]) -> list[_Fit]:
    """The quadrangles that are pieces of these sizes in a plane, width first."""
    flat = homography.apply(np.asarray(np.linalg.inv(plane), np.float64), np.array(quads))
    sides = np.linalg.norm(np.roll(flat, -1, axis=1) - flat, axis=2)
    across = np.linalg.norm(flat[:, [2, 3]] - flat[:, [0, 1]], axis=2)
    fits = []
    for number, (width, height) in enumerate(sizes_mm):
        diagonal = np.abs(np.log(across / np.hypot(width, height))).max(axis=1)
        for turn in (0, 1):
            wanted = (width, height) if turn == 0 else (height, width)
            off = np.maximum(np.abs(np.log(sides / np.tile(wanted, 2))).max(axis=1), diagonal)
            for k in np.flatnonzero(off < _LIKE).tolist():
                fits.append(_Fit(np.roll(quads[k], -turn, axis=0), number, float(off[k])))
    return fits


def _stands_out(quad: Array, unlike: NDArray[np.float32]) -> bool:
    """Whether what lies within a quadrangle is no table, and what lies round it is; none of it runs out of
    the picture."""
    height, width = unlike.shape
    if (quad < _RIM_PX).any() or (quad > np.array([width, height]) - 1 - _RIM_PX).any():
        return False
    middle = quad.mean(axis=0)
    masks = []
    for share in (0.97, 1.03, 1.12):
        mask = np.zeros(unlike.shape, np.uint8)
        cv2.fillConvexPoly(mask, np.rint(middle + share * (quad - middle)).astype(np.int32), 1)
        masks.append(mask > 0)
    within, beside = unlike[masks[0]], unlike[masks[2] & ~masks[1]]
    return bool(len(within) and len(beside) and within.mean() - beside.mean() > _CONTRAST)


def _apart(fits: Sequence[_Fit]) -> list[_Fit]:
    """Those that do not lie on each other: what is nearest to its size first."""
    kept: list[_Fit] = []
    for fit in sorted(fits, key=lambda each: each.off):
        middle = fit.quad.mean(axis=0)
        hull = fit.quad.astype(np.float32)
        if all(
            cv2.pointPolygonTest(other.quad.astype(np.float32), tuple(map(float, middle)), False) < 0
            and cv2.pointPolygonTest(hull, tuple(map(float, other.quad.mean(axis=0))), False) < 0
            for other in kept
        ):
            kept.append(fit)
    return kept
