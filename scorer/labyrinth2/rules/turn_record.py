"""The record of a pass (`waymark-turn/1`): two boards, or a board and the players' report, or all three."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from scorer.board_problems import check_names
from scorer.board_record import Board
from scorer.board_turn import bad_turn, board_within, check_cell, check_player, other_players, turn_fields
from scorer.labyrinth2.rules.pieces import SIDE, Pieces
from scorer.labyrinth2.rules.validation import GAME, board_told, check_arrow
from scorer.record import Rotation
from scorer.square_grid import Cell
from scorer.text import Text

Pips = Annotated[int, msgspec.Meta(ge=1, le=6)]
#: One die's throws in order; the last counts.
Throws = Annotated[tuple[Pips, ...], msgspec.Meta(min_length=1)]


class Push(msgspec.Struct, frozen=True, kw_only=True):
    """The arrow at which the spare tile was pushed in, and the tile's rotation."""

    at: str
    rotation: Rotation


class DragonDie(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The result of the dragon die: a number of arrows, or a gargoyle."""

    arrows: Annotated[int, msgspec.Meta(ge=1, le=4)] | None = None
    gargoyle: str | None = None


class Fight(msgspec.Struct, frozen=True, kw_only=True):
    """A fight: the player, the throws of the battle die, the cards discarded for repeated throws, and the
    treasure lost."""

    player: str
    throws: Annotated[tuple[Throws, ...], msgspec.Meta(min_length=1, max_length=1)]
    discards: tuple[str, ...] = ()
    lost: str | None = None


class FinalFight(msgspec.Struct, frozen=True, kw_only=True):
    """The fight with the dragon: throws of three battle dice, and the cards discarded for repeated throws."""

    throws: Annotated[tuple[Throws, ...], msgspec.Meta(min_length=3, max_length=3)]
    discards: tuple[str, ...] = ()


class Claims(msgspec.Struct, frozen=True, kw_only=True):
    """The players' report of a pass. A field is None where the step was not done or was not reported."""

    push: Push | None = None
    to: Cell | None = None
    take: str | None = None
    card: str | None = None
    die: DragonDie | None = None
    extra: str | None = None
    fights: tuple[Fight, ...] | None = None
    final: FinalFight | None = None


class TurnRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A pass of a player. `claims` are all None without a report; `after` is None without a photo."""

    player: str
    before: Board
    after: Board | None
    claims: Claims


class _Told(msgspec.Struct, frozen=True, kw_only=True):
    player: str
    before: dict[str, Any]
    after: dict[str, Any] | None = None
    claims: Claims | None = None


def turn_told(told: Mapping[str, Any], pieces: Pieces) -> TurnRecord:
    """A turn record from decoded JSON. Raises `WaymarkError`."""
    turn = turn_fields(told, _Told, GAME)
    if turn.after is None and turn.claims is None:
        raise bad_turn(Text("it has neither `after` nor `claims`"))
    before = board_told(board_within(turn.before, GAME), pieces)
    after = None
    if turn.after is not None:
        unseen = {} if turn.after.get("players") else {"players": _without_holdings(before)}
        after = _same_players(
            board_told(board_within(turn.after, GAME) | unseen, pieces, before=before), before
        )
    claims = turn.claims or Claims()
    _check_claims(claims, before, pieces)
    check_player(turn.player, [player.name for player in before.players])
    return TurnRecord(player=turn.player, before=before, after=after, claims=claims)


def _without_holdings(board: Board) -> list[dict[str, Any]]:
    """The names and pieces of a board's players, for a board that lists none."""
    return [{"name": player.name, "piece": player.piece} for player in board.players]


def _same_players(after: Board, before: Board) -> Board:
    """The board after, once its players are checked to be those before. Their figures may be omitted."""
    figures = {player.name: player.piece for player in before.players}
    if [player.name for player in after.players] != list(figures):
        raise other_players()
    players = tuple(
        msgspec.structs.replace(player, piece=player.piece or figures[player.name])
        for player in after.players
    )
    if any(player.piece != figures[player.name] for player in players):
        raise bad_turn(Text("the players of `after` have other figures"))
    return msgspec.structs.replace(after, players=players)


def _check_claims(claims: Claims, before: Board, pieces: Pieces) -> None:
    if claims.push is not None:
        check_arrow(claims.push.at)
    if claims.to is not None:
        check_cell(claims.to, SIDE)
    check_names(pieces.catalogue, [claims.take], pieces.treasures)
    check_names(pieces.catalogue, [claims.card, claims.extra], pieces.cards)
    for fight in claims.fights or ():
        check_player(fight.player, [player.name for player in before.players])
        check_names(pieces.catalogue, fight.discards, pieces.cards)
        check_names(pieces.catalogue, [fight.lost], pieces.treasures)
    if claims.final is not None:
        check_names(pieces.catalogue, claims.final.discards, pieces.cards)
    if claims.die is not None:
        _check_die(claims.die, before, pieces)


def _check_die(die: DragonDie, before: Board, pieces: Pieces) -> None:
    if (die.arrows is None) == (die.gargoyle is None):
        raise bad_turn(Text("the dragon die shows arrows or a gargoyle"))
    if die.gargoyle is not None:
        gargoyles = [name for name, role in pieces.figures.items() if role == "gargoyle"]
        check_names(pieces.catalogue, [die.gargoyle], gargoyles)
        if all(piece.piece != die.gargoyle for piece in before.pieces or ()):
            raise bad_turn(Text("{gargoyle!r} is not on the board", gargoyle=die.gargoyle))
