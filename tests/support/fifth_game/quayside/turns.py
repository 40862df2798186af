"""Turns: their record, the ruling on one, and the likeliest one between two boards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from quayside.pieces import GAME, House, Pieces, check_board
from quayside.rules import Action, BrokenRule, Load, UnderWay, cells_of, possible, problems_of
from scorer.board_problems import ToldProblem, check_names, told_problems
from scorer.board_record import Board, Cell, board_from, board_told
from scorer.board_turn import board_within, check_player, other_players, turn_fields
from scorer.infer_turns import HELD_NATS, Playing, SeenTurn, Step, Trust, likeliest
from scorer.text import Text

_NOT_YOUR_TURN = Text("It is not the turn of {player}.")


class TurnRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The turn of a player: the board before, the actions in order, and the board after if there is one."""

    player: str
    before: Board
    after: Board | None
    actions: tuple[Action, ...]


class _Claims(msgspec.Struct, frozen=True, kw_only=True):
    actions: tuple[Action, ...]


class _Told(msgspec.Struct, frozen=True, kw_only=True):
    player: str
    before: dict[str, Any]
    claims: _Claims
    after: dict[str, Any] | None = None


def turn_told(told: Mapping[str, Any], pieces: Pieces) -> TurnRecord:
    """A turn record from decoded JSON. Raises `WaymarkError` (bad-record, unknown-card)."""
    turn = turn_fields(told, _Told, GAME)
    before, after = _board(turn.before, pieces), None
    names = [each.name for each in before.players]
    if turn.after is not None:
        after = _board({"players": [{"name": name} for name in names]} | turn.after, pieces)
        if [each.name for each in after.players] != names:
            raise other_players()
    check_player(turn.player, names)
    loaded = [action.good for action in turn.claims.actions if isinstance(action, Load)]
    check_names(pieces.catalogue, loaded, pieces.goods)
    return TurnRecord(player=turn.player, before=before, after=after, actions=turn.claims.actions)


def _board(told: Mapping[str, Any], pieces: Pieces) -> Board:
    return check_board(board_from(board_within(told, GAME)), pieces)


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
    for action in () if problems else turn.actions:
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
        differs=legal and turn.after is not None and _Seen(turn.after, pieces, Trust()).unlike(now) > 0,
    )


# --- the turn between two boards ----------------------------------------------------------------------------


def infer_turn(
    before: Board, after: Board, player: str, pieces: Pieces, house: House, trust: Trust
) -> SeenTurn | None:
    """The likeliest turn of a player between two boards; None where the first cannot be played on."""
    if problems_of(before, pieces):
        return None
    seen = _Seen(after, pieces, trust)
    return likeliest(
        UnderWay(before, player, pieces, house),
        Playing(seen.on, seen.unlike, lambda now: 0.0, lambda now: (_lasting(now.board), now.done), _left),
    )


def _left(now: UnderWay) -> bytes:
    return _lasting(now.board)


def _lasting(board: Board) -> bytes:
    return msgspec.json.encode([board.tiles, board.pieces, [each.holds for each in board.players]])


class _Seen:
    """The observed board after a turn, for comparison with boards to which actions lead."""

    def __init__(self, after: Board, pieces: Pieces, trust: Trust) -> None:
        self.tiles = {tile.cell: tile for tile in after.tiles or () if tile.tile is not None}
        self.cells, self.pieces, self.trust = cells_of(after), pieces, trust
        self.goods = self._goods_on(after)
        self.holds = {each.name: each.holds for each in after.players if each.holds is not None}

    def _goods_on(self, board: Board) -> set[tuple[str, Cell]]:
        lying = ((each.piece, each.cell) for each in board.pieces or ())
        return {(name, cell) for name, cell in lying if name in self.pieces.goods and name and cell}

    def unlike(self, now: UnderWay) -> float:
        """The weight (nats) of the observations that a board contradicts."""
        return sum(self._against(now.board))

    def _against(self, board: Board) -> Iterator[float]:
        for tile in board.tiles or ():
            seen = self.tiles.get(tile.cell)
            if seen is not None and not self._same(tile, seen):
                yield self.trust.tile(tile.cell)
        for boat, cell in cells_of(board).items():
            if boat not in self.pieces.goods and self.cells.get(boat, cell) != cell:
                yield self.trust.piece(boat)
        for name, _ in self._goods_on(board) ^ self.goods:
            yield self.trust.piece(name)
        for player in board.players:
            seen_holds = self.holds.get(player.name)
            if seen_holds is not None and player.holds is not None and seen_holds != player.holds:
                yield HELD_NATS

    def _same(self, tile: Any, seen: Any) -> bool:
        sides = [self.pieces.lying(each.tile, each.rotation or 0) for each in (tile, seen) if each.tile]
        return tile.tile == seen.tile and len(set(sides)) == 1

    def on(self, now: UnderWay) -> Iterator[tuple[Step, UnderWay]]:
        """The possible next actions, as a turn record has them, with the board after each."""
        for action, after in possible(now, self.tiles):
            yield msgspec.to_builtins(action), after
