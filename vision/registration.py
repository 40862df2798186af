"""Residual registration: bring a rectified card onto its blank art to within a fraction of a line's width.

A card bows and lenses distort, so one homography leaves tenths of a millimetre; on printed edges that much reads as ink. Dense
inverse search flow (Kroeger et al., ECCV 2016) on light-normalised grey gives a displacement for every pixel; a cubic polynomial is fitted
to it robustly, since ink, glare and things on the card move nothing.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

#: Flow is measured at half the working scale: fine enough for a tenth of a millimetre, four times cheaper.
_SHRINK = 0.5
#: Displacements beyond this (mm) are no residuals: the pose itself would be wrong there.
_LARGEST_MM = 2.0
_ROUNDS = 4
_STEP = 3


def residual_flow(
    seen_grey: NDArray[np.float32], blank_grey: NDArray[np.float32], px_per_mm: float
) -> NDArray[np.float32]:
    """(H, W, 2) displacement in pixels: blank pixel (x, y) is seen at (x, y) + flow[y, x].

    Both pictures are (H, W) float32 of one size, `px_per_mm` to the millimetre.
    """
    height, width = blank_grey.shape
    size = (max(16, round(width * _SHRINK)), max(16, round(height * _SHRINK)))
    scale = px_per_mm * _SHRINK
    seen = _normalised(cv2.resize(seen_grey, size, interpolation=cv2.INTER_AREA), scale)
    blank = _normalised(cv2.resize(blank_grey, size, interpolation=cv2.INTER_AREA), scale)
    slope = cv2.Sobel(blank, cv2.CV_32F, 1, 0) ** 2 + cv2.Sobel(blank, cv2.CV_32F, 0, 1) ** 2
    texture = cv2.boxFilter(slope, -1, (9, 9))
    texture = np.minimum(texture / max(float(texture.mean()), 1e-6), 3.0)
    finder = cv2.DISOpticalFlow.create(cv2.DISOPTICAL_FLOW_PRESET_FAST)
    ys, xs = np.mgrid[: size[1], : size[0]].astype(np.float32)
    basis = _cubic(2 * xs.ravel() / size[0] - 1, 2 * ys.ravel() / size[1] - 1)
    best = np.zeros((size[1], size[0], 2), np.float32)
    best_error = _misfit(seen, blank, texture)
    current, warped = best, seen
    # first what moves the card as a whole, then its bow
    for terms in (3, 6, 10):
        step = finder.calc(blank, warped, None)
        fitted = _fit(step, texture, basis[:, :terms], scale)
        current = np.clip(current + fitted, -_LARGEST_MM * scale, _LARGEST_MM * scale)
        warped = cv2.remap(seen, xs + current[..., 0], ys + current[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        error = _misfit(warped, blank, texture)
        if error < best_error:
            best, best_error = current, error
        else:
            current = best
            warped = cv2.remap(seen, xs + best[..., 0], ys + best[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.resize(best / _SHRINK, (width, height)), np.float32)


def _misfit(seen: NDArray[np.uint8], blank: NDArray[np.uint8], texture: NDArray[np.float32]) -> float:
    """Mean difference where there is texture, large ones (ink) counted as one."""
    difference = np.minimum(cv2.absdiff(seen, blank), 60)
    return float((difference * texture).mean())


def _fit(
    flow: NDArray[np.float32], texture: NDArray[np.float32], basis: NDArray[np.float64], px_per_mm: float
) -> NDArray[np.float32]:
    """The polynomial closest to a flow (H, W, 2), outliers weighted down."""
    height, width = texture.shape
    chosen = np.zeros((height, width), bool)
    chosen[4 : height - 4 : _STEP, 4 : width - 4 : _STEP] = True
    moved = flow[chosen].astype(np.float64)
    rows = basis[chosen.ravel()]
    weight = texture[chosen] * (np.abs(moved).max(axis=1) < _LARGEST_MM * px_per_mm)
    if np.count_nonzero(weight) < 50:
        return np.zeros_like(flow)
    robust = np.ones(len(weight))
    coefficients = np.zeros((rows.shape[1], 2))
    stiffness = np.diag([0.0, 1, 1, 2, 2, 2, 6, 6, 6, 6][: rows.shape[1]])
    for _ in range(_ROUNDS):
        scaled = rows * (weight * robust)[:, None]
        ridge = 2e-3 * float((weight * robust).sum()) * stiffness
        coefficients = np.linalg.solve(rows.T @ scaled + ridge, scaled.T @ moved)
        error = np.linalg.norm(moved - rows @ coefficients, axis=1)
        spread = max(1.5 * float(np.median(error)), 0.1)
        robust = 1.0 / (1.0 + (error / spread) ** 2) ** 2
    return np.asarray((basis @ coefficients).reshape(flow.shape), np.float32)


def _cubic(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """(N, 10) monomials up to the third degree."""
    return np.column_stack([np.ones_like(x), x, y, x * x, x * y, y * y, x**3, x * x * y, x * y * y, y**3])


def _normalised(grey: NDArray[np.float32], px_per_mm: float) -> NDArray[np.uint8]:
    """Local mean and contrast evened out over about 8 mm, as uint8 round 128."""
    sigma = 4.0 * px_per_mm
    mean = cv2.GaussianBlur(grey, (0, 0), sigma)
    deviation = np.sqrt(cv2.GaussianBlur((grey - mean) ** 2, (0, 0), sigma)) + 0.01
    return np.clip(128 + 45 * (grey - mean) / deviation, 0, 255).astype(np.uint8)
