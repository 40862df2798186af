"""Random dungeons: corridors on two levels, rooms, doors, stairs, pits and finds on a card of any size.

Places lie on a jittered lattice; corridors are the union of shortest paths with random weights between the
openings, the doors and some dead ends. The lower level runs on the dual lattice, between the upper one's
places. A dungeon that breaks the format (`contract_problems`) is drawn again with the next number.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import networkx
import numpy as np
from numpy.typing import NDArray

from calibration.enrol.card_geometry import FINDS, contract_problems
from scorer.catalogue import Card, Edge, Level, Node, Point, Room, RoomFind, Side

Array = NDArray[np.float64]
Rng = np.random.Generator
Cell = tuple[int, int]
_STEPS: tuple[tuple[Side, Cell], ...] = (
    ("left", (-1, 0)),
    ("right", (1, 0)),
    ("top", (0, -1)),
    ("bottom", (0, 1)),
)
_COMMON_FINDS = FINDS + ("coin",) * 4
_ATTEMPTS = 60


@dataclass(frozen=True)
class Plan:
    """How a deck lays out its dungeons: the lattice, the openings of all cards, and the forms of its lines.

    `openings` are sides with the index of a lattice row or column; `under_openings` are the same on the dual
    lattice. `bends`: how corners are drawn ("square", "round", "cut"). `wobble_mm` moves the points of lines.
    """

    size_mm: Point
    corridor_mm: float
    cells: Cell
    jitter: float
    bends: str
    wobble_mm: float
    openings: tuple[tuple[Side, int], ...]
    under_openings: tuple[tuple[Side, int], ...]
    room_form: str
    rooms: tuple[float, float, float]
    systems: tuple[float, float, float]
    dead_ends: float
    pits: float
    pit_offset_mm: float

    def spot(self, cell: tuple[float, float]) -> Array:
        """Position (x, y) in mm of a lattice place; the dual lattice has halves."""
        share = (np.asarray(cell, float) + 0.5) / np.asarray(self.cells)
        return np.asarray(share * np.asarray(self.size_mm))

    @property
    def pitch_mm(self) -> float:
        return min(side / count for side, count in zip(self.size_mm, self.cells, strict=True))


def plan_of(rng: Rng, size_mm: Point, corridor_mm: float) -> Plan:
    """A random plan for cards of `size_mm` with corridors of `corridor_mm`."""
    pitch = max(2.1 * corridor_mm + 1.5, float(rng.uniform(10.5, 15.0)))
    columns, rows = (max(3, round(side / pitch)) for side in size_mm)
    openings: list[tuple[Side, int]] = []
    under: list[tuple[Side, int]] = []
    for side, _ in _STEPS:
        count = rows if side in ("left", "right") else columns
        taken = rng.permutation(count)[: int(rng.choice([1, 2], p=[0.45, 0.55]))]
        openings += [
            (side, int(k)) for k in taken if all(abs(int(k) - j) > 1 for s, j in openings if s == side)
        ]
        if rng.random() < 0.4:
            under.append((side, int(rng.integers(count - 1))))
    return Plan(
        size_mm=size_mm,
        corridor_mm=corridor_mm,
        cells=(columns, rows),
        jitter=float(rng.choice([0.0, 0.06, 0.14])),
        bends=str(rng.choice(["square", "round", "round", "cut"])),
        wobble_mm=float(rng.choice([0.0, 0.0, 0.5, 0.9])),
        openings=tuple(openings),
        under_openings=tuple(under),
        room_form=str(rng.choice(["box", "cut", "round", "uneven"])),
        rooms=(0.2, 0.5, 0.3),
        systems=(0.2, 0.5, 0.3),
        dead_ends=float(rng.choice([0.0, 0.3, 1.0])),
        pits=0.35,
        pit_offset_mm=float(rng.choice([0.0, 0.0, 7.0])),
    )


def dungeon(plan: Plan, rng: Rng, id_: str) -> Card:
    """A random dungeon that keeps the format. Raises `RuntimeError` where none is found."""
    for _ in range(_ATTEMPTS):
        card = _Maker(plan, rng).card(id_)
        if card is not None and not contract_problems(card, plan.size_mm):
            return card
    raise RuntimeError(f"no dungeon for {plan}")


class _Maker:
    """One attempt at a dungeon."""

    def __init__(self, plan: Plan, rng: Rng) -> None:
        self.plan, self.rng = plan, rng
        self.nodes: list[Node] = []
        self.edges: list[Edge] = []
        self.rooms: list[Room] = []
        self.at: dict[tuple[float, float], Array] = {}
        self.counts: dict[str, int] = {}
        #: Ids of the places that are nodes.
        self.names: dict[Level, dict[Any, str]] = {"main": {}, "underground": {}}
        #: Lattice cells inside rooms.
        self.built: set[Cell] = set()

    def card(self, id_: str) -> Card | None:
        """The dungeon, or None where a part found no room."""
        doors = self._build_rooms()
        main = self._main_level(doors)
        if main is None:
            return None
        under, stairs = self._lower_level(main)
        self._write_level("main", main, stairs)
        self._write_level("underground", under, stairs)
        for top, foot in stairs:
            self.edges.append(
                Edge(kind="stairs", from_=self._name(top, "main"), to=self._name(foot, "underground"))
            )
        self._place_finds()
        self._dig_pits()
        return Card(
            id=id_,
            kind="dungeon",
            art=f"art/{id_}.png",
            nodes=tuple(self.nodes),
            edges=tuple(self.edges),
            rooms=tuple(self.rooms),
        )

    # --- places -----------------------------------------------------------------------------------------

    def _spot(self, cell: tuple[float, float]) -> Array:
        """Jittered position in mm of a lattice place, the same each time."""
        if cell not in self.at:
            off = self.plan.jitter * self.plan.pitch_mm * self.rng.normal(0, 0.6, 2)
            self.at[cell] = self.plan.spot(cell) + np.clip(off, -3, 3)
        return self.at[cell]

    def _new(self, letter: str) -> str:
        self.counts[letter] = self.counts.get(letter, 0) + 1
        return f"{letter}{self.counts[letter]}"

    def _build_rooms(self) -> dict[Any, tuple[Cell, Array, str]]:
        """Place rooms on blocks of cells; returns the doors: key -> (lattice cell outside, place, room)."""
        plan, rng = self.plan, self.rng
        doors: dict[Any, tuple[Cell, Array, str]] = {}
        for _ in range(int(rng.choice(3, p=plan.rooms))):
            wide, high = (int(rng.integers(1, 3)) for _ in range(2))
            if wide >= plan.cells[0] - 1 or high >= plan.cells[1] - 1:
                continue
            i, j = (int(rng.integers(0, plan.cells[k] - (wide, high)[k] + 1)) for k in (0, 1))
            block = {(i + a, j + b) for a in range(wide) for b in range(high)}
            around = {
                (a + da, b + db) for a, b in block for da, db in itertools.product((-1, 0, 1), repeat=2)
            }
            if around & self.built:
                continue
            name = chr(ord("A") + len(self.rooms))
            low = self.plan.spot((i - 0.5, j - 0.5)) + 0.2 * plan.pitch_mm
            high_mm = self.plan.spot((i + wide - 0.5, j + high - 0.5)) - 0.2 * plan.pitch_mm
            if min(high_mm - low) < 7.5:
                continue
            outline = _room_outline(low, high_mm, plan.room_form, rng)
            gates = [
                (cell, (cell[0] + step[0], cell[1] + step[1]), step)
                for cell in block
                for _, step in _STEPS
                if (cell[0] + step[0], cell[1] + step[1]) not in block
                and 0 <= cell[0] + step[0] < plan.cells[0]
                and 0 <= cell[1] + step[1] < plan.cells[1]
            ]
            if not gates:
                continue
            self.built |= block
            for k in rng.permutation(len(gates))[: int(rng.integers(1, 4))]:
                inner, outer, step = gates[int(k)]
                place = _on_outline(outline, self.plan.spot(inner), np.asarray(step, float))
                if place is not None and all(math.dist(place, other[1]) > 6 for other in doors.values()):
                    doors["door", len(doors)] = (outer, place, name)
            finds = self._room_finds(name, low, high_mm)
            self.rooms.append(Room(id=name, outline=tuple(map(_point, outline)), finds=finds))
        return doors

    def _room_finds(self, name: str, low: Array, high: Array) -> tuple[RoomFind, ...]:
        kept: list[Array] = []
        for _ in range(int(self.rng.integers(0, 5))):
            at = self.rng.uniform(low + 3.6, np.maximum(high - 3.6, low + 3.7))
            if all(np.hypot(*(at - other)) > 7 for other in kept):
                kept.append(at)
        return tuple(
            RoomFind(id=f"{name}{k}", find=self._kind(), at=_point(at)) for k, at in enumerate(kept, start=1)
        )

    def _kind(self) -> Any:
        kind = str(self.rng.choice(_COMMON_FINDS))
        return "coin" if kind == "pitfall" else kind

    # --- the levels' graphs -----------------------------------------------------------------------------

    def _lattice(self, shift: float) -> Any:
        """Grid graph of the free lattice places (`shift` 0) or of the dual lattice (0.5), random weights."""
        graph: Any = networkx.Graph()
        columns, rows = (count - round(2 * shift) for count in self.plan.cells)
        for i, j in itertools.product(range(columns), range(rows)):
            for _, (di, dj) in _STEPS[1::2]:
                ends = (i + shift, j + shift), (i + di + shift, j + dj + shift)
                if i + di < columns and j + dj < rows and not self.built & set(ends):
                    graph.add_edge(*ends, weight=float(self.rng.exponential(1.0)) + 0.15)
        return graph

    def _main_level(self, doors: dict[Any, tuple[Cell, Array, str]]) -> Any:
        """Graph of the upper level's places; its leaves are openings, doors and dead ends."""
        grid = self._lattice(0)
        gates = self._openings(self.plan.openings, grid, 0)
        leaves = {**{key: (cell, place) for key, (cell, place, _) in doors.items()}, **gates}
        terminals = [cell for cell, _ in leaves.values()]
        free = [cell for cell in grid if cell not in terminals]
        extra = int(self.rng.poisson(1.2 + self.plan.dead_ends))
        terminals += [free[int(k)] for k in self.rng.permutation(len(free))[:extra]]
        level = _joined(grid, terminals, self.rng)
        if level is None or len(gates) < 2 or any(cell not in level for cell, _ in leaves.values()):
            return None
        for key, (cell, place) in leaves.items():
            level.add_edge(cell, key)
            self.at[key] = place
        for key, (_, _, room) in doors.items():
            level.nodes[key]["room"] = room
        return level

    def _openings(
        self, told: Iterable[tuple[Side, int]], grid: Any, shift: float
    ) -> dict[Any, tuple[Any, Array]]:
        """Openings of this card: key -> (lattice place, position on the card's edge)."""
        found: dict[Any, tuple[Any, Array]] = {}
        columns, rows = self.plan.cells
        for side, index in told:
            across = side in ("left", "right")
            far = (columns if across else rows) - 1 - shift
            inner = shift if side in ("left", "top") else far
            cell = (inner, index + shift) if across else (index + shift, inner)
            if cell not in grid or self.rng.random() < 0.15:
                continue
            place = self.plan.spot(cell).copy()
            axis = 0 if across else 1
            place[axis] = 0.0 if side in ("left", "top") else self.plan.size_mm[axis]
            found["opening", side, index, shift] = (cell, place)
        return found

    def _lower_level(self, main: Any) -> tuple[Any, list[tuple[Any, Any]]]:
        """Graph of the lower level, and its stairs as pairs of an upper and a lower place."""
        level: Any = networkx.Graph()
        stairs: list[tuple[Any, Any]] = []
        grid = self._lattice(0.5)
        for _ in range(int(self.rng.choice(3, p=self.plan.systems))):
            used = {place for place in level if place in grid}
            near = {n for place in used for n in itertools.chain([place], grid[place])}
            free = grid.subgraph([place for place in grid if place not in near])
            feet = self._feet(main, free, stairs)
            gates = {
                k: v for k, v in self._openings(self.plan.under_openings, free, 0.5).items() if k not in level
            }
            ends = [*feet, *gates]
            if not feet:
                continue
            chosen = [ends[int(k)] for k in self.rng.permutation(len(ends))[: int(self.rng.integers(1, 4))]]
            places = [gates[end][0] if end in gates else end for end in chosen]
            if not any(end in feet for end in chosen):
                continue
            loose = [place for place in free if place not in places]
            if len(places) == 1 or self.rng.random() < 0.3:
                if not loose:
                    continue
                places.append(loose[int(self.rng.integers(len(loose)))])
            made = _joined(free, places, self.rng)
            if made is None or any(place not in made for place in places):
                continue
            level.update(made)
            for end, place in zip(chosen, places, strict=False):
                if end in gates:
                    level.add_edge(place, end)
                    self.at[end] = gates[end][1]
                elif made.degree(place) <= 1 and all(place != foot for _, foot in stairs):
                    stairs.append((feet[end], place))
        # what neither stairs nor an opening lead to is not drawn
        ways = {foot for _, foot in stairs} | {place for place in level if place[0] == "opening"}
        for part in [set(each) for each in networkx.connected_components(level)]:
            if not part & ways:
                level.remove_nodes_from(part)
        return level, [pair for pair in stairs if pair[1] in level]

    def _feet(self, main: Any, free: Any, stairs: Sequence[tuple[Any, Any]]) -> dict[Any, Any]:
        """Places of the lower level near an end or a bend of the upper one: lower place -> upper place."""
        taken = {top for top, _ in stairs}
        found: dict[Any, Any] = {}
        for top in main:
            if not isinstance(top[0], int) or top in taken or main.degree(top) > 2:
                continue
            if any(not isinstance(each[0], (int, float)) for each in main[top]):
                continue
            i, j = top
            around = [(i + a, j + b) for a, b in itertools.product((-0.5, 0.5), repeat=2)]
            around = [place for place in around if place in free and place not in found]
            if around and (main.degree(top) == 1 or self.rng.random() < 0.3):
                found[around[int(self.rng.integers(len(around)))]] = top
        return found

    # --- writing ----------------------------------------------------------------------------------------

    def _name(self, place: Any, level: Level) -> str:
        return self.names[level][place]

    def _write_level(self, level: Level, graph: Any, stairs: Sequence[tuple[Any, Any]]) -> None:
        ends = {pair[0 if level == "main" else 1] for pair in stairs}
        names = self.names[level]
        for place in graph:
            made = self._node(place, level, graph, place in ends)
            if made is not None:
                names[place] = made.id
                self.nodes.append(made)
        for chain in _chains(graph, set(names)):
            points = [self._spot(place) for place in chain]
            line = self._formed(points)
            self.edges.append(
                Edge(
                    kind="corridor",
                    level=level,
                    from_=names[chain[0]],
                    to=names[chain[-1]],
                    via=tuple(map(_point, line[1:-1])),
                )
            )

    def _node(self, place: Any, level: Level, graph: Any, stands: bool) -> Node | None:
        at = _point(self._spot(place))
        if place[0] == "opening":
            return Node(id=self._new("o"), kind="opening", at=at, level=level, side=place[1])
        if place[0] == "door":
            return Node(id=self._new("d"), kind="door", at=at, level=level, room=graph.nodes[place]["room"])
        if stands:
            return Node(id=self._new("t" if level == "main" else "v"), kind="stairs", at=at, level=level)
        if graph.degree(place) == 1:
            if level == "underground" or self.rng.random() > 0.2 * self.plan.dead_ends:
                return Node(id=self._new("f"), kind="find", at=at, level=level, find=self._kind())
            return Node(id=self._new("x"), kind="end", at=at, level=level)
        if graph.degree(place) > 2:
            return Node(id=self._new("j"), kind="junction", at=at, level=level)
        return None

    def _formed(self, points: list[Array]) -> Array:
        """The corridor's polyline: corners rounded or cut, straight pieces wobbled."""
        line = np.array(points)
        if self.plan.bends == "cut":
            line = _corners_cut(line, 0.35)
        elif self.plan.bends == "round":
            for share in (0.3, 0.25, 0.25):
                line = _corners_cut(line, share)
        if self.plan.wobble_mm and len(line) > 1:
            steps = np.hypot(*np.diff(line, axis=0).T)
            dense = [line[0]]
            for a, b, step in zip(line[:-1], line[1:], steps, strict=True):
                count = max(1, round(step / 4))
                dense += [a + (b - a) * k / count for k in range(1, count + 1)]
            line = np.array(dense)
            line[1:-1] += self.rng.normal(0, self.plan.wobble_mm / 2, (len(line) - 2, 2))
        return line

    def _place_finds(self) -> None:
        """Put finds on corridors of the upper level, away from all other places."""
        taken = [np.asarray(node.at) for node in self.nodes]
        taken += [np.asarray(find.at) for room in self.rooms for find in room.finds]
        at = {node.id: node for node in self.nodes}
        for edge in [edge for edge in self.edges if edge.kind == "corridor"]:
            line = np.array([at[edge.from_].at, *edge.via, at[edge.to].at])
            if (edge.level != "main" and self.rng.random() < 0.6) or self.rng.random() < 0.5:
                continue
            along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
            want = float(self.rng.uniform(0.3, 0.7)) * along[-1]
            k = int(np.clip(np.searchsorted(along, want), 1, len(line) - 1))
            span = max(along[k] - along[k - 1], 1e-9)
            place = line[k - 1] + (line[k] - line[k - 1]) * (want - along[k - 1]) / span
            if any(np.hypot(*(place - other)) < 6.5 for other in taken):
                continue
            taken.append(place)
            node = Node(
                id=self._new("f"),
                kind="find",
                at=_point(place),
                level=edge.level or "main",
                find=self._kind(),
            )
            self.nodes.append(node)
            self.edges.remove(edge)
            for ends, part in (((edge.from_, node.id), line[1:k]), ((node.id, edge.to), line[k:-1])):
                self.edges.append(
                    Edge(
                        kind="corridor",
                        level=edge.level,
                        from_=ends[0],
                        to=ends[1],
                        via=tuple(map(_point, part)),
                    )
                )

    def _dig_pits(self) -> None:
        """Turn finds above an end of the lower level into pits that lead to it."""
        plan = self.plan
        ends = [n for n in self.nodes if n.level == "underground" and n.kind == "find"]
        for end in ends:
            if self.rng.random() > plan.pits:
                continue
            above = [n for n in self.nodes if n.level == "main" and n.kind == "find" and n.find != "pitfall"]
            near = [n for n in above if math.dist(n.at, end.at) < 14]
            if not near:
                continue
            pit = min(near, key=lambda node: math.dist(node.at, end.at))
            landing = pit.at if plan.pit_offset_mm == 0 else end.at
            self._replace(pit.id, Node(id=pit.id, kind="find", at=pit.at, level="main", find="pitfall"))
            self._replace(end.id, Node(id=end.id, kind="junction", at=landing, level="underground"))
            self.edges.append(Edge(kind="fall", from_=pit.id, to=end.id))

    def _replace(self, id_: str, node: Node) -> None:
        self.nodes[:] = [node if each.id == id_ else each for each in self.nodes]


