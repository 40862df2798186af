"""Edits that people make to a board on a touch screen: of a tile, its rotation, a piece, or a player's
holdings.

Each edit is one small value and is kept as entered. A board can be rebuilt from its reading and its edits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, TypeAlias

import msgspec

from scorer.board_game import BoardGame
from scorer.board_record import Board, Cell, Face, Piece, SpareTile, Tile, bad_record, board_told
from scorer.catalogue import Catalogue, Side
from scorer.json_faults import as_form
from scorer.record import Rotation

Count = Annotated[int, msgspec.Meta(ge=0, le=1_000)]


class _Edit(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", forbid_unknown_fields=True):
    pass


class PutTile(_Edit, frozen=True, kw_only=True, tag="tile"):
    """Edit: a tile is placed in a cell with a rotation; None removes the cell's tile. If all copies of the
    tile are on the board already, one of them swaps places with the cell's former tile."""

    cell: Cell
    tile: str | None
    rotation: Rotation = 0
    face: Face = "up"


class PutSpare(_Edit, frozen=True, kw_only=True, tag="spare"):
    """Edit: the tile beside the board; `at` is its place, in the game's words."""

    tile: str
    rotation: Rotation | None = None
    at: str | None = None


class PutPiece(_Edit, frozen=True, kw_only=True, tag="piece"):
    """Edit: a piece is placed in a cell; None removes it. `from_` is the cell of the copy that moves. Without
    it another copy is added, as far as there are any."""

    piece: str
    cell: Cell | None
    from_: Cell | None = msgspec.field(default=None, name="from")
    facing: Side | None = None
    on: str | None = None


class Hold(_Edit, frozen=True, kw_only=True, tag="holds"):
    """Edit: a player holds this number of one kind of thing."""

    player: str
    what: str
    count: Count


class TellPlayer(_Edit, frozen=True, kw_only=True, tag="player"):
    """Edit: further fields of a player's record, by field name."""

    player: str
    told: dict[str, Any]


class TellTop(_Edit, frozen=True, kw_only=True, tag="top"):
    """Edit: further top-level fields of the board record, by field name."""

    told: dict[str, Any]


class ToMove(_Edit, frozen=True, kw_only=True, tag="to_move"):
    player: str


class WholeRecord(_Edit, frozen=True, kw_only=True, tag="record"):
    """Edit: the complete board record, which replaces the board."""

    record: dict[str, Any]


Edit: TypeAlias = PutTile | PutSpare | PutPiece | Hold | TellPlayer | TellTop | ToMove | WholeRecord


def edit_told(told: Mapping[str, Any]) -> Edit:
    """An edit from plain data. Raises `WaymarkError` (bad-record)."""
    form: Any = Edit
    made: Edit = as_form(dict(told), form, bad_record)
    return made


def edited(game: BoardGame, catalogue: Catalogue, board: Board, edits: Iterable[Edit]) -> Board:
    """The board after a sequence of edits. Raises `WaymarkError`."""
    for edit in edits:
        board = _edited(game, catalogue, board, edit)
    game.rules.board(catalogue, board)  # names and cells have to be the game's
    return board


def cells_of(edit: Edit) -> tuple[Cell, ...]:
    """The cells at which a person made an edit."""
    match edit:
        case PutTile():
            return (edit.cell,)
        case PutPiece():
            return tuple(cell for cell in (edit.cell, edit.from_) if cell is not None)
        case _:
            return ()


