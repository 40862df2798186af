"""A card's dungeon under manual tracing: the tracing, the types of edits, and its checks.

A tracing has the nodes, edges and rooms of a catalogue's card. Each `Edit` is one action of a person.
`calibration.enrol.trace.canvas.edited` returns the tracing after it, as a new value. A part proposed by
the machine is "pencil" and has a confidence. A part drawn or confirmed by a person is "ink" and has none.
Lengths are in mm on the upright card.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated

import msgspec
from msgspec.structs import replace

from calibration.enrol.card_geometry import Problem, contract_problems
from scorer.catalogue import Card, Catalogue, Edge, FindKind, Level, Node, Point, Room, RoomFind, Traced
from scorer.dungeon import build_dungeon
from scorer.errors import Code, WaymarkError
from scorer.placement import OPPOSITE
from scorer.record import PlacedCard
from scorer.routes import length_mm, route_length_mm, routes_from
from scorer.text import Text

#: A guess that is wrong more often than one time in ten is looked at before the card is done
#: (`calibration.enrol.propose.confidence`).
LEAST_SURE = 0.9
#: Greatest number of points in a drawn line.
MOST_POINTS = 2000

Coordinate = Annotated[float, msgspec.Meta(ge=-1000, le=10000)]
Spots = Annotated[tuple[tuple[Coordinate, Coordinate], ...], msgspec.Meta(max_length=MOST_POINTS)]
At = tuple[Coordinate, Coordinate]
Id = Annotated[str, msgspec.Meta(max_length=64)]
Number = Annotated[int, msgspec.Meta(ge=0, le=MOST_POINTS)]
Worth = Annotated[int, msgspec.Meta(ge=1, le=99)]
#: Types of parts that can be guesses.
Part = Node | Edge | Room | RoomFind


class Tracing(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The dungeon of one card: nodes, edges and rooms in the catalogue's form."""

    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
    rooms: tuple[Room, ...] = ()

    @property
    def empty(self) -> bool:
        return not (self.nodes or self.edges or self.rooms)

    @property
    def pencilled(self) -> int:
        """Number of parts that are still guesses of the machine."""
        return sum(each.confidence is not None for each in self.parts())

    def parts(self) -> Iterator[Part]:
        """All parts that can be guesses: nodes, edges, rooms and their finds."""
        yield from self.nodes
        yield from self.edges
        for room in self.rooms:
            yield room
            yield from room.finds


class _Edit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind"):
    pass


class Opening(_Edit, frozen=True, tag="opening"):
    """Edit: add an opening at the card's edge."""

    at: At
    level: Level = "main"


class Corridor(_Edit, frozen=True, tag="corridor"):
    """Edit: add a corridor along these points. Each end connects to an opening at the edge, a door in a
    wall, or a junction with another corridor. An end with none of these is a dead end for now."""

    points: Spots
    level: Level = "main"


class Outline(_Edit, frozen=True, tag="room"):
    """Edit: add a room with these corners."""

    corners: Spots
    level: Level = "main"


class Find(_Edit, frozen=True, tag="find"):
    """Edit: add a find, in the room around the point or on the corridor under it. An existing find there
    is replaced."""

    at: At
    find: FindKind
    value: Worth = 1
    level: Level = "main"


class Stairs(_Edit, frozen=True, tag="stairs"):
    """Edit: add stairs."""

    at: At
    level: Level = "main"


class Door(_Edit, frozen=True, tag="door"):
    """Edit: add a door in the nearest wall."""

    at: At


class Lead(_Edit, frozen=True, tag="lead"):
    """Edit: link stairs to a place on the other level, or a pit to its landing place."""

    place: Id
    at: At


class Move(_Edit, frozen=True, tag="move"):
    """Edit: move a node, a find, or a whole room (by its centre)."""

    place: Id
    at: At


class Corner(_Edit, frozen=True, tag="corner"):
    """Edit: move a corner of a room, given by its number from 0."""

    room: Id
    number: Number
    at: At


class Change(_Edit, frozen=True, tag="change"):
    """Edit: change the kind of a find, or the value of a coin."""

    place: Id
    find: FindKind
    value: Worth = 1


class Erase(_Edit, frozen=True, tag="erase"):
    """Edit: delete a place, a room or a find."""

    place: Id


class EraseCorridor(_Edit, frozen=True, tag="erase-corridor"):
    """Edit: delete a corridor, stairs or fall, given by the edge's number from 0."""

    edge: Number


class OtherLevel(_Edit, frozen=True, tag="level"):
    """Edit: set the level of a place with all places connected to it by corridors, or of a room with its
    doors."""

    place: Id
    level: Level


class Confirm(_Edit, frozen=True, tag="confirm"):
    """Edit: confirm a guess (`place`, or the number of an `edge`), or several at once (`places`, `edges`).
    Without any, all remaining guesses are confirmed, provided that none is in doubt."""

    place: Id | None = None
    edge: Number | None = None
    places: Annotated[tuple[Id, ...], msgspec.Meta(max_length=MOST_POINTS)] = ()
    edges: Annotated[tuple[Number, ...], msgspec.Meta(max_length=MOST_POINTS)] = ()


class Clear(_Edit, frozen=True, tag="clear"):
    """Edit: delete the whole tracing to start again."""


