"""Views of the photo: downsampled grey pictures in which cards are detected, and rectified patches of
cards."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.photo import geometry
from vision.photo.decode import Photo

#: Part of a photo: left, top, right and bottom (px).
Box = tuple[int, int, int, int]

# The numbers below were tuned on renders of tables with three to seven cards of 63 x 88 mm.

#: Longer side of the view: a card of a seven-card tableau is then about 200 px high.
LONGER_SIDE_PX = 1100.0
#: Height of a board's cell where the board fills the shorter side of a 4 x 3 photo, about the same.
CELL_PX = 200
#: Least resolution of the smallest card for reading its ink in a halved photo: 17 photos of 12 megapixels
#: (`tuning-evening`, `tuning-hard`) were read equally well at 4.2 to 5.9 px/mm as at full size.
INK_PX_PER_MM = 4.0
#: Least share of a card within the picture for it to be cut out.
LEAST_VISIBLE = 0.55
#: Quantiles of brightness between which a picture's levels are stretched, and the largest stretch.
LEVELS_KEPT = (0.002, 0.995)
MOST_GAIN = 8.0


def pixel_size(size_mm: tuple[float, float], px_per_mm: float) -> tuple[int, int]:
    """Width and height, in whole pixels, of a rectified picture of a card.

    All compared pictures of a card have this size. A pixel's length in mm is therefore the card's length
    divided by this number, rather than 1 / `px_per_mm`.
    """
    return max(1, round(size_mm[0] * px_per_mm)), max(1, round(size_mm[1] * px_per_mm))


@dataclass(frozen=True)
class View:
    """A grey view of the photo or of a part of it: `grey` (h, w) uint8, `scale`, its size relative to the
    photo (at most 1), and `corner_px`, the photo's pixel at the part's upper left corner. The view's width
    is scaled by `narrowed` besides."""

    grey: NDArray[np.uint8]
    scale: float
    corner_px: tuple[int, int] = (0, 0)
    narrowed: float = 1.0

    @property
    def scales(self) -> NDArray[np.float64]:
        """The scale (2,) across and down."""
        return np.array([self.scale * self.narrowed, self.scale])

    def to_photo(self, points_px: NDArray[np.float64]) -> NDArray[np.float64]:
        """Photo pixels (N, 2) from pixels of the view; both count from the centre of their first pixel."""
        return (points_px + 0.5) / self.scales - 0.5 + self.corner_px

    def cut_out(
        self,
        card_to_photo: NDArray[np.float64],
        size_mm: tuple[float, float],
        size_px: tuple[int, int],
        margin_px: int = 0,
    ) -> NDArray[np.uint8] | None:
        """Rectified picture of a card's footprint, `size_px` pixels large, widened by `margin_px` on every
        side.

        None if the footprint is seen from behind or edge-on, or too little of it lies in the picture.
        """
        corners = geometry.apply(card_to_photo, geometry.rectangle(*size_mm)) - self.corner_px
        corners *= self.scales
        if not np.isfinite(corners).all() or not geometry.is_convex(corners):
            return None
        height, width = self.grey.shape
        frame = geometry.rectangle(width, height).astype(np.float32)
        quad = corners.astype(np.float32)
        inside, _ = cv2.intersectConvexConvex(quad, frame)
        if inside < LEAST_VISIBLE * cv2.contourArea(quad):
            return None
        across, down = size_mm[0] / size_px[0], size_mm[1] / size_px[1]
        start = 0.5 - margin_px
        to_mm = np.array([[across, 0, start * across], [0, down, start * down], [0, 0, 1]])
        wide, high = size_px[0] + 2 * margin_px, size_px[1] + 2 * margin_px
        return self.seen_through(card_to_photo @ to_mm, (wide, high))

    def seen_through(
        self, picture_to_photo: NDArray[np.float64], size_px: tuple[int, int]
    ) -> NDArray[np.uint8]:
        """View resampled through a homography (3, 3) from the new picture to the photo, to `size_px` (width,
        height)."""
        across, down = self.scales
        x, y = 0.5 * self.scales - 0.5 - self.scales * self.corner_px
        to_view = np.array([[across, 0, x], [0, down, y], [0, 0, 1]])
        warped = cv2.warpPerspective(
            self.grey,
            to_view @ picture_to_photo,
            size_px,
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
        return np.asarray(warped, np.uint8)


class Reductions:
    """Cache of a photo in grey at smaller sizes.

    Halving takes a tenth of the work of any other reduction. A size is therefore made from the cached halves
    and one more step.
    """

    def __init__(self, photo: Photo) -> None:
        self._photo = photo
        self._greys: dict[int, NDArray[np.uint8]] = {}
        self._longer_side = max(photo.width, photo.height)
        #: Width and height of the photo.
        self.size = photo.width, photo.height

    def view(self, longer_side_px: float, part: Box | None = None, narrowed: float = 1.0) -> View:
        """Grey view of the photo, or of a part of it, with about this longer side; never enlarged. Its width
        is scaled by `narrowed` besides."""
        left, top, right, bottom = part or (0, 0, *self.size)
        scale = min(1.0, longer_side_px / max(right - left, bottom - top))
        halvings, rest = 0, scale
        while rest <= 0.5:
            halvings, rest = halvings + 1, rest * 2
        step = 2**halvings
        grey = self.grey(halvings)
        if part is not None:
            grey = grey[top // step : bottom // step, left // step : right // step]
        if rest * narrowed < 1:
            size = (max(1, round(grey.shape[1] * rest * narrowed)), max(1, round(grey.shape[0] * rest)))
            # at less than half, INTER_LINEAR skips no pixels, and averaging takes 20 times as long
            grey = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_LINEAR), np.uint8)
        return View(brightened(grey), scale, (left // step * step, top // step * step), narrowed)

    def colours_through(
        self, picture_to_photo: NDArray[np.float64], size_px: tuple[int, int]
    ) -> NDArray[np.uint8]:
        """BGR picture (height, width, 3) resampled through a homography (3, 3) from it to the photo.

        It is made from halves of about the same resolution.
        """
        middle = np.array([size_px], np.float64) / 2
        slope = geometry.jacobian(picture_to_photo, middle)[0]
        coarse = float(np.linalg.svd(slope, compute_uv=False)[0])
        halvings = int(np.clip(np.log2(max(coarse, 1.0)), 0, np.log2(self._longer_side) - 4))
        scale = 0.5**halvings
        to_half = np.array([[scale, 0, 0.5 * scale - 0.5], [0, scale, 0.5 * scale - 0.5], [0, 0, 1]])
        warped = cv2.warpPerspective(
            self._photo.reduced(halvings),
            to_half @ picture_to_photo,
            size_px,
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
        return np.asarray(warped, np.uint8)

    def grey(self, halvings: int) -> NDArray[np.uint8]:
        """The photo in grey after `halvings` halvings, without a contrast stretch."""
        if halvings not in self._greys:
            grey = cv2.cvtColor(self._photo.reduced(halvings), cv2.COLOR_BGR2GRAY)
            self._greys[halvings] = np.asarray(grey, np.uint8)
        return self._greys[halvings]


def px_per_mm(corners_px: NDArray[np.float64], size_mm: tuple[float, float]) -> float:
    """Resolution, px per mm, of a card of a size (mm) with these corners (4, 2) px."""
    edges = np.linalg.norm(corners_px - np.roll(corners_px, 1, axis=0), axis=1)
    return float(edges.sum()) / (2 * (size_mm[0] + size_mm[1]))


def halvings_for_ink(finenesses: Iterable[float], most: int) -> int:
    """Number of halvings of a photo, up to `most`, that leaves ink legible on cards of these resolutions (px
    per mm)."""
    least = min(finenesses)
    return max((k for k in range(1, most + 1) if least / 2**k >= INK_PX_PER_MM), default=0)


def view_px(cells: int, longer_side_px: float = LONGER_SIDE_PX) -> float:
    """Longer side (px) of a view; larger for a board with many cells along its longer side."""
    return longer_side_px * max(1.0, CELL_PX * cells * 4 / 3 / LONGER_SIDE_PX)


def make_view(photo: Photo, cells: int = 0) -> View:
    """Downsampled view of a photo; larger for a board with many cells along its longer side."""
    return Reductions(photo).view(view_px(cells))


def brightened(grey: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Contrast stretch of a dark picture, as features are detected by contrast in grey levels."""
    counts = np.cumsum(cv2.calcHist([grey], [0], None, [256], [0, 256]).ravel().astype(np.int64))
    low, high = np.searchsorted(counts, np.array(LEVELS_KEPT) * counts[-1])
    gain = min(255 / max(high - low, 1), MOST_GAIN)
    if gain < 1.1:
        return grey
    table = np.clip((np.arange(256) - low) * gain, 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(grey, table), np.uint8)
