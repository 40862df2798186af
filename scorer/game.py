"""What a game is: all that the rest of Waymark asks of one, and nothing that it does not.

A game is one folder, `scorer/<game>/`, and a catalogue of its pieces. `scorer.games` looks it up by the
word in the catalogue's `game`. Everything here is plain data or a plain function over plain data: a
record (what lies there, what was drawn), terms (what is told and not seen), a verdict, a score sheet.
Command line, pages, pictures, exports and statistics loop over what a game tells and name nothing of it."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import msgspec

from scorer.catalogue import Catalogue
from scorer.text import Text

# --- how pieces lie, how lines run: what `vision` asks ------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Grid:
    """Pieces lie in the cells of a grid. The number of columns and rows is None where it is not fixed."""

    columns: int | None = None
    rows: int | None = None


@dataclass(frozen=True, slots=True)
class Laying:
    """How pieces may lie: turned by which `rotations` (degrees, clockwise), in a grid or, where `grid` is
    None, touching each other freely. `half_shifts`: neighbours may lie shifted by half a side."""

    rotations: frozenset[int] = frozenset({0, 90, 180, 270})
    grid: Grid | None = None
    half_shifts: bool = False


@dataclass(frozen=True, slots=True)
class LineHabits:
    """How lines run at the finds of a game: habits of pens, no rules. `stops_at`: finds at which lines
    often end. `gates`: finds at which a line breaks off, to go on from another of the same kind.
    `stepped_on`: finds in a room that a line is led onto instead of past, likeliest first. `drawn`:
    whether lines are drawn at all; where none are, nothing is missed in a photo without one."""

    drawn: bool = True
    stops_at: frozenset[str] = frozenset()
    gates: frozenset[str] = frozenset()
    stepped_on: tuple[str, ...] = ()


# --- words --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What the things of a game are called (`words`, by id: finds, objectives, means, tokens), and the
    icon of those that do not have one by their own id (`icons`)."""

    words: Mapping[str, Text] = field(default_factory=dict)
    icons: Mapping[str, str] = field(default_factory=dict)

    def name(self, thing: str) -> Text:
        """What `thing` is called; its id where the game has no word for it."""
        return self.words.get(thing, Text(thing, thing))

    def icon(self, thing: str) -> str:
        """The icon of `thing`, as it is called in the pages' sprite."""
        return self.icons.get(thing, thing)


# --- terms: what is told and not seen -----------------------------------------------------------------------

TermKind = Literal["count", "number", "choice", "set", "flag"]
TermGroup = Literal["held", "objective", "house"]


@dataclass(frozen=True, slots=True)
class Term:
    """One thing that people tell: a field of the game's terms, as forms ask for it.

    `kind`: `count`, how many of each of `choices` (a mapping); `number`, a whole number between `least`
    and `most` (empty means none where `optional`); `choice`, one of `choices`; `set`, any of `choices` up
    to `most`; `flag`, yes or no. `group`: what a player holds, what a round asks for, or a rule of the
    house. House rules alone that do not change a ruling have `ruling` false; those fixed once a game has
    begun have `until_begun` true."""

    id: str
    kind: TermKind
    group: TermGroup
    label: Text
    explanation: Text | None = None
    choices: tuple[str, ...] = ()
    least: int = 0
    most: int = 999
    optional: bool = False
    ruling: bool = True
    until_begun: bool = False


# --- the score sheet ----------------------------------------------------------------------------------------

ColumnKind = Literal["points", "count", "tick"]


@dataclass(frozen=True, slots=True)
class Column:
    """One column of the score sheet. `kind`: victory points, a count, or a tick. `source`: read from a
    ruling, or only ever written by people. `ink`: which of the sheet's box styles it is drawn in."""

    id: str
    label: Text
    kind: ColumnKind = "points"
    source: Literal["ruling", "people"] = "ruling"
    ink: str = "primary"
    most: int = 999


@dataclass(frozen=True, slots=True)
class Preset:
    """A set of house rules with a name."""

    id: str
    label: Text
    values: Mapping[str, Any] = field(default_factory=dict)


class FinalRow(msgspec.Struct, frozen=True, kw_only=True):
    """A player's line of the final score: points by the id of a final column, their sum, the rank."""

    name: str
    columns: dict[str, int]
    total: int
    rank: int


