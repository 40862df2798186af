"""Where the table is reached: its addresses, in the home network or on this machine alone."""

from __future__ import annotations

import ipaddress
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from werkzeug.routing import BaseConverter

#: The folder of certificates, below the data folder.
CERTIFICATES = "certificates"


class EscapedConverter(BaseConverter):
    """A text of any signs, slashes and line ends too, as one part of a path: escaped once more than paths
    are, since servers undo that before they look for slashes."""

    regex = "[^/]+"
    part_isolating = True

    def to_python(self, value: str) -> str:
        return unquote(value)

    def to_url(self, value: Any) -> str:
        return quote(quote(str(value), safe=""), safe="")


@dataclass(frozen=True)
class Address:
    """Where the server listens; `certificate` and `key` are PEM files where it speaks https."""

    host: str
    port: int
    certificate: Path | None = None
    key: Path | None = None


def lan_address() -> str:
    """This machine's address in the home network, as other devices reach it; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches a server that listens there."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def table_url(address: Address) -> str:
    """The URL that other devices open; where all addresses are listened at, this machine's in the home
    network."""
    host = lan_address() if address.host in ("", "0.0.0.0", "::") else address.host
    host = f"[{host}]" if ":" in host else host
    return f"{'http' if address.certificate is None else 'https'}://{host}:{address.port}/"
