"""Pen profiles: what a person's own pen leaves on these cards, measured once (`calibration.pen_calibration`).

A film takes a share of the light that the blank card below it gives back, whatever is printed there: what it
lets through, channel by channel, is the pen's own. A thin film is told from a blank card by that, where the
pen's colour alone cannot be seen in the photo.
"""

from __future__ import annotations

import math

import msgspec
import numpy as np
from numpy.typing import NDArray

from vision import tuning

Array = NDArray[np.float64]


class PenProfile(msgspec.Struct, frozen=True, kw_only=True):
    """A pen: `through`, the share of the blank card's picture values (blue, green, red) that its film lets
    through along its lines, more than 1 where pale ink is lighter than the card; `spread`, the standard
    deviation of the film along them as a share of the usual one; `width_mm` of its lines as they are seen;
    `line_mm`, how much of them it was learned from.
    """

    through: tuple[float, float, float]
    spread: float
    width_mm: float
    line_mm: float

    @property
    def film(self) -> float:
        """How much of the light the film takes in the channel in which it takes most, 0 to 1."""
        return 1 - min(self.through)

    @property
    def least_cover(self) -> float:
        """What is less than this share of the pen's usual film is no line of it."""
        low, high = tuning.KNOWN_LEAST_COVER
        return float(np.clip(1 - tuning.KNOWN_SPREADS * self.spread, low, high))

    def makes_sense(self) -> bool:
        """Whether such a pen can be: it takes light, and not more than all."""
        told = (*self.through, self.spread, self.width_mm, self.line_mm)
        return all(math.isfinite(part) and part >= 0 for part in told) and self.film > 0

    @property
    def taken(self) -> tuple[float, float, float]:
        """How much of the card's light the film takes, blue, green, red, 0 to 1: where pale ink adds to it
        depends on the print below, and tells nothing."""
        blue, green, red = (max(1 - part, 0.0) for part in self.through)
        return blue, green, red

    def angle_to(self, through: Array) -> float:
        """How far (degrees) the hue of a film (3,) lies from the pen's: 0 where it takes the same colours,
        however much of them."""
        taken, own = 1 - np.asarray(through, float), 1 - np.array(self.through)
        length = float(np.linalg.norm(taken) * np.linalg.norm(own))
        return math.degrees(math.acos(float(np.clip(taken @ own / max(length, 1e-9), -1, 1))))

    def full_bgr(self, ground: Array) -> tuple[float, float, float]:
        """The colour that a full film of it would have on a ground (3,)."""
        more = max(tuning.FULL_FILM / self.film, 1.0)
        blue, green, red = np.clip(ground * (1 - more * np.array(self.taken)), 0, 1).tolist()
        return blue, green, red
