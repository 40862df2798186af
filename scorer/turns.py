"""Turns of games whose records are of a moment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

import msgspec

from scorer.catalogue import Catalogue
from scorer.verdict import Reason, Report, ToldStep

T = TypeVar("T")


#: The form of a turn, whatever the game.
TURN_FORMAT = "waymark-turn/1"


class Turns(Protocol[T]):
    """Turns of a game whose records are of a moment: what was done between two of them, told or seen
    (`waymark-turn/1`)."""

    def parse(self, data: bytes) -> Any:
        """A turn from JSON. Raises `WaymarkError` (bad-record)."""
        ...

    def terms_of(self, turn: Any, terms: T) -> T:
        """`terms` with what a turn tells itself in their place."""
        ...

    def referee(self, catalogue: Catalogue, turn: Any, terms: T) -> msgspec.Struct:
        """The answer to a turn (`waymark-turn-ruling/1`). Raises `WaymarkError` for what cannot be."""
        ...

    def steps(self, ruling: Any) -> Sequence[ToldStep]:
        """What was done, step by step."""
        ...

    def why(self, ruling: Any) -> Reason:
        """What decided, in one sentence."""
        ...

    def report(self, ruling: Any) -> Report:
        """The answer as people are told it."""
        ...
