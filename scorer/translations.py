"""The catalogues of translations (GNU gettext): a sentence in English to the same sentence in another language.

A room or a game keeps its sentences in `translations/<language>/*.po`. All of them are compiled into one file
for each language, again whenever one of them is newer; a wheel brings the compiled file alone. A further
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
COMPILED = Path(__file__).parent / "translations"


def catalogue_files(language: str) -> list[Path]:
    """The `.po` files of a language, in one order."""
    return [
        file for room in _ROOMS for file in sorted(_ROOT.glob(f"{room}/translations/{language}/*.po"))
    ]


@cache
def translated_languages() -> tuple[str, ...]:
    """The languages that there are translations for, by their codes."""
    compiled = {file.stem for file in COMPILED.glob("*.mo")}
    return tuple(sorted(compiled | {folder.name for folder in COMPILED.iterdir() if folder.is_dir()}))


@cache
def translations(language: str) -> gettext.NullTranslations:
    """The translations into a language; of one that has none, the English that is asked for."""
    if language not in translated_languages():
        return gettext.NullTranslations()
    return gettext.GNUTranslations(io.BytesIO(compiled_catalogue(language)))


@cache
def compiled_catalogue(language: str) -> bytes:
    """All translations into a language, as the content of one `.mo` file."""
    sources = catalogue_files(language)
    kept = COMPILED / f"{language}.mo"
    newest = max((file.stat().st_mtime_ns for file in sources), default=0)
    if kept.is_file() and kept.stat().st_mtime_ns >= newest:
        return kept.read_bytes()
    made = _compiled(sources, language)
    _keep(kept, made)
    return made


def _compiled(sources: list[Path], language: str) -> bytes:
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
    return made.getvalue()


def _keep(file: Path, content: bytes) -> None:
    """Write the file as a whole or not at all: several processes may be compiling."""
    with suppress(OSError), NamedTemporaryFile(dir=file.parent, delete=False) as made:
        made.write(content)
        made.close()
        os.replace(made.name, file)
