"""What a game is: all that the rest of Waymark asks of one, and nothing that it does not.

A game is one folder, `scorer/<game>/` or a package of its own, and a catalogue of its pieces;
`scorer.games` looks it up by the word in the catalogue's `game`. Command line, pages, pictures, exports and
statistics loop over what a game tells and name nothing of it.

A record says what lies there and what was drawn, terms what is told and not seen; a board is what the pieces
make, built once and passed on; a verdict is what the referee says. These four are types of the game's own:
whoever calls passes on what it was given, and looks inside only through the functions here. Records and
verdicts are `msgspec` structs, so that they can be kept as JSON and read again; terms compare by value.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias, TypeVar

import msgspec

from scorer.catalogue import Catalogue
from scorer.errors import Code, WaymarkError
from scorer.record import Marks, PlacedCard, Record
from scorer.tables import SharedTable
from scorer.text import NO_WORDS, Text

# --- how pieces lie, how lines run: what `vision` asks ------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Grid:
    """Pieces lie in the cells of a grid. The number of columns and rows is None where it is not fixed."""

    columns: int | None = None
    rows: int | None = None


@dataclass(frozen=True, slots=True)
class Laying:
    """How pieces may lie: turned by which `rotations` (degrees, clockwise), in a grid or, where `grid` is
    None, touching each other freely. `half_shifts`: neighbours may lie shifted by half a side. `limit` is the
    id of the term (a number) that says how many pieces may lie; "" where none does. `by_owner`: a piece that
    has a colour lies beside none of another colour, for players lay their own."""

    rotations: frozenset[int] = frozenset({0, 90, 180, 270})
    grid: Grid | None = None
    half_shifts: bool = False
    limit: str = ""
    by_owner: bool = False


@dataclass(frozen=True, slots=True)
class LineHabits:
    """How lines run at the finds of a game: habits of pens, no rules, so a line may be read through any find.
    `stops_at`: finds at which lines often end. `gates`: finds at which a line breaks off, to go on from
    another of the same kind. `stepped_on`: finds in a room that a line is led onto instead of past, likeliest
    first. `drawn`: whether lines are drawn at all; where none are, none is missed in a photo."""

    drawn: bool = True
    stops_at: frozenset[str] = frozenset()
    gates: frozenset[str] = frozenset()
    stepped_on: tuple[str, ...] = ()


# --- words --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What the things of a game are called (`words`, by id: finds, objectives, means, tokens), and the icon
    of those that do not have one by their own id (`icons`). `events`: what happens at a step, in short, with
    `{what}` for the things that it happens to; events that nobody wants to be told are not in it."""

    words: Mapping[str, Text] = field(default_factory=dict)
    icons: Mapping[str, str] = field(default_factory=dict)
    events: Mapping[str, Text] = field(default_factory=dict)

    def name(self, thing: str) -> Text:
        """What `thing` is called; its id where the game has no word for it."""
        return self.words.get(thing, Text(thing, thing))

    def icon(self, thing: str) -> str:
        """The icon of `thing`, as it is called in the pages' sprite."""
        return self.icons.get(thing, thing)


# --- terms: what is told and not seen -----------------------------------------------------------------------

TermKind = Literal["counts", "number", "choice", "set", "flag"]
TermGroup = Literal["held", "objective", "house"]


