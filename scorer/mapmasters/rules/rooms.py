"""Geometry of rooms: their finds, visits as chords between doors, and whether two visits cross."""

from __future__ import annotations

import math
from collections.abc import Sequence

from scorer.catalogue import Point
from scorer.dungeon import Dungeon, Place

#: Two doors by their places along a room's wall, mm; the lower first.
Chord = tuple[float, float]


def finds_in(dungeon: Dungeon, room: str) -> list[Place]:
    """The finds that lie in `room`, as declared on its card."""
    places = dungeon.places
    return [found for link in dungeon.neighbours[room] if (found := places[link.b]).kind == "room_find"]


def along_outline(outline_mm: Sequence[Point], point_mm: Point) -> float:
    """Arc length in mm from the outline's first corner to its point nearest to `point_mm`."""
    best_gap, best_length, walked = math.inf, 0.0, 0.0
    for (x0, y0), (x1, y1) in zip(outline_mm, (*outline_mm[1:], outline_mm[0]), strict=True):
        dx, dy = x1 - x0, y1 - y0
        length = math.hypot(dx, dy)
        if length == 0:
            continue
        share = ((point_mm[0] - x0) * dx + (point_mm[1] - y0) * dy) / (length * length)
        share = min(1.0, max(0.0, share))
        gap = math.hypot(x0 + share * dx - point_mm[0], y0 + share * dy - point_mm[1])
        if gap < best_gap - 1e-9:
            best_gap, best_length = gap, walked + share * length
        walked += length
    return best_length


def chord(room: Place, entered: Place, left: Place) -> Chord:
    """A visit between two doors as a chord: their arc lengths along the wall, the smaller first."""
    a, b = (along_outline(room.outline_mm, door.at_mm) for door in (entered, left))
    return (a, b) if a < b else (b, a)


def visits_cross(first: Chord, second: Chord) -> bool:
    """Whether two chords intersect: their ends alternate along the wall.

    Any two curves in a disc whose ends alternate on its rim meet (Jordan); otherwise they can be drawn apart.
    """
    low, high = first
    return (low < second[0] < high) != (low < second[1] < high)
