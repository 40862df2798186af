"""Colour and texture of squares of tiles."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
#: Left, top, right, bottom as shares of a tile's side.
Square = tuple[float, float, float, float]

#: Tiles are looked at in pictures of so many pixels a side.
_SIDE_PX = 120
#: Squares in which no shape has floor.
CORNERS: tuple[Square, ...] = (
    (0.05, 0.05, 0.17, 0.17),
    (0.83, 0.05, 0.95, 0.17),
    (0.83, 0.83, 0.95, 0.95),
    (0.05, 0.83, 0.17, 0.95),
)


def features_of(tiles: Sequence[NDArray[np.uint8]], squares: Sequence[Square]) -> Array:
    """Features (n, squares, 7) of tiles (H, W, 3) BGR: medians of L*a*b* and edge strength, and logarithms of
    the deviations of L*a*b*."""
    layers = [_layers(each) for each in tiles]
    return np.array([[_features(each, square) for square in squares] for each in layers])


def _layers(tile: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Feature layers (h, w, 4): CIE L*a*b* and edge strength."""
    picture = cv2.resize(tile, (_SIDE_PX, _SIDE_PX), interpolation=cv2.INTER_AREA)
    lab = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2Lab), np.float32)
    across, down = cv2.Sobel(lab[..., 0], cv2.CV_32F, 1, 0), cv2.Sobel(lab[..., 0], cv2.CV_32F, 0, 1)
    return np.dstack([lab, np.hypot(across, down)])


def _features(layers: NDArray[np.float32], square: Square) -> Array:
    left, top, right, bottom = (round(each * _SIDE_PX) for each in square)
    part = layers[top:bottom, left:right].reshape(-1, 4).astype(np.float64)
    return np.concatenate([np.median(part, axis=0), np.log1p(part[:, :3].std(axis=0))])
