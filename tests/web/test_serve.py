"""`waymark serve`: it opens, tells how others join, speaks https by its own certificate, and ends cleanly."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psutil
import pytest
import requests
from cli_runs import run_here
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509 import verification
from flask import request
from flask.testing import FlaskClient
from live_server import PHOTOS
from long_rest import long_but
from patience import PATIENCE_SECONDS
from server_process import ServerProcess, files_of, free_port

from webapp.app import create_app
from webapp.config import ServerConfig, default_data_folder
from webapp.http import certificates
from webapp.http.addresses import Address, is_loopback
from webapp.http.certificates import local_certificates
from webapp.http.listening import listen
from webapp.http.pages.joining import qr_code
from webapp.http.services import KEY

SERVE = (sys.executable, "-m", "waymark", "serve")


def test_it_opens_answers_and_ends_at_ctrl_c(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path / "data", "--workers", "1")
    server.wait_until_it_answers()
    assert "Waymark" in requests.get(server.url, timeout=PATIENCE_SECONDS).text
    assert server.stop() == 0
    assert (tmp_path / "data" / "waymark.sqlite3").exists()


@pytest.mark.long
def test_the_reader_is_warm_before_the_first_photo(tmp_path: Path) -> None:
    """Cards and libraries are loaded as soon as the server is up, by nobody's photo."""
    server = ServerProcess(tmp_path / "data", "--workers", "2")
    server.wait_until_it_answers()
    end = time.monotonic() + PATIENCE_SECONDS
    reader = {"ready": False}
    while not reader["ready"]:
        assert time.monotonic() < end, reader
        time.sleep(0.1)
        reader = requests.get(f"{server.url}/api/v1/reader", timeout=PATIENCE_SECONDS).json()
    assert reader == {"ready": True, "reading": 0, "workers": 2}
    photo = {"photo": ("table.jpg", (PHOTOS / "table-07.jpg").read_bytes())}
    sent = requests.post(f"{server.url}/api/v1/photos", files=photo, timeout=PATIENCE_SECONDS).json()
    stages = set()
    while sent["shot"]["state"] in ("waiting", "running"):
        assert time.monotonic() < end, sent
        time.sleep(0.02)
        tableau = requests.get(
            f"{server.url}/api/v1/tableaus/{sent['tableau_id']}", timeout=PATIENCE_SECONDS
        ).json()
        (sent["shot"],) = tableau["shots"]
        stages.add(sent["shot"]["stage"])
    assert sent["shot"]["state"] == "done" and "load" not in stages
    assert server.stop() == 0


@pytest.mark.long
def test_workers_that_ended_while_they_were_idle_are_replaced(tmp_path: Path) -> None:
    """Who looks through a viewfinder sends no photo that would bring up others. Whether there is time to look
    is the machine's matter: on a busy one every answer may be that there was none."""
    server = ServerProcess(tmp_path / "data", "--workers", "1")
    server.wait_until_it_answers()
    end = time.monotonic() + PATIENCE_SECONDS
    picture = (PHOTOS / "table-07.jpg").read_bytes()

    def look_until_there_is_a_worker() -> psutil.Process:
        while True:
            frame = {"photo": ("frame.jpg", picture)}
            seen = requests.post(
                f"{server.url}/api/v1/outlines", files=frame, timeout=PATIENCE_SECONDS
            ).json()
            assert seen["busy"] or seen["cards"]
            for each in psutil.Process(server.process.pid).children(recursive=True):
                with suppress(psutil.NoSuchProcess):
                    if each.status() != psutil.STATUS_ZOMBIE and "spawn_main" in " ".join(each.cmdline()):
                        return each
            assert time.monotonic() < end
            time.sleep(0.2)

    worker = look_until_there_is_a_worker()
    # One that loads its cards still is not idle.
    while not requests.get(f"{server.url}/api/v1/reader", timeout=PATIENCE_SECONDS).json()["ready"]:
        assert time.monotonic() < end
        time.sleep(0.1)
    worker.kill()
    # Its parent sees to it at the next look.
    while worker.is_running() and worker.status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < end
        time.sleep(0.05)
    assert look_until_there_is_a_worker() != worker
    assert server.stop() == 0


