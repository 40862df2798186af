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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scorer.dungeon import Dungeon, Link
from vision import tuning
from vision.habits import habits_of
from vision.link_evidence import LinkEvidence

#: More odd places than this are paired greedily.
_MOST_EXACT = 14


@dataclass(frozen=True)
class Matching:
    """The chosen links: `times[i]` is how often link i is walked. `cost` is the price of mending, `ends`
    the places where strokes end.
    """

    times: tuple[int, ...]
    ends: tuple[str, ...]
    cost: float


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
        return -tuning.ROOM_FIND_COST if "room_find" in kinds else 0.5 * evidence.score
    if link.kind == "crossing" or evidence.length_mm == 0:
        return -tuning.CROSSING_COST
    return evidence.score


def match(
    dungeon: Dungeon,
    evidence: Sequence[LinkEvidence],
    *,
    forced: Mapping[int, int] | None = None,
) -> Matching:
    """The likeliest set of links. `forced` fixes how often some links (by index) are walked: 0 or 1."""
    forced = forced or {}
    edges: list[_Edge] = []
    for i, (link, seen) in enumerate(zip(dungeon.links, evidence, strict=True)):
        score = prior_score(dungeon, link, seen)
        if i in forced:
            score = 1e6 if forced[i] else -1e6
        edges.append(_Edge(i, link.a, link.b, score, 0))
        if i in forced:
            continue
        if link.kind in ("corridor", "stairs") and seen.length_mm > 0:
            if score > 0:
                edges.append(_Edge(i, link.a, link.b, twice_score(link, seen), 1))
        else:
            edges.append(_Edge(i, link.a, link.b, twice_score(link, seen), 1))
    chosen = [edge.score > 0 for edge in edges]
    end_cost = {place: end_price(dungeon, place) for place in dungeon.places}
    cost = _mend(edges, chosen, end_cost)
    times = [0] * len(dungeon.links)
    degree: dict[str, int] = {}
    for edge, taken in zip(edges, chosen, strict=True):
        if taken:
            times[edge.link] += 1
            for place in (edge.a, edge.b):
                degree[place] = degree.get(place, 0) + 1
    ends = tuple(sorted(place for place, count in degree.items() if count % 2))
    return Matching(tuple(times), ends, cost)


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


def _leads_nowhere(dungeon: Dungeon, place_id: str) -> bool:
    """Whether a line that comes to a place cannot go on: one way only, or the other ends at a shut
    opening.
    """
    ways = dungeon.neighbours[place_id]
    onward = [link.b for link in ways if dungeon.places[link.b].kind == "opening"]
    shut = [b for b in onward if b not in dungeon.open_openings and len(dungeon.neighbours[b]) == 1]
    return len(ways) - len(shut) <= 1


def _mend(edges: Sequence[_Edge], chosen: list[bool], end_cost: Mapping[str, float]) -> float:
    """Flip edges of `chosen` so that odd places are worth their price; returns the price paid."""
    around: dict[str, list[tuple[str, int, float]]] = {}
    degree: dict[str, int] = {}
    for k, edge in enumerate(edges):
        price = abs(edge.score)
        around.setdefault(edge.a, []).append((edge.b, k, price))
        around.setdefault(edge.b, []).append((edge.a, k, price))
        if chosen[k]:
            degree[edge.a] = degree.get(edge.a, 0) + 1
            degree[edge.b] = degree.get(edge.b, 0) + 1
    odd = sorted(place for place, count in degree.items() if count % 2)
    if not odd:
        return 0.0
    routes = [_shortest(place, around) for place in odd]
    n = len(odd)
    pair_cost = np.full((n, n), np.inf)
    last_cost, last_at = [], []
    for i in range(n):
        distance, _ = routes[i]
        for j in range(n):
            if i != j:
                pair_cost[i, j] = distance.get(odd[j], np.inf)
        at = min(distance, key=lambda place: distance[place] + end_cost[place])
        last_cost.append(distance[at] + end_cost[at])
        last_at.append(at)
    pairs, price = _pair(pair_cost, last_cost)
    for i, j in pairs:
        target = last_at[i] if j < 0 else odd[j]
        _, came = routes[i]
        place = target
        while place != odd[i]:
            place, k = came[place]
            chosen[k] = not chosen[k]
    return price


def _shortest(
    source: str, around: Mapping[str, Sequence[tuple[str, int, float]]]
) -> tuple[dict[str, float], dict[str, tuple[str, int]]]:
    """Dijkstra: distance of every place from `source` and the (place, edge) it was reached by."""
    distance = {source: 0.0}
    came: dict[str, tuple[str, int]] = {}
    queue = [(0.0, source)]
    while queue:
        d, place = heapq.heappop(queue)
        if d > distance[place]:
            continue
        for other, k, price in around[place]:
            if d + price < distance.get(other, np.inf):
                distance[other] = d + price
                came[other] = (place, k)
                heapq.heappush(queue, (d + price, other))
    return distance, came


def _pair(pair_cost: np.ndarray, last_cost: Sequence[float]) -> tuple[list[tuple[int, int]], float]:
    """Cheapest way to pair n places with each other or with an end of their own (partner -1)."""
    n = len(last_cost)
    if n > _MOST_EXACT:
        return _pair_greedily(pair_cost, last_cost)
    best = [np.inf] * (1 << n)
    step: list[tuple[int, int]] = [(-1, -1)] * (1 << n)
    best[0] = 0.0
    for mask in range(1 << n):
        if best[mask] == np.inf:
            continue
        i = next((k for k in range(n) if not mask >> k & 1), n)
        if i == n:
            continue
        options = [(-1, last_cost[i])]
        options += [(j, float(pair_cost[i, j])) for j in range(i + 1, n) if not mask >> j & 1]
        for j, price in options:
            after = mask | 1 << i | (1 << j if j >= 0 else 0)
            if best[mask] + price < best[after]:
                best[after] = best[mask] + price
                step[after] = (i, j)
    pairs, mask = [], (1 << n) - 1
    while mask:
        i, j = step[mask]
        pairs.append((i, j))
        mask &= ~(1 << i)
        if j >= 0:
            mask &= ~(1 << j)
    return pairs, float(best[-1])


def _pair_greedily(pair_cost: np.ndarray, last_cost: Sequence[float]) -> tuple[list[tuple[int, int]], float]:
    left = set(range(len(last_cost)))
    pairs, total = [], 0.0
    gains = sorted(
        (float(pair_cost[i, j]) - last_cost[i] - last_cost[j], i, j) for i in left for j in left if i < j
    )
    for gain, i, j in gains:
        if gain < 0 and i in left and j in left:
            pairs.append((i, j))
            total += float(pair_cost[i, j])
            left -= {i, j}
    for i in left:
        pairs.append((i, -1))
        total += last_cost[i]
    return pairs, total
