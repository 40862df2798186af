"""Rectangles of a known size on a plane, at any angle: a Hough transform over all edges (Ballard, 1981).

A card's side is an edge with one sign along most of its length, in lightness or in a hue. Edges of art, wood
and cloth change their sign every few millimetres. Four such sides at the card's distances are a card.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.photo import geometry

Array = NDArray[np.float64]
Field = NDArray[np.float32]
Size = tuple[float, float]

#: Resolution of the vote, and the largest table (mm in each direction) that is examined.
PX_PER_MM, FARTHEST_MM = 1.25, 1000.0
#: Approximate size of the picture in which scales are compared.
_SCALE_PX = 640.0
#: Largest number of peaks (cards) for each orientation.
_MOST_PEAKS = 80
#: Share of a side that is examined, without its rounded ends.
_MIDDLE = 0.84
#: Step (8-bit levels over two pixels) with full weight, in L*a*b* and in the foreground probability; larger
#: where the whole picture is rough.
_FULL_STEP = (6.0, 3.0, 3.0, 50.0)
_ROUGH = 1.6
#: Requirements for a rectangle: mean support of its sides, support of the weakest and of the second weakest
#: one.
LEAST_MEAN, LEAST_SIDE, LEAST_SECOND = 0.40, 0.12, 0.22
#: Slope of lightness (levels over two pixels) with full weight as drawing.
_FULL_SLOPE = 14.0
#: Weight of two opposite sides with the same polarity, instead of opposite ones.
_ONE_WAY = 0.6
#: Distance between centres, as a share of the shorter side, below which two rectangles certainly overlap.
_SURELY_SHARED = 0.45
#: Greatest overlap of two rectangles, as a share of the area, since positions are accurate to a millimetre or
#: two.
MOST_SHARED = 0.12


@dataclass(frozen=True)
class Rectangle:
    """A rectangle on the table: centre in mm, turn in radians clockwise, and mean edge support of its sides,
    0 to 1."""

    centre_mm: tuple[float, float]
    turn_rad: float
    size_mm: Size
    support: float

    def corners_mm(self) -> Array:
        """Corners (4, 2) in table mm, clockwise from the top left."""
        turned = geometry.similarity(self.turn_rad, np.asarray(self.centre_mm))
        return geometry.apply(turned, geometry.rectangle(*self.size_mm) - np.asarray(self.size_mm) / 2)


def find_rectangles(
    lab: NDArray[np.uint8],
    table_to_view: Array,
    size_mm: Size,
    turns_rad: Iterable[float],
    *,
    play_mm: float = 0.8,
    most_shared: float = MOST_SHARED,
) -> list[Rectangle]:
    """Rectangles of one size visible in a picture, best first, without overlaps.

    The picture is (H, W, 5) uint8: CIE L*a*b*, the difference from the table, and the probability of a card's
    side. `table_to_view` (3, 3) leads from table mm to its pixels. Sides may be off by `play_mm`.
    """
    seen: list[Rectangle] = []
    for turn in turns_rad:
        seen += _at_turn(lab, table_to_view, size_mm, turn, play_mm)
    return without_overlap(seen, most_shared)


def best_scale(
    lab: NDArray[np.uint8], unlike: Field, plane_to_view: Array, size_mm: Size, heights: Sequence[float]
) -> tuple[float, float]:
    """Height of a card, in units of a plane, for which the most rectangles are found, and the merit of that
    height.

    The cards' sides run along the plane's axes. `unlike` (H, W) is the probability that a pixel is not table.
    The plane is rectified once, and the scale is found by the lengths of sides alone.
    """
    ring = seen_part(plane_to_view, (lab.shape[1], lab.shape[0]), farthest=4.0 * max(lab.shape))
    if ring is None:
        return 0.0, 0.0
    low, high = ring.min(axis=0), ring.max(axis=0)
    per_unit = min(1.0, _SCALE_PX / float((high - low).max()))
    flat, valid = _cut_out(lab, plane_to_view, low, high, per_unit)
    sideways = np.ascontiguousarray(flat.transpose(1, 0, 2))
    steps = [_steps(flat, valid), _steps(sideways, valid.T)]
    ridges = [_ridge(flat), _ridge(sideways)]
    best = (0.0, 0.0)
    pattern = pattern_of(flat[..., 0])
    as_bytes = np.asarray(255 * unlike, np.uint8)
    covered, _ = _cut_out(as_bytes, plane_to_view, low, high, per_unit)
    sums = cv2.integral(covered)
    usual = max(float(np.quantile(cv2.blur(pattern, (31, 31)), 0.95)), 0.02)
    for height in heights:
        found: list[NDArray[np.float64]] = []
        for wide, high_px in (
            (height * size_mm[0] / size_mm[1] * per_unit, height * per_unit),
            (height * per_unit, height * size_mm[0] / size_mm[1] * per_unit),
        ):
            play = 0.02 * height * per_unit
            left = _support(steps[0], _MIDDLE * high_px, play, ridges[0])
            top = [each.T for each in _support(steps[1], _MIDDLE * wide, play, ridges[1])]
            peaks = sorted(_peaks(left, top, wide, high_px), key=lambda each: -each[2])[:_MOST_PEAKS]
            found += [np.array([x, y, support, wide, high_px]) for x, y, support in peaks]
        kept = _apart(found)
        if not kept:
            continue
        inner = cv2.blur(pattern, (max(3, round(0.6 * height * per_unit)),) * 2)
        merit = 0.0
        for x, y, support, wide, high_px in kept:
            depth = abs(
                float(plane_to_view[2] @ np.array([x / per_unit + low[0], y / per_unit + low[1], 1.0]))
            )
            scale = abs(float(np.linalg.det(plane_to_view))) / depth**3 / per_unit**2
            # a chequered cloth has clear sides, but nothing between them
            drawn = min(1.0, float(inner[int(y), int(x)]) / usual)
            drawn *= 0.1 + 0.9 * _mean(sums, x, y, wide, high_px) ** 2
            merit += merit_of(support, wide * high_px * scale, drawn)
        if merit > best[1]:
            best = float(height), merit
    return best


def _mean(sums: NDArray[np.int32], x: float, y: float, wide: float, high: float) -> float:
    """Mean (0 to 1) of a byte picture over a box, from its integral image."""
    left, right = (int(np.clip(x + side * wide / 2, 0, sums.shape[1] - 1)) for side in (-1, 1))
    top, bottom = (int(np.clip(y + side * high / 2, 0, sums.shape[0] - 1)) for side in (-1, 1))
    total = int(sums[bottom, right]) - int(sums[top, right]) - int(sums[bottom, left]) + int(sums[top, left])
    return total / 255 / max((right - left) * (bottom - top), 1)


def merit_of(support: float, area_px: float, pattern: float) -> float:
    """Contribution of a rectangle to the merit of its plane.

    Many well supported rectangles prove more than a few larger ones, such as blocks of cards or squares of a
    chequered cloth. `pattern` is the amount of print in the rectangle.
    """
    return float(support**4 * area_px**0.8 * pattern)


def pattern_of(lightness: NDArray[np.uint8]) -> Field:
    """Strength (H, W) of printed texture, 0 to 1; a weave or wood grain has none."""
    soft = cv2.GaussianBlur(lightness, (0, 0), 1.8)
    slopes = [cv2.Sobel(soft, cv2.CV_32F, *way, ksize=1) for way in ((1, 0), (0, 1))]
    return np.asarray(np.clip(np.hypot(*slopes) / _FULL_SLOPE, 0, 1) ** 2, np.float32)


def _apart(found: list[NDArray[np.float64]]) -> list[NDArray[np.float64]]:
    """Non-maximum suppression of upright rectangles (x, y, support, width, height): the best ones that do not
    overlap."""
    kept: list[NDArray[np.float64]] = []
    for one in sorted(found, key=lambda each: -each[2]):
        if kept:
            others = np.array(kept)
            over = (others[:, 3:] + one[3:]) / 2 - np.abs(others[:, :2] - one[:2])
            area = np.prod(np.clip(over, 0, None), axis=1)
            if (area > MOST_SHARED * one[3] * one[4]).any():
                continue
        kept.append(one)
    return kept


def without_overlap(rectangles: Sequence[Rectangle], most_shared: float = MOST_SHARED) -> list[Rectangle]:
    """Non-maximum suppression: the best supported rectangles, overlapping by at most a share of the smaller
    one's area."""
    kept: list[Rectangle] = []
    corners: list[NDArray[np.float32]] = []
    middles = np.zeros((0, 2))
    for one in sorted(rectangles, key=lambda each: -each.support):
        away = np.hypot(*(middles - np.asarray(one.centre_mm)).T)
        # at any rotation, the inscribed circles overlap by more than is allowed
        if (away < _SURELY_SHARED * (1 - most_shared) * min(one.size_mm)).any():
            continue
        own = one.corners_mm().astype(np.float32)
        least = min(1.0, most_shared) * float(np.prod(one.size_mm))
        near = np.flatnonzero(away < np.hypot(*one.size_mm))
        if all(cv2.intersectConvexConvex(own, corners[k])[0] <= least for k in near):
            kept.append(one)
            corners.append(own)
            middles = np.vstack([middles, one.centre_mm])
    return kept


