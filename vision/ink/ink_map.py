"""Ink map: log-likelihood ratio of pen ink per pixel of the tableau seen from above, and the freshness of a
line's ink."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.ink import parameters
from vision.ink.pens import Pen, PenProfile

Image = NDArray[np.float32]


#: Scale of the ink map; a marker line of 1 to 2 mm is 5 to 10 pixels wide. A scale of 4 would save a quarter
#: of the time, but separates two adjacent lines less reliably.
PX_PER_MM = 5.0


@dataclass(frozen=True)
class InkMap:
    """Ink evidence of the tableau in a top view, at `PX_PER_MM` pixels per millimetre.

    `evidence`   (H, W) float32 log-likelihood ratio of ink against blank card, 0 where nothing is known
    `visible`    (H, W) bool, where ink and blank card can be distinguished
    `origin_mm`  table mm of the corner of pixel (0, 0)
    `picture`    (H, W, 3) uint8 BGR, the rectified cards
    `blank`      (H, W, 3) uint8 BGR, the same cards without ink in this photo's light; None if unknown
    `pens`       the pens that drew, the pen with most ink first; empty if there is no ink
    `film`       (H, W) float32 film as a share of a pen's full film; None if it was not measured
    `line_film`  film of this photo's clearest lines, as a share of a full film
    `faint`      assumed film of the pens, as a share of a usual film
    `registered_mm` per card, the largest correction (mm) by registration
    `hidden`     per card, the hidden share (by glare or objects) of its face where a line would show
    `blur_mm`    Gaussian blur (sigma) of the most blurred card's print
    `player`     the player's own pen, if known
    """

    evidence: Image
    visible: NDArray[np.bool_]
    origin_mm: tuple[float, float]
    picture: NDArray[np.uint8]
    pens: tuple[Pen, ...] = ()
    film: Image | None = None
    line_film: float = 1.0
    registered_mm: tuple[float, ...] = ()
    hidden: tuple[float, ...] = ()
    blur_mm: float = 0.0
    blank: NDArray[np.uint8] | None = None
    faint: float = 1.0
    player: PenProfile | None = None

    @property
    def known(self) -> PenProfile | None:
        """The player's own pen, if the ink was read with it."""
        return self.pens[0].known if self.pens else None

    def to_px(self, points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
        """Table mm (..., 2) -> map pixels (..., 2), with pixel centres at whole numbers."""
        return (np.asarray(points_mm, float) - self.origin_mm) * PX_PER_MM - 0.5

    def to_mm(self, points_px: NDArray[np.float64]) -> NDArray[np.float64]:
        """Map pixels (..., 2) -> table mm (..., 2)."""
        return (np.asarray(points_px, float) + 0.5) / PX_PER_MM + self.origin_mm


def freshness(film: float, line_film: float) -> float:
    """Confidence, 0 to 1, that a line with the share `film` of a full film was drawn in this round.

    0 is the residue of a wiped line and 1 a fresh line, relative to the photo's clearest lines (`line_film`).
    A line whose film was not measured counts as fresh.
    """
    if math.isnan(film):
        return 1.0
    share = film / max(line_film, 1e-6)
    wiped, fresh = parameters.GHOSTS.wiped_share, parameters.GHOSTS.fresh_share
    return min(max((share - wiped) / (fresh - wiped), 0.0), 1.0)


def weighed(score: float, fresh: float) -> float:
    """Log-likelihood ratio (nats) of a line, discounted by its freshness.

    A wiped line has no evidence in its favour; where little film is left, the ink counts against the line.
    """
    return score if score <= 0 else fresh * score - (1 - fresh) * min(parameters.GHOSTS.walked_nats, score)
