"""Malformed requests, over a real socket to the real server: each is refused in a sentence, none is a
server's fault, and none of them changes anything.

`WAYMARK_MALFORMED=5000 pytest tests/web/test_malformed.py -s` sends as many and prints what came of them,
where `make test` sends few and the long tests more;
`WAYMARK_MALFORMED_SEED=7` draws others.
"""

from __future__ import annotations

import json
import os
import random
import socket
import sqlite3
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from http.client import HTTPResponse
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import hypothesis
import msgspec
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from kept_results import kept
from live_server import LiveServer
from malformed.faults import WRONG_FORMS, faults_of
from malformed.sound import Malformed, Route, Sent, Table, form_request, routes_of, table_of
from patience import PATIENCE_SECONDS
from played import play_a_little
from schemathesis.specs.openapi.schemas import OpenApiSchema

from webapp.config import ServerConfig
from webapp.http.api.endpoint import ENDPOINTS, Endpoint
from webapp.http.api.openapi import document, openapi_path

ASKED = int(os.environ.get("WAYMARK_MALFORMED", "600"))
FULL = ASKED >= 5000
SEED = int(os.environ.get("WAYMARK_MALFORMED_SEED", "20261121"))
FEW = 120
#: What uvicorn's parser refuses, in its own words, before the app hears of it.
NO_HTTP = {
    "request line",
    "header",
    "host: none",
    "path: not UTF-8",
    "query: not UTF-8",
    "content length",
    "transfer encoding",
    "chunk",
    "two lengths",
}
TOLD_BY_UVICORN = b"Invalid HTTP request received."


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    config = ServerConfig(data=tmp_path_factory.mktemp("malformed") / "data", scan_workers=0)
    server = LiveServer(replace(config, requests_per_minute=10_000_000, uploads_per_minute=10_000_000))
    play_a_little(server.app)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def table(played: LiveServer) -> Table:
    return table_of(played.app)


@pytest.fixture(scope="module")
def routes(played: LiveServer, table: Table) -> list[Route]:
    return routes_of(played.app, table)


@dataclass
class Outcome:
    """What came of the requests: how many by kind and status, and those that were not refused as they should
    be."""

    by_kind: Counter[tuple[str, int]] = field(default_factory=Counter)
    routes: set[str] = field(default_factory=set)
    wrong: list[str] = field(default_factory=list)

    def table(self) -> str:
        kinds = sorted({kind.split(": ")[0] for kind, _ in self.by_kind})
        statuses = sorted({status for _, status in self.by_kind})
        lines = ["kind                  " + "".join(f"{status:>7}" for status in statuses) + "    all"]
        for kind in [*kinds, ""]:
            counts = [
                sum(n for (k, s), n in self.by_kind.items() if s == status and k.startswith(kind))
                for status in statuses
            ]
            row = "".join(f"{count or '':>7}" for count in counts)
            lines.append(f"{kind or 'all':22}{row}{sum(counts):>7}")
        return "\n".join(lines)


@pytest.mark.parametrize("asked", [FEW, pytest.param(ASKED, marks=pytest.mark.long)])
def test_every_malformed_request_is_refused(
    played: LiveServer, table: Table, routes: list[Route], asked: int
) -> None:
    before = everything(played)
    outcome = Outcome()
    for malformed in chain(against_the_document(asked), requests_to(routes, table, asked)):
        status, complaint = ask(played.url, malformed)
        outcome.by_kind[malformed.kind, status] += 1
        outcome.routes.add(malformed.route)
        if complaint:
            outcome.wrong.append(f"{malformed.route} {malformed.kind}: {complaint} {malformed.raw[:300]!r}")
    print(f"\n{outcome.table()}\n{len(outcome.routes)} routes", file=sys.stderr)
    assert not outcome.wrong, "\n".join([str(len(outcome.wrong)), *outcome.wrong[:40]])
    assert outcome.by_kind.total() >= asked
    assert outcome.routes >= {route.name for route in routes}
    assert everything(played) == before
    # The server is well.
    assert ask(played.url, Malformed("", "GET /", b"GET / HTTP/1.0\r\n\r\n"))[0] == 200


def test_every_wrong_form_is_refused(played: LiveServer, table: Table) -> None:
    """Each of them, whichever the draw above takes: a card limit of 400 digits once began a game."""
    before = everything(played)
    for path, forms in WRONG_FORMS.items():
        for fields in forms:
            sent = form_request(Sent("POST", path.encode()), table, fields)
            status, complaint = ask(played.url, Malformed("form: fields", f"POST {path}", sent.raw()))
            assert not complaint, (path, fields, status, complaint)
    assert everything(played) == before


