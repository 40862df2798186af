"""What a lens that nobody measured does to straight lines, as a photo's cards tell it: radial distortion
about the picture's middle (Brown, 1966). One that was measured is `vision.known_lens`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.known_lens import KnownLens

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Lens:
    """Radii are in units of half the picture's diagonal: a point at r from the middle is seen at
    r (1 + k1 r^2 + k2 r^4)."""

    width: int
    height: int
    k1: float = 0.0
    k2: float = 0.0

    @property
    def _middle(self) -> Array:
        return np.array([(self.width - 1) / 2, (self.height - 1) / 2])

    @property
    def _half(self) -> float:
        return float(np.hypot(self.width, self.height)) / 2

    def seen(self, straight_px: Array) -> Array:
        """(..., 2) pixels of a picture without distortion, as they lie in the photo."""
        away = np.asarray(straight_px, np.float64) - self._middle
        r2 = (away**2).sum(axis=-1, keepdims=True) / self._half**2
        return np.asarray(self._middle + away * (1 + self.k1 * r2 + self.k2 * r2**2))

    def straight(self, seen_px: Array) -> Array:
        """The inverse of `seen`, by fixed-point steps."""
        away = np.asarray(seen_px, np.float64) - self._middle
        found = away.copy()
        for _ in range(12):
            r2 = (found**2).sum(axis=-1, keepdims=True) / self._half**2
            found = away / (1 + self.k1 * r2 + self.k2 * r2**2)
        return np.asarray(self._middle + found)

    def straightened(self, pixels: NDArray[np.uint8], scale: float) -> NDArray[np.uint8]:
        """A picture (h, w, 3) of `scale` times the photo's size, as it would be without distortion."""
        if self.k1 == 0 and self.k2 == 0:
            return pixels
        height, width = pixels.shape[:2]
        step = 16  # the field is smooth: it is worked out on a coarse grid
        xs, ys = np.meshgrid(np.arange(0, width + step, step), np.arange(0, height + step, step))
        at = (np.dstack([xs, ys]) + 0.5) / scale - 0.5
        seen = ((self.seen(at) + 0.5) * scale - 0.5).astype(np.float32)
        grown = (xs.shape[1] * step, xs.shape[0] * step)
        # pixel (x, y) of the enlarged field lies at grid place ((x + 0.5) / step - 0.5): shifted to the grid
        shift = np.array([[1.0, 0.0, (step - 1) / 2], [0.0, 1.0, (step - 1) / 2]])
        field = cv2.resize(seen, grown, interpolation=cv2.INTER_LINEAR)
        field = cv2.warpAffine(
            field,
            shift,
            grown,
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )[:height, :width]
        return np.asarray(
            cv2.remap(
                pixels, field[..., 0], field[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
            ),
            np.uint8,
        )


#: A lens by its measured file, or by the cards.
AnyLens: TypeAlias = Lens | KnownLens