class FinalScore(msgspec.Struct, frozen=True, kw_only=True):
    """The final score, or the standing so far. Players stand as they sit; equal players share a rank.
    `decided_by` is the game's word for what broke the tie, `total` where nothing had to."""

    players: tuple[FinalRow, ...]
    winners: tuple[str, ...]
    decided_by: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """A game's score sheet as pages, pictures and exports show it: the boxes of one player's round, the
    columns of the final score, how many rounds a game has, who may sit down."""

    columns: tuple[Column, ...]
    final_columns: tuple[Column, ...]
    rounds: int
    least_players: int
    most_players: int
    colours: tuple[str, ...]
    presets: tuple[Preset, ...] = ()


# --- verdicts -----------------------------------------------------------------------------------------------


class Verdict(Protocol):
    """What the referee says. Its other fields are the game's own, and are written as JSON as they are."""

    @property
    def legal(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Choice:
    """Which of several readings of the same thing stands (`chosen`), which others are as likely
    (`rivals`, all worth something else), and why, in words; none of these where the rules do not tell
    (`asked`)."""

    chosen: int
    rivals: tuple[int, ...] = ()
    why: Text | None = None

    @property
    def asked(self) -> bool:
        """Whether people must say which it is."""
        return bool(self.rivals)


@dataclass(frozen=True, slots=True)
class RuledDoubt:
    """A doubt that follows from a ruling and not from the photo: what was read makes a misreading likely.
    `about` is a stable word, `place` where it is, `blocking` that no answer makes the score sure."""

    about: str
    place: str
    words: Text
    blocking: bool = False


@dataclass(frozen=True, slots=True)
class Assumption:
    """One thing that may have been otherwise: `key` is one stable word, from which `Game.suppose` can
    make it again; `words` say what is assumed."""

    key: str
    words: Text


# --- the game -----------------------------------------------------------------------------------------------


class Game(Protocol):
    """A game. Records, boards, terms and verdicts are of its own types: whoever calls passes on what it
    was given, and looks inside only through the functions here.

    Every function raises `WaymarkError` where what it is given cannot be (an unknown card, place or
    means), and answers whatever can lie on a table, against the rules or not."""

    id: str
    name: Text
    vocabulary: Vocabulary
    laying: Laying
    habits: LineHabits
    terms: tuple[Term, ...]
    sheet: Sheet

    def parse_record(self, data: bytes) -> Any:
        """A record from JSON or the game's notation."""
        ...

    def make_terms(self, values: Mapping[str, Any]) -> Any:
        """Terms from values by the ids of `terms`; those left out are as usual. Checks them."""
        ...

    def term_values(self, terms: Any) -> dict[str, Any]:
        """The plain values of terms that differ from the usual: what is kept, and taken by `make_terms`."""
        ...

    def board(self, catalogue: Catalogue, record: Any) -> Any:
        """What the pieces of a record make: built once for a layout, and passed on."""
        ...

    def referee(self, board: Any, record: Any, terms: Any) -> Verdict:
        """The verdict on a record, on the board of its pieces."""
        ...

    def worth(self, verdict: Any) -> Hashable:
        """What a verdict gives its player: between equal worth there is no question."""
        ...

    def why(self, verdict: Any) -> Text:
        """In one sentence, what the verdict comes from."""
        ...

    def steps(self, board: Any, verdict: Any) -> Sequence[Text]:
        """What the verdict comes from, step by step."""
        ...

    def choose(self, verdicts: Sequence[Any]) -> Choice:
        """Which of several readings of the same thing stands."""
        ...

    def doubts(self, board: Any, record: Any, verdict: Any) -> Iterator[RuledDoubt]:
        """What in a ruling makes a misreading likely."""
        ...

    def what_ifs(self, board: Any, record: Any, terms: Any) -> Iterator[Assumption]:
        """What may have been otherwise, the likeliest first: each worth refereeing anew."""
        ...

    def suppose(self, record: Any, terms: Any, key: str) -> tuple[Any, Any] | None:
        """Record and terms under the assumption that has this key; None where it cannot be made of them."""
        ...

    def row(self, verdict: Any) -> dict[str, int | bool | None]:
        """What a verdict writes into the sheet, by column; None where the verdict does not tell."""
        ...

    def final(
        self, players: Sequence[tuple[str, Sequence[Mapping[str, Any]]]], house: Mapping[str, Any]
    ) -> FinalScore:
        """The final score of players, each a name and the rows of the sheet, by the house's rules."""
        ...

    def final_of_file(self, data: bytes, house: Mapping[str, Any]) -> Any:
        """The answer of `waymark final` to a game written down (`waymark-game/1`)."""
        ...
