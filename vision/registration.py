"""Residual registration: bring a rectified card onto its blank art to within a fraction of a line's width.

A card bows and lenses distort, so one homography leaves tenths of a millimetre; on printed edges that much
reads as ink. Phase correlation (Kuglin & Hines, 1975) of overlapping blocks, evened out for light, says how
far each lies off; a low-order polynomial is fitted to that robustly, since ink, glare and things on the card
move nothing.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

# The numbers below were tuned on bowed cards of 63 x 88 mm in the tuning split of `samples/` (compositor).

#: Blocks are compared at half the working scale: fine enough for a fiftieth of a millimetre, and cheap.
_SHRINK = 0.5
#: Side of a block: large enough to hold some corridor walls.
_BLOCK_MM = 19.5
#: Blocks along a card's shorter and its longer side. They overlap; on small cards more.
_BLOCKS = (5, 7)
#: Displacements beyond this (mm) are no residuals: the pose itself would be wrong there.
_LARGEST_MM = 2.5
#: Phase correlation answers nearly 1 for the same picture; less than this is chance.
_LEAST_RESPONSE = 0.12
#: First what moves and bends the card as a whole, then the rest: terms of the polynomial.
_TERMS = (6, 10, 10)
#: Blocks this near (mm) need no further round.
_NEAR_MM = 0.06
_ROUNDS = 5

Array = NDArray[np.float64]


def residual_flow(
    seen_grey: NDArray[np.float32], blank_grey: NDArray[np.float32], px_per_mm: float
) -> NDArray[np.float32]:
    """(H, W, 2) displacement in pixels: blank pixel (x, y) is seen at (x, y) + flow[y, x].

    Both pictures are (H, W) float32 of one size, `px_per_mm` to the millimetre.
    """
    height, width = blank_grey.shape
    size = (max(16, round(width * _SHRINK)), max(16, round(height * _SHRINK)))
    scale = px_per_mm * _SHRINK
    seen = _evened(cv2.resize(seen_grey, size, interpolation=cv2.INTER_AREA), scale)
    blank = _evened(cv2.resize(blank_grey, size, interpolation=cv2.INTER_AREA), scale)
    xs, ys = np.meshgrid(np.arange(size[0], dtype=np.float32), np.arange(size[1], dtype=np.float32))
    best = np.zeros((size[1], size[0], 2), np.float32)
    best_misfit = _misfit(seen, blank)
    current = best
    warped = seen
    for terms in _TERMS:
        at, moved, weight = _block_shifts(warped, blank, scale)
        if np.count_nonzero(weight) < terms + 4:
            break
        current = current + _polynomial(at, moved, weight, terms, size)
        warped = cv2.remap(seen, xs + current[..., 0], ys + current[..., 1], cv2.INTER_LINEAR)
        misfit = _misfit(warped, blank)
        # a few hundredths more are what resampling costs
        if misfit < best_misfit * 1.03:
            best, best_misfit = current, min(misfit, best_misfit)
        if float(np.median(np.linalg.norm(moved[weight > 0], axis=1))) < _NEAR_MM * scale:
            break
    return np.asarray(cv2.resize(best / _SHRINK, (width, height)), np.float32)


def _block_shifts(
    seen: NDArray[np.float32], blank: NDArray[np.float32], px_per_mm: float
) -> tuple[Array, Array, Array]:
    """Where blocks lie (N, 2), how far each is off (N, 2) and how surely (N,), pixels."""
    height, width = blank.shape
    # OpenCV's phase correlation is half a pixel off where it pads to an odd size: sixteens need no padding
    side = max(16, min(round(_BLOCK_MM * px_per_mm), width, height) // 16 * 16)
    window = cv2.createHanningWindow((side, side), cv2.CV_32F)
    at, moved, weight = [], [], []
    columns, rows = _BLOCKS if width <= height else _BLOCKS[::-1]
    for top in np.linspace(0, height - side, rows).astype(int):
        for left in np.linspace(0, width - side, columns).astype(int):
            block = (slice(top, top + side), slice(left, left + side))
            shift, response = cv2.phaseCorrelate(blank[block], seen[block], window)
            near = max(abs(shift[0]), abs(shift[1])) < _LARGEST_MM * px_per_mm
            at.append((left + side / 2, top + side / 2))
            moved.append(shift)
            weight.append(response if near and response > _LEAST_RESPONSE else 0.0)
    return np.array(at), np.array(moved), np.array(weight)


def _polynomial(
    at: Array, moved: Array, weight: Array, terms: int, size: tuple[int, int]
) -> NDArray[np.float32]:
    """The polynomial field (H, W, 2) closest to shifts at block centres, outliers weighted down."""
    rows = _monomials(2 * at[:, 0] / size[0] - 1, 2 * at[:, 1] / size[1] - 1)[:, :terms]
    stiffness = np.diag([0.0, 0.02, 0.02, 0.1, 0.1, 0.1, 0.6, 0.6, 0.6, 0.6][:terms])
    robust = np.ones(len(weight))
    coefficients: Array = np.zeros((terms, 2))
    for _ in range(_ROUNDS):
        scaled = rows * (weight * robust)[:, None]
        coefficients = np.asarray(np.linalg.solve(rows.T @ scaled + stiffness, scaled.T @ moved))
        error = np.linalg.norm(moved - rows @ coefficients, axis=1)
        spread = max(2.0 * float(np.median(error)), 0.1)
        robust = 1.0 / (1.0 + (error / spread) ** 2) ** 2
    small = size[0] // 4, size[1] // 4
    field = _grid_monomials(small)[:, :terms] @ coefficients
    return np.asarray(cv2.resize(field.reshape(small[1], small[0], 2).astype(np.float32), size), np.float32)


@lru_cache(maxsize=8)
def _grid_monomials(size: tuple[int, int]) -> Array:
    """The monomials at the points of a grid over a card, (N, 10); kept, not to be written to."""
    xs, ys = np.meshgrid(np.linspace(-1, 1, size[0]), np.linspace(-1, 1, size[1]))
    return _monomials(xs.ravel(), ys.ravel())


def _monomials(x: Array, y: Array) -> Array:
    """(N, 10) monomials up to the third degree."""
    return np.column_stack([np.ones_like(x), x, y, x * x, x * y, y * y, x**3, x * x * y, x * y * y, y**3])


def _misfit(seen: NDArray[np.float32], blank: NDArray[np.float32]) -> float:
    """Mean difference, large ones (ink) counted as one."""
    return float(np.minimum(np.abs(seen - blank), 1.5)[4:-4, 4:-4].mean())


def _evened(grey: NDArray[np.float32], px_per_mm: float) -> NDArray[np.float32]:
    """Mean 0 and deviation 1 over about 8 mm everywhere, so that light and exposure do not count."""
    sigma = 4.0 * px_per_mm
    mean = cv2.GaussianBlur(grey, (0, 0), sigma)
    deviation = np.sqrt(cv2.GaussianBlur((grey - mean) ** 2, (0, 0), sigma)) + 0.01
    made: NDArray[np.float32] = np.clip((grey - mean) / deviation, -2.5, 2.5).astype(np.float32)
    return made
