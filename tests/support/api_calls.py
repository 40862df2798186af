"""The API as a device at the table calls it, whichever client it has."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

Call = Callable[..., Any]


def json_of(answer: TestResponse) -> Any:
    """What an answer tells in JSON, which it has to."""
    assert answer.is_json, answer.get_data(as_text=True)
    return answer.json


@dataclass(frozen=True)
class Calls:
    """`call("PATCH", "/games/…", {...})` gives the decoded answer and insists on its `status` (200, or 204
    for DELETE)."""

    client: FlaskClient

    def __call__(self, method: str, path: str, body: Any = None, *, status: int | None = None) -> Any:
        answer = self.client.open(f"/api/v1{path}", method=method, json=body)
        wanted = status or (204 if method == "DELETE" else 200)
        assert answer.status_code == wanted, answer.get_data(as_text=True)
        return answer.json
