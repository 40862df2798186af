"""Where doors, finds and stairs are seen, and how likely they are."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.proposal.centre_lines import Array
from calibration.proposal.drawing import DOOR, FIND, FOOT, STAIRS
from scorer.catalogue import FindKind

#: From these chances on, a spot is one.
LEAST = {DOOR: 0.35, FIND: 0.4, STAIRS: 0.35, FOOT: 0.35}
#: From these on where something else speaks for it: a line that ends there, an opening of the deck, an icon
#: that is known.
FAINT = {DOOR: 0.2, FIND: 0.2, STAIRS: 0.1, FOOT: 0.1}
#: Spots of a part are so far from one another.
APART_MM = {DOOR: 3.5, FIND: 5.0, STAIRS: 6.0, FOOT: 6.0}


@dataclass(frozen=True)
class Spot:
    """A place that is seen, in mm, with its chance."""

    at: Array
    chance: float


@dataclass(frozen=True)
class SeenFind:
    """A find's spot with the kind and value that its icon tells, and how surely; `known`: it is plainly like
    an icon that people have named. While nothing is named none is, and none is a stranger."""

    spot: Spot
    find: FindKind
    value: int
    confidence: float
    #: Whether its icon does not speak against a pit, to which the underground may lead.
    may_be_pit: bool = False
    known: bool = False
    stranger: bool = False


def spots(parts: NDArray[np.float32], part: int, px_per_mm: Array, least: float | None = None) -> list[Spot]:
    """Where a part of `parts` (8, H, W) peaks, the surest first; `least`: with this chance at least."""
    least = LEAST[part] if least is None else least
    chance = parts[part]
    smooth = cv2.GaussianBlur(chance, (0, 0), 0.8)
    high = cv2.dilate(smooth, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((smooth >= high) & (chance > least))
    found: list[Spot] = []
    for k in np.argsort(-smooth[rows, columns]):
        row, column = int(rows[k]), int(columns[k])
        window = (slice(max(0, row - 2), row + 3), slice(max(0, column - 2), column + 3))
        weight = np.clip(smooth[window] - 0.5 * smooth[row, column], 0, None)
        near_rows, near_columns = np.nonzero(weight)
        share = weight[near_rows, near_columns] / weight.sum()
        centre = np.array([near_columns @ share + window[1].start, near_rows @ share + window[0].start])
        at = (centre + 0.5) / px_per_mm
        if all(np.hypot(*(at - other.at)) > APART_MM[part] for other in found):
            found.append(Spot(at, float(min(1.0, chance[row, column]))))
    return found
