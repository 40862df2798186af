"""Whether a board that was read may be told as sure before anybody has looked it over."""

from __future__ import annotations

from collections.abc import Sequence

from scorer.board_record import Board
from vision.board_seen import BoardPiece, BoardScan

#: All that is read has to be as sure as this. Of what was, in 68 photos of `tuning-labyrinth2` (900 to 927;
#: of other tiles 950 to 965 and 1000 to 1023), all 283 figures, 46 facings, 424 discs, and 2,200 tiles with
#: their turns were right. A board is all that at once: 17 of 123 tuning boards came to it, 4 of them of other
#: tiles than the open set's, and none was wrong, which proves no more than 16% (95%).
CERTAIN_FIGURE, CERTAIN_FACING, CERTAIN_DISC = 0.99, 0.93, 0.5
CERTAIN_TILE, CERTAIN_TURN, CERTAIN_SPARE = 0.99, 0.98, 0.95


def is_certain(scan: BoardScan, pieces: Sequence[BoardPiece], board: Board, told: Board | None) -> bool:
    """Whether all of a reading without doubts is certain: `pieces` are those told of it. People have to have
    told who plays, as a figure that nobody plays with would be one too many; and what lies before them is
    only what was known before, or is not told."""
    if told is None or not told.players or scan.warnings or scan.hidden or scan.spare is None:
        return False
    known = {player.name: player.holds for player in told.players}
    return (
        all(player.holds in (None, known.get(player.name)) for player in board.players)
        and scan.spare.confidence >= CERTAIN_SPARE
        and all(
            tile.tile_confidence >= CERTAIN_TILE and tile.turn_confidence >= CERTAIN_TURN
            for tile in scan.tiles
        )
        and all(
            piece.confidence >= (CERTAIN_DISC if piece.disc else CERTAIN_FIGURE)
            and piece.facing_confidence >= CERTAIN_FACING
            for piece in pieces
        )
    )
