"""Statistics of a player over whole games: plain data in, plain data out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from statistics import fmean

import msgspec

#: The columns of the final score, in its order.
COLUMNS = ("primary", "secondary", "time_bonus", "escape_bonus", "coins")


class PlayedRound(msgspec.Struct, frozen=True, kw_only=True):
    """A player's round: objectives and their points (`secondary_vp` whole), None where not written down."""

    primary: str | None
    primary_vp: int | None
    secondary: str | None
    secondary_vp: int | None
    escaped: bool | None
    coins_received: int


class PlayedGame(msgspec.Struct, frozen=True, kw_only=True):
    """A whole game from one player's side. `columns` are the final score's by `COLUMNS`; `shared` says that
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
    """What an objective brought, as it was written down: `rounds` in which it was asked for, and the mean of
    its points in these."""

    objective: str
    rounds: int
    points: int
    mean: float


class PlayerStatistics(msgspec.Struct, frozen=True, kw_only=True):
    """Means are None without a game. `wins` have the shared ones in them."""

    games: int
    wins: int
    shared_wins: int
    win_share: float | None
    mean_total: float | None
    best_total: int | None
    best_game: str | None
    mean_columns: dict[str, float]
    escapes: int
    rounds_ended: int
    escape_share: float | None
    coins_received: int
    mean_coins_received: float | None
    mean_coins_left: float | None
    objectives: list[ObjectivePoints]


def player_statistics(games: Sequence[PlayedGame]) -> PlayerStatistics:
    """The statistics of these games."""
    wins = [game for game in games if game.rank == 1]
    best = max(games, key=lambda game: game.total, default=None)
    ended = [round_ for game in games for round_ in game.rounds if round_.escaped is not None]
    escapes = sum(bool(round_.escaped) for round_ in ended)
    coins = [sum(round_.coins_received for round_ in game.rounds) for game in games]
    return PlayerStatistics(
        games=len(games),
        wins=len(wins),
        shared_wins=sum(game.shared for game in wins),
        win_share=_share(len(wins), len(games)),
        mean_total=fmean(game.total for game in games) if games else None,
        best_total=best.total if best is not None else None,
        best_game=best.game_id if best is not None else None,
        mean_columns={column: fmean(game.columns[column] for game in games) for column in COLUMNS if games},
        escapes=escapes,
        rounds_ended=len(ended),
        escape_share=_share(escapes, len(ended)),
        coins_received=sum(coins),
        mean_coins_received=fmean(coins) if coins else None,
        mean_coins_left=fmean(game.coins_left for game in games) if games else None,
        objectives=objective_points([round_ for game in games for round_ in game.rounds]),
    )


def objective_points(rounds: Sequence[PlayedRound]) -> list[ObjectivePoints]:
    """What each objective brought, the best first."""
    points: dict[str, list[int]] = defaultdict(list)
    for round_ in rounds:
        for objective, worth in (
            (round_.primary, round_.primary_vp),
            (round_.secondary, round_.secondary_vp),
        ):
            if objective is not None and worth is not None:
                points[objective].append(worth)
    found = [
        ObjectivePoints(objective=objective, rounds=len(each), points=sum(each), mean=fmean(each))
        for objective, each in points.items()
    ]
    return sorted(found, key=lambda each: (-each.mean, each.objective))


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