Edit = (
    Opening
    | Corridor
    | Outline
    | Find
    | Stairs
    | Door
    | Lead
    | Move
    | Corner
    | Change
    | Erase
    | EraseCorridor
    | OtherLevel
    | Confirm
    | Clear
)


class NoEffect(WaymarkError):
    """Error: an edit that cannot be applied at its position."""

    def __init__(self, words: Text) -> None:
        super().__init__(Code.NOT_VALID, words)


class StillInDoubt(WaymarkError):
    """Error: a tracing cannot be confirmed while doubtful guesses are left unchecked."""

    def __init__(self, count: int) -> None:
        super().__init__(
            Code.CONFLICT,
            Text("First check each guess on this card that is still unsure ({count} left).", count=count),
        )


def in_doubt(part: Part) -> bool:
    """Whether a part is a guess of low confidence, which a person must check before the card is finished."""
    return part.confidence is not None and part.confidence < LEAST_SURE


def tracing_of(card: Card) -> Tracing:
    """The tracing with a card's nodes, edges and rooms."""
    return Tracing(nodes=card.nodes, edges=card.edges, rooms=card.rooms)


def settled(card: Card) -> bool:
    """Whether a person has confirmed the card's dungeon, or that it has none."""
    return card.traced == "yes" or card.tracing == "yes"


def with_tracing(card: Card, tracing: Tracing, traced: Traced) -> Card:
    """The card with another dungeon. Goals at places that no longer exist are removed."""
    places = {node.id for node in tracing.nodes}
    places |= {place for room in tracing.rooms for place in (room.id, *(find.id for find in room.finds))}
    goals = tuple(goal for goal in card.goals if places.issuperset(goal.at))
    return replace(
        card, nodes=tracing.nodes, edges=tracing.edges, rooms=tracing.rooms, goals=goals, traced=traced
    )


def in_ink(tracing: Tracing) -> Tracing:
    """The tracing with all parts confirmed, that is without confidences."""
    return Tracing(
        nodes=tuple(replace(node, confidence=None) for node in tracing.nodes),
        edges=tuple(replace(edge, confidence=None) for edge in tracing.edges),
        rooms=tuple(
            replace(room, confidence=None, finds=tuple(replace(find, confidence=None) for find in room.finds))
            for room in tracing.rooms
        ),
    )


def confirmed(tracing: Tracing) -> Tracing:
    """The tracing with all parts confirmed by a person. Raises `StillInDoubt`."""
    count = sum(map(in_doubt, tracing.parts()))
    if count:
        raise StillInDoubt(count)
    return in_ink(tracing)


def turned(tracing: Tracing, size_mm: Point) -> Tracing:
    """The tracing rotated by 180 degrees on its card."""
    width, height = size_mm

    def there(at: Point) -> Point:
        return round(width - at[0], 2), round(height - at[1], 2)

    return Tracing(
        nodes=tuple(
            replace(node, at=there(node.at), side=node.side and OPPOSITE[node.side]) for node in tracing.nodes
        ),
        edges=tuple(replace(edge, via=tuple(map(there, edge.via))) for edge in tracing.edges),
        rooms=tuple(
            replace(
                room,
                outline=tuple(map(there, room.outline)),
                finds=tuple(replace(find, at=there(find.at)) for find in room.finds),
            )
            for room in tracing.rooms
        ),
    )


def problems_of(card: Card, size_mm: Point) -> list[tuple[Problem, Point | None]]:
    """The problems that `deck check` finds in a card's dungeon, each with its position in mm."""
    at = _places(card)
    return [(problem, _where(problem.place, at)) for problem in contract_problems(card, size_mm)]


@dataclass(frozen=True)
class WayBetween:
    """A path over a card: its places, the polyline of each step, and its length in mm."""

    places: tuple[str, ...]
    lines: tuple[tuple[Point, ...], ...]
    length_mm: float


def way_between(card: Card, size_mm: Point, start: str, end: str) -> WayBetween | None:
    """The shortest path between two places of a card, regardless of obstacles, or None where there is
    none."""
    alone = Catalogue(name="", game="", cards=(card,), card_size_mm=size_mm)
    dungeon = build_dungeon(alone, [PlacedCard(card=card.id, x=0, y=0, rotation=0)])
    route = routes_from(dungeon, f"0.{start}", until=f"0.{end}").get(f"0.{end}")
    if route is None:
        return None
    lines = tuple(
        min(dungeon.links_between(here, there), key=length_mm).line_mm for here, there in pairwise(route)
    )
    places = tuple(place.removeprefix("0.") for place in route)
    return WayBetween(places, lines, route_length_mm(dungeon, route))


def _places(card: Card) -> dict[str, Point]:
    at = {node.id: node.at for node in card.nodes}
    for room in card.rooms:
        if room.outline:
            xs, ys = zip(*room.outline, strict=True)
            at[room.id] = (sum(xs) / len(xs), sum(ys) / len(ys))
        at |= {find.id: find.at for find in room.finds}
    return at


def _where(place: str, at: dict[str, Point]) -> Point | None:
    """The centroid of the places named by a problem: an id, `a-b` for an edge, or several separated by
    spaces."""
    if place in at:
        return at[place]
    named = [at[name] for word in place.split() for name in ([word] if word in at else word.split("-", 1))
             if name in at]  # fmt: skip
    if not named:
        return None
    return sum(x for x, _ in named) / len(named), sum(y for _, y in named) / len(named)
