"""Pictures of a tableau's ruling, rendered once per content, without any of the photo's metadata."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec
from babel.dates import format_date
from flask_babel import force_locale, gettext
from PIL import Image
from sqlalchemy.orm import Session

from scorer.games import game_named
from scorer.text import Language
from vision.photo.decode import load_photo
from vision.scan import Scan
from waymark.picture.backdrop import photo_side_px
from waymark.picture.files import packed
from waymark.picture.overlay import draw_overlay
from waymark.picture.share_picture import Caption, draw_share_picture, ruling_view
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
#: Ending of the picture for sharing; the others are the whole photo with everything on it.
SHARED = ".jpg"


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
    """The picture of a ruling, cached in the data folder: of the photo (.png, .webp), with `score` with the
    score beside it, or for sharing (.jpg). Raises `WaymarkError` without a reading or the photo's file, or
    while it is still being drawn (busy)."""
    if assessment is None or tableau.shot_id is None:
        raise unread_dispute()
    photo_id = session.get_one(Shot, tableau.shot_id).photo_id
    scan = scan_to_show(assessment)
    told = hashlib.sha256(_DRAWING + photo_id.encode() + language.encode() + encode_reading(scan))
    told.update(msgspec.json.encode(assessment.ruling))
    caption = caption_of(tableau, language) if ending == SHARED else None
    told.update(repr(caption).encode())
    folder = config.data / "rulings" / tableau.id
    kind = f"{language}-score" if score else language
    target = folder / f"{told.hexdigest()[:32]}-{kind}{ending}"
    if target.exists():
        return target

    def make() -> Path:
        with intact_original(originals, photo_id) as original:
            drawn = _drawn(original, scan, assessment, language, score, caption)
        data = packed(drawn, ending)
        older = [file for file in folder.glob(f"*-{kind}{ending}") if file != target]
        write_whole(target, data)
        for file in older:
            file.unlink(missing_ok=True)
        return target

    return maker.made(str(target), make)


def caption_of(tableau: Tableau, language: Language) -> Caption:
    """Whose tableau it is, and of which game, in words."""
    taken = tableau.created_at.astimezone().date()
    day = format_date(taken, "long", locale=language)
    entry = tableau.entry
    if entry is None:
        return Caption(who=tableau.title, day=day)
    game = entry.round.game
    with force_locale(language):
        round_words = gettext("Round %(number)s", number=entry.round.number)
    title = game.title or game_named(game.game).name.message(language)
    return Caption(entry.seat.name, entry.seat.colour, f"{title} · {round_words}", day)


def _drawn(
    original: Path,
    scan: Scan,
    assessment: Assessment,
    language: Language,
    score: bool,
    caption: Caption | None,
) -> Image.Image:
    if caption is None:
        photo = load_photo(original, longest_px=photo_side_px(scan))
        return draw_overlay(ScoreResult(photo, scan, assessment), language, score=score)
    side_px = ruling_view(assessment, scan).photo_side_px(scan.photo.width, scan.photo.height)
    photo = load_photo(original, longest_px=side_px)
    return draw_share_picture(ScoreResult(photo, scan, assessment), language, caption)