def _joined(grid: Any, terminals: Sequence[Any], rng: Rng) -> Any:
    """Union of shortest paths that joins the terminals, with some loops; None where they lie apart."""
    order = [terminals[int(k)] for k in rng.permutation(len(terminals))]
    if not order or any(place not in grid for place in order):
        return None
    made: Any = networkx.Graph()
    made.add_node(order[0])
    loops = [
        tuple(order[int(k)] for k in rng.integers(0, len(order), 2)) for _ in range(int(rng.poisson(1.0)))
    ]
    for place in order[1:]:
        paths = networkx.single_source_dijkstra_path(grid, place)
        lengths = networkx.single_source_dijkstra_path_length(grid, place)
        reached = [each for each in made if each in lengths]
        if not reached:
            return None
        networkx.add_path(made, paths[min(reached, key=lambda each: lengths[each])])
    for a, b in loops:
        if a == b:
            continue
        dear = grid.copy()
        for u, v in made.edges:
            if dear.has_edge(u, v):
                dear[u][v]["weight"] += 3.0
        networkx.add_path(made, networkx.dijkstra_path(dear, a, b))
    return made


def _chains(graph: Any, named: set[Any]) -> list[list[Any]]:
    """Maximal paths between named places, each once."""
    found: list[list[Any]] = []
    done: set[frozenset[Any]] = set()
    for start in named:
        for nxt in graph[start]:
            if frozenset((start, nxt)) in done:
                continue
            chain = [start, nxt]
            done.add(frozenset((start, nxt)))
            while chain[-1] not in named:
                onward = [each for each in graph[chain[-1]] if each != chain[-2]]
                if not onward:
                    break
                done.add(frozenset((chain[-1], onward[0])))
                chain.append(onward[0])
            if chain[-1] in named:
                found.append(chain)
    return found


