"""Pose of a printed board: photo -> homography, board mm to photo px.

Features of the print give the homography, which is refined until printed cells match their art. Strips along
the sides are tried in every order; the likeliest gives the pose.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from scorer.errors import Code, WaymarkError
from scorer.text import Text
from vision.boards.art import BoardArt
from vision.boards.sift import distinct_matches, features_of_view
from vision.boards.top_view import from_above
from vision.photo import geometry
from vision.photo.view import Box, Reductions, View

Array = NDArray[np.float64]

#: Longer side (px) of the view and number of its features, for the first search; then for a second search, in
#: dim light or clutter.
VIEWS = ((1000, 2500), (1400, 5000))
#: Side of the part of a photo that is searched last, at a finer scale: a share of the photo's longer side.
#: And the width of the views of it: a look at 48 degrees from the vertical makes the board so much less high.
CROWD, NARROWED = 0.5, (1.0, 2 / 3)
#: Largest residual of a match (px of the view), and the least number of matches for a board.
REACH_PX, LEAST_MATCHES = 4.0, 14
#: Matches that suffice if two views give the same corners, and the tolerance (share of a side). Two boards in
#: glare, with 10 to 13 matches, agreed within 2 px (`tuning-ice-and-idols` 19 and 29).
FEW_MATCHES, AGREE = 9, 0.02
#: Gap (mm) between a strip and the ground.
GAP_MM = 0.4
#: Largest shift of a printed cell that the refinement accepts, as a share of a cell.
REFINE_REACH = 0.14
#: Least phase correlation response for a cell's shift to be used.
LEAST_RESPONSE = 0.06


@dataclass(frozen=True)
class BoardPlane:
    """Homography `to_photo` (3, 3) from board mm to photo pixels, and the number of features that support it.

    `board` is the board's id, if several may be there; `sides` are the sides (0 to 3 clockwise from the top)
    of its strips, and `lead` the number of features by which this order of them is ahead of the next.
    """

    to_photo: Array
    matches: int
    board: str = ""
    sides: tuple[int, ...] = ()
    lead: int = 0

    def px(self, points_mm: Array) -> tuple[tuple[float, float], ...]:
        """Points of the board (..., 2) in mm as photo pixels, to a tenth of a pixel."""
        found = geometry.apply(self.to_photo, np.asarray(points_mm, np.float64).reshape(-1, 2))
        return tuple((round(float(x), 1), round(float(y), 1)) for x, y in found)


def no_board() -> WaymarkError:
    """The error (no-card, status 4) of a photo in which no board is found."""
    return WaymarkError(
        Code.NO_CARD,
        Text("No board was found in this photo; take it so that the whole board is in the picture."),
    )


@dataclass(frozen=True)
class KnownBoards:
    """Boards that a photo may show, by id, and the strips along the sides of a square one, `rim_mm` wide.

    Features: `descriptors` (n, 128), `at_mm` (n, 2) on the board or the upright strip, and `piece` (n,),
    which numbers the boards first, then the strips.
    """

    boards: Mapping[str, BoardArt]
    rims: int
    rim_mm: float
    descriptors: NDArray[np.float32]
    at_mm: Array
    piece: NDArray[np.intp]


def known_boards(
    boards: Mapping[str, BoardArt], rims: Sequence[tuple[Array, NDArray[np.float32]]] = (), rim_mm: float = 0
) -> KnownBoards:
    """The features of boards and of strips, each strip's as points (mm) and descriptors."""
    parts = [*((board.points_mm.astype(np.float64), board.descriptors) for board in boards.values()), *rims]
    return KnownBoards(
        boards,
        len(rims),
        rim_mm,
        np.concatenate([descriptors for _, descriptors in parts]),
        np.concatenate([at for at, _ in parts]),
        np.concatenate([np.full(len(at), number, np.intp) for number, (at, _) in enumerate(parts)]),
    )


def find_plane(pictures: Reductions, known: KnownBoards) -> BoardPlane | None:
    """The homography of one of the known boards in a photo; None if no board is found."""
    weak: list[BoardPlane] = []
    for view, most in views_of(pictures, known.descriptors):
        found = _plane_in(view, known, most)
        if found is None:
            continue
        board = known.boards[found.board]
        if found.matches >= LEAST_MATCHES or any(_agree(found, other, board) for other in weak):
            return found
        weak.append(found)
    return None


def _agree(one: BoardPlane, other: BoardPlane, board: BoardArt) -> bool:
    """Whether two detections are of the same board at the same place."""
    corners = geometry.rectangle(board.columns * board.cell_mm, board.rows * board.cell_mm)
    here, there = (geometry.apply(each.to_photo, corners) for each in (one, other))
    side = float(np.linalg.norm(here - np.roll(here, 1, axis=0), axis=1).min())
    return one.board == other.board and float(np.abs(here - there).max()) < AGREE * side


