"""What a game tells of a board of layers, so that a photo of it can be read: which printed boards may lie
under its clear tiles, the strips round it, and the boards beside it with the places where small pieces lie.

Places are mm from a board's top-left corner; who made a catalogue tells them (docs/ICE_AND_IDOLS.md).
"""

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
    """`grounds`: printed boards that may lie under the tiles; `rims`: strips along the sides of the grid, as
    they go round clockwise; `blocks`: pieces as high as they are wide, told by their colour; `loose`: discs
    that lie beside a board; `cards` that may lie face up or down there."""

    grounds: tuple[str, ...]
    rims: tuple[str, ...]
    boards: tuple[SideBoard, ...]
    blocks: tuple[str, ...]
    loose: tuple[str, ...]
    cards: tuple[str, ...] = ()


@dataclass(frozen=True)
class OnPlace:
    """What was read of a place of a board; `piece` is None where nothing lies there."""

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
    """Where a piece stands in its cell, as shares of it (0 to 1, from its top left)."""

    piece: str
    cell: tuple[int, int]
    at: Point


@dataclass(frozen=True)
class LayersSeen:
    """What was seen of a board of layers besides its tiles and figures, all in the frame of its strips:
    `ground` and how far it is turned; the strip on each side (None: not told); the boards that were found,
    with the side before which each lies."""

    ground: str
    rotation: Rotation | None
    rims: dict[Side, str] | None
    boards: dict[str, Side]
    places: tuple[OnPlace, ...]
    lying: tuple[Lying, ...]
    feet: tuple[Foot, ...]


@dataclass(frozen=True)
class LayerAnswer:
    """An answer to what was seen in doubt, and the record that it makes; `piece` is the one that it names,
    the words are then its id."""

    words: Text
    board: Board
    piece: str | None = None


@dataclass(frozen=True)
class LayerDoubt:
    """Something that was seen in doubt: what it is `about` and why, by words of `vision.boards.seen`, its
    cell if it has one, a `name` of its own, the answers, what was read first, and the place of a board that
    it is about; the pieces and the player that its words name."""

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
    """The record of a board of layers, and what of it is in doubt."""

    board: Board
    doubts: tuple[LayerDoubt, ...]
