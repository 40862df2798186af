"""The grid of spots on a card, and the corridors of one level as a graph of spots."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

COLUMNS, ROWS = "abcd", "123456"


class Rejected(Exception):
    """Error: the present attempt at a card cannot succeed."""


def neighbours(site: str) -> Iterable[str]:
    plus = site.endswith("+")
    columns, rows = (COLUMNS[:-1], ROWS[:-1]) if plus else (COLUMNS, ROWS)
    c, r = columns.index(site[0]), rows.index(site[1])
    for dc, dr in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        if 0 <= c + dc < len(columns) and 0 <= r + dr < len(rows):
            yield columns[c + dc] + rows[r + dr] + ("+" if plus else "")


def spots_around(site: str) -> list[str]:
    """The in-between spots diagonally adjacent to a main site."""
    c, r = COLUMNS.index(site[0]), ROWS.index(site[1])
    return [COLUMNS[i] + ROWS[j] + "+" for i in (c - 1, c) for j in (r - 1, r) if 0 <= i < 3 and 0 <= j < 5]


def sites_around(spot: str) -> list[str]:
    """The main sites diagonally adjacent to an in-between spot."""
    c, r = COLUMNS.index(spot[0]), ROWS.index(spot[1])
    return [COLUMNS[i] + ROWS[j] for i in (c, c + 1) for j in (r, r + 1)]


@dataclass
class Net:
    """The corridors of one level as a graph of spots. `weight`: the cost of a path through each spot."""

    weight: dict[str, float]
    links: dict[str, set[str]] = field(default_factory=dict)

    def degree(self, spot: str) -> int:
        return len(self.links.get(spot, ()))

    def free(self) -> list[str]:
        return sorted(s for s in self.weight if s not in self.links)

    def add(self, path: list[str]) -> None:
        for a, b in pairwise(path):
            self.links.setdefault(a, set()).add(b)
            self.links.setdefault(b, set()).add(a)

    def route(self, starts: dict[str, float], goals: set[str], rng: np.random.Generator) -> list[str] | None:
        """A randomised cheapest path over free spots from one of `starts` to one of `goals`, or None."""
        cost = {s: w + 3 * rng.random() for s, w in self.weight.items()}
        queue: list[tuple[float, str, tuple[str, ...]]] = [(w, s, (s,)) for s, w in sorted(starts.items())]
        heapq.heapify(queue)
        done: set[str] = set()
        while queue:
            spent, spot, path = heapq.heappop(queue)
            if spot in goals:
                return list(path)
            if spot in done or (spot in self.links and len(path) > 1):
                continue
            done.add(spot)
            for nxt in neighbours(spot):
                if nxt in self.weight and nxt not in path and nxt not in self.links.get(spot, ()):
                    heapq.heappush(queue, (spent + cost[nxt], nxt, (*path, nxt)))
        return None
