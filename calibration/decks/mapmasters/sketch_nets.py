"""One attempt at a card: the corridor nets of both levels, with doors, stairs and pits."""

from __future__ import annotations

from calibration.decks.mapmasters.net import (
    COLUMNS,
    ROWS,
    Net,
    Rejected,
    neighbours,
    sites_around,
    spots_around,
)
from calibration.decks.mapmasters.sketch_rooms import MAIN_ENTRY, REFERENCE_SITE, RoomSketch, SketchedRoom

UNDER_ENTRY = {
    "left-22": ("a1+", "a2+"), "left-66": ("a4+", "a5+"), "right-22": ("c1+", "c2+"),
    "right-66": ("c4+", "c5+"), "top": ("b1+",), "bottom": ("b5+",),
}  # fmt: skip

#: An opening, a door, stairs or a landing, with the spots where its corridor may begin.
Terminal = tuple[str, list[str]]


class NetSketch(RoomSketch):
    """Rooms, openings and corridors of one attempt at a card."""

    def _join_main(self) -> None:
        """Connect openings and doors of the main level into one net, with loops and a dead end."""
        blocked = {s for room in self.rooms for s in room.sites} | {REFERENCE_SITE}
        net = Net({c + r: 1.0 for c in COLUMNS for r in ROWS if c + r not in blocked})
        # An underground opening passes under the site beside it: no place should lie on top.
        self.shy = {s for n in self.under_openings for s in MAIN_ENTRY[n]}
        self.main = net
        terminals = self._main_terminals()
        if len(terminals) < 2:
            raise Rejected("nothing to join")
        self.rng.shuffle(terminals)
        self._join_terminals(terminals)
        self._add_loops()
        self.dead_ends: set[str] = set()
        if self.wish.dead_end:
            tip = self._grow_spur()
            if tip is None:
                raise Rejected("no space for a dead end")
            self.dead_ends.add(tip)

    def _main_terminals(self) -> list[Terminal]:
        """Openings and doors of the main level, each with the possible first spots of its corridor."""
        net = self.main
        terminals: list[Terminal] = []
        for name in self.main_openings:
            entries = [s for s in MAIN_ENTRY[name] if s in net.weight]
            room = self._room_of(MAIN_ENTRY[name][0])
            if room and room.edges and name.startswith(room.edges[0]):
                self._add_door(room, MAIN_ENTRY[name][0], name)
                continue
            terminals.append((name, entries))
        for index, room in enumerate(self.rooms):
            for inner, outer in self._door_sites(index, room):
                terminals.append((self._add_door(room, inner, outer), [outer]))
        return terminals

    def _door_sites(self, index: int, room: SketchedRoom) -> list[tuple[str, str]]:
        """Sites for a room's missing doors: the site inside and the spot outside."""
        rng = self.rng
        number = (
            self.wish.doors[index]
            if index < len(self.wish.doors)
            else int(rng.choice([1, 2, 3, 4], p=[0.25, 0.4, 0.25, 0.1]))
        )
        number -= sum(1 for r, _, _ in self.doors.values() if r == room.id)
        ways = [(s, n) for s in room.sites for n in neighbours(s) if n in self.main.weight]
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
        return taken

    def _join_terminals(self, terminals: list[Terminal]) -> None:
        """Connect each terminal to the net by a randomised cheapest path, openings first."""
        rng, net = self.rng, self.main
        outside_in: list[Terminal] = sorted(terminals, key=lambda t: t[0].startswith("door"))
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
            net.add([name, *self._way_to_net(entries, door, hub)])
            if door:
                kept -= set(entries)
        net.weight = whole

    def _way_to_net(self, entries: list[str], door: bool, hub: str) -> list[str]:
        """A path from one of a terminal's entries to the net, or to the `hub` while the net is empty."""
        net = self.main
        free = [e for e in entries if net.degree(e) < 4 and e in net.weight]
        if not free:
            raise Rejected("a terminal is walled in")
        goals = {s for s in net.links if s in net.weight and s not in self.shy and net.degree(s) < 4} or {hub}
        direct = [e for e in free if e in goals]
        if door:
            goals -= set(free)
            direct = []
            free = [e for e in free if e not in net.links]
            if not free:
                raise Rejected("a door at a junction")
        if direct:
            return [direct[0]]
        path = net.route({e: 0.0 for e in free if e not in net.links}, goals, self.rng)
        if path is None:
            raise Rejected("a terminal cannot be joined")
        return path

    def _add_loops(self) -> None:
        rng, net = self.rng, self.main
        for _ in range(self.wish.loops):
            ends = [s for s in net.links if s in net.weight and s not in self.shy and net.degree(s) in (2, 3)]
            if len(ends) < 2:
                break
            start = str(rng.choice(ends))
            path = net.route({start: 0.0}, set(ends) - {start} - net.links[start], rng)
            if path and 2 <= len(path) <= 6:
                net.add(path)

    def _add_door(self, room: SketchedRoom, inner: str, outer: str) -> str:
        id_ = f"door{len(self.doors) + 1}"
        self.doors[id_] = (room.id, inner, outer)
        if outer in MAIN_ENTRY:
            self.main.links.setdefault(id_, set()).add(outer)
            self.main.links.setdefault(outer, set()).add(id_)
        return id_

    def _grow_spur(self) -> str | None:
        """Add a dead end to the main net. Returns its tip, or None where none fits."""
        net, rng = self.main, self.rng
        tips = [s for s in net.free() if s not in self.shy]
        goals = {s for s in net.links if s in net.weight and s not in self.shy and net.degree(s) in (2, 3)}
        for tip in rng.permutation(tips)[:3]:
            path = net.route({str(tip): 0.0}, goals, rng)
            if path and 2 <= len(path) <= 4:
                net.add(path)
                return str(tip)
        return None

    def _under_room(self, spot: str) -> bool:
        corners = sites_around(spot)
        return any(sum(c in room.sites for c in corners) >= 2 for room in self.rooms)

    def _join_underground(self) -> None:
        """Connect underground openings, stairs and landings into one net."""
        rng = self.rng
        all_spots = [c + r + "+" for c in COLUMNS[:-1] for r in ROWS[:-1]]
        net = Net({s: 16.0 if self._under_room(s) else 1.0 for s in all_spots})
        self.under = net
        self.stair_sites: list[tuple[str, str]] = []
        self.pit_site: str | None = None
        if not self.wish.underground:
            return
        terminals = self._under_terminals()
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
            self._grow_under_spur()

    def _under_terminals(self) -> list[Terminal]:
        """Openings, stairs and landings of the underground; stairs and pits are placed by this method."""
        rng = self.rng
        terminals: list[Terminal] = [(n, list(UNDER_ENTRY[n])) for n in self.under_openings]
        stairs = 1 if self.under_openings or self.wish.pit or self.wish.room_pit else 2
        if rng.random() < 0.3:
            stairs += 1
        for _ in range(stairs):
            tip = self._grow_spur()
            if tip is None:
                continue
            spots = [
                s
                for s in spots_around(tip)
                if not self._under_room(s) and s not in (d for _, d in self.stair_sites)
            ]
            if spots:
                spot = str(rng.choice(spots))
                self.stair_sites.append((tip, spot))
                terminals.append((f"stairs:{spot}", [spot]))
        if self.wish.pit:
            terminals.append(self._place_pit())
        if self.wish.room_pit:
            terminals.append(self._place_room_pit())
        return terminals

    def _place_pit(self) -> Terminal:
        """Place a pit on a straight corridor of the main level. Returns its landing as a terminal."""
        straight = [
            s for s in self.main.links
            if s in self.main.weight and self.main.degree(s) == 2
            and s not in self.shy and not self._beside_door(s)
        ]  # fmt: skip
        if not straight:
            raise Rejected("no corridor for a pit")
        self.pit_site = str(self.rng.choice(straight))
        ways = [s for s in spots_around(self.pit_site) if not self._under_room(s)]
        if not ways:
            raise Rejected("no way from the landing")
        return f"landing:{self.pit_site}", [str(self.rng.choice(ways))]

    def _place_room_pit(self) -> Terminal:
        """Place a pit in the middle of a room. Returns its landing as a terminal."""
        room = next((r for r in self.rooms if len(r.sites) >= 4 and r.shape != "ell"), None)
        if room is None:
            raise Rejected("no room for a pit")
        middles = [s for s in self.under.weight if all(c in room.sites for c in sites_around(s))]
        room.pit_spot = str(self.rng.choice(middles))
        return f"landing:{room.pit_spot}", [room.pit_spot]

    def _grow_under_spur(self) -> None:
        """Add a dead end to the underground net where there is space."""
        rng, net = self.rng, self.under
        free = [s for s in net.free() if not self._under_room(s)]
        goals = {s for s in net.links if s in net.weight and not self._under_room(s) and net.degree(s) == 2}
        goals -= {d for _, d in self.stair_sites}
        if free and goals:
            path = net.route({str(rng.choice(free)): 0.0}, goals, rng)
            if path and 2 <= len(path) <= 4:
                net.add(path)

    def _add_under(self, path: list[str]) -> None:
        """Add a path to the underground net. Its ends may be named terminals; stairs and room pits are
        spots themselves."""

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
