"""Board scan types: tiles, pieces, pieces beside the board, hidden places, and open questions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from scorer.catalogue import Side
from scorer.layered import LayersSeen
from scorer.text import Text
from vision.boards.art import Cell

Point = tuple[float, float]
SIDES: tuple[Side, ...] = ("top", "right", "bottom", "left")


@dataclass(frozen=True)
class BoardTile:
    """The tile (by id) in a cell.

    `corners` are photo pixels of its printed top left, top right, bottom right and bottom left. `options` are
    alternatives as (id, rotation); `printed`: the tile is part of the board.
    """

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
    """A tile beside the board.

    `side` and `line` (column or row, from 0) say where it touches the board's edge; both are None if it does
    not.
    """

    tile: str
    rotation: int
    corners: tuple[Point, ...]
    confidence: float
    side: Side | None = None
    line: int | None = None


@dataclass(frozen=True)
class BoardPiece:
    """A piece on the board.

    `at_px` is its centre, or its foot, in the photo. `facing` is the side that it faces, if its kind has a
    front, with its own confidence. `options` are alternatives; `next_cell` is the nearest neighbouring cell;
    `disc`: it lies flat.
    """

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
    """A piece beside the board, and the side of the board nearest to it (`seat`).

    `reach_px` is about its radius in the photo.
    """

    piece: str
    seat: Side
    at_px: Point
    confidence: float
    reach_px: float = 0.0


@dataclass(frozen=True)
class HiddenCell:
    """A cell hidden to such a `share` that a piece could be missed there; `light`: by glare, not by an
    object."""

    cell: Cell
    share: float
    light: bool


@dataclass(frozen=True)
class BoardScan:
    """The scan of a photo of `width` x `height` pixels.

    `grid_px` are the grid's corners in the photo, from the board's top left clockwise; `to_photo` maps board
    mm to photo pixels. `hidden` are cells that show too little; `unread` are detections too uncertain to
    count as pieces. `seats_in_view` are the sides of the board where the photo shows the table.
    """

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
        """Bounding box of a cell in the photo: left, top, right, bottom (px)."""
        corners = next((tile.corners for tile in self.tiles if tile.cell == cell), self.grid_px)
        xs, ys = zip(*corners, strict=True)
        return round(min(xs)), round(min(ys)), round(max(xs)), round(max(ys))


@dataclass(frozen=True)
class LaidPiece(HeldPiece):
    """A piece beside the board, with its centre on the board's plane (mm).

    `turn_deg` is the rotation of a card there (degrees clockwise); `others` are alternatives, likeliest
    first.
    """

    at_mm: Point = (0.0, 0.0)
    turn_deg: float | None = None
    others: tuple[str, ...] = ()


@dataclass(frozen=True)
class LooseScan(BoardScan):
    """The scan of a board of loose pieces; pieces beside it have positions."""

    held: tuple[LaidPiece, ...]
    loose: bool = True


@dataclass(frozen=True)
class OpenCell:
    """A cell in which no tile was found: the confidence (0..1) in that, and the tiles that may lie there
    after all."""

    cell: Cell
    confidence: float
    options: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class LayeredScan(BoardScan):
    """The scan of a layered board.

    `layers` has what was read besides tiles and figures; `gaps` are the cells without a tile;
    `turn_confidence` is the confidence in the ground's rotation. `places_px` has the photo position of each
    place by `board/name`, and `boards_px` the corners of each board.
    """

    layers: LayersSeen | None = None
    gaps: tuple[OpenCell, ...] = ()
    turn_confidence: float = 0.0
    places_px: dict[str, Point] = field(default_factory=dict)
    boards_px: dict[str, tuple[Point, ...]] = field(default_factory=dict)


About = Literal[
    "tile", "rotation", "piece", "facing", "spare", "owner", "held", "board", "ground", "place", "token"
]

#: Sentences for what a photo leaves open, by reason. `{pieces}` and `{player}` are the names of those
#: concerned.
REASONS: dict[str, Text] = {
    "tile": Text("Which tile lies here? It could be more than one."),
    "rotation": Text("It is not clear which way this tile lies."),
    "piece": Text("Which piece is this: {pieces}?"),
    "cell": Text(
        "This piece ({pieces}) stands near the edge of its cell, or is partly hidden. Where does it stand?"
    ),
    "facing": Text("Which way does this figure look: {pieces}?"),
    "disc": Text("There is something like a chip here that could not be read."),
    "figure": Text("There may be something here that could not be recognised."),
    "hidden": Text("Glare or something over the board hides this cell; a piece may be there."),
    "chips": Text(
        "The marked places are hidden in the photo. Tap a piece that lies there, or under a figure."
    ),
    "chip-place": Text("{pieces}: at which marked place does it lie?"),
    "missing": Text("{pieces}: not found on the board. Where does it stand?"),
    "whose": Text(
        "Are these your players? {player}’s figure was not found, but figures stand here that nobody plays. "
        "Is one of them {player}’s: {pieces}?"
    ),
    "first": Text("Who has the {pieces}?"),
    "gap": Text("It is not clear whether a tile lies here."),
    "ground": Text("It is not clear which way the temple lies over the map. Where is the border {pieces}?"),
    "place": Text("On which of the tile’s corridors does this figure stand: {pieces}?"),
    "block": Text("Whether a cube stands on this space of the track, or which, is not clear."),
    "token": Text("Which token lies at this track, or whether it is locked, is not clear."),
    "held": Text("What lies here beside the board: {pieces}?"),
    "unseen": Text(
        "What lies before {player} is not completely in view. Count it by tapping, or say that nothing is "
        "there."
    ),
    "looked-over": Text(
        "Please compare what was read with the table, the marked places first. Is everything as shown?"
    ),
    "spare": Text("Which tile lies beside the board? It is not clear in the photo."),
}


@dataclass(frozen=True)
class Doubt:
    """A part of the reading that the photo leaves open.

    `cell` is None if it concerns no cell. `options` are the possible answers, the reading itself first.
    `crop_px` is the box of the photo to show to the user.
    """

    about: About
    reason: str
    cell: Cell | None
    options: tuple[str, ...]
    crop_px: tuple[int, int, int, int] | None = None

    @property
    def name(self) -> str:
        """Identifier of the doubt, the same for every reading of the same photo."""
        at = "" if self.cell is None else f":{self.cell[0]},{self.cell[1]}"
        first = f":{self.options[0]}" if self.reason in ("missing", "disc") and self.options else ""
        return f"{self.about}:{self.reason}{at}{first}"
