"""Open questions about a photo of a layered board: its tiles and figures, and the facts that the game asks
for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import msgspec

from scorer.board_record import Board, Cell, Tile
from scorer.layered import LayerDoubt
from vision.boards.seen import Doubt, LayeredScan
from waymark.review.boards.confidence import CLEAR
from waymark.review.boards.question import BoardOption, BoardQuestion, as_question, cannot_tell, same
from waymark.review.boards.questions import (
    about_hidden,
    about_missing,
    about_piece,
    about_player,
    about_turn,
    about_unread,
    no_tile,
)

#: Margin (photo pixels) around a board's place in the picture of a question.
ABOUT_PX = 60


def layered_questions(
    scan: LayeredScan, board: Board, doubts: Sequence[LayerDoubt], missing: Sequence[str]
) -> list[BoardQuestion]:
    """All open questions of a layered reading; `missing` are the figures in play that were not found."""
    asked: list[BoardQuestion] = []
    for tile in scan.tiles:
        if tile.tile_confidence < CLEAR.tile:
            asked.append(
                _about_cell(tile.cell, "tile", (tile.tile, tile.rotation), tile.options, board, scan)
            )
        elif tile.turn_confidence < CLEAR.tile:
            number = [each.cell for each in board.tiles or ()].index(tile.cell)
            asked.append(about_turn(tile, number, board, scan))
    asked += [
        _about_cell(gap.cell, "gap", None, gap.options, board, scan)
        for gap in scan.gaps
        if gap.confidence < CLEAR.tile
    ]
    there = {piece.piece: number for number, piece in enumerate(board.pieces or ())}
    for piece in scan.pieces:
        if piece.confidence < CLEAR.figure and piece.piece in there:
            asked.append(about_piece(piece, there[piece.piece], board, scan))
    asked += [about_unread(each, board, scan) for each in scan.unread if each.piece not in missing]
    asked += [_told(each, board, scan) for each in doubts]
    asked += [about_missing(name, board, scan) for name in missing]
    for hidden in scan.hidden:
        asked.append(about_hidden(hidden.cell, missing, board, scan))
    return asked


def _about_cell(
    cell: Cell,
    reason: str,
    read: tuple[str, int] | None,
    options: Sequence[tuple[str, int]],
    board: Board,
    scan: LayeredScan,
) -> BoardQuestion:
    """The question which tile, if any, lies in a cell; an option changes that cell alone."""
    doubt = Doubt("tile", reason, cell, () if read is None else (read[0],), scan.box_px(cell))
    own = None if read is None else read[0]
    answers = [BoardOption(no_tile() if own is None else same(own), board, piece=own)]
    others: list[tuple[str, int] | None] = [each if each[0] else None for each in options]
    for other in others:
        kept = [tile for tile in board.tiles or () if tile.cell != cell]
        if other is not None:
            kept.append(Tile(tile=other[0], column=cell[0], row=cell[1], rotation=cast(Any, other[1])))
        name = None if other is None else other[0]
        made = msgspec.structs.replace(board, tiles=tuple(kept))
        answers.append(BoardOption(no_tile() if name is None else same(name), made, piece=name))
    return as_question(doubt, answers)


def _told(doubt: LayerDoubt, board: Board, scan: LayeredScan) -> BoardQuestion:
    """The question for a doubt that the game reports, with its region in the photo."""
    crop = None
    if doubt.place is not None:
        x, y = scan.places_px[f"{doubt.place.board}/{doubt.place.place}"]
        crop = (round(x - ABOUT_PX), round(y - ABOUT_PX), round(x + ABOUT_PX), round(y + ABOUT_PX))
    elif doubt.cell is not None:
        crop = scan.box_px(doubt.cell)
    about = Doubt(cast(Any, doubt.about), doubt.reason, doubt.cell, (), crop)
    player = next((each for each in board.players if each.name == doubt.player), None)
    if player is not None and not doubt.options:
        question = about_player(about, player, board)
    else:
        options = [BoardOption(each.words, each.board, each.piece) for each in doubt.options]
        # only the player knows those of the player's things that are not visible
        options += [cannot_tell(board)] if doubt.about == "held" else []
        question = as_question(
            about, options, pieces=doubt.pieces, player=doubt.player, open_ended=doubt.about == "held"
        )
    on = None if doubt.place is None or doubt.cell is None else doubt.place.board
    return replace(question, name=f"{doubt.about}:{doubt.name}", on=on)
