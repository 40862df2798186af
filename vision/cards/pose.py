"""Poses of cards: in the photo (`CardPose`), and on the table's plane (`TablePose`).

During the search, cards are index numbers with a `TablePose`. Every later stage passes on a `CardPose`, or a
subclass with more facts. `LayoutCard` is a card of a layout. `vision.reader.PinnedCard` is a card set by a
person.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.photo import geometry

#: Photo pixels of a card's printed top-left, top-right, bottom-right and bottom-left corners.
Corners = tuple[tuple[float, float], ...]


def corners_of(at_px: NDArray[np.float64]) -> Corners:
    """Corners (4, 2) as tuples of plain numbers."""
    return tuple((float(x), float(y)) for x, y in at_px)


@dataclass(frozen=True)
class CardPose:
    """A card's identity and its pose in the photo.

    `card`        id in the catalogue
    `rotation`    actual rotation about its centre in the table's frame, degrees clockwise: 90 and 270 also
                  occur for a card that is not allowed to lie across
    `corners`     photo pixels of the printed top-left, top-right, bottom-right, bottom-left
    `confidence`  0..1, confidence in the identity and the pose
    """

    card: str
    rotation: int
    corners: Corners
    confidence: float

    @property
    def corners_px(self) -> NDArray[np.float64]:
        """Corners (4, 2) in photo pixels."""
        return np.array(self.corners, np.float64)


@dataclass(frozen=True)
class LayoutCard(CardPose):
    """A card of a layout, with its place on the table and its own homography.

    `x_mm`, `y_mm`   top-left corner of its footprint in the table's frame: the record's `x` and `y`
    `card_to_photo`  (3, 3) float64 homography from mm on the upright card (x right, y down, from the printed
                     top-left corner) to photo pixels. It is fitted to this card alone and includes the card's
                     bow and the lens distortion. It is more exact on the card than `Layout.table_to_photo`
    """

    x_mm: float
    y_mm: float
    card_to_photo: NDArray[np.float64]

    def rounded(self) -> CardPose:
        """The pose alone, rounded as in a scan's JSON: corners to 0.1 px, confidence to 0.001."""
        return CardPose(
            self.card,
            self.rotation,
            tuple((round(x, 1), round(y, 1)) for x, y in self.corners),
            round(float(self.confidence), 3),
        )


@dataclass(frozen=True)
class TablePose:
    """Pose of a card on the table's plane.

    It has the card's index number, its centre in table mm, its rotation in radians clockwise, and its printed
    width and height in mm.
    """

    card: int
    centre_mm: tuple[float, float]
    turn_rad: float
    size_mm: tuple[float, float]

    def to_table(self) -> NDArray[np.float64]:
        """Homography (3, 3) from mm on the upright card to table mm."""
        turned = geometry.similarity(self.turn_rad, np.zeros(2))
        shift = np.asarray(self.centre_mm) - turned[:2, :2] @ (np.asarray(self.size_mm) / 2)
        return geometry.similarity(self.turn_rad, shift)
