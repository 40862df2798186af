"""Stated facts of a cooperative game that no photo shows: its difficulty and house rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec import UNSET

from scorer.errors import Code, WaymarkError
from scorer.mapmasters.cooperative.rules.record import TableRecord
from scorer.mapmasters.cooperative.rules.settings import (
    DIFFICULTIES,
    HOUSE,
    CoopSettings,
    Difficulty,
    checked,
)
from scorer.mapmasters.rules.settings import departures
from scorer.terms import Term
from scorer.text import Text, listed

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
                Text(
                    "The difficulty is one of {difficulties}, not {difficulty!r}.",
                    difficulties=listed(DIFFICULTIES),
                    difficulty=self.difficulty,
                ),
            )


def terms_of(record: TableRecord, terms: CoopTerms) -> CoopTerms:
    """`terms`, overridden by what the record states itself."""
    told = record.difficulty
    return CoopTerms(
        terms.difficulty if told is UNSET else told,
        checked(departures(terms.settings) | record.house) if record.house else terms.settings,
    )


def with_terms(record: TableRecord, terms: CoopTerms) -> TableRecord:
    """The record with the values of `terms` stored in it."""
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
    "rookie": Text("Rookie"),
    "easy": Text("Easy"),
    "normal": Text("Normal (advised)"),
    "hard": Text("Hard"),
}

#: Everything that is told, in the order in which forms ask for it.
TERMS: tuple[Term, ...] = (
    Term(
        "difficulty",
        "choice",
        "objective",
        Text("Difficulty"),
        Text(
            "Rookie: what was used counts for goals, and optimizers give fairy tokens. Easy: what was used "
            "counts. Normal: what was used no longer counts. Hard: besides, exactly so many are asked for."
        ),
        choices=DIFFICULTIES,
        choice_words=DIFFICULTY_WORDS,
        usual=USUAL,
    ),
    _choice(
        "means_limit",
        Text("Tokens and spellbooks"),
        Text("Whether one group may be given fairy tokens and spellbooks both."),
        {"both": Text("both"), "either": Text("one or the other")},
    ),
    _choice(
        "step_start",
        Text("Going on from a step card"),
        Text("Where the next path begins: where the last one stopped, or at any free corridor of the card."),
        {"stop": Text("where it stopped"), "card": Text("any free corridor")},
    ),
    _choice(
        "broken_rule",
        Text("A line that breaks a rule"),
        Text("What becomes of the mission when a line breaks a rule without being at a dead end."),
        {"lost": Text("the mission is lost"), "open": Text("it stays open")},
    ),
    Term(
        "used_circles_count",
        "flag",
        "house",
        Text("Used magic circles count"),
        Text(
            "Off: at normal and hard a circle that the group teleported from or to does not count for goals."
        ),
        usual=HOUSE.used_circles_count,
    ),
    Term(
        "token_supply",
        "number",
        "house",
        Text("Fairy tokens of a kind"),
        Text("How many of each kind there are; the rulebook says five."),
        usual=HOUSE.token_supply,
    ),
)
