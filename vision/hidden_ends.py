"""Hidden ends: where a path ends under something, or no ink leads to its end."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import cv2
import numpy as np

from scorer.dungeon import Dungeon
from vision import tuning
from vision.ink_map import PX_PER_MM, InkMap
from vision.link_evidence import LinkEvidence
from vision.map_matching import Matching, match, objective
from vision.questions import DOUBT
from vision.walks import Path, Stroke


def covered_ends(ink: InkMap, dungeon: Dungeon, read: Path) -> list[str]:
    """The ends of the path on the outer edge that are hidden by more than a pen: what hides them may hide a
    card beyond."""
    if not read:
        return []
    return [
        name
        for name in dict.fromkeys((read[0][0], read[-1][-1]))
        if name in dungeon.open_openings
        and all(
            _seen_round(ink, dungeon.places[name].at_mm, reach_mm) < tuning.COVERED_END
            for reach_mm in tuning.COVERED_END_MM
        )
    ]


def guessed_links(
    strokes: Sequence[Stroke], dungeon: Dungeon, evidence: Sequence[LinkEvidence]
) -> frozenset[int]:
    """The links (by index) at the ends of the path along which no ink shows, where they are long together."""
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
            if number is None or evidence[number].score > tuning.GUESSED_SCORE:
                break
            tail.append(number)
        if sum(evidence[i].length_mm for i in tail) >= tuning.GUESSED_MM:
            found |= set(tail)
    return frozenset(found)


def _seen_round(ink: InkMap, at_mm: tuple[float, float], reach_mm: float) -> float:
    """The share of the cards within reach of a point that can be seen."""
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
    """Links by which the path may go on from an end within the dungeon that something hides: (index, by how
    many nats that is less likely, that reading). What is seen beyond says little, for what hides the end is
    larger than what is told of it."""
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
        if _seen_round(ink, (x_mm, y_mm), tuning.HIDDEN_END_MM) >= tuning.HIDDEN_END:
            continue
        for i, link in enumerate(dungeon.links):
            if name not in (link.a, link.b) or matching.times[i] or evidence[i].length_mm == 0:
                continue
            other = match(dungeon, evidence, forced={i: 1}, like=matching)
            behind = best - objective(dungeon, evidence, other)
            if behind <= 2 * DOUBT:
                found.append((i, min(behind, tuning.HIDDEN_END_BEHIND), other))
    return found
