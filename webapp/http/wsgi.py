"""Takes requests in for the app, by http and https, and says no as soon as it can know, in the app's words.

The server is uvicorn: one event loop talks to all clients, so that slow ones hold up nobody, and TLS is
asyncio's. A request takes a thread only once its body lies on the disk, and while a piece of its answer is
made. Threads of cheroot and granian wait for bodies: 20 clients that sent a byte each half second stopped all
12. Hypercorn keeps the body for a WSGI app in memory, as large as it is.

What uvicorn leaves open is here: the app is spoken to as ASGI says, and its protocol class is given a limit
for headers and for requests sent ahead, a time for them, for bodies and for readers, and the app's words for
what it cannot parse. Who may come in at all is `guests`, whose turn it is `turns`."""

from __future__ import annotations

import asyncio
import contextvars
import errno
import logging
import os
import shutil
import socket
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from tempfile import SpooledTemporaryFile
from typing import IO, Any, TypeVar
from urllib.parse import unquote_to_bytes

from flask import Flask
from uvicorn import Config, Server
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from werkzeug.test import run_wsgi_app

from webapp.http.addresses import Address
from webapp.http.body_limits import MAX_FORM_BYTES, body_limit, takes_log
from webapp.http.connection_limits import Guest, Guests, open_door
from webapp.http.errors import API_PREFIX
from webapp.http.fair_queue import Turns
from webapp.http.security import REFUSED, refused_by_header
from webapp.http.services import KEY

#: Threads that answer requests, and how many of them one address has at a time; scans run in processes of
#: their own. They share one interpreter: with 12 a page took 0.68 s at worst while 50 addresses attacked two
#: cores, with 8 it takes 0.48 s (`tools/bad_inputs.py`).
THREADS = 8
THREADS_OF_ADDRESS = 4
#: Requests with a large body that are answered at a time: one holds a photo of 64 MB two or three times.
LARGE_AT_A_TIME = 3
#: A whole header comes in this time.
HEADER_SECONDS = 60
#: A connection on which nothing happens in the midst of a body or an answer is closed.
SILENT_SECONDS = 120
#: A body comes no slower than this, once it has had its first minute: two bars of 2G bring ten times as much.
BODY_SECONDS = 60
BODY_BYTES_PER_SECOND = 1000
#: Bodies that are on their way, or wait for their turn, take so much of the disk in all, and of one address
#: half of it. Logs have the whole disk, one at a time.
RECEIVING_BYTES = 8 << 30
#: A browser keeps its connection open between two requests for so long.
KEEP_ALIVE_SECONDS = 75
#: What a client still sends after a refusal is read away for so long, so that it comes to read the answer.
DRAIN_SECONDS = 5
#: Requests that are being answered at the end may come to their end.
STOP_SECONDS = 5
MAX_HEADER_BYTES = 64 * 1024
#: Requests that a client has sent ahead of their answers. Browsers send none; each takes 5 kB.
MAX_AHEAD = 100
#: Where pages find what is made of photos and scores; and what waits for a process that reads, up to two
#: seconds.
COPIES_BELOW, DRAWN_ENDS = "/photos/", ("/ruling.png", "/final.png")
OUTLINES_PATH, CHOICES_END = "/api/v1/outlines", "/card-choices"
#: What is made while it is sent, out of one moment of the database.
EXPORTS = ("/api/v1/log", "/api/v1/export/")
#: Larger bodies are kept on the disk.
IN_MEMORY_BYTES = 512 * 1024
#: An answer is handed over in pieces of about this size.
PIECE_BYTES = 256 * 1024

log = logging.getLogger(__name__)
T = TypeVar("T")
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


@dataclass(frozen=True)
class Listening:
    """A server with its port open, that answers while it is `run()`."""

    port: int
    _server: Server
    _sockets: list[socket.socket]
    _threads: ThreadPoolExecutor

    def run(self) -> None:
        """Answer requests until `stop()`, Ctrl+C (`KeyboardInterrupt`) or SIGTERM (its handler is called)."""
        try:
            self._server.run(self._sockets)
        finally:
            self._threads.shutdown(cancel_futures=True)

    def stop(self) -> None:
        """Have `run` return once what has been asked is answered; from any thread."""
        self._server.should_exit = True


