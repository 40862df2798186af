"""Validation of records: names, cells and settings that are impossible. Any other arrangement counts as a
position, however odd."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from scorer.board_problems import check_names
from scorer.board_record import Board, BoardPlayer, GridSize, bad_record, beside_form, board_from
from scorer.house_settings import check_house
from scorer.stone_dragon.rules.house import House
from scorer.stone_dragon.rules.pieces import SIDE, Count, Pieces
from scorer.text import Text

GAME = "stone_dragon"
NAME = Text("Labyrinth of Stone Dragon")
GRID = GridSize(columns=SIDE, rows=SIDE)
#: Beside the panels.
SPARE = "spare"
#: Nobody's name: the target of an attack on it.
DRAGON = "dragon"

LaidSide = Literal["points", "bonus", "spent"]
Phase = Literal["setup", "play"]


class LaidCard(msgspec.Struct, frozen=True, kw_only=True):
    """A victory card that was shown, and its use; None where not recognised."""

    card: str | None
    side: LaidSide | None


class Seat(msgspec.Struct, frozen=True, kw_only=True):
    """The fields that the game adds to the shared record of a player."""

    character: str | None = None
    life: Count | None = None
    coins: Count | None = None
    equipped: tuple[str, ...] = ()
    victory: tuple[LaidCard, ...] = ()


class DragonTold(msgspec.Struct, frozen=True, kw_only=True):
    piece: str | None = None
    life: Count | None = None


class Top(msgspec.Struct, frozen=True, kw_only=True):
    """The top-level fields that the game adds to the shared board record."""

    dragon: DragonTold = DragonTold()
    phase: Phase = "play"


def board_told(told: Mapping[str, Any], pieces: Pieces) -> Board:
    """A board record of this game from decoded JSON. Raises `WaymarkError`."""
    board = board_from({"grid": msgspec.to_builtins(GRID)} | dict(told))
    return check_board(board, pieces)


def top_of(board: Board) -> Top:
    """The top-level fields that the game adds to the shared board record. Raises `WaymarkError`
    (bad-record)."""
    return beside_form(board.more, Top)


def seat_of(player: BoardPlayer) -> Seat:
    """The fields that the game adds to a player's record. Raises `WaymarkError` (bad-record)."""
    return beside_form(player.more, Seat)


def check_board(board: Board, pieces: Pieces) -> Board:
    """The board, if all in it has its place. Raises `WaymarkError`."""
    if board.game != GAME:
        raise bad_record(Text("its game is {game!r}", game=board.game))
    if not board.players:
        raise bad_record(Text("it has no players"))
    catalogue, top = pieces.catalogue, top_of(board)
    for tile in board.tiles or ():
        check_names(catalogue, [tile.tile], pieces.backs if tile.face == "down" else pieces.panels)
    for spare in board.spare or ():
        check_names(catalogue, [spare.tile], {*pieces.panels, *pieces.backs})
    check_names(catalogue, [piece.piece for piece in board.pieces or ()], pieces.pawns)
    for piece in board.pieces or ():
        if piece.on not in (None, SPARE):
            raise bad_record(Text("there is no board {on!r}", on=piece.on))
    check_names(catalogue, [top.dragon.piece], pieces.pawns)
    for player in board.players:
        _check_player(player, top, pieces)
    check_house(House, board.house)
    return board


def _check_player(player: BoardPlayer, top: Top, pieces: Pieces) -> None:
    catalogue, seat = pieces.catalogue, seat_of(player)
    if player.name == DRAGON:
        raise bad_record(Text("a player is called 'dragon'"))
    check_names(catalogue, [player.piece], pieces.pawns)
    if player.piece is not None and player.piece == top.dragon.piece:
        raise bad_record(Text("{piece!r} is the dragon's pawn", piece=player.piece))
    check_names(catalogue, [seat.character], pieces.characters)
    chips = {*pieces.chips, *pieces.lives, *pieces.coins}
    dungeon = {*pieces.monsters, *pieces.items, *pieces.curses}
    check_names(catalogue, player.holds or (), chips | dungeon)
    check_names(catalogue, seat.equipped, chips)
    check_names(catalogue, [laid.card for laid in seat.victory], pieces.victories)
    check_names(catalogue, player.hand or (), pieces.victories)
