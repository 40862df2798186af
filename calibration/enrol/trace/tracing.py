"""A card's dungeon as it is traced by hand: what a finger means, where things snap to, what hangs together.

A tracing is what a card of a catalogue has of nodes, edges and rooms. Each `Edit` is one thing that a person
does; `calibration.enrol.trace.canvas.edited` gives the tracing after it, a new value. What a machine proposed
is pencil and has a confidence; what a person draws or confirms is ink and has none. Lengths are mm on the
upright card.
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

#: A guess of which a machine is less sure is looked at before the card is done. Chances are the network's own
#: (below a half it is more likely not so); that of a find is times how surely its icon is named, which is 0.1
#: where nobody has named one like it and at most 0.98 where somebody has (`proposal/icons.py`).
LEAST_SURE = 0.5
#: No line that a finger drew has more points.
MOST_POINTS = 2000

Coordinate = Annotated[float, msgspec.Meta(ge=-1000, le=10000)]
Spots = Annotated[tuple[tuple[Coordinate, Coordinate], ...], msgspec.Meta(max_length=MOST_POINTS)]
At = tuple[Coordinate, Coordinate]
Id = Annotated[str, msgspec.Meta(max_length=64)]
Worth = Annotated[int, msgspec.Meta(ge=1, le=99)]
#: What can be a guess.
Part = Node | Edge | Room | RoomFind


class Tracing(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The dungeon of one card: nodes, edges and rooms as a catalogue has them."""

    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
    rooms: tuple[Room, ...] = ()

    @property
    def empty(self) -> bool:
        return not (self.nodes or self.edges or self.rooms)

    @property
    def pencilled(self) -> int:
        """How many things in it are guesses still."""
        return sum(each.confidence is not None for each in self.parts())

    def parts(self) -> Iterator[Part]:
        """Everything that can be a guess."""
        yield from self.nodes
        yield from self.edges
        for room in self.rooms:
            yield room
            yield from room.finds


class _Edit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind"):
    pass


class Opening(_Edit, frozen=True, tag="opening"):
    """There is an opening at the card's edge."""

    at: At
    level: Level = "main"


class Corridor(_Edit, frozen=True, tag="corridor"):
    """A corridor runs along these points, from what lies at the first to what lies at the last: an opening at
    the edge, a door in a wall, a fork in another corridor, else it ends there for now."""

    points: Spots
    level: Level = "main"


class Outline(_Edit, frozen=True, tag="room"):
    """A room has these corners."""

    corners: Spots
    level: Level = "main"


class Find(_Edit, frozen=True, tag="find"):
    """A find lies here: in the room around it, on the corridor under it. On a find it takes its place."""

    at: At
    find: FindKind
    value: Worth = 1
    level: Level = "main"


class Stairs(_Edit, frozen=True, tag="stairs"):
    """Stairs are here."""

    at: At
    level: Level = "main"


class Door(_Edit, frozen=True, tag="door"):
    """There is a door in the wall that is nearest."""

    at: At


class Lead(_Edit, frozen=True, tag="lead"):
    """These stairs lead there, to the other level; or who falls into this pit lands there."""

    place: Id
    at: At


class Move(_Edit, frozen=True, tag="move"):
    """A place, a find or a whole room lies there instead (a room: its middle)."""

    place: Id
    at: At


class Corner(_Edit, frozen=True, tag="corner"):
    """A corner of a room (its number from 0) lies there instead."""

    room: Id
    number: Annotated[int, msgspec.Meta(ge=0, le=MOST_POINTS)]
    at: At


class Change(_Edit, frozen=True, tag="change"):
    """A find is another one, or a coin is worth something else."""

    place: Id
    find: FindKind
    value: Worth = 1


class Erase(_Edit, frozen=True, tag="erase"):
    """There is no such place, room or find."""

    place: Id


class EraseCorridor(_Edit, frozen=True, tag="erase-corridor"):
    """There is no such corridor, stairs or fall: the edge of this number, from 0."""

    edge: Annotated[int, msgspec.Meta(ge=0, le=MOST_POINTS)]


