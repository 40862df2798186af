"""Dead ends of the centre lines: joined across gaps, or recognised as openings and doors."""

from __future__ import annotations

import numpy as np

from calibration.enrol.propose.centre_lines import Array, Stretch
from calibration.enrol.propose.draft import (
    AT_EDGE_MM,
    FAINT,
    FIND_TO_LINE_MM,
    LEAST,
    LEVELS,
    ONE_OPENING_MM,
    SIDES,
    Draft,
    Place,
    SeenRoom,
    heading_of,
    off_line,
    spots,
    ways_on,
)
from calibration.enrol.propose.drawing import DOOR, FIND, FOOT, STAIRS
from scorer.catalogue import Level

#: Lines up to this long that end with nothing there are none: anywhere, at a find, and where none may end so.
_STUB_MM, STUB_AT_FIND_MM, STUB_WHERE_NONE_END_MM = 5.0, 7.0, 14.0
#: Greatest number of lines extended on one level.
_MOST_LED_ON = 8
#: Kinds of places at which lines end.
_ENDS = ("stairs", "landing")
#: A line that ends with nothing there where the deck's seldom do is one where it is this likely all along.
_PLAIN_LINE, _LEAST_LINE, _FAINT_MM = 0.65, 0.3, 30.0


def lead_on(draft: Draft, level: Level) -> None:
    """Extend dead ends and landings without a line, on levels where the deck's dungeons have none. Each is
    extended to an opening of the deck, to another dead end, or into a line. The rest is often hidden by
    other floors."""
    if level in draft.habits.dead_ends:
        return
    net = draft.nets[level]
    for _ in range(_MOST_LED_ON):
        openings = [(known, known.at(draft.size_mm)) for known in draft.habits.openings]
        openings = [(known, at) for known, at in openings if not draft.opening_near(at)]
        ends, taken = _ends_to_lead_on(draft, level), set(draft.places[level])
        ways = [way for j in ends for way in ways_on(net, j, draft.grounds[level], openings, taken)]
        if not ways:
            return
        way = min(ways, key=lambda each: each.cost)
        to = way.to
        if way.opening is not None:
            to = net.add_joint(way.line[-1])
            draft.places[level][to] = Place("opening", way.chance, side=way.opening.side)
        elif way.into is not None:
            to = net.split(way.into, way.line[-1])
        assert to is not None
        net.add_stretch(way.joint, to, np.concatenate([way.line[:-1], [net.joints[to]]]), way.chance)
        for joint in (way.joint, to):
            left = net.at_joint(joint)
            if len(left) == 2 and left[0] != left[1] and joint not in draft.places[level]:
                net.join(joint, left[0], left[1])


def keep_one_line_an_end(draft: Draft, level: Level) -> None:
    """Keep the most probable line at stairs or landings at corridor ends. Other lines there are deleted if
    they lead nowhere else."""
    net = draft.nets[level]
    if not draft.habits.stairs_at_ends:
        return
    ends = _ENDS if draft.habits.landings_at_pits else ("stairs",)
    for joint in [j for j, place in draft.places[level].items() if place.kind in ends]:
        lines = sorted(set(net.at_joint(joint)), key=lambda number: net.stretches[number].chance)
        for number in lines[:-1]:
            stretch = net.stretches.pop(number)
            other = stretch.ends[0] if stretch.ends[1] == joint else stretch.ends[1]
            around = other in net.hanging_together(joint)
            net.stretches[number] = stretch
            if around:
                places = draft.places[level]
                if other in places:
                    del net.stretches[number]
                else:
                    net.drop(number)
                break


def _ends_to_lead_on(draft: Draft, level: Level) -> list[int]:
    """Joints to extend: free ends of lines that are not stubs, and landings without a line."""
    net, places = draft.nets[level], draft.places[level]
    ends = []
    for joint in draft.free_ends(level):
        stretch = net.stretches[net.at_joint(joint)[0]]
        other = stretch.ends[0] if stretch.ends[1] == joint else stretch.ends[1]
        opens = other in places and places[other].kind == "opening"
        if stretch.length > STUB_WHERE_NONE_END_MM or stretch.chance > (0.35 if opens else 0.5):
            ends.append(joint)
    alone = [j for j, place in places.items() if place.kind in _ENDS and not net.at_joint(j)]
    return ends + alone