@dataclass(frozen=True, slots=True)
class Term:
    """One thing that people tell, as forms and the command line ask for it.

    `kind`: `counts`, how many of each of `choices` (a mapping); `number`, a whole number from `least` to
    `most` (None where `optional`); `choice`, one of `choices` (None where `optional`); `set`, any of
    `choices`, at most `most`; `flag`, yes or no. `group`: what a player holds, what a round asks for, or a
    rule of the house. House rules that do not change a ruling have `ruling` false; those that are fixed once
    a game has begun have `until_begun` true. `usual` is its value where nobody tells one.

    `worth`: the points of each, where a choice is an objective. `kept`: what is held stays with the player in
    the rounds that follow, at most `at_once` of a set; `in_rulings` are those of a set that a ruling can come
    to (none: all)."""

    id: str
    kind: TermKind
    group: TermGroup
    label: Text
    explanation: Text | None = None
    choices: tuple[str, ...] = ()
    choice_words: Mapping[str, Text] = field(default_factory=dict)
    least: int = 0
    most: int = 999
    optional: bool = False
    ruling: bool = True
    until_begun: bool = False
    usual: Any = None
    worth: Mapping[str, int] = field(default_factory=dict)
    kept: bool = False
    at_once: int | None = None
    in_rulings: tuple[str, ...] = ()

    def takes(self) -> Text:
        """What it takes, in words."""
        listed = Text(", ".join(self.choices), "、".join(self.choices))
        if self.kind == "flag":
            return Text("true or false", "true か false")
        if self.kind == "counts":
            return Text(f"WHAT:N with WHAT one of {listed.en}", f"WHAT:N の形 (WHAT は {listed.ja} のどれか)")
        if self.kind == "set":
            return Text(f"any of {listed.en}, separated by commas", f"{listed.ja} をコンマで区切ったもの")
        if self.kind == "choice":
            told = Text(f"one of {listed.en}", f"{listed.ja} のどれか")
        else:
            told = Text(
                f"a whole number from {self.least} to {self.most}",
                f"{self.least} から {self.most} までの整数",
            )
        return Text(f"{told.en}, or none", f"{told.ja}か none") if self.optional else told

    def read(self, words: str) -> Any:
        """Its value from words (`3`, `true`, `sword:1,key:2`). Raises `WaymarkError` (bad-setting)."""
        word = words.strip()
        if self.kind == "choice" and word not in self.choices:
            word = word.lower()
        parts = [part.strip() for part in word.split(",") if part.strip()]
        if self.optional and word.lower() in ("", "none"):
            return None
        if self.kind == "flag" and word.lower() in ("true", "false"):
            return word.lower() == "true"
        if self.kind == "choice" and word in self.choices:
            return word
        number = _whole_number(word) if self.kind == "number" else None
        if number is not None and self.least <= number <= self.most:
            return number
        if self.kind == "set" and set(parts) <= set(self.choices) and len(parts) <= self.most:
            return tuple(dict.fromkeys(parts))
        if self.kind == "counts":
            told = [
                (what, _whole_number(count)) for what, _, count in (part.rpartition(":") for part in parts)
            ]
            counts = {what: count for what, count in told if count is not None and count <= self.most}
            if len(counts) == len(dict(told)) and set(counts) <= set(self.choices):
                return counts
        raise self.refusal(words)

    def refusal(self, value: object) -> WaymarkError:
        """The error for a value that it cannot have."""
        takes, house = self.takes(), self.group == "house"
        return WaymarkError(
            Code.BAD_SETTING,
            f"{'The house rule ' if house else ''}{self.id} takes {takes.en}, not {value!r}.",
            f"{'ハウスルール ' if house else ''}{self.id} に {value!r} は指定できません。"
            f"{takes.ja} を指定してください。",
        )


# --- verdicts -----------------------------------------------------------------------------------------------


class Verdict(Protocol):
    """What the referee says. Its other fields are the game's own, and are written as JSON as they are."""

    @property
    def legal(self) -> bool: ...


def _whole_number(word: str) -> int | None:
    """The number that a word of figures is; None for other words, and for numbers that nothing counts to."""
    return int(word) if word.isascii() and word.isdigit() and len(word) <= 9 else None


@dataclass(frozen=True, slots=True)
class Reason:
    """What decided: a rule by its code, where the rulebook has it, and one sentence."""

    rule: str
    words: Text
    section: Text = NO_WORDS


@dataclass(frozen=True, slots=True)
class Turn:
    """Where a verdict turned: a place and its number along the way (from 1), as far as there is one; why."""

    place: str | None
    step: int | None
    why: Reason


