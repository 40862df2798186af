"""The OpenAPI document says what the API does: every route is in it, and answers are as it says, also to
requests that are malformed.

`WAYMARK_API_EXAMPLES=200 pytest tests/web/test_openapi.py` asks more of every operation than the long tests
do, and those more than `make test`.
"""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
import schemathesis
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from played import known_ids, play_a_little
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from schemathesis.specs.openapi.schemas import OpenApiSchema
from werkzeug.test import Client, TestResponse

from webapp.app import create_app
from webapp.config import ServerConfig
from webapp.http.api.endpoint import ENDPOINTS, Endpoint
from webapp.http.api.openapi import document, openapi_path

EXAMPLES = int(os.environ.get("WAYMARK_API_EXAMPLES", "20"))
FEW = 4
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@schemathesis.serializer("application/zip")
def _as_bytes(_context: object, value: object) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()


class Unpacking(Client):
    """Unpacks what it takes packed, as clients over a network do: schemathesis asks for gzip, and looks at
    an app's bytes as they are."""

    def open(self, *args: Any, **kwargs: Any) -> TestResponse:
        answer = super().open(*args, **kwargs)
        if answer.headers.get("Content-Encoding") == "gzip":
            answer.set_data(gzip.decompress(answer.get_data()))
            del answer.headers["Content-Encoding"]
        return answer


@pytest.fixture(scope="module")
def asked_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """One app for all requests, so that later ones meet what earlier ones made."""
    config = ServerConfig(data=tmp_path_factory.mktemp("asked") / "data", scan_workers=0)
    app = create_app(replace(config, requests_per_minute=10_000_000, uploads_per_minute=10_000_000))
    app.config["PROPAGATE_EXCEPTIONS"] = False
    play_a_little(app)
    yield app


@pytest.fixture(scope="module")
def api_schema(asked_app: Flask) -> OpenApiSchema:
    return schemathesis.openapi.from_wsgi("/api/v1/openapi.json", asked_app)


@pytest.mark.parametrize("examples", [FEW, pytest.param(EXAMPLES, marks=pytest.mark.long)])
@pytest.mark.parametrize("entry", ENDPOINTS, ids=lambda entry: entry.name)
def test_every_operation_answers_as_documented(
    entry: Endpoint, asked_app: Flask, api_schema: OpenApiSchema, examples: int
) -> None:
    operation = api_schema[openapi_path(entry.path)][entry.method]

    @given(case=operation.as_strategy(), known=st.sampled_from([True, True, False]))
    @settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.explicit, Phase.generate),
        database=None,
    )
    def ask(case: schemathesis.Case[Any], known: bool) -> None:
        if known and case.path_parameters:
            case.path_parameters.update(known_ids(asked_app, case.path_parameters))
        session: Any = Unpacking(asked_app)
        case.call_and_validate(checks=CHECKS, session=session)

    ask()


def test_the_document_lists_every_route(app: Flask) -> None:
    routes = {
        (method, openapi_path(str(rule).removeprefix("/api/v1")))
        for rule in app.url_map.iter_rules()
        if str(rule).startswith("/api/v1/") and not str(rule).endswith("openapi.json")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    described = {
        (method.upper(), path) for path, operations in document()["paths"].items() for method in operations
    }
    assert routes == described


def test_operations_have_names_of_their_own() -> None:
    names = [entry.name for entry in ENDPOINTS]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("body", "status"),
    [(b"", 400), (b"{", 400), (b"[]", 400), (b'{"title": 1}', 400), (b'{"other": 1}', 400), (b"\xff", 400)],
)
def test_a_malformed_body_is_told_in_a_sentence(client: FlaskClient, body: bytes, status: int) -> None:
    answer = client.post("/api/v1/tableaus", data=body, content_type="application/json")
    assert answer.status_code == status
    assert answer.json is not None and answer.json["error"]["code"] == "not-valid"
    assert answer.json["error"]["message"].endswith(".")