def _corners_cut(line: Array, share: float) -> Array:
    """Corner cutting (Chaikin): each inner corner is replaced by two points."""
    if len(line) < 3:
        return line
    kept = [line[0]]
    for before, corner, after in zip(line[:-2], line[1:-1], line[2:], strict=True):
        kept += [corner + share * (before - corner), corner + share * (after - corner)]
    return np.array([*kept, line[-1]])


def _room_outline(low: Array, high: Array, form: str, rng: Rng) -> Array:
    """Outline (N, 2) in mm of a room within a box."""
    (x0, y0), (x1, y1) = low, high
    if form == "box":
        return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
    if form == "uneven":
        box = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
        return np.asarray(box + rng.uniform(-1.2, 1.2, (4, 2)))
    cut = float(rng.uniform(0.12, 0.3)) * float(min(x1 - x0, y1 - y0))
    line = [[x0 + cut, y0], [x1 - cut, y0], [x1, y0 + cut], [x1, y1 - cut]]
    line += [[x1 - cut, y1], [x0 + cut, y1], [x0, y1 - cut], [x0, y0 + cut]]
    made = np.array(line)
    if form == "round":
        both = np.stack([0.85 * made + 0.15 * np.roll(made, k, axis=0) for k in (1, -1)], axis=1)
        made = both.reshape(-1, 2)
    return made


