"""WSGI wrapper of the app: facts from the intake are put into the environment, and the answer is sent in
large pieces."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from flask import Flask

from webapp.http.exchange import Exchange
from webapp.http.security import REFUSED, refused_by_header

#: Approximate size of the pieces of a response.
PIECE_BYTES = 256 * 1024
#: Key of the exchange in the ASGI scope.
EXCHANGE = "waymark.exchange"

Environ = dict[str, Any]


def answering(app: Flask) -> Callable[[Environ, Any], Iterable[bytes]]:
    """A WSGI app that calls the app with the request body from the file of its exchange."""

    def answer(environ: Environ, start_response: Any) -> Iterator[bytes]:
        exchange = _prepare(environ)
        environ["wsgi.input"] = exchange.body
        # Its transfer encoding is removed, so the body gets a length.
        if exchange.refused is not None:
            environ[REFUSED] = exchange.refused
            environ.pop("CONTENT_TYPE", None)
            environ.pop("CONTENT_LENGTH", None)
        elif environ.pop("HTTP_TRANSFER_ENCODING", None) is not None or "CONTENT_LENGTH" in environ:
            environ["CONTENT_LENGTH"] = str(exchange.size)
        return _in_pieces(app(environ, start_response), exchange)

    return answer


def judging(app: Flask) -> Callable[[Environ, Any], Iterable[bytes]]:
    """A WSGI app that stores in the exchange the status with which the app refuses a request by its
    header."""

    def judge(environ: Environ, start_response: Any) -> Iterable[bytes]:
        exchange = _prepare(environ)
        exchange.refused = refused_by_header(app, environ)
        start_response("204 No Content", [])
        return []

    return judge


def _prepare(environ: Environ) -> Exchange:
    """Complete the WSGI environment with values that the adapter omits; returns the request's exchange."""
    scope = environ["asgi.scope"]
    path, query = scope["raw_path"], scope["query_string"]
    environ["REQUEST_URI"] = (path + b"?" + query if query else path).decode("latin-1")
    environ["wsgi.errors"] = sys.stderr
    exchange: Exchange = scope[EXCHANGE]
    return exchange


def _in_pieces(parts: Iterable[bytes], exchange: Exchange) -> Iterator[bytes]:
    """The answer's parts joined into few large pieces, since each piece takes time of the event loop.
    Iteration stops when the client has gone."""
    try:
        gathered: list[bytes] = []
        size = 0
        for part in parts:
            if exchange.gone:
                return
            gathered.append(part)
            size += len(part)
            if size >= PIECE_BYTES:
                yield b"".join(gathered)
                gathered, size = [], 0
        if gathered:
            yield b"".join(gathered)
    finally:
        close = getattr(parts, "close", None)
        if close is not None:
            close()
