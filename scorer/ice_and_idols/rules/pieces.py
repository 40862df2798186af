"""The pieces of a catalogue in the form used by the rules: tiles with corridors, the map, the research track,
key and event cards. Values that the rulebook does not print come from the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, TypeVar

import msgspec

from scorer.board_pieces import broken_piece, kept_pieces, of_role, told_piece
from scorer.catalogue import Card, Catalogue
from scorer.square_grid import SIDES, Cell, turned

IdolKind = Literal["sapphire", "tiger_eye", "jade", "ruby", "gold"]
IDOLS: tuple[IdolKind, ...] = ("sapphire", "tiger_eye", "jade", "ruby", "gold")
CharacterName = Literal["curator", "keysmith", "sculptor", "architect"]
BorderName = Literal["sun", "star", "moon", "comet"]
BORDERS: tuple[BorderName, ...] = ("sun", "star", "moon", "comet")
Gift = Literal["event", "shift", "bonus"]

#: The number of cubes of each player.
CUBES = 10
#: Signs before a player that are no entries of a catalogue.
PLUS, MINUS, FIRST = "adrenaline-plus", "adrenaline-minus", "first-player"
SIGNS = frozenset({PLUS, MINUS, FIRST})

Count = Annotated[int, msgspec.Meta(ge=0)]
MapNumber = Annotated[int, msgspec.Meta(ge=0, le=4)]


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """The effect of a card of the event deck."""

    event: Literal["collapse", "rotate", "shift", "calm"]
    x: tuple[Literal["top", "right", "bottom", "left"], ...] = ()
    turn: Literal["clockwise", "counterclockwise"] | None = None
    from_: BorderName | None = msgspec.field(default=None, name="from")
    to: BorderName | None = None
    players: int | None = None


class Key(msgspec.Struct, frozen=True, kw_only=True):
    vp: Count
    pattern: Annotated[tuple[tuple[int, int], ...], msgspec.Meta(min_length=1)]


class MapSpot(msgspec.Struct, frozen=True, kw_only=True):
    """The symbols printed in a cell of a map."""

    cell: tuple[MapNumber, MapNumber]
    idols: tuple[IdolKind, ...] = ()
    altars: tuple[IdolKind, ...] = ()
    start: bool = False


class MapPiece(msgspec.Struct, frozen=True, kw_only=True):
    columns: Annotated[int, msgspec.Meta(ge=1, le=5)] = 5
    rows: Annotated[int, msgspec.Meta(ge=1, le=5)] = 5
    cells: tuple[MapSpot, ...] = ()


class Space(msgspec.Struct, frozen=True, kw_only=True):
    """A space of a research track: its bonus, and the player counts at which a neutral cube stands there."""

    row: Count
    start: tuple[int, ...] = ()
    gives: Gift | None = None
    vp: Count = 0


class Track(msgspec.Struct, frozen=True, kw_only=True):
    """A track: its spaces go from the lowest upwards; `top` and `below` are the rows of its token."""

    idol: IdolKind
    column: Count
    top: Count
    below: Count
    spaces: Annotated[tuple[Space, ...], msgspec.Meta(min_length=1)]


class Research(msgspec.Struct, frozen=True, kw_only=True):
    columns: Count
    rows: Count
    tracks: tuple[Track, ...]


class _Figure(msgspec.Struct, frozen=True, kw_only=True):
    character: CharacterName


@dataclass(frozen=True)
class Tile:
    """A tile design: its corridors as sets of open sides in the art's orientation, the corridor of each node,
    and one node of each corridor."""

    corridors: tuple[int, ...]
    nodes: Mapping[str, int]
    named: tuple[str, ...]
    roundabout: bool


@dataclass(frozen=True)
class Pieces:
    """`characters` and `colours` are by figure; `cubes` the colour of each cube, `tokens` the value of each
    VP token, `idols` the kind of each idol token."""

    catalogue: Catalogue
    tiles: Mapping[str, Tile]
    characters: Mapping[str, CharacterName]
    colours: Mapping[str, str]
    cubes: Mapping[str, str]
    tokens: Mapping[str, int]
    idols: Mapping[str, IdolKind]
    keys: Mapping[str, Key]
    events: Mapping[str, Event]
    maps: Mapping[str, MapPiece]
    research: Research | None
    copies: Mapping[str, int]
    #: The open sides of each corridor, by (tile, rotation).
    lying: Mapping[tuple[str, int], tuple[int, ...]]

    def cube(self, colour: str) -> str | None:
        """The id of the cube of a colour; None where there is none."""
        return next((name for name, each in self.cubes.items() if each == colour), None)

    def idol(self, kind: str) -> str:
        """The idol token of a kind, as players hold it."""
        return next((name for name, each in self.idols.items() if each == kind), f"idol-{kind}")

    def track(self, kind: str) -> Track | None:
        """The research track of an idol; None where there is none."""
        tracks = () if self.research is None else self.research.tracks
        return next((track for track in tracks if track.idol == kind), None)


def pieces_of(catalogue: Catalogue) -> Pieces:
    """The pieces of a catalogue, computed once and cached. Raises `WaymarkError` (broken-catalogue) for
    unplayable pieces."""
    return kept_pieces(catalogue, _pieces_of)


S = TypeVar("S", bound=msgspec.Struct)


def _pieces_of(catalogue: Catalogue) -> Pieces:
    def told(role: str, form: type[S]) -> dict[str, S]:
        return {card.id: told_piece(catalogue, card, form) for card in of_role(catalogue, role)}

    tiles = {card.id: _tile(card) for card in catalogue.cards if card.kind == "tile"}
    figures = of_role(catalogue, "character")
    events = told("event", Event)
    for name, event in events.items():
        facing = (
            event.from_ is not None
            and event.to is not None
            and BORDERS[(BORDERS.index(event.from_) + 2) % 4] == event.to
        )
        if (event.event == "rotate" and event.turn is None) or (event.event == "shift" and not facing):
            raise broken_piece(catalogue, name, "turn, or from and to,")
    research = list(told("research", Research).values())
    tokens = {}
    for card in of_role(catalogue, "vp"):
        if card.value is None:
            raise broken_piece(catalogue, card.id, "value")
        tokens[card.id] = card.value
    idols: dict[str, IdolKind] = {}
    for card in of_role(catalogue, "idol"):
        kind = card.more.get("idol")
        if kind not in IDOLS:
            raise broken_piece(catalogue, card.id, "idol")
        idols[card.id] = kind
    return Pieces(
        catalogue=catalogue,
        tiles=tiles,
        characters={name: figure.character for name, figure in told("character", _Figure).items()},
        colours={card.id: card.colour or card.id for card in figures},
        cubes={card.id: card.colour or card.id for card in of_role(catalogue, "cube")},
        tokens=tokens,
        idols=idols,
        keys=told("key", Key),
        events=events,
        maps=told("map", MapPiece),
        research=research[0] if research else None,
        copies={card.id: card.copies for card in catalogue.cards},
        lying={
            (name, rotation): tuple(turned(sides, rotation) for sides in tile.corridors)
            for name, tile in tiles.items()
            for rotation in (0, 90, 180, 270)
        },
    )


def _tile(card: Card) -> Tile:
    """A tile's corridors, which are the connected components of its graph, each given by its open sides."""
    parent = {node.id: node.id for node in card.nodes}

    def root(node: str) -> str:
        while parent[node] != node:
            node = parent[node]
        return node

    for edge in card.edges:
        if edge.from_ in parent and edge.to in parent:
            parent[root(edge.from_)] = root(edge.to)
    sides: dict[str, int] = {}
    named: dict[str, str] = {}
    for node in card.nodes:
        if node.kind == "opening" and node.side is not None:
            sides[root(node.id)] = sides.get(root(node.id), 0) | 1 << SIDES.index(node.side)
            named.setdefault(root(node.id), node.id)
    order = list(sides)
    return Tile(
        corridors=tuple(sides[each] for each in order),
        nodes={node.id: order.index(root(node.id)) for node in card.nodes if root(node.id) in sides},
        named=tuple(named[each] for each in order),
        roundabout=card.role == "roundabout",
    )


