"""One attempt at a complete card: rooms, corridors and finds, in the form of `declarations.txt`."""

from __future__ import annotations

import numpy as np

from calibration.decks.mapmasters.deck_plan import WORTH
from calibration.decks.mapmasters.declaration import (
    CardDeclaration,
    CorridorDeclaration,
    PlaceDeclaration,
    RoomDeclaration,
)
from calibration.decks.mapmasters.net import Net, Rejected
from calibration.decks.mapmasters.sketch_nets import NetSketch
from calibration.decks.mapmasters.sketch_rooms import MAIN_ENTRY, SketchedRoom

#: What ids of finds in corridors begin with; others with "f".
FIND_LETTERS = {"pitfall": "p", "magic_circle": "c", "monster": "m", "padlock": "k", "lava_pit": "l"}


class Sketch(NetSketch):
    """One attempt at a card."""

    def build(self) -> CardDeclaration:
        self._set_rooms()
        self._choose_openings()
        self._join_main()
        self._join_underground()
        self._deal()
        return self._declare()

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
        left = total - self._place_wanted(must, main_slots)
        for slot in self._find_slots(left, [*main_slots, *under_slots]):
            self._fill(slot, must)
        if must:
            raise Rejected("a wanted find has no place")
        worth = sum(WORTH[f] * v for f, v in self.all_finds())
        if not wish.worth[0] <= worth <= wish.worth[1]:
            raise Rejected("worth more or less than its cost")

    def _place_wanted(self, must: list[str], main_slots: list[str]) -> int:
        """Place the pits, monsters and padlock that the card must have. Returns the number of placed
        finds."""
        rng, placed = self.rng, 0
        if self.pit_site:
            self.corridor_finds[self.pit_site] = ("pitfall", 1)
            placed += 1
        if self.wish.room_pit:
            next(r for r in self.rooms if r.pit_spot).finds.append(("pitfall", 1))
            placed += 1
        if "monsters" in must and self.rooms:
            must.remove("monsters")
            room = max(self.rooms, key=lambda r: r.capacity)
            room.finds.append(("monster", 1))
            placed += 1
        if "padlock" in must:
            must.remove("padlock")
            near = self._before_doors(main_slots)
            spot = (
                near[rng.integers(len(near))] if near else str(rng.choice(main_slots)) if main_slots else None
            )
            if spot:
                main_slots.remove(spot)
                self.corridor_finds[spot] = ("padlock", 1)
                placed += 1
        return placed

    def _find_slots(self, left: int, corridor_slots: list[str]) -> list[SketchedRoom | str]:
        """Slots for the remaining finds, in rooms and on corridors."""
        rng = self.rng
        room_left = [(r, r.capacity - len(r.finds)) for r in self.rooms]
        slots: list[SketchedRoom | str] = []
        for room, free in room_left:
            want = max(1, min(free, round(left * 0.55 / max(1, len(self.rooms)))))
            slots += [room] * min(want, free)
        slots = slots[:left]
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
        return slots

    def _fill(self, slot: SketchedRoom | str, must: list[str]) -> None:
        """Put a find into a slot: a required one, or else a random one."""
        rng, wish = self.rng, self.wish
        in_room = isinstance(slot, SketchedRoom)
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
            assert isinstance(slot, SketchedRoom)
            slot.finds.append((find, value))
        else:
            assert isinstance(slot, str)
            self.corridor_finds[slot] = (find, value)

    def all_finds(self) -> list[tuple[str, int]]:
        return [*self.corridor_finds.values(), *(f for room in self.rooms for f in room.finds)]

    def _before_doors(self, slots: list[str]) -> list[str]:
        """The sites one step beyond the spot outside a door."""
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

    def _declare(self) -> CardDeclaration:
        """The declaration of the sketched card."""
        places = self._declared_places()
        chains: list[CorridorDeclaration] = []
        for level, net in (("main", self.main), ("underground", self.under)):
            chains += self._chains(level, net, places)
        rooms, falls = self._declared_rooms(places)
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

    def _declared_places(self) -> dict[tuple[str, str], PlaceDeclaration]:
        """Openings, doors and other places of both nets, by level and spot."""
        places: dict[tuple[str, str], PlaceDeclaration] = {}
        counts: dict[str, int] = {}

        def new(letter: str, level: str, spot: str, key: str, **kwargs: object) -> None:
            counts[letter] = counts.get(letter, 0) + 1
            id_ = f"{letter}{counts[letter]}"
            places[level, key] = PlaceDeclaration(id_, level, spot=spot, **kwargs)  # type: ignore[arg-type]

        for name in MAIN_ENTRY:
            letter = {"left": "w", "right": "e", "top": "n", "bottom": "s"}[name.split("-")[0]]
            if name in self.main_openings:
                new(letter, "main", name, name, kind="opening")
            elif name in self.under_openings:
                new(letter, "underground", name, name, kind="opening")
        for door, (room_id, inner, _) in self.doors.items():
            new("d", "main", inner, door, kind="door", room=room_id)
        for level, net in (("main", self.main), ("underground", self.under)):
            for spot in sorted(net.links):
                if spot not in net.weight and not spot.startswith("landing:"):
                    continue
                place = self._place_at(level, spot, net.degree(spot))
                if place is not None:
                    letter, told = place
                    new(letter, level, spot.removeprefix("landing:"), spot, **told)
        return places

    def _place_at(self, level: str, spot: str, degree: int) -> tuple[str, dict[str, object]] | None:
        """Id letter and fields of the place at a spot of a net; None where a corridor passes without a
        place."""
        if spot.startswith("landing:") or any(r.pit_spot == spot for r in self.rooms):
            return "u", {"kind": "junction"}
        if level == "main" and spot in (t for t, _ in self.stair_sites):
            return "t", {"kind": "stairs"}
        if level == "underground" and spot in (d for _, d in self.stair_sites):
            return "v", {"kind": "stairs"}
        if spot in self.corridor_finds:
            find, value = self.corridor_finds[spot]
            return FIND_LETTERS.get(find, "f"), {"kind": "find", "find": find, "value": value}
        if degree >= 3:
            if spot in self.shy:
                raise Rejected("a junction over an underground opening")
            return "j", {"kind": "junction"}
        return ("x", {"kind": "end"}) if degree == 1 else None

    def _declared_rooms(
        self, places: dict[tuple[str, str], PlaceDeclaration]
    ) -> tuple[list[RoomDeclaration], list[tuple[str, str]]]:
        """Rooms with their finds, and the falls from pits in them."""
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
        return rooms, falls

    @staticmethod
    def _chains(
        level: str, net: Net, places: dict[tuple[str, str], PlaceDeclaration]
    ) -> list[CorridorDeclaration]:
        """Corridors as sequences of spots between places."""
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
