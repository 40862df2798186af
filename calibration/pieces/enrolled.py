"""What is told of the pieces that a photo showed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scorer.asked_pieces import AskedPieces
from scorer.text import Text

#: Below this what was read of a piece is asked about.
SURE = 0.9


@dataclass(frozen=True)
class EnrolledPiece:
    """A piece in a photo: its id in the catalogue, whether it is new there, its corners (4, 2) in the photo,
    how sure what was read of it is, what that is in words, and what is asked of it."""

    piece: str
    new: bool
    corners: NDArray[np.float64]
    confidence: float
    read: str = ""
    question: Text | None = None


@dataclass(frozen=True)
class EnrolledPieces:
    """What was seen in a photo; `missing` says which of the game's pieces the catalogue has not yet, with how
    many of them."""

    photo: str
    pieces: tuple[EnrolledPiece, ...]
    count: int
    missing: tuple[tuple[AskedPieces, int], ...]
