"""The final score of a versus game: columns, bonuses, ranks and winners; the market order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from scorer.mapmasters.rules.game_record import Game, Player, Round
from scorer.mapmasters.rules.settings import HOUSE, VersusSettings

FINAL_FORMAT = "waymark-final/1"
_COINS_PER_VP = 3
DecidedBy = Literal["total", "secondary", "shared"]


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
    columns: list[tuple[Player, int, int, int, int, int]] = []
    standings: list[tuple[int, int]] = []
    for player, bonus in zip(game.players, bonuses, strict=True):
        primary = sum(each.primary for each in player.rounds)
        whole_secondary = sum(each.secondary for each in player.rounds)
        time_bonus = sum(each.time_bonus for each in player.rounds)
        coins = player.coins_left // _COINS_PER_VP
        total = primary + whole_secondary // 2 + time_bonus + bonus + coins
        columns.append((player, primary, whole_secondary // 2, time_bonus, bonus, coins))
        standings.append((total, whole_secondary))
    players = tuple(
        FinalPlayer(
            name=player.name,
            primary=primary,
            secondary=secondary,
            time_bonus=time_bonus,
            escape_bonus=bonus,
            coins=coins,
            total=standing[0],
            rank=1 + sum(other > standing for other in standings),
        )
        for (player, primary, secondary, time_bonus, bonus, coins), standing in zip(
            columns, standings, strict=True
        )
    )
    winners = tuple(player.name for player in players if player.rank == 1)
    best_total = max(player.total for player in players)
    decided_by: DecidedBy = "total"
    if len(winners) > 1:
        decided_by = "shared"
    elif sum(player.total == best_total for player in players) > 1:
        decided_by = "secondary"
    return Final(
        players=players,
        winners=winners,
        decided_by=decided_by,
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
