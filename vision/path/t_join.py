"""T-join: odd places of the chosen links -> the cheapest set of links to flip, so that odd places are paired
or become ends.

Odd places are paired along shortest paths, or each is left as an end, by exact matching (Schrijver,
Combinatorial Optimization, ch. 29: a minimum-weight T-join).
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from vision.allowance import SHARE, allowance

Array = NDArray[np.float64]

#: Largest number of odd places for which all subsets are tabulated.
MOST_TABLED = 14
#: Estimated number of links reached from a place before an end would be cheaper.
_REACHED = 200


@dataclass(frozen=True)
class Edge:
    link: int
    a: str
    b: str
    score: float
    copy: int


@dataclass(frozen=True)
class OddPlaces:
    """Places where an odd number of favoured links meet, and the costs of pairing or ending them.

    `routes` has, for each place, distances to other places and the (place, edge) before each. `pair_cost` (n,
    n) is the cost of pairing two places; `last_cost` (n,) that of an end at `last_at`.
    """

    places: tuple[str, ...]
    routes: tuple[tuple[dict[str, float], dict[str, tuple[str, int]]], ...]
    pair_cost: Array
    last_cost: Array
    last_at: tuple[str, ...]


def odd_places(
    edges: Sequence[Edge], chosen: Sequence[bool], end_cost: Mapping[str, float], *, far: bool = True
) -> OddPlaces:
    """The odd places with their costs.

    `far` keeps distances to all places, not only to those where ending could pay.
    """
    around = ways_around(edges)
    degree: dict[str, int] = {}
    for k, edge in enumerate(edges):
        if chosen[k]:
            degree[edge.a] = degree.get(edge.a, 0) + 1
            degree[edge.b] = degree.get(edge.b, 0) + 1
    places = sorted(place for place, count in degree.items() if count % 2)
    # two lines that end where they are cost no more than this
    dearest = math.inf if far else max((end_cost[place] for place in places), default=0.0)
    allowance().spend((len(places) + 2) * min(len(edges), _REACHED))
    routes = tuple(shortest({place: 0.0}, around, most=end_cost[place] + dearest) for place in places)
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
    return OddPlaces(tuple(places), routes, pair_cost, last_cost, tuple(last_at))


def ways_around(edges: Sequence[Edge]) -> dict[str, list[tuple[str, int, float]]]:
    """Adjacency list: for each place (neighbour, edge index, cost of flipping that edge)."""
    around: dict[str, list[tuple[str, int, float]]] = {}
    for k, edge in enumerate(edges):
        price = abs(edge.score)
        around.setdefault(edge.a, []).append((edge.b, k, price))
        around.setdefault(edge.b, []).append((edge.a, k, price))
    return around


def mend(edges: Sequence[Edge], chosen: list[bool], end_cost: Mapping[str, float]) -> float:
    """Flips edges of `chosen`, in place, along the cheapest pairing of the odd places; returns the cost
    paid."""
    odd = odd_places(edges, chosen, end_cost, far=False)
    pairs, price = _pair(odd.pair_cost, odd.last_cost)
    for i, j in pairs:
        _, came = odd.routes[i]
        place = odd.last_at[i] if j < 0 else odd.places[j]
        while place != odd.places[i]:
            place, k = came[place]
            chosen[k] = not chosen[k]
    return price


def shortest(
    sources: Mapping[str, float],
    around: Mapping[str, Sequence[tuple[str, int, float]]],
    *,
    most: float = math.inf,
    without: int = -1,
) -> tuple[dict[str, float], dict[str, tuple[str, int]]]:
    """Shortest paths by Dijkstra from several sources, each with its starting cost.

    It returns the distance of each place, up to `most`, and the (place, edge) from which each was reached.
    The edge `without` is left out.
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
    """Cheapest pairing of n odd places with each other or with single ends (partner -1), and its cost."""
    pairs: list[tuple[int, int]] = []
    steps = allowance()
    for group in pairing_groups(pair_cost, last_cost):
        costs = pair_cost[np.ix_(group, group)], last_cost[group]
        exactly = steps.covers(len(group) ** 3, SHARE)
        # readings that differ in one link share most groups
        known = steps.once(
            (exactly, *(cost.tobytes() for cost in costs)),
            len(group) ** (3 if exactly else 2),
            partial(_paired, *costs, exactly=exactly),
        )
        pairs += [(group[i], group[j] if j >= 0 else -1) for i, j in known]
    return pairs, float(sum(last_cost[i] if j < 0 else pair_cost[i, j] for i, j in pairs))


