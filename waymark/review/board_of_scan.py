"""The game's record of a board that was read from a photo: what lies and stands on it, and what lies before
the players."""

from __future__ import annotations

from typing import Any, cast

import msgspec

from scorer.board_game import BoardGame, Sight
from scorer.board_record import Board, BoardPlayer, GridSize, Piece, SpareTile, Tile
from scorer.catalogue import Catalogue
from scorer.layered import LayersTold
from vision.board_index import is_loose
from vision.board_seen import BoardPiece, BoardScan
from vision.layered_board import LayeredScan
from vision.loose_board import LaidPiece
from waymark.review.held_pieces import held_by_seat, whole_seats


def board_of(scan: BoardScan, catalogue: Catalogue, game: BoardGame, told: Board | None = None) -> Board:
    """The game's record of what was read; the players, their hands and whose move it is as `told`."""
    if isinstance(scan, LayeredScan):
        return layers_told(scan, catalogue, game, told).board
    board = _lying_and_standing(scan, catalogue, game, told)
    if game.laid_out is None:
        return board
    sights = [
        Sight(each.piece, each.at_mm, each.turn_deg, each.seat)
        for each in scan.held
        if isinstance(each, LaidPiece)
    ]
    return game.laid_out(board, sights, whole_seats(scan), game.pieces_of(catalogue), told)


def _lying_and_standing(scan: BoardScan, catalogue: Catalogue, game: BoardGame, told: Board | None) -> Board:
    """The board itself as the form of all games has it."""
    spare = scan.spare
    lying: tuple[SpareTile, ...] = ()
    if spare is not None:
        at = None if spare.side is None or spare.line is None else game.spare_at(spare.side, spare.line)
        lying = (SpareTile(tile=spare.tile, rotation=cast(Any, spare.rotation), at=at),)
    return Board(
        game=game.id,
        catalogue=catalogue.name,
        grid=GridSize(columns=game.grid.columns, rows=game.grid.rows),
        tiles=tuple(
            Tile(tile=each.tile, column=each.cell[0], row=each.cell[1], rotation=cast(Any, each.rotation))
            for each in scan.tiles
        ),
        spare=lying,
        pieces=tuple(
            Piece(piece=each.piece, column=each.cell[0], row=each.cell[1], facing=each.facing)
            for each in pieces_told(scan, catalogue, told, game)
        ),
        players=_players(scan, catalogue, told),
        to_move=None if told is None else told.to_move,
        house={} if told is None else told.house,
        more={} if told is None else told.more,
    )


def pieces_told(
    scan: BoardScan, catalogue: Catalogue, told: Board | None, game: BoardGame
) -> list[BoardPiece]:
    """The pieces on the board, without figures that nobody plays with, where people have told who does; of a
    loose board all: a figure may be nobody's. What has to stand somewhere is told at its likeliest place,
    however little speaks for it."""
    if is_loose(catalogue):
        return list(scan.pieces)
    played = {player.piece for player in told.players if player.piece} if told is not None else set()
    if isinstance(scan, LayeredScan):
        return [piece for piece in scan.pieces if not played or piece.piece in played]
    found = [
        piece
        for piece in scan.pieces
        if not played or piece.piece in played or catalogue.card(piece.piece).kind != "pawn"
    ]
    there = {piece.piece for piece in found}
    for name in dict.fromkeys([*game.always(game.pieces_of(catalogue)), *sorted(played)]):
        maybe = [piece for piece in scan.unread if piece.piece == name and not piece.disc]
        if name not in there and maybe:
            found.append(max(maybe, key=lambda piece: piece.confidence))
    return found


def _players(scan: BoardScan, catalogue: Catalogue, told: Board | None) -> tuple[BoardPlayer, ...]:
    """Who plays: as told, with what lies before their seats; else whose pawns stand on the board, called by
    their colours."""
    held = held_by_seat(scan, catalogue)
    if told is not None and told.players:
        return tuple(
            msgspec.structs.replace(player, holds=held[player.seat])
            if player.seat in held
            else msgspec.structs.replace(player, holds=None)
            for player in told.players
        )
    standing = {piece.piece for piece in scan.pieces}
    return tuple(
        BoardPlayer(name=card.colour or card.id, piece=card.id)
        for card in catalogue.cards
        if card.kind == "pawn" and card.id in standing
    )


def layers_told(scan: LayeredScan, catalogue: Catalogue, game: BoardGame, told: Board | None) -> LayersTold:
    assert scan.layers is not None and game.layered_out is not None
    board = _lying_and_standing(scan, catalogue, game, told)
    return game.layered_out(board, scan.layers, game.pieces_of(catalogue), told)


def board_json(board: Board) -> dict[str, Any]:
    """A board record as JSON has it: what a game adds stands at the top."""
    plain: dict[str, Any] = msgspec.to_builtins(board)
    for part in (plain, *plain.get("players", ())):
        part.update(part.pop("more", None) or {})
    return {"format": board.format} | plain
