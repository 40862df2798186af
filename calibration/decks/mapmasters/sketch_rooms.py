"""One attempt at a card: its grid, its rooms, and the openings on each level."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from calibration.decks.mapmasters.deck_plan import Wish
from calibration.decks.mapmasters.declaration import PlaceDeclaration
from calibration.decks.mapmasters.net import COLUMNS, ROWS, Rejected

REFERENCE_SITE = "a6"  # printed reference and cost

MAIN_ENTRY = {
    "left-22": ("a2",), "left-66": ("a5",), "right-22": ("d2",), "right-66": ("d5",),
    "top": ("b1", "c1"), "bottom": ("b6", "c6"),
}  # fmt: skip

ROOM_SHAPES = {  # sites as (columns, rows) blocks; how many finds they hold
    (1, 1): 1, (2, 1): 2, (1, 2): 2, (2, 2): 4, (3, 1): 3, (3, 2): 6, (2, 3): 6, (3, 3): 8,
}  # fmt: skip


@dataclass
class SketchedRoom:
    id: str
    sites: list[str]
    shape: str
    capacity: int
    edges: tuple[str, ...] = ()
    finds: list[tuple[str, int]] = field(default_factory=list)
    pit_spot: str | None = None


class RoomSketch:
    """Rooms and openings of one attempt at a card."""

    def __init__(self, wish: Wish, rng: np.random.Generator) -> None:
        self.wish, self.rng = wish, rng
        self.columns, self.rows = self._grid()
        self.rooms: list[SketchedRoom] = []
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
            room = SketchedRoom("AB"[index] if index < 2 else "C", sites, shape, capacity)
            taken |= set(sites)
            if self.wish.edge_door and not any(r.edges for r in self.rooms) and shape != "ell":
                room = self._reach_edge(room)
            self.rooms.append(room)

    def _reach_edge(self, room: SketchedRoom) -> SketchedRoom:
        for side, column in (("left", "a"), ("right", "d")):
            if any(s in (column + "2", column + "5") for s in room.sites):
                return replace(room, shape="rect", edges=(side,))
        return room

    def _room_of(self, site: str) -> SketchedRoom | None:
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
