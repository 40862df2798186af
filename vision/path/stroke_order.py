"""Order of strokes: which strokes are credible, and in which sequences and directions they may have been
drawn."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from scorer.dungeon import Dungeon
from vision.path import parameters
from vision.path.link_evidence import LinkEvidence
from vision.path.map_matching import Matching
from vision.path.priors import prior_score
from vision.path.strokes import Stroke
from vision.path.style import habits_of, style_of


def credible_strokes(
    strokes: Sequence[Stroke],
    dungeon: Dungeon,
    evidence: Sequence[LinkEvidence],
    plain_worth: float | None = None,
) -> tuple[Stroke, ...]:
    """The strokes without weak ones that rest on a faint link or two, such as a wall's edge or a scratch.

    The best stroke is always kept, and so are strokes at gates. A weaker stroke is kept, too, if blank card
    is seen beside it and its score reaches `plain_worth`. That is in nats; None stands for
    `parameters.STROKES.plain_nats`.
    """
    least = parameters.STROKES.plain_nats if plain_worth is None else plain_worth
    along = [_along(stroke, dungeon, evidence) for stroke in strokes]
    best = max((_worth(links) for links in along), default=0.0)
    gates = habits_of(dungeon).gates
    return tuple(
        stroke
        for stroke, links in zip(strokes, along, strict=True)
        if _worth(links) >= min(parameters.STROKES.worth_nats, best)
        or _is_plain(links, least)
        or any(dungeon.places[place].find in gates for place in stroke.places)
    )


def _along(
    stroke: Stroke, dungeon: Dungeon, evidence: Sequence[LinkEvidence]
) -> list[tuple[float, LinkEvidence]]:
    """Score and evidence of each link along a stroke; between two places, those of the likeliest link."""
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
        seen.seen >= parameters.STROKES.plain_seen_share
        and seen.second <= -parameters.STROKES.plain_beside_nats
        for seen in inked
    )


def strokes_beside(strokes: Sequence[Stroke], dungeon: Dungeon, matching: Matching) -> list[Stroke]:
    """Strokes that share no link with the chosen links of a matching."""
    walked = {
        frozenset((link.a, link.b))
        for link, times in zip(dungeon.links, matching.times, strict=True)
        if times
    }
    return [
        stroke for stroke in strokes if walked.isdisjoint(map(frozenset, itertools.pairwise(stroke.places)))
    ]


def stroke_ends(strokes: Sequence[Stroke]) -> list[str]:
    """Places at which strokes begin and end."""
    return [name for stroke in strokes for name in (stroke.places[0], stroke.places[-1])]


def substantial_strokes(strokes: Sequence[Stroke], dungeon: Dungeon) -> tuple[Stroke, ...]:
    """Strokes longer than a dot or an overshoot."""
    least_mm = parameters.STROKES.least_corridors * style_of(dungeon.catalogue).corridor_mm
    return tuple(stroke for stroke in strokes if length_mm(stroke) >= least_mm)


def length_mm(stroke: Stroke) -> float:
    """Length of a stroke along its ink, mm."""
    return round(float(np.linalg.norm(np.diff(stroke.line_mm, axis=0), axis=1).sum()), 3)


#: Largest number of strokes that are permuted and reversed, and of orderings returned.
MOST_TURNED, MOST_ORDERINGS = 4, 12


def orderings(strokes: Sequence[Stroke], dungeon: Dungeon) -> list[tuple[Stroke, ...]]:
    """Every sequence and direction of the strokes that is equally plausible, the preferred one first.

    A fall leads down only. A path begins on the outer edge if any stroke reaches it. A stroke continues from
    the kind of place at which the one before it ended.
    """
    return equal_orderings(strokes, dungeon)[:MOST_ORDERINGS]


def equal_orderings(strokes: Sequence[Stroke], dungeon: Dungeon) -> list[tuple[Stroke, ...]]:
    """All results of `orderings`, without a limit on their number."""
    if not strokes:
        return [()]
    # more strokes than this never belonged to one path; further ones keep their order
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
        start, later = dungeon.places[walk[0].places[0]], parameters.STROKES.begun_rank
        # ties are broken from left to right, then from top to bottom, so that results are reproducible
        length = -length_mm(walk[0])
        return later(start.kind), -round(score, 6), length, start.at_mm, walk[0].places

    return [walk for _, walk in sorted(kept, key=ranked)]


def _carried_off_between(walk: tuple[Stroke, ...], dungeon: Dungeon) -> tuple[Stroke, ...]:
    """The strokes of a walk, with finds other than gates removed from its start and its end.

    No such find can carry the player in before the first stroke, or off after the last.
    """
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
        # a path that leaves by an outer edge in the middle is re-entered somewhere, which is rare; one that
        # did not leave continues inside
        left, entered = (name in dungeon.open_openings for name in (before.places[-1], after.places[0]))
        score -= parameters.STROKES.reentered_nats * (left + (left != entered))
    return score


def order_like(orders: list[tuple[Stroke, ...]], best: tuple[Stroke, ...]) -> tuple[Stroke, ...]:
    """The ordering with the same first or last place as the best reading.

    Two readings then differ only in what is in doubt.
    """
    wanted = best[0].places[0] if best else ""
    last = best[-1].places[-1] if best else ""

    def likeness(walk: tuple[Stroke, ...]) -> int:
        if not walk:
            return 0
        return 2 * (walk[0].places[0] == wanted) + (walk[-1].places[-1] == last)

    return max(orders, key=likeness)
