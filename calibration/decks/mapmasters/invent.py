"""Invents the open deck's declarations by seeded random search; the result is frozen in `declarations.txt`.

    python -m calibration.decks.mapmasters.invent              # adds the cards that declarations.txt lacks
    python -m calibration.decks.mapmasters.invent D07 D08      # invents these anew

All 89 layouts take about fifteen minutes. A card is tried as a whole: rooms are set on the grid, openings and
doors are joined by random shortest paths into one net of corridors, loops and spurs are added, stairs and
pits tie it to a second net underground, finds are dealt by the card's cost. What
`calibration.enrol.card_geometry` finds fault with, or what looks like an earlier card, is thrown away.
"""

from __future__ import annotations

import heapq
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
import shapely

from calibration.decks.mapmasters.deck_plan import WORTH, Wish, relaxed, wishes
from calibration.decks.mapmasters.declaration import (
    DECLARATIONS_FILE,
    CardDeclaration,
    CorridorDeclaration,
    PlaceDeclaration,
    RoomDeclaration,
    format_declarations,
    load_declarations,
)
from calibration.decks.mapmasters.geometry import CARD_SIZE_MM, LayoutError, lay_out
from calibration.enrol.card_geometry import contract_problems, corridors, drawing_problems, outline_polygon
from scorer.catalogue import Card

COLUMNS, ROWS = "abcd", "123456"
REFERENCE_SITE = "a6"  # printed reference and cost
MAIN_ENTRY = {
    "left-22": ("a2",), "left-66": ("a5",), "right-22": ("d2",), "right-66": ("d5",),
    "top": ("b1", "c1"), "bottom": ("b6", "c6"),
}  # fmt: skip
UNDER_ENTRY = {
    "left-22": ("a1+", "a2+"), "left-66": ("a4+", "a5+"), "right-22": ("c1+", "c2+"),
    "right-66": ("c4+", "c5+"), "top": ("b1+",), "bottom": ("b5+",),
}  # fmt: skip
ROOM_SHAPES = {  # sites as (columns, rows) blocks; how many finds they hold
    (1, 1): 1, (2, 1): 2, (1, 2): 2, (2, 2): 4, (3, 1): 3, (3, 2): 6, (2, 3): 6, (3, 3): 8,
}  # fmt: skip
ALIKE = 0.62  # share of painted floor in common above which two cards look alike
TRIES = 700


class Rejected(Exception):
    """This try leads nowhere."""


def _neighbours(site: str) -> Iterable[str]:
    plus = site.endswith("+")
    columns, rows = (COLUMNS[:-1], ROWS[:-1]) if plus else (COLUMNS, ROWS)
    c, r = columns.index(site[0]), rows.index(site[1])
    for dc, dr in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        if 0 <= c + dc < len(columns) and 0 <= r + dr < len(rows):
            yield columns[c + dc] + rows[r + dr] + ("+" if plus else "")


def _around(site: str) -> list[str]:
    """The in-between spots diagonally beside a main site."""
    c, r = COLUMNS.index(site[0]), ROWS.index(site[1])
    return [COLUMNS[i] + ROWS[j] + "+" for i in (c - 1, c) for j in (r - 1, r) if 0 <= i < 3 and 0 <= j < 5]


def _corners(spot: str) -> list[str]:
    """The main sites around an in-between spot."""
    c, r = COLUMNS.index(spot[0]), ROWS.index(spot[1])
    return [COLUMNS[i] + ROWS[j] for i in (c, c + 1) for j in (r, r + 1)]


@dataclass
class Net:
    """The corridors of one level as a graph of spots. `weight`: what passing a spot costs a path."""

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
        """A random cheapest way over free spots from one of `starts` to one of `goals`."""
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
            for nxt in _neighbours(spot):
                if nxt in self.weight and nxt not in path and nxt not in self.links.get(spot, ()):
                    heapq.heappush(queue, (spent + cost[nxt], nxt, (*path, nxt)))
        return None


@dataclass
class _Room:
    id: str
    sites: list[str]
    shape: str
    capacity: int
    edges: tuple[str, ...] = ()
    finds: list[tuple[str, int]] = field(default_factory=list)
    pit_spot: str | None = None


