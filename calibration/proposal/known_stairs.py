"""Which spots are stairs, by what is printed there: like stairs that people have traced, or not. It is asked
where all of a deck's stairs look alike."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.proposal.drawing import FOOT, STAIRS
from calibration.proposal.icons import NamedPrint
from calibration.proposal.prints import alike, printed_at
from calibration.proposal.spots import FAINT, spots
from scorer.catalogue import Point

Array = NDArray[np.float32]
#: A deck's stairs look alike where their repeats are at least so much (but for the most unlike tenth). What
#: is less like them all than the second is none. Of 90 ends of stairs on 40 cards of the open deck (tuning,
#: ten traced) the least alike was 0.46, of 29 other spots the most 0.36.
_LOOK_ALIKE, _LIKE = 0.45, 0.4
#: What is plainly seen (none of the 29 was) stays whatever is printed there, and what is faintly seen where
#: the print is like them is likely: both are still looked at (`calibration.tracing.LEAST_SURE`). What is left
#: of the chance of what is neither, and how far about.
_PLAIN, _LIKELY, _LEFT, _ABOUT_MM = 0.6, 0.49, 0.1, 3.0


def told_by_prints(
    parts: Array, face: NDArray[np.uint8], size_mm: Point, known: Sequence[NamedPrint], usual: float
) -> Array:
    """The parts (8, H, W) with the spots of stairs as the `known` prints on the face (H, W, 3) BGR tell them;
    `usual`: how much alike the deck's stairs are."""
    stairs = [each.print for each in known if each.place == "stairs"]
    if usual < _LOOK_ALIKE or not stairs:
        return parts
    told = parts.copy()
    px_per_mm = np.array(parts.shape[:0:-1], float) / np.asarray(size_mm)
    rows, columns = np.mgrid[: parts.shape[1], : parts.shape[2]]
    for part in (STAIRS, FOOT):
        for spot in spots(parts, part, px_per_mm, FAINT[part]):
            seen = printed_at(face, size_mm, spot.at.tolist())
            like = max(alike(seen, print_) for print_ in stairs) > _LIKE
            off = np.hypot(
                (columns + 0.5) / px_per_mm[0] - spot.at[0], (rows + 0.5) / px_per_mm[1] - spot.at[1]
            )
            about = off < _ABOUT_MM
            if not like and spot.chance < _PLAIN:
                told[part][about] *= _LEFT
            elif like != (spot.chance >= _LIKELY):  # only one of both speaks for it
                told[part][about] *= _LIKELY / spot.chance
    return np.asarray(np.minimum(told, 1), np.float32)
