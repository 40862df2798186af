"""Card outlines for the camera's viewfinder: one small view -> corners (4, 2) px of recognised cards, no
layout."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.features import (
    VOTE_SCALE,
    VOTE_TURN_DEG,
    Matches,
    Sighting,
    find_features,
    match_features,
    sight_cards,
)
from vision.cards.index import CardIndex
from vision.photo import geometry
from vision.photo.decode import Photo
from vision.photo.runtime import single_threaded_blas
from vision.photo.view import make_view

# Measured on 288 views of the 12 shipped photos, shifted so that an outer card lies 30 to 65 % outside the
# picture, unchanged and with cards 170 px high, and on 48 whole ones; at 1,200 px, with noise and as JPEG.

#: Largest distance (mm) between the card centres of agreeing matches. Above 6 mm false cards occur.
AGREE_MM = 4.0
#: Least number of features and least weight for a card; false cards had at most 0.96. Of 95 cards with less
#: than 45 % in the picture 76 are found (56 without partial cards), of 447 with more 437 (414). No false card
#: was found, nor any on 41 photos of tables with tokens.
LEAST_FEATURES, LEAST_WEIGHT = 4, 1.2


@dataclass(frozen=True)
class Glimpse:
    """A partly visible card: its corners `corners_px` (4, 2) in photo pixels, and the total weight of its
    matches."""

    corners_px: NDArray[np.float64]
    weight: float


def glimpses_beside(
    sighting: Sighting, matches: Matches, taken: Sequence[NDArray[np.float64]], index: CardIndex
) -> Iterator[Glimpse]:
    """Poses of further cards beside a detected one, each supported by some matches; several poses where these
    disagree.

    Matches within the `taken` quadrilaterals (photo pixels) are left out.
    """
    sizes = np.array(index.sizes_mm, np.float64)
    own = sizes[sighting.card]
    to_plane = np.asarray(np.linalg.inv(sighting.card_to_photo), np.float64)
    at = geometry.apply(to_plane, matches.at_px)
    near = (np.abs(at - own / 2) < own / 2 + own.max()).all(axis=1)
    for quad in taken:
        near &= ~_within(quad, matches.at_px)
    seen = np.flatnonzero(near)
    slope = geometry.jacobian(to_plane, matches.at_px[seen])
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
        turned = geometry.similarity(quarter * np.pi / 2, np.zeros(2))
        middles = at[mine] + geometry.apply(turned, sizes[card] / 2 - matches.at_mm[mine])
        corners = geometry.apply(turned, geometry.rectangle(*sizes[card]) - sizes[card] / 2)
        for members, weight in _agreeing(middles, matches.weight[mine]):
            if len(np.unique(matches.feature[mine[members]])) < LEAST_FEATURES or weight < LEAST_WEIGHT:
                continue
            quad = geometry.apply(sighting.card_to_photo, corners + middles[members].mean(axis=0))
            if geometry.is_convex(quad):
                yield Glimpse(quad, weight)


def _agreeing(
    middles: NDArray[np.float64], weight: NDArray[np.float64]
) -> Iterator[tuple[NDArray[np.intp], float]]:
    """Clusters of points (N, 2): the indices of each cluster and its weight, heaviest first."""
    left = np.arange(len(middles))
    agree = np.linalg.norm(middles[:, None] - middles[None], axis=2) < AGREE_MM
    while len(left) >= LEAST_FEATURES:
        votes = agree[np.ix_(left, left)] @ weight[left]
        lead = int(votes.argmax())
        together = agree[left[lead], left]
        yield left[together], float(votes[lead])
        left = left[~together]


def _within(quad: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Mask (N,) of the points (N, 2) within a convex quadrilateral with clockwise corners."""
    along = (np.roll(quad, -1, axis=0) - quad)[:, None]
    to = points[None] - quad[:, None]
    return np.asarray((along[..., 0] * to[..., 1] - along[..., 1] * to[..., 0] > 0).all(axis=0))


#: Largest gap between cards of one tableau at a first look, as a share of the card's shorter side: a card
#: between them may have been missed, and a neighbour's tableau is farther away.
_TOGETHER = 0.5
#: Least part of a cut-off card outside the picture, as a share of its shorter side; and its largest overlap
#: with other cards. Its position is known to about that accuracy.
_BEYOND, _MOST_SHARED = 0.04, 0.15


