"""Buying before a round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from scorer.sheet import Played, Row
from scorer.text import Text

T_contra = TypeVar("T_contra", contravariant=True)


@dataclass(frozen=True, slots=True)
class Ware:
    """What can be bought before a round: `fills` is the term that it adds to (None: nothing that is told),
    `choices` what there is of it and `prices` what each costs."""

    id: str
    label: Text
    fills: str | None
    choices: tuple[str, ...]
    prices: Mapping[str, int]


class Market(Protocol[T_contra]):
    """Buying before a round: what there is, what it costs a player, who buys when."""

    @property
    def wares(self) -> tuple[Ware, ...]: ...
    @property
    def anew_after(self) -> int | None:
        """After which round all of it is laid out anew; None where that is never done."""
        ...

    def price(self, ware: str, what: str, terms: T_contra) -> int:
        """What it costs a player with these terms. Raises `WaymarkError` for what is not sold."""
        ...

    def order(self, players: Sequence[Played], terms: T_contra, first: int = 0) -> tuple[str, ...]:
        """Who buys in which turn of the next round; in the first the player at seat `first` begins."""
        ...

    def coins(self, rows: Sequence[Row]) -> tuple[int, ...]:
        """What a player has left by the books: at the start, and after each of the rounds."""
        ...

    def not_bought(self, terms: T_contra, bought: Mapping[str, int]) -> dict[str, int]:
        """How many more are held for a round than were bought for it, by what they are."""
        ...
