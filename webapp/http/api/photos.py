"""API of photo uploads: for a player's round, a tableau, or a single photo."""

from __future__ import annotations

import time
from typing import Annotated

import msgspec
from flask import request
from werkzeug.exceptions import RequestEntityTooLarge

from scorer.errors import Code, WaymarkError
from scorer.text import Text
from vision.photo.decode import read_header
from webapp.games.score_sheet import live_tableau
from webapp.http.api.endpoint import endpoint
from webapp.http.api.tableaus import ShotView, shot_view
from webapp.http.security import limiter
from webapp.http.services import read_session, services
from webapp.http.uploads import Upload, keep_upload, uploads_from
from webapp.store.database import get_row
from webapp.store.models import Entry, Shot, Tableau


class KeptPhoto(msgspec.Struct, frozen=True, kw_only=True):
    """A photo that is kept, and the tableau that it shows."""

    tableau_id: str
    shot: ShotView


@endpoint(
    "POST",
    "/photos",
    upload={
        "client_key": "Chosen by the device, up to 64 characters: a photo sent twice is kept once.",
        "tableau_id": "The tableau that the photo shows.",
        "entry_id": "The player's round that the photo shows; without either a tableau of its own begins.",
        "same_turn": "Not empty: one more photo of the turn that was photographed last, of a table that all "
        "share; they are read together.",
    },
    status=202,
)
@limiter.limit(lambda: f"{services().config.uploads_per_minute} per minute")
def send_photo() -> KeptPhoto:
    """Send a photo (JPEG, PNG, WebP, HEIC or AVIF); it is kept, then read in the background. The same
    client_key again gives the same answer."""
    uploads = uploads_from(request)
    if len(uploads) > 1:
        raise WaymarkError(Code.SEVERAL_PHOTOS, Text("Send one photo with each request."))
    shot_id = keep_upload(uploads[0])
    shot = read_session().get_one(Shot, shot_id)
    return KeptPhoto(tableau_id=shot.tableau_id, shot=shot_view(shot))


#: A viewfinder sends a small picture; a larger one would only take longer.
MAX_FRAME_BYTES = 1 << 20


class Outlines(msgspec.Struct, frozen=True, kw_only=True):
    """The cards detected in a picture at a first look: four [x, y] each, as shares of its width and height,
    which may lie outside it; `apart` are the indices of cards away from most of the others. `busy`: no scan
    process was free."""

    busy: bool
    cards: list[list[list[float]]]
    apart: list[int]


@endpoint(
    "POST",
    "/outlines",
    upload={
        "entry_id": "the player's round whose cards these are",
        "tableau_id": "or the tableau: its box tells which cards there are",
    },
)
def find_outlines() -> Outlines:
    """Where a viewfinder's picture shows cards; it is not kept."""
    upload = uploads_from(request)[0]
    frame = upload.data
    if len(frame) > MAX_FRAME_BYTES:
        raise RequestEntityTooLarge
    read_header(frame)
    seen = services().queue.glance(frame, _deck_of(upload))
    cards, apart = seen or ([], [])
    return Outlines(busy=seen is None, cards=cards, apart=apart)


def _deck_of(upload: Upload) -> str:
    """Deck id for a frame of the viewfinder; an unknown owner is reported only when the photo is sent."""
    session = read_session()
    if upload.entry_id and (entry := session.get(Entry, upload.entry_id)) is not None:
        return entry.round.game.deck
    tableau = session.get(Tableau, upload.tableau_id) if upload.tableau_id else None
    return tableau.deck if tableau is not None else ""


class Photographer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A device that is about to take a photo, with a self-chosen name, and the owner of the cards: a player's
    round or a tableau."""

    device: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    entry_id: str | None = None
    tableau_id: str | None = None


class Photographers(msgspec.Struct, frozen=True, kw_only=True):
    """Number of other devices about to photograph the same cards, and the photos they have sent, with the
    tableau."""

    others: int
    tableau_id: str | None
    shots: list[ShotView]


@endpoint("POST", "/photographers")
def tell_photographer(body: Photographer) -> Photographers:
    """Tell that a device is about to photograph somebody's cards, every second or so, and hear who else is
    and what has come."""
    session = read_session()
    entry = get_row(session, Entry, body.entry_id) if body.entry_id else None
    tableau = None
    if entry is not None:
        tableau = live_tableau(entry)
    elif body.tableau_id:
        tableau = get_row(session, Tableau, body.tableau_id)
        # One device refers to the player's round, another to the existing photo.
        entry = tableau.entry
    whose = entry or tableau
    if whose is None:
        return Photographers(others=0, tableau_id=None, shots=[])
    others = services().photographers.tell(whose.id, body.device, time.monotonic())
    if tableau is None:
        return Photographers(others=others, tableau_id=None, shots=[])
    shots = [shot_view(shot) for shot in tableau.shots if shot.deleted_at is None]
    return Photographers(others=others, tableau_id=tableau.id, shots=shots)


class Reader(msgspec.Struct, frozen=True, kw_only=True):
    """State of the scan queue. `ready`: cards and libraries are loaded, so a new photo is read at once.
    `reading` is the number of photos in progress, `workers` the maximum."""

    ready: bool
    reading: int
    workers: int


@endpoint("GET", "/reader")
def read_reader() -> Reader:
    """Whether photos are read at once, and how many are being read."""
    queue = services().queue
    reading, workers = queue.load()
    return Reader(ready=queue.warm, reading=reading, workers=workers)
