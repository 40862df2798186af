"""Plane of the table from outlines alone: quadrangles and lines of a view -> homography, table mm to pixels.

Each quadrangle that may be a card, or a block of touching cards, is a hypothesis. The hypothesis on which
most cards are found is taken. Where few agree, the vanishing points of all lines and a scale are searched
too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.plane import fit_plane
from vision.cards.pose import TablePose
from vision.outlines.card_lattice import MOST_IN_ROW, CardLattice, best_laid, card_lattices
from vision.outlines.cores import Cores
from vision.outlines.edges import find_quads
from vision.outlines.rectangles import Rectangle, best_scale, find_rectangles, merit_of, without_overlap
from vision.outlines.straight_view import StraightView, area_px
from vision.photo import geometry
from vision.photo.geometry import card_homography, misfit, poses_by_lines

Array = NDArray[np.float64]
Size = tuple[float, float]

#: Largest misfit of a quadrangle (`table_pose.misfit`) for a phone's picture of a card, and largest
#: difference (logarithm) of another card's side lengths in its plane.
_MISFIT, _LIKE = 0.09, 0.05
#: Greatest number of quadrangles examined, and of planes compared by voting.
_QUADS, _PLANES = 200, 8
#: Number of quadrangles of card size on one plane from which that plane is accepted.
_ENOUGH = 3.5
#: Support of a closed outline (`Rectangle.support`).
_CLOSED = 0.85
#: Least support of a rectangle that is scored by its contrast with the table.
_STANDS_OUT = 0.2
#: Largest difference (logarithm) of side lengths for quadrangles to be used in the joint plane, round by
#: round.
_JOINT = (0.05, 0.035, 0.025)
#: The same for cores, whose outlines are less exact; and the largest misfit of one.
_JOINT_CORES, _MISFIT_CORE = (0.14, 0.1, 0.06), 0.2
#: Gaps between the cards of a lattice, as shares of the shorter side: none, and three that hands may leave.
_GAPS = (0.0, 0.06, 0.13, 0.22)
#: Number of planes that are fitted to the maps.
_FITTED = 5
#: Least agreement of the cards on a plane with the cores.
LEAST_AGREEMENT = 0.05
#: Agreement from which no other plane is looked for.
CLEAR_AGREEMENT = 0.2
#: Ratio of agreements from which cores overrule outlines, and from which cards placed by themselves overrule
#: touching ones, which have fewer ways to fit (docs/experiments.md).
_BETTER = 1.2
#: Difference of a card's side lengths (logarithm) below which two planes are the same.
_SAME_SCALE = 0.015
#: Step (in logarithms) between the scales tried when only lines determine the plane.
_SCALE_STEP = 0.045


def first_plane(view: StraightView, size_mm: Size) -> tuple[Array, list[Rectangle]] | None:
    """Homography (3, 3) from table mm to undistorted pixels on which most cards are found, with their
    rectangles.

    None if no outline is a card's.
    """
    cores = view.cores(size_mm)
    laid = _lattices(view, cores, size_mm)
    found = plane_by_cores(view, cores, laid, size_mm)
    told = cores.agreement(*found) if found else 0.0
    touching = plane_of_touching(cores, laid)
    if touching is not None and told < _BETTER * cores.agreement(*touching):
        found, told = touching, cores.agreement(*touching)
    if told < CLEAR_AGREEMENT:
        outlined = plane_by_outlines(view, size_mm)
        if outlined is not None and told < _BETTER * cores.agreement(*outlined):
            found = outlined
    if found is None:
        return None
    return np.linalg.solve(view.from_straight, found[0]), found[1]


def plane_by_outlines(view: StraightView, size_mm: Size) -> tuple[Array, list[Rectangle]] | None:
    """Homography (3, 3) from table mm to the view on which most closed outlines are cards, with the cards."""
    size_px = (view.lab.shape[1], view.lab.shape[0])
    quads = find_quads(view.lab, view.unlike)[:_QUADS]
    all_quads = np.array(quads).reshape(-1, 4, 2)
    planes: list[tuple[float, Array]] = []
    for quad in quads:
        for turn in (0, 1):
            for block in _blocks(quad, size_px):
                whole = (size_mm[0] * block[0], size_mm[1] * block[1])
                plane = card_homography(np.roll(quad, turn, axis=0), whole)
                off = misfit(plane, size_px)
                if off > _MISFIT:
                    continue
                merit = _alike(plane, all_quads, size_mm) - 4 * off - 0.5 * (block != (1, 1))
                planes.append((merit, plane))
    planes.sort(key=lambda each: -each[0])
    by_quads = _distinct([plane for _, plane in planes], size_mm, size_px)
    agree = max((merit for merit, _ in planes), default=0.0)
    # if several outlines are cards in one plane, no further candidates are needed
    candidates = by_quads if agree >= _ENOUGH else [*by_quads, *_by_lines(view, size_mm, size_px)]
    best: tuple[float, Array, list[Rectangle]] | None = None
    for candidate in candidates:
        plane, rectangles = _joint(candidate, all_quads, size_mm)
        to_view = view.to_straight @ plane
        if len(rectangles) < _ENOUGH or view.left(to_view, rectangles, size_mm):
            rectangles += find_rectangles(view.layers, plane, size_mm, [0.0, np.pi / 2], play_mm=1.6)
        weighed = [replace(one, support=one.support * view.stands_out(to_view, one)) for one in rectangles]
        rectangles = without_overlap([one for one in weighed if one.support > _STANDS_OUT])
        merit = sum(
            merit_of(one.support, area_px(plane, one), view.filled(to_view, one)) for one in rectangles
        )
        if rectangles and (best is None or merit > best[0]):
            best = merit, plane, rectangles
    if best is None:
        return None
    _, plane, rectangles = best
    if len(rectangles) == 1:
        plane, rectangles = _parted(view, plane, rectangles[0])
    return plane, rectangles


def plane_by_cores(
    view: StraightView, cores: Cores, laid: Sequence[CardLattice], size_mm: Size
) -> tuple[Array, list[Rectangle]] | None:
    """Homography (3, 3) from table mm to the view that agrees best with the cores that the network sees, and
    the cards, each placed by itself; None where none agrees.

    Hypotheses are single cores, and cards that are `laid` in columns and rows.
    """
    size_px = (view.lab.shape[1], view.lab.shape[0])
    scored = [_by_cores(each.plane, each.cards, cores) for each in laid]
    for quad in cores.cards:
        for turn in (0, 1):
            plane = card_homography(np.roll(quad, turn, axis=0), size_mm)
            if misfit(plane, size_px) <= _MISFIT_CORE:
                scored.append(_by_cores(plane, [], cores))
    quads = np.array([*cores.cards, *view.blocks()]).reshape(-1, 4, 2)
    for _, plane, _ in sorted(scored, key=lambda each: -each[0])[:_PLANES]:
        joint, found = _joint(plane, quads, size_mm, _JOINT_CORES)
        if len(found) > 1:
            scored.append(_by_cores(joint, found, cores))
    fitted = []
    for _, plane, rectangles in sorted(scored, key=lambda each: -each[0])[:_FITTED]:
        plane, rectangles = cores.fitted(plane, rectangles)
        fitted.append(_by_cores(plane, rectangles, cores))
    best = max(fitted, key=lambda each: each[0], default=None)
    return None if best is None or best[0] < LEAST_AGREEMENT else best[1:]


def plane_of_touching(cores: Cores, laid: Sequence[CardLattice]) -> tuple[Array, list[Rectangle]] | None:
    """Homography (3, 3) from table mm to the view on which touching cards of those `laid` in columns and rows
    agree best with the maps, and those cards; None where there are none."""
    best = best_laid(cores, [each for each in laid if each.gap_mm == 0])
    return None if best is None else (best.plane, [*best.cards])


def _lattices(view: StraightView, cores: Cores, size_mm: Size) -> list[CardLattice]:
    """Hypotheses of cards in columns and rows that a phone may see."""
    size_px = (view.lab.shape[1], view.lab.shape[0])
    found = card_lattices(cores, view.blocks(), size_mm, [gap * min(size_mm) for gap in _GAPS])
    return [each for each in found if misfit(each.plane, size_px) <= _MISFIT_CORE]


def _by_cores(plane: Array, more: Sequence[Rectangle], cores: Cores) -> tuple[float, Array, list[Rectangle]]:
    """Agreement of a plane with the cores, the plane, and its cards: those by their cores, and `more`."""
    rectangles = without_overlap([*more, *cores.on(plane)])
    return cores.agreement(plane, rectangles), plane, rectangles


def _parted(view: StraightView, plane: Array, one: Rectangle) -> tuple[Array, list[Rectangle]]:
    """Split of a rectangle on a plane into touching cards: the plane, and the one card or the several
    cards."""
    width, height = one.size_mm
    block = as_block(view.lab, geometry.apply(plane, one.corners_mm()), one.size_mm)
    if block is None:
        return plane, [one]
    columns, rows, corners = block
    plane = card_homography(corners, (columns * width, rows * height))
    return plane, [
        replace(one, centre_mm=((column + 0.5) * width, (row + 0.5) * height), turn_rad=0.0)
        for row in range(rows)
        for column in range(columns)
    ]


def _by_lines(view: StraightView, size_mm: Size, size_px: tuple[int, int]) -> list[Array]:
    """Plane hypotheses (3, 3), table mm to view pixels, from vanishing points and the scale with most
    rectangles."""
    largest, smallest = 0.95 * min(size_px), max(size_px) / 11
    heights = np.geomspace(smallest, largest, round(np.log(largest / smallest) / _SCALE_STEP))
    planes = []
    for pose in poses_by_lines(view.lab[..., 0]):
        height, merit = best_scale(view.layers, view.unlike, pose, size_mm, list(heights))
        if merit > 0:
            planes.append(pose @ np.diag([height / size_mm[1], height / size_mm[1], 1.0]))
    return planes


def _distinct(planes: Sequence[Array], size_mm: Size, size_px: tuple[int, int]) -> list[Array]:
    kept: list[Array] = []
    for plane in planes:
        if not any(_same_plane(plane, other, size_mm, size_px) for other in kept):
            kept.append(plane)
            if len(kept) == _PLANES:
                break
    return kept


def _blocks(quad: Array, size_px: tuple[int, int]) -> list[tuple[int, int]]:
    """Possible numbers of columns and rows of touching cards within a quadrangle."""
    share = cv2.contourArea(quad.astype(np.float32)) / (size_px[0] * size_px[1])
    if share < 0.06:
        return [(1, 1)]
    return [(1, 1), (2, 1), (1, 2), (2, 2), (3, 1), (1, 3), (3, 2), (2, 3), (3, 3)]


def _alike(plane: Array, quads: Array, size_mm: Size) -> float:
    """Score of a plane: the number of distinct quadrangles (N, 4, 2) that have the card's size on it."""
    middles: list[Array] = []
    for quad in _like_cards(plane, quads, size_mm):
        middle = quad.mean(axis=0)
        if all(np.linalg.norm(middle - each) > 0.5 * min(size_mm) for each in middles):
            middles.append(middle)
    return float(len(middles))


