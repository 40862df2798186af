"""The score sheet: stars of victory cards, and the dragon's."""

from __future__ import annotations

from collections.abc import Mapping

from scorer.board_sheet import OneRound
from scorer.catalogue import Catalogue
from scorer.sheet import Column, Row, colours
from scorer.stone_dragon.rules.final_score import Final, GameFile, GamePlayer, final_score, read_game
from scorer.stone_dragon.rules.house import House
from scorer.stone_dragon.rules.validation import NAME
from scorer.text import Text


class Sheet(OneRound):
    """`scorer.sheet.Sheet`: one round, filled in when the dragon is dead."""

    name, read_game = NAME, read_game
    columns = (
        Column("stars", Text("Stars of cards"), most=99),
        Column("dragon", Text("The dragon's stars"), most=99),
    )
    final_columns = (Column("victory", Text("Cards")), Column("dragon", Text("The dragon"), ink="secondary"))
    least_players, most_players = 3, 4
    colours = colours("red", "blue", "green", "yellow", "black")
    ties = Text("Equal totals share the win.")
    won: Mapping[str, Text] = {
        "total": Text("{who} wins with {total} stars."),
        "shared": Text("{who} share the win with {total} stars."),
    }
    leads = Text("{who} leads with {total} stars so far.")

    def written(self, name: str, row: Row) -> GamePlayer:
        return GamePlayer(name=name, stars=row.get("stars") or 0, dragon=row.get("dragon") or 0)

    def game_of(self, players: tuple[GamePlayer, ...]) -> GameFile:
        return GameFile(players=players)

    def final_answer(self, game: GameFile, terms: House, catalogue: Catalogue | None = None) -> Final:
        return final_score(game, catalogue)

    def round_end(self, number: int, terms: House) -> tuple[Text, ...]:
        return (Text("Count the stars of cards that lie for points, and the dragon's for who killed it."),)
