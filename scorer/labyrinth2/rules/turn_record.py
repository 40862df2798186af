"""The record of a pass (`waymark-turn/1`): two boards, or a board and the players' report, or all three."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, TypeAlias

import msgspec

from scorer.board_problems import check_names
from scorer.board_record import Board
from scorer.board_turn import OTHER_PLAYERS, TurnTold, bad_turn, check_cell, check_player, turn_of
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


#: `claims` are all None without a report; `after` is None without a photo.
TurnRecord: TypeAlias = TurnTold[Claims]


def turn_told(told: Mapping[str, Any], pieces: Pieces) -> TurnRecord:
    """A turn record from decoded JSON. Raises `WaymarkError`."""
    turn = turn_of(told, Claims | None, GAME, lambda each, before: board_told(each, pieces, before=before))
    after = None if turn.after is None else _same_players(turn.after, turn.before)
    claims = turn.claims or Claims()
    _check_claims(claims, turn.before, pieces)
    return msgspec.structs.replace(turn, after=after, claims=claims)


def _same_players(after: Board, before: Board) -> Board:
    """The board after, once its players are checked to be those before. Their figures may be omitted."""
    figures = {player.name: player.piece for player in before.players}
    if [player.name for player in after.players] != list(figures):
        raise bad_turn(OTHER_PLAYERS)
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
