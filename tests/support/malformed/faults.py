"""Requests each of which has one fault that no browser and no sound program would send, as the bytes that
come over the wire, for every route of the app."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import quote, urlencode

from malformed.files import log_faults, photo_faults
from malformed.json_bodies import json_faults
from malformed.sound import PLAYERS, Fields, Malformed, Route, Sent, Table, form_request, path_of
from webapp.http.body_limits import takes_log

#: Fields that a form of ours cannot bring.
WRONG_FORMS: dict[str, list[Fields]] = {
    "/games/new": [
        [],
        [("row", "0"), ("name-0", "A"), ("colour-0", "red")],
        [*PLAYERS, ("colour-0", "mauve")],
        [*PLAYERS, ("colour-0", "red"), ("again", "")],
        [("again", "../x")],
        [*PLAYERS, ("colour-0", "blue")],
        [*PLAYERS, ("colour-0", "red"), ("rule-card_limit", "-1")],
        [*PLAYERS, ("colour-0", "red"), ("rule-card_limit", "1e999")],
        [*PLAYERS, ("colour-0", "red"), ("rule-card_limit", "9" * 400)],
        [*PLAYERS, ("colour-0", "red"), ("rule-card_limit", "9" * 5000)],
        [*PLAYERS, ("colour-0", "red"), ("rule-card_limit", "1000")],
    ],
    "/decks": [
        [],
        [("name", ""), ("game", "mapmasters"), ("width", "63"), ("height", "88")],
        [("name", "x"), ("game", "chess"), ("width", "63"), ("height", "88")],
        [("name", "x"), ("game", "mapmasters"), ("width", "nan"), ("height", "88")],
        [("name", "x"), ("game", "mapmasters"), ("width", "63"), ("height", "-1")],
        [("name", "x"), ("game", "mapmasters"), ("width", "9" * 400), ("height", "1e999")],
    ],
    "/restore-game": [[], [("game", "../x")], [("game", "x" * 5000)]],
    "/join": [[], [("person", "everybody")], [("game", "../x"), ("person", "everybody")]],
    "/pin": [[], [("pin", "")], [("pin", "0" * 100_000)], [("pin", "１２３４")]],
    "/language": [[], [("language", "xx")], [("language", "ja\r\nX: y")]],
    "/theme": [[], [("theme", "<script>")]],
}


_METHODS = ["PUT", "TRACE", "PROPFIND", "PATCH", "DELETE", "POST", "GET", "FOO", "QUERY", "LOCK", "M-SEARCH"]
_ESCAPES = [b"%", b"%z", b"%zz", b"%u1234", b"%-1", b"%2"]
_NO_UTF8 = [b"%ff", b"%c3%28", b"%ed%a0%80", b"%f8%88%80%80%80", b"%c0%ae%c0%ae", b"\xff", b"%80"]
_NO_IDS = ["0", "-1", "undefined", "null", "NaN", "1e999", "[object Object]", "' OR 1=1--", "x" * 3000, "😀"]
_NO_IDS += [
    "\u202e",
    "{{7*7}}",
    "%s%n",
    "..",
    "../secret-key",
    "..\\..\\x",
    "a;b",
    "9" * 40,
    "\n",
    "null\r\nX: y",
]
_HOSTS = [b"a b", b"<script>", b"x/../y", b"[::1", b"a@b", b"a, b", b"\xff", b"a?b", b"a#b", b"a\\b"]
_LENGTHS = [b"-1", b"1e3", b"abc", b"0x10", b"1, 2", b"+1", b"1_0", b"9" * 30, b"1 1", b"\xb2"]
_CODINGS = [
    b"gzip",
    b"chunked, gzip",
    b"gzip, chunked",
    b"identity, chunked",
    b"x",
    b"chunked;q=1",
    b"\x0bchunked",
]
_CHUNKS = [b"zz\r\n", b"-1\r\n", b"0x5\r\nhello\r\n", b"5\r\nhelloXX", b"1" * 40_000, b" 5\r\n"]
_HEADERS = [
    b"no colon",
    b"A : b",
    b": x",
    b"A\x00: b",
    b"A: b\x00c",
    b"A: b\rc",
    b"A: b\nc",
    b"A(B): c",
    b"\xff: x",
]
_HEADERS += [b"A: b\x7fc", b"A: b\x01", b"A: " + b"x" * 300_000]


def any_faults(route: Route, rng: random.Random) -> Iterator[tuple[str, bytes]]:
    """Faults that every route can meet."""
    sound, target = route.sound, route.sound.target
    wrong = [method for method in _METHODS if method not in route.allowed]
    yield "method", replace(sound, method=rng.choice(wrong), headers={}, body=None).raw()
    end = b"/" if target == b"/" else target + b"/"
    yield "path: percent", replace(sound, target=end + rng.choice(_ESCAPES)).raw()
    yield "path: not UTF-8", replace(sound, target=end + rng.choice(_NO_UTF8)).raw()
    yield "path: U+0000", replace(sound, target=target + b"%00").raw()
    yield "path: traversal", replace(sound, target=end + rng.choice(_TRAVERSALS)).raw()
    yield "query: percent", replace(sound, target=target + b"?a=" + rng.choice(_ESCAPES)).raw()
    yield "query: not UTF-8", replace(sound, target=target + b"?q=" + rng.choice(_NO_UTF8)).raw()
    yield "query: U+0000", replace(sound, target=target + b"?q=a%00b").raw()
    yield "host", sound.having(Host=rng.choice(_HOSTS)).raw()
    yield "host: none", sound.raw().replace(b"Host: 127.0.0.1\r\n", b"", 1)
    yield "content length", sound.having(Content_Length=rng.choice(_LENGTHS)).raw()
    # A log may be as large as the disk; what is larger is refused in test_limits.py.
    if not takes_log(route.method, route.rule):
        yield "content length: too large", sound.having(Content_Length=b"99999999999").raw()
    yield "transfer encoding", sound.having(Transfer_Encoding=rng.choice(_CODINGS)).raw()
    chunked = replace(sound, body=None).having(Transfer_Encoding=b"chunked").raw()
    yield "chunk", chunked + rng.choice(_CHUNKS)
    yield "two lengths", sound.having(Transfer_Encoding=b"chunked", Content_Length=b"5").raw() + b"0\r\n\r\n"
    yield "content encoding", sound.having(Content_Encoding=rng.choice([b"gzip", b"br", b"x", b"\xff"])).raw()
    yield "header", sound.raw().replace(b"\r\n", b"\r\n" + rng.choice(_HEADERS) + b"\r\n", 1)
    lines = [
        b"%s  %s HTTP/1.1" % (route.method.encode(), target),
        b"%s %s HTTP/1.1" % (route.method.lower().encode(), target),
        b"%s %s HTTP/one" % (route.method.encode(), target),
        b"%s %s HTTP/1.1 x" % (route.method.encode(), target),
        b"%s %s\tHTTP/1.1" % (route.method.encode(), target),
        b"%s" % target,
        rng.randbytes(40).replace(b"\n", b"x"),
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + rng.randbytes(30).replace(b"\n", b"x"),
    ]
    yield "request line", rng.choice(lines) + b"\r\n" + sound.raw().split(b"\r\n", 1)[1]


_TRAVERSALS = [
    b"../x",
    b"..%2f..%2fsecret-key",
    b"%2e%2e/%2e%2e/etc/passwd",
    b"..%5c..%5cwin.ini",
    b"....//x",
]


def id_faults(route: Route, rng: random.Random) -> Iterator[tuple[str, Sent]]:
    """Names in the path that nothing has."""
    name = rng.choice(sorted(route.names))
    path = path_of(route.rule, route.names | {name: quote(rng.choice(_NO_IDS), safe="")})
    yield "absurd id", replace(route.sound, target=path.encode())


def writing_faults(route: Route, table: Table, rng: random.Random) -> Iterator[tuple[str, Sent]]:
    """What another site, or a page that was not loaded from here, would send."""
    origin = rng.choice(
        [b"http://evil.example", b"null", b"http://127.0.0.1:1", b"file://", b"\xff", b"http://["]
    )
    yield "origin", route.sound.having(Origin=origin)
    yield "fetch site", route.sound.having(Sec_Fetch_Site=rng.choice([b"cross-site", b"same-site", b"x"]))
    if route.endpoint is None:
        body = route.sound.body or b""
        token = table.csrf.encode()
        wrong = rng.choice([b"", b"x", token[:-3], token[::-1], b"a" * len(token)])
        yield "CSRF token", replace(route.sound, body=body.replace(token, wrong))
        headers = {name: value for name, value in route.sound.headers.items() if name != "Cookie"}
        cookie = rng.choice(
            [None, b"waymark=x", b"waymark=" + b"x" * 4000, b"waymark=\xff; ;;=;", table.cookie[:-5]]
        )
        yield (
            "session cookie",
            replace(route.sound, headers=headers if cookie is None else headers | {"Cookie": cookie}),
        )


def form_faults(route: Route, table: Table, rng: random.Random) -> Iterator[tuple[str, Sent]]:
    """Forms with fields that ours do not have."""
    yield "form: fields", form_request(route.sound, table, rng.choice(WRONG_FORMS[route.rule]))
    assert route.sound.body is not None
    kind, faults = rng.choice([("percent", _ESCAPES), ("not UTF-8", _NO_UTF8), ("U+0000", [b"%00"])])
    yield f"form: {kind}", replace(route.sound, body=route.sound.body + b"&next=" + rng.choice(faults))


def query_faults(route: Route, rng: random.Random) -> Iterator[tuple[str, Sent]]:
    """Parameters that an endpoint does not have, or has once."""
    assert route.endpoint is not None
    pairs = [urlencode({rng.choice(["zz", "ID", "名", "__proto__"]): "1"})]
    for name, query in route.endpoint.query.items():
        pairs.append(f"{name}=1&{name}=2")
        pairs += [f"{name}={word}" for word in ("zz", "-") if not re.fullmatch(query.pattern, word)]
    yield (
        "query: parameter",
        replace(route.sound, target=route.sound.target + b"?" + rng.choice(pairs).encode()),
    )


def faults_of(route: Route, table: Table, rng: random.Random) -> Iterator[Malformed]:
    """One request of every kind of fault that a route can have."""
    for kind, raw in any_faults(route, rng):
        yield Malformed(kind, route.name, raw)
    found: list[Iterator[tuple[str, Sent]]] = []
    if route.names:
        found.append(id_faults(route, rng))
    if route.method != "GET":
        found.append(writing_faults(route, table, rng))
    if route.endpoint is not None:
        found.append(query_faults(route, rng))
        if route.endpoint.body is not None:
            found.append(json_faults(route, rng))
    if (route.sound.headers.get("Content-Type") or b"").startswith(b"multipart"):
        found.append(photo_faults(route, table, rng))
    elif route.endpoint is None and route.method == "POST":
        found.append(form_faults(route, table, rng))
    if route.name == "POST /api/v1/log":
        found.append(log_faults(route, table, rng))
    for each in found:
        for kind, sent in each:
            yield Malformed(kind, route.name, sent.raw())
