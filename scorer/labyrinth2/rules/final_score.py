"""The final score: treasures by their value, five a coin, fifteen the dragon (docs/LABYRINTH2.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from scorer.board_sheet import FINAL_FORMAT, GAME_FORMAT, check_players, game_fields, not_a_game
from scorer.catalogue import Catalogue
from scorer.labyrinth2.rules.pieces import FIRST, SECOND, pieces_of
from scorer.labyrinth2.rules.validation import GAME, NAME
from scorer.sheet import ranking
from scorer.text import Text

COIN, DRAGON = 5, 15


class GamePlayer(msgspec.Struct, frozen=True, kw_only=True):
    """A player's final possessions, by id."""

    name: str
    holds: dict[str, int] = {}


class GameFile(msgspec.Struct, frozen=True, kw_only=True):
    """The final possessions of all players."""

    players: tuple[GamePlayer, ...]
    format: str = GAME_FORMAT
    game: str = GAME


class FinalPlayer(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    treasures: int
    coins: int
    dragon: int
    chips: int
    total: int
    rank: int


class Final(msgspec.Struct, frozen=True, kw_only=True):
    """The final score. `decided_by` is the criterion that separates the first player from the second, or a
    shared place. `complete` says whether the dragon is won, so that the game is over."""

    format: str = FINAL_FORMAT
    game: str = GAME
    players: list[FinalPlayer]
    winners: list[str]
    decided_by: str
    complete: bool


@dataclass(frozen=True)
class Worth:
    """The scoring pieces, by id: values of treasures, ids of coins and dragons, and the number of copies of
    each."""

    treasures: Mapping[str, int]
    coins: frozenset[str]
    dragons: frozenset[str]
    copies: Mapping[str, int]


#: As the score sheet names things, where no catalogue does.
USUAL = Worth(
    treasures={f"chip-{value}": value for value in (*FIRST, *SECOND)},
    coins=frozenset({"coin"}),
    dragons=frozenset({"dragon"}),
    copies={f"chip-{value}": 2 for value in (*FIRST, *SECOND)} | {"coin": 24, "dragon": 1},
)


def worth_of(catalogue: Catalogue | None) -> Worth:
    """The scoring pieces of a catalogue; the usual ones without a catalogue. Raises `WaymarkError`
    (broken-catalogue)."""
    if catalogue is None:
        return USUAL
    pieces = pieces_of(catalogue)
    return Worth(pieces.treasures, pieces.coins, pieces.dragons, pieces.copies)


def read_game(told: Mapping[str, Any]) -> GameFile:
    """The final possessions of all players, from decoded JSON. Raises `WaymarkError` (bad-record)."""
    game = game_fields(told, GameFile, GAME, NAME)
    names = [player.name for player in game.players]
    check_players(names, NAME)
    for player in game.players:
        if any(count < 0 for count in player.holds.values()):
            raise not_a_game(Text("{player!r} has a count below 0", player=player.name), NAME)
    return game


def _check_holdings(game: GameFile, worth: Worth) -> None:
    held: Counter[str] = Counter()
    for player in game.players:
        held.update(player.holds)
    for name, count in held.items():
        copies = worth.copies.get(name, 1)
        if name not in {*worth.treasures, *worth.coins, *worth.dragons}:
            raise not_a_game(Text("{name!r} is no treasure, coin or dragon", name=name), NAME)
        if count > copies:
            raise not_a_game(
                Text(
                    "there are {count} of {name!r}, and the box has {copies}",
                    count=count,
                    name=name,
                    copies=copies,
                ),
                NAME,
            )


def final_score(game: GameFile, worth: Worth) -> Final:
    """Totals and ranks, by points and then by the number of treasures. Players equal in both share a rank.

    Raises `WaymarkError` (bad-record) for pieces without a value, and for more copies of a piece than exist.
    """
    _check_holdings(game, worth)
    points, standings = [], []
    for player in game.players:
        chips = {name: count for name, count in player.holds.items() if name in worth.treasures}
        coins = sum(count for name, count in player.holds.items() if name in worth.coins)
        dragons = sum(count for name, count in player.holds.items() if name in worth.dragons)
        treasures = sum(worth.treasures[name] * count for name, count in chips.items())
        made = {"treasures": treasures, "coins": COIN * coins, "dragon": DRAGON * dragons}
        points.append(made)
        standings.append((sum(made.values()), sum(chips.values())))
    ranks, decided = ranking(standings, ("total", "chips", "shared"))
    players = [
        FinalPlayer(name=player.name, chips=chips, total=total, rank=rank, **made)
        for player, made, (total, chips), rank in zip(game.players, points, standings, ranks, strict=True)
    ]
    return Final(
        players=players,
        winners=[each.name for each in players if each.rank == 1],
        decided_by=decided,
        complete=any(each.dragon for each in players),
    )
