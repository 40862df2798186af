"""Connection limits per address and in total, so that no client keeps others out.

Connections are counted when they are accepted, before TLS: a connection without a handshake costs as much as
any other. When the server is full, one connection of the address with the most connections is closed. A
device of another address can therefore always connect."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from webapp.http import time_limits

#: Largest number of connections: twenty for each of a table's twenty devices. Each takes at most two open
#: files (its socket, a body on the disk), which stays below Linux's default of 1024 per process.
MAX_CONNECTIONS = 400
#: Largest number of connections of one address: a browser opens six; a household behind one address, or
#: several programs of one device, have ten times that.
CONNECTIONS_OF_ADDRESS = 64

#: Maximum number of connections that were shut down and are not closed yet.
MOST_LEAVING = 50
#: Maximum number of closed connections that are still read, the most bytes read of one, and of one at a time.
MOST_LINGERING, LINGER_BYTES, _PIECE_BYTES = 50, 16 << 20, 1 << 16

#: Address of a client: (host, port).
Peer = tuple[str, int]


class Connection(socket.socket):
    """An accepted socket that calls `on_close` when it is closed."""

    on_close: Callable[[], None] | None = None

    def close(self) -> None:
        on_close, self.on_close = self.on_close, None
        if on_close is not None:
            on_close()
        super().close()


class Door(socket.socket):
    """A listening socket that accepts a connection only if `guests` has room for it."""

    guests: Guests

    def listen(self, backlog: int = 0, /) -> None:
        """Listen with a fixed backlog of 1024, independent of the number accepted at a time (asyncio uses one
        number for both)."""
        super().listen(1024)

    def accept(self) -> tuple[socket.socket, Any]:
        while True:
            if self.guests.leaving >= MOST_LEAVING:
                raise BlockingIOError  # Retried once some of them have been closed.
            plain, where = super().accept()
            connection = Connection(plain.family, plain.type, plain.proto, fileno=plain.detach())
            # Header and body of a response are sent separately: the body would wait 40 ms for an
            # acknowledgement.
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, True)
            if self.guests.let_in(connection, (str(where[0]), int(where[1]))):
                return connection, where
            connection.close()


def open_door(family: int, where: Any, guests: Guests) -> Door:
    """A `Door` that listens at this address. Raises `OSError` where the address is in use."""
    plain = socket.create_server(where, family=family)
    door = Door(plain.family, plain.type, plain.proto, fileno=plain.detach())
    door.guests = guests
    return door


@dataclass
class Guest:
    """State of one connection: requests in progress (`asking`), whether any request has come (`served`), and
    the time of the last activity (`active_at`, `time.monotonic`). `gone`: the connection has been closed."""

    host: str
    connection: socket.socket | None = None
    asking: int = 0
    served: bool = False
    gone: bool = False
    active_at: float = field(default_factory=time.monotonic)

    @property
    def busy(self) -> bool:
        """Whether a request of this connection is being answered."""
        return self.asking > 0

    def begin(self) -> None:
        """Count a new request; the previous one may still be ending."""
        self.asking, self.served = self.asking + 1, True
        self.move()

    def end(self) -> None:
        """Count the end of a request, answered or abandoned."""
        self.asking -= 1
        self.move()

    def move(self) -> None:
        """Record activity on the connection."""
        self.active_at = time.monotonic()

    def leave(self) -> None:
        """Shut the connection down; its reader and writer find it closed."""
        self.gone = True
        if self.connection is not None:
            with suppress(OSError):  # It may have been closed already.
                self.connection.shutdown(socket.SHUT_RDWR)

    def is_late(self) -> bool:
        """Whether the connection has been without a complete request for too long. An incomplete header does
        not count as a request: only uvicorn sees it, and closes connections without any data."""
        seconds = time_limits.HEADER_SECONDS + (time_limits.KEEP_ALIVE_SECONDS if self.served else 0)
        return not self.busy and time.monotonic() - self.active_at > seconds


class Guests:
    """The open connections of a server, used by its event loop only. Each address of `proxies` represents
    many devices: it has no limit of its own, and none of its connections is closed in favour of another."""

    def __init__(self, proxies: Sequence[str] = ()) -> None:
        self._proxies = [ipaddress.ip_network(each) for each in proxies]
        self._here: dict[Peer, Guest] = {}
        self._held: Counter[str] = Counter()
        self.leaving = 0
        self._lingering: set[socket.socket] = set()

    def __len__(self) -> int:
        return len(self._here)

    def of(self, peer: Peer | None) -> Guest:
        """The `Guest` of a peer address; a new blank one for a connection that was just closed."""
        return self._here.get(peer or ("", 0)) or Guest("")

    def let_in(self, connection: Connection, peer: Peer) -> bool:
        """Whether a new connection is admitted; another connection may have been closed to make room."""
        host = peer[0]
        proxy = self._is_proxy(host)
        holds = 0 if proxy else self._held[host]
        if holds >= CONNECTIONS_OF_ADDRESS and not self._make_way({host}, idle=True):
            return False
        if len(self._here) >= MAX_CONNECTIONS:
            most = max(self._held.values(), default=0)
            # No connection is closed in favour of an address that holds as many.
            greedy = {each for each, count in self._held.items() if count == most > holds + 1}
            if not self._make_way(greedy) and not self._make_way(set(self._held), idle=True):
                return False
        guest = Guest(host, connection)
        self._here[peer] = guest
        if not proxy:
            self._held[host] += 1
        connection.on_close = lambda: self._closed(peer, guest)
        return True

    def _make_way(self, hosts: set[str], *, idle: bool = False) -> bool:
        """Close the least recently active connection of these hosts, idle ones first; whether one was closed.
        `idle`: close idle connections only."""
        theirs = [
            (guest.busy, guest.active_at, peer)
            for peer, guest in self._here.items()
            if guest.host in hosts and not (idle and guest.busy)
        ]
        if not theirs:
            return False
        peer = min(theirs)[2]
        guest = self._here[peer]
        self._forget(peer)
        self.leaving += 1
        guest.leave()
        return True

    def close_idle(self) -> None:
        """Close all connections that have been without a request for too long."""
        for guest in list(self._here.values()):
            if guest.is_late():
                guest.leave()

    def _closed(self, peer: Peer, guest: Guest) -> None:
        if guest.connection is not None and not guest.gone and len(self._lingering) < MOST_LINGERING:
            with suppress(OSError, RuntimeError):  # Closed already, or no event loop is running.
                self._linger(guest.connection)
        guest.gone = True
        if self._here.get(peer) is guest:
            self._forget(peer)
        else:
            self.leaving -= 1

    def _linger(self, connection: socket.socket) -> None:
        """Read a closed connection for `DRAIN_SECONDS` at most. Unread bytes would reset it, and the client
        would lose the answer (RFC 9112, 9.6): uvicorn's parser closes after a refusal without reading on."""
        loop = asyncio.get_running_loop()
        connection.shutdown(socket.SHUT_WR)
        rest = connection.dup()
        self._lingering.add(rest)
        left = LINGER_BYTES

        def close() -> None:
            end.cancel()
            loop.remove_reader(rest)
            self._lingering.discard(rest)
            rest.close()

        def read_away() -> None:
            nonlocal left
            try:
                read = len(rest.recv(_PIECE_BYTES))
            except BlockingIOError:
                return
            except OSError:
                read = 0
            left -= read
            if not read or left < 0:
                close()

        end = loop.call_later(time_limits.DRAIN_SECONDS, close)
        loop.add_reader(rest, read_away)

    def _forget(self, peer: Peer) -> None:
        host = self._here.pop(peer).host
        if host in self._held:
            self._held[host] -= 1
            if not self._held[host]:
                del self._held[host]

    def _is_proxy(self, host: str) -> bool:
        try:
            address = ipaddress.ip_address(host.partition("%")[0])
        except ValueError:
            return False
        return any(address in each for each in self._proxies)
