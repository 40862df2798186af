"""The score sheet of a cooperative game: one mission, won by all or lost by all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from scorer.catalogue import Catalogue
from scorer.errors import Code, WaymarkError
from scorer.json_faults import read_json
from scorer.mapmasters.cooperative.rules.ruling import CoopRuling
from scorer.mapmasters.cooperative.rules.terms import CoopTerms
from scorer.sheet import Column, FinalRow, FinalScore, Note, Played, Preset, colours
from scorer.text import ENGLISH, NO_WORDS, Text, each_language, unchanged

GAME_FORMAT, FINAL_FORMAT = "waymark-game/1", "waymark-final/1"


class MissionRow(msgspec.Struct, frozen=True, kw_only=True):
    """A player's row on the score sheet for one mission."""

    won: bool = False
    goals: int = 0


class MissionPlayer(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    rounds: tuple[MissionRow, ...] = ()


class MissionGame(msgspec.Struct, frozen=True, kw_only=True):
    players: tuple[MissionPlayer, ...]
    mode: Literal["cooperative"] = "cooperative"
    format: str = GAME_FORMAT


class MissionFinalPlayer(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    goals: int
    total: int
    rank: int


class MissionFinal(msgspec.Struct, frozen=True, kw_only=True):
    players: tuple[MissionFinalPlayer, ...]
    winners: tuple[str, ...]
    decided_by: str
    rounds: int
    mode: Literal["cooperative"] = "cooperative"
    format: str = FINAL_FORMAT


class CoopSheet:
    """The score sheet of the cooperative mode (`scorer.sheet.Sheet`)."""

    columns: tuple[Column, ...] = (
        Column(
            "won",
            Text("Mission"),
            "tick",
            ink="escape",
            ticks=(Text("won", context="mission"), Text("not won", context="mission"), Text("not known")),
            choices=(Text("won", context="mission"), Text("not won", context="mission")),
        ),
        Column("goals", Text("Goals met"), "count", ink="primary"),
    )
    final_columns: tuple[Column, ...] = (Column("goals", Text("Goals met"), "count"),)
    rounds = 1
    least_players, most_players = 1, 5
    colours = colours("red", "blue", "green", "yellow", "purple")
    presets: tuple[Preset, ...] = (Preset("house", Text("Rulebook and house rules")),)
    ties: Text = Text("All players win or lose together.")
    by_objective: Text = NO_WORDS
    for_later: tuple[str, ...] = ()

    def row(self, verdict: CoopRuling) -> dict[str, Any]:
        met = sum(group is not None for group in verdict.mission.goals.values())
        won = {"won": True, "lost": False, "open": None}[verdict.mission.result]
        return {"won": won, "goals": met}

    def game_file(
        self, players: Sequence[Played], terms: CoopTerms, rounds: int | None = None
    ) -> MissionGame:
        return MissionGame(
            players=tuple(
                MissionPlayer(
                    name=player.name,
                    rounds=tuple(
                        MissionRow(won=bool(row.get("won")), goals=row.get("goals") or 0)
                        for row in player.rows[:rounds]
                    ),
                )
                for player in players
            )
        )

    def parse_games(self, data: bytes) -> MissionGame:
        game = read_json(data, MissionGame, _not_a_game, GAME_FORMAT)
        if not game.players:
            raise _not_a_game(Text("it has no players"))
        return game

    def final_answer(
        self, game: MissionGame, terms: CoopTerms, catalogue: Catalogue | None = None
    ) -> MissionFinal:
        """The final result, which is the same for all players; a mission that is not won has no winners."""
        rows = [row for player in game.players for row in player.rounds]
        goals = max((row.goals for row in rows), default=0)
        won = any(row.won for row in rows)
        return MissionFinal(
            players=tuple(
                MissionFinalPlayer(name=player.name, goals=goals, total=goals, rank=1 if won else 2)
                for player in game.players
            ),
            winners=tuple(player.name for player in game.players if won),
            decided_by="won" if won else "lost",
            rounds=max((len(player.rounds) for player in game.players), default=0),
        )

    def final(self, answer: MissionFinal) -> FinalScore:
        won = answer.decided_by == "won"
        words = Text("The mission is won.") if won else Text("The mission is not won.")
        return FinalScore(
            players=tuple(
                FinalRow(each.name, {"goals": each.goals}, each.total, each.rank) for each in answer.players
            ),
            winners=answer.winners,
            decided_by=answer.decided_by,
            rounds=answer.rounds,
            won=words,
            leads=words,
        )

    def round_start(self, number: int, terms: CoopTerms) -> tuple[Text, ...]:
        return (
            Text("Lay the table as the mission says, and put the miniatures."),
            Text("Buy tokens and spellbooks, each for one group."),
            Text("Deal three cards each, four to a single player."),
        )

    def round_end(self, number: int, terms: CoopTerms) -> tuple[Text, ...]:
        return (Text("Write down whether the mission was won."),)

    def notes(self, players: Sequence[Played], terms: CoopTerms) -> tuple[Mapping[str, Note], ...]:
        return tuple({} for _ in players)

    def found_for_later(self, verdict: CoopRuling) -> dict[str, int]:
        return {}

    def first_by_lot(self, terms: CoopTerms) -> bool:
        return False


def _not_a_game(fault: Text) -> WaymarkError:
    return WaymarkError(
        Code.NOT_A_GAME,
        Text(
            "This is not a cooperative game ({fault}); give a JSON file of the form {game_format}.",
            fault=fault,
            game_format=GAME_FORMAT,
        ),
    )


def group_name(name: str) -> Text:
    """The display name of a group, mostly a colour."""
    return CoopSheet.colours.get(name, unchanged(name))


def group_words(name: str) -> Text:
    """The name of a group as used within a sentence."""
    words = group_name(name)
    return each_language(lambda language: name if language == ENGLISH else words.message(language))
