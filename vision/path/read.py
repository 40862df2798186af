"""Path reading: ink map and dungeon -> strokes in drawing order, and doubts with the alternative paths.

Links are scored (`vision.path.link_evidence`), chosen as a whole (`vision.path.map_matching`), joined to
strokes (`vision.path.strokes`) and ordered (`vision.path.stroke_order`). If the ink is ambiguous, alternative
paths are added (`vision.path.alternatives`). An illegal drawing is read as drawn.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scorer.dungeon import Dungeon
from vision.allowance import allowance, one_allowance
from vision.ink.ink_map import InkMap
from vision.ink.pens import all_thin
from vision.marks import Rings, find_rings, without_rings
from vision.path import parameters
from vision.path.alternatives import (
    beyond_hidden_ends,
    covered_ends,
    guessed_links,
    hanging_together,
    led_on_to,
    likeliest_links,
    run_out,
    thin_stretches,
    weak_links,
)
from vision.path.link_evidence import LinkEvidence, measure_links, with_circles
from vision.path.map_matching import Matching, match
from vision.path.off_graph import across_rock
from vision.path.own_lines import foreign_links
from vision.path.priors import further_ends
from vision.path.residual_ink import (
    begun_gates,
    circled_off_path,
    dotted_gates,
    dotted_openings,
    landings,
    unexplained,
)
from vision.path.room_paths import RoomReader
from vision.path.stroke_order import (
    MOST_ORDERINGS,
    MOST_TURNED,
    credible_strokes,
    equal_orderings,
    order_like,
    orderings,
    stroke_ends,
    strokes_beside,
    substantial_strokes,
)
from vision.path.strokes import Junction, Path, Stroke, strokes_of, to_the_door, with_carriers
from vision.path.style import habits_of, style_of

Array = NDArray[np.float64]

#: Largest number of stretches of thin ink that lead to doubts, the longest first.
_MOST_THIN = 3
#: Largest number of pairings offered at one place, and of regions of residual ink that lead to separate
#: doubts.
_MOST_PAIRINGS, _MOST_BESIDE = 3, 3
#: Steps of the allowance for each walked link when strokes are formed and ordered: 384 ways for four strokes.
_STRINGING = 400
#: Largest number of stretches without ink for which a line through rock is tried instead.
_MOST_BARE = 2


@dataclass(frozen=True)
class PathDoubt:
    """A place where the ink allows another path: the other paths (best first) and the reason.

    `behind` is the nats by which they are less likely, 0 if the ink does not decide. `unmarked`: if another
    path is right, the marks are void as well.
    """

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


@one_allowance()
def read_path(
    ink: InkMap, dungeon: Dungeon, rings: Rings | None = None, *, single: bool = True
) -> PathReading:
    """The path read from the ink map of a dungeon.

    `rings` are the detected circles, if already known; `single`: one player drew everything as one line.
    """
    refused = allowance().refusals
    rings = find_rings(ink, dungeon) if rings is None else rings
    whole_ink, ink = ink, without_rings(ink, rings)
    rooms = RoomReader(whole_ink, style_of(dungeon.catalogue))
    circled = [name for name, found in zip(rings.places, rings.found, strict=True) if found]
    evidence = with_circles(measure_links(ink, dungeon), whole_ink, dungeon, circled)
    matching, flipped, untried = likeliest_links(dungeon, evidence, single)
    strokes, junctions = strokes_of(rooms, dungeon, evidence, matching)
    strokes = across_rock(ink, dungeon, strokes)
    apart: list[Stroke] = []
    through = _through_rock(ink, rooms, dungeon, evidence, matching)
    if through is not None:
        # the surplus ends are those of a line straight through rock
        matching, strokes, junctions = through
        flipped, untried = weak_links(dungeon, evidence, matching)
    elif (loose := matching.loose) is not None:
        apart = strokes_beside(strokes_of(rooms, dungeon, evidence, loose)[0], dungeon, matching)
    leftovers = unexplained(ink, dungeon, rings, strokes)
    off_path = circled_off_path(dungeon, rings, strokes)
    dotted = dotted_gates(ink, dungeon, rings, strokes)
    begun = begun_gates(ink, dungeon, strokes)
    landed = tuple(
        to_the_door(dungeon, evidence, matching, stroke)
        for stroke in landings(dungeon, leftovers, off_path, dotted, begun, strokes)
    )
    whole = substantial_strokes(strokes, dungeon)
    credible = strokes = credible_strokes(whole, dungeon, evidence)
    ends = {name for stroke in strokes for name in (stroke.places[0], stroke.places[-1])}
    if len(strokes) == 1 and (landed or _ends_on_a_gate(dungeon, begun, ends)):
        strokes = tuple(with_carriers(rooms, dungeon, stroke) for stroke in strokes)
    strokes = (*strokes, *landed)
    every_order = equal_orderings(strokes, dungeon)
    orders = every_order[:MOST_ORDERINGS]
    best = orders[0]
    read = tuple(s.places for s in best)

    def path_of(other: Matching, choice: tuple[str, int] = ("", 0)) -> Path:
        allowance().spend(_STRINGING * sum(other.times))
        other_strokes, _ = strokes_of(rooms, dungeon, evidence, other, choice=choice)
        drawn = substantial_strokes(across_rock(ink, dungeon, other_strokes), dungeon)
        return tuple(s.places for s in order_like(orderings(drawn, dungeon), best))

    doubts: list[PathDoubt] = []
    cut_off: list[str] = []
    if len(orders) > 1:
        others = tuple(tuple(s.places for s in order) for order in orders[1:])
        doubts.append(PathDoubt("direction", best[0].places[0], others, "direction"))
    if len(every_order) > len(orders):
        cut_off.append(best[0].places[0])
    cut_off += [stroke.places[0] for stroke in strokes[MOST_TURNED:][:1]]
    guessed = guessed_links(best, dungeon, evidence)
    known = {other.times for _, _, other in flipped}
    beyond = [
        each
        for each in beyond_hidden_ends(whole_ink, dungeon, evidence, matching, strokes)
        if each[2].times not in known
    ]
    for link, behind, other in (*flipped, *beyond):
        if any(other.times[i] != matching.times[i] for i in guessed):
            behind = min(behind, parameters.DOUBTS.guessed_behind_nats)
        path = path_of(other)
        if path != read:
            place = _named_place(dungeon, link, read)
            hidden = evidence[link].seen < parameters.DOUBTS.least_seen_share or any(
                each[2] is other for each in beyond
            )
            doubts.append(PathDoubt("path", place, (path,), "hidden" if hidden else "faint", behind))
    cut_off += [_named_place(dungeon, link, read) for link in untried[:1]]
    thin = thin_stretches(dungeon, evidence, matching)[:_MOST_THIN]
    if read and all_thin(ink.pens):
        plain = ink.faint == 1 and not (leftovers or thin)
        borne_out = (
            _marked_on_path(dungeon, rings, strokes) >= parameters.DOUBTS.bearing_marks and not off_path
        )
        behind = parameters.DOUBTS.old_path_behind_nats if plain or borne_out else 0.0
        doubts.append(PathDoubt("path", read[0][0], ((),), "ghost", behind, unmarked=ink.faint < 1))
    for stretch, behind, other in thin:
        if (path := path_of(other)) != read:
            place = _named_place(dungeon, stretch[0], read)
            doubts.append(PathDoubt("path", place, (path,), "ghost", behind))
    foreign = foreign_links(whole_ink, evidence, matching.times)
    for stretch in hanging_together(dungeon, foreign)[:_MOST_THIN]:
        path = path_of(match(dungeon, evidence, forced=dict.fromkeys(stretch, 0), like=matching))
        if path != read:
            doubts.append(PathDoubt("path", _named_place(dungeon, stretch[0], read), (path,), "other-pen"))
    dropped = [stroke for stroke in whole if not any(stroke is kept for kept in credible)]
    dropped += [stroke for stroke in substantial_strokes(apart, dungeon) if stroke not in dropped]
    if dropped:
        # in another order the rest of the path would change, too
        with_it = (*read, *(stroke.places for stroke in dropped))
        led_on = (path_of(other) for other in led_on_to(dungeon, evidence, matching, read, dropped))
        # a pen running dry leaves such a stretch at the end of its line
        others = tuple(path for path in dict.fromkeys(led_on) if path != read and len(path) <= len(read))
        doubts.append(PathDoubt("path", dropped[0].places[0], (*others, with_it), "faint"))
    likely = credible_strokes(credible, dungeon, evidence, parameters.STROKES.worth_nats)
    if short := [stroke for stroke in credible if not any(stroke is kept for kept in likely)]:
        led_on = (path_of(other) for other in led_on_to(dungeon, evidence, matching, read, short))
        if others := tuple(path for path in dict.fromkeys(led_on) if len(path) < len(read)):
            doubts.append(PathDoubt("path", short[0].places[0], others, "faint"))
    for junction in junctions:
        near = _near_pairings(junction, dungeon)
        if near and not allowance().covers(_STRINGING * sum(matching.times)):
            cut_off.append(junction.place)
            break
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
        to_there = (path_of(other) for other in run_out(dungeon, evidence, matching, name))
        begun_anew = ((*walk, (name,)) for walk in (read, _backwards(read)))
        others = tuple(path for path in dict.fromkeys((*to_there, *begun_anew)) if path != read)
        doubts.append(PathDoubt("path", name, others, "beside"))
    # ink to a door shows where the player left; a circle alone does not
    led_out = {stroke.places[0] for stroke in landed if len(stroke.places) > 2}
    doubts += [PathDoubt("path", name, (), "off-path") for name in off_path if name not in led_out]
    if allowance().refusals > refused and not cut_off:
        cut_off.append(next((name for walk in read for name in walk), next(iter(dungeon.places), "")))
    doubts += [PathDoubt("path", place, (), "too-much") for place in dict.fromkeys(cut_off)]
    return PathReading(best, tuple(doubts), evidence, matching)


def _through_rock(
    ink: InkMap, rooms: RoomReader, dungeon: Dungeon, evidence: Sequence[LinkEvidence], matching: Matching
) -> tuple[Matching, tuple[Stroke, ...], tuple[Junction, ...]] | None:
    """The likeliest set of links that becomes one line through a straight step across rock, with its strokes.

    Candidates are the set with more ends, and sets without links along which hardly any ink shows. None if no
    ink crosses rock.
    """
    bare = [
        i
        for i, times in enumerate(matching.times)
        if times
        and dungeon.links[i].kind in ("corridor", "stairs")
        and evidence[i].seen >= parameters.DOUBTS.least_seen_share
        and evidence[i].score < -parameters.ROCK_LINES.instead_nats
    ]
    tried = [] if matching.loose is None else [matching.loose]
    without = (dict.fromkeys(group, 0) for group in hanging_together(dungeon, bare)[:_MOST_BARE])
    tried += [match(dungeon, evidence, forced=forced) for forced in without]
    for other in tried:
        parted, junctions = strokes_of(rooms, dungeon, evidence, other)
        joined = across_rock(ink, dungeon, parted)
        ends = stroke_ends(credible_strokes(joined, dungeon, evidence))
        if len(joined) < len(parted) and not further_ends(dungeon, ends):
            return replace(other, single=False), joined, junctions
    return None


def _marked_on_path(dungeon: Dungeon, rings: Rings, strokes: Sequence[Stroke]) -> int:
    """Number of circled finds that the path visits."""
    visited = {place for stroke in strokes for place in stroke.places}
    return sum(
        bool(found) and not visited.isdisjoint({name, dungeon.places[name].room})
        for name, found in zip(rings.places, rings.found, strict=True)
    )


def _ends_on_a_gate(dungeon: Dungeon, begun: Sequence[str], ends: Collection[str]) -> bool:
    """Whether a line that ends in a room ends on the only gate there.

    With two gates, the line may have come out of the other one.
    """
    gates = habits_of(dungeon).gates
    rooms = [place.room for place in dungeon.places.values() if place.find in gates]
    return any(rooms.count(room) == 1 and room in ends for room in (dungeon.places[g].room for g in begun))


def _backwards(path: Path) -> Path:
    """A path of one stroke reversed; any other path unchanged."""
    return (path[0][::-1],) if len(path) == 1 else path


def _through(strokes: Sequence[Stroke], gate: str, dungeon: Dungeon) -> Path:
    """The path extended through a gate, where it then ends.

    If the path ended in a room with a gate, it enters by the nearest gate there.
    """
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
    """Number of rejected pairings at a junction that are nearly as good as the chosen one."""
    in_room = dungeon.places[junction.place].kind == "room"
    doubted = parameters.MEETINGS.room_doubt_nats if in_room else parameters.MEETINGS.doubt_nats
    return sum(margin < doubted for margin in junction.margins)


def _walked_more_often(dungeon: Dungeon, evidence: Sequence[LinkEvidence], matching: Matching) -> list[str]:
    """Places of walked links beside which a third line shows, although no link is read more than twice."""
    return [
        link.a
        for link, seen, times in zip(dungeon.links, evidence, matching.times, strict=True)
        if times and seen.third > parameters.WALKS.twice_nats
    ]


def _named_place(dungeon: Dungeon, link: int, read: Path) -> str:
    """The end of a link that lies on the path, by which a doubt is named."""
    a, b = dungeon.links[link].a, dungeon.links[link].b
    places = {place for stroke in read for place in stroke}
    return b if b in places and a not in places else a
