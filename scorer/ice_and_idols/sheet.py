"""The score sheet: VP by track, bonus spaces, powers, the key card, cubes placed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scorer.board_sheet import OneRound, filled, last_row, parse_game
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
from scorer.sheet import Column, FinalRow, FinalScore, Played
from scorer.text import Text

IDOL_WORDS: Mapping[str, Text] = {
    "sapphire": Text("Sapphire"),
    "tiger_eye": Text("Tiger's eye"),
    "jade": Text("Jade"),
    "ruby": Text("Ruby"),
    "gold": Text("Gold"),
}
_WON = {
    "total": Text("{who} wins with {total} points."),
    "powers": Text("{who} wins with {total} points and more powers."),
    "key": Text("{who} wins with {total} points and the better key card."),
    "markers": Text("{who} wins with {total} points and more cubes placed."),
    "order": Text("{who} wins with {total} points, being later in turn order."),
}
_LEADS = Text("{who} leads with {total} points so far.")
_OPEN = Text("The totals are not known yet: something on the table is missing.")


class Sheet(OneRound):
    """`scorer.sheet.Sheet`: one round, filled in at the end of the game."""

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
    colours: Mapping[str, Text] = {
        "green": Text("Green"),
        "blue": Text("Blue"),
        "red": Text("Red"),
        "yellow": Text("Yellow"),
    }
    ties = Text(
        "Equal totals: more powers, then the better key card, then more cubes, then the later in turn order."
    )

    def game_file(self, players: Sequence[Played], terms: House, rounds: int | None = None) -> GameFile:
        return GameFile(players=tuple(_written(player, rounds) for player in players))

    def parse_games(self, data: bytes) -> GameFile:
        return parse_game(data, read_game, NAME)

    def final_answer(self, game: GameFile, terms: House, catalogue: Catalogue | None = None) -> Final:
        return final_score(game, catalogue, quick=terms.quick)

    def final(self, answer: Final) -> FinalScore:
        total = max((player.total or 0 for player in answer.players), default=0)
        won = _OPEN if answer.decided_by is None else filled(_WON[answer.decided_by], answer.winners, total)
        return FinalScore(
            players=tuple(
                FinalRow(
                    each.name,
                    {
                        "tracks": each.tracks or 0,
                        "bonus": each.bonus or 0,
                        "powers": each.powers,
                        "key": each.key or 0,
                    },
                    each.total or 0,
                    each.rank or 1,
                )
                for each in answer.players
            ),
            winners=tuple(answer.winners),
            decided_by=answer.decided_by or "",
            rounds=self.rounds,
            won=won,
            leads=_OPEN if answer.decided_by is None else filled(_LEADS, answer.winners, total),
        )

    def round_end(self, number: int, terms: House) -> tuple[Text, ...]:
        return (
            Text(
                "Each own cube counts what its track's token says; all five powers count {all_powers}; a "
                "key card counts when its pattern is met.",
                all_powers=ALL_POWERS,
            ),
        )


def _written(player: Played, rounds: int | None) -> GamePlayer:
    row = last_row(player, rounds)
    tracks: dict[IdolKind, int] = {kind: int(row[kind]) for kind in IDOLS if row.get(kind)}
    return GamePlayer(
        name=player.name,
        tracks=tracks,
        bonus=row.get("bonus") or 0,
        powers=row.get("powers") or 0,
        key=row.get("key") or 0,
        markers=row.get("markers") or 0,
    )
