"""Scan of a grid board: photo -> tiles, pieces on them, the spare tile, and pieces around the board.

Pieces are known here by their look only (`vision.boards.art`); the game defines their meaning. Confidences
are probabilities, 0 to 1, that a reading is right. Anything uncertain is reported as such, with its cell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.catalogue import Side
from vision.boards.art import BoardArt, Cell
from vision.boards.board_discs import (
    DISC,
    HELD_DISC,
    HELD_SURE,
    LEAST_TOLD,
    SPOT_LEVEL,
    disc_px,
    discs_beside,
    discs_on,
    is_printed,
    printed_discs,
    with_covered,
)
from vision.boards.discs import DiscSight, disc_bank
from vision.boards.expected import BLOWN, Expected, expect
from vision.boards.figure_fit import Standing
from vision.boards.figures import StandSight, read_standing
from vision.boards.plane import BoardPlane, FromAbove, eye_of, find_plane, from_above, no_board, refine_plane
from vision.boards.seen import (
    SIDES,
    BoardPiece,
    BoardScan,
    BoardTile,
    HeldPiece,
    HiddenCell,
    Point,
    SpareTile,
)
from vision.boards.tiles import (
    SIDE_PX,
    Evidence,
    LooseTile,
    TileReading,
    cut_outs,
    find_loose_tile,
    read_all_tiles,
    read_tiles,
    spare_corners,
    tile_bank,
    weigh,
    weigh_one,
    weigh_shown,
)
from vision.photo import geometry
from vision.photo.decode import Photo
from vision.photo.runtime import single_threaded_blas
from vision.photo.view import Reductions
from vision.scan import StageClock

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

#: Width (cells) of the examined area around the board, and its scale in pixels per cell.
ROUND_IT, ROUND_CELL_PX = 4.4, 60
#: Largest distance (cells) from its cell's middle at which an uncertain covered disc leads to a question.
#: Little of such a disc is visible, and many other things look like it.
IN_MIDDLE = 0.15
#: Hidden share of a cell above which its tile is read again from the visible part.
COVERED_CELL = 0.1
#: Confidence above which a tile beside the board counts as lying there, and hides what is under it.
SPARE_SEEN = 0.3
#: Confidence from which the spare tile is used in reading the tiles in the cells.
SPARE_TELLS = 0.99
#: Least confidence of a figure for it to be reported.
LEAST_FIGURE = 0.25
#: Share of a cell's middle, hidden by unexplained residual, at which a piece could be missed.
HIDDEN = 0.35


@dataclass(frozen=True)
class LaidOut:
    """The board's pose and its tiles in a photo.

    `above` is the top view of the board, `round_it` that with the table around. `evidence` and `beside` score
    the tiles in the cells and the spare; `read` are the tiles read, `spare` the tile beside the board.
    `expected` is the bare board with these tiles.
    """

    plane: BoardPlane
    eye_mm: Array
    above: FromAbove
    round_it: FromAbove
    evidence: Evidence
    beside: Array | None
    read: Sequence[TileReading]
    spare: LooseTile | None
    expected: Expected


@single_threaded_blas()
def scan_board(photo: Photo, art: BoardArt, on_stage: Callable[[str], None] | None = None) -> BoardScan:
    """Reads a photo of a grid board: tiles, pieces and the spare. Raises `WaymarkError` (no-card, status 4)
    without a board."""
    clock = StageClock(on_stage)
    laid = lay_out(Reductions(photo), art, clock)
    return read_pieces(photo, laid, art, clock)


def lay_out(pictures: Reductions, art: BoardArt, clock: StageClock) -> LaidOut:
    """The pose of the board, its tiles and the tile beside it. Raises `WaymarkError` if no board is found."""
    plane = find_plane(pictures, art)
    if plane is None:
        raise no_board()
    plane = refine_plane(plane, pictures, art)
    clock.note("plane")
    above = from_above(pictures, plane.to_photo, art.ground_mm, art.px_per_mm)
    bank = tile_bank(art)
    evidence = weigh(above, art, bank, art.open_cells)
    readings = read_tiles(evidence, art)
    clock.note("tiles")
    reach = ROUND_IT * art.cell_mm
    left, top, right, bottom = art.ground_mm
    round_it = from_above(
        pictures,
        plane.to_photo,
        (left - reach, top - reach, right + reach, bottom + reach),
        ROUND_CELL_PX / art.cell_mm,
    )
    spare = find_loose_tile(round_it, art, _left_over(readings, art))
    beside = None
    if spare is not None and spare.confidence >= SPARE_TELLS:
        beside = weigh_one(cut_outs(round_it, art, spare), evidence, bank)
        readings, named = read_all_tiles(evidence, art, beside)
        spare = _named_again(spare, named)
    clock.note("spare")
    eye = eye_of(plane, pictures.size)
    expected = expect(above, art, readings)
    clock.note("board")
    return LaidOut(plane, eye.place_mm, above, round_it, evidence, beside, readings, spare, expected)


def _named_again(spare: LooseTile, named: tuple[int, float] | None) -> LooseTile:
    """The tile beside the board, with the identity from the joint assignment of all tiles."""
    if named is None:
        return spare
    confidence = min(spare.confidence, named[1])
    return replace(spare, tile=named[0], confidence=confidence)


def _shown_cells(look: Standing, art: BoardArt) -> dict[Cell, Floats]:
    """Masks (S, S) of the visible part of each loose tile's cell that a standing piece partly hides."""
    free = cv2.erode((~look.standing).astype(np.uint8), np.ones((3, 3), np.uint8))
    side = round(art.cell_mm * look.scale)
    shown: dict[Cell, Floats] = {}
    for cell in art.open_cells:
        x, y = look.px(np.array(cell) * art.cell_mm)
        part = free[y : y + side, x : x + side]
        if part.mean() < 1 - COVERED_CELL:
            size = (SIDE_PX, SIDE_PX)
            shown[cell] = np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_NEAREST), np.float32)
    return shown


