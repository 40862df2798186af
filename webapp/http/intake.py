"""ASGI intake of the app: a request is refused as early as possible, with the app's own error answer. The app
is called once the whole body is stored on the disk.

A request holds its place in the fair queue while its answer is computed. While the answer is sent, a thread
may wait for the client. That thread does no work meanwhile, and other requests use the place."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import re
import shutil
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager, suppress
from http import HTTPStatus
from tempfile import SpooledTemporaryFile
from typing import IO, Any
from urllib.parse import unquote

from a2wsgi import WSGIMiddleware
from flask import Flask
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from webapp.config import ServerConfig
from webapp.http import time_limits
from webapp.http.body_limits import MAX_FORM_BYTES, body_limit, takes_log
from webapp.http.connection_limits import MAX_CONNECTIONS, Guests
from webapp.http.exchange import Exchange, Gone, Message, Receive, Send
from webapp.http.fair_queue import Turns
from webapp.http.services import KEY
from webapp.http.wsgi import EXCHANGE, answering, judging

#: Largest size of a request line with its headers, and of a chunk header in a chunked body.
MAX_HEADER_BYTES = 32 * 1024
#: Number of requests answered at a time, in all and for one address; scans run in processes of their own. All
#: share one interpreter: with 12 threads a page took at most 0.68 s while 50 addresses attacked two cores,
#: with 8 it takes 0.48 s (`tools/bad_inputs.py`).
THREADS = 8
THREADS_OF_ADDRESS = 4
#: Number of response pieces that may wait for their client, besides the one that the thread holds.
PIECES_AHEAD = 2
#: Number of requests with a large body answered at a time; one takes two or three times a photo's 64 MB.
LARGE_AT_A_TIME = 3
#: Disk space for bodies that are being received or are waiting, in all; one address may use half of it. Logs
#: may use the whole disk, one at a time.
RECEIVING_BYTES = 8 << 30
#: Paths of rendered pictures of photos and scores; then paths of requests that wait up to two seconds for a
#: reading process.
COPIES_BELOW = "/photos/"
DRAWN_ENDS = ("/ruling.jpg", "/ruling.png", "/ruling.webp", "/final.jpg", "/final.png")
OUTLINES_PATH, CHOICES_END = "/api/v1/outlines", "/card-choices"
#: Paths of exports, which are produced while they are sent, from one snapshot of the database.
EXPORTS = ("/api/v1/log", "/api/v1/export/")
#: Bodies above this size in bytes are stored on the disk.
IN_MEMORY_BYTES = 512 * 1024

#: Characters that no header may contain.
_CONTROL = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]")

log = logging.getLogger(__name__)
Scope = dict[str, Any]


class Intake:
    """The ASGI app: it receives bodies, schedules requests fairly, and passes them to the WSGI app."""

    def __init__(self, app: Flask, guests: Guests) -> None:
        self._config: ServerConfig = app.extensions[KEY].config
        self._guests = guests
        # One thread per connection at most: all but `THREADS` of them wait for their clients.
        self._app: Any = WSGIMiddleware(answering(app), MAX_CONNECTIONS, PIECES_AHEAD)  # type: ignore[arg-type]
        self._judge: Any = WSGIMiddleware(judging(app), 1)  # type: ignore[arg-type]
        # Addresses of reverse proxies, whose headers about the client and the scheme are trusted.
        proxies = list(self._config.trusted_proxies)
        ask: Any = self._answer_whole
        self._ask: Any = ProxyHeadersMiddleware(ask, proxies) if proxies else ask
        self._turns = Turns(THREADS, THREADS_OF_ADDRESS)
        self._large = Turns(LARGE_AT_A_TIME, LARGE_AT_A_TIME - 1)
        #: Imports of logs, which take minutes; photos must be served meanwhile.
        self._logs = Turns(1, 1)
        #: Requests for rendered pictures: these are rendered one at a time (`webapp.store.render_cache`), and
        #: requests wait for them.
        self._pictures = Turns(3, 2)
        #: Exports: each holds a database connection until its client has read everything or times out.
        self._exports = Turns(4, 1)
        #: Requests that need a reading process, of which there are few; other requests are answered
        #: meanwhile.
        self._glances = Turns(3, 2)
        #: Bytes of bodies in storage, by client address.
        self._received: Counter[str] = Counter()

    def close(self) -> None:
        """Wait for requests in progress; new requests are not started."""
        for adapter in (self._app, self._judge):
            adapter.executor.shutdown(cancel_futures=True)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        guest = self._guests.of(scope["client"])
        guest.begin()
        try:
            with _spooled() as file:
                exchange = Exchange(guest, receive, send, file)
                await self._ask(_sound(scope) | {EXCHANGE: exchange}, receive, send)
        except (Gone, asyncio.CancelledError):
            return
        except Exception:
            log.exception("a request was not answered")
            raise
        finally:
            guest.end()

    async def _answer_whole(self, scope: Scope, _receive: Receive, _send: Send) -> None:
        """Receive the body, then have the app answer."""
        exchange: Exchange = scope[EXCHANGE]
        try:
            exchange.refused = await self._refused(scope, exchange) or await self._take_in(scope, exchange)
            if scope["method"] == "GET" and scope["path"].startswith(EXPORTS):
                async with self._exports.place(scope["client"][0]):
                    await self._make(scope, exchange)
            else:
                await self._make(scope, exchange)
        finally:
            self._let_go(scope["client"][0], exchange.size)

    async def _refused(self, scope: Scope, exchange: Exchange) -> int | OSError | None:
        """The HTTP status or `OSError` with which a request is refused by its header alone; None where it is
        accepted."""
        if _is_malformed(scope):
            return HTTPStatus.BAD_REQUEST
        length = _length(scope)
        method, path = scope["method"], scope["path"]
        if length is not None and length > body_limit(self._config, method, path):
            return HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        # A client without write access must not fill the disk; small bodies are left to the app's own check.
        if not _is_chunked(scope) and (length or 0) <= MAX_FORM_BYTES:
            return None
        await self._judge(scope, _nothing, _nowhere)
        if exchange.refused is not None:
            return exchange.refused
        # A log may be as large as the free disk space.
        if takes_log(method, path) and (length or 0) > shutil.disk_usage(self._config.receiving).free:
            return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return None

    async def _take_in(self, scope: Scope, exchange: Exchange) -> int | OSError | None:
        """Receive the body into its file. Returns the HTTP status or `OSError` of a refusal where the body is
        too large or cannot be stored. Raises `Gone`."""
        if not _is_chunked(scope) and _length(scope) is None:
            return None
        method, path, address = scope["method"], scope["path"], scope["client"][0]
        limit = body_limit(self._config, method, path)
        more, began = True, time.monotonic()
        while more:
            least = time_limits.BODY_SECONDS + exchange.size / time_limits.BODY_BYTES_PER_SECOND
            left = began + least - time.monotonic()
            message = await exchange.receive(min(time_limits.SILENT_SECONDS, max(left, 0)))
            piece, more = message["body"], message["more_body"]
            if exchange.size + len(piece) > limit:
                return HTTPStatus.REQUEST_ENTITY_TOO_LARGE
            if not takes_log(method, path) and (
                self._received.total() + len(piece) > RECEIVING_BYTES
                or self._received[address] + len(piece) > RECEIVING_BYTES // 2
            ):
                return HTTPStatus.SERVICE_UNAVAILABLE
            try:
                exchange.body.write(piece)
                if not more:
                    # Flushes buffered data to the disk.
                    exchange.body.seek(0)
            except OSError as error:
                return error
            exchange.size += len(piece)
            self._received[address] += len(piece)
        return None

    def _let_go(self, address: str, size: int) -> None:
        """Discard a body that is no longer needed."""
        self._received[address] -= size
        if self._received[address] <= 0:
            del self._received[address]

    async def _make(self, scope: Scope, exchange: Exchange) -> None:
        """Have the app compute the answer when a place is free, and send it."""
        address, forward = scope["client"][0], exchange.send
        if exchange.refused is not None:
            forward = exchange.send_refusal
        async with AsyncExitStack() as turn:
            turns = self._turns_of(scope, exchange)
            if turns is not None:
                await turn.enter_async_context(turns.place(address))
            if exchange.gone and scope["method"] in ("GET", "HEAD"):
                return  # The client has gone; only requests that write are still processed.
            await turn.enter_async_context(self._turns.place(address))

            async def send(message: Message) -> None:
                if message["type"] == "http.response.body":
                    await turn.aclose()
                await forward(message)

            await self._app(scope, _nothing, send)

    def _turns_of(self, scope: Scope, exchange: Exchange) -> Turns | None:
        """The separate queue for requests that use much memory or wait for other processes; None for all
        others. A request that waits there occupies no thread."""
        path = scope["path"]
        if path == OUTLINES_PATH or path.endswith(CHOICES_END):
            return self._glances
        if exchange.size > IN_MEMORY_BYTES and exchange.refused is None:
            return self._logs if takes_log(scope["method"], path) else self._large
        if path.startswith(COPIES_BELOW) or path.endswith(DRAWN_ENDS):
            return self._pictures
        return None


@contextmanager
def _spooled() -> Iterator[IO[bytes]]:
    """Context manager for a temporary file for a request body, in memory while it is small."""
    file = SpooledTemporaryFile(max_size=IN_MEMORY_BYTES)  # noqa: SIM115 - closed below
    try:
        yield file
    finally:
        # Closing would retry the data that the disk did not accept.
        with suppress(OSError):
            file.close()


def _sound(scope: Scope) -> Scope:
    """A normalised copy of a request's scope: an absolute URL is reduced to its path. Headers with an
    underscore are removed, since WSGI confuses `Content_Length` with `Content-Length`."""
    path: bytes = scope["raw_path"]
    if not path.startswith(b"/") and b"://" in path:
        path = b"/" + path.partition(b"://")[2].partition(b"/")[2]
    return scope | {
        "raw_path": path,
        "path": unquote(path.decode("latin-1")),
        "headers": [(name, value) for name, value in scope["headers"] if b"_" not in name],
    }


def _is_malformed(scope: Scope) -> bool:
    """Whether a request is invalid HTTP although the parser accepts it."""
    path, method = scope["raw_path"], scope["method"]
    size = len(path) + len(scope["query_string"])
    for name, value in scope["headers"]:
        size += len(name) + len(value)
        if _CONTROL.search(value):
            return True
    two_lengths = _is_chunked(scope) and _length(scope) is not None
    # Werkzeug would treat a lower-case method as another one.
    return two_lengths or size > MAX_HEADER_BYTES or method != method.upper() or not path.startswith(b"/")


def _is_chunked(scope: Scope) -> bool:
    return any(name == b"transfer-encoding" for name, _ in scope["headers"])


def _length(scope: Scope) -> int | None:
    """The body's length in bytes from the `Content-Length` header; None without the header."""
    return next((int(value) for name, value in scope["headers"] if name == b"content-length"), None)


async def _nothing() -> Message:
    """ASGI `receive` with an empty message, since the body is read from its file."""
    return {"type": "http.request", "body": b"", "more_body": False}


async def _nowhere(_message: Message) -> None:
    """ASGI `send` that discards the message, since the result is stored in the exchange."""
