"""ASGI server of the app over http and https: requests are refused as early as possible, with the app's own
error pages.

The server is uvicorn: one event loop talks to all clients, so that slow ones hold up nobody, and TLS is
asyncio's. A request takes a thread only once its body lies on the disk, and while a piece of its answer is
made. Threads of cheroot and granian wait for bodies: 20 clients that sent a byte each half second stopped all
12. Hypercorn keeps the body for a WSGI app in memory, as large as it is.

What uvicorn leaves open: `http_protocol` limits headers and requests sent ahead, `time_limits` has the times,
`connection_limits` decides which clients may connect, `fair_queue` whose turn it is.
"""

from __future__ import annotations

import asyncio
import contextvars
import errno
import logging
import os
import shutil
import socket
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

from flask import Flask
from uvicorn import Config, Server
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from webapp.http import time_limits
from webapp.http.addresses import Address
from webapp.http.body_limits import MAX_FORM_BYTES, body_limit, takes_log
from webapp.http.connection_limits import Guests, open_door
from webapp.http.fair_queue import Turns
from webapp.http.http_protocol import HttpConnection
from webapp.http.security import REFUSED, refused_by_header
from webapp.http.services import KEY
from webapp.http.wsgi_answers import Answer, environ_of, refusal

#: Threads that answer requests, and how many of them one address has at a time; scans run in processes of
#: their own. They share one interpreter: with 12 a page took 0.68 s at worst while 50 addresses attacked two
#: cores, with 8 it takes 0.48 s (`tools/bad_inputs.py`).
THREADS = 8
THREADS_OF_ADDRESS = 4
#: Requests with a large body that are answered at a time: one holds a photo of 64 MB two or three times.
LARGE_AT_A_TIME = 3
#: Bodies that are on their way, or wait for their turn, take so much of the disk in all, and of one address
#: half of it. Logs have the whole disk, one at a time.
RECEIVING_BYTES = 8 << 30
#: Where pages find what is made of photos and scores; and what waits for a process that reads, up to two
#: seconds.
COPIES_BELOW, DRAWN_ENDS = "/photos/", ("/ruling.png", "/final.png")
OUTLINES_PATH, CHOICES_END = "/api/v1/outlines", "/card-choices"
#: What is made while it is sent, out of one moment of the database.
EXPORTS = ("/api/v1/log", "/api/v1/export/")
#: Larger bodies are kept on the disk.
IN_MEMORY_BYTES = 512 * 1024

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
        http=HttpConnection,
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
        timeout_keep_alive=time_limits.KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=time_limits.STOP_SECONDS,
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
                environ, body = environ_of(scope), _Body(file)
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
            left = (
                began
                + time_limits.BODY_SECONDS
                + body.size / time_limits.BODY_BYTES_PER_SECOND
                - time.monotonic()
            )
            message = await _next(receive, min(time_limits.SILENT_SECONDS, max(left, 0)))
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
        answer = Answer(self.app, environ)
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
        environ = environ_of({"method": "GET", "raw_path": path.encode("latin-1")})
        answer = Answer(self.app, refusal(environ, status))
        body = await asyncio.get_running_loop().run_in_executor(self.threads, answer.begin)
        lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}", "Connection: close"]
        lines += [f"{name}: {value}" for name, value in answer.headers]
        return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


async def _send_pieces(
    answer: Answer,
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
        async with asyncio.timeout(time_limits.DRAIN_SECONDS):
            while (await _next(receive, time_limits.DRAIN_SECONDS))["more_body"]:
                pass
    except (TimeoutError, _Gone):
        return


async def _hang_up(receive: Receive) -> None:
    """Return when the client has gone."""
    while (await receive())["type"] == "http.request":
        pass
