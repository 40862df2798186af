"""The three ways in which games are played: each player draws over an own tableau, groups draw on one shared
table, or all play on one board. Which of them a game is, is found here; a room that does a thing in three
ways has one table of operations by kind, and asks that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast

from scorer.game import Game

if TYPE_CHECKING:
    from scorer.board_game import BoardGame
    from scorer.groups import Groups


@dataclass(frozen=True)
class PlayKind:
    """A way of playing. `shared`: one record is of all players, and not one of each."""

    name: Literal["tableau", "table", "board"]
    shared: bool


TABLEAU = PlayKind("tableau", shared=False)
TABLE = PlayKind("table", shared=True)
BOARD = PlayKind("board", shared=True)


def play_kind(game: Game) -> PlayKind:
    """The kind of play of a game: board, tableau or shared table."""
    if as_board_game(game) is not None:
        return BOARD
    return TABLEAU if game.play.groups is None else TABLE


def as_board_game(game: Game | None) -> BoardGame | None:
    """A game with all that only games on a board have; None for another game, and for none."""
    return cast("BoardGame", game) if game is not None and game.on_board else None


def board_game(game: Game) -> BoardGame:
    """The same of a game that is known to be played on a board."""
    found = as_board_game(game)
    assert found is not None, "only boards are played so"
    return found


def groups_of(game: Game) -> Groups[Any, Any]:
    """The group functions of a game in which groups share a table."""
    assert game.play.groups is not None, "only tables are shared so"
    return game.play.groups