@pytest.mark.long
def test_what_is_being_received_lies_beside_the_photos(tmp_path: Path) -> None:
    """A system's temporary folder may be small, or in memory."""
    folder = tmp_path / "data" / "receiving"
    folder.mkdir(parents=True)
    (folder / "left-by-a-kill").write_bytes(b"?")
    server = ServerProcess(tmp_path / "data", "--workers", "1")
    server.wait_until_it_answers()
    assert not list(folder.iterdir())
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        connection.sendall(
            b"POST /api/v1/photos HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4000000\r\n\r\n"
        )
        connection.sendall(bytes(2_000_000))
        end = time.monotonic() + PATIENCE_SECONDS
        while not any(Path(file).parent == folder for file in files_of(server.process.pid)):
            assert time.monotonic() < end, files_of(server.process.pid)
            time.sleep(0.05)
    assert server.stop() == 0


@pytest.mark.long
def test_https_is_trusted_by_whoever_trusts_the_tables_authority(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path / "data", "--workers", "1", "--https")
    authority = str(tmp_path / "data" / "certificates" / "waymark-authority.pem")
    assert server.url.startswith("https://")
    server.wait_until_it_answers(verify=authority)
    joined = requests.get(f"{server.url}/join", timeout=PATIENCE_SECONDS, verify=authority)
    assert "/waymark-table.crt" in joined.text
    loaded = requests.get(f"{server.url}/waymark-table.crt", timeout=PATIENCE_SECONDS, verify=authority)
    assert loaded.headers["Content-Type"] == "application/x-x509-ca-cert"
    assert x509.load_pem_x509_certificate(loaded.content).subject.rfc4514_string() == "CN=Waymark table"
    assert "Secure" in joined.headers["Set-Cookie"]
    assert server.stop() == 0


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
def test_it_listens_at_every_kind_of_address(tmp_path: Path, host: str) -> None:
    app = create_app(ServerConfig(data=tmp_path / "data", scan_workers=0))
    try:
        server = listen(app, Address(host, free_port()))
    except OSError as error:
        pytest.skip(f"this machine has no such address: {error}")
    thread = threading.Thread(target=server.run)
    thread.start()
    found = socket.getaddrinfo(host, server.port, type=socket.SOCK_STREAM)
    for family, kind, protocol, _, where in found:
        with socket.socket(family, kind, protocol) as connection:
            connection.connect(where)
            connection.sendall(b"GET /static/icon.svg HTTP/1.0\r\n\r\n")
            assert connection.recv(12) == b"HTTP/1.1 200"
    server.stop()
    thread.join()


@pytest.mark.long
def test_a_port_that_is_taken_is_told_in_a_sentence(tmp_path: Path) -> None:
    port = free_port()
    server = ServerProcess(tmp_path / "data", "--workers", "1", port=port)
    second = subprocess.run(
        [
            *SERVE,
            "--host",
            "127.0.0.1",
            "--port",
            str(port),
            "--data",
            str(tmp_path / "other"),
            "--lang",
            "ja",
        ],
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
    )
    server.stop()
    assert second.returncode == 3
    assert second.stderr.startswith("waymark: ") and "別の --port" in second.stderr
    assert second.stderr.count("\n") == 1


def test_certificates_are_kept_until_another_name_is_needed(tmp_path: Path) -> None:
    first = local_certificates(tmp_path, ["localhost", "192.168.1.5"])
    before = first.server.read_bytes(), first.authority.read_bytes()
    assert local_certificates(tmp_path, ["localhost"]).server.read_bytes() == before[0]
    moved = local_certificates(tmp_path, ["localhost", "192.168.1.77"])
    assert moved.server.read_bytes() != before[0]
    # Devices that trust the authority go on trusting it.
    assert moved.authority.read_bytes() == before[1]
    assert first.key.stat().st_mode & 0o077 == 0


def test_browsers_and_phones_take_the_certificate(tmp_path: Path) -> None:
    files = local_certificates(tmp_path, ["localhost", "192.168.1.5", "fe80::1"])
    server, authority = (
        x509.load_pem_x509_certificate(file.read_bytes()) for file in (files.server, files.authority)
    )
    server.verify_directly_issued_by(authority)
    assert server.not_valid_after_utc - server.not_valid_before_utc <= timedelta(days=398)
    names = server.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.DNSName) == ["localhost"]
    assert [str(a) for a in names.get_values_for_type(x509.IPAddress)] == ["192.168.1.5", "fe80::1"]
    # Strict programs follow these from one to the other.
    signed_by = server.extensions.get_extension_for_class(x509.AuthorityKeyIdentifier).value
    signing = authority.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value
    assert signed_by.key_identifier == signing.digest


