"""The dungeon: cards on the table joined to one graph of places.

Referee, path reader and overlay share it. A place is named `<card index>.<local id>`; positions are table mm,
x right, y down. Openings that meet are joined by a `crossing`; those that meet no card are open.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from scorer.catalogue import Card, Catalogue, Level, Point, Side
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
    side_on_table,
)
from scorer.record import PlacedCard

PlaceKind = Literal["opening", "junction", "find", "stairs", "door", "end", "room", "room_find"]
LinkKind = Literal["corridor", "stairs", "fall", "room", "crossing"]


@dataclass(frozen=True, slots=True)
class Place:
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
    outline_mm: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True)
class Link:
    """A way from `a` to `b` along `line_mm`, ends included; `level` is None where it joins two levels."""

    a: str
    b: str
    kind: LinkKind
    level: Level | None
    line_mm: tuple[Point, ...]
    one_way: bool = False

    def reversed(self) -> Link:
        """The same way walked from `b` to `a`."""
        return Link(self.b, self.a, self.kind, self.level, self.line_mm[::-1], self.one_way)


@dataclass(frozen=True)
class Dungeon:
    """Cards, places and ways. `neighbours[p]` holds the links that leave `p`, each turned so that `a == p`; a
    one-way link is listed at its start only. `faults` are those of laying and of unmet openings."""

    catalogue: Catalogue
    cards: tuple[PlacedCard, ...]
    places: dict[str, Place]
    links: tuple[Link, ...]
    neighbours: dict[str, tuple[Link, ...]]
    open_openings: frozenset[str]
    faults: tuple[PlacementFault, ...]

    def outline_mm(self, card_index: int) -> tuple[Point, Point, Point, Point]:
        """A card's printed top-left, top-right, bottom-right, bottom-left corner on the table."""
        width, height = self.catalogue.card_size_mm
        placed = self.cards[card_index]
        top_left, top_right, bottom_right, bottom_left = (
            card_to_table(placed, corner, self.catalogue.card_size_mm)
            for corner in ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))
        )
        return top_left, top_right, bottom_right, bottom_left

    def links_between(self, a: str, b: str) -> tuple[Link, ...]:
        """Every way that leads from place `a` to place `b` in one step."""
        return tuple(link for link in self.neighbours.get(a, ()) if link.b == b)


def build_dungeon(catalogue: Catalogue, cards: Sequence[PlacedCard]) -> Dungeon:
    """Join placed cards to one dungeon. Raises `WaymarkError` (unknown-card)."""
    faces = [catalogue.card(placed.card) for placed in cards]
    places: dict[str, Place] = {}
    links: list[Link] = []
    for index, (placed, face) in enumerate(zip(cards, faces, strict=True)):
        _add_card(places, links, index, placed, face, catalogue.card_size_mm)
    crossings, open_openings, misaligned = _join_openings(places, cards, catalogue.card_size_mm)
    links += crossings
    neighbours: dict[str, list[Link]] = {place: [] for place in places}
    for link in links:
        neighbours[link.a].append(link)
        if not link.one_way:
            neighbours[link.b].append(link.reversed())
    return Dungeon(
        catalogue=catalogue,
        cards=tuple(cards),
        places=places,
        links=tuple(links),
        neighbours={place: tuple(leaving) for place, leaving in neighbours.items()},
        open_openings=open_openings,
        faults=laying_faults(cards, catalogue.card_size_mm) + misaligned,
    )


def _add_card(
    places: dict[str, Place], links: list[Link], index: int, placed: PlacedCard, face: Card, size_mm: Point
) -> None:
    def name(local_id: str) -> str:
        return f"{index}.{local_id}"

    def on_table(point: Point) -> Point:
        return card_to_table(placed, point, size_mm)

    def add(place: Place) -> None:
        places[place.id] = place

    for node in face.nodes:
        add(
            Place(
                id=name(node.id),
                card_index=index,
                local_id=node.id,
                kind=node.kind,
                level=node.level,
                at_mm=on_table(node.at),
                find=node.find,
                value=node.value,
                room=name(node.room) if node.room is not None else None,
                side=side_on_table(node.side, placed.rotation) if node.side is not None else None,
            )
        )
    for room in face.rooms:
        outline = tuple(on_table(corner) for corner in room.outline)
        room_name = name(room.id)
        add(Place(room_name, index, room.id, "room", room.level, _centroid(outline), outline_mm=outline))
        for find in room.finds:
            at = on_table(find.at)
            add(
                Place(
                    name(find.id),
                    index,
                    find.id,
                    "room_find",
                    room.level,
                    at,
                    find.find,
                    find.value,
                    room=room_name,
                )
            )
            links.append(Link(room_name, name(find.id), "room", room.level, (places[room_name].at_mm, at)))
    for node in face.nodes:
        if node.kind == "door" and node.room is not None:
            door, room_place = places[name(node.id)], places[name(node.room)]
            links.append(
                Link(door.id, room_place.id, "room", room_place.level, (door.at_mm, room_place.at_mm))
            )
    for edge in face.edges:
        start, end = places[name(edge.from_)], places[name(edge.to)]
        line = (start.at_mm, *(on_table(point) for point in edge.via), end.at_mm)
        level = (edge.level or start.level) if edge.kind == "corridor" else None
        links.append(Link(start.id, end.id, edge.kind, level, line, one_way=edge.kind == "fall"))