class Sketch:
    """One try at a card."""

    def __init__(self, wish: Wish, rng: np.random.Generator) -> None:
        self.wish, self.rng = wish, rng
        self.columns, self.rows = self._grid()
        self.rooms: list[_Room] = []
        self.doors: dict[str, tuple[str, str, str]] = {}  # door id -> room id, inner site, outer spot
        self.places: dict[tuple[str, str], PlaceDeclaration] = {}
        self.landings: list[tuple[str, str]] = []
        self.falls: list[tuple[str, str]] = []
        self.stairs: list[tuple[str, str]] = []

    def _grid(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        rng = self.rng
        gaps = 12.6 + rng.dirichlet((3, 3, 3)) * 5.0
        left = rng.uniform(9.3, 10.6)
        columns = left + np.concatenate([[0], np.cumsum(gaps)]) * (53.4 - left) / gaps.sum()
        jitter = rng.uniform(-1, 1, 4) * (1.2, 1.6, 1.6, 1.2)
        rows = [
            rng.uniform(9.3, 10),
            22 + jitter[0],
            36.7 + jitter[1],
            51.3 + jitter[2],
            66 + jitter[3],
            78.4,
        ]
        return tuple(round(float(c), 1) for c in columns), tuple(round(float(r), 1) for r in rows)

    def build(self) -> CardDeclaration:
        self._set_rooms()
        self._choose_openings()
        self._join_main()
        self._join_underground()
        self._deal()
        return self._declare()

    # -- rooms and openings

    def _set_rooms(self) -> None:
        taken: set[str] = {REFERENCE_SITE}
        for index, (wide, high) in enumerate(self.wish.rooms):
            spots = []
            for c in range(4 - wide + 1):
                for r in range(6 - high + 1):
                    sites = [COLUMNS[c + i] + ROWS[r + j] for j in range(high) for i in range(wide)]
                    if not taken & set(sites):
                        spots.append(sites)
            if not spots:
                raise Rejected("no space for a room")
            sites = spots[self.rng.integers(len(spots))]
            shape = str(self.rng.choice(["rect", "chamfer", "irregular"], p=[0.3, 0.3, 0.4]))
            capacity = ROOM_SHAPES[wide, high]
            if self.wish.ell and index == 0 and wide > 1 and high > 1:
                corner = sites[self.rng.choice([0, wide - 1, len(sites) - wide, len(sites) - 1])]
                sites = [s for s in sites if s != corner]
                shape, capacity = "ell", max(2, capacity - 2)
            room = _Room("AB"[index] if index < 2 else "C", sites, shape, capacity)
            taken |= set(sites)
            if self.wish.edge_door and not any(r.edges for r in self.rooms) and shape != "ell":
                room = self._reach_edge(room)
            self.rooms.append(room)

    def _reach_edge(self, room: _Room) -> _Room:
        for side, column in (("left", "a"), ("right", "d")):
            if any(s in (column + "2", column + "5") for s in room.sites):
                return replace(room, shape="rect", edges=(side,))
        return room

    def _room_of(self, site: str) -> _Room | None:
        return next((room for room in self.rooms if site in room.sites), None)

    def _choose_openings(self) -> None:
        rng = self.rng
        names = list(MAIN_ENTRY)
        possible_main = {}
        for name in names:
            free = [s for s in MAIN_ENTRY[name] if not self._room_of(s)]
            side = name.split("-")[0]
            at_edge = [r for r in self.rooms if side in r.edges and MAIN_ENTRY[name][0] in r.sites]
            possible_main[name] = bool(free or at_edge)
        wanted = self.wish.openings
        # Blocked openings may still lead underground.
        order = sorted(rng.permutation(names), key=lambda n: not possible_main[n])
        chosen = (
            [str(n) for n in order[:wanted]]
            if rng.random() < 0.7
            else [str(n) for n in rng.permutation(names)[:wanted]]
        )
        under: list[str] = []
        if self.wish.underground:
            by_need = sorted(chosen, key=lambda n: (possible_main[n], rng.random()))
            blocked = sum(not possible_main[n] for n in chosen)
            under = by_need[: max(self.wish.under_openings, min(2, blocked))]
        if any(not possible_main[n] for n in chosen if n not in under):
            raise Rejected("an opening is blocked")
        self.main_openings = [n for n in names if n in chosen and n not in under]
        self.under_openings = [n for n in names if n in chosen and n in under]

    # -- main corridors

    def _join_main(self) -> None:
        rng = self.rng
        blocked = {s for room in self.rooms for s in room.sites} | {REFERENCE_SITE}
        net = Net({c + r: 1.0 for c in COLUMNS for r in ROWS if c + r not in blocked})
        # An underground opening passes under the site beside it: no place should lie on top.
        self.shy = {s for n in self.under_openings for s in MAIN_ENTRY[n]}
        self.main = net
        terminals: list[tuple[str, list[str]]] = []
        for name in self.main_openings:
            entries = [s for s in MAIN_ENTRY[name] if s in net.weight]
            room = self._room_of(MAIN_ENTRY[name][0])
            if room and room.edges and name.startswith(room.edges[0]):
                self._add_door(room, MAIN_ENTRY[name][0], name)
                continue
            terminals.append((name, entries))
        for index, room in enumerate(self.rooms):
            number = (
                self.wish.doors[index]
                if index < len(self.wish.doors)
                else int(rng.choice([1, 2, 3, 4], p=[0.25, 0.4, 0.25, 0.1]))
            )
            number -= sum(1 for r, _, _ in self.doors.values() if r == room.id)
            ways = [(s, n) for s in room.sites for n in _neighbours(s) if n in net.weight]
            order = rng.permutation(len(ways))
            taken: list[tuple[str, str]] = []
            for i in order:
                inner, outer = ways[i]
                if len(taken) == max(0, number):
                    break
                if any(outer == o for _, o in taken) or any(outer == o for _, _, o in self.doors.values()):
                    continue
                taken.append((inner, outer))
            if len(taken) < number:
                raise Rejected("no wall for a door")
            for inner, outer in taken:
                terminals.append((self._add_door(room, inner, outer), [outer]))
        if len(terminals) < 2:
            raise Rejected("nothing to join")
        rng.shuffle(terminals)
        outside_in: list[tuple[str, list[str]]] = sorted(terminals, key=lambda t: t[0].startswith("door"))
        # The spot outside a door is kept for its own corridor until that is joined.
        kept = {e for name, spots in terminals if name.startswith("door") for e in spots}
        plain = [s for s in net.weight if s not in self.shy and s not in kept]
        if not plain or any(set(spots) <= kept for name, spots in terminals if not name.startswith("door")):
            raise Rejected("an opening at a door")
        hub = str(rng.choice(plain))
        whole = dict(net.weight)
        for name, entries in outside_in:
            door = name.startswith("door")
            net.weight = {s: w for s, w in whole.items() if s not in kept or (door and s in entries)}
            free = [e for e in entries if self.main.degree(e) < 4 and e in net.weight]
            if not free:
                raise Rejected("a terminal is walled in")
            goals = {s for s in net.links if s in net.weight and s not in self.shy and net.degree(s) < 4} or {
                hub
            }
            direct = [e for e in free if e in goals]
            if name.startswith("door"):
                goals -= set(free)
                direct = []
                free = [e for e in free if e not in net.links]
                if not free:
                    raise Rejected("a door at a junction")
            path = (
                [direct[0]] if direct else net.route({e: 0.0 for e in free if e not in net.links}, goals, rng)
            )
            if path is None:
                raise Rejected("a terminal cannot be joined")
            net.add([name, *path])
            if door:
                kept -= set(entries)
        net.weight = whole
        for _ in range(self.wish.loops):
            ends = [s for s in net.links if s in net.weight and s not in self.shy and net.degree(s) in (2, 3)]
            if len(ends) < 2:
                break
            start = str(rng.choice(ends))
            path = net.route({start: 0.0}, set(ends) - {start} - net.links[start], rng)
            if path and 2 <= len(path) <= 6:
                net.add(path)
        self.dead_ends: set[str] = set()
        if self.wish.dead_end:
            tip = self._grow_spur()
            if tip is None:
                raise Rejected("no space for a dead end")
            self.dead_ends.add(tip)

    def _add_door(self, room: _Room, inner: str, outer: str) -> str:
        id_ = f"door{len(self.doors) + 1}"
        self.doors[id_] = (room.id, inner, outer)
        if outer in MAIN_ENTRY:
            self.main.links.setdefault(id_, set()).add(outer)
            self.main.links.setdefault(outer, set()).add(id_)
        return id_

    def _grow_spur(self) -> str | None:
        """A new dead end on main; its tip."""
        net, rng = self.main, self.rng
        tips = [s for s in net.free() if s not in self.shy]
        goals = {s for s in net.links if s in net.weight and s not in self.shy and net.degree(s) in (2, 3)}
        for tip in rng.permutation(tips)[:3]:
            path = net.route({str(tip): 0.0}, goals, rng)
            if path and 2 <= len(path) <= 4:
                net.add(path)
                return str(tip)
        return None

    # -- underground

    def _under_room(self, spot: str) -> bool:
        corners = _corners(spot)
        return any(sum(c in room.sites for c in corners) >= 2 for room in self.rooms)

    def _join_underground(self) -> None:
        rng = self.rng
        all_spots = [c + r + "+" for c in COLUMNS[:-1] for r in ROWS[:-1]]
        net = Net({s: 16.0 if self._under_room(s) else 1.0 for s in all_spots})
        self.under = net
        self.stair_sites: list[tuple[str, str]] = []
        self.pit_site: str | None = None
        if not self.wish.underground:
            return
        terminals: list[tuple[str, list[str]]] = [(n, list(UNDER_ENTRY[n])) for n in self.under_openings]
        stairs = 1 if self.under_openings or self.wish.pit or self.wish.room_pit else 2
        if rng.random() < 0.3:
            stairs += 1
        for _ in range(stairs):
            tip = self._grow_spur()
            if tip is None:
                continue
            spots = [
                s
                for s in _around(tip)
                if not self._under_room(s) and s not in (d for _, d in self.stair_sites)
            ]
            if spots:
                spot = str(rng.choice(spots))
                self.stair_sites.append((tip, spot))
                terminals.append((f"stairs:{spot}", [spot]))
        if self.wish.pit:
            straight = [
                s for s in self.main.links
                if s in self.main.weight and self.main.degree(s) == 2
                and s not in self.shy and not self._beside_door(s)
            ]  # fmt: skip
            if not straight:
                raise Rejected("no corridor for a pit")
            self.pit_site = str(rng.choice(straight))
            ways = [s for s in _around(self.pit_site) if not self._under_room(s)]
            if not ways:
                raise Rejected("no way from the landing")
            terminals.append((f"landing:{self.pit_site}", [str(rng.choice(ways))]))
        if self.wish.room_pit:
            room = next((r for r in self.rooms if len(r.sites) >= 4 and r.shape != "ell"), None)
            if room is None:
                raise Rejected("no room for a pit")
            middles = [s for s in all_spots if all(c in room.sites for c in _corners(s))]
            room.pit_spot = str(rng.choice(middles))
            terminals.append((f"landing:{room.pit_spot}", [room.pit_spot]))
        if not terminals:
            raise Rejected("no way underground")
        if len(terminals) == 1:
            far = [s for s in net.free() if not self._under_room(s) and s not in terminals[0][1]]
            tip = str(rng.choice(far))
            terminals.append((f"tip:{tip}", [tip]))
        order = [terminals[i] for i in rng.permutation(len(terminals))]
        first, second = order[0], order[1]
        path = net.route({e: 0.0 for e in first[1]}, set(second[1]), rng)
        if path is None:
            raise Rejected("underground not joined")
        self._add_under([first[0], *path, second[0]])
        for name, entries in order[2:]:
            goals = {
                s for s in net.links if s in net.weight and not self._under_room(s) and net.degree(s) < 4
            }
            goals -= {d for _, d in self.stair_sites}
            # A landing or an opening may lead straight to a junction.
            path = next(([e] for e in entries if e in goals and not name.startswith("stairs")), None)
            path = path or net.route(
                {e: 0.0 for e in entries if e not in net.links}, goals - set(entries), rng
            )
            if path is None:
                raise Rejected("underground not joined")
            self._add_under([*path[::-1], name])
        if rng.random() < 0.45:
            free = [s for s in net.free() if not self._under_room(s)]
            goals = {
                s for s in net.links if s in net.weight and not self._under_room(s) and net.degree(s) == 2
            }
            goals -= {d for _, d in self.stair_sites}
            if free and goals:
                path = net.route({str(rng.choice(free)): 0.0}, goals, rng)
                if path and 2 <= len(path) <= 4:
                    net.add(path)

    def _add_under(self, path: list[str]) -> None:
        """Joins a path whose ends may be named terminals; stairs and room pits are the spot itself."""

        def plain(spot: str) -> str:
            kind, _, where = spot.partition(":")
            if kind in ("stairs", "tip"):
                return where
            if kind == "landing":
                return where if where.endswith("+") else spot
            return spot

        spots = [plain(s) for s in path]
        self.under.add([s for i, s in enumerate(spots) if i == 0 or s != spots[i - 1]])

    def _beside_door(self, site: str) -> bool:
        return any(outer == site for _, _, outer in self.doors.values())

    # -- finds

    def _deal(self) -> None:
        rng, wish = self.rng, self.wish
        low, high = wish.finds
        total = int(rng.integers(low, high + 1))
        main_slots = [
            s for s in self.main.links
            if s in self.main.weight and s not in self.shy and not self._beside_door(s)
            and s not in (t for t, _ in self.stair_sites)
            and self.main.degree(s) in (1, 2) and s != self.pit_site and s not in self.dead_ends
        ]  # fmt: skip
        under_slots = [
            s for s in self.under.links
            if s in self.under.weight and not self._under_room(s) and self.under.degree(s) in (1, 2)
            and s not in (d for _, d in self.stair_sites)
        ]  # fmt: skip
        self.corridor_finds: dict[str, tuple[str, int]] = {}
        must = list(wish.must)
        left = total
        if self.pit_site:
            self.corridor_finds[self.pit_site] = ("pitfall", 1)
            left -= 1
        if wish.room_pit:
            next(r for r in self.rooms if r.pit_spot).finds.append(("pitfall", 1))
            left -= 1
        if "monsters" in must and self.rooms:
            must.remove("monsters")
            room = max(self.rooms, key=lambda r: r.capacity)
            room.finds.append(("monster", 1))
            left -= 1
        if "padlock" in must:
            must.remove("padlock")
            near = self._before_doors(main_slots)
            spot = (
                near[rng.integers(len(near))] if near else str(rng.choice(main_slots)) if main_slots else None
            )
            if spot:
                main_slots.remove(spot)
                self.corridor_finds[spot] = ("padlock", 1)
                left -= 1
        room_left = [(r, r.capacity - len(r.finds)) for r in self.rooms]
        slots: list[object] = []
        for room, free in room_left:
            want = max(1, min(free, round(left * 0.55 / max(1, len(self.rooms)))))
            slots += [room] * min(want, free)
        slots = slots[:left]
        corridor_slots: list[str] = [*main_slots, *under_slots]
        rng.shuffle(corridor_slots)
        # A dead end must be worth its walk; most of them get a find.
        corridor_slots.sort(key=lambda s: (self.under if s.endswith("+") else self.main).degree(s))
        slots += corridor_slots[: left - len(slots)]
        if len(slots) < left:
            for room, free in room_left:
                extra = min(free - sum(s is room for s in slots), left - len(slots))
                slots += [room] * max(0, extra)
        if len(slots) < left:
            raise Rejected("no space for the finds")
        for slot in slots:
            in_room = isinstance(slot, _Room)
            fitting = [m for m in must if not (in_room and m == "lava_pit")]
            if fitting:
                find = fitting[0]
                must.remove(find)
            else:
                find = self._draw_find(in_room)
            value = 1
            if find == "coin" and (wish.cost or 3) >= 4:
                value = int(
                    rng.choice(
                        [1, 2, 3],
                        p={4: [0.5, 0.45, 0.05], 5: [0.2, 0.55, 0.25], 6: [0.05, 0.45, 0.5]}[wish.cost or 6],
                    )
                )
            if in_room:
                assert isinstance(slot, _Room)
                slot.finds.append((find, value))
            else:
                assert isinstance(slot, str)
                self.corridor_finds[slot] = (find, value)
        if must:
            raise Rejected("a wanted find has no place")
        worth = sum(WORTH[f] * v for f, v in self.all_finds())
        if not wish.worth[0] <= worth <= wish.worth[1]:
            raise Rejected("worth more or less than its cost")

    def all_finds(self) -> list[tuple[str, int]]:
        return [*self.corridor_finds.values(), *(f for room in self.rooms for f in room.finds)]

    def _before_doors(self, slots: list[str]) -> list[str]:
        """Sites one step beyond the spot outside a door."""
        return [s for s in slots if any(self._beside_door(n) for n in self.main.links[s])]

    def _draw_find(self, in_room: bool) -> str:
        cost = self.wish.cost or 3
        if self.wish.starter:
            weights = {
                "coin": 5,
                "barrel": 4,
                "sword": 4,
                "key": 2.5,
                "scroll": 3,
                "monster": 0.8,
                "padlock": 0.8,
            }
        else:
            weights = {
                "coin": 4.0, "barrel": 3.5, "sword": 3.4, "scroll": 2.2, "key": 1.2 + 0.35 * (cost - 3),
                "rope": 0.3 + 0.45 * (cost - 3), "magic_circle": 1.2 + 0.2 * (cost - 3),
                "monster": 0.9 + 0.25 * (cost - 3),
                "lava_pit": 0.0 if in_room else 0.7 + 0.2 * (cost - 3), "padlock": 0.0 if in_room else 0.4,
                "recycle": 0.7, "scissors": 0.7,
            }  # fmt: skip
        # No card hoards one thing.
        for find, _ in self.all_finds():
            if find in weights:
                weights[find] *= 0.35
        names = list(weights)
        p = np.array([weights[n] for n in names])
        return str(self.rng.choice(names, p=p / p.sum()))

    # -- declaration

    def _declare(self) -> CardDeclaration:
        places: dict[tuple[str, str], PlaceDeclaration] = {}
        counts: dict[str, int] = {}

        def new(letter: str, level: str, spot: str, key: str, **kwargs: object) -> str:
            counts[letter] = counts.get(letter, 0) + 1
            id_ = f"{letter}{counts[letter]}"
            places[level, key] = PlaceDeclaration(id_, level, spot=spot, **kwargs)  # type: ignore[arg-type]
            return id_

        def name_opening(level: str, name: str) -> None:
            letter = {"left": "w", "right": "e", "top": "n", "bottom": "s"}[name.split("-")[0]]
            new(letter, level, name, name, kind="opening")

        for name in MAIN_ENTRY:
            if name in self.main_openings:
                name_opening("main", name)
            elif name in self.under_openings:
                name_opening("underground", name)
        for door, (room_id, inner, _) in self.doors.items():
            new("d", "main", inner, door, kind="door", room=room_id)
        find_letters = {"pitfall": "p", "magic_circle": "c", "monster": "m", "padlock": "k", "lava_pit": "l"}
        for level, net in (("main", self.main), ("underground", self.under)):
            for spot in sorted(net.links):
                if spot not in net.weight and not spot.startswith("landing:"):
                    continue
                degree = net.degree(spot)
                if spot.startswith("landing:") or any(r.pit_spot == spot for r in self.rooms):
                    new("u", level, spot.removeprefix("landing:"), spot, kind="junction")
                elif level == "main" and spot in (t for t, _ in self.stair_sites):
                    new("t", level, spot, spot, kind="stairs")
                elif level == "underground" and spot in (d for _, d in self.stair_sites):
                    new("v", level, spot, spot, kind="stairs")
                elif spot in self.corridor_finds:
                    find, value = self.corridor_finds[spot]
                    new(find_letters.get(find, "f"), level, spot, spot, kind="find", find=find, value=value)
                elif degree >= 3:
                    if spot in self.shy:
                        raise Rejected("a junction over an underground opening")
                    new("j", level, spot, spot, kind="junction")
                elif degree == 1:
                    new("x", level, spot, spot, kind="end")
        chains: list[CorridorDeclaration] = []
        for level, net in (("main", self.main), ("underground", self.under)):
            chains += self._chains(level, net, places)
        rooms = []
        falls = []
        for room in self.rooms:
            finds = tuple(
                (f"{room.id}{i}", find, value) for i, (find, value) in enumerate(room.finds, start=1)
            )
            if room.pit_spot:
                pit = next(f_id for f_id, find, _ in finds if find == "pitfall")
                falls.append((pit, places["underground", room.pit_spot].id))
            rooms.append(RoomDeclaration(room.id, room.shape, tuple(room.sites), finds, room.edges))
        if self.pit_site:
            falls.append(
                (places["main", self.pit_site].id, places["underground", f"landing:{self.pit_site}"].id)
            )
        stairs = tuple((places["main", t].id, places["underground", d].id) for t, d in self.stair_sites)
        wish = self.wish
        return CardDeclaration(
            wish.id, wish.kind, 0, wish.cost, self.columns, self.rows, tuple(places.values()), tuple(chains),
            tuple(rooms), stairs, tuple(falls),
        )  # fmt: skip

    @staticmethod
    def _chains(
        level: str, net: Net, places: dict[tuple[str, str], PlaceDeclaration]
    ) -> list[CorridorDeclaration]:
        """Corridors: runs of spots between places."""
        out = []
        pairs: set[frozenset[str]] = set()
        walked: set[tuple[str, str]] = set()
        for (place_level, key), place in places.items():
            if place_level != level:
                continue
            for nxt in sorted(net.links.get(key, ())):
                if (key, nxt) in walked:
                    continue
                path = [key, nxt]
                while (level, path[-1]) not in places:
                    on = net.links[path[-1]] - {path[-2]}
                    if len(on) != 1:
                        raise Rejected("loose corridor")
                    path.append(next(iter(on)))
                walked |= {(path[-1], path[-2])}
                end = places[level, path[-1]]
                pair = frozenset((place.id, end.id))
                if len(pair) == 1 or pair in pairs:
                    raise Rejected("twin corridors")
                pairs.add(pair)
                out.append(CorridorDeclaration(level, place.id, end.id, tuple(path[1:-1])))
        return out


def faults(card: Card) -> list[str]:
    """Codes of all that the geometry predicates find wrong with a card."""
    problems = [*contract_problems(card, CARD_SIZE_MM), *drawing_problems(card, CARD_SIZE_MM)]
    return [f"{p.code} {p.place} {p.detail}" for p in problems]


def floor_mask(card: Card) -> np.ndarray:
    """(44, 32) bool: where the main level's floor is painted, at 2 mm."""
    shapes = [line.buffer(3.5) for edge, line in corridors(card) if edge.level == "main"]
    shapes += [outline_polygon(room.outline) for room in card.rooms]
    floor = shapely.union_all(shapes)
    x, y = np.meshgrid(np.arange(1, 64, 2.0), np.arange(1, 89, 2.0))
    return np.asarray(shapely.contains_xy(floor, x, y))


def likeness(a: np.ndarray, b: np.ndarray) -> float:
    """Greatest overlap (intersection over union) of two floors, upright, turned, and mirrored."""
    turns = (b, b[::-1, ::-1], b[:, ::-1], b[::-1])
    return max(float((a & t).sum() / (a | t).sum()) for t in turns)


def invent_card(wish: Wish, rng: np.random.Generator, earlier: list[np.ndarray]) -> CardDeclaration:
    """A sound card that answers the wish and looks like none of the `earlier`; RuntimeError after `TRIES`."""
    log: dict[str, int] = {}
    for _ in range(TRIES):
        try:
            sketch = Sketch(wish, rng).build()
        except Rejected as reason:
            log[str(reason)] = log.get(str(reason), 0) + 1
            continue
        for _ in range(6):
            draft = replace(sketch, seed=int(rng.integers(1, 100_000)))
            try:
                card = lay_out(draft)
            except LayoutError:
                log["layout"] = log.get("layout", 0) + 1
                continue
            wrong = faults(card)
            if not wrong:
                mask = floor_mask(card)
                if all(likeness(mask, m) < ALIKE for m in earlier):
                    earlier.append(mask)
                    return draft
                log["alike"] = log.get("alike", 0) + 1
                break
            code = wrong[0].split()[0]
            log[code] = log.get(code, 0) + 1
            if len(wrong) > 6:
                break
    raise RuntimeError(f"{wish}: no card found, {log}")


def main() -> None:
    """Keeps the cards already declared but those named; invents the others."""
    anew = set(sys.argv[1:])
    kept = {c.id: c for c in load_declarations() if c.id not in anew} if DECLARATIONS_FILE.exists() else {}
    earlier = [floor_mask(lay_out(card)) for card in kept.values()]
    plan = wishes()
    for index, wish in enumerate(plan):
        rng = np.random.default_rng([2026, index, len(anew)])
        for attempt in relaxed(wish):
            if wish.id not in kept:
                try:
                    kept[wish.id] = invent_card(attempt, rng, earlier)
                except RuntimeError as error:
                    print(error, file=sys.stderr, flush=True)
        DECLARATIONS_FILE.write_text(format_declarations(kept[w.id] for w in plan if w.id in kept), "utf-8")


if __name__ == "__main__":
    main()
