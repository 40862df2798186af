"""Layout of the tableau: pose of each card on the table plane and in the photo, and the cards in doubt.

The types that the stages after it read; `vision.cards.find_layout` makes them from a photo.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class CardPose:
    """One card of the tableau, where it lies on the table and in the photo.

    `card`           id in the catalogue
    `rotation`       degrees clockwise about its centre in the table's frame, as it really lies: 90 and 270
                     also for a card that may not lie across
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
    """A card that could be another: `index` into `Layout.poses`, the ids that it may be (best first) and why.

    `reason` is "alike" where two cards of the catalogue fit about as well, "unlike-its-art" where the best of
    them fits much worse than the photo's other cards do theirs: it may be covered, or a card not in the
    catalogue. "gap" stands on a card beside a place where a card is missing between the tableau and another
    card in line with it, "stranger" on one beside which a card seems to lie that has no name, "cut-off" on
    one beside which a card runs out of the picture, "group" on the first card where another group of cards
    may be the tableau that is meant, "screen" on the first one where all seem to be shown on a screen.
    `corners_px` (N, 2) is then what the doubt is about, and `sighted` the card that runs out of the picture.
    "turned" stands on a card that could as well be itself turned, "alone" on the only card of a photo in
    which others were sighted that do not lie on its plane: not all are what they seem.
    """

    index: int
    options: tuple[str, ...]
    reason: str
    corners_px: NDArray[np.float64] | None = None
    sighted: str = ""


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
