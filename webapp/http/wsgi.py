"""Takes requests in for the app: waitress, which says no as soon as it can know, in the app's own words, and
which can speak TLS.

As it comes, waitress gives the app a request when its whole body lies on the disk, has one limit for all
paths, answers what it refuses in its own English, and may reset the connection before that was read. One
thread of it talks to all clients, so that slow ones hold up nobody; a request takes one of the others only
when it is whole."""

from __future__ import annotations

import io
import socket
import ssl
import threading
import time
from collections.abc import Callable
from copy import copy
from functools import partial
from typing import Any

from flask import Flask
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.receiver import ChunkedReceiver
from waitress.server import BaseWSGIServer, create_server
from waitress.task import ErrorTask, WSGITask
from waitress.utilities import BadRequest
from werkzeug.test import create_environ

from webapp.http.body_limits import MAX_FORM_BYTES, body_limit
from webapp.http.errors import API_PREFIX
from webapp.http.security import REFUSED, refused_by_header
from webapp.http.services import KEY

#: Threads that answer requests; scans run in processes of their own.
THREADS = 12
MAX_CONNECTIONS = 400
#: A connection on which nothing happens is closed.
SILENT_SECONDS = 120
#: What a client still sends after a refusal is read away for so long, so that it comes to read the answer.
DRAIN_SECONDS = 5.0
#: A chunk's size line and the trailer of a chunked body; waitress keeps both in memory without a limit.
MAX_CHUNK_LINE_BYTES = 16 * 1024


def listen(app: Flask, host: str, port: int, *, tls: ssl.SSLContext | None = None) -> Any:
    """A server with its port open (`effective_port`) that answers once it is `run()`, until it is interrupted
    or `close()`d; with `tls` it speaks https. Raises `OSError` where the port is taken."""
    dispatchers: dict[int, Any] = {}
    server = create_server(
        app,
        map=dispatchers,
        host=host,
        port=port,
        threads=THREADS,
        ident=None,
        url_scheme="http" if tls is None else "https",
        connection_limit=MAX_CONNECTIONS,
        channel_timeout=SILENT_SECONDS,
    )
    kind = _Channel if tls is None else _TlsChannel
    channel = type("Channel", (kind,), {"app": app})
    # A name like localhost may stand for several addresses, with a server each.
    for dispatcher in dispatchers.values():
        if isinstance(dispatcher, BaseWSGIServer):
            dispatcher.channel_class = channel
            if tls is not None:
                dispatcher.accept = partial(_accept_tls, dispatcher.accept, tls)
    return server


def _accept_tls(accept: Callable[[], Any], tls: ssl.SSLContext) -> tuple[ssl.SSLSocket, Any] | None:
    """A connection that will speak TLS: hands are shaken as its first bytes are read. Raises `OSError`."""
    found = accept()
    if found is None:
        return None
    connection, address = found
    return tls.wrap_socket(connection, server_side=True, do_handshake_on_connect=False), address


class _Parser(HTTPRequestParser):
    """Refuses a body by the limit of its path, and a large one that nobody may send."""

    adj: Any
    completed: bool
    _looked_at = False
    # Of a request whose first line cannot be read.
    command, path, query, request_uri, url_scheme = "GET", "/", "", "/", "http"

    def __init__(self, adj: Any, app: Flask, client: str) -> None:
        super().__init__(adj)
        self._app = app
        self._client = client

    def parse_header(self, header_plus: bytes) -> None:
        super().parse_header(header_plus)
        if self.chunked and "CONTENT_LENGTH" in self.headers:
            # Whoever reads it by the length would see another request behind it.
            raise ParsingError("two lengths")
        self.adj = copy(self.adj)
        # waitress refuses what is as large as its limit.
        self.adj.max_request_body_size = body_limit(self._app.extensions[KEY].config, self.path) + 1

    def received(self, data: bytes) -> int:
        consumed: int = super().received(data)
        body = self.body_rcv
        chunked = isinstance(body, ChunkedReceiver) and not self.completed
        if chunked and max(len(body.control_line), len(body.trailer)) > MAX_CHUNK_LINE_BYTES:
            self.error = BadRequest("chunk line too long")
            self.completed = True
        if self.headers_finished and not self._looked_at:
            self._looked_at = True
            self._look_at_header()
        if self.error is not None:
            # Else waitress would ask for the body that it has refused.
            self.expect_continue = False
            # A program is answered as one even where nothing more of its request can be read.
            target = (self.header_plus + data).lstrip().partition(b" ")[2]
            if self.path == "/" and target.startswith(API_PREFIX.encode()):
                self.path = API_PREFIX
        return consumed

    def _look_at_header(self) -> None:
        """Let nobody fill the disk who may not write here at all; small bodies wait for the app to say so."""
        if self.completed or not (self.chunked or self.content_length > MAX_FORM_BYTES):
            return
        environ = create_environ(path="/", method=self.command, environ_overrides={"PATH_INFO": self.path})
        environ |= {f"HTTP_{name}": value for name, value in self.headers.items()}
        status = refused_by_header(self._app, environ | {"REMOTE_ADDR": self._client})
        if status is not None:
            self.error = BadRequest("not yours to send")
            self.error.code = status
            self.completed = True


