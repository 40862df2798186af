"""Translations (GNU gettext catalogues): a sentence in English to the same sentence in another language.

A room or a game keeps its sentences in `translations/<language>/*.po`. All of them are compiled into one file
for each language, again whenever one of them is newer; a wheel brings the compiled files alone. A further
language is one more folder, and no code.
"""

from __future__ import annotations

import gettext
import io
import os
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import NamedTemporaryFile

_ROOT = Path(__file__).parents[1]
#: The rooms whose words people read; a game's stand in its own folder.
_ROOMS = ("scorer", "scorer/*", "vision", "calibration", "waymark", "webapp")
_COMPILED = Path(__file__).parent / "translations"
#: The folders of games in packages of their own.
_added: list[Path] = []


def catalogue_files(language: str) -> list[Path]:
    """The `.po` files of a language, in a fixed order."""
    return [file for room in _ROOMS for file in sorted(_ROOT.glob(f"{room}/translations/{language}/*.po"))]


def add_translations(folder: Path) -> None:
    """Take in the sentences of a game in a package of its own: a `translations` folder."""
    if folder not in _added:
        _added.append(folder)
        translations.cache_clear()


@cache
def translated_languages() -> tuple[str, ...]:
    """The codes of the languages that there are translations into."""
    compiled = {file.stem for file in _COMPILED.glob("*.mo")}
    return tuple(sorted(compiled | {folder.name for folder in _COMPILED.glob("*/")}))


@cache
def translations(language: str) -> gettext.NullTranslations:
    """The translations into a language. One that has none stays with the English that is asked for."""
    if language not in translated_languages():
        return gettext.NullTranslations()
    found = gettext.GNUTranslations(io.BytesIO(compiled_catalogue(language)))
    for folder in _added:
        sources = sorted((folder / language).glob("*.po"))
        found.add_fallback(gettext.GNUTranslations(io.BytesIO(_compiled(sources, folder, language))))
    return found


@cache
def compiled_catalogue(language: str) -> bytes:
    """All translations into a language, compiled to the bytes of one `.mo` file."""
    return _compiled(catalogue_files(language), _COMPILED, language)


def _compiled(sources: list[Path], folder: Path, language: str) -> bytes:
    """The `.po` files as one compiled catalogue, kept in the folder while no file is newer."""
    kept = folder / f"{language}.mo"
    newest = max((file.stat().st_mtime_ns for file in sources), default=0)
    if kept.is_file() and kept.stat().st_mtime_ns >= newest:
        return kept.read_bytes()
    # A wheel brings the compiled file: Babel is needed in a checkout alone.
    from babel.messages.catalog import Catalog
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    whole = Catalog(locale=language)
    for file in sources:
        with file.open("rb") as source:
            for message in read_po(source, locale=language):
                if message.id:
                    whole.add(message.id, message.string, context=message.context)
    made = io.BytesIO()
    write_mo(made, whole)
    _keep(kept, made.getvalue())
    return made.getvalue()


def _keep(file: Path, content: bytes) -> None:
    """Write the file as a whole or not at all: several processes may be compiling."""
    with suppress(OSError), NamedTemporaryFile(dir=file.parent, delete=False) as made:
        made.write(content)
        made.close()
        os.replace(made.name, file)
