"""The API as a device at the table calls it, whichever client it has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask.testing import FlaskClient

Call = Callable[..., Any]


def calls_of(client: FlaskClient) -> Call:
    """`call("PATCH", "/games/…", {...})` gives the decoded answer and insists on its `status` (200)."""

    def call(method: str, path: str, body: Any = None, *, status: int = 200) -> Any:
        answer = client.open(f"/api/v1{path}", method=method, json=body)
        assert answer.status_code == status, answer.get_data(as_text=True)
        return answer.json

    return call
