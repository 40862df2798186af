"""Nobody keeps others from the table: so many connections, threads and bytes of one address and in all, while
others are served."""

from __future__ import annotations

import asyncio
import errno
import io
import json
import os
import shutil
import socket
import tempfile
import threading
import time
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import psutil
import pytest
import requests
from flask.testing import FlaskClient
from live_server import PHOTOS, LiveServer
from patience import PATIENCE_SECONDS
from sqlalchemy import text
from sqlalchemy.exc import TimeoutError as NoConnection

from tools.load_test import FromAddress
from webapp.config import ServerConfig
from webapp.http import connection_limits as guests_module
from webapp.http import exchange, intake, time_limits
from webapp.http.api import log as log_api
from webapp.http.body_limits import MAX_FIELDS, MAX_PHOTO_PARTS
from webapp.http.connection_limits import CONNECTIONS_OF_ADDRESS, Connection, Guests
from webapp.http.fair_queue import Turns
from webapp.http.intake import Intake
from webapp.store import photos
from webapp.store.database import Database

#: Loopback addresses of two devices.
GREEDY, OTHER = "127.0.0.7", "127.0.0.8"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveServer]:
    server = LiveServer(ServerConfig(data=tmp_path / "data", scan_workers=0, requests_per_minute=100_000))
    yield server
    server.stop()


def connect(server: LiveServer, address: str) -> socket.socket:
    where = ("127.0.0.1", int(server.url.rpartition(":")[2]))
    return socket.create_connection(where, timeout=PATIENCE_SECONDS, source_address=(address, 0))


def sees_a_page(server: LiveServer, address: str = OTHER) -> bool:
    """Whether a device of that address gets the start page."""
    with connect(server, address) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        told = b""
        while more := connection.recv(65536):
            told += more
    return told.startswith(b"HTTP/1.1 200") and b"Waymark" in told


def open_at(server: LiveServer) -> int:
    """How many connections the server holds."""
    port = int(server.url.rpartition(":")[2])
    return sum(1 for c in psutil.Process().net_connections("tcp") if c.laddr.port == port and c.raddr)


def wait_for(wanted: Any) -> None:
    end = time.monotonic() + PATIENCE_SECONDS
    while not wanted():
        assert time.monotonic() < end
        time.sleep(0.02)


# --- connections --------------------------------------------------------------------------------------------


def test_one_address_has_so_many_connections_and_others_come_in(server: LiveServer) -> None:
    beginnings = [b"", b"GET / HT", b"POST /api/v1/photos HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n"]
    with ExitStack() as stack:
        for number in range(450):
            connection = stack.enter_context(connect(server, GREEDY))
            with suppress(OSError):  # It may have had to leave already.
                connection.sendall(beginnings[number % 3])
        assert sees_a_page(server)
        wait_for(lambda: open_at(server) <= CONNECTIONS_OF_ADDRESS)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> Guests:
    """Room for ten, six of one address."""
    monkeypatch.setattr(guests_module, "MAX_CONNECTIONS", 10)
    monkeypatch.setattr(guests_module, "CONNECTIONS_OF_ADDRESS", 6)
    return Guests(["10.9.0.0/16"])


def come(guests: Guests, host: str, port: int, *, busy: bool = False) -> Connection | None:
    connection = Connection()
    if not guests.let_in(connection, (host, port)):
        connection.close()
        return None
    if busy:
        guests.of((host, port)).begin()
    return connection


def hosts(guests: Guests) -> dict[str, int]:
    found: dict[str, int] = {}
    for guest in guests._here.values():
        found[guest.host] = found.get(guest.host, 0) + 1
    return found


def test_an_address_makes_way_for_itself_first(few: Guests) -> None:
    held = [come(few, "a", port, busy=port > 0) for port in range(6)]
    assert come(few, "a", 6) is not None and hosts(few) == {"a": 6}
    # The only one that waited for nothing has left.
    assert ("a", 0) not in few._here
    few.of(("a", 6)).begin()
    assert come(few, "a", 7) is None and hosts(few) == {"a": 6}
    del held


