"""Pits, and where one lands below them."""

from __future__ import annotations

import numpy as np

from calibration.proposal.draft import FIND_TO_LINE_MM, Draft, Place

_LANDING_MM = 5.0


def find_landings(draft: Draft) -> None:
    """Where the underground ends at a find above, that is a pit; or as far from it as the deck's do."""
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
