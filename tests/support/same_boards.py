"""Compares boards of grid games: the same position, whatever the order of tiles and pieces."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from scorer.board_record import Board, turned_board


def same_board(a: Board, b: Board, *, turned: bool = False) -> bool:
    """Whether two boards are the same, whatever the order of their tiles and pieces (players stand in order);
    `turned`: a whole table turned by quarter turns is the same, where nothing printed tells."""
    if not turned:
        return _position(a) == _position(b)
    return any(_position(a) == _position(turned_board(b, quarters)) for quarters in range(4))


def _position(board: Board) -> tuple[object, ...]:
    return (
        board.game,
        board.grid,
        _whatever_order(board.tiles),
        _whatever_order(board.spare),
        _whatever_order(board.pieces),
        tuple(msgspec.to_builtins(player) for player in board.players),
        board.to_move,
        board.house,
        {key: value for key, value in board.more.items() if key != "ask"},
    )


def _whatever_order(things: Collection[msgspec.Struct] | None) -> list[str] | None:
    return None if things is None else sorted(repr(each) for each in things)
