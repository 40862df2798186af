"""Validation of records: names, cells and settings that are impossible. Any other arrangement counts as a
position, however odd."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scorer.board_problems import check_names
from scorer.board_record import Board, BoardPlayer, GridSize, bad_record, board_from
from scorer.house_settings import check_house, house_of
from scorer.labyrinth2.rules.house import House
from scorer.labyrinth2.rules.pieces import SIDE, Pieces
from scorer.labyrinth2.rules.position import ARROWS, ON_SPARE
from scorer.text import Text

GAME = "labyrinth2"
NAME = Text("Labyrinth 2")
GRID = GridSize(columns=SIDE, rows=SIDE)


def board_told(told: Mapping[str, Any], pieces: Pieces, *, before: Board | None = None) -> Board:
    """A board record of this game from decoded JSON; one that shows how a table lies after a turn is played
    by the settings of the board `before`. Raises `WaymarkError`."""
    board = board_from({"grid": {"columns": SIDE, "rows": SIDE}} | dict(told))
    return check_board(board, pieces, before=before)


def check_board(board: Board, pieces: Pieces, *, before: Board | None = None) -> Board:
    """The same board, after a check of all names and cells in it. Raises `WaymarkError`."""
    if board.game != GAME:
        raise bad_record(Text("its game is {game!r}", game=board.game))
    if board.grid is not None and board.grid != GRID:
        raise bad_record(Text("the grid has 7 x 7 cells"))
    for tile in board.tiles or ():
        if tile.face == "down":
            if tile.tile is not None:
                pieces.catalogue.card(tile.tile)
        else:
            check_names(pieces.catalogue, [tile.tile], pieces.sides)
    for spare in board.spare or ():
        check_names(pieces.catalogue, [spare.tile], pieces.loose)
        if spare.at is not None:
            check_arrow(spare.at)
    for piece in board.pieces or ():
        on_spare = piece.on == ON_SPARE
        check_names(
            pieces.catalogue,
            [piece.piece],
            pieces.treasures if on_spare else {**pieces.treasures, **pieces.figures},
        )
        if piece.on is not None and not on_spare:
            raise bad_record(Text("there is no board {on!r}", on=piece.on))
    check_house(House, board.house)
    _check_places(board, pieces, house_of(House, (before or board).house))
    for player in board.players:
        _check_player(player, pieces)
    if not isinstance(board.more.get("extra_done", False), bool):
        raise bad_record(Text("extra_done is true or false"))
    return board


def _check_places(board: Board, pieces: Pieces, house: House) -> None:
    """Raises `WaymarkError` (bad-record) for a treasure or gargoyle that lies nowhere, and for a treasure on
    the spare tile where tables do not play so."""
    for piece in board.pieces or ():
        if piece.on == ON_SPARE:
            if house.pushed_chip != ON_SPARE:
                raise bad_record(
                    Text(
                        "{piece!r} is on the spare tile, which the setting pushed_chip=spare allows",
                        piece=piece.piece,
                    )
                )
        elif piece.cell is None and (
            piece.piece in pieces.treasures or pieces.figures.get(piece.piece or "") == "gargoyle"
        ):
            raise bad_record(Text("{piece!r} has no column and row", piece=piece.piece))


def _check_player(player: BoardPlayer, pieces: Pieces) -> None:
    explorers = {name for name, role in pieces.figures.items() if role == "explorer"}
    check_names(pieces.catalogue, [player.piece], explorers)
    check_names(pieces.catalogue, player.holds or (), {*pieces.treasures, *pieces.coins, *pieces.dragons})
    check_names(pieces.catalogue, player.hand or (), pieces.cards)


def check_arrow(arrow: str) -> None:
    """Check the name of an arrow. Raises `WaymarkError` (bad-record) for an unknown one."""
    if arrow not in ARROWS:
        raise bad_record(Text("there is no arrow {arrow!r}", arrow=arrow))
