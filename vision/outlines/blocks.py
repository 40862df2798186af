"""Blocks of touching cards: the quadrangle around columns and rows, of which corners may be missing."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.photo.geometry import is_convex

Array = NDArray[np.float64]

#: As shares of an outline's length: how far its corners may be from it, and the least length of a side.
_NEAR, _LEAST_SIDE = 0.012, 0.02


def quad_around(outline: NDArray[np.int32]) -> Array | None:
    """Corners (4, 2), clockwise, of the quadrangle whose sides run along the outermost straight parts of an
    outline (N, 1, 2); None where it has no four such sides."""
    length = cv2.arcLength(outline, closed=True)
    corners = cv2.approxPolyDP(outline, _NEAR * length, closed=True)[:, 0].astype(np.float64)
    if cv2.contourArea(corners.astype(np.float32), oriented=True) < 0:
        corners = corners[::-1]
    sides = _outermost(corners, length)
    if len(sides) < 4:
        return None
    found = np.array([_crossing(sides[(k - 1) % 4], sides[k]) for k in range(4)])
    return found if np.isfinite(found).all() and is_convex(found) else None


def _outermost(corners: Array, length: float) -> dict[int, tuple[Array, Array]]:
    """For each of four directions, clockwise, the longest side of an outline beyond which no corner lies."""
    ends = np.roll(corners, -1, axis=0)
    along = ends - corners
    lengths = np.linalg.norm(along, axis=1)
    first = along[lengths.argmax()]
    found: dict[int, tuple[Array, Array]] = {}
    for k in np.argsort(-lengths):
        if lengths[k] < _LEAST_SIDE * length:
            break
        normal = np.array([-along[k, 1], along[k, 0]]) / lengths[k]
        turned = np.arctan2(first[0] * along[k, 1] - first[1] * along[k, 0], first @ along[k])
        way = round(float(turned) / (np.pi / 2)) % 4
        if way not in found and ((corners - corners[k]) @ normal).min() > -_NEAR * length:
            found[way] = corners[k], ends[k]
    return found


def _crossing(one: tuple[Array, Array], other: tuple[Array, Array]) -> Array:
    """The point (2,) where two lines through two points each meet; infinite where they are parallel."""
    (start, end), (there, beyond) = one, other
    along, across = end - start, beyond - there
    apart = along[0] * across[1] - along[1] * across[0]
    if abs(apart) < 1e-9:
        return np.full(2, np.inf)
    away = there - start
    return np.asarray(start + along * (away[0] * across[1] - away[1] * across[0]) / apart, np.float64)