@dataclass(frozen=True, slots=True)
class ToldStep:
    """One line of what happened: its number from 1, the place's name in the record, what happened there, and
    what is held afterwards. `brief` says in a few words what a person wants to be told of it, and is empty
    where that is nothing. `found` are the places of what was found with it, `used` of what was overcome, gone
    through or used up there; `paid` is what was used, by ids of the vocabulary."""

    number: int
    place: str
    what: Text
    held: Text
    brief: Text = NO_WORDS
    found: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    paid: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of a report: what it is about, and what is so. `with_ids`: the words tell places by their
    names in the record, which mean nothing to who looks at the photo."""

    about: Text
    words: Text
    with_ids: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    """A verdict as people are told it. `counts`: how many of what was counted, by ids of the vocabulary, in
    the game's order, those above 0 alone. `facts`: what they are worth, and what else is so. `faults`: what
    is wrong with how things lie. `chosen`: how its reading was chosen, where that was asked. `notes`: what
    people should look at. `brief`: all of it in one line."""

    counts: tuple[tuple[str, int], ...] = ()
    facts: tuple[Fact, ...] = ()
    faults: tuple[Text, ...] = ()
    chosen: Text = NO_WORDS
    notes: tuple[Text, ...] = ()
    brief: Text = NO_WORDS


@dataclass(frozen=True, slots=True)
class Choice:
    """Which of several readings of the same thing stands (`chosen`), which others are as likely (`rivals`),
    and by what it was chosen: the game's word for it, and a sentence. `asked`: people must say which it is,
    for the rivals are worth something else."""

    chosen: int
    rivals: tuple[int, ...]
    by: str
    why: Text
    asked: bool = False


@dataclass(frozen=True, slots=True)
class RuledDoubt:
    """A doubt that follows from a ruling and not from the photo: what was read makes a misreading likely.
    `about` is a stable word (`gap`, `broken-rule`), `place` where it is; `strokes` are those that do not
    join the one before. `blocking`: no answer of people makes the score sure. `others`: records that may be
    true instead."""

    about: str
    place: str
    words: Text
    strokes: tuple[int, ...] = ()
    blocking: bool = False
    others: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Discord:
    """Something drawn beside the line that tells another story than a verdict: a mark at `place`, or none
    where the player marks all else. `weight` is how strongly (nats) it speaks against the verdict if it was
    read right; `there`: whether it is a mark, or one that is wanting."""

    place: str
    weight: float
    there: bool = True


V = TypeVar("V", bound=Verdict)


def choose_by_worth(
    verdicts: Sequence[V], worth: Callable[[V], Hashable], words: Mapping[str, Text]
) -> Choice:
    """The first legal reading, or the first where none is: the `only_legal` one, of the `same_score` as all
    others as likely, or `asked`; `words` has a sentence for each of the three."""
    legal = [number for number, verdict in enumerate(verdicts) if verdict.legal]
    chosen, *rivals = legal or range(len(verdicts))
    by = "asked"
    if not rivals:
        by = "only_legal"
    elif all(worth(verdicts[chosen]) == worth(verdicts[other]) for other in rivals):
        by = "same_score"
    return Choice(chosen, tuple(rivals), by, words[by], asked=by == "asked")


# --- what if ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Assumption:
    """One thing that may have been otherwise. `key` is one stable word, from which it can be made again, and
    `kind` its beginning: `held` and `not_held` are about what a player holds, `house` about a rule of the
    house, `paid` about what was used where. Only `WhatIfs` looks into `key`."""

    key: str

    @property
    def kind(self) -> str:
        return self.key.partition(":")[0]


R = TypeVar("R", bound=msgspec.Struct)
B = TypeVar("B")
T = TypeVar("T")
B_contra = TypeVar("B_contra", contravariant=True)
T_contra = TypeVar("T_contra", contravariant=True)
V_contra = TypeVar("V_contra", bound=Verdict, contravariant=True)


class WhatIfs(Protocol[R, B_contra, T, V_contra]):
    """What may have been otherwise, in what is told (held, house rules) and in what was used: what follows
    from another reading of the photo is not the game's to say."""

    def tried(
        self,
        board: B_contra,
        record: R,
        terms: T,
        verdict: V_contra,
        then: Callable[[Assumption], V_contra | None],
    ) -> Iterator[Assumption]:
        """Assumptions that change what players would notice, by kinds, the most relevant first. `then` rules
        on the record under an assumption; None where it cannot be."""
        ...

    def lifting(
        self,
        board: B_contra,
        record: R,
        terms: T,
        verdict: V_contra,
        then: Callable[[Assumption], V_contra | None],
    ) -> Iterator[Assumption]:
        """What may have been held, and nobody told, with which what was drawn goes on where the verdict
        stopped it and is legal; what people have forgotten to tell most often first."""
        ...

    def free(self, board: B_contra, record: R, terms: T) -> Iterator[tuple[str, tuple[Assumption, ...]]]:
        """Places at which one thing or another could have been used, and that another one was: in the order
        of `Payments.choices` and of the ways there, what was used left out."""
        ...

    def parse(self, key: str) -> Assumption | None:
        """The assumption that has this key; None for what is none."""
        ...

    def suppose(self, board: B_contra, record: R, terms: T, assumption: Assumption) -> tuple[R, T] | None:
        """Record and terms under an assumption; None where it cannot be (what is not held cannot be
        missing)."""
        ...

    def places(self, assumption: Assumption) -> tuple[str, ...]:
        """The places that an assumption names: where something was used, and what."""
        ...

    def condition(self, board: B_contra, terms: T, assumption: Assumption) -> Text:
        """The assumption as a condition: "With a rope token"."""
        ...

    def telling(self, terms: T, assumption: Assumption) -> Text:
        """What a player says to whom it has come true: "I had a rope token"; empty where nobody says that."""
        ...

    def settling(self, board: B_contra, terms: T, assumption: Assumption) -> Text:
        """What a button says that makes it a fact; empty where it cannot be one any more."""
        ...

    def before(self, terms: T, assumption: Assumption) -> dict[str, int]:
        """How many were held of what an assumption names; of a house rule, 1 where it is on."""
        ...

    def left(self, assumption: Assumption, before: Mapping[str, int], terms: T) -> Assumption | None:
        """What has still to be assumed of one that was made when so much was held; None where it has come
        true."""
        ...