def _plane_in(view: View, known: KnownBoards, most: int) -> BoardPlane | None:
    """The board with most matches in a view, whatever the order of its strips."""
    features = features_of_view(view, most)
    if min(len(features.at), len(known.at_mm)) < LEAST_MATCHES:
        return None
    good, which = distinct_matches(features.descriptors, known.descriptors)
    seen, piece, at_mm = view.to_photo(features.at[good]), known.piece[which], known.at_mm[which]
    found: list[BoardPlane] = []
    for number, (name, board) in enumerate(known.boards.items()):
        size = board.columns * board.cell_mm, board.rows * board.cell_mm
        for order in rim_orders(known.rims):
            at, mine = [at_mm[piece == number]], [seen[piece == number]]
            for rim, side in enumerate(order):
                own = piece == len(known.boards) + rim
                at.append(_beside(at_mm[own], side, known.rim_mm, size))
                mine.append(seen[own])
            solved = _fitted(np.concatenate(at), np.concatenate(mine), size, REACH_PX / view.scale)
            found += [] if solved is None else [replace(solved, board=name, sides=order)]
    if not found:
        return None
    best = max(found, key=lambda each: each.matches)
    rivals = [each.matches for each in found if each.board == best.board and each.sides != best.sides]
    return replace(best, lead=best.matches - max(rivals, default=0))


def _fitted(known_mm: Array, seen: Array, size: tuple[float, float], reach_px: float) -> BoardPlane | None:
    """The homography of a board of a size (mm) by its matches; None if few agree."""
    if len(known_mm) < FEW_MATCHES:
        return None
    solved, kept = cv2.findHomography(
        known_mm, seen, cv2.USAC_MAGSAC, reach_px, maxIters=5000, confidence=0.9999
    )
    if solved is None or kept is None or int(kept.sum()) < FEW_MATCHES:
        return None
    to_photo = np.asarray(solved, np.float64)
    corners = geometry.apply(to_photo, geometry.rectangle(*size))
    return BoardPlane(to_photo, int(kept.sum())) if geometry.is_convex(corners) else None


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


def views_of(pictures: Reductions, known: NDArray[np.float32]) -> Iterator[tuple[View, int]]:
    """The views of a photo in which a board is searched for, each with its number of features: the whole
    photo, and then the part where most features match the `known` ones."""
    for longer_side_px, most in VIEWS:
        view = pictures.view(longer_side_px)
        yield view, most
    for narrowed in NARROWED:
        seen = features_of_view(view, most)
        good, _ = distinct_matches(seen.descriptors, known)
        view = closer(view, seen.at[good], pictures, VIEWS[0][0], narrowed)
        yield view, most


def closer(
    view: View, points_px: Array, pictures: Reductions, longer_side_px: float, narrowed: float
) -> View:
    """A closer view of the part of a photo that holds the most of some points of a view. A small board is
    larger in it, and most of a patterned cloth is left out."""
    part = _crowded(view.to_photo(points_px), pictures.size) if len(points_px) else None
    return pictures.view(longer_side_px, part, narrowed)


def _crowded(points_px: Array, size: tuple[int, int]) -> Box:
    """The square part of a photo that holds the most of some points."""
    half = CROWD / 2 * max(size)
    tree = cKDTree(points_px)
    counts = tree.query_ball_point(points_px, half, p=np.inf, return_length=True)
    near = tree.query_ball_point(points_px[int(np.argmax(counts))], half, p=np.inf)
    middle = points_px[near].mean(axis=0)
    left, top = (max(0, round(float(each - half))) for each in middle)
    right, bottom = (min(end, round(float(each + half))) for each, end in zip(middle, size, strict=True))
    return left, top, right, bottom


def refine_plane(plane: BoardPlane, pictures: Reductions, art: BoardArt, rounds: int = 2) -> BoardPlane:
    """The homography refined by phase correlation of the printed cells with their art."""
    scale, side = art.px_per_mm, round(art.cell_mm * art.px_per_mm)
    cells = list(art.printed)
    left, top = art.ground_mm[:2]
    grey = cv2.cvtColor(art.ground, cv2.COLOR_BGR2GRAY).astype(np.float32)
    window = cv2.createHanningWindow((96, 96), cv2.CV_32F)
    rim = (side - 96) // 2
    to_photo = plane.to_photo
    for _ in range(rounds):
        above = from_above(pictures, to_photo, art.ground_mm, scale)
        seen_grey = cv2.cvtColor(above.picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
        at, moved, weight = [], [], []
        for column, row in cells:
            y = round((row * art.cell_mm - top) * scale) + rim
            x = round((column * art.cell_mm - left) * scale) + rim
            block = (slice(y, y + 96), slice(x, x + 96))
            shift, response = cv2.phaseCorrelate(_evened(grey[block]), _evened(seen_grey[block]), window)
            if response > LEAST_RESPONSE and max(np.abs(shift)) < REFINE_REACH * side:
                middle = np.array([column + 0.5, row + 0.5]) * art.cell_mm
                at.append(middle)
                moved.append(middle + np.asarray(shift) / scale)
                weight.append(response)
        if len(at) < 6:
            break
        change, _ = cv2.findHomography(np.array(at), np.array(moved), cv2.LMEDS)
        if change is None:
            break
        to_photo = to_photo @ np.asarray(change, np.float64)
    return replace(plane, to_photo=to_photo / to_photo[2, 2])


def _evened(grey: NDArray[np.float32]) -> NDArray[np.float32]:
    """A grey picture with its local mean removed, so that light does not matter."""
    return np.asarray(grey - cv2.blur(grey, (15, 15)), np.float32)
