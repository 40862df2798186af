"""Print blur: how blurred a card is seen, by how sharp its art would have to be to look so."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.median import median

Image = NDArray[np.float32]
#: A card's fine pattern, at some of its pixels, (N,) for each of the blurs that are tried.
Details = tuple[Image, ...]

#: Blurs that are tried (Gaussian sigma, mm), and the least one that is more than resampling makes.
_BLURS_MM = (0.0, 0.12, 0.2, 0.3, 0.45)
LEAST_BLUR_PX = 0.3
#: What varies over more than this (mm) is light.
_FINE_MM = 1.0


def details_of(blank_grey: Image, px_per_mm: float) -> Details:
    """What a blank card's grey picture (H, W) shows under each blur."""
    grey = _middle(blank_grey)
    sigmas = (blur_mm * px_per_mm for blur_mm in _BLURS_MM)
    softened = (cv2.GaussianBlur(grey, (0, 0), sigma) if sigma > LEAST_BLUR_PX else grey for sigma in sigmas)
    return tuple(_fine(np.asarray(soft, np.float32), px_per_mm) for soft in softened)


def matched_blur(seen: Image, details: Details, px_per_mm: float) -> float:
    """The Gaussian blur (sigma, px) that makes the sharp art most like the photo's sharpness. `seen` is
    (H, W, 3) float32, of the blank's size."""
    target = _fine(np.asarray(cv2.cvtColor(_middle(seen), cv2.COLOR_BGR2GRAY), np.float32), px_per_mm)
    # trimmed: ink must not decide how sharp the print looks
    inside = np.abs(target) < 3 * median(np.abs(target)) + 0.02
    target = target[inside]
    errors = []
    for high in details:
        x = high[inside]
        factor = float((x * target).sum() / max(float((x * x).sum()), 1e-9))
        errors.append(float(((target - factor * x) ** 2).sum()))
    return _BLURS_MM[int(np.argmin(errors))] * px_per_mm


def _middle(picture: Image) -> Image:
    """The middle of a card tells."""
    top, left = picture.shape[0] // 4, picture.shape[1] // 5
    return picture[top:-top, left:-left]


def _fine(grey: Image, px_per_mm: float) -> Image:
    """(N,) the fine pattern at every third pixel."""
    fine = cv2.subtract(grey, cv2.GaussianBlur(grey, (0, 0), _FINE_MM * px_per_mm))
    return np.asarray(fine[2::3, 2::3], np.float32).ravel()
