"""Leftovers: ink on the floors that neither the path as read nor the marks explain. There the reading may lack something."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.dungeon import Dungeon
from vision.ink import PX_PER_MM, InkMap
from vision.marks import Rings
from vision.walks import Stroke

#: Floors: rooms, and corridors to this width (mm); rock beside them is too dark to tell ink from shade.
_FLOOR_MM = 4.4
#: Ink this near (mm) to the path's line belongs to it: its own width, a corner cut, an arrowhead.
_PATH_MM = 6.0
#: Marks keep to this distance (mm) from the middle of a find.
_MARK_MM = 6.2
#: Evidence (nats) that counts as ink, and the length (mm) from which a leftover is no speck.
_SURE_INK = 1.5
_LEAST_LENGTH_MM = 6.0
_MOST = 3


def unexplained(ink: InkMap, dungeon: Dungeon, rings: Rings, strokes: Sequence[Stroke]) -> tuple[str, ...]:
    """Places nearest to leftover lines, the longest first."""
    floor = np.zeros(ink.evidence.shape, np.uint8)
    for place in dungeon.places.values():
        if place.outline_mm:
            cv2.fillPoly(floor, [_pixels(ink, np.array(place.outline_mm))], 1)
    for link in dungeon.links:
        if link.kind in ("corridor", "stairs"):
            line = _pixels(ink, np.array(link.line_mm))
            cv2.polylines(floor, [line], False, 1, round(_FLOOR_MM * PX_PER_MM))
    # a find keeps its marks to itself, and its icon's own errors
    radius = round(_MARK_MM * PX_PER_MM)
    for name in rings.places:
        centre = _pixels(ink, np.array([dungeon.places[name].at_mm]))[0]
        cv2.circle(floor, (int(centre[0]), int(centre[1])), radius, 0, -1)
    for stroke in strokes:
        cv2.polylines(floor, [_pixels(ink, stroke.line_mm)], False, 0, round(_PATH_MM * PX_PER_MM))
    left = ((ink.evidence > _SURE_INK) & (floor > 0)).astype(np.uint8)
    count, labels, stats, centres = cv2.connectedComponentsWithStats(left, connectivity=8)
    found = []
    for k in range(1, count):
        length = float(np.hypot(stats[k, cv2.CC_STAT_WIDTH], stats[k, cv2.CC_STAT_HEIGHT])) / PX_PER_MM
        if length >= _LEAST_LENGTH_MM:
            found.append((length, ink.to_mm(centres[k])))
    names = list(dungeon.places)
    at = np.array([dungeon.places[name].at_mm for name in names])
    places = [names[int(np.linalg.norm(at - spot, axis=1).argmin())] for _, spot in sorted(found, key=lambda f: -f[0])]
    return tuple(dict.fromkeys(places))[:_MOST]


def _pixels(ink: InkMap, points_mm: NDArray[np.float64]) -> NDArray[np.int32]:
    return np.round(ink.to_px(points_mm)).astype(np.int32)
