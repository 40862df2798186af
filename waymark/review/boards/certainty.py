"""What on a read board is certain, and the cells to be looked at first by who looks the board over."""

from __future__ import annotations

from collections.abc import Sequence

from scorer.board_record import Board, Cell
from vision.boards.seen import BoardPiece, BoardScan
from waymark.review.boards.surety import Read, surety_of

#: Confidences required of every thing on a certain board. In 68 photos of `tuning-labyrinth2` (900 to 927;
#: with other tiles 950 to 965 and 1000 to 1023), all 283 figures, 46 facings, 424 discs and 2,200 tiles
#: with their turns at these confidences were right. All requirements together were met by 17 of 123 tuning
#: boards, 4 of them with other tiles than the open set's. None was wrong, which bounds the error rate by
#: 16% only (95%).
CERTAIN_FIGURE, CERTAIN_FACING, CERTAIN_DISC = 0.99, 0.93, 0.5
CERTAIN_TILE, CERTAIN_TURN, CERTAIN_SPARE = 0.99, 0.98, 0.95


def is_certain(scan: BoardScan, pieces: Sequence[BoardPiece], board: Board, told: Board | None) -> bool:
    """Whether all of a reading without doubts is certain; `pieces` are those taken from the reading.
    The players have to be stated, as an unused figure would be read as one too many. Possessions have to
    be known before or unread."""
    if told is None or not told.players or scan.warnings or scan.hidden or scan.spare is None:
        return False
    known = {player.name: player.holds for player in told.players}
    return (
        all(player.holds in (None, known.get(player.name)) for player in board.players)
        and scan.spare.confidence >= CERTAIN_SPARE
        and all(_is_certain_tile(tile.tile_confidence, tile.turn_confidence) for tile in scan.tiles)
        and all(_is_certain_piece(piece, piece.confidence, piece.facing_confidence) for piece in pieces)
    )


def doubtful_cells(now: Read) -> tuple[Cell, ...]:
    """The cells in which something read is not certain and no person has said what is there, row by row:
    those of open doubts, hidden ones, and those of tiles and pieces that a certain board would not have."""
    if now.by_hand:
        return ()
    sure, scan = surety_of(now), now.scan
    cells = {each.cell for each in now.doubts} | {
        option.cell for each in now.doubts for option in each.options if each.put is not None
    }
    cells |= {each.cell for each in scan.hidden} & sure.dark
    cells |= {cell for cell, lying in sure.tiles.items() if not _is_certain_tile(*lying)}
    standing = {(piece.piece, piece.cell) for piece in now.board.pieces or ()}
    for piece in scan.pieces:
        key = piece.piece, piece.cell
        if key in standing and not _is_certain_piece(
            piece, sure.pieces.get(key, 1.0), sure.facings.get(piece.piece, 1.0)
        ):
            cells.add(piece.cell)
    return tuple(sorted((cell for cell in cells if cell is not None), key=lambda cell: (cell[1], cell[0])))


def _is_certain_tile(tile: float, turn: float) -> bool:
    return tile >= CERTAIN_TILE and turn >= CERTAIN_TURN


def _is_certain_piece(piece: BoardPiece, confidence: float, facing: float) -> bool:
    return confidence >= (CERTAIN_DISC if piece.disc else CERTAIN_FIGURE) and facing >= CERTAIN_FACING
