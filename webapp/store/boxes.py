"""Score sheet boxes and stated terms of a player's round: the only code that reads and writes them.

Boxes are named by the columns of the game's sheet, stated facts by the ids of its terms. The row determines
the game."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec

from scorer.errors import Code, WaymarkError
from scorer.game import Game as Rules
from scorer.games import game_named
from scorer.play_kinds import TABLEAU, PlayKind, play_kind
from scorer.sheet import Column
from scorer.text import Text, lower
from waymark.review.decision import CERTAINTY
from webapp.store.models import Entry, Game, Tableau


def rules_of(row: Game | Tableau) -> Rules:
    """The rules of a game's or a tableau's row. Raises `WaymarkError` (unknown-game)."""
    return game_named(row.game)


def kind_of(row: Game | Tableau) -> PlayKind:
    """The kind of play of a game or tableau. An unknown game is treated as a single player's tableau."""
    try:
        return play_kind(rules_of(row))
    except WaymarkError:
        return TABLEAU


def rules_of_entry(entry: Entry) -> Rules:
    """The rules of a player's round."""
    return rules_of(entry.round.game)


#: Upper bound of every value on a score sheet.
_MOST = 1_000_000


# --- boxes --------------------------------------------------------------------------------------------------


@cache
def ruled_columns(rules: Rules) -> tuple[Column, ...]:
    """The score sheet's columns that are filled from a ruling, unless a person types a value."""
    return tuple(column for column in rules.sheet.columns if column.source == "ruling")


@cache
def telling_columns(rules: Rules) -> tuple[str, ...]:
    """Ids of the columns from `ruled_columns` that stay unknown until written. Counts are left out, since an
    empty count means 0, unless a sheet has nothing else."""
    columns = ruled_columns(rules)
    told = tuple(column.id for column in columns if column.kind != "count")
    return told or tuple(column.id for column in columns)


def boxes_of(entry: Entry) -> dict[str, Any]:
    """Values of the boxes that a ruling fills: None where unknown, 0 for a count that is not written."""
    return {
        column.id: entry.scores.get(column.id, 0 if column.kind == "count" else None)
        for column in ruled_columns(rules_of_entry(entry))
    }


def write_boxes(entry: Entry, values: Mapping[str, Any]) -> None:
    """Write values into some boxes; None or a count of 0 empties a box."""
    counts = {column.id for column in ruled_columns(rules_of_entry(entry)) if column.kind == "count"}
    entry.scores = {
        column: value
        for column, value in {**entry.scores, **values}.items()
        if value is not None and (value or column not in counts)
    }


def check_boxes(entry: Entry) -> None:
    """Raises `ValueError` for a value that its box of the score sheet cannot hold."""
    kinds = {column.id: column.kind for column in ruled_columns(rules_of_entry(entry))}
    for column, value in entry.scores.items():
        kind = bool if kinds.get(column) == "tick" else int
        if column not in kinds or type(value) is not kind or not 0 <= value <= _MOST:
            raise ValueError(f"{value!r} in the box {column!r}")


def empty_boxes(entry: Entry) -> None:
    """Clear all boxes of a player's round."""
    entry.scores = {}


def is_blank(entry: Entry) -> bool:
    """Whether all boxes of a player's round are empty, ignoring counts."""
    return all(value is None for value in _telling(entry))


def is_whole(entry: Entry) -> bool:
    """Whether all boxes of a player's round are filled, ignoring counts."""
    return all(value is not None for value in _telling(entry))


def _telling(entry: Entry) -> list[Any]:
    return [entry.scores.get(column) for column in telling_columns(rules_of_entry(entry))]


def ruled_boxes(rules: Rules, ruling: Mapping[str, Any]) -> dict[str, Any]:
    """Values that a stored ruling gives to the boxes."""
    return rules.sheet.row(msgspec.convert(ruling, rules.rules.verdict_type))


# --- terms --------------------------------------------------------------------------------------------------


def group_of(rules: Rules, group: str) -> tuple[str, ...]:
    """Ids of a game's terms in one group: held means, objectives of the round, or house rules."""
    return tuple(term.id for term in rules.rules.settings.terms if term.group == group)


def check_terms(rules: Rules, values: Mapping[str, Any], group: str) -> None:
    """Validated terms of one group, given in the flat form of the app; returns the flat form and the form of
    the game's rules. Raises `ValueError`, or `WaymarkError` with a more precise message."""
    terms = {term.id: term for term in rules.rules.settings.terms if term.group == group}
    for name, value in values.items():
        term = terms.get(name)
        if term is None:
            raise ValueError(f"{name!r} is no term of {group}")
        sound = {
            "counts": isinstance(value, dict) and all(type(each) is int for each in value.values()),
            "set": isinstance(value, list) and all(isinstance(each, str) for each in value),
            "flag": type(value) is bool,
            "number": type(value) is int or (value is None and term.optional),
            "choice": isinstance(value, str) or (value is None and term.optional),
        }[term.kind]
        if not sound:
            raise ValueError(f"{value!r} in {name}")
        many = max(value.values(), default=0) if term.kind == "counts" else 0
        if many > term.most or (term.kind == "set" and len(value) > (term.at_once or term.most)):
            raise WaymarkError(
                Code.UNKNOWN_MEANS, Text("there are more {things} than can be", things=lower(term.label))
            )
    rules.rules.settings.make(values)


def house_terms(game: Game) -> Any:
    """Terms that contain a game's house rules only, with no held means and no objectives."""
    return rules_of(game).rules.settings.make(game.settings)


def told_of_entry(entry: Entry) -> dict[str, Any]:
    """Stated terms of a player's round that differ from the defaults: held means, objectives, house rules."""
    return {**entry.round.game.settings, **entry.round.terms, **entry.terms}


def told_of(tableau: Tableau) -> dict[str, Any]:
    """Stated terms of a tableau: its round's in a game, its own outside one."""
    return told_of_entry(tableau.entry) if tableau.entry is not None else dict(tableau.terms)


def terms_of(tableau: Tableau) -> Any:
    """The terms by which a tableau is refereed."""
    return rules_of(tableau).rules.settings.make(told_of(tableau))


def sure_from(game: Game) -> float:
    """The least probability of a score that the game calls sure, never below `CERTAINTY`."""
    return max(CERTAINTY, game.certainty or CERTAINTY)


def only(values: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """The subset of `values` with these keys."""
    return {name: value for name, value in values.items() if name in names}


def with_usual(rules: Rules, values: Mapping[str, Any], group: str) -> dict[str, Any]:
    """All terms of a group, with defaults for those that nobody stated."""
    return {
        term.id: values.get(term.id, term.usual) for term in rules.rules.settings.terms if term.group == group
    }


def house_rules_of(tableau: Tableau) -> dict[str, Any]:
    """House rules that differ from the defaults, for a tableau outside a game."""
    return only(tableau.terms, group_of(rules_of(tableau), "house"))


def changed_house(rules: Rules, values: Mapping[str, Any]) -> dict[str, Any]:
    """The given house rules that differ from the defaults. Raises `WaymarkError` for an unknown rule."""
    return only(rules.rules.settings.values(rules.rules.settings.make(values)), group_of(rules, "house"))
