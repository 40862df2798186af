"""Top view of a tableau: the photo rectified by the table's plane, turned upright, cropped to the cards."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import cv2
import numpy as np

from scorer.catalogue import Catalogue
from scorer.record import PlacedCard
from vision.cards.pose import CardPose, corners_of
from vision.photo import geometry
from vision.photo.decode import Photo, Pixels, halvings_to_hold
from waymark.picture.canvas import PANEL
from waymark.review.projection import Points, table_plane

#: Margin of table around the cards, in mm.
MARGIN_MM = 7.0
#: Height of the view as a share of its width: the frame is enlarged around a flatter or a taller tableau.
LEAST_HEIGHT, MOST_HEIGHT = 0.4, 1.0
#: The photo's part is decoded at most this many times as large as it is shown.
SHARPNESS = 1.4

P = TypeVar("P", bound=CardPose)


@dataclass(frozen=True)
class TopView:
    """A view of `size` (width, height) px; `to_view` is the homography (3, 3) from photo pixels."""

    to_view: Points
    size: tuple[int, int]

    def cards(self, cards: Sequence[P]) -> tuple[P, ...]:
        """The poses with corners in view pixels."""
        return tuple(
            replace(card, corners=corners_of(geometry.apply(self.to_view, card.corners_px))) for card in cards
        )

    def photo_side_px(self, width: int, height: int) -> int:
        """Longest side at which a photo of this size is decoded to be sharp in the view."""
        longest = max(width, height)
        needed = longest * self._scale(width, height) * SHARPNESS
        return min(round(needed), longest >> halvings_to_hold(width, height))

    def pixels(self, photo: Photo) -> Pixels:
        """The view's pixels; where the photo ends, the colour of the panel."""
        least = min(photo.halvings, halvings_to_hold(photo.width, photo.height))
        scale = self._scale(photo.width, photo.height)
        halvings = max(least, math.floor(-math.log2(scale)) if scale < 1 else 0)
        enlarged = self.to_view @ np.diag([2.0**halvings, 2.0**halvings, 1.0])
        warped = cv2.warpPerspective(
            photo.reduced(halvings), enlarged, self.size, flags=cv2.INTER_CUBIC, borderValue=PANEL[::-1]
        )
        return np.asarray(warped, np.uint8)

    def _scale(self, width: int, height: int) -> float:
        """View pixels for each photo pixel, where the view shows the photo largest."""
        corners = geometry.rectangle(*map(float, self.size))
        outline = geometry.apply(_inverse(self.to_view), corners)
        sides = np.linalg.norm(outline - np.roll(outline, -1, axis=0), axis=1)
        shown = np.array([self.size[0], self.size[1]] * 2, float)
        return float(np.clip((shown / np.maximum(sides, 1.0)).max(), 0.05, 4.0))


def top_view(
    placed: Sequence[PlacedCard], cards: Sequence[CardPose], catalogue: Catalogue, width_px: int
) -> TopView:
    """The view of these cards that is `width_px` wide; up is the side that is up in the photo."""
    plane = table_plane(list(zip(placed, cards, strict=True)), catalogue)
    to_table = _inverse(plane)
    corners = geometry.apply(to_table, np.concatenate([card.corners_px for card in cards]))
    centre = (corners.min(axis=0) + corners.max(axis=0)) / 2
    half = (corners.max(axis=0) - corners.min(axis=0)) / 2 + MARGIN_MM
    half[1] = max(half[1], LEAST_HEIGHT * half[0])
    half[0] = max(half[0], half[1] / MOST_HEIGHT)
    scale = width_px / (2 * half[0])
    middle, below = geometry.apply(plane, np.array([centre, centre + np.array([0.0, 1.0])]))
    turn = -1.0 if below[1] < middle[1] else 1.0
    to_frame = np.array(
        [
            [turn * scale, 0.0, scale * (half[0] - turn * centre[0])],
            [0.0, turn * scale, scale * (half[1] - turn * centre[1])],
            [0.0, 0.0, 1.0],
        ]
    )
    return TopView(to_frame @ to_table, (width_px, round(2 * half[1] * scale)))


def _inverse(homography: Points) -> Points:
    return np.asarray(np.linalg.inv(homography), np.float64)
