"""Turns: their record, the ruling on one, and how a photographed board differs from the one after it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

import msgspec

from quayside.rules.board import Action, BrokenRule, UnderWay, cells_of, problems_of
from quayside.rules.pieces import GAME, House, Pieces, check_board
from scorer.action_fields import check_fields
from scorer.board_problems import ToldProblem, told_problems
from scorer.board_record import Board, Cell, Tile, board_from, board_told
from scorer.board_turn import ListedActions, TurnTold, turn_of
from scorer.infer_turns import HELD_NATS, Trust
from scorer.text import Text

_NOT_YOUR_TURN = Text("It is not the turn of {player}.")


TurnRecord: TypeAlias = TurnTold[ListedActions[Action]]


def turn_told(told: Mapping[str, Any], pieces: Pieces) -> TurnRecord:
    """A turn record from decoded JSON. Raises `WaymarkError` (bad-record, unknown-card)."""
    turn: TurnRecord = turn_of(
        told, ListedActions[Action], GAME, lambda each, before: check_board(board_from(each), pieces)
    )
    names = [each.name for each in turn.before.players]
    for action in turn.claims.actions:
        check_fields(action, pieces.catalogue, {"good": pieces.goods}, names)
    return turn


class TurnRuling(msgspec.Struct, frozen=True, kw_only=True):
    """The ruling on a turn. `legal` is None where a problem of the board prevents play. `actions` are those
    played, `after` is the board after them; `differs` says whether the photographed one is another."""

    format: str = "waymark-turn-ruling/1"
    game: str = GAME
    player: str
    problems: list[ToldProblem]
    legal: bool | None
    violations: list[ToldProblem]
    actions: list[Action]
    after: dict[str, Any] | None
    differs: bool


def rule_turn(turn: TurnRecord, pieces: Pieces, house: House) -> TurnRuling:
    """The ruling on a turn: one action after the other, until one breaks a rule."""
    problems, violations = problems_of(turn.before, pieces), []
    now, played = UnderWay(turn.before, turn.player, pieces, house), []
    for action in () if problems else turn.claims.actions:
        try:
            if turn.before.to_move not in (None, turn.player):
                raise BrokenRule("not-your-turn", _NOT_YOUR_TURN.filled(player=turn.player))
            now = now.take(action)
        except BrokenRule as broken:
            violations.append(broken.problem)
            break
        played.append(action)
    legal = not problems and not violations
    return TurnRuling(
        player=turn.player,
        problems=told_problems(problems),
        legal=None if problems else legal,
        violations=told_problems(violations),
        actions=played,
        after=board_told(now.board) if legal else None,
        differs=legal and turn.after is not None and any(differences(now.board, turn.after, pieces, Trust())),
    )


def differences(board: Board, seen: Board, pieces: Pieces, trust: Trust) -> Iterator[float]:
    """The weight (nats) of each thing that was seen otherwise than it is on a board. What was not seen agrees
    with any board."""
    lying = {tile.cell: tile for tile in seen.tiles or () if tile.tile is not None}
    for tile in board.tiles or ():
        if tile.cell in lying and not _lie_alike(tile, lying[tile.cell], pieces):
            yield trust.tile(tile.cell)
    boats = cells_of(seen)
    for boat, cell in cells_of(board).items():
        if boat not in pieces.goods and boats.get(boat, cell) != cell:
            yield trust.piece(boat)
    for name, _ in _goods_on(board, pieces) ^ _goods_on(seen, pieces):
        yield trust.piece(name)
    held = {each.name: each.holds for each in seen.players}
    for each in board.players:
        if None not in (each.holds, held.get(each.name)) and each.holds != held[each.name]:
            yield HELD_NATS


def _lie_alike(one: Tile, other: Tile, pieces: Pieces) -> bool:
    sides = {pieces.lying(each.tile, each.rotation or 0) for each in (one, other) if each.tile is not None}
    return one.tile == other.tile and len(sides) == 1


def _goods_on(board: Board, pieces: Pieces) -> set[tuple[str | None, Cell | None]]:
    return {(each.piece, each.cell) for each in board.pieces or () if each.piece in pieces.goods}
