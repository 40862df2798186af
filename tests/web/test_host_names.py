"""By what names the table is opened: by a name that anybody could own, no page reads it (DNS rebinding)."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from cli_runs import run_here
from cryptography import x509
from flask.testing import FlaskClient
from werkzeug.datastructures import Headers
from werkzeug.test import create_environ

from webapp import server
from webapp.app import create_app
from webapp.config import ServerConfig
from webapp.http import addresses
from webapp.http.certificates import local_certificates
from webapp.http.host_names import host_name, is_ours
from webapp.http.security import refused_by_header

OURS = (
    "127.0.0.1",
    "192.168.1.5:8080",
    "203.0.113.7",
    "[::1]:8080",
    "[fe80::1:2]",
    "[::ffff:192.168.1.5]:80",
    "localhost:8080",
    "LOCALHOST",
    "table.localhost",
    "raspberrypi",
    "raspberrypi:8080",
    "raspberrypi.local",
    "RaspberryPi.Local.:8080",
    "pi.lan",
    "pi.home",
    "a.b.home.arpa",
    "pi.internal",
    "pi.localdomain",
    "pi.test",
    "raspberrypi.fritz.box",
    "raspberrypi.speedport.ip:8080",
    "raspberrypi.station",
    "raspberrypi.attlocal.net",
    "raspberrypi.router",
    "raspberrypi.gateway",
    "RaspberryPi.bbrouter.",
    "table.example.org",
    "Table.Example.ORG.:443",
)
OTHERS = (
    "evil.example",
    "evil.example:8080",
    "local.evil.example",
    "evillocal.example",
    "notlan.com",
    "example.org",
    "sub.table.example.org",
    "192.168.1.5.nip.io",
    "192.168.1.5.evil.example:8080",
    "127.1",
    "0x7f.0.0.1",
    "999.1.1.1",
    "pi..com",
    "arpa.com",
    "fritz.box.evil.example",
    "evilfritz.box",
    "evil.box",
    "evil.net",
)
MALFORMED = (
    "",
    ":80",
    "a..b",
    ".evil.example",
    "x" * 70 + ".local",
    "a b",
    "[::1",
    "[1.2.3.4]",
    "[evil.example]",
    "localhost@evil.example",
    "local/x",
    "é.local",
)


@pytest.fixture
def client(config: ServerConfig) -> FlaskClient:
    return create_app(replace(config, host_names=("table.example.org",))).test_client()


def under(host: str) -> Headers:
    return Headers({"Host": host, "Accept-Language": "ja"})


def test_addresses_and_names_of_the_home_network_are_answered(client: FlaskClient) -> None:
    for host in OURS:
        assert is_ours(host, ("table.example.org",)), host
        assert client.get("/", headers=under(host)).status_code == 200, host


def test_any_other_name_is_told_in_a_sentence(client: FlaskClient) -> None:
    told = "この名前ではこのテーブルを開けません。"
    for host in OTHERS:
        assert not is_ours(host, ("table.example.org",)), host
        page = client.get("/tableaus/1", headers=under(host))
        assert page.status_code == 421 and told in page.get_data(as_text=True), host
    for method, path in (("GET", "/api/v1/log"), ("POST", "/api/v1/games"), ("DELETE", "/api/v1/nowhere")):
        answer = client.open(path, method=method, headers=under("evil.example"), json={})
        assert answer.status_code == 421 and answer.json is not None
        assert answer.json["error"]["code"] == "other-name" and answer.json["error"]["message"].startswith(
            told
        )
    assert client.get("/static/app.css", headers=under("evil.example")).status_code == 200


def test_what_is_no_name_is_refused(client: FlaskClient) -> None:
    for host in MALFORMED:
        assert client.get("/api/v1/games", headers=under(host)).status_code in (400, 421), host


def test_this_machine_goes_by_its_own_name(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    assert client.get("/", headers=under("Pi.example.net")).status_code == 421
    monkeypatch.setattr("socket.gethostname", lambda: "pi.example.NET")
    assert client.get("/", headers=under("Pi.example.net")).status_code == 200


def test_names_in_the_domain_that_the_router_told_are_answered(
    client: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolver = tmp_path / "resolv.conf"
    monkeypatch.setattr("webapp.http.host_names._RESOLVER", resolver)
    monkeypatch.setattr("socket.gethostname", lambda: "Pi")
    assert client.get("/", headers=under("waymark.hsd1.example.net")).status_code == 421
    resolver.write_text("nameserver 192.168.1.1\nsearch hsd1.example.net. Kabel.Example com # box.example\n")
    for host, status in {
        "waymark.hsd1.example.net:8080": 200,
        "Waymark.kabel.example": 200,
        "pi.com": 200,
        "evil.com": 421,  # everybody's
        "a.b.hsd1.example.net": 421,
        "hsd1.example.net": 421,
        "evil.example.net": 421,
        "pi.box.example": 421,
        "search": 200,
    }.items():
        assert client.get("/", headers=under(host)).status_code == status, host
    resolver.write_text("domain workgroup.example\n")
    assert client.get("/", headers=under("pi.workgroup.example")).status_code == 200


def test_every_address_that_the_table_tells_is_answered(client: FlaskClient) -> None:
    told = [
        url
        for listens in ("0.0.0.0", "::", "127.0.0.1", "192.168.1.5", "::1", "localhost", "pi.local")
        for place in [addresses.Address(listens, 8080)]
        for url in (*addresses.table_urls(place), addresses.own_url(place))
    ]
    assert len(told) >= 12
    for url in told:
        page = client.get("/join", base_url=url.rstrip("/"))
        assert page.status_code == 200, url
        assert is_ours(url.split("/")[2]), url


@pytest.mark.parametrize(
    ("given", "name"),
    [("Table.Example.org.", "table.example.org"), ("机.example", "xn--nqv.example"), ("pi", "pi")],
)
def test_a_name_is_taken_as_browsers_send_it(given: str, name: str) -> None:
    assert host_name(given) == name


@pytest.mark.parametrize(
    "given", ["", ".example.org", "http://pi.example", "pi.example:80", "a b", "x" * 300]
)
def test_a_name_that_is_none_is_told_at_the_start(given: str) -> None:
    done = run_here("serve", "--host-name", given, "--json", "-")
    assert done.exit_code == 2 and done.stderr.count("\n") == 1
    assert json.loads(done.stdout)["error"]["code"] == "usage"


def test_names_come_from_the_environment_too() -> None:
    done = run_here("serve", WAYMARK_HOST_NAMES="table.example.org http://pi.example")
    assert done.exit_code == 2 and "--host-name" in done.stderr


def test_no_large_body_is_received_under_another_name(client: FlaskClient) -> None:
    for host, status in (("evil.example", 421), ("pi.local", None)):
        environ = create_environ("/api/v1/photos", method="POST", headers=under(host))
        assert refused_by_header(client.application, environ) == status


def test_the_certificate_has_every_name(tmp_path: Path) -> None:
    config = ServerConfig(data=tmp_path, host_names=("table.example.org",))
    address = server.https_address(config, "0.0.0.0", 8443)
    assert address.certificate is not None
    certificate = x509.load_pem_x509_certificate(address.certificate.read_bytes())
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert {"localhost", "table.example.org"} <= set(names.get_values_for_type(x509.DNSName))


def test_an_authority_from_before_signs_only_what_it_may(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as before:
        before.setattr("webapp.http.certificates.LOCAL_ENDINGS", (".localhost", ".local"))
        old = local_certificates(
            tmp_path, ["localhost", "pi.local", "192.168.1.5", "pi"]
        ).authority.read_bytes()
    kept = local_certificates(tmp_path, ["localhost", "pi2.local", "10.0.0.7"]).authority.read_bytes()
    assert kept == old, "devices that trust it are not asked again"
    assert local_certificates(tmp_path, ["pi.fritz.box"]).authority.read_bytes() != old