def test_who_holds_most_makes_way_where_all_is_full(few: Guests) -> None:
    held = [come(few, host, port, busy=True) for host in ("a", "b") for port in range(5)]
    assert all(held) and come(few, "c", 0) is not None
    assert sorted(hosts(few).values()) == [1, 4, 5]
    # However many addresses there are, each with little: an idle one goes, and none that is answered.
    many = [come(few, f"d{number}", 0) for number in range(30)]
    assert len(few) == 10 and len(set(hosts(few))) >= 7
    del held, many


def test_closed_connections_make_room(few: Guests) -> None:
    held = [come(few, "a", port, busy=True) for port in range(6)]
    assert come(few, "a", 6) is None
    for connection in held:
        assert connection is not None
        connection.close()
        connection.close()
    assert len(few) == 0 and few.leaving == 0
    assert come(few, "a", 7) is not None


def test_a_proxy_stands_for_many(few: Guests) -> None:
    held = [come(few, "10.9.0.1", port, busy=True) for port in range(10)]
    assert all(held) and come(few, "a", 0) is None


# --- threads ------------------------------------------------------------------------------------------------


def in_a_loop(work: Coroutine[Any, Any, None]) -> None:
    """Run it in a thread of its own: a browser's loop runs in this one at times."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, work).result(PATIENCE_SECONDS)


def test_threads_are_given_in_turn() -> None:
    order: list[str] = []

    async def ask(turns: Turns, address: str) -> None:
        async with turns.place(address):
            order.append(address)
            await asyncio.sleep(0)

    async def all_of_them() -> None:
        turns = Turns(2, 1)
        await asyncio.gather(*(ask(turns, address) for address in ["a"] * 20 + ["b"] + ["c"] * 2))
        assert not turns._waiting and not turns._taken and not turns._served
        assert turns._free == 2

    in_a_loop(all_of_them())
    assert len(order) == 23
    assert order.index("b") <= 3 and order.index("c") <= 3


def test_who_gives_up_waiting_takes_no_place() -> None:
    async def give_up() -> None:
        turns = Turns(1, 1)

        async def ask() -> None:
            async with turns.place("a"):
                await asyncio.sleep(3600)

        first, second = asyncio.create_task(ask()), asyncio.create_task(ask())
        await asyncio.sleep(0)
        second.cancel()
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.gather(first, second, return_exceptions=True)
        async with asyncio.timeout(PATIENCE_SECONDS), turns.place("b"):
            pass
        assert turns._free == 1 and not turns._waiting

    in_a_loop(give_up())


# --- exports ------------------------------------------------------------------------------------------------


def test_exports_that_nobody_reads_leave_the_database_to_others(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Sixteen took every connection to the database: all others waited for 30 seconds, and failed."""
    begun: list[int] = []
    ended: list[int] = []

    def endless(database: Database, _originals: object) -> Iterator[bytes]:
        with database.snapshot() as session:
            session.execute(text("SELECT 1"))
            begun.append(1)
            try:
                while True:
                    yield bytes(100_000)
            finally:
                ended.append(1)

    monkeypatch.setattr(log_api, "log_zip", endless)
    with ExitStack() as stack:
        for number in range(48):
            connection = stack.enter_context(connect(server, f"127.0.0.{20 + number // 3}"))
            connection.sendall(b"GET /api/v1/log HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        wait_for(lambda: len(begun) == 4)
        # Whoever found no connection left would be told so at once.
        monkeypatch.setattr(server.services.database.engine.pool, "_timeout", 0)
        assert sees_a_page(server)
        assert len(begun) == 4
    # Who comes later has the places of those who have gone.
    with connect(server, OTHER) as connection:
        connection.sendall(b"GET /api/v1/export/games.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert connection.recv(65536).startswith(b"HTTP/1.1 200")
    wait_for(lambda: len(ended) == len(begun))
    pool: Any = server.services.database.engine.pool
    wait_for(lambda: pool.checkedout() == 0)
    assert not [each for each in caplog.records if each.levelname == "ERROR"]


def test_who_gets_no_connection_to_the_database_is_told_so(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = server.services.database.engine
    monkeypatch.setattr(engine.pool, "_timeout", 0.1)
    with ExitStack() as stack:
        with suppress(NoConnection):
            while True:
                stack.enter_context(engine.connect())
        answer = requests.get(f"{server.url}/api/v1/games", timeout=PATIENCE_SECONDS)
    assert answer.status_code == 503 and answer.json()["error"]["code"] == "busy"
    assert sees_a_page(server)


# --- requests sent ahead, slow bodies, what is being received -----------------------------------------------


def test_thousands_of_requests_sent_ahead_wait_with_their_client(server: LiveServer) -> None:
    """Each took 5 kB here, however many came: now one is looked at at a time, and the rest is not read."""
    with connect(server, GREEDY) as connection:
        connection.settimeout(1)
        with pytest.raises(OSError):
            for _ in range(2000):
                connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" * 500)
        assert sees_a_page(server)
    wait_for(lambda: open_at(server) == 0)


def test_a_body_that_dribbles_is_given_up(server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time_limits, "BODY_SECONDS", 1)
    with connect(server, GREEDY) as connection:
        connection.sendall(
            b"POST /api/v1/photos HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999\r\n\r\n"
        )

        def is_closed() -> bool:
            # Never silent for as long as a client may be.
            with suppress(OSError):
                connection.sendall(b"x")
            return open_at(server) == 0

        wait_for(is_closed)


def test_bodies_take_so_much_of_the_disk(server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    photo = (PHOTOS / "table-04.jpg").read_bytes()
    monkeypatch.setattr(intake, "RECEIVING_BYTES", 5 * len(photo) // 2)
    head = b"POST /api/v1/photos HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 60000000\r\n\r\n"
    with connect(server, GREEDY) as first, connect(server, GREEDY) as second:
        first.sendall(head + photo)
        wait_for(lambda: intake_of(server)._received[GREEDY] >= len(photo))
        second.sendall(head + photo)
        # One address has half of it.
        assert second.recv(65536).startswith(b"HTTP/1.1 503")
        assert sees_a_page(server)
        files = {"photo": ("p.jpg", photo)}
        sent = requests.post(f"{server.url}/api/v1/photos", files=files, timeout=PATIENCE_SECONDS)
        assert sent.status_code == 202
    wait_for(lambda: not intake_of(server)._received)


class FullDisk(io.RawIOBase):
    """A file on a disk that has no room for a single byte, on any system."""

    def readable(self) -> bool:
        return True

    writable = seekable = readable

    def seek(self, *_where: Any) -> int:
        return 0

    def write(self, _data: Any, /) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("size", [1200, 100_000], ids=["in a buffer yet", "at once"])
def test_a_body_that_the_disk_has_no_room_for_is_answered(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, size: int
) -> None:
    # What is larger than memory is kept on a disk that takes nothing.
    monkeypatch.setattr(intake, "IN_MEMORY_BYTES", 1000)
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda **_: io.BufferedRandom(FullDisk()))
    photo = (PHOTOS / "table-07.jpg").read_bytes()[:size]
    files = {"photo": ("p.jpg", photo)}
    sent = requests.post(f"{server.url}/api/v1/photos", files=files, timeout=PATIENCE_SECONDS)
    assert sent.status_code == 507 and sent.json()["error"]["code"] == "disk-full"
    assert "make room" in sent.json()["error"]["message"]
    monkeypatch.undo()
    assert sees_a_page(server)
    wait_for(lambda: not intake_of(server)._received)
    assert not [each for each in caplog.records if each.name in (intake.log.name, exchange.log.name)]


def test_a_log_larger_than_the_disk_is_refused_by_its_header(server: LiveServer) -> None:
    room = shutil.disk_usage(server.services.config.receiving).free
    head = f"POST /api/v1/log HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {2 * room}\r\n\r\n"
    with connect(server, GREEDY) as connection:
        connection.sendall(head.encode())
        assert connection.recv(65536).startswith(b"HTTP/1.1 507")


def intake_of(server: LiveServer) -> Intake:
    return server._server.intake


# --- work in proportion to what is sent ---------------------------------------------------------------------


def test_a_title_is_a_line(client: FlaskClient) -> None:
    for title, status in (("x" * 300, 201), ("x" * 301, 400), ("x" * 600_000, 400)):
        assert client.post("/api/v1/tableaus", json={"title": title}).status_code == status


@pytest.mark.parametrize(("path", "field"), [("/api/v1/tableaus", "settings"), ("/api/v1/tableaus", "terms")])
def test_many_fields_are_looked_through_once(client: FlaskClient, path: str, field: str) -> None:
    """Once each was counted among all the others: a body of 2 MB took ten minutes."""
    body = {field: {f"{number:x}": 1 for number in range(150_000)}}
    answer = client.post(path, data=json.dumps(body), content_type="application/json")
    assert answer.status_code == 400 and len(answer.data) < 2000


def test_a_field_that_is_there_twice_is_still_told(client: FlaskClient) -> None:
    answer = client.post(
        "/api/v1/tableaus", data=b'{"terms": {"a": 1, "b": 2, "a": 3}}', content_type="application/json"
    )
    assert answer.status_code == 400 and "'a' is there twice" in answer.text


def test_a_form_has_so_many_fields(client: FlaskClient) -> None:
    for path in ("/language", "/api/v1/tableaus"):
        answer = client.post(path, data="a=1&" * MAX_FIELDS, content_type="application/x-www-form-urlencoded")
        assert answer.status_code == 413
    assert client.get("/api/v1/games?" + "a=1&" * MAX_FIELDS).status_code == 400


def test_a_form_with_photos_has_so_many_parts(client: FlaskClient) -> None:
    part = b'--x\r\nContent-Disposition: form-data; name="photo"; filename="p"\r\n\r\n\xff\xd8\xff\r\n'
    body = part * (MAX_PHOTO_PARTS + 1) + b"--x--\r\n"
    answer = client.post("/api/v1/photos", data=body, content_type="multipart/form-data; boundary=x")
    assert answer.status_code == 413


# --- pictures -----------------------------------------------------------------------------------------------


def test_twelve_copies_are_made_one_at_a_time_and_pages_come(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twelve together took 5 to 9 GB."""
    photo = (PHOTOS / "table-07.jpg").read_bytes()
    sent = requests.post(
        f"{server.url}/api/v1/photos", files={"photo": ("p.jpg", photo)}, timeout=PATIENCE_SECONDS
    ).json()
    address = f"{server.url}/photos/{sent['shot']['photo_id']}"
    go_on, at_work, most = threading.Event(), [], []
    make = photos._smaller

    def slow(*arguments: Any) -> bytes:
        at_work.append(1)
        most.append(len(at_work))
        assert go_on.wait(PATIENCE_SECONDS)
        at_work.pop()
        return make(*arguments)

    monkeypatch.setattr(photos, "_smaller", slow)

    def ask(number: int) -> int:
        with requests.Session() as session:
            session.mount("http://", FromAddress(f"127.0.0.{20 + number}"))
            size = (480, 1600, 3200)[number % 3]
            return session.get(f"{address}/{size}.jpg", timeout=PATIENCE_SECONDS).status_code

    with ThreadPoolExecutor(12) as pool:
        asked = [pool.submit(ask, number) for number in range(12)]
        wait_for(lambda: len(at_work) == 1)
        assert sees_a_page(server)
        go_on.set()
        assert {each.result() for each in asked} == {200}
    assert max(most) == 1
