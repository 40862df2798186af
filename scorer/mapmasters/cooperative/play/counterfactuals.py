"""Counterfactuals of a mission's result: another difficulty, another house rule, a
line that was only a sketch."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from scorer.mapmasters.cooperative.rules.record import TableRecord
from scorer.mapmasters.cooperative.rules.referee import referee_table
from scorer.mapmasters.cooperative.rules.ruling import CoopRuling
from scorer.mapmasters.cooperative.rules.table import Table
from scorer.mapmasters.cooperative.rules.terms import TERMS, CoopTerms, make_terms, term_values
from scorer.mapmasters.cooperative.sheet import group_words
from scorer.terms import Term
from scorer.text import Text

_IF_TERM = Text("If “{label}” were “{value}”")
_IF_SKETCH = Text("If path {number} ({group}) only showed a way, and nobody had walked it")
_ON, _OFF = Text("on"), Text("off")


def what_ifs(
    table: Table, record: TableRecord, terms: CoopTerms, verdict: CoopRuling
) -> Iterator[tuple[Text, CoopRuling]]:
    """Assumptions that change the mission's result or the goals met, each with the outcome in words."""
    for condition, other, told in (*_other_terms(record, terms), *_sketches(record, terms)):
        ruled = referee_table(table, other, told.difficulty, told.settings, with_ids=False)
        if _stands(ruled) != _stands(verdict):
            yield condition, ruled


def _stands(verdict: CoopRuling) -> tuple[object, ...]:
    return verdict.mission.result, verdict.mission.reason, tuple(sorted(verdict.mission.goals.items()))


def _other_terms(record: TableRecord, terms: CoopTerms) -> Iterator[tuple[Text, TableRecord, CoopTerms]]:
    values = term_values(terms)
    for term in TERMS:
        for value in _others(term, values.get(term.id, term.usual)):
            words = term.choice_words.get(value) if isinstance(value, str) else (_OFF, _ON)[bool(value)]
            condition = _IF_TERM.filled(label=term.label, value=words or value)
            yield condition, record, make_terms(values | {term.id: value})


def _others(term: Term, now: object) -> tuple[str | bool, ...]:
    if term.kind == "flag":
        return (not now,)
    return tuple(choice for choice in term.choices if choice != now)


def _sketches(record: TableRecord, terms: CoopTerms) -> Iterator[tuple[Text, TableRecord, CoopTerms]]:
    for number, path in enumerate(record.paths):
        if path.sketch:
            continue
        sketch = msgspec.structs.replace(path, sketch=True, goal=None)
        paths = (*record.paths[:number], sketch, *record.paths[number + 1 :])
        condition = _IF_SKETCH.filled(number=number + 1, group=group_words(path.group))
        yield condition, msgspec.structs.replace(record, paths=paths), terms
