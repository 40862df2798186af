"""Colour balanced over a deck: the paper, which all its cards have in common, has one colour, whatever the
light
and the phone made of it in each photo. No photo's colours are the true ones; the middle of all is taken."""

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
#: How light paper is made: printed white is not quite.
PAPER_LEVEL = 0.72
#: Gains beyond this are no balance but a mistake.
_MOST_GAIN = 2.5


def paper_of(faces: Sequence[NDArray[np.uint8]]) -> Rgb | None:
    """The colour of the paper of a photo's cards, linear blue, green, red; None where glare hides all."""
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
    """The paper's colour as it is made in the art: the middle of all photos' hues, at one level."""
    told = np.array([np.array(each) / np.mean(each) for each in papers if min(each) > 0])
    if not len(told):
        return (PAPER_LEVEL,) * 3
    blue, green, red = np.median(told, axis=0) * PAPER_LEVEL
    return float(blue), float(green), float(red)


def balanced(face: NDArray[np.uint8], paper: Rgb | None, target: Rgb) -> NDArray[np.uint8]:
    """A face (H, W, 3) BGR as it would be if its photo's `paper` had the `target` colour."""
    if paper is None:
        return face
    gain = np.clip(np.array(target) / np.maximum(paper, 1e-3), 1 / _MOST_GAIN, _MOST_GAIN)
    return encoded(linear(face) * gain.astype(np.float32))
