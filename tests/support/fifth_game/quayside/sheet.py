"""The score sheet: the goods of each player, their points, and those of complete sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec

from quayside.rules.board import SET_POINTS, points_of
from quayside.rules.pieces import GAME, NAME, POINTS, House
from quayside.words import NAMES
from scorer.board_sheet import (
    FINAL_FORMAT,
    GAME_FORMAT,
    OneRound,
    check_players,
    filled,
    game_fields,
    last_row,
    parse_game,
)
from scorer.catalogue import Catalogue
from scorer.sheet import Column, FinalRow, FinalScore, Played
from scorer.text import Text, capitalised

Count = Annotated[int, msgspec.Meta(ge=0)]
_WON = {
    "total": Text("{who} brings ashore the most: {total} points."),
    "shared": Text("{who} bring ashore equally much: {total} points."),
}
_LEADS = Text("{who} leads with {total} points so far.")


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
    points = {
        each.name: points_of({"grain": each.grain, "salt": each.salt, "silk": each.silk}, POINTS)
        for each in game.players
    }
    most = max(sum(each) for each in points.values())
    winners = [name for name, each in points.items() if sum(each) == most]
    return Final(
        players=[
            FinalPlayer(
                name=name,
                goods=goods,
                sets=sets,
                total=goods + sets,
                rank=1 + sum(sum(other) > goods + sets for other in points.values()),
            )
            for name, (goods, sets) in points.items()
        ],
        winners=winners,
        decided_by="shared" if len(winners) > 1 else "total",
    )


class Sheet(OneRound):
    """`scorer.sheet.Sheet`: one round, filled in when all goods are ashore."""

    columns = tuple(Column(name, capitalised(NAMES[name]), kind="count", most=4) for name in POINTS)
    final_columns = (Column("goods", Text("Goods")), Column("sets", Text("Sets"), ink="secondary"))
    least_players, most_players = 2, 4
    colours: Mapping[str, Text] = {
        "red": Text("Red"),
        "blue": Text("Blue"),
        "green": Text("Green"),
        "yellow": Text("Yellow"),
    }
    ties = Text("Equal totals share the win.")

    def game_file(self, players: Sequence[Played], terms: House, rounds: int | None = None) -> GameFile:
        rows = {player.name: last_row(player, rounds) for player in players}
        return GameFile(
            players=tuple(
                GamePlayer(name=name, **{good: row.get(good) or 0 for good in POINTS})
                for name, row in rows.items()
            )
        )

    def parse_games(self, data: bytes) -> GameFile:
        return parse_game(data, read_game, NAME)

    def final_answer(self, game: GameFile, terms: House, catalogue: Catalogue | None = None) -> Final:
        return final_score(game)

    def final(self, answer: Final) -> FinalScore:
        total = max(player.total for player in answer.players)
        return FinalScore(
            players=tuple(
                FinalRow(each.name, {"goods": each.goods, "sets": each.sets}, each.total, each.rank)
                for each in answer.players
            ),
            winners=tuple(answer.winners),
            decided_by=answer.decided_by,
            rounds=self.rounds,
            won=filled(_WON[answer.decided_by], answer.winners, total),
            leads=filled(_LEADS, answer.winners, total),
        )

    def round_end(self, number: int, terms: House) -> tuple[Text, ...]:
        return (Text("Count the goods, and {points} points for each set of all kinds.", points=SET_POINTS),)
