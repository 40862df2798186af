"""The reduced photo in which cards are sought and compared, and upright cut-outs of it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import homography

#: The view's longer side: a card of a seven-card tableau keeps about 200 px of height.
LONGER_SIDE_PX = 1100
#: A card of which less than this share is in the picture is not cut out.
LEAST_VISIBLE = 0.55
#: The shares of dark and bright pixels between which a picture's levels are spread, and how far at most.
LEVELS_KEPT = (0.002, 0.995)
MOST_GAIN = 8.0


def pixel_size(size_mm: tuple[float, float], px_per_mm: float) -> tuple[int, int]:
    """Width and height in whole pixels of a picture of a card. All pictures of it that are compared have this
    size, so a pixel's length in mm is the card's length by this number, not one by `px_per_mm`."""
    return max(1, round(size_mm[0] * px_per_mm)), max(1, round(size_mm[1] * px_per_mm))


@dataclass(frozen=True)
class View:
    """`grey` (h, w) uint8, and `scale`: the length of a photo pixel in this picture's pixels, 1 or less."""

    grey: NDArray[np.uint8]
    scale: float

    def to_photo(self, points_px: NDArray[np.float64]) -> NDArray[np.float64]:
        """(N, 2) points of the view as photo pixels. Both count from the middle of their first pixel."""
        return (points_px + 0.5) / self.scale - 0.5

    def cut_out(
        self,
        card_to_photo: NDArray[np.float64],
        size_mm: tuple[float, float],
        size_px: tuple[int, int],
        margin_px: int = 0,
    ) -> NDArray[np.uint8] | None:
        """A card's footprint, upright, in `size_px` pixels, widened by `margin_px` on every side.

        None where it is seen from behind or edge-on, or too little of it lies in the picture.
        """
        corners = homography.apply(card_to_photo, homography.rectangle(*size_mm)) * self.scale
        if not np.isfinite(corners).all() or not homography.is_convex(corners):
            return None
        height, width = self.grey.shape
        frame = homography.rectangle(width, height).astype(np.float32)
        quad = corners.astype(np.float32)
        inside, _ = cv2.intersectConvexConvex(quad, frame)
        if inside < LEAST_VISIBLE * cv2.contourArea(quad):
            return None
        across, down = size_mm[0] / size_px[0], size_mm[1] / size_px[1]
        start = 0.5 - margin_px
        to_mm = np.array([[across, 0, start * across], [0, down, start * down], [0, 0, 1]])
        shift = 0.5 * self.scale - 0.5
        to_view = np.array([[self.scale, 0, shift], [0, self.scale, shift], [0, 0, 1]])
        warped = cv2.warpPerspective(
            self.grey,
            to_view @ card_to_photo @ to_mm,
            (size_px[0] + 2 * margin_px, size_px[1] + 2 * margin_px),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
        return np.asarray(warped, np.uint8)


def make_view(pixels: NDArray[np.uint8]) -> View:
    """Reduce a BGR photo by averaging."""
    scale = min(1.0, LONGER_SIDE_PX / max(pixels.shape[:2]))
    grey = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8)
    if scale < 1:
        size = (round(pixels.shape[1] * scale), round(pixels.shape[0] * scale))
        grey = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)
    return View(_brightened(grey), scale)


def _brightened(grey: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Spread a dark picture's levels, since features are told by contrast in levels."""
    counts = np.cumsum(np.bincount(grey.ravel(), minlength=256))
    low, high = np.searchsorted(counts, np.array(LEVELS_KEPT) * counts[-1])
    gain = min(255 / max(high - low, 1), MOST_GAIN)
    if gain < 1.1:
        return grey
    table = np.clip((np.arange(256) - low) * gain, 0, 255).astype(np.uint8)
    return table[grey]
