"""Map matching: which links of the dungeon the pen ran along, decided for the drawing as a whole.

After Newson & Krumm (2009) the snapping is done over whole walks, not link by link: a set of links is likely
when the ink says so (`vision.link_evidence`) and when it hangs together as few strokes. Every place at which
an odd number of chosen links meet is an end of a stroke, and ends cost by where they lie. The likeliest set
is a minimum-weight T-join: start from all links that the ink favours, then mend the odd places by flipping
links along shortest paths, pairing them by exact matching (Schrijver, Combinatorial Optimization, ch. 29).
Nothing here asks whether a walk would be legal.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from scorer.dungeon import Dungeon, Link
from vision import tuning
from vision.habits import habits_of
from vision.link_evidence import LinkEvidence
from vision.questions import DOUBT

Array = NDArray[np.float64]

#: Of so many odd places all subsets are tabled; of more, a table would take too long.
MOST_TABLED = 14
#: So many links that are walked there and back are tried otherwise, and so many rings: of each so many of its
#: weakest links, and of those that may lead to it.
_MOST_TURNS, _MOST_RINGS, _MOST_OPENED = 2, 2, 2
#: Where a line has further ends, all ends are made dearer by these shares of what such a one costs.
_DEARER = (0.25, 0.5, 1.0)


@dataclass(frozen=True)
class Matching:
    """The chosen links: `times[i]` is how often link i is walked. `cost` is the price of mending, `ends`
    the places where strokes end. `single`: all of it is one line, which has two ends beside those at gates;
    it was found with each end but those `dearer` by so much, and `loose` is what would be chosen else.
    """

    times: tuple[int, ...]
    ends: tuple[str, ...]
    cost: float
    single: bool = False
    dearer: float = 0.0
    loose: Matching | None = None


@dataclass(frozen=True)
class _Edge:
    link: int
    a: str
    b: str
    score: float
    copy: int


def prior_score(dungeon: Dungeon, link: Link, evidence: LinkEvidence) -> float:
    """Log-likelihood ratio of walking `link` once against not walking it."""
    if link.kind == "fall":
        return -tuning.FALL_COST
    if link.kind == "room":
        kinds = {dungeon.places[link.a].kind, dungeon.places[link.b].kind}
        if "room_find" in kinds:
            return -tuning.ROOM_FIND_COST
        return 0.5 * evidence.score + tuning.CIRCLED_ROOM * evidence.covered
    if link.kind == "crossing" or evidence.length_mm == 0:
        return -tuning.CROSSING_COST
    unseen = tuning.UNSEEN_COST * (1 - evidence.seen) * evidence.length_mm
    return evidence.score + tuning.CIRCLED_WAY * evidence.covered - unseen


def match(
    dungeon: Dungeon,
    evidence: Sequence[LinkEvidence],
    *,
    single: bool = False,
    forced: Mapping[int, int] | None = None,
    like: Matching | None = None,
) -> Matching:
    """The likeliest set of links; `single`: of one line. `forced` fixes how often some links (by index) are
    walked, 0 or 1; what they come to instead of `like` is as single as that."""
    single = single if like is None else like.single
    known: _Known = {}
    loose = _searched(dungeon, evidence, forced or {}, False, 0.0, known)
    if not single or not further_ends(dungeon, loose.ends):
        return replace(loose, single=single)
    # mending prices each end for itself: done without are only dear ones
    most = tuning.FURTHER_END_COST
    dearer = [share * most for share in _DEARER] if like is None else [like.dearer or most]
    found = [_searched(dungeon, evidence, forced or {}, True, each, known) for each in (0.0, *dearer)]
    best = max(found, key=lambda matching: objective(dungeon, evidence, matching))
    return replace(best, loose=loose)


#: Sets of links by how much dearer ends are and by what is forced: two links that are both tried otherwise
#: are met in either order.
_Known = dict[tuple[float, frozenset[tuple[int, int]]], Matching]


def _searched(
    dungeon: Dungeon,
    evidence: Sequence[LinkEvidence],
    forced: Mapping[int, int],
    single: bool,
    dearer: float,
    known: _Known,
) -> Matching:
    """The likeliest set of links where each end that is at no gate is dearer by so much."""

    def matched(forced: Mapping[int, int]) -> Matching:
        key = dearer, frozenset(forced.items())
        if key not in known:
            known[key] = _matched(dungeon, evidence, forced, dearer)
        return replace(known[key], single=single)

    best = _without_turning(dungeon, evidence, forced, matched, _MOST_TURNS)
    for ring in _rings(dungeon, best.times)[:_MOST_RINGS]:
        tried = (
            matched({**forced, i: times})
            for i, times in _opened(dungeon, evidence, best.times, ring)
            if i not in forced
        )
        best = max((best, *tried), key=lambda matching: objective(dungeon, evidence, matching))
    return best


def _without_turning(
    dungeon: Dungeon,
    evidence: Sequence[LinkEvidence],
    forced: Mapping[int, int],
    matched: Callable[[Mapping[int, int]], Matching],
    most: int,
) -> Matching:
    """The likeliest set of links, of up to `most` that it walks there and back each tried otherwise: to count
    their price, the mending of odd places does not know which way a line comes. `matched` is `_matched`.
    """
    best = matched(forced)
    if not most:
        return best
    turning = dict.fromkeys(i for i, _ in _there_and_back(dungeon, best.times))
    tried = (
        _without_turning(dungeon, evidence, {**forced, i: times}, matched, most - 1)
        for i in turning
        if i not in forced
        for times in (0, 1)
    )
    return max((best, *tried), key=lambda matching: objective(dungeon, evidence, matching))


def _rings(dungeon: Dungeon, times: Sequence[int]) -> list[set[str]]:
    """The places of the lines that have no end, and meet no line that has one."""
    degree: dict[str, int] = {}
    groups: list[set[str]] = []
    for link, count in zip(dungeon.links, times, strict=True):
        if not count:
            continue
        ends = {link.a, link.b}
        for place in ends:
            degree[place] = degree.get(place, 0) + count
        groups = [*(each for each in groups if not each & ends), ends.union(*(g for g in groups if g & ends))]
    return [group for group in groups if all(degree[place] % 2 == 0 for place in group)]


def _opened(
    dungeon: Dungeon, evidence: Sequence[LinkEvidence], times: Sequence[int], ring: Set[str]
) -> list[tuple[int, int]]:
    """The links (by index) by which a ring may be opened, and how often each is walked then: its own weakest
    ones not at all, and the likeliest of those that lead to it."""
    scored = [
        (prior_score(dungeon, link, seen), i)
        for i, (link, seen) in enumerate(zip(dungeon.links, evidence, strict=True))
        if link.a in ring or link.b in ring
    ]
    own = sorted((score, i) for score, i in scored if times[i])
    other = sorted(((-score, i) for score, i in scored if not times[i]))
    return [(i, 0) for _, i in own[:_MOST_OPENED]] + [(i, 1) for _, i in other[:_MOST_OPENED]]


def _there_and_back(dungeon: Dungeon, times: Sequence[int]) -> list[tuple[int, str]]:
    """Links (by index) that are walked to a place where nothing else is walked, and back, and those places:
    both of a link's where nothing else is at either. To the outer edge and in again is no other way.
    """
    degree: dict[str, int] = {}
    for link, count in zip(dungeon.links, times, strict=True):
        if count:
            degree[link.a] = degree.get(link.a, 0) + count
            degree[link.b] = degree.get(link.b, 0) + count
    return [
        (i, place)
        for i, (link, count) in enumerate(zip(dungeon.links, times, strict=True))
        if count == 2
        for place in (link.a, link.b)
        if degree[place] == 2
    ]


def _matched(
    dungeon: Dungeon, evidence: Sequence[LinkEvidence], forced: Mapping[int, int], dearer: float
) -> Matching:
    """The likeliest set of links but for what it costs to turn back, each end at no gate `dearer`."""
    edges = _with_forced(_edges(dungeon, evidence), forced)
    chosen = [edge.score > 0 for edge in edges]
    prices = _end_prices(dungeon)
    if dearer:
        gates = _gates(dungeon)
        prices = {name: price + dearer * (name not in gates) for name, price in prices.items()}
    cost = _mend(edges, chosen, prices)
    times = [0] * len(dungeon.links)
    degree: dict[str, int] = {}
    for edge, taken in zip(edges, chosen, strict=True):
        if taken:
            times[edge.link] += 1
            for place in (edge.a, edge.b):
                degree[place] = degree.get(place, 0) + 1
    ends = tuple(sorted(place for place, count in degree.items() if count % 2))
    return Matching(tuple(times), ends, cost, dearer=dearer)


def _with_forced(edges: Sequence[_Edge], forced: Mapping[int, int]) -> Sequence[_Edge]:
    """The edges with those of some links as they are told, and not once more."""
    if not forced:
        return edges
    return [
        replace(edge, score=1e6 if forced[edge.link] else -1e6) if edge.link in forced else edge
        for edge in edges
        if not (edge.copy and edge.link in forced)
    ]


def _edges(dungeon: Dungeon, evidence: Sequence[LinkEvidence]) -> Sequence[_Edge]:
    """Links as edges with the ink's score, and once more for walking them twice; kept with the dungeon, for a
    path is matched to the same evidence tens of times."""
    kept = vars(dungeon)
    if "edges" not in kept or kept["edges"][0] is not evidence:
        kept["edges"] = evidence, _scored_edges(dungeon, evidence)
    edges: list[_Edge] = kept["edges"][1]
    return edges


def _scored_edges(dungeon: Dungeon, evidence: Sequence[LinkEvidence]) -> list[_Edge]:
    edges: list[_Edge] = []
    for i, (link, seen) in enumerate(zip(dungeon.links, evidence, strict=True)):
        score = prior_score(dungeon, link, seen)
        edges.append(_Edge(i, link.a, link.b, score, 0))
        if link.kind in ("corridor", "stairs") and seen.length_mm > 0:
            if score > 0:
                edges.append(_Edge(i, link.a, link.b, twice_score(link, seen), 1))
        else:
            edges.append(_Edge(i, link.a, link.b, twice_score(link, seen), 1))
    return edges


def twice_score(link: Link, evidence: LinkEvidence) -> float:
    """Log-likelihood ratio of walking `link` once more."""
    if link.kind in ("corridor", "stairs") and evidence.length_mm > 0:
        # two lines on each other are one line, a little wider: never as wide by chance, seldom no wider at
        # all
        wider = 0.0 if np.isnan(evidence.wider_mm) else evidence.wider_mm
        overlaid = min(
            max(tuning.WIDER_GAIN * (wider - tuning.WIDER_MM), tuning.OVERLAID_LEAST), tuning.OVERLAID_MOST
        )
        return max(evidence.second - tuning.TWICE_COST, overlaid)
    return -tuning.DOOR_TWICE_COST if link.kind == "room" else -tuning.TWICE_UNSEEN_COST


def objective(dungeon: Dungeon, evidence: Sequence[LinkEvidence], matching: Matching) -> float:
    """Log-likelihood (up to a constant) of a set of links, ends and turning back included."""
    total = 0.0
    for link, seen, times in zip(dungeon.links, evidence, matching.times, strict=True):
        if times:
            total += prior_score(dungeon, link, seen)
        if times > 1:
            total += twice_score(link, seen)
    for i, tip in _there_and_back(dungeon, matching.times):
        # what lies at a blind end is fetched now and then, against the rules
        price = tuning.TURN_BACK_COST if dungeon.places[tip].find is None else tuning.FETCH_COST
        price = tuning.CIRCLED_FETCH_COST if evidence[i].circled and price < tuning.TURN_BACK_COST else price
        # a second line that is plain to see pays for itself
        total -= max(price - max(evidence[i].second - tuning.TWICE_COST, 0.0), 0.0)
    for ring in _rings(dungeon, matching.times):
        # who draws a ring begins and ends it somewhere
        total -= 2 * min(end_price(dungeon, place) for place in ring)
    if matching.single:
        total -= tuning.FURTHER_END_COST * further_ends(dungeon, matching.ends)
    return total - sum(end_price(dungeon, place) for place in matching.ends)


def further_ends(dungeon: Dungeon, ends: Sequence[str]) -> int:
    """How many ends there are beyond the two of a line, but for those at gates, where it breaks off."""
    return max(len(set(ends) - _gates(dungeon)) - 2, 0)


def _gates(dungeon: Dungeon) -> frozenset[str]:
    """The gates, and the rooms that have one, kept with the dungeon."""
    kept = vars(dungeon)
    if "gates" not in kept:
        finds = habits_of(dungeon).gates
        found = [place for place in dungeon.places.values() if place.find in finds]
        kept["gates"] = frozenset(name for place in found for name in (place.id, place.room) if name)
    gates: frozenset[str] = kept["gates"]
    return gates


def end_price(dungeon: Dungeon, place_id: str) -> float:
    """What an end of a stroke at a place costs (nats)."""
    place = dungeon.places[place_id]
    if place.kind == "opening":
        if place.id in dungeon.open_openings:
            return tuning.END_COST["outer"]
        return tuning.END_COST["end"] if _leads_nowhere(dungeon, place_id) else tuning.END_COST["opening"]
    if place.kind == "room_find":
        return tuning.END_COST["room_find"]
    if place.kind in ("junction", "door") and _leads_nowhere(dungeon, place_id):
        return tuning.END_COST["end"]
    if place.find is not None:
        habits = habits_of(dungeon)
        return tuning.END_COST[
            "gate" if place.find in habits.gates else "stop" if place.find in habits.stops_at else "find"
        ]
    return tuning.END_COST.get(place.kind, tuning.END_COST["place"])


def _end_prices(dungeon: Dungeon) -> dict[str, float]:
    """What an end costs at each place, kept with the dungeon: hundreds of readings ask for it."""
    kept = vars(dungeon)
    if "end_prices" not in kept:
        kept["end_prices"] = {place: end_price(dungeon, place) for place in dungeon.places}
    prices: dict[str, float] = kept["end_prices"]
    return prices


def _leads_nowhere(dungeon: Dungeon, place_id: str) -> bool:
    """Whether a line that comes to a place cannot go on: one way only, or the other ends at a shut
    opening.
    """
    ways = dungeon.neighbours[place_id]
    onward = [link.b for link in ways if dungeon.places[link.b].kind == "opening"]
    shut = [b for b in onward if b not in dungeon.open_openings and len(dungeon.neighbours[b]) == 1]
    return len(ways) - len(shut) <= 1


@dataclass(frozen=True)
class _Odd:
    """The odd places of the links that the ink favours, and what it costs to be rid of them.

    `places`, and for each `routes`: what other places are away, and how they were reached; `pair_cost` (n, n)
    from one to another, `last_cost` (n,) to an end of its own at `last_at`.
    """

    places: tuple[str, ...]
    routes: tuple[tuple[dict[str, float], dict[str, tuple[str, int]]], ...]
    pair_cost: Array
    last_cost: Array
    last_at: tuple[str, ...]


def _odd(
    edges: Sequence[_Edge], chosen: Sequence[bool], end_cost: Mapping[str, float], *, far: bool = True
) -> _Odd:
    """`far`: how far every place is away is told, and not of those alone at which it could pay to end."""
    around = _around(edges)
    degree: dict[str, int] = {}
    for k, edge in enumerate(edges):
        if chosen[k]:
            degree[edge.a] = degree.get(edge.a, 0) + 1
            degree[edge.b] = degree.get(edge.b, 0) + 1
    places = sorted(place for place, count in degree.items() if count % 2)
    # two lines that end where they are cost no more than that
    dearest = math.inf if far else max((end_cost[place] for place in places), default=0.0)
    routes = tuple(_shortest({place: 0.0}, around, most=end_cost[place] + dearest) for place in places)
    n = len(places)
    pair_cost = np.full((n, n), np.inf)
    last_cost, last_at = np.zeros(n), []
    for i, (distance, _) in enumerate(routes):
        for j in range(n):
            if i != j:
                pair_cost[i, j] = distance.get(places[j], np.inf)
        at = min(distance, key=lambda place: distance[place] + end_cost[place])
        last_cost[i] = distance[at] + end_cost[at]
        last_at.append(at)
    return _Odd(tuple(places), routes, pair_cost, last_cost, tuple(last_at))


def _around(edges: Sequence[_Edge]) -> dict[str, list[tuple[str, int, float]]]:
    """What leads from each place: (to where, which edge, the price of flipping it)."""
    around: dict[str, list[tuple[str, int, float]]] = {}
    for k, edge in enumerate(edges):
        price = abs(edge.score)
        around.setdefault(edge.a, []).append((edge.b, k, price))
        around.setdefault(edge.b, []).append((edge.a, k, price))
    return around


def _mend(edges: Sequence[_Edge], chosen: list[bool], end_cost: Mapping[str, float]) -> float:
    """Flip edges of `chosen` so that odd places are worth their price; returns the price paid."""
    odd = _odd(edges, chosen, end_cost, far=False)
    pairs, price = _pair(odd.pair_cost, odd.last_cost)
    for i, j in pairs:
        _, came = odd.routes[i]
        place = odd.last_at[i] if j < 0 else odd.places[j]
        while place != odd.places[i]:
            place, k = came[place]
            chosen[k] = not chosen[k]
    return price


def _shortest(
    sources: Mapping[str, float],
    around: Mapping[str, Sequence[tuple[str, int, float]]],
    *,
    most: float = math.inf,
    without: int = -1,
) -> tuple[dict[str, float], dict[str, tuple[str, int]]]:
    """Dijkstra: distance of every place from the sources (each with what it costs to begin there), up to
    `most`, and the (place, edge) it was reached by. The edge `without` is not there.
    """
    distance = dict(sources)
    came: dict[str, tuple[str, int]] = {}
    queue = [(d, place) for place, d in sources.items()]
    heapq.heapify(queue)
    while queue:
        d, place = heapq.heappop(queue)
        if d > distance[place]:
            continue
        for other, k, price in around.get(place, ()):
            away = d + price
            if away <= most and away < distance.get(other, math.inf) and k != without:
                distance[other] = away
                came[other] = (place, k)
                heapq.heappush(queue, (away, other))
    return distance, came


def _pair(pair_cost: Array, last_cost: Array) -> tuple[list[tuple[int, int]], float]:
    """Cheapest way to pair n places with each other or with an end of their own (partner -1)."""
    pairs: list[tuple[int, int]] = []
    for group in _groups(pair_cost, last_cost):
        costs = pair_cost[np.ix_(group, group)], last_cost[group]
        paired = _paired(len(group), *(cost.tobytes() for cost in costs))
        pairs += [(group[i], group[j] if j >= 0 else -1) for i, j in paired]
    return pairs, float(sum(last_cost[i] if j < 0 else pair_cost[i, j] for i, j in pairs))


@lru_cache(maxsize=256)
def _paired(n: int, pair_cost: bytes, last_cost: bytes) -> tuple[tuple[int, int], ...]:
    """`_pair` for one group; kept, for readings that differ in one link have most groups in common."""
    costs = np.frombuffer(pair_cost).reshape(n, n), np.frombuffer(last_cost)
    return tuple(_pair_by_table(*costs) if n <= MOST_TABLED else _pair_by_blossoms(*costs))


def _groups(pair_cost: Array, last_cost: Array) -> list[list[int]]:
    """The n places in groups: between two groups it never pays to pair."""
    group = list(range(len(last_cost)))
    for i, j in np.argwhere(pair_cost < last_cost[:, None] + last_cost[None]).tolist():
        if group[i] != group[j]:
            group = [group[i] if k == group[j] else k for k in group]
    return [[i for i, k in enumerate(group) if k == name] for name in dict.fromkeys(group)]


def _pair_by_table(pair_cost: Array, last_cost: Array) -> list[tuple[int, int]]:
    best = _best_of_subsets(pair_cost, last_cost)
    pairs, mask = [], len(best) - 1
    while mask:
        i = mask.bit_length() - 1
        rest = mask & ~(1 << i)
        partners = [j for j in range(i) if rest >> j & 1]
        prices = [best[rest] + last_cost[i], *(best[rest & ~(1 << j)] + pair_cost[i, j] for j in partners)]
        k = int(np.argmin(prices))
        pairs.append((i, -1) if k == 0 else (partners[k - 1], i))
        mask = rest if k == 0 else rest & ~(1 << partners[k - 1])
    return pairs


def _best_of_subsets(pair_cost: Array, last_cost: Array) -> Array:
    """(2**n,) the cheapest way to pair each subset of n places, told by its bits."""
    best = np.zeros(1)
    for i in range(len(last_cost)):
        # of the subsets with i as their last: i for itself, or with each j before it
        own = best + last_cost[i]
        subsets = np.arange(1 << i)
        for j in range(i):
            with_j = (subsets >> j & 1) > 0
            own[with_j] = np.minimum(own[with_j], best[subsets[with_j] ^ (1 << j)] + pair_cost[i, j])
        best = np.concatenate([best, own])
    return best


def _pair_by_blossoms(pair_cost: Array, last_cost: Array) -> list[tuple[int, int]]:
    """Edmonds' maximum-weight matching: the pairs that together save most against an end for each place."""
    # a fifth of a second to import, and seldom needed
    import networkx

    n = len(last_cost)
    saved = last_cost[:, None] + last_cost[None] - pair_cost
    graph = networkx.Graph()
    for i in range(n):
        for j in range(i + 1, n):
            if saved[i, j] > 0:
                # in whole numbers the library reckons exactly
                graph.add_edge(i, j, weight=round(1e6 * saved[i, j]))
    pairs = [(min(pair), max(pair)) for pair in networkx.max_weight_matching(graph)]
    paired = {i for pair in pairs for i in pair}
    return pairs + [(i, -1) for i in range(n) if i not in paired]


