"""The score sheet of a versus game: its columns, colours, notes and sentences (`scorer.sheet.Sheet`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from scorer.catalogue import Catalogue
from scorer.mapmasters.rules.final_score import DecidedBy, Final, escape_bonuses, final_score
from scorer.mapmasters.rules.game_record import (
    GAME_FORMAT,
    ROUNDS,
    Game,
    Player,
    Round,
    coins_held,
    parse_games,
)
from scorer.mapmasters.rules.objectives import OPTIMIZERS
from scorer.mapmasters.rules.ruling import Ruling
from scorer.mapmasters.rules.settings import VersusSettings
from scorer.mapmasters.rules.terms import PRESETS, Terms
from scorer.mapmasters.words.reminders import round_end_reminders, round_start_reminders
from scorer.sheet import Column, FinalScore, Note, Played, Preset, Row, colours, shown_final
from scorer.text import Text

#: Players of a versus game; alone one plays a cooperative mission.
MIN_PLAYERS = 2
MAX_PLAYERS = 5

_WON: dict[DecidedBy, Text] = {
    "total": Text("{who} wins with {total} VP."),
    "secondary": Text(
        "{who} wins: the totals are tied at {total} VP, and the higher secondary column decides."
    ),
    "shared": Text("{who} share the win: {total} VP each, and equal secondary columns."),
}

_LEADS: dict[DecidedBy, Text] = {
    "total": Text("{who} leads with {total} VP."),
    "secondary": Text(
        "{who} leads: the totals are tied at {total} VP, and the higher secondary column decides."
    ),
    "shared": Text("{who} share the lead: {total} VP each, and equal secondary columns."),
}


def played_game(players: Sequence[Played], terms: Terms, rounds: int | None = None) -> Game:
    """A game from the players' rows; the first `rounds` of them score, all of them count for coins."""
    return Game(
        format=GAME_FORMAT,
        players=tuple(
            Player(
                name=player.name,
                coins_left=max(0, coins_held(made)[-1]),
                rounds=tuple(made if rounds is None else made[:rounds]),
            )
            for player in players
            for made in [[_round(row, terms.settings) for row in player.rows]]
        ),
    )


def _round(row: Row, settings: VersusSettings) -> Round:
    """A round from a row of the sheet; unknown values are 0, a ticked time bonus is `time_bonus_vp`."""
    values = {column: value for column, value in row.items() if value is not None}
    if values.get("time_bonus") is True:
        values["time_bonus"] = settings.time_bonus_vp
    return msgspec.convert({**values, "time_bonus": int(values.get("time_bonus", 0))}, Round)


_COLUMNS = (
    Column(
        "primary",
        Text("Primary objective"),
        ink="primary",
        short=Text("primary"),
        told=Text("primary objective"),
    ),
    Column(
        "secondary",
        Text("Secondary (not halved)"),
        ink="secondary",
        short=Text("secondary"),
        told=Text("secondary objective"),
        weight=0.5,
    ),
    Column(
        "time_bonus",
        Text("Time bonus"),
        "tick",
        "people",
        ink="time",
        icon="hourglass",
        short=Text("time bonus"),
        told=Text("time bonus"),
        once=True,
        worth="time_bonus_vp",
    ),
    Column(
        "escaped",
        Text("Escape box"),
        "tick",
        ink="escape",
        icon="escape",
        short=Text("escape"),
        ticks=(Text("escaped"), Text("not escaped"), Text("escape not known yet")),
        choices=(Text("Escaped"), Text("Not escaped")),
        statistic=Text("Escapes"),
        weight=0.5,
    ),
    Column(
        "coins_received",
        Text("Coins found on the path"),
        "count",
        ink="coins",
        icon="coin",
        short=Text("coins"),
        told=Text("coins found"),
        boxed=False,
        statistic=Text("Coins received per game"),
        weight=0.01,
    ),
)