@pytest.mark.parametrize(
    "header",
    [
        b"Range: bytes=abc",
        b"Range: bytes=99999999999-",
        b"Range: bytes=0-0,2-1,-5,5-",
        b"Range: lines=1-2",
        b'If-None-Match: "x',
        b"If-None-Match: W/,,,*\xff",
        b"If-Modified-Since: yesterday, 99 Foo 99999",
        b"If-Range: \xff",
        b"Accept-Language: ;;q=x,ja;q=9e9,*;q=-1,\xff",
        b"Accept: */x;q=,,\xff",
        b"Cookie: waymark=\xff.x.y; language=xx; theme=<script>; ;=;a",
        b"Cookie: language=ja; waymark=" + b"x" * 8000,
        b"Authorization: Bearer \xff",
        b"Authorization: Basic !!!",
        b"X-Forwarded-For: \xff, ::zz",
        b"Referer: http://[",
        b"User-Agent: \xff",
        b"Content-Type: multipart/form-data; boundary=\xff",
        b"Connection: upgrade",
    ],
)
def test_what_http_says_to_ignore_is_ignored(played: LiveServer, routes: list[Route], header: bytes) -> None:
    for route in routes if FULL else routes[len(header) % 6 :: 6]:
        # A picture of the ruling takes a second; a header is read before it.
        if route.method == "GET" and not route.rule.endswith(("ruling.jpg", "ruling.png", "ruling.webp")):
            raw = route.sound.raw().replace(b"\r\n", b"\r\n" + header + b"\r\n", 1)
            status, complaint = ask(played.url, Malformed("", route.name, raw))
            assert status in (200, 206, 304, 404, 416), (route.name, status, complaint)


def requests_to(routes: list[Route], table: Table, asked: int) -> Iterator[Malformed]:
    """As many as are asked for, of every kind in turn, over all routes."""
    rng = random.Random(SEED)
    for route in routes:
        yield rng.choice(list(faults_of(route, table, rng)))
    sent = len(routes)
    while True:
        kinds: dict[str, list[Malformed]] = {}
        for route in rng.sample(routes, len(routes)):
            for fault in faults_of(route, table, rng):
                kinds.setdefault(fault.kind, []).append(fault)
        turns = []
        for number, faults in enumerate(kinds.values()):
            # Each kind begins at another route.
            shift = 17 * number % len(faults)
            turns.append(faults[shift:] + faults[:shift])
        for fault in chain.from_iterable(zip_longest(*turns)):
            if fault is None:
                continue
            yield fault
            sent += 1
            if sent >= asked:
                return


def against_the_document(asked: int) -> Iterator[Malformed]:
    """What schemathesis makes of the OpenAPI document to go against it, in queries and bodies: paths are any
    strings. It takes ten seconds, and makes the same each time: the cache keeps it."""
    versions = (schemathesis.__version__, hypothesis.__version__, sys.version, asked)
    made_from = repr(versions) + json.dumps(document(), sort_keys=True) + Path(__file__).read_text("utf-8")
    requests_made = kept(f"malformed-{asked}", made_from.encode(), lambda: _made_by_schemathesis(asked))
    for route, raw in msgspec.json.decode(requests_made, type=list[tuple[str, bytes]]):
        yield Malformed("schemathesis", route, raw)


def _made_by_schemathesis(asked: int) -> bytes:
    schema = schemathesis.openapi.from_dict(document())
    made = [
        (f"{entry.method} /api/v1{entry.path}", raw)
        for entry in ENDPOINTS
        if entry.body is not None or entry.query
        for raw in negative(schema, entry, max(2, asked // 100))
    ]
    return msgspec.json.encode(made)


def negative(schema: OpenApiSchema, entry: Endpoint, examples: int) -> list[bytes]:
    """So many for each operation come from schemathesis."""
    operation = schema[openapi_path(entry.path)][entry.method]
    found: list[bytes] = []

    @given(case=operation.as_strategy(generation_mode=schemathesis.GenerationMode.NEGATIVE))
    @settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate,),
        database=None,
    )
    def make(case: schemathesis.Case[Any]) -> None:
        found.extend(as_sent(case, entry))

    make()
    return found


def as_sent(case: schemathesis.Case[Any], entry: Endpoint) -> Iterator[bytes]:
    """The request over the wire; nothing where its fault got lost on the way: no value is no parameter."""
    prepared = requests.Request(**case.as_transport_kwargs(base_url="http://127.0.0.1/api/v1")).prepare()
    names = [name for name, _ in parse_qsl(urlsplit(str(prepared.url)).query, keep_blank_values=True)]
    if entry.body is None and set(names) <= set(entry.query) and len(set(names)) == len(names):
        return
    body: Any = prepared.body.encode() if isinstance(prepared.body, str) else prepared.body
    headers = {name: str(value).encode("latin-1") for name, value in prepared.headers.items()}
    yield Sent(entry.method, prepared.path_url.encode(), headers, body).raw()


def ask(url: str, malformed: Malformed) -> tuple[int, str]:
    """Send a request as it is; the status, and what is wrong with the answer."""
    host, _, port = url.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE_SECONDS) as connection:
        answer = HTTPResponse(connection)
        try:
            connection.sendall(malformed.raw)
            answer.begin()
            body = answer.read()
        except Exception as error:
            return 0, repr(error)
    if not 400 <= answer.status < 500:
        return answer.status, f"answered {answer.status}"
    kind = answer.headers.get_content_type()
    if malformed.kind in NO_HTTP and (answer.status, kind, body) == (400, "text/plain", TOLD_BY_UVICORN):
        return 400, ""
    if malformed.route.split(" ")[1].startswith("/api/") and malformed.kind != "request line":
        answered = json.loads(body).get("error", {}) if kind == "application/json" else {}
        told = answered.get("code") and answered.get("message", "").endswith((".", "\u3002"))
        return answer.status, "" if told else f"told as {body[:200]!r}"
    return answer.status, "" if kind in ("text/html", "application/json") else f"told as {kind}"


def everything(server: LiveServer) -> tuple[str, ...]:
    """All that the server keeps."""
    config = server.services.config
    with sqlite3.connect(config.data / "waymark.sqlite3") as connection:
        rows = tuple(connection.iterdump())
    return rows
