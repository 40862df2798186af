"""The table's frame: verified cards -> tableau, its axes and origin, poses snapped to neighbours, and doubts.

The largest group of touching cards is the tableau. The frame is rotated so that its cards have allowed
rotations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.adjacency import (
    cells_in_line,
    extent,
    off_quarter,
    quarter_of,
    snap,
    touching_groups,
    touching_side,
)
from vision.cards.hypotheses import Candidate
from vision.cards.identify import Rivals, name
from vision.cards.index import CardIndex
from vision.cards.layout import CardDoubt, Layout
from vision.cards.neighbour_search import beside_gaps
from vision.cards.pose import LayoutCard, TablePose, corners_of
from vision.photo import geometry
from vision.photo.decode import Photo

Array = NDArray[np.float64]

#: Another group with at most this many cards fewer than the largest group (and at least two) may be the
#: intended tableau, unless it is farther from the picture's middle by this share of the diagonal. Of 135
#: photos of `tuning-evening`, hard and wild, five had such a group, complete and with a line, 0.16 to 0.24
#: farther: none was intended.
GROUP_LESS, GROUP_ASIDE = 1, 0.13
#: Tableaus are usually centred (316 photos of `tuning-evening`: up to 0.11 from the middle). If the largest
#: group is farther from the middle than the first share, any other card closer than it by the second share
#: may be the rest of the intended tableau. Two or more such cards within the third share are taken as the
#: tableau, and a question is asked about the largest group, which may be a neighbour's.
OFF_MIDDLE, NEARER_MIDDLE, IN_MIDDLE = 0.15, 0.1, 0.11


def lay_out(
    judged: Sequence[tuple[Candidate, Rivals]], table_to_photo: Array, photo: Photo, index: CardIndex
) -> Layout:
    """Layout of the tableau: choose its group of cards, turn the frame to their axes, snap them, and collect
    doubts."""
    found = [candidate for candidate, _ in judged]
    groups = touching_groups([candidate.placed for candidate in found])
    largest, rival = _tableau_of(groups, found, table_to_photo, photo)
    turn = _frame_turn([found[i].placed for i in largest], table_to_photo, index)
    frame = geometry.similarity(turn, np.zeros(2))
    to_frame = np.asarray(np.linalg.inv(frame), np.float64)
    placed = []
    for candidate in found:
        x, y = geometry.apply(to_frame, np.asarray(candidate.placed.centre_mm))
        at = float(x), float(y)
        placed.append(replace(candidate.placed, centre_mm=at, turn_rad=candidate.placed.turn_rad - turn))
    if index.neighbours.laying.grid is not None:
        largest, centres, to_table = cells_in_line(placed, index.neighbours.cell_mm)
    else:
        centres = snap(placed, index.neighbours.shifts)
        to_table = _closed_up([placed[i] for i in largest], centres[largest])
    corner = centres - np.array([extent(one.turn_rad, one.size_mm) for one in placed]) / 2
    order = sorted(largest, key=lambda i: (round(corner[i, 0] / 10), corner[i, 1]))
    origin = corner[order[0]]
    usual = float(np.median([candidate.likeness for candidate in found]))

    def pose(i: int, confidence: float) -> LayoutCard:
        aligned = found[i].aligned
        assert aligned is not None
        return LayoutCard(
            card=index.ids[placed[i].card],
            rotation=90 * quarter_of(placed[i].turn_rad),
            x_mm=round(float(corner[i, 0] - origin[0]), 2),
            y_mm=round(float(corner[i, 1] - origin[1]), 2),
            card_to_photo=aligned.card_to_photo,
            corners=corners_of(geometry.apply(aligned.card_to_photo, geometry.rectangle(*placed[i].size_mm))),
            confidence=confidence,
        )

    poses, doubts = [], []
    for number, i in enumerate(order):
        naming = name(*judged[i], usual, index)
        poses.append(pose(i, naming.confidence))
        if naming.options:
            doubts.append(CardDoubt(number, naming.options, naming.reason))
    apart = [i for i in range(len(found)) if i not in largest]
    if index.neighbours.laying.grid is None:
        gaps = beside_gaps([placed[i] for i in order], [placed[i] for i in apart], index)
        doubts += [CardDoubt(i, (poses[i].card,), "gap") for i in gaps]
        if rival:
            corners = np.concatenate([outline_px(found[i].placed, table_to_photo) for i in rival])
            low, high = corners.min(axis=0), corners.max(axis=0)
            around = geometry.rectangle(*(high - low)) + low
            doubts.append(CardDoubt(0, (poses[0].card,), "group", around))
    others = [pose(i, name(*judged[i], usual, index).confidence) for i in apart]
    to_photo = table_to_photo @ frame @ to_table @ geometry.similarity(0.0, origin)
    return Layout(tuple(poses), to_photo, tuple(others), tuple(doubts))


def _tableau_of(
    groups: Sequence[list[int]], found: Sequence[Candidate], table_to_photo: Array, photo: Photo
) -> tuple[list[int], list[int]]:
    """The group of cards that is the tableau, and another group that may be it as well, if there is one.

    The largest group is taken, and of equally large ones the most central. A group far from the middle is not
    taken where another lies in the middle.
    """
    middle, diagonal = np.array([photo.width, photo.height]) / 2, float(np.hypot(photo.width, photo.height))

    def aside(group: list[int]) -> float:
        centres = geometry.apply(table_to_photo, np.array([found[i].placed.centre_mm for i in group]))
        return float(np.linalg.norm(centres.mean(axis=0) - middle)) / diagonal

    ranked = sorted(groups, key=lambda group: (-len(group), aside(group)))
    first = ranked[0]
    if aside(first) > OFF_MIDDLE:
        bound = min(IN_MIDDLE, aside(first) - NEARER_MIDDLE)
        central = [group for group in ranked[1:] if len(group) > 1 and aside(group) < bound]
        if central:
            return central[0], first
    near = (
        group
        for group in ranked[1:]
        if (len(group) >= max(2, len(first) - GROUP_LESS) and aside(group) < aside(first) + GROUP_ASIDE)
        or (aside(first) > OFF_MIDDLE and aside(group) < aside(first) - NEARER_MIDDLE)
    )
    return first, next(near, [])


def _closed_up(placed: Sequence[TablePose], centres: Array) -> Array:
    """Homography (3, 3) from a table with the cards at `centres` (N, 2), along its axes, to the table as
    measured."""
    corners, measured = [], []
    for one, centre in zip(placed, centres, strict=True):
        lies = TablePose(one.card, (centre[0], centre[1]), quarter_of(one.turn_rad) * np.pi / 2, one.size_mm)
        face = geometry.rectangle(*one.size_mm)
        corners.append(geometry.apply(lies.to_table(), face))
        measured.append(geometry.apply(one.to_table(), face))
    solved, _ = cv2.findHomography(np.concatenate(corners), np.concatenate(measured))
    return np.asarray(solved, np.float64)


def _frame_turn(placed: Sequence[TablePose], table_to_photo: Array, index: CardIndex) -> float:
    """Rotation of the table's frame, in radians, in which the most cards have allowed rotations.

    Among equals, the most cards with restricted rotations are upright; then the frame is upright in the
    photo.
    """
    off = [off_quarter(card.turn_rad - placed[0].turn_rad) for card in placed]
    along = placed[0].turn_rad + float(np.mean(off))
    quarters = [quarter_of(card.turn_rad - along) for card in placed]
    middle = np.mean([card.centre_mm for card in placed], axis=0)
    slope = geometry.jacobian(table_to_photo, middle[None])[0]

    ways = [index.rotations[card.card] for card in placed]

    def merit(quarter: int) -> tuple[int, int, float]:
        turn = along + quarter * np.pi / 2
        down = slope @ np.array([-np.sin(turn), np.cos(turn)])
        lying = [(90 * (mine - quarter) % 360, way) for mine, way in zip(quarters, ways, strict=True)]
        allowed = sum(rotation in way for rotation, way in lying)
        upright = sum(rotation == 0 and len(way) < 4 for rotation, way in lying)
        return allowed, upright, float(down[1])

    return along + max(range(4), key=merit) * np.pi / 2


def with_strangers(
    layout: Layout,
    found: Sequence[Candidate],
    strange: Sequence[tuple[TablePose, Array, str]],
    index: CardIndex,
) -> Layout:
    """The layout with a doubt added for each unidentified place that touches its tableau.

    Each place has its pose on the plane of `found`, its outline (4, 2) in the photo, and the reason.
    """
    places = {id(one.aligned.card_to_photo): one.placed for one in found if one.aligned is not None}
    tableau, others = (
        [places[id(pose.card_to_photo)] for pose in poses] for poses in (layout.poses, layout.others)
    )
    doubts = list(layout.doubts)
    for place, corners, reason in strange:
        beside = [i for i, one in enumerate(tableau) if touching_side(place, one) is not None]
        if beside:
            read = layout.poses[beside[0]].card
            sighted = index.ids[place.card] if reason == "cut-off" else ""
            doubts.append(CardDoubt(beside[0], (read,), reason, corners, sighted))
    # With its unknown cards another group may be the largest; if the groups are separate, the question about
    # one of them suffices.
    parted = any(doubt.reason in ("gap", "stranger", "group") for doubt in doubts)
    unnamed = [(place, corners) for place, corners, reason in strange if reason == "stranger" and not parted]
    for group in touching_groups([*others, *(place for place, _ in unnamed)]):
        asked = [i - len(others) for i in group if i >= len(others)]
        if len(asked) < len(group) >= max(2, len(tableau)) and asked:
            doubts.append(CardDoubt(0, (layout.poses[0].card,), "group", unnamed[asked[0]][1]))
            break
    return replace(layout, doubts=tuple(doubts))


def outline_px(placed: TablePose, table_to_photo: Array) -> Array:
    """Corners (4, 2) of a card's footprint, in photo pixels."""
    face = geometry.rectangle(*placed.size_mm)
    return geometry.apply(table_to_photo @ placed.to_table(), face)
