"""Parts that the scans of all boards share: the table from above, tiles and pieces as results, and what
hides them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.catalogue import Side
from vision.boards.art import BoardArt, Cell
from vision.boards.board_discs import DISC, LEAST_TOLD, SPOT_LEVEL
from vision.boards.discs import DiscSight
from vision.boards.expected import BLOWN, Expected, colour_planes
from vision.boards.figure_fit import Standing
from vision.boards.figures import StandSight
from vision.boards.plane import BoardPlane
from vision.boards.seen import SIDES, BoardPiece, BoardScan, BoardTile, HeldPiece, HiddenCell, Point
from vision.boards.tiles import TileReading
from vision.boards.top_view import FromAbove, from_above
from vision.photo import geometry
from vision.photo.decode import Photo
from vision.photo.view import Reductions
from vision.scan import StageClock

Array = NDArray[np.float64]
#: Points of the board (mm) as photo pixels.
ToPhoto = Callable[[Array], tuple[Point, ...]]
S = TypeVar("S", bound=BoardScan)
H = TypeVar("H", bound=HeldPiece)

#: Largest distance (cells) from its cell's middle at which an uncertain covered disc leads to a question.
#: Little of such a disc is visible, and many other things look like it.
IN_MIDDLE = 0.15
#: Least confidence of a figure for it to be reported.
LEAST_FIGURE = 0.25
#: Share of a cell's middle, hidden by unexplained residual, at which a piece could be missed.
HIDDEN = 0.35
#: Excess brightness (levels of `colour_planes`) above which a pixel may be a specular highlight.
SHINE = 8.0


@dataclass(frozen=True)
class ReadBoard:
    """A board as read: its pose and art, the residual, the table around it, tiles, and pieces on the
    board."""

    plane: BoardPlane
    art: BoardArt
    expected: Expected
    look: Standing
    round_it: FromAbove
    tiles: Sequence[TileReading]
    standing: Sequence[StandSight]
    discs: Sequence[DiscSight] = ()


def as_scan(kind: type[S], photo: Photo, read: ReadBoard, clock: StageClock, **more: Any) -> S:
    """The scan, of a `kind`, with the fields that all kinds have, and `more`."""
    art, px = read.art, read.plane.px
    pieces, unread = _board_pieces(read.discs, read.standing, read.look, art, px)
    shared = {
        "width": photo.width,
        "height": photo.height,
        "warnings": photo.warnings,
        "to_photo": tuple(tuple(float(x) for x in row) for row in read.plane.to_photo),
        "grid_px": px(geometry.rectangle(art.columns * art.cell_mm, art.rows * art.cell_mm)),
        "tiles": _board_tiles(read.tiles, art, px),
        "spare": None,
        "pieces": pieces,
        "held": (),
        "hidden": _hidden_cells(read.look, read.expected, art),
        "unread": unread,
        "seats_in_view": _sides_in_view(read.round_it, art),
        "timings_ms": clock.total(),
    }
    return kind(**{**shared, **more})


def table_around(
    pictures: Reductions, plane: BoardPlane, art: BoardArt, cells: float, px_per_mm: float
) -> FromAbove:
    """Top view of a board with the table around it, as wide as a number of cells."""
    left, top, right, bottom = art.ground_mm
    reach = cells * art.cell_mm
    area = (left - reach, top - reach, right + reach, bottom + reach)
    return from_above(pictures, plane.to_photo, area, px_per_mm)


def held_at(
    kind: type[H],
    piece: str,
    there_mm: Point,
    reach_mm: float,
    confidence: float,
    board: ReadBoard,
    **more: Any,
) -> H:
    """A piece of about a radius beside the board, as a result of a `kind`."""
    middle, beside = board.plane.px(np.array([there_mm, (there_mm[0] + reach_mm, there_mm[1])]))
    reach = round(float(np.hypot(*np.subtract(middle, beside))), 1)
    seat = seat_before(there_mm, board.art)
    return kind(piece, seat, middle, round(float(confidence), 3), reach, **more)


def leave_out_shine(look: Standing, expected: Expected) -> None:
    """Removes specular highlights from the residual: pixels brighter than the board in its own colours."""
    off = colour_planes(expected.plain) - colour_planes(expected.art)
    shine = (off[..., 0] > SHINE) & (np.abs(off[..., 1:]).sum(axis=2) < 1.2 * off[..., 0])
    wide = cv2.dilate(shine.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    rim = look.rim
    height, width = shine.shape
    look.unlike[rim : rim + height, rim : rim + width][wide] = 0
    look.explain(np.zeros((0, 2), np.int64))


#: Width (cells) of the table that must be visible beside the middle half of a player's side.
SEEN_BEYOND = 2.2


def _sides_in_view(round_it: FromAbove, art: BoardArt) -> tuple[Side, ...]:
    """The sides of the board next to which the photo shows the table."""
    left, top, right, bottom = art.ground_mm
    deep = SEEN_BEYOND * art.cell_mm
    wide, high = right - left, bottom - top
    zones = {
        "top": (left + wide / 4, top - deep, right - wide / 4, top),
        "right": (right, top + high / 4, right + deep, bottom - high / 4),
        "bottom": (left + wide / 4, bottom, right - wide / 4, bottom + deep),
        "left": (left - deep, top + high / 4, left, bottom - high / 4),
    }
    seen = []
    for side in SIDES:
        corners = np.array(zones[side]).reshape(2, 2) - round_it.origin_mm
        (x0, y0), (x1, y1) = np.round(corners * round_it.px_per_mm).astype(int).clip(0)
        if round_it.inside[y0:y1, x0:x1].mean() > 0.995:
            seen.append(side)
    return tuple(seen)


def seat_before(at_mm: Point, art: BoardArt) -> Side:
    """The side of the board nearest to a point outside it."""
    x = at_mm[0] - art.columns * art.cell_mm / 2
    y = at_mm[1] - art.rows * art.cell_mm / 2
    if abs(x) > abs(y):
        return "right" if x > 0 else "left"
    return "bottom" if y > 0 else "top"


def _board_tiles(readings: Sequence[TileReading], art: BoardArt, px: ToPhoto) -> tuple[BoardTile, ...]:
    read = {reading.cell: reading for reading in readings}
    made = []
    for cell in art.cells:
        corner = np.array(cell) * art.cell_mm
        square = geometry.rectangle(art.cell_mm, art.cell_mm) + corner
        if cell in art.printed:
            name, rotation = art.printed[cell]
            corners = _turned_corners(px(square), rotation)
            made.append(BoardTile(name, cell, rotation, corners, 1.0, 1.0, printed=True))
        elif cell in read and (name := art.tiles[read[cell].tile].id):
            reading = read[cell]
            corners = _turned_corners(px(square + np.asarray(reading.off_mm)), reading.rotation)
            sure = round(reading.tile_confidence, 4), round(reading.turn_confidence, 4)
            others = tuple((art.tiles[tile].id, rotation) for tile, rotation in reading.others)
            made.append(BoardTile(name, cell, reading.rotation, corners, *sure, others))
    return tuple(made)


def _turned_corners(corners: tuple[Point, ...], rotation: int) -> tuple[Point, ...]:
    """The corners of a cell, starting with the printed top left of a tile with the given rotation."""
    quarters = rotation // 90 % 4
    return tuple(corners[(k + quarters) % 4] for k in range(4))


def _board_pieces(
    discs: Sequence[DiscSight], standing: Sequence[StandSight], look: Standing, art: BoardArt, px: ToPhoto
) -> tuple[tuple[BoardPiece, ...], tuple[BoardPiece, ...]]:
    """The pieces on the board, and detections that are too uncertain to count as pieces."""
    made, unread = [], []
    for sight in discs:
        piece = BoardPiece(
            art.discs[sight.disc].id,
            cell_at(sight.at_mm, art),
            px(np.array(sight.at_mm))[0],
            round(sight.confidence * _edge_confidence(sight.at_mm, art), 3),
            options=tuple(art.discs[other].id for other in sight.others),
            next_cell=_next_cell(sight.at_mm, art),
            disc=True,
        )
        if sight.likeness >= DISC and sight.confidence >= LEAST_TOLD:
            made.append(piece)
        elif _in_middle(sight.at_mm, art) if sight.covered else not look.is_explained(sight.at_mm):
            unread.append(piece)
    for each in standing:
        stand = each.stand
        own = art.standing[stand.piece]
        looks = max(range(4), key=lambda quarter: each.facing[quarter])
        piece = BoardPiece(
            own.id,
            cell_at(stand.foot_mm, art),
            px(np.array(stand.foot_mm))[0],
            round(each.confidence, 3),
            SIDES[looks] if own.looks else None,
            round(each.facing[looks], 3) if own.looks else 1.0,
            tuple(art.standing[other].id for other in each.others),
            _next_cell(stand.foot_mm, art),
        )
        (made if each.confidence >= LEAST_FIGURE else unread).append(piece)
    return tuple(made), tuple(unread)


def cell_at(at_mm: Point, art: BoardArt) -> Cell:
    """The cell (column, row) of a point of the board (mm), clipped to the grid."""
    column, row = (int(at // art.cell_mm) for at in at_mm)
    return min(max(column, 0), art.columns - 1), min(max(row, 0), art.rows - 1)


def _in_middle(at_mm: Point, art: BoardArt) -> bool:
    away = np.asarray(at_mm) / art.cell_mm - np.add(cell_at(at_mm, art), 0.5)
    return bool(np.hypot(*away) < IN_MIDDLE)


def _next_cell(at_mm: Point, art: BoardArt) -> Cell | None:
    """The neighbouring cell nearest to a point; None if that lies outside the board."""
    column, row = cell_at(at_mm, art)
    x, y = np.asarray(at_mm) / art.cell_mm - (column + 0.5, row + 0.5)
    step = (int(np.sign(x)), 0) if abs(x) > abs(y) else (0, int(np.sign(y)))
    other = column + step[0], row + step[1]
    return other if 0 <= other[0] < art.columns and 0 <= other[1] < art.rows and step != (0, 0) else None


#: Distance (mm) from the cell's edge below which a piece may be meant to lie in the next cell.
NEAR_EDGE_MM = 3.0


def _edge_confidence(at_mm: Point, art: BoardArt) -> float:
    """Confidence (0.2 to 1) in a piece's cell, by its distance from the cell's edge."""
    away = np.asarray(at_mm) / art.cell_mm - np.asarray(cell_at(at_mm, art))
    edge = float(np.minimum(away, 1 - away).min()) * art.cell_mm
    return float(np.clip(edge / NEAR_EDGE_MM, 0.2, 1))


def _hidden_cells(look: Standing, expected: Expected, art: BoardArt) -> tuple[HiddenCell, ...]:
    """Cells whose middle is hidden by glare, or by an object that is no piece, so that a piece could be
    missed."""
    found = []
    blown = expected.seen.min(axis=2) > BLOWN
    scale = expected.px_per_mm
    for cell in art.cells:
        low = (np.array(cell) + 0.2) * art.cell_mm
        x, y = np.round((low - expected.origin_mm) * scale).astype(int)
        side = round(0.6 * art.cell_mm * scale)
        light = float(blown[y : y + side, x : x + side].mean())
        x, y = look.px(low)
        at = (slice(y, y + side), slice(x, x + side))
        rest = float((look.obstacles[at] | (look.unlike[at] > SPOT_LEVEL)).mean())
        if light + rest > HIDDEN:
            found.append(HiddenCell(cell, round(min(light + rest, 1.0), 3), light > rest))
    return tuple(found)
