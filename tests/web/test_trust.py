"""A phone comes to trust the table: a page by plain http explains the certificate, checks it, and goes on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
from live_server import SMALL_PHONE
from page_looks import faults, keep_screenshot
from patience import PATIENCE_SECONDS
from server_process import ServerProcess

from webapp.app import create_app
from webapp.config import ServerConfig
from webapp.http.trust_door import TrustDoor, set_trust_door

ANDROID = "Mozilla/5.0 (Linux; Android 15; Pixel 8) AppleWebKit/537.36 Chrome/131.0 Mobile Safari/537.36"


class Table:
    """A table by https, and its door by plain http."""

    def __init__(self, data: Path) -> None:
        pin = data.with_name("pin")
        pin.write_text("2468")
        self.server = ServerProcess(data, "--workers", "1", "--https", "--pin-file", str(pin))
        self.certificates = data / "certificates"
        self.authority = str(self.certificates / "waymark-authority.pem")
        self.server.wait_until_it_answers(verify=self.authority)
        self.door = f"http://127.0.0.1:{self.server.port + 1}"

    def get(self, path: str) -> requests.Response:
        return requests.get(self.door + path, timeout=PATIENCE_SECONDS, allow_redirects=False)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    table = Table(tmp_path_factory.mktemp("trust") / "data")
    yield table
    assert table.server.stop() == 0


def test_the_door_gives_the_certificate_without_the_pin_and_leads_all_else_to_https(table: Table) -> None:
    loaded = table.get("/waymark-table.crt")
    assert loaded.content == Path(table.authority).read_bytes() and b"PRIVATE" not in loaded.content
    assert (
        table.get("/trust").status_code
        == 200
        != requests.get(
            f"{table.server.url}/trust",
            timeout=PATIENCE_SECONDS,
            verify=table.authority,
            allow_redirects=False,
        ).status_code
    )
    for path in ("/", "/games/new?deck=x", "/api/v1/tableaus", "/certificates/authority-key.pem"):
        led = table.get(path)
        assert (led.status_code, led.headers["Location"]) == (307, table.server.url + path)
    sent = requests.post(
        f"{table.door}/api/v1/games", json={}, timeout=PATIENCE_SECONDS, allow_redirects=False
    )
    assert sent.status_code in (307, 400)


def test_private_keys_are_readable_by_their_owner_alone_and_never_served(table: Table) -> None:
    keys = sorted(table.certificates.glob("*key*.pem"))
    assert [key.name for key in keys] == ["authority-key.pem", "server-key.pem"]
    assert all(key.stat().st_mode & 0o777 == 0o600 for key in keys)
    for key in keys:
        for path in (key.name, f"certificates/{key.name}", f"static/../../certificates/{key.name}"):
            answer = requests.get(
                f"{table.server.url}/{path}",
                headers={"Authorization": "Bearer 2468"},
                timeout=PATIENCE_SECONDS,
                verify=table.authority,
            )
            assert answer.status_code == 404


@pytest.mark.parametrize(
    ("language", "agent"), [("en-GB", ANDROID), ("ja-JP", None)], ids=["android", "iphone"]
)
def test_a_phone_goes_on_by_itself_once_it_trusts_the_table(
    browser: Any, table: Table, language: str, agent: str | None
) -> None:
    look = {"viewport": SMALL_PHONE, "has_touch": True, "locale": language, "user_agent": agent}
    stranger = browser.new_context(**look)
    page = stranger.new_page()
    page.goto(f"{table.door}/trust?game=abc")
    assert page.locator("details[open] .trust-steps li svg").count() == 3
    assert page.locator("details[open] summary").inner_text().count("Android") == (agent is not None)
    page.wait_for_timeout(2500)
    assert page.url == f"{table.door}/trust?game=abc"
    keep_screenshot(page, f"trust-{language}")
    assert not faults(page)
    stranger.close()
    # What installing the certificate does: the browser takes the https port's.
    trusting = browser.new_context(**look, ignore_https_errors=True)
    page = trusting.new_page()
    page.goto(f"{table.door}/trust?game=abc")
    page.wait_for_url(f"{table.server.url}/pin?next=/games/abc/join")
    assert page.evaluate("() => window.isSecureContext")
    trusting.close()


def test_the_code_for_others_leads_to_the_page_that_explains_the_certificate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = create_app(ServerConfig(data=tmp_path / "data", scan_workers=0, https=True))
    client = app.test_client()
    home = "https://192.168.1.5:8000"
    monkeypatch.setattr("webapp.http.pages.joining.all_addresses", lambda: frozenset({"192.168.1.5"}))
    monkeypatch.setattr("webapp.http.pages.joining.lan_addresses", lambda: ("192.168.1.5",))
    assert "QR code of https://192.168.1.5:8000/" in client.get("/join", base_url=home).text
    set_trust_door(app, TrustDoor(http_port=8001, https_port=8000))
    assert "QR code of http://192.168.1.5:8001/trust" in client.get("/join", base_url=home).text
    # A table without a certificate has nothing to explain.
    plain = create_app(ServerConfig(data=tmp_path / "plain", scan_workers=0)).test_client()
    assert "<h1>Join this table</h1>" in plain.get("/trust").text
