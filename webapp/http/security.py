"""Security of the server: headers, CSRF, allowed origins of API requests, rate limits, and the PIN."""

from __future__ import annotations

import hmac
import math
import re
import secrets
import threading
import time
from pathlib import Path
from typing import Any
from unicodedata import normalize
from urllib.parse import unquote_to_bytes

from flask import Flask, Response, abort, current_app, request, session
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address
from flask_wtf import CSRFProtect
from limits import RateLimitItem, RateLimitItemPerDay, RateLimitItemPerHour, RateLimitItemPerMinute
from werkzeug.exceptions import (
    BadRequest,
    Forbidden,
    HTTPException,
    MisdirectedRequest,
    RequestEntityTooLarge,
    TooManyRequests,
    Unauthorized,
)

from scorer.errors import Code, WaymarkError
from scorer.text import Text
from webapp.http.addresses import is_loopback
from webapp.http.body_limits import (
    MAX_FIELDS,
    MAX_FORM_BYTES,
    MAX_PHOTO_FIELD_BYTES,
    MAX_PHOTO_PARTS,
    body_limit,
    takes_photos,
)
from webapp.http.host_names import is_ours
from webapp.http.request_counts import RequestCounts
from webapp.http.services import services
from webapp.http.trust_door import init_trust_door, is_served_at_door, lead_to_https
from webapp.store.photos import write_whole

csrf = CSRFProtect()
limiter = Limiter(
    get_remote_address,
    # For all routes together.
    application_limits=[lambda: f"{services().config.requests_per_minute} per minute"],
    storage_uri=RequestCounts.URI,
    headers_enabled=True,
)

#: No inline scripts or styles, and nothing from other origins. `blob:` shows a photo that is waiting to be
#: sent.
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob: data:",
        "connect-src 'self'",
        "font-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "media-src 'self' blob:",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), geolocation=(), microphone=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
#: Endpoints that do not need the PIN: those of the PIN page, and files that browsers fetch by themselves.
PIN_FREE = frozenset(
    {
        "static",
        "access.ask_pin",
        "access.enter_pin",
        "access.health",
        "access.set_language",
        "capture.manifest",
        "capture.service_worker",
        "capture.offline",
        "messages.show",
    }
)
SESSION_PIN = "pin"
#: Key in the WSGI environment of a request that the intake refused: an HTTP status, or the error while its
#: body was stored.
REFUSED = "waymark.refused"


def secret_key(data: Path) -> str:
    """The key that signs cookies: made once for a data folder and kept in it."""
    file = data / "secret-key"
    if not file.exists() or not file.read_bytes():
        write_whole(file, secrets.token_hex(32).encode())
        file.chmod(0o600)
    return file.read_text()


def init_safety(app: Flask, *, data: Path, https: bool) -> None:
    """Register all security checks and headers of an app."""
    app.config.update(
        SECRET_KEY=secret_key(data),
        SESSION_COOKIE_NAME="waymark",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=https,
        WTF_CSRF_TIME_LIMIT=None,
        WTF_CSRF_SSL_STRICT=False,
    )
    app.after_request(_add_headers)  # registered first, so called last: after the limiter's
    app.before_request(_refuse_what_is_malformed)
    app.before_request(_refuse_other_names)
    csrf.init_app(app)
    limiter.init_app(app)
    app.before_request(_refuse_other_sites)
    init_trust_door(app)
    app.before_request(lead_to_https)
    app.before_request(_ask_for_pin)


def pin_is_right(given: str) -> bool:
    """Whether the entered PIN is correct. Raises 429 after too many wrong attempts, by this address or by
    all; then the correct PIN is rejected, too. The allowed number of attempts falls with time, so that four
    digits last a month."""
    pin, who = services().config.pin, get_remote_address()
    tries = services().config.pin_tries_per_minute
    limits: list[tuple[RateLimitItem, str]] = [
        (RateLimitItemPerMinute(tries), who),
        (RateLimitItemPerHour(3 * tries), who),
    ]
    # The table's own device is not locked out by other clients' attempts.
    if not is_loopback(who):
        limits += [
            (RateLimitItemPerMinute(3 * tries), ""),
            (RateLimitItemPerHour(10 * tries), ""),
            (RateLimitItemPerDay(30 * tries), ""),
        ]
    with _trying:
        for limit, whose in limits:
            if not limiter.limiter.test(limit, "pin", whose):
                ends = limiter.limiter.get_window_stats(limit, "pin", whose).reset_time
                raise TooManyRequests(retry_after=max(1, math.ceil(ends - time.time())))
        given = normalize("NFKC", given).strip()  # Japanese keyboards may enter full-width digits
        right = pin is not None and hmac.compare_digest(given.encode(), normalize("NFKC", pin).encode())
        if not right:
            for limit, whose in limits:
                limiter.limiter.hit(limit, "pin", whose)
    return right


