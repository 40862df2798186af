"""Japanese and English for pages and the API: which one a request wants, and Flask-Babel's strings.

Strings are English in code and templates; each noun has its Japanese in `translations/ja/<noun>.po`. The
files are read as they are, so that nothing has to be compiled."""

from __future__ import annotations

import io
from datetime import datetime, tzinfo
from functools import cache
from pathlib import Path
from typing import cast

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import NullTranslations, Translations
from flask import Flask, request
from flask_babel import Babel, Domain, get_locale
from pytz import FixedOffset

from scorer.text import LANGUAGES, Language

COOKIE = "language"
#: English alone has no one order of day and month in figures.
_DAY_AND_TIME = "yyyy-MM-dd HH:mm"
TRANSLATIONS = Path(__file__).parents[1] / "translations"


def wanted_language() -> Language:
    """The language of a request: the one that was chosen, else the browser's, else English."""
    chosen = request.cookies.get(COOKIE)
    if chosen in LANGUAGES:
        return chosen
    return cast("Language", request.accept_languages.best_match(LANGUAGES, "en"))


def current_language() -> Language:
    """The language of what is being answered."""
    locale = get_locale()
    return "ja" if locale is not None and locale.language == "ja" else "en"


@cache
def load_translations(language: str) -> Translations:
    """All `.po` files of a language as one."""
    merged = Translations()
    for file in sorted((TRANSLATIONS / language).glob("*.po")):
        with file.open("rb") as source:
            catalogue = read_po(source, locale=language)
        compiled = io.BytesIO()
        write_mo(compiled, catalogue)
        compiled.seek(0)
        translations = Translations(compiled)
        merged.merge(translations)
        # Merging takes the strings alone: how many forms a number has is the language's.
        merged.plural = translations.plural
    return merged


class _PoDomain(Domain):
    def get_translations(self) -> NullTranslations:
        return load_translations(current_language())


class _PoBabel(Babel):
    domain_instance = _PoDomain()


def _local_timezone() -> tzinfo:
    # Flask-Babel takes time zones of pytz alone.
    offset = datetime.now().astimezone().utcoffset()
    local: tzinfo = FixedOffset(int(offset.total_seconds()) // 60 if offset is not None else 0)
    return local


def init_languages(app: Flask) -> None:
    """Give an app its two languages."""
    # The server stands on the table: its time is the players'.
    _PoBabel(
        app,
        date_formats=Babel.default_date_formats | {"datetime.short": _DAY_AND_TIME},
        locale_selector=wanted_language,
        timezone_selector=_local_timezone,
    )
    app.jinja_env.globals["current_language"] = current_language
