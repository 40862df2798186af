"""Where a picture seems to show cards: a first look, for a viewfinder. No layout is solved, nothing read.

Cards are recognised, not outlined by their edges: those of a tableau touch, and part by no edge; and what is
no card of the catalogue is not to be photographed. One that is cut off shows less of itself than a whole one,
and is recognised from less: that the tableau does not fit into the picture is said before the photo is taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.blas import single_threaded_blas
from vision.card_index import CardIndex
from vision.cards import Matches, Sighting, find_features, match_features, sight_cards
from vision.glimpses import glimpses_beside
from vision.photo import Photo
from vision.view import make_view

#: Cards nearer to each other than this share of a card's shorter side are of one tableau at a first look: one
#: between them may have been missed, a neighbour's lie farther off.
_TOGETHER = 0.5
#: A card that is cut off lies beyond the picture by this share of its shorter side, and overlaps others by no
#: more than so much of itself: where it lies is known to about as much.
_BEYOND, _MOST_SHARED = 0.04, 0.15


@dataclass(frozen=True)
class Outline:
    """A card that is recognised at a first look: `corners_px` (4, 2) pixels, some beyond the picture where it
    is cut off. `apart`: it lies away from most of the others, a neighbour's or of a market."""

    corners_px: NDArray[np.float64]
    apart: bool = False


@single_threaded_blas()
def find_outlines(photo: Photo, index: CardIndex) -> tuple[Outline, ...]:
    """The cards that are recognised at a first look; none where none is."""
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
    """Cards of a group that are not sighted and lie partly beyond the picture."""
    seen = [glimpse for each in group for glimpse in glimpses_beside(each, matches, sighted, index)]
    beside = [each.corners_px(index) for each in group]
    kept: list[NDArray[np.float64]] = []
    # Whole ones, too: of two at one place, one whole and one cut off, the likelier is right.
    for glimpse in sorted(seen, key=lambda glimpse: -glimpse.weight):
        quad = glimpse.corners_px
        if not any(_share_on(quad, other) > _MOST_SHARED for other in (*sighted, *kept)) and any(
            _is_beside(quad, other) for other in beside
        ):
            kept.append(quad)
    return [quad for quad in kept if _is_beyond(quad, photo)]


def _is_beyond(quad: NDArray[np.float64], photo: Photo) -> bool:
    """Whether a card lies partly beyond the picture, surely."""
    beyond = np.maximum(-quad, quad - np.array([photo.width, photo.height])).max()
    return bool(beyond > _BEYOND * _shorter_side(quad))


def _share_on(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """How much of a convex outline lies on another, 0 to 1."""
    a, b = one.astype(np.float32), other.astype(np.float32)
    return float(cv2.intersectConvexConvex(a, b)[0] / cv2.contourArea(a))


def _is_beside(one: NDArray[np.float64], other: NDArray[np.float64]) -> bool:
    return _gap(one, other) < _TOGETHER * min(_shorter_side(one), _shorter_side(other))


def _largest_group(quads: Sequence[NDArray[np.float64]]) -> frozenset[int]:
    """The numbers of the most cards that lie beside each other; of as many those that are seen larger."""
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
    """How far two convex outlines are apart; 0 where they touch."""
    a, b = one.astype(np.float32), other.astype(np.float32)
    if cv2.intersectConvexConvex(a, b)[0] > 0:
        return 0.0
    inside = [
        cv2.pointPolygonTest(quad, (float(x), float(y)), True)
        for quad, rest in ((a, b), (b, a))
        for x, y in rest
    ]
    return max(0.0, -max(inside))
