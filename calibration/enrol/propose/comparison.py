"""Comparison of a proposed dungeon with the declared one, by its places and by the paths between them.

Areas and pixels hide what matters in play: one corridor too many makes a path that does not exist. A card
therefore counts as right when its links are exactly the declared ones. A path counts as right when its
length is the declared one.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from scipy.optimize import linear_sum_assignment
from shapely.geometry import Polygon
from shapely.validation import make_valid

from calibration.enrol.propose.confidence import kind_of_link, lines_at
from calibration.enrol.trace.tracing import LEAST_SURE, in_doubt
from scorer.catalogue import Card, Edge, Node, Point, Room, RoomFind

#: Places are the same within this distance; junctions and corridors' ends, where three floors run together,
#: within twice that.
SAME_PLACE_MM = 2.0
SAME_END_MM = 4.0
SAME_ROOM_OVERLAP = 0.6
#: Paths have equal lengths within this share, or within this length in mm.
SAME_LENGTH_SHARE, SAME_LENGTH_MM = 0.06, 3.0
_FAR = 1e6


@dataclass(frozen=True)
class Count:
    """Counts for recall and precision: `true` declared things, `found` of them proposed, `proposed` things
    in all."""

    true: int = 0
    found: int = 0
    proposed: int = 0

    def __add__(self, other: Count) -> Count:
        return Count(self.true + other.true, self.found + other.found, self.proposed + other.proposed)

    @property
    def recall(self) -> float | None:
        return self.found / self.true if self.true else None

    @property
    def precision(self) -> float | None:
        return self.found / self.proposed if self.proposed else None


@dataclass(frozen=True)
class Comparison:
    """Counts per kind of part and per kind of find, counts of equal paths, and counts of correct cards.
    `exact` counts cards equal to the declared ones; `links` counts cards with the declared links, whatever
    the kinds of finds. `sure` counts the places and links that nobody looks at, and the right ones of them;
    its `proposed` are these and those in doubt. A link whose end is in doubt is neither. `unwarned` counts
    wrong cards on which nothing is marked as in doubt."""

    parts: dict[str, Count] = field(default_factory=dict)
    finds: dict[str, Count] = field(default_factory=dict)
    ways: Count = Count()
    exact: Count = Count()
    links: Count = Count()
    sure: Count = Count()
    unwarned: Count = Count()

    def __add__(self, other: Comparison) -> Comparison:
        return Comparison(
            _summed(self.parts, other.parts),
            _summed(self.finds, other.finds),
            self.ways + other.ways,
            self.exact + other.exact,
            self.links + other.links,
            self.sure + other.sure,
            self.unwarned + other.unwarned,
        )


def _summed(one: dict[str, Count], other: dict[str, Count]) -> dict[str, Count]:
    return {name: one.get(name, Count()) + other.get(name, Count()) for name in sorted({*one, *other})}


@dataclass(frozen=True)
class _Place:
    id: str
    kind: str
    level: str
    at: Point
    find: str = ""
    chance: float = 1.0


@dataclass(frozen=True)
class _Link:
    ends: tuple[str, str]
    kind: str
    length_mm: float
    chance: float = 1.0


@dataclass(frozen=True)
class Judged:
    """A proposed place, room or link beside the truth: its kind as in `confidence.kind_of`, its `chance` (a
    link's is that of its weakest piece), the chance of the weakest line that meets it (None for a link or a
    room), whether it is `right`, and whether it depends on an `end` in doubt or on an end that is `lost`
    (matched with no declared place)."""

    kind: str
    chance: float
    line: float | None
    right: bool
    end: bool = False
    lost: bool = False


@dataclass(frozen=True)
class _Graph:
    places: dict[str, _Place]
    links: tuple[_Link, ...]
    #: Rooms by id: the outline, and the ids of the places in the room and on its walls.
    rooms: dict[str, tuple[tuple[Point, ...], tuple[str, ...]]]


def compare(proposed: Card, declared: Card) -> Comparison:
    """Comparison of the dungeon `proposed` with the dungeon `declared`, both on one card face."""
    got, true = _graph(proposed), _graph(declared)
    rooms = _same_rooms(got, true)
    same = _same_places(got, true)
    parts = {
        "openings": _places(got, true, same, "opening"),
        "doors": _places(got, true, same, "door"),
        "stairs": _places(got, true, same, "stairs"),
        "finds": _places(got, true, same, "find", finds=True),
        "places of finds": _places(got, true, same, "find"),
        "rooms": Count(len(true.rooms), len(rooms), len(got.rooms)),
        "corridors": _links(got, true, same, "corridor"),
        "stairs' ways": _links(got, true, same, "stairs"),
        "landings": _links(got, true, same, "fall"),
    }
    kinds = {place.find for graph in (got, true) for place in graph.places.values() if place.find}
    finds = {
        kind: Count(
            sum(place.find == kind for place in true.places.values()),
            sum(
                true.places[b].find == kind == got.places[a].find and _near(got, true, a, b)
                for a, b in same.items()
            ),
            sum(place.find == kind for place in got.places.values()),
        )
        for kind in sorted(kinds)
    }
    links = (
        all(_whole(parts[kind]) for kind in ("corridors", "stairs' ways", "landings"))
        and len(same) == len(got.places) == len(true.places)
        and _in_rooms(got, same) == _in_rooms(true, {id_: id_ for id_ in true.places})
    )
    exact = links and all(map(_whole, parts.values()))
    sure = _sure(_judged(got, true, same, lines_at(proposed)))
    asked = sure.proposed > sure.true or any(in_doubt(room) for room in proposed.rooms)
    unwarned = Count(1, int(not exact and not asked), 1)
    told = Count(1, int(exact), 1), Count(1, int(links), 1)
    return Comparison(parts, finds, _ways(got, true, same), *told, sure, unwarned)


def same_places(proposed: Card, declared: Card) -> tuple[dict[str, str], dict[str, str]]:
    """Which proposed places, and which proposed rooms, are which declared ones, by their ids."""
    got, true = _graph(proposed), _graph(declared)
    return _same_places(got, true), _same_rooms(got, true)


def _whole(count: Count) -> bool:
    return count.true == count.found == count.proposed


def _sure(judged: Iterable[Judged]) -> Count:
    """Count of the places and links that nobody looks at: all, the right ones, and with those in doubt."""
    parts = list(judged)
    unseen = [each for each in parts if each.chance >= LEAST_SURE and not each.end]
    doubted = sum(each.chance < LEAST_SURE for each in parts)
    return Count(len(unseen), sum(each.right for each in unseen), len(unseen) + doubted)


def judged(proposed: Card, declared: Card) -> list[Judged]:
    """The proposed places, rooms and links of a card beside the declared ones."""
    got, true = _graph(proposed), _graph(declared)
    rooms = _same_rooms(got, true)
    found = [Judged("room", _chance(room), None, room.id in rooms) for room in proposed.rooms]
    return found + _judged(got, true, _same_places(got, true), lines_at(proposed))


def _judged(got: _Graph, true: _Graph, same: dict[str, str], lines: dict[str, float]) -> list[Judged]:
    """The places and links of a graph beside the true ones. `lines`: the chance of the weakest line at each
    place."""
    found = []
    for place in got.places.values():
        other = true.places.get(same.get(place.id, ""))
        near = other is not None and (_group(place) == "corner" or _near(got, true, place.id, other.id))
        right = near and other is not None and place.find == other.find
        found.append(Judged(place.kind, place.chance, lines.get(place.id, 1.0), right))
    left = {kind: _named(true.links, kind, {id_: id_ for id_ in true.places}) for kind in _LINKS}
    for link in sorted(got.links, key=lambda each: -each.chance):
        name = _name(link, same)
        right = left[link.kind][name] > 0
        left[link.kind][name] -= right
        doubted = any(got.places[end].chance < LEAST_SURE for end in link.ends)
        lost = any(end not in same for end in link.ends)
        found.append(Judged(kind_of_link(link.kind), link.chance, None, right, doubted, lost))
    return found


_LINKS = ("corridor", "stairs", "fall")


def _graph(card: Card) -> _Graph:
    """The card as a graph of places and links. Plain nodes in the middle of a corridor are left out."""
    places = {n.id: _Place(n.id, n.kind, n.level, n.at, n.find or "", _chance(n)) for n in card.nodes}
    rooms: dict[str, tuple[tuple[Point, ...], tuple[str, ...]]] = {}
    for room in card.rooms:
        for find in room.finds:
            places[find.id] = _Place(find.id, "find", room.level, find.at, find.find, _chance(find))
        on = [node.id for node in card.nodes if node.kind == "door" and node.room == room.id]
        rooms[room.id] = (room.outline, (*on, *(find.id for find in room.finds)))
    links = []
    for edge in card.edges:
        line = [places[edge.from_].at, *edge.via, places[edge.to].at]
        length = sum(math.dist(a, b) for a, b in pairwise(line))
        if edge.kind != "corridor":
            length = 0.0
        links.append(_Link((edge.from_, edge.to), edge.kind, length, _chance(edge)))
    landings = {link.ends[1] for link in links if link.kind == "fall"}
    for place in list(places.values()):
        at_it = [link for link in links if place.id in link.ends]
        plain = place.kind == "junction" and place.id not in landings
        if plain and len(at_it) == 2 and all(link.ends[0] != link.ends[1] for link in at_it):
            ends = [next(id_ for id_ in link.ends if id_ != place.id) for link in at_it]
            length = at_it[0].length_mm + at_it[1].length_mm
            joined = _Link((ends[0], ends[1]), "corridor", length, min(each.chance for each in at_it))
            links = [link for link in links if place.id not in link.ends] + [joined]
            del places[place.id]
    return _Graph(places, tuple(links), rooms)


def _chance(part: Node | Edge | Room | RoomFind) -> float:
    return 1.0 if part.confidence is None else part.confidence


def _group(place: _Place) -> str:
    """The class within which places are matched. Junctions and dead ends of corridors share one class,
    "corner"."""
    return place.kind if place.kind in ("opening", "door", "find", "stairs") else "corner"


def _same_places(got: _Graph, true: _Graph) -> dict[str, str]:
    """Matching of proposed to declared places (id -> id), one to one, by least total distance within a
    limit."""
    same: dict[str, str] = {}
    for group in {_group(place) for place in true.places.values()}:
        ours = [place for place in got.places.values() if _group(place) == group]
        theirs = [place for place in true.places.values() if _group(place) == group]
        if not ours or not theirs:
            continue
        costs = np.array(
            [[math.dist(a.at, b.at) if a.level == b.level else _FAR for b in theirs] for a in ours]
        )
        costs[costs > SAME_END_MM] = _FAR
        for a, b in zip(*linear_sum_assignment(costs), strict=True):
            if costs[a, b] < _FAR:
                same[ours[a].id] = theirs[b].id
    return same


def _near(got: _Graph, true: _Graph, a: str, b: str) -> bool:
    return math.dist(got.places[a].at, true.places[b].at) <= SAME_PLACE_MM


def _places(got: _Graph, true: _Graph, same: dict[str, str], kind: str, *, finds: bool = False) -> Count:
    found = 0
    for a, b in same.items():
        if true.places[b].kind == kind and _near(got, true, a, b):
            found += not finds or got.places[a].find == true.places[b].find
    return Count(
        sum(place.kind == kind for place in true.places.values()),
        found,
        sum(place.kind == kind for place in got.places.values()),
    )


def _named(links: Iterable[_Link], kind: str, names: dict[str, str]) -> Counter[Hashable]:
    """Multiset of the links of one kind by the matched names of their ends. Only falls are directed. An
    unmatched place keeps its own id with a question mark before it."""
    told: Counter[Hashable] = Counter()
    for link in links:
        if link.kind == kind:
            told[_name(link, names)] += 1
    return told


def _name(link: _Link, names: dict[str, str]) -> Hashable:
    ends = [names.get(id_, "?" + id_) for id_ in link.ends]
    return tuple(ends) if link.kind == "fall" else frozenset(ends)


def _links(got: _Graph, true: _Graph, same: dict[str, str], kind: str) -> Count:
    ours, theirs = _named(got.links, kind, same), _named(true.links, kind, {id_: id_ for id_ in true.places})
    return Count(theirs.total(), (ours & theirs).total(), ours.total())


def _in_rooms(graph: _Graph, names: dict[str, str]) -> set[frozenset[str]]:
    return {frozenset(names.get(id_, "?" + id_) for id_ in places) for _, places in graph.rooms.values()}


def _same_rooms(got: _Graph, true: _Graph) -> dict[str, str]:
    same: dict[str, str] = {}
    for id_, (outline, _) in got.rooms.items():
        ours = make_valid(Polygon(outline))
        for other, (their_outline, _) in true.rooms.items():
            theirs = make_valid(Polygon(their_outline))
            if (
                other not in same.values()
                and ours.intersection(theirs).area > SAME_ROOM_OVERLAP * ours.union(theirs).area
            ):
                same[id_] = other
                break
    return same


def _ways(got: _Graph, true: _Graph, same: dict[str, str]) -> Count:
    """Count of equal shortest paths over all pairs of declared exits and finds. Two paths are equal when
    both are missing or their lengths agree."""
    goals = [place.id for place in true.places.values() if place.kind in ("opening", "find")]
    ours = {true_id: got_id for got_id, true_id in same.items()}
    theirs, mine = _steps(true), _steps(got)
    equal = 0
    for start in goals:
        wanted = _lengths(theirs, start)
        made = _lengths(mine, ours[start]) if start in ours else None
        for goal in goals:
            if goal == start or made is None or goal not in ours:
                continue
            a, b = wanted.get(goal), made.get(ours[goal])
            if a is None or b is None:
                equal += a is b
            else:
                equal += abs(a - b) <= max(SAME_LENGTH_MM, SAME_LENGTH_SHARE * a)
    count = len(goals) * (len(goals) - 1)
    return Count(count, equal, count)


def _steps(graph: _Graph) -> dict[str, list[tuple[str, float]]]:
    steps: dict[str, list[tuple[str, float]]] = {id_: [] for id_ in graph.places}
    for link in graph.links:
        a, b = link.ends
        steps[a].append((b, link.length_mm))
        if link.kind != "fall":
            steps[b].append((a, link.length_mm))
    for _, places in graph.rooms.values():
        for a in places:
            for b in places:
                if a != b:
                    steps[a].append((b, math.dist(graph.places[a].at, graph.places[b].at)))
    return steps


def _lengths(steps: dict[str, list[tuple[str, float]]], start: str) -> dict[str, float]:
    """Lengths in mm of the shortest paths from a place to all reachable places (Dijkstra's algorithm)."""
    best = {start: 0.0}
    queue = [(0.0, start)]
    while queue:
        length, at = heapq.heappop(queue)
        if length > best[at]:
            continue
        for nxt, step in steps[at]:
            if length + step < best.get(nxt, math.inf):
                best[nxt] = length + step
                heapq.heappush(queue, (best[nxt], nxt))
    return best
