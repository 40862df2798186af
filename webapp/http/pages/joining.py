"""Pages for joining: the QR code of the table's address, and its certificate with https."""

from __future__ import annotations

import io
from functools import lru_cache
from urllib.parse import urlsplit

import segno
from flask import Blueprint, Response, render_template, request, send_file
from markupsafe import Markup

from webapp.http.addresses import CERTIFICATES, all_addresses, in_url, is_loopback, lan_addresses
from webapp.http.host_names import is_address
from webapp.http.services import services
from webapp.store.database import not_found

pages = Blueprint("joining", __name__)


@pages.get("/join")
def show() -> str:
    return render_template(
        "join.html",
        addresses=[(address, qr_code(address)) for address in table_addresses()],
        alone=services().config.alone,
        pin=services().config.pin is not None,
        certificate=services().config.https,
    )


@pages.get("/waymark-table.crt")
def certificate() -> Response:
    """Download of the certificate authority that devices install to trust this table."""
    file = services().config.data / CERTIFICATES / "waymark-authority.pem"
    if not file.exists():
        raise not_found()
    return send_file(file, mimetype="application/x-x509-ca-cert", download_name="waymark-table.crt")


def table_addresses() -> list[str]:
    """URLs by which other devices in the home network reach this table, most likely reachable first. This
    device's own and VPN addresses are left out; empty where no device can connect."""
    if services().config.alone:
        return []
    asked = urlsplit(f"//{request.host}")
    name = asked.hostname or ""
    own = is_loopback(name) or name in ("", "0.0.0.0", "::") or name.endswith(".localhost")
    addresses = lan_addresses()
    if is_address(name) and not own:
        # An address that this machine does not have belongs to a proxy, or to the host of a container.
        forwarded = name not in all_addresses()
        own = not forwarded and name not in addresses
    else:
        forwarded = bool(services().config.trusted_proxies)
    hosts = [] if own else [name]
    if not forwarded:
        hosts += [each for each in addresses if each != name]
    port = f":{asked.port}" if asked.port is not None else ""
    return [f"{request.scheme}://{in_url(host)}{port}/" for host in hosts]


@lru_cache(maxsize=64)  # It takes 50 ms, and pages repeat the same few.
def qr_code(text: str, *, error: str = "m") -> Markup:
    """A QR code as an SVG element, without inline styles. For a long text, `error` "l" gives larger squares
    with less error correction."""
    picture = io.BytesIO()
    segno.make(text, error=error, micro=False).save(
        picture, kind="svg", xmldecl=False, svgns=True, nl=False, omitsize=True, border=4, light="#fff"
    )
    # Made by segno from the address: SVG paths only, no user text.
    return Markup(picture.getvalue().decode())
