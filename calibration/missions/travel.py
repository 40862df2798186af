"""Path model of a mission: cards in a grid, paths over each card, and lower bounds of distances."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from scorer.catalogue import Catalogue, Side
from scorer.face import Face, Site, turned_face
from scorer.mapmasters.cooperative.rules.mission import Goal, Plan
from scorer.mapmasters.rules.objectives import OBJECTIVE_OF
from scorer.record import Rotation

Cell = tuple[int, int]

#: Number of paths kept between two places of a card, with different events.
KEPT = 8
#: A way over one card with more places is not looked for: such detours fill a card for all others.
MOST_PLACES = 16
_TOLL = {"monster": "sword", "padlock": "key", "lava_pit": "rope"}
_ROUNDED_MM = 5.0
#: Greatest number of places on a card.
MOST_BITS = 64


class Mouth(NamedTuple):
    """Position of an opening at a slot's border: side, position along it (in steps of 5 mm), and level."""

    side: Side
    at: int
    level: str


class Event(NamedTuple):
    """An effect on a path: a `gain` of `amount` of a kind at a place, or a `toll`, a tool that must be
    spent."""

    what: str
    kind: str
    amount: int
    place: str


@dataclass(frozen=True, slots=True)
class Stride:
    """A path over one card: its places and events in order. `solid`: places that no other line may have
    used (all but rooms). `below`: it runs underground. `bits`: its places as bits of `LaidWay.bit`. `end`:
    its last place."""

    places: tuple[str, ...]
    events: tuple[Event, ...]
    solid: frozenset[str]
    below: bool
    bits: int
    end: str


OPPOSITE_SIDE: dict[Side, Side] = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}
STEP: dict[Side, Cell] = {"left": (-1, 0), "right": (1, 0), "top": (0, -1), "bottom": (0, 1)}


def mouth_of(opening: Site) -> Mouth:
    assert opening.side is not None
    along = opening.at[1] if opening.side in ("left", "right") else opening.at[0]
    return Mouth(opening.side, round(along / _ROUNDED_MM), opening.level)


class LaidWay:
    """A card at a rotation: its openings by position, and the paths between its places."""

    def __init__(self, catalogue: Catalogue, card: str, rotation: Rotation, stops: frozenset[str]) -> None:
        self.card, self.rotation = card, rotation
        self._face: Face = turned_face(catalogue, card, rotation)
        self._sites = {site.id: site for site in self._face.sites}
        #: A bit for each place, the same whichever way the card lies.
        self.bit = {name: 1 << number for number, name in enumerate(sorted(self._sites))}
        assert len(self.bit) <= MOST_BITS
        self._finds: dict[str, list[Site]] = {}
        for site in self._face.sites:
            if site.kind == "room_find" and site.room is not None:
                self._finds.setdefault(site.room, []).append(site)
        size = catalogue.size_of(card)
        # A turned card's places are measured from its printed corner.
        shift = (0.0, 0.0) if rotation == 0 else size
        openings = [
            site._replace(at=(site.at[0] + shift[0], site.at[1] + shift[1])) for site in self._face.openings
        ]
        self.mouths = {mouth_of(site): site.id for site in openings}
        self.mouth = {name: mouth for mouth, name in self.mouths.items()}
        self.circles = frozenset(
            site.id for site in self._face.sites if site.kind == "find" and site.find == "magic_circle"
        )
        self.rooms = {
            site.id: tuple(find.id for find in self._finds.get(site.id, ()))
            for site in self._face.sites
            if site.kind == "room"
        }
        self._stops = stops | self.circles
        self._from: dict[str, tuple[Stride, ...]] = {}

    def strides(self, start: str) -> tuple[Stride, ...]:
        """Paths from a place to an opening, a stop or a teleport circle."""
        if start not in self._from:
            self._from[start] = tuple(_best(self._walk(start)))
        return self._from[start]

    def _walk(self, start: str) -> Iterator[Stride]:
        stack: list[tuple[tuple[str, ...], tuple[Event, ...], bool]] = [((start,), (), False)]
        first = self._sites[start]
        if first.kind == "find" and first.find == "pitfall":
            return
        while stack:
            places, events, must_fall = stack.pop()
            here = self._sites[places[-1]]
            if len(places) > 1:
                if here.kind == "opening" or here.id in self._stops:
                    solid = frozenset(name for name in places if self._sites[name].kind != "room")
                    below = any(self._sites[name].level != "main" for name in places)
                    bits = sum(self.bit[name] for name in places)
                    yield Stride(places, events, solid, below, bits, here.id)
                if here.kind == "opening" or len(places) >= MOST_PLACES:
                    continue
            for way in self._face.leaving.get(here.id, ()):
                there = self._sites[way.b]
                if there.id in places or there.kind == "room_find":
                    continue
                if must_fall != (way.kind == "fall"):
                    continue
                came = (Event("gain", "stairs", 1, ""),) if way.kind == "stairs" else ()
                reached = (*events, *came, *self._events(there))
                path = (*places, there.id)
                if there.kind == "find" and there.find == "pitfall" and way.kind != "fall":
                    stack.append((path, reached, True))
                    stack.append((path, (*reached, Event("toll", "rope", 1, there.id)), False))
                else:
                    stack.append((path, reached, False))

    def _events(self, there: Site) -> Iterator[Event]:
        """Events on arrival at a place, tolls first."""
        if there.kind == "room":
            finds = self._finds.get(there.id, ())
            yield from (Event("toll", "sword", 1, each.id) for each in finds if each.find == "monster")
            yield Event("gain", "room", 1, there.id)
            lying = [each for each in finds if each.find not in ("padlock", "lava_pit")]
        elif there.kind == "find":
            toll = _TOLL.get(there.find or "")
            if toll is not None:
                yield Event("toll", toll, 1, there.id)
            lying = [there]
        else:
            return
        for each in lying:
            objective = OBJECTIVE_OF.get(each.find or "")
            if objective is not None:
                yield Event("gain", objective, each.value if each.find == "coin" else 1, each.id)


