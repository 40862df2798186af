"""Lines that end with nothing there: led on where a way is likely, withheld where they are none."""

from __future__ import annotations

import numpy as np

from calibration.proposal.centre_lines import Stretch
from calibration.proposal.draft import Draft, Place
from calibration.proposal.ways_on import ways_on
from scorer.catalogue import Level

#: Lines up to this long that end with nothing there are none: anywhere, at a find, and where none may end so.
_STUB_MM, STUB_AT_FIND_MM, STUB_WHERE_NONE_END_MM = 5.0, 7.0, 14.0
#: So many lines of a level are led on at most.
_MOST_LED_ON = 8
#: Places that lines end at.
_ENDS = ("stairs", "landing")
#: A line that ends with nothing there where the deck's seldom do is one where it is this likely all along.
_PLAIN_LINE, _LEAST_LINE, _FAINT_MM = 0.65, 0.3, 30.0


def lead_on(draft: Draft, level: Level) -> None:
    """Lines that end with nothing there, where the deck's seldom do, and landings without a line lead on:
    to an opening of the deck, to another such end, or into a line. Other floors often hide the rest."""
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
    """Of several lines at stairs that stand at ends, or at a landing, those go that lead nowhere else."""
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
    """Ends of lines that are no stubs, and landings without a line."""
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
    """Short lines that end with nothing there are mostly none: where none may end so, longer ones that
    are not plain, too."""
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
