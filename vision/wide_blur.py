"""Gaussian blurs over many pixels, made in a smaller picture: what varies so slowly needs no more."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

#: The picture is reduced by this factor where the blur is so many times as wide.
_SHRINK, _WIDE = 4, 2.0


def wide_blur(picture: NDArray[np.float32], sigma_px: float) -> NDArray[np.float32]:
    """A picture (H, W) or (H, W, channels) blurred by a Gaussian, very nearly."""
    if sigma_px < _WIDE * _SHRINK:
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma_px), np.float32)
    height, width = picture.shape[:2]
    small = (max(1, round(width / _SHRINK)), max(1, round(height / _SHRINK)))
    # averaging and drawing out blur, too
    left = np.sqrt((sigma_px / _SHRINK) ** 2 - 1 / 4)
    reduced = cv2.GaussianBlur(cv2.resize(picture, small, interpolation=cv2.INTER_AREA), (0, 0), left)
    return np.asarray(cv2.resize(reduced, (width, height)), np.float32)
