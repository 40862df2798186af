"""The dungeon: cards on the table joined to one graph of places.

Referee, path reader and overlay share it. A place is named `<card index>.<local id>`; positions are table mm,
x right, y down. Openings that meet are joined by a `crossing`; those that meet no card are open.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property

import msgspec

from scorer.catalogue import Catalogue, Level, Point, Side
from scorer.face import NO_FACE, Face, Line, LinkKind, PlaceKind, Way, turned_face
from scorer.placement import (
    CONTACT_TOLERANCE_MM,
    EPSILON_MM,
    MEETING_DISTANCE_MM,
    OPPOSITE,
    OUTWARD,
    Footprint,
    PlacementFault,
    card_to_table,
    footprint,
    laying_faults,
    near_pairs,
    printed_corner,
)
from scorer.record import PlacedCard


class Place(msgspec.Struct, frozen=True, gc=False):
    """One place. `room` names the room that a door opens to or that a find lies in; `side` is the side of the
    table that an opening faces; `outline_mm` is a room's."""

    id: str
    card_index: int
    local_id: str
    kind: PlaceKind
    level: Level
    at_mm: Point
    find: str | None = None
    value: int = 1
    room: str | None = None
    side: Side | None = None
    outline_mm: Line = ()


class Link(msgspec.Struct, frozen=True, gc=False):
    """A way from `a` to `b` along `line_mm`, ends included; `level` is None where it joins two levels. `line`
    is the same measured from `origin_mm`: most links are never drawn, and need not be moved."""

    a: str
    b: str
    kind: LinkKind
    level: Level | None
    line: Line
    one_way: bool = False
    origin_mm: Point = (0.0, 0.0)

    @property
    def line_mm(self) -> Line:
        x0, y0 = self.origin_mm
        return tuple((x0 + x, y0 + y) for x, y in self.line)

    def reversed(self) -> Link:
        """The same link in the direction from `b` to `a`."""
        return Link(self.b, self.a, self.kind, self.level, self.line[::-1], self.one_way, self.origin_mm)


class LaidFace(msgspec.Struct, frozen=True, gc=False):
    """A card of the dungeon: its face, the origin of the face's coordinates, and the prefix of its places'
    names."""

    face: Face
    origin_mm: Point
    prefix: str

    def links(self, ways: Sequence[Way]) -> tuple[Link, ...]:
        """Ways on the face, converted to links of the dungeon."""
        prefix, origin = self.prefix, self.origin_mm
        return tuple(
            [
                Link(prefix + a, prefix + b, kind, level, line, one_way, origin)
                for a, b, kind, level, line, one_way in ways
            ]
        )


class Neighbours(Mapping[str, tuple[Link, ...]]):
    """The links that leave a place, by its name. They are created lazily, since most are never needed. An
    opening is joined to at most one other."""

    def __init__(
        self, places: Mapping[str, Place], laid: Sequence[LaidFace], crossings: Sequence[Link]
    ) -> None:
        self._places = places
        self._laid = laid
        self._crossings = {link.a: link for crossing in crossings for link in (crossing, crossing.reversed())}
        self._made: dict[str, tuple[Link, ...]] = {}

    def __getitem__(self, name: str) -> tuple[Link, ...]:
        made = self._made.get(name)
        if made is None:
            place = self._places[name]
            laid = self._laid[place.card_index]
            made = laid.links(laid.face.leaving[place.local_id])
            if name in self._crossings:
                made = (*made, self._crossings[name])
            self._made[name] = made
        return made

    def kind_of_way(self, here: Place, there: Place) -> LinkKind | None:
        """The kind of the first link that leads from `here` to `there`, made or not."""
        if here.card_index == there.card_index:
            local_id = there.local_id
            for _, end, kind, *_ in self._laid[here.card_index].face.leaving[here.local_id]:
                if end == local_id:
                    return kind
            return None
        crossing = self._crossings.get(here.id)
        return "crossing" if crossing is not None and crossing.b == there.id else None

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