def _centroid(outline: Sequence[Point]) -> Point:
    """The centre of area of a simple polygon; the mean of its corners where it has no area."""
    twice_area = x_sum = y_sum = 0.0
    for (x0, y0), (x1, y1) in zip(outline, (*outline[1:], outline[0]), strict=True):
        cross = x0 * y1 - x1 * y0
        twice_area += cross
        x_sum += (x0 + x1) * cross
        y_sum += (y0 + y1) * cross
    if abs(twice_area) < EPSILON_MM:
        return sum(x for x, _ in outline) / len(outline), sum(y for _, y in outline) / len(outline)
    return x_sum / (3 * twice_area), y_sum / (3 * twice_area)


def _join_openings(
    places: dict[str, Place], cards: Sequence[PlacedCard], size_mm: Point
) -> tuple[list[Link], frozenset[str], tuple[PlacementFault, ...]]:
    """Match openings by position, side and level.

    Returns the crossings, the open outer openings, and a `misaligned` fault per pair for closed ones.
    """
    footprints = [footprint(card, size_mm) for card in cards]
    openings = [place for place in places.values() if place.kind == "opening"]
    by_side: dict[tuple[int, Side], list[Place]] = {}
    for place in openings:
        if place.side is not None:
            by_side.setdefault((place.card_index, place.side), []).append(place)
    partner: dict[str, str] = {}
    closed: dict[tuple[int, int], list[str]] = {}
    covered: set[str] = set()
    for place in openings:
        side = place.side
        if side is None:
            continue
        for other, outline in enumerate(footprints):
            if other == place.card_index or not _near(outline, place.at_mm):
                continue
            facing = [
                candidate
                for candidate in by_side.get((other, OPPOSITE[side]), [])
                if math.dist(candidate.at_mm, place.at_mm) <= MEETING_DISTANCE_MM + EPSILON_MM
                and _in_contact(footprints[place.card_index], outline, side)
            ]
            same_level = [candidate for candidate in facing if candidate.level == place.level]
            if same_level:
                partner[place.id] = min(
                    same_level, key=lambda candidate: math.dist(candidate.at_mm, place.at_mm)
                ).id
            elif facing or _on_edge(outline, place.at_mm, side):
                closed.setdefault((min(place.card_index, other), max(place.card_index, other)), []).append(
                    place.id
                )
            elif outline.covers(place.at_mm):
                covered.add(place.id)
    met = {place for place, mate in partner.items() if partner.get(mate) == place}
    crossings = [
        Link(
            place,
            partner[place],
            "crossing",
            places[place].level,
            (places[place].at_mm, places[partner[place]].at_mm),
        )
        for place in met
        if places[place].card_index < places[partner[place]].card_index
    ]
    crossings.sort(key=lambda link: (link.a, link.b))
    shut = {place for group in closed.values() for place in group} | covered | set(partner)
    open_openings = frozenset(
        place.id for place in openings if place.side is not None and place.id not in shut
    )
    faults = []
    for pair, names in sorted(closed.items()):
        unmet = tuple(sorted(name for name in names if name not in met))
        if unmet:
            faults.append(PlacementFault("misaligned", pair, unmet))
    return crossings, open_openings, tuple(faults)


def _near(outline: Footprint, point: Point) -> bool:
    reach = MEETING_DISTANCE_MM + EPSILON_MM
    return (
        outline.left - reach <= point[0] <= outline.right + reach
        and outline.top - reach <= point[1] <= outline.bottom + reach
    )


def _in_contact(own: Footprint, other: Footprint, side: Side) -> bool:
    """Whether `other` lies beyond `side` of `own` without more than the tolerated gap."""
    gap = {
        "right": other.left - own.right,
        "left": own.left - other.right,
        "bottom": other.top - own.bottom,
        "top": own.top - other.bottom,
    }[side]
    return gap <= CONTACT_TOLERANCE_MM + EPSILON_MM


def _on_edge(outline: Footprint, point: Point, side: Side) -> bool:
    """Whether the edge of `outline` that faces `side` runs along `point`, within the tolerance of contact."""
    dx, dy = OUTWARD[side]
    if dx:
        edge = outline.left if dx > 0 else outline.right
        off, along, low, high = point[0] - edge, point[1], outline.top, outline.bottom
    else:
        edge = outline.top if dy > 0 else outline.bottom
        off, along, low, high = point[1] - edge, point[0], outline.left, outline.right
    return abs(off) <= CONTACT_TOLERANCE_MM + EPSILON_MM and low - EPSILON_MM <= along <= high + EPSILON_MM
