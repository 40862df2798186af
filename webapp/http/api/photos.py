"""Photos over the API: one way in, for a player's round, a tableau, or a quick look."""

from __future__ import annotations

import msgspec
from flask import request
from werkzeug.exceptions import RequestEntityTooLarge

from scorer.errors import Code, WaymarkError
from vision.photo import read_header
from webapp.http.api.endpoint import endpoint
from webapp.http.api.tableaus import ShotView, shot_view
from webapp.http.security import limiter
from webapp.http.services import read_session, services
from webapp.http.uploads import keep_upload, uploads_from
from webapp.store.models import Shot


class KeptPhoto(msgspec.Struct, frozen=True, kw_only=True):
    """A photo that is kept, and the tableau that it shows."""

    tableau_id: str
    shot: ShotView


@endpoint(
    "POST",
    "/photos",
    summary="Send a photo; it is kept, then read in the background. The same client_key again gives the "
    "same answer.",
    upload={
        "client_key": "Chosen by the device, up to 64 characters: a photo sent twice is kept once.",
        "tableau_id": "The tableau that the photo shows.",
        "entry_id": "The player's round that the photo shows; without either a tableau of its own begins.",
    },
    answer=KeptPhoto,
    status=202,
)
@limiter.limit(lambda: f"{services().config.uploads_per_minute} per minute")
def send_photo() -> KeptPhoto:
    uploads = uploads_from(request)
    if len(uploads) > 1:
        raise WaymarkError(
            Code.SEVERAL_PHOTOS,
            "Send one photo with each request.",
            "写真は 1 回に 1 枚ずつ送ってください。",
        )
    shot_id = keep_upload(uploads[0])
    shot = read_session().get_one(Shot, shot_id)
    return KeptPhoto(tableau_id=shot.tableau_id, shot=shot_view(shot))


#: A viewfinder sends a small picture; more would only take longer to look at.
MAX_FRAME_BYTES = 1 << 20


class Outlines(msgspec.Struct, frozen=True, kw_only=True):
    """The cards that a picture shows at a first look: four [x, y] each, as shares of its width and height.
    `busy`: nobody had time to look."""

    busy: bool
    cards: list[list[list[float]]]


@endpoint(
    "POST",
    "/outlines",
    summary="Where a viewfinder's picture shows cards; it is not kept.",
    upload={},
    answer=Outlines,
)
def find_outlines() -> Outlines:
    frame = uploads_from(request)[0].data
    if len(frame) > MAX_FRAME_BYTES:
        raise RequestEntityTooLarge
    read_header(frame)
    cards = services().queue.glance(frame)
    return Outlines(busy=cards is None, cards=cards or [])


class Reader(msgspec.Struct, frozen=True, kw_only=True):
    """Who reads photos. `ready`: one that comes now is read at once, for cards and libraries are loaded;
    `reading` are being read, `workers` can be at a time."""

    ready: bool
    reading: int
    workers: int


@endpoint(
    "GET", "/reader", summary="Whether photos are read at once, and how many are being read.", answer=Reader
)
def read_reader() -> Reader:
    queue = services().queue
    reading, workers = queue.load()
    return Reader(ready=queue.warm, reading=reading, workers=workers)
