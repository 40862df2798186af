"""The score sheet: three rounds of two boxes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from scorer.catalogue import Catalogue
from scorer.errors import Code, WaymarkError
from scorer.json_faults import json_fault, wrong_format
from scorer.sheet import Column, FinalRow, FinalScore, Note, Played, Preset
from scorer.text import NO_WORDS, Text, listed
from trails.rules import Ruling, Terms

ROUNDS = 3
GAME_FORMAT, FINAL_FORMAT = "waymark-game/1", "waymark-final/1"


class Round(msgspec.Struct, frozen=True, kw_only=True):
    road: int = 0
    objective: int = 0


class Player(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    rounds: tuple[Round, ...] = ()


class GameFile(msgspec.Struct, frozen=True, kw_only=True):
    players: tuple[Player, ...]
    format: str = GAME_FORMAT
    game: str = "trails"


class FinalPlayer(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    road: int
    objective: int
    total: int
    rank: int


class Final(msgspec.Struct, frozen=True, kw_only=True):
    players: tuple[FinalPlayer, ...]
    winners: tuple[str, ...]
    decided_by: str
    rounds: int
    format: str = FINAL_FORMAT
    game: str = "trails"


class Sheet:
    """`scorer.sheet.Sheet`."""

    columns = (
        Column("road", Text("Longest road"), ink="primary"),
        Column("objective", Text("Objective"), ink="secondary"),
    )
    final_columns = (Column("road", Text("Roads")), Column("objective", Text("Objectives"), ink="secondary"))
    rounds = ROUNDS
    least_players, most_players = 1, 4
    colours: Mapping[str, Text] = {
        "red": Text("Red"),
        "blue": Text("Blue"),
        "green": Text("Green"),
        "yellow": Text("Yellow"),
    }
    presets: tuple[Preset, ...] = (
        Preset("house", Text("As written")),
        Preset("round", Text("The world is round"), {"wrap": True}),
    )

    def row(self, verdict: Ruling) -> dict[str, Any]:
        return {
            "road": verdict.points,
            "objective": None if verdict.objective is None else verdict.objective.vp,
        }

    def game_file(self, players: Sequence[Played], terms: Terms, rounds: int | None = None) -> GameFile:
        return GameFile(
            players=tuple(
                Player(
                    name=player.name,
                    rounds=tuple(
                        Round(road=row.get("road") or 0, objective=row.get("objective") or 0)
                        for row in player.rows[:rounds]
                    ),
                )
                for player in players
            )
        )

    ties = by_objective = NO_WORDS
    for_later: tuple[str, ...] = ()

    def found_for_later(self, verdict: Ruling) -> dict[str, int]:
        return {}

    def first_by_lot(self, terms: Terms) -> bool:
        return False

    def notes(self, players: Sequence[Played], terms: Terms) -> tuple[Mapping[str, Note], ...]:
        return tuple({} for _ in players)

    def parse_games(self, data: bytes) -> GameFile:
        try:
            game = msgspec.json.decode(data, type=GameFile)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise _not_a_game(json_fault(error, data)) from error
        if game.format != GAME_FORMAT:
            raise _not_a_game(wrong_format(game.format, GAME_FORMAT))
        if not game.players:
            raise _not_a_game(Text("it has no players"))
        return game

    def final_answer(self, game: GameFile, terms: Terms, catalogue: Catalogue | None = None) -> Final:
        """The sums of the columns; equal totals share a rank, the next is skipped."""
        sums = {
            player.name: (
                sum(each.road for each in player.rounds),
                sum(each.objective for each in player.rounds),
            )
            for player in game.players
        }
        totals = {name: sum(columns) for name, columns in sums.items()}
        best = max(totals.values())
        winners = tuple(name for name, total in totals.items() if total == best)
        return Final(
            players=tuple(
                FinalPlayer(
                    name=name,
                    road=road,
                    objective=objective,
                    total=totals[name],
                    rank=1 + sum(other > totals[name] for other in totals.values()),
                )
                for name, (road, objective) in sums.items()
            ),
            winners=winners,
            decided_by="total" if len(winners) == 1 else "shared",
            rounds=max(len(player.rounds) for player in game.players),
        )

    def final(self, answer: Final) -> FinalScore:
        total = max(player.total for player in answer.players)
        who = listed(answer.winners)
        return FinalScore(
            players=tuple(
                FinalRow(each.name, {"road": each.road, "objective": each.objective}, each.total, each.rank)
                for each in answer.players
            ),
            winners=answer.winners,
            decided_by=answer.decided_by,
            rounds=answer.rounds,
            won=Text("{who} ran farthest: {total}.", who=who, total=total),
            leads=Text("{who} runs ahead: {total}.", who=who, total=total),
        )

    def round_start(self, number: int, terms: Terms) -> tuple[Text, ...]:
        return (Text("Shuffle the tiles."),)

    def round_end(self, number: int, terms: Terms) -> tuple[Text, ...]:
        return (Text("Write down the longest road."),)


def _not_a_game(fault: Text) -> WaymarkError:
    return WaymarkError(
        Code.NOT_A_GAME,
        Text(
            "This is not a game of Trails ({fault}); give a JSON file of the form {game_format}.",
            fault=fault,
            game_format=GAME_FORMAT,
        ),
    )
