"""Views: values for pages and the API, made from the values that they show."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

import msgspec

from scorer.text import ENGLISH, Language, Text

V = TypeVar("V", bound=msgspec.Struct)


def view(kind: type[V], of: object, language: Language = ENGLISH, /, **own: Any) -> V:
    """A `kind` with the fields in `own`, and for the others the attributes of `of` with the same name (texts
    in `language`). Raises `TypeError` if a field without default is in neither."""
    names = [name for name in kind.__struct_fields__ if name not in own and hasattr(of, name)]
    return kind(**{name: _said(getattr(of, name), language) for name in names}, **own)


def views(kind: type[V], of: Iterable[object], language: Language = ENGLISH) -> tuple[V, ...]:
    """The `view` of each value."""
    return tuple(view(kind, each, language) for each in of)


def _said(value: Any, language: Language) -> Any:
    if isinstance(value, Text):
        return value.message(language)
    if isinstance(value, tuple) and value and isinstance(value[0], Text):
        return tuple(each.message(language) for each in value)
    return value
