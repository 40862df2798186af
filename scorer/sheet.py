"""The score sheet of a game: its columns, a player's rounds, the final score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias, TypeVar

import msgspec

from scorer.catalogue import Catalogue
from scorer.text import NO_WORDS, Text, listed
from scorer.verdict import Verdict

T_contra = TypeVar("T_contra", contravariant=True)
D = TypeVar("D", bound=str)
V_contra = TypeVar("V_contra", bound=Verdict, contravariant=True)


ColumnKind = Literal["points", "count", "tick"]


@dataclass(frozen=True, slots=True)
class Column:
    """One column of the score sheet. `kind`: victory points, a count, or a tick. `source`: read from a
    ruling, or only ever written by people. `ink`: which of the sheet's box styles it is drawn in, `icon` what
    stands beside its name.

    `short` is what it is called within a sentence, `told` the same where nothing else says what it is about;
    `ticks` are the words for a tick, for none, and for not known yet; `choices` those that people choose
    between (a tick, none). `once`: only one player of a round has
    the tick, whoever finished first where the round shows an hourglass; `worth` names the house rule that
    says how many points it is. `boxed`: it has a box on the sheet, and does not stand in the books alone.
    `statistic`: what its mean, or its share, is called in statistics. `weight`: what a difference of one
    in it weighs beside one point of others, where questions are put in order."""

    id: str
    label: Text
    kind: ColumnKind = "points"
    source: Literal["ruling", "people"] = "ruling"
    ink: str = "primary"
    most: int = 999
    icon: str = ""
    short: Text = NO_WORDS
    told: Text = NO_WORDS
    ticks: tuple[Text, Text, Text] = (NO_WORDS, NO_WORDS, NO_WORDS)
    choices: tuple[Text, Text] = (NO_WORDS, NO_WORDS)
    once: bool = False
    worth: str = ""
    boxed: bool = True
    statistic: Text | None = None
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Note:
    """The explanation of a box of the final score: a number, a sign, and an icon and words after it."""

    number: int
    sign: str
    icon: str = ""
    icon_words: Text = NO_WORDS
    words: Text = NO_WORDS


@dataclass(frozen=True, slots=True)
class Preset:
    """A set of house rules with a name; `values` are those that differ from the usual, by term."""

    id: str
    label: Text
    values: Mapping[str, Any] = field(default_factory=dict)


#: A player's round on the sheet: values by column.
Row: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Played:
    """A player with the rows of the rounds played."""

    name: str
    rows: tuple[Row, ...] = ()


@dataclass(frozen=True, slots=True)
class FinalRow:
    """A player's line of the final score: points by final column, their sum, the rank."""

    name: str
    columns: Mapping[str, int]
    total: int
    rank: int


@dataclass(frozen=True, slots=True)
class FinalScore:
    """The final score, or the current standing, in seating order; equal players share a rank. `decided_by` is
    the game's word for the tie-breaker. `won` is its sentence for a finished game, `leads` for one under
    way. `rounds` is the number of rounds played."""

    players: tuple[FinalRow, ...]
    winners: tuple[str, ...]
    decided_by: str
    rounds: int
    won: Text
    leads: Text


_COLOURS = {
    "red": Text("Red"),
    "blue": Text("Blue"),
    "green": Text("Green"),
    "yellow": Text("Yellow"),
    "black": Text("Black"),
    "purple": Text("Purple"),
}


def colours(*names: str) -> Mapping[str, Text]:
    """The words for the colours of players' pieces."""
    return {name: _COLOURS[name] for name in names}


def ranking(standings: Sequence[tuple[int, ...]], criteria: Sequence[D]) -> tuple[list[int], D]:
    """The rank of each standing (equal ones share it), and the criterion that separates the first from the
    second. `criteria` name the numbers of a standing, and last a shared place, where there is one."""
    order = sorted(standings, reverse=True)
    first, second = order[0], order[1] if len(order) > 1 else ()
    if not second:
        return [1], criteria[0]
    ahead = (each for each, a, b in zip(criteria, first, second, strict=False) if a != b)
    return [1 + order.index(each) for each in standings], next(ahead, criteria[-1])


def shown_final(answer: Any, columns: Sequence[Column], rounds: int, won: Text, leads: Text) -> FinalScore:
    """The final score of a game's answer, whose players have a field for each of the `columns`. Unknown
    points count as 0. Sentences are filled with the winners (`who`) and their `total`."""
    about = {
        "who": listed(answer.winners),
        "total": max((each.total or 0 for each in answer.players), default=0),
    }
    return FinalScore(
        players=tuple(
            FinalRow(
                each.name,
                {column.id: getattr(each, column.id) or 0 for column in columns},
                each.total or 0,
                each.rank or 1,
            )
            for each in answer.players
        ),
        winners=tuple(answer.winners),
        decided_by=answer.decided_by or "",
        rounds=rounds,
        won=won.filled(**about),
        leads=leads.filled(**about),
    )


class Sheet(Protocol[T_contra, V_contra]):
    """A game's score sheet: the columns of a player's round and of the final score, the number of rounds, the
    possible numbers of players, and the `colours` of their pieces."""

    @property
    def columns(self) -> tuple[Column, ...]: ...
    @property
    def final_columns(self) -> tuple[Column, ...]: ...
    @property
    def rounds(self) -> int: ...
    @property
    def least_players(self) -> int: ...
    @property
    def most_players(self) -> int: ...
    @property
    def colours(self) -> Mapping[str, Text]: ...
    @property
    def presets(self) -> tuple[Preset, ...]: ...

    def row(self, verdict: V_contra) -> dict[str, Any]:
        """The values that a verdict gives for columns of `source` `ruling`; None where a value is unknown."""
        ...

    def game_file(
        self, players: Sequence[Played], terms: T_contra, rounds: int | None = None
    ) -> msgspec.Struct:
        """The game file (`waymark-game/1`) that `final_answer` takes. Only the first `rounds` rows count
        (None: all); later purchases remain in the books."""
        ...

    def parse_games(self, data: bytes) -> Any:
        """A game from JSON, or a tuple of games where it is a list. Raises `WaymarkError` (not-a-game)."""
        ...

    def final_answer(self, game: Any, terms: T_contra, catalogue: Catalogue | None = None) -> msgspec.Struct:
        """The final score in JSON form (`waymark-final/1`), with the piece values of `catalogue` or, for
        None, the usual ones. Raises `WaymarkError` for an impossible game."""
        ...

    def final(self, answer: Any) -> FinalScore:
        """The final score in the form in which it is shown to people."""
        ...

    def round_start(self, number: int, terms: T_contra) -> tuple[Text, ...]:
        """Reminders for the start of a round (from 1), in order."""
        ...

    def round_end(self, number: int, terms: T_contra) -> tuple[Text, ...]:
        """Reminders for the end of a round (from 1), in order."""
        ...

    def notes(self, players: Sequence[Played], terms: T_contra) -> tuple[Mapping[str, Note], ...]:
        """Explanations of the boxes of the final score, for each player by final column."""
        ...

    @property
    def ties(self) -> Text:
        """The rule by which equal totals are ranked, in words."""
        ...

    @property
    def by_objective(self) -> Text:
        """A note on points by objective; empty where there is none."""
        ...

    @property
    def for_later(self) -> tuple[str, ...]:
        """The ids of items found on a path and used after the round."""
        ...

    def found_for_later(self, verdict: V_contra) -> dict[str, int]:
        """The counts of items found for later use, by id."""
        ...

    def first_by_lot(self, terms: T_contra) -> bool:
        """Whether the starting player is drawn by lot."""
        ...
