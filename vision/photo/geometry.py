"""Plane geometry: homographies as (3, 3) matrices, table points in card coordinates, and plausibility of a
camera pose."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.placement import table_to_card
from scorer.record import PlacedCard

Array = NDArray[np.float64]


def apply(homography: Array, points: Array) -> Array:
    """Points (..., 2) transformed by a homography (3, 3)."""
    points = np.asarray(points, np.float64)
    mapped = points @ homography[:, :2].T + homography[:, 2]
    return mapped[..., :2] / mapped[..., 2:]


def jacobian(homography: Array, points: Array) -> Array:
    """Jacobians (N, 2, 2) of a homography at points (N, 2): rows are outputs, columns inputs."""
    mapped = np.asarray(points, np.float64) @ homography[:, :2].T + homography[:, 2]
    out = mapped[:, :2] / mapped[:, 2:]
    inner = homography[None, :2, :2] - out[:, :, None] * homography[None, 2:, :2]
    return inner / mapped[:, 2, None, None]


def similarity(turn_rad: float, shift: Array) -> Array:
    """Matrix (3, 3) of a rotation by `turn_rad` (clockwise as seen, y down) followed by a translation."""
    cos, sin = np.cos(turn_rad), np.sin(turn_rad)
    return np.array([[cos, -sin, shift[0]], [sin, cos, shift[1]], [0.0, 0.0, 1.0]])


def rectangle(width: float, height: float) -> Array:
    """Corners (4, 2) of a rectangle at the origin, clockwise as seen, from the top left."""
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], float)


def is_convex(corners: Array) -> bool:
    """Whether corners (4, 2) form a convex quadrilateral, clockwise as seen (y down)."""
    # inner loop: plain numbers are faster than arrays here
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners.tolist()
    return bool(
        (bx - ax) * (cy - by) > (by - ay) * (cx - bx)
        and (cx - bx) * (dy - cy) > (cy - by) * (dx - cx)
        and (dx - cx) * (ay - dy) > (dy - cy) * (ax - dx)
        and (ax - dx) * (by - ay) > (ay - dy) * (bx - ax)
    )


def on_card(placed: PlacedCard, points_mm: Array, card_size_mm: tuple[float, float]) -> Array:
    """Points (N, 2) in mm on the upright card, from points (N, 2) in table mm."""
    origin, *axes = np.array([table_to_card(placed, at, card_size_mm) for at in ((0, 0), (1, 0), (0, 1))])
    # rounded to exact quarter turns, without rounding errors of the shift
    return np.asarray(np.asarray(points_mm, np.float64) @ np.round(np.array(axes) - origin) + origin)


#: Focal lengths of phones, as shares of the picture's diagonal: 20 to 80 mm for a frame's 43.3 mm.
FOCALS = np.geomspace(0.44, 1.9, 12)
#: Most oblique view of a table, in degrees from straight down.
STEEPEST_DEG = 62.0


def card_homography(corners_px: Array, size_mm: tuple[float, float]) -> Array:
    """Homography (3, 3) from mm on the upright card to pixels, by the card's corners (clockwise from the top
    left)."""
    matrix = cv2.getPerspectiveTransform(
        rectangle(*size_mm).astype(np.float32), np.asarray(corners_px, np.float32)
    )
    return np.asarray(matrix, np.float64)


def misfit(homography: Array, size_px: tuple[int, int]) -> float:
    """Deviation of a homography, table mm to picture pixels, from that of a pinhole camera with square
    pixels.

    It is the log ratio of the lengths of the two axes plus the cosine between them, at the best focal length.
    It is infinite where the view is too oblique. `size_px` is the picture's width and height.
    """
    width, height = size_px
    diagonal = float(np.hypot(width, height))
    to_middle = np.array([[1, 0, -(width - 1) / 2], [0, 1, -(height - 1) / 2], [0, 0, 1.0]])
    axes = (to_middle @ homography)[:, :2]
    away = axes[:2] / (FOCALS * diagonal)[:, None, None]  # (focals, 2, 2)
    depth = axes[2]
    long = np.sqrt((away**2).sum(axis=1) + depth**2)
    square = (away[:, :, 0] * away[:, :, 1]).sum(axis=1) + depth[0] * depth[1]
    off = np.abs(np.log(long[:, 0] / long[:, 1])) + np.abs(square) / long.prod(axis=1)
    # the table's normal, by the cross product of its axes
    level = away[:, 0, 0] * away[:, 1, 1] - away[:, 1, 0] * away[:, 0, 1]
    aside = away[:, ::-1, 0] * depth[1] - away[:, ::-1, 1] * depth[0]
    steep = np.abs(level) < np.cos(np.radians(STEEPEST_DEG)) * np.sqrt(level**2 + (aside**2).sum(axis=1))
    return float(np.where(steep, np.inf, off).min())


#: Lines shorter than this share of the picture's longer side are mostly art.
_LEAST_LINE = 0.03
#: Focal lengths (shares of the diagonal) that are tried if only lines determine the table's plane.
_LINE_FOCALS = (0.6, 0.9)
_TILTS_DEG, _AZIMUTHS_DEG = (0.0, 4.0, 8.0, 13.0, 19.0, 26.0, 33.0, 40.0, 47.0, 54.0), range(0, 360, 15)
#: Number of histogram bins for directions within a quarter turn.
_BINS = 75


def poses_by_lines(grey: NDArray[np.uint8], count: int = 3) -> list[Array]:
    """Plane homographies (3, 3) from vanishing directions of the lines in a picture (H, W) uint8, likeliest
    first.

    They lead from the table to picture pixels. The table's unit is a pixel at the picture's middle. Most
    straight lines run along the table's x or y axis.
    """
    height, width = grey.shape
    detector = cv2.createLineSegmentDetector(cv2.LSD_REFINE_STD)
    lines = detector.detect(grey)[0]
    if lines is None:
        return []
    ends = lines.reshape(-1, 2, 2).astype(np.float64)
    length = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
    long = length > _LEAST_LINE * max(width, height)
    ends, length = ends[long], length[long]
    if len(ends) < 4:
        return []
    most = np.argsort(-length)[:600]
    ends, length = ends[most], length[most]
    found: list[tuple[float, Array]] = []
    for focal in _LINE_FOCALS:
        grid = [
            (tilt, float(azimuth)) for tilt in _TILTS_DEG for azimuth in (_AZIMUTHS_DEG if tilt else (0,))
        ]
        tried = sorted((_along_axes(ends, length, at, focal, (width, height))[0], at) for at in grid)
        for merit, at in tried[: -1 - count : -1]:
            step = np.array([3.0, 7.0])
            for _ in range(5):
                around = [tuple(np.array(at) + step * way) for way in ((1, 0), (-1, 0), (0, 1), (0, -1))]
                told = [(_along_axes(ends, length, each, focal, (width, height))[0], each) for each in around]
                better, where = max(told)
                if better > merit:
                    merit, at = better, where
                else:
                    step /= 2
            turn = _along_axes(ends, length, at, focal, (width, height))[1]
            found.append((merit, plane_seen_at(at, focal, (width, height)) @ similarity(turn, np.zeros(2))))
    found.sort(key=lambda each: -each[0])
    return [pose for _, pose in found[:count]]


def plane_seen_at(at: tuple[float, float], focal: float, size_px: tuple[int, int]) -> Array:
    """Homography (3, 3) to the picture from a table at a given tilt and azimuth (degrees).

    The table's unit is a pixel at the picture's middle.
    """
    tilt, azimuth = np.radians(at)
    width, height = size_px
    length = focal * float(np.hypot(width, height))
    about_x = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    about_z = np.array(
        [[np.cos(azimuth), -np.sin(azimuth), 0], [np.sin(azimuth), np.cos(azimuth), 0], [0, 0, 1]]
    )
    axes = about_z @ about_x @ about_z.T
    camera = np.array([[length, 0, (width - 1) / 2], [0, length, (height - 1) / 2], [0, 0, 1.0]])
    seen = camera @ np.column_stack([axes[:, 0], axes[:, 1], [0.0, 0.0, length]])
    return np.asarray(seen / seen[2, 2])


def _along_axes(
    ends: Array, length: Array, at: tuple[float, float], focal: float, size_px: tuple[int, int]
) -> tuple[float, float]:
    """Share of all lines (N, 2, 2) along two perpendicular table directions, and the angle of these
    (radians)."""
    flat = apply(np.asarray(np.linalg.inv(plane_seen_at(at, focal, size_px)), np.float64), ends)
    along = flat[:, 1] - flat[:, 0]
    # lines are weighted by their length in the picture: distant ones are equally accurate
    angle = 4 * np.arctan2(along[:, 1], along[:, 0])
    counts = np.zeros(_BINS)
    np.add.at(
        counts,
        np.floor(angle / (2 * np.pi) * _BINS).astype(int) % _BINS,
        np.minimum(length, 0.2 * max(size_px)),
    )
    smooth = counts + 0.5 * (np.roll(counts, 1) + np.roll(counts, -1))
    best = int(np.argmax(smooth))
    near = np.abs((angle / (2 * np.pi) * _BINS - best - 0.5 + _BINS / 2) % _BINS - _BINS / 2) < 2
    off = (angle[near] - (best + 0.5) / _BINS * 2 * np.pi + np.pi) % (2 * np.pi) - np.pi
    turn = (
        (best + 0.5) / _BINS * 2 * np.pi + float(np.average(off, weights=length[near])) if near.any() else 0.0
    )
    return float(smooth[best] / length.sum()), turn / 4
