"""Statistics of a player over games with a result: plain data in, plain data out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from statistics import fmean
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from scorer.game import Game as Rules
from scorer.sheet import Column
from webapp.store.boxes import ruled_columns


class PlayedRound(msgspec.Struct, frozen=True, kw_only=True):
    """A player's round: its objectives (`terms`) and its boxes by column (`scores`), None where not
    entered. The other fields are Map Masters', with their names from version 1 of the API."""

    terms: dict[str, Any]
    scores: dict[str, int | bool | None]
    primary: str | UnsetType | None = UNSET
    primary_vp: int | UnsetType | None = UNSET
    secondary: str | UnsetType | None = UNSET
    secondary_vp: int | UnsetType | None = UNSET
    escaped: bool | UnsetType | None = UNSET
    coins_received: int | UnsetType = UNSET


class PlayedGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game with a result for one player, with the played rounds. `columns` are the final score's; `shared`:
    others have the same rank."""

    game_id: str
    title: str
    played_at: datetime
    rank: int
    shared: bool
    players: int
    total: int
    columns: dict[str, int]
    coins_left: int
    rounds: list[PlayedRound]


class ObjectivePoints(msgspec.Struct, frozen=True, kw_only=True):
    """Points of an objective: number of `rounds` with it, total and mean points."""

    objective: str
    rounds: int
    points: int
    mean: float


class BoxStatistics(msgspec.Struct, frozen=True, kw_only=True):
    """Statistics of a column: its `total`, the number of `rounds` with a value, and the mean. The mean of a
    tick is its share of rounds, that of a count is per game."""

    column: str
    total: int
    rounds: int
    mean: float | None


class PlayerStatistics(msgspec.Struct, frozen=True, kw_only=True):
    """Statistics of a player; means are None without a game. `wins` includes shared wins; `boxes` are the
    sheet's ticked or counted columns. The last fields are Map Masters' under the names of version 1 of the
    API."""

    games: int
    wins: int
    shared_wins: int
    win_share: float | None
    mean_total: float | None
    best_total: int | None
    best_game: str | None
    mean_columns: dict[str, float]
    boxes: list[BoxStatistics]
    mean_coins_left: float | None
    objectives: list[ObjectivePoints]
    escapes: int | UnsetType = UNSET
    rounds_ended: int | UnsetType = UNSET
    escape_share: float | UnsetType | None = UNSET
    coins_received: int | UnsetType = UNSET
    mean_coins_received: float | UnsetType | None = UNSET


def player_statistics(rules: Rules, games: Sequence[PlayedGame]) -> PlayerStatistics:
    """Statistics of games that are played by the same rules."""
    wins = [game for game in games if game.rank == 1]
    best = max(games, key=lambda game: game.total, default=None)
    boxes = [_box_statistics(column, games) for column in ruled_columns(rules) if column.kind != "points"]
    finals = [column.id for column in rules.sheet.final_columns]
    return PlayerStatistics(
        games=len(games),
        wins=len(wins),
        shared_wins=sum(game.shared for game in wins),
        win_share=_share(len(wins), len(games)),
        mean_total=fmean(game.total for game in games) if games else None,
        best_total=best.total if best is not None else None,
        best_game=best.game_id if best is not None else None,
        mean_columns={column: fmean(game.columns[column] for game in games) for column in finals if games},
        boxes=boxes,
        mean_coins_left=fmean(game.coins_left for game in games) if games else None,
        objectives=objective_points(rules, [round_ for game in games for round_ in game.rounds]),
        **rules.api.statistics({box.column: (box.total, box.rounds, box.mean) for box in boxes}),
    )


def _box_statistics(column: Column, games: Sequence[PlayedGame]) -> BoxStatistics:
    written = [
        [round_.scores[column.id] for round_ in game.rounds if round_.scores[column.id] is not None]
        for game in games
    ]
    total = sum(int(value or 0) for values in written for value in values)
    rounds = sum(len(values) for values in written)
    mean = _share(total, rounds if column.kind == "tick" else len(games))
    return BoxStatistics(column=column.id, total=total, rounds=rounds, mean=mean)


def objective_points(rules: Rules, rounds: Sequence[PlayedRound]) -> list[ObjectivePoints]:
    """Points of each objective, best first, from the column with its name."""
    points: dict[str, list[int]] = defaultdict(list)
    asked = [term.id for term in rules.rules.settings.terms if term.group == "objective"]
    for round_ in rounds:
        for term in asked:
            objective, worth = round_.terms.get(term), round_.scores.get(term)
            if objective is not None and worth is not None:
                points[objective].append(int(worth))
    found = [
        ObjectivePoints(objective=objective, rounds=len(each), points=sum(each), mean=fmean(each))
        for objective, each in points.items()
    ]
    return sorted(found, key=lambda each: (-each.mean, each.objective))


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
