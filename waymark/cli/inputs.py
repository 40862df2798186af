"""Inputs of the commands: cards, photos, records, terms of the game, and file names of pictures."""

from __future__ import annotations

import sys
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import click
import msgspec

from scorer.errors import Code, WaymarkError
from scorer.game import Game, terms_from_words, unknown_rule
from scorer.games import (
    USUAL_GAME,
    command_options,
    each_mode,
    game_named,
    game_of_notation,
    game_of_record,
    game_together,
    game_told,
)
from scorer.json_faults import json_fault
from scorer.port.options import Option
from scorer.port.rules import unknown_term
from scorer.record import not_a_record
from scorer.text import Text
from scorer.turns import TURN_FORMAT
from waymark.cli.answers import STANDARD_STREAM, asked_language, explain_option, wrong_usage
from waymark.review.decision import CERTAINTY

if TYPE_CHECKING:
    from scorer.catalogue import Catalogue
    from vision.ink.pens import PenProfile
    from vision.photo.decode import Photo


class CatalogueChoice:
    """The chosen catalogue, loaded at its first use, so that an unreadable folder becomes each input's
    error."""

    def __init__(self, folder: str | None) -> None:
        self._folder = folder
        self._catalogues: dict[Path, Catalogue] = {}
        # Photos that are read at once wait for the one that loads the cards.
        self._loading = Lock()

    def load(self) -> Catalogue:
        """The catalogue. Raises `WaymarkError`."""
        if self._folder is None:
            return self.load_for(USUAL_GAME)
        return self._load(Path(self._folder))

    def load_for(self, game: str) -> Catalogue:
        """The catalogue for a game: the chosen one, else the one bundled with the game. Raises
        `WaymarkError`."""
        if self._folder is not None:
            return self.load()
        return self._load(bundled_folder(game))

    @property
    def game(self) -> str:
        """Id of the catalogue's game, the default for inputs that name none. Raises `WaymarkError`."""
        return USUAL_GAME if self._folder is None else self.load().game

    def _load(self, folder: Path) -> Catalogue:
        from scorer.catalogue import load_catalogue

        with self._loading:
            if folder not in self._catalogues:
                self._catalogues[folder] = load_catalogue(folder)
            return self._catalogues[folder]


cluster_option = click.option(
    "--cluster", metavar="ADDRESS", envvar="WAYMARK_CLUSTER", help=explain_option("help.opt.cluster")
)


@contextmanager
def cluster_told(address: str) -> Iterator[None]:
    """Context for work on a cluster; a missing cluster becomes a usage error. Raises `WaymarkError`."""
    from waymark.cluster import NoCluster, NotInstalled

    try:
        yield
    except NotInstalled as error:
        raise wrong_usage("usage.no_distributed") from error
    except NoCluster as error:
        raise wrong_usage("usage.no_cluster", address=address, what=error) from error


def bundled_folder(game: str) -> Path:
    """The folder of the catalogue bundled with a game. Raises `WaymarkError` (unknown-game,
    no-catalogue)."""
    from calibration.open_deck import bundled_catalogue

    folder = bundled_catalogue() if game == USUAL_GAME else game_named(game).bundled
    if folder is None:
        name = game_named(game).name
        raise WaymarkError(
            Code.NO_CATALOGUE,
            Text("The cards of {name} do not come with it; name their folder with --catalogue.", name=name),
        )
    return folder


def read_input(name: str) -> bytes:
    """The bytes of a named file (`-` is standard input). Raises `WaymarkError`."""
    try:
        if name == STANDARD_STREAM:
            return sys.stdin.buffer.read()
        return Path(name).read_bytes()
    except (OSError, ValueError) as error:
        raise WaymarkError(
            Code.NO_FILE,
            Text("{name!r} cannot be read; check that the file exists and may be opened.", name=name),
        ) from error


# --- photos -------------------------------------------------------------------------------------------------


