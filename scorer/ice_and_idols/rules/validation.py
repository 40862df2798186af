"""Validation of records: names, cells and settings that are impossible. Any other arrangement counts as a
position, however odd."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from scorer.board_problems import check_names
from scorer.board_record import Board, BoardPlayer, GridSize, bad_record, beside_form, board_from
from scorer.board_turn import check_cell
from scorer.catalogue import Side
from scorer.house_settings import check_house
from scorer.ice_and_idols.rules.house import House
from scorer.ice_and_idols.rules.pieces import SIGNS, BorderName, IdolKind, Pieces
from scorer.ice_and_idols.rules.temple_frame import SIDE
from scorer.record import Rotation
from scorer.text import Text

GAME = "ice_and_idols"
NAME = Text("Ice and Idols")
GRID = GridSize(columns=SIDE, rows=SIDE)
RESEARCH = "research"
DISCARD, BOX = "discard", "box"
#: Beside the temple.
SPARE = "spare"


class GroundPiece(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the map: its top-left cell on the map, and how it is turned there."""

    tile: str | None
    column: int = 0
    row: int = 0
    rotation: Rotation | None = 0


class Ground(msgspec.Struct, frozen=True, kw_only=True):
    """The map under the temple with its rotation; None where not recognised."""

    rotation: Rotation | None = 0

    @property
    def is_read(self) -> bool:
        """Whether the map was recognised completely."""
        return self.rotation is not None and all(
            each.tile is not None and each.rotation is not None for each in self.tiles
        )

    tiles: tuple[GroundPiece, ...] = ()


class Goal(msgspec.Struct, frozen=True, kw_only=True):
    """The target of a movement query; exactly one of the four fields is given."""

    cell: tuple[int, int] | None = None
    map: tuple[int, int] | None = None
    idol: IdolKind | None = None
    altar: IdolKind | None = None


Means = Literal["jade", "ruby", "gold", "character"]


class Cheapest(msgspec.Struct, frozen=True, kw_only=True):
    player: str
    to: Goal
    with_: tuple[Means, ...] = msgspec.field(default=("jade", "ruby", "gold", "character"), name="with")
    limit: Annotated[int, msgspec.Meta(ge=0, le=7)] | None = None


class Ask(msgspec.Struct, frozen=True, kw_only=True):
    ap: Annotated[int, msgspec.Meta(ge=0, le=100)] | None = None
    cheapest: Cheapest | None = None


class Top(msgspec.Struct, frozen=True, kw_only=True):
    """The top-level fields that the game adds to the shared board record; None means unknown."""

    borders: dict[Side, BorderName] | None = None
    ground: Ground | None = None
    boards: dict[str, dict[str, Any]] | None = None
    ask: Ask = Ask()


class Seat(msgspec.Struct, frozen=True, kw_only=True):
    """The fields that the game adds to the shared record of a player."""

    powers: tuple[IdolKind, ...] = ()


def board_told(told: Mapping[str, Any], pieces: Pieces) -> Board:
    """A board record of this game from decoded JSON. Raises `WaymarkError`."""
    return check_board(board_from(dict(told), anywhere=True), pieces)


def top_of(board: Board) -> Top:
    """The top-level fields that the game adds to the shared board record. Raises `WaymarkError`
    (bad-record)."""
    return beside_form(board.more, Top)


def seat_of(player: BoardPlayer) -> Seat:
    """The fields that the game adds to a player's record. Raises `WaymarkError` (bad-record)."""
    return beside_form(player.more, Seat)


def check_board(board: Board, pieces: Pieces) -> Board:
    """The same board, after a check of all names and cells in it. Raises `WaymarkError`."""
    if board.game != GAME:
        raise bad_record(Text("its game is {game!r}", game=board.game))
    if board.grid is not None and board.grid != GRID:
        raise bad_record(Text("the grid has 5 x 5 cells"))
    catalogue, top = pieces.catalogue, top_of(board)
    check_names(catalogue, [tile.tile for tile in board.tiles or ()], pieces.tiles)
    check_names(catalogue, [tile.tile for tile in board.spare or ()], pieces.tiles)
    names = {player.name for player in board.players}
    for spare in board.spare or ():
        if spare.at is not None and spare.at not in {*names, DISCARD, BOX}:
            raise bad_record(Text("nobody is called {at!r}", at=spare.at))
    for piece in board.pieces or ():
        if piece.on == RESEARCH:
            check_names(catalogue, [piece.piece], {*pieces.cubes, *pieces.tokens})
        elif piece.on in (None, SPARE):
            check_names(catalogue, [piece.piece], pieces.characters)
        else:
            raise bad_record(Text("there is no board {on!r}", on=piece.on))
    if top.ground is not None:
        check_names(catalogue, [each.tile for each in top.ground.tiles], pieces.maps)
    for player in board.players:
        _check_player(player, pieces)
    check_house(House, board.house)
    _check_ask(top.ask, names)
    return board


def _check_player(player: BoardPlayer, pieces: Pieces) -> None:
    catalogue, seat = pieces.catalogue, seat_of(player)
    check_names(catalogue, [player.piece], pieces.characters)
    check_names(catalogue, player.holds or (), {*pieces.idols, *SIGNS})
    check_names(catalogue, player.hand or (), pieces.keys)
    if len(player.hand or ()) > 1:
        raise bad_record(Text("{player!r} has more than one key card", player=player.name))
    if len(set(seat.powers)) < len(seat.powers):
        raise bad_record(Text("{player!r} has a power twice", player=player.name))


def _check_ask(ask: Ask, names: set[str]) -> None:
    cheapest = ask.cheapest
    if cheapest is None:
        return
    if cheapest.player not in names:
        raise bad_record(Text("nobody is called {player!r}", player=cheapest.player))
    goal = cheapest.to
    told = [each for each in (goal.cell, goal.map, goal.idol, goal.altar) if each is not None]
    if len(told) != 1:
        raise bad_record(Text("`to` names one goal"))
    for cell in (goal.cell, goal.map):
        if cell is not None:
            check_cell(cell, SIDE)
