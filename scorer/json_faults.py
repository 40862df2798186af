"""Messages for invalid JSON in English and Japanese: the decoder has them in English only."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from scorer.text import ENGLISH, OR, Text, each_language, listed

S = TypeVar("S")

#: Kinds of values, as the decoder calls them.
_KINDS = {
    "object": Text("an object"),
    "array": Text("an array"),
    "int": Text("a whole number"),
    "float": Text("a number"),
    "str": Text("text"),
    "bool": Text("true or false", context="of JSON"),
    "null": Text("null", context="of JSON"),
}
_PLACE = re.compile(r" - at `(?P<place>[^`]*)`$")
#: Messages of the decoder, and the same for people.
_FAULTS: tuple[tuple[re.Pattern[str], Text], ...] = (
    (re.compile("Object missing required field `(?P<field>.*)`"), Text("the field `{field}` is missing")),
    (re.compile("Expected `(?P<kind>.*)`, got `(?P<got>.*)`"), Text("{kind} was expected, not {got}")),
    (re.compile("Invalid enum value (?P<value>.*)"), Text("{value} is not allowed")),
    (re.compile("Number out of range"), Text("the number is too large")),
    (re.compile("Input data was truncated"), Text("it ends early")),
    (
        re.compile(r"JSON is malformed: .* \(byte (?P<byte>\d+)\)"),
        Text("the JSON is malformed at byte {byte}"),
    ),
)


def json_fault(error: Exception, data: bytes | str) -> Text:
    """The fault that a JSON decoder found in `data`, in both languages."""
    if not data.strip():
        return Text("it is empty")
    if isinstance(error, RecursionError):
        return Text("it is nested too deeply")
    if isinstance(error, UnicodeError):
        return Text("it is not UTF-8 text")
    text = str(error)
    place = _PLACE.search(text)
    fault = text[: place.start()] if place else text
    words = next(
        (words.filled(**_values(match)) for form, words in _FAULTS if (match := form.fullmatch(fault))),
        Text("the value does not fit"),
    )
    # The decoder's own English says more than one sentence for all that it says can.
    told = each_language(lambda language: fault if language == ENGLISH else words.message(language))
    return Text("{fault} - at `{place}`", fault=told, place=place["place"]) if place else told


def read_json(
    data: bytes | str, form: type[S], refused: Callable[[Text], Exception], expected: str = ""
) -> S:
    """A value of a type from JSON; its `format` is the `expected` one, where that is given. Raises the error
    that `refused` makes of a fault."""
    try:
        told = msgspec.json.decode(data, type=form)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise refused(json_fault(error, data)) from error
    found = getattr(told, "format", expected)
    if expected and found != expected:
        raise refused(wrong_format(found, expected))
    return told


def as_form(told: Any, form: type[S], refused: Callable[[Text], Exception]) -> S:
    """A value of a type from decoded JSON. Raises the error that `refused` makes of a fault."""
    try:
        return msgspec.convert(told, form)
    except msgspec.ValidationError as error:
        raise refused(json_fault(error, b"{}")) from error


def wrong_format(found: object, expected: str) -> Text:
    """The error text for JSON with an unexpected `format`."""
    return Text("format is {found!r}, expected {expected!r}", found=found, expected=expected)


def _values(match: re.Match[str]) -> dict[str, object]:
    values: dict[str, object] = dict(match.groupdict())
    if "kind" in values:
        kinds = str(values["kind"]).split(" | ")
        values["kind"] = listed((_KINDS.get(kind, kind) for kind in kinds), OR)
        got = str(values["got"])
        values["got"] = Text("a decimal number") if got == "float" else _KINDS.get(got, got)
    return values
