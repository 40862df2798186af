"""House rules in forms: one row for every term of the game that is a house rule, and one for how sure a score
has to be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from scorer.game import Game as Rules
from scorer.play_kinds import TABLEAU, play_kind
from scorer.terms import Term
from scorer.text import Language, Text
from waymark.review.decision import CERTAINTY
from webapp.store.boxes import sure_from, with_usual
from webapp.store.models import Game

FIELD_PREFIX = "rule-"
#: The least probabilities of a sure score that forms offer. Of these, `CERTAINTY` is the usual one.
_CERTAINTIES = {
    CERTAINTY: Text("Usual ({percent}% sure)", percent=f"{100 * CERTAINTY:.4g}"),
    0.99: Text("Stricter (99%, asks more often)"),
    0.995: Text("Strictest (99.5%, asks most often)"),
}
_CERTAINTY = Term(
    id="certainty",
    kind="choice",
    group="house",
    label=Text("When Waymark calls a score sure"),
    explanation=Text(
        "Waymark asks about scores that are less likely to be right. Stricter: fewer mistakes, more "
        "questions."
    ),
    choices=tuple(map(str, _CERTAINTIES)),
    choice_words={str(each): words for each, words in _CERTAINTIES.items()},
)


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


def has_certainty(rules: Rules) -> bool:
    """Whether the game's scores are sure from a probability on: those read from each player's cards."""
    return play_kind(rules) is TABLEAU


def certainty_rule(rules: Rules, language: Language, game: Game | None = None) -> HouseRule | None:
    """How sure a score has to be, with the usual value or the `game`'s; None for games without it."""
    if not has_certainty(rules):
        return None
    value = str(sure_from(game) if game is not None else CERTAINTY)
    choices = tuple(dict.fromkeys((*_CERTAINTY.choices, value)))
    return _rule(replace(_CERTAINTY, choices=choices), value, language)


def certainty_from(rules: Rules, form: Mapping[str, str]) -> float | None:
    """The least probability of a sure score from submitted form fields; None for the usual one. Raises
    `WaymarkError` (bad-setting)."""
    given = form.get(_CERTAINTY.id)
    return float(_CERTAINTY.read(given)) if given is not None and has_certainty(rules) else None


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


def changed_rules(rules: Rules, language: Language, game: Game) -> list[HouseRule]:
    """The house rules of a game that differ from the usual ones, and its certainty if that does."""
    changed = [rule for rule in house_rules(rules, language, game.settings) if rule.name in game.settings]
    certainty = certainty_rule(rules, language, game)
    return [*changed, certainty] if certainty is not None and game.certainty is not None else changed