def shared(one: Rectangle, other: Rectangle) -> float:
    """Overlap of two rectangles as a share of the smaller one's area, 0 to 1."""
    a, b = one.corners_mm().astype(np.float32), other.corners_mm().astype(np.float32)
    return float(cv2.intersectConvexConvex(a, b)[0] / min(np.prod(one.size_mm), np.prod(other.size_mm)))


def seen_part(table_to_view: Array, size_px: tuple[int, int], farthest: float = FARTHEST_MM) -> Array | None:
    """Visible part of the table: its outline (N, 2) in table mm, within a square of side `farthest` about its
    middle.

    None where the picture shows no part of the table.
    """
    width, height = size_px
    to_table = np.asarray(np.linalg.inv(table_to_view), np.float64)
    middle_px = np.array([(width - 1) / 2, (height - 1) / 2], np.float64)
    middle = geometry.apply(to_table, middle_px)
    side = np.sign(float(to_table[2] @ np.array([*middle_px, 1.0])))
    ring = []
    frame = geometry.rectangle(width - 1, height - 1)
    for start, end in zip(frame, np.roll(frame, -1, axis=0), strict=True):
        for share in np.linspace(0, 1, 12, endpoint=False):
            point = start + share * (end - start)
            # a point beyond the horizon is moved inwards until it lies on the table
            for inwards in np.linspace(0, 1, 25):
                at = np.asarray(point + inwards * (middle_px - point), np.float64)
                depth = side * float(to_table[2] @ np.array([*at, 1.0]))
                if depth <= 0:
                    continue
                on_table = geometry.apply(to_table, at)
                if np.abs(on_table - middle).max() <= farthest / 2:
                    ring.append(on_table)
                    break
    return np.array(ring) if len(ring) >= 3 else None