def _edited(game: BoardGame, catalogue: Catalogue, board: Board, edit: Edit) -> Board:
    match edit:
        case PutTile():
            return _with_tile(catalogue, board, edit)
        case PutSpare():
            lying = SpareTile(tile=edit.tile, rotation=edit.rotation, at=edit.at)
            tiles = _swapped(catalogue, board, edit.tile, board.spare[0].tile if board.spare else None)
            return msgspec.structs.replace(board, tiles=tiles, spare=(lying, *(board.spare or ())[1:]))
        case PutPiece():
            return _with_piece(catalogue, board, edit)
        case Hold():
            return _with_holds(catalogue, board, edit)
        case ToMove():
            return msgspec.structs.replace(board, to_move=edit.player)
        case WholeRecord():
            return game.rules.parse_record(msgspec.json.encode(edit.record))
        case TellPlayer():
            told = board_told(board)
            for each in told.get("players", ()):
                if each["name"] == edit.player:
                    each.update({name: value for name, value in edit.told.items() if name != "name"})
            return game.rules.parse_record(msgspec.json.encode(told))
        case TellTop():
            kept = {"game": board.game, "format": board.format}
            told = board_told(board) | edit.told | kept
            return game.rules.parse_record(msgspec.json.encode(told))


def _with_holds(catalogue: Catalogue, board: Board, edit: Hold) -> Board:
    """The board with another count of a piece that a player holds."""
    catalogue.card(edit.what)
    players = []
    for player in board.players:
        if player.name == edit.player:
            holds = {**(player.holds or {}), edit.what: edit.count}
            holds = {name: count for name, count in holds.items() if count}
            player = msgspec.structs.replace(player, holds=holds)
        players.append(player)
    return msgspec.structs.replace(board, players=tuple(players))


def _with_tile(catalogue: Catalogue, board: Board, edit: PutTile) -> Board:
    column, row = edit.cell
    here = board.at(edit.cell)
    tiles = tuple(tile for tile in board.tiles or () if tile.cell != edit.cell)
    if edit.tile is None and edit.face == "up":
        return msgspec.structs.replace(board, tiles=tiles)
    spare = board.spare
    moved = edit.tile is not None and (here is None or here.tile != edit.tile)
    if moved and _count(board, edit.tile) >= catalogue.card(edit.tile or "").copies:
        was = None if here is None else here.tile
        tiles = tuple(tile for tile in _swapped(catalogue, board, edit.tile, was) if tile.cell != edit.cell)
        if spare and spare[0].tile == edit.tile:
            spare = (msgspec.structs.replace(spare[0], tile=was), *spare[1:]) if was else spare[1:]
    lying = Tile(tile=edit.tile, column=column, row=row, rotation=edit.rotation, face=edit.face)
    ordered = tuple(sorted((*tiles, lying), key=lambda tile: (tile.row, tile.column)))
    return msgspec.structs.replace(board, tiles=ordered, spare=spare)


def _swapped(catalogue: Catalogue, board: Board, name: str | None, other: str | None) -> tuple[Tile, ...]:
    """The tiles, with one copy of tile `name` replaced by `other` if all of its copies are on the board. The
    copy is removed if `other` is None or the same tile."""
    tiles = list(board.tiles or ())
    if name is None or _count(board, name) < catalogue.card(name).copies:
        return tuple(tiles)
    there = next((k for k, tile in enumerate(tiles) if tile.tile == name), None)
    if there is None:
        return tuple(tiles)
    if other is None or other == name:
        del tiles[there]
    else:
        tiles[there] = msgspec.structs.replace(tiles[there], tile=other)
    return tuple(tiles)


def _count(board: Board, name: str | None) -> int:
    on_board = sum(tile.tile == name for tile in board.tiles or ())
    return on_board + sum(tile.tile == name for tile in board.spare or ())


def _with_piece(catalogue: Catalogue, board: Board, edit: PutPiece) -> Board:
    pieces = list(board.pieces or ())
    alike = [k for k, each in enumerate(pieces) if each.piece == edit.piece and each.on == edit.on]
    gone = next((k for k in alike if edit.from_ is not None and pieces[k].cell == edit.from_), None)
    if gone is None and len(alike) >= catalogue.card(edit.piece).copies:
        gone = alike[-1]
    facing = edit.facing
    if gone is not None:
        facing = facing or pieces[gone].facing
        del pieces[gone]
    if edit.cell is not None:
        column, row = edit.cell
        pieces.append(Piece(piece=edit.piece, column=column, row=row, facing=facing, on=edit.on))
    return msgspec.structs.replace(board, pieces=tuple(pieces))
