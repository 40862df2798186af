"""Cards that look the same but for their colours: one tracing serves all of them.

Faces are compared by their brightness alone, a millimetre a pixel, with what changes slowly taken away: hue
and tint of a starter's five colours go, walls and icons stay.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.catalogue import Card, Catalogue
from scorer.errors import WaymarkError
from vision.art import read_art

#: Measured on the open deck's 125 faces: 180 pairs of one layout in two colours reach 0.70 and more, 15,320
#: others 0.60 at most.
LEAST_LIKENESS = 0.65
_WIDTH_PX = 64
_SLOW_PX = 6.0


@dataclass(frozen=True)
class Like:
    """A card that looks so; `upside_down`: when it is turned by 180 degrees. 1 is the same brightness
    everywhere."""

    card: str
    likeness: float
    upside_down: bool


def like_faces(catalogue: Catalogue, card: Card, most: int) -> tuple[Like, ...]:
    """The traced cards that look most like one, the likest first. None where faces cannot be read."""
    face = _face(catalogue, card)
    if face is None:
        return ()
    found = []
    for other in catalogue.cards:
        if other.id == card.id or other.tracing != "yes":
            continue
        if catalogue.size_of(other.id) != catalogue.size_of(card.id):
            continue
        theirs = _face(catalogue, other)
        if theirs is None or theirs.shape != face.shape:
            continue
        upright = float((face * theirs).sum())
        turned = float((face * theirs[::-1, ::-1]).sum())
        found.append(Like(other.id, max(upright, turned), turned > upright))
    found.sort(key=lambda each: -each.likeness)
    return tuple(each for each in found[:most] if each.likeness >= LEAST_LIKENESS)


def _face(catalogue: Catalogue, card: Card) -> NDArray[np.float32] | None:
    try:
        path = catalogue.art_path(card)
        changed = path.stat().st_mtime_ns
    except (OSError, WaymarkError):
        return None
    width, height = catalogue.size_of(card.id)
    return _pattern(path, changed, round(_WIDTH_PX * height / width))


@lru_cache(maxsize=2048)
def _pattern(path: Path, _changed: int, height_px: int) -> NDArray[np.float32] | None:
    """What a face's brightness does from place to place: (height_px, 64), of mean 0 and length 1."""
    art = read_art(path)
    if art is None:
        return None
    grey = cv2.cvtColor(art, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, (_WIDTH_PX, height_px), interpolation=cv2.INTER_AREA).astype(np.float32)
    pattern = small - cv2.GaussianBlur(small, (0, 0), _SLOW_PX)
    length = float(np.linalg.norm(pattern))
    return np.asarray(pattern / length, np.float32) if length > 0 else None
