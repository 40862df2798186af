"""The languages of pages and the API: which one a request wants, and Flask-Babel's strings.

Strings are English in code and templates; `scorer.translations` finds and compiles their catalogues."""

from __future__ import annotations

import io
from datetime import UTC, datetime, tzinfo
from functools import cache

from babel import Locale
from babel.dates import format_skeleton
from babel.support import NullTranslations, Translations
from flask import Flask, request
from flask_babel import Babel, Domain, get_locale
from pytz import FixedOffset

from scorer.text import ENGLISH, LANGUAGES, Language
from scorer.translations import compiled_catalogue, translated_languages

COOKIE = "language"
#: English has no common order of day and month in numbers.
_DAY_AND_TIME = "yyyy-MM-dd HH:mm"


def wanted_language() -> Language:
    """Language of a request: the chosen one (cookie), otherwise the browser's, otherwise English."""
    chosen = request.cookies.get(COOKIE)
    if chosen in LANGUAGES:
        return chosen
    return request.accept_languages.best_match(LANGUAGES, ENGLISH) or ENGLISH


def current_language() -> Language:
    """Language of the current answer."""
    locale = get_locale()
    return ENGLISH if locale is None else locale.language


@cache
def load_translations(language: Language) -> NullTranslations:
    """Compiled translations of a language (`scorer.translations`), for Flask-Babel."""
    if language not in translated_languages():
        return NullTranslations()
    return Translations(io.BytesIO(compiled_catalogue(language)))


class _PoDomain(Domain):
    def get_translations(self) -> NullTranslations:
        return load_translations(current_language())


class _PoBabel(Babel):
    domain_instance = _PoDomain()


def _local_timezone() -> tzinfo:
    # Flask-Babel accepts only time zones of pytz.
    offset = datetime.now().astimezone().utcoffset()
    local: tzinfo = FixedOffset(int(offset.total_seconds()) // 60 if offset is not None else 0)
    return local


def _day(at: datetime) -> str:
    """A day with its weekday, as people say when they played."""
    local = (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(_local_timezone())
    year = "" if local.year == datetime.now(_local_timezone()).year else "y"
    return str(format_skeleton(f"{year}MMMEd", local, locale=get_locale()))


def init_languages(app: Flask) -> None:
    """Set up translations, date formats and time zone of an app."""
    # The server is at the table, so its time zone is the players'.
    _PoBabel(
        app,
        date_formats=Babel.default_date_formats | {"datetime.short": _DAY_AND_TIME},
        locale_selector=wanted_language,
        timezone_selector=_local_timezone,
    )
    app.jinja_env.globals["current_language"] = current_language
    app.jinja_env.filters["day"] = _day
    # Each language is named in itself.
    app.jinja_env.globals["languages"] = {code: Locale(code).get_display_name(code) for code in LANGUAGES}