def doubtful(
    dungeon: Dungeon, evidence: Sequence[LinkEvidence], matching: Matching, links: Sequence[int]
) -> list[int] | None:
    """Those of `links` that may be read the other way in a set which is less likely than `matching` by no
    more than a doubt. None where too many places are odd to know it without trying.

    To read a link against its ink makes its ends odd; what the odd places cost then is looked up in tables of
    all subsets. The way back may lead over the link itself, so more links than those are told, but seldom.
    """
    if not links:
        return []
    edges = _edges(dungeon, evidence)
    end_cost = _end_prices(dungeon)
    odd = _odd(edges, [edge.score > 0 for edge in edges], end_cost)
    groups = _groups(odd.pair_cost, odd.last_cost)
    if any(len(group) > MOST_TABLED for group in groups):
        return None
    n = len(odd.places)
    whole, without_one = 0.0, np.zeros(n)
    saved_two = np.full((n, n), np.nan)
    for group in groups:
        best = _best_of_subsets(odd.pair_cost[np.ix_(group, group)], odd.last_cost[group])
        everything = len(best) - 1
        bits = 1 << np.arange(len(group))
        whole += best[-1]
        without_one[group] = best[everything ^ bits] - best[-1]
        saved_two[np.ix_(group, group)] = best[everything & ~(bits[:, None] | bits[None])] - best[-1]
    without_two = np.where(np.isnan(saved_two), without_one[:, None] + without_one[None], saved_two) + whole
    without_one = without_one + whole
    np.fill_diagonal(without_two, np.inf)
    number = {place: k for k, place in enumerate(odd.places)}
    around = _around(edges)
    to_end, _ = _shortest(end_cost, around)
    first = {edge.link: k for k, edge in enumerate(edges) if edge.copy == 0}
    # what `matching` falls short of the sum that the prices are reckoned from
    paid = sum(edge.score for edge in edges if edge.score > 0) - objective(dungeon, evidence, matching)
    found = []
    for i in links:
        edge = edges[first[i]]
        if (edge.score > 0) != (matching.times[i] > 0):
            found.append(i)
            continue
        away = {
            place: np.array([distance.get(place, np.inf) for distance, _ in odd.routes])
            for place in (edge.a, edge.b)
        }
        known, new = [p for p in away if p in number], [p for p in away if p not in number]
        if not new:
            mended = float(without_two[number[edge.a], number[edge.b]])
        elif known:
            k, (x,) = number[known[0]], new
            mended = min(without_one[k] + to_end[x], np.min(without_two[k] + away[x], initial=np.inf))
        else:
            a, b = new
            near, _ = _shortest(
                {a: 0.0}, around, most=max(DOUBT + paid - abs(edge.score) - whole, 0.0), without=first[i]
            )
            mended = min(
                whole + min(to_end[a] + to_end[b], near.get(b, np.inf)),
                to_end[a] + np.min(without_one + away[b], initial=np.inf),
                to_end[b] + np.min(without_one + away[a], initial=np.inf),
                np.min(without_two + away[a][:, None] + away[b][None], initial=np.inf),
            )
        if abs(edge.score) + mended - paid <= DOUBT:
            found.append(i)
    return found
