"""Requests and answers in WSGI's terms: an ASGI request's environment, and the app's answer in pieces."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote_to_bytes

from flask import Flask
from werkzeug.test import run_wsgi_app

from webapp.http.security import REFUSED

#: An answer is handed over in pieces of about this size.
PIECE_BYTES = 256 * 1024


@dataclass
class Answer:
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


def refusal(environ: dict[str, Any], why: int | OSError) -> dict[str, Any]:
    """The environment by which the app answers a request that it does not get: the status, or what befell."""
    kept = {name: value for name, value in environ.items() if name not in ("CONTENT_LENGTH", "CONTENT_TYPE")}
    return kept | {REFUSED: why}


def environ_of(scope: dict[str, Any]) -> dict[str, Any]:
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
