"""The score sheet: stars of victory cards, and the dragon's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from scorer.catalogue import Catalogue
from scorer.game import Column, FinalRow, FinalScore, Note, Played, Preset
from scorer.json_faults import json_fault
from scorer.stone_dragon.board_ruling import BoardRuling
from scorer.stone_dragon.final_score import Final, GameFile, GamePlayer, final_score, not_a_game, read_game
from scorer.stone_dragon.house import House
from scorer.text import NO_WORDS, Text

_WON = {
    "total": Text("{who} wins with {total} stars.", "{who}が星 {total} 個で勝ちです。"),
    "shared": Text("{who} share the win with {total} stars.", "{who}が星 {total} 個で引き分けです。"),
}
_LEADS = Text("{who} leads with {total} stars so far.", "{who}が星 {total} 個で首位です。")


class Sheet:
    """`scorer.game.Sheet`: one round, filled in when the dragon is dead."""

    columns = (
        Column("stars", Text("Stars of cards", "カードの星"), source="people", most=99),
        Column("dragon", Text("The dragon's stars", "ドラゴンの星"), source="people", most=99),
    )
    final_columns = (
        Column("victory", Text("Cards", "カード")),
        Column("dragon", Text("The dragon", "ドラゴン"), ink="secondary"),
    )
    rounds = 1
    least_players, most_players = 3, 4
    colours: Mapping[str, Text] = {
        "red": Text("Red", "赤"),
        "blue": Text("Blue", "青"),
        "green": Text("Green", "緑"),
        "yellow": Text("Yellow", "黄"),
        "black": Text("Black", "黒"),
    }
    presets: tuple[Preset, ...] = ()
    ties = Text("Equal totals share the win.", "同点なら引き分けです。")
    by_objective = NO_WORDS
    for_later: tuple[str, ...] = ()

    def row(self, verdict: BoardRuling) -> dict[str, Any]:
        return {}

    def game_file(self, players: Sequence[Played], terms: House, rounds: int | None = None) -> GameFile:
        told = []
        for player in players:
            rows = player.rows[:rounds]
            row = rows[-1] if rows else {}
            told.append(
                GamePlayer(name=player.name, stars=row.get("stars") or 0, dragon=row.get("dragon") or 0)
            )
        return GameFile(players=tuple(told))

    def parse_games(self, data: bytes) -> GameFile:
        try:
            told = msgspec.json.decode(data, type=dict[str, Any])
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise not_a_game(json_fault(error, data)) from error
        return read_game(told)

    def final_answer(self, game: GameFile, terms: House, catalogue: Catalogue | None = None) -> Final:
        return final_score(game, catalogue)

    def final(self, answer: Final) -> FinalScore:
        total = max(player.total for player in answer.players)
        en, ja = ", ".join(answer.winners), "、".join(answer.winners)
        won = _WON[answer.decided_by]
        return FinalScore(
            players=tuple(
                FinalRow(each.name, {"victory": each.victory, "dragon": each.dragon}, each.total, each.rank)
                for each in answer.players
            ),
            winners=tuple(answer.winners),
            decided_by=answer.decided_by,
            rounds=self.rounds,
            won=Text(won.en.format(who=en, total=total), won.ja.format(who=ja, total=total)),
            leads=Text(_LEADS.en.format(who=en, total=total), _LEADS.ja.format(who=ja, total=total)),
        )

    def round_start(self, number: int, terms: House) -> tuple[Text, ...]:
        return ()

    def round_end(self, number: int, terms: House) -> tuple[Text, ...]:
        return (
            Text(
                "Count the stars of cards that lie for points, and the dragon's for who killed it.",
                "得点の向きに置いたカードの星と、倒した人はドラゴンの星を数えます。",
            ),
        )

    def notes(self, players: Sequence[Played], terms: House) -> tuple[Mapping[str, Note], ...]:
        return tuple({} for _ in players)

    def found_for_later(self, verdict: BoardRuling) -> dict[str, int]:
        return {}

    def first_by_lot(self, terms: House) -> bool:
        return True
