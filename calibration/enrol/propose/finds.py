"""Assignment of detected finds to rooms and to the net of centre lines."""

from __future__ import annotations

import numpy as np
from shapely.geometry import Point as ShapelyPoint

from calibration.enrol.propose.centre_lines import Array
from calibration.enrol.propose.draft import (
    FIND_TO_JOINT_MM,
    FIND_TO_LINE_MM,
    LEAST,
    LEVELS,
    Draft,
    Place,
    off_line,
)
from calibration.enrol.propose.drawing import FIND
from scorer.catalogue import Level

#: What is like no icon that people have named is a find from this chance on: on 60 cards of the open deck
#: (tuning, ten traced) 10 such spots between 0.4 and it were none and one was, above it one was none.
_LEAST_STRANGER = 0.6
_AT_MEETING_MM = 3.5


def lay_finds(draft: Draft) -> None:
    """Assign each find to the room that contains it, or to the nearest line. Finds detected on stairs are
    dropped."""
    for find in draft.finds:
        at = find.spot.at
        least = _LEAST_STRANGER if find.stranger else LEAST[FIND]
        # a line ends at a find that nobody can name where that is a pit
        levels: tuple[Level, ...] = ("underground",) if find.stranger else LEVELS
        if find.spot.chance <= least and not find.known and not _ends_at(draft, at, levels):
            continue
        if not find.known and any(off_line(pair, at) < FIND_TO_JOINT_MM for pair in _stands(draft)):
            continue  # what is printed on the stairs
        room = next((room for room in draft.rooms if room.polygon.contains(ShapelyPoint(at))), None)
        if room is not None:
            room.finds.append(find)
            continue
        # what is drawn on a crossing lies on the upper level, but where only the lower one runs
        near = {each: draft.nets[each].nearest(at) for each in LEVELS}
        off = {each: away for each, (away, _) in near.items()}
        level: Level = "main" if off["main"] <= max(off["underground"], 2.0) else "underground"
        if (
            level == "main"
            and off["underground"] <= FIND_TO_LINE_MM
            and not _leads_out(draft, near["main"][1])
        ):
            level = "underground"
        if off[level] > FIND_TO_LINE_MM:
            continue
        joint = draft.joint_for(level, at, FIND_TO_JOINT_MM, FIND_TO_LINE_MM)
        if joint is not None and joint not in draft.places[level]:
            draft.nets[level].move(joint, at)
            draft.places[level][joint] = Place("find", find.spot.chance, find=find)


def _stands(draft: Draft) -> list[Array]:
    """The stairs in the draft, each as its two end points (2, 2) in mm."""
    ends: dict[int, list[Array]] = {}
    for level in LEVELS:
        for joint, place in draft.places[level].items():
            if place.pair is not None:
                ends.setdefault(place.pair, []).append(draft.nets[level].joints[joint])
    return [np.array(pair) for pair in ends.values()]


def _ends_at(draft: Draft, at: Array, levels: tuple[Level, ...]) -> bool:
    """Whether a line ends freely at a position, on a level where the deck has no dead ends."""
    return any(
        level not in draft.habits.dead_ends
        and any(
            np.hypot(*(draft.nets[level].joints[joint] - at)) <= FIND_TO_JOINT_MM
            for joint in draft.free_ends(level)
        )
        for level in levels
    )


def _leads_out(draft: Draft, number: int) -> bool:
    """Whether a line of the main level is connected to an opening, a door or stairs."""
    return any(
        joint in draft.places["main"]
        for joint in draft.nets["main"].hanging_together(draft.nets["main"].stretches[number].ends[0])
    )


def join_at_meetings(draft: Draft, level: Level) -> None:
    """Merge each find or stairs end with an adjacent junction a short step away."""
    net, places = draft.nets[level], draft.places[level]
    for joint, place in list(places.items()):
        for number in net.at_joint(joint) if place.kind in ("find", "stairs") else []:
            stretch = net.stretches.get(number)
            if stretch is None or stretch.length > _AT_MEETING_MM or stretch.ends[0] == stretch.ends[1]:
                continue
            other = stretch.ends[0] if stretch.ends[1] == joint else stretch.ends[1]
            if other not in places:
                at = net.joints[joint]
                net.merge(joint, other)
                net.move(joint, at)
                for loop in set(net.at_joint(joint)):
                    if net.stretches[loop].ends == (joint, joint):
                        del net.stretches[loop]
