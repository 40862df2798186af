"""Dungeons for cards of any size, invented on a grid: for the decks that only validation sees.

Sites are the crossings of a grid of about 14 mm: rooms take blocks of them, the main corridors run over
those that are free; the underground runs through the middles between them, so that levels cross halfway
between two sites. The same seed gives the same dungeon.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import get_args

import numpy as np
from msgspec.structs import replace

from calibration.enrol.card_geometry import contract_problems
from scorer.catalogue import Card, CardKind, Edge, FindKind, Level, Node, Point, Room, RoomFind, Side

PITCH_MM, RIM_MM = 14.3, 9.6
WALL_MM = 4.3  # from a room's outermost sites to its walls
STUB_MM = 4.6  # a corridor leaves an opening straight
ROOMS = ((2, 1), (1, 2), (2, 2), (2, 2), (3, 2), (2, 3))
KINDS: tuple[FindKind, ...] = get_args(FindKind)

Site = tuple[int, int]
Terminal = tuple[str, str]


class _NoCardError(Exception):
    """This try leads nowhere."""


def deal() -> Iterator[FindKind]:
    """Kinds of finds without end, each as often as any other but coins, and no pit (those need a landing)."""
    rng = np.random.default_rng(12)
    bag = [kind for kind in KINDS if kind != "pitfall"] + ["coin", "coin"]
    while True:
        for k in rng.permutation(len(bag)):
            yield bag[int(k)]


def grid_dungeon(
    card_id: str, kind: CardKind, size_mm: Point, seed: int, finds: Iterator[FindKind], cost: int
) -> Card:
    """A card with a dungeon and no art yet."""
    for attempt in range(400):
        try:
            card = _Sketch(size_mm, np.random.default_rng([seed, attempt]), cost).card(card_id, kind, finds)
        except _NoCardError:
            continue
        if not contract_problems(card, size_mm):
            return card
    raise RuntimeError(f"no dungeon for {card_id}")


class _Sketch:
    def __init__(self, size_mm: Point, rng: np.random.Generator, cost: int) -> None:
        self.size, self.rng, self.cost = size_mm, rng, cost
        self.columns, self.rows = (round((side - 2 * RIM_MM) / PITCH_MM) + 1 for side in size_mm)
        self.xs, self.ys = (
            np.linspace(RIM_MM, side - RIM_MM, count) + rng.uniform(-0.7, 0.7, count)
            for side, count in zip(size_mm, (self.columns, self.rows), strict=True)
        )
        self.room_at: dict[Site, str] = {}
        self.outlines: dict[str, tuple[Point, ...]] = {}
        self.links: dict[Site, set[Site | Terminal]] = {}
        self.entries: dict[Terminal, tuple[Site, Point]] = {}
        self.doors: dict[Terminal, str] = {}
        self.below: list[Site] = []
        #: Links that would run past an opening's mouth.
        self.barred: set[frozenset[Site]] = set()
        self.room_pit: tuple[Site, str] | None = None

    def at(self, site: Site) -> Point:
        return float(self.xs[site[0]]), float(self.ys[site[1]])

    def under(self, cell: Site) -> Point:
        """The middle between four sites."""
        i, j = cell
        return float(self.xs[i : i + 2].mean()), float(self.ys[j : j + 2].mean())

    def near(self, site: Site) -> list[Site]:
        around = [(site[0] + dx, site[1] + dy) for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))]
        return [(i, j) for i, j in around if 0 <= i < self.columns and 0 <= j < self.rows]

    # -- rooms, openings, doors

    def set_rooms(self) -> None:
        rng = self.rng
        for name in "AB"[: int(rng.choice([0, 1, 2], p=[0.15, 0.6, 0.25]))]:
            wide, high = ROOMS[int(rng.integers(len(ROOMS)))]
            if wide > self.columns - 2 or high > self.rows - 2:
                continue
            i, j = int(rng.integers(self.columns - wide + 1)), int(rng.integers(self.rows - high + 1))
            sites = [(i + a, j + b) for a in range(wide) for b in range(high)]
            if any(site in self.room_at for site in sites):
                continue
            self.room_at |= dict.fromkeys(sites, name)
            (left, top), (right, bottom) = self.at(sites[0]), self.at(sites[-1])
            left, top, right, bottom = left - WALL_MM, top - WALL_MM, right + WALL_MM, bottom + WALL_MM
            ring = [(left, top), (right, top), (right, bottom), (left, bottom)]
            if rng.random() < 0.4:  # cut corners
                cut = 2.6
                ring = [(left + cut, top), (right - cut, top), (right, top + cut), (right, bottom - cut)]
                ring += [(right - cut, bottom), (left + cut, bottom), (left, bottom - cut), (left, top + cut)]
            self.outlines[name] = tuple((round(x, 2), round(y, 2)) for x, y in ring)

    def openings(self) -> dict[str, tuple[Side, Point, Site]]:
        """Where openings may be: side, place, and the site beside it."""
        width, height = self.size
        found: dict[str, tuple[Side, Point, Site]] = {}
        for name, share in (("1", 0.25), ("2", 0.75)):
            row = int(np.abs(self.ys - share * height).argmin())
            found["left" + name] = ("left", (0.0, share * height), (0, row))
            found["right" + name] = ("right", (width, share * height), (self.columns - 1, row))
        column = int(np.abs(self.xs - width / 2 + self.rng.normal(0, 0.1)).argmin())
        found["top1"] = ("top", (width / 2, 0.0), (column, 0))
        found["bottom1"] = ("bottom", (width / 2, height), (column, self.rows - 1))
        return found

    def choose_ends(self) -> None:
        rng = self.rng
        self.spots = self.openings()
        free = [name for name, (_, _, site) in self.spots.items() if site not in self.room_at]
        wanted = min(len(free), int(rng.integers(3, 6)))
        if wanted < 2:
            raise _NoCardError
        for k in rng.permutation(len(free))[:wanted]:
            side, at, site = self.spots[free[k]]
            self.entries["opening", free[k]] = (site, at)
            axis = 1 if side in ("left", "right") else 0
            step = int(np.sign(at[axis] - self.at(site)[axis]))
            beyond = (site[0], site[1] + step) if axis else (site[0] + step, site[1])
            self.barred.add(frozenset((site, beyond)))
        number = itertools.count(1)
        for name, outline in self.outlines.items():
            ways = [
                (inner, outer)
                for inner, room in self.room_at.items()
                if room == name
                for outer in self.near(inner)
                if outer not in self.room_at
            ]
            taken: list[Site] = []
            wanted = 1 if rng.random() < 0.3 else 2
            for k in rng.permutation(len(ways)):
                inner, outer = ways[k]
                if len(taken) == wanted or outer in taken:
                    continue
                (x, y), (u, v) = self.at(inner), self.at(outer)
                xs, ys = [p[0] for p in outline], [p[1] for p in outline]
                if abs(u - x) > abs(v - y):
                    wall = (max(xs) if u > x else min(xs), y)
                else:
                    wall = (x, max(ys) if v > y else min(ys))
                key = ("door", f"d{next(number)}")
                self.entries[key] = (outer, wall)
                self.doors[key] = name
                taken.append(outer)
            if not taken:
                raise _NoCardError

    # -- corridors

    def way(self, start: Site, goals: set[Site]) -> list[Site]:
        cost = {
            (i, j): 1 + 2 * self.rng.random()
            for i in range(self.columns)
            for j in range(self.rows)
            if (i, j) not in self.room_at
        }
        queue: list[tuple[float, list[Site]]] = [(0.0, [start])]
        done: set[Site] = set()
        while queue:
            spent, path = heapq.heappop(queue)
            if path[-1] in goals:
                return path
            if path[-1] in done:
                continue
            done.add(path[-1])
            for site in self.near(path[-1]):
                barred = frozenset((path[-1], site)) in self.barred
                if site in cost and not barred and (site not in self.links or site in goals):
                    heapq.heappush(queue, (spent + cost[site], [*path, site]))
        raise _NoCardError

    def join(self, path: Sequence[Site]) -> None:
        for a, b in itertools.pairwise(path):
            self.links.setdefault(a, set()).add(b)
            self.links.setdefault(b, set()).add(a)

    def free_beside(self, site: Site) -> list[Site]:
        beside = [s for s in self.near(site) if s not in self.links and s not in self.room_at]
        return [s for s in beside if frozenset((s, site)) not in self.barred]

    def lay_corridors(self) -> None:
        rng = self.rng
        for number, (terminal, (site, _)) in enumerate(self.entries.items()):
            if number and site not in self.links:
                self.join(self.way(site, set(self.links)))
            self.links.setdefault(site, set()).add(terminal)
        for _ in range(int(rng.integers(0, 3))):  # loops
            ends = [site for site in self.links if len(self.links[site]) == 2]
            if len(ends) < 2:
                break
            start = ends[int(rng.integers(len(ends)))]
            goals = {s for s in ends if s != start and s not in self.links[start]}
            free = self.free_beside(start)
            if goals and free:
                try:
                    path = self.way(free[0], goals)
                except _NoCardError:
                    continue
                if start not in path:
                    self.join([start, *path])
        for _ in range(int(rng.integers(0, 3))):  # dead ends
            ends = [site for site in self.links if len(self.links[site]) in (2, 3)]
            start = ends[int(rng.integers(len(ends)))] if ends else (0, 0)
            free = self.free_beside(start)
            if ends and free:
                self.join([start, free[int(rng.integers(len(free)))]])

    def dig(self) -> None:
        """A way underground over two to four cells."""
        rng = self.rng
        if rng.random() < 0.25:
            return
        cells = [
            (i, j)
            for i in range(self.columns - 1)
            for j in range(self.rows - 1)
            if sum(corner in self.room_at for corner in _corners((i, j))) <= 1
        ]
        if not cells:
            return
        path = [cells[int(rng.integers(len(cells)))]]
        for _ in range(int(rng.integers(2, 5))):
            steps = [cell for cell in cells if cell not in path and self._may_pass(path[-1], cell)]
            if not steps:
                break
            path.append(steps[int(rng.integers(len(steps)))])
        if len(path) >= 2:
            self.below = path

    def _may_pass(self, one: Site, other: Site) -> bool:
        if abs(one[0] - other[0]) + abs(one[1] - other[1]) != 1:
            return False
        between = set(_corners(one)) & set(_corners(other))
        return not between & self.room_at.keys()

    # -- the card

    def card(self, card_id: str, kind: CardKind, finds: Iterator[FindKind]) -> Card:
        self.set_rooms()
        self.choose_ends()
        self.lay_corridors()
        self.dig()
        rng = self.rng
        nodes: dict[Site | Terminal, Node] = {}
        edges: list[Edge] = []
        count: dict[str, Iterator[int]] = {}

        def name(letter: str) -> str:
            return f"{letter}{next(count.setdefault(letter, itertools.count(1)))}"

        for terminal, (_, at) in self.entries.items():
            place = (round(at[0], 2), round(at[1], 2))
            if terminal[0] == "opening":
                side = self.spots[terminal[1]][0]
                nodes[terminal] = Node(id=name("w"), kind="opening", at=place, side=side)
            else:
                nodes[terminal] = Node(id=name("d"), kind="door", at=place, room=self.doors[terminal])
        entered = {site for site, _ in self.entries.values()}
        below, special = self._below(nodes, edges, name)
        budget = self.cost + int(rng.integers(0, 2))
        rooms, dealt = self._rooms(finds, budget)
        plain = [site for site in self.links if len(self.links[site]) == 2 and site not in special]
        order = [plain[int(k)] for k in rng.permutation(len(plain))]
        bare = [site for site in order if site not in entered] + [site for site in order if site in entered]
        for site in self.links:
            at = _rounded(self.at(site))
            degree = len(self.links[site])
            if site in special:
                continue
            if degree == 1:
                if rng.random() < 0.6:
                    nodes[site] = Node(id=name("f"), kind="find", find=next(finds), at=at)
                    dealt += 1
                else:
                    nodes[site] = Node(id=name("x"), kind="end", at=at)
            elif degree > 2:
                nodes[site] = Node(id=name("j"), kind="junction", at=at)
        for site in bare[: max(1, budget - dealt)]:
            nodes[site] = Node(id=name("f"), kind="find", find=next(finds), at=_rounded(self.at(site)))
        edges += self._corridors(nodes, name)
        return Card(
            id=card_id,
            kind=kind,
            art=f"art/{card_id}.png",
            cost=self.cost if kind == "dungeon" else None,
            nodes=(*nodes.values(), *below),
            edges=tuple(edges),
            rooms=tuple(rooms),
        )

    def _below(
        self, nodes: dict[Site | Terminal, Node], edges: list[Edge], name: Callable[[str], str]
    ) -> tuple[list[Node], set[Site]]:
        """The underground's nodes, and the sites from which stairs and pits go down."""
        if not self.below:
            return [], set()
        rng = self.rng
        made: list[Node] = []
        special: set[Site] = set()
        for end, cell in ((0, self.below[0]), (-1, self.below[-1])):
            corners = [
                site
                for site in _corners(cell)
                if len(self.links.get(site, ())) in (1, 2) and site not in special
            ]
            rooms = [site for site in _corners(cell) if site in self.room_at]
            at = _rounded(self.under(cell))
            if end == -1 and rooms and rng.random() < 0.7:
                made.append(Node(id=name("u"), kind="junction", at=at, level="underground"))
                self.room_pit = (rooms[0], made[-1].id)
            elif not corners:
                if end == 0:
                    raise _NoCardError
                made.append(Node(id=name("x"), kind="end", at=at, level="underground"))
            else:
                site = corners[int(rng.integers(len(corners)))]
                special.add(site)
                above = _rounded(self.at(site))
                if end == -1 and rng.random() < 0.5:
                    made.append(Node(id=name("u"), kind="junction", at=at, level="underground"))
                    nodes[site] = Node(id=name("p"), kind="find", find="pitfall", at=above)
                    edges.append(Edge(kind="fall", from_=nodes[site].id, to=made[-1].id))
                else:
                    made.append(Node(id=name("s"), kind="stairs", at=at, level="underground"))
                    nodes[site] = Node(id=name("s"), kind="stairs", at=above)
                    edges.append(Edge(kind="stairs", from_=nodes[site].id, to=made[-1].id))
        middle = list(self.below[1:-1])
        if middle and rng.random() < 0.6:  # something lies down there
            cell = middle.pop(int(rng.integers(len(middle))))
            k = self.below.index(cell)
            kind: FindKind = ("coin", "sword", "scroll", "barrel")[int(rng.integers(4))]
            found = Node(
                id=name("f"), kind="find", find=kind, at=_rounded(self.under(cell)), level="underground"
            )
            parts = [(made[0], self.below[1:k], found), (found, self.below[k + 1 : -1], made[1])]
            made.append(found)
        else:
            parts = [(made[0], self.below[1:-1], made[1])]
        for one, cells, other in parts:
            line = [one.at, *(self.under(cell) for cell in cells), other.at]
            edges.append(_corridor(one, other, line, "underground"))
        return made, special

    def _rooms(self, finds: Iterator[FindKind], budget: int) -> tuple[list[Room], int]:
        made, dealt = [], 0
        for name, outline in self.outlines.items():
            sites = [site for site, room in self.room_at.items() if room == name]
            pit = self.room_pit if self.room_pit and self.room_pit[0] in sites else None
            order = [sites[int(k)] for k in self.rng.permutation(len(sites))]
            if pit is not None:
                order = [pit[0], *(site for site in order if site != pit[0])]
            inside = []
            for number, site in enumerate(order[: max(1, min(len(order), budget - 1))], 1):
                falls = pit is not None and number == 1
                kind: FindKind = "pitfall" if falls else next(finds)
                inside.append(RoomFind(id=f"{name}{number}", find=kind, at=_rounded(self.at(site))))
                dealt += 1
            made.append(Room(id=name, outline=outline, finds=tuple(inside)))
        return made, dealt

    def _corridors(self, nodes: dict[Site | Terminal, Node], name: Callable[[str], str]) -> list[Edge]:
        made: list[Edge] = []
        pit = self.room_pit
        if pit is not None:
            made.append(Edge(kind="fall", from_=f"{self.room_at[pit[0]]}1", to=pit[1]))
        walked: set[tuple[Site | Terminal, Site | Terminal]] = set()
        pairs: set[frozenset[str]] = set()
        for start in [key for key in self.links if key in nodes]:
            for first in sorted(self.links[start], key=str):
                if (start, first) in walked:
                    continue
                path: list[Site | Terminal] = [start, first]
                while path[-1] not in nodes:
                    here = path[-1]
                    path.append(next(s for s in sorted(self.links[here], key=str) if s != path[-2]))  # type: ignore[index]
                walked |= set(itertools.pairwise(path)) | set(itertools.pairwise(path[::-1]))
                ends = frozenset((nodes[path[0]].id, nodes[path[-1]].id))
                if len(ends) == 1 or ends in pairs:
                    raise _NoCardError
                pairs.add(ends)
                line = [self._spot(step, path) for step in path]
                flat = [point for spot in line for point in spot]
                made.append(_corridor(nodes[path[0]], nodes[path[-1]], flat, "main"))
        return made

    def _spot(self, step: Site | Terminal, path: list[Site | Terminal]) -> list[Point]:
        if step not in self.entries:
            return [self.at(step)]  # type: ignore[arg-type]
        _, at = self.entries[step]
        if step[0] == "door":
            return [at]
        side = self.spots[step[1]][0]
        away = {"left": (1, 0), "right": (-1, 0), "top": (0, 1), "bottom": (0, -1)}[side]
        stub = (at[0] + STUB_MM * away[0], at[1] + STUB_MM * away[1])
        return [at, stub] if path[0] == step else [stub, at]


