"""Groups that draw on one table, each with a pen of its own."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar

import msgspec

from scorer.catalogue import Catalogue
from scorer.record import Marks, PlacedCard
from scorer.tables import SharedTable
from scorer.text import Text

R = TypeVar("R", bound=msgspec.Struct)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """The line that a group drew, as read from a photo. `paths` are its strokes: first as read, then in other
    orders and directions that fit the ink equally well. Further fields are its marks and the ends at which
    a piece stands."""

    group: str
    paths: tuple[tuple[tuple[str, ...], ...], ...]
    marks: Marks
    standing: tuple[str, ...] = ()


#: What is right of a contradiction: what was agreed before, or what the photo shows.
AGREED, SEEN = "agreed", "seen"


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A difference between a photo and the table agreed on before it.

    `name` identifies it within the table, and `place` is the place or the number of the card. The words give
    the reason for the question and both answers. `stands` (AGREED or SEEN) is the answer assumed until
    somebody decides."""

    name: str
    about: Literal["card", "path"]
    place: str
    words: Text
    stands: str
    agreed: Text
    seen: Text


@dataclass(frozen=True, slots=True)
class Untold:
    """A fact that no photo shows and nobody has entered: the reason for the question (`words`), the question,
    and two answers. `nothing` says that there is nothing to enter; the other leads to the entry. The
    answer remains valid as long as the `name` stays the same."""

    name: str
    words: Text
    asks: Text
    nothing: Text
    entered: Text
    #: Whether it is asked after all other questions.
    last: bool = False


class Groups(SharedTable, Protocol[R, T]):
    """A game in which several groups draw lines on one table, each with its own pen. A set-up holds the
    entered facts about such a table besides the terms."""

    def setup(self, catalogue: Catalogue, told: Mapping[str, Any], terms: T) -> tuple[Any, T]:
        """The set-up of a table, and the terms with those values replaced that the set-up gives.

        Sources are `table` (the JSON bytes of a record, of which only stated facts count), `mission` (an id,
        or a mission's JSON bytes), `groups` (names with the colours of their pens) and `before` (the
        corrected record of the same table from earlier photos). Raises `WaymarkError`."""
        ...

    def colours(self, setup: Any) -> Mapping[str, str | None]:
        """The playing groups, with the colours of their pens where known."""
        ...

    def laid(self, catalogue: Catalogue, setup: Any, cards: Sequence[PlacedCard]) -> Any:
        """The table as the cards of a photo lie on it, worked out once for all that may be drawn there.
        Raises `WaymarkError`."""
        ...

    def readings(
        self, laid: Any, lines: Sequence[DrawnLine], terms: T, said: Mapping[str, str] = {}
    ) -> tuple[R, ...]:
        """Possible records for the lines in a photo, the preferred one first. The others differ in the order
        and direction of lines, which a photo does not show. `said` are the answers to contradictions, by
        name."""
        ...

    def contradictions(
        self, laid: Any, lines: Sequence[DrawnLine], terms: T, said: Mapping[str, str] = {}
    ) -> tuple[Contradiction, ...]:
        """Differences between a photo of a table and the state agreed on before it. Places are those of the
        first of `readings`."""
        ...

    def lying_now(self, laid: Any, said: Mapping[str, str] = {}) -> tuple[Mapping[int, int], frozenset[int]]:
        """A mapping from card numbers of the earlier table to card numbers of the first of `readings`, where
        the card is unchanged; and the numbers of the cards that the photo shows."""
        ...

    def result(self, verdict: Any) -> Hashable:
        """The result of the table for all players together."""
        ...

    def outcome(self, verdict: Any) -> Any:
        """The result for each group, independent of the ids of places and the numbers of pieces."""
        ...

    def untold(self, board: Any, record: R, verdict: Any) -> Iterator[Untold]:
        """Facts that no photo shows and nobody has entered, where the verdict may depend on them."""
        ...

    def what_ifs(self, board: Any, record: R, terms: T, verdict: Any) -> Iterator[tuple[Text, Any]]:
        """Changes that would alter the common result of the table, each with its verdict."""
        ...

    def lying(self, board: Any, turns: Sequence[int]) -> Any:
        """The board as seen by a person for whom its cards are rotated by `turns` (`Dungeon.lying`)."""
        ...

    def order_told(self, record: R, first: R) -> Text:
        """A description of a reading's order and direction of lines, for people who choose between readings.
        `first` is the reading taken by default."""
        ...

    def sketched(self, record: R, place: str) -> R:
        """The record in which the line that ends at a place is marked as a sketch, which no group has
        walked."""
        ...
