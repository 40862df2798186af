"""Where a picture seems to show cards: a first look, for a viewfinder. No layout is solved, nothing read.

Cards are recognised, not outlined by their edges: those of a tableau touch, and part by no edge; and what is
no card of the catalogue is not to be photographed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.blas import single_threaded_blas
from vision.card_index import CardIndex
from vision.cards import find_features, match_features, sight_cards
from vision.photo import Photo
from vision.view import make_view

#: Cards nearer to each other than this share of a card's shorter side are of one tableau at a first look: one
#: between them may have been missed, a neighbour's lie farther off.
_TOGETHER = 0.5


@dataclass(frozen=True)
class Outline:
    """A card that is recognised at a first look: `corners_px` (4, 2) pixels. `apart`: it lies away from most
    of the others, a neighbour's or of a market."""

    corners_px: NDArray[np.float64]
    apart: bool = False


@single_threaded_blas()
def find_outlines(photo: Photo, index: CardIndex) -> tuple[Outline, ...]:
    """The cards that are recognised at a first look; none where none is."""
    view = make_view(photo, max(index.neighbours.board))
    matches = match_features(find_features(view, index), index)
    sighted = [sighting.corners_px(index) for sighting in sight_cards(matches, index, view.scale)]
    together = _largest_group(sighted)
    return tuple(Outline(corners, k not in together) for k, corners in enumerate(sighted))


def _largest_group(quads: Sequence[NDArray[np.float64]]) -> frozenset[int]:
    """The numbers of the most cards that lie beside each other; of as many those that are seen larger."""
    group = list(range(len(quads)))
    for a, one in enumerate(quads):
        for b in range(a):
            if _gap(one, quads[b]) < _TOGETHER * min(_shorter_side(one), _shorter_side(quads[b])):
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
