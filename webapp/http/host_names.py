"""Host names that a table accepts in requests.

A page elsewhere may point its own name at the table's address (DNS rebinding); browsers then treat the table
as that page's server. Requests are therefore accepted only for names that no outsider can own."""

from __future__ import annotations

import ipaddress
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from werkzeug.sansio.utils import host_is_trusted

#: Suffixes that no public name server resolves (RFC 6761, 6762, 8375; used by home routers), and two that
#: router vendors own.
LOCAL_ENDINGS = (
    ".localhost",
    ".local",
    ".lan",
    ".home",
    ".home.arpa",
    ".internal",
    ".localdomain",
    ".test",
    ".intranet",
    ".private",
    ".fritz.box",
    ".attlocal.net",
    ".speedport.ip",
    ".station",
    ".router",
    ".gateway",
    ".bbrouter",
)
_RESOLVER = Path("/etc/resolv.conf")
_WINDOWS_RESOLVER = r"SYSTEM\CurrentControlSet\Services\Tcpip\Parameters"


def is_ours(host: str, allowed: Sequence[str] = ()) -> bool:
    """Whether a `Host` header (`name:port`) is an IP address, a home network name, this machine's name, or
    one of `allowed` (as `host_name` returns them)."""
    try:
        name = (urlsplit(f"//{host}").hostname or "").removesuffix(".")
        if "." not in name and ":" not in name:
            return name != ""
        if is_address(name) or name == socket.gethostname().lower():
            return True
        return host_is_trusted(name, [*LOCAL_ENDINGS, *allowed]) or _is_in_search_domain(name)
    except ValueError:
        return False


def _is_in_search_domain(name: str) -> bool:
    """Whether a name belongs to a search domain of this machine's network. In a top-level domain only this
    machine's own name counts, since anybody can own another name there."""
    machine, _, domain = name.partition(".")
    if not host_is_trusted(name) or domain not in search_domains():
        return False
    return "." in domain or machine == socket.gethostname().lower().partition(".")[0]


def search_domains() -> frozenset[str]:
    """Search domains of this machine's resolver, as the network's router configured them."""
    if sys.platform == "win32":
        told = _told_to_windows()
    else:
        try:
            lines = _RESOLVER.read_text(errors="replace").splitlines()
        except OSError:
            lines = []
        words = [line.split("#")[0].split() for line in lines]
        told = [domain for line in words if line[:1] in (["search"], ["domain"]) for domain in line[1:]]
    return frozenset(domain.strip(".").lower() for domain in told) - {""}


def _told_to_windows() -> list[str]:
    told: list[str] = []
    if sys.platform == "win32":
        import winreg

        with suppress(OSError), winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, _WINDOWS_RESOLVER) as key:
            for value in ("SearchList", "Domain", "DhcpDomain"):
                with suppress(OSError):
                    told += str(winreg.QueryValueEx(key, value)[0]).replace(",", " ").split()
    return told


def host_name(text: str) -> str:
    """A host name in browsers' form: lower case and ASCII (IDNA). Raises `ValueError` for an invalid name,
    such as a URL or a name with a port."""
    name = text.strip().lower().removesuffix(".").encode("idna").decode("ascii")
    if not host_is_trusted(name) or ":" in name or name.startswith("."):
        raise ValueError(f"{text!r} is no host name")
    return name


def is_address(name: str) -> bool:
    """Whether a text is an IP address, without brackets."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