def _best(strides: Iterator[Stride]) -> Iterator[Stride]:
    """The shortest paths for each end, one for each combination of events, up to a limit."""
    kinds: dict[tuple[str, tuple[tuple[str, str], ...]], Stride] = {}
    for stride in sorted(strides, key=lambda each: len(each.places)):
        brings = tuple(sorted((event.what, event.kind) for event in stride.events))
        kinds.setdefault((stride.end, brings), stride)
    count: dict[str, int] = {}
    for (end, _), stride in kinds.items():
        count[end] = count.get(end, 0) + 1
        if count[end] <= KEPT:
            yield stride


class Ways:
    """Cache of every card's paths. The five colours of a starter share one entry."""

    def __init__(self, catalogue: Catalogue, stops: dict[str, frozenset[str]]) -> None:
        self._catalogue, self._stops = catalogue, stops
        self.of = cache(self._of)

    def _of(self, card: str, rotation: Rotation) -> LaidWay:
        told = self._catalogue.card(card)
        name = card
        if told.colour is not None:
            twin = card.removesuffix(told.colour) + "red"
            if twin != card and any(each.id == twin for each in self._catalogue.cards):
                return self.of(twin, rotation)
        return LaidWay(self._catalogue, name, rotation, self._stops.get(card, frozenset()))


ROTATIONS: tuple[Rotation, Rotation] = (0, 180)


@dataclass(frozen=True, slots=True)
class Laid:
    """A face-up card on the table, with its number in the order of laying."""

    number: int
    card: str
    rotation: Rotation


@dataclass
class Board:
    """State of the table. `empty`: slots without a card. `hidden`: slots with a face-down card. `used`:
    places that lines passed. `struck`: rooms and finds already collected."""

    ways: Ways
    plan: Plan
    laid: dict[Cell, Laid] = field(default_factory=dict)
    hidden: dict[Cell, tuple[int, str]] = field(default_factory=dict)
    empty: set[Cell] = field(default_factory=set)
    used: set[tuple[Cell, str]] = field(default_factory=set)
    struck: set[tuple[Cell, str]] = field(default_factory=set)
    #: Artifacts not yet carried by a group, by the cell of their card.
    artifacts: dict[Cell, set[str]] = field(default_factory=dict)

    def way(self, cell: Cell) -> LaidWay:
        laid = self.laid[cell]
        return self.ways.of(laid.card, laid.rotation)

    def is_slot(self, cell: Cell) -> bool:
        return cell in self.laid or cell in self.empty or cell in self.hidden

    def cell_of(self, card: str) -> Cell:
        """The cell of a named card."""
        named = {laid.card: cell for cell, laid in self.laid.items()}
        named |= {name: cell for cell, (_, name) in self.hidden.items()}
        return named[card]

    def starts(self) -> list[tuple[Cell, str]]:
        """Outer openings where a group may start."""
        rules = self.plan.starts
        return [
            (cell, name)
            for cell in self.laid
            for name, mouth in self.way(cell).mouth.items()
            if not self.is_slot(beyond(cell, mouth.side))
            and (cell, name) not in self.used
            and (rules is None or any(r.side == mouth.side and r.cell in (None, cell) for r in rules))
        ]