@dataclass(frozen=True)
class Outline:
    """A card recognised in the viewfinder: `corners_px` (4, 2), partly outside the picture for a card that is
    cut off.

    `apart`: it is away from most of the other cards, as a neighbour's or a market's is.
    """

    corners_px: NDArray[np.float64]
    apart: bool = False


@single_threaded_blas()
def find_outlines(photo: Photo, index: CardIndex) -> tuple[Outline, ...]:
    """Outlines of the cards recognised in a small view; empty if no card is recognised."""
    view = make_view(photo, max(index.neighbours.board))
    matches = match_features(find_features(view, index), index)
    sightings = sight_cards(matches, index, view.scale)
    sighted = [sighting.corners_px(index) for sighting in sightings]
    together = _largest_group(sighted)
    cut_off = _cut_off([sightings[k] for k in sorted(together)], matches, sighted, photo, index)
    return (
        *(Outline(corners, k not in together) for k, corners in enumerate(sighted)),
        *(Outline(corners) for corners in cut_off),
    )


def _cut_off(
    group: Sequence[Sighting],
    matches: Matches,
    sighted: Sequence[NDArray[np.float64]],
    photo: Photo,
    index: CardIndex,
) -> list[NDArray[np.float64]]:
    """Corners (4, 2) of a group's cards that were not detected and lie partly outside the picture."""
    seen = [glimpse for each in group for glimpse in glimpses_beside(each, matches, sighted, index)]
    beside = [each.corners_px(index) for each in group]
    kept: list[NDArray[np.float64]] = []
    # Whole cards, too: of a whole and a cut-off card at one place, the likelier one is kept.
    for glimpse in sorted(seen, key=lambda glimpse: -glimpse.weight):
        quad = glimpse.corners_px
        if not any(_share_on(quad, other) > _MOST_SHARED for other in (*sighted, *kept)) and any(
            _is_beside(quad, other) for other in beside
        ):
            kept.append(quad)
    return [quad for quad in kept if _is_beyond(quad, photo)]


def _is_beyond(quad: NDArray[np.float64], photo: Photo) -> bool:
    """Whether a card lies clearly partly outside the picture."""
    beyond = np.maximum(-quad, quad - np.array([photo.width, photo.height])).max()
    return bool(beyond > _BEYOND * _shorter_side(quad))


def _share_on(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Share of a convex outline's area that overlaps another, 0 to 1."""
    a, b = one.astype(np.float32), other.astype(np.float32)
    return float(cv2.intersectConvexConvex(a, b)[0] / cv2.contourArea(a))


def _is_beside(one: NDArray[np.float64], other: NDArray[np.float64]) -> bool:
    return _gap(one, other) < _TOGETHER * min(_shorter_side(one), _shorter_side(other))


def _largest_group(quads: Sequence[NDArray[np.float64]]) -> frozenset[int]:
    """Indices of the largest group of adjacent cards; of equally large groups, the one with the larger
    area."""
    group = list(range(len(quads)))
    for a, one in enumerate(quads):
        for b in range(a):
            if _is_beside(one, quads[b]):
                group = [group[b] if each == group[a] else each for each in group]
    groups = [frozenset(k for k, each in enumerate(group) if each == name) for name in set(group)]

    def merit(members: frozenset[int]) -> tuple[int, float]:
        return len(members), sum(cv2.contourArea(quads[k].astype(np.float32)) for k in members)

    return max(groups, key=merit, default=frozenset())


def _shorter_side(quad: NDArray[np.float64]) -> float:
    return float(np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1).min())


def _gap(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Distance between two convex outlines, in pixels; 0 where they overlap or touch."""
    a, b = one.astype(np.float32), other.astype(np.float32)
    if cv2.intersectConvexConvex(a, b)[0] > 0:
        return 0.0
    inside = [
        cv2.pointPolygonTest(quad, (float(x), float(y)), True)
        for quad, rest in ((a, b), (b, a))
        for x, y in rest
    ]
    return max(0.0, -max(inside))
