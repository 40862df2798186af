"""The final score: treasures by their value, five a coin, fifteen the dragon (docs/LABYRINTH2.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from scorer.board_record import whole_numbers
from scorer.catalogue import Catalogue
from scorer.errors import Code, WaymarkError
from scorer.json_faults import json_fault, wrong_format
from scorer.labyrinth2.checking import GAME
from scorer.labyrinth2.pieces import FIRST, SECOND, pieces_of
from scorer.text import Text

GAME_FORMAT, FINAL_FORMAT = "waymark-game/1", "waymark-final/1"
COIN, DRAGON = 5, 15


class GamePlayer(msgspec.Struct, frozen=True, kw_only=True):
    """A player and what lies before them, by id."""

    name: str
    holds: dict[str, int] = {}


class GameFile(msgspec.Struct, frozen=True, kw_only=True):
    """What each player holds in the end."""

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
    """`decided_by`: what tells the first from the second, or that they share the place; `complete`: whether
    the dragon is won, so that the game is over."""

    format: str = FINAL_FORMAT
    game: str = GAME
    players: list[FinalPlayer]
    winners: list[str]
    decided_by: str
    complete: bool


@dataclass(frozen=True)
class Worth:
    """What counts in the end, by id: treasures with their value, coins, dragons, and how many of each there
    are."""

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
    """What counts by the numbers of a catalogue. Raises `WaymarkError` (broken-catalogue)."""
    if catalogue is None:
        return USUAL
    pieces = pieces_of(catalogue)
    return Worth(pieces.treasures, pieces.coins, pieces.dragons, pieces.copies)


def read_game(told: Mapping[str, Any]) -> GameFile:
    """What players hold in the end, from decoded JSON. Raises `WaymarkError` (not-a-game)."""
    if told.get("format") != GAME_FORMAT:
        raise not_a_game(wrong_format(told.get("format"), GAME_FORMAT))
    try:
        game = msgspec.convert(whole_numbers(told), GameFile)
    except msgspec.ValidationError as error:
        raise not_a_game(json_fault(error, b"{}")) from error
    if game.game != GAME:
        raise not_a_game(Text(f"its game is {game.game!r}", f"ゲームが {game.game!r} です"))
    names = [player.name for player in game.players]
    if not names or not all(names) or len(set(names)) < len(names):
        raise not_a_game(Text("each player needs a name of their own", "プレイヤーには別々の名前が必要です"))
    for player in game.players:
        if any(count < 0 for count in player.holds.values()):
            raise not_a_game(
                Text(f"{player.name!r} has a count below 0", f"{player.name!r} に 0 より小さい数があります")
            )
    return game


def _check_holdings(game: GameFile, worth: Worth) -> None:
    held: Counter[str] = Counter()
    for player in game.players:
        held.update(player.holds)
    for name, count in held.items():
        copies = worth.copies.get(name, 1)
        if name not in {*worth.treasures, *worth.coins, *worth.dragons}:
            raise not_a_game(
                Text(
                    f"{name!r} is no treasure, coin or dragon",
                    f"{name!r} は宝でもコインでもドラゴンでもありません",
                )
            )
        if count > copies:
            raise not_a_game(
                Text(
                    f"there are {count} of {name!r}, and the box has {copies}",
                    f"{name!r} が {count} 個ありますが、箱には {copies} 個しかありません",
                )
            )


def final_score(game: GameFile, worth: Worth) -> Final:
    """Totals and ranks: the most points, then the most treasures; who has the same of both shares a rank.
    Raises `WaymarkError` (not-a-game) for what does not count, and for more of a thing than there are."""
    _check_holdings(game, worth)
    rows = []
    for player in game.players:
        counts = {name: count for name, count in player.holds.items() if name in worth.treasures}
        treasures = sum(worth.treasures[name] * count for name, count in counts.items())
        coins = COIN * sum(count for name, count in player.holds.items() if name in worth.coins)
        dragon = DRAGON * sum(count for name, count in player.holds.items() if name in worth.dragons)
        rows.append((player.name, treasures, coins, dragon, sum(counts.values())))
    points = {name: (treasures + coins + dragon, chips) for name, treasures, coins, dragon, chips in rows}
    first = max(points.values())
    winners = [name for name, each in points.items() if each == first]
    level = [name for name, each in points.items() if each[0] == first[0]]
    return Final(
        players=[
            FinalPlayer(
                name=name,
                treasures=treasures,
                coins=coins,
                dragon=dragon,
                chips=chips,
                total=points[name][0],
                rank=1 + sum(other > points[name] for other in points.values()),
            )
            for name, treasures, coins, dragon, chips in rows
        ],
        winners=winners,
        decided_by="shared" if len(winners) > 1 else "chips" if len(level) > 1 else "total",
        complete=any(dragon for _, _, _, dragon, _ in rows),
    )


def not_a_game(fault: Text) -> WaymarkError:
    """The error for input that cannot be taken as a game."""
    return WaymarkError(
        Code.NOT_A_GAME,
        f"This is not a game of Labyrinth 2 ({fault.en}); give a JSON file of the form {GAME_FORMAT}.",
        f"ラビリンス 2 の記録ではありません({fault.ja})。{GAME_FORMAT} 形式の JSON を指定してください。",
    )
