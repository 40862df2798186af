"""The words of a game: its vocabulary, and its verdicts in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

import msgspec

from scorer.verdict import Reason, Report, ToldStep, Turn, V
from scorer.vocabulary import Vocabulary

R_contra = TypeVar("R_contra", bound=msgspec.Struct, contravariant=True)
B_contra = TypeVar("B_contra", contravariant=True)


class Words(Protocol[R_contra, B_contra, V]):
    """The vocabulary of a game, and its verdicts as sentences, steps and reports."""

    @property
    def vocabulary(self) -> Vocabulary: ...

    def why(self, verdict: V) -> Reason:
        """The deciding reason of a verdict, in one sentence."""
        ...

    def turn(self, record: R_contra, verdict: V) -> Turn:
        """The place where a verdict was decided, and the reason."""
        ...

    def steps(self, board: B_contra, verdict: V, *, with_ids: bool = True) -> Sequence[ToldStep]:
        """The steps that lead to a verdict, in order. `with_ids` adds the ids of places in the record."""
        ...

    def without_ids(self, board: B_contra, record: R_contra, verdict: V) -> V:
        """The verdict with sentences for people at the table, which do not contain the ids of places.
        `record` is the record that was ruled on."""
        ...

    def tallies(self, board: B_contra, verdict: V) -> Sequence[Any]:
        """The running counts after each step, as a player would count along; empty for games without such
        counts."""
        ...

    def report(self, verdict: V) -> Report:
        """The verdict in the form in which it is shown to people."""
        ...
