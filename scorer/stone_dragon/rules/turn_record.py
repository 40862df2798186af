"""The record of a turn (`waymark-turn/1`): the board before it, the actions in order, and the photographed
board after it, if any."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, TypeAlias

import msgspec

from scorer.board_problems import check_names
from scorer.board_record import Board
from scorer.board_turn import bad_turn, board_within, check_cell, check_player, other_players, turn_fields
from scorer.errors import WaymarkError
from scorer.record import Rotation
from scorer.square_grid import Cell
from scorer.stone_dragon.rules.pieces import SIDE, Count, Pieces
from scorer.stone_dragon.rules.validation import DRAGON, GAME, LaidSide, board_told
from scorer.text import Text

#: No turn has more; a longer list is a mistake or mischief.
MOST_ACTIONS = 1_000


class Boost(msgspec.Struct, frozen=True, kw_only=True):
    """A fighter's payments: monster cards for attack and for defence, and coins for attack."""

    attack: tuple[str, ...] = ()
    defence: tuple[str, ...] = ()
    coins: Count = 0


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """A victory card that is shown, and its use (points, bonus or spent)."""

    card: str
    side: LaidSide


class _Action(msgspec.Struct, frozen=True, kw_only=True, tag_field="do"):
    by: str | None = None


class _MayFight(_Action, frozen=True, kw_only=True):
    """`draw`: the dungeon card that a search brought; the rest is of the fight that follows."""

    draw: str | None = None
    boost: dict[str, Boost] = {}
    steal: str | None = None
    at_defeat: tuple[Shown, ...] = ()


class Move(_MayFight, frozen=True, kw_only=True, tag="move"):
    to: Cell


class Search(_MayFight, frozen=True, kw_only=True, tag="search"):
    pass


class Explore(_Action, frozen=True, kw_only=True, tag="explore"):
    to: Cell
    tile: str
    rotation: Rotation


class TurnPanel(_Action, frozen=True, kw_only=True, tag="turn"):
    at: Cell
    rotation: Rotation


class Potion(_Action, frozen=True, kw_only=True, tag="potion"):
    chip: str


class Use(_Action, frozen=True, kw_only=True, tag="use"):
    card: str
    gain: str | None = None
    discard: str | None = None


class Attack(_Action, frozen=True, kw_only=True, tag="attack"):
    target: str
    boost: dict[str, Boost] = {}
    steal: str | None = None
    at_defeat: tuple[Shown, ...] = ()


class Sell(_Action, frozen=True, kw_only=True, tag="sell"):
    cards: tuple[str, ...]
    lift: tuple[str, ...] = ()


class Buy(_Action, frozen=True, kw_only=True, tag="buy"):
    chip: str


class Heal(_Action, frozen=True, kw_only=True, tag="heal"):
    pass


class DrawVictory(_Action, frozen=True, kw_only=True, tag="victory"):
    draw: tuple[str, ...] | None = None
    keep: str | None = None


class Change(_Action, frozen=True, kw_only=True, tag="change"):
    give: dict[str, Count]
    take: dict[str, Count]


class Equip(_Action, frozen=True, kw_only=True, tag="equip"):
    chip: str


class Reveal(_Action, frozen=True, kw_only=True, tag="reveal"):
    card: str
    side: LaidSide | None = None
    swap: str | None = None
    of: str | None = None


Paid: TypeAlias = (
    Move | Search | Explore | TurnPanel | Potion | Use | Attack | Sell | Buy | Heal | DrawVictory
)
#: Actions that cost nothing.
Free: TypeAlias = Change | Equip | Reveal
Action: TypeAlias = Paid | Free


class TurnRecord(msgspec.Struct, frozen=True, kw_only=True):
    player: str
    before: Board
    after: Board | None
    actions: tuple[Action, ...]


class _Claims(msgspec.Struct, frozen=True, kw_only=True):
    actions: Annotated[tuple[Action, ...], msgspec.Meta(max_length=MOST_ACTIONS)]


class _Told(msgspec.Struct, frozen=True, kw_only=True):
    player: str
    before: dict[str, Any]
    claims: _Claims
    after: dict[str, Any] | None = None


def turn_told(told: Mapping[str, Any], pieces: Pieces) -> TurnRecord:
    """A turn record from decoded JSON. Raises `WaymarkError`."""
    turn = turn_fields(told, _Told, GAME)
    before = board_told(board_within(turn.before, GAME), pieces)
    after = None
    if turn.after is not None:
        names = [{"name": player.name} for player in before.players]
        unseen = {} if turn.after.get("players") else {"players": names}
        after = board_told(board_within(turn.after, GAME) | unseen, pieces)
        if not {player.name for player in after.players} <= {player.name for player in before.players}:
            raise other_players()
    _Checked(before, pieces).check(turn.player, turn.claims.actions)
    return TurnRecord(player=turn.player, before=before, after=after, actions=turn.claims.actions)


class _Checked:
    """Validation of the names and cells in actions."""

    def __init__(self, before: Board, pieces: Pieces) -> None:
        self.names = {player.name for player in before.players}
        self.pieces = pieces
        self.chips = {*pieces.chips, *pieces.lives, *pieces.coins}
        self.dungeon = {*pieces.monsters, *pieces.items, *pieces.curses}

    def check(self, player: str, actions: Iterable[Action]) -> None:
        check_player(player, self.names)
        for action in actions:
            if action.by is not None:
                check_player(action.by, self.names)
            self.action(action)

    def among(self, names: Iterable[str | None], known: Iterable[str]) -> None:
        check_names(self.pieces.catalogue, names, frozenset(known))

    def action(self, action: Action) -> None:
        pieces = self.pieces
        match action:
            case Move() | Search():
                if isinstance(action, Move):
                    check_cell(action.to, SIDE)
                self.among([action.draw], self.dungeon)
                self.fight(action)
            case Attack():
                if action.target != DRAGON:
                    check_player(action.target, self.names)
                self.fight(action)
            case Explore():
                check_cell(action.to, SIDE)
                self.among([action.tile], pieces.panels)
            case TurnPanel():
                check_cell(action.at, SIDE)
            case Potion() | Buy() | Equip():
                self.among([action.chip], self.chips)
            case Use():
                self.among([action.card], self.dungeon)
                self.among([action.gain, action.discard], self.chips)
                item = pieces.items.get(action.card)
                if item is not None and item.chip is not None and action.gain is None:
                    raise _missing("gain")
            case Sell():
                self.among([*action.cards, *action.lift], self.dungeon)
            case DrawVictory():
                self.among([*(action.draw or ()), action.keep], pieces.victories)
            case Change():
                self.among([*action.give, *action.take], pieces.coins)
            case Reveal():
                self.reveal(action)

    def fight(self, action: _MayFight | Attack) -> None:
        for name, boost in action.boost.items():
            check_player(name, self.names)
            self.among([*boost.attack, *boost.defence], self.dungeon)
        self.among([action.steal], self.chips)
        for shown in action.at_defeat:
            self.among([shown.card], self.pieces.victories)
            if shown.side == "spent":
                raise bad_turn(Text("nothing is shown as spent"))

    def reveal(self, action: Reveal) -> None:
        self.among([action.card, action.swap], self.pieces.victories)
        if action.of is not None:
            check_player(action.of, self.names)
        swaps = self.pieces.victories[action.card].condition.swap
        if action.side is None and not swaps:
            raise _missing("side")
        if action.side == "spent":
            raise bad_turn(Text("nothing is shown as spent"))


def _missing(field: str) -> WaymarkError:
    return bad_turn(Text("`{field}` is missing", field=field))
