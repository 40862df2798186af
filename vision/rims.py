"""Strips along the four sides of a grid: which lies where, all together, as they go round in an order."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board_art import Picture
from vision.board_plane import FromAbove
from vision.square_tiles import normalised

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

# First values, by eye on some photos of `tuning-ice-and-idols`.

#: Strips are compared in pictures of so many pixels to the mm, so far (mm) out of and along their place.
PX_PER_MM, OUT_MM, ALONG_MM = 1.0, 3, 4
#: A strip is seen where it is so much like its art; its order is sure where it leads the next by so much.
LEAST, LEAD = 0.18, 0.12


@dataclass(frozen=True)
class RimReading:
    """The strips on the top, right, bottom and left side, and how sure that is (0..1)."""

    names: tuple[str, str, str, str]
    confidence: float


def read_rims(
    above: FromAbove, rims: dict[str, Picture], rim_mm: float, size_mm: tuple[float, float]
) -> RimReading | None:
    """Which strip lies on which side of a grid of a size; the strips go round clockwise or, where a table has
    it so, the other way. None where too little is seen."""
    names = list(rims)
    if len(names) != 4:
        return None
    alike = np.array(
        [[_alike(above, rims[name], side, rim_mm, size_mm) for name in names] for side in range(4)]
    )
    orders = [tuple((start + way * side) % 4 for side in range(4)) for way in (1, -1) for start in range(4)]
    worth = np.array([np.mean([alike[side, order[side]] for side in range(4)]) for order in orders])
    best = int(worth.argmax())
    lead = float(worth[best] - np.delete(worth, best).max())
    if worth[best] < LEAST:
        return None
    told = [names[each] for each in orders[best]]
    return RimReading((told[0], told[1], told[2], told[3]), float(np.clip(lead / LEAD, 0, 1)))


def _alike(above: FromAbove, rim: Picture, side: int, rim_mm: float, size_mm: tuple[float, float]) -> float:
    """How much like a strip what lies along a side is, either way round (-1..1)."""
    width, height = size_mm
    long_mm = width if side in (0, 2) else height
    reach = OUT_MM
    # a strip stands upright in its art: the grid is to its left or right
    boxes = {
        0: (0.0, -rim_mm, width, 0.0),
        1: (width, 0.0, width + rim_mm, height),
        2: (0.0, height, width, height + rim_mm),
        3: (-rim_mm, 0.0, 0.0, height),
    }
    left, top, right, bottom = boxes[side]
    box = (left - reach, top - reach, right + reach, bottom + reach)
    scale = above.px_per_mm
    size = round((box[2] - box[0]) * scale), round((box[3] - box[1]) * scale)
    cut = above.cut(box[0], box[1], size)
    small = cv2.resize(
        cut,
        (round((box[2] - box[0]) * PX_PER_MM), round((box[3] - box[1]) * PX_PER_MM)),
        interpolation=cv2.INTER_AREA,
    )
    upright = np.rot90(small) if side in (0, 2) else small
    seen = normalised(np.ascontiguousarray(upright))
    art = cv2.resize(
        rim, (round(rim_mm * PX_PER_MM), round(long_mm * PX_PER_MM)), interpolation=cv2.INTER_AREA
    )
    rim_px = ALONG_MM
    best = -1.0
    for turned in (art, np.rot90(art, 2)):
        own = normalised(np.ascontiguousarray(turned))[rim_px:-rim_px]
        found = cv2.matchTemplate(seen, own, cv2.TM_CCOEFF_NORMED)
        best = max(best, float(found.max()))
    return best
