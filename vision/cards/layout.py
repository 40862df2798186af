"""Layout of the tableau: its cards (`vision.cards.pose.LayoutCard`), and those of them that are in doubt.

The types that the stages after it read; `vision.cards.find_layout` makes them from a photo.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.cards.pose import LayoutCard


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

    poses: tuple[LayoutCard, ...]
    table_to_photo: NDArray[np.float64]
    others: tuple[LayoutCard, ...] = ()
    doubts: tuple[CardDoubt, ...] = field(default=())
