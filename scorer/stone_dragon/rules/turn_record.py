"""The record of a turn (`waymark-turn/1`): the board before it, the actions in order, and the photographed
board after it, if any."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, TypeAlias

import msgspec

from scorer.action_fields import Asks, OnGrid, PieceOf, PlayerName, check_fields
from scorer.board_record import Board
from scorer.board_turn import ListedActions, TurnTold, bad_turn, turn_of
from scorer.errors import WaymarkError
from scorer.record import Rotation
from scorer.square_grid import Cell
from scorer.stone_dragon.rules.pieces import SIDE, Count, Pieces
from scorer.stone_dragon.rules.validation import DRAGON, GAME, LaidSide, board_told
from scorer.text import Text

_Cards: TypeAlias = Annotated[tuple[str, ...], PieceOf("dungeon")]
_CHIP = PieceOf("valuable", "chip")
_DRAWN = Asks(Text("Which card was drawn?"))
_WHICH_CARD, _WHICH_CHIP = Asks(Text("Which card?")), Asks(Text("Which chip?"))
_WINS = Asks(Text("Which chip does the winner take?"))
_TO = Asks(Text("To which panel?"))
_TURNED = Asks(Text("Turned how?"))


class Boost(msgspec.Struct, frozen=True, kw_only=True):
    """A fighter's payments: monster cards for attack and for defence, and coins for attack."""

    attack: _Cards = ()
    defence: _Cards = ()
    coins: Count = 0


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """A victory card that is shown, and its use (points, bonus or spent)."""

    card: Annotated[str, PieceOf("victory")]
    side: LaidSide


class _Action(msgspec.Struct, frozen=True, kw_only=True, tag_field="do"):
    by: Annotated[str | None, PlayerName(), Asks(Text("Done by another?"))] = None


class _MayFight(_Action, frozen=True, kw_only=True):
    """`draw`: the dungeon card that a search brought; the rest is of the fight that follows."""

    draw: Annotated[str | None, PieceOf("dungeon"), _DRAWN] = None
    boost: Annotated[dict[str, Boost], PlayerName()] = {}
    steal: Annotated[str | None, _CHIP, _WINS] = None
    at_defeat: tuple[Shown, ...] = ()


class Move(_MayFight, frozen=True, kw_only=True, tag="move"):
    to: Annotated[Cell, OnGrid(SIDE), _TO]


class Search(_MayFight, frozen=True, kw_only=True, tag="search"):
    pass


class Explore(_Action, frozen=True, kw_only=True, tag="explore"):
    to: Annotated[Cell, OnGrid(SIDE), _TO]
    tile: Annotated[str, PieceOf("panel"), Asks(Text("Which panel was turned up?"))]
    rotation: Annotated[Rotation, _TURNED]


class TurnPanel(_Action, frozen=True, kw_only=True, tag="turn"):
    at: Annotated[Cell, OnGrid(SIDE), Asks(Text("Which panel?"))]
    rotation: Annotated[Rotation, _TURNED]


class Potion(_Action, frozen=True, kw_only=True, tag="potion"):
    chip: Annotated[str, PieceOf("valuable", "potion"), _WHICH_CHIP]


class Use(_Action, frozen=True, kw_only=True, tag="use"):
    card: Annotated[str, PieceOf("dungeon", "item"), _WHICH_CARD]
    gain: Annotated[str | None, PieceOf("valuable"), Asks(Text("Which chip is gained?"))] = None
    discard: Annotated[str | None, _CHIP, Asks(Text("Which chip is handed in?"))] = None


class Attack(_Action, frozen=True, kw_only=True, tag="attack"):
    target: Annotated[str, PlayerName((DRAGON,)), Asks(Text("Whom?"))]
    boost: Annotated[dict[str, Boost], PlayerName()] = {}
    steal: Annotated[str | None, _CHIP, _WINS] = None
    at_defeat: tuple[Shown, ...] = ()


class Sell(_Action, frozen=True, kw_only=True, tag="sell"):
    cards: Annotated[tuple[str, ...], PieceOf("dungeon"), Asks(Text("Which cards?"))]
    lift: Annotated[tuple[str, ...], PieceOf("dungeon", "curse"), Asks(Text("Which curses are lifted?"))] = ()


