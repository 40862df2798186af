"""The rules of a game: records, boards, settings, and the referee with its choices and doubts."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from scorer.catalogue import Catalogue
from scorer.errors import Code, WaymarkError
from scorer.terms import Term
from scorer.text import Text, listed
from scorer.verdict import Choice, Discord, RuledDoubt, V

R = TypeVar("R", bound=msgspec.Struct)
B = TypeVar("B")
T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Settings(Generic[R, T]):
    """The stated facts of a game that no photo shows, as `terms` for forms and as one value of type `T`.

    `make` gives the value for settings by the ids of `terms`, with defaults for missing ones, and raises
    `WaymarkError` for impossible ones. `values` gives the settings that differ from their defaults, for
    storage and as input of `make`. `of` replaces settings that a record itself gives (possessions,
    objectives). `into` gives the record with the settings stored in it."""

    terms: tuple[Term, ...]
    make: Callable[[Mapping[str, Any]], T]
    values: Callable[[T], dict[str, Any]]
    of: Callable[[R, T], T]
    into: Callable[[R, T], R]


class Rules(Protocol[R, B, T, V]):
    """The rules of a game, with its types of record, board, terms and verdict.

    Functions raise `WaymarkError` for impossible arguments (an unknown card, place or means). Any arrangement
    possible on a table gets an answer, whether legal or not."""

    @property
    def record_type(self) -> type[R]: ...
    @property
    def verdict_type(self) -> type[V]: ...
    @property
    def settings(self) -> Settings[R, T]: ...

    def parse_record(self, data: bytes) -> R:
        """A record from JSON, or from the game's notation where it has one. Raises `WaymarkError`."""
        ...

    def board(self, catalogue: Catalogue, record: R) -> B:
        """The board made by the pieces of a record. It is built once for a layout and passed on."""
        ...

    def referee(self, board: B, record: R, terms: T) -> V:
        """The verdict on a record, on the board of its pieces. Values in `terms` take precedence over those
        in the record."""
        ...

    def worth(self, verdict: V) -> Hashable:
        """The value of a verdict to its player. Between verdicts of equal worth no question is asked."""
        ...

    def outcome(self, verdict: V) -> Hashable:
        """The parts of a verdict that players notice: its worth, whether it is legal, where it ended and by
        which rule."""
        ...

    def reach(self, verdict: V) -> int:
        """The number of steps of the drawn path that the referee followed."""
        ...

    def backwards(self, record: R) -> R | None:
        """The record with its path in the opposite direction; None where both directions are equivalent."""
        ...

    def choose(self, verdicts: Sequence[V]) -> Choice:
        """The choice between verdicts on several readings of the same drawing."""
        ...

    def chosen(self, verdict: V, choice: Choice, *, turned: bool = False) -> V:
        """The verdict with a note on how its reading was chosen. `turned` says that it is about the record
        backwards."""
        ...

    def doubts(self, board: B, record: R, verdict: V) -> Iterator[RuledDoubt]:
        """Doubts about the reading that a ruling raises: the likeliest first, or alone."""
        ...

    def discord(self, board: B, record: R, verdict: V) -> tuple[Discord, ...]:
        """Marks drawn beside the path that contradict the verdict."""
        ...


def unknown_term(game: Text, terms: Sequence[Term], name: str, group: str | None = None) -> WaymarkError:
    """The error for a term that the game of that name does not have, or not among those of a group."""
    names = [term.id for term in terms if group in (None, term.group)]
    return WaymarkError(
        Code.UNKNOWN_SETTING,
        Text("{game} has no term {name!r}; choose from {names}.", game=game, name=name, names=listed(names)),
    )
