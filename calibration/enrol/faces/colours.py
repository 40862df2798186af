"""Colour balance over a deck: all faces are balanced to one colour of the paper, which all cards share.

Light and camera change the paper's colour in each photo. No photo shows the true colour, so the median
over all photos is taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.enrol.faces.light import encoded, linear

Array = NDArray[np.float64]
Rgb = tuple[float, float, float]

#: A card's paper: pixels lighter than this share of it, and darker than this.
_PAPER = (0.86, 0.97)
_WHITE = 248
#: Target level of paper, 0 to 1; printed white is slightly darker than white.
PAPER_LEVEL = 0.72
#: Greatest plausible gain of a colour balance.
_MOST_GAIN = 2.5


def paper_of(faces: Sequence[NDArray[np.uint8]]) -> Rgb | None:
    """Colour of the paper of a photo's cards as linear (blue, green, red), or None where glare hides all
    of it."""
    found = []
    for face in faces:
        small = np.asarray(cv2.resize(face, (60, 80), interpolation=cv2.INTER_AREA), np.uint8).reshape(-1, 3)
        shown = small[small.min(axis=1) < _WHITE]
        if len(shown) < 400:
            continue
        light = linear(shown)
        level = light.mean(axis=1)
        low, high = np.quantile(level, _PAPER)
        found.append(np.median(light[(level >= low) & (level <= high)], axis=0))
    if not found:
        return None
    blue, green, red = np.median(np.array(found), axis=0)
    return float(blue), float(green), float(red)


def common_paper(papers: Iterable[Rgb]) -> Rgb:
    """The target colour of paper in the art: the median hue over all photos, scaled to one brightness."""
    told = np.array([np.array(each) / np.mean(each) for each in papers if min(each) > 0])
    if not len(told):
        return (PAPER_LEVEL,) * 3
    blue, green, red = np.median(told, axis=0) * PAPER_LEVEL
    return float(blue), float(green), float(red)


def balanced(face: NDArray[np.uint8], paper: Rgb | None, target: Rgb) -> NDArray[np.uint8]:
    """A face (H, W, 3) BGR after a gain on each channel that maps its photo's `paper` colour to the
    `target` colour."""
    if paper is None:
        return face
    gain = np.clip(np.array(target) / np.maximum(paper, 1e-3), 1 / _MOST_GAIN, _MOST_GAIN)
    return encoded(linear(face) * gain.astype(np.float32))