@dataclass(frozen=True)
class Dungeon:
    """The graph of a tableau: its cards, places and links. `neighbours[p]` are the links that leave `p`, each
    oriented so that `a == p`; a one-way link is listed only at its start. `faults` are faults of laying
    and unmatched openings.

    `lie` is each card's rotation (degrees, clockwise, multiples of 90) as seen by the viewer, for words about
    positions on a card. If it is empty, words refer to the printed orientation."""

    catalogue: Catalogue
    cards: tuple[PlacedCard, ...]
    laid: tuple[LaidFace, ...]
    crossings: tuple[Link, ...]
    places: dict[str, Place]
    neighbours: Neighbours
    open_openings: frozenset[str]
    faults: tuple[PlacementFault, ...]
    lie: tuple[int, ...] = ()

    def lying(self, turns: Sequence[int]) -> Dungeon:
        """The same dungeon for a viewer who sees each card rotated by its value in `turns`."""
        seen = copy(self)
        object.__setattr__(seen, "lie", tuple(turns))
        return seen

    def part(self, kept: Collection[int]) -> Dungeon:
        """The subgraph of some cards (by number), with unchanged names. Links to other cards become dead
        ends, which count as open only where they are open in the whole dungeon."""
        crossings = tuple(
            link
            for link in self.crossings
            if self.places[link.a].card_index in kept and self.places[link.b].card_index in kept
        )
        part = copy(self)
        for name, value in {
            "crossings": crossings,
            "places": {name: place for name, place in self.places.items() if place.card_index in kept},
            "open_openings": frozenset(
                name for name in self.open_openings if self.places[name].card_index in kept
            ),
        }.items():
            object.__setattr__(part, name, value)
        object.__setattr__(part, "neighbours", Neighbours(part.places, self.laid, crossings))
        ways = (
            link for number in sorted(kept) for link in self.laid[number].links(self.laid[number].face.ways)
        )
        object.__setattr__(part, "links", (*ways, *crossings))
        return part

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """Every link once, card by card; the crossings between cards last."""
        return (*(link for laid in self.laid for link in laid.links(laid.face.ways)), *self.crossings)

    def outline_mm(self, card_index: int) -> tuple[Point, Point, Point, Point]:
        """A card's printed top-left, top-right, bottom-right, bottom-left corner on the table."""
        placed = self.cards[card_index]
        size_mm = width, height = self.catalogue.size_of(placed.card)
        top_left, top_right, bottom_right, bottom_left = (
            card_to_table(placed, corner, size_mm)
            for corner in ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))
        )
        return top_left, top_right, bottom_right, bottom_left

    def links_between(self, a: str, b: str) -> tuple[Link, ...]:
        """Every way that leads from place `a` to place `b` in one step."""
        return tuple(link for link in self.neighbours.get(a, ()) if link.b == b)


def build_dungeon(
    catalogue: Catalogue, cards: Sequence[PlacedCard], *, hidden: Collection[int] = ()
) -> Dungeon:
    """The dungeon made by placed cards, joined where openings face each other. Cards of different sizes join
    edge to edge like others. `hidden` cards (by number) are face down: they have no places and no joints,
    and may have any name.

    Raises `WaymarkError` (unknown-card, heaped-cards)."""
    laid = []
    footprints = []
    for index, card in enumerate(cards):
        size_mm = catalogue.card_size_mm if index in hidden else catalogue.size_of(card.card)
        face = NO_FACE if index in hidden else turned_face(catalogue, card.card, card.rotation)
        laid.append(LaidFace(face, printed_corner(card, size_mm), f"{index}."))
        footprints.append(footprint(card, size_mm))
    near = near_pairs(footprints)
    places = {place.id: place for index, card in enumerate(laid) for place in _places(index, card)}
    meeting = [(i, j) for i, j in near if i not in hidden and j not in hidden] if hidden else near
    joined = _join_openings([_openings(places, card) for card in laid], footprints, meeting)
    return Dungeon(
        catalogue=catalogue,
        cards=tuple(cards),
        laid=tuple(laid),
        crossings=joined.crossings,
        places=places,
        neighbours=Neighbours(places, tuple(laid), joined.crossings),
        open_openings=joined.open_openings,
        faults=laying_faults(cards, footprints, near) + joined.misaligned,
    )


def _places(index: int, card: LaidFace) -> list[Place]:
    (x0, y0), prefix = card.origin_mm, card.prefix
    return [
        Place(
            prefix + name,
            index,
            name,
            kind,
            level,
            (x0 + x, y0 + y),
            find,
            value,
            None if room is None else prefix + room,
            side,
            tuple([(x0 + px, y0 + py) for px, py in outline]) if outline else (),
        )
        for name, kind, level, (x, y), find, value, room, side, outline in card.face.sites
    ]