def listen(app: Flask, address: Address) -> Listening:
    """Open the port of a server for the app. Raises `OSError` where the port is taken."""
    threads = ThreadPoolExecutor(THREADS, "request")
    proxies = list(app.extensions[KEY].config.trusted_proxies)
    guests = Guests(proxies)
    config = Config(
        _Bridge(app, threads, guests, proxies),
        http=_Protocol,
        ws="none",
        lifespan="off",
        # The one whose connections are accepted by the socket that it is given.
        loop="asyncio:SelectorEventLoop",
        interface="asgi3",
        # `_Bridge` does it. Whoever else sends a forwarded address would choose by what it is limited.
        proxy_headers=False,
        server_header=False,
        access_log=False,
        log_config=None,
        # Clients that break off or speak nonsense are nothing to report; the app's failures are logged here.
        log_level="critical",
        # So many are taken in before others are looked after.
        backlog=100,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=STOP_SECONDS,
        ssl_certfile=address.certificate,
        ssl_keyfile=address.key,
    )
    # Read before the port is open, so that nothing can fail behind it.
    config.load()
    sockets = _sockets(address.host, address.port, guests)
    return Listening(sockets[0].getsockname()[1], Server(config), sockets, threads)


def _sockets(host: str, port: int, guests: Guests) -> list[socket.socket]:
    """Sockets that listen at all addresses that a name like localhost stands for."""
    found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    opened: list[socket.socket] = []
    try:
        for family, _, _, _, where in found:
            opened.append(open_door(family, where, guests))
    except OSError:
        for each in opened:
            each.close()
        raise
    return opened


class _Gone(Exception):
    """The client has hung up, or nothing came from it for too long."""


@dataclass
class _Body:
    """A request's body where it is kept, and how much of it has come."""

    file: IO[bytes]
    size: int = 0


@contextmanager
def _spooled() -> Iterator[IO[bytes]]:
    """A file for a body, in memory while it is small."""
    file = SpooledTemporaryFile(max_size=IN_MEMORY_BYTES)  # noqa: SIM115 - closed below
    try:
        yield file
    finally:
        # What the disk did not take it would try to write once more.
        with suppress(OSError):
            file.close()


