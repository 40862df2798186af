"""Names of Map Masters' boxes, terms and rulings in version 1 of the web API (`scorer.port.api.ApiNames`).
What they name is in `scores`, `terms` and `facts`, too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scorer.mapmasters.rules.ruling import Ruling
from scorer.port.api import ApiNames
from scorer.sheet import Note
from scorer.text import Language, written


class VersusApi(ApiNames):
    """The names of the versus mode."""

    known = True
    columns: Mapping[str, str] = {
        "primary_vp": "primary",
        "secondary_vp": "secondary",
        "escaped": "escaped",
        "coins_received": "coins_received",
    }
    means = ("fairy_tokens", "spellbooks")

    def boxes(self, scores: Mapping[str, Any]) -> dict[str, Any]:
        return {name: scores.get(column) for name, column in self.columns.items()}

    def held(self, terms: Mapping[str, Any]) -> dict[str, Any]:
        return {name: terms[name] for name in self.means if name in terms}

    def objectives(self, terms: Mapping[str, Any]) -> dict[str, Any]:
        return {name: terms[name] for name in ("primary", "secondary") if name in terms}

    def final_columns(
        self, columns: Mapping[str, int], notes: Mapping[str, Note], language: Language
    ) -> dict[str, Any]:
        return {
            **columns,
            "secondary_whole": notes["secondary"].number,
            "escapes": notes["escape_bonus"].number,
            "escape_why": notes["escape_bonus"].words.message(language),
            "coins_left": notes["coins"].number,
        }

    def statistics(self, boxes: Mapping[str, tuple[int, int, float | None]]) -> dict[str, Any]:
        escapes, ended, share = boxes["escaped"]
        coins, _, mean = boxes["coins_received"]
        return {
            "escapes": escapes,
            "rounds_ended": ended,
            "escape_share": share,
            "coins_received": coins,
            "mean_coins_received": mean,
        }

    def score(self, verdict: Ruling) -> dict[str, Any]:
        return {
            "primary_vp": verdict.primary.vp if verdict.primary is not None else None,
            "secondary_vp": verdict.secondary.vp if verdict.secondary is not None else None,
            "coins": verdict.coins,
            "escaped": verdict.escaped,
            "discovered": {find: count for find, count in verdict.discovered.items() if count},
        }

    def steps(self, verdict: Ruling) -> list[dict[str, Any]]:
        return [{"event": step.event, "way": step.way, "held": step.held} for step in verdict.steps]

    def how(self, verdict: Ruling) -> str:
        return str(verdict.ended)

    def end_place(self, verdict: Ruling) -> str | None:
        return verdict.violations[0].place if verdict.violations else verdict.last_place

    def violations(self, said: Ruling, language: Language) -> tuple[str, ...]:
        return tuple(written(each.message, each.message_ja).message(language) for each in said.violations)

    def is_asked(self, verdict: Ruling) -> bool:
        return verdict.direction is not None and verdict.direction.by == "asked"

    def notes(self, said: Ruling, about: str) -> Sequence[Any]:
        return said.marks if about == "marks" else said.payments

    def fingerprint(self, verdict: Ruling) -> tuple[Any, ...]:
        return verdict.ended, verdict.why.rule, verdict.discovered, verdict.spent
