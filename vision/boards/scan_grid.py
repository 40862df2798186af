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
    disc_px,
    discs_beside,
    discs_on,
    is_printed,
    printed_discs,
    with_covered,
)
from vision.boards.camera import eye_of
from vision.boards.discs import disc_bank
from vision.boards.expected import Expected, expect
from vision.boards.figure_fit import Standing
from vision.boards.figures import read_standing
from vision.boards.loose_tile import LooseTile, cut_outs, find_loose_tile, spare_corners
from vision.boards.plane import BoardPlane, find_plane, known_boards, no_board, refine_plane
from vision.boards.scan_parts import ReadBoard, ToPhoto, as_scan, held_at, table_around
from vision.boards.seen import SIDES, BoardScan, HeldPiece, Point, SpareTile
from vision.boards.tiles import (
    SIDE_PX,
    Evidence,
    TileReading,
    read_all_tiles,
    read_tiles,
    tile_bank,
    weigh,
    weigh_one,
    weigh_shown,
)
from vision.boards.top_view import FromAbove, from_above
from vision.photo.decode import Photo
from vision.photo.runtime import single_threaded_blas
from vision.photo.view import Reductions
from vision.scan import StageClock

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

#: Width (cells) of the examined area around the board, and its scale in pixels per cell.
ROUND_IT, ROUND_CELL_PX = 4.4, 60
#: Hidden share of a cell above which its tile is read again from the visible part.
COVERED_CELL = 0.1
#: Confidence above which a tile beside the board counts as lying there, and hides what is under it.
SPARE_SEEN = 0.3
#: Confidence from which the spare tile is used in reading the tiles in the cells.
SPARE_TELLS = 0.99


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
    plane = find_plane(pictures, known_boards({"": art}))
    if plane is None:
        raise no_board()
    plane = refine_plane(plane, pictures, art)
    clock.note("plane")
    above = from_above(pictures, plane.to_photo, art.ground_mm, art.px_per_mm)
    bank = tile_bank(art)
    evidence = weigh(above, art, bank, art.open_cells)
    readings = read_tiles(evidence, art)
    clock.note("tiles")
    round_it = table_around(pictures, plane, art, ROUND_IT, ROUND_CELL_PX / art.cell_mm)
    spare = find_loose_tile(round_it, art, _left_over(readings, art))
    beside = None
    if spare is not None and spare.confidence >= SPARE_TELLS:
        beside = weigh_one(cut_outs(round_it, art, spare), evidence, bank)
        readings, named = read_all_tiles(evidence, art, beside)
        spare = _named_again(spare, named)
    clock.note("spare")
    eye = eye_of(plane.to_photo, pictures.size)
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
    board = ReadBoard(laid.plane, art, laid.expected, look, laid.round_it, read, standing, discs)
    return as_scan(
        BoardScan,
        photo,
        board,
        clock,
        spare=_spare(beside, art, laid.plane.px),
        held=tuple(
            held_at(
                HeldPiece,
                art.discs[each.disc].id,
                each.at_mm,
                art.discs[each.disc].size_mm[0] / 2,
                each.confidence,
                board,
            )
            for each in held
        ),
    )


def _left_over(readings: Sequence[TileReading], art: BoardArt) -> list[int]:
    """Candidates for the spare tile: tiles with an unused copy, and tiles that are in doubt in some cell."""
    taken = Counter(reading.tile for reading in readings)
    over = [k for k, tile in enumerate(art.tiles) if taken[k] < tile.copies]
    doubted = [r for r in readings if r.tile_confidence < 0.9]
    over += [tile for r in doubted for tile in (r.tile, *(other for other, _ in r.others))]
    return list(dict.fromkeys(over))


def _spare(found: LooseTile | None, art: BoardArt, px: ToPhoto) -> SpareTile | None:
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
