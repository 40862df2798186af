"""Numerical helpers: median of many values, Gaussian blur with a large sigma, and adaptive non-maximal
suppression of features."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray


def median(values: NDArray[Any]) -> float:
    """Median of a non-empty array of any shape without NaN."""
    flat = values.ravel()
    middle = flat.size // 2
    parted = np.partition(flat, middle)
    if flat.size % 2:
        return float(parted[middle])
    return float((parted[middle] + parted[:middle].max()) / 2)


def regions_at(mask: NDArray[np.uint8], core: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Mask (h, w) of the connected regions of a mask that contain a pixel of another one, 0 or 1."""
    count, regions = cv2.connectedComponents(mask)
    kept = np.zeros(count, np.uint8)
    kept[regions[core > 0]] = 1
    kept[0] = 0
    return np.asarray(kept[regions], np.uint8)


#: Reduction factor of the picture for a wide blur, and the least width of such a blur.
_SHRINK, _WIDE = 4, 2.0


def wide_blur(picture: NDArray[np.float32], sigma_px: float) -> NDArray[np.float32]:
    """Approximate Gaussian blur with a large sigma of a picture (H, W) or (H, W, channels)."""
    if sigma_px < _WIDE * _SHRINK:
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma_px), np.float32)
    height, width = picture.shape[:2]
    small = (max(1, round(width / _SHRINK)), max(1, round(height / _SHRINK)))
    # averaging and interpolation blur, too
    left = np.sqrt((sigma_px / _SHRINK) ** 2 - 1 / 4)
    reduced = cv2.GaussianBlur(cv2.resize(picture, small, interpolation=cv2.INTER_AREA), (0, 0), left)
    return np.asarray(cv2.resize(reduced, (width, height)), np.float32)


def spread(
    at: NDArray[np.float64], response: NDArray[np.float64], size: tuple[float, float], cell: float, most: int
) -> NDArray[np.intp]:
    """Adaptive non-maximal suppression: indices of at most `most` of the points (N, 2), spread over a picture
    of `size`.

    The strongest point of every cell by `response` (N,) is taken first, then the second strongest, and so on.
    `cell` is the approximate side of a cell.
    """
    columns, rows = (max(1, round(side / cell)) for side in size)
    own = (at[:, 0] / size[0] * columns).astype(int).clip(0, columns - 1) * rows
    own += (at[:, 1] / size[1] * rows).astype(int).clip(0, rows - 1)
    order = np.lexsort((-response, own))
    first = np.concatenate([[0], np.flatnonzero(np.diff(own[order])) + 1]) if len(order) else order
    lengths = np.diff(np.append(first, len(order)))
    turn = np.empty(len(order), int)
    turn[order] = np.arange(len(order)) - np.repeat(first, lengths)
    return np.lexsort((-response, turn))[:most]
