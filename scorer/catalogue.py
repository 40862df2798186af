"""A catalogue: the cards of a game as topology in mm on the upright card, from its top-left corner, y down.

The JSON form is documented in docs/FORMATS.md (section 1). Reading is lenient about fields that are not known
here and strict about those that are.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import msgspec

from scorer.errors import Code, WaymarkError
from scorer.json_faults import read_json
from scorer.text import Text

FORMAT = "waymark-catalogue/1"
FILE_NAME = "catalogue.json"

Point = tuple[float, float]
Level = Literal["main", "underground"]
Side = Literal["left", "right", "top", "bottom"]
NodeKind = Literal["opening", "junction", "find", "stairs", "door", "end"]
EdgeKind = Literal["corridor", "stairs", "fall"]
FindKind = Literal[
    "coin",
    "barrel",
    "sword",
    "key",
    "rope",
    "scroll",
    "monster",
    "padlock",
    "pitfall",
    "lava_pit",
    "magic_circle",
    "recycle",
    "scissors",
]
#: Cards of Map Masters; pieces of board games by what it takes to see them.
CardKind = Literal[
    "starter",
    "dungeon",
    "step",
    "boss",
    "tile",
    "fixed",
    "chip",
    "coin",
    "pawn",
    "figure",
    "marker",
    "card",
    "die",
    "board",
]
Shape = Literal["square", "rect", "disc", "standing"]
#: Whether a person has confirmed a card's dungeon, a machine has guessed it, or nobody has traced it yet.
Traced = Literal["yes", "proposed", "no"]


class Node(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A place on corridors. Openings have a `side`, doors a `room`, finds a `find` (coins a `value`).
    `confidence` (corridors, rooms and their finds have it too) is a proposal's, 0 to 1; a person's has none.
    """

    id: str
    kind: NodeKind
    at: Point
    level: Level = "main"
    side: Side | None = None
    room: str | None = None
    find: FindKind | None = None
    value: int = 1
    confidence: float | None = None


