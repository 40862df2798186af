"""What a photo of a board shows: tiles, pieces, what lies beside it, what is hidden.

Confidences are chances, 0 to 1, that a thing is as it was read.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from scorer.catalogue import Side
from scorer.text import Text
from vision.board_art import Cell

Point = tuple[float, float]
SIDES: tuple[Side, ...] = ("top", "right", "bottom", "left")


@dataclass(frozen=True)
class BoardTile:
    """The tile in a cell; `tile` is its id. `corners` are photo pixels of its printed top left, top right,
    bottom right and bottom left. `options`: what else it may be, as (id, rotation). `printed`: it is the
    board's own."""

    tile: str
    cell: Cell
    rotation: int
    corners: tuple[Point, ...]
    tile_confidence: float
    turn_confidence: float
    options: tuple[tuple[str, int], ...] = ()
    printed: bool = False

    @property
    def confidence(self) -> float:
        return self.tile_confidence * self.turn_confidence


@dataclass(frozen=True)
class SpareTile:
    """A tile beside the board: `side` and `line` (column or row, from 0) where it lies against the board's
    edge, None where it lies elsewhere."""

    tile: str
    rotation: int
    corners: tuple[Point, ...]
    confidence: float
    side: Side | None = None
    line: int | None = None


@dataclass(frozen=True)
class BoardPiece:
    """A piece on the board: `at_px` its middle, or its foot, in the photo; `facing` the side to which it
    looks, for pieces that look anywhere, with its own confidence. `options` are pieces that it may be as
    well, `next_cell` is the one that it is nearest to besides its own; `disc`: it lies flat."""

    piece: str
    cell: Cell
    at_px: Point
    confidence: float
    facing: Side | None = None
    facing_confidence: float = 1.0
    options: tuple[str, ...] = ()
    next_cell: Cell | None = None
    disc: bool = False


@dataclass(frozen=True)
class HeldPiece:
    """A piece that lies beside the board, and the side of the board before which it does; `reach_px` is about
    its radius in the photo."""

    piece: str
    seat: Side
    at_px: Point
    confidence: float
    reach_px: float = 0.0


@dataclass(frozen=True)
class HiddenCell:
    """A cell of which so much (share) cannot be seen that a piece could be there unseen; `light`: glare hides
    it, and no thing."""

    cell: Cell
    share: float
    light: bool


@dataclass(frozen=True)
class BoardScan:
    """All that was read of a photo of `width` x `height` pixels; `grid_px` are the grid's corners in it, from
    the board's top left clockwise; `to_photo` maps board mm to photo pixels; `hidden` cells show too little.
    `unread`: what may be a piece, and is not sure enough to be told. `seats_in_view`: the
    sides of the board before which the photo shows the table."""

    width: int
    height: int
    warnings: tuple[Text, ...]
    to_photo: tuple[tuple[float, ...], ...]
    grid_px: tuple[Point, ...]
    tiles: tuple[BoardTile, ...]
    spare: SpareTile | None
    pieces: tuple[BoardPiece, ...]
    held: tuple[HeldPiece, ...]
    hidden: tuple[HiddenCell, ...]
    unread: tuple[BoardPiece, ...]
    seats_in_view: tuple[Side, ...] = ()
    timings_ms: dict[str, float] = field(default_factory=dict)

    def box_px(self, cell: Cell) -> tuple[int, int, int, int]:
        """A box in the photo round a cell: left, top, right, bottom."""
        corners = next((tile.corners for tile in self.tiles if tile.cell == cell), self.grid_px)
        xs, ys = zip(*corners, strict=True)
        return round(min(xs)), round(min(ys)), round(max(xs)), round(max(ys))
