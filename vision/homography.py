"""Plane-to-plane maps as (3, 3) matrices: applying them, their slopes, and the shapes they make."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def apply(homography: Array, points: Array) -> Array:
    """(..., 2) points through a (3, 3) homography."""
    points = np.asarray(points, np.float64)
    mapped = points @ homography[:, :2].T + homography[:, 2]
    return mapped[..., :2] / mapped[..., 2:]


def jacobian(homography: Array, points: Array) -> Array:
    """(N, 2, 2) derivatives of the map at (N, 2) points: rows are outputs, columns inputs."""
    mapped = np.asarray(points, np.float64) @ homography[:, :2].T + homography[:, 2]
    out = mapped[:, :2] / mapped[:, 2:]
    inner = homography[None, :2, :2] - out[:, :, None] * homography[None, 2:, :2]
    return inner / mapped[:, 2, None, None]


def similarity(turn_rad: float, shift: Array) -> Array:
    """A turn by `turn_rad` (clockwise as seen, y down) and then a shift."""
    cos, sin = np.cos(turn_rad), np.sin(turn_rad)
    return np.array([[cos, -sin, shift[0]], [sin, cos, shift[1]], [0.0, 0.0, 1.0]])


def rectangle(width: float, height: float) -> Array:
    """(4, 2) corners from the top left, clockwise as seen."""
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], float)


def is_convex(corners: Array) -> bool:
    """Whether (4, 2) corners go round clockwise as seen (y down) without a reflex corner."""
    # asked very often: plain numbers
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners.tolist()
    return bool(
        (bx - ax) * (cy - by) > (by - ay) * (cx - bx)
        and (cx - bx) * (dy - cy) > (cy - by) * (dx - cx)
        and (dx - cx) * (ay - dy) > (dy - cy) * (ax - dx)
        and (ax - dx) * (by - ay) > (ay - dy) * (bx - ax)
    )
