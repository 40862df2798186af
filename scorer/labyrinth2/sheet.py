"""The score sheet: what lies before each player in the end, and what it is worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from scorer.catalogue import Catalogue
from scorer.game import Column, FinalRow, FinalScore, Note, Played, Preset
from scorer.json_faults import json_fault
from scorer.labyrinth2.board_ruling import BoardRuling
from scorer.labyrinth2.final_score import (
    COIN,
    DRAGON,
    Final,
    GameFile,
    GamePlayer,
    final_score,
    not_a_game,
    read_game,
    worth_of,
)
from scorer.labyrinth2.house import House
from scorer.text import NO_WORDS, Text

VALUES = range(1, 13)
_WON = {
    "total": Text("{who} wins with {total} points.", "{who}が {total} 点で勝ちです。"),
    "chips": Text(
        "{who} wins with {total} points and more treasures.", "{who}が {total} 点で、宝が多いので勝ちです。"
    ),
    "shared": Text("{who} share the win with {total} points.", "{who}が {total} 点で引き分けです。"),
}
_LEADS = Text("{who} leads with {total} points so far.", "{who}が {total} 点で首位です。")


def _treasure(value: int) -> Column:
    label = Text(f"Treasures {value}", f"{value} の宝")
    return Column(f"treasure_{value}", label, kind="count", source="people", most=2, icon="treasure")


class Sheet:
    """`scorer.game.Sheet`: one round, filled in when the dragon is won. Treasures are told by their value:
    which pieces of a catalogue they are is the catalogue's to say."""

    columns = (
        *(_treasure(value) for value in VALUES),
        Column("coins", Text("Coins", "コイン"), kind="count", source="people", most=24, icon="coin"),
        Column("dragon", Text("The dragon", "ドラゴン"), kind="count", source="people", most=1),
    )
    final_columns = (
        Column("treasures", Text("Treasures", "宝")),
        Column("coins", Text("Coins", "コイン"), ink="secondary"),
        Column("dragon", Text("The dragon", "ドラゴン")),
    )
    rounds = 1
    least_players, most_players = 2, 4
    colours: Mapping[str, Text] = {
        "red": Text("Red", "赤"),
        "blue": Text("Blue", "青"),
        "green": Text("Green", "緑"),
        "yellow": Text("Yellow", "黄"),
    }
    presets: tuple[Preset, ...] = ()
    ties = Text(
        "Equal totals: more treasures win, then the place is shared.",
        "同点なら宝の多い人が勝ち、それも同じなら引き分けです。",
    )
    by_objective = NO_WORDS
    for_later: tuple[str, ...] = ()

    def row(self, verdict: BoardRuling) -> dict[str, Any]:
        return {}

    def game_file(self, players: Sequence[Played], terms: House, rounds: int | None = None) -> GameFile:
        return GameFile(
            players=tuple(
                GamePlayer(name=player.name, holds=_holds(player.rows[:rounds])) for player in players
            )
        )

    def parse_games(self, data: bytes) -> GameFile:
        try:
            told = msgspec.json.decode(data, type=dict[str, Any])
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise not_a_game(json_fault(error, data)) from error
        return read_game(told)

    def final_answer(self, game: GameFile, terms: House, catalogue: Catalogue | None = None) -> Final:
        return final_score(game, worth_of(catalogue))

    def final(self, answer: Final) -> FinalScore:
        total = max(player.total for player in answer.players)
        en, ja = ", ".join(answer.winners), "、".join(answer.winners)
        won = _WON[answer.decided_by]
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
            won=Text(won.en.format(who=en, total=total), won.ja.format(who=ja, total=total)),
            leads=Text(_LEADS.en.format(who=en, total=total), _LEADS.ja.format(who=ja, total=total)),
        )

    def round_start(self, number: int, terms: House) -> tuple[Text, ...]:
        return ()

    def round_end(self, number: int, terms: House) -> tuple[Text, ...]:
        return (
            Text(
                f"Count treasures by their value, {COIN} for each coin, {DRAGON} for the dragon.",
                f"宝は数字の合計、コインは 1 枚 {COIN} 点、ドラゴンは {DRAGON} 点です。",
            ),
        )

    def notes(self, players: Sequence[Played], terms: House) -> tuple[Mapping[str, Note], ...]:
        return tuple({} for _ in players)

    def found_for_later(self, verdict: BoardRuling) -> dict[str, int]:
        return {}

    def first_by_lot(self, terms: House) -> bool:
        return True


def _holds(rows: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """What a player's row tells, by the usual ids."""
    row = rows[-1] if rows else {}
    named = {f"treasure_{value}": f"chip-{value}" for value in VALUES} | {"coins": "coin", "dragon": "dragon"}
    return {name: int(row[column]) for column, name in named.items() if row.get(column)}
