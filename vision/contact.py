"""Contact between cards on the table: which footprints overlap, which touch, and the groups this makes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vision.neighbours import Size
from vision.plane import Placed

Array = NDArray[np.float64]

# Hands and cameras are so exact whatever the size of a piece; measured on cards of 63 x 88 mm in renders.

#: Cards may be pushed over each other by this much and still lie side by side.
OVERLAP_MM = 5.0
#: A gap up to this still touches: cards in sleeves lie 3 to 4 mm apart, hands leave up to 6; measuring adds.
TOUCH_MM = 7.0
#: Neighbours share at least this much of an edge; corners that meet are no contact.
SHARED_EDGE_MM = 5.0
#: Cards of one tableau are turned against each other by no more than this.
ALIGNED_DEG = 8.0
#: Contact is believed this many times more than a measured place: a gap is bow, measuring, a sleeve, a hand.
CONTACT_TRUST = 30.0
#: Along the edge that they share, neighbours this near to where they may lie were meant to lie there.
ALONG_MM = 5.0


def quarter_of(turn_rad: float) -> int:
    """The nearest quarter turn, 0 to 3."""
    return round(turn_rad / (math.pi / 2)) % 4


def off_quarter(turn_rad: float) -> float:
    """What a turn has more than the nearest quarter turn, in radians."""
    return turn_rad - round(turn_rad / (math.pi / 2)) * math.pi / 2


def extent(turn_rad: float, size_mm: Size) -> Size:
    """Width and height of a footprint turned to the nearest quarter."""
    return (size_mm[1], size_mm[0]) if quarter_of(turn_rad) % 2 else size_mm


def collide(one: Placed, other: Placed) -> bool:
    """Whether two footprints overlap too deeply for cards that lie side by side, whatever their turns.

    Separating axes: rectangles are apart by the widest gap along the sides of either.
    """
    x, y = other.centre_mm[0] - one.centre_mm[0], other.centre_mm[1] - one.centre_mm[1]
    # asked very often: plain numbers
    reach = reach_of(one.size_mm, other.size_mm)
    if abs(x) > reach or abs(y) > reach or math.hypot(x, y) > reach:
        return False
    turn = other.turn_rad - one.turn_rad
    cos, sin = abs(math.cos(turn)), abs(math.sin(turn))
    widest = -math.inf
    for card, beside in ((one, other), (other, one)):
        (width, height), (wide, high) = card.size_mm, beside.size_mm
        across, down = math.cos(card.turn_rad), math.sin(card.turn_rad)
        widest = max(
            widest,
            abs(x * across + y * down) - (width + cos * wide + sin * high) / 2,
            abs(y * across - x * down) - (height + sin * wide + cos * high) / 2,
        )
    return widest < -OVERLAP_MM


@lru_cache(maxsize=64)
def reach_of(one: Size, other: Size) -> float:
    """How far apart (mm) the middles of two footprints are at most that have a point in common."""
    return (math.hypot(*one) + math.hypot(*other)) / 2


def gaps(one: Placed, other: Placed) -> tuple[float, float] | None:
    """Free space in mm between two aligned footprints along the first one's axes, negative where they
    overlap.

    None for cards that are not aligned.
    """
    if abs(off_quarter(one.turn_rad - other.turn_rad)) > math.radians(ALIGNED_DEG):
        return None
    # asked very often: plain numbers
    frame = off_quarter(one.turn_rad)
    x, y = other.centre_mm[0] - one.centre_mm[0], other.centre_mm[1] - one.centre_mm[1]
    along = abs(math.cos(frame) * x + math.sin(frame) * y)
    down = abs(math.cos(frame) * y - math.sin(frame) * x)
    mine = extent(one.turn_rad - frame, one.size_mm)
    theirs = extent(other.turn_rad - frame, other.size_mm)
    return along - (mine[0] + theirs[0]) / 2, down - (mine[1] + theirs[1]) / 2


def touching_side(one: Placed, other: Placed) -> int | None:
    """0 where two cards touch side by side, 1 where one touches the other from above or below, else None."""
    # most cards of a table are far from each other
    x, y = other.centre_mm[0] - one.centre_mm[0], other.centre_mm[1] - one.centre_mm[1]
    if max(abs(x), abs(y)) > reach_of(one.size_mm, other.size_mm) + TOUCH_MM:
        return None
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


def spacing(placed: Sequence[Placed]) -> float | None:
    """The gap in mm that cards which touch leave on the median, as sleeves do; None where none touch."""
    free = [
        max(apart[axis], 0.0)
        for i, one in enumerate(placed)
        for other in placed[:i]
        if (axis := touching_side(one, other)) is not None and (apart := gaps(one, other)) is not None
    ]
    return float(np.median(free)) if free else None


def snap(placed: Sequence[Placed], shifts: Callable[[Size, Size], Array]) -> Array:
    """(N, 2) centres in mm of cards along the frame's axes, without the gaps that sleeves and hands leave.

    Edges that touch are drawn together, and along them neighbours to the nearest of `shifts` (mm from centre
    to centre, for two footprints) where they lie near one. Least squares: every measured place counts once,
    every contact `CONTACT_TRUST` squared times.
    """
    measured = np.array([card.centre_mm for card in placed], float).reshape(-1, 2)
    gap = spacing(placed) or 0.0
    rows: list[list[Array]] = [[np.eye(len(placed))], [np.eye(len(placed))]]
    values: list[list[Array]] = [[measured[:, 0]], [measured[:, 1]]]
    for i, one in enumerate(placed):
        for j, other in enumerate(placed[:i]):
            side = touching_side(one, other)
            if side is None:
                continue
            away = _meant(side, one, other, measured[i] - measured[j], gap, shifts)
            for axis in (0, 1):
                row = np.zeros((1, len(placed)))
                row[0, i], row[0, j] = CONTACT_TRUST, -CONTACT_TRUST
                rows[axis].append(row)
                values[axis].append(np.array([CONTACT_TRUST * away[axis]]))
    solved = [
        np.linalg.lstsq(np.vstack(rows[axis]), np.concatenate(values[axis]), rcond=None)[0] for axis in (0, 1)
    ]
    return np.column_stack(solved)


def _meant(
    side: int, one: Placed, other: Placed, away: Array, gap: float, shifts: Callable[[Size, Size], Array]
) -> Array:
    """(2,) mm from the centre of `other` to that of `one`, which touches it on a side, as they were meant."""
    mine, theirs = extent(one.turn_rad, one.size_mm), extent(other.turn_rad, other.size_mm)
    along = (mine[1 - side] + theirs[1 - side]) / 2
    meant = np.empty(2)
    meant[side] = (mine[side] + theirs[side]) / 2 * np.sign(away[side])
    # In sleeves a shift by half a card is one by half a sleeve.
    meant[1 - side] = away[1 - side] * along / (along + gap)
    lawful = shifts(theirs, mine)
    lawful = lawful[np.abs(lawful[:, side] - meant[side]) < 1.0, 1 - side]
    if len(lawful):
        nearest = float(lawful[np.abs(lawful - meant[1 - side]).argmin()])
        if abs(nearest - meant[1 - side]) < ALONG_MM:
            meant[1 - side] = nearest
    return meant
