"""Blur estimation from a single picture: its strongest edges are compared with the same edges blurred once
more.

After Zhuo and Sim ("Defocus map estimation from a single image", 2011). The viewfinder's script does the same
in the browser.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

#: Binomial weights: a Gaussian blur of variance 2 square pixels.
_AGAIN = np.array([1, 8, 28, 56, 70, 56, 28, 8, 1], np.float32) / 256
_VARIANCE = 2.0
#: Edges are this share of all pixels, those with the strongest slope, which must exceed that of noise (grey
#: values per pixel).
_STRONGEST = 0.05
_LEAST_SLOPE = 12.0
_LEAST_EDGES = 200
#: Edge blur in pixels above which no card is recognised, measured on blurred shipped photos.
_MOST_BLUR_PX = 1.9
#: Spread of brightness below which a picture shows nothing.
_EMPTY_SPREAD = 14.0


def blur_px(grey: NDArray[np.uint8]) -> float | None:
    """Blur of a grey picture's edges, as a standard deviation in pixels; None if it has too few edges.

    It is the larger of the horizontal and the vertical blur, since a hand moves in one direction. The range
    is 0.5 to 2.5: stronger blur leaves no edges, or is measured as 2.5.
    """
    sharp = grey.astype(np.float32)
    blurred = cv2.sepFilter2D(sharp, -1, _AGAIN, _AGAIN)
    along = _blur_of(sharp[:, 2:] - sharp[:, :-2], blurred[:, 2:] - blurred[:, :-2])
    down = _blur_of(sharp[2:] - sharp[:-2], blurred[2:] - blurred[:-2])
    return None if along is None or down is None else max(along, down)


def is_blurred(grey: NDArray[np.uint8]) -> bool:
    """Whether a picture is too blurred for any card to be recognised, even in a finer view; False for an
    empty picture."""
    if grey.std() < _EMPTY_SPREAD:
        return False
    blur = blur_px(grey)
    return blur is None or blur > _MOST_BLUR_PX


def _blur_of(sharp: NDArray[np.float32], blurred: NDArray[np.float32]) -> float | None:
    """Blur in pixels from the slopes (over 2 pixels) in one direction, and those of the picture blurred
    again."""
    slopes = np.abs(sharp)
    edges = slopes >= max(float(np.quantile(slopes, 1 - _STRONGEST)), 2 * _LEAST_SLOPE)
    if np.count_nonzero(edges) < _LEAST_EDGES:
        return None
    ratio = float(np.median(slopes[edges] / np.maximum(np.abs(blurred[edges]), 1e-3)))
    return float(np.sqrt(_VARIANCE / max(ratio * ratio - 1, 1e-3)))
