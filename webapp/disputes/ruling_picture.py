"""The picture of a tableau's ruling: drawn once for what it shows, without any of the photo's metadata."""

from __future__ import annotations

import hashlib
import io
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from sqlalchemy.orm import Session

from scorer.errors import Code, WaymarkError
from scorer.text import Language
from vision.photo import load_photo
from waymark.picture.overlay import draw_overlay
from waymark.review.assessment import Assessment, scan_to_show
from waymark.review.pipeline import ScoreResult, encode_reading
from webapp.config import ServerConfig
from webapp.disputes.claims import unread_dispute
from webapp.store.models import Shot, Tableau
from webapp.store.photo_store import PhotoStore
from webapp.store.photos import original_key, photo_lost, write_whole

#: Changes with how pictures are drawn, so that older ones are drawn anew.
_DRAWING = b"2"
#: One picture at a time: each takes a photo in full size.
_drawing = threading.Lock()
#: So many requests may wait for their picture; a server's threads are few, and pages come first.
_places = threading.BoundedSemaphore(3)


def ruling_picture(
    session: Session,
    config: ServerConfig,
    originals: PhotoStore,
    tableau: Tableau,
    assessment: Assessment | None,
    language: Language,
    *,
    score: bool,
) -> Path:
    """The PNG of a ruling, in the data folder; with `score` that stands beside the photo. Raises
    `WaymarkError`: nothing has been read, the photo's file is gone, or too many pictures are being drawn
    (busy)."""
    if assessment is None or tableau.shot_id is None:
        raise unread_dispute()
    photo_id = session.get_one(Shot, tableau.shot_id).photo_id
    scan = scan_to_show(assessment)
    told = hashlib.sha256(_DRAWING + photo_id.encode() + language.encode() + encode_reading(scan))
    told.update(msgspec.json.encode(assessment.ruling))
    folder = config.data / "rulings" / tableau.id
    kind = f"{language}-score" if score else language
    target = folder / f"{told.hexdigest()[:32]}-{kind}.png"
    if target.exists():
        return target
    if not originals.has(original_key(photo_id)):
        raise photo_lost(photo_id)
    with drawing_place(), _drawing:
        if not target.exists():
            with originals.local_file(original_key(photo_id)) as original:
                result = ScoreResult(load_photo(original, whole=True), scan, assessment)
            packed = io.BytesIO()
            draw_overlay(result, language, score=score).save(packed, "PNG", compress_level=3)
            older = list(folder.glob(f"*-{kind}.png"))
            write_whole(target, packed.getvalue())
            for file in older:
                file.unlink(missing_ok=True)
    return target


@contextmanager
def drawing_place() -> Iterator[None]:
    """One of the few places for requests that wait for a picture. Raises `WaymarkError` (busy)."""
    if not _places.acquire(blocking=False):
        raise WaymarkError(
            Code.BUSY,
            "Many pictures are being drawn just now; try again in a few seconds.",
            "多くの画像を作成しています。数秒後にもう一度開いてください。",
        )
    try:
        yield
    finally:
        _places.release()
