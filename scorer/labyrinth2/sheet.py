"""The score sheet: each player's final possessions and their points."""

from __future__ import annotations

from collections.abc import Mapping

from scorer.board_sheet import OneRound
from scorer.catalogue import Catalogue
from scorer.labyrinth2.rules.final_score import (
    COIN,
    DRAGON,
    Final,
    GameFile,
    GamePlayer,
    final_score,
    read_game,
    worth_of,
)
from scorer.labyrinth2.rules.house import House
from scorer.labyrinth2.rules.validation import NAME
from scorer.sheet import Column, Row, colours
from scorer.text import Text

VALUES = range(1, 13)
#: The usual ids of pieces, by the columns of the sheet.
_PIECES = {f"treasure_{value}": f"chip-{value}" for value in VALUES} | {"coins": "coin", "dragon": "dragon"}


def _treasure(value: int) -> Column:
    label = Text("Treasures {value}", value=value)
    return Column(f"treasure_{value}", label, kind="count", most=2, icon="treasure")


class Sheet(OneRound):
    """The score sheet (`scorer.sheet.Sheet`), with one row that is filled in when the dragon is won.
    Treasures are entered by value, since the ids of pieces depend on the catalogue."""

    name, read_game = NAME, read_game
    columns = (
        *(_treasure(value) for value in VALUES),
        Column("coins", Text("Coins"), kind="count", most=24, icon="coin"),
        Column(
            "dragon",
            Text("The dragon"),
            kind="tick",
            most=1,
            ticks=(Text("the dragon"), Text("no dragon"), Text("the dragon?")),
        ),
    )
    final_columns = (
        Column("treasures", Text("Treasures")),
        Column("coins", Text("Coins"), ink="secondary"),
        Column("dragon", Text("The dragon")),
    )
    least_players, most_players = 2, 4
    colours = colours("red", "blue", "green", "yellow")
    ties = Text("Equal totals: more treasures win, then the place is shared.")
    won: Mapping[str, Text] = {
        "total": Text("{who} wins with {total} points."),
        "chips": Text("{who} wins with {total} points and more treasures."),
        "shared": Text("{who} share the win with {total} points."),
    }

    def written(self, name: str, row: Row) -> GamePlayer:
        holds = {piece: int(row[column]) for column, piece in _PIECES.items() if row.get(column)}
        return GamePlayer(name=name, holds=holds)

    def game_of(self, players: tuple[GamePlayer, ...]) -> GameFile:
        return GameFile(players=players)

    def final_answer(self, game: GameFile, terms: House, catalogue: Catalogue | None = None) -> Final:
        return final_score(game, worth_of(catalogue))

    def round_end(self, number: int, terms: House) -> tuple[Text, ...]:
        return (
            Text(
                "Count treasures by their value, {coin} for each coin, {dragon} for the dragon.",
                coin=COIN,
                dragon=DRAGON,
            ),
        )
