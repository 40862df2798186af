"""Scan of a board made of loose square pieces: photo -> grid, pieces, and the chips and cards beside it.

A photo cannot show which side is the top, so the side that is uppermost in it is used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.catalogue import Catalogue
from vision.boards.art import CELL_PX, BoardArt, Flat, Picture
from vision.boards.board_discs import discs_beside
from vision.boards.cards import CardBank, CardSight, card_bank, find_cards, find_more_cards
from vision.boards.discs import disc_bank
from vision.boards.expected import Expected, colour_planes, expect
from vision.boards.figure_fit import Standing
from vision.boards.panel_plane import PanelBank, find_lattice, panel_bank
from vision.boards.pawns import read_figures
from vision.boards.plane import BoardPlane, FromAbove, eye_of, from_above, no_board, refine_plane
from vision.boards.scan_grid import board_pieces, board_tiles, hidden_cells, seat_before, sides_in_view
from vision.boards.seen import BoardScan, HeldPiece
from vision.boards.tiles import TileReading, read_tiles, tile_bank, weigh
from vision.cards.index import is_known_by_sight
from vision.photo import geometry
from vision.photo.decode import Photo
from vision.photo.runtime import single_threaded_blas
from vision.photo.view import Reductions
from vision.scan import StageClock

Array = NDArray[np.float64]
Floats = NDArray[np.float32]
Point = tuple[float, float]

#: Width (cells) of the examined area around the board, and its scale.
ROUND_IT, ROUND_PX_PER_MM = 4.2, 2.0
#: Least correlation of a disc with its art, and its lead over the next disc at full confidence.
DISC, DISC_LEAD = 0.62, 0.05
#: Least confidence of a piece used in refining the homography.
HELPFUL = 0.8
#: Largest shift of the board (cells) from the grid first found, and the most nats counted for a cell.
ASIDE, MOST_NATS = 2, 25.0
#: Excess brightness (levels of `colour_planes`) above which a pixel may be a specular highlight.
SHINE = 8.0


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
class LooseBoard:
    """The art of a board of loose pieces: its `panels`, and the `cards` that lie beside it."""

    art: BoardArt
    panels: PanelBank
    cards: CardBank


def loose_board(catalogue: Catalogue, art: BoardArt) -> LooseBoard:
    """The `LooseBoard` of a catalogue, computed once and cached. Raises `WaymarkError` (art-unreadable)."""
    kept: LooseBoard | None = vars(catalogue).get("loose_board")
    if kept is None:
        seen = [card for card in catalogue.cards if is_known_by_sight(card)]
        flat = [card for card in seen if card.kind == "card"]
        kept = vars(catalogue)["loose_board"] = LooseBoard(
            art, panel_bank(art.tiles), card_bank(catalogue, flat)
        )
    return kept


@single_threaded_blas()
def scan_loose_board(
    photo: Photo, board: LooseBoard, on_stage: Callable[[str], None] | None = None
) -> LooseScan:
    """Reads a photo of a board of loose pieces. Raises `WaymarkError` (no-card, status 4) if no board is
    found."""
    clock = StageClock(on_stage)
    pictures = Reductions(photo)
    lattice = find_lattice(pictures, board.panels, board.art.columns, board.art.rows)
    if lattice is None:
        raise no_board()
    art = _spaced(board.art, lattice.pitch)
    to_cells = np.diag([1 / art.cell_mm, 1 / art.cell_mm, 1.0])
    plane = BoardPlane(lattice.to_photo @ to_cells, lattice.pieces)
    bank = tile_bank(art)
    plane = _about_all(plane, pictures, art, bank)
    above = from_above(pictures, plane.to_photo, art.ground_mm, art.px_per_mm)
    readings = read_tiles(weigh(above, art, bank, art.cells), art)
    art = _with_ground(art, readings)
    plane = refine_plane(plane, pictures, art)
    clock.note("plane")
    above = from_above(pictures, plane.to_photo, art.ground_mm, art.px_per_mm)
    readings = read_tiles(weigh(above, art, bank, art.cells), art)
    art = replace(_with_ground(art, readings), printed={})
    clock.note("tiles")
    expected = expect(above, art, readings)
    look = Standing(expected, art, eye_of(plane, (photo.width, photo.height)).place_mm)
    leave_out_shine(look, expected)
    standing = read_figures(look, expected)
    clock.note("pieces")
    left, top, right, bottom = art.ground_mm
    reach = ROUND_IT * art.cell_mm
    round_it = from_above(
        pictures, plane.to_photo, (left - reach, top - reach, right + reach, bottom + reach), ROUND_PX_PER_MM
    )
    cards = find_cards(round_it, board.cards, art.ground_mm)
    cards = find_more_cards(round_it, board.cards, art.ground_mm, cards)
    clock.note("cards")

    px = plane.px
    held = [*_cards_held(cards, board.cards, art, px), *_discs_held(round_it, art, px)]
    clock.note("held")
    pieces, unread = board_pieces((), standing, look, art, px)
    return LooseScan(
        width=photo.width,
        height=photo.height,
        warnings=photo.warnings,
        to_photo=tuple(tuple(float(x) for x in row) for row in plane.to_photo),
        grid_px=px(geometry.rectangle(art.columns * art.cell_mm, art.rows * art.cell_mm)),
        tiles=board_tiles(readings, art, px),
        spare=None,
        pieces=pieces,
        held=tuple(held),
        hidden=hidden_cells(look, expected, art),
        unread=unread,
        seats_in_view=sides_in_view(round_it, art),
        timings_ms=clock.total(),
    )


def _about_all(plane: BoardPlane, pictures: Reductions, art: BoardArt, bank: Floats) -> BoardPlane:
    """The homography shifted by whole cells, so that the grid covers the cells with most evidence of pieces.

    Features alone may leave out a whole row.
    """
    cells = [
        (column, row)
        for row in range(-ASIDE, art.rows + ASIDE)
        for column in range(-ASIDE, art.columns + ASIDE)
    ]
    reach = ASIDE * art.cell_mm
    area = (-reach, -reach, art.columns * art.cell_mm + reach, art.rows * art.cell_mm + reach)
    wide = from_above(pictures, plane.to_photo, area, art.px_per_mm)
    nats = weigh(wide, art, bank, cells).nats.max(axis=(1, 2))
    worth = nats.clip(0, MOST_NATS).reshape(art.rows + 2 * ASIDE, art.columns + 2 * ASIDE)
    total = {
        (column, row): float(worth[row : row + art.rows, column : column + art.columns].sum())
        for row in range(2 * ASIDE + 1)
        for column in range(2 * ASIDE + 1)
    }
    column, row = max(total, key=lambda corner: (total[corner], corner == (ASIDE, ASIDE)))
    shift = np.eye(3)
    shift[:2, 2] = (column - ASIDE) * art.cell_mm, (row - ASIDE) * art.cell_mm
    return BoardPlane(plane.to_photo @ shift, plane.matches)


def leave_out_shine(look: Standing, expected: Expected) -> None:
    """Removes specular highlights from the residual: pixels brighter than the board in its own colours."""
    off = colour_planes(expected.plain) - colour_planes(expected.art)
    shine = (off[..., 0] > SHINE) & (np.abs(off[..., 1:]).sum(axis=2) < 1.2 * off[..., 0])
    wide = cv2.dilate(shine.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    rim = look.rim
    height, width = shine.shape
    look.unlike[rim : rim + height, rim : rim + width][wide] = 0
    look.explain(np.zeros((0, 2), np.int64))


def _spaced(art: BoardArt, pitch: float) -> BoardArt:
    """The board's art with cells larger than its pieces by `pitch`; the gaps repeat the pieces' edges."""
    side = round(CELL_PX / pitch)
    rim = CELL_PX - side

    def wide(picture: Picture) -> Picture:
        small = cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA)
        low, high = rim // 2, rim - rim // 2
        return np.asarray(cv2.copyMakeBorder(small, low, high, low, high, cv2.BORDER_REPLICATE), np.uint8)

    tiles = tuple(replace(tile, picture=wide(tile.picture)) for tile in art.tiles)
    cell_mm = art.cell_mm * pitch
    size = (art.columns * CELL_PX, art.rows * CELL_PX)
    return replace(
        art,
        cell_mm=cell_mm,
        px_per_mm=CELL_PX / cell_mm,
        tiles=tiles,
        ground=np.zeros((size[1], size[0], 3), np.uint8),
        ground_mm=(0.0, 0.0, art.columns * cell_mm, art.rows * cell_mm),
        drawn=np.zeros((size[1], size[0]), bool),
        standing=tuple(_at_scale(each, CELL_PX / cell_mm) for each in art.standing),
    )


def _at_scale(piece: Flat, px_per_mm: float) -> Flat:
    size = (max(4, round(piece.size_mm[0] * px_per_mm)), max(4, round(piece.size_mm[1] * px_per_mm)))
    return replace(
        piece, picture=np.asarray(cv2.resize(piece.picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    )


def _with_ground(art: BoardArt, readings: Sequence[TileReading]) -> BoardArt:
    """The board's art with the pieces that were read as part of its print, for refining the homography."""
    ground = art.ground.copy()
    printed = {}
    for reading in readings:
        column, row = reading.cell
        at = (slice(row * CELL_PX, (row + 1) * CELL_PX), slice(column * CELL_PX, (column + 1) * CELL_PX))
        ground[at] = np.rot90(art.tiles[reading.tile].picture, -reading.rotation // 90)
        if reading.tile_confidence > HELPFUL:
            printed[reading.cell] = (art.tiles[reading.tile].id, reading.rotation)
    return replace(art, ground=ground, printed=printed)


def _cards_held(
    cards: Sequence[CardSight], bank: CardBank, art: BoardArt, px: Callable[[Array], tuple[Point, ...]]
) -> list[LaidPiece]:
    sizes = dict(zip(bank.ids, bank.sizes_mm, strict=True))
    found = []
    for sight in cards:
        height = sizes[sight.card][1]
        middle, edge = px(np.array([sight.at_mm, (sight.at_mm[0] + height / 2, sight.at_mm[1])]))
        found.append(
            LaidPiece(
                sight.card,
                seat_before(sight.at_mm, art),
                middle,
                round(sight.confidence, 3),
                round(float(np.hypot(*np.subtract(middle, edge))), 1),
                sight.at_mm,
                round(sight.turn_deg % 360, 1),
                sight.others,
            )
        )
    return found


def _discs_held(
    round_it: FromAbove, art: BoardArt, px: Callable[[Array], tuple[Point, ...]]
) -> list[LaidPiece]:
    """Discs beside the board, including discs on cards."""
    kept: list[LaidPiece] = []
    for sight in discs_beside(round_it, art, disc_bank(art.discs), DISC):
        radius = art.discs[sight.disc].size_mm[0] / 2
        middle, edge = px(np.array([sight.at_mm, (sight.at_mm[0] + radius, sight.at_mm[1])]))
        sure = np.clip(sight.lead / DISC_LEAD, 0, 1) * np.clip((sight.likeness - DISC + 0.04) / 0.12, 0, 1)
        kept.append(
            LaidPiece(
                art.discs[sight.disc].id,
                seat_before(sight.at_mm, art),
                middle,
                round(float(sure), 3),
                round(float(np.hypot(*np.subtract(middle, edge))), 1),
                sight.at_mm,
                None,
                tuple(art.discs[other].id for other in sight.others[:2]),
            )
        )
    return kept
