"""Shortest paths over the ways of a dungeon, regardless of a game's rules.

Lengths are in mm along the ways' lines (Dijkstra 1959). A path entered by hand names only a few places; those
between are found here."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import pairwise

from scorer.dungeon import Dungeon, Link

Route = tuple[str, ...]
Ways = Callable[[str], Iterable[Link]]


def shortest_route(dungeon: Dungeon, start: str, end: str, *, avoid: Collection[str] = ()) -> Route | None:
    """The places from `start` to `end` along the shortest walk, both included; one place where they are the
    same. One-way links are walked against their direction only where nothing else leads there. None where no
    walk does without `avoid`, or where a place is unknown."""
    if start not in dungeon.places or end not in dungeon.places:
        return None
    against = _against(dungeon)
    forward = routes_from(dungeon, start, avoid=avoid, until=end)
    if end in forward:
        return forward[end]
    return _routes(lambda name: _either_way(dungeon, against, name), start, avoid, end).get(end)


def route_through(dungeon: Dungeon, places: Iterable[str]) -> Route | None:
    """The shortest walk that comes to `places` in their order; None where a stretch has none."""
    stops = tuple(places)
    walk = stops[:1] if stops and stops[0] in dungeon.places else ()
    for here, there in pairwise(stops):
        stretch = shortest_route(dungeon, here, there)
        if stretch is None:
            return None
        walk += stretch[1:]
    return walk or None


def routes_from(
    dungeon: Dungeon, start: str, *, avoid: Collection[str] = (), until: str | None = None
) -> dict[str, Route]:
    """The shortest walk from `start` to each place that can be reached, in order of length; `avoid` are
    places that a walk may end at but not go through. With `until` it is only looked as far as there."""
    if start not in dungeon.places:
        return {}
    return _routes(lambda name: dungeon.neighbours[name], start, avoid, until)


def ways_out(dungeon: Dungeon, path: Sequence[Route], within_mm: float) -> tuple[Route, ...]:
    """The walks from the end of a path to openings on the outer edge, by places that it does not come to and
    no longer than `within_mm`, the shortest first."""
    last = path[-1][-1]
    walked = {name for line in path for name in line}
    found = (
        route
        for name, route in routes_from(dungeon, last, avoid=walked).items()
        if name in dungeon.open_openings and name not in walked
    )
    return tuple(route for route in found if route_length_mm(dungeon, route) <= within_mm)


def length_mm(link: Link) -> float:
    """The length of a way in mm. A fall that lands at the spot of its pit has length zero."""
    return sum(math.dist(a, b) for a, b in pairwise(link.line))


def route_length_mm(dungeon: Dungeon, route: Route) -> float:
    """The length of a walk, each step by its shortest way in either direction. Infinite where a step has
    none."""
    total = 0.0
    for here, there in pairwise(route):
        ways = (*dungeon.links_between(here, there), *dungeon.links_between(there, here))
        total += min((length_mm(way) for way in ways), default=math.inf)
    return total


def _routes(ways: Ways, start: str, avoid: Collection[str], until: str | None) -> dict[str, Route]:
    before: dict[str, str] = {}
    nearest = {start: (0.0, 0)}
    queue = [(0.0, 0, start)]
    done: dict[str, Route] = {}
    while queue:
        far, steps, name = heapq.heappop(queue)
        if name in done:
            continue
        done[name] = (*done[before[name]], name) if name in before else (name,)
        if name == until:
            break
        if name in avoid and name != start:
            continue
        for link in ways(name):
            # Of walks as long, the one with fewer places: a fall at its pit's spot is no free detour.
            there = (far + length_mm(link), steps + 1)
            if link.b not in done and there < nearest.get(link.b, (math.inf, 0)):
                nearest[link.b], before[link.b] = there, name
                heapq.heappush(queue, (*there, link.b))
    return done


def _against(dungeon: Dungeon) -> Mapping[str, tuple[Link, ...]]:
    back: dict[str, tuple[Link, ...]] = {}
    for link in dungeon.links:
        if link.one_way:
            back[link.b] = (*back.get(link.b, ()), link.reversed())
    return back


def _either_way(dungeon: Dungeon, against: Mapping[str, tuple[Link, ...]], name: str) -> Iterable[Link]:
    return (*dungeon.neighbours[name], *against.get(name, ()))
