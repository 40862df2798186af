"""The API as a device at the table calls it, whichever client it has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

Call = Callable[..., Any]


def json_of(answer: TestResponse) -> Any:
    """What an answer tells in JSON, which it has to."""
    assert answer.is_json, answer.get_data(as_text=True)
    return answer.json


def calls_of(client: FlaskClient) -> Call:
    """`call("PATCH", "/games/…", {...})` gives the decoded answer and insists on its `status` (200)."""

    def call(method: str, path: str, body: Any = None, *, status: int = 200) -> Any:
        answer = client.open(f"/api/v1{path}", method=method, json=body)
        assert answer.status_code == status, answer.get_data(as_text=True)
        return answer.json

    return call
