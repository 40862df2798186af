"""Strokes: chosen links -> polylines as the pen drew them, by pairing the lines that meet at each place.

Lines that cross are paired on the assumption that a pen goes straight on; in a room they are paired along the
ink (`vision.path.room_paths`). A line left unpaired ends there.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scorer.dungeon import Dungeon, Place
from vision.path import parameters
from vision.path.link_evidence import LinkEvidence
from vision.path.map_matching import Matching
from vision.path.room_paths import Point, RoomReader
from vision.path.style import habits_of, style_of

Array = NDArray[np.float64]

#: The places of each stroke, in drawing order.
Path = tuple[tuple[str, ...], ...]

#: Largest number of lines at a place that are paired in every way: 764 pairings, or 105 if no line ends.
_MOST_ARMS = 8
#: Largest number of pairings at a place that are checked for closed rings.
_MOST_TRIED = 12


@dataclass(frozen=True)
class Stroke:
    """One stroke: its places in drawing order (either direction) and its line (N, 2) table mm along the
    ink."""

    places: tuple[str, ...]
    line_mm: Array

    def reversed(self) -> Stroke:
        return Stroke(self.places[::-1], self.line_mm[::-1])


@dataclass(frozen=True)
class _Way:
    """One walk along a link; `at[0]` and `at[1]` are its end places."""

    link: int
    at: tuple[str, str]
    line_mm: Array


@dataclass(frozen=True)
class Junction:
    """A place with several pairings of the lines that meet.

    For each rejected pairing, nearest first: its extra cost (`margins`) and its number (`others`). `cut_off`:
    more lines meet than are paired.
    """

    place: str
    margins: tuple[float, ...]
    others: tuple[int, ...]
    cut_off: bool = False


#: The end of a way at a place: the number of the way, and 0 or 1 for which end.
_Arm = tuple[int, int]
_Pairs = list[tuple[_Arm, _Arm]]


@dataclass(frozen=True)
class _Meeting:
    """The pairings of the lines at a place, the best first, with their costs; in a room also the `curves`
    between arms."""

    pairings: tuple[_Pairs, ...]
    costs: tuple[float, ...]
    curves: Mapping[tuple[_Arm, _Arm], Array]
    cut_off: bool = False


def strokes_of(
    rooms: RoomReader,
    dungeon: Dungeon,
    evidence: Sequence[LinkEvidence],
    matching: Matching,
    *,
    choice: tuple[str, int] = ("", 0),
) -> tuple[tuple[Stroke, ...], tuple[Junction, ...]]:
    """The strokes formed by the chosen links, and the junctions with more than one pairing.

    `choice` selects a pairing (`Junction.others`) at a place.
    """
    ways = [
        _Way(i, (dungeon.links[i].a, dungeon.links[i].b), evidence[i].line_mm)
        for i, times in enumerate(_with_last_doors(dungeon, evidence, matching))
        for _ in range(times)
    ]
    around: dict[str, list[_Arm]] = {}
    for w, way in enumerate(ways):
        around.setdefault(way.at[0], []).append((w, 0))
        around.setdefault(way.at[1], []).append((w, 1))
    corridor_mm = style_of(dungeon.catalogue).corridor_mm
    meetings: dict[str, _Meeting] = {}
    for place_id, arms in around.items():
        place = dungeon.places[place_id]
        # nothing continues beyond the outer edge: one line may begin and another end at one opening
        if place_id not in dungeon.open_openings and len(arms) > 1:
            in_room = place.kind == "room"
            meetings[place_id] = (
                _meet_in_room(rooms, dungeon, place, arms, ways)
                if in_room
                else _meet(arms, ways, corridor_mm)
            )
    taken = dict.fromkeys(meetings, 0)
    if choice[0] in taken:
        taken[choice[0]] = min(choice[1], len(meetings[choice[0]].pairings) - 1)
    for place_id in meetings:
        if place_id != choice[0] and dungeon.places[place_id].kind != "room":
            taken[place_id] = _with_shortest_end(meetings, taken, place_id)
    _open_rings(meetings, taken, len(ways), fixed=choice[0])
    partner = _partners(meetings, taken)
    inside = {arms: curve for meeting in meetings.values() for arms, curve in meeting.curves.items()}
    traces = list(_traces(len(ways), partner))
    strokes = [_stroke(trace, ways, inside) for trace in traces]
    if len(strokes) > 1:
        strokes = [with_carriers(rooms, dungeon, stroke) for stroke in strokes]
    ends = {name for stroke in strokes for name in (stroke.places[0], stroke.places[-1])}
    strokes = [_over_the_seam(dungeon, stroke, ends) for stroke in strokes]
    return tuple(strokes), _junctions(meetings, taken, len(ways))


def _partners(meetings: Mapping[str, _Meeting], taken: Mapping[str, int]) -> dict[_Arm, _Arm]:
    """Map from each arm to the arm on which its line continues, for the pairing chosen at each place."""
    partner: dict[_Arm, _Arm] = {}
    for place, meeting in meetings.items():
        for one, other in meeting.pairings[taken[place]]:
            partner[one], partner[other] = other, one
    return partner


def _with_shortest_end(meetings: Mapping[str, _Meeting], taken: Mapping[str, int], place: str) -> int:
    """The pairing at a place with an odd number of arms that leaves the shortest line to end there. Only
    pairings of nearly the lowest cost are compared: a stub branches off a path, not a path off a stub."""
    meeting = meetings[place]
    near = [
        k for k, cost in enumerate(meeting.costs) if cost - meeting.costs[0] < parameters.MEETINGS.doubt_nats
    ]
    arms = {arm for pair in itertools.chain(*meeting.pairings) for arm in pair}
    if len(near) < 2 or len(arms) % 2 == 0:
        return taken[place]

    def length(k: int) -> int:
        paired = {arm for pair in meeting.pairings[k] for arm in pair}
        partner = _partners(meetings, {**taken, place: k})
        (end,) = arms - paired
        return len(_trace(end, partner))

    return min(near, key=length)


def _open_rings(
    meetings: Mapping[str, _Meeting], taken: dict[str, int], ways: int, *, fixed: str = ""
) -> None:
    """Changes pairings at least cost until no closed ring meets another line. A pen is not lifted to draw a
    separate ring along its way. The place `fixed` keeps its pairing."""
    while rings := _rings(ways, _partners(meetings, taken)):
        options = [
            (meeting.costs[k] - meeting.costs[taken[place]], place, k)
            for place, meeting in meetings.items()
            if place != fixed
            for k in range(min(len(meeting.costs), _MOST_TRIED))
            if k != taken[place]
        ]
        for _, place, k in sorted(options):
            if len(_rings(ways, _partners(meetings, {**taken, place: k}))) < len(rings):
                taken[place] = k
                break
        else:
            return


def _rings(ways: int, partner: Mapping[_Arm, _Arm]) -> list[int]:
    """One way (by number) of each closed ring."""
    return [trace[0][0] for trace in _traces(ways, partner) if trace[0] in partner]


def _junctions(meetings: Mapping[str, _Meeting], taken: Mapping[str, int], ways: int) -> tuple[Junction, ...]:
    """The places with other pairings that close no further ring."""
    found = []
    closed: int | None = None
    for place, meeting in meetings.items():
        own = taken[place]
        others = []
        for k, cost in enumerate(meeting.costs):
            margin = cost - meeting.costs[own]
            if k == own:
                continue
            if margin < parameters.MEETINGS.room_doubt_nats and k < _MOST_TRIED:
                closed = len(_rings(ways, _partners(meetings, taken))) if closed is None else closed
                if len(_rings(ways, _partners(meetings, {**taken, place: k}))) > closed:
                    continue
            others.append((margin, k))
        if others:
            margins, numbers = zip(*sorted(others), strict=True)
            found.append(Junction(place, margins, numbers, meeting.cut_off))
    return tuple(found)


def _traces(ways: int, partner: Mapping[_Arm, _Arm]) -> Iterator[list[_Arm]]:
    """Chains of (way, arm by which it is entered): first chains with ends, then closed rings."""
    used: set[int] = set()
    starts = [(w, arm) for w in range(ways) for arm in (0, 1) if (w, arm) not in partner]
    for start in starts + [(w, 0) for w in range(ways)]:
        if start[0] in used:
            continue
        trace = _trace(start, partner)
        used.update(way for way, _ in trace)
        yield trace


def _trace(start: _Arm, partner: Mapping[_Arm, _Arm]) -> list[_Arm]:
    """The chain of ways from a start arm, each with the arm by which it is entered."""
    trace, here = [start], start
    while (out := (here[0], 1 - here[1])) in partner:
        here = partner[out]
        if here[0] == start[0]:
            break
        trace.append(here)
    return trace


def _stroke(trace: Sequence[_Arm], ways: Sequence[_Way], inside: Mapping[tuple[_Arm, _Arm], Array]) -> Stroke:
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


def _with_last_doors(
    dungeon: Dungeon, evidence: Sequence[LinkEvidence], matching: Matching
) -> tuple[int, ...]:
    """Count of walks per link, with a last link to a door added for a line that ends in a room
    (`_last_door`).

    With several strokes, rooms with gates are left out, since strokes part at gates.
    """
    times = list(matching.times)
    gates = habits_of(dungeon).gates
    gated = {place.room for place in dungeon.places.values() if place.find in gates}
    for end in matching.ends:
        if dungeon.places[end].kind != "room" or (end in gated and len(matching.ends) > 2):
            continue
        if (door := _last_door(dungeon, evidence, matching, end)) is not None:
            times[door] = 1
    return tuple(times)


def _last_door(
    dungeon: Dungeon, evidence: Sequence[LinkEvidence], matching: Matching, room: str
) -> int | None:
    """The best-scoring link (by index) from a room to a door with ink inside the room and no line outside, or
    None."""
    walked = {
        place
        for link, count in zip(dungeon.links, matching.times, strict=True)
        if count
        for place in (link.a, link.b)
    }
    doors = [
        i
        for i, link in enumerate(dungeon.links)
        if room in (link.a, link.b)
        and evidence[i].length_mm > 0
        and evidence[i].score > 0
        and walked.isdisjoint({link.a, link.b} - {room})
    ]
    return max(doors, key=lambda i: evidence[i].score, default=None)


def to_the_door(
    dungeon: Dungeon, evidence: Sequence[LinkEvidence], matching: Matching, stroke: Stroke
) -> Stroke:
    """A stroke that ends in a room, extended to the door of `_last_door`, and to an outer opening at that
    door."""
    room = stroke.places[-1]
    if (last := _last_door(dungeon, evidence, matching, room)) is None:
        return stroke
    link = dungeon.links[last]
    door = link.b if link.a == room else link.a
    edge = [
        opening
        for link, seen in zip(dungeon.links, evidence, strict=True)
        if link.kind == "corridor" and seen.length_mm == 0 and door in (link.a, link.b)
        for opening in {link.a, link.b} & dungeon.open_openings
    ]
    ends = (door, *edge[:1])
    line = np.concatenate([stroke.line_mm, [dungeon.places[name].at_mm for name in ends]])
    return Stroke((*stroke.places, *ends), line)


def _over_the_seam(dungeon: Dungeon, stroke: Stroke, ends: Collection[str]) -> Stroke:
    """A stroke that ends at the seam of two cards, extended onto the second card."""
    for _ in range(2):
        stroke = stroke.reversed()
        last = stroke.places[-1]
        beyond = next((link.b for link in dungeon.neighbours[last] if link.kind == "crossing"), None)
        if beyond is not None and beyond not in ends and beyond not in stroke.places[-2:]:
            line = np.concatenate([stroke.line_mm, [dungeon.places[beyond].at_mm]])
            stroke = Stroke((*stroke.places, beyond), line)
    return stroke


def _heading(line: Array, corridor_mm: float) -> Array | None:
    """Unit vector (2,) of a line's direction at its first point; None if the line is too short."""
    distance = np.linalg.norm(line - line[0], axis=1)
    if distance.max() < 2.0:
        return None
    near = line[
        int(
            np.argmax(
                distance >= min(parameters.MEETINGS.heading_from_corridors * corridor_mm, distance.max() / 3)
            )
        )
    ]
    far = line[
        int(
            np.argmax(distance >= min(parameters.MEETINGS.heading_to_corridors * corridor_mm, distance.max()))
        )
    ]
    step = far - near
    return np.asarray(step / max(float(np.linalg.norm(step)), 1e-9))


