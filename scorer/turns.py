"""Interface for turns, in games whose records are snapshots of a board."""

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
    """The turns of a game whose records are snapshots: the actions between two of them, reported or inferred
    (`waymark-turn/1`)."""

    def parse(self, data: bytes) -> Any:
        """A turn from JSON. Raises `WaymarkError` (bad-record)."""
        ...

    def terms_of(self, turn: Any, terms: T) -> T:
        """The terms, with those values replaced that the turn itself gives."""
        ...

    def referee(self, catalogue: Catalogue, turn: Any, terms: T) -> msgspec.Struct:
        """The ruling on a turn (`waymark-turn-ruling/1`). Raises `WaymarkError` for an impossible turn."""
        ...

    def steps(self, ruling: Any) -> Sequence[ToldStep]:
        """The actions of the turn, step by step."""
        ...

    def why(self, ruling: Any) -> Reason:
        """The deciding reason of the ruling, in one sentence."""
        ...

    def report(self, ruling: Any) -> Report:
        """The ruling in the form in which it is shown to people."""
        ...
