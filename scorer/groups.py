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
    """What a group drew, as a photo tells it: its strokes in `paths`, first as they were read and then in
    other orders and directions that the ink allows as well; its marks; and at which of its ends something
    stands."""

    group: str
    paths: tuple[tuple[tuple[str, ...], ...], ...]
    marks: Marks
    standing: tuple[str, ...] = ()


#: What is right of a contradiction: what was agreed before, or what the photo shows.
AGREED, SEEN = "agreed", "seen"


@dataclass(frozen=True, slots=True)
class Contradiction:
    """What a photo shows otherwise than people agreed before it: its `name` among a table's, the `place` (or
    number of the card) where it is, why it is asked, and both answers in words. `stands` (AGREED or SEEN) is
    taken until somebody says which is right."""

    name: str
    about: Literal["card", "path"]
    place: str
    words: Text
    stands: str
    agreed: Text
    seen: Text


@dataclass(frozen=True, slots=True)
class Untold:
    """What no photo shows and nobody told: why it is asked (`words`), what is asked, the answer that there is
    `nothing` to tell, and that there is something, which is to be `entered`. The answer holds as long as the
    `name` is the same."""

    name: str
    words: Text
    asks: Text
    nothing: Text
    entered: Text
    #: After everything else.
    last: bool = False


class Groups(SharedTable, Protocol[R, T]):
    """A game in which several groups draw lines on one table, each with a pen of its own. A set-up is what
    people tell of such a table besides the terms."""

    def setup(self, catalogue: Catalogue, told: Mapping[str, Any], terms: T) -> tuple[Any, T]:
        """The set-up, and the terms with what it tells in their place, from any of `table` (JSON bytes: a
        record
        of which only what is told counts), `mission` (an id, or a mission's JSON bytes), `groups` (their
        names with the colours of their pens) and `before` (a record: how the same table was read, and
        corrected, before these photos were taken). Raises `WaymarkError`."""
        ...

    def colours(self, setup: Any) -> Mapping[str, str | None]:
        """The groups that play, and the colours of their pens as far as they are told."""
        ...

    def laid(self, catalogue: Catalogue, setup: Any, cards: Sequence[PlacedCard]) -> Any:
        """The table as the cards of a photo lie on it, worked out once for all that may be drawn there.
        Raises `WaymarkError`."""
        ...

    def readings(
        self, laid: Any, lines: Sequence[DrawnLine], terms: T, said: Mapping[str, str] = {}
    ) -> tuple[R, ...]:
        """The records that the lines of a photo may be, the one to take first: the others differ in what a
        photo does not tell, in which order lines were drawn and which way. `said` is what is right of
        contradictions, by their names."""
        ...

    def contradictions(
        self, laid: Any, lines: Sequence[DrawnLine], terms: T, said: Mapping[str, str] = {}
    ) -> tuple[Contradiction, ...]:
        """What a photo of a table that was seen before shows otherwise than it was agreed; places are those
        of the first of `readings`."""
        ...

    def result(self, verdict: Any) -> Hashable:
        """What a table comes to for all who play."""
        ...

    def outcome(self, verdict: Any) -> Any:
        """What it comes to for each group, the same however places are called and pieces numbered."""
        ...

    def untold(self, board: Any, record: R, verdict: Any) -> Iterator[Untold]:
        """What no photo shows and nobody told, where the verdict may depend on it."""
        ...

    def what_ifs(self, board: Any, record: R, terms: T, verdict: Any) -> Iterator[tuple[Text, Any]]:
        """What would change what the table comes to for all who play, each with its verdict."""
        ...

    def lying(self, board: Any, turns: Sequence[int]) -> Any:
        """The board for somebody who sees its cards lie so (`Dungeon.lying`)."""
        ...

    def order_told(self, record: R, first: R) -> Text:
        """What one of these readings says of order and direction, for people who choose between them;
        `first` is the one that is taken unless they do."""
        ...

    def sketched(self, record: R, place: str) -> R:
        """The record in which the line that ends at a place only shows a way, and nobody has gone it."""
        ...
