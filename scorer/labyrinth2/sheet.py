"""The score sheet: each player's final possessions and their points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scorer.board_sheet import OneRound, filled, last_row, parse_game
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
from scorer.sheet import Column, FinalRow, FinalScore, Played
from scorer.text import Text

VALUES = range(1, 13)
_WON = {
    "total": Text("{who} wins with {total} points."),
    "chips": Text("{who} wins with {total} points and more treasures."),
    "shared": Text("{who} share the win with {total} points."),
}
_LEADS = Text("{who} leads with {total} points so far.")


def _treasure(value: int) -> Column:
    label = Text("Treasures {value}", value=value)
    return Column(f"treasure_{value}", label, kind="count", most=2, icon="treasure")


class Sheet(OneRound):
    """The score sheet (`scorer.sheet.Sheet`), with one row that is filled in when the dragon is won.
    Treasures are entered by value, since the ids of pieces depend on the catalogue."""

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
    colours: Mapping[str, Text] = {
        "red": Text("Red"),
        "blue": Text("Blue"),
        "green": Text("Green"),
        "yellow": Text("Yellow"),
    }
    ties = Text("Equal totals: more treasures win, then the place is shared.")

    def game_file(self, players: Sequence[Played], terms: House, rounds: int | None = None) -> GameFile:
        return GameFile(
            players=tuple(
                GamePlayer(name=player.name, holds=_holds(last_row(player, rounds))) for player in players
            )
        )

    def parse_games(self, data: bytes) -> GameFile:
        return parse_game(data, read_game, NAME)

    def final_answer(self, game: GameFile, terms: House, catalogue: Catalogue | None = None) -> Final:
        return final_score(game, worth_of(catalogue))

    def final(self, answer: Final) -> FinalScore:
        total = max(player.total for player in answer.players)
        return FinalScore(
            players=tuple(
                FinalRow(
                    each.name,
                    {"treasures": each.treasures, "coins": each.coins, "dragon": each.dragon},
                    each.total,
                    each.rank,
                )
                for each in answer.players
            ),
            winners=tuple(answer.winners),
            decided_by=answer.decided_by,
            rounds=self.rounds,
            won=filled(_WON[answer.decided_by], answer.winners, total),
            leads=filled(_LEADS, answer.winners, total),
        )

    def round_end(self, number: int, terms: House) -> tuple[Text, ...]:
        return (
            Text(
                "Count treasures by their value, {coin} for each coin, {dragon} for the dragon.",
                coin=COIN,
                dragon=DRAGON,
            ),
        )


def _holds(row: Mapping[str, Any]) -> dict[str, int]:
    """The possessions in a player's row, by default ids."""
    named = {f"treasure_{value}": f"chip-{value}" for value in VALUES} | {"coins": "coin", "dragon": "dragon"}
    return {name: int(row[column]) for column, name in named.items() if row.get(column)}
