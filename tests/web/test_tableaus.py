"""Tableaus over the API."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient


@pytest.mark.parametrize("objective", ["Origin", "", "S" * 40])
def test_a_tableau_takes_no_objective_that_does_not_exist(client: FlaskClient, objective: str) -> None:
    answer = client.post("/api/v1/tableaus", json={"primary": "sword", "secondary": objective})
    assert answer.status_code == 400 and answer.json is not None
    assert answer.json["error"]["code"] == "unknown-objective"
