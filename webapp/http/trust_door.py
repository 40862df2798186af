"""A plain http port beside https, for devices that do not trust the table's certificate yet.

It serves the page that explains the certificate, and the certificate itself; all else leads to https. No
form, photo or cookie is taken there.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from flask import Flask, current_app, redirect, request
from werkzeug.wrappers import Response as Answer

from webapp.http.addresses import Address, in_url
from webapp.http.listening import Listening, listen

log = logging.getLogger(__name__)

_KEY = "waymark.trust_door"
#: Endpoints that answer by plain http.
_OPEN = frozenset(
    {"static", "joining.trust", "joining.certificate", "joining.trusted", "messages.show", "capture.manifest"}
)


@dataclass(frozen=True)
class TrustDoor:
    """Ports of the same server by http and by https."""

    http_port: int
    https_port: int


def init_trust_door(app: Flask) -> None:
    """Have the app lead what comes by plain http to https, once a door is open."""
    app.extensions[_KEY] = None
    app.before_request(_lead_to_https)


def open_trust_door(app: Flask, address: Address) -> Listening | None:
    """Open the port after that of an https server; None where it is in use, which is logged."""
    try:
        door = listen(app, replace(address, port=address.port + 1, certificate=None, key=None))
    except (OSError, OverflowError) as error:
        log.warning("no page explains the certificate at port %d: %s", address.port + 1, error)
        return None
    app.extensions[_KEY] = TrustDoor(door.port, address.port)
    return door


def trust_door() -> TrustDoor | None:
    """The open door of the app, or None."""
    door: TrustDoor | None = current_app.extensions[_KEY]
    return door


def https_url(path: str) -> str:
    """URL of a path on this server by https, as the device that asks reaches it."""
    asked = urlsplit(f"//{request.host}")
    door = trust_door()
    port = asked.port if request.is_secure or door is None else door.https_port
    return f"https://{in_url(asked.hostname or '')}{'' if port is None else f':{port}'}{path}"


def _lead_to_https() -> Answer | None:
    if trust_door() is None or request.is_secure or request.endpoint in _OPEN:
        return None
    return redirect(https_url(request.full_path.rstrip("?")), 307)
