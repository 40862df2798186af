"""House rules of games that keep them as the fields of one struct. Each is a flag or a choice of words, and
its default is the usual value."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar, get_args, get_type_hints

import msgspec

from scorer.errors import Code, WaymarkError
from scorer.terms import Term
from scorer.text import OR, Text, listed

H = TypeVar("H", bound=msgspec.Struct)


@cache
def values_of(house: type[msgspec.Struct]) -> dict[str, tuple[Any, ...]]:
    """The possible values of each setting, the default first."""
    usual = house()
    found: dict[str, tuple[Any, ...]] = {}
    for name, kind in get_type_hints(house).items():
        first = getattr(usual, name)
        values = (False, True) if kind is bool else get_args(kind)
        found[name] = (first, *(value for value in values if value != first))
    return found


def house_of(house: type[H], told: Mapping[str, Any]) -> H:
    """The settings given by the `house` field of a record. Raises `WaymarkError` (unknown-setting,
    bad-setting)."""
    settings = values_of(house)
    for name, value in told.items():
        if name not in settings:
            names = list(settings)
            raise WaymarkError(
                Code.UNKNOWN_SETTING,
                Text("There is no house rule {name!r}; choose from {names}.", name=name, names=listed(names)),
            )
        values = settings[name]
        # 1 and 0 equal true and false, but are no settings.
        if not any(value is known or (isinstance(known, str) and value == known) for known in values):
            flag = isinstance(values[0], bool)
            choices = Text("true or false") if flag else listed(values, OR)
            raise WaymarkError(
                Code.BAD_SETTING,
                Text(
                    "The house rule {name} takes {choices}, not {value!r}.",
                    name=name,
                    choices=choices,
                    value=value,
                ),
            )
    return house(**told)


def check_house(house: type[msgspec.Struct], told: Mapping[str, Any]) -> None:
    """Check the settings in a record's `house`. Raises `WaymarkError` (bad-record) for an unknown setting or
    value."""
    try:
        house_of(house, told)
    except WaymarkError as error:
        raise WaymarkError(Code.BAD_RECORD, error.words) from error


def terms_of(house: type[msgspec.Struct], words: Mapping[str, tuple[Text, Text]]) -> tuple[Term, ...]:
    """The settings as terms for forms; `words` are the label and the explanation of each."""
    terms = []
    for name, values in values_of(house).items():
        label, explanation = words[name]
        if isinstance(values[0], bool):
            terms.append(Term(name, "flag", "house", label, explanation, usual=values[0]))
        else:
            choices = tuple(values)
            terms.append(Term(name, "choice", "house", label, explanation, choices=choices, usual=choices[0]))
    return tuple(terms)
