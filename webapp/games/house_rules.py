"""House rules in forms: one row for every term of the game that is a house rule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scorer.game import Game as Rules
from scorer.terms import Term
from scorer.text import Language
from webapp.store.boxes import with_usual

FIELD_PREFIX = "rule-"


@dataclass(frozen=True)
class HouseRule:
    """A house rule in a form, in the reader's language. `kind` is number, yes_no or choice; `minimum` applies
    to numbers. An empty number means none where `optional`; `choices` are (value, words)."""

    name: str
    label: str
    explanation: str
    kind: str
    value: Any
    minimum: int = 0
    optional: bool = False
    choices: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Preset:
    """A named set of house rules; `values` are in the form of form fields."""

    name: str
    words: str
    values: dict[str, str]


_KINDS = {"flag": "yes_no", "choice": "choice"}


def house_rules(
    rules: Rules, language: Language, values: Mapping[str, Any] | None = None
) -> tuple[HouseRule, ...]:
    """All house rules in the game's order, with their defaults or the given `values`."""
    told = with_usual(rules, values or {}, "house")
    return tuple(_rule(term, told[term.id], language) for term in _house(rules))


def _house(rules: Rules) -> list[Term]:
    return [term for term in rules.rules.settings.terms if term.group == "house"]


def _rule(term: Term, value: Any, language: Language) -> HouseRule:
    return HouseRule(
        name=term.id,
        label=term.label.message(language),
        explanation=term.explanation.message(language) if term.explanation is not None else "",
        kind=_KINDS.get(term.kind, "number"),
        value=value,
        minimum=term.least,
        optional=term.optional,
        choices=tuple(
            (choice, term.choice_words[choice].message(language) if choice in term.choice_words else choice)
            for choice in term.choices
        ),
    )


def ruling_rules(rules: Rules, language: Language) -> tuple[HouseRule, ...]:
    """House rules that affect the ruling of one player's cards."""
    ruling = {term.id for term in _house(rules) if term.ruling}
    return tuple(rule for rule in house_rules(rules, language) if rule.name in ruling)


def begun_rules(rules: Rules, language: Language) -> tuple[HouseRule, ...]:
    """House rules that may change after a game has begun."""
    settled = {term.id for term in _house(rules) if term.until_begun}
    return tuple(rule for rule in house_rules(rules, language) if rule.name not in settled)


def presets(rules: Rules, language: Language) -> tuple[Preset, ...]:
    """The sets of house rules that the form offers."""
    return tuple(
        Preset(preset.id, preset.label.message(language), as_words(with_usual(rules, preset.values, "house")))
        for preset in rules.sheet.presets
    )


def as_words(values: Mapping[str, Any]) -> dict[str, str]:
    """House rules as strings for form fields."""
    return {name: "none" if value is None else str(value).lower() for name, value in values.items()}


def settings_from(rules: Rules, form: Mapping[str, str]) -> dict[str, Any]:
    """House rules from submitted form fields. Raises `WaymarkError` (bad-setting)."""
    values = {}
    for term in _house(rules):
        given = form.get(FIELD_PREFIX + term.id)
        if term.kind == "flag":
            # A form omits unticked boxes.
            values[term.id] = bool(given)
        elif given is not None:
            values[term.id] = term.read(given)
    return values


def changed_rules(rules: Rules, language: Language, values: Mapping[str, Any]) -> list[HouseRule]:
    """The house rules of a game that differ from the usual ones."""
    return [rule for rule in house_rules(rules, language, values) if rule.name in values]
