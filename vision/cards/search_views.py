"""Search views: the photo unchanged, stretched against foreshortening, or rectified once the plane is known.

Features are recognised at any size and rotation. They are not recognised on a table seen at 50 degrees or
more, where cards appear at little over half their height. A stretch removes most of that foreshortening while
the plane is still unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.features import Features
from vision.cards.pose import TablePose
from vision.photo import geometry
from vision.photo.decode import halvings_to_hold
from vision.photo.view import Reductions, View, brightened

Array = NDArray[np.float64]

# The numbers below were tuned on steep photos of `tuning-evening` (compositor; the open deck and another).

#: Vertical stretch that undoes the foreshortening of a table seen at 45 to 60 degrees; phones are seldom
#: tilted sideways.
STRETCH = 1.75
#: Foreshortening ratio from which the table is rectified to a top view.
STEEP = 1.3
#: Top view: its margin around the known cards (times a card's longer side), its finest resolution (about that
#: of the index's art), and its greatest number of pixels.
REACH = 2.2
MOST_PX_PER_MM = 4.0
MOST_PIXELS = 1.2e6
#: In a large photo cards may be too small in a view of the whole. A part of this size (px) with this many
#: times the median pattern is then searched at this enlargement; a cloth has as much pattern everywhere. The
#: middle, where people centre the subject, is searched as well, unless the first part is within this share of
#: its size from the middle.
PART_PX, PART_STANDS_OUT, PART_ENLARGED, MIDDLE_TOO = 576, 1.5, 2.0, 0.25
#: Side in px of the squares over which pattern is averaged, and then the share of a part over which it is
#: averaged again.
PATTERN_PX, PATTERN_SHARE = 32, 0.6
#: Margin of a close-up around its place.
RIM_MM = 6.0
#: Sampling points per side for the part of the table that the photo shows.
GRID = 24


@dataclass(frozen=True)
class Sight:
    """A view for feature detection: `view`, and the homography `to_photo` (3, 3) from its pixels to the
    photo's.

    `finely`: it is enlarged, for cards that are small in the photo, and more features are kept.
    """

    view: View
    to_photo: Array
    finely: bool = False

    def on_photo(self, features: Features) -> Features:
        """Features converted from the view to photo pixels; their sizes are scaled with the view."""
        grown = np.sqrt(np.abs(np.linalg.det(geometry.jacobian(self.to_photo, features.at_px))))
        at_px = geometry.apply(self.to_photo, features.at_px)
        return replace(features, at_px=at_px, size_px=features.size_px * grown)


def straight(photo_at: Reductions, longer_side_px: float) -> Sight:
    """View: the unchanged photo, downsampled to a longer side (px)."""
    return Sight(photo_at.view(longer_side_px), np.eye(3))


def enlarged(photo_at: Reductions, longer_side_px: float) -> Sight:
    """View: a small photo upsampled to a longer side (px), as features of only a few pixels are not
    detected."""
    whole = photo_at.view(max(photo_at.size))
    growth = longer_side_px / max(whole.grey.shape)
    size = (round(whole.grey.shape[1] * growth), round(whole.grey.shape[0] * growth))
    grey = np.asarray(cv2.resize(whole.grey, size, interpolation=cv2.INTER_CUBIC), np.uint8)
    shift = 0.5 / growth - 0.5
    to_photo = np.array([[1 / growth, 0, shift], [0, 1 / growth, shift], [0, 0, 1]])
    return Sight(View(grey, 1.0), to_photo, finely=True)


def parts(photo_at: Reductions) -> Iterator[Sight]:
    """Views: crops of the most textured part of the photo, and of its middle, enlarged."""
    halvings = halvings_to_hold(*photo_at.size)
    grey = photo_at.grey(halvings)
    height, width = (side // PATTERN_PX for side in grey.shape)
    fine = np.abs(cv2.Laplacian(grey[: height * PATTERN_PX, : width * PATTERN_PX], cv2.CV_16S))
    pattern = cv2.resize(fine.astype(np.uint16), (width, height), interpolation=cv2.INTER_AREA)
    side = round(PATTERN_SHARE * PART_PX / PATTERN_PX) | 1
    shown = cv2.blur(pattern.astype(np.float32), (side, side), borderType=cv2.BORDER_REFLECT_101)
    _, most, _, (x, y) = cv2.minMaxLoc(shown)
    middle = np.array([width - 1, height - 1]) / 2
    spots = [np.array([x, y], np.float64)] if most >= PART_STANDS_OUT * float(np.median(shown)) else []
    if not spots or np.abs(spots[0] - middle).max() > MIDDLE_TOO * PART_PX / PATTERN_PX:
        spots.append(middle)
    for spot in spots:
        corner = (spot + 0.5) * PATTERN_PX - PART_PX / 2
        left, top = (
            np.clip(corner, 0, np.maximum(np.array(grey.shape[::-1]) - PART_PX, 0)).round().astype(int)
        )
        part = grey[top : top + PART_PX, left : left + PART_PX]
        # the grey levels of the whole table would leave few levels for small details
        large = cv2.resize(
            brightened(part), None, fx=PART_ENLARGED, fy=PART_ENLARGED, interpolation=cv2.INTER_CUBIC
        )
        scale = 2**halvings / PART_ENLARGED
        start = (np.array([left, top]) + 0.5) * 2**halvings - 0.5
        shift = start + (scale - 2**halvings) / 2
        to_photo = np.array([[scale, 0, shift[0]], [0, scale, shift[1]], [0, 0, 1]])
        yield Sight(View(np.asarray(large, np.uint8), 1.0), to_photo, finely=True)


def stretched(photo_at: Reductions, longer_side_px: float) -> Sight:
    """View: the photo stretched vertically; `longer_side_px` is its longer side before the stretch."""
    fine = photo_at.view(longer_side_px * STRETCH)
    height, width = (side / fine.scale for side in fine.grey.shape)
    reduction = min(1.0, longer_side_px / max(width, height))
    to_photo = np.diag([1 / reduction, 1 / (reduction * STRETCH), 1.0])
    return _sight(fine, to_photo, (width * reduction, height * reduction * STRETCH))


def steepness(table_to_photo: Array, placed: Sequence[TablePose]) -> float:
    """Foreshortening: ratio of the larger to the smaller scale of the table in the photo, at the cards'
    middle."""
    middle = np.mean([one.centre_mm for one in placed], axis=0)
    along = np.linalg.svd(geometry.jacobian(table_to_photo, middle[None])[0], compute_uv=False)
    return float(along[0] / max(along[1], 1e-9))


def from_above(photo_at: Reductions, table_to_photo: Array, placed: Sequence[TablePose]) -> Sight | None:
    """View: the table around known cards rectified to a top view; None if the photo shows hardly any of
    it."""
    at = np.array([one.centre_mm for one in placed])
    reach = REACH * max(max(one.size_mm) for one in placed)
    low, high = at.min(axis=0) - reach, at.max(axis=0) + reach
    x, y = np.meshgrid(*(np.linspace(low[k], high[k], GRID) for k in (0, 1)))
    points = np.column_stack([x.ravel(), y.ravel()])
    depth = points @ table_to_photo[2, :2] + table_to_photo[2, 2]
    depth *= np.sign(at.mean(axis=0) @ table_to_photo[2, :2] + table_to_photo[2, 2])
    points = points[depth > 0]
    seen = geometry.apply(table_to_photo, points)
    points = points[np.all((seen > 0) & (seen < photo_at.size), axis=1)]
    if len(points) < GRID:
        return None
    low, high = points.min(axis=0), points.max(axis=0)
    px_per_mm = min(MOST_PX_PER_MM, float(np.sqrt(MOST_PIXELS / np.prod(high - low))))
    to_table = np.array([[1 / px_per_mm, 0, low[0]], [0, 1 / px_per_mm, low[1]], [0, 0, 1]])
    return _seen_evenly(photo_at, table_to_photo @ to_table, (high - low) * px_per_mm, (at - low) * px_per_mm)


def close_up(photo_at: Reductions, table_to_photo: Array, place: TablePose) -> tuple[Sight, Array] | None:
    """View of one place on the table with a margin, and a homography (3, 3) from mm on an upright card to its
    pixels.

    It has the resolution of the index's art. None if the place is not in the photo.
    """
    around = np.array([[1 / MOST_PX_PER_MM, 0, -RIM_MM], [0, 1 / MOST_PX_PER_MM, -RIM_MM], [0, 0, 1]])
    to_photo = table_to_photo @ place.to_table() @ around
    size = (np.asarray(place.size_mm) + 2 * RIM_MM) * MOST_PX_PER_MM
    seen = geometry.apply(to_photo, geometry.rectangle(*size))
    middle = seen.mean(axis=0)
    if not geometry.is_convex(seen) or not np.all((middle > 0) & (middle < photo_at.size)):
        return None
    sight = _seen_evenly(photo_at, to_photo, size, size[None] / 2)
    return sight, np.asarray(np.linalg.inv(around), np.float64)


def _seen_evenly(photo_at: Reductions, to_photo: Array, size: Array, at: Array) -> Sight:
    """View of the photo through a homography, resampled from a reduction of about the same resolution.

    The resolution is measured at points `at` (N, 2) of the view.
    """
    slopes = np.linalg.svd(geometry.jacobian(to_photo, at), compute_uv=False)
    finest = float(np.median(slopes[:, 0]))
    return _sight(photo_at.view(max(photo_at.size) / max(finest, 1.0)), to_photo, (size[0], size[1]))


def _sight(fine: View, to_photo: Array, size: tuple[float, float]) -> Sight:
    width, height = (max(1, round(side)) for side in size)
    return Sight(View(fine.seen_through(to_photo, (width, height)), 1.0), to_photo)
