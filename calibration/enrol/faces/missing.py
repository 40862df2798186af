"""Missing cards of a deck: the stated number of cards, those in the catalogue, and views that could not be
used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.enrol.faces.identity import Field, LookedUp, quarters_of
from calibration.enrol.faces.likeness import glance, prepared
from calibration.enrol.faces.quality import UNCLEAR
from calibration.enrol.faces.store import (
    Faces,
    UnusedView,
    keep_unused,
    one_enrolment,
    read_faces,
    read_unused,
    write_faces,
)
from scorer.catalogue import Catalogue
from scorer.text import Text
from vision.photo.decode import Photo
from vision.photo.view import pixel_size

#: Resolution of the stored picture of an unusable view.
_KEPT_PX_PER_MM = 2.0
#: Descriptor correlation from which an unusable view shows a card of the catalogue.
_KNOWN = 0.6
#: Greatest number of cards that a deck may be stated to have.
MOST_CARDS = 999
_ROWS, _COLUMNS = ("top", "middle", "bottom"), ("left", "middle", "right")
_PLACES = {
    ("top", "left"): Text("at the top left"),
    ("top", "middle"): Text("at the top"),
    ("top", "right"): Text("at the top right"),
    ("middle", "left"): Text("at the left"),
    ("middle", "middle"): Text("in the middle"),
    ("middle", "right"): Text("at the right"),
    ("bottom", "left"): Text("at the bottom left"),
    ("bottom", "middle"): Text("at the bottom"),
    ("bottom", "right"): Text("at the bottom right"),
}


@dataclass(frozen=True)
class UnusedFace:
    """An unusable view of a card: corners (4, 2) in photo pixels, rectified picture, and advice."""

    corners: NDArray[np.float64]
    pixels: NDArray[np.uint8]
    advice: tuple[Text, ...]


def keep_unused_views(
    folder: Path,
    kept: Faces,
    photo: str,
    picture: Photo,
    size_mm: tuple[float, float],
    unused: Sequence[UnusedFace],
) -> None:
    """Store a photo's unusable views with their place, so that they can be named later."""
    views = []
    for number, one in enumerate(unused):
        small = cv2.resize(one.pixels, pixel_size(size_mm, _KEPT_PX_PER_MM), interpolation=cv2.INTER_AREA)
        file = keep_unused(folder, photo, number, np.asarray(small, np.uint8))
        x, y = one.corners.mean(axis=0) / (picture.width, picture.height)
        views.append(
            UnusedView(
                file=file, at=(round(float(x), 3), round(float(y), 3)), advice=(*one.advice, UNCLEAR)[0]
            )
        )
    kept.photos[photo].unused = views


def state_cards(folder: Path, count: int | None) -> None:
    """Store how many different cards the deck has; None: unknown. Raises `WaymarkError` (busy,
    not-writable)."""
    with one_enrolment(folder):
        kept = read_faces(folder)
        kept.stated = count
        write_faces(folder, kept)


def missing_words(folder: Path, catalogue: Catalogue) -> list[Text]:
    """Sentences about a deck's completeness: the count against the stated one, and what to photograph again.
    Without a stated count, only what was left out. Empty while nothing was photographed."""
    kept = read_faces(folder)
    if not kept.photos:
        return []
    cards, stated = len(catalogue.cards), kept.stated
    told = _count_words(cards, stated)
    if stated is None or cards < stated:
        told += _places_to_repeat(folder, kept, catalogue)
    return told


def _count_words(cards: int, stated: int | None) -> list[Text]:
    if stated is None:
        return []
    if cards == stated:
        return [Text("All {stated} cards are in the box.", stated=stated)]
    if cards > stated:
        return [
            Text(
                "{cards} cards are in the box, but it should have {stated}; a card may be in it twice.",
                cards=cards,
                stated=stated,
            )
        ]
    return [
        Text("{cards} of {stated} cards; missing: {count}.", cards=cards, stated=stated, count=stated - cards)
    ]


def _places_to_repeat(folder: Path, kept: Faces, catalogue: Catalogue) -> list[Text]:
    """Sentences about the unusable views that show no card of the catalogue."""
    size_mm = catalogue.card_size_mm
    found = [LookedUp.of_file(folder, card.art, size_mm) for card in catalogue.cards]
    known = [face.at_a_glance for face in found if face is not None]
    used = {view.photo for face in kept.faces for view in face.views}
    told: list[Text] = []
    for number, (key, photo) in enumerate(kept.photos.items(), start=1):
        left = [view for view in photo.unused if not _is_known(folder, view, known, size_mm)]
        name = Text("photo {number} ({name})", number=number, name=photo.name)
        named = name if photo.name else Text("photo {number}", number=number)
        if len(left) > 1 and key not in used:
            told.append(Text("Take {photo} once more. {advice}", photo=named, advice=left[0].advice))
            continue
        at = {_place(view.at): view.advice for view in left}
        told += [
            Text(
                "Take one more photo of the card {place} of {photo}. {advice}",
                place=_PLACES[place],
                photo=named,
                advice=advice,
            )
            for place, advice in at.items()
        ]
    return told


def _is_known(folder: Path, view: UnusedView, known: Sequence[Field], size_mm: tuple[float, float]) -> bool:
    pixels = read_unused(folder, view)
    if pixels is None:
        return False
    own = prepared(pixels, size_mm).glance
    ways = [np.ascontiguousarray(np.rot90(own, -turn)) for turn in quarters_of(size_mm)]
    return any(glance(way, face) >= _KNOWN for face in known for way in ways)


def _place(at: tuple[float, float]) -> tuple[str, str]:
    """Row and column of a relative position in a photo divided into thirds."""
    column, row = (min(2, int(3 * max(each, 0.0))) for each in at)
    return _ROWS[row], _COLUMNS[column]