class Edge(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A link between two places: a corridor's centre line through `via`, stairs, or a one-way fall."""

    kind: EdgeKind
    from_: str = msgspec.field(name="from")
    to: str
    level: Level | None = None
    via: tuple[Point, ...] = ()
    confidence: float | None = None


class RoomFind(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An item to be found in a room."""

    id: str
    find: FindKind
    at: Point
    value: int = 1
    confidence: float | None = None


class Room(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A room: its outline as a simple polygon, and the items in it."""

    id: str
    outline: tuple[Point, ...]
    level: Level = "main"
    finds: tuple[RoomFind, ...] = ()
    confidence: float | None = None


class Goal(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A delivery or task printed on a card. `at` are ids of the card's places where a path must end (empty:
    any of its openings). `requires` has counts, or lists of names, by the game's words."""

    id: str
    at: tuple[str, ...] = ()
    requires: dict[str, int | tuple[str, ...]] = {}


class Card(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The face of one card, or any other piece. A card with empty `nodes`, `edges` and `rooms` can be
    recognised but not walked. `size_mm` overrides the catalogue's size and `rotations` the game's
    rotations; `role` is the game's word for the piece. A tile printed on a board has a `cell` and
    `rotation`; a board has the cells of its chips.

    `traced` is None where unknown; use `tracing` instead. `art` is "" for a piece without a picture. `former`
    are earlier names, under which old records still find the card. `drawn_on` says that its art was
    photographed with lines on it. `more` are fields that a game adds."""

    id: str
    kind: CardKind
    art: str = ""
    cost: int | None = None
    colour: str | None = None
    copies: int = 1
    seed: int | None = None
    role: str | None = None
    value: int | None = None
    size_mm: Point | None = None
    shape: Shape | None = None
    rotations: tuple[Literal[0, 90, 180, 270], ...] | None = None
    cell: tuple[int, int] | None = None
    rotation: Literal[0, 90, 180, 270] | None = None
    chip_cells: tuple[tuple[int, int], ...] | None = None
    traced: Traced | None = None
    former: tuple[str, ...] = ()
    drawn_on: bool = False
    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
    rooms: tuple[Room, ...] = ()
    goals: tuple[Goal, ...] = ()
    more: dict[str, Any] = {}

    @property
    def tracing(self) -> Traced:
        """How far the card's dungeon has been traced. A dungeon that is not marked as a guess counts as
        confirmed."""
        if not (self.nodes or self.edges or self.rooms):
            return "no"
        return self.traced or "yes"


class Catalogue(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """All cards of a game. `folder` is the source folder; `art_path` resolves a card's picture.
    `corridor_width_mm` and `icon_mm` are sizes in the drawings of its dungeons, measured on the art if not
    given. `out` are cards removed from the box: the reader ignores them, but old records keep them."""

    name: str
    game: str
    cards: tuple[Card, ...]
    card_size_mm: Point
    corner_radius_mm: float = 3.0
    corridor_width_mm: float | None = None
    icon_mm: float | None = None
    out: tuple[Card, ...] = ()
    format: str = FORMAT

    @cached_property
    def by_id(self) -> dict[str, Card]:
        """Every card by its current and earlier ids, including cards removed from the box."""
        listed = (*self.out, *self.cards)
        return {name: card for card in listed for name in card.former} | {card.id: card for card in listed}

    @cached_property
    def kept_faces(self) -> dict[tuple[str, int], Any]:
        """The cache of `scorer.face`, by card id and rotation, so that each card is rotated once."""
        return {}

    @property
    def folder(self) -> Path | None:
        folder: Path | None = self.__dict__.get("_folder")
        return folder

    def art_path(self, card: Card) -> Path:
        """The path of the picture of `card`. Raises `ValueError` for a catalogue without a folder, and the
        errors of `art_file`."""
        if self.folder is None:
            raise ValueError("a catalogue made in memory has no art files")
        return art_file(self.folder, card)

    def card(self, card_id: str) -> Card:
        """The card named `card_id`. Raises `WaymarkError` (unknown-card)."""
        card = self.by_id.get(card_id)
        if card is None:
            raise WaymarkError(
                Code.UNKNOWN_CARD,
                Text(
                    "Card {card_id!r} is not in the catalogue {what!r}; check its name or choose the right "
                    "catalogue.",
                    card_id=card_id,
                    what=self.name,
                ),
            )
        return card

    def size_of(self, card_id: str) -> Point:
        """Width and height of a card in mm, its own or that of all. Raises `WaymarkError` (unknown-card)."""
        return self.card(card_id).size_mm or self.card_size_mm


def art_file(folder: Path, card: Card) -> Path:
    """The path of a card's picture in a catalogue's folder.

    Raises `WaymarkError` (broken-catalogue) for a path outside the folder, since a foreign catalogue must not
    expose files of this machine."""
    try:
        path = folder / card.art
        if path.resolve().is_relative_to(folder.resolve()):
            return path
    except (OSError, ValueError, RuntimeError):
        pass  # No path, or a circle of links.
    raise WaymarkError(
        Code.BROKEN_CATALOGUE,
        Text(
            "The art of card {id!r} ({art}) is no file in the catalogue's folder; put it there.",
            id=card.id,
            art=card.art,
        ),
    )


def parse_catalogue(data: bytes, *, folder: Path | None = None) -> Catalogue:
    """A catalogue from its JSON, checked against the schema alone. `structure_faults` checks its references.

    Raises `WaymarkError` (not-a-catalogue)."""
    catalogue = read_json(data, Catalogue, _not_a_catalogue, FORMAT)
    if bare := {card.id for card in catalogue.cards if card.kind in _DUNGEON_CARDS and not card.art}:
        # A catalogue for records alone may say that its art is "".
        bare &= {card["id"] for card in msgspec.json.decode(data)["cards"] if "art" not in card}
    if bare:
        first = min(bare)
        raise _not_a_catalogue(Text("card {first!r} has no art", first=first))
    if not all(math.isfinite(side) and side > 0 for side in catalogue.card_size_mm):
        raise _not_a_catalogue(Text("card_size_mm must be two positive lengths"))
    catalogue = _with_more(catalogue, data)
    catalogue.__dict__["_folder"] = folder
    return catalogue


#: Map Masters' cards, whose form has all that there is to tell of them.
_DUNGEON_CARDS = frozenset({"starter", "dungeon", "step", "boss"})


class _Told(msgspec.Struct):
    """The cards of a catalogue as raw JSON objects."""

    cards: tuple[dict[str, Any], ...]


def _with_more(catalogue: Catalogue, data: bytes) -> Catalogue:
    """The catalogue, with the game-specific fields of its pieces kept in `more`."""
    if all(card.kind in _DUNGEON_CARDS for card in catalogue.cards):
        return catalogue
    known = {field.encode_name for field in msgspec.structs.fields(Card)}
    told = msgspec.json.decode(data, type=_Told).cards
    cards = tuple(
        msgspec.structs.replace(card, more={name: each[name] for name in each if name not in known})
        for card, each in zip(catalogue.cards, told, strict=True)
    )
    return msgspec.structs.replace(catalogue, cards=cards)


def read_catalogue(folder: Path) -> Catalogue:
    """Read `folder/catalogue.json` by its schema alone. Raises `WaymarkError`."""
    path = folder / FILE_NAME
    try:
        data = path.read_bytes()
    except OSError as error:
        raise WaymarkError(
            Code.NO_CATALOGUE,
            Text(
                "There is no readable {file_name} in {folder!r}; name a folder made by `waymark deck "
                "export`.",
                file_name=FILE_NAME,
                folder=str(folder),
            ),
        ) from error
    return parse_catalogue(data, folder=folder)


def load_catalogue(folder: Path) -> Catalogue:
    """Read a catalogue and check it for play. Raises `WaymarkError` for broken references."""
    catalogue = read_catalogue(folder)
    for card_id, place, what in structure_faults(catalogue):
        raise WaymarkError(
            Code.BROKEN_CATALOGUE,
            Text(
                "Catalogue {catalogue!r}, card {card_id!r}, {place}: {what}; run `waymark deck check` on it.",
                catalogue=catalogue.name,
                card_id=card_id,
                place=place,
                what=what,
            ),
        )
    for card in catalogue.cards:
        art_file(folder, card)
    return catalogue


def structure_faults(catalogue: Catalogue) -> Iterator[tuple[str, str, str]]:
    """Faults of ids and references in a catalogue, as (card id, place, description of the fault)."""
    seen_cards: set[str] = set()
    for card in catalogue.cards:
        if card.id in seen_cards:
            yield card.id, card.id, "two cards have this id"
        seen_cards.add(card.id)
        for place, what in _card_faults(card):
            yield card.id, place, what


def _card_faults(card: Card) -> Iterator[tuple[str, str]]:
    """Faults of one card's places, edges and goals, as (place, description of the fault)."""
    ids = [node.id for node in card.nodes] + [room.id for room in card.rooms]
    ids += [find.id for room in card.rooms for find in room.finds]
    for place in _twice(ids):
        yield place, "two places have this id"
    yield from _node_faults(card)
    for room in card.rooms:
        if len(room.outline) < 3:
            yield room.id, "an outline needs at least three corners"
    yield from _edge_faults(card)
    for goal in card.goals:
        for place in goal.at:
            if place not in ids:
                yield place, f"the goal {goal.id!r} names an unknown place"
    for name in _twice([goal.id for goal in card.goals]):
        yield name, "two goals have this id"


def _twice(names: Sequence[str]) -> list[str]:
    """The names that occur more than once, sorted."""
    return sorted({name for name in names if names.count(name) > 1})


def _node_faults(card: Card) -> Iterator[tuple[str, str]]:
    room_ids = {room.id for room in card.rooms}
    for node in card.nodes:
        if node.kind == "opening" and node.side is None:
            yield node.id, "an opening needs a side"
        if node.kind == "find" and node.find is None:
            yield node.id, "a find node needs a find"
        if node.kind == "door" and node.room not in room_ids:
            yield node.id, f"a door to the unknown room {node.room!r}"


def _edge_faults(card: Card) -> Iterator[tuple[str, str]]:
    nodes = {node.id for node in card.nodes}
    finds = {find.id: find.find for room in card.rooms for find in room.finds}
    for edge in card.edges:
        for end in (edge.from_, edge.to):
            falls_from_room = edge.kind == "fall" and end == edge.from_ and finds.get(end) == "pitfall"
            if end not in nodes and not falls_from_room:
                yield end, f"a {edge.kind} edge names an unknown place"


def to_json(catalogue: Catalogue) -> bytes:
    """The catalogue as indented UTF-8 JSON."""
    told = msgspec.to_builtins(catalogue) | {"cards": [told_card(card) for card in catalogue.cards]}
    told["out"] = [told_card(card) for card in catalogue.out]
    if not catalogue.out:
        del told["out"]
    return msgspec.json.format(msgspec.json.encode(told), indent=1) + b"\n"


def told_card(card: Card) -> dict[str, Any]:
    """The card's JSON object: usual values are left out, but every card has its lists, empty or not, and
    every node, corridor and room its level."""
    told: dict[str, Any] = msgspec.to_builtins(card)
    level = {node.id: node.level for node in card.nodes}
    told["nodes"] = [{**node, "level": node.get("level", "main")} for node in told.get("nodes", ())]
    told["edges"] = [
        # Without one of its own, a corridor lies where it starts.
        {**edge, "level": edge.get("level") or level.get(edge["from"], "main")}
        if edge["kind"] == "corridor"
        else edge
        for edge in told.get("edges", ())
    ]
    told["rooms"] = [{**room, "level": room.get("level", "main")} for room in told.get("rooms", ())]
    more: dict[str, Any] = told.pop("more", {})
    return told | more


def _not_a_catalogue(fault: Text) -> WaymarkError:
    return WaymarkError(
        Code.NOT_A_CATALOGUE,
        Text("This is not a Waymark catalogue ({fault}); make one with `waymark deck export`.", fault=fault),
    )