def _like_cards(plane: Array, quads: Array, size_mm: Size) -> Array:
    """Quadrangles (M, 4, 2) in mm on a plane: those of (N, 4, 2) that have the card's size, width first."""
    flat, like = _in_plane(plane, quads, size_mm)
    return np.asarray(flat[like])


def _in_plane(
    plane: Array, quads: Array, size_mm: Size, most_unlike: float = _LIKE
) -> tuple[Array, NDArray[np.bool_]]:
    """Quadrangles (N, 4, 2) in mm on a plane, and a mask (N,) of those with the card's size.

    Those with the card's size have their width first.
    """
    flat = geometry.apply(np.asarray(np.linalg.inv(plane), np.float64), quads)
    sides = np.linalg.norm(np.roll(flat, -1, axis=1) - flat, axis=2)
    across = np.linalg.norm(flat[:, [2, 3]] - flat[:, [0, 1]], axis=2) / np.hypot(*size_mm)
    width, height = size_mm
    one = np.abs(np.log(sides / np.array([width, height, width, height]))).max(axis=1)
    other = np.abs(np.log(sides / np.array([height, width, height, width]))).max(axis=1)
    like = (np.minimum(one, other) < most_unlike) & (np.abs(np.log(across)).max(axis=1) < most_unlike)
    return np.where((other < one)[:, None, None], np.roll(flat, -1, axis=1), flat), like


