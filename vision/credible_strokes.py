"""Credible strokes: which of the strokes that links make are the pen's, and not a wall's edge or a dot."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from scorer.dungeon import Dungeon
from vision import tuning
from vision.drawing_style import style_of
from vision.habits import habits_of
from vision.line_prices import prior_score
from vision.link_evidence import LinkEvidence
from vision.map_matching import Matching
from vision.walks import Stroke


def credible_strokes(
    strokes: Sequence[Stroke],
    dungeon: Dungeon,
    evidence: Sequence[LinkEvidence],
    plain_worth: float = tuning.PLAIN_STROKE,
) -> tuple[Stroke, ...]:
    """Strokes without those beside the best one that hang on a faint link or two: a wall's edge, a
    scratch. From `plain_worth` on (nats) one with blank card beside it is none.
    """
    along = [_along(stroke, dungeon, evidence) for stroke in strokes]
    best = max((_worth(links) for links in along), default=0.0)
    gates = habits_of(dungeon).gates
    return tuple(
        stroke
        for stroke, links in zip(strokes, along, strict=True)
        if _worth(links) >= min(tuning.STROKE_WORTH, best)
        or _is_plain(links, plain_worth)
        or any(dungeon.places[place].find in gates for place in stroke.places)
    )


def _along(
    stroke: Stroke, dungeon: Dungeon, evidence: Sequence[LinkEvidence]
) -> list[tuple[float, LinkEvidence]]:
    """What speaks for each of a stroke's links, of several between two places for the likeliest."""
    likeliest: dict[frozenset[str], tuple[float, LinkEvidence]] = {}
    for link, seen in zip(dungeon.links, evidence, strict=True):
        ends, score = frozenset((link.a, link.b)), prior_score(dungeon, link, seen)
        if ends not in likeliest or score > likeliest[ends][0]:
            likeliest[ends] = score, seen
    steps = (frozenset(pair) for pair in itertools.pairwise(stroke.places))
    return [likeliest[step] for step in steps if step in likeliest]


def _worth(along: Sequence[tuple[float, LinkEvidence]]) -> float:
    return sum(score for score, _ in along)


def _is_plain(along: Sequence[tuple[float, LinkEvidence]], least_worth: float) -> bool:
    inked = [seen for _, seen in along if seen.length_mm]
    return _worth(along) >= least_worth and all(
        seen.seen >= tuning.PLAIN_SEEN and seen.second <= -tuning.PLAIN_BESIDE for seen in inked
    )


def strokes_beside(strokes: Sequence[Stroke], dungeon: Dungeon, matching: Matching) -> list[Stroke]:
    """The strokes that walk no link of a matching."""
    walked = {
        frozenset((link.a, link.b))
        for link, times in zip(dungeon.links, matching.times, strict=True)
        if times
    }
    return [
        stroke for stroke in strokes if walked.isdisjoint(map(frozenset, itertools.pairwise(stroke.places)))
    ]


def stroke_ends(strokes: Sequence[Stroke]) -> list[str]:
    """The places at which strokes begin and end."""
    return [name for stroke in strokes for name in (stroke.places[0], stroke.places[-1])]


def substantial_strokes(strokes: Sequence[Stroke], dungeon: Dungeon) -> tuple[Stroke, ...]:
    """The strokes that are longer than a dot or an overshoot."""
    least_mm = tuning.LEAST_STROKE * style_of(dungeon.catalogue).corridor_mm
    return tuple(stroke for stroke in strokes if length_mm(stroke) >= least_mm)


def length_mm(stroke: Stroke) -> float:
    """How long a stroke is along its ink."""
    return round(float(np.linalg.norm(np.diff(stroke.line_mm, axis=0), axis=1).sum()), 3)
