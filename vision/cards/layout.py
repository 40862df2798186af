"""Layout of the tableau: its cards (`vision.cards.pose.LayoutCard`), and the doubts about them.

These types are read by all later stages; `vision.cards.find_layout` makes them from a photo.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.cards.pose import LayoutCard


@dataclass(frozen=True)
class CardDoubt:
    """A card that could be another: `index` into `Layout.poses`, the possible ids (best first) and the
    reason.

    `reason` is one of:
    "alike": two cards of the catalogue fit about equally well;
    "unlike-its-art": the best card fits much worse than the photo's other cards fit theirs, so the card may
        be covered, or not in the catalogue;
    "gap": beside this card a card is missing, between the tableau and another card in line with it;
    "stranger": beside this card there seems to be a card that cannot be identified;
    "cut-off": beside this card another card runs out of the picture;
    "group": (on the first card) another group of cards may be the intended tableau;
    "screen": (on the first card) all cards seem to be shown on a screen;
    "turned": the card could equally be itself turned;
    "alone": the only card of a photo that shows further sightings off its plane, so not all are what they
        seem.

    `corners_px` (N, 2) is the area in question for gap, stranger, cut-off, group and screen. `sighted` is the
    card that runs out of the picture.
    """

    index: int
    options: tuple[str, ...]
    reason: str
    corners_px: NDArray[np.float64] | None = None
    sighted: str = ""


@dataclass(frozen=True)
class Layout:
    """The largest group of touching cards, and the plane of the table.

    `poses`            the tableau's cards; the first lies at the origin of the table's frame
    `table_to_photo`   (3, 3) float64 homography from table mm (x right, y down) to photo px, shared by all
    `others`           cards that do not touch the group (a neighbour's, a market's), placed in the same frame
    `doubts`           cards that could be another card
    """

    poses: tuple[LayoutCard, ...]
    table_to_photo: NDArray[np.float64]
    others: tuple[LayoutCard, ...] = ()
    doubts: tuple[CardDoubt, ...] = field(default=())
