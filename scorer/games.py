"""The games that Waymark knows, by the word in a catalogue's or a record's `game`.

Built-in games are named here; a game in a package of its own is found by the entry-point group
`waymark.games` (name: the game's word, or `word/mode`; value: the module and the name of the game in it).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, cast

import msgspec

from scorer.catalogue import Catalogue
from scorer.errors import Code, WaymarkError
from scorer.game import Game
from scorer.laying import NO_HABITS, LineHabits
from scorer.play_kinds import TABLE, play_kind
from scorer.port.options import Option
from scorer.text import Text, listed, unchanged

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINTS = "waymark.games"

#: The game of a catalogue or record that names none, and of the cards that come with Waymark.
USUAL_GAME = "mapmasters"
#: Modules with options of games for the command line. They are imported without the rest of their games.
_OPTIONS = ("scorer.mapmasters.options",)
#: Module and name, by the game's word and mode; the first mode of a game is the one that is usual.
_BUILT_IN: dict[tuple[str, str], tuple[str, str]] = {
    ("mapmasters", "versus"): ("scorer.mapmasters.game", "VERSUS"),
    ("mapmasters", "cooperative"): ("scorer.mapmasters.cooperative.game", "COOPERATIVE"),
    ("labyrinth2", ""): ("scorer.labyrinth2.game", "GAME"),
    ("stone_dragon", ""): ("scorer.stone_dragon.game", "GAME"),
    ("ice_and_idols", ""): ("scorer.ice_and_idols.game", "GAME"),
}


def game_of(catalogue: Catalogue, mode: str = "") -> Game:
    """The game to which a catalogue belongs. Raises `WaymarkError` (unknown-game)."""
    return game_named(catalogue.game, mode)


def word_of(game: Game) -> str:
    """The name under which `game_named` finds a game: its id, followed by its mode where that is not the
    default."""
    return game.id if game is game_named(game.id) else f"{game.id}/{game.mode}"


@cache
def game_named(word: str, mode: str = "") -> Game:
    """The game of a name, in the given mode or its default mode; the name may also be `word/mode`. Raises
    `WaymarkError` (unknown-game)."""
    if "/" in word and not mode:
        word, _, mode = word.partition("/")
    for (name, of_mode), (module, value) in _BUILT_IN.items():
        if name == word and mode in ("", of_mode):
            return cast(Game, getattr(import_module(module), value))
    for entry in _others():
        name, _, of_mode = entry.name.partition("/")
        if name == word and mode in ("", of_mode):
            return cast(Game, entry.load())
    raise _unknown_game(word, mode)


def _others() -> tuple[EntryPoint, ...]:
    """Entry points of games in separately installed packages on the current Python path."""
    return _others_in(tuple(sys.path))


@cache  # A page asks several times, and looking through all packages takes a millisecond.
def _others_in(_folders: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    from importlib.metadata import entry_points  # takes 15 ms, and built-in games need it not

    return tuple(entry_points(group=ENTRY_POINTS))


def known_games() -> tuple[str, ...]:
    """The ids of all games, built-in ones first."""
    named = [name for name, _ in _BUILT_IN]
    named += [entry.name.partition("/")[0] for entry in _others()]
    return tuple(dict.fromkeys(named))


def modes_of(word: str) -> tuple[Game, ...]:
    """All modes of the game of that name, the default mode first. Raises `WaymarkError` (unknown-game)."""
    return tuple(each_mode(word))


def each_mode(word: str) -> Iterator[Game]:
    """The modes of `modes_of`, one after the other: a mode that nobody comes to is not imported."""
    built_in = [of_mode for name, of_mode in _BUILT_IN if name == word]
    for mode in built_in:
        yield game_named(word, mode)
    others = [entry.name.partition("/") for entry in _others()]
    for name, _, mode in others:
        if name == word:
            yield game_named(word, mode)
    if not built_in and word not in [name for name, _, _ in others]:
        yield game_named(word)


def command_options() -> tuple[Option, ...]:
    """The options of the command line that belong to games, in the order in which they are listed."""
    return tuple(each for module in _OPTIONS for each in import_module(module).OPTIONS)


def game_together(word: str) -> Game | None:
    """The mode of a game in which all players share one table; None where there is none."""
    return next((game for game in modes_of(word) if play_kind(game) is TABLE), None)


def game_of_notation(text: str, usual: str) -> Game:
    """The game that a record in notation is of: `usual`, in the mode that is its first word, if it has one of
    that name. Raises `WaymarkError` (unknown-game)."""
    first = text.split(None, 1)[0] if text.strip() else ""
    return next((game for game in each_mode(usual) if game.mode and game.mode == first), game_named(usual))


class _Told(msgspec.Struct):
    """The fields of a record that identify its game."""

    game: str = ""
    mode: str = ""


def game_of_record(data: bytes, usual: str) -> Game:
    """The game that a JSON record or game file names itself; `usual` where it names none, or is no JSON
    object. Raises `WaymarkError` (unknown-game)."""
    try:
        told = msgspec.json.decode(data, type=_Told)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return game_named(usual)
    return game_told(told.game, told.mode, usual)


def game_told(word: str, mode: str, usual: str) -> Game:
    """The game that a record names in its `game` and `mode`. Where it names none, it is the `usual` one, in
    that mode if it has it. Raises `WaymarkError` (unknown-game)."""
    if word:
        return game_named(word, mode)
    try:
        return game_named(usual, mode)
    except WaymarkError:
        return game_named(usual)


def line_habits(game: str) -> LineHabits:
    """How drawn lines run at the finds of `game`; no habits are assumed for an unknown game."""
    try:
        return game_named(game).photo.habits
    except WaymarkError:
        return NO_HABITS


def _unknown_game(word: str, mode: str) -> WaymarkError:
    games = known_games()
    what = Text("{word!r} in mode {mode!r}", word=word, mode=mode) if mode else unchanged(repr(word))
    return WaymarkError(
        Code.UNKNOWN_GAME,
        Text("Waymark does not know the game {what}; it knows {games}.", what=what, games=listed(games)),
    )