def _corners(cell: Site) -> list[Site]:
    return [(cell[0] + a, cell[1] + b) for a in (0, 1) for b in (0, 1)]


def _rounded(point: Point) -> Point:
    return round(point[0], 2), round(point[1], 2)


def _corridor(one: Node, other: Node, line: Sequence[Point], level: Level) -> Edge:
    """A corridor whose corners are cut twice: as it is drawn."""
    points = np.array(line, float)
    for _ in range(2):
        if len(points) < 3:
            break
        near, far = 0.75 * points[:-1] + 0.25 * points[1:], 0.25 * points[:-1] + 0.75 * points[1:]
        between = np.empty((2 * len(near), 2))
        between[::2], between[1::2] = near, far
        points = np.concatenate([points[:1], between[1:-1], points[-1:]])
    via = tuple(_rounded((float(x), float(y))) for x, y in points[1:-1])
    return Edge(kind="corridor", from_=one.id, to=other.id, level=level, via=via)


def box_of(prefixes: tuple[str, str, str], size_mm: Point, seed: int) -> list[Card]:
    """A box: three layouts of starters in five colours, twenty dungeons of cost 3 to 6, a step and a boss;
    `prefixes` are those of their ids."""
    finds = deal()
    made: list[Card] = []
    starter, dungeon, rare = prefixes
    for number in range(1, 4):
        layout = grid_dungeon(f"{starter}{number}", "starter", size_mm, seed + number, finds, 3)
        for colour in ("red", "blue", "green", "yellow", "purple"):
            name = f"{starter}{number}-{colour}"
            made.append(replace(layout, id=name, art=f"art/{name}.png", colour=colour, cost=None))
    for number in range(1, 21):
        cost = 3 + (number - 1) // 5
        made.append(
            grid_dungeon(f"{dungeon}{number:02d}", "dungeon", size_mm, seed + 100 + number, finds, cost)
        )
    made.append(grid_dungeon(f"{rare}1", "step", size_mm, seed + 201, finds, 4))
    made.append(grid_dungeon(f"{rare}2", "boss", size_mm, seed + 202, finds, 6))
    return made
