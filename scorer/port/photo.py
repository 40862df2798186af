"""Photos of a game: how its pieces lie, and the strategy by which a photo becomes a record."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeVar

import msgspec

from scorer.laying import NO_HABITS, Laying, LineHabits

if TYPE_CHECKING:
    from scorer.board_record import Board, Cell
    from scorer.catalogue import Catalogue, Side
    from scorer.layered import Layers, LayersSeen, LayersTold
    from scorer.record import Record

R = TypeVar("R", bound=msgspec.Struct)


@dataclass(frozen=True)
class Sight:
    """A piece seen beside a board: its centre in mm in the grid's plane, from the grid's top-left corner. A
    card has a rotation (degrees clockwise; None for a disc). The side is the side of the grid at which the
    piece lies."""

    piece: str
    at_mm: tuple[float, float]
    turn_deg: float | None
    seat: Side


@dataclass(frozen=True)
class Way:
    """A possible rearrangement of a board's tiles by a turn. `moved` maps a cell to the new cell of its tile,
    with everything on it. `out` is the cell whose tile is pushed off the board, and `at` is the game's
    name of its new place. `entry` is the cell that receives the spare tile, with the pieces pushed off.
    Other tiles stay, as do figures of the roles `staying`."""

    moved: Mapping[Cell, Cell] = field(default_factory=dict)
    out: Cell | None = None
    entry: Cell | None = None
    at: str | None = None
    staying: frozenset[str] = frozenset()

    def carried(self, cell: Cell) -> Cell:
        """The cell to which the contents of a cell move."""
        return self.entry if cell == self.out and self.entry is not None else self.moved.get(cell, cell)

    def came_from(self, cell: Cell) -> Cell:
        """The cell from which the contents of a cell came; of the entered tile, those of the tile pushed
        off."""
        if cell == self.entry and self.out is not None:
            return self.out
        return next((was for was, to in self.moved.items() if to == cell), cell)


@dataclass(frozen=True, kw_only=True)
class Strategy:
    """How a photo becomes a record. `spare_at` names the place of a tile beside the end of a line (a side,
    and the line from 0), None for no such place; it is None where no tile lies beside the grid. `ways` are
    the rearrangements of tiles in a turn. `always` gives the pieces that are on every board unless a player
    holds them; `set_aside` those that a board has not come to yet, so that none lies there unseen."""

    #: Whether the board consists of loose pieces only, and whether it has layers.
    is_loose: ClassVar[bool] = False
    is_layered: ClassVar[bool] = False
    spare_at: Callable[[Side, int], str | None] | None = None
    ways: tuple[Way, ...] = ()
    always: Callable[[Any], Collection[str]] = lambda pieces: ()
    set_aside: Callable[[Board, Any], Collection[str]] = lambda board, pieces: ()

    def laid_out(
        self, board: Board, sights: Sequence[Sight], seats: Sequence[Side], pieces: Any, told: Board | None
    ) -> Board:
        """The record of a board, the pieces seen beside it, and the sides in full view."""
        return board

    def layers_of(self, pieces: Any) -> Layers | None:
        """The layers of a catalogue's pieces; None where its photos cannot be read."""
        return None

    def from_layers(self, board: Board, seen: LayersSeen, pieces: Any, told: Board | None) -> LayersTold:
        """The record and its doubts from what was seen of layers."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class CardsOnPlane(Strategy):
    """Cards anywhere on a table, and lines drawn over them."""


@dataclass(frozen=True, kw_only=True)
class TilesOnGrid(Strategy):
    """Tiles that fill a fixed grid."""


@dataclass(frozen=True)
class LoosePieces(Strategy):
    """A grid that consists of loose pieces. `layout` makes the record. Its inputs are the board, the pieces
    seen beside it, the sides in full view, the game's pieces, and a record with the players."""

    is_loose = True
    layout: Callable[[Board, Sequence[Sight], Sequence[Side], Any, Board | None], Board]

    def laid_out(
        self, board: Board, sights: Sequence[Sight], seats: Sequence[Side], pieces: Any, told: Board | None
    ) -> Board:
        return self.layout(board, sights, seats, pieces, told)


@dataclass(frozen=True)
class TilesInLayers(Strategy):
    """Clear tiles over a printed ground. `layers` gives the layers of a catalogue's pieces; None where its
    photos cannot be read. `layout` makes the record and its doubts from what was seen."""

    is_layered = True
    layers: Callable[[Any], Layers | None]
    layout: Callable[[Board, LayersSeen, Any, Board | None], LayersTold]

    def layers_of(self, pieces: Any) -> Layers | None:
        return self.layers(pieces)

    def from_layers(self, board: Board, seen: LayersSeen, pieces: Any, told: Board | None) -> LayersTold:
        return self.layout(board, seen, pieces, told)


CARDS_ON_PLANE = CardsOnPlane()


@dataclass(frozen=True, eq=False, kw_only=True)
class Photo(Generic[R]):
    """How the pieces of a game lie and its lines run, and how a photo is read.

    `from_photo` gives the record of pieces found in a photo, wherever they lie (mm), and of the line over
    them. `scan_key` is the key under which it is written in `waymark-scan/1`."""

    laying: Laying
    from_photo: Callable[[Catalogue, Record], R]
    habits: LineHabits = NO_HABITS
    scan_key: Literal["tableau", "board"] = "tableau"
    strategy: Strategy = CARDS_ON_PLANE
