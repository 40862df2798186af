"""The score sheet: VP by track, bonus spaces, powers, the key card, cubes placed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scorer.board_sheet import OneRound, filled, last_row, parse_game
from scorer.catalogue import Catalogue
from scorer.ice_and_idols.final_score import (
    ALL_POWERS,
    Final,
    GameFile,
    GamePlayer,
    final_score,
    read_game,
)
from scorer.ice_and_idols.house import House
from scorer.ice_and_idols.pieces import CUBES, IDOLS, IdolKind
from scorer.ice_and_idols.validation import NAME
from scorer.sheet import Column, FinalRow, FinalScore, Played
from scorer.text import Text

IDOL_WORDS: Mapping[str, Text] = {
    "sapphire": Text("Sapphire", "サファイア"),
    "tiger_eye": Text("Tiger's eye", "虎目石"),
    "jade": Text("Jade", "翡翠"),
    "ruby": Text("Ruby", "ルビー"),
    "gold": Text("Gold", "金"),
}
_WON = {
    "total": Text("{who} wins with {total} points.", "{who}が {total} 点で勝ちです。"),
    "powers": Text(
        "{who} wins with {total} points and more powers.", "{who}が {total} 点で、能力が多いので勝ちです。"
    ),
    "key": Text(
        "{who} wins with {total} points and the better key card.",
        "{who}が {total} 点で、キーカードの点が高いので勝ちです。",
    ),
    "markers": Text(
        "{who} wins with {total} points and more cubes placed.",
        "{who}が {total} 点で、置いた研究マーカーが多いので勝ちです。",
    ),
    "order": Text(
        "{who} wins with {total} points, being later in turn order.",
        "{who}が {total} 点で、手番順が後なので勝ちです。",
    ),
}
_LEADS = Text("{who} leads with {total} points so far.", "{who}が {total} 点で首位です。")
_OPEN = Text(
    "The totals are not known yet: something on the table is missing.",
    "まだ合計を出せません。分かっていないものがあります。",
)


class Sheet(OneRound):
    """`scorer.sheet.Sheet`: one round, filled in at the end of the game."""

    columns = (
        *(Column(kind, IDOL_WORDS[kind], most=99) for kind in IDOLS),
        Column("bonus", Text("Bonus spaces", "ボーナス"), most=99),
        Column("powers", Text("Powers", "能力の数"), kind="count", most=len(IDOLS)),
        Column("key", Text("Key card", "キーカード"), most=99),
        Column("markers", Text("Cubes placed", "置いたマーカー"), kind="count", most=CUBES),
    )
    final_columns = (
        Column("tracks", Text("Tracks", "研究トラック")),
        Column("bonus", Text("Bonus spaces", "ボーナス"), ink="secondary"),
        Column("powers", Text("All five powers", "能力 5 種")),
        Column("key", Text("Key card", "キーカード")),
    )
    least_players, most_players = 2, 4
    colours: Mapping[str, Text] = {
        "green": Text("Green", "緑"),
        "blue": Text("Blue", "青"),
        "red": Text("Red", "赤"),
        "yellow": Text("Yellow", "黄"),
    }
    ties = Text(
        "Equal totals: more powers, then the better key card, then more cubes, then the later in turn order.",
        "同点なら、能力の数、キーカードの点、置いたマーカーの数、手番順が後の順に比べます。",
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
                "Each own cube counts what its track's token says; all five powers count "
                f"{ALL_POWERS}; a key card counts when its pattern is met.",
                "自分のマーカーは、そのトラックのトークンの数字だけ得点になります。"
                f"能力が 5 種そろえば {ALL_POWERS} 点、キーカードは達成していれば得点です。",
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
