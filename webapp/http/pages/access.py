"""Pages for access: the table's PIN, the QR code for other devices, and the choice of language and theme."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Blueprint, redirect, render_template, request, session, url_for
from flask_babel import gettext
from sqlalchemy import text
from werkzeug.exceptions import BadRequest
from werkzeug.wrappers import Response

from scorer.text import LANGUAGES
from webapp.http.languages import COOKIE
from webapp.http.security import SESSION_PIN, pin_is_right, pin_mark
from webapp.http.services import services

pages = Blueprint("access", __name__)

YEAR_SECONDS = 365 * 24 * 3600


@pages.get("/pin")
def ask_pin() -> str:
    return render_template("pin.html", next=local_path(request.args.get("next")), wrong="")


@pages.post("/pin")
def enter_pin() -> Response | tuple[str, int]:
    wanted = local_path(request.form.get("next"))
    if not pin_is_right(request.form.get("pin", "")):
        wrong = gettext("That is not the PIN of this table; look at the device that runs Waymark.")
        return render_template("pin.html", next=wanted, wrong=wrong), 403
    session[SESSION_PIN] = pin_mark()
    session.permanent = True
    return redirect(wanted, 303)


@pages.post("/language")
def set_language() -> Response:
    """Store the chosen language, and redirect to the page."""
    return _with_cookie(COOKIE, request.form.get("language", ""), LANGUAGES)


@pages.post("/theme")
def set_theme() -> Response:
    """Store the chosen theme (light, dark, or the device's), and redirect to the page."""
    from webapp.http.pages import THEME_COOKIE, THEMES

    return _with_cookie(THEME_COOKIE, request.form.get("theme", ""), THEMES)


@pages.get("/healthz")
def health() -> Response:
    """200 when the database answers; health checks of containers ask without a PIN, and phones at the trust
    door, whose page has another origin, to see whether they trust the certificate."""
    with services().database.snapshot() as database:
        database.execute(text("SELECT 1"))
    return Response("ok\n", mimetype="text/plain", headers={"Cross-Origin-Resource-Policy": "cross-origin"})


def local_path(wanted: str | None) -> str:
    """A path on this server for a redirect; the start page for any other address."""
    if not wanted or not wanted.startswith("/") or wanted.startswith(("//", "/\\")):
        return url_for("home.show")
    parts = urlsplit(wanted)
    return url_for("home.show") if parts.netloc or parts.scheme else wanted


def _with_cookie(name: str, value: str, allowed: tuple[str, ...]) -> Response:
    if value not in allowed:
        raise BadRequest
    response = redirect(local_path(request.form.get("next")), 303)
    response.set_cookie(
        name, value, max_age=YEAR_SECONDS, samesite="Lax", httponly=True, secure=services().config.https
    )
    return response
