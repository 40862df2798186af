"""Stairs and the landings below pitfalls: recognised by their icons or by their place in the draft."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from calibration.enrol.propose.draft import (
    APART_MM,
    FAINT,
    FIND_TO_LINE_MM,
    LEAST,
    LEVELS,
    STAIRS_TO_LINE_MM,
    Draft,
    Place,
    Spot,
    spots,
)
from calibration.enrol.propose.drawing import FIND, FOOT, STAIRS
from calibration.enrol.propose.icons import NamedPrint, alike, printed_at
from calibration.enrol.propose.openings import STUB_WHERE_NONE_END_MM
from scorer.catalogue import Level, Point

Array = NDArray[np.float32]
#: A deck's stairs look alike where their repeats are at least so much (but for the most unlike tenth). What
#: is less like them all than the second is none. Of 90 ends of stairs on 40 cards of the open deck (tuning,
#: ten traced) the least alike was 0.46, of 29 other spots the most 0.36.
_LOOK_ALIKE, _LIKE = 0.45, 0.4
#: What is plainly seen (none of the 29 was) stays whatever is printed there, and what is faintly seen where
#: the print is like them is likely: both are still looked at (`calibration.enrol.trace.tracing.LEAST_SURE`).
#: What is left
#: of the chance of what is neither, and how far about.
_PLAIN, _LIKELY, _LEFT, _ABOUT_MM = 0.6, 0.49, 0.1, 3.0


def told_by_prints(
    parts: Array, face: NDArray[np.uint8], size_mm: Point, known: Sequence[NamedPrint], usual: float
) -> Array:
    """The parts (8, H, W) with the probabilities of stairs corrected by template matching of the `known`
    prints on the face (H, W, 3) BGR. `usual`: the usual similarity of the deck's prints of stairs."""
    stairs = [each.print for each in known if each.place == "stairs"]
    if usual < _LOOK_ALIKE or not stairs:
        return parts
    told = parts.copy()
    px_per_mm = np.array(parts.shape[:0:-1], float) / np.asarray(size_mm)
    rows, columns = np.mgrid[: parts.shape[1], : parts.shape[2]]
    for part in (STAIRS, FOOT):
        for spot in spots(parts, part, px_per_mm, FAINT[part]):
            seen = printed_at(face, size_mm, spot.at.tolist())
            like = max(alike(seen, print_) for print_ in stairs) > _LIKE
            off = np.hypot(
                (columns + 0.5) / px_per_mm[0] - spot.at[0], (rows + 0.5) / px_per_mm[1] - spot.at[1]
            )
            about = off < _ABOUT_MM
            if not like and spot.chance < _PLAIN:
                told[part][about] *= _LEFT
            elif like != (spot.chance >= _LIKELY):  # only one of both speaks for it
                told[part][about] *= _LIKELY / spot.chance
    return np.asarray(np.minimum(told, 1), np.float32)


_STAIRS_TO_END_MM, _STAIRS_SPAN_MM, _DOUBT_MM = 6.5, 26.0, 6.0
#: Stairs in mid-line where the deck's stand at ends are some from this chance on.
_PLAIN_STAIRS = 0.6


def stand_stairs(draft: Draft) -> None:
    """Place stairs detected with high probability, then those of low probability between two free line
    ends."""
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
    """Whether a known find is detected with a higher probability near the spot."""
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
    """The joint for one end of stairs, or None. Where the deck's stairs are at corridor ends, a stub
    beyond the stairs is deleted, and a longer corridor beyond them is evidence against the stairs."""
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


_LANDING_MM = 5.0


def find_landings(draft: Draft) -> None:
    """Place landings where an underground line ends at a find above, which is then a pit, or at the deck's
    usual distance from one."""
    net = draft.nets["underground"]
    above = [place.find for place in draft.places["main"].values() if place.find]
    above += [find for room in draft.rooms for find in room.finds]
    ends = draft.free_ends("underground")
    nearest, farthest = draft.habits.landings_mm
    if draft.habits.landings_at_pits:
        nearest = farthest = 0.0
    told: list[tuple[float, int, int]] = []
    for k, find in enumerate(above):
        for joint in ends:
            away = float(np.hypot(*(net.joints[joint] - find.spot.at)))
            off = max(nearest - away, away - farthest, 0.0)
            if off <= (2 * _LANDING_MM if find.find == "pitfall" else _LANDING_MM):
                told.append((off - (20.0 if find.find == "pitfall" else 0.0), k, joint))
    done: set[int] = set()
    for _, k, joint in sorted(told):
        find = above[k]
        if k in done or joint in draft.places["underground"]:
            continue
        if not find.may_be_pit:
            continue  # its icon says what it is
        done.add(k)
        if draft.habits.landings_at_pits:
            net.move(joint, find.spot.at)
        draft.places["underground"][joint] = Place("landing", find.spot.chance)
        draft.falls.append((find, joint, find.spot.chance))
    for k, find in enumerate(above):
        if find.find == "pitfall" and k not in done:
            off, number = net.nearest(find.spot.at)
            if off <= max(FIND_TO_LINE_MM, farthest + _LANDING_MM) and number >= 0:
                joint = net.split(number, find.spot.at)
            else:
                joint = net.add_joint(find.spot.at)
            draft.places["underground"][joint] = Place("landing", 0.3)
            draft.falls.append((find, joint, 0.3))