def map_spots(pieces: Pieces, laid: tuple[tuple[str, Cell, int], ...]) -> tuple[MapSpot, ...] | None:
    """The symbols printed in each of the 25 cells of a map assembled from pieces. Each piece comes with the
    cell of its top-left corner and its rotation. None where the pieces do not cover each cell exactly
    once."""
    spots: dict[int, MapSpot] = {}
    for name, (left, top), rotation in laid:
        piece = pieces.maps[name]
        printed = {spot.cell: spot for spot in piece.cells}
        for column in range(piece.columns):
            for row in range(piece.rows):
                across, down = _turned_cell(column, row, piece, rotation)
                cell = (left + across, top + down)
                number = cell[1] * 5 + cell[0]
                if not (0 <= cell[0] < 5 and 0 <= cell[1] < 5) or number in spots:
                    return None
                spots[number] = printed.get((column, row), MapSpot(cell=(0, 0)))
    return tuple(spots[number] for number in range(25)) if len(spots) == 25 else None


def _turned_cell(column: int, row: int, piece: MapPiece, rotation: int) -> Cell:
    """The cell to which a cell of a map piece moves when the piece is rotated clockwise."""
    columns, rows = piece.columns, piece.rows
    for _ in range(rotation // 90):
        column, row = rows - 1 - row, column
        columns, rows = rows, columns
    return column, row