@dataclass(frozen=True)
class _Bridge:
    """The app as ASGI has it. A body is taken in whole, as large as its path allows, before the app is asked;
    the app's answer goes out as fast as the client takes it, and no thread waits for that."""

    app: Flask
    threads: ThreadPoolExecutor
    guests: Guests
    #: Addresses of reverse proxies, whose word is taken for who asks and how.
    proxies: list[str] = field(default_factory=list)
    _turns: Turns = field(default_factory=lambda: Turns(THREADS, THREADS_OF_ADDRESS))
    _large: Turns = field(default_factory=lambda: Turns(LARGE_AT_A_TIME, LARGE_AT_A_TIME - 1))
    #: Taking in a log takes minutes, in which photos come.
    _logs: Turns = field(default_factory=lambda: Turns(1, 1))
    #: They are made one at a time (`webapp.store.render_cache`), for which who asks waits; others are there.
    _pictures: Turns = field(default_factory=lambda: Turns(3, 2))
    #: Each holds a connection to the database until its client has read all of it, or is given up.
    _exports: Turns = field(default_factory=lambda: Turns(4, 1))
    #: Readers are fewer than threads; others are answered meanwhile.
    _glances: Turns = field(default_factory=lambda: Turns(3, 2))
    #: Bytes of bodies that are here, by address.
    _received: Counter[str] = field(default_factory=Counter)

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        if self.proxies:
            await ProxyHeadersMiddleware(self._ask, self.proxies)(scope, receive, send)  # type: ignore[arg-type]
        else:
            await self._ask(scope, receive, send)

    async def _ask(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        try:
            with _spooled() as file:
                environ, body = _environ(scope), _Body(file)
                try:
                    refused = self._refused(environ) or await self._take_in(environ, receive, body)
                    if refused is not None:
                        await self._answer(refusal(environ, refused), receive, send, refused=True)
                        return
                    await self._answer(environ | {"wsgi.input": file}, receive, send)
                finally:
                    self._let_go(environ["REMOTE_ADDR"], body.size)
        except (_Gone, asyncio.CancelledError):
            return
        except Exception:
            log.exception("a request was not answered")
            raise

    def _refused(self, environ: dict[str, Any]) -> int | OSError | None:
        """What to refuse a request with by its header alone."""
        length = int(environ.get("CONTENT_LENGTH", 0))
        coding = environ.get("HTTP_TRANSFER_ENCODING")
        if coding is not None and coding.lower() != "chunked":
            return HTTPStatus.BAD_REQUEST
        config, method, path = (
            self.app.extensions[KEY].config,
            environ["REQUEST_METHOD"],
            environ["PATH_INFO"],
        )
        if length > body_limit(config, method, path):
            return HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        # Let nobody fill the disk who may not write here at all; small bodies wait for the app to say so.
        if coding is None and length <= MAX_FORM_BYTES:
            return None
        if (refused := refused_by_header(self.app, environ)) is not None:
            return refused
        # A log may be as large as the disk has room for.
        if takes_log(method, path) and length > shutil.disk_usage(config.receiving).free:
            return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return None

    async def _take_in(self, environ: dict[str, Any], receive: Receive, body: _Body) -> int | OSError | None:
        """Receive the body; what to refuse it with where it has become too large, or cannot be kept. Raises
        `_Gone`."""
        chunked = environ.pop("HTTP_TRANSFER_ENCODING", None) is not None
        if not chunked and "CONTENT_LENGTH" not in environ:
            return None
        method, path = environ["REQUEST_METHOD"], environ["PATH_INFO"]
        limit = body_limit(self.app.extensions[KEY].config, method, path)
        address = environ["REMOTE_ADDR"]
        more, began = True, time.monotonic()
        while more:
            left = began + BODY_SECONDS + body.size / BODY_BYTES_PER_SECOND - time.monotonic()
            message = await _next(receive, min(SILENT_SECONDS, max(left, 0)))
            piece, more = message["body"], message["more_body"]
            if body.size + len(piece) > limit:
                return HTTPStatus.REQUEST_ENTITY_TOO_LARGE
            if not takes_log(method, path) and (
                self._received.total() + len(piece) > RECEIVING_BYTES
                or self._received[address] + len(piece) > RECEIVING_BYTES // 2
            ):
                return HTTPStatus.SERVICE_UNAVAILABLE
            try:
                body.file.write(piece)
                if not more:
                    # Here what is still in a buffer comes to the disk.
                    body.file.seek(0)
            except OSError as error:
                return error
            body.size += len(piece)
            self._received[address] += len(piece)
        environ["CONTENT_LENGTH"] = str(body.size)
        return None

    def _let_go(self, address: str, size: int) -> None:
        """A body is not kept any longer."""
        self._received[address] -= size
        if self._received[address] <= 0:
            del self._received[address]

    @asynccontextmanager
    async def _place(self, environ: dict[str, Any]) -> AsyncIterator[None]:
        """The turn of a request that takes much memory, or waits itself: who waits for it has no thread."""
        path, turns = environ["PATH_INFO"], None
        if path == OUTLINES_PATH or path.endswith(CHOICES_END):
            turns = self._glances
        elif int(environ.get("CONTENT_LENGTH", 0)) > IN_MEMORY_BYTES and REFUSED not in environ:
            turns = self._logs if takes_log(environ["REQUEST_METHOD"], path) else self._large
        elif path.startswith(COPIES_BELOW) or path.endswith(DRAWN_ENDS):
            turns = self._pictures
        if turns is None:
            yield
        else:
            async with turns.place(environ["REMOTE_ADDR"]):
                yield

    async def _answer(
        self, environ: dict[str, Any], receive: Receive, send: Send, *, refused: bool = False
    ) -> None:
        """Send the app's answer; one that is made while it is sent has its place until then."""
        if environ["REQUEST_METHOD"] == "GET" and environ["PATH_INFO"].startswith(EXPORTS):
            async with self._exports.place(environ["REMOTE_ADDR"]):
                await self._send(environ, receive, send, refused=refused)
        else:
            await self._send(environ, receive, send, refused=refused)

    async def _send(self, environ: dict[str, Any], receive: Receive, send: Send, *, refused: bool) -> None:
        """Send the app's answer. After a refusal the client's bytes are read until it has stopped: to close
        the connection with bytes unread would reset it, and the client would never see the answer."""
        answer = _Answer(self.app, environ)
        # A generator of Flask's goes on in the context that it began in, whichever thread it is in.
        context = contextvars.copy_context()

        async def in_thread(work: Callable[[], T]) -> T:
            async with self._turns.place(environ["REMOTE_ADDR"]):
                return await asyncio.get_running_loop().run_in_executor(self.threads, context.run, work)

        gone = None if refused else asyncio.create_task(_hang_up(receive))
        try:
            async with self._place(environ):
                if gone is not None and gone.done() and environ["REQUEST_METHOD"] in ("GET", "HEAD"):
                    return  # Nobody waits for it any more; what was to be written is written.
                first = await in_thread(answer.begin)
            try:
                await _send_pieces(answer, first, partial(in_thread, answer.more), receive, send, gone)
            finally:
                # Also of one whose client has gone: what it is made from is given back where it was taken.
                if not answer.done:
                    await in_thread(answer.close)
        finally:
            if gone is not None:
                gone.cancel()

    async def refuse(self, path: str, status: int) -> bytes:
        """The whole answer to a request that is no HTTP, as it goes over the wire."""
        environ = _environ({"method": "GET", "raw_path": path.encode("latin-1")})
        answer = _Answer(self.app, refusal(environ, status))
        body = await asyncio.get_running_loop().run_in_executor(self.threads, answer.begin)
        lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}", "Connection: close"]
        lines += [f"{name}: {value}" for name, value in answer.headers]
        return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