_FINAL_COLUMNS = (
    Column("primary", Text("Primary"), ink="primary", short=Text("primary")),
    Column("secondary", Text("Secondary ÷ 2"), ink="secondary", short=Text("secondary / 2")),
    Column("time_bonus", Text("Time bonus"), ink="time", short=Text("time bonus")),
    Column("escape_bonus", Text("Escape bonus"), ink="escape", short=Text("escape bonus")),
    Column("coins", Text("Coins ÷ 3"), ink="coins", short=Text("coins / 3")),
)

#: The five colours of the box.
_COLOURS = colours("red", "blue", "green", "yellow", "purple")

_BY_OBJECTIVE = Text("As written: the secondary objective's points are not halved here.")

_TIES = Text(
    "Equal totals are ranked by the whole secondary column; where that is equal, too, the rank is shared."
)


def _escape_why(escapes: int, bonus: int) -> Text:
    if bonus == 2:
        return Text("most escapes")
    if bonus == 1:
        return Text("second most escapes")
    return Text("no escape") if escapes == 0 else Text("fewer escapes")


@dataclass(frozen=True)
class VersusSheet:
    """`scorer.sheet.Sheet`: six rounds of four boxes, and coins."""

    columns: tuple[Column, ...] = _COLUMNS
    final_columns: tuple[Column, ...] = _FINAL_COLUMNS
    rounds: int = ROUNDS
    least_players: int = MIN_PLAYERS
    most_players: int = MAX_PLAYERS
    colours: Mapping[str, Text] = field(default_factory=lambda: _COLOURS)
    presets: tuple[Preset, ...] = PRESETS
    ties: Text = _TIES
    by_objective: Text = _BY_OBJECTIVE
    for_later: tuple[str, ...] = OPTIMIZERS

    def row(self, verdict: Ruling) -> dict[str, Any]:
        return {
            "primary": verdict.primary.vp if verdict.primary is not None else None,
            "secondary": verdict.secondary.vp if verdict.secondary is not None else None,
            "escaped": verdict.escaped,
            "coins_received": verdict.coins,
        }

    def game_file(self, players: Sequence[Played], terms: Terms, rounds: int | None = None) -> Game:
        return played_game(players, terms, rounds)

    def parse_games(self, data: bytes) -> Game | tuple[Game, ...]:
        return parse_games(data)

    def final_answer(self, game: Game, terms: Terms, catalogue: Catalogue | None = None) -> Final:
        return final_score(game, terms.settings)

    def final(self, answer: Final) -> FinalScore:
        won, leads = _WON[answer.decided_by], _LEADS[answer.decided_by]
        return shown_final(answer, _FINAL_COLUMNS, answer.rounds, won, leads)

    def round_start(self, number: int, terms: Terms) -> tuple[Text, ...]:
        return round_start_reminders(number, terms.settings)

    def round_end(self, number: int, terms: Terms) -> tuple[Text, ...]:
        return round_end_reminders(number)

    def notes(self, players: Sequence[Played], terms: Terms) -> tuple[dict[str, Note], ...]:
        made = [[_round(row, terms.settings) for row in player.rows] for player in players]
        boxes = [sum(each.escaped for each in rounds) for rounds in made]
        bonuses = escape_bonuses(boxes, terms.settings)
        return tuple(
            {
                "secondary": Note(sum(each.secondary for each in rounds), "÷ 2"),
                "escape_bonus": Note(escapes, "×", "escape", Text("Escapes"), _escape_why(escapes, bonus)),
                "coins": Note(coins_held(rounds)[-1], "÷ 3"),
            }
            for rounds, escapes, bonus in zip(made, boxes, bonuses, strict=True)
        )

    def found_for_later(self, verdict: Ruling) -> dict[str, int]:
        return dict(verdict.optimizers)

    def first_by_lot(self, terms: Terms) -> bool:
        return terms.settings.first_player == "random"


SHEET = VersusSheet()
