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
from vision.boards.art import CELL_PX, BoardArt, Flat, Picture, flat_of
from vision.boards.board_discs import discs_beside
from vision.boards.camera import eye_of
from vision.boards.cards import CardBank, CardSight, card_bank, find_cards, find_more_cards
from vision.boards.discs import disc_bank
from vision.boards.expected import expect
from vision.boards.figure_fit import Standing
from vision.boards.panel_plane import find_lattice, fullest_window, panel_bank
from vision.boards.pawns import read_figures
from vision.boards.plane import BoardPlane, no_board, refine_plane
from vision.boards.scan_parts import ReadBoard, as_scan, held_at, leave_out_shine, table_around
from vision.boards.seen import LaidPiece, LooseScan
from vision.boards.sift import PieceFeatures
from vision.boards.tiles import read_tiles, tile_bank, weigh, with_tiles
from vision.boards.top_view import from_above
from vision.cards.index import is_known_by_sight
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
#: Largest shift of the board (cells) from the grid first found, and the most nats counted for a cell.
ASIDE, MOST_NATS = 2, 25.0


@dataclass(frozen=True)
class LooseBoard:
    """The art of a board of loose pieces: its `panels`, and the `cards` that lie beside it."""

    art: BoardArt
    panels: PieceFeatures
    cards: CardBank


def loose_board(catalogue: Catalogue, art: BoardArt) -> LooseBoard:
    """The `LooseBoard` of a catalogue, computed once and cached. Raises `WaymarkError` (art-unreadable)."""
    kept: LooseBoard | None = vars(catalogue).get("loose_board")
    if kept is None:
        seen = [card for card in catalogue.cards if is_known_by_sight(card)]
        flat = [card for card in seen if card.kind == "card"]
        kept = vars(catalogue)["loose_board"] = LooseBoard(
            art,
            panel_bank(art.tiles),
            card_bank([flat_of(catalogue, card, ROUND_PX_PER_MM) for card in flat]),
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
    art = with_tiles(art, readings)
    plane = refine_plane(plane, pictures, art)
    clock.note("plane")
    above = from_above(pictures, plane.to_photo, art.ground_mm, art.px_per_mm)
    readings = read_tiles(weigh(above, art, bank, art.cells), art)
    art = replace(with_tiles(art, readings), printed={})
    clock.note("tiles")
    expected = expect(above, art, readings)
    look = Standing(expected, art, eye_of(plane.to_photo, (photo.width, photo.height)).place_mm)
    leave_out_shine(look, expected)
    standing = read_figures(look, expected)
    clock.note("pieces")
    round_it = table_around(pictures, plane, art, ROUND_IT, ROUND_PX_PER_MM)
    cards = find_cards(round_it, board.cards, art.ground_mm)
    cards = find_more_cards(round_it, board.cards, art.ground_mm, cards)
    clock.note("cards")

    read = ReadBoard(plane, art, expected, look, round_it, readings, standing)
    held = [*_cards_held(cards, board.cards, read), *_discs_held(read)]
    clock.note("held")
    return as_scan(LooseScan, photo, read, clock, held=tuple(held))


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
    column, row = fullest_window(worth, art.columns, art.rows)
    shift = np.eye(3)
    shift[:2, 2] = (column - ASIDE) * art.cell_mm, (row - ASIDE) * art.cell_mm
    return BoardPlane(plane.to_photo @ shift, plane.matches)


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


def _cards_held(cards: Sequence[CardSight], bank: CardBank, read: ReadBoard) -> list[LaidPiece]:
    heights = {name: size[1] for name, size in zip(bank.ids, bank.sizes_mm, strict=True)}
    return [
        held_at(
            LaidPiece,
            sight.card,
            sight.at_mm,
            heights[sight.card] / 2,
            sight.confidence,
            read,
            at_mm=sight.at_mm,
            turn_deg=round(sight.turn_deg % 360, 1),
            others=sight.others,
        )
        for sight in cards
    ]


def _discs_held(read: ReadBoard) -> list[LaidPiece]:
    """Discs beside the board, including discs on cards."""
    discs, found = read.art.discs, []
    for sight in discs_beside(read.round_it, read.art, disc_bank(discs), DISC):
        sure = np.clip(sight.lead / DISC_LEAD, 0, 1) * np.clip((sight.likeness - DISC + 0.04) / 0.12, 0, 1)
        own = discs[sight.disc]
        others = tuple(discs[other].id for other in sight.others[:2])
        found.append(
            held_at(
                LaidPiece,
                own.id,
                sight.at_mm,
                own.size_mm[0] / 2,
                sure,
                read,
                at_mm=sight.at_mm,
                others=others,
            )
        )
    return found