@dataclass
class _Answer:
    """An answer of the app as it is made, in a thread that may be another for each piece."""

    app: Flask
    environ: dict[str, Any]
    status: int = 0
    headers: list[tuple[str, str]] = field(default_factory=list)
    done: bool = False
    _parts: Any = None

    def begin(self) -> bytes:
        """Have the app answer; the first piece."""
        self._parts, status, headers = run_wsgi_app(self.app, self.environ)
        self.status, self.headers = int(status.split(" ")[0]), list(headers)
        return self.more()

    def more(self) -> bytes:
        """The next piece; `done` with the last one."""
        parts, size = [], 0
        for part in self._parts:
            parts.append(part)
            size += len(part)
            if size >= PIECE_BYTES:
                return b"".join(parts)
        self.close()
        return b"".join(parts)

    def close(self) -> None:
        """No more of it is wanted."""
        self.done = True
        if hasattr(self._parts, "close"):
            self._parts.close()


async def _send_pieces(
    answer: _Answer,
    piece: bytes,
    more: Callable[[], Awaitable[bytes]],
    receive: Receive,
    send: Send,
    gone: asyncio.Task[None] | None,
) -> None:
    """Send an answer of which the first piece is there, until its client has `gone` (None: refused)."""
    headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in answer.headers]
    headers += [(b"connection", b"close")] * (gone is None)
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    if gone is None:
        await send({"type": "http.response.body", "body": piece, "more_body": True})
        await _drain(receive)
        await send({"type": "http.response.body", "body": b""})
        return
    while not answer.done and not gone.done():
        await send({"type": "http.response.body", "body": piece, "more_body": True})
        piece = await more()
    await send({"type": "http.response.body", "body": piece})


async def _next(receive: Receive, seconds: float) -> dict[str, Any]:
    try:
        async with asyncio.timeout(seconds):
            message = await receive()
    except TimeoutError:
        raise _Gone from None
    if message["type"] != "http.request":
        raise _Gone
    return message


async def _drain(receive: Receive) -> None:
    """Read what a refused client still sends."""
    try:
        async with asyncio.timeout(DRAIN_SECONDS):
            while (await _next(receive, DRAIN_SECONDS))["more_body"]:
                pass
    except (TimeoutError, _Gone):
        return


async def _hang_up(receive: Receive) -> None:
    """Return when the client has gone."""
    while (await receive())["type"] == "http.request":
        pass


def refusal(environ: dict[str, Any], why: int | OSError) -> dict[str, Any]:
    """The environment by which the app answers a request that it does not get: the status, or what befell."""
    kept = {name: value for name, value in environ.items() if name not in ("CONTENT_LENGTH", "CONTENT_TYPE")}
    return kept | {REFUSED: why}


