"""The score sheet of a board game: one round, filled in when the game is over; and the game written down
(`waymark-game/1`), as far as all games read it alike."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, ClassVar, TypeVar

import msgspec

from scorer.board_record import whole_numbers
from scorer.errors import Code, WaymarkError
from scorer.json_faults import as_form, read_json, wrong_format
from scorer.sheet import Column, FinalScore, Note, Played, Preset, Row, shown_final
from scorer.text import NO_WORDS, Text

GAME_FORMAT, FINAL_FORMAT = "waymark-game/1", "waymark-final/1"

S = TypeVar("S", bound=msgspec.Struct)


class OneRound:
    """A score sheet (`scorer.sheet.Sheet`) for games whose sheet is filled in by people once, at the end.

    A game gives its `name`, how a game written down is read (`read_game`), and its sentences: `won` by what
    decided (empty: the totals are unknown), and `leads`. `written` is a player's line of the game file, from
    the row on the sheet, and `game_of` the file of these lines."""

    name: Text
    won: Mapping[str, Text]
    leads = Text("{who} leads with {total} points so far.")
    final_columns: tuple[Column, ...]
    read_game: ClassVar[Callable[[Mapping[str, Any]], Any]]
    rounds = 1
    columns: tuple[Column, ...] = ()
    presets: tuple[Preset, ...] = ()
    by_objective: Text = NO_WORDS
    for_later: tuple[str, ...] = ()

    def row(self, verdict: Any) -> dict[str, Any]:
        return {column.id: None for column in self.columns if column.source == "ruling"}

    def written(self, name: str, row: Row) -> Any:
        raise NotImplementedError

    def game_of(self, players: tuple[Any, ...]) -> Any:
        raise NotImplementedError

    def game_file(self, players: Sequence[Played], terms: Any, rounds: int | None = None) -> Any:
        rows = ((player.name, player.rows[:rounds][-1:]) for player in players)
        return self.game_of(tuple(self.written(name, row[0] if row else {}) for name, row in rows))

    def parse_games(self, data: bytes) -> Any:
        return parse_game(data, type(self).read_game, self.name)

    def final(self, answer: Any) -> FinalScore:
        won = self.won[answer.decided_by or ""]
        leads = self.leads if answer.decided_by else won
        return shown_final(answer, self.final_columns, self.rounds, won, leads)

    def round_start(self, number: int, terms: Any) -> tuple[Text, ...]:
        return ()

    def notes(self, players: Sequence[Played], terms: Any) -> tuple[Mapping[str, Note], ...]:
        return tuple({} for _ in players)

    def found_for_later(self, verdict: Any) -> dict[str, int]:
        return {}

    def first_by_lot(self, terms: Any) -> bool:
        return False  # tables that draw lots say so when they begin


def parse_game(data: bytes, read: Callable[[Mapping[str, Any]], S], game: Text) -> S:
    """A game file decoded from JSON and converted by `read`. Raises `WaymarkError` (bad-record)."""
    return read(read_json(data, dict[str, Any], lambda fault: not_a_game(fault, game)))


def game_fields(told: Mapping[str, Any], form: type[S], word: str, game: Text) -> S:
    """The fields of a game written down, from decoded JSON; `word` is the game's. Raises `WaymarkError`
    (bad-record)."""
    if told.get("format") != GAME_FORMAT:
        raise not_a_game(wrong_format(told.get("format"), GAME_FORMAT), game)
    fields = as_form(whole_numbers(told), form, lambda fault: not_a_game(fault, game))
    if told.get("game", word) != word:
        raise not_a_game(Text("its game is {game!r}", game=told["game"]), game)
    return fields


def check_players(names: Collection[str], game: Text) -> None:
    """Check the names of players. Raises `WaymarkError` (bad-record) where there are none, or a name is empty
    or repeated."""
    if not names or not all(names) or len(set(names)) < len(names):
        fault = Text("each player needs a name of their own")
        raise not_a_game(fault, game)


def not_a_game(fault: Text, game: Text) -> WaymarkError:
    """The error for input that cannot be taken as a game of that name."""
    return WaymarkError(
        Code.BAD_RECORD,
        Text(
            "This is not a game of {game} ({fault}); give a JSON file of the form {game_format}.",
            game=game,
            fault=fault,
            game_format=GAME_FORMAT,
        ),
    )