def _joint(
    plane: Array, quads: Array, size_mm: Size, tolerances: Sequence[float] = _JOINT
) -> tuple[Array, list[Rectangle]]:
    """Plane refined so that most quadrangles (N, 4, 2) are cards, starting from one quadrangle's plane; with
    their rectangles."""
    for most_unlike in tolerances:
        flat, like = _in_plane(plane, quads, size_mm, most_unlike)
        found = {}
        for quad in flat[like]:
            along = quad[1] - quad[0] + quad[2] - quad[3]
            centre = quad.mean(axis=0)
            turn = float(np.arctan2(along[1], along[0]))
            one = Rectangle((float(centre[0]), float(centre[1])), turn, size_mm, _CLOSED)
            off = float(np.linalg.norm(quad - one.corners_mm(), axis=1).max()) / max(size_mm)
            found[replace(one, support=_CLOSED * (1 - off))] = quad
        kept = without_overlap([*found])
        if len(kept) < 2:
            return plane, kept
        placed = [TablePose(k, one.centre_mm, one.turn_rad, one.size_mm) for k, one in enumerate(kept)]
        at_px = [geometry.apply(plane, found[one]) for one in kept]
        fitted = fit_plane(plane, placed, [geometry.rectangle(*size_mm)] * len(kept), at_px)
        plane = fitted.table_to_photo
    return plane, [
        replace(one, centre_mm=place.centre_mm, turn_rad=place.turn_rad)
        for one, place in zip(kept, fitted.placed, strict=True)
    ]