def read_pieces(photo: Photo, laid: LaidOut, art: BoardArt, clock: StageClock) -> BoardScan:
    """The scan of a board whose tiles are known: pieces on it and beside it."""
    bank = disc_bank(art.discs)
    discs = discs_on(laid.expected, laid.above, art, bank)
    spare = [laid.spare] if laid.spare is not None and laid.spare.confidence > SPARE_SEEN else []
    look = Standing(laid.expected, art, laid.eye_mm, [spare_corners(each, art) for each in spare])
    for disc in discs:
        if disc.likeness >= DISC:
            look.explain(disc_px(disc, art, look))
    standing = read_standing(look)
    discs = with_covered(discs, look, laid.above, art, bank)
    # pixels of a standing piece are no evidence about the tile below it
    shown = _shown_cells(look, art)
    evidence = weigh_shown(laid.evidence, laid.above, art, tile_bank(art), shown)
    read, named = read_all_tiles(evidence, art, laid.beside)
    beside = laid.spare and _named_again(laid.spare, named)
    clock.note("pieces")
    held = [
        each
        for each in discs_beside(laid.round_it, art, bank, HELD_DISC)
        if each.confidence > HELD_SURE and not is_printed(each, laid.round_it, printed_discs(art, bank))
    ]
    clock.note("held")
    plane, side = laid.plane, art.cell_mm
    px, inner = plane.px, geometry.rectangle(art.columns * side, art.rows * side)
    pieces, unread = board_pieces(discs, standing, look, art, px)
    return BoardScan(
        width=photo.width,
        height=photo.height,
        warnings=photo.warnings,
        to_photo=tuple(tuple(float(x) for x in row) for row in plane.to_photo),
        grid_px=px(inner),
        tiles=board_tiles(read, art, px),
        spare=_spare(beside, art, px),
        pieces=pieces,
        held=tuple(_held_piece(each, art, px) for each in held),
        hidden=hidden_cells(look, laid.expected, art),
        unread=unread,
        seats_in_view=sides_in_view(laid.round_it, art),
        timings_ms=clock.total(),
    )


def _left_over(readings: Sequence[TileReading], art: BoardArt) -> list[int]:
    """Candidates for the spare tile: tiles with an unused copy, and tiles that are in doubt in some cell."""
    taken = Counter(reading.tile for reading in readings)
    over = [k for k, tile in enumerate(art.tiles) if taken[k] < tile.copies]
    doubted = [r for r in readings if r.tile_confidence < 0.9]
    over += [tile for r in doubted for tile in (r.tile, *(other for other, _ in r.others))]
    return list(dict.fromkeys(over))


def _held_piece(sight: DiscSight, art: BoardArt, px: Callable[[Array], tuple[Point, ...]]) -> HeldPiece:
    own = art.discs[sight.disc]
    middle, beside = px(np.array([sight.at_mm, (sight.at_mm[0] + own.size_mm[0] / 2, sight.at_mm[1])]))
    reach = float(np.hypot(*np.subtract(middle, beside)))
    return HeldPiece(
        own.id, seat_before(sight.at_mm, art), middle, round(sight.confidence, 3), round(reach, 1)
    )


#: Width (cells) of the table that must be visible beside the middle half of a player's side.
SEEN_BEYOND = 2.2


def sides_in_view(round_it: FromAbove, art: BoardArt) -> tuple[Side, ...]:
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


