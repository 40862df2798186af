"""What happens to requests before the app has them: refused by their header where they are too large, never
mistaken for another, and slow ones hold up nobody."""

from __future__ import annotations

import json
import os
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import replace
from http.client import HTTPResponse
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import psutil
import pytest
import requests
from flask import Response, request, stream_with_context
from live_server import PHOTOS, LiveServer
from long_rest import long_but
from patience import PATIENCE_SECONDS
from server_process import ServerProcess, files_of

from webapp.app import create_app
from webapp.config import MEGABYTE, ServerConfig
from webapp.http import time_limits
from webapp.http.addresses import Address
from webapp.http.body_limits import MAX_FORM_BYTES
from webapp.http.connection_limits import Guests
from webapp.http.intake import IN_MEMORY_BYTES, THREADS
from webapp.http.listening import listen
from webapp.http.wsgi import PIECE_BYTES

MANY = 20


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    config = ServerConfig(data=tmp_path_factory.mktemp("intake") / "data", scan_workers=0)
    server = LiveServer(replace(config, requests_per_minute=100_000, uploads_per_minute=100_000))
    yield server
    server.stop()


def connect(url: str, authority: Path | None = None) -> socket.socket:
    scheme, _, rest = url.partition("://")
    host, _, port = rest.partition(":")
    plain = socket.create_connection((host, int(port)), timeout=PATIENCE_SECONDS)
    if scheme == "http":
        return plain
    return ssl.create_default_context(cafile=str(authority)).wrap_socket(plain, server_hostname=host)


def answer_on(connection: socket.socket) -> tuple[HTTPResponse, bytes]:
    answer = HTTPResponse(connection)
    answer.begin()
    return answer, answer.read()


def head(line: str, *headers: str) -> bytes:
    return "\r\n".join([f"{line} HTTP/1.1", "Host: 127.0.0.1", *headers, "", ""]).encode()


# --- too large ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "length"),
    [
        ("/api/v1/photos", 1_000_000_000),
        ("/capture", 65 * MEGABYTE),
        ("/api/v1/log", (1 << 50) + 1),
        ("/api/v1/outlines", 3 * MEGABYTE),
        ("/api/v1/games", 3 * MEGABYTE),
        ("/games/new", 3 * MEGABYTE),
        ("/nowhere", 3 * MEGABYTE),
        ("//api/v1/log", 3 * MEGABYTE),
        ("/api/v1/photos?x=/api/v1/log", 65 * MEGABYTE),
    ],
)
@pytest.mark.parametrize("more", [[], ["Expect: 100-continue"]])
def test_what_is_too_large_is_refused_before_it_is_sent(
    server: LiveServer, path: str, length: int, more: list[str]
) -> None:
    with connect(server.url) as connection:
        # No byte of the body is ever sent.
        connection.sendall(head(f"POST {path}", f"Content-Length: {length}", "Accept-Language: ja", *more))
        answer, body = answer_on(connection)
    assert (answer.status, answer.headers["Connection"]) == (413, "close")
    told = "大きすぎて受け取れません。小さいファイルを送ってください。"
    if "json" in answer.headers["Content-Type"]:
        assert path.lstrip("/").startswith("api/")
        assert json.loads(body) == {"error": {"code": "too-large", "message": told}}
    else:
        assert told in body.decode()


