"""How other devices come in: the QR code of the table's address, and its certificate with https."""

from __future__ import annotations

import io
from functools import lru_cache

import segno
from flask import Blueprint, Response, render_template, request, send_file
from markupsafe import Markup

from webapp.http.addresses import CERTIFICATES, lan_address
from webapp.http.services import services
from webapp.store.database import not_found

pages = Blueprint("joining", __name__)


@pages.get("/join")
def show() -> str:
    address = table_address()
    return render_template(
        "join.html",
        address=address,
        code=qr_code(address),
        alone=services().config.alone,
        pin=services().config.pin is not None,
        certificate=services().config.https,
    )


@pages.get("/waymark-table.crt")
def certificate() -> Response:
    """The authority that a device may install to trust this table."""
    file = services().config.data / CERTIFICATES / "waymark-authority.pem"
    if not file.exists():
        raise not_found()
    return send_file(file, mimetype="application/x-x509-ca-cert", download_name="waymark-table.crt")


def table_address() -> str:
    """The address that another device in the home network reaches this table by; where none can, this
    device's own."""
    host = request.host
    if services().config.alone:
        return f"{request.scheme}://{host}/"
    name = host.rsplit(":", 1)[0]
    if name in ("localhost", "127.0.0.1", "[::1]", "0.0.0.0"):
        host = host.replace(name, lan_address(), 1)
    return f"{request.scheme}://{host}/"


@lru_cache(maxsize=64)  # It takes 50 ms, and the same few are on one page after the other.
def qr_code(text: str, *, error: str = "m") -> Markup:
    """A QR code as an SVG element, without any inline style. A long text has larger squares with less
    correction (`error` "l")."""
    picture = io.BytesIO()
    segno.make(text, error=error, micro=False).save(
        picture, kind="svg", xmldecl=False, svgns=True, nl=False, omitsize=True, border=4, light="#fff"
    )
    # Made from the address by segno: paths of modules, no text of anybody's.
    return Markup(picture.getvalue().decode())
