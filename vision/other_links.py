"""Other links: the likeliest set of links, and the sets that the ink allows beside it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from scorer.dungeon import Dungeon
from vision import tuning
from vision.allowance import allowance
from vision.line_prices import prior_score
from vision.link_evidence import LinkEvidence
from vision.map_matching import Matching, doubtful, match, objective
from vision.questions import DOUBT
from vision.walks import Path, Stroke

#: Caps. What is cut off is one more reason not to be sure ("too-much").
#: Other readings of weak links that are worked out, weakest first.
_MOST_WEAK = 16

#: So often a likelier set of links is taken from the other readings of weak ones, and from so many nats on it
#: is one.
_MOST_BETTERED, _BETTER = 1, 0.05


def run_out(
    dungeon: Dungeon, evidence: Sequence[LinkEvidence], matching: Matching, opening: str
) -> list[Matching]:
    """The readings in which a line comes to an opening."""
    return [
        match(dungeon, evidence, forced={i: 1}, like=matching)
        for i, link in enumerate(dungeon.links)
        if opening in (link.a, link.b) and evidence[i].length_mm > 0
    ]


def led_on_to(
    dungeon: Dungeon,
    evidence: Sequence[LinkEvidence],
    matching: Matching,
    read: Path,
    dropped: Sequence[Stroke],
) -> list[Matching]:
    """The readings in which a stroke that was left out is the end of the path, over the one link that is
    wanting between them."""
    ends = {name for places in read for name in (places[0], places[-1])}
    found = []
    for stroke in dropped:
        own = [
            i
            for i, link in enumerate(dungeon.links)
            if {link.a, link.b} in [set(step) for step in itertools.pairwise(stroke.places)]
        ]
        tips = {stroke.places[0], stroke.places[-1]}
        found += [
            match(dungeon, evidence, forced=dict.fromkeys([*own, i], 1), like=matching)
            for i, link in enumerate(dungeon.links)
            if (link.a in tips and link.b in ends) or (link.b in tips and link.a in ends)
        ]
    return found


def thin_stretches(
    dungeon: Dungeon, evidence: Sequence[LinkEvidence], matching: Matching
) -> list[tuple[list[int], float, Matching]]:
    """Links that were read as walked and may be the remains of an old path, by index: those that hang
    together at a time, the longest stretch first, by how many nats the reading without them is less likely,
    and that reading. Of 24 that were asked about whatever the ink said (`tuning-evening`) none was old.
    """
    walked = [i for i, times in enumerate(matching.times) if times]
    thin = [i for i in walked if evidence[i].fresh < 1]
    if not thin:
        return []
    best, found = objective(dungeon, evidence, matching), []
    plain = any(
        evidence[i].fresh == 1 and evidence[i].score > 0 and dungeon.links[i].kind != "room" for i in walked
    )
    for links in hanging_together(dungeon, thin) if plain else [thin]:
        other = match(dungeon, evidence, forced=dict.fromkeys(links, 0), like=matching)
        if plain:
            # one wipe makes all of a stretch thin: its links say so once
            scores = [prior_score(dungeon, dungeon.links[i], evidence[i]) for i in links]
            behind = best - objective(dungeon, evidence, other) - sum(scores) * (1 - 1 / len(scores))
        else:
            # nothing says what a fresh line would be but its strength
            fresh = min(max(float(np.median([evidence[i].fresh for i in links])), 1e-3), 1 - 1e-3)
            behind = math.log(fresh / (1 - fresh))
        if behind <= DOUBT:
            found.append((links, max(behind, 0.0), other))
    return found


def hanging_together(dungeon: Dungeon, links: Sequence[int]) -> list[list[int]]:
    """Links (by index) in groups that hang together, the largest first."""
    groups: list[tuple[set[str], list[int]]] = []
    for i in links:
        places, members = {dungeon.links[i].a, dungeon.links[i].b}, [i]
        apart = []
        for group in groups:
            if places & group[0]:
                places |= group[0]
                members += group[1]
            else:
                apart.append(group)
        groups = [*apart, (places, members)]
    return sorted((members for _, members in groups), key=lambda members: (-len(members), members))


def likeliest_links(
    dungeon: Dungeon, evidence: Sequence[LinkEvidence], single: bool
) -> tuple[Matching, list[tuple[int, float, Matching]], list[int]]:
    """The likeliest set of links, with its `weak_links`: among what they come to otherwise there may be a
    likelier one still."""
    matching = match(dungeon, evidence, single=single)
    flipped, untried = weak_links(dungeon, evidence, matching)
    for _ in range(_MOST_BETTERED):
        _, behind, other = min(flipped, key=lambda each: each[1], default=(0, 0.0, matching))
        if behind > -_BETTER:
            break
        matching = replace(other, loose=matching.loose)
        flipped, untried = weak_links(dungeon, evidence, matching)
    return matching, flipped, untried


def weak_links(
    dungeon: Dungeon, evidence: Sequence[LinkEvidence], matching: Matching
) -> tuple[list[tuple[int, float, Matching]], list[int]]:
    """Links that might be read the other way: (index, by how many nats the other reading is less likely, that
    reading); and those that were too many to be tried.
    """
    best = objective(dungeon, evidence, matching)
    walked = {
        place
        for link, times in zip(dungeon.links, matching.times, strict=True)
        if times
        for place in (link.a, link.b)
    }
    weak = []
    for i, (link, seen) in enumerate(zip(dungeon.links, evidence, strict=True)):
        if link.kind == "crossing" or seen.length_mm == 0:
            continue
        near = link.a in walked or link.b in walked
        if abs(prior_score(dungeon, link, seen)) < tuning.WEAK_SCORE and (near or matching.times[i]):
            weak.append((abs(prior_score(dungeon, link, seen)), i))
    open_ones = [i for _, i in sorted(weak)]
    doubted = doubtful(dungeon, evidence, matching, open_ones)
    open_ones = open_ones if doubted is None else doubted
    found: list[tuple[int, float, Matching]] = []
    for number, i in enumerate(open_ones[:_MOST_WEAK]):
        if not allowance().covers(matching.price):
            return found, open_ones[number:]
        other = match(dungeon, evidence, forced={i: 0 if matching.times[i] else 1}, like=matching)
        behind = best - objective(dungeon, evidence, other)
        if behind <= DOUBT and other.times != matching.times:
            found.append((i, behind, other))
    return found, open_ones[_MOST_WEAK:]
