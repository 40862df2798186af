"""Walks: the chosen links strung together to strokes, as the pen drew them.

At a place where the line passes more than once, ways are paired by the pen's habit of going straight on; in a
room by the ink itself (`vision.room_lines`). What is left unpaired is an end of a stroke.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scorer.dungeon import Dungeon, Place
from vision import tuning
from vision.drawing_style import style_of
from vision.habits import habits_of
from vision.link_evidence import LinkEvidence
from vision.map_matching import Matching
from vision.room_lines import RoomReader

Array = NDArray[np.float64]

#: So many lines that meet are paired in every way: 764 ways, or 105 where each goes on.
_MOST_ARMS = 8


@dataclass(frozen=True)
class Stroke:
    """One stroke: its places in drawing order (either way round) and (N, 2) table mm along the ink."""

    places: tuple[str, ...]
    line_mm: Array

    def reversed(self) -> Stroke:
        return Stroke(self.places[::-1], self.line_mm[::-1])


@dataclass(frozen=True)
class _Way:
    """One walked link; `at[0]` and `at[1]` are its places."""

    link: int
    at: tuple[str, str]
    line_mm: Array


@dataclass(frozen=True)
class Junction:
    """A place where pairing was a choice: by how much (cost) the best pairing wins over each of the others,
    nearest first. `cut_off` where more lines meet than are paired.
    """

    place: str
    margins: tuple[float, ...]
    cut_off: bool = False


def strokes_of(
    rooms: RoomReader,
    dungeon: Dungeon,
    evidence: Sequence[LinkEvidence],
    matching: Matching,
    *,
    choice: tuple[str, int] = ("", 0),
) -> tuple[tuple[Stroke, ...], tuple[Junction, ...]]:
    """The strokes that walk the chosen links, and the places where it was a choice how to string them.

    `choice` names a place and which of its pairings is taken there: 0 is the best.
    """
    ways = [
        _Way(i, (dungeon.links[i].a, dungeon.links[i].b), evidence[i].line_mm)
        for i, times in enumerate(matching.times)
        for _ in range(times)
    ]
    around: dict[str, list[tuple[int, int]]] = {}
    for w, way in enumerate(ways):
        around.setdefault(way.at[0], []).append((w, 0))
        around.setdefault(way.at[1], []).append((w, 1))
    partner: dict[tuple[int, int], tuple[int, int]] = {}
    inside: dict[tuple[tuple[int, int], tuple[int, int]], Array] = {}
    junctions = []
    corridor_mm = style_of(dungeon.catalogue).corridor_mm
    for place_id, arms in around.items():
        place = dungeon.places[place_id]
        rank = choice[1] if place_id == choice[0] else 0
        if place_id in dungeon.open_openings:
            # nothing goes on beyond the outer edge: a line may begin and end at one opening
            continue
        if place.kind == "room":
            pairs, margins, curves = _pair_in_room(rooms, dungeon, place, arms, ways, rank)
            inside.update(curves)
        else:
            pairs, margins = _pair_straight(arms, ways, rank, corridor_mm)
        if margins:
            junctions.append(Junction(place_id, margins, len(arms) > _MOST_ARMS))
        for one, other in pairs:
            partner[one], partner[other] = other, one
    traces = list(_traces(ways, partner))
    strokes = [_stroke(trace, ways, inside) for trace in traces]
    if len(strokes) > 1:
        strokes = [with_carriers(rooms, dungeon, stroke) for stroke in strokes]
    return tuple(strokes), tuple(junctions)


def _traces(
    ways: Sequence[_Way], partner: dict[tuple[int, int], tuple[int, int]]
) -> Iterator[list[tuple[int, int]]]:
    """Chains of (way, arm by which it is entered), ends first, then closed rings."""
    used: set[int] = set()
    starts = [(w, arm) for w in range(len(ways)) for arm in (0, 1) if (w, arm) not in partner]
    for start in starts + [(w, 0) for w in range(len(ways))]:
        if start[0] in used:
            continue
        trace, here = [], start
        while here[0] not in used:
            used.add(here[0])
            trace.append(here)
            out = (here[0], 1 - here[1])
            if out not in partner:
                break
            here = partner[out]
        yield trace


def _stroke(
    trace: Sequence[tuple[int, int]],
    ways: Sequence[_Way],
    inside: dict[tuple[tuple[int, int], tuple[int, int]], Array],
) -> Stroke:
    places: list[str] = []
    lines: list[Array] = []
    for k, (w, arm) in enumerate(trace):
        way = ways[w]
        if k == 0:
            places.append(way.at[arm])
        places.append(way.at[1 - arm])
        line = way.line_mm if arm == 0 else way.line_mm[::-1]
        if k and (curve := inside.get(((trace[k - 1][0], 1 - trace[k - 1][1]), (w, arm)))) is not None:
            lines.append(curve)
        lines.append(line)
    return Stroke(tuple(places), np.concatenate(lines))


def _heading(line: Array, corridor_mm: float) -> Array | None:
    """Unit vector in which a line leaves its first point, or None when it is too short to tell."""
    distance = np.linalg.norm(line - line[0], axis=1)
    if distance.max() < 2.0:
        return None
    near = line[int(np.argmax(distance >= min(tuning.HEADING[0] * corridor_mm, distance.max() / 3)))]
    far = line[int(np.argmax(distance >= min(tuning.HEADING[1] * corridor_mm, distance.max())))]
    step = far - near
    return np.asarray(step / max(float(np.linalg.norm(step)), 1e-9))


def _pairings(arms: Sequence[int]) -> Iterator[list[tuple[int, int]]]:
    """All ways to pair up arms; with an odd number one is left over."""
    if len(arms) < 2:
        yield []
        return
    if len(arms) % 2:
        for k in range(len(arms)):
            yield from _pairings([*arms[:k], *arms[k + 1 :]])
        return
    first, rest = arms[0], arms[1:]
    for k, other in enumerate(rest):
        for more in _pairings([*rest[:k], *rest[k + 1 :]]):
            yield [(first, other), *more]


def _pair_straight(
    arms: Sequence[tuple[int, int]], ways: Sequence[_Way], rank: int, corridor_mm: float
) -> tuple[list[tuple[tuple[int, int], tuple[int, int]]], tuple[float, ...]]:
    """Pair the arms at a plain place by the least turning; the margins to the other pairings, if any."""
    if len(arms) < 3:
        return ([(arms[0], arms[1])] if len(arms) == 2 else []), ()
    headings = [
        _heading(ways[w].line_mm if arm == 0 else ways[w].line_mm[::-1], corridor_mm)
        for w, arm in arms[:_MOST_ARMS]
    ]
    scored = []
    for pairing in _pairings(range(len(headings))):
        cost = 0.0
        for i, j in pairing:
            u, v = headings[i], headings[j]
            if u is None or v is None:
                cost += 0.5
                continue
            turn = math.pi - math.acos(float(np.clip(u @ v, -1, 1)))
            cost += (turn / (math.pi / 2)) ** 2 + (4.0 if arms[i][0] == arms[j][0] else 0.0)
        scored.append((cost, pairing))
    scored.sort(key=lambda entry: entry[0])
    margins = tuple(cost - scored[0][0] for cost, _ in scored[1:])
    return [(arms[i], arms[j]) for i, j in scored[min(rank, len(scored) - 1)][1]], margins


def _pair_in_room(
    rooms: RoomReader,
    dungeon: Dungeon,
    room: Place,
    arms: Sequence[tuple[int, int]],
    ways: Sequence[_Way],
    rank: int,
) -> tuple[
    list[tuple[tuple[int, int], tuple[int, int]]],
    tuple[float, ...],
    dict[tuple[tuple[int, int], tuple[int, int]], Array],
]:
    """Pair a room's doors (and finds where the line falls) by following the ink."""
    if len(arms) < 2:
        return [], (), {}
    arms = list(arms[:_MOST_ARMS])
    points = []
    for w, arm in arms:
        other = dungeon.places[ways[w].at[1 - arm]]
        points.append(other.at_mm)
    curves = {}
    for i in range(len(arms) - 1):
        found = rooms.curves(room, points[i], points[i + 1 :], lifted=len(arms) > 2)
        for k, curve in enumerate(found):
            curves[i, i + 1 + k] = curve
    scored = []
    for pairing in _partial_pairings(range(len(arms))):
        # what a curve costs beyond its length on full ink: blank card and turns
        cost = sum(min(curves[pair].excess, 1e6) for pair in pairing)
        cost += tuning.ROOM_END_COST * (len(arms) - 2 * len(pairing))
        cost += sum(1e3 for i, j in pairing if arms[i][0] == arms[j][0])
        scored.append((cost, pairing))
    scored.sort(key=lambda entry: entry[0])
    margins = tuple(cost - scored[0][0] for cost, _ in scored[1:])
    pairs, lines = [], {}
    for i, j in scored[min(rank, len(scored) - 1)][1]:
        pairs.append((arms[i], arms[j]))
        lines[arms[i], arms[j]] = curves[i, j].line_mm
        lines[arms[j], arms[i]] = curves[i, j].line_mm[::-1]
    return pairs, margins, lines


