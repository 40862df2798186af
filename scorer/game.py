"""The interface of a game: everything that the rest of Waymark needs to know about one.

A game is one folder, `scorer/<game>/` or a package of its own, and a catalogue of its pieces. `scorer.games`
looks it up by the word in the catalogue's `game`. The command line, pages, pictures, exports and statistics
contain no code for single games.

A record holds the pieces and the drawing, and terms hold the stated facts that no photo shows. A board is
built from the pieces once, and a verdict is the result of the referee. These four types are the game's own,
and callers use them only through the functions here. Records and verdicts are `msgspec` structs, to be stored
as JSON; terms compare by value."""

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
    """A one-line text notation of records."""

    def write(self, record: R) -> str: ...

    def parse(self, text: str) -> R:
        """The record of a notation. Raises `WaymarkError` (not-a-notation)."""
        ...


class TypedGame(Protocol[R, B, T, V]):
    """A game in one `mode`, with its types of record, board, terms and verdict.

    Functions raise `WaymarkError` for impossible arguments (an unknown card, place or means). Any arrangement
    possible on a table gets an answer, whether legal or not. A game is one value, and caches the values
    derived from it."""

    def __hash__(self) -> int: ...
    @property
    def id(self) -> str:
        """The id of the game, as in the field `game` of catalogues and records."""
        ...

    @property
    def mode(self) -> str:
        """The mode as in a record's `mode`; empty where the game has only one mode."""
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
        """The key under which a record read from a photo is written in `waymark-scan/1`."""
        ...

    @property
    def bundled(self) -> Path | None:
        """The folder of the catalogue that comes with the game; None where there is none."""
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
        """Terms from values by the ids of `terms`, with defaults for missing ones. Raises `WaymarkError` for
        impossible values."""
        ...

    def term_values(self, terms: T) -> dict[str, Any]:
        """The values that differ from their defaults, for storage and as input of `make_terms`."""
        ...

    def terms_of(self, record: R, terms: T) -> T:
        """The terms, with those values replaced that the record itself gives (possessions, objectives)."""
        ...

    def with_terms(self, record: R, terms: T) -> R:
        """The record with the values of `terms` stored in it."""
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

    def why(self, verdict: V) -> Reason:
        """The deciding reason of a verdict, in one sentence."""
        ...

    def turn(self, record: R, verdict: V) -> Turn:
        """The place where a verdict was decided, and the reason."""
        ...

    def steps(self, board: B, verdict: V, *, with_ids: bool = True) -> Sequence[ToldStep]:
        """The steps that lead to a verdict, in order. `with_ids` adds the ids of places in the record."""
        ...

    def without_ids(self, board: B, record: R, verdict: V) -> V:
        """The verdict with sentences for people at the table, which do not contain the ids of places.
        `record` is the record that was ruled on."""
        ...

    def tallies(self, board: B, verdict: V) -> Sequence[Any]:
        """The running counts after each step, as a player would count along; empty for games without such
        counts."""
        ...

    def report(self, verdict: V) -> Report:
        """The verdict in the form in which it is shown to people."""
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


#: A game whose types nobody looks into.
Game: TypeAlias = TypedGame[Any, Any, Any, Any]


@dataclass(frozen=True, slots=True)
class EitherWay:
    """The ruling on a record whose direction is unknown. `ruling` is the one taken and says how it was
    chosen. `other` is the alternative, where people must decide. `turned` says that the ruling is about
    the record backwards."""

    ruling: Any
    other: Any
    choice: Choice
    turned: bool


def referee_either_way(game: Game, board: Any, record: Any, terms: Any) -> EitherWay:
    """The ruling on a drawing in its recorded direction and backwards. Raises like `referee`."""
    readings = [record, game.backwards(record) or record]
    rulings = [game.referee(board, each, terms) for each in readings]
    choice = game.choose(rulings)
    turned = choice.chosen == 1
    return EitherWay(
        game.chosen(rulings[choice.chosen], choice, turned=turned), rulings[1 - choice.chosen], choice, turned
    )


def terms_from_words(game: Game, words: Mapping[str, str], values: Mapping[str, Any] = {}) -> Any:
    """Terms from `values` and from settings typed as text (`{"card_limit": "6"}`). Raises `WaymarkError`
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