def _at_turn(
    lab: NDArray[np.uint8], table_to_view: Array, size_mm: Size, turn: float, play_mm: float
) -> list[Rectangle]:
    ring = seen_part(table_to_view, (lab.shape[1], lab.shape[0]))
    if ring is None:
        return []
    back = geometry.similarity(-turn, np.zeros(2))
    turned = geometry.apply(back, ring)
    low, high = turned.min(axis=0), turned.max(axis=0)
    if (high - low < np.array(size_mm)).any():
        return []
    to_table = geometry.similarity(turn, np.zeros(2))
    flat, valid = _cut_out(lab, table_to_view @ to_table, low, high, PX_PER_MM)
    wide, high_px = size_mm[0] * PX_PER_MM, size_mm[1] * PX_PER_MM
    left = _support(_steps(flat, valid), _MIDDLE * high_px, play_mm * PX_PER_MM, _ridge(flat))
    sideways = np.ascontiguousarray(flat.transpose(1, 0, 2))
    top = [
        each.T
        for each in _support(_steps(sideways, valid.T), _MIDDLE * wide, play_mm * PX_PER_MM, _ridge(sideways))
    ]
    found = []
    for x, y, support in _peaks(left, top, wide, high_px):
        at = np.array([x, y], np.float64) / PX_PER_MM + low
        middle = geometry.apply(to_table, np.asarray(at, np.float64))
        found.append(Rectangle((float(middle[0]), float(middle[1])), turn, size_mm, support))
    return found