def _pairings(arms: Sequence[int]) -> Iterator[list[tuple[int, int]]]:
    """All perfect pairings of the arms; with an odd number, one arm is left over."""
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


def _meet(arms: Sequence[_Arm], ways: Sequence[_Way], corridor_mm: float) -> _Meeting:
    """The pairings of the arms at a place outside rooms, ranked by how much the lines turn."""
    if len(arms) == 2:
        return _Meeting(([(arms[0], arms[1])],), (0.0,), {})
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
    return _meeting(arms, scored, {})


def _meeting(
    arms: Sequence[_Arm],
    scored: list[tuple[float, list[tuple[int, int]]]],
    curves: Mapping[tuple[_Arm, _Arm], Array],
) -> _Meeting:
    scored.sort(key=lambda entry: entry[0])
    return _Meeting(
        tuple([(arms[i], arms[j]) for i, j in pairing] for _, pairing in scored),
        tuple(cost for cost, _ in scored),
        curves,
        len(arms) > _MOST_ARMS,
    )


def _meet_in_room(
    rooms: RoomReader, dungeon: Dungeon, room: Place, arms: Sequence[_Arm], ways: Sequence[_Way]
) -> _Meeting:
    """The pairings of a room's doors (and finds, for falls), ranked by the cost of curves along the ink."""
    points = [dungeon.places[ways[w].at[1 - arm]].at_mm for w, arm in arms[:_MOST_ARMS]]
    count = len(points)
    found = {}
    for i in range(count - 1):
        curves = rooms.curves(room, points[i], points[i + 1 :], lifted=count > 2)
        for k, curve in enumerate(curves):
            found[i, i + 1 + k] = curve
    to_gate = _to_gates(rooms, dungeon, room, points) if count > 1 else [(math.inf, "")] * count
    scored = []
    for pairing in _partial_pairings(range(count)):
        # cost of a curve beyond its length on full ink: blank card and turns
        cost = sum(min(found[pair].excess, 1e6) for pair in pairing)
        ends = set(range(count)).difference(*pairing)
        cost += sum(min(to_gate[k][0], parameters.ROOM_LINES.end_nats) for k in ends)
        # a path that ends on one gate continues from another, in rooms as anywhere
        gates = {to_gate[k][1] for k in ends if to_gate[k][0] < parameters.ROOM_LINES.end_nats}
        cost += parameters.ROOM_LINES.two_ends_nats * max(len(ends) // 2 - len(gates) // 2, 0)
        cost += sum(1e3 for i, j in pairing if arms[i][0] == arms[j][0])
        # leaving by the door of entry, with nothing in between
        cost += sum(parameters.WALKS.turn_back_nats for i, j in pairing if points[i] == points[j])
        scored.append((cost, pairing))
    lines = {}
    for (i, j), curve in found.items():
        lines[arms[i], arms[j]] = curve.line_mm
        lines[arms[j], arms[i]] = curve.line_mm[::-1]
    return _meeting(arms, scored, lines)


def _to_gates(
    rooms: RoomReader, dungeon: Dungeon, room: Place, points: Sequence[Point]
) -> list[tuple[float, str]]:
    """For each point, the lowest cost of a line that ends on a gate of the room, and the gate; infinite
    without one or where another end is cheaper."""
    gates = habits_of(dungeon).gates
    places = [place for place in dungeon.places.values() if place.room == room.id and place.find in gates]
    if not places:
        return [(math.inf, "")] * len(points)
    at = [place.at_mm for place in places]
    price = parameters.ENDS.gate_nats
    # cost at which a line ends in the room without a gate
    most = parameters.ROOM_LINES.end_nats - price
    found = []
    for point in points:
        curves = rooms.curves(room, point, at, lifted=True, most=most)
        ends = zip(curves, places, strict=True)
        found.append(min((price + curve.excess, place.id) for curve, place in ends))
    return found


def _partial_pairings(arms: Sequence[int]) -> Iterator[list[tuple[int, int]]]:
    """All pairings of the arms, including those that leave arms unpaired."""
    if not arms:
        yield []
        return
    first, rest = arms[0], list(arms[1:])
    yield from _partial_pairings(rest)
    for k, other in enumerate(rest):
        for more in _partial_pairings([*rest[:k], *rest[k + 1 :]]):
            yield [(first, other), *more]


def with_carriers(rooms: RoomReader, dungeon: Dungeon, stroke: Stroke) -> Stroke:
    """A stroke that ends in a room, extended to a find there that carries the player off, if the ink leads to
    it."""
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
        # strokes are split mostly at gates, even if their ink passes other finds on its way
        curve, find = min(
            zip(curves, finds, strict=True),
            key=lambda pair: (
                pair[0].excess
                + parameters.ROOM_LINES.carrier_rank_nats * habits.stepped_on.index(pair[1].find or "")
                + parameters.ROOM_LINES.no_gate_nats * (pair[1].find not in habits.gates)
            ),
        )
        if curve.excess < parameters.ROOM_LINES.carrier_reach_nats or find.find in habits.gates:
            stroke = Stroke((*stroke.places, find.id), np.concatenate([stroke.line_mm, curve.line_mm]))
    return stroke