def board_tiles(
    readings: Sequence[TileReading], art: BoardArt, px: Callable[[Array], tuple[Point, ...]]
) -> tuple[BoardTile, ...]:
    read = {reading.cell: reading for reading in readings}
    made = []
    for cell in art.cells:
        corner = np.array(cell) * art.cell_mm
        square = geometry.rectangle(art.cell_mm, art.cell_mm) + corner
        if cell in art.printed:
            name, rotation = art.printed[cell]
            corners = turned_corners(px(square), rotation)
            made.append(BoardTile(name, cell, rotation, corners, 1.0, 1.0, printed=True))
        elif cell in read:
            reading = read[cell]
            corners = turned_corners(px(square + np.asarray(reading.off_mm)), reading.rotation)
            made.append(
                BoardTile(
                    art.tiles[reading.tile].id,
                    cell,
                    reading.rotation,
                    corners,
                    round(reading.tile_confidence, 4),
                    round(reading.turn_confidence, 4),
                    tuple((art.tiles[tile].id, rotation) for tile, rotation in reading.others),
                )
            )
    return tuple(made)


def turned_corners(corners: tuple[Point, ...], rotation: int) -> tuple[Point, ...]:
    """The corners of a cell, starting with the printed top left of a tile with the given rotation."""
    quarters = rotation // 90 % 4
    return tuple(corners[(k + quarters) % 4] for k in range(4))


def _spare(
    found: LooseTile | None, art: BoardArt, px: Callable[[Array], tuple[Point, ...]]
) -> SpareTile | None:
    if found is None:
        return None
    side, line = _against(found.at_mm, art)
    quarter = round(found.turn_rad / (np.pi / 2)) % 4 * 90
    corners = px(spare_corners(found, art))
    return SpareTile(art.tiles[found.tile].id, quarter, corners, round(found.confidence, 3), side, line)


#: Bounds of a tile's distance (cells) beyond the board's edge if it touches a line's end, negative over the
#: printed frame; and its largest distance from the middle of the line.
AGAINST, IN_LINE = (-0.45, 1.0), 0.42


def _against(at_mm: Point, art: BoardArt) -> tuple[Side | None, int | None]:
    left, top, right, bottom = art.ground_mm
    beyond = {
        "left": left - at_mm[0],
        "right": at_mm[0] - right,
        "top": top - at_mm[1],
        "bottom": at_mm[1] - bottom,
    }
    side = max(SIDES, key=lambda each: beyond[each])
    along = at_mm[0] if side in ("top", "bottom") else at_mm[1]
    line = along / art.cell_mm - 0.5
    count = art.columns if side in ("top", "bottom") else art.rows
    if not AGAINST[0] < beyond[side] / art.cell_mm < AGAINST[1] or abs(line - round(line)) > IN_LINE:
        return None, None
    return (side, round(line)) if 0 <= round(line) < count else (None, None)


def board_pieces(
    discs: Sequence[DiscSight],
    standing: Sequence[StandSight],
    look: Standing,
    art: BoardArt,
    px: Callable[[Array], tuple[Point, ...]],
) -> tuple[tuple[BoardPiece, ...], tuple[BoardPiece, ...]]:
    """The pieces on the board, and detections that are too uncertain to count as pieces."""
    made, unread = [], []
    for sight in discs:
        piece = BoardPiece(
            art.discs[sight.disc].id,
            cell_at(sight.at_mm, art),
            px(np.array(sight.at_mm))[0],
            round(sight.confidence * edge_confidence(sight.at_mm, art), 3),
            options=tuple(art.discs[other].id for other in sight.others),
            next_cell=next_cell(sight.at_mm, art),
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
            next_cell(stand.foot_mm, art),
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


def next_cell(at_mm: Point, art: BoardArt) -> Cell | None:
    """The neighbouring cell nearest to a point; None if that lies outside the board."""
    column, row = cell_at(at_mm, art)
    x, y = np.asarray(at_mm) / art.cell_mm - (column + 0.5, row + 0.5)
    step = (int(np.sign(x)), 0) if abs(x) > abs(y) else (0, int(np.sign(y)))
    other = column + step[0], row + step[1]
    return other if 0 <= other[0] < art.columns and 0 <= other[1] < art.rows and step != (0, 0) else None


#: Distance (mm) from the cell's edge below which a piece may be meant to lie in the next cell.
NEAR_EDGE_MM = 3.0


def edge_confidence(at_mm: Point, art: BoardArt) -> float:
    """Confidence (0.2 to 1) in a piece's cell, by its distance from the cell's edge."""
    away = np.asarray(at_mm) / art.cell_mm - np.asarray(cell_at(at_mm, art))
    edge = float(np.minimum(away, 1 - away).min()) * art.cell_mm
    return float(np.clip(edge / NEAR_EDGE_MM, 0.2, 1))


def hidden_cells(look: Standing, expected: Expected, art: BoardArt) -> tuple[HiddenCell, ...]:
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