class OtherLevel(_Edit, frozen=True, tag="level"):
    """All corridors and places that hang together with this place (stairs and falls apart), or this room with
    its doors, are on this level."""

    place: Id
    level: Level


class Confirm(_Edit, frozen=True, tag="confirm"):
    """A guess is right; without a `place` every one that is left is, where none of them is in doubt. `edge`
    is a corridor by its number."""

    place: Id | None = None
    edge: Annotated[int, msgspec.Meta(ge=0, le=MOST_POINTS)] | None = None


class Clear(_Edit, frozen=True, tag="clear"):
    """Everything goes: it is begun anew."""


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
    """Nothing can be made of an edit where the finger was."""

    def __init__(self, words: Text) -> None:
        super().__init__(Code.NOT_VALID, words)


class StillInDoubt(WaymarkError):
    """Guesses of which the machine is unsure may not become ink unseen."""

    def __init__(self, count: int) -> None:
        super().__init__(
            Code.CONFLICT,
            Text("First check each guess on this card that is still unsure ({count} left).", count=count),
        )


def in_doubt(part: Part) -> bool:
    """Whether it is a guess that a person must look at before the card is done."""
    return part.confidence is not None and part.confidence < LEAST_SURE


def tracing_of(card: Card) -> Tracing:
    """What a card has of a dungeon."""
    return Tracing(nodes=card.nodes, edges=card.edges, rooms=card.rooms)


def settled(card: Card) -> bool:
    """Whether a person has said what dungeon a card has; also that it has none."""
    return card.traced == "yes" or card.tracing == "yes"


def with_tracing(card: Card, tracing: Tracing, traced: Traced) -> Card:
    """The card with another dungeon; a goal at a place that is no more goes with it."""
    places = {node.id for node in tracing.nodes}
    places |= {place for room in tracing.rooms for place in (room.id, *(find.id for find in room.finds))}
    goals = tuple(goal for goal in card.goals if places.issuperset(goal.at))
    return replace(
        card, nodes=tracing.nodes, edges=tracing.edges, rooms=tracing.rooms, goals=goals, traced=traced
    )


def in_ink(tracing: Tracing) -> Tracing:
    """The same tracing with nothing in it a guess."""
    return Tracing(
        nodes=tuple(replace(node, confidence=None) for node in tracing.nodes),
        edges=tuple(replace(edge, confidence=None) for edge in tracing.edges),
        rooms=tuple(
            replace(room, confidence=None, finds=tuple(replace(find, confidence=None) for find in room.finds))
            for room in tracing.rooms
        ),
    )


def confirmed(tracing: Tracing) -> Tracing:
    """The tracing in ink, as a person says that all of it is right. Raises `StillInDoubt`."""
    count = sum(map(in_doubt, tracing.parts()))
    if count:
        raise StillInDoubt(count)
    return in_ink(tracing)


def turned(tracing: Tracing, size_mm: Point) -> Tracing:
    """The same dungeon on a card that is held the other way up."""
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
    """What `deck check` says of a card's dungeon, each with its place."""
    at = _places(card)
    return [(problem, _where(problem.place, at)) for problem in contract_problems(card, size_mm)]


@dataclass(frozen=True)
class WayBetween:
    """A walk over a card: its places, the line of each step, how long it is."""

    places: tuple[str, ...]
    lines: tuple[tuple[Point, ...], ...]
    length_mm: float


def way_between(card: Card, size_mm: Point, start: str, end: str) -> WayBetween | None:
    """The shortest walk between two places of the card, whatever stands in it; None where there is none."""
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
    """The middle of the places that a problem names: an id, `a-b` for an edge, several with spaces."""
    if place in at:
        return at[place]
    named = [at[name] for word in place.split() for name in ([word] if word in at else word.split("-", 1))
             if name in at]  # fmt: skip
    if not named:
        return None
    return sum(x for x, _ in named) / len(named), sum(y for _, y in named) / len(named)
