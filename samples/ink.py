"""Dry-erase marker strokes as a person draws them, and the film they leave on a card.

A stroke is planned on the table (mm, x right, y down): a guide line is followed with corners cut, a slow
drift to one side and a small tremor (both Ornstein-Uhlenbeck-like: Gaussian noise smoothed along the arc).
Width and film density follow the pen's speed, which follows curvature. On the card the film is an optical
density that adds up where strokes overlap, streaked along the stroke like a felt tip's fibres; `alpha = 1 -
exp(-density)` turns it into an RGBA overlay.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter, gaussian_filter1d, map_coordinates
from scipy.spatial import cKDTree

Array = NDArray[np.float64]

OVERLAY_PX_PER_MM = 12.0
# Points along a stroke; fine enough that the nearest one stands for the true foot point on the line.
STEP_MM = 0.2
# A stroke is laid down in pieces of this length so that where it crosses itself the film adds up.
PIECE_MM = 9.0
# The film ends within this beyond half of the stroke's width.
EDGE_MM = 0.25

# sRGB of a thick film; whiteboard inks, measured by eye on the photographs of whiteboards.
INK_RGB: dict[str, tuple[int, int, int]] = {
    "black": (24, 24, 28),
    "blue": (22, 46, 138),
    "red": (186, 24, 38),
    "green": (0, 104, 72),
}


#: Inks of the evening splits besides.
MORE_INK_RGB: dict[str, tuple[int, int, int]] = {
    "purple": (92, 34, 122),
    "orange": (222, 98, 18),
    "brown": (98, 58, 34),
    "light blue": (20, 122, 186),
}


@dataclass(frozen=True)
class Pen:
    """A marker in a hand: its film and the habits of who holds it. Lengths in mm."""

    colour: str
    rgb: tuple[int, int, int]
    width_mm: float
    density: float
    streaks: float
    drift_mm: float
    tremor_mm: float
    cut_mm: float
    haste: float

    @staticmethod
    def random(rng: np.random.Generator, colour: str) -> Pen:
        """A pen of the colour with a random tip, wear and hand."""
        base = np.array((INK_RGB | MORE_INK_RGB)[colour], float)
        rgb = np.clip(base + rng.normal(0, 7, 3) + rng.normal(0, 5), 0, 255)
        return Pen(
            colour=colour,
            rgb=(int(rgb[0]), int(rgb[1]), int(rgb[2])),
            width_mm=float(rng.triangular(1.0, 1.45, 2.1)),
            density=float(rng.triangular(1.3, 2.6, 4.2)),
            streaks=float(rng.beta(1.6, 3.0)),
            drift_mm=float(rng.uniform(0.25, 0.8)),
            tremor_mm=float(rng.uniform(0.03, 0.16)),
            cut_mm=float(rng.uniform(1.0, 2.6)),
            haste=float(rng.uniform(0.0, 1.0)),
        )


@dataclass(frozen=True)
class Stroke:
    """One pull of the pen. `points_mm` (N, 2) table mm; `width_mm`, `density` (N,), density 0 where the pen
    is lifted.

    `kind` is path, circle, strike, flourish (arrowhead, dot), spur (a way that was scribbled over) or ghost
    (the remains of a wiped line).
    """

    kind: str
    points_mm: Array
    width_mm: Array
    density: Array


def resample(points_mm: Array, step_mm: float) -> Array:
    """A polyline (N, 2) at even steps along its arc, ends kept."""
    points_mm = np.asarray(points_mm, float)
    legs = np.linalg.norm(np.diff(points_mm, axis=0), axis=1)
    keep = np.concatenate([[True], legs > 1e-9])
    points_mm = points_mm[keep]
    if len(points_mm) < 2:
        return np.repeat(points_mm, 2, axis=0)
    arc = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points_mm, axis=0), axis=1))])
    count = max(2, math.ceil(arc[-1] / step_mm) + 1)
    at = np.linspace(0.0, arc[-1], count)
    return np.column_stack([np.interp(at, arc, points_mm[:, 0]), np.interp(at, arc, points_mm[:, 1])])


def smooth_noise(count: int, correlation: float, rng: np.random.Generator) -> Array:
    """(count,) Gaussian noise of unit deviation, smoothed over `correlation` samples."""
    pad = int(4 * correlation) + 1
    noise = gaussian_filter1d(rng.normal(size=count + 2 * pad), correlation)[pad : pad + count]
    # the deviation of smoothed white noise is (2 sqrt(pi) sigma) ** -0.5
    return np.asarray(noise * math.sqrt(2.0 * math.sqrt(math.pi) * correlation))


def follow(guide_mm: Array, pen: Pen, rng: np.random.Generator, *, reach_mm: float = 1.7) -> Array:
    """The line a hand draws along `guide_mm` (N, 2): never further than about `reach_mm` from the rounded
    guide."""
    line = resample(guide_mm, STEP_MM)
    count = len(line)
    sigma = pen.cut_mm / STEP_MM
    pad = min(count - 1, int(4 * sigma))
    # reflected through the end points, so that the ends stay where they are
    head = 2 * line[0] - line[1 : pad + 1][::-1]
    tail = 2 * line[-1] - line[-pad - 1 : -1][::-1]
    smooth = gaussian_filter1d(np.vstack([head, line, tail]), sigma, axis=0)[pad : pad + count]
    tangent = np.gradient(gaussian_filter1d(smooth, 0.6 / STEP_MM, axis=0), axis=0)
    tangent /= np.maximum(np.linalg.norm(tangent, axis=1, keepdims=True), 1e-9)
    normal = np.column_stack([-tangent[:, 1], tangent[:, 0]])
    offset = pen.drift_mm * smooth_noise(count, 7.0 / STEP_MM, rng) + pen.drift_mm * rng.normal(0, 0.4)
    offset += pen.tremor_mm * smooth_noise(count, 0.9 / STEP_MM, rng)
    offset = reach_mm * np.tanh(offset / reach_mm)
    return np.asarray(resample(smooth + normal * offset[:, None], STEP_MM))


def laid_down(kind: str, line_mm: Array, pen: Pen, rng: np.random.Generator, *, press: float = 1.0) -> Stroke:
    """The stroke that the pen leaves along a line drawn by hand, (N, 2) at `STEP_MM`."""
    count = len(line_mm)
    smooth = gaussian_filter1d(line_mm, 1.0 / STEP_MM, axis=0, mode="nearest")
    first = np.gradient(smooth, axis=0)
    second = np.gradient(first, axis=0)
    length = np.maximum(np.linalg.norm(first, axis=1), 1e-6)
    bend = np.abs(first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]) / length**3
    arc = np.arange(count) * STEP_MM
    to_end = np.minimum(arc, arc[::-1])
    speed = 1.0 / (1.0 + 2.5 * np.minimum(bend, 1.0)) * (1.0 - 0.6 * np.exp(-to_end / 2.0))
    speed = gaussian_filter1d(speed, 1.0 / STEP_MM, mode="nearest")
    swing = smooth_noise(count, 5.0 / STEP_MM, rng)
    width = pen.width_mm * (1.12 - 0.25 * speed * pen.haste + 0.05 * swing)
    # a felt tip's round end, narrower when lifted on the move
    taper = np.ones(count)
    if rng.random() < 0.3 + 0.4 * pen.haste:
        taper = np.minimum(taper, 0.45 + arc[::-1] / 2.5)
    if rng.random() < 0.25:
        taper = np.minimum(taper, 0.55 + arc / 2.0)
    width = width * np.minimum(taper, 1.0)
    density = pen.density * press * (1.25 - 0.55 * speed * (0.5 + 0.5 * pen.haste))
    density = density * np.exp(0.18 * smooth_noise(count, 9.0 / STEP_MM, rng))
    # the tip rests before it starts and after it stops: a darker spot
    rest = np.exp(-((arc / 0.7) ** 2)) * rng.uniform(0, 0.8) + np.exp(
        -((arc[::-1] / 0.7) ** 2)
    ) * rng.uniform(0, 0.8)
    density = density * (1.0 + rest)
    # starved stretches
    if pen.streaks > 0.25:
        dry = np.clip(smooth_noise(count, 10.0 / STEP_MM, rng) - 0.9, 0, 1.2)
        density = density * (1.0 - 0.55 * pen.streaks * dry)
    return Stroke(kind, line_mm, np.asarray(width), np.asarray(density))


def lifted(stroke: Stroke, at_mm: Array, gap_mm: float) -> Stroke:
    """The stroke with the pen off the card within half of `gap_mm` of a point (2,)."""
    far = np.linalg.norm(stroke.points_mm - at_mm, axis=1) > gap_mm / 2
    return Stroke(stroke.kind, stroke.points_mm, stroke.width_mm, stroke.density * far)


def path_stroke(guide_mm: Array, pen: Pen, rng: np.random.Generator, *, reach_mm: float = 1.7) -> Stroke:
    """A stroke of the path along a guide (N, 2) in table mm."""
    return laid_down("path", follow(guide_mm, pen, rng, reach_mm=reach_mm), pen, rng)


def circle_stroke(centre_mm: Array, radius_mm: float, pen: Pen, rng: np.random.Generator) -> Stroke:
    """A ring around a find: an ellipse that does not close or runs over its own start."""
    sweep = math.radians(rng.uniform(300, 350) if rng.random() < 0.3 else rng.uniform(355, 440))
    if rng.random() < 0.06:
        sweep += 2 * math.pi
    angle = rng.uniform(-2.6, -0.8) + np.linspace(0, sweep, 160) * rng.choice([-1.0, 1.0], p=[0.75, 0.25])
    squash, lean = rng.uniform(0.82, 1.12), rng.uniform(0, math.pi)
    growth = 1.0 + rng.normal(0, 0.05) * np.linspace(-0.5, 0.5, 160) * sweep / 3.0
    wave = 1.0 + 0.035 * smooth_noise(160, 18, rng)
    ring = radius_mm * (growth * wave)[:, None] * np.column_stack([np.cos(angle), squash * np.sin(angle)])
    turn = np.array([[math.cos(lean), -math.sin(lean)], [math.sin(lean), math.cos(lean)]])
    points = np.asarray(centre_mm) + rng.normal(0, 0.45, 2) + ring @ turn.T
    return laid_down("circle", resample(points, STEP_MM), pen, rng, press=0.9)


def strike_strokes(centre_mm: Array, radius_mm: float, pen: Pen, rng: np.random.Generator) -> list[Stroke]:
    """A find struck through: a slash, an X, or two slashes."""
    form = rng.choice(["slash", "cross", "double"], p=[0.5, 0.35, 0.15])
    first = math.radians(rng.normal(-45, 10) + (90 if rng.random() < 0.15 else 0))
    centre = np.asarray(centre_mm) + rng.normal(0, 0.4, 2)
    shift = np.zeros(2)
    lines = [(first, shift)]
    if form == "cross":
        lines.append((first + math.radians(rng.normal(90, 9)), rng.normal(0, 0.3, 2)))
    elif form == "double":
        lines.append(
            (first + math.radians(rng.normal(0, 4)), 1.6 * np.array([math.sin(first), math.cos(first)]))
        )
    strokes = []
    for angle, offset in lines:
        half = radius_mm * rng.uniform(0.95, 1.25)
        along = np.array([math.cos(angle), math.sin(angle)])
        across = np.array([-along[1], along[0]])
        t = np.linspace(-1, 1, 30)[:, None]
        bow = rng.normal(0, 0.35) * (1 - t**2)
        points = centre + offset + along * half * t + across * bow
        strokes.append(laid_down("strike", resample(points, STEP_MM), pen, rng, press=0.85))
    return strokes


def arrow_strokes(line_mm: Array, pen: Pen, rng: np.random.Generator) -> list[Stroke]:
    """A small arrowhead at the end of a drawn line (N, 2)."""
    tip = line_mm[-1]
    back = line_mm[max(0, len(line_mm) - int(3.0 / STEP_MM))]
    heading = math.atan2(*(tip - back)[::-1])
    strokes = []
    for side in (1, -1):
        angle = heading + math.pi + side * math.radians(rng.uniform(25, 42))
        length = rng.uniform(2.0, 3.2)
        end = tip + length * np.array([math.cos(angle), math.sin(angle)])
        strokes.append(laid_down("flourish", resample(np.vstack([tip, end]), STEP_MM), pen, rng))
    return strokes


def dot_stroke(at_mm: Array, pen: Pen, rng: np.random.Generator) -> Stroke:
    """A dot that marks where the path starts."""
    angle = np.linspace(0, 4 * math.pi, 60)
    radius = np.linspace(0.2, rng.uniform(0.5, 0.9), 60)
    points = at_mm + radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    return laid_down("flourish", resample(points, STEP_MM), pen, rng)


def ghost_stroke(line_mm: Array, pen: Pen, rng: np.random.Generator) -> Stroke:
    """What a careless wipe leaves of an old line: wide, faint, broken."""
    line = resample(line_mm, STEP_MM)
    count = len(line)
    faint = rng.uniform(0.03, 0.1) * np.clip(0.6 + smooth_noise(count, 6.0 / STEP_MM, rng), 0, 2)
    return Stroke("ghost", line, np.full(count, pen.width_mm * rng.uniform(1.3, 3.0)), faint)


def film(
    strokes: Sequence[Stroke],
    to_card: Callable[[Array], Array],
    size_mm: tuple[float, float],
    pen: Pen,
    seed: int,
    *,
    px_per_mm: float = OVERLAY_PX_PER_MM,
) -> NDArray[np.float32]:
    """Optical density (H, W) of all strokes on an upright card; `to_card` maps (N, 2) table mm to card mm."""
    rng = np.random.default_rng(seed)
    width_px, height_px = (round(side * px_per_mm) for side in size_mm)
    total = np.zeros((height_px, width_px), np.float32)
    for stroke in strokes:
        line = to_card(stroke.points_mm)
        reach = float(stroke.width_mm.max()) / 2 + EDGE_MM
        if (line.max(axis=0) < -reach).any() or (line.min(axis=0) > np.add(size_mm, reach)).any():
            continue
        fibres = gaussian_filter(rng.normal(size=(len(line) + 8, 24)), (3.5 / STEP_MM, 0.9), mode="wrap")
        fibres /= max(float(fibres.std()), 1e-9)
        tangent = np.gradient(line, axis=0)
        tangent /= np.maximum(np.linalg.norm(tangent, axis=1, keepdims=True), 1e-9)
        piece = max(2, round(PIECE_MM / STEP_MM))
        for start in range(0, len(line) - 1, piece):
            stop = min(start + piece, len(line) - 1)
            _lay_piece(total, line, tangent, (start, stop), stroke, fibres, pen, px_per_mm)
    if total.any():
        # a printed, varnished face does not take the film evenly
        grain = gaussian_filter(rng.normal(size=(256, 256)).astype(np.float32), 1.6, mode="wrap")
        grain = 1.0 + 0.10 * grain / max(float(grain.std()), 1e-9)
        repeats = [-(-side // 256) for side in total.shape]
        total *= np.tile(grain, repeats)[:height_px, :width_px]
    return np.maximum(total, 0.0)


def _lay_piece(
    total: NDArray[np.float32],
    line: Array,
    tangent: Array,
    piece: tuple[int, int],
    stroke: Stroke,
    fibres: Array,
    pen: Pen,
    px_per_mm: float,
) -> None:
    """Add the film of points `piece` (from, to) of a stroke to `total`; it is cut square to the line at inner
    joints."""
    start, stop = piece
    points = line[start : stop + 1]
    reach = float(stroke.width_mm[start : stop + 1].max()) / 2 + EDGE_MM
    low = np.floor((points.min(axis=0) - reach) * px_per_mm).astype(int)
    high = np.ceil((points.max(axis=0) + reach) * px_per_mm).astype(int) + 1
    low = np.maximum(low, 0)
    high = np.minimum(high, [total.shape[1], total.shape[0]])
    if np.any(high <= low):
        return
    near = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
    way = np.round(points * px_per_mm - 0.5 - low).astype(np.int32)
    cv2.polylines(near, [way], False, 1, 2 * math.ceil(reach * px_per_mm) + 3)
    ys, xs = np.nonzero(near)
    ys, xs = ys + low[1], xs + low[0]
    pixels = np.column_stack([xs, ys]) + 0.5
    # one sample beyond each inner joint, so that what is nearer to the next piece can be left to it
    first = max(start - 1, 0)
    last = min(stop + 1, len(line) - 1)
    tree = cKDTree(line[first : last + 1] * px_per_mm)
    distance, nearest = tree.query(pixels, distance_upper_bound=reach * px_per_mm, workers=1)
    nearest = nearest + first
    hit = np.isfinite(distance) & (nearest >= start) & ((nearest < stop) | (stop == len(line) - 1))
    if not hit.any():
        return
    index = nearest[hit]
    along = tangent[index]
    away = pixels[hit] / px_per_mm - line[index]
    across = away[:, 1] * along[:, 0] - away[:, 0] * along[:, 1]
    half = stroke.width_mm[index] / 2
    edge = distance[hit] / px_per_mm - half
    soft = 0.9 if stroke.kind == "ghost" else 0.07
    cover = np.clip(0.5 - edge / (2 * soft), 0, 1)
    lane = 11.5 + 10.0 * np.clip(across / np.maximum(half, 1e-6), -1, 1)
    streak = map_coordinates(fibres, [index + 4.0, lane], order=1, mode="nearest")
    strength = 0.12 + 0.55 * pen.streaks
    value = cover * stroke.density[index] * np.exp(strength * streak - strength**2 / 2)
    # ink gathers at the rim of a wet line
    value *= 1.0 + 0.25 * np.exp(-((edge / 0.13 + 1.2) ** 2))
    total[ys[hit], xs[hit]] += value.astype(np.float32)


def overlay(density: NDArray[np.float32], pen: Pen) -> NDArray[np.uint8]:
    """(H, W, 4) uint8 RGBA, straight alpha, of a film density (H, W)."""
    # one row of a table per hundredth of density: a thin film shows a lighter, purer colour than a thick one
    steps = np.arange(1024) / 100.0
    thick = np.clip(steps / 3.0, 0, 1)[:, None]
    colour = np.asarray(pen.rgb, float)
    pale = np.clip(colour * 1.25 + 22, 0, 255)
    alpha = 255 * (1 - np.exp(-steps))
    table = np.column_stack([pale * (1 - thick) + colour * thick, alpha]).round().astype(np.uint8)
    # a pixel's four bytes are looked up as one number
    whole = np.ascontiguousarray(table).view(np.uint32)[:, 0]
    picked = whole[np.minimum(density * 100.0 + 0.5, 1023).astype(np.intp)]
    made: NDArray[np.uint8] = picked.view(np.uint8).reshape(*density.shape, 4)
    return made


def laid_over(under: NDArray[np.uint8], over: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Two films (H, W, 4) uint8 RGBA, straight alpha, as one."""
    low, high = (film[..., 3:].astype(np.float32) / 255 for film in (under, over))
    alpha = high + low * (1 - high)
    colour = over[..., :3] * high + under[..., :3] * (low * (1 - high))
    colour /= np.maximum(alpha, 1e-6)
    return np.asarray(np.dstack([colour, 255 * alpha]).round(), np.uint8)
