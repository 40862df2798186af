"""The path: the walk through the dungeon that best explains the ink, and what the ink leaves open.

Links are weighed (`vision.link_evidence`), chosen as a whole (`vision.map_matching`), strung to strokes
(`vision.walks`) and put in order here. Ink tells neither direction nor the order of strokes; falls do, and so
does the outer edge, where a path begins. An illegal drawing is read as drawn.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.dungeon import Dungeon
from vision import tuning
from vision.drawing_style import style_of
from vision.habits import habits_of
from vision.ink import PX_PER_MM, InkMap
from vision.link_evidence import LinkEvidence, measure_links, with_circles
from vision.map_matching import Matching, doubtful, further_ends, match, objective, prior_score
from vision.marks import Rings, find_rings, without_rings
from vision.own_lines import foreign_links
from vision.pens import all_thin
from vision.questions import DOUBT
from vision.rock_lines import across_rock
from vision.room_lines import RoomReader
from vision.unexplained_ink import (
    begun_gates,
    circled_off_path,
    dotted_gates,
    dotted_openings,
    landings,
    unexplained,
)
from vision.walks import Junction, Stroke, strokes_of, to_the_door, with_carriers

Array = NDArray[np.float64]

#: Caps. What is cut off is one more reason not to be sure ("too-much").
#: Other readings of weak links that are worked out, weakest first.
_MOST_WEAK = 16
#: Stretches of thin ink that are asked about, the longest first.
_MOST_THIN = 3
#: Strokes that are put in every order and turned, orders listed, pairings offered at one place, and pieces of
#: unexplained ink asked about one by one.
_MOST_TURNED, _MOST_ORDERINGS, _MOST_PAIRINGS, _MOST_BESIDE = 4, 12, 3, 3

#: So often a likelier set of links is taken from the other readings of weak ones, and from so many nats on it
#: is one.
_MOST_BETTERED, _BETTER = 1, 0.05

Path = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class PathDoubt:
    """Where the ink allows another path: the place, the other paths (best first), a reason, and how much less
    likely (nats) the ink makes them, 0 where it does not tell. `unmarked`: marks are none, either, then."""

    about: str
    place: str
    others: tuple[Path, ...]
    reason: str
    behind: float = 0.0
    unmarked: bool = False


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


def read_path(
    ink: InkMap, dungeon: Dungeon, rings: Rings | None = None, *, single: bool = True
) -> PathReading:
    """Read the path from the ink on a dungeon; `rings` spares finding them once more. `single`: one player
    drew all of it."""
    rings = find_rings(ink, dungeon) if rings is None else rings
    whole_ink, ink = ink, without_rings(ink, rings)
    rooms = RoomReader(whole_ink, style_of(dungeon.catalogue))
    circled = [name for name, found in zip(rings.places, rings.found, strict=True) if found]
    evidence = with_circles(measure_links(ink, dungeon), whole_ink, dungeon, circled)
    matching, flipped, untried = _likeliest(dungeon, evidence, single)
    strokes, junctions = strokes_of(rooms, dungeon, evidence, matching)
    strokes = across_rock(ink, dungeon, strokes)
    apart: list[Stroke] = []
    if (loose := matching.loose) is not None:
        loose_strokes, loose_junctions = strokes_of(rooms, dungeon, evidence, loose)
        joined = across_rock(ink, dungeon, loose_strokes)
        if len(joined) < len(loose_strokes) and not further_ends(dungeon, _ends(joined)):
            # the ends that would be too many are those of a line straight through rock
            matching = replace(loose, single=False)
            flipped, untried = _weak_links(dungeon, evidence, matching)
            strokes, junctions = joined, loose_junctions
        else:
            apart = _beside(loose_strokes, dungeon, matching)
    leftovers = unexplained(ink, dungeon, rings, strokes)
    off_path = circled_off_path(dungeon, rings, strokes)
    dotted = dotted_gates(ink, dungeon, rings, strokes)
    begun = begun_gates(ink, dungeon, strokes)
    landed = tuple(
        to_the_door(dungeon, evidence, matching, stroke)
        for stroke in landings(dungeon, leftovers, off_path, dotted, begun, strokes)
    )
    whole = _substantial(strokes, dungeon)
    credible = strokes = _credible(whole, dungeon, evidence)
    ends = {name for stroke in strokes for name in (stroke.places[0], stroke.places[-1])}
    if len(strokes) == 1 and (landed or _ends_on_a_gate(dungeon, begun, ends)):
        strokes = tuple(with_carriers(rooms, dungeon, stroke) for stroke in strokes)
    strokes = (*strokes, *landed)
    every_order = _equal_orderings(strokes, dungeon)
    orders = every_order[:_MOST_ORDERINGS]
    best = orders[0]
    read = tuple(s.places for s in best)

    def path_like_read(other_strokes: Sequence[Stroke]) -> Path:
        return tuple(s.places for s in _like(orderings(other_strokes, dungeon), best))

    def path_of(other: Matching, choice: tuple[str, int] = ("", 0)) -> Path:
        other_strokes, _ = strokes_of(rooms, dungeon, evidence, other, choice=choice)
        return path_like_read(_substantial(across_rock(ink, dungeon, other_strokes), dungeon))

    doubts: list[PathDoubt] = []
    cut_off: list[str] = []
    if len(orders) > 1:
        others = tuple(tuple(s.places for s in order) for order in orders[1:])
        doubts.append(PathDoubt("direction", best[0].places[0], others, "direction"))
    if len(every_order) > len(orders):
        cut_off.append(best[0].places[0])
    cut_off += [stroke.places[0] for stroke in strokes[_MOST_TURNED:][:1]]
    guessed = _guessed(best, dungeon, evidence)
    known = {other.times for _, _, other in flipped}
    beyond = [
        each
        for each in _beyond_hidden_ends(whole_ink, dungeon, evidence, matching, strokes)
        if each[2].times not in known
    ]
    for link, behind, other in (*flipped, *beyond):
        if any(other.times[i] != matching.times[i] for i in guessed):
            behind = min(behind, tuning.GUESSED_BEHIND)
        path = path_of(other)
        if path != read:
            place = _named_place(dungeon, link, read)
            hidden = evidence[link].seen < tuning.LEAST_SEEN or any(each[2] is other for each in beyond)
            doubts.append(PathDoubt("path", place, (path,), "hidden" if hidden else "faint", behind))
    cut_off += [_named_place(dungeon, link, read) for link in untried[:1]]
    thin = _thin_stretches(dungeon, evidence, matching)[:_MOST_THIN]
    if read and all_thin(ink.pens):
        plain = ink.faint == 1 and not (leftovers or thin)
        borne_out = _marked_on_path(dungeon, rings, strokes) >= tuning.BEARING_MARKS and not off_path
        behind = tuning.OLD_PATH_BEHIND if plain or borne_out else 0.0
        doubts.append(PathDoubt("path", read[0][0], ((),), "ghost", behind, unmarked=ink.faint < 1))
    for stretch, behind, other in thin:
        if (path := path_of(other)) != read:
            place = _named_place(dungeon, stretch[0], read)
            doubts.append(PathDoubt("path", place, (path,), "ghost", behind))
    foreign = foreign_links(whole_ink, evidence, matching.times)
    for stretch in _hanging_together(dungeon, foreign)[:_MOST_THIN]:
        path = path_of(match(dungeon, evidence, forced=dict.fromkeys(stretch, 0), like=matching))
        if path != read:
            doubts.append(PathDoubt("path", _named_place(dungeon, stretch[0], read), (path,), "other-pen"))
    dropped = [stroke for stroke in whole if not any(stroke is kept for kept in credible)]
    dropped += [stroke for stroke in _substantial(apart, dungeon) if stroke not in dropped]
    if dropped:
        # in another order the rest of the path would be another one, too
        with_it = (*read, *(stroke.places for stroke in dropped))
        led_on = (path_of(other) for other in _led_on(dungeon, evidence, matching, read, dropped))
        # a pen that runs dry leaves such a stretch at the end of its line
        others = tuple(path for path in dict.fromkeys(led_on) if path != read and len(path) <= len(read))
        doubts.append(PathDoubt("path", dropped[0].places[0], (*others, with_it), "faint"))
    likely = _credible(credible, dungeon, evidence, tuning.STROKE_WORTH)
    if short := [stroke for stroke in credible if not any(stroke is kept for kept in likely)]:
        led_on = (path_of(other) for other in _led_on(dungeon, evidence, matching, read, short))
        if others := tuple(path for path in dict.fromkeys(led_on) if len(path) < len(read)):
            doubts.append(PathDoubt("path", short[0].places[0], others, "faint"))
    for junction in junctions:
        near = _near_pairings(junction, dungeon)
        others = ()
        for number in junction.others[: min(near, _MOST_PAIRINGS)]:
            others = (*others, path_of(matching, (junction.place, number)))
        if others := tuple(path for path in dict.fromkeys(others) if path != read):
            doubts.append(PathDoubt("path", junction.place, others, "crossing"))
        if junction.cut_off or near > _MOST_PAIRINGS:
            cut_off.append(junction.place)
    cut_off += _walked_more_often(dungeon, evidence, matching)[:1]
    doubts += [PathDoubt("path", place, (), "covered") for place in covered_ends(whole_ink, dungeon, read)]
    doubts += [PathDoubt("path", left.place, (), "beside") for left in leftovers[:_MOST_BESIDE]]
    cut_off += [left.place for left in leftovers[_MOST_BESIDE:][:1]]
    doubts += [
        PathDoubt("path", gate, (_through(best, gate, dungeon),), "beside")
        for gate in dotted
        if best and best[-1].places and not any(gate in stroke.places for stroke in landed)
    ]
    for name in dotted_openings(ink, dungeon, best)[:_MOST_BESIDE] if read else ():
        to_there = (path_of(other) for other in _run_out(dungeon, evidence, matching, name))
        begun_anew = ((*walk, (name,)) for walk in (read, _backwards(read)))
        others = tuple(path for path in dict.fromkeys((*to_there, *begun_anew)) if path != read)
        doubts.append(PathDoubt("path", name, others, "beside"))
    # ink to a door tells of a landing what a circle alone does not
    led_out = {stroke.places[0] for stroke in landed if len(stroke.places) > 2}
    doubts += [PathDoubt("path", name, (), "off-path") for name in off_path if name not in led_out]
    doubts += [PathDoubt("path", place, (), "too-much") for place in dict.fromkeys(cut_off)]
    return PathReading(best, tuple(doubts), evidence, matching)


def _marked_on_path(dungeon: Dungeon, rings: Rings, strokes: Sequence[Stroke]) -> int:
    """How many finds are circled to which the path comes."""
    visited = {place for stroke in strokes for place in stroke.places}
    return sum(
        bool(found) and not visited.isdisjoint({name, dungeon.places[name].room})
        for name, found in zip(rings.places, rings.found, strict=True)
    )


def _ends_on_a_gate(dungeon: Dungeon, begun: Sequence[str], ends: Collection[str]) -> bool:
    """Whether a line that ends in a room does so on its one gate. Where there are two of them it may as well
    have come out of the other."""
    gates = habits_of(dungeon).gates
    rooms = [place.room for place in dungeon.places.values() if place.find in gates]
    return any(rooms.count(room) == 1 and room in ends for room in (dungeon.places[g].room for g in begun))


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


def _guessed(strokes: Sequence[Stroke], dungeon: Dungeon, evidence: Sequence[LinkEvidence]) -> frozenset[int]:
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


def _beyond_hidden_ends(
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


def _run_out(
    dungeon: Dungeon, evidence: Sequence[LinkEvidence], matching: Matching, opening: str
) -> list[Matching]:
    """The readings in which a line comes to an opening."""
    return [
        match(dungeon, evidence, forced={i: 1}, like=matching)
        for i, link in enumerate(dungeon.links)
        if opening in (link.a, link.b) and evidence[i].length_mm > 0
    ]


def _backwards(path: Path) -> Path:
    """A path of one stroke from its other end, any other as it is."""
    return (path[0][::-1],) if len(path) == 1 else path


def _led_on(
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


def _thin_stretches(
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
    for links in _hanging_together(dungeon, thin) if plain else [thin]:
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


def _hanging_together(dungeon: Dungeon, links: Sequence[int]) -> list[list[int]]:
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


def _through(strokes: Sequence[Stroke], gate: str, dungeon: Dungeon) -> Path:
    """The path that goes on through a gate and ends there: from the nearest gate of the room in which it
    ended, if it ended in one."""
    gates = habits_of(dungeon).gates
    last = strokes[-1]
    here = [
        place
        for place in dungeon.places.values()
        if place.room == last.places[-1] and place.find in gates and place.id not in last.places
    ]
    near = min(here, key=lambda place: float(np.linalg.norm(last.line_mm[-1] - place.at_mm)), default=None)
    walked = last.places if near is None else (*last.places, near.id)
    return (*(stroke.places for stroke in strokes[:-1]), walked, (gate,))


def _near_pairings(junction: Junction, dungeon: Dungeon) -> int:
    """How many other pairings of the lines at a place are nearly as good as the one that was read."""
    in_room = dungeon.places[junction.place].kind == "room"
    doubted = tuning.ROOM_PAIRING_DOUBT if in_room else tuning.PAIRING_DOUBT
    return sum(margin < doubted for margin in junction.margins)


def _walked_more_often(dungeon: Dungeon, evidence: Sequence[LinkEvidence], matching: Matching) -> list[str]:
    """Where a third line shows beside a walked one: no link is read as walked more than twice."""
    return [
        link.a
        for link, seen, times in zip(dungeon.links, evidence, matching.times, strict=True)
        if times and seen.third > tuning.TWICE_COST
    ]


def orderings(strokes: Sequence[Stroke], dungeon: Dungeon) -> list[tuple[Stroke, ...]]:
    """Every order and direction of the strokes that the drawing allows equally, the one to read first.

    A fall leads down only; a path begins on the outer edge when any stroke reaches it; a stroke goes on from
    the kind of
    place at which the one before it ended.
    """
    return _equal_orderings(strokes, dungeon)[:_MOST_ORDERINGS]


def _equal_orderings(strokes: Sequence[Stroke], dungeon: Dungeon) -> list[tuple[Stroke, ...]]:
    if not strokes:
        return [()]
    # more strokes than this were never one path; they are kept as they lie
    free = min(len(strokes), _MOST_TURNED)
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
        length = -_length_mm(walk[0])
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


def _beside(strokes: Sequence[Stroke], dungeon: Dungeon, matching: Matching) -> list[Stroke]:
    """The strokes that walk no link of a matching."""
    walked = {
        frozenset((link.a, link.b))
        for link, times in zip(dungeon.links, matching.times, strict=True)
        if times
    }
    return [
        stroke for stroke in strokes if walked.isdisjoint(map(frozenset, itertools.pairwise(stroke.places)))
    ]


def _ends(strokes: Sequence[Stroke]) -> list[str]:
    return [name for stroke in strokes for name in (stroke.places[0], stroke.places[-1])]


def _substantial(strokes: Sequence[Stroke], dungeon: Dungeon) -> tuple[Stroke, ...]:
    least_mm = tuning.LEAST_STROKE * style_of(dungeon.catalogue).corridor_mm
    return tuple(stroke for stroke in strokes if _length_mm(stroke) >= least_mm)


def _length_mm(stroke: Stroke) -> float:
    return round(float(np.linalg.norm(np.diff(stroke.line_mm, axis=0), axis=1).sum()), 3)


def _likeliest(
    dungeon: Dungeon, evidence: Sequence[LinkEvidence], single: bool
) -> tuple[Matching, list[tuple[int, float, Matching]], list[int]]:
    """The likeliest set of links, with its `_weak_links`: among what they come to otherwise there may be a
    likelier one still."""
    matching = match(dungeon, evidence, single=single)
    flipped, untried = _weak_links(dungeon, evidence, matching)
    for _ in range(_MOST_BETTERED):
        _, behind, other = min(flipped, key=lambda each: each[1], default=(0, 0.0, matching))
        if behind > -_BETTER:
            break
        matching = replace(other, loose=matching.loose)
        flipped, untried = _weak_links(dungeon, evidence, matching)
    return matching, flipped, untried


def _weak_links(
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
    found = []
    for i in open_ones[:_MOST_WEAK]:
        other = match(dungeon, evidence, forced={i: 0 if matching.times[i] else 1}, like=matching)
        behind = best - objective(dungeon, evidence, other)
        if behind <= DOUBT and other.times != matching.times:
            found.append((i, behind, other))
    return found, open_ones[_MOST_WEAK:]


def _named_place(dungeon: Dungeon, link: int, read: Path) -> str:
    """The end of a link that the path reaches, to name the doubt by."""
    a, b = dungeon.links[link].a, dungeon.links[link].b
    places = {place for stroke in read for place in stroke}
    return b if b in places and a not in places else a
