"""Taking photos: the page, the viewfinder, the form for browsers without JavaScript, and what makes the app
installable and usable while the server is away."""

from __future__ import annotations

import secrets
from dataclasses import replace
from hashlib import sha256

from flask import Blueprint, redirect, render_template, request
from werkzeug.wrappers import Response

from webapp.models import Shot
from webapp.pages.access import local_path
from webapp.safety import limiter
from webapp.services import reading, services
from webapp.uploads import MAX_CLIENT_KEY, keep_upload, uploads_from

pages = Blueprint("capture", __name__)


@pages.get("/capture")
def show() -> str:
    """A page with nothing but the way to bring a photo."""
    return render_template("capture/show.html", target=_target())


@pages.get("/capture/live")
def live() -> str:
    """The viewfinder."""
    return render_template("capture/live.html", target=_target())


@pages.post("/capture")
@limiter.limit(lambda: f"{services().config.uploads_per_minute} per minute")
def take() -> Response:
    """Photos from a plain form."""
    first = None
    for upload in uploads_from(request):
        # A form that is sent twice brings a photo once; sent again with another photo it brings that, too.
        key = f"{request.form.get('form_key', '')[:16]}.{sha256(upload.data).hexdigest()}"
        shot_id = keep_upload(replace(upload, client_key=key[:MAX_CLIENT_KEY]))
        first = first or shot_id
    wanted = request.form.get("next")
    if wanted:
        return redirect(local_path(wanted), 303)
    return redirect(f"/tableaus/{reading().get_one(Shot, first).tableau_id}", 303)


def form_key() -> str:
    """A random key that tells one form from the next."""
    return secrets.token_urlsafe(12)


def _target() -> dict[str, str | None]:
    """Whose photo the address asks for, as the capture component takes it."""
    wanted = request.args.get("next")
    return {
        "entry_id": request.args.get("entry_id"),
        "tableau_id": request.args.get("tableau_id"),
        "next": local_path(wanted) if wanted else None,
    }