def beyond(cell: Cell, side: Side) -> Cell:
    dx, dy = STEP[side]
    return cell[0] + dx, cell[1] + dy


class Leg(NamedTuple):
    """The part of a planned path over one slot. `kind`: a face-up card (`lies`), a face-down card
    (`hidden`), a card from a `hand`, or a hypothetical card (`any`), without known places."""

    cell: Cell
    kind: str
    card: str = ""
    rotation: Rotation = 0
    places: tuple[str, ...] = ()
    #: Whether a teleport leads to its first place.
    jumped: bool = False


@dataclass(frozen=True)
class Route:
    """A planned path to a goal, with its cost."""

    legs: tuple[Leg, ...]
    cost: float

    def of_kind(self, *kinds: str) -> list[Leg]:
        return [leg for leg in self.legs if leg.kind in kinds]

    @property
    def places(self) -> set[tuple[Cell, str]]:
        return {(leg.cell, name) for leg in self.legs for name in leg.places}


@dataclass(frozen=True, slots=True)
class Kit:
    """A group's possessions: items and tokens by tool, the unused tokens, all finds, and artifacts."""

    held: Mapping[str, int]
    tokens: frozenset[str]
    found: Mapping[str, int]
    artifacts: frozenset[str]


@dataclass(frozen=True)
class Others:
    """Plans of the other groups: places reserved, cards reserved with their cells, empty slots reserved,
    and slots with hypothetical cards."""

    used: Collection[tuple[Cell, str]]
    cards: Mapping[Cell, tuple[str, int]]
    kept: Collection[Cell] = ()
    hoped: Collection[Cell] = ()


__all__ = ["ROTATIONS", "Board", "Kit", "Laid", "Leg", "Mouth", "Others", "Route", "beyond"]


# What a leg costs, in legs over cards that lie. Tried on the open deck's first mission.
FROM_HAND = 1.6
JUMP = 1.5

#: Before a mouth of a slot, or (a name) on a circle, from where teleports lead, or outside.
Spot = tuple[Cell, Mouth] | str
CIRCLE = "circle"
OUT = "out"
_LEVELS = ("main", "underground")
_MOUTHS = tuple(
    Mouth(side, at, level)
    for level in _LEVELS
    for side in STEP
    for at in ((4, 13) if side in ("left", "right") else (6,))
)


def spot_beyond(board: Board, goal: Goal, cell: Cell, mouth: Mouth) -> Spot:
    """The position behind an opening: in the next slot, or outside; "" where no exit is allowed."""
    there = beyond(cell, mouth.side)
    if not board.is_slot(there):
        return OUT if mouth.side in goal.sides else ""
    return there, Mouth(OPPOSITE_SIDE[mouth.side], mouth.at, mouth.level)


def next_spot(board: Board, goal: Goal, cell: Cell, way: LaidWay, end: str) -> Spot:
    """The position after a path over a card."""
    mouth = way.mouth.get(end)
    if mouth is None:
        return CIRCLE if end in way.circles else OUT
    return spot_beyond(board, goal, cell, mouth)


