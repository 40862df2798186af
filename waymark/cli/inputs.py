"""What commands take: cards, files, the means that lie beside the cards, house rules, names for pictures."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scorer.errors import Code, WaymarkError
from scorer.mapmasters.market import TOKENS_OF_A_KIND
from scorer.mapmasters.means import TOOLS, checked_spellbooks, checked_tokens
from scorer.mapmasters.objectives import VP_EACH
from scorer.mapmasters.settings import HOUSE, ONLINE, VersusSettings, with_settings
from waymark.cli.answers import STANDARD_STREAM, explain_option, wrong_usage

if TYPE_CHECKING:
    from scorer.catalogue import Catalogue


class CatalogueChoice:
    """The cards in use, read at the first need so that a folder that cannot be read is each input's error."""

    def __init__(self, folder: str | None) -> None:
        self._folder = folder
        self._catalogue: Catalogue | None = None

    def load(self) -> Catalogue:
        """Raises `WaymarkError`."""
        if self._catalogue is None:
            from scorer.catalogue import load_catalogue

            self._catalogue = load_catalogue(Path(self._folder) if self._folder else bundled_folder())
        return self._catalogue


def bundled_folder() -> Path:
    """The open deck's folder."""
    from calibration.open_deck import bundled_catalogue

    return bundled_catalogue()


def read_input(name: str) -> bytes:
    """The bytes of a named file (`-` is standard input). Raises `WaymarkError`."""
    try:
        if name == STANDARD_STREAM:
            return sys.stdin.buffer.read()
        return Path(name).read_bytes()
    except (OSError, ValueError) as error:
        raise WaymarkError(
            Code.NO_FILE,
            f"{name!r} cannot be read; check that the file exists and may be opened.",
            f"{name!r} を読めません。ファイルがあり、開けることを確かめてください。",
        ) from error


def with_settings_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command `--online` and `--house NAME=VALUE` as one `settings`."""

    @click.option("--online", is_flag=True, help=explain_option("help.opt.online"))
    @click.option("--house", multiple=True, metavar="NAME=VALUE", help=explain_option("help.opt.house"))
    @wraps(command)
    def wrapper(online: bool, house: tuple[str, ...], **arguments: Any) -> None:
        command(settings=_settings(online, house), **arguments)

    return wrapper


objective_name = click.Choice(tuple(VP_EACH))
catalogue_option = click.option("--catalogue", metavar="DIR", help=explain_option("help.opt.catalogue"))


def overlay_files(overlay: str | None, photos: Sequence[str]) -> list[Path | None]:
    """Where each photo's picture goes: `overlay` itself for one photo; for several, a folder of that name
    in which each is called as its photo, numbered where two photos share a name. Raises `WaymarkError`
    (usage)."""
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


def fairy_tokens_from(values: Sequence[str]) -> dict[str, int]:
    """`("sword=1", "key=2")` as a dict. Nobody holds more than the box has. Raises `WaymarkError` (usage)."""
    tokens: dict[str, int] = {}
    for value in values:
        kind, _, number = value.partition("=")
        try:
            tokens[kind] = tokens.get(kind, 0) + int(number)
        except ValueError:
            form = f"KIND=N ({', '.join(TOOLS)})"
            raise wrong_usage("usage.option", option="--fairy", form=form, value=value) from None
    try:
        checked = {str(tool): count for tool, count in checked_tokens(tokens).items()}
    except WaymarkError as error:
        raise _as_usage(error) from error
    for kind, held in checked.items():
        if held > TOKENS_OF_A_KIND:
            raise wrong_usage("usage.tokens", kind=kind, held=held, most=TOKENS_OF_A_KIND)
    return checked


def spellbooks_from(values: Sequence[str]) -> tuple[str, ...]:
    """Spellbooks by their canonical names. Raises `WaymarkError` (usage)."""
    try:
        return checked_spellbooks(values)
    except WaymarkError as error:
        raise _as_usage(error) from error


def _settings(online: bool, house: Sequence[str]) -> VersusSettings:
    """The table's settings: the rulebook's or the online edition's, then what `--house` changes. Raises
    `WaymarkError` (usage)."""
    values: dict[str, str] = {}
    for given in house:
        name, equals, value = given.partition("=")
        if not equals:
            raise wrong_usage("usage.option", option="--house", form="NAME=VALUE", value=given)
        values[name] = value
    try:
        return with_settings(ONLINE if online else HOUSE, values)
    except WaymarkError as error:
        raise _as_usage(error) from error


def _as_usage(error: WaymarkError) -> WaymarkError:
    """The same sentence, where it is the command line that is wrong."""
    return WaymarkError(Code.USAGE, error.en, error.ja)
