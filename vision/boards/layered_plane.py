"""Pose of a layered board: photo -> homography, by features of the strips and of the ground seen between and
through the tiles.

Every assignment of strips to the ground's sides is tried; the likeliest one gives both the board's pose and
the strips' rotation.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards.art import features
from vision.boards.layered_art import SIDE_PX_PER_MM, LayeredArt
from vision.boards.plane import (
    LEAST_MATCHES,
    REACH_PX,
    BoardPlane,
    distinct_matches,
    features_of_view,
    views_of,
)
from vision.photo import geometry
from vision.photo.view import Reductions, View

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

#: Scale of the strips' pictures for features, about as in photos; and the gap (mm) between a strip and the
#: ground.
SHRINK, GAP_MM = 0.76, 0.4
#: Matches that suffice if two views give the same corners, and the tolerance (share of a side). Two boards in
#: glare, with 10 to 13 matches, agreed within 2 px (`tuning-ice-and-idols` 19 and 29).
FEW_MATCHES, AGREE = 9, 0.02


@dataclass(frozen=True)
class GroundPlane:
    """A detected ground board: its id `ground`, and the homography `plane` from mm of the ground to the
    photo."""

    ground: str
    plane: BoardPlane


@dataclass(frozen=True)
class _Known:
    """Features of all grounds and strips: `descriptors` (n, 128) and `at_mm` (n, 2) on the ground or the
    upright strip.

    `piece` (n,) numbers the grounds first, then the strips.
    """

    descriptors: Floats
    at_mm: Array
    piece: NDArray[np.intp]


def _known(art: LayeredArt) -> _Known:
    kept: _Known | None = vars(art).get("_known")
    if kept is None:
        parts = [(board.points_mm.astype(np.float64), board.descriptors) for board in art.grounds.values()]
        for rim in art.rims.values():
            grey = cv2.cvtColor(rim, cv2.COLOR_BGR2GRAY)
            small = cv2.resize(grey, None, fx=SHRINK, fy=SHRINK, interpolation=cv2.INTER_AREA)
            points, descriptors = features(np.asarray(small, np.uint8))
            parts.append(((points + 0.5).astype(np.float64) / SHRINK / SIDE_PX_PER_MM, descriptors))
        kept = _Known(
            np.concatenate([each for _, each in parts]),
            np.concatenate([each for each, _ in parts]),
            np.concatenate([np.full(len(each), number, np.intp) for number, (each, _) in enumerate(parts)]),
        )
        vars(art)["_known"] = kept
    return kept


def find_ground(pictures: Reductions, art: LayeredArt) -> GroundPlane | None:
    """The ground board found in a photo, with its homography; None if there is none."""
    weak: list[GroundPlane] = []
    for view, most in views_of(pictures, _known(art).descriptors):
        found = _ground_in(view, art, most)
        if found is None:
            continue
        if found.plane.matches >= LEAST_MATCHES or any(_agree(found, other, art) for other in weak):
            return found
        weak.append(found)
    return None


def _agree(one: GroundPlane, other: GroundPlane, art: LayeredArt) -> bool:
    """Whether two detections are of the same ground at the same place."""
    board = art.grounds[one.ground]
    corners = geometry.rectangle(board.columns * board.cell_mm, board.rows * board.cell_mm)
    here, there = (geometry.apply(each.plane.to_photo, corners) for each in (one, other))
    side = float(np.linalg.norm(here - np.roll(here, 1, axis=0), axis=1).min())
    return one.ground == other.ground and float(np.abs(here - there).max()) < AGREE * side


def _ground_in(view: View, art: LayeredArt, most: int) -> GroundPlane | None:
    points, descriptors = features_of_view(view, most)
    known = _known(art)
    if len(points) < LEAST_MATCHES:
        return None
    good, which = distinct_matches(descriptors, known.descriptors)
    seen = view.to_photo(points[good].astype(np.float64))
    piece = known.piece[which]
    found: list[tuple[int, str, Array]] = []
    for number, (name, board) in enumerate(art.grounds.items()):
        size = board.columns * board.cell_mm, board.rows * board.cell_mm
        for order in rim_orders(len(art.rims)):
            mine = [piece == number]
            at = [known.at_mm[which[mine[0]]]]
            for rim, side in enumerate(order):
                own = piece == len(art.grounds) + rim
                mine.append(own)
                at.append(_beside(known.at_mm[which[own]], side, art.rim_mm, size))
            known_mm, in_photo = np.concatenate(at), np.concatenate([seen[own] for own in mine])
            if len(known_mm) < FEW_MATCHES:
                continue
            solved, kept = cv2.findHomography(
                known_mm, in_photo, cv2.USAC_MAGSAC, REACH_PX / view.scale, maxIters=3000, confidence=0.9999
            )
            if solved is None or kept is None:
                continue
            corners = geometry.apply(np.asarray(solved, np.float64), geometry.rectangle(*size))
            if geometry.is_convex(corners):
                found.append((int(kept.sum()), name, np.asarray(solved, np.float64)))
    most_of_all = max(found, key=lambda each: each[0], default=None)
    if most_of_all is None or most_of_all[0] < FEW_MATCHES:
        return None
    matches, name, to_photo = most_of_all
    return GroundPlane(name, BoardPlane(to_photo, matches))


def rim_orders(count: int) -> list[tuple[int, ...]]:
    """The possible arrangements of four strips, as the side of each strip: any first side, in either
    direction."""
    if count != 4:
        return [()]
    return [tuple((start + way * rim) % 4 for rim in range(4)) for way in (1, -1) for start in range(4)]


def _beside(at_mm: Array, side: int, rim_mm: float, size: tuple[float, float]) -> Array:
    """Points (mm) of an upright strip, mapped to its place along a side of the ground."""
    angle = np.radians(90 * (side - 1))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    out = np.array([(0, -1), (1, 0), (0, 1), (-1, 0)][side], float)
    long_mm = size[0] if side in (0, 2) else size[1]
    middle = np.asarray(size) / 2 + out * (np.asarray(size) / 2 + rim_mm / 2 + GAP_MM)
    return np.asarray((at_mm - (rim_mm / 2, long_mm / 2)) @ turn.T + middle)
