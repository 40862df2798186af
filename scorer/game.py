"""The interface of a game: everything that the rest of Waymark needs to know about one.

A game is one folder, `scorer/<game>/` or a package of its own, and a catalogue of its pieces. `scorer.games`
looks it up by the word in the catalogue's `game`. The command line, pages, pictures, exports and statistics
contain no code for single games.

A record holds the pieces and the drawing, and terms hold the stated facts that no photo shows. A board is
built from the pieces once, and a verdict is the result of the referee. These four types are the game's own,
and callers use them only through the parts of `Game`. Records and verdicts are `msgspec` structs, to be
stored as JSON; terms compare by value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, TypeAlias, TypeVar

import msgspec

from scorer.errors import Code, WaymarkError
from scorer.port.api import NO_NAMES, ApiNames
from scorer.port.enrol import NO_ENROLMENT, Enrolment
from scorer.port.photo import Photo
from scorer.port.play import Play
from scorer.port.rules import Rules, unknown_term
from scorer.port.words import Words
from scorer.sheet import Sheet
from scorer.text import Text, listed
from scorer.verdict import Choice, V

R = TypeVar("R", bound=msgspec.Struct)
B = TypeVar("B")
T = TypeVar("T")


class Notation(Protocol[R]):
    """A one-line text notation of records."""

    def write(self, record: R) -> str: ...

    def parse(self, text: str) -> R:
        """The record of a notation. Raises `WaymarkError` (not-a-notation)."""
        ...


@dataclass(frozen=True, eq=False, kw_only=True)
class TypedGame(Generic[R, B, T, V]):
    """A game in one `mode`, with its types of record, board, terms and verdict.

    `id` is the word in the field `game` of catalogues and records, and `mode` the one in a record's `mode`
    (empty where there is only one). `bundled` is the folder of the catalogue that comes with the game. The
    other fields are its parts, each in a module of `scorer.port`."""

    #: Whether the game is a `scorer.board_game.BoardGame`, which other games do not import.
    on_board: ClassVar[bool] = False
    id: str
    mode: str = ""
    name: Text
    bundled: Path | None = None
    rules: Rules[R, B, T, V]
    words: Words[R, B, V]
    play: Play[R, B, T, V]
    photo: Photo[R]
    enrol: Enrolment = NO_ENROLMENT
    sheet: Sheet[T, V]
    notation: Notation[R] | None = None
    api: ApiNames = NO_NAMES


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
    readings = [record, game.rules.backwards(record) or record]
    rulings = [game.rules.referee(board, each, terms) for each in readings]
    choice = game.rules.choose(rulings)
    turned = choice.chosen == 1
    return EitherWay(
        game.rules.chosen(rulings[choice.chosen], choice, turned=turned),
        rulings[1 - choice.chosen],
        choice,
        turned,
    )


def terms_from_words(game: Game, words: Mapping[str, str], values: Mapping[str, Any] = {}) -> Any:
    """Terms from `values` and from settings typed as text (`{"card_limit": "6"}`). Raises `WaymarkError`
    (unknown-setting, bad-setting, and as `Settings.make`)."""
    known = {term.id: term for term in game.rules.settings.terms}
    told = dict(values)
    for name, word in words.items():
        if name not in known:
            raise unknown_term(game.name, game.rules.settings.terms, name)
        told[name] = known[name].read(word)
    return game.rules.settings.make(told)


def most_pieces(game: Game, terms: Any) -> int | None:
    """The greatest number of pieces in a tableau under these terms; None where the game sets no limit."""
    settings, limit = game.rules.settings, game.photo.laying.limit
    term = next((term for term in settings.terms if term.id == limit), None)
    return None if term is None else int(settings.values(terms).get(term.id, term.usual))


def unknown_rule(game: Game, name: str) -> WaymarkError:
    """The error for a house rule that a game does not have."""
    names = [term.id for term in game.rules.settings.terms if term.group == "house"]
    return WaymarkError(
        Code.UNKNOWN_SETTING,
        Text("There is no house rule {name!r}; choose from {names}.", name=name, names=listed(names)),
    )