def _environ(scope: dict[str, Any]) -> dict[str, Any]:
    """A request's environment in WSGI, without its body: bytes as Latin-1."""
    path: bytes = scope["raw_path"]
    query: bytes = scope.get("query_string", b"")
    host, port = scope.get("server") or ("", 0)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
        "QUERY_STRING": query.decode("latin-1"),
        "REQUEST_URI": (path + b"?" + query if query else path).decode("latin-1"),
        "SERVER_NAME": host,
        "SERVER_PORT": str(port),
        "SERVER_PROTOCOL": f"HTTP/{scope.get('http_version', '1.0')}",
        "REMOTE_ADDR": (scope.get("client") or ("",))[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.get("scheme", "http"),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    fields: dict[str, list[str]] = {}
    for name, value in _fields(scope.get("headers", ())):
        fields.setdefault(name, []).append(value)
    for name, values in fields.items():
        key = name if name in ("CONTENT_LENGTH", "CONTENT_TYPE") else f"HTTP_{name}"
        environ[key] = ("; " if name == "COOKIE" else ",").join(values)
    return environ


def _fields(headers: list[tuple[bytes, bytes]]) -> Iterator[tuple[str, str]]:
    for name, value in headers:
        # `Content_Length` would stand for `Content-Length`.
        if b"_" not in name:
            yield name.decode("latin-1").upper().replace("-", "_"), value.decode("latin-1")


class _Protocol(HttpToolsProtocol):
    """A connection. Uvicorn has neither a limit nor a time for headers, waits for ever for who does not read,
    and answers what it cannot parse in its own English."""

    app: _Bridge
    #: Whether a header is to come or is coming, how much of it has come, and its first bytes.
    _in_header = True
    _header_bytes = 0
    _beginning = b""
    _refused = False
    guest: Guest

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.guest = self.app.guests.of(self.client)
        self.guest.leave = transport.abort
        # Head and body of an answer go out apart: the body would wait 40 ms for the head's acknowledgement.
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, True)
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._hurry("header", HEADER_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        for timer in self._timers.values():
            timer.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self.guest.moved()
        if self._refused:
            return
        self._header_bytes += len(data)
        if self._in_header:
            # Line ends between two requests begin none, and stop the time for which a connection is kept.
            if "header" not in self._timers and self._is_idle():
                self._hurry("header", HEADER_SECONDS)
            self._beginning = (self._beginning + data[:64])[:64]
        super().data_received(data)
        if self._in_header and self._header_bytes > MAX_HEADER_BYTES:
            self.send_400_response("")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._header_bytes = 0
        self._hurry("header", HEADER_SECONDS)

    def on_headers_complete(self) -> None:
        if len(self.url) + sum(len(name) + len(value) for name, value in self.headers) > MAX_HEADER_BYTES:
            raise ValueError("the header is too large")
        if self._target().startswith(b" "):
            raise ValueError("two spaces in the request line")
        if len(self.pipeline) >= MAX_AHEAD:
            self._refused = True
            self.transport.abort()
            raise ValueError("too many requests are sent ahead")
        super().on_headers_complete()
        self._in_header = False
        self._in_time("header")
        self.guest.moved(busy=True)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self.guest.moved(busy=not self._is_idle())

    def _is_idle(self) -> bool:
        """Whether nothing that was asked is still to be answered."""
        return self.cycle is None or self.cycle.response_complete

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._in_header, self._header_bytes, self._beginning = True, 0, b""

    def _target(self) -> bytes:
        """What the header that is being received asks for, as far as it is known."""
        return self._beginning.lstrip().partition(b" ")[2]

    def pause_writing(self) -> None:
        super().pause_writing()
        self._hurry("answer", SILENT_SECONDS)

    def resume_writing(self) -> None:
        super().resume_writing()
        self.guest.moved()
        self._in_time("answer")

    def _hurry(self, what: str, seconds: float) -> None:
        """Close the connection in so many seconds, unless this is done `_in_time`."""
        self._in_time(what)
        self._timers[what] = self.loop.call_later(seconds, self.transport.abort)

    def _in_time(self, what: str) -> None:
        if (timer := self._timers.pop(what, None)) is not None:
            timer.cancel()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP. What still comes is read away for a while, as after any refusal."""
        if self._refused:
            return
        self._refused = True
        if self.cycle is not None and not self.cycle.response_complete:
            if self.cycle.response_started:
                self.transport.close()
                return
            # Nobody else answers.
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        target = self._target().lstrip() if self._in_header else self.url
        # A program is answered as one even where nothing more of its request can be read.
        path = API_PREFIX if target.startswith(API_PREFIX.encode()) else "/"
        self.flow.resume_reading()
        self._hurry("refusal", DRAIN_SECONDS)
        task = self.loop.create_task(self._tell_refused(path))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _tell_refused(self, path: str) -> None:
        self.transport.write(await self.app.refuse(path, HTTPStatus.BAD_REQUEST))
        if self.transport.can_write_eof():
            self.transport.write_eof()
