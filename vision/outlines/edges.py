"""Edges of cards: quadrangles in a picture, and refinement of a card's four sides to image edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.outlines.background import TableColours, parting
from vision.photo import geometry
from vision.photo.geometry import is_convex
from vision.photo.lens import AnyLens

Array = NDArray[np.float64]

#: Levels of a channel at which outlines are taken, as shares of its pixels between the darkest and lightest.
_LEVELS = np.linspace(0.06, 0.94, 9)
#: Least and greatest area of an outline, as a share of the picture; a card among thirty has a fortieth.
LEAST_AREA, MOST_AREA = 0.004, 0.9
#: Largest difference between an outline's area and that of its four corners, as a share, for it to be a
#: quadrangle.
_FILL = 0.06
#: Least share of an outline's area covered by the quadrangle of its points nearest to four corners.
_LEAST_FILL = 0.8
#: Tolerances for simplifying an outline, as shares of its length, as corners are rounded.
_SIMPLER = (0.015, 0.03)
#: A side's line is fitted to the points along this middle share of its length and within these distances of
#: it (shares of its length), in two rounds.
_MIDDLE, _NEAR = 0.76, (0.05, 0.025)
#: Sine of the angle between two sides below which they have no corner.
_PARALLEL = 0.2
#: Distance of all corners, as a share of the longer side, below which two quadrangles are the same.
_SAME = 0.012
#: Edge strengths (levels a pixel) at which enclosed areas are taken as outlines.
_EDGES = (12, 30)


def find_quads(lab: NDArray[np.uint8], unlike: NDArray[np.float32]) -> list[Array]:
    """Corners (4, 2), clockwise, of the quadrangles in a picture (H, W, 3) uint8 CIE L*a*b*, most often found
    first.

    `unlike` (H, W) is the probability that a pixel is not table.
    """
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
            quad = as_quad(outline)
            if quad is not None:
                found = _note(quad, found, times)
    return [found[k] for k in sorted(range(len(times)), key=lambda k: -times[k])]


def _masks(lab: NDArray[np.uint8]) -> list[NDArray[np.uint8]]:
    """Binary masks of a picture: each channel thresholded at several levels, and the areas enclosed by
    edges."""
    masks: list[NDArray[np.uint8]] = []
    for channel in cv2.split(lab):
        counts = np.cumsum(cv2.calcHist([channel], [0], None, [256], [0, 256]).ravel())
        levels = sorted({int(np.searchsorted(counts, share * counts[-1])) for share in _LEVELS})
        for level in levels:
            mask = np.asarray(cv2.threshold(channel, level, 255, cv2.THRESH_BINARY)[1], np.uint8)
            masks.append(mask)
            # objects that touch by a corridor's width, or are connected by a shadow
            masks.append(
                np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8)), np.uint8)
            )
    grey = cv2.split(lab)[0]
    for strength in _EDGES:
        edges = cv2.Canny(grey, strength, 3 * strength)
        masks.append(np.asarray(cv2.dilate(edges, np.ones((3, 3), np.uint8)), np.uint8))
    return masks


def _islands(unlike: NDArray[np.float32]) -> list[NDArray[np.uint8]]:
    """Binary masks of the foreground, with larger and larger gaps closed."""
    masks = []
    for level, reach in ((0.2, 5), (0.2, 11), (0.4, 5), (0.4, 15), (0.7, 9), (0.7, 25)):
        mask = np.asarray(unlike > level, np.uint8) * 255
        mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((reach, reach), np.uint8))
        masks.append(np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((9, 9), np.uint8)), np.uint8))
    return masks


def as_quad(outline: NDArray[np.int32]) -> Array | None:
    """The four corners of an outline, clockwise; None where the outline does not have four straight sides."""
    hull = cv2.convexHull(outline)
    area = cv2.contourArea(hull)
    length = cv2.arcLength(hull, closed=True)
    for share in _SIMPLER:
        corners = cv2.approxPolyDP(hull, share * length, closed=True)[:, 0].astype(np.float64)
        if len(corners) != 4:
            continue
        if cv2.contourArea(corners.astype(np.float32), oriented=True) < 0:
            corners = corners[::-1]
        # (on a card with round corners, points on the arcs would cut off a strip along all sides)
        if not is_convex(corners) or cv2.contourArea(corners.astype(np.float32)) < _LEAST_FILL * area:
            continue
        fitted = _sides_fitted(hull[:, 0].astype(np.float64), corners)
        if is_convex(fitted) and abs(cv2.contourArea(fitted.astype(np.float32)) / area - 1) < _FILL:
            return fitted
    return None


def _sides_fitted(hull: Array, corners: Array) -> Array:
    """Corners (4, 2) of a rounded quadrangle: intersections of lines fitted to its sides.

    Each line is fitted to the hull's points along the side, without the side's ends.
    """
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
    """Points (N, 2) along a hull's outline, two pixels apart, since the hull itself has points only at
    bends."""
    parts = []
    for start, end in zip(hull, np.roll(hull, -1, axis=0), strict=True):
        count = max(1, round(float(np.linalg.norm(end - start)) / 2))
        parts.append(start + np.arange(count)[:, None] / count * (end - start))
    return np.concatenate(parts)


def _note(quad: Array, found: Array, times: list[int]) -> Array:
    """Quadrangles (N, 4, 2) found so far, with one more counted: as a repeat of a known one, or as a new
    one."""
    side = float(np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1).max())
    turned = np.array([np.roll(quad, turn, axis=0) for turn in range(4)])
    near = np.flatnonzero(np.abs(found.mean(axis=1) - quad.mean(axis=0)).max(axis=1) < _SAME * side)
    away = np.abs(found[near][:, None] - turned).max(axis=(2, 3)).min(axis=1)
    for k in near[away < _SAME * side]:
        times[k] += 1
        return found
    times.append(1)
    return np.concatenate([found, quad[None]])


Size = tuple[float, float]

#: Sampling strips across a side: reach to both sides, step, number of positions, and length of the rounded
#: ends left out (mm).
REACH_MM, STEP_MM, PLACES, ENDS_MM = 3.0, 0.1, 56, 4.5
_STEPS = round(REACH_MM / STEP_MM)
_OFFSETS: Array = np.asarray(STEP_MM * np.arange(-_STEPS, _STEPS + 1), np.float64)
#: Number and size (mm) of the steps, within and beyond the assumed outline, in which a common offset of all
#: cards' outlines is tried.
_FARTHEST, _TRIED_MM = 12, 0.2
#: Least ratio of merits at which another outline replaces the assumed one.
_CLEARER = 1.06
#: A step in colour (8-bit L*a*b* levels over `_OVER` steps) that counts in full.
_FULL_STEP = np.array([7.0, 3.5, 3.5])
_OVER = 3
#: Exponent from 8-bit lightness to linear light.
_ENCODING = 2.4
#: Least slope of a position used in fitting an edge, as a share of the side's usual slope.
_TELLS = 0.25
#: Greatest offset (mm) of each end of a side by a turn against its assumed direction.
_LEAN_MM = 1.6
#: Number of candidate lines for each side; deviation (mm) of the distance between opposite sides from the
#: card's size at which the penalty is half; and the largest penalty.
_LINES, _APART_MM, _MOST_OFF = 5, 0.6, 1.0
#: Loss of a side's merit for each mm of offset from its assumed position.
_MOVED = 0.2
#: Gain of an edge's merit where it separates table from foreground.
_PARTS = 0.8
#: Share of an edge's merit that requires a step of several times the full one, and that multiple.
_AMPLE, _AMPLY = 0.4, 4.0
#: Greatest distance (mm) of an edge's positions from its line.
_NEAR_MM = 0.45


#: Offsets at a side's first and last place, support, channel, sign and merit.
Line = tuple[float, float, float, int, float, float]


@dataclass(frozen=True)
class Sides:
    """A card's four sides refined to edges: corners, and the support of each side.

    `corners` (4, 2) are mm in the frame of the card's assumed pose. `support` (4,) is the share of the top,
    right, bottom and left side that is edge, 0 to 1. `inside` is the share of the sides within the photo.
    """

    corners: Array
    support: Array
    inside: float


@dataclass(frozen=True)
class Strips:
    """Samples of a photo in strips across the four sides of a card (top, right, bottom, left) at its assumed
    pose.

    `places` (4, P, 2) are positions along the sides, in mm on the card. `across` (4, 2) is each side's
    outward direction. `exact` (4, P, K, 3) is the outward slope of each colour channel. `lines` are candidate
    lines for each side. `inside` is the share of the samples within the photo.
    """

    places: Array
    across: Array
    exact: NDArray[np.float32]
    lines: tuple[list[Line], ...]
    inside: float


def strips_of(
    pixels: NDArray[np.uint8], lens: AnyLens, card_to_straight: Array, size_mm: Size, table: TableColours
) -> Strips:
    """Sampling strips across a card's sides, from a BGR photo `pixels` (H, W, 3).

    `card_to_straight` (3, 3) leads from mm on the card to undistorted pixels.
    """
    frame = geometry.rectangle(*size_mm)
    strips, all_places, across = [], [], []
    for start, end in zip(frame, np.roll(frame, -1, axis=0), strict=True):
        length = float(np.linalg.norm(end - start))
        along = (end - start) / length
        outwards = np.array([along[1], -along[0]])
        ends = min(ENDS_MM, 0.2 * length)
        places = start + np.linspace(ends, length - ends, PLACES)[:, None] * along
        strips.append(places[:, None] + _OFFSETS[None, :, None] * outwards)
        all_places.append(places)
        across.append(outwards)
    where = lens.seen(geometry.apply(card_to_straight, np.concatenate(strips)))
    height, width = pixels.shape[:2]
    within = np.asarray(((where >= 0) & (where <= np.array([width - 1, height - 1]))).all(axis=-1))
    where32 = where.astype(np.float32)
    seen = cv2.remap(
        pixels, where32[..., 0], where32[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    lab = cv2.cvtColor(seen, cv2.COLOR_BGR2Lab).astype(np.float32)
    lab = cv2.GaussianBlur(lab, (0, 0), sigmaX=1.2, sigmaY=0.6)
    slope = _slope(lab, within)
    # a lens blurs light, not the encoded values; in encoded values the lighter side would appear larger
    exact = slope.copy()
    exact[..., 0] = _slope(255 * (lab[..., 0] / 255) ** _ENCODING, within)
    parts = parting(table.share(np.asarray(seen, np.uint8)), STEP_MM)
    parts[~within] = 0
    sides = [slice(k * PLACES, (k + 1) * PLACES) for k in range(4)]
    return Strips(
        np.array(all_places),
        np.array(across),
        exact.reshape(4, PLACES, *exact.shape[1:]),
        tuple(_lines(slope[side], parts[side], _OFFSETS) for side in sides),
        float(within[:, len(_OFFSETS) // 2].mean()),
    )


def find_sides(strips: Strips) -> Sides:
    """Refine a card's outline to its edges: corners (4, 2) mm and the support of each side."""
    lines, support = [], []
    for k, (first, last, share, channel, sign, _) in enumerate(_together(strips.lines)[0]):
        places, outwards = strips.places[k], strips.across[k]
        line = _fine(strips.exact[k, ..., channel] * sign, _OFFSETS, first, last)
        lines.append((places[0] + line[0] * outwards, places[-1] + line[1] * outwards))
        support.append(share)
    corners = [
        _crossing(before, after) for before, after in zip([lines[-1], *lines[:-1]], lines, strict=True)
    ]
    return Sides(np.array(corners), np.array(support), strips.inside)