#: Lock that lets one PIN attempt be counted before the next begins.
_trying = threading.Lock()
_BROKEN_ESCAPE = re.compile(rb"%(?![0-9A-Fa-f]{2})")


def _refuse_what_is_malformed() -> None:
    """Reject invalid requests: what the intake refused, bodies too large for their path, and addresses that
    are not UTF-8 text."""
    if (refused := request.environ.get(REFUSED)) is not None:
        if isinstance(refused, OSError):
            raise refused
        abort(refused)
    request.max_content_length = body_limit(services().config, request.method, request.path)
    if takes_photos(request.path):
        request.max_form_parts, request.max_form_memory_size = MAX_PHOTO_PARTS, MAX_PHOTO_FIELD_BYTES
    # The target as it was sent; WSGI has bytes as Latin-1.
    _check_text(request.environ.get("REQUEST_URI", "").encode("latin-1"))
    nameless = "HTTP_HOST" not in request.environ and request.environ["SERVER_PROTOCOL"] == "HTTP/1.1"
    if nameless or not request.host:
        raise BadRequest
    if request.headers.get("Content-Encoding", "identity") != "identity":
        raise WaymarkError(
            Code.ENCODED, Text("This server takes no compressed requests; send it without Content-Encoding.")
        )
    if request.query_string.count(b"&") >= MAX_FIELDS:
        raise BadRequest
    if request.mimetype == "application/x-www-form-urlencoded":
        request.max_content_length = MAX_FORM_BYTES
        if request.get_data().count(b"&") >= MAX_FIELDS:
            raise RequestEntityTooLarge
    if request.path.startswith("/api/"):
        return
    if request.mimetype == "application/x-www-form-urlencoded":
        _check_text(request.get_data())
    elif None in request.form:
        raise BadRequest  # A part without a name, which Flask-WTF requires.


def _check_text(escaped: bytes) -> None:
    """Raises `BadRequest` for percent-encoded bytes that are not UTF-8, and for U+0000, which some databases
    cannot store."""
    try:
        text = unquote_to_bytes(escaped).decode()
    except UnicodeError:
        raise BadRequest from None
    if _BROKEN_ESCAPE.search(escaped) or "\0" in text:
        raise BadRequest


def refused_by_header(app: Flask, environ: dict[str, Any]) -> int | None:
    """The HTTP status with which a request is refused before its body has come: wrong host name, other site,
    or missing PIN. None where the body may come."""
    with app.request_context(environ):
        try:
            _refuse_other_names()
            _refuse_other_sites()
            return None if _ask_for_pin() is None else Unauthorized.code
        except HTTPException as error:
            return error.code


def _refuse_other_names() -> None:
    """Reject requests with another site's host name, against DNS rebinding. Requests without a host name are
    let through.

    Flask's `TRUSTED_HOSTS` is a list of names: it can contain neither every address nor every name without a
    dot."""
    if "HTTP_HOST" not in request.environ or request.endpoint == "static":
        return
    if not is_ours(request.host, services().config.host_names):
        raise MisdirectedRequest


def _refuse_other_sites() -> None:
    """Reject writing requests from pages of other sites (CSRF). Browsers send the origin of a request.
    Programs without that header carry no user's session and are let through."""
    if request.method in _SAFE_METHODS:
        return
    origin = request.headers.get("Origin")
    if origin is not None and origin.partition("://")[2] != request.host:
        raise Forbidden
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        raise Forbidden


def _ask_for_pin() -> Response | None:
    pin = services().config.pin
    if pin is None or request.endpoint in PIN_FREE or is_served_at_door():
        return None
    given = request.authorization
    if given is not None and given.type == "bearer" and pin_is_right(given.token or ""):
        return None
    if hmac.compare_digest(str(session.get(SESSION_PIN, "")), pin_mark()):
        return None
    if request.path.startswith("/api/") or request.method not in _SAFE_METHODS:
        raise Unauthorized
    from flask import redirect, url_for

    return current_app.make_response(redirect(url_for("access.ask_pin", next=request.full_path.rstrip("?"))))


def pin_mark() -> str:
    """Session value after the PIN was entered: a change of PIN makes it invalid."""
    key = str(current_app.config["SECRET_KEY"]).encode()
    return hmac.new(key, (services().config.pin or "").encode(), "sha256").hexdigest()


def _add_headers(response: Response) -> Response:
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)
    if "Cache-Control" not in response.headers:
        response.headers["Cache-Control"] = "no-store"
    if response.status_code < 400:
        # The limiter would add this header to every response.
        response.headers.pop("Retry-After", None)
    return response
