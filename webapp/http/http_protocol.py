"""One client's connection: uvicorn's HTTP/1.1 protocol with limits for headers and requests sent ahead, with
times for headers and answers, and with the app's own answer to requests that cannot be parsed."""

from __future__ import annotations

import asyncio
import socket
from http import HTTPStatus
from typing import Protocol

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from webapp.http import time_limits
from webapp.http.connection_limits import Guest, Guests
from webapp.http.errors import API_PREFIX

MAX_HEADER_BYTES = 64 * 1024

#: Requests that a client has sent ahead of their answers. Browsers send none; each takes 5 kB.
MAX_AHEAD = 100


class Bridge(Protocol):
    """The app behind a connection, as far as the connection needs it."""

    guests: Guests

    async def refuse(self, path: str, status: int) -> bytes:
        """The whole answer to a request that is no HTTP."""


class HttpConnection(HttpToolsProtocol):
    """A connection. Uvicorn has neither a limit nor a time for headers, waits for ever for who does not read,
    and answers what it cannot parse in its own English."""

    app: Bridge
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
        self._hurry("header", time_limits.HEADER_SECONDS)

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
                self._hurry("header", time_limits.HEADER_SECONDS)
            self._beginning = (self._beginning + data[:64])[:64]
        super().data_received(data)
        if self._in_header and self._header_bytes > MAX_HEADER_BYTES:
            self.send_400_response("")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._header_bytes = 0
        self._hurry("header", time_limits.HEADER_SECONDS)

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
        self._hurry("answer", time_limits.SILENT_SECONDS)

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
        self._hurry("refusal", time_limits.DRAIN_SECONDS)
        task = self.loop.create_task(self._tell_refused(path))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _tell_refused(self, path: str) -> None:
        self.transport.write(await self.app.refuse(path, HTTPStatus.BAD_REQUEST))
        if self.transport.can_write_eof():
            self.transport.write_eof()