class FirstPhotoEarly:
    """Loader of photos by name; the first one is decoded in a thread, and then tables are prepared there,
    while the program's modules are still loading. Both release the interpreter's lock.

    Only the first photo is decoded early: two decoded photos of the largest size would exceed the memory
    promised for one."""

    def __init__(self, names: Sequence[str], read: Callable[[str], bytes]) -> None:
        from vision.photo.decode import load_photo
        from vision.photo.runtime import keep_freed_memory, prepare_colours

        if len(names) > 1:
            keep_freed_memory()
        self._read, self._decode = read, load_photo
        pool = ThreadPoolExecutor(1)
        self._begun: dict[str, Future[Photo]] = {names[0]: pool.submit(self._load, names[0])}
        pool.submit(prepare_colours)
        pool.shutdown(wait=False)

    def load(self, name: str) -> Photo:
        """The decoded photo. Raises what `read` raises, and `WaymarkError` as `load_photo` does."""
        begun = self._begun.pop(name, None)
        return begun.result() if begun is not None else self._load(name)

    def _load(self, name: str) -> Photo:
        return self._decode(self._read(name))


# --- records ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RecordFile:
    """A game's record, and whether the scan that it comes from had a doubt that can change the score.
    `is_turn`: the record is a turn between two boards (`scorer.turns.Turns`)."""

    game: Game
    record: Any
    doubted: bool = False
    is_turn: bool = False


_ABSENT = msgspec.Raw()


class _Scan(msgspec.Struct):
    tableau: msgspec.Raw = _ABSENT
    board: msgspec.Raw = _ABSENT
    sure: bool = True


class _Answer(_Scan):
    """The fields that distinguish scores, scans, errors and records, and the record's game."""

    format: str = ""
    game: str = ""
    mode: str = ""
    scan: _Scan | None = None
    error: msgspec.Raw = _ABSENT


def read_record(data: bytes, usual: str = USUAL_GAME) -> RecordFile:
    """The record in a file's content: its JSON, its notation, or what `waymark scan` or `score` answered,
    with the record inside. `usual` is its game where it does not say. Raises `WaymarkError` (not-a-record,
    not-a-notation, unknown-game)."""
    try:
        text = data.decode("utf-8-sig").lstrip()
    except UnicodeDecodeError as error:
        raise not_a_record(json_fault(error, data)) from error
    if text[:1] == "[":
        raise not_a_record(Text("it is a list; give one entry of it"))
    if text[:1] != "{":
        return _parsed(data, game_of_notation(text, usual))
    plain = text.encode() if data.startswith(BOM_UTF8) else data
    try:
        answer = msgspec.json.decode(plain, type=_Answer)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return _parsed(plain, game_named(usual))  # whose error says what was expected
    scan = answer.scan or answer
    if inner := bytes(scan.tableau):
        return _parsed(inner, game_of_record(inner, usual), doubted=not scan.sure)
    if answer.scan is not None and (inner := bytes(scan.board)):
        return _parsed(inner, game_of_record(inner, usual), doubted=not scan.sure)
    if bytes(answer.error):
        raise not_a_record(Text("it is the answer to an error"))
    game = game_told(answer.game, answer.mode, usual)
    if answer.format == TURN_FORMAT and game.play.turns is not None:
        return RecordFile(game, game.play.turns.parse(plain), is_turn=True)
    return _parsed(plain, game)


def _parsed(data: bytes, game: Game, *, doubted: bool = False) -> RecordFile:
    return RecordFile(game, game.rules.parse_record(data), doubted)


