"""The part of a photo behind the drawing: the cards and a margin around them, dimmed so that lines stand
out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np

from scorer.text import Language
from vision.cards.pose import CardPose
from vision.photo.decode import Photo, Pixels, halvings_to_hold
from vision.scan import SeenPhoto
from waymark.picture.canvas import Canvas

#: Longer side of the photo in the picture: enough to read a card's icons, quick to draw and to send.
WORKING_SIDE_PX = 2000
#: Margin of table around the cards, in card heights: enough to recognise the photo.
MARGIN_CARDS = 0.4
LEAST_ASPECT = 0.75
#: The photo is drawn at most this much larger than `WORKING_SIDE_PX`: more is slow and no sharper.
_MOST_GROWN = 1.6
#: Brightness factor of the photo, so that the drawing stands out.
DIMMED = 0.78


class _Shown(Protocol):
    """The photo and the cards of a scan, as far as the backdrop needs them."""

    @property
    def photo(self) -> SeenPhoto: ...

    @property
    def cards(self) -> Sequence[CardPose]: ...


@dataclass(frozen=True)
class Backdrop:
    """The part of a photo from `origin_px` on, resized by `scale`."""

    pixels: Pixels
    scale: float
    origin_px: tuple[float, float]

    def canvas(self, language: Language) -> Canvas:
        """An empty drawing over this part of the photo."""
        height, width = self.pixels.shape[:2]
        return Canvas((width, height), language, photo=self.pixels)


def backdrop(photo: Photo, scan: _Shown, height_px: int) -> Backdrop:
    """The dimmed photo part, enlarged towards the height `height_px` of the panel beside it, so that no
    empty stripe remains below."""
    left, top, right, bottom = _frame(scan)
    size = photo_part_size(scan)
    grown = min(_MOST_GROWN, height_px / size[1])
    size = (round(size[0] * grown), round(size[1] * grown))
    scale = size[0] / (right - left)
    part = _part(photo, (left, top, right, bottom), scale)
    small = cv2.resize(
        part, size, interpolation=cv2.INTER_AREA if size[0] < part.shape[1] else cv2.INTER_CUBIC
    )
    return Backdrop(np.asarray(cv2.convertScaleAbs(small, alpha=DIMMED), np.uint8), scale, (left, top))


def photo_side_px(scan: _Shown) -> int:
    """Longest side in pixels to decode a photo at, so that its part in the picture is as sharp as
    possible. For the largest photos it is limited to the size held in memory."""
    left, top, right, bottom = _frame(scan)
    height, width = scan.photo.height, scan.photo.width
    needed = WORKING_SIDE_PX * _MOST_GROWN * max(width, height) / max(right - left, bottom - top)
    return min(round(needed), max(width, height) >> halvings_to_hold(width, height))


def photo_part_size(scan: _Shown) -> tuple[int, int]:
    """Width and height in pixels of the picture without the score panel."""
    left, top, right, bottom = _frame(scan)
    scale = WORKING_SIDE_PX / max(right - left, bottom - top)
    return round((right - left) * scale), round((bottom - top) * scale)


def _part(photo: Photo, frame: tuple[int, int, int, int], scale: float) -> Pixels:
    """The part of a photo within `frame`, decoded at the lowest resolution that suffices for `scale`
    (picture pixels for each photo pixel)."""
    least = min(photo.halvings, halvings_to_hold(photo.width, photo.height))
    halvings = max(least, math.floor(-math.log2(scale)) if scale < 1 else 0)
    left, top, right, bottom = (side >> halvings for side in frame)
    return photo.reduced(halvings)[top:bottom, left:right]


def _frame(scan: _Shown) -> tuple[int, int, int, int]:
    """Left, top, right and bottom (photo pixels) of the shown part: the bounding box of the cards with a
    margin."""
    height, width = scan.photo.height, scan.photo.width
    corners = np.array([card.corners for card in scan.cards], np.float64)
    margin = MARGIN_CARDS * np.linalg.norm(corners[:, 3] - corners[:, 0], axis=1).mean()
    left, top = np.floor(corners.min(axis=(0, 1)) - margin)
    right, bottom = np.ceil(corners.max(axis=(0, 1)) + margin)
    # The score beside it is tall: a row of cards is shown with more of the table above and below.
    more = max(0.0, LEAST_ASPECT * (right - left) - (bottom - top)) / 2
    top, bottom = top - more, bottom + more
    return max(0, int(left)), max(0, int(top)), min(width, int(right)), min(height, int(bottom))
