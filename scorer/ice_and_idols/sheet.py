"""The score sheet: VP by track, bonus spaces, powers, the key card, cubes placed."""

from __future__ import annotations

from collections.abc import Mapping

from scorer.board_sheet import OneRound
from scorer.catalogue import Catalogue
from scorer.ice_and_idols.rules.final_score import (
    ALL_POWERS,
    Final,
    GameFile,
    GamePlayer,
    final_score,
    read_game,
)
from scorer.ice_and_idols.rules.house import House
from scorer.ice_and_idols.rules.pieces import CUBES, IDOLS, IdolKind
from scorer.ice_and_idols.rules.validation import NAME
from scorer.sheet import Column, Row, colours
from scorer.text import Text

IDOL_WORDS: Mapping[str, Text] = {
    "sapphire": Text("Sapphire"),
    "tiger_eye": Text("Tiger's eye"),
    "jade": Text("Jade"),
    "ruby": Text("Ruby"),
    "gold": Text("Gold"),
}


class Sheet(OneRound):
    """`scorer.sheet.Sheet`: one round, filled in at the end of the game."""

    name, read_game = NAME, read_game
    columns = (
        *(Column(kind, IDOL_WORDS[kind], most=99) for kind in IDOLS),
        Column("bonus", Text("Bonus spaces"), most=99),
        Column("powers", Text("Powers"), kind="count", most=len(IDOLS)),
        Column("key", Text("Key card"), most=99),
        Column("markers", Text("Cubes placed"), kind="count", most=CUBES),
    )
    final_columns = (
        Column("tracks", Text("Tracks")),
        Column("bonus", Text("Bonus spaces"), ink="secondary"),
        Column("powers", Text("All five powers")),
        Column("key", Text("Key card")),
    )
    least_players, most_players = 2, 4
    colours = colours("green", "blue", "red", "yellow")
    ties = Text(
        "Equal totals: more powers, then the better key card, then more cubes, then the later in turn order."
    )
    won: Mapping[str, Text] = {
        "total": Text("{who} wins with {total} points."),
        "powers": Text("{who} wins with {total} points and more powers."),
        "key": Text("{who} wins with {total} points and the better key card."),
        "markers": Text("{who} wins with {total} points and more cubes placed."),
        "order": Text("{who} wins with {total} points, being later in turn order."),
        "": Text("The totals are not known yet: something on the table is missing."),
    }

    def written(self, name: str, row: Row) -> GamePlayer:
        others = {column: row.get(column) or 0 for column in ("bonus", "powers", "key", "markers")}
        tracks: dict[IdolKind, int] = {kind: int(row[kind]) for kind in IDOLS if row.get(kind)}
        return GamePlayer(name=name, tracks=tracks, **others)

    def game_of(self, players: tuple[GamePlayer, ...]) -> GameFile:
        return GameFile(players=players)

    def final_answer(self, game: GameFile, terms: House, catalogue: Catalogue | None = None) -> Final:
        return final_score(game, catalogue, quick=terms.quick)

    def round_end(self, number: int, terms: House) -> tuple[Text, ...]:
        return (
            Text(
                "Each own cube counts what its track's token says; all five powers count {all_powers}; a "
                "key card counts when its pattern is met.",
                all_powers=ALL_POWERS,
            ),
        )
