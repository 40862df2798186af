"""Image responses: display copies of photos, and cards."""

from __future__ import annotations

import hashlib
import io
from functools import lru_cache
from pathlib import Path

from flask import Blueprint, Response, send_file
from PIL import Image

from vision.cards.index import read_art
from webapp.http.services import read_session, services
from webapp.store.database import get_row, not_found
from webapp.store.models import Photo
from webapp.store.photos import DISPLAY_SIZES, display_copy

pages = Blueprint("photos", __name__)

#: A photo is named by its content, so the content of a URL never changes.
_FOR_EVER = "private, max-age=31536000, immutable"
#: Cards change only with the catalogue.
_FOR_A_DAY = "private, max-age=86400"
CARD_SIDE_PX = 220


@pages.get("/photos/<sha256>/<int:longest_px>.jpg")
def show(sha256: str, longest_px: int) -> Response:
    """A JPEG copy of a photo with a longer side of at most `longest_px` pixels, upright and without
    metadata."""
    photo = get_row(read_session(), Photo, sha256)
    if longest_px not in DISPLAY_SIZES:
        raise not_found()
    at_hand = services()
    copy = display_copy(at_hand.photos, at_hand.display_copies, at_hand.pictures, photo.id, longest_px)
    etag = f"{photo.id}-{longest_px}"
    answer = send_file(io.BytesIO(copy), mimetype="image/jpeg", etag=etag, conditional=True)
    answer.headers["Cache-Control"] = _FOR_EVER
    return answer


@pages.get("/cards/<escaped:card_id>.jpg")
def card(card_id: str) -> Response:
    """A small picture of a card as printed."""
    catalogue = services().catalogue
    found = catalogue.by_id.get(card_id)
    if found is None:
        raise not_found()
    answer = Response(small_picture(catalogue.art_path(found)), mimetype="image/jpeg")
    answer.headers["Cache-Control"] = _FOR_A_DAY
    # A card's id may contain any character.
    answer.set_etag(f"{hashlib.sha256(card_id.encode()).hexdigest()[:16]}-{CARD_SIDE_PX}")
    return answer


@lru_cache(maxsize=256)
def small_picture(art: Path) -> bytes:
    """A card's art as a small JPEG. Raises `WaymarkError` (not-found) for a missing or invalid file."""
    face = read_art(art)
    if face is None:
        raise not_found()
    small = Image.fromarray(face[..., ::-1])
    small.thumbnail((CARD_SIDE_PX, CARD_SIDE_PX), Image.Resampling.LANCZOS)
    buffer = io.BytesIO()
    small.save(buffer, "JPEG", quality=82)
    return buffer.getvalue()