def _paired(pair_cost: Array, last_cost: Array, *, exactly: bool) -> list[tuple[int, int]]:
    """Pairing as in `_pair`, for one group of places."""
    if not exactly:
        return _pair_by_turns(pair_cost, last_cost)
    tabled = len(last_cost) <= MOST_TABLED
    return _pair_by_table(pair_cost, last_cost) if tabled else _pair_by_blossoms(pair_cost, last_cost)


def _pair_by_turns(pair_cost: Array, last_cost: Array) -> list[tuple[int, int]]:
    """Greedy pairing: the pairs that save most, one after the other; fast, but not always the cheapest."""
    saved = np.triu(last_cost[:, None] + last_cost[None] - pair_cost, 1)
    at = np.argwhere(saved > 0)
    left, pairs = set(range(len(last_cost))), []
    for i, j in at[np.argsort(-saved[at[:, 0], at[:, 1]], kind="stable")].tolist():
        if i in left and j in left:
            left -= {i, j}
            pairs.append((i, j))
    return pairs + [(i, -1) for i in sorted(left)]


def pairing_groups(pair_cost: Array, last_cost: Array) -> list[list[int]]:
    """Partition of the n odd places into groups, such that pairing across groups never pays."""
    group = list(range(len(last_cost)))
    for i, j in np.argwhere(pair_cost < last_cost[:, None] + last_cost[None]).tolist():
        if group[i] != group[j]:
            group = [group[i] if k == group[j] else k for k in group]
    return [[i for i, k in enumerate(group) if k == name] for name in dict.fromkeys(group)]


def _pair_by_table(pair_cost: Array, last_cost: Array) -> list[tuple[int, int]]:
    best = best_of_subsets(pair_cost, last_cost)
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


def best_of_subsets(pair_cost: Array, last_cost: Array) -> Array:
    """Cost (2**n,) of the cheapest pairing of each subset of n places, indexed by its bits."""
    best = np.zeros(1)
    for i in range(len(last_cost)):
        # subsets with i as the last element: i alone, or paired with each j before it
        own = best + last_cost[i]
        subsets = np.arange(1 << i)
        for j in range(i):
            with_j = (subsets >> j & 1) > 0
            own[with_j] = np.minimum(own[with_j], best[subsets[with_j] ^ (1 << j)] + pair_cost[i, j])
        best = np.concatenate([best, own])
    return best


def _pair_by_blossoms(pair_cost: Array, last_cost: Array) -> list[tuple[int, int]]:
    """Pairing by Edmonds' maximum-weight matching: the pairs that together save most against single ends."""
    # imported here: it takes a fifth of a second and is rarely needed
    import networkx

    n = len(last_cost)
    saved = last_cost[:, None] + last_cost[None] - pair_cost
    graph = networkx.Graph()
    for i in range(n):
        for j in range(i + 1, n):
            if saved[i, j] > 0:
                # the library is exact with integer weights
                graph.add_edge(i, j, weight=round(1e6 * saved[i, j]))
    pairs = [(min(pair), max(pair)) for pair in networkx.max_weight_matching(graph)]
    paired = {i for pair in pairs for i in pair}
    return pairs + [(i, -1) for i in range(n) if i not in paired]