def _on_outline(outline: Array, inside: Array, step: Array) -> Array | None:
    """Intersection of a room's outline with the ray from a point inside it."""
    best: tuple[float, Array | None] = (math.inf, None)
    for a, b in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        matrix = np.column_stack([step, a - b])
        if abs(np.linalg.det(matrix)) < 1e-9:
            continue
        along, share = np.linalg.solve(matrix, a - inside)
        if along > 0 and 0 <= share <= 1 and along < best[0]:
            best = (float(along), inside + along * step)
    return best[1]


def _point(at: Any) -> Point:
    return round(float(at[0]), 2), round(float(at[1]), 2)


def relaid(card: Card, size_mm: Point, new_size_mm: Point, rng: Rng) -> Card:
    """A known dungeon mirrored, turned, stretched and bent to another size, with other kinds of finds."""
    transposed = bool(rng.random() < 0.35)
    flips = rng.random(2) < 0.5
    knots = np.linspace(0, 1, 5)
    warps = [np.cumsum([0.0, *rng.uniform(0.75, 1.25, 4)]) for _ in range(2)]
    warps = [warp / warp[-1] for warp in warps]

    def at(point: Point) -> Point:
        share = np.asarray(point) / np.asarray(size_mm)
        share = share[::-1].copy() if transposed else share.copy()
        share = np.where(flips, 1 - share, share)
        bent = [float(np.interp(value, knots, warp)) for value, warp in zip(share, warps, strict=True)]
        return _point(np.asarray(bent) * new_size_mm)

    def side(at_mm: Point) -> Side:
        off = [at_mm[0], new_size_mm[0] - at_mm[0], at_mm[1], new_size_mm[1] - at_mm[1]]
        return ("left", "right", "top", "bottom")[int(np.argmin(off))]

    kinds = dict(zip(FINDS, rng.permutation([kind for kind in FINDS]), strict=True))
    kinds = {old: new if "pitfall" not in (old, new) else old for old, new in kinds.items()}

    def node(old: Node) -> Node:
        place = at(old.at)
        find: Any = kinds[old.find] if old.find else None
        return msgspec.structs.replace(
            old, at=place, side=side(place) if old.side else None, find=find, value=1
        )

    def room(old: Room) -> Room:
        finds = tuple(
            msgspec.structs.replace(find, at=at(find.at), find=kinds[find.find], value=1)
            for find in old.finds
        )
        return msgspec.structs.replace(old, outline=tuple(map(at, old.outline)), finds=finds)

    edges = tuple(msgspec.structs.replace(edge, via=tuple(map(at, edge.via))) for edge in card.edges)
    return msgspec.structs.replace(
        card, nodes=tuple(map(node, card.nodes)), edges=edges, rooms=tuple(map(room, card.rooms))
    )
