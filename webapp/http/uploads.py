"""Photo upload: validated, stored, and queued for reading exactly once, however often it is sent."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from flask import Request
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session
from werkzeug.exceptions import BadRequest

from scorer.errors import Code, WaymarkError
from scorer.play_kinds import TABLE
from scorer.text import Text
from webapp.games.games import tableau_of_entry
from webapp.http.services import services, write_session
from webapp.store.boxes import kind_of
from webapp.store.database import get_row
from webapp.store.models import Entry, Shot, Tableau
from webapp.store.photos import StoredPhoto, store_original
from webapp.store.tableaus import add_shot, touch
from webapp.store.tables import last_of_turn

MAX_FILENAME = 300
MAX_CLIENT_KEY = 64
#: Number of attempts: two devices may add the same photo, key or tableau at the same moment, and the later
#: one tries again.
_TRIES = 3


@dataclass(frozen=True)
class Upload:
    """An uploaded photo: its bytes, its file name, the key for repeated uploads, and its owner (both None: a
    new tableau)."""

    data: bytes
    filename: str = ""
    client_key: str | None = None
    tableau_id: str | None = None
    entry_id: str | None = None
    #: Whether this is another photo of the turn photographed last.
    same_turn: bool = False


def keep_upload(upload: Upload) -> str:
    """Store a photo and queue it for reading; returns the id of its shot. Both are on the disk when this
    returns.

    Raises `WaymarkError` for bytes that are no readable photo, an unknown tableau or entry, both given at
    once, or a key that was used for another photo."""
    if upload.tableau_id is not None and upload.entry_id is not None:
        raise WaymarkError(
            Code.TWO_TARGETS, Text("Send the photo with a tableau_id or with an entry_id, not with both.")
        )
    if len(upload.client_key or "") > MAX_CLIENT_KEY or not (upload.client_key or "x").isprintable():
        raise WaymarkError(
            Code.NOT_VALID,
            Text(
                "The client_key has more than {max_client_key} characters or odd ones; choose another.",
                max_client_key=MAX_CLIENT_KEY,
            ),
        )
    # Before the transaction, so that no other writer waits while the photo is stored.
    stored = store_original(services().photos, upload.data)
    for attempt in range(_TRIES):
        try:
            with write_session() as session:
                shot = _keep(session, upload, stored)
                session.flush()
                shot_id = shot.id
            break
        except IntegrityError:
            if attempt == _TRIES - 1:
                raise
    services().queue.wake()
    return shot_id


def _keep(session: Session, upload: Upload, stored: StoredPhoto) -> Shot:
    _read_after_all(session, stored)
    if upload.client_key is not None:
        known = session.scalar(select(Shot).where(Shot.client_key == upload.client_key))
        if known is not None:
            _check_same(known, upload, stored)
            return known
    tableau = _target(session, upload)
    beside = last_of_turn(tableau) if upload.same_turn and kind_of(tableau) is TABLE else None
    return add_shot(
        session,
        tableau,
        stored,
        filename=upload.filename,
        client_key=upload.client_key,
        beside=beside.id if beside is not None else None,
    )


def _read_after_all(session: Session, stored: StoredPhoto) -> None:
    """Queue failed shots of this photo again if its file was lost or damaged, since the file exists again."""
    failed = select(Shot).where(Shot.photo_id == stored.sha256, Shot.state == "failed")
    for shot in session.scalars(failed):
        why = shot.error.get("code") if isinstance(shot.error, dict) else None
        if why in (Code.PHOTO_LOST, Code.PHOTO_DAMAGED):
            shot.state, shot.error, shot.attempts = "waiting", None, 0
            touch(shot.tableau)


def _check_same(known: Shot, upload: Upload, stored: StoredPhoto) -> None:
    """Raises `WaymarkError` (conflict) where a key is used again for another photo or tableau."""
    same_target = upload.tableau_id in (None, known.tableau_id) and upload.entry_id in (
        None,
        known.tableau.entry_id,
    )
    if known.photo_id != stored.sha256 or not same_target:
        raise WaymarkError(
            Code.CONFLICT,
            Text("This client_key was used for another photo or tableau; send the photo with a new one."),
        )


def _target(session: Session, upload: Upload) -> Tableau:
    if upload.tableau_id is not None:
        return get_row(session, Tableau, upload.tableau_id)
    if upload.entry_id is not None:
        return tableau_of_entry(session, get_row(session, Entry, upload.entry_id))
    tableau = Tableau(game=services().catalogue.game)
    session.add(tableau)
    session.flush()
    return tableau


def uploads_from(request: Request) -> list[Upload]:
    """The photos in a multipart request, in order. Raises `WaymarkError` (no-photo), and 413 for a body that
    is too large. Half a megabyte of each file is parsed in memory, the rest on the disk."""
    form = request.form
    if any("\0" in value for value in form.values()):
        raise BadRequest
    uploads = [
        Upload(
            data,
            plain_filename(file.filename),
            form.get("client_key") or None,
            form.get("tableau_id") or None,
            form.get("entry_id") or None,
            bool(form.get("same_turn")) or number > 0,
        )
        for number, file in enumerate(request.files.getlist("photo"))
        if (data := file.read())
    ]
    if not uploads:
        raise WaymarkError(
            Code.NO_PHOTO, Text("There is no photo in this request; choose or take one and send it again.")
        )
    return uploads


_SEPARATORS = re.compile(r"[\\/]")


def plain_filename(name: str | None) -> str:
    """Base name of an uploaded file in any script, without control characters, at most 300 characters."""
    last = _SEPARATORS.split(name or "")[-1]
    return "".join(sign for sign in last if unicodedata.category(sign) not in ("Cc", "Cs"))[:MAX_FILENAME]
