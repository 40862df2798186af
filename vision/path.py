"""The path: the walk through the dungeon that best explains the ink, and what the ink leaves open.

Links are weighed (`vision.link_evidence`), chosen as a whole (`vision.map_matching`), strung to strokes
(`vision.walks`) and put in order here. Ink tells neither direction nor the order of strokes; falls do, and so
does the outer edge, where a path begins. An illegal drawing is read as drawn.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scorer.dungeon import Dungeon
from vision import tuning
from vision.drawing_style import style_of
from vision.habits import habits_of
from vision.ink import InkMap
from vision.link_evidence import LinkEvidence, measure_links
from vision.map_matching import Matching, end_price, match, prior_score, twice_score
from vision.marks import Rings, find_rings, without_rings
from vision.questions import DOUBT
from vision.room_lines import RoomReader
from vision.unexplained_ink import circled_off_path, landings, unexplained
from vision.walks import Stroke, strokes_of, with_carriers

Array = NDArray[np.float64]

_MOST_WEAK = 10
#: Orders and directions listed at most.
_MOST_ORDERINGS = 12

Path = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class PathDoubt:
    """Where the ink allows another path: the place, the other paths (best first), a reason, and how much less
    likely (nats) the ink makes them, 0 where it does not tell."""

    about: str
    place: str
    others: tuple[Path, ...]
    reason: str
    behind: float = 0.0


@dataclass(frozen=True)
class PathReading:
    """The path as read: strokes in order with their lines on the table, and the doubts."""

    strokes: tuple[Stroke, ...]
    doubts: tuple[PathDoubt, ...]
    evidence: tuple[LinkEvidence, ...]
    matching: Matching

    @property
    def path(self) -> Path:
        return tuple(stroke.places for stroke in self.strokes)


def read_path(ink: InkMap, dungeon: Dungeon, rings: Rings | None = None) -> PathReading:
    """Read the path from the ink on a dungeon; `rings` spares finding them once more."""
    rings = find_rings(ink, dungeon) if rings is None else rings
    ink = without_rings(ink, rings)
    rooms = RoomReader(ink, style_of(dungeon.catalogue))
    evidence = measure_links(ink, dungeon)
    matching = match(dungeon, evidence)
    strokes, junctions = strokes_of(rooms, dungeon, evidence, matching)
    leftovers = unexplained(ink, dungeon, rings, strokes)
    off_path = circled_off_path(dungeon, rings, strokes)
    landed = landings(dungeon, leftovers, off_path, strokes)
    whole = _substantial(strokes, dungeon)
    credible = strokes = _credible(whole, dungeon, evidence)
    if landed and len(strokes) == 1:
        strokes = tuple(with_carriers(rooms, dungeon, stroke) for stroke in strokes)
    strokes = (*strokes, *landed)
    orders = orderings(strokes, dungeon)
    best = orders[0]
    doubts = []
    if len(orders) > 1:
        start = best[0].places[0]
        others = tuple(tuple(s.places for s in order) for order in orders[1:])
        doubts.append(PathDoubt("direction", start, others, "direction"))
    read = tuple(s.places for s in best)
    for link, behind, other_strokes in _weak_links(rooms, dungeon, evidence, matching):
        other = tuple(s.places for s in _like(orderings(_substantial(other_strokes, dungeon), dungeon), best))
        if other != read:
            place = _named_place(dungeon, link, read)
            hidden = evidence[link].seen < tuning.LEAST_SEEN
            doubts.append(PathDoubt("path", place, (other,), "hidden" if hidden else "faint", behind))
    if dropped := [stroke for stroke in whole if not any(stroke is kept for kept in credible)]:
        with_it = tuple(s.places for s in _like(orderings((*whole, *landed), dungeon), best))
        doubts.append(PathDoubt("path", dropped[0].places[0], (with_it,), "faint"))
    for junction in junctions:
        in_room = dungeon.places[junction.place].kind == "room"
        if junction.margin < (tuning.ROOM_PAIRING_DOUBT if in_room else tuning.PAIRING_DOUBT):
            other_strokes, _ = strokes_of(rooms, dungeon, evidence, matching, second_choice=junction.place)
            other = tuple(
                s.places for s in _like(orderings(_substantial(other_strokes, dungeon), dungeon), best)
            )
            if other != read:
                doubts.append(PathDoubt("path", junction.place, (other,), "crossing"))
    doubts += [PathDoubt("path", left.place, (), "beside") for left in leftovers]
    doubts += [PathDoubt("path", name, (), "off-path") for name in off_path]
    return PathReading(best, tuple(doubts), evidence, matching)


def orderings(strokes: Sequence[Stroke], dungeon: Dungeon) -> list[tuple[Stroke, ...]]:
    """Every order and direction of the strokes that the drawing allows equally, the one to read first.

    A fall leads down only; a path begins on the outer edge when any stroke reaches it; a stroke goes on from
    the kind of
    place at which the one before it ended.
    """
    if not strokes:
        return [()]
    # more strokes than this were never one path; they are kept as they lie
    free = min(len(strokes), 4)
    scored: list[tuple[float, tuple[Stroke, ...]]] = []
    for order in itertools.permutations(range(free)):
        for turned in itertools.product((False, True), repeat=free):
            walk = tuple(strokes[k].reversed() if turned[k] else strokes[k] for k in order) + tuple(
                strokes[free:]
            )
            scored.append((_order_score(walk, dungeon), walk))
    top = max(score for score, _ in scored)
    kept = [walk for score, walk in scored if score > top - 0.5]
    # the same from run to run: from left to right, then from top to bottom
    kept.sort(key=lambda walk: (dungeon.places[walk[0].places[0]].at_mm, walk[0].places))
    return kept[:_MOST_ORDERINGS]


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
        # an outer edge left in mid-path is re-entered somewhere; seldom
        if before.places[-1] in dungeon.open_openings:
            score -= 1.0
    return score


def _like(orders: list[tuple[Stroke, ...]], best: tuple[Stroke, ...]) -> tuple[Stroke, ...]:
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


def _credible(
    strokes: Sequence[Stroke], dungeon: Dungeon, evidence: Sequence[LinkEvidence]
) -> tuple[Stroke, ...]:
    """Strokes without those beside the best one that hang on a faint link or two: a wall's edge, a
    scratch.
    """
    scores: dict[frozenset[str], float] = {}
    for link, seen in zip(dungeon.links, evidence, strict=True):
        ends = frozenset((link.a, link.b))
        scores[ends] = max(scores.get(ends, -np.inf), prior_score(dungeon, link, seen))

    def worth(stroke: Stroke) -> float:
        return sum(scores[frozenset(pair)] for pair in itertools.pairwise(stroke.places))

    best = max((worth(stroke) for stroke in strokes), default=0.0)
    gates = habits_of(dungeon).gates
    return tuple(
        stroke
        for stroke in strokes
        if worth(stroke) >= min(tuning.STROKE_WORTH, best)
        or any(dungeon.places[place].find in gates for place in stroke.places)
    )


def _substantial(strokes: Sequence[Stroke], dungeon: Dungeon) -> tuple[Stroke, ...]:
    def length(stroke: Stroke) -> float:
        return float(np.linalg.norm(np.diff(stroke.line_mm, axis=0), axis=1).sum())

    least_mm = tuning.LEAST_STROKE * style_of(dungeon.catalogue).corridor_mm
    return tuple(s for s in strokes if length(s) >= least_mm)


def objective(dungeon: Dungeon, evidence: Sequence[LinkEvidence], matching: Matching) -> float:
    """Log-likelihood (up to a constant) of a set of links, ends included."""
    total = 0.0
    for link, seen, times in zip(dungeon.links, evidence, matching.times, strict=True):
        if times:
            total += prior_score(dungeon, link, seen)
        if times > 1:
            total += twice_score(link, seen)
    return total - sum(end_price(dungeon, place) for place in matching.ends)


def _weak_links(
    rooms: RoomReader, dungeon: Dungeon, evidence: Sequence[LinkEvidence], matching: Matching
) -> list[tuple[int, float, tuple[Stroke, ...]]]:
    """Links that might be read the other way: (index, by how many nats the other reading is less likely, its
    strokes).
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
    found = []
    for _, i in sorted(weak)[:_MOST_WEAK]:
        other = match(dungeon, evidence, forced={i: 0 if matching.times[i] else 1})
        behind = best - objective(dungeon, evidence, other)
        if behind > DOUBT or other.times == matching.times:
            continue
        strokes, _ = strokes_of(rooms, dungeon, evidence, other)
        found.append((i, behind, strokes))
    return found


def _named_place(dungeon: Dungeon, link: int, read: Path) -> str:
    """The end of a link that the path reaches, to name the doubt by."""
    a, b = dungeon.links[link].a, dungeon.links[link].b
    places = {place for stroke in read for place in stroke}
    return b if b in places and a not in places else a
