"""Specification of a layered board, for reading photos: printed boards under clear tiles, strips round the
grid, and side boards with places for small pieces.

Places are in mm from a board's top-left corner and come from the catalogue (docs/ICE_AND_IDOLS.md)."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.board_record import Board, Cell
from scorer.catalogue import Side
from scorer.record import Rotation
from scorer.text import Text

Point = tuple[float, float]


@dataclass(frozen=True)
class Place:
    """A place on a board: its `name`, which means something to the game alone, its middle, how far to each
    side a piece may lie off it (mm), and the pieces that may lie there, one of them or none."""

    name: str
    at_mm: Point
    reach_mm: tuple[float, float]
    pieces: tuple[str, ...]


@dataclass(frozen=True)
class SideBoard:
    """A printed board beside the grid. Of the places that a `group` names exactly one is taken, and a piece
    lies in one group at most."""

    id: str
    places: tuple[Place, ...]
    groups: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class Layers:
    """The parts of a layered board. `grounds`: printed boards that may lie under the tiles. `rims`: strips
    along the sides of the grid, clockwise. `blocks`: cubic pieces, identified by colour. `loose`: discs
    beside a board. `cards`: cards that may lie there, face up or down."""

    grounds: tuple[str, ...]
    rims: tuple[str, ...]
    boards: tuple[SideBoard, ...]
    blocks: tuple[str, ...]
    loose: tuple[str, ...]
    cards: tuple[str, ...] = ()


@dataclass(frozen=True)
class OnPlace:
    """The piece read at a place of a board; `piece` is None for an empty place."""

    board: str
    place: str
    piece: str | None
    confidence: float
    others: tuple[str | None, ...] = ()


@dataclass(frozen=True)
class Lying:
    """A card or disc beside a board of layers, and the board near which it lies."""

    piece: str
    near: str
    confidence: float


@dataclass(frozen=True)
class Foot:
    """The position of a piece within its cell, as fractions (0 to 1) from the cell's top-left corner."""

    piece: str
    cell: tuple[int, int]
    at: Point


@dataclass(frozen=True)
class LayersSeen:
    """The observations on a layered board besides tiles and figures, in the coordinate frame of its strips.

    `ground` is the printed board and `rotation` its rotation. `rims` has the strip on each side (None:
    unknown). `boards` maps the boards found to the side at which each lies."""

    ground: str
    rotation: Rotation | None
    rims: dict[Side, str] | None
    boards: dict[str, Side]
    places: tuple[OnPlace, ...]
    lying: tuple[Lying, ...]
    feet: tuple[Foot, ...]


@dataclass(frozen=True)
class LayerAnswer:
    """A possible answer to a doubt, with the resulting record. `piece` is the piece named by it, whose id is
    then its words."""

    words: Text
    board: Board
    piece: str | None = None


@dataclass(frozen=True)
class LayerDoubt:
    """A doubtful observation: its subject (`about`) and reason, in the vocabulary of `vision.boards.seen`.

    It may have a cell, or the place of a side board. `name` is a name of its own, and `options` are the
    possible answers, the reading itself first. `pieces` and `player` are named by its words."""

    about: str
    reason: str
    cell: Cell | None
    name: str
    options: tuple[LayerAnswer, ...] = ()
    place: OnPlace | None = None
    pieces: tuple[str, ...] = ()
    player: str | None = None


@dataclass(frozen=True)
class LayersTold:
    """The record of a layered board, and the doubts about it."""

    board: Board
    doubts: tuple[LayerDoubt, ...]
