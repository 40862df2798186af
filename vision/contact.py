"""Contact between cards on the table: which footprints overlap, which touch, and the groups this makes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.neighbours import Size
from vision.plane import Placed

Array = NDArray[np.float64]

# Hands and cameras are so exact whatever the size of a piece; measured on cards of 63 x 88 mm in renders.

#: Cards may be pushed over each other by this much and still lie side by side.
OVERLAP_MM = 5.0
#: A gap up to this still touches: the 1.5 mm of `scorer.placement`, and what a bowed card and measuring add.
TOUCH_MM = 3.0
#: Neighbours share at least this much of an edge; corners that meet are no contact.
SHARED_EDGE_MM = 5.0
#: Cards of one tableau are turned against each other by no more than this.
ALIGNED_DEG = 8.0
#: Contact is believed this many times more than a measured place: a gap is mostly bow and measuring.
CONTACT_TRUST = 4.0


def quarter_of(turn_rad: float) -> int:
    """The nearest quarter turn, 0 to 3."""
    return round(turn_rad / (np.pi / 2)) % 4


def off_quarter(turn_rad: float) -> float:
    """What a turn has more than the nearest quarter turn, in radians."""
    return turn_rad - round(turn_rad / (np.pi / 2)) * np.pi / 2


def extent(turn_rad: float, size_mm: Size) -> Size:
    """Width and height of a footprint turned to the nearest quarter."""
    return (size_mm[1], size_mm[0]) if quarter_of(turn_rad) % 2 else size_mm


def collide(one: Placed, other: Placed) -> bool:
    """Whether two footprints overlap too deeply for cards that lie side by side, whatever their turns.

    Separating axes: rectangles are apart by the widest gap along the sides of either.
    """
    apart = np.asarray(other.centre_mm) - one.centre_mm
    if float(np.hypot(*apart)) > (np.hypot(*one.size_mm) + np.hypot(*other.size_mm)) / 2:
        return False
    widest = -np.inf
    for turn in (one.turn_rad, other.turn_rad):
        for axis in (turn, turn + np.pi / 2):
            direction = np.array([np.cos(axis), np.sin(axis)])
            reach = sum(_reach(card.turn_rad - axis, card.size_mm) for card in (one, other))
            widest = max(widest, float(abs(apart @ direction)) - reach)
    return bool(widest < -OVERLAP_MM)


def gaps(one: Placed, other: Placed) -> tuple[float, float] | None:
    """Free space in mm between two aligned footprints along the first one's axes, negative where they
    overlap.

    None for cards that are not aligned.
    """
    if abs(off_quarter(one.turn_rad - other.turn_rad)) > np.radians(ALIGNED_DEG):
        return None
    frame = off_quarter(one.turn_rad)
    x, y = np.asarray(other.centre_mm) - one.centre_mm
    along = abs(np.cos(frame) * x + np.sin(frame) * y)
    down = abs(np.cos(frame) * y - np.sin(frame) * x)
    mine = extent(one.turn_rad - frame, one.size_mm)
    theirs = extent(other.turn_rad - frame, other.size_mm)
    return float(along - (mine[0] + theirs[0]) / 2), float(down - (mine[1] + theirs[1]) / 2)


def touching_side(one: Placed, other: Placed) -> int | None:
    """0 where two cards touch side by side, 1 where one touches the other from above or below, else None."""
    free = gaps(one, other)
    if free is None:
        return None
    for axis in (0, 1):
        if free[axis] <= TOUCH_MM and free[1 - axis] <= -SHARED_EDGE_MM and free[axis] >= free[1 - axis]:
            return axis
    return None


def touching_groups(placed: Sequence[Placed]) -> list[list[int]]:
    """Indices of cards that touch along edges, group by group."""
    left = set(range(len(placed)))
    groups = []
    while left:
        group: list[int] = []
        edge = [left.pop()]
        while edge:
            one = edge.pop()
            group.append(one)
            near = [i for i in left if touching_side(placed[one], placed[i]) is not None]
            left.difference_update(near)
            edge += near
        groups.append(sorted(group))
    return groups


def snap(placed: Sequence[Placed]) -> Array:
    """(N, 2) centres in mm of cards along the frame's axes, drawn towards exact contact of the edges that
    touch.

    Least squares: every measured place counts once, every contact `CONTACT_TRUST` squared times.
    """
    measured = np.array([card.centre_mm for card in placed], float).reshape(-1, 2)
    snapped = np.empty_like(measured)
    for axis in (0, 1):
        rows, values = [np.eye(len(placed))], [measured[:, axis]]
        for i, one in enumerate(placed):
            for j, other in enumerate(placed[:i]):
                if touching_side(one, other) != axis:
                    continue
                mine = extent(one.turn_rad, one.size_mm)[axis]
                apart = (mine + extent(other.turn_rad, other.size_mm)[axis]) / 2
                row = np.zeros((1, len(placed)))
                row[0, i], row[0, j] = CONTACT_TRUST, -CONTACT_TRUST
                rows.append(row)
                values.append(
                    np.array([CONTACT_TRUST * apart * np.sign(measured[i, axis] - measured[j, axis])])
                )
        snapped[:, axis] = np.linalg.lstsq(np.vstack(rows), np.concatenate(values), rcond=None)[0]
    return snapped


def _reach(turn_rad: float, size_mm: Size) -> float:
    """How far a footprint reaches from its centre along an axis to which it is turned by `turn_rad`."""
    return float(abs(np.cos(turn_rad)) * size_mm[0] + abs(np.sin(turn_rad)) * size_mm[1]) / 2