# --- the score sheet ----------------------------------------------------------------------------------------

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
    """What a box of the final score comes from: a number, a sign, and an icon and words after it."""

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
    """A player and the rows of the rounds played."""

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
    """The final score, or the standing so far. Players stand as they sit; equal players share a rank.
    `decided_by` is the game's word for what broke the tie; `won` says it of a game that is over, `leads` of
    one under way. `rounds` is how many were played."""

    players: tuple[FinalRow, ...]
    winners: tuple[str, ...]
    decided_by: str
    rounds: int
    won: Text
    leads: Text


class Sheet(Protocol[T_contra, V_contra]):
    """A game's score sheet: the columns of one player's round, those of the final score, how many rounds a
    game has, who may sit down. `colours` are those of the players' pieces."""

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
        """What a verdict writes into the sheet, by column of `source` `ruling`; None where the verdict does
        not tell."""
        ...

    def game_file(
        self, players: Sequence[Played], terms: T_contra, rounds: int | None = None
    ) -> msgspec.Struct:
        """The game written down (`waymark-game/1`), which is what `final_answer` takes. `rounds`: so many of
        the rows count (None: all); what was bought since is in the books all the same."""
        ...

    def parse_games(self, data: bytes) -> Any:
        """A game from JSON, or a tuple of games where it is a list. Raises `WaymarkError` (not-a-game)."""
        ...

    def final_answer(self, game: Any, terms: T_contra, catalogue: Catalogue | None = None) -> msgspec.Struct:
        """The answer to a game as JSON has it (`waymark-final/1`), by the numbers of `catalogue` where pieces
        have numbers; None: those that are usual. Raises `WaymarkError` for what cannot be."""
        ...

    def final(self, answer: Any) -> FinalScore:
        """The same as people are told it."""
        ...

    def round_start(self, number: int, terms: T_contra) -> tuple[Text, ...]:
        """What to mind at the start of a round (from 1), in order."""
        ...

    def round_end(self, number: int, terms: T_contra) -> tuple[Text, ...]:
        """What to do at the end of a round (from 1), in order."""
        ...

    def notes(self, players: Sequence[Played], terms: T_contra) -> tuple[Mapping[str, Note], ...]:
        """What the boxes of the final score come from, for each player by final column."""
        ...

    @property
    def ties(self) -> Text:
        """How equal totals are ranked."""
        ...

    @property
    def by_objective(self) -> Text:
        """What to know of points by objective; empty where there is nothing."""
        ...

    @property
    def for_later(self) -> tuple[str, ...]:
        """What is found on a path and used after the round, by its words."""
        ...

    def found_for_later(self, verdict: V_contra) -> dict[str, int]:
        """How many of these were found."""
        ...

    def first_by_lot(self, terms: T_contra) -> bool:
        """Whether it is drawn by lot who begins."""
        ...


# --- what some games have and others have not ---------------------------------------------------------------


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
    def start_coins(self) -> int: ...
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


@dataclass(frozen=True, slots=True)
class Way:
    """One thing that a payment could be made with: `means` by the game's word, `source` where it was found;
    `words` for people."""

    means: str
    source: str | None
    words: Text


