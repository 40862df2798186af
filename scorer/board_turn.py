"""The fields that turn records (`waymark-turn/1`) of all board games share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Annotated, Any, Generic, TypeVar

import msgspec

from scorer.board_record import FORMAT as BOARD_FORMAT
from scorer.board_record import Board, bad_record, whole_numbers
from scorer.errors import WaymarkError
from scorer.json_faults import as_form, wrong_format
from scorer.square_grid import Cell
from scorer.text import Text
from scorer.turns import TURN_FORMAT

#: No turn has more; a longer list is a mistake or mischief.
MOST_ACTIONS = 1_000
OTHER_PLAYERS = Text("the players of `after` are others")

A = TypeVar("A")
C = TypeVar("C")


class ListedActions(msgspec.Struct, Generic[A], frozen=True, kw_only=True):
    """The players' report of a turn that is a list of actions, in order."""

    actions: Annotated[tuple[A, ...], msgspec.Meta(max_length=MOST_ACTIONS)]


class TurnTold(msgspec.Struct, Generic[C], frozen=True, kw_only=True):
    """A turn of a player: the board before, the players' report, and the board after if there is one."""

    player: str
    before: Board
    claims: C
    after: Board | None = None


class _Told(msgspec.Struct, Generic[C], frozen=True, kw_only=True):
    player: str
    before: dict[str, Any]
    claims: C
    after: dict[str, Any] | None = None


def turn_of(
    told: Mapping[str, Any],
    claims: Any,
    game: str,
    board_told: Callable[[Mapping[str, Any], Board | None], Board],
) -> TurnTold[Any]:
    """A turn of a game from decoded JSON, whose report is of the type `claims`; it may be missing where that
    allows None and there is a board after. A board after without players has those of the board before.

    `board_told` decodes a board, given the board before for the one after. Raises `WaymarkError`."""
    usual = {"claims": None} if type(None) in getattr(claims, "__args__", ()) else {}
    form: Any = _Told
    if told.get("format") != TURN_FORMAT:
        raise bad_turn(wrong_format(told.get("format"), TURN_FORMAT))
    if told.get("game", game) != game:
        raise bad_turn(Text("its game is {game!r}", game=told["game"]))
    turn = as_form(whole_numbers(usual | dict(told)), form[claims], bad_turn)
    if turn.after is None and turn.claims is None:
        raise bad_turn(Text("it has neither `after` nor `claims`"))
    before = board_told(board_within(turn.before, game), None)
    names = [player.name for player in before.players]
    after = None
    if turn.after is not None:
        same = {} if turn.after.get("players") else {"players": [{"name": name} for name in names]}
        after = board_told(board_within(turn.after, game) | same, before)
        if not {player.name for player in after.players} <= set(names):
            raise bad_turn(OTHER_PLAYERS)
    check_player(turn.player, names)
    return TurnTold(player=turn.player, before=before, after=after, claims=turn.claims)


def board_within(told: Mapping[str, Any], game: str) -> dict[str, Any]:
    """A board record nested in a turn or game file, with the format and game that the outer file implies."""
    return {"format": BOARD_FORMAT, "game": game} | dict(told)


def check_player(name: str, players: Collection[str]) -> None:
    """Check the name of a player. Raises `WaymarkError` (bad-record) for an unknown one."""
    if name not in players:
        raise bad_turn(Text("{name!r} is no player of `before`", name=name))


def check_cell(cell: Cell, side: int) -> None:
    """Check that a cell lies on a grid of the given size. Raises `WaymarkError` (bad-record)."""
    if not all(0 <= number < side for number in cell):
        raise bad_turn(Text("cell {cell} is outside the grid", cell=list(cell)))


def bad_turn(fault: Text) -> WaymarkError:
    """The error for input that cannot be taken as a turn."""
    return bad_record(fault, TURN_FORMAT)
