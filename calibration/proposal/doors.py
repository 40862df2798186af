"""Doors: where lines come to rooms' walls, and where rooms open in the card's edge."""

from __future__ import annotations

import numpy as np

from calibration.proposal.centre_lines import Array
from calibration.proposal.draft import FIND_TO_LINE_MM, SIDES, Draft, Place, off_line
from calibration.proposal.drawing import DOOR, FIND
from calibration.proposal.loose_ends import STUB_AT_FIND_MM
from calibration.proposal.openings import SNAP_MM
from calibration.proposal.seen_rooms import AT_EDGE_MM, SeenRoom
from calibration.proposal.spots import FAINT, LEAST, spots

_LEAST_DOOR = 0.12
#: How far doors may lie from the walls and lines that they belong to, mm.
_DOOR_TO_WALL_MM, _DOOR_TO_END_MM, _DOOR_TO_LINE_MM = 3.0, 5.5, 3.5
_END_TO_WALL_MM = 3.0


def find_doors(draft: Draft) -> None:
    """Doors that are seen in a wall, at a line's end or beside it, and faint ones where a line ends."""
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
    """A door in the card's edge: an opening at the same spot leads to it."""
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
            net.drop(number)
            places.pop(joint)
    door, opening = net.add_joint(at), net.add_joint(at)
    net.add_stretch(opening, door, np.array([at, at]), chance)
    places[door] = Place("door", chance, room=room.id)
    places[opening] = Place("opening", chance, side=SIDES[side])
    return True


def _ends_with_find(draft: Draft, line: Array, at: Array) -> bool:
    """Whether a find lies on a line a few millimetres before its end."""
    return any(
        find.spot.chance > LEAST[FIND]
        and np.hypot(*(find.spot.at - at)) < STUB_AT_FIND_MM
        and off_line(line, find.spot.at) < FIND_TO_LINE_MM
        for find in draft.finds
    )
