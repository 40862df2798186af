"""Other tableaus in the photo: further groups of cards with a path drawn on them.

The photo is searched once more with the known cards painted over. Another group is thus found by its own
sightings, on its own plane and at its own angle. It is laid out like a tableau alone in the photo.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.catalogue import Catalogue
from vision.allowance import allowance
from vision.cards.features import CARD_LENGTH_PX
from vision.cards.find_layout import layout_seen
from vision.cards.index import CardIndex
from vision.cards.layout import CardDoubt, Layout
from vision.cards.looks import LOOKS_PX, price_of
from vision.cards.pose import LayoutCard
from vision.cards.search_views import straight
from vision.ink.pens import PenProfile
from vision.photo import geometry
from vision.photo.decode import Photo
from vision.photo.view import LONGER_SIDE_PX, Reductions
from vision.scan import Scan, scan_layout, seen_photo
from vision.trace import collected

Array = NDArray[np.float64]

#: Greatest number of other tableaus searched in one photo: a question about one already shows that there are
#: several.
MOST_TABLEAUS = 2
#: Least size of another tableau's cards, relative to the tableau's own: that of cards at the far side of a
#: table seen from a chair at the near side.
SMALLER = 1 / 3
#: Margin of the painted areas, as a share of the card's size, for rims and shadows.
RIM = 0.04


@dataclass(frozen=True)
class OtherTableau:
    """Another group of cards with a path drawn on them: its layout and its scan."""

    layout: Layout
    scan: Scan

    @property
    def box_px(self) -> Array:
        """Corners (4, 2), in photo pixels, of the axis-aligned bounding box of its cards."""
        return box_about(self.layout.poses)


def box_about(poses: Sequence[LayoutCard]) -> Array:
    """Corners (4, 2), in photo pixels, of the axis-aligned bounding box of cards."""
    corners = np.concatenate([pose.corners_px for pose in poses])
    low, high = corners.min(axis=0), corners.max(axis=0)
    about: Array = geometry.rectangle(*(high - low)) + low
    return about


def other_tableaus(
    photo: Photo, layout: Layout, catalogue: Catalogue, index: CardIndex, pen: PenProfile | None = None
) -> tuple[OtherTableau, ...]:
    """Groups of cards outside a layout on which a path is drawn, at most `MOST_TABLEAUS`.

    `pen` is the player's own. The result is empty on a board, whose pieces form no tableau. A search that the
    photo's budget does not cover is skipped, and counted as a refusal.
    """
    if index.neighbours.laying.grid is not None:
        return ()
    found: list[OtherTableau] = []
    known = list(layout.poses)
    with collected():  # These pictures are not stages of reading the tableau.
        for _ in range(MOST_TABLEAUS):
            covered = _Covered(photo, known)
            sight = straight(covered, _view_px(photo, layout))
            if not allowance().covers(price_of(sight)):
                break
            seen = layout_seen(photo, covered, index, sight)
            if seen is None:
                break
            seen = replace(seen, others=tuple(one for one in seen.others if not covered.hides(one)))
            if any(covered.hides(pose) for pose in seen.poses):
                break
            # One reading shows for all remaining cards whether a line is drawn on them.
            every = scan_layout(photo, replace(seen, poses=(*seen.poses, *seen.others)), catalogue)
            drawn = {int(name.partition(".")[0]) for stroke in every.tableau.path for name in stroke}
            if any(number < len(seen.poses) for number in drawn):
                scan = scan_layout(photo, seen, catalogue, pen=pen) if seen.others or pen else every
                if scan.tableau.path:
                    found.append(OtherTableau(seen, scan))
            if all(number < len(seen.poses) for number in drawn):
                break
            known += seen.poses
    return tuple(found)


def with_tableaus(layout: Layout, tableaus: Sequence[OtherTableau]) -> Layout:
    """The layout with the cards of the other tableaus added to its `others`, and a doubt added for each
    tableau.

    A tableau that already has a doubt gets no second one.
    """
    others, doubts = list(layout.others), list(layout.doubts)
    for tableau in tableaus:
        for pose in tableau.layout.poses:
            if not any(_same_spot(pose, other) for other in others):
                others.append(pose)
        if not any(is_about(doubt, tableau) for doubt in doubts):
            doubts.append(CardDoubt(0, (layout.poses[0].card,), "group", tableau.box_px))
    return replace(layout, others=tuple(others), doubts=tuple(doubts))


def seen_from(photo: Photo, tableau: OtherTableau, layout: Layout) -> OtherTableau:
    """Another tableau with the layout's remaining cards as its `others`."""
    own = tableau.layout.poses
    others = tuple(
        pose for pose in (*layout.poses, *layout.others) if not any(_same_spot(pose, each) for each in own)
    )
    seen = replace(tableau.layout, others=others)
    shortcomings = tableau.scan.photo.shortcomings
    return OtherTableau(seen, replace(tableau.scan, photo=seen_photo(photo, seen, shortcomings)))


def is_about(doubt: CardDoubt, tableau: OtherTableau) -> bool:
    """Whether a doubt asks if this other tableau is the intended one."""
    if doubt.reason != "group" or doubt.corners_px is None:
        return False
    middle = tableau.box_px.mean(axis=0)
    low, high = doubt.corners_px.min(axis=0), doubt.corners_px.max(axis=0)
    return bool((middle >= low).all() and (middle <= high).all())


def _view_px(photo: Photo, layout: Layout) -> float:
    """Longer side (px) of a view in which the smallest expected cards are large enough."""
    sides = [np.linalg.norm(np.diff(pose.corners_px, axis=0), axis=1).max() for pose in layout.poses]
    wanted = CARD_LENGTH_PX[0] / (SMALLER * float(np.median(sides))) * max(photo.width, photo.height)
    return float(np.clip(wanted, LOOKS_PX[0], LONGER_SIDE_PX))


def _same_spot(one: LayoutCard, other: LayoutCard) -> bool:
    return one.card == other.card and _holds(one.corners_px, other.corners_px.mean(axis=0))


def _holds(corners_px: Array, at_px: Array) -> bool:
    outline = corners_px.astype(np.float32).reshape(-1, 1, 2)
    x, y = at_px.tolist()
    return cv2.pointPolygonTest(outline, (x, y), False) >= 0


class _Covered(Reductions):
    """A photo in grey with the known cards painted over."""

    def __init__(self, photo: Photo, known: Sequence[LayoutCard]) -> None:
        super().__init__(photo)
        self._outlines = []
        for pose in known:
            middle = pose.corners_px.mean(axis=0)
            self._outlines.append(middle + (pose.corners_px - middle) * (1 + 2 * RIM))

    def hides(self, pose: LayoutCard) -> bool:
        """Whether the middle of a card is within a painted area."""
        middle = pose.corners_px.mean(axis=0)
        return any(_holds(outline, middle) for outline in self._outlines)

    def grey(self, halvings: int) -> NDArray[np.uint8]:
        if halvings not in self._greys:
            painted = super().grey(halvings).copy()
            level = float(painted.mean())
            for outline in self._outlines:
                corners = ((outline + 0.5) / 2**halvings - 0.5).round().astype(np.int32)
                cv2.fillConvexPoly(painted, corners, level)
            self._greys[halvings] = painted
        return self._greys[halvings]
