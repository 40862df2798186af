"""Alternative readings of a path: other sets of links that the ink allows, and ends that something hides."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from scorer.dungeon import Dungeon
from vision.allowance import allowance
from vision.ink.ink_map import PX_PER_MM, InkMap
from vision.path import parameters
from vision.path.link_evidence import LinkEvidence
from vision.path.map_matching import Matching, doubtful, match, objective
from vision.path.priors import prior_score
from vision.path.strokes import Path, Stroke
from vision.questions import DOUBT

#: Largest number of weak links whose other reading is computed, weakest first. Reaching a limit is reported
#: as a further doubt ("too-much").
_MOST_WEAK = 16

#: Number of times that a likelier reading of weak links replaces the set, and the nats that it must gain.
_MOST_BETTERED, _BETTER = 1, 0.05


def run_out(
    dungeon: Dungeon, evidence: Sequence[LinkEvidence], matching: Matching, opening: str
) -> list[Matching]:
    """Readings in which a line is extended to an outer opening."""
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
    """Readings that append a left-out stroke to the end of the path, over the one missing link between
    them."""
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
    """Connected groups of walked links that may be residue of an old path, the largest first.

    Each is (link indices, nats by which the reading without them is less likely, that reading). Of 24 groups
    that were asked about regardless of the ink (`tuning-evening`), none was old.
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
            # one wipe makes a whole stretch thin, so its links are not independent: they count once
            scores = [prior_score(dungeon, dungeon.links[i], evidence[i]) for i in links]
            behind = best - objective(dungeon, evidence, other) - sum(scores) * (1 - 1 / len(scores))
        else:
            # a fresh line here would differ only in its strength
            fresh = min(max(float(np.median([evidence[i].fresh for i in links])), 1e-3), 1 - 1e-3)
            behind = math.log(fresh / (1 - fresh))
        if behind <= DOUBT:
            found.append((links, max(behind, 0.0), other))
    return found


def hanging_together(dungeon: Dungeon, links: Sequence[int]) -> list[list[int]]:
    """Connected components of links, as groups of indices, the largest first."""
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
    """The likeliest set of links, its `weak_links`, and the links that were not tried.

    If a reading with one weak link flipped is likelier, it replaces the set.
    """
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
    """Links whose opposite reading is plausible: (index, nats by which it is less likely, that reading).

    The second result lists links that were not tried, because there were too many.
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
        if abs(prior_score(dungeon, link, seen)) < parameters.DOUBTS.weak_nats and (
            near or matching.times[i]
        ):
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


def covered_ends(ink: InkMap, dungeon: Dungeon, read: Path) -> list[str]:
    """Ends of the path at outer openings that are occluded by more than a pen: the occluder may hide a
    further card."""
    if not read:
        return []
    return [
        name
        for name in dict.fromkeys((read[0][0], read[-1][-1]))
        if name in dungeon.open_openings
        and all(
            _seen_round(ink, dungeon.places[name].at_mm, reach_mm) < parameters.DOUBTS.covered_end_share
            for reach_mm in (parameters.DOUBTS.covered_near_mm, parameters.DOUBTS.covered_round_mm)
        )
    ]


def guessed_links(
    strokes: Sequence[Stroke], dungeon: Dungeon, evidence: Sequence[LinkEvidence]
) -> frozenset[int]:
    """Indices of the links at the ends of the path that show no ink, if together they are long."""
    if not strokes:
        return frozenset()
    numbers: dict[frozenset[str], int] = {}
    for i, (link, seen) in enumerate(zip(dungeon.links, evidence, strict=True)):
        ends = frozenset((link.a, link.b))
        if ends not in numbers or seen.score > evidence[numbers[ends]].score:
            numbers[ends] = i
    found: set[int] = set()
    for places in (strokes[0].places, strokes[-1].places[::-1]):
        tail = []
        for step in itertools.pairwise(places):
            number = numbers.get(frozenset(step))
            if number is None or evidence[number].score > parameters.DOUBTS.guessed_nats:
                break
            tail.append(number)
        if sum(evidence[i].length_mm for i in tail) >= parameters.DOUBTS.guessed_mm:
            found |= set(tail)
    return frozenset(found)


def _seen_round(ink: InkMap, at_mm: tuple[float, float], reach_mm: float) -> float:
    """Visible share (0..1) of the card area within a radius (mm) of a point."""
    x, y = np.round(ink.to_px(np.array(at_mm))).astype(int).tolist()
    reach = round(reach_mm * PX_PER_MM)
    left, top = max(x - reach, 0), max(y - reach, 0)
    part = (slice(top, max(y + reach + 1, 0)), slice(left, max(x + reach + 1, 0)))
    near = np.zeros(ink.visible[part].shape, np.uint8)
    cv2.circle(near, (x - left, y - top), reach, 1, -1)
    card = (near > 0) & ink.picture[part].any(axis=2)
    return float(ink.visible[part][card].mean()) if card.any() else 0.0


def beyond_hidden_ends(
    ink: InkMap,
    dungeon: Dungeon,
    evidence: Sequence[LinkEvidence],
    matching: Matching,
    strokes: Sequence[Stroke],
) -> list[tuple[int, float, Matching]]:
    """Continuations from an occluded end within the dungeon: (link index, nats by which it is less likely,
    that reading).

    Ink seen beyond the end counts little, because the occluder is larger than its known outline.
    """
    best = objective(dungeon, evidence, matching)
    found = []
    ends = {
        name: at_mm
        for stroke in strokes
        for name, at_mm in ((stroke.places[0], stroke.line_mm[0]), (stroke.places[-1], stroke.line_mm[-1]))
        if name not in dungeon.open_openings
    }
    for name, at_mm in ends.items():
        x_mm, y_mm = at_mm.tolist()
        if (
            _seen_round(ink, (x_mm, y_mm), parameters.DOUBTS.hidden_end_mm)
            >= parameters.DOUBTS.hidden_end_share
        ):
            continue
        for i, link in enumerate(dungeon.links):
            if name not in (link.a, link.b) or matching.times[i] or evidence[i].length_mm == 0:
                continue
            other = match(dungeon, evidence, forced={i: 1}, like=matching)
            behind = best - objective(dungeon, evidence, other)
            if behind <= 2 * DOUBT:
                found.append((i, min(behind, parameters.DOUBTS.hidden_end_behind_nats), other))
    return found