class Buy(_Action, frozen=True, kw_only=True, tag="buy"):
    chip: Annotated[str, _CHIP, _WHICH_CHIP]


class Heal(_Action, frozen=True, kw_only=True, tag="heal"):
    pass


class DrawVictory(_Action, frozen=True, kw_only=True, tag="victory"):
    draw: Annotated[tuple[str, ...] | None, PieceOf("victory"), Asks(Text("Which cards were drawn?"))] = None
    keep: Annotated[str | None, PieceOf("victory"), Asks(Text("Which one was kept?"))] = None


class Change(_Action, frozen=True, kw_only=True, tag="change"):
    give: Annotated[dict[str, Count], PieceOf("coin"), Asks(Text("Coins handed in"))]
    take: Annotated[dict[str, Count], PieceOf("coin"), Asks(Text("Coins taken"))]


class Equip(_Action, frozen=True, kw_only=True, tag="equip"):
    chip: Annotated[str, _CHIP, _WHICH_CHIP]


class Reveal(_Action, frozen=True, kw_only=True, tag="reveal"):
    card: Annotated[str, PieceOf("victory"), _WHICH_CARD]
    side: Annotated[LaidSide | None, Asks(Text("For what is it laid?"), ("points", "bonus"))] = None
    swap: Annotated[str | None, PieceOf("victory"), Asks(Text("Which card is turned?"))] = None
    of: Annotated[str | None, PlayerName(), Asks(Text("Whose card?"))] = None


Paid: TypeAlias = (
    Move | Search | Explore | TurnPanel | Potion | Use | Attack | Sell | Buy | Heal | DrawVictory
)
#: Actions that cost nothing.
Free: TypeAlias = Change | Equip | Reveal
Action: TypeAlias = Paid | Free


TurnRecord: TypeAlias = TurnTold[ListedActions[Action]]


def turn_told(told: Mapping[str, Any], pieces: Pieces) -> TurnRecord:
    """A turn record from decoded JSON. Raises `WaymarkError`."""
    turn: TurnRecord = turn_of(
        told, ListedActions[Action], GAME, lambda each, before: board_told(each, pieces)
    )
    _check_actions(turn.before, turn.claims.actions, pieces)
    return turn


def kinds_of(pieces: Pieces) -> dict[str, tuple[str, ...]]:
    """The ids of pieces by the kinds that fields of actions name."""
    chips = tuple(pieces.chips)
    return {
        "dungeon": (*pieces.monsters, *pieces.items, *pieces.curses),
        "item": tuple(pieces.items),
        "curse": tuple(pieces.curses),
        "panel": tuple(sorted(pieces.panels)),
        "victory": tuple(pieces.victories),
        "chip": chips,
        "potion": tuple(name for name, chip in pieces.chips.items() if chip.kind == "potion"),
        "coin": tuple(pieces.coins),
        "valuable": (*chips, *pieces.lives, *pieces.coins),
    }


def _check_actions(before: Board, actions: Iterable[Action], pieces: Pieces) -> None:
    """Check the names and cells in actions, and the fields that some pieces demand. Raises
    `WaymarkError`."""
    names = {each.name for each in before.players}
    kinds = {kind: frozenset(ids) for kind, ids in kinds_of(pieces).items()}
    for action in actions:
        check_fields(action, pieces.catalogue, kinds, names)
        match action:
            case Use():
                item = pieces.items.get(action.card)
                if item is not None and item.chip is not None and action.gain is None:
                    raise _missing("gain")
            case Reveal():
                if action.side is None and not pieces.victories[action.card].condition.swap:
                    raise _missing("side")
                _check_side(action.side)
            case Move() | Search() | Attack():
                for shown in action.at_defeat:
                    _check_side(shown.side)


def _check_side(side: LaidSide | None) -> None:
    if side == "spent":
        raise bad_turn(Text("nothing is shown as spent"))


def _missing(field: str) -> WaymarkError:
    return bad_turn(Text("`{field}` is missing", field=field))
