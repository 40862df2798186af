"""The score sheet: the goods of each player, their points, and those of complete sets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from quayside.rules.board import SET_POINTS, points_of
from quayside.rules.pieces import GAME, NAME, POINTS, House
from quayside.words import NAMES
from scorer.board_sheet import FINAL_FORMAT, GAME_FORMAT, OneRound, check_players, game_fields
from scorer.catalogue import Catalogue
from scorer.sheet import Column, Row, colours, ranking
from scorer.text import Text, capitalised

Count = Annotated[int, msgspec.Meta(ge=0)]


class GamePlayer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player's goods at the end."""

    name: str
    grain: Count = 0
    salt: Count = 0
    silk: Count = 0


class GameFile(msgspec.Struct, frozen=True, kw_only=True):
    """A game written down."""

    players: tuple[GamePlayer, ...]
    format: str = GAME_FORMAT
    game: str = GAME


class FinalPlayer(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    goods: int
    sets: int
    total: int
    rank: int


class Final(msgspec.Struct, frozen=True, kw_only=True):
    """The final score. `decided_by`: the total, or a shared win."""

    format: str = FINAL_FORMAT
    game: str = GAME
    players: list[FinalPlayer]
    winners: list[str]
    decided_by: str


def read_game(told: Mapping[str, Any]) -> GameFile:
    """The goods of all players, from decoded JSON. Raises `WaymarkError` (bad-record)."""
    game = game_fields(told, GameFile, GAME, NAME)
    check_players([player.name for player in game.players], NAME)
    return game


def final_score(game: GameFile) -> Final:
    """Totals and ranks; equal totals share a rank."""
    points = [
        points_of({"grain": each.grain, "salt": each.salt, "silk": each.silk}, POINTS)
        for each in game.players
    ]
    ranks, decided = ranking([(sum(each),) for each in points], ("total", "shared"))
    players = [
        FinalPlayer(name=each.name, goods=goods, sets=sets, total=goods + sets, rank=rank)
        for each, (goods, sets), rank in zip(game.players, points, ranks, strict=True)
    ]
    return Final(
        players=players, winners=[each.name for each in players if each.rank == 1], decided_by=decided
    )


class Sheet(OneRound):
    """`scorer.sheet.Sheet`: one round, filled in when all goods are ashore."""

    name, read_game = NAME, read_game
    columns = tuple(Column(name, capitalised(NAMES[name]), kind="count", most=4) for name in POINTS)
    final_columns = (Column("goods", Text("Goods")), Column("sets", Text("Sets"), ink="secondary"))
    least_players, most_players = 2, 4
    colours = colours("red", "blue", "green", "yellow")
    ties = Text("Equal totals share the win.")
    won: Mapping[str, Text] = {
        "total": Text("{who} brings ashore the most: {total} points."),
        "shared": Text("{who} bring ashore equally much: {total} points."),
    }

    def written(self, name: str, row: Row) -> GamePlayer:
        return GamePlayer(name=name, **{good: row.get(good) or 0 for good in POINTS})

    def game_of(self, players: tuple[GamePlayer, ...]) -> GameFile:
        return GameFile(players=players)

    def final_answer(self, game: GameFile, terms: House, catalogue: Catalogue | None = None) -> Final:
        return final_score(game)

    def round_end(self, number: int, terms: House) -> tuple[Text, ...]:
        return (Text("Count the goods, and {points} points for each set of all kinds.", points=SET_POINTS),)
