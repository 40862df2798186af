"""Lines that lead out of the card, after gaps in them are bridged."""

from __future__ import annotations

import numpy as np

from calibration.proposal.centre_lines import Array
from calibration.proposal.draft import LEVELS, ONE_OPENING_MM, SIDES, Draft, Place
from calibration.proposal.drawing import DOOR, FOOT, STAIRS
from calibration.proposal.loose_ends import STUB_WHERE_NONE_END_MM
from calibration.proposal.spots import spots
from calibration.proposal.ways_on import heading_of
from scorer.catalogue import Level

#: Ends of lines that face each other over a gap belong together.
_GAP_MM, _GAP_TURN = 11.0, 0.75
#: An opening this near to where the deck's openings are is one of them.
SNAP_MM = 2.5


def bridge_gaps(draft: Draft, level: Level) -> None:
    """Ends that face each other over a short gap are one line."""
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
    """Whether stairs or a door are at either of two ends: then nothing goes on there."""
    ends = (STAIRS, DOOR) if level == "main" else (FOOT,)
    near = [spot.at for part in ends for spot in spots(draft.parts, part, draft.px_per_mm)]
    return any(min(np.hypot(*(at - a)), np.hypot(*(at - b))) < 4.0 for at in near)


def find_openings(draft: Draft, level: Level) -> None:
    """Where lines come to the edge they lead out, at the deck's usual places where these are near."""
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
    """Of two lines that lead out at one place, one does."""
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
