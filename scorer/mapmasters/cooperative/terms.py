"""Stated facts of a cooperative game that no photo shows: its difficulty and house rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec import UNSET

from scorer.errors import Code, WaymarkError
from scorer.mapmasters.cooperative.record import TableRecord
from scorer.mapmasters.cooperative.settings import (
    DIFFICULTIES,
    HOUSE,
    CoopSettings,
    Difficulty,
    checked,
)
from scorer.mapmasters.settings import departures
from scorer.terms import Term
from scorer.text import Text

USUAL: Difficulty = "normal"


@dataclass(frozen=True)
class CoopTerms:
    """Difficulty and house rules of a table. Raises `WaymarkError` (bad-setting)."""

    difficulty: Difficulty = USUAL
    settings: CoopSettings = HOUSE

    def __post_init__(self) -> None:
        if self.difficulty not in DIFFICULTIES:
            raise WaymarkError(
                Code.BAD_SETTING,
                f"The difficulty is one of {', '.join(DIFFICULTIES)}, not {self.difficulty!r}.",
                f"難易度に {self.difficulty!r} は指定できません。"
                f"{'、'.join(DIFFICULTIES)} から選んでください。",
            )


def terms_of(record: TableRecord, terms: CoopTerms) -> CoopTerms:
    """`terms`, overridden by what the record states itself."""
    told = record.difficulty
    return CoopTerms(
        terms.difficulty if told is UNSET else told,
        checked(departures(terms.settings) | record.house) if record.house else terms.settings,
    )


def with_terms(record: TableRecord, terms: CoopTerms) -> TableRecord:
    """The record with the values of `terms`."""
    return msgspec.structs.replace(record, difficulty=terms.difficulty, house=departures(terms.settings))


def make_terms(values: Mapping[str, Any]) -> CoopTerms:
    """Terms from values by the ids of `TERMS`. Raises `WaymarkError` (unknown-setting, bad-setting)."""
    house = {name: value for name, value in values.items() if name != "difficulty"}
    return CoopTerms(values.get("difficulty", USUAL), checked(house) if house else HOUSE)


def term_values(terms: CoopTerms) -> dict[str, Any]:
    """The values that differ from the defaults, by the ids of `TERMS`."""
    told = {} if terms.difficulty == USUAL else {"difficulty": terms.difficulty}
    return told | departures(terms.settings)


def _choice(setting: str, label: Text, explanation: Text, choices: dict[str, Text]) -> Term:
    return Term(
        setting,
        "choice",
        "house",
        label,
        explanation,
        choices=tuple(choices),
        choice_words=choices,
        usual=getattr(HOUSE, setting),
    )


DIFFICULTY_WORDS: dict[str, Text] = {
    "rookie": Text("Rookie", "新入り"),
    "easy": Text("Easy", "イージー"),
    "normal": Text("Normal (advised)", "ノーマル(推奨)"),
    "hard": Text("Hard", "ハード"),
}

#: Everything that is told, in the order in which forms ask for it.
TERMS: tuple[Term, ...] = (
    Term(
        "difficulty",
        "choice",
        "objective",
        Text("Difficulty", "難易度"),
        Text(
            "Rookie: what was used counts for goals, and optimizers give fairy tokens. Easy: what was used "
            "counts. Normal: what was used no longer counts. Hard: besides, exactly so many are asked for.",
            "新入り: 使ったものも目標に数え、オプティマイザーでフェアリートークンをもらえます。"
            "イージー: 使ったものも数えます。ノーマル: 使ったものは数えません。"
            "ハード: さらに、ちょうどの数が必要です。",
        ),
        choices=DIFFICULTIES,
        choice_words=DIFFICULTY_WORDS,
        usual=USUAL,
    ),
    _choice(
        "means_limit",
        Text("Tokens and spellbooks", "トークンと魔導書"),
        Text(
            "Whether one group may be given fairy tokens and spellbooks both.",
            "1 つのグループにフェアリートークンと魔導書の両方を渡せるかどうか。",
        ),
        {"both": Text("both", "両方"), "either": Text("one or the other", "どちらか一方")},
    ),
    _choice(
        "step_start",
        Text("Going on from a step card", "ステップカードからの出発"),
        Text(
            "Where the next path begins: where the last one stopped, or at any free corridor of the card.",
            "次の経路をどこから始めるか。止まった場所か、そのカードの空いている廊下のどこか。",
        ),
        {
            "stop": Text("where it stopped", "止まった場所"),
            "card": Text("any free corridor", "空いている廊下"),
        },
    ),
    _choice(
        "broken_rule",
        Text("A line that breaks a rule", "ルール違反の経路"),
        Text(
            "What becomes of the mission when a line breaks a rule without being at a dead end.",
            "行き止まり以外のルール違反があったとき、ミッションをどうするか。",
        ),
        {"lost": Text("the mission is lost", "失敗とする"), "open": Text("it stays open", "続ける")},
    ),
    Term(
        "used_circles_count",
        "flag",
        "house",
        Text("Used magic circles count", "使った魔法陣も数える"),
        Text(
            "Off: at normal and hard a circle that the group teleported from or to does not count for goals.",
            "オフ: ノーマルとハードでは、テレポートに使った魔法陣を目標に数えません。",
        ),
        usual=HOUSE.used_circles_count,
    ),
    Term(
        "token_supply",
        "number",
        "house",
        Text("Fairy tokens of a kind", "フェアリートークンの数(各種類)"),
        Text(
            "How many of each kind there are; the rulebook says five.",
            "各種類の個数。ルールブックでは 5 個です。",
        ),
        usual=HOUSE.token_supply,
    ),
)