@dataclass(frozen=True, slots=True)
class PaymentChoice:
    """A payment that could have been made in several `ways`: at which place and step (from 1), for want of
    what (`tool`), how it was made (`used`, one of the ways), and whether people said so. `elsewhere`: ways
    that may be missed at another place when they are used here."""

    at: str
    step: int
    tool: str
    used: Way
    ways: tuple[Way, ...]
    stated: bool
    elsewhere: tuple[Way, ...] = ()


class Payments(Protocol[R, B_contra, T_contra]):
    """What was used where, where a player may say so."""

    def choices(self, board: B_contra, record: R, terms: T_contra) -> tuple[PaymentChoice, ...]:
        """The payments for which any of several things would do, in walking order."""
        ...

    def state(self, record: R, at: str, means: str | None, source: str | None = None) -> R:
        """The record with a statement of what was used at a place; without `means` nobody says what was.
        Raises `WaymarkError` (unknown-means)."""
        ...


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

    def lying_now(self, laid: Any, said: Mapping[str, str] = {}) -> tuple[Mapping[int, int], frozenset[int]]:
        """Which card of the first of `readings` each card of a table that was seen before is, by number,
        where it is still that one; and which cards the photo shows."""
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


class Notation(Protocol[R]):
    """A record as one line of text."""

    def write(self, record: R) -> str: ...

    def parse(self, text: str) -> R:
        """Raises `WaymarkError` (not-a-notation)."""
        ...


# --- the game -----------------------------------------------------------------------------------------------


class TypedGame(Protocol[R, B, T, V]):
    """A game in one `mode`, with its types of record, board, terms and verdict.

    Functions raise `WaymarkError` where what they are given cannot be (an unknown card, place or means), and
    answer whatever can lie on a table, against the rules or not. A game is one value: what is worked out from
    it alone is kept by it."""

    def __hash__(self) -> int: ...
    @property
    def id(self) -> str:
        """The word in a catalogue's and a record's `game`."""
        ...

    @property
    def mode(self) -> str:
        """The word in a record's `mode`; empty where the game has one mode only."""
        ...

    @property
    def name(self) -> Text: ...
    @property
    def vocabulary(self) -> Vocabulary: ...
    @property
    def laying(self) -> Laying: ...
    @property
    def habits(self) -> LineHabits: ...
    @property
    def terms(self) -> tuple[Term, ...]: ...
    @property
    def sheet(self) -> Sheet[T, V]: ...
    @property
    def what_ifs(self) -> WhatIfs[R, B, T, V]: ...
    @property
    def record_type(self) -> type[R]: ...
    @property
    def verdict_type(self) -> type[V]: ...
    @property
    def scan_key(self) -> Literal["tableau", "board"]:
        """Under which key of `waymark-scan/1` a record that was read from a photo is written."""
        ...

    @property
    def bundled(self) -> Path | None:
        """The folder of the catalogue that comes with the game, if one does."""
        ...

    @property
    def market(self) -> Market[T] | None: ...
    @property
    def payments(self) -> Payments[R, B, T] | None: ...
    @property
    def notation(self) -> Notation[R] | None: ...
    @property
    def turns(self) -> Turns[T] | None: ...
    @property
    def groups(self) -> Groups[R, T] | None: ...

    def parse_record(self, data: bytes) -> R:
        """A record from JSON, or from the game's notation where it has one. Raises `WaymarkError`."""
        ...

    def from_photo(self, catalogue: Catalogue, tableau: Record) -> R:
        """The record of pieces that were found in a photo, wherever they lie (mm), and the line over them."""
        ...

    def make_terms(self, values: Mapping[str, Any]) -> T:
        """Terms from values by the ids of `terms`, those left out as usual. Raises `WaymarkError` for what
        cannot be."""
        ...

    def term_values(self, terms: T) -> dict[str, Any]:
        """The values that differ from the usual: what is kept, and what `make_terms` takes."""
        ...

    def terms_of(self, record: R, terms: T) -> T:
        """`terms` with what a record tells itself in their place (what is held, objectives)."""
        ...

    def with_terms(self, record: R, terms: T) -> R:
        """The record telling what `terms` tell."""
        ...

    def board(self, catalogue: Catalogue, record: R) -> B:
        """What the pieces of a record make: built once for a layout, and passed on."""
        ...

    def referee(self, board: B, record: R, terms: T) -> V:
        """The verdict on a record, on the board of its pieces. Where the record tells terms too, `terms`
        stand."""
        ...

    def worth(self, verdict: V) -> Hashable:
        """What a verdict gives its player: between equal worth there is no question."""
        ...

    def outcome(self, verdict: V) -> Hashable:
        """What players would notice of a verdict: its worth, whether it is legal, where and by what it
        ended."""
        ...

    def reach(self, verdict: V) -> int:
        """How far what was drawn came, in steps."""
        ...

    def why(self, verdict: V) -> Reason:
        """What decided, in one sentence."""
        ...

    def turn(self, record: R, verdict: V) -> Turn:
        """Where a verdict turned, and why it is as it is."""
        ...

    def steps(self, board: B, verdict: V, *, with_ids: bool = True) -> Sequence[ToldStep]:
        """What the verdict comes from, step by step; `with_ids` with the names of places in the record."""
        ...

    def without_ids(self, board: B, record: R, verdict: V) -> V:
        """The verdict for people who look at the table: its sentences without the names that places have in
        the record, which is the one that was ruled on."""
        ...

    def tallies(self, board: B, verdict: V) -> Sequence[Any]:
        """What has been counted up to each step, as a player counts along; nothing where nobody counts so."""
        ...

    def report(self, verdict: V) -> Report:
        """The verdict as people are told it."""
        ...

    def backwards(self, record: R) -> R | None:
        """The same ink drawn the other way round; None where that says the same."""
        ...

    def choose(self, verdicts: Sequence[V]) -> Choice:
        """Which of several readings of the same thing stands."""
        ...

    def chosen(self, verdict: V, choice: Choice, *, turned: bool = False) -> V:
        """The verdict telling how its reading was chosen; `turned`: it is about the record backwards."""
        ...

    def doubts(self, board: B, record: R, verdict: V) -> Iterator[RuledDoubt]:
        """What in a ruling makes a misreading likely, the likeliest alone or first."""
        ...

    def discord(self, board: B, record: R, verdict: V) -> tuple[Discord, ...]:
        """What was drawn beside the line, and tells another story than the verdict."""
        ...