def _cut_out(
    lab: NDArray[np.uint8], plane_to_view: Array, low: Array, high: Array, px_per_unit: float
) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """Top view of a box of a plane, and a mask of its pixels that the picture shows."""
    width, height = (int(side) for side in np.ceil((high - low) * px_per_unit))
    matrix = plane_to_view @ np.array([[1 / px_per_unit, 0, low[0]], [0, 1 / px_per_unit, low[1]], [0, 0, 1]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    flat = cv2.warpPerspective(lab, matrix, (width, height), flags=flags)
    inside = np.full(lab.shape[:2], 255, np.uint8)
    valid = cv2.warpPerspective(inside, matrix, (width, height), flags=flags)
    valid = cv2.erode(valid, np.ones((5, 5), np.uint8))
    return np.asarray(flat, np.uint8), np.asarray(valid > 250)


def _peaks(
    left: Sequence[Field], top: Sequence[Field], wide: float, high: float
) -> list[tuple[float, float, float]]:
    """Local maxima of rectangles: centres (x, y) and supports, from the supports of their upright and level
    sides."""
    rows_px, columns_px = left[0].shape[:2]
    across, down = round(wide / 2), round(high / 2)
    if columns_px <= 2 * across or rows_px <= 2 * down or not across or not down:
        return []
    rows, columns = slice(down, rows_px - down), slice(across, columns_px - across)
    ups, downs = left
    a, b = _pair(ups, downs, (rows, slice(0, columns_px - 2 * across)), (rows, slice(2 * across, None)))
    ups, downs = top
    c, d = _pair(ups, downs, (slice(0, rows_px - 2 * down), columns), (slice(2 * down, None), columns))
    mean = (a + b + c + d) / 4
    low_x, high_x, low_y, high_y = np.minimum(a, b), np.maximum(a, b), np.minimum(c, d), np.maximum(c, d)
    weakest = np.minimum(low_x, low_y)
    second = np.minimum(np.maximum(low_x, low_y), np.minimum(high_x, high_y))
    good = (mean > LEAST_MEAN) & (weakest > LEAST_SIDE) & (second > LEAST_SECOND)
    reach = max(3, round(0.3 * min(wide, high))) | 1
    peak = good & (mean >= cv2.dilate(mean, np.ones((reach, reach), np.uint8)))
    return [(float(x + across), float(y + down), float(mean[y, x])) for y, x in np.argwhere(peak)]


def _pair(
    ups: Field, downs: Field, near: tuple[slice, slice], far: tuple[slice, slice]
) -> tuple[Field, Field]:
    """Supports of two opposite sides, as a pair of maps, with a preference for gradients of opposite sign.

    A card is lighter than its surroundings on both sides, or darker on both. Across a gap, the neighbour's
    outer edge fits on one side only, and counts less.
    """
    up, down, up_far, down_far = ups[near], downs[near], ups[far], downs[far]
    inwards, outwards = up + down_far, down + up_far
    first = np.where(inwards >= outwards, up, down)
    last = np.where(inwards >= outwards, down_far, up_far)
    return (
        np.maximum(first, _ONE_WAY * np.maximum(up, down)),
        np.maximum(last, _ONE_WAY * np.maximum(up_far, down_far)),
    )


def _steps(flat: NDArray[np.uint8], valid: NDArray[np.bool_]) -> list[Field]:
    """Horizontal edge strength (H, W) of each channel, -1 to 1, as a share of a full step."""
    soft = cv2.GaussianBlur(flat, (0, 0), 0.8)
    made = []
    for channel, full in zip(cv2.split(soft)[:4], _FULL_STEP, strict=False):
        step = cv2.filter2D(channel, cv2.CV_32F, np.array([[-1, 0, 1]], np.float32))
        step *= valid
        usual = float(np.median(np.abs(step[valid][::7]))) if valid.any() else 0.0
        step /= np.float32(max(full, _ROUGH * usual))
        made.append(np.asarray(np.clip(step, -1, 1, out=step), np.float32))
    return made


def _ridge(flat: NDArray[np.uint8]) -> Field | None:
    """Probability (H, W) of a card's side, where the picture has it."""
    if flat.shape[2] < 5:
        return None
    return np.asarray(flat[..., 4] / np.float32(255), np.float32)


def _support(
    steps: Sequence[Field], length_px: float, play_px: float, ridge: Field | None
) -> tuple[Field, Field]:
    """Support of vertical lines (H, W), 0 to 1, in two maps: for edges that rise to the right, and that fall.

    It is the share of a line of `length_px` about each position that is one edge in some channel, or a card's
    side in a map of sides (H, W).
    """
    tall = max(3, round(length_px)) | 1
    means = [cv2.blur(step, (1, tall), borderType=cv2.BORDER_CONSTANT) for step in steps]
    play = np.ones((1, 2 * max(1, round(play_px)) + 1), np.uint8)
    rises, falls = np.maximum.reduce(means), -np.minimum.reduce(means)
    if ridge is not None:
        seen = cv2.blur(ridge, (1, tall), borderType=cv2.BORDER_CONSTANT)
        rises, falls = np.maximum(rises, seen), np.maximum(falls, seen)
    rises, falls = cv2.dilate(rises, play), cv2.dilate(falls, play)
    return np.maximum(rises, 0, dtype=np.float32), np.maximum(falls, 0, dtype=np.float32)
