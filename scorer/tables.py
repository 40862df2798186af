"""The view of a table shared by all players: the set-ups on offer, the state of the table, the remaining
needs, and edits by hand. Games in which groups draw (`scorer.groups.Groups`) have one."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from scorer.catalogue import Catalogue, Side
from scorer.text import NO_WORDS, Text

Cell = tuple[int, int]
#: starter: any plain card; empty: a card is laid there; card: this card; face_down: a card, perhaps this one.
SlotKind = Literal["starter", "empty", "card", "face_down"]


@dataclass(frozen=True, slots=True)
class ShownSlot:
    """A slot of the layout at a column and row from 0; `artifact`: something to be brought lies there."""

    cell: Cell
    kind: SlotKind
    card: str | None = None
    rotation: int = 0
    artifact: bool = False


@dataclass(frozen=True, slots=True)
class GoalTold:
    """A goal: its demands and its places. `wanted` has counts by ids of the vocabulary. `places` are those on
    face-up cards of the table."""

    id: str
    where: Text
    asks: Text
    wanted: Mapping[str, int]
    places: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Offer:
    """A set-up on offer (a mission): the table's shape, entrances and exits of groups (slot and side), the
    groups, the coins granted (None: not counted), the goals, and the causes of a loss."""

    id: str
    name: Text
    words: Text
    columns: int
    rows: int
    slots: tuple[ShownSlot, ...]
    starts: tuple[tuple[Cell, Side], ...]
    exits: tuple[tuple[Cell, Side], ...]
    groups: tuple[str, ...]
    coins: int | None
    goals: tuple[GoalTold, ...]
    losses: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Share:
    """Progress on one demand of a goal: `have` of `wanted` items of kind `what`. `have` may be too large
    where an exact number is demanded."""

    what: str
    have: int
    wanted: int


@dataclass(frozen=True, slots=True)
class Need:
    """The progress of a group towards a goal that it may meet. `lacks` names the items still to be
    brought."""

    goal: str
    shares: tuple[Share, ...]
    lacks: tuple[Text, ...] = ()

    @property
    def met(self) -> bool:
        return not self.lacks and all(each.have == each.wanted for each in self.shares)


@dataclass(frozen=True, slots=True)
class GroupTold:
    """A group as shown to people: its pen's `colour`, and a sentence about its place and its last path
    (`stands`). `counts` are its finds by ids of the vocabulary. Further fields are its `tokens` and
    `books`, the items it carries and needs, and the ways onward that are `closed`."""

    group: str
    name: Text
    colour: str
    stands: Text
    counts: tuple[tuple[str, int], ...]
    tokens: tuple[tuple[str, int], ...]
    books: tuple[str, ...]
    carries: tuple[Text, ...]
    reached: tuple[str, ...]
    needs: tuple[Need, ...]
    closed: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True)
class MarketTold:
    """The coins granted and spent. `tokens` are sold at `token_price`, `books` at `book_price`; a group may
    have `most_books`."""

    granted: int | None
    spent: int
    tokens: tuple[str, ...]
    token_price: int
    books: tuple[tuple[str, Text], ...]
    book_price: int
    most_books: int


@dataclass(frozen=True, slots=True)
class PathTold:
    """A path, in the order drawn: its group, how it ended in one sentence; a `sketch` claims nothing;
    `choices` are the goals that people choose between, `goal` the one that they chose or that was met."""

    number: int
    group: str
    words: Text
    ended: str
    sketch: bool
    choices: tuple[str, ...] = ()
    goal: str | None = None


@dataclass(frozen=True, slots=True)
class TableTold:
    """The state of a shared table as shown to people. `result` is won, lost or open; `says` is the referee's
    comment in one or two sentences. `left` are the remaining supplies: slots, step cards, face-down cards
    (kind and number).

    `declared` are events that only people can declare (code, sentence, whether declared, whether it loses).
    `player` lays the next card, with `hand` cards."""

    result: Literal["won", "lost", "open"]
    legal: bool
    says: tuple[Text, ...]
    place: str | None
    goals: tuple[tuple[GoalTold, str | None], ...]
    groups: tuple[GroupTold, ...]
    paths: tuple[PathTold, ...]
    market: MarketTold
    left: tuple[tuple[Text, int], ...]
    faults: tuple[Text, ...]
    declared: tuple[tuple[str, Text, bool, bool], ...]
    player: str | None
    hand: int | None
    laid: bool
    title: Text = NO_WORDS


class SharedTable(Protocol):
    """The view of a shared table, for games that have one. Records and verdicts are the game's own types."""

    def offers(self, catalogue: Catalogue) -> Sequence[Offer]:
        """The set-ups that a box of cards can be played with, in order. Raises `WaymarkError`."""
        ...

    def shows_all(self, catalogue: Catalogue, cards: Collection[str]) -> bool:
        """Whether these cards lie on the shared table, never in front of one player alone."""
        ...

    def pens(self) -> Mapping[str, Text]:
        """The colours of pens that groups may draw with."""
        ...

    def begun(self, catalogue: Catalogue, offer: str, pens: Mapping[str, str], players: Sequence[str]) -> Any:
        """The record of a table on which nothing lies yet. Raises `WaymarkError`."""
        ...

    def next_turn(self, catalogue: Catalogue, record: Any, players: Sequence[str], turns: int) -> Any:
        """The record with the player to move after a number of turns (from 0)."""
        ...

    def told(self, catalogue: Catalogue, record: Any, verdict: Any) -> TableTold:
        """The table in the form in which it is shown to people."""
        ...

    def changed(self, catalogue: Catalogue, record: Any, change: Any, players: Sequence[str]) -> Any:
        """The record after an edit by hand; `change` has the game's own form (docs/FORMATS.md). Raises
        `WaymarkError` (not-valid, and the errors of records)."""
        ...

    def told_only(self, record: Any) -> Any:
        """The stated facts of a table, without anything seen and without the game's terms."""
        ...

    def with_choices(self, record: Any, before: Any) -> Any:
        """A record recomputed from a photo, with people's statements taken from the earlier one, which no
        photo shows."""
        ...

    def hints(self, catalogue: Catalogue, record: Any, terms: Any) -> Sequence[tuple[Text, tuple[Text, ...]]]:
        """Hints on possible continuations: the overall outlook first, then each goal with the chances of
        every group."""
        ...
