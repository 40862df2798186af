"""The score sheet: VP by track, bonus spaces, powers, the key card, cubes placed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from scorer.catalogue import Catalogue
from scorer.game import Column, FinalRow, FinalScore, Note, Played, Preset
from scorer.ice_and_idols.board_ruling import BoardRuling
from scorer.ice_and_idols.final_score import (
    ALL_POWERS,
    Final,
    GameFile,
    GamePlayer,
    final_score,
    not_a_game,
    read_game,
)
from scorer.ice_and_idols.house import House
from scorer.ice_and_idols.pieces import CUBES, IDOLS, IdolKind
from scorer.json_faults import json_fault
from scorer.text import NO_WORDS, Text

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
    "The totals cannot be told yet: something on the table is not told.",
    "まだ合計を出せません。わかっていないものがあります。",
)


class Sheet:
    """`scorer.game.Sheet`: one round, filled in at the end of the game."""

    columns = (
        *(Column(kind, IDOL_WORDS[kind], source="people", most=99) for kind in IDOLS),
        Column("bonus", Text("Bonus spaces", "ボーナス"), source="people", most=99),
        Column("powers", Text("Powers", "能力の数"), kind="count", source="people", most=len(IDOLS)),
        Column("key", Text("Key card", "キーカード"), source="people", most=99),
        Column("markers", Text("Cubes placed", "置いたマーカー"), kind="count", source="people", most=CUBES),
    )
    final_columns = (
        Column("tracks", Text("Tracks", "研究トラック")),
        Column("bonus", Text("Bonus spaces", "ボーナス"), ink="secondary"),
        Column("powers", Text("All five powers", "能力 5 種")),
        Column("key", Text("Key card", "キーカード")),
    )
    rounds = 1
    least_players, most_players = 2, 4
    colours: Mapping[str, Text] = {
        "green": Text("Green", "緑"),
        "blue": Text("Blue", "青"),
        "red": Text("Red", "赤"),
        "yellow": Text("Yellow", "黄"),
    }
    presets: tuple[Preset, ...] = ()
    ties = Text(
        "Equal totals: more powers, then the better key card, then more cubes, then the later in turn order.",
        "同点なら、能力の数、キーカードの点、置いたマーカーの数、手番順が後の順に比べます。",
    )
    by_objective = NO_WORDS
    for_later: tuple[str, ...] = ()

    def row(self, verdict: BoardRuling) -> dict[str, Any]:
        return {}

    def game_file(self, players: Sequence[Played], terms: House, rounds: int | None = None) -> GameFile:
        return GameFile(players=tuple(_written(player, rounds) for player in players))

    def parse_games(self, data: bytes) -> GameFile:
        try:
            told = msgspec.json.decode(data, type=dict[str, Any])
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise not_a_game(json_fault(error, data)) from error
        return read_game(told)

    def final_answer(self, game: GameFile, terms: House, catalogue: Catalogue | None = None) -> Final:
        return final_score(game, catalogue, quick=terms.quick)

    def final(self, answer: Final) -> FinalScore:
        en, ja = ", ".join(answer.winners), "、".join(answer.winners)
        total = max((player.total or 0 for player in answer.players), default=0)
        won = _OPEN if answer.decided_by is None else _filled(_WON[answer.decided_by], en, ja, total)
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
            leads=_OPEN if answer.decided_by is None else _filled(_LEADS, en, ja, total),
        )

    def round_start(self, number: int, terms: House) -> tuple[Text, ...]:
        return ()

    def round_end(self, number: int, terms: House) -> tuple[Text, ...]:
        return (
            Text(
                "Each own cube counts what its track's token says; all five powers count "
                f"{ALL_POWERS}; a key card counts when its pattern is met.",
                "自分のマーカーは、そのトラックのトークンの数字だけ得点になります。"
                f"能力が 5 種そろえば {ALL_POWERS} 点、キーカードは達成していれば得点です。",
            ),
        )

    def notes(self, players: Sequence[Played], terms: House) -> tuple[Mapping[str, Note], ...]:
        return tuple({} for _ in players)

    def found_for_later(self, verdict: BoardRuling) -> dict[str, int]:
        return {}

    def first_by_lot(self, terms: House) -> bool:
        return True


def _filled(words: Text, en: str, ja: str, total: int) -> Text:
    return Text(words.en.format(who=en, total=total), words.ja.format(who=ja, total=total))


def _written(player: Played, rounds: int | None) -> GamePlayer:
    rows = player.rows[:rounds]
    row = rows[-1] if rows else {}
    tracks: dict[IdolKind, int] = {kind: int(row[kind]) for kind in IDOLS if row.get(kind)}
    return GamePlayer(
        name=player.name,
        tracks=tracks,
        bonus=row.get("bonus") or 0,
        powers=row.get("powers") or 0,
        key=row.get("key") or 0,
        markers=row.get("markers") or 0,
    )
