"""The final score as a small picture (JPEG) with a photo of the game, rendered once per content."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import msgspec
import numpy as np
from flask_babel import force_locale, gettext
from sqlalchemy.orm import Session

from scorer.catalogue import Catalogue
from scorer.text import Language
from vision.photo.decode import load_photo
from waymark.picture.canvas import Pixels, drawn_language
from waymark.picture.files import packed
from waymark.picture.share_picture import draw_tableau, ruling_view
from waymark.review.pipeline import ScoreResult, encode_reading
from waymark.review.tableau.assess import scan_to_show
from webapp.games.final_picture import WIDTH, GamePhoto, draw_final
from webapp.games.final_view import FinalView, final_view
from webapp.games.view import game_view
from webapp.store.models import Entry, Game
from webapp.store.photo_store import PhotoStore
from webapp.store.photos import intact_original, write_whole
from webapp.store.render_cache import Maker
from webapp.store.tableaus import assessment_of, used_shot

#: Version of the drawing; raise it to have stored pictures drawn again.
_DRAWING = b"1"
#: Height of the photo as a share of its width: of a plain one, and the most of any.
_PLAIN_HEIGHT, _MOST_HEIGHT = 0.62, 1.0


@dataclass(frozen=True)
class _Source:
    """A photo of the game: `key` names its content, `pixels` draws it, `words` say whose it is."""

    key: bytes
    pixels: Callable[[], Pixels]
    words: str


def shared_final(
    session: Session,
    data: Path,
    originals: PhotoStore,
    maker: Maker,
    game: Game,
    catalogue: Catalogue,
    language: Language,
) -> Path:
    """The picture of a game's final score, cached in the folder `data`. Raises `WaymarkError` while it is
    still being drawn (busy)."""
    language = drawn_language(language)
    with force_locale(language):
        final = final_view(game_view(game, catalogue, language), language)
        source = next(_sources(session, originals, game, final, catalogue, language), None)
    told = hashlib.sha256(_DRAWING + language.encode() + msgspec.json.encode(final))
    told.update(b"" if source is None else source.key + source.words.encode())
    folder = data / "finals" / game.id
    target = folder / f"{told.hexdigest()[:32]}-{language}.jpg"
    if target.exists():
        return target

    def make() -> Path:
        photo = None if source is None else GamePhoto(_across(source.pixels()), source.words)
        picture = packed(draw_final(final, language, photo), ".jpg")
        older = [file for file in folder.glob(f"*-{language}.jpg") if file != target]
        write_whole(target, picture)
        for file in older:
            file.unlink(missing_ok=True)
        return target

    return maker.made(str(target), make)


def _sources(
    session: Session,
    originals: PhotoStore,
    game: Game,
    final: FinalView,
    catalogue: Catalogue,
    language: Language,
) -> Iterator[_Source]:
    """Photos of the game, the winner's latest first."""
    rank = {row.seat_id: row.rank for row in final.rows}
    entries = [
        entry
        for round_ in game.rounds
        for entry in round_.entries
        if entry.tableau is not None and entry.tableau.deleted_at is None
    ]
    for entry in sorted(entries, key=lambda entry: (rank.get(entry.seat_id, 9), -entry.round.number)):
        source = _source(session, originals, entry, catalogue, language)
        if source is not None:
            yield source


def _source(
    session: Session, originals: PhotoStore, entry: Entry, catalogue: Catalogue, language: Language
) -> _Source | None:
    tableau = entry.tableau
    assert tableau is not None
    shot = used_shot(session, tableau)
    if shot is None:
        return None
    photo_id = shot.photo_id
    assessment = assessment_of(session, catalogue, tableau)
    if assessment is None:
        return _Source(photo_id.encode(), lambda: _plain(originals, photo_id), "")
    scan = scan_to_show(assessment)
    view = ruling_view(assessment, scan)
    key = photo_id.encode() + encode_reading(scan) + msgspec.json.encode(assessment.ruling)

    def drawn() -> Pixels:
        side_px = view.photo_side_px(scan.photo.width, scan.photo.height)
        with intact_original(originals, photo_id) as file:
            result = ScoreResult(load_photo(file, longest_px=side_px), scan, assessment)
            return np.asarray(draw_tableau(result, language), np.uint8)[..., ::-1]

    words = f"{entry.seat.name} · {gettext('Round %(number)s', number=entry.round.number)}"
    return _Source(key, drawn, words)


def _plain(originals: PhotoStore, photo_id: str) -> Pixels:
    """A photo as it was taken, cut to the shape of the picture."""
    with intact_original(originals, photo_id) as file:
        photo = load_photo(file, longest_px=2 * WIDTH, damaged_too=True)
        pixels = photo.reduced(photo.halvings)
    height, width = pixels.shape[:2]
    rows = min(height, round(width * _PLAIN_HEIGHT))
    top = (height - rows) // 2
    return pixels[top : top + rows]


def _across(pixels: Pixels) -> Pixels:
    """The pixels at the picture's width; the middle of what is higher than a photo may be."""
    height, width = pixels.shape[:2]
    rows = min(height, round(width * _MOST_HEIGHT))
    top = (height - rows) // 2
    size = WIDTH, round(WIDTH * rows / width)
    made = cv2.resize(pixels[top : top + rows], size, interpolation=cv2.INTER_AREA)
    return np.ascontiguousarray(made, np.uint8)
