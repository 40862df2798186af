"""The server of the app over http and https: uvicorn with its options, and the app's own intake before the
app.

One event loop serves all clients, so that slow ones delay no others, and TLS is asyncio's. The threads of
cheroot and granian wait for bodies: 20 clients that sent a byte each half second blocked all 12. Hypercorn
holds the body for a WSGI app in memory, whatever its size. Of uvicorn's parsers only h11 limits headers, and
leaves requests that are sent ahead in the client's connection.

What uvicorn does not do: `connection_limits` decides which clients may connect and how long they may be idle,
`intake` limits the contents of a request, `fair_queue` decides the order.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from dataclasses import dataclass
from typing import Any

from flask import Flask
from uvicorn import Config, Server

from webapp.http import time_limits
from webapp.http.addresses import Address
from webapp.http.connection_limits import Guests, open_door
from webapp.http.intake import MAX_HEADER_BYTES, Intake
from webapp.http.services import KEY

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Listening:
    """A server with an open port; it answers requests during `run()`."""

    port: int
    intake: Intake
    _server: Server
    _sockets: list[socket.socket]

    def run(self) -> None:
        """Answer requests until `stop()`, Ctrl+C (`KeyboardInterrupt`) or SIGTERM (its handler is called)."""
        try:
            self._server.run(self._sockets)
        finally:
            self.intake.close()

    def stop(self) -> None:
        """Make `run` return once pending requests are answered; may be called from any thread."""
        self._server.should_exit = True


def listen(app: Flask, address: Address) -> Listening:
    """Open the server's port for the app. Raises `OSError` for a port in use."""
    guests = Guests(app.extensions[KEY].config.trusted_proxies)
    intake = Intake(app, guests)

    async def each_second() -> None:
        asyncio.get_running_loop().set_exception_handler(_tell_briefly)
        guests.close_idle()

    config = Config(
        intake,
        http="h11",
        h11_max_incomplete_event_size=MAX_HEADER_BYTES,
        ws="none",
        lifespan="off",
        # The event loop that accepts connections on the given socket.
        loop="asyncio:SelectorEventLoop",
        interface="asgi3",
        # `Intake` handles these headers. Any other client could choose the address by which it is limited.
        proxy_headers=False,
        server_header=False,
        access_log=False,
        log_config=None,
        # Aborted connections and invalid requests are not reported; failures of the app are logged elsewhere.
        log_level="critical",
        # Length of the queue of connections that are not accepted yet.
        backlog=100,
        timeout_keep_alive=time_limits.KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=time_limits.STOP_SECONDS,
        callback_notify=each_second,
        timeout_notify=1,
        ssl_certfile=address.certificate,
        ssl_keyfile=address.key,
    )
    # Read before the port is open, so that no failure occurs after that.
    config.load()
    sockets = _sockets(address.host, address.port, guests)
    return Listening(sockets[0].getsockname()[1], intake, Server(config), sockets)


def _tell_briefly(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Exception handler of the event loop: a broken connection is logged in one line."""
    if "protocol" in context:
        log.warning("a connection broke: %r", context.get("exception"))
    else:
        loop.default_exception_handler(context)


def _sockets(host: str, port: int, guests: Guests) -> list[socket.socket]:
    """Listening sockets for all addresses of a host name such as localhost. Raises `OSError`."""
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
