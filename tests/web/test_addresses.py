"""The addresses that phones are told: those of the home network, never this machine's own or a VPN's."""

from __future__ import annotations

import re
import socket
from pathlib import Path
from types import SimpleNamespace

import pytest
from cli_runs import run_here
from flask.testing import FlaskClient

from webapp.http import addresses
from webapp.http.addresses import Address
from webapp.http.pages.joining import qr_code

Interfaces = dict[str, tuple[str, list[tuple[str, str]]]]
UP = "up,broadcast,running,multicast"
LOOPBACK = ("up,loopback,running", [("127.0.0.1", "255.0.0.0"), ("::1", "ffff::")])
WIFI = (UP, [("192.168.1.5", "255.255.255.0"), ("fe80::1%wlan0", "ffff::"), ("2001:db8::5", "ffff::")])
CABLE = (UP, [("10.0.0.7", "255.0.0.0")])
TUNNEL = ("up,pointopoint,running,noarp", [("10.8.0.2", "255.255.255.0")])
DOCKER = ("up,broadcast,multicast", [("172.17.0.1", "255.255.0.0")])


def networks(monkeypatch: pytest.MonkeyPatch, interfaces: Interfaces, routed: str = "") -> None:
    """Have this machine be in these networks, and send by the address `routed`."""

    def address(words: str, netmask: str) -> SimpleNamespace:
        family = socket.AF_INET6 if ":" in words else socket.AF_INET
        return SimpleNamespace(family=family, address=words, netmask=netmask, ptp=None)

    monkeypatch.setattr(
        "psutil.net_if_addrs",
        lambda: {name: [address(*each) for each in found] for name, (_, found) in interfaces.items()},
    )
    monkeypatch.setattr(
        "psutil.net_if_stats",
        lambda: {
            name: SimpleNamespace(isup="up" in flags or not flags, flags=flags)
            for name, (flags, _) in interfaces.items()
        },
    )
    monkeypatch.setattr(addresses, "_routed_address", lambda: routed)


@pytest.mark.parametrize(
    ("interfaces", "routed", "told"),
    [
        ({"lo": LOOPBACK, "wlan0": WIFI}, "192.168.1.5", ["192.168.1.5"]),
        # Without a gateway, as on a router that leads nowhere.
        ({"lo": LOOPBACK, "wlan0": WIFI}, "", ["192.168.1.5"]),
        # A VPN takes everything.
        ({"lo": LOOPBACK, "wlan0": WIFI, "tun0": TUNNEL}, "10.8.0.2", ["192.168.1.5"]),
        ({"wlan0": WIFI, "tap0": (UP, [("10.8.0.2", "255.255.255.0")])}, "10.8.0.2", ["192.168.1.5"]),
        # Windows tells no flags.
        (
            {"Wi-Fi": ("", WIFI[1]), "NordLynx": ("", [("10.5.0.2", "255.255.255.0")])},
            "10.5.0.2",
            ["192.168.1.5"],
        ),
        ({"Wi-Fi": ("", WIFI[1]), "work": ("", [("10.5.0.2", "255.255.255.255")])}, "", ["192.168.1.5"]),
        (
            {"Wi-Fi": ("", WIFI[1]), "Tailscale": ("", [("100.80.1.2", "255.255.255.255")])},
            "",
            ["192.168.1.5"],
        ),
        ({"docker0": DOCKER, "br-0123456789ab": DOCKER, "wlan0": WIFI}, "", ["192.168.1.5"]),
        ({"wlan0": WIFI, "eth0": CABLE}, "10.0.0.7", ["10.0.0.7", "192.168.1.5"]),
        ({"wlan0": WIFI, "eth0": CABLE}, "192.168.1.5", ["192.168.1.5", "10.0.0.7"]),
        ({"wlan0": WIFI, "eth0": ("broadcast,multicast", CABLE[1])}, "", ["192.168.1.5"]),
        # Two devices and a cable; a university's network.
        ({"lo": LOOPBACK, "eth0": (UP, [("169.254.3.4", "255.255.0.0")])}, "", ["169.254.3.4"]),
        ({"lo": LOOPBACK, "eth0": (UP, [("203.0.113.7", "255.255.255.0")])}, "", ["203.0.113.7"]),
        ({"lo": LOOPBACK, "tun0": TUNNEL}, "10.8.0.2", []),
        ({"lo": LOOPBACK}, "", []),
    ],
)
@pytest.mark.parametrize("opened", ["localhost", "127.0.0.1", "[::1]", "10.8.0.2", "table.localhost"])
def test_phones_are_told_addresses_of_the_home_network_alone(
    client: FlaskClient,
    monkeypatch: pytest.MonkeyPatch,
    interfaces: Interfaces,
    routed: str,
    told: list[str],
    opened: str,
) -> None:
    networks(monkeypatch, interfaces, routed)
    assert list(addresses.lan_addresses()) == told
    urls = [f"http://{each}:8080/" for each in told]
    assert list(addresses.table_urls(Address("0.0.0.0", 8080))) == urls
    if opened == "10.8.0.2" and opened not in addresses.all_addresses():
        return
    page = client.get("/join", base_url=f"http://{opened}:8080").get_data(as_text=True)
    shown = page.split("<main", 1)[1]
    # In the code's label and written out; the first one is a link, too.
    assert re.findall(r"http://[^/\"< ]+:8080/", shown) == [
        url for at, url in enumerate(urls) for _ in range(2 + (not at))
    ]
    assert all(str(qr_code(url)) in shown for url in urls)
    assert ("is in no network" in shown) == (not told)


def test_an_address_from_around_a_container_is_told_as_it_is(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    networks(monkeypatch, {"lo": LOOPBACK, "eth0": (UP, [("172.17.0.2", "255.255.0.0")])}, "172.17.0.2")
    page = client.get("/join", base_url="http://192.168.1.5").get_data(as_text=True)
    assert "http://192.168.1.5/" in page and "172.17.0.2" not in page


def test_in_no_network_the_server_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    networks(monkeypatch, {"lo": LOOPBACK, "tun0": TUNNEL})
    monkeypatch.setattr(
        "webapp.server.serve", lambda config, host, port, on_start, on_ready: on_start(Address(host, port))
    )
    told = run_here("serve", "--host", "0.0.0.0", "--data", tmp_path / "data").stdout
    assert "http://localhost:8080/" in told and "no phone can come in" in told and "█" not in told
    networks(monkeypatch, {"wlan0": WIFI, "eth0": CABLE}, "10.0.0.7")
    told = run_here("serve", "--host", "0.0.0.0", "--data", tmp_path / "data").stdout
    assert "█" in told and "try http://192.168.1.5:8080/" in told.replace("\n", " ")
