"""The names that version 1 of the API has for what Map Masters' boxes and terms are called.

Other games have their boxes in `scores` and what is told in `terms` alone; Map Masters has them there,
too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scorer.game import Game as Rules
from scorer.game import Note
from scorer.text import Language

MAP_MASTERS = "mapmasters"
#: A box of the API by its column.
BOXES = {
    "primary_vp": "primary",
    "secondary_vp": "secondary",
    "escaped": "escaped",
    "coins_received": "coins_received",
}
#: What a player holds, what a round asks for: called as in the API.
HELD = ("fairy_tokens", "spellbooks")
OBJECTIVES = ("primary", "secondary")


def boxes(rules: Rules, scores: Mapping[str, Any]) -> dict[str, Any]:
    """The boxes by the API's names; none of another game."""
    if rules.id != MAP_MASTERS:
        return {}
    return {name: scores.get(column) for name, column in BOXES.items()}


def held(rules: Rules, terms: Mapping[str, Any]) -> dict[str, Any]:
    """What is held by the API's names; nothing of another game."""
    return _terms(rules, terms, HELD)


def objectives(rules: Rules, terms: Mapping[str, Any]) -> dict[str, Any]:
    """What a round asks for by the API's names; nothing of another game."""
    return _terms(rules, terms, OBJECTIVES)


def _terms(rules: Rules, terms: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: terms[name] for name in names if name in terms} if rules.id == MAP_MASTERS else {}


def final_columns(
    rules: Rules, columns: Mapping[str, int], notes: Mapping[str, Note], language: Language
) -> dict[str, Any]:
    """The boxes of the final score, and what they come from, by the API's names; none of another game."""
    if rules.id != MAP_MASTERS:
        return {}
    return {
        **columns,
        "secondary_whole": notes["secondary"].number,
        "escapes": notes["escape_bonus"].number,
        "escape_why": notes["escape_bonus"].words.message(language),
        "coins_left": notes["coins"].number,
    }


def statistics(rules: Rules, boxes: Mapping[str, tuple[int, int, float | None]]) -> dict[str, Any]:
    """The totals, rounds and means of boxes by the API's names; none of another game."""
    if rules.id != MAP_MASTERS:
        return {}
    escapes, ended, share = boxes["escaped"]
    coins, _, mean = boxes["coins_received"]
    return {
        "escapes": escapes,
        "rounds_ended": ended,
        "escape_share": share,
        "coins_received": coins,
        "mean_coins_received": mean,
    }
