"""Merging of several views of a face into one: registered to a fraction of a pixel, weighted by sharpness,
without glare."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.enrol.faces.light import encoded, linear
from calibration.enrol.faces.likeness import LEAST_AWAY_MM, laid_on
from vision.ink.rectify import for_registration, residual_flow
from vision.photo.view import pixel_size

Field = NDArray[np.float32]

#: A pixel as white as this may be glare; so may one that is lighter than the other views by this factor.
_WHITE, _GLARE = 248, 1.25
#: Greatest number of merged views; more give no visible improvement.
MOST_VIEWS = 6


def sharpness(face: NDArray[np.uint8]) -> float:
    """Share of fine detail in a face's contrast. Values are comparable between views of one card in one
    resolution."""
    fine, contrast = _fine_detail(face)
    return fine / (contrast + 1.0)


def _fine_detail(face: NDArray[np.uint8]) -> tuple[float, float]:
    """Deviations of a face's fine detail and of all of it, grey levels."""
    grey = cv2.cvtColor(face, cv2.COLOR_BGR2GRAY).astype(np.float32)
    fine = cv2.GaussianBlur(grey, (0, 0), 1.0) - cv2.GaussianBlur(grey, (0, 0), 2.0)
    return float(np.sqrt((fine**2).mean())), float(grey.std())


def merged(
    views: Sequence[NDArray[np.uint8]], size_mm: tuple[float, float], px_per_mm: float
) -> NDArray[np.uint8]:
    """The merged face (H, W, 3) BGR at `px_per_mm`, from views of equal orientation, evenly lit and
    balanced. Views whose outline was found elsewhere than the sharpest one's are left out."""
    size = pixel_size(size_mm, px_per_mm)
    scaled = [
        np.asarray(
            cv2.resize(
                each, size, interpolation=cv2.INTER_AREA if each.shape[1] > size[0] else cv2.INTER_CUBIC
            ),
            np.uint8,
        )
        for each in views
    ]
    order = sorted(range(len(scaled)), key=lambda k: -worth(scaled[k]))[:MOST_VIEWS]
    first = scaled[order[0]]
    scaled = [scaled[k] for k in order if laid_on(scaled[k], first, px_per_mm)[1] < LEAST_AWAY_MM]
    if len(scaled) == 1:
        return scaled[0]
    greys = [cv2.cvtColor(each, cv2.COLOR_BGR2GRAY).astype(np.float32) for each in scaled]
    target = for_registration(greys[0], px_per_mm)
    x, y = np.meshgrid(np.arange(size[0], dtype=np.float32), np.arange(size[1], dtype=np.float32))
    light = [linear(first)]
    for each, grey in zip(scaled[1:], greys[1:], strict=True):
        flow = residual_flow(grey, target, px_per_mm)
        moved = cv2.remap(
            each, x + flow[..., 0], y + flow[..., 1], cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
        )
        light.append(linear(np.asarray(moved, np.uint8)))
    weights = [np.full(greys[0].shape, sharpness(each) ** 2, np.float32) for each in scaled]
    level = np.stack([cv2.GaussianBlur(each.mean(axis=2), (0, 0), 0.4 * px_per_mm) for each in light])
    lowest = np.sort(level, axis=0)[: max(1, len(level) - 1)].mean(axis=0)
    for lit, weight, own in zip(light, weights, level, strict=True):
        white = lit.min(axis=2) >= _LINEAR_WHITE
        glare = (own > _GLARE * lowest + 0.02) | (white & (own > 1.05 * lowest))
        soft = cv2.GaussianBlur(
            cv2.dilate(glare.astype(np.float32), np.ones((5, 5), np.uint8)), (0, 0), 0.5 * px_per_mm
        )
        weight *= np.clip(1 - 1.2 * soft, 0.002, 1)
    total = np.sum(weights, axis=0)
    made = np.sum(
        [lit * (weight / total)[..., None] for lit, weight in zip(light, weights, strict=True)], axis=0
    )
    return encoded(np.asarray(made, np.float32))


_LINEAR_WHITE = float(linear(np.array([_WHITE], np.uint8))[0])


def worth(face: NDArray[np.uint8]) -> float:
    """Weight of a view in the deck's light: its fine detail in grey levels, reduced by its share of glare. A
    veil takes detail, too."""
    white = float((face.min(axis=2) >= _WHITE).mean())
    return _fine_detail(face)[0] * (1 - min(1.0, 2 * white))
