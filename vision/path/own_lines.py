"""Pen attribution: walked links -> the links drawn in another hue than the player's own pen, if that pen is
known.

One pixel of a thin film shows no hue, but a whole line does. A line of another pen may be another player's or
an old one: it is read, with a doubt.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.ink.ink_map import InkMap
from vision.ink.pens import PenProfile
from vision.path import parameters
from vision.path.link_evidence import LinkEvidence

Array = NDArray[np.float64]

#: Least brightness of the print (picture values) at which a film's hue is measured.
_LEAST_GROUND = 0.3


def foreign_links(ink: InkMap, evidence: Sequence[LinkEvidence], times: Sequence[int]) -> list[int]:
    """Indices of walked links in a hue unlike the player's pen; none if that pen is not known."""
    pen = ink.player
    if pen is None:
        return []
    off: dict[int, float] = {}
    for number, (seen, walked) in enumerate(zip(evidence, times, strict=True)):
        hue = hue_off_deg(ink, seen.line_mm, pen) if walked and seen.length_mm else None
        if hue is not None:
            off[number] = hue
    if not off:
        return []
    # illumination of another colour shifts all hues of a photo equally
    usual = float(np.median(list(off.values())))
    low, high = parameters.OWN_LINES.least_off_deg, parameters.OWN_LINES.enough_off_deg
    return [
        number
        for number, hue in off.items()
        if hue > np.clip(usual + parameters.OWN_LINES.more_off_deg, low, high)
    ]


def hue_off_deg(ink: InkMap, line_mm: Array, pen: PenProfile) -> float | None:
    """Hue difference (degrees) between the ink along a line (N, 2) table mm and a pen; None if too little ink
    shows."""
    assert ink.blank is not None
    at = ink.to_px(line_mm).astype(np.float32)
    x, y = np.ascontiguousarray(at[:, :1]), np.ascontiguousarray(at[:, 1:])

    def along(picture: NDArray[np.uint8]) -> Array:
        return np.asarray(cv2.remap(picture, x, y, cv2.INTER_LINEAR)[:, 0], np.float64) / 255

    evidence = cv2.remap(ink.evidence, x, y, cv2.INTER_LINEAR)[:, 0]
    seen, blank = along(ink.picture), along(ink.blank)
    told = (evidence > 0) & (blank.min(axis=1) > _LEAST_GROUND)
    if np.count_nonzero(told) < parameters.OWN_LINES.least_stations:
        return None
    through = seen[told].sum(axis=0) / blank[told].sum(axis=0)
    if float(np.linalg.norm(1 - through)) < parameters.OWN_LINES.least_film_value:
        return None
    return pen.angle_to(through)