# --- terms --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TermsTold:
    """The terms of a game given on the command line: `values` by id, then named sets of house rules,
    then terms in words. The game follows from the cards and records."""

    values: Mapping[str, Any] = field(default_factory=dict)
    presets: tuple[str, ...] = ()
    house: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    _made: dict[tuple[str, str], Any] = field(default_factory=dict, compare=False)

    def of(self, game: Game) -> Any:
        """The given terms, for a game. Raises `WaymarkError` (usage) for terms that the game lacks."""
        key = game.id, game.mode
        if key not in self._made:
            try:
                self._made[key] = self._make(game)
            except WaymarkError as error:
                raise as_usage(error) from error
        return self._made[key]

    def check(self, choice: CatalogueChoice) -> None:
        """Raises `WaymarkError` (usage) before any work is done, where no mode of the catalogue's game
        accepts the given terms."""
        try:
            word = choice.game
            game_named(word)
        except WaymarkError:
            return  # which is every input's error
        refusals = []
        for game in each_mode(word):
            try:
                self.of(game)
                return
            except WaymarkError as error:
                refusals.append(error)
        raise refusals[0]

    def _make(self, game: Game) -> Any:
        values = dict(self.values)
        known = {term.id: term for term in game.rules.settings.terms}
        for name in values:
            if name not in known:
                raise unknown_term(game.name, game.rules.settings.terms, name)
        presets = {preset.id: preset.values for preset in game.sheet.presets}
        for preset in self.presets:
            if preset not in presets:
                raise unknown_term(game.name, game.rules.settings.terms, preset)
            values |= presets[preset]
        for name in self.house:
            if name not in known or known[name].group != "house":
                raise unknown_rule(game, name)
        return terms_from_words(game, {**self.house, **self.words}, values)


def with_terms_options(command: Callable[..., None]) -> Callable[..., None]:
    """Decorator: adds `--online`, `--house NAME=VALUE` and `--term NAME=VALUE` to a command, as one
    argument `told`."""

    @click.option("--online", is_flag=True, help=explain_option("help.opt.online"))
    @click.option("--house", multiple=True, metavar="NAME=VALUE", help=explain_option("help.opt.house"))
    @click.option("--term", multiple=True, metavar="NAME=VALUE", help=explain_option("help.opt.term"))
    @wraps(command)
    def wrapper(online: bool, house: tuple[str, ...], term: tuple[str, ...], **arguments: Any) -> None:
        told = TermsTold(
            presets=("online",) if online else (),
            house=_named_values("--house", house),
            words=_named_values("--term", term),
        )
        command(told=told, **arguments)

    return wrapper


def with_game_options(command: Callable[..., None]) -> Callable[..., None]:
    """Decorator: adds the options of games (`scorer.games.command_options`) to a command, as one argument
    `stated`: what was given, by option."""
    options = command_options()

    @wraps(command)
    def wrapper(**arguments: Any) -> None:
        command(stated={option: arguments.pop(option.term) for option in options}, **arguments)

    for option in reversed(options):
        wrapper = click.option(
            option.flag,
            option.term,
            multiple=option.multiple,
            type=click.Choice(option.choices) if option.choices else None,
            metavar=option.metavar,
            help=option.help.message(asked_language()),
        )(wrapper)
    return wrapper


def stated_values(stated: Mapping[Option, Any]) -> dict[str, Any]:
    """The values of terms that were stated by options, by the terms' ids. Raises `WaymarkError` (usage)."""
    values = {}
    for option, given in stated.items():
        words = given if option.multiple else [given] if given else []
        try:
            value = option.read(words) if words else None
        except ValueError as error:
            raise wrong_usage(
                "usage.option", option=option.flag, form=option.form, value=str(error)
            ) from None
        except WaymarkError as error:
            raise as_usage(error) from error
        if value:
            values[option.term] = value
    return values


@dataclass(frozen=True)
class TableTold:
    """The command line's description of a table on which several groups draw (`scorer.groups.Groups`)."""

    mission: str | None = None
    table: str | None = None
    groups: Mapping[str, str | None] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.mission or self.table or self.groups)

    def of(self, game: Game) -> dict[str, Any]:
        """The description in the form of `Groups.setup`. Raises `WaymarkError` where a file cannot be
        read."""
        told: dict[str, Any] = {}
        if self.mission is not None:
            told["mission"] = read_input(self.mission) if Path(self.mission).is_file() else self.mission
        if self.table is not None:
            told["table"] = read_input(self.table)
        if self.groups:
            told["groups"] = dict(self.groups)
        return told


