"""What is told of the pieces that a photo showed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scorer.enrolment_pieces import AskedPieces
from scorer.text import Text, listed, plural
from vision.asking import part_of
from vision.photo.decode import Photo

#: Below this what was read of a piece is asked about.
SURE = 0.9


@dataclass(frozen=True, eq=False)
class EnrolledPiece:
    """A piece in a photo: its id in the catalogue, whether it is new there, its corners (4, 2) in the photo,
    how sure what was read of it is, what that is in words, and what is asked of it."""

    piece: str
    new: bool
    corners: NDArray[np.float64]
    confidence: float
    read: str = ""
    question: Text | None = None


@dataclass(frozen=True, eq=False)
class EnrolledPieces:
    """What was seen in a photo; `missing` says which of the game's pieces the catalogue has not yet, with how
    many of them; `unread` where (2,), in photo pixels, something lies that was not read, `advice` what to do
    about it."""

    photo: str
    pieces: tuple[EnrolledPiece, ...]
    count: int
    missing: tuple[tuple[AskedPieces, int], ...]
    unread: tuple[NDArray[np.float64], ...] = ()
    advice: Text | None = None


def unread_told(photo: Photo, places: Sequence[NDArray[np.float64]]) -> Text | None:
    """What to do about things in a photo that were not read; None where there are none."""
    parts = [part_of(photo, place) for place in places]
    if not parts:
        return None
    return plural(
        "1 thing was seen and not read ({where}): photograph it once more, apart and sharp.",
        "{count} things were seen and not read ({where}): photograph them once more, apart and sharp.",
        len(parts),
        where=listed(dict.fromkeys(parts)),
    )
