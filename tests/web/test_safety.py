"""Who may do what: other sites, the PIN, too often, too large, and names of any kind."""

from __future__ import annotations

import io
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import ClassVar

import pytest
from flask import Flask
from flask.testing import FlaskClient
from live_server import PHOTOS
from werkzeug.test import TestResponse

from webapp.app import create_app
from webapp.config import ServerConfig
from webapp.http.request_counts import RequestCounts

MakeClient = Callable[..., FlaskClient]


@pytest.fixture
def client_with(config: ServerConfig) -> MakeClient:
    """A client of an app with other settings."""

    def make(**settings: object) -> FlaskClient:
        return create_app(replace(config, **settings)).test_client()  # type: ignore[arg-type]

    return make


# --- other sites --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 201),
        ({"Origin": "http://localhost"}, 201),
        ({"Sec-Fetch-Site": "same-origin"}, 201),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
    ],
)
def test_a_page_of_another_site_cannot_write(
    client: FlaskClient, headers: dict[str, str], status: int
) -> None:
    assert client.post("/api/v1/tableaus", json={}, headers=headers).status_code == status


def test_a_form_needs_its_csrf_token(config: ServerConfig) -> None:
    client = create_app(config).test_client()
    assert client.post("/language", data={"language": "ja"}).status_code == 400


def test_no_answer_lets_other_sites_read_it(client: FlaskClient) -> None:
    answer = client.get("/api/v1/openapi.json", headers={"Origin": "http://evil.example"})
    assert not [name for name, _ in answer.headers if name.lower().startswith("access-control")]
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"


def test_cookies_are_out_of_reach_of_scripts_and_other_sites(client_with: MakeClient) -> None:
    for https in (False, True):
        cookie = client_with(https=https).get("/").headers["Set-Cookie"]
        assert "HttpOnly" in cookie and "SameSite=Lax" in cookie
        assert ("Secure" in cookie) == https


@pytest.mark.parametrize("target", ["//evil.example", "https://evil.example", "/\\evil.example", "evil", ""])
def test_nobody_is_sent_elsewhere(client_with: MakeClient, target: str) -> None:
    client = client_with(pin="2468")
    client.application.config["WTF_CSRF_ENABLED"] = False
    answer = client.post("/pin", data={"pin": "2468", "next": target})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")


# --- the PIN ------------------------------------------------------------------------------------------------


def enter(client: FlaskClient, pin: str) -> TestResponse:
    client.application.config["WTF_CSRF_ENABLED"] = False
    return client.post("/pin", data={"pin": pin, "next": "/games/new"})


def test_without_the_pin_nothing_is_shown(client_with: MakeClient) -> None:
    client = client_with(pin="2468")
    rules = {str(rule) for rule in client.application.url_map.iter_rules() if "GET" in (rule.methods or ())}
    open_to_all = {"/pin", "/healthz", "/static/<path:filename>"}
    for rule in sorted(rules - open_to_all):
        path = rule.replace("<any(en, ja):language>", "en").replace("<int:number>", "1")
        answer = client.get(path.replace("<int:longest_px>", "480"))
        public = answer.status_code == 200 and rule in {"/sw.js"} | {r for r in rules if "language" in r}
        assert public or answer.status_code in (302, 401), (rule, answer.status_code)
    assert client.post("/api/v1/tableaus", json={}).status_code == 401


@pytest.mark.parametrize("written", ["2468", " ２４６８ "], ids=["plain", "full width"])
def test_the_right_pin_opens_the_table(client_with: MakeClient, written: str) -> None:
    client = client_with(pin="2468")
    assert enter(client, "1111").status_code == 403
    assert client.get("/").status_code == 302
    assert enter(client, written).headers["Location"] == "/games/new"
    assert client.get("/").status_code == 200


def test_a_program_brings_the_pin_as_a_bearer_token(client_with: MakeClient) -> None:
    client = client_with(pin="2468")
    for token, status in (("2468", 200), ("1111", 401)):
        answer = client.get("/api/v1/games", headers={"Authorization": f"Bearer {token}"})
        assert answer.status_code == status


def test_the_pin_cannot_be_guessed_by_trying(client_with: MakeClient) -> None:
    client = client_with(pin="2468", pin_tries_per_minute=5)
    statuses = [enter(client, f"{n:04}").status_code for n in range(7)]
    assert statuses == [403] * 5 + [429] * 2


