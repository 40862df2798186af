"""Stairs between the levels: which upper end goes with which lower one, and at which lines they stand."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linear_sum_assignment

from calibration.proposal.draft import LEVELS, STAIRS_TO_LINE_MM, Draft, Place
from calibration.proposal.drawing import FIND, FOOT, STAIRS
from calibration.proposal.loose_ends import STUB_WHERE_NONE_END_MM
from calibration.proposal.spots import APART_MM, FAINT, LEAST, Spot, spots
from scorer.catalogue import Level

_STAIRS_TO_END_MM, _STAIRS_SPAN_MM, _DOUBT_MM = 6.5, 26.0, 6.0
#: Stairs in mid-line where the deck's stand at ends are some from this chance on.
_PLAIN_STAIRS = 0.6


def stand_stairs(draft: Draft) -> None:
    """Stairs that are plainly seen, then those that are faintly seen between two lines that end there."""
    for faint in (False, True):
        seen = [
            spots(draft.parts, part, draft.px_per_mm, FAINT[part] if faint else None)
            for part in (STAIRS, FOOT)
        ]
        if faint:
            seen = [
                [spot for spot in each if draft.free_end_near(level, spot.at)]
                for level, each in zip(LEVELS, seen, strict=True)
            ]
        tops, feet = seen
        if not tops or not feet:
            continue
        away = np.array([[float(np.hypot(*(top.at - foot.at))) for foot in feet] for top in tops])
        # where two are as near, the likelier one, at which a line ends
        doubt = [
            np.array([1 - spot.chance + (not draft.free_end_near(level, spot.at)) for spot in each])
            for level, each in zip(LEVELS, seen, strict=True)
        ]
        costs = away + _DOUBT_MM * (doubt[0][:, None] + doubt[1][None])
        for a, b in zip(*linear_sum_assignment(costs), strict=True):
            plain = not _rather_find(draft, tops[a]) and not _rather_find(draft, feet[b])
            if plain and away[a, b] <= _STAIRS_SPAN_MM:
                _stand(draft, tops[a], feet[b])


def _rather_find(draft: Draft, spot: Spot) -> bool:
    """Whether a find is more likely at the place, one whose icon is like one that is known."""
    return any(
        find.spot.chance > spot.chance and np.hypot(*(find.spot.at - spot.at)) < APART_MM[STAIRS]
        for find in draft.finds
        if find.spot.chance > LEAST[FIND] and find.known
    )


def _stand(draft: Draft, top: Spot, foot: Spot) -> None:
    joints = {level: _foot(draft, level, spot) for level, spot in zip(LEVELS, (top, foot), strict=True)}
    if None in joints.values():
        return
    chance = min(top.chance, foot.chance)
    for level, joint in joints.items():
        assert joint is not None
        draft.places[level][joint] = Place("stairs", chance, pair=len(draft.stairs))
    draft.stairs.append(chance)


def _foot(draft: Draft, level: Level, spot: Spot) -> int | None:
    """The joint that an end of stairs belongs to. Where stairs stand at corridors' ends, a stub that goes
    on beyond them is none, and a corridor that does speaks against them."""
    joint = draft.joint_for(level, spot.at, _STAIRS_TO_END_MM, STAIRS_TO_LINE_MM)
    if joint is None or not draft.habits.stairs_at_ends:
        return joint
    net = draft.nets[level]
    ends = {j for j in draft.free_ends(level) if not draft.find_near(net.joints[j])}
    beyond = [
        (net.stretches[number].length, number)
        for number in net.at_joint(joint)
        if len(net.at_joint(joint)) == 2 and ends & {*net.stretches[number].ends}
    ]
    if beyond and min(beyond)[0] <= STUB_WHERE_NONE_END_MM:
        net.drop(min(beyond)[1])
    if len(net.at_joint(joint)) > 1 and spot.chance < _PLAIN_STAIRS:
        draft.smoothed_over(level, joint)
        return None
    return joint