class Distances:
    """Distances on the table to a goal. `taken`: the places in each slot used by lines or other plans."""

    def __init__(
        self, board: Board, goal: Goal, others: Others, taken: Mapping[Cell, Collection[str]]
    ) -> None:
        self._board, self._goal, self._others, self._taken = board, goal, others, taken

    def to_goal(self, lairs: Mapping[str, Cell]) -> dict[Cell | None, dict[Spot, float]]:
        """Lower bounds of the cost from every position to the goal, directly (None) or by way of an
        artifact's card."""
        board, goal = self._board, self._goal
        back: dict[Spot, list[tuple[Spot, float]]] = {}
        goals: dict[Spot, float] = {OUT: 0.0} if goal.card is None else {}
        target = board.cell_of(goal.card) if goal.card is not None else None
        for cell in [*board.laid, *board.empty, *board.hidden]:
            for before, after, cost in self._steps(cell):
                back.setdefault(after, []).append((before, cost))
            if cell == target:
                for way in self._faces(cell):
                    for mouth, opening in way.mouths.items():
                        inside = {stride.end for stride in way.strides(opening)}
                        if goal.places is None or opening in goal.places or inside & goal.places:
                            goals[cell, mouth] = 1.0
        plain = _spread(back, goals)
        made: dict[Cell | None, dict[Spot, float]] = {None: plain}
        for lair in {lairs[name] for name in goal.artifacts if name in lairs}:
            at_lair: dict[Spot, float] = {spot: far for spot, far in plain.items() if spot[0] == lair}
            made[lair] = _spread(back, at_lair)
        return made

    def _faces(self, cell: Cell) -> list[LaidWay]:
        """The possible cards in a slot, in each possible rotation; empty where any card may come."""
        board = self._board
        if cell in board.laid:
            return [board.way(cell)]
        if cell in board.hidden:
            return [board.ways.of(board.hidden[cell][1], turn) for turn in ROTATIONS]
        card, turn = self._others.cards.get(cell, ("", 0))
        return [board.ways.of(card, 180 if turn else 0)] if card else []

    def _steps(self, cell: Cell) -> Iterator[tuple[Spot, Spot, float]]:
        """Edges through a slot: from, to, and cost."""
        board, goal = self._board, self._goal
        faces = self._faces(cell)
        if not faces and cell in self._others.kept:
            return
        if not faces:
            yield from _open_steps(board, goal, cell)
            return
        taken: Collection[str] = self._taken.get(cell, ())
        for way in faces:
            starts: list[tuple[Spot, str, float]] = [
                ((cell, mouth), name, 1.0) for mouth, name in way.mouths.items()
            ]
            starts += [(CIRCLE, circle, 1.0 + JUMP) for circle in way.circles]
            for before, name, cost in starts:
                if name not in taken:
                    ends = {stride.end for stride in way.strides(name) if stride.solid.isdisjoint(taken)}
                    for end in ends:
                        yield before, next_spot(board, goal, cell, way, end), cost


def _open_steps(board: Board, goal: Goal, cell: Cell) -> Iterator[tuple[Spot, Spot, float]]:
    """Edges through a slot that may receive any card: in by any side, out by another."""
    ends = [(out, spot_beyond(board, goal, cell, out)) for out in _MOUTHS]
    for mouth in _MOUTHS:
        before = cell, mouth
        for out, after in ends:
            if out.side != mouth.side and not (mouth.level == out.level == "underground") and after:
                yield before, after, 1 + FROM_HAND


def _spread(
    back: Mapping[Spot, Collection[tuple[Spot, float]]], goals: Mapping[Spot, float]
) -> dict[Spot, float]:
    """Cheapest costs to any goal from every position (Dijkstra's algorithm on reversed edges)."""
    far = dict(goals)
    queue = [(cost, index, spot) for index, (spot, cost) in enumerate(goals.items())]
    heapq.heapify(queue)
    number = len(queue)
    while queue:
        cost, _, spot = heapq.heappop(queue)
        if cost > far[spot]:
            continue
        for before, step in back.get(spot, ()):
            if cost + step < far.get(before, float("inf")):
                far[before] = cost + step
                number += 1
                heapq.heappush(queue, (cost + step, number, before))
    return far


# --- states of the search -----------------------------------------------------------------------------------


class Trail(NamedTuple):
    """A partial path. It ends before `mouth` of `cell`, or at the place `at` in that cell. `legs`, `used`
    (bit set of places) and `laid` exclude the last leg. That leg is stored separately (`leg`, its `spots`,
    whether it `puts` its card), to save copies for trails that are discarded."""

    cost: float
    cell: Cell
    mouth: Mouth | None
    at: str | None
    held: tuple[int, ...]
    items: tuple[int, ...]
    found: tuple[int, ...]
    artifacts: frozenset[str]
    #: Number of items still missing for the goal.
    short: int
    legs: tuple[Leg, ...] = ()
    used: int = 0
    laid: tuple[tuple[Cell, str, int], ...] = ()
    leg: Leg | None = None
    spots: int = 0
    puts: bool = False
    jumped: bool = False

    def whole(self) -> Trail:
        """The trail with its last leg merged into the others."""
        leg = self.leg
        if leg is None:
            return self
        laid = (*self.laid, (leg.cell, leg.card, leg.rotation)) if self.puts else self.laid
        legs, used = (*self.legs, leg), self.used | self.spots
        return self._replace(legs=legs, used=used, laid=laid, leg=None, spots=0, puts=False)


Brought = tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]


class Crossing(NamedTuple):
    """Effects of a stride over the card in one slot. `spots`: bit set of its places; `new`: those the
    trail must not have visited. `tools` and `found`: gains in order by index; tolls are negative. The
    stride ends in cell `there` before `mouth`, or inside (None)."""

    spots: int
    new: int
    tools: tuple[tuple[int, int], ...]
    found: tuple[tuple[int, int], ...]
    there: Cell
    mouth: Mouth | None
    outside: bool
