"""The fields that turn records (`waymark-turn/1`) of all board games share."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, TypeVar

import msgspec

from scorer.board_record import FORMAT as BOARD_FORMAT
from scorer.board_record import bad_record, whole_numbers
from scorer.errors import WaymarkError
from scorer.json_faults import json_fault, wrong_format
from scorer.square_grid import Cell
from scorer.text import Text
from scorer.turns import TURN_FORMAT

S = TypeVar("S", bound=msgspec.Struct)


def turn_fields(told: Mapping[str, Any], form: type[S], game: str) -> S:
    """The fields of a turn of a game, from decoded JSON. Raises `WaymarkError` (bad-record)."""
    if told.get("format") != TURN_FORMAT:
        raise bad_turn(wrong_format(told.get("format"), TURN_FORMAT))
    if told.get("game", game) != game:
        raise bad_turn(Text("its game is {game!r}", game=told["game"]))
    try:
        return msgspec.convert(whole_numbers(told), form)
    except msgspec.ValidationError as error:
        raise bad_turn(json_fault(error, b"{}")) from error


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


def other_players() -> WaymarkError:
    """The error for a board after a turn on which others play."""
    return bad_turn(Text("the players of `after` are others"))


def bad_turn(fault: Text) -> WaymarkError:
    """The error for input that cannot be taken as a turn."""
    return bad_record(fault, TURN_FORMAT)
