"""Stroke order: in which order and which way round the strokes of a path were drawn.

Ink tells neither; falls do, and so do the outer edge, where a path begins, and finds that carry a walker off.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from scorer.dungeon import Dungeon
from vision import tuning
from vision.credible_strokes import length_mm
from vision.habits import habits_of
from vision.walks import Stroke

#: Strokes that are put in every order and turned, and orders listed.
MOST_TURNED, MOST_ORDERINGS = 4, 12


def orderings(strokes: Sequence[Stroke], dungeon: Dungeon) -> list[tuple[Stroke, ...]]:
    """Every order and direction of the strokes that the drawing allows equally, the one to read first.

    A fall leads down only; a path begins on the outer edge when any stroke reaches it; a stroke goes on from
    the kind of place
    at which the one before it ended.
    """
    return equal_orderings(strokes, dungeon)[:MOST_ORDERINGS]


def equal_orderings(strokes: Sequence[Stroke], dungeon: Dungeon) -> list[tuple[Stroke, ...]]:
    """`orderings`, however many they are."""
    if not strokes:
        return [()]
    # more strokes than this were never one path; they are kept as they lie
    free = min(len(strokes), MOST_TURNED)
    scored: list[tuple[float, tuple[Stroke, ...]]] = []
    for order in itertools.permutations(range(free)):
        for turned in itertools.product((False, True), repeat=free):
            walk = tuple(strokes[k].reversed() if turned[k] else strokes[k] for k in order) + tuple(
                strokes[free:]
            )
            scored.append((_order_score(walk, dungeon), walk))
    top = max(score for score, _ in scored)
    kept = [(score, _carried_off_between(walk, dungeon)) for score, walk in scored if score > top - 0.5]

    def ranked(
        entry: tuple[float, tuple[Stroke, ...]],
    ) -> tuple[int, float, float, tuple[float, float], tuple[str, ...]]:
        score, walk = entry
        start, later = dungeon.places[walk[0].places[0]], tuning.BEGUN_LATER
        # the same from run to run: from left to right, then from top to bottom
        length = -length_mm(walk[0])
        return later.get(start.kind, 0), -round(score, 6), length, start.at_mm, walk[0].places

    return [walk for _, walk in sorted(kept, key=ranked)]


def _carried_off_between(walk: tuple[Stroke, ...], dungeon: Dungeon) -> tuple[Stroke, ...]:
    """The strokes of a walk, of which nothing but a gate carries the first in or the last off."""
    gates = habits_of(dungeon).gates

    def ended(stroke: Stroke) -> Stroke:
        last = dungeon.places[stroke.places[-1]]
        if last.kind != "room_find" or last.find in gates or len(stroke.places) < 3:
            return stroke
        return Stroke(stroke.places[:-1], stroke.line_mm)

    first = ended(walk[0].reversed()).reversed()
    inner = (first, *walk[1:])
    return (*inner[:-1], ended(inner[-1]))


def _order_score(walk: tuple[Stroke, ...], dungeon: Dungeon) -> float:
    gates = habits_of(dungeon).gates
    score = 0.0
    if walk[0].places[0] in dungeon.open_openings:
        score += 4.0
    for stroke in walk:
        for a, b in itertools.pairwise(stroke.places):
            if not dungeon.links_between(a, b):
                score -= 10.0
    for before, after in itertools.pairwise(walk):
        end, start = dungeon.places[before.places[-1]], dungeon.places[after.places[0]]
        if end.find is not None and end.find == start.find:
            score += 2.0
        elif end.find in gates or start.find in gates:
            score += 0.2
        # an outer edge left in mid-path is re-entered somewhere, seldom; who did not leave is still inside
        left, entered = (name in dungeon.open_openings for name in (before.places[-1], after.places[0]))
        score -= tuning.REENTERED * (left + (left != entered))
    return score


def order_like(orders: list[tuple[Stroke, ...]], best: tuple[Stroke, ...]) -> tuple[Stroke, ...]:
    """The ordering that begins or ends as the best reading does, so that two readings differ by their
    doubt alone.
    """
    wanted = best[0].places[0] if best else ""
    last = best[-1].places[-1] if best else ""

    def likeness(walk: tuple[Stroke, ...]) -> int:
        if not walk:
            return 0
        return 2 * (walk[0].places[0] == wanted) + (walk[-1].places[-1] == last)

    return max(orders, key=likeness)
