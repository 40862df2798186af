"""Field names of API version 1 for Map Masters' boxes, terms and rulings.

Other games have their boxes in `scores`, what is told in `terms` and what is so in `facts` alone; Map Masters
has them there, too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scorer.game import Game as Rules
from scorer.play_kinds import TABLEAU, play_kind
from scorer.sheet import Note
from scorer.text import Language, written

MAP_MASTERS = "mapmasters"
#: A box of the API by its column.
BOXES = {
    "primary_vp": "primary",
    "secondary_vp": "secondary",
    "escaped": "escaped",
    "coins_received": "coins_received",
}
#: Terms (held means, objectives) by their names in the API.
HELD = ("fairy_tokens", "spellbooks")
OBJECTIVES = ("primary", "secondary")


def is_known(rules: Rules) -> bool:
    """Whether API version 1 has its own field names for the game."""
    return rules.id == MAP_MASTERS and play_kind(rules) is TABLEAU


def boxes(rules: Rules, scores: Mapping[str, Any]) -> dict[str, Any]:
    """Boxes of a round under the API's names; empty for another game."""
    if not is_known(rules):
        return {}
    return {name: scores.get(column) for name, column in BOXES.items()}


def held(rules: Rules, terms: Mapping[str, Any]) -> dict[str, Any]:
    """Held means under the API's names; empty for another game."""
    return _terms(rules, terms, HELD)


def objectives(rules: Rules, terms: Mapping[str, Any]) -> dict[str, Any]:
    """Objectives of a round under the API's names; empty for another game."""
    return _terms(rules, terms, OBJECTIVES)


def _terms(rules: Rules, terms: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: terms[name] for name in names if name in terms} if is_known(rules) else {}


def final_columns(
    rules: Rules, columns: Mapping[str, int], notes: Mapping[str, Note], language: Language
) -> dict[str, Any]:
    """Columns of the final score and their sources under the API's names; empty for another game."""
    if not is_known(rules):
        return {}
    return {
        **columns,
        "secondary_whole": notes["secondary"].number,
        "escapes": notes["escape_bonus"].number,
        "escape_why": notes["escape_bonus"].words.message(language),
        "coins_left": notes["coins"].number,
    }


def statistics(rules: Rules, boxes: Mapping[str, tuple[int, int, float | None]]) -> dict[str, Any]:
    """Totals, rounds and means of boxes under the API's names; empty for another game."""
    if not is_known(rules):
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


# --- verdicts -----------------------------------------------------------------------------------------------


def score(rules: Rules, verdict: Any) -> dict[str, Any]:
    """Summary of a verdict under the API's names; empty for another game."""
    if not is_known(rules):
        return {}
    return {
        "primary_vp": verdict.primary.vp if verdict.primary is not None else None,
        "secondary_vp": verdict.secondary.vp if verdict.secondary is not None else None,
        "coins": verdict.coins,
        "escaped": verdict.escaped,
        "discovered": {find: count for find, count in verdict.discovered.items() if count},
    }


def steps(rules: Rules, verdict: Any) -> list[dict[str, Any]]:
    """Fields of each step that only Map Masters has; empty for another game."""
    if not is_known(rules):
        return []
    return [{"event": step.event, "way": step.way, "held": step.held} for step in verdict.steps]


def how(rules: Rules, verdict: Any) -> str:
    """The API's word for the end of a path; empty for another game."""
    return str(verdict.ended) if is_known(rules) else ""


def end_place(rules: Rules, verdict: Any) -> str | None:
    """Place at which a path ended: the first broken rule's, otherwise its last place. None for another
    game."""
    if not is_known(rules):
        return None
    place: str | None = verdict.violations[0].place if verdict.violations else verdict.last_place
    return place


def violations(rules: Rules, said: Any, language: Language) -> tuple[str, ...]:
    """The rules that a path breaks, in words; empty for another game."""
    told = said.violations if is_known(rules) else ()
    return tuple(written(each.message, each.message_ja).message(language) for each in told)


def is_asked(rules: Rules, verdict: Any) -> bool:
    """Whether the direction of the path is still an open question."""
    return is_known(rules) and verdict.direction is not None and verdict.direction.by == "asked"


def notes(rules: Rules, said: Any, about: str) -> Sequence[Any]:
    """Notes on `marks` or `payments`, each with its place; empty for another game."""
    told: Sequence[Any] = getattr(said, about) if is_known(rules) else ()
    return told


def fingerprint(rules: Rules, verdict: Any) -> tuple[Any, ...]:
    """Fingerprint of a ruling in a shared link; empty for another game."""
    if not is_known(rules):
        return ()
    return verdict.ended, verdict.why.rule, verdict.discovered, verdict.spent