def test_a_body_of_unknown_length_is_refused_when_it_has_become_too_large(server: LiveServer) -> None:
    chunk = b"10000\r\n" + bytes(0x10000) + b"\r\n"
    with connect(server.url) as connection:
        connection.sendall(head("POST /api/v1/games", "Transfer-Encoding: chunked"))
        for _ in range(3 * MEGABYTE // 0x10000):
            connection.sendall(chunk)
        answer, _ = answer_on(connection)
    assert answer.status == 413


def test_who_goes_on_sending_still_gets_the_answer(server: LiveServer) -> None:
    with connect(server.url) as connection:
        connection.sendall(head("POST /api/v1/photos", "Content-Length: 1000000000"))
        for _ in range(40):
            connection.sendall(bytes(MEGABYTE // 2))
        answer, body = answer_on(connection)
    assert answer.status == 413 and json.loads(body)["error"]["code"] == "too-large"


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A table with a PIN."""
    config = ServerConfig(data=tmp_path_factory.mktemp("guarded") / "data", scan_workers=0, pin="2468")
    server = LiveServer(config)
    yield server
    server.stop()


@pytest.mark.parametrize("length", ["Content-Length: 30000000", "Transfer-Encoding: chunked"])
@pytest.mark.parametrize(
    ("more", "status"),
    [
        ([], 401),
        (["Authorization: Bearer 1111"], 401),
        (["Authorization: Bearer 2468", "Origin: http://evil.example"], 403),
        (["Authorization: Bearer 2468", "Sec-Fetch-Site: cross-site"], 403),
    ],
)
def test_who_may_not_write_here_sends_nothing_large(
    guarded: LiveServer, length: str, more: list[str], status: int
) -> None:
    with connect(guarded.url) as connection:
        connection.sendall(head("POST /api/v1/log", length, *more))
        answer, body = answer_on(connection)
    assert answer.status == status
    assert json.loads(body)["error"]["code"] == {401: "pin-needed", 403: "forbidden"}[status]


def test_who_has_the_pin_sends_photos(guarded: LiveServer) -> None:
    photo = (PHOTOS / "table-04.jpg").read_bytes()
    assert len(photo) > MAX_FORM_BYTES
    sent = requests.post(
        f"{guarded.url}/api/v1/photos",
        files={"photo": ("p.jpg", photo)},
        headers={"Authorization": "Bearer 2468"},
        timeout=PATIENCE_SECONDS,
    )
    assert sent.status_code == 202


def test_what_is_refused_fills_no_disk(server: LiveServer) -> None:
    def spilled() -> set[str]:
        # What is being received has no name. Files with one are databases, which servers open as they like.
        folders = gettempdir(), str(server.services.config.receiving)
        nameless = (file for file in files_of(os.getpid()) if file.endswith(" (deleted)"))
        return {file for file in nameless if file.startswith(folders)}

    before = spilled()  # what another test has left open may be closed at any time
    with ExitStack() as stack:
        for _ in range(MANY):
            connection = stack.enter_context(connect(server.url))
            connection.sendall(head("POST /api/v1/photos", "Content-Length: 1000000000"))
            connection.sendall(bytes(MEGABYTE))
            assert answer_on(connection)[0].status == 413
            # What was open before may be closed since.
            assert spilled() <= before


@pytest.mark.parametrize(
    "endless",
    [
        head("POST /api/v1/photos", "Transfer-Encoding: chunked") + b"1",
        b"GET /api/v1/games HTTP/1.1\r\nHost: 127.0.0.1\r\nA: x",
    ],
    ids=["a chunk's length", "a header"],
)
def test_a_line_without_an_end_is_not_gathered(server: LiveServer, endless: bytes) -> None:
    with connect(server.url) as connection:
        connection.sendall(endless)
        # It is told 400, and cut off while it is still sending: it may see either.
        with pytest.raises(OSError):
            for _ in range(64):
                connection.sendall(endless[-1:] * MEGABYTE)


def test_a_header_that_is_too_large_is_refused(server: LiveServer) -> None:
    with connect(server.url) as connection:
        connection.sendall(head("GET /api/v1/games", *(f"A{n}: {'x' * 1000}" for n in range(40))))
        assert answer_on(connection)[0].status == 400


def test_who_still_sends_what_the_parser_refuses_gets_the_answer(server: LiveServer) -> None:
    with connect(server.url) as connection:
        connection.sendall(b"POST /api/v1/photos HTTP/1.1\r\n\r\n")
        for _ in range(8):
            connection.sendall(bytes(MEGABYTE // 2))
        answer, body = answer_on(connection)
    assert (answer.status, body) == (400, b"Invalid HTTP request received.")


def test_a_client_that_asks_before_it_sends_is_told_to_go_on(server: LiveServer) -> None:
    body = b'{"players": [{"name": "A", "colour": "red"}, {"name": "B", "colour": "blue"}]}'
    request = head("POST /api/v1/games", f"Content-Length: {len(body)}", "Expect: 100-continue")
    with connect(server.url) as connection:
        connection.sendall(request.replace(b"\r\n\r\n", b"\r\nContent-Type: application/json\r\n\r\n"))
        assert connection.recv(65536) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(body)
        assert answer_on(connection)[0].status == 201


def test_a_body_may_come_in_chunks(server: LiveServer) -> None:
    players = [{"name": "A", "colour": "red"}, {"name": "B", "colour": "blue"}]
    pieces = [piece.encode() for piece in json.dumps({"players": players}).partition(",")]
    begun = requests.post(
        f"{server.url}/api/v1/games",
        data=iter(pieces),
        headers={"Content-Type": "application/json"},
        timeout=PATIENCE_SECONDS,
    )
    assert begun.status_code == 201, begun.text


def test_head_has_the_headers_and_no_body(server: LiveServer) -> None:
    with connect(server.url) as connection:
        connection.sendall(head("HEAD /static/app.css") + head("GET /api/v1/games", "Connection: close"))
        told = b""
        while more := connection.recv(65536):
            told += more
    first, second = told.split(b"HTTP/1.1 200 OK\r\n")[1:]
    assert first.partition(b"\r\n\r\n")[2] == b"" and b"content-length" in first.lower()
    assert second.endswith(b"]")


def test_no_answer_waits_for_an_acknowledgement(server: LiveServer) -> None:
    """Head and body in two packets once took 44 ms each time: Nagle's algorithm, and delayed
    acknowledgements. Without they take 2 ms, on a busy machine now and then."""
    session, end, seconds = requests.Session(), time.monotonic() + PATIENCE_SECONDS, 60.0
    while seconds > 0.03:
        assert time.monotonic() < end
        start = time.monotonic()
        assert session.get(f"{server.url}/static/icon.svg", timeout=PATIENCE_SECONDS).ok
        seconds = time.monotonic() - start


# --- never mistaken for another -----------------------------------------------------------------------------

HIDDEN = b"DELETE /api/v1/log HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


@pytest.mark.parametrize(
    "smuggled",
    [
        head("POST /api/v1/games", "Content-Length: 5", "Transfer-Encoding: chunked") + b"0\r\n\r\n" + HIDDEN,
        head("POST /api/v1/games", f"Content-Length: {len(HIDDEN)}", "Transfer-Encoding: chunked") + HIDDEN,
        head("POST /api/v1/games", "Content-Length: 0", "Content-Length: 50") + HIDDEN,
        head("POST /api/v1/games", "Transfer-Encoding: xchunked") + HIDDEN,
        head("POST /api/v1/games", "Transfer-Encoding : chunked") + b"0\r\n\r\n" + HIDDEN,
        head("POST /api/v1/games", "Transfer-Encoding: chunked") + b"0;\n\r\n\r\n" + HIDDEN,
    ],
)
def test_no_request_hides_in_another(server: LiveServer, smuggled: bytes) -> None:
    with connect(server.url) as connection:
        connection.sendall(smuggled)
        told = b""
        while more := connection.recv(65536):
            told += more
    assert told.count(b"HTTP/1.") == 1 and told.split(b" ")[1] == b"400", told[:200]


def test_who_turns_to_nonsense_while_it_is_refused_fills_no_log(
    server: LiveServer, caplog: pytest.LogCaptureFixture
) -> None:
    refused = head("POST /api/v1/games", "Transfer-Encoding: chunked", "Origin: http://evil.example")
    with connect(server.url) as connection:
        connection.sendall(refused)
        assert connection.recv(65536).startswith(b"HTTP/1.1 403")
        connection.sendall(b"zz\r\n")
        with suppress(OSError):
            while connection.recv(65536):
                pass
    assert not [record for record in caplog.records if record.exc_info]


def test_requests_behind_each_other_are_answered_in_turn(server: LiveServer) -> None:
    with connect(server.url) as connection:
        connection.sendall(head("GET /api/v1/games") + head("GET /api/v1/persons", "Connection: close"))
        told = b""
        while more := connection.recv(65536):
            told += more
    assert told.count(b"HTTP/1.1 200 OK") == 2


# --- slow and gone ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=["http", pytest.param("https", marks=pytest.mark.long)])
def opened(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Path]]:
    """`waymark serve` as a table starts it: its URL, and the authority that vouches for it."""
    data = tmp_path_factory.mktemp(request.param) / "data"
    server = ServerProcess(data, "--workers", "1", *(["--https"] if request.param == "https" else []))
    authority = data / "certificates" / "waymark-authority.pem"
    server.wait_until_it_answers(verify=str(authority) if request.param == "https" else True)
    yield server.url, authority
    assert server.stop() == 0


def see_a_page(url: str, authority: Path) -> None:
    page = requests.get(url, timeout=PATIENCE_SECONDS, verify=str(authority) if "https" in url else True)
    assert page.status_code == 200 and "Waymark" in page.text


def test_slow_clients_hold_up_nobody(opened: tuple[str, Path]) -> None:
    url, authority = opened
    assert MANY > THREADS
    photo = head("POST /api/v1/photos", "Content-Length: 900000")
    beginnings = [b"", b"G", head("GET /")[:-2], photo + b"--"]
    stop = threading.Event()
    with ExitStack() as stack:
        slow = [stack.enter_context(connect(url, authority)) for _ in range(MANY)]
        for number, connection in enumerate(slow):
            connection.sendall(beginnings[number % len(beginnings)])

        def dribble() -> None:
            while not stop.wait(0.5):
                for connection in slow:
                    # The server may have seen enough.
                    with suppress(OSError):
                        connection.sendall(b"x")

        dribbling = threading.Thread(target=dribble)
        dribbling.start()
        for _ in range(5):
            see_a_page(url, authority)
        stop.set()
        dribbling.join()


@pytest.mark.parametrize(
    ("beginning", "limits"),
    long_but(
        [
            (b"", ["HEADER_SECONDS"]),
            (b"GET / HTTP/1.1\r\nHost: 127.", ["HEADER_SECONDS"]),
            (head("GET /static/icon.svg"), ["KEEP_ALIVE_SECONDS"]),
            (head("GET /static/icon.svg") + b"GET /", ["HEADER_SECONDS", "KEEP_ALIVE_SECONDS"]),
            (head("POST /api/v1/photos", "Content-Length: 5000") + b"x", ["SILENT_SECONDS"]),
            (head("GET /static/app.css") * 2000, ["SILENT_SECONDS"]),
            (head("GET /static/icon.svg") + b"\r\n" * 3, ["HEADER_SECONDS", "KEEP_ALIVE_SECONDS"]),
        ],
        1,
        5,
        6,
    ),
    ids=[
        "nothing",
        "half a header",
        "one request",
        "one and a half",
        "half a body",
        "reads nothing",
        "lines after a request",
    ],
)
def test_a_silent_connection_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, beginning: bytes, limits: list[str]
) -> None:
    for seconds in ("HEADER_SECONDS", "KEEP_ALIVE_SECONDS", "SILENT_SECONDS"):
        monkeypatch.setattr(time_limits, seconds, 1 if seconds in limits else 3600)
    came, let_in = threading.Event(), Guests.let_in

    def told(guests: Guests, *who: Any) -> bool:
        came.set()
        return let_in(guests, *who)

    monkeypatch.setattr(Guests, "let_in", told)
    server = LiveServer(ServerConfig(data=tmp_path / "data", scan_workers=0))
    port = int(server.url.rpartition(":")[2])

    def is_open() -> bool:
        return any(c.laddr.port == port and c.raddr for c in psutil.Process().net_connections("tcp"))

    with connect(server.url) as connection:
        connection.sendall(beginning)
        # Told by the server: on a busy machine it may be closed again before anybody looks.
        assert came.wait(PATIENCE_SECONDS)
        end = time.monotonic() + PATIENCE_SECONDS
        while is_open():
            assert time.monotonic() < end
            time.sleep(0.02)
    server.stop()


def test_line_ends_between_requests_keep_no_connection_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seconds in ("HEADER_SECONDS", "KEEP_ALIVE_SECONDS"):
        monkeypatch.setattr(time_limits, seconds, 1)
    server = LiveServer(ServerConfig(data=tmp_path / "data", scan_workers=0))
    with connect(server.url) as connection:
        connection.sendall(head("GET /static/icon.svg"))
        assert answer_on(connection)[0].status == 200
        connection.sendall(b"\r\n")
        while connection.recv(65536):
            pass  # They begin no request, and are told so.
    server.stop()


def test_clients_that_break_off_leave_nothing_behind(opened: tuple[str, Path]) -> None:
    url, authority = opened
    for part in (b"", b"POST", head("POST /api/v1/photos", "Content-Length: 5000") + b"x" * 4000):
        for _ in range(MANY):
            with connect(url, authority) as connection:
                connection.sendall(part)
    see_a_page(url, authority)


def test_who_speaks_another_protocol_holds_up_nobody(opened: tuple[str, Path]) -> None:
    url, authority = opened
    plain = url.replace("https", "http")
    with ExitStack() as stack:
        for number in range(MANY):
            connection = stack.enter_context(connect(plain))
            # Nothing, the beginning of a handshake, another protocol's.
            connection.sendall([b"", b"\x16\x03\x01\x02", b"SSH-2.0-x\r\n", b"GET / HTTP/1.1"][number % 4])
        see_a_page(url, authority)


def test_a_client_that_reads_nothing_holds_up_nobody(opened: tuple[str, Path]) -> None:
    url, authority = opened
    with ExitStack() as stack:
        for _ in range(MANY):
            connection = stack.enter_context(connect(url, authority))
            connection.sendall(head("GET /static/app.css") * 90)
        see_a_page(url, authority)


def test_an_answer_that_nobody_reads_to_its_end_is_given_up(tmp_path: Path) -> None:
    ended = threading.Event()

    def endless() -> Iterator[bytes]:
        try:
            while True:
                assert request.path == "/endless"
                yield bytes(PIECE_BYTES)
        finally:
            ended.set()

    app = create_app(ServerConfig(data=tmp_path / "data", scan_workers=0))
    app.add_url_rule("/endless", view_func=lambda: Response(stream_with_context(endless())))
    server = listen(app, Address("127.0.0.1", 0))
    thread = threading.Thread(target=server.run)
    thread.start()
    with connect(f"http://127.0.0.1:{server.port}") as connection:
        connection.sendall(head("GET /endless"))
        received = 0
        while received < 4 * PIECE_BYTES:
            received += len(connection.recv(65536))
        assert not ended.is_set()
    assert ended.wait(PATIENCE_SECONDS)
    server.stop()
    thread.join()


def test_a_photo_comes_through_whole(opened: tuple[str, Path]) -> None:
    url, authority = opened
    verify = str(authority) if "https" in url else True
    # one of the smaller ones: of the largest, a busy machine makes the copy for a minute
    photo = (PHOTOS / "table-07.jpg").read_bytes()
    assert len(photo) > IN_MEMORY_BYTES
    sent = requests.post(
        f"{url}/api/v1/photos", files={"photo": ("p.jpg", photo)}, timeout=PATIENCE_SECONDS, verify=verify
    )
    assert sent.status_code == 202, sent.text
    photo_id = sent.json()["shot"]["photo_id"]
    address, end = f"{url}/photos/{photo_id}/3200.jpg", time.monotonic() + PATIENCE_SECONDS
    # It is made at its first need, and who asks is told to ask again where that takes its time.
    while (copy := requests.get(address, timeout=PATIENCE_SECONDS, verify=verify)).status_code == 503:
        assert time.monotonic() < end
        time.sleep(int(copy.headers.get("Retry-After", 0)))
    assert copy.status_code == 200 and len(copy.content) == int(copy.headers["Content-Length"])
    assert len(copy.content) > PIECE_BYTES