def test_the_pin_cannot_be_guessed_through_the_api_either(client_with: MakeClient) -> None:
    client = client_with(pin="2468", pin_tries_per_minute=5)
    statuses = [
        client.get("/api/v1/games", headers={"Authorization": f"Bearer {n:04}"}).status_code for n in range(7)
    ]
    assert statuses == [401] * 5 + [429] * 2


def tries(client: FlaskClient, address: str, count: int, pin: str = "1111") -> list[int]:
    """The statuses of so many tries of an address."""
    headers, place = {"Authorization": f"Bearer {pin}"}, {"REMOTE_ADDR": address}
    return [
        client.get("/api/v1/games", headers=headers, environ_base=place).status_code for _ in range(count)
    ]


def test_many_addresses_have_no_more_tries_than_a_few(client_with: MakeClient) -> None:
    client = client_with(pin="2468", pin_tries_per_minute=2)
    statuses = [status for number in range(6) for status in tries(client, f"192.168.1.{number}", 2)]
    assert statuses == [401] * 6 + [429] * 6
    # Nor does the right one show itself then; but who sits at the table's device comes in.
    assert tries(client, "192.168.1.9", 1, "2468") == [429]
    assert tries(client, "127.0.0.1", 1, "2468") == [200]


def test_tries_become_fewer_the_longer_it_goes_on(
    client_with: MakeClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = client_with(pin="2468", pin_tries_per_minute=2)
    clock = [time.time()]
    monkeypatch.setattr("time.time", lambda: clock[0])
    let_through = []
    for _ in range(60):
        let_through.append(tries(client, "192.168.1.9", 3).count(401))
        clock[0] += 61
    assert let_through[0] == 2 and sum(let_through) <= 2 * 3 * 2
    answer = client.get("/api/v1/games", headers={"Authorization": "Bearer 1111"})
    assert answer.status_code == 401 or int(answer.headers["Retry-After"]) > 60


# --- too much -----------------------------------------------------------------------------------------------


def test_too_many_requests_are_put_off_in_a_sentence(client_with: MakeClient) -> None:
    client = client_with(requests_per_minute=3)
    answers = [client.get("/api/v1/games") for _ in range(5)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429, 429]
    assert not any("Retry-After" in answer.headers for answer in answers[:3])
    assert answers[-1].json is not None and answers[-1].json["error"]["code"] == "slow-down"
    assert int(answers[-1].headers["Retry-After"]) > 0


def upload(client: FlaskClient, data: bytes, filename: str = "photo.jpg") -> TestResponse:
    return client.post("/api/v1/photos", data={"photo": (io.BytesIO(data), filename)})


def test_requests_are_counted_one_at_a_time() -> None:
    class Counts(RequestCounts):
        """Counts whose timer is replaced slowly, so that another request comes in between."""

        STORAGE_SCHEME: ClassVar[list[str]] = ["sluggish"]  # type: ignore[misc]

        @property
        def timer(self) -> threading.Timer:
            return self.the_timer

        @timer.setter
        def timer(self, timer: threading.Timer) -> None:
            self.the_timer = timer
            time.sleep(0.05)

    counts = Counts()
    time.sleep(0.1)  # till the first timer has run out
    with ThreadPoolExecutor(4) as people:
        assert sorted(people.map(lambda _: counts.incr("somebody", 60), range(4))) == [1, 2, 3, 4]


def test_an_upload_beyond_the_limit_is_refused(client_with: MakeClient) -> None:
    answer = upload(client_with(max_upload_bytes=100_000), b"\xff\xd8\xff" + bytes(200_000))
    assert answer.status_code == 413
    assert answer.json is not None and answer.json["error"]["code"] == "too-large"


def test_the_type_is_told_by_the_content(client: FlaskClient) -> None:
    assert upload(client, b"<svg onload='alert(1)'/>", "photo.jpg").status_code == 415
    assert upload(client, (PHOTOS / "table-07.jpg").read_bytes(), "page.html").status_code == 202


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "写真😀.jpg", "a" * 3000, '"><script>alert(1)</script>', ""]
)
def test_a_file_may_have_any_name(app: Flask, name: str) -> None:
    client = app.test_client()
    answer = upload(client, (PHOTOS / "table-07.jpg").read_bytes(), name or "x")
    assert answer.status_code == 202 and answer.json is not None
    kept = answer.json["shot"]["filename"]
    assert len(kept) <= 300 and "/" not in kept and "\n" not in kept
    page = client.get(f"/tableaus/{answer.json['tableau_id']}").get_data(as_text=True)
    assert "<script>alert" not in page
