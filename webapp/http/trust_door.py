"""A plain http port beside https, for devices that do not trust the table's certificate yet.

It serves the page that explains the certificate, and the certificate itself; all else leads to https. No
form, photo or cookie is taken there.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from flask import Flask, current_app, redirect, request
from werkzeug.wrappers import Response as Answer

from webapp.http.addresses import in_url

_KEY = "waymark.trust_door"
#: Endpoints that answer by plain http.
_OPEN = frozenset({"static", "joining.trust", "joining.certificate", "messages.show", "capture.manifest"})


@dataclass(frozen=True)
class TrustDoor:
    """Ports of the same server by http and by https."""

    http_port: int
    https_port: int


def init_trust_door(app: Flask) -> None:
    """The app has no door until `set_trust_door`."""
    app.extensions[_KEY] = None


def set_trust_door(app: Flask, door: TrustDoor) -> None:
    """The app has a door from now on."""
    app.extensions[_KEY] = door


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


def _is_at_door() -> bool:
    return trust_door() is not None and not request.is_secure


def is_served_at_door() -> bool:
    """Whether the request came by plain http, for what the door serves. No PIN is asked of it."""
    return _is_at_door() and request.endpoint in _OPEN


def lead_to_https() -> Answer | None:
    """Redirect to https what came by plain http and is not served there; None for other requests."""
    if not _is_at_door() or is_served_at_door():
        return None
    return redirect(https_url(request.full_path.rstrip("?")), 307)
