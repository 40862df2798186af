"""The score sheet: stars of victory cards, and the dragon's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scorer.board_sheet import OneRound, filled, last_row, parse_game
from scorer.catalogue import Catalogue
from scorer.sheet import Column, FinalRow, FinalScore, Played
from scorer.stone_dragon.rules.final_score import Final, GameFile, GamePlayer, final_score, read_game
from scorer.stone_dragon.rules.house import House
from scorer.stone_dragon.rules.validation import NAME
from scorer.text import Text

_WON = {
    "total": Text("{who} wins with {total} stars."),
    "shared": Text("{who} share the win with {total} stars."),
}
_LEADS = Text("{who} leads with {total} stars so far.")


class Sheet(OneRound):
    """`scorer.sheet.Sheet`: one round, filled in when the dragon is dead."""

    columns = (
        Column("stars", Text("Stars of cards"), most=99),
        Column("dragon", Text("The dragon's stars"), most=99),
    )
    final_columns = (Column("victory", Text("Cards")), Column("dragon", Text("The dragon"), ink="secondary"))
    least_players, most_players = 3, 4
    colours: Mapping[str, Text] = {
        "red": Text("Red"),
        "blue": Text("Blue"),
        "green": Text("Green"),
        "yellow": Text("Yellow"),
        "black": Text("Black"),
    }
    ties = Text("Equal totals share the win.")

    def game_file(self, players: Sequence[Played], terms: House, rounds: int | None = None) -> GameFile:
        rows = {player.name: last_row(player, rounds) for player in players}
        return GameFile(
            players=tuple(
                GamePlayer(name=name, stars=row.get("stars") or 0, dragon=row.get("dragon") or 0)
                for name, row in rows.items()
            )
        )

    def parse_games(self, data: bytes) -> GameFile:
        return parse_game(data, read_game, NAME)

    def final_answer(self, game: GameFile, terms: House, catalogue: Catalogue | None = None) -> Final:
        return final_score(game, catalogue)

    def final(self, answer: Final) -> FinalScore:
        total = max(player.total for player in answer.players)
        return FinalScore(
            players=tuple(
                FinalRow(each.name, {"victory": each.victory, "dragon": each.dragon}, each.total, each.rank)
                for each in answer.players
            ),
            winners=tuple(answer.winners),
            decided_by=answer.decided_by,
            rounds=self.rounds,
            won=filled(_WON[answer.decided_by], answer.winners, total),
            leads=filled(_LEADS, answer.winners, total),
        )

    def round_end(self, number: int, terms: House) -> tuple[Text, ...]:
        return (Text("Count the stars of cards that lie for points, and the dragon's for who killed it."),)
