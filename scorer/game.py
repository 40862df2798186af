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

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias, TypeVar

import msgspec

from scorer.catalogue import Catalogue
from scorer.counterfactual import WhatIfs
from scorer.errors import Code, WaymarkError
from scorer.groups import Groups
from scorer.laying import Laying, LineHabits
from scorer.market import Market
from scorer.payments import Payments
from scorer.record import Record
from scorer.sheet import Sheet
from scorer.terms import Term
from scorer.text import Text, listed
from scorer.turns import Turns
from scorer.verdict import Choice, Discord, Reason, Report, RuledDoubt, ToldStep, Turn, V
from scorer.vocabulary import Vocabulary

R = TypeVar("R", bound=msgspec.Struct)
B = TypeVar("B")
T = TypeVar("T")


class Notation(Protocol[R]):
    """A record as one line of text."""

    def write(self, record: R) -> str: ...

    def parse(self, text: str) -> R:
        """Raises `WaymarkError` (not-a-notation)."""
        ...


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
        game.chosen(rulings[choice.chosen], choice, turned=turned), rulings[1 - choice.chosen], choice, turned
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
        Text(
            "{game} has no term {name!r}; choose from {names}.",
            game=game.name,
            name=name,
            names=listed(names),
        ),
    )


def unknown_rule(game: Game, name: str) -> WaymarkError:
    """The error for a house rule that a game does not have."""
    names = [term.id for term in game.terms if term.group == "house"]
    return WaymarkError(
        Code.UNKNOWN_SETTING,
        Text("There is no house rule {name!r}; choose from {names}.", name=name, names=listed(names)),
    )
