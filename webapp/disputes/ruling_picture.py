"""Picture of a tableau's ruling, rendered once per content, without any of the photo's metadata."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec
from sqlalchemy.orm import Session

from scorer.text import Language
from vision.photo.decode import load_photo
from waymark.picture.backdrop import photo_side_px
from waymark.picture.files import packed
from waymark.picture.overlay import draw_overlay
from waymark.review.pipeline import ScoreResult, encode_reading
from waymark.review.tableau.assess import Assessment, scan_to_show
from webapp.config import ServerConfig
from webapp.disputes.claims import unread_dispute
from webapp.store.models import Shot, Tableau
from webapp.store.photo_store import PhotoStore
from webapp.store.photos import intact_original, write_whole
from webapp.store.render_cache import Maker

#: Version of the drawing; raise it to have stored pictures drawn again.
_DRAWING = b"4"


def ruling_picture(
    session: Session,
    config: ServerConfig,
    originals: PhotoStore,
    maker: Maker,
    tableau: Tableau,
    assessment: Assessment | None,
    language: Language,
    *,
    score: bool,
    ending: str,
) -> Path:
    """The picture of a ruling (.png or .webp), cached in the data folder; with `score` the score is drawn
    beside the photo. Raises `WaymarkError` without a reading or the photo's file, or while it is still being
    drawn (busy)."""
    if assessment is None or tableau.shot_id is None:
        raise unread_dispute()
    photo_id = session.get_one(Shot, tableau.shot_id).photo_id
    scan = scan_to_show(assessment)
    told = hashlib.sha256(_DRAWING + photo_id.encode() + language.encode() + encode_reading(scan))
    told.update(msgspec.json.encode(assessment.ruling))
    folder = config.data / "rulings" / tableau.id
    kind = f"{language}-score" if score else language
    target = folder / f"{told.hexdigest()[:32]}-{kind}{ending}"
    if target.exists():
        return target

    def make() -> Path:
        with intact_original(originals, photo_id) as original:
            result = ScoreResult(load_photo(original, longest_px=photo_side_px(scan)), scan, assessment)
        data = packed(draw_overlay(result, language, score=score), ending)
        older = [file for file in folder.glob(f"*-{kind}{ending}") if file != target]
        write_whole(target, data)
        for file in older:
            file.unlink(missing_ok=True)
        return target

    return maker.made(str(target), make)