def _openings(places: Mapping[str, Place], card: LaidFace) -> list[Place]:
    return [places[card.prefix + opening.id] for opening in card.face.openings]


@dataclass(frozen=True)
class _Joined:
    """The result of matching openings: the crossings, the unmatched outer openings, and a `misaligned` fault
    for each pair of cards that close each other's openings."""

    crossings: tuple[Link, ...]
    open_openings: frozenset[str]
    misaligned: tuple[PlacementFault, ...]


def _join_openings(
    openings: Sequence[Sequence[Place]], footprints: Sequence[Footprint], near: Sequence[tuple[int, int]]
) -> _Joined:
    """Match the openings of each card by position, side and level."""
    partner: dict[str, Place] = {}
    closed: dict[tuple[int, int], list[str]] = {}
    covered: set[str] = set()
    reach = MEETING_DISTANCE_MM + EPSILON_MM
    for i, j in near:
        for own, other in ((i, j), (j, i)):
            outline = footprints[other]
            left, right = outline.left - reach, outline.right + reach
            top, bottom = outline.top - reach, outline.bottom + reach
            for place in openings[own]:
                x, y = place.at_mm
                side = place.side
                if side is None or not (left <= x <= right and top <= y <= bottom):
                    continue
                facing = _facing(place, side, openings[other], footprints[own], outline)
                same_level = [mate for mate in facing if mate.level == place.level]
                if same_level:
                    partner[place.id] = min(same_level, key=lambda mate: math.dist(mate.at_mm, place.at_mm))
                elif facing or _on_edge(outline, place.at_mm, side):
                    closed.setdefault((i, j), []).append(place.id)
                elif outline.covers(place.at_mm):
                    covered.add(place.id)
    met = {name for name, mate in partner.items() if (back := partner.get(mate.id)) and back.id == name}
    every = [place for card in openings for place in card]
    crossings = [
        Link(place.id, mate.id, "crossing", place.level, (place.at_mm, mate.at_mm))
        for place in every
        if place.id in met and place.card_index < (mate := partner[place.id]).card_index
    ]
    shut = {name for group in closed.values() for name in group} | covered | partner.keys()
    return _Joined(
        crossings=tuple(sorted(crossings, key=lambda link: (link.a, link.b))),
        open_openings=frozenset(place.id for place in every if place.id not in shut),
        misaligned=tuple(
            PlacementFault("misaligned", pair, unmet)
            for pair, names in sorted(closed.items())
            if (unmet := tuple(sorted(name for name in names if name not in met)))
        ),
    )


def _facing(
    place: Place, side: Side, others: Sequence[Place], own: Footprint, outline: Footprint
) -> list[Place]:
    """The openings of another card with this outline that `place`, an opening of the card `own`, meets."""
    reach = MEETING_DISTANCE_MM + EPSILON_MM
    opposite = OPPOSITE[side]
    return [
        mate
        for mate in others
        if mate.side == opposite
        and math.dist(mate.at_mm, place.at_mm) <= reach
        and _in_contact(own, outline, side)
    ]


def _in_contact(own: Footprint, other: Footprint, side: Side) -> bool:
    """Whether `other` adjoins `side` of `own` with a gap of at most the tolerance."""
    if side == "right":
        gap = other.left - own.right
    elif side == "left":
        gap = own.left - other.right
    elif side == "bottom":
        gap = other.top - own.bottom
    else:
        gap = own.top - other.bottom
    return gap <= CONTACT_TOLERANCE_MM + EPSILON_MM


def _on_edge(outline: Footprint, point: Point, side: Side) -> bool:
    """Whether `point` lies on the edge of `outline` that faces `side`, within the contact tolerance."""
    dx, dy = OUTWARD[side]
    if dx:
        edge = outline.left if dx > 0 else outline.right
        off, along, low, high = point[0] - edge, point[1], outline.top, outline.bottom
    else:
        edge = outline.top if dy > 0 else outline.bottom
        off, along, low, high = point[1] - edge, point[0], outline.left, outline.right
    return abs(off) <= CONTACT_TOLERANCE_MM + EPSILON_MM and low - EPSILON_MM <= along <= high + EPSILON_MM
