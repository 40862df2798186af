"""`waymark serve`: the app behind a real server, with its scan queue, until it is stopped."""

from __future__ import annotations

import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from flask import Flask

from webapp.app import create_app
from webapp.config import ServerConfig
from webapp.services import KEY, Services

#: Threads that answer requests; scans run in processes of their own.
THREADS = 12


@dataclass(frozen=True)
class Address:
    """Where the server listens; `certificate` and `key` are PEM files where it speaks https."""

    host: str
    port: int
    certificate: Path | None = None
    key: Path | None = None


def serve(config: ServerConfig, address: Address, *, on_start: Callable[[Flask], None]) -> None:
    """Answer requests until interrupted. `on_start` is called when the port is open."""
    app = create_app(config)
    services: Services = app.extensions[KEY]
    services.queue.start()
    try:
        if address.certificate is None:
            _serve_http(app, address, on_start)
        else:
            _serve_https(app, address, on_start)
    finally:
        services.queue.stop()


def _serve_http(app: Flask, address: Address, on_start: Callable[[Flask], None]) -> None:
    from waitress.server import create_server

    server = create_server(
        app,
        host=address.host,
        port=address.port,
        threads=THREADS,
        ident=None,
        max_request_body_size=app.config["MAX_CONTENT_LENGTH"] + (1 << 20),
        connection_limit=400,
        channel_timeout=120,
    )
    on_start(app)
    server.run()


def _serve_https(app: Flask, address: Address, on_start: Callable[[Flask], None]) -> None:
    # waitress speaks no TLS, and a home network has no proxy that would.
    from cheroot.ssl.builtin import BuiltinSSLAdapter
    from cheroot.wsgi import Server

    server = Server((address.host, address.port), app, numthreads=THREADS)
    server.ssl_adapter = BuiltinSSLAdapter(str(address.certificate), str(address.key))
    server.prepare()
    on_start(app)
    try:
        server.serve()
    finally:
        server.stop()


def lan_address() -> str:
    """This machine's address in the home network, as other devices reach it; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
