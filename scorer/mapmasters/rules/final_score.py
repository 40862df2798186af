"""The final score of a versus game: columns, bonuses, ranks and winners; the market order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from scorer.mapmasters.rules.game_record import Game, Round
from scorer.mapmasters.rules.settings import HOUSE, VersusSettings
from scorer.sheet import ranking

FINAL_FORMAT = "waymark-final/1"
_COINS_PER_VP = 3
DecidedBy = Literal["total", "secondary", "shared"]
_WAYS: tuple[DecidedBy, ...] = ("total", "secondary", "shared")


class FinalPlayer(msgspec.Struct, frozen=True, kw_only=True):
    """A player's columns: `secondary` is halved, `coins` and `escape_bonus` are victory points."""

    name: str
    primary: int
    secondary: int
    time_bonus: int
    escape_bonus: int
    coins: int
    total: int
    rank: int


class Final(msgspec.Struct, frozen=True, kw_only=True):
    """The final score, or the current standing. Players are in the game's order and equal players share a
    rank. `rounds` is the number of rounds played."""

    players: tuple[FinalPlayer, ...]
    winners: tuple[str, ...]
    decided_by: DecidedBy
    rounds: int
    format: str = FINAL_FORMAT


def final_score(game: Game, settings: VersusSettings = HOUSE) -> Final:
    """Columns, bonuses, ranks and winners. Ties in the total go to the higher whole secondary column, then
    are shared.
    """
    bonuses = escape_bonuses(
        [sum(each.escaped for each in player.rounds) for player in game.players], settings
    )
    columns, standings = [], []
    for player, bonus in zip(game.players, bonuses, strict=True):
        whole_secondary = sum(each.secondary for each in player.rounds)
        points = {
            "primary": sum(each.primary for each in player.rounds),
            "secondary": whole_secondary // 2,
            "time_bonus": sum(each.time_bonus for each in player.rounds),
            "escape_bonus": bonus,
            "coins": player.coins_left // _COINS_PER_VP,
        }
        columns.append(points)
        standings.append((sum(points.values()), whole_secondary))
    ranks, decided = ranking(standings, _WAYS)
    players = tuple(
        FinalPlayer(name=player.name, **points, total=total, rank=rank)
        for player, points, (total, _), rank in zip(game.players, columns, standings, ranks, strict=True)
    )
    return Final(
        players=players,
        winners=tuple(player.name for player in players if player.rank == 1),
        decided_by=decided,
        rounds=max(len(player.rounds) for player in game.players),
    )


def escape_bonuses(boxes: Sequence[int], settings: VersusSettings = HOUSE) -> tuple[int, ...]:
    """Victory points for each player's number of escape boxes: 2 for the most, 1 for the next lower
    number.
    """
    counted = {count for count in boxes if count > 0 or settings.escape_bonus_for_no_boxes}
    worth = dict(zip(sorted(counted, reverse=True), (2, 1), strict=False))
    return tuple(worth.get(count, 0) for count in boxes)


def market_order(game: Game, first: int = 0) -> tuple[str, ...]:
    """Buying order of the next round: first the player with the fewest coins (tie: fewer victory
    points in the last round, then the earlier seat), then clockwise. In round 1 the player at seat `first`
    begins, whom people find as `round_start_reminders` says.
    """

    def key(seat: int) -> tuple[int, int, int]:
        player = game.players[seat]
        last = player.rounds[-1] if player.rounds else Round()
        return player.coins_left, last.primary + last.secondary + last.time_bonus, seat

    names = [player.name for player in game.players]
    if any(player.rounds for player in game.players):
        first = min(range(len(names)), key=key)
    return tuple(names[first:] + names[:first])


def to_json(final: Final) -> bytes:
    """The final score as compact UTF-8 JSON."""
    return msgspec.json.encode(final)