def own_outline(cards: Sequence[Strips]) -> float:
    """Offset in mm from the assumed outlines of all cards to their true outlines; negative is inwards.

    All cards are alike, so one offset is chosen for all. It is where most sides are clear edges between card
    and table, at the card's size. A sleeve's rim lies beyond the true outline, and a printed frame within it.
    """
    tried = np.arange(-_FARTHEST, _FARTHEST + 1) * _TRIED_MM
    merits = [sum(_together(card.lines, float(mm))[1] for card in cards) for mm in tried]
    best = int(np.argmax(merits))
    return float(tried[best]) if merits[best] > _CLEARER * merits[_FARTHEST] else 0.0


def _slope(strips: NDArray[np.float32], within: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Outward slope of strips, 0 outside the photo."""
    slope = np.zeros_like(strips)
    slope[:, _OVER:-_OVER] = strips[:, 2 * _OVER :] - strips[:, : -2 * _OVER]
    slope[~within] = 0
    return slope


def _lines(slope: NDArray[np.float32], parts: NDArray[np.float32], offsets: Array) -> list[Line]:
    """The best candidate lines through a strip: offsets at its first and last position, support, channel,
    sign and merit."""
    count = len(offsets)
    steps = slope / _FULL_STEP.astype(np.float32)
    full = np.clip(steps, -1, 1)
    # among edges that are all clear, a larger step has a higher merit: the step at a film's rim is small
    ample = (1 - _AMPLE) * full + _AMPLE * np.clip(steps / _AMPLY, -1, 1)
    share = np.linspace(0, 1, len(slope), dtype=np.float32)
    lean = round(_LEAN_MM / STEP_MM)
    grid, leans = np.meshgrid(np.arange(0, count, 2), np.arange(-lean, lean + 1, 2), indexing="ij")
    starts, ends = grid.ravel(), (grid + leans).ravel()
    keep = (ends >= 0) & (ends < count)
    starts, ends = starts[keep], ends[keep]
    at = np.rint(starts[:, None] + (ends - starts)[:, None] * share).astype(np.intp)
    means = full[np.arange(len(slope))[None], at].mean(axis=1)  # (lines, 3)
    channel = np.abs(means).argmax(axis=1)
    signed = means[np.arange(len(means)), channel]
    strong = np.abs(ample[np.arange(len(slope))[None], at].mean(axis=1)).max(axis=1)
    apart = np.clip(parts[np.arange(len(slope))[None], at].mean(axis=1), 0, 1)
    found: list[Line] = []
    merit = strong + _PARTS * apart
    left = merit.copy()
    for _ in range(_LINES):
        k = int(left.argmax())
        if left[k] < 0.1:
            break
        found.append(
            (
                offsets[starts[k]],
                offsets[ends[k]],
                float(max(abs(signed[k]), apart[k])),
                int(channel[k]),
                float(np.sign(signed[k])),
                float(left[k]),
            )
        )
        near = (np.abs(starts - starts[k]) + np.abs(ends - ends[k])) * STEP_MM < 1.2
        left[near] = 0
    # without any edge the side stays at its assumed position
    found.append((0.0, 0.0, 0.05, 0, 1.0, -0.2))
    return found


def _together(choices: Sequence[list[Line]], beyond_mm: float = 0.0) -> tuple[list[Line], float]:
    """The best choice of one line per side, with opposite sides at the card's distance, and its total merit.

    `beyond_mm` moves each side outwards from the card's size.
    """
    chosen: list[Line] = [choices[k][0] for k in range(4)]
    total = 0.0
    for one, other in ((0, 2), (1, 3)):
        best = -np.inf
        for a, b in product(choices[one], choices[other]):
            # opposite sides run in opposite directions: the first position of one faces the last of the other
            off = ((a[0] + b[1] - 2 * beyond_mm) ** 2 + (a[1] + b[0] - 2 * beyond_mm) ** 2) / 2
            merit = a[5] + b[5] - _MOST_OFF * min(1.0, off / (2 * _APART_MM**2))
            # the card's assumed position is evidence, too
            away = abs(a[0] + a[1] - 2 * beyond_mm) + abs(b[0] + b[1] - 2 * beyond_mm)
            merit -= _MOVED * away / 2
            if merit > best:
                best, chosen[one], chosen[other] = merit, a, b
        total += best
    return chosen, total


def _fine(slope: NDArray[np.float32], offsets: Array, first: float, last: float) -> tuple[float, float]:
    """A line's offsets at both ends, to a fraction of a step.

    The slope's centroid is taken at each position, and a line is fitted by least absolute differences.
    """
    share = np.linspace(0, 1, len(slope))
    for _ in range(3):
        expected = first + share * (last - first)
        away = offsets[None] - expected[:, None]
        weight = np.clip(slope, 0, None) * (np.abs(away) <= _NEAR_MM)
        total = weight.sum(axis=1)
        sure = total > max(_TELLS * float(np.median(total)), 0.5)
        if np.count_nonzero(sure) < 8:
            return first, last
        off = (weight * away).sum(axis=1)[sure] / total[sure]
        at, robust = share[sure], np.ones(np.count_nonzero(sure))
        change = np.zeros(2)
        for _ in range(4):
            rows = np.column_stack([1 - at, at])
            scaled = rows * robust[:, None]
            change = np.linalg.solve(scaled.T @ rows + 1e-6 * np.eye(2), scaled.T @ off)
            robust = 1 / np.maximum(np.abs(off - rows @ change), 0.05)
        first, last = first + float(change[0]), last + float(change[1])
    return first, last


def _crossing(one: tuple[Array, Array], other: tuple[Array, Array]) -> Array:
    (a, b), (c, d) = one, other
    u, v = b - a, d - c
    t = np.linalg.solve(np.column_stack([u, -v]), c - a)[0]
    return np.asarray(a + t * u)