def test_the_authority_of_an_older_table_goes_on_signing(tmp_path: Path) -> None:
    """Devices trust it already; it has no key identifier."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Waymark table")])
    now = datetime.now(UTC)
    older = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=3650))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    (tmp_path / "waymark-authority.pem").write_bytes(older.public_bytes(pem))
    (tmp_path / "authority-key.pem").write_bytes(
        key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    files = local_certificates(tmp_path, ["localhost"])
    x509.load_pem_x509_certificate(files.server.read_bytes()).verify_directly_issued_by(older)
    assert files.authority.read_bytes() == older.public_bytes(pem)


def test_the_authority_signs_for_this_table_alone(tmp_path: Path) -> None:
    """A device that trusts it is deceived by nobody who has come by its key."""
    files = local_certificates(tmp_path, ["localhost", "192.168.1.5", "table.example.com"])
    authority = x509.load_pem_x509_certificate(files.authority.read_bytes())

    def is_taken(name: str) -> bool:
        store = verification.Store([authority])
        builder = verification.PolicyBuilder().store(store)
        leaf = x509.load_pem_x509_certificate(files.server.read_bytes())
        try:
            builder.build_server_verifier(x509.DNSName(name)).verify(leaf, [])
        except verification.VerificationError:
            return False
        return True

    assert is_taken("localhost") and is_taken("table.example.com")
    certificates._make_server(files, tmp_path / "authority-key.pem", ["bank.example"])
    assert not is_taken("bank.example")


def test_a_name_of_the_home_network_needs_no_other_authority(tmp_path: Path) -> None:
    first = local_certificates(tmp_path, ["localhost"]).authority.read_bytes()
    moved = local_certificates(tmp_path, ["localhost", "10.1.2.3", "fe80::7", "pi.local", "box.home.arpa"])
    assert moved.authority.read_bytes() == first
    # Another name does: devices are asked once more.
    named = local_certificates(tmp_path, ["localhost", "table.example.com"])
    assert named.authority.read_bytes() != first
    server, authority = (
        x509.load_pem_x509_certificate(file.read_bytes()) for file in (named.server, named.authority)
    )
    server.verify_directly_issued_by(authority)


@pytest.mark.parametrize(
    ("trusted", "told", "seen"),
    [
        ((), "203.0.113.9", "127.0.0.1"),
        (("127.0.0.0/8",), "203.0.113.9", "203.0.113.9"),
        (("127.0.0.1", "10.0.0.1"), "198.51.100.1, 203.0.113.9, 10.0.0.1", "203.0.113.9"),
        (("10.0.0.1",), "203.0.113.9", "127.0.0.1"),
    ],
)
def test_a_trusted_proxy_names_the_device(
    tmp_path: Path, trusted: tuple[str, ...], told: str, seen: str
) -> None:
    app = create_app(ServerConfig(data=tmp_path / "data", scan_workers=0, trusted_proxies=trusted))
    app.add_url_rule("/who", view_func=lambda: f"{request.remote_addr} {request.scheme}")
    server = listen(app, Address("127.0.0.1", 0))
    thread = threading.Thread(target=server.run)
    thread.start()
    headers = {"X-Forwarded-For": told, "X-Forwarded-Proto": "https"}
    answer = requests.get(f"http://127.0.0.1:{server.port}/who", headers=headers, timeout=PATIENCE_SECONDS)
    server.stop()
    thread.join()
    assert answer.text == f"{seen} {'http' if seen == '127.0.0.1' else 'https'}"


def test_the_pin_comes_by_file_or_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[ServerConfig] = []
    monkeypatch.setattr("webapp.server.serve", lambda config, *_, **__: given.append(config))
    (tmp_path / "pin").write_text("２４６８\nnever read\n")
    proxies = ("--trusted-proxy", "10.0.0.1", "--trusted-proxy", "172.16.0.0/12")
    assert run_here("serve", "--pin-file", tmp_path / "pin", *proxies).exit_code == 0
    assert run_here("serve", WAYMARK_PIN="1357").exit_code == 0
    assert run_here("serve").exit_code == 0
    assert [config.pin for config in given] == ["２４６８", "1357", None]
    assert given[0].trusted_proxies == ("10.0.0.1/32", "172.16.0.0/12")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--pin", "2468"], "--pin-file"),
        (["--pin-file", "/nowhere"], "--pin-file"),
        (["--pin-file", os.devnull], "--pin-file"),
        (["--trusted-proxy", "somebody"], "--trusted-proxy"),
    ],
)
def test_a_pin_that_others_could_read_is_refused(options: list[str], told: str) -> None:
    ended = run_here("serve", *options)
    assert ended.exit_code == 2 and told in ended.stderr and "2468" not in ended.stderr


def test_nobody_else_looks_into_the_data_folder(tmp_path: Path) -> None:
    create_app(ServerConfig(data=tmp_path / "data", scan_workers=0))
    assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700
    # One of an older version is closed, too; one with other things in it is not ours to close.
    (tmp_path / "data").chmod(0o755)
    create_app(ServerConfig(data=tmp_path / "data", scan_workers=0))
    assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700
    (tmp_path / "shared").mkdir(mode=0o755)
    (tmp_path / "shared" / "letter.txt").write_text("?")
    create_app(ServerConfig(data=tmp_path / "shared", scan_workers=0))
    assert (tmp_path / "shared").stat().st_mode & 0o777 == 0o755


def test_a_certificate_is_renewed_before_it_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = local_certificates(tmp_path, ["localhost"]).server.read_bytes()
    monkeypatch.setattr("webapp.http.certificates._RENEW_DAYS", 398)
    assert local_certificates(tmp_path, ["localhost"]).server.read_bytes() != first


def test_the_join_page_shows_the_address_as_a_qr_code(client: FlaskClient) -> None:
    page = client.get("/join", base_url="http://192.168.1.5:8080").get_data(as_text=True)
    assert "http://192.168.1.5:8080/" in page
    assert str(qr_code("http://192.168.1.5:8080/")) in page
    assert not re.search(r"<svg[^>]*style=", page)


@pytest.mark.parametrize(
    ("options", "code"),
    long_but(
        [
            (["--data", "/proc/waymark"], "not-writable"),
            (["--database", "postgresql+psycopg://nobody@127.0.0.1:1/none"], "no-database"),
            (["--database", "nonsense"], "no-database"),
            (["--catalogue", "/nowhere"], "no-catalogue"),
        ],
        0,
        1,
    ),
)
def test_what_cannot_be_used_is_told_in_a_sentence(tmp_path: Path, options: list[str], code: str) -> None:
    data = [] if "--data" in options else ["--data", str(tmp_path / "data")]
    done = subprocess.run(
        [*SERVE, "--host", "127.0.0.1", "--port", str(free_port()), *data, *options, "--json", "-"],
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
    )
    assert done.returncode == 3
    assert done.stderr.startswith("waymark: ") and done.stderr.count("\n") == 1
    assert json.loads(done.stdout)["error"]["code"] == code


def test_a_server_for_this_device_alone_invites_nobody(config: ServerConfig) -> None:
    page = (
        create_app(replace(config, alone=True)).test_client().get("/join", base_url="http://127.0.0.1:8080")
    )
    assert "<svg" not in page.get_data(as_text=True).split("<main", 1)[1]
    assert "--host" in page.get_data(as_text=True)


@pytest.mark.parametrize(("host", "invites"), [("127.0.0.1", False), ("192.168.1.5", True)])
def test_a_code_to_scan_is_shown_where_other_devices_can_come_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str, invites: bool
) -> None:
    def open_and_load(_config: ServerConfig, host: str, port: int, **tell: Callable[..., None]) -> None:
        tell["on_start"](Address(host, port))
        tell["on_ready"]()

    monkeypatch.setattr("webapp.server.serve", open_and_load)
    told = run_here("serve", "--host", host, "--data", tmp_path / "data").stdout
    assert told.rstrip().endswith("photos are read at once.")
    assert f"http://{host}:8080/" in told
    assert ("Scan this" in told) == ("█" in told) == invites


def test_the_data_folder_is_where_the_system_wants_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setattr("webapp.config.user_data_path", lambda name, appauthor: tmp_path / "Library" / name)
    assert default_data_folder() == tmp_path / "Library" / "waymark"
    # Until now it was here on every system.
    older = tmp_path / ".local" / "share" / "waymark"
    older.mkdir(parents=True)
    assert default_data_folder() == ServerConfig().data == older
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "named"))
    (tmp_path / "named" / "waymark").mkdir(parents=True)
    assert default_data_folder() == tmp_path / "named" / "waymark"


@pytest.mark.parametrize(
    ("host", "alone"),
    [("127.0.0.1", True), ("localhost", True), ("::1", True), ("0.0.0.0", False), ("192.168.1.5", False)],
)
def test_only_the_loopback_address_keeps_others_out(host: str, alone: bool) -> None:
    assert is_loopback(host) == alone


def test_a_health_check_needs_no_pin(config: ServerConfig) -> None:
    app = create_app(replace(config, pin="2468"))
    answer = app.test_client().get("/healthz")
    assert (answer.status_code, answer.text) == (200, "ok\n")
    assert app.test_client().get("/").status_code == 302
    app.extensions[KEY].database.engine.dispose()
