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
    """One thing that may have been otherwise. `key` is one stable word, from which it can be made again, and
    `kind` its beginning: `held` and `not_held` are about what a player holds, `house` about a rule of the
    house, `paid` about what was used where. Only `WhatIfs` looks into `key`."""

    key: str

    @property
    def kind(self) -> str:
        return self.key.partition(":")[0]


class WhatIfs(Protocol[R, B_contra, T, V_contra]):
    """What may have been otherwise, in what is told (held, house rules) and in what was used: what follows
    from another reading of the photo is not the game's to say."""

    def tried(
        self,
        board: B_contra,
        record: R,
        terms: T,
        verdict: V_contra,
        then: Callable[[Assumption], V_contra | None],
    ) -> Iterator[Assumption]:
        """Assumptions that change what players would notice, by kinds, the most relevant first. `then` rules
        on the record under an assumption; None where it cannot be."""
        ...

    def lifting(
        self,
        board: B_contra,
        record: R,
        terms: T,
        verdict: V_contra,
        then: Callable[[Assumption], V_contra | None],
    ) -> Iterator[Assumption]:
        """What may have been held, and nobody told, with which what was drawn goes on where the verdict
        stopped it and is legal; what people have forgotten to tell most often first."""
        ...

    def free(self, board: B_contra, record: R, terms: T) -> Iterator[tuple[str, tuple[Assumption, ...]]]:
        """Places at which one thing or another could have been used, and that another one was: in the order
        of `Payments.choices` and of the ways there, what was used left out."""
        ...

    def parse(self, key: str) -> Assumption | None:
        """The assumption that has this key; None for what is none."""
        ...

    def suppose(self, board: B_contra, record: R, terms: T, assumption: Assumption) -> tuple[R, T] | None:
        """Record and terms under an assumption; None where it cannot be (what is not held cannot be
        missing)."""
        ...

    def places(self, assumption: Assumption) -> tuple[str, ...]:
        """The places that an assumption names: where something was used, and what."""
        ...

    def condition(self, board: B_contra, terms: T, assumption: Assumption) -> Text:
        """The assumption as a condition: "With a rope token"."""
        ...

    def telling(self, terms: T, assumption: Assumption) -> Text:
        """What a player says to whom it has come true: "I had a rope token"; empty where nobody says that."""
        ...

    def settling(self, board: B_contra, terms: T, assumption: Assumption) -> Text:
        """What a button says that makes it a fact; empty where it cannot be one any more."""
        ...

    def before(self, terms: T, assumption: Assumption) -> dict[str, int]:
        """How many were held of what an assumption names; of a house rule, 1 where it is on."""
        ...

    def left(self, assumption: Assumption, before: Mapping[str, int], terms: T) -> Assumption | None:
        """What has still to be assumed of one that was made when so much was held; None where it has come
        true."""
        ...
