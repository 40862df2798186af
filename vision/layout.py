"""The layout: where the sighted cards lie on the table. One plane, one scale, portrait cards that touch."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class CardPose:
    """One card of the tableau, where it lies on the table and in the photo.

    `card`           id in the catalogue
    `rotation`       0 or 180 about its centre in the table's frame (90, 270 only when it really lies across)
    `x_mm`, `y_mm`   top-left corner of its footprint in the table's frame: the record's `x` and `y`
    `card_to_photo`  (3, 3) float64 homography from mm on the upright card (x right, y down, from the printed
                     top-left corner) to photo pixels. It is the card's own: it carries the card's bow and the
                     lens, so it is better on the card than `Layout.table_to_photo`
    `corners_px`     (4, 2) float64 photo pixels: the printed top-left, top-right, bottom-right, bottom-left
    `confidence`     0..1, how sure it is that this is the card and that it lies there
    """

    card: str
    rotation: int
    x_mm: float
    y_mm: float
    card_to_photo: NDArray[np.float64]
    corners_px: NDArray[np.float64]
    confidence: float


@dataclass(frozen=True)
class CardDoubt:
    """A card that could be another: `index` into `Layout.poses`, the ids it may be (best first) and why."""

    index: int
    options: tuple[str, ...]
    reason: str


@dataclass(frozen=True)
class Layout:
    """The largest group of touching cards and the plane that they lie on.

    `poses`            the tableau's cards; the first lies at the origin of the table's frame
    `table_to_photo`   (3, 3) float64 homography from table mm (x right, y down) to photo px, shared by all
    `others`           cards that do not touch the group (a neighbour's, a market's), placed in the same frame
    `doubts`           cards that could be another card
    """

    poses: tuple[CardPose, ...]
    table_to_photo: NDArray[np.float64]
    others: tuple[CardPose, ...] = ()
    doubts: tuple[CardDoubt, ...] = field(default=())
