"""Pages for taking photos: the viewfinder, the form for browsers without JavaScript, and the files that make
the app installable and usable offline."""

from __future__ import annotations

import json
import secrets
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path

from flask import Blueprint, current_app, redirect, render_template, request, url_for
from flask_babel import force_locale, gettext
from werkzeug.wrappers import Response

from scorer.text import LANGUAGES
from webapp.http.pages.access import local_path
from webapp.http.pages.messages import messages_address
from webapp.http.security import limiter
from webapp.http.services import read_session, services
from webapp.http.uploads import MAX_CLIENT_KEY, keep_upload, uploads_from
from webapp.store.models import Entry, Shot, Tableau

pages = Blueprint("capture", __name__)

_WORKER = "capture/sw.js"
_THIS_MACHINE = ("localhost", "127.0.0.1", "[::1]")
_HEADER_COLOUR = "#1d2a3a"


@pages.get("/capture")
def show() -> str:
    """The page for choosing or taking a photo."""
    return render_template("capture/show.html", target=_target())


@pages.get("/capture/live")
def live() -> str:
    """The page with the live viewfinder."""
    return render_template("capture/live.html", target=_target(), colour=_colour())


@pages.post("/capture")
@limiter.limit(lambda: f"{services().config.uploads_per_minute} per minute")
def take() -> Response:
    """Upload photos from a plain form, without JavaScript."""
    first = None
    for upload in uploads_from(request):
        # A form sent twice adds its photo once; sent again with another photo it adds that one, too.
        key = f"{request.form.get('form_key', '')[:16]}.{sha256(upload.data).hexdigest()}"
        shot_id = keep_upload(replace(upload, client_key=key[:MAX_CLIENT_KEY]))
        first = first or shot_id
    wanted = request.form.get("next")
    if wanted:
        return redirect(local_path(wanted), 303)
    return redirect(f"/tableaus/{read_session().get_one(Shot, first).tableau_id}", 303)


@pages.get("/manifest/<any({}):language>.webmanifest".format(", ".join(LANGUAGES)))
def manifest(language: str) -> Response:
    """Web app manifest for installation, in one language."""
    game = services().rules.name.message(language)
    with force_locale(language):
        return Response(manifest_json(language, game), mimetype="application/manifest+json")


@pages.get("/sw.js")
def service_worker() -> Response:
    """The service worker's script, with the addresses of all required files and a version that changes with
    them."""
    offline_pages = {language: url_for("capture.offline", language=language) for language in LANGUAGES}
    version, names = static_files(Path(current_app.static_folder or ""))
    sentences = [address for language in LANGUAGES if (address := messages_address(language))]
    files = [url_for("static", filename=name) for name in names] + sentences
    version = sha256("".join((version, *sentences)).encode()).hexdigest()[:16]
    values = {"VERSION": version, "FILES": files, "OFFLINE": offline_pages}
    head = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in values.items())
    script = Path(current_app.static_folder or "", _WORKER).read_text()
    headers = {"Service-Worker-Allowed": "/", "Cache-Control": "no-cache"}
    return Response(head + script, mimetype="text/javascript", headers=headers)


@pages.get("/offline/<any({}):language>".format(", ".join(LANGUAGES)))
def offline(language: str) -> str:
    """Page shown while the server is unreachable."""
    with force_locale(language):
        return render_template("capture/offline.html")


@cache
def static_files(folder: Path) -> tuple[str, tuple[str, ...]]:
    """SHA-256 (16 digits) over all static files and templates, and the names of the files to cache on
    devices."""
    digest = sha256()
    names = []
    for file in sorted(folder.rglob("*")):
        if not file.is_file():
            continue
        name = file.relative_to(folder).as_posix()
        digest.update(name.encode() + file.read_bytes())
        if name != _WORKER:
            names.append(name)
    for file in sorted((folder.parent / "templates").rglob("*.html")):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16], tuple(names)


def manifest_json(language: str, game: str) -> str:
    """The web app manifest as JSON, for a server of this game."""

    def picture(name: str, side: int, purpose: str) -> dict[str, str]:
        source = url_for("static", filename=f"icons/{name}-{side}.png")
        return {"src": source, "sizes": f"{side}x{side}", "type": "image/png", "purpose": purpose}

    return json.dumps(
        {
            "name": gettext("Waymark: %(game)s scores from a photo", game=game),
            "short_name": "Waymark",
            "description": gettext(
                "Take a photo of the cards and the path drawn on them; Waymark referees it."
            ),
            "lang": language,
            "dir": "ltr",
            "id": "/",
            "start_url": "/",
            "scope": "/",
            "display": "standalone",
            "background_color": _HEADER_COLOUR,
            "theme_color": _HEADER_COLOUR,
            "icons": [
                picture("icon", 192, "any"),
                picture("icon", 512, "any"),
                picture("maskable", 192, "maskable"),
                picture("maskable", 512, "maskable"),
            ],
            "shortcuts": [{"name": gettext("Take a photo"), "url": url_for("capture.show")}],
        },
        ensure_ascii=False,
    )


def may_have_camera() -> bool:
    """Whether browsers allow this page a camera: over https, or on the server's own machine."""
    return request.is_secure or request.host.rsplit(":", 1)[0] in _THIS_MACHINE


def form_key() -> str:
    """A random key that identifies one form."""
    return secrets.token_urlsafe(12)


def _target() -> dict[str, str | None]:
    """Owner of the photo to be taken, from the address, for the capture component. Unknown ids are reported
    when the photo is sent."""
    entry_id, tableau_id = request.args.get("entry_id"), request.args.get("tableau_id")
    entry = read_session().get(Entry, entry_id) if entry_id else None
    tableau = read_session().get(Tableau, tableau_id) if tableau_id else None
    name = entry.seat.name if entry is not None else tableau.title if tableau is not None else ""
    wanted = request.args.get("next")
    return {
        "entry_id": entry_id,
        "tableau_id": tableau_id,
        "name": name or None,
        "next": local_path(wanted) if wanted else None,
        "same_turn": request.args.get("same_turn"),
    }


def _colour() -> str:
    """Colour of the player whose photo is to be taken; "" without a player."""
    entry_id = request.args.get("entry_id")
    entry = read_session().get(Entry, entry_id) if entry_id else None
    return entry.seat.colour if entry is not None else ""