class _RefusedTask(WSGITask):
    """Has the app answer a request that it does not get."""

    def get_environment(self) -> dict[str, Any]:
        environ: dict[str, Any] = super().get_environment()
        code = self.request.error.code
        # An encoding that is not known here is the request's fault, too.
        environ[REFUSED] = code if code < 500 else BadRequest.code
        environ["wsgi.input"] = io.BytesIO()
        for name in ("CONTENT_LENGTH", "CONTENT_TYPE"):
            environ.pop(name, None)
        return environ

    def execute(self) -> None:
        self.channel.refused = True
        self.set_close_on_finish()
        super().execute()


def _error_task(channel: HTTPChannel, request: _Parser) -> Any:
    """An answer to what the parser refused, or to what failed in the app's own error handling."""
    failed = request.error.code == 500
    return ErrorTask(channel, request) if failed else _RefusedTask(channel, request)


class _Channel(HTTPChannel):
    """A connection. After a refusal it is closed for writing alone until the client has stopped: to close it
    with bytes unread would reset it, and the client would never see the answer."""

    close_when_flushed: bool
    app: Flask
    error_task_class = staticmethod(_error_task)
    refused = False
    _drained_at = 0.0

    def parser_class(self, adj: Any) -> _Parser:
        return _Parser(adj, self.app, self.addr[0])

    def writable(self) -> bool:
        return bool(self.will_close) if self._drained_at else bool(super().writable())

    def handle_write(self) -> None:
        if not self.refused or self._drained_at or not self.close_when_flushed:
            super().handle_write()
            return
        self._flush_exception(self._flush_some)
        if self.will_close:
            self.handle_close()
        elif not self.total_outbufs_len:
            try:
                self.socket.shutdown(socket.SHUT_WR)
            except OSError:
                self.handle_close()
                return
            self._drained_at = time.time() + DRAIN_SECONDS
            self.close_when_flushed = False

    def received(self, data: bytes) -> bool:
        if not self._drained_at:
            return bool(super().received(data))
        if time.time() > self._drained_at:
            self.will_close = True
        return False


#: What TLS packs into one record.
_RECORD_BYTES = 16 * 1024
_NOT_YET = (ssl.SSLWantReadError, ssl.SSLWantWriteError)


class _TlsChannel(_Channel):
    """A connection over TLS."""

    socket: ssl.SSLSocket

    def __init__(self, *arguments: Any, **more: Any) -> None:
        # Reading and writing share what TLS knows of the connection, and are done by different threads.
        self._tls = threading.Lock()
        super().__init__(*arguments, **more)

    def send(self, data: bytes, do_close: bool = True) -> int:
        try:
            with self._tls:
                return int(self.socket.send(data[:_RECORD_BYTES]))
        except _NOT_YET:
            return 0
        except OSError:
            if do_close:
                self.handle_close()
            else:
                self.will_close = True
            return 0

    def handle_read(self) -> None:
        # All of a record: what is decrypted and left, nobody would be told of.
        while self.connected:
            try:
                with self._tls:
                    data = self.socket.recv(_RECORD_BYTES)
                    left = self.socket.pending()
            except _NOT_YET:
                return
            except OSError:
                data, left = b"", 0
            if not data:
                self.handle_close()
                return
            self.last_activity = time.time()
            self.received(data)
            if not left:
                return
