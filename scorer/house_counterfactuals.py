"""Counterfactuals of games whose only assumptions are house rules that are on or off."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from scorer.counterfactual import Assumption
from scorer.port.rules import Settings
from scorer.terms import Term
from scorer.text import NO_WORDS, Text


@dataclass(frozen=True, eq=False)
class HouseWhatIfs:
    """`scorer.counterfactual.WhatIfs`, made from the settings of a game: its flags among the house rules.
    `outcome` is that of the game's rules."""

    settings: Settings[Any, Any]
    outcome: Callable[[Any], Hashable]

    def tried(
        self, board: Any, record: Any, terms: Any, verdict: Any, then: Callable[[Assumption], Any]
    ) -> Iterator[Assumption]:
        for term in self._flags().values():
            ruled = then(Assumption(f"house:{term.id}"))
            if ruled is not None and self.outcome(ruled) != self.outcome(verdict):
                yield Assumption(f"house:{term.id}")

    def lifting(
        self, board: Any, record: Any, terms: Any, verdict: Any, then: Callable[[Assumption], Any]
    ) -> Iterator[Assumption]:
        return iter(())

    def free(self, board: Any, record: Any, terms: Any) -> Iterator[tuple[str, tuple[Assumption, ...]]]:
        return iter(())

    def parse(self, key: str) -> Assumption | None:
        kind, _, rule = key.partition(":")
        return Assumption(key) if kind == "house" and rule in self._flags() else None

    def suppose(self, board: Any, record: Any, terms: Any, assumption: Assumption) -> tuple[Any, Any] | None:
        term = self._term(assumption)
        if term is None:
            return None
        values = self.settings.values(terms) | {term.id: not self._is_on(terms, term)}
        return record, self.settings.make(values)

    def places(self, assumption: Assumption) -> tuple[str, ...]:
        return ()

    def condition(self, board: Any, terms: Any, assumption: Assumption) -> Text:
        term = self._term(assumption)
        if term is None:
            return NO_WORDS
        if self._is_on(terms, term):
            return Text("If the table did not play by the house rule “{term}”", term=term.label)
        return Text("If the table played by the house rule “{term}”", term=term.label)

    def telling(self, terms: Any, assumption: Assumption) -> Text:
        return NO_WORDS

    def asking(self, verdict: Any) -> Text:
        return NO_WORDS

    def settling(self, board: Any, terms: Any, assumption: Assumption) -> Text:
        term = self._term(assumption)
        if term is None:
            return NO_WORDS
        if self._is_on(terms, term):
            return Text("Rule again without the house rule “{term}”", term=term.label)
        return Text("Rule again with the house rule “{term}”", term=term.label)

    def before(self, terms: Any, assumption: Assumption) -> dict[str, int]:
        term = self._term(assumption)
        return {} if term is None else {term.id: int(self._is_on(terms, term))}

    def left(self, assumption: Assumption, before: Mapping[str, int], terms: Any) -> Assumption | None:
        still = self.before(terms, assumption)
        return assumption if (before or still) == still else None

    def _flags(self) -> dict[str, Term]:
        return {
            term.id: term for term in self.settings.terms if term.kind == "flag" and term.group == "house"
        }

    def _term(self, assumption: Assumption) -> Term | None:
        return self._flags().get(assumption.key.partition(":")[2])

    def _is_on(self, terms: Any, term: Term) -> bool:
        return bool(self.settings.values(terms).get(term.id, term.usual))