def withhold_stubs(draft: Draft, level: Level) -> None:
    """Delete short lines with a free end, which are mostly false. On levels without dead ends, longer
    lines of low probability are deleted too."""
    net, places = draft.nets[level], draft.places[level]

    def stub(stretch: Stretch) -> bool:
        weakest = draft.weakest(level, stretch.line)
        beyond_stairs = any(end in places and places[end].kind == "stairs" for end in stretch.ends)
        beyond_find = any(end in places and places[end].kind == "find" for end in stretch.ends)
        if stretch.length <= (STUB_AT_FIND_MM if beyond_find else _STUB_MM):
            return True
        if beyond_stairs and draft.habits.stairs_at_ends and stretch.length <= STUB_WHERE_NONE_END_MM:
            return True
        if level in draft.habits.dead_ends:
            return stretch.length <= STUB_WHERE_NONE_END_MM and weakest < _LEAST_LINE
        if stretch.length > STUB_WHERE_NONE_END_MM:
            return stretch.chance < (0.5 if stretch.length <= _FAINT_MM else _LEAST_LINE)
        return weakest < _PLAIN_LINE

    while True:
        loose = [(net.stretches[net.at_joint(j)[0]], j) for j in draft.free_ends(level)]
        stubs = [(stretch.length, j) for stretch, j in loose if stub(stretch)]
        if not stubs:
            return
        _, joint = min(stubs)
        ends = net.stretches.pop(net.at_joint(joint)[0]).ends
        for end in set(ends):
            left = net.at_joint(end)
            place = places.get(end)
            if not left and (place is None or place.kind == "opening"):
                net.joints.pop(end, None)
                places.pop(end, None)
            elif len(left) == 2 and left[0] != left[1] and place is None:
                net.join(end, left[0], left[1])


#: Greatest gap in mm between facing line ends that are joined, and lowest cosine of their directions.
_GAP_MM, _GAP_TURN = 11.0, 0.75
#: Distance in mm within which an opening is moved to a usual position of the deck's openings.
SNAP_MM = 2.5


def bridge_gaps(draft: Draft, level: Level) -> None:
    """Join pairs of dead ends that face each other across a short gap."""
    net = draft.nets[level]
    while True:
        best: tuple[float, int, int] | None = None
        ends = [joint for joint in net.ends() if joint not in net.on_edge]
        for k, a in enumerate(ends):
            for b in ends[k + 1 :]:
                step = net.joints[b] - net.joints[a]
                gap = float(np.hypot(*step))
                if not 0 < gap < _GAP_MM or net.at_joint(a) == net.at_joint(b):
                    continue
                straight = min(heading_of(net, a) @ step, heading_of(net, b) @ -step) / gap
                if straight > _GAP_TURN and not _spot_near(draft, net.joints[a], net.joints[b], level):
                    best = min(best or (np.inf, a, b), (gap, a, b))
        if best is None:
            return
        _, a, b = best
        net.add_stretch(a, b, np.array([net.joints[a], net.joints[b]]), 0.3)
        for joint in (a, b):
            left = net.at_joint(joint)
            if len(left) == 2 and left[0] != left[1]:
                net.join(joint, left[0], left[1])


def _spot_near(draft: Draft, a: Array, b: Array, level: Level) -> bool:
    """Whether stairs or a door are detected near either of two ends, where a corridor does not continue."""
    ends = (STAIRS, DOOR) if level == "main" else (FOOT,)
    near = [spot.at for part in ends for spot in spots(draft.parts, part, draft.px_per_mm)]
    return any(min(np.hypot(*(at - a)), np.hypot(*(at - b))) < 4.0 for at in near)


