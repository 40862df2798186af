"""Cards of which too little is seen to recognise them by themselves, beside one that is recognised.

A card that is sighted tells how the plane of its neighbours lies, what a millimetre of it is in the photo,
and how they may be turned: each match of a neighbour then says by itself where that lies, and few that agree
are proof enough.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision import homography
from vision.card_index import CardIndex
from vision.cards import VOTE_SCALE, VOTE_TURN_DEG, Matches, Sighting

# Measured on looks at the 12 photos that ship, moved so that an outer card lies 30 to 65 % beyond the
# picture, as they are and with cards 170 px high (288 looks), and whole (48); at 1,200 px, with noise and as
# JPEG.

#: Matches agree when they put the card's middle within this (mm). Beyond 6 mm there are false ones.
AGREE_MM = 4.0
#: So many features, and so much weight, hold: false ones had 0.96 at most. Of 95 cards of which less than
#: 45 % was in the picture 76 are found (56 without glimpses), of 447 of which more was 437 (414); no false
#: one, nor on 41 photos of tables with tokens.
LEAST_FEATURES, LEAST_WEIGHT = 4, 1.2


@dataclass(frozen=True)
class Glimpse:
    """Where a card may lie: `corners_px` (4, 2) photo pixels, and the weight of the matches that say so."""

    corners_px: NDArray[np.float64]
    weight: float


def glimpses_beside(
    sighting: Sighting, matches: Matches, taken: Sequence[NDArray[np.float64]], index: CardIndex
) -> Iterator[Glimpse]:
    """Cards beside a sighted one for which some matches speak, several for one where they disagree. Matches
    within quadrilaterals that are `taken` (photo pixels) speak for what lies there."""
    sizes = np.array(index.sizes_mm, np.float64)
    own = sizes[sighting.card]
    to_plane = np.asarray(np.linalg.inv(sighting.card_to_photo), np.float64)
    at = homography.apply(to_plane, matches.at_px)
    near = (np.abs(at - own / 2) < own / 2 + own.max()).all(axis=1)
    for quad in taken:
        near &= ~_within(quad, matches.at_px)
    seen = np.flatnonzero(near)
    slope = homography.jacobian(to_plane, matches.at_px[seen])
    angle = np.radians(matches.angle_deg[seen])
    along = np.einsum("nij,nj->ni", slope, np.column_stack([np.cos(angle), np.sin(angle)]))
    turn = np.degrees(np.arctan2(along[:, 1], along[:, 0])) - matches.card_angle_deg[seen]
    quarters = np.rint(turn / 90).astype(int)
    growth = matches.size_px[seen] / matches.size_mm[seen] * np.sqrt(np.abs(np.linalg.det(slope)))
    fits = (np.abs(turn - 90 * quarters) < VOTE_TURN_DEG) & (np.abs(np.log(growth)) < np.log(VOTE_SCALE))
    seen, quarters = seen[fits], quarters[fits] % 4
    pose = 4 * matches.card[seen] + quarters
    for each in np.flatnonzero(np.bincount(pose) >= LEAST_FEATURES).tolist():
        card, quarter = divmod(each, 4)
        if quarter not in index.turns(card):
            continue
        mine = seen[pose == each]
        turned = homography.similarity(quarter * np.pi / 2, np.zeros(2))
        middles = at[mine] + homography.apply(turned, sizes[card] / 2 - matches.at_mm[mine])
        corners = homography.apply(turned, homography.rectangle(*sizes[card]) - sizes[card] / 2)
        for members, weight in _agreeing(middles, matches.weight[mine]):
            if len(np.unique(matches.feature[mine[members]])) < LEAST_FEATURES or weight < LEAST_WEIGHT:
                continue
            quad = homography.apply(sighting.card_to_photo, corners + middles[members].mean(axis=0))
            if homography.is_convex(quad):
                yield Glimpse(quad, weight)


def _agreeing(
    middles: NDArray[np.float64], weight: NDArray[np.float64]
) -> Iterator[tuple[NDArray[np.intp], float]]:
    """Groups of points (N, 2) that lie together, the heaviest first, and the weight of each."""
    left = np.arange(len(middles))
    agree = np.linalg.norm(middles[:, None] - middles[None], axis=2) < AGREE_MM
    while len(left) >= LEAST_FEATURES:
        votes = agree[np.ix_(left, left)] @ weight[left]
        lead = int(votes.argmax())
        together = agree[left[lead], left]
        yield left[together], float(votes[lead])
        left = left[~together]


def _within(quad: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which (N, 2) points lie within a convex quadrilateral that goes round clockwise as seen."""
    along = (np.roll(quad, -1, axis=0) - quad)[:, None]
    to = points[None] - quad[:, None]
    return np.asarray((along[..., 0] * to[..., 1] - along[..., 1] * to[..., 0] > 0).all(axis=0))
