"""Purchases before a round: items, prices and the order of buyers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from scorer.sheet import Played, Row
from scorer.text import Text

T_contra = TypeVar("T_contra", contravariant=True)


@dataclass(frozen=True, slots=True)
class Ware:
    """An item for sale before a round. `fills` is the id of the term that it adds to (None: no term),
    `choices` are the kinds on offer and `prices` their costs."""

    id: str
    label: Text
    fills: str | None
    choices: tuple[str, ...]
    prices: Mapping[str, int]


class Market(Protocol[T_contra]):
    """Purchases before a round: the items, their prices, and the order of buyers."""

    @property
    def wares(self) -> tuple[Ware, ...]: ...
    @property
    def anew_after(self) -> int | None:
        """After which round all of it is laid out anew; None where that is never done."""
        ...

    def price(self, ware: str, what: str, terms: T_contra) -> int:
        """The price of an item for a player with these terms. Raises `WaymarkError` for an item that is not
        sold."""
        ...

    def order(self, players: Sequence[Played], terms: T_contra, first: int = 0) -> tuple[str, ...]:
        """The names of players in buying order for the next round. In the first round the player at seat
        `first` begins."""
        ...

    def coins(self, rows: Sequence[Row]) -> tuple[int, ...]:
        """The coins left to a player at the start and after each round."""
        ...

    def not_bought(self, terms: T_contra, bought: Mapping[str, int]) -> dict[str, int]:
        """The number of means held for a round beyond those bought for it, by kind."""
        ...
