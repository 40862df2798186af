"""Result of the enrolment of a photo of pieces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scorer.enrolment_pieces import AskedPieces
from scorer.text import Text, listed, plural
from vision.asking import part_of
from vision.photo.decode import Photo

#: Confidence below which a reading becomes a question.
SURE = 0.9


@dataclass(frozen=True, eq=False)
class EnrolledPiece:
    """A piece in a photo: its catalogue id, whether it is new, its corners (4, 2) in photo pixels, the
    confidence of the reading, the reading in words, and an open question."""

    piece: str
    new: bool
    corners: NDArray[np.float64]
    confidence: float
    read: str = ""
    question: Text | None = None


@dataclass(frozen=True, eq=False)
class EnrolledPieces:
    """Result for one photo of pieces. `missing`: pieces of the game not yet in the catalogue, with their
    numbers. `unread`: positions (2,) in photo pixels of objects that were not read. `advice`: the remedy
    for them."""

    photo: str
    pieces: tuple[EnrolledPiece, ...]
    count: int
    missing: tuple[tuple[AskedPieces, int], ...]
    unread: tuple[NDArray[np.float64], ...] = ()
    advice: Text | None = None


def unread_told(photo: Photo, places: Sequence[NDArray[np.float64]]) -> Text | None:
    """Advice about objects in a photo that were not read, or None where there are none."""
    parts = [part_of(photo, place) for place in places]
    if not parts:
        return None
    return plural(
        "1 thing was seen and not read ({where}): photograph it once more, apart and sharp.",
        "{count} things were seen and not read ({where}): photograph them once more, apart and sharp.",
        len(parts),
        where=listed(dict.fromkeys(parts)),
    )
