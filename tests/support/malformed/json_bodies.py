"""JSON that is none, that is no text, or that is not as the OpenAPI document says."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import replace
from typing import Any

import jsonschema_rs

from malformed.sound import PLAIN, Route, Sent, example, schema_of


def places_in(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The ways to every part of a JSON value, the whole first."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in items:
        yield from places_in(part, (*path, key))


def changed_at(value: Any, path: tuple[Any, ...], change: Callable[[Any], Any]) -> Any:
    """A copy with one part changed."""
    if not path:
        return change(value)
    value = deepcopy(value)
    at = value
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = change(at[path[-1]])
    return value


def _without_a_field(value: Any, rng: random.Random) -> Any:
    if not isinstance(value, dict) or not value:
        return None
    gone = rng.choice(sorted(value))
    return {name: each for name, each in value.items() if name != gone}


_OTHERS: list[Any] = [None, True, 0, -7, 1.5, 1e308, "", "1", "ja", [], [[]], {}, {"a": 1}]
_NAMES = ["x", "__proto__", "constructor", "", " ", "名前", "ID", "$ref", "a.b", "😀"]
_TOO_LARGE: list[Any] = [-1, 10**4, 2**31, 2**63, 2**64, -(2**63) - 1, 1e300, "x" * 100_000, "あ" * 30_000]
_VALUE_FAULTS: dict[str, Callable[[Any, random.Random], Any]] = {
    "JSON: wrong type": lambda value, rng: rng.choice(_OTHERS),
    "JSON: missing field": _without_a_field,
    "JSON: unknown field": lambda value, rng: (
        value | {rng.choice(_NAMES): 1} if isinstance(value, dict) else None
    ),
    "JSON: out of range": lambda value, rng: rng.choice([*_TOO_LARGE, [value] * 1000]),
}


def _text_faults(text: str, rng: random.Random) -> dict[str, list[bytes]]:
    """Texts that are no JSON, or JSON that is no text."""
    head, inner = text[:1], text[1:]
    quoted = [match.end() for match in re.finditer(r'": ?"', text)]
    at = rng.choice(quoted) if quoted else None
    cut = rng.randrange(1, len(text)) if len(text) > 1 else 0
    first = re.match(r'\{("[^"]*": ?(?:"[^"]*"|[\w.]+))', text)
    faults = {
        "JSON: cut off": [text[:cut].encode()],
        "JSON: syntax": [
            b"",
            text.replace('"', "'").encode() if '"' in text else b"{'a'}",
            text[:-1].encode() + b",}",
            text.encode() + text.encode(),
            text.encode() + b"\0",
            b"/* c */" + text.encode(),
            f'{head}"\t": 01, {inner}'.encode(),
            b"{a: 1}",
            b"undefined",
        ],
        "JSON: NaN, Infinity": [
            f'{head}"n": {number}, {inner}'.encode()
            for number in ("NaN", "Infinity", "-Infinity", "1e999", "-1e999", "0x10", "9" * 5000)
        ],
        "JSON: not UTF-8": [
            text.encode("utf-16"),
            text.encode("utf-32"),
            b"\xef\xbb\xbf" + text.encode(),
            f'{head}"s": "'.encode() + b'\xff", ' + inner.encode(),
            f'{head}"s": "'.encode() + b'\xed\xa0\x80", ' + inner.encode(),
            f'{head}"s": "'.encode() + b'\xc0\xaf", ' + inner.encode(),
        ],
        "JSON: deep nesting": [
            b"[" * 100_000,
            b'{"a":' * 50_000,
            f'{head}"n": '.encode() + b"[" * 20_000 + b"]" * 20_000 + b", " + inner.encode(),
        ],
    }
    if at is not None:
        faults["JSON: lone surrogate"] = [
            f"{text[:at]}{each}{text[at:]}".encode() for each in ("\\ud800", "\\udc00\\ud800", "\\udfff")
        ]
        faults["JSON: U+0000"] = [f"{text[:at]}\\u0000{text[at:]}".encode()]
    if first is not None:
        faults["JSON: field twice"] = [f"{{{first[1]}, {text[1:]}".encode()]
    return faults


def json_faults(route: Route, rng: random.Random) -> Iterator[tuple[str, Sent]]:
    """Bodies that are not as the document says: its schema, not the app's own decoder, is asked."""
    assert route.endpoint is not None
    schema = schema_of(route.endpoint)
    valid = jsonschema_rs.validator_for(schema)
    value = example(schema, rng)
    assert valid.is_valid(value), (route.name, value)
    for kind, fault in _VALUE_FAULTS.items():
        ways = list(places_in(value))
        rng.shuffle(ways)
        for way in ways:
            wrong = changed_at(value, way, lambda part, fault=fault: fault(part, rng))  # type: ignore[misc]
            if not valid.is_valid(wrong):
                yield kind, replace(route.sound, body=json.dumps(wrong).encode())
                break
    for kind, bodies in _text_faults(json.dumps(value), rng).items():
        yield kind, replace(route.sound, body=rng.choice(bodies))
    for each in ("text/plain", PLAIN, "application/xml", "application/json5", "", "\xff"):
        if rng.random() < 0.4:
            yield "content type", route.sound.having(Content_Type=each.encode("latin-1"))
