# What Waymark uses of Flask-Babel, which tells mypy nothing of its own.
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from datetime import tzinfo
from typing import ClassVar

from babel.core import Locale
from babel.support import NullTranslations
from flask import Flask

def get_locale() -> Locale | None: ...
def force_locale(locale: str | Locale) -> AbstractContextManager[None]: ...
def gettext(string: str, **variables: object) -> str: ...

class Domain:
    def get_translations(self) -> NullTranslations: ...

class Babel:
    default_date_formats: ClassVar[dict[str, str | None]]
    domain_instance: ClassVar[Domain]
    def __init__(
        self,
        app: Flask | None = None,
        date_formats: Mapping[str, str | None] | None = None,
        *,
        locale_selector: Callable[[], str] | None = None,
        timezone_selector: Callable[[], tzinfo] | None = None,
    ) -> None: ...

def ngettext(singular: str, plural: str, num: int, **values: object) -> str: ...
