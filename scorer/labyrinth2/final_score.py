"""The final score: treasures by their value, five a coin, fifteen the dragon (docs/LABYRINTH2.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from scorer.board_record import whole_numbers
from scorer.errors import Code, WaymarkError
from scorer.json_faults import json_fault, wrong_format
from scorer.labyrinth2.checking import GAME, has_place
from scorer.labyrinth2.pieces import Pieces
from scorer.text import Text

GAME_FORMAT, FINAL_FORMAT = "waymark-game/1", "waymark-final/1"
COIN, DRAGON = 5, 15


class GamePlayer(msgspec.Struct, frozen=True, kw_only=True):
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


def game_told(told: Mapping[str, Any], pieces: Pieces) -> GameFile:
    """What players hold in the end, from decoded JSON. Raises `WaymarkError`."""
    if told.get("format") != GAME_FORMAT:
        raise _not_a_game(wrong_format(told.get("format"), GAME_FORMAT))
    try:
        game = msgspec.convert(whole_numbers(told), GameFile)
    except msgspec.ValidationError as error:
        raise _not_a_game(json_fault(error, b"{}")) from error
    if game.game != GAME:
        raise _not_a_game(Text(f"its game is {game.game!r}", f"ゲームが {game.game!r} です"))
    names = [player.name for player in game.players]
    if not names or not all(names) or len(set(names)) < len(names):
        raise _not_a_game(Text("each player needs a name of their own", "プレイヤーには別々の名前が必要です"))
    held: dict[str, int] = {}
    for player in game.players:
        has_place(pieces, player.holds, {*pieces.treasures, *pieces.coins, *pieces.dragons})
        for name, count in player.holds.items():
            if count < 0:
                raise _not_a_game(
                    Text(
                        f"{player.name!r} has a count below 0", f"{player.name!r} に 0 より小さい数があります"
                    )
                )
            held[name] = held.get(name, 0) + count
    for name, count in held.items():
        if count > pieces.copies[name]:
            raise _not_a_game(
                Text(
                    f"there are {count} of {name!r}, and the box has {pieces.copies[name]}",
                    f"{name!r} が {count} 個ありますが、箱には {pieces.copies[name]} 個しかありません",
                )
            )
    return game


def final_score(game: GameFile, pieces: Pieces) -> Final:
    """Totals and ranks: the most points, then the most treasures; who has the same of both shares a rank."""
    rows = []
    for player in game.players:
        counts = {name: count for name, count in player.holds.items() if name in pieces.treasures}
        treasures = sum(pieces.treasures[name] * count for name, count in counts.items())
        coins = COIN * sum(count for name, count in player.holds.items() if name in pieces.coins)
        dragon = DRAGON * sum(count for name, count in player.holds.items() if name in pieces.dragons)
        rows.append((player.name, treasures, coins, dragon, sum(counts.values())))
    worth = {name: (treasures + coins + dragon, chips) for name, treasures, coins, dragon, chips in rows}
    first = max(worth.values())
    winners = [name for name, each in worth.items() if each == first]
    level = [name for name, each in worth.items() if each[0] == first[0]]
    decided_by = "shared" if len(winners) > 1 else "chips" if len(level) > 1 else "total"
    return Final(
        players=[
            FinalPlayer(
                name=name,
                treasures=treasures,
                coins=coins,
                dragon=dragon,
                chips=chips,
                total=worth[name][0],
                rank=1 + sum(other > worth[name] for other in worth.values()),
            )
            for name, treasures, coins, dragon, chips in rows
        ],
        winners=winners,
        decided_by=decided_by,
        complete=any(dragon for _, _, _, dragon, _ in rows),
    )


def _not_a_game(fault: Text) -> WaymarkError:
    return WaymarkError(
        Code.NOT_A_GAME,
        f"This is not a game of Labyrinth 2 ({fault.en}); give a JSON file of the form {GAME_FORMAT}.",
        f"ラビリンス 2 の記録ではありません({fault.ja})。{GAME_FORMAT} 形式の JSON を指定してください。",
    )
