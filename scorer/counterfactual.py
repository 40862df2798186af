"""Counterfactuals: assumptions about other stated facts or payments, and the rulings that follow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeVar

import msgspec

from scorer.text import Text
from scorer.verdict import Verdict

R = TypeVar("R", bound=msgspec.Struct)
T = TypeVar("T")
B_contra = TypeVar("B_contra", contravariant=True)
V_contra = TypeVar("V_contra", bound=Verdict, contravariant=True)


@dataclass(frozen=True, slots=True)
class Assumption:
    """One fact that may differ from the record. `key` is a stable word from which the assumption can be
    rebuilt, and `kind` is the beginning of that word. `held` and `not_held` concern a player's
    possessions, `house` a house rule, and `paid` the item used at a place. Only `WhatIfs` parses `key`."""

    key: str

    @property
    def kind(self) -> str:
        return self.key.partition(":")[0]


class WhatIfs(Protocol[R, B_contra, T, V_contra]):
    """Counterfactuals of a game: changes to stated facts (possessions, house rules) and to the items used.
    Other readings of the photo are outside its scope."""

    def tried(
        self,
        board: B_contra,
        record: R,
        terms: T,
        verdict: V_contra,
        then: Callable[[Assumption], V_contra | None],
    ) -> Iterator[Assumption]:
        """Assumptions that change an outcome players would notice, grouped by kind, the most relevant first.
        `then` returns the verdict on the record under an assumption; None where the assumption is
        impossible."""
        ...

    def lifting(
        self,
        board: B_contra,
        record: R,
        terms: T,
        verdict: V_contra,
        then: Callable[[Assumption], V_contra | None],
    ) -> Iterator[Assumption]:
        """Unrecorded possessions with which the path would legally continue beyond the place where the
        verdict stopped it. Those that people forget most often come first."""
        ...

    def free(self, board: B_contra, record: R, terms: T) -> Iterator[tuple[str, tuple[Assumption, ...]]]:
        """Places where either of several items could have been used, each with the assumptions that another
        item was. The order is that of `Payments.choices`; the item actually used is left out."""
        ...

    def parse(self, key: str) -> Assumption | None:
        """The assumption with this key; None for an invalid key."""
        ...

    def suppose(self, board: B_contra, record: R, terms: T, assumption: Assumption) -> tuple[R, T] | None:
        """Record and terms under an assumption; None where it is impossible, such as the lack of an item that
        is not held."""
        ...

    def places(self, assumption: Assumption) -> tuple[str, ...]:
        """The ids in an assumption: the place where something was used, and the item."""
        ...

    def condition(self, board: B_contra, terms: T, assumption: Assumption) -> Text:
        """The assumption as a condition: "With a rope token"."""
        ...

    def telling(self, terms: T, assumption: Assumption) -> Text:
        """The sentence with which a player confirms an assumption ("I had a rope token"); empty where there
        is none."""
        ...

    def asking(self, verdict: V_contra) -> Text:
        """The question whether something was held where a verdict stopped a path; empty where nothing could
        have been."""
        ...

    def settling(self, board: B_contra, terms: T, assumption: Assumption) -> Text:
        """The label of the button that records an assumption as a fact; empty where it can no longer become
        one."""
        ...

    def before(self, terms: T, assumption: Assumption) -> dict[str, int]:
        """The number of held items that an assumption concerns; for a house rule, 1 where it is on."""
        ...

    def left(self, assumption: Assumption, before: Mapping[str, int], terms: T) -> Assumption | None:
        """The part of an assumption that is still unconfirmed, given the counts held when it was made; None
        where it is fully confirmed."""
        ...
