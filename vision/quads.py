"""Quadrangles in a photo: outlines of anything that has four straight sides, sought in all colours and
levels.

A card lies lighter or darker, or in another hue, than most of what is around it; at some level of some
channel its outline parts from everything else.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.homography import is_convex

Array = NDArray[np.float64]

#: Levels of a channel at which outlines are taken, as shares of its pixels between the darkest and lightest.
_LEVELS = np.linspace(0.06, 0.94, 9)
#: Of the picture's area, the least and most that is looked at; a card among thirty has a fortieth.
LEAST_AREA, MOST_AREA = 0.004, 0.9
#: An outline is a quadrangle where it fills its four corners' area to within this much.
_FILL = 0.06
#: Of an outline's area, the least that its points nearest to four corners fill.
_LEAST_FILL = 0.8
#: Corners are rounded: an outline is simplified by this share of its length.
_SIMPLER = (0.015, 0.03)
#: A side's line is fitted to what lies about its middle, so much of its length, and so near it (shares of its
#: length), first and then.
_MIDDLE, _NEAR = 0.76, (0.05, 0.025)
#: Sides that hardly cross have no corner (the sine between them).
_PARALLEL = 0.2
#: Quadrangles whose corners lie all nearer than this share of their longer side are one.
_SAME = 0.012
#: Strengths of edges (levels a pixel) at which outlines are taken of what edges enclose.
_EDGES = (12, 30)


def find_quads(lab: NDArray[np.uint8], unlike: NDArray[np.float32]) -> list[Array]:
    """(4, 2) corners, clockwise as seen, of the quadrangles in a picture (H, W, 3) uint8 CIE L*a*b*, of which
    `unlike` (H, W) tells where it is no table; those
    that were found most often first."""
    height, width = lab.shape[:2]
    least, most = LEAST_AREA * height * width, MOST_AREA * height * width
    found = np.zeros((0, 4, 2))
    times: list[int] = []
    soft = cv2.GaussianBlur(lab, (0, 0), 1.2)
    for mask in (*_islands(unlike), *_masks(soft)):
        outlines, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        for outline in outlines:
            if len(outline) < 4 or not least < cv2.contourArea(cv2.convexHull(outline)) < most:
                continue
            quad = _as_quad(outline)
            if quad is not None:
                found = _note(quad, found, times)
    return [found[k] for k in sorted(range(len(times)), key=lambda k: -times[k])]


def _masks(lab: NDArray[np.uint8]) -> list[NDArray[np.uint8]]:
    """Black and white pictures: each channel at several levels, and what edges enclose."""
    masks: list[NDArray[np.uint8]] = []
    for channel in cv2.split(lab):
        counts = np.cumsum(cv2.calcHist([channel], [0], None, [256], [0, 256]).ravel())
        levels = sorted({int(np.searchsorted(counts, share * counts[-1])) for share in _LEVELS})
        for level in levels:
            mask = np.asarray(cv2.threshold(channel, level, 255, cv2.THRESH_BINARY)[1], np.uint8)
            masks.append(mask)
            # what touches at a corridor's width, or hangs together by a shadow
            masks.append(
                np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8)), np.uint8)
            )
    grey = cv2.split(lab)[0]
    for strength in _EDGES:
        edges = cv2.Canny(grey, strength, 3 * strength)
        masks.append(np.asarray(cv2.dilate(edges, np.ones((3, 3), np.uint8)), np.uint8))
    return masks


def _islands(unlike: NDArray[np.float32]) -> list[NDArray[np.uint8]]:
    """Black and white pictures of what is no table, gaps in it closed more and more."""
    masks = []
    for level, reach in ((0.2, 5), (0.2, 11), (0.4, 5), (0.4, 15), (0.7, 9), (0.7, 25)):
        mask = np.asarray(unlike > level, np.uint8) * 255
        mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((reach, reach), np.uint8))
        masks.append(np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((9, 9), np.uint8)), np.uint8))
    return masks


def _as_quad(outline: NDArray[np.int32]) -> Array | None:
    """The four corners of an outline, clockwise as seen; None where it has not four straight sides."""
    hull = cv2.convexHull(outline)
    area = cv2.contourArea(hull)
    length = cv2.arcLength(hull, closed=True)
    for share in _SIMPLER:
        corners = cv2.approxPolyDP(hull, share * length, closed=True)[:, 0].astype(np.float64)
        if len(corners) != 4:
            continue
        if cv2.contourArea(corners.astype(np.float32), oriented=True) < 0:
            corners = corners[::-1]
        # (of a card with round corners, corners on the arcs cut off a strip along all sides)
        if not is_convex(corners) or cv2.contourArea(corners.astype(np.float32)) < _LEAST_FILL * area:
            continue
        fitted = _sides_fitted(hull[:, 0].astype(np.float64), corners)
        if is_convex(fitted) and abs(cv2.contourArea(fitted.astype(np.float32)) / area - 1) < _FILL:
            return fitted
    return None


def _sides_fitted(hull: Array, corners: Array) -> Array:
    """The corners where the sides would meet if they were not rounded: each side is the line along most of
    the hull's points by it, without its ends."""
    points = _along(hull)
    lines = []
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        middle, along = (start + end) / 2, end - start
        length = float(np.linalg.norm(along))
        along /= length
        for near in _NEAR:
            away = points - middle
            at, off = away @ along / length, away @ np.array([-along[1], along[0]])
            chosen = points[(np.abs(at) < _MIDDLE / 2) & (np.abs(off) < near * length)]
            if len(chosen) < 4:
                break
            fitted = cv2.fitLine(chosen.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
            way = np.sign(float(fitted[:2] @ along)) or 1.0
            along, middle = way * fitted[:2].astype(np.float64), fitted[2:].astype(np.float64)
        normal = np.array([-along[1], along[0]])
        lines.append((normal, float(normal @ middle)))
    fitted_corners = []
    for (one, p), (other, q) in zip([lines[-1], *lines[:-1]], lines, strict=True):
        if abs(float(one[0] * other[1] - one[1] * other[0])) < _PARALLEL:
            return corners
        fitted_corners.append(np.linalg.solve(np.array([one, other]), np.array([p, q])))
    return np.array(fitted_corners)


def _along(hull: Array) -> Array:
    """(N, 2) points on a hull's outline, two pixels apart: it has corners only at bends."""
    parts = []
    for start, end in zip(hull, np.roll(hull, -1, axis=0), strict=True):
        count = max(1, round(float(np.linalg.norm(end - start)) / 2))
        parts.append(start + np.arange(count)[:, None] / count * (end - start))
    return np.concatenate(parts)


def _note(quad: Array, found: Array, times: list[int]) -> Array:
    """Count a quadrangle among those found (N, 4, 2), as one of them or as a new one."""
    side = float(np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1).max())
    turned = np.array([np.roll(quad, turn, axis=0) for turn in range(4)])
    near = np.flatnonzero(np.abs(found.mean(axis=1) - quad.mean(axis=0)).max(axis=1) < _SAME * side)
    away = np.abs(found[near][:, None] - turned).max(axis=(2, 3)).min(axis=1)
    for k in near[away < _SAME * side]:
        times[k] += 1
        return found
    times.append(1)
    return np.concatenate([found, quad[None]])