def _partial_pairings(arms: Sequence[int]) -> Iterator[list[tuple[int, int]]]:
    """All ways to pair up some of the arms."""
    if not arms:
        yield []
        return
    first, rest = arms[0], list(arms[1:])
    yield from _partial_pairings(rest)
    for k, other in enumerate(rest):
        for more in _partial_pairings([*rest[:k], *rest[k + 1 :]]):
            yield [(first, other), *more]


def with_carriers(rooms: RoomReader, dungeon: Dungeon, stroke: Stroke) -> Stroke:
    """A stroke that ends in a room on a find that carries it off, with that find listed."""
    habits = habits_of(dungeon)
    for _ in range(2):
        stroke = stroke.reversed()
        room = dungeon.places[stroke.places[-1]]
        if room.kind != "room" or len(stroke.places) < 2:
            continue
        finds = [
            place
            for place in dungeon.places.values()
            if place.kind == "room_find" and place.room == room.id and place.find in habits.stepped_on
        ]
        if not finds:
            continue
        entry = dungeon.places[stroke.places[-2]]
        curves = rooms.curves(room, entry.at_mm, [find.at_mm for find in finds], lifted=False)
        ranked = sorted(
            zip(curves, finds, strict=True),
            key=lambda pair: pair[0].cost + 2.0 * habits.stepped_on.index(pair[1].find or ""),
        )
        curve, find = ranked[0]
        if curve.excess < tuning.CARRIER_REACH_COST or find.find in habits.gates:
            stroke = Stroke((*stroke.places, find.id), np.concatenate([stroke.line_mm, curve.line_mm]))
    return stroke