#: A game whose types nobody looks into.
Game: TypeAlias = TypedGame[Any, Any, Any, Any]


@dataclass(frozen=True, slots=True)
class EitherWay:
    """What a referee says of a record whose direction nobody knows: `ruling` stands and tells how it was
    chosen; `other` where people must say which it is. `turned`: it is about the record backwards."""

    ruling: Any
    other: Any
    choice: Choice
    turned: bool


def referee_either_way(game: Game, board: Any, record: Any, terms: Any) -> EitherWay:
    """Rule on what was drawn, as recorded and backwards. Raises like `referee`."""
    readings = [record, game.backwards(record) or record]
    rulings = [game.referee(board, each, terms) for each in readings]
    choice = game.choose(rulings)
    turned = choice.chosen == 1
    return EitherWay(
        game.chosen(rulings[choice.chosen], choice, turned=turned),
        rulings[1 - choice.chosen],
        choice,
        turned,
    )


def terms_from_words(game: Game, words: Mapping[str, str], values: Mapping[str, Any] = {}) -> Any:
    """Terms of `values`, and of what people wrote (`{"card_limit": "6"}`). Raises `WaymarkError`
    (unknown-setting, bad-setting, and as `make_terms`)."""
    known = {term.id: term for term in game.terms}
    told = dict(values)
    for name, word in words.items():
        if name not in known:
            raise unknown_term(game, name)
        told[name] = known[name].read(word)
    return game.make_terms(told)


def unknown_term(game: Game, name: str, group: str | None = None) -> WaymarkError:
    """The error for a term that a game does not have, or not among those of a group."""
    names = [term.id for term in game.terms if group in (None, term.group)]
    return WaymarkError(
        Code.UNKNOWN_SETTING,
        f"{game.name.en} has no term {name!r}; choose from {', '.join(names)}.",
        f"{game.name.ja}に {name!r} という条件はありません。{'、'.join(names)} から選んでください。",
    )


def unknown_rule(game: Game, name: str) -> WaymarkError:
    """The error for a house rule that a game does not have."""
    names = [term.id for term in game.terms if term.group == "house"]
    return WaymarkError(
        Code.UNKNOWN_SETTING,
        f"There is no house rule {name!r}; choose from {', '.join(names)}.",
        f"{name!r} というハウスルールはありません。{'、'.join(names)} から選んでください。",
    )
