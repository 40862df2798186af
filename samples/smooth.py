"""Fields that vary slowly over a picture: worked out on a coarse grid, then enlarged."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

STRIP_PX = 128  # rows worked on at once stay in the processor's cache
STEP_PX = 8  # light, lens and card planes bend by less than 0.05 px from a straight line within a cell


def coarse_grid(
    shape: tuple[int, int], step: int = STEP_PX
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The pixel positions (x, y), each (h, w), where a field for a picture of `shape` (H, W) is needed.

    They lie in the middle of `STEP_PX`-wide cells, one cell beyond the picture on each side.
    """
    x, y = ((np.arange(-1, -(-side // STEP_PX) + 1) + 0.5) * STEP_PX - 0.5 for side in shape[::-1])
    grid = np.meshgrid(x, y)
    return grid[0], grid[1]


def enlarge(coarse: NDArray[np.floating], shape: tuple[int, int]) -> NDArray[np.float32]:
    """A field known on `coarse_grid(shape)`, (h, w), at each pixel of the picture, (H, W)."""
    rows, columns = coarse.shape
    big = cv2.resize(
        coarse.astype(np.float32), (columns * STEP_PX, rows * STEP_PX), interpolation=cv2.INTER_LINEAR
    )
    return np.asarray(big[STEP_PX : STEP_PX + shape[0], STEP_PX : STEP_PX + shape[1]], np.float32)


def strips(height: int, margin: int = 0) -> Iterator[tuple[slice, slice]]:
    """A picture's rows in strips of `STRIP_PX` and `margin` (whole steps) more on both sides where there
    are any, and the rows of its coarse grid that each strip needs."""
    for top in range(0, height, STRIP_PX):
        low, high = max(top - margin, 0), min(top + STRIP_PX + margin, height)
        yield slice(low, high), slice(low // STEP_PX, -(-high // STEP_PX) + 2)