def _same_plane(one: Array, other: Array, size_mm: Size, size_px: tuple[int, int]) -> bool:
    """Whether two planes give about the same scale to a card in the middle of the picture."""
    middle: Array = np.asarray(np.array([size_px]) / 2, np.float64)
    scales = [
        np.linalg.svd(geometry.jacobian(np.asarray(np.linalg.inv(each)), middle)[0], compute_uv=False)
        for each in (one, other)
    ]
    return bool(np.abs(np.log(scales[0] / scales[1])).max() < _SAME_SCALE)


# --- blocks of touching cards -------------------------------------------------------------------------------

#: Largest difference (logarithm) between the block's aspect ratio and the expected one.
_LIKE_BLOCK = 0.06
#: Least number of seams of a block: one or two printed lines may pass for seams.
_SEAMS = 3
#: Longer side (px) of the rectified picture; largest offset of a seam from its expected position (share of
#: the side); largest difference (px) between the offsets of the seams; and least strength of a seam's edge
#: along most of its length, relative to the 90 % quantile of all lines. The weakest seam of a block of 4 x 2
#: cards has 2.6 (`tuning`, one photo); of 638 single faces of eight sets none passes except a whole board of
#: 25 squares.
_SIDE_PX, _NEAR, _APART_PX, _SEAM = 352, 0.035, 4.0, 2.0


def as_block(lab: NDArray[np.uint8], quad: Array, size_mm: Size) -> tuple[int, int, Array] | None:
    """Number of columns and rows of upright touching cards in a quadrangle (4, 2), with the block's corners;
    None if one card.

    `size_mm` is the size of one card. The picture is (H, W, 3) uint8 CIE L*a*b*.
    """
    width, height = size_mm
    found: tuple[int, int, Array] | None = None
    for turn in (0, 1):
        # the quadrangle is given as a card, width first; as a block it may be rotated by a quarter turn
        wide, high = (width, height) if turn == 0 else (height, width)
        for columns in range(1, MOST_IN_ROW + 1):
            for rows in range(1, MOST_IN_ROW + 1):
                shape = np.log(columns * width / (rows * height)) - np.log(wide / high)
                if columns + rows - 2 < _SEAMS or abs(float(shape)) > _LIKE_BLOCK:
                    continue
                corners = np.roll(quad, -turn, axis=0)
                # a block with fewer cards may have a subset of the seams of this one
                if found is not None and columns * rows <= found[0] * found[1]:
                    continue
                pose, face = _cut(lab, corners, wide / high)
                seams = _seams(face, columns, rows)
                strong = min(each for each, _ in seams[0] + seams[1]) > _SEAM
                if strong and all(_together(each) for each in seams):
                    off = [float(np.median([away for _, away in each] or [0.0])) for each in seams]
                    flat = geometry.apply(pose, corners) + np.array(off)
                    found = columns, rows, geometry.apply(np.asarray(np.linalg.inv(pose)), flat)
    return found


def _together(seams: list[tuple[float, float]]) -> bool:
    """Whether all seams have about the same offset from their expected positions."""
    away = [each for _, each in seams]
    return not away or max(away) - min(away) <= _APART_PX


def _cut(lab: NDArray[np.uint8], corners: Array, ratio: float) -> tuple[Array, NDArray[np.float32]]:
    """Homography (3, 3) from the picture to the rectified area within the corners, and that rectified
    picture."""
    wide = round(_SIDE_PX * min(1.0, ratio))
    high = round(_SIDE_PX * min(1.0, 1 / ratio))
    flat = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    pose = np.asarray(cv2.getPerspectiveTransform(corners.astype(np.float32), flat), np.float64)
    face = cv2.warpPerspective(lab, pose, (wide, high), flags=cv2.INTER_AREA)
    return pose, np.asarray(cv2.GaussianBlur(face, (0, 0), 1.0), np.float32)


def _seams(
    face: NDArray[np.float32], columns: int, rows: int
) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
    """Seams between columns, and between rows: for each its relative edge strength and its offset in px.

    The strength is relative to other lines across the face. The offset is from the expected position.
    """
    across = np.median(np.abs(face[:, 2:] - face[:, :-2]).sum(axis=2), axis=0)
    down = np.median(np.abs(face[2:] - face[:-2]).sum(axis=2), axis=1)
    found: list[list[tuple[float, float]]] = []
    for lines, parts in ((across, columns), (down, rows)):
        count = len(lines)
        within = lines[round(0.05 * count) : round(0.95 * count)]
        usual = max(float(np.percentile(within, 90)), 1.0)
        near = round(_NEAR * count)
        own = []
        for k in range(1, parts):
            at = round(k / parts * count)
            beside = lines[at - near : at + near + 1]
            own.append((float(beside.max()) / usual, float(beside.argmax() - near)))
        found.append(own)
    return found[0], found[1]
