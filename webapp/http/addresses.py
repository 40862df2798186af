"""Addresses of the server: in the home network, or on this machine alone."""

from __future__ import annotations

import ipaddress
import re
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import psutil
from werkzeug.routing import BaseConverter

#: The folder of certificates, below the data folder.
CERTIFICATES = "certificates"

#: Networks of homes and offices (RFC 1918); 100.64.0.0/10 is providers' and some VPNs'.
_PRIVATE = tuple(map(ipaddress.ip_network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")))
#: Patterns of network interfaces that lead to no device in the room: tunnels (Windows has no flags, and a
#: bridged tunnel looks like Ethernet), containers, virtual machines.
_VIRTUAL = re.compile(
    r"u?tun\d|tap|wg|ppp|ipsec|.*vpn|tailscale|zt|zerotier|nordlynx|proton|wireguard|.*warp|nebula|cscotun|gpd"
    r"|docker|br-[0-9a-f]{12}$|veth|vethernet|virbr|vmnet|.*vmware|.*virtualbox|vboxnet|lxc|lxd|podman|cni"
    r"|flannel|cali[0-9a-f]",
    re.IGNORECASE,
)


class EscapedConverter(BaseConverter):
    """URL converter for any text as one path segment, including slashes and line ends. The text is
    percent-encoded twice, since servers decode paths before splitting at slashes."""

    regex = "[^/]+"
    part_isolating = True

    def to_python(self, value: str) -> str:
        return unquote(value)

    def to_url(self, value: Any) -> str:
        return quote(quote(str(value), safe=""), safe="")


@dataclass(frozen=True)
class Address:
    """Address and port of the server; `certificate` and `key` are PEM files for https."""

    host: str
    port: int
    certificate: Path | None = None
    key: Path | None = None


def lan_addresses() -> tuple[str, ...]:
    """This machine's addresses in the home network, most likely reachable first: private IPv4 addresses,
    otherwise others. Loopback, VPN and container addresses are left out. Nothing is sent; the result is empty
    without a network."""
    found = [
        ipaddress.ip_address(address)
        for name, addresses in psutil.net_if_addrs().items()
        if _is_of_a_network(name)
        for address in (each.address for each in addresses if _is_shared(each))
    ]
    reachable = [each for each in found if not (each.is_loopback or each.is_unspecified or each.is_multicast)]
    routed = _routed_address()
    order = sorted(dict.fromkeys(reachable), key=lambda each: (_rank(each), str(each) != routed))
    private = [str(each) for each in order if _rank(each) == 0]
    return tuple(private or map(str, order))


def all_addresses() -> frozenset[str]:
    """All addresses of this machine, including loopback and VPN."""
    return frozenset(
        each.address
        for addresses in psutil.net_if_addrs().values()
        for each in addresses
        if each.family in (socket.AF_INET, socket.AF_INET6)
    )


def _is_of_a_network(name: str) -> bool:
    """Whether a network interface leads to a shared network, judged by its flags and name."""
    state = psutil.net_if_stats().get(name)
    flags = (state.flags if state is not None else "").split(",")
    if state is None or not state.isup or "loopback" in flags or "pointopoint" in flags:
        return False
    return _VIRTUAL.match(name) is None


def _is_shared(found: Any) -> bool:
    """Whether other devices in the network can reach an interface's address. Tunnel ends (alone in their
    subnet) and IPv6 addresses with an interface name are excluded."""
    if found.family == socket.AF_INET:
        return found.ptp is None and found.netmask != "255.255.255.255"
    return found.family == socket.AF_INET6 and found.ptp is None and "%" not in found.address


def _rank(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> int:
    """Rank of an address by how likely a phone in the room reaches it; 0 is most likely."""
    if any(address in network for network in _PRIVATE):
        return 0
    if address.is_link_local:
        return 3
    return 1 if address.version == 4 else 2


def _routed_address() -> str:
    """Source address of this machine's outgoing connections, possibly a VPN's; "" without a route."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return ""


def is_loopback(host: str) -> bool:
    """Whether a host name or address is reachable from this machine only."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def table_urls(address: Address) -> tuple[str, ...]:
    """URLs for other devices, most likely reachable first. For a server on all addresses these are the
    machine's home network addresses. Empty without a network."""
    everywhere = address.host in ("", "0.0.0.0", "::")
    return tuple(_url(address, host) for host in (lan_addresses() if everywhere else (address.host,)))


def own_url(address: Address) -> str:
    """URL of the server on this machine."""
    everywhere = address.host in ("", "0.0.0.0", "::")
    return _url(address, "localhost" if everywhere else address.host)


def _url(address: Address, host: str) -> str:
    scheme = "http" if address.certificate is None else "https"
    return f"{scheme}://{in_url(host)}:{address.port}/"


def in_url(host: str) -> str:
    """A host name or address in URL notation: IPv6 in brackets."""
    return f"[{host}]" if ":" in host else host
