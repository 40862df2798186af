"""The names that a table answers to.

A page elsewhere may have its own name stand for the table's address (DNS rebinding), and its visitor's
browser then takes the table for that page's server. So requests are answered by names that nobody outside can
own."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Sequence
from urllib.parse import urlsplit

from werkzeug.sansio.utils import host_is_trusted

#: Endings of names that no public name server gives out (RFC 6761, 6762, 8375; what home routers use).
LOCAL_ENDINGS = (
    ".localhost",
    ".local",
    ".lan",
    ".home",
    ".home.arpa",
    ".internal",
    ".localdomain",
    ".test",
)


def is_ours(host: str, allowed: Sequence[str] = ()) -> bool:
    """Whether a `Host` header (`name:port`) is an address, a name of the home network, this machine's own, or
    one of `allowed` (as `host_name` returns them)."""
    try:
        name = (urlsplit(f"//{host}").hostname or "").removesuffix(".")
        if "." not in name and ":" not in name:
            return name != ""
        if is_address(name) or name == socket.gethostname().lower():
            return True
        return host_is_trusted(name, [*LOCAL_ENDINGS, *allowed])
    except ValueError:
        return False


def host_name(text: str) -> str:
    """A name as browsers send it: lower case, and ASCII (IDNA). Raises `ValueError` for what is no name, such
    as a URL or a name with a port."""
    name = text.strip().lower().removesuffix(".").encode("idna").decode("ascii")
    if not host_is_trusted(name) or ":" in name or name.startswith("."):
        raise ValueError(f"{text!r} is no host name")
    return name


def is_address(name: str) -> bool:
    """Whether this is an IP address, without brackets."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
