"""Rooms as they are seen: their outlines, and the ground outside them, where corridors run."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely.geometry import Polygon

from calibration.proposal.centre_lines import Array
from calibration.proposal.spots import SeenFind

_ROOM_LEAST, _ROOM_AREA_MM2 = 0.5, 70.0
_OUTLINE_MM = 0.9
#: This near to the card's edge a wall or a door is in it.
AT_EDGE_MM = 2.2
_WALL_MM = 1.2


@dataclass
class SeenRoom:
    """A room's outline (N, 2) in mm, how likely it is, and the finds that lie in it."""

    id: str
    outline: Array
    chance: float
    finds: list[SeenFind] = field(default_factory=list)

    @property
    def polygon(self) -> Polygon:
        return Polygon(self.outline)


def seen_rooms(chance: NDArray[np.float32], size_mm: Array, px_per_mm: Array) -> list[SeenRoom]:
    """The rooms where `chance` (H, W) of one is high, the largest first."""
    mask = (chance > _ROOM_LEAST).astype(np.uint8)
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (7, 7)))
    # an outline runs through its pixels' middles, half a pixel inside
    scale = 4
    fine = cv2.resize(mask * 255, None, fx=scale, fy=scale, interpolation=cv2.INTER_LINEAR)
    contours, _ = cv2.findContours((fine > 127).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    rooms: list[SeenRoom] = []
    for contour in sorted(contours, key=cv2.contourArea, reverse=True):
        line = (contour[:, 0].astype(np.float32) + 0.5) / scale / px_per_mm.astype(np.float32)
        outline = cv2.approxPolyDP(line.astype(np.float32), _OUTLINE_MM, True)[:, 0].astype(float)
        for axis, limit in enumerate(size_mm):
            outline[outline[:, axis] < AT_EDGE_MM, axis] = 0
            outline[outline[:, axis] > limit - AT_EDGE_MM, axis] = limit
        if len(outline) < 3 or not Polygon(outline).is_valid or Polygon(outline).area < _ROOM_AREA_MM2:
            continue
        inside = np.zeros(chance.shape, np.uint8)
        cv2.fillPoly(inside, [np.round(outline * px_per_mm).astype(np.int32)], 1)
        likely = float(chance[inside > 0].mean()) if inside.any() else 0.0
        rooms.append(SeenRoom(chr(ord("A") + len(rooms)), outline, likely))
    return rooms[:26]


def outside_rooms(
    chance: NDArray[np.float32], rooms: list[SeenRoom], px_per_mm: Array
) -> NDArray[np.float32]:
    """Corridors end at the walls."""
    kept = chance.copy()
    for room in rooms:
        inside = np.zeros(chance.shape, np.uint8)
        cv2.fillPoly(inside, [np.round(room.outline * px_per_mm - 0.5).astype(np.int32)], 1)
        reach = max(1, round(_WALL_MM * float(px_per_mm.mean())))
        padded = np.pad(inside, reach, mode="edge")
        padded = cv2.erode(padded, np.ones((2 * reach + 1,) * 2, np.uint8), borderValue=1)
        kept[padded[reach:-reach, reach:-reach] > 0] = 0
    return kept