def game_of_groups(catalogue: Catalogue) -> Game:
    """The mode of the cards' game in which groups draw. Raises `WaymarkError` (unknown-game)."""
    game = game_together(catalogue.game)
    if game is None:
        raise wrong_usage("usage.no_groups", game=game_named(catalogue.game).name.en)
    return game


def with_table_options(command: Callable[..., None]) -> Callable[..., None]:
    """Decorator: adds `--mission`, `--table` and `--group` to a command, as one argument `table`."""

    @click.option("--mission", metavar="ID", help=explain_option("help.opt.mission"))
    @click.option("--table", "told_in", metavar="RECORD.json", help=explain_option("help.opt.table"))
    @click.option("--group", multiple=True, metavar="NAME[=COLOUR]", help=explain_option("help.opt.group"))
    @wraps(command)
    def wrapper(mission: str | None, told_in: str | None, group: tuple[str, ...], **arguments: Any) -> None:
        pens = (each.partition("=") for each in group)
        groups = {name.strip(): colour.strip() or name.strip() for name, _, colour in pens}
        command(table=TableTold(mission, told_in, groups), **arguments)

    return wrapper


def _named_values(option: str, given: Sequence[str]) -> dict[str, str]:
    """A dict parsed from NAME=VALUE items such as `("card_limit=6",)`. Raises `WaymarkError` (usage)."""
    values = {}
    for each in given:
        name, equals, value = each.partition("=")
        if not equals:
            raise wrong_usage("usage.option", option=option, form="NAME=VALUE", value=each)
        values[name] = value
    return values


def as_usage(error: WaymarkError) -> WaymarkError:
    """The same error message as a usage error, for a faulty command line."""
    return WaymarkError(Code.USAGE, error.words)


catalogue_option = click.option("--catalogue", metavar="DIR", help=explain_option("help.opt.catalogue"))
game_option = click.option(
    "--game",
    metavar="NAME",
    default=USUAL_GAME,
    show_default=True,
    help=explain_option("help.opt.bundled_game"),
)
#: The word for every mission of a catalogue.
ALL_MISSIONS = "all"
missions_option = click.option(
    "--missions", "named_missions", metavar="IDS", help=explain_option("help.opt.missions")
)
pen_option = click.option("--pen", metavar="NAME|FILE", help=explain_option("help.opt.pen"))
certainty_option = click.option(
    "--certainty",
    type=click.FloatRange(CERTAINTY, 1, max_open=True),
    metavar="P",
    help=explain_option("help.opt.certainty"),
)
paper_option = click.option(
    "--paper",
    type=click.Choice(["a4", "letter"]),
    default="a4",
    show_default=True,
    help=explain_option("help.opt.paper"),
)
seed_option = click.option(
    "--seed",
    type=click.IntRange(0),
    metavar="N",
    default=1,
    show_default=True,
    help=explain_option("help.opt.seed"),
)


def pen_named(told: str | None) -> PenProfile | None:
    """The pen profile with the name given by `--pen`; None without a name. Raises `WaymarkError`
    (no-pen)."""
    if told is None:
        return None
    from calibration.kept_pens import pen_folder, pen_told

    return pen_told(told, pen_folder())


def overlay_files(overlay: str | None, photos: Sequence[str]) -> list[Path | None]:
    """The picture file of each photo: `overlay` itself for one photo, else files in a folder of that
    name. Each file is named after its photo, and numbered where two photos share a name. Raises
    `WaymarkError` (usage)."""
    if overlay is None:
        return [None] * len(photos)
    target = Path(overlay)
    if len(photos) == 1:
        if target.is_dir():
            raise wrong_usage("usage.overlay_file", file=overlay)
        return [target]
    if target.exists() and not target.is_dir():
        raise wrong_usage("usage.overlay_folder", file=overlay)
    stems = [Path(photo).stem for photo in photos]
    return [
        target / (f"{stem}.png" if stems.count(stem) == 1 else f"{stem}-{number}.png")
        for number, stem in enumerate(stems, 1)
    ]