def find_openings(draft: Draft, level: Level) -> None:
    """Turn line ends at the card's edge into openings, at the deck's usual places where these are near."""
    net = draft.nets[level]
    for joint in list(net.on_edge):
        if joint not in net.joints:
            continue
        at = net.joints[joint]
        off = [at[0], draft.size_mm[0] - at[0], at[1], draft.size_mm[1] - at[1]]
        side = int(np.argmin(off))
        edge = at.copy()
        edge[side // 2] = 0.0 if side % 2 == 0 else draft.size_mm[side // 2]
        usual = draft.usual_place(SIDES[side], edge, SNAP_MM)
        if usual is not None:
            edge = usual
        net.move(joint, edge)
        stretch = net.stretches[net.at_joint(joint)[0]]
        draft.places[level][joint] = Place("opening", stretch.chance, side=SIDES[side])


def keep_one_opening_a_place(draft: Draft) -> None:
    """Keep the most probable of several openings at one place."""
    found = [
        (place.chance, level, joint)
        for level in LEVELS
        for joint, place in draft.places[level].items()
        if place.kind == "opening"
    ]
    kept: list[Array] = []
    for _, level, joint in sorted(found, key=lambda each: each[0], reverse=True):
        net = draft.nets[level]
        at = net.joints[joint]
        if all(np.hypot(*(at - other)) >= ONE_OPENING_MM for other in kept):
            kept.append(at)
            continue
        # what is left of the line ends there with nothing, and is judged as such
        number = net.at_joint(joint)[0]
        del draft.places[level][joint]
        net.on_edge.discard(joint)
        if net.stretches[number].length <= STUB_WHERE_NONE_END_MM:
            net.drop(number)


_LEAST_DOOR = 0.12
#: Greatest distances in mm of doors from their walls and lines.
_DOOR_TO_WALL_MM, _DOOR_TO_END_MM, _DOOR_TO_LINE_MM = 3.0, 5.5, 3.5
_END_TO_WALL_MM = 3.0


def find_doors(draft: Draft) -> None:
    """Place doors detected in a wall, at or beside a line's end, and doors of low probability where a line
    ends."""
    net = draft.nets["main"]
    seen = spots(draft.parts, DOOR, draft.px_per_mm)
    taken: list[Array] = []
    for spot in seen:
        room, at, off = draft.wall(spot.at)
        if room is None or off > _DOOR_TO_WALL_MM:
            continue
        taken.append(at)
        if _door_on_edge(draft, at, room, spot.chance):
            continue
        ends = [(float(np.hypot(*(net.joints[j] - at))), j) for j in draft.free_ends("main")]
        near = min(ends, default=(np.inf, -1))
        if near[0] <= _DOOR_TO_END_MM:
            net.move(near[1], at)
            draft.places["main"][near[1]] = Place("door", spot.chance, room=room.id)
            continue
        off, number = net.nearest(at)
        if number >= 0 and off <= _DOOR_TO_LINE_MM + 1.5:
            stretch = net.stretches[number]
            joint = (
                net.split(number, at)
                if min(float(np.hypot(*(net.joints[j] - at))) for j in stretch.ends) > 3.0
                else min(stretch.ends, key=lambda j: float(np.hypot(*(net.joints[j] - at))))
            )
            door = net.add_joint(at)
            net.add_stretch(joint, door, np.array([net.joints[joint], at]), spot.chance)
            draft.places["main"][door] = Place("door", 0.6 * spot.chance, room=room.id)
    for known in draft.habits.openings:
        room, at, off = draft.wall(known.at(draft.size_mm))
        chance = draft.most_near(DOOR, at)
        seen_there = room is not None and off <= AT_EDGE_MM and chance > FAINT[DOOR]
        if room is not None and seen_there and not draft.opening_near(known.at(draft.size_mm)):
            _door_on_edge(draft, known.at(draft.size_mm), room, chance)
    for joint in draft.free_ends("main"):
        room, at, off = draft.wall(net.joints[joint])
        if room is None or off > _END_TO_WALL_MM or draft.most_near(DOOR, at) < _LEAST_DOOR:
            continue
        line = net.stretches[net.at_joint(joint)[0]].line
        if all(np.hypot(*(at - t)) > 4 for t in taken) and not _ends_with_find(
            draft, line, net.joints[joint]
        ):
            net.move(joint, at)
            draft.places["main"][joint] = Place("door", 0.3, room=room.id)


def _door_on_edge(draft: Draft, at: Array, room: SeenRoom, chance: float) -> bool:
    """Place a door that lies in the card's edge, reached by an opening at the same position. Returns
    whether it was such a door."""
    off = np.array([at[0], draft.size_mm[0] - at[0], at[1], draft.size_mm[1] - at[1]])
    side = int(np.argmin(off))
    if off[side] > AT_EDGE_MM:
        return False
    at = at.copy()
    at[side // 2] = 0.0 if side % 2 == 0 else draft.size_mm[side // 2]
    usual = draft.usual_place(SIDES[side], at, SNAP_MM)
    if usual is not None:
        at = usual
    net, places = draft.nets["main"], draft.places["main"]
    for joint, place in list(places.items()):
        if place.kind == "opening" and np.hypot(*(net.joints[joint] - at)) < 4.0:
            number = net.at_joint(joint)[0]
            if net.stretches[number].length > 6.0:
                return True  # a corridor's own
            net.on_edge.discard(joint)
            places.pop(joint)
            net.drop(number)
    door, opening = net.add_joint(at), net.add_joint(at)
    net.add_stretch(opening, door, np.array([at, at]), chance)
    places[door] = Place("door", chance, room=room.id)
    places[opening] = Place("opening", chance, side=SIDES[side])
    return True


def _ends_with_find(draft: Draft, line: Array, at: Array) -> bool:
    """Whether a find lies on a line, a few millimetres before its end."""
    return any(
        find.spot.chance > LEAST[FIND]
        and np.hypot(*(find.spot.at - at)) < STUB_AT_FIND_MM
        and off_line(line, find.spot.at) < FIND_TO_LINE_MM
        for find in draft.finds
    )
