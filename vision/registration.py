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
    seen = _normalised(cv2.resize(seen_grey, size, interpolation=cv2.INTER_AREA), px_per_mm * _SHRINK)
    blank = _normalised(cv2.resize(blank_grey, size, interpolation=cv2.INTER_AREA), px_per_mm * _SHRINK)
    finder = cv2.DISOpticalFlow_create(cv2.DISOPTICAL_FLOW_PRESET_FAST)
    flow = finder.calc(blank, seen, None)
    steps_x = cv2.Sobel(blank, cv2.CV_32F, 1, 0)
    steps_y = cv2.Sobel(blank, cv2.CV_32F, 0, 1)
    texture = cv2.boxFilter(steps_x**2 + steps_y**2, -1, (9, 9))
    ys, xs = np.mgrid[4 : size[1] - 4 : _STEP, 4 : size[0] - 4 : _STEP]
    ys, xs = ys.ravel(), xs.ravel()
    basis = _cubic(2 * xs / size[0] - 1, 2 * ys / size[1] - 1)
    moved = flow[ys, xs].astype(np.float64)
    weight = texture[ys, xs] / max(float(texture.mean()), 1e-6)
    weight = np.minimum(weight, 3.0) * (np.abs(moved).max(axis=1) < _LARGEST_MM * px_per_mm * _SHRINK)
    if float(np.count_nonzero(weight)) < 50:
        return np.zeros((height, width, 2), np.float32)
    robust = np.ones(len(weight))
    coefficients = np.zeros((basis.shape[1], 2))
    for _ in range(_ROUNDS):
        scaled = basis * (weight * robust)[:, None]
        ridge = 1e-3 * float((weight * robust).sum()) * np.diag([0.0, 1, 1, 2, 2, 2, 4, 4, 4, 4])
        coefficients = np.linalg.solve(basis.T @ scaled + ridge, scaled.T @ moved)
        error = np.linalg.norm(moved - basis @ coefficients, axis=1)
        spread = max(1.5 * float(np.median(error)), 0.1)
        robust = 1.0 / (1.0 + (error / spread) ** 2) ** 2
    xs_full = np.linspace(-1, 1, width // 4 + 2)
    ys_full = np.linspace(-1, 1, height // 4 + 2)
    grid = np.stack(np.meshgrid(xs_full, ys_full), axis=-1).reshape(-1, 2)
    coarse = (_cubic(grid[:, 0], grid[:, 1]) @ coefficients).reshape(len(ys_full), len(xs_full), 2) / _SHRINK
    limit = _LARGEST_MM * px_per_mm
    full = cv2.resize(np.clip(coarse, -limit, limit).astype(np.float32), (width, height))
    return np.asarray(full, np.float32)


def _cubic(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """(N, 10) monomials up to the third degree."""
    return np.column_stack([np.ones_like(x), x, y, x * x, x * y, y * y, x**3, x * x * y, x * y * y, y**3])


def _normalised(grey: NDArray[np.float32], px_per_mm: float) -> NDArray[np.uint8]:
    """Local mean and contrast evened out over about 8 mm, as uint8 round 128."""
    sigma = 4.0 * px_per_mm
    mean = cv2.GaussianBlur(grey, (0, 0), sigma)
    deviation = np.sqrt(cv2.GaussianBlur((grey - mean) ** 2, (0, 0), sigma)) + 0.01
    return np.clip(128 + 45 * (grey - mean) / deviation, 0, 255).astype(np.uint8)
