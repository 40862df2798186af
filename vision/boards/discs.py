"""Discs in a top view: position and identity at any rotation, by correlation in polar coordinates (rings and
spokes).

In polar coordinates around the centre a rotation is a shift. A picture is compared with every disc at every
rotation at once, by their spectra.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards.art import BoardArt, Flat
from vision.boards.plane import FromAbove

Floats = NDArray[np.float32]
Array = NDArray[np.float64]

#: Number of rings and of spokes in a disc's polar picture, and the share of the radius that is compared.
RINGS, SPOKES, RIM = 12, 72, 0.96
#: Search radius (mm) around the expected centre of a disc, in steps of 1 mm.
REACH_MM = 2.0
#: Typical correlation of discs with their own art, and highest correlation with other art.
RIGHT, WRONG = 0.86, 0.60


@dataclass(frozen=True)
class DiscSight:
    """A detected disc: its number in `BoardArt.discs`, its centre on the board (mm), and its correlation with
    its art (-1..1).

    `confidence` (0..1) is for its identity; `others` are alternatives, likeliest first; `covered`: an object
    hides part of it.
    """

    disc: int
    at_mm: tuple[float, float]
    likeness: float
    confidence: float
    others: tuple[int, ...] = ()
    covered: bool = False


@dataclass(frozen=True)
class DiscBank:
    """Polar pictures of all discs, and their spectra along the rings.

    `spectra` (n, RINGS, S, 3) have unit norm; `radius_mm` (n,); `pictures` (n, RINGS, SPOKES, 3) are not
    normalised.
    """

    spectra: NDArray[np.complex64]
    radius_mm: Array
    pictures: Floats


def disc_bank(art: BoardArt) -> DiscBank:
    """Polar pictures and spectra of all discs of a catalogue."""
    pictures = np.zeros((len(art.discs), RINGS, SPOKES, 3), np.float32)
    for k, disc in enumerate(art.discs):
        pictures[k] = _own_rings(disc)
    spectra = np.fft.rfft(_rings(pictures), axis=2).astype(np.complex64)
    return DiscBank(spectra, np.array([disc.size_mm[0] / 2 for disc in art.discs]), pictures)


def _own_rings(disc: Flat) -> Floats:
    height, width = disc.picture.shape[:2]
    xs, ys = spokes(width / 2)
    at = (xs + (width - 1) / 2).astype(np.float32), (ys + (height - 1) / 2).astype(np.float32)
    return np.asarray(cv2.remap(disc.picture, *at, cv2.INTER_LINEAR), np.float32)


@lru_cache(maxsize=16)
def spokes(radius: float) -> tuple[Array, Array]:
    """Offsets x and y from a disc's centre to its polar sample points, (RINGS, SPOKES) each."""
    far = (np.arange(RINGS) + 0.5) / RINGS * RIM * radius
    turn = np.arange(SPOKES) / SPOKES * 2 * np.pi
    return far[:, None] * np.cos(turn), far[:, None] * np.sin(turn)


def _rings(picture: Floats) -> Floats:
    """Polar pictures (..., RINGS, SPOKES, 3) with the mean removed, weighted by ring length and scaled to
    unit norm."""
    weight = np.sqrt(np.arange(RINGS, dtype=np.float32) + 0.5)[:, None, None]
    share = weight**2 / (weight**2).sum()
    mean = (picture * share).sum(axis=-3, keepdims=True).mean(axis=-2, keepdims=True)
    away = (picture - mean) * weight
    length = np.sqrt((away * away).sum(axis=(-3, -2, -1), keepdims=True))
    return np.asarray(away / np.maximum(length, 1e-3), np.float32)


def name_disc(
    above: FromAbove, bank: DiscBank, at_mm: tuple[float, float], only: Sequence[int] | None = None
) -> DiscSight | None:
    """The disc at a point of the board, with its identity; None if the picture does not show the place."""
    numbers = list(range(len(bank.radius_mm))) if only is None else list(only)
    best: list[tuple[float, int, tuple[float, float]]] = []
    steps = np.arange(-REACH_MM, REACH_MM + 0.1, 1.0)
    shifts = np.array([(x, y) for y in steps for x in steps])
    for radius in sorted({float(bank.radius_mm[k]) for k in numbers}):
        mine = [k for k in numbers if bank.radius_mm[k] == radius]
        seen = _seen_rings(above, np.asarray(at_mm) + shifts, radius)
        if seen is None:
            continue
        alike = _alike(seen, bank.spectra[mine])
        for k, column in zip(mine, alike.T, strict=True):
            where = int(column.argmax())
            x, y = np.asarray(at_mm) + shifts[where]
            best.append((float(column[where]), k, (float(x), float(y))))
    if not best:
        return None
    best.sort(reverse=True)
    likeness, disc, at = best[0]
    rivals = [each for each in best[1:] if likeness - each[0] < 0.15]
    second = best[1][0] if len(best) > 1 else -1.0
    margin = likeness - second
    confidence = float(np.clip(margin / 0.12, 0, 1) * np.clip((likeness - 0.3) / 0.35, 0, 1))
    return DiscSight(disc, at, likeness, confidence, tuple(each[1] for each in rivals))


#: Correlation above which a place may hold a disc; correlation above which its surroundings are tried, too;
#: and their distance (mm). A numbered disc correlates poorly if its centre is off by two.
AT_A_GLANCE, NEARLY, BESIDE_MM = 0.36, 0.22, 1.6


def like_discs(
    above: FromAbove, bank: DiscBank, places_mm: Sequence[tuple[float, float]], radius_mm: float
) -> list[tuple[float, float]]:
    """The places, out of `places_mm`, that correlate with some disc of a given radius."""
    low, high = _inner(above, radius_mm)
    whole = [(x, y) for x, y in places_mm if low[0] < x < high[0] and low[1] < y < high[1]]
    seen = _seen_rings(above, np.array(whole).reshape(-1, 2), radius_mm) if whole else None
    if seen is None:
        return []
    spectra = bank.spectra[bank.radius_mm == radius_mm]
    alike = _alike(seen, spectra).max(axis=1)
    near = np.flatnonzero((alike > NEARLY) & (alike <= AT_A_GLANCE))
    if len(near):
        ways = np.array([(-1, -1), (-1, 1), (1, -1), (1, 1)]) * BESIDE_MM / np.sqrt(2)
        about = (np.array(whole)[near, None] + ways).reshape(-1, 2)
        seen = _seen_rings(above, about.clip(*_inner(above, radius_mm)), radius_mm)
        assert seen is not None, "they lie within the picture"
        there = _alike(seen, spectra).max(axis=1).reshape(-1, len(ways))
        alike[near] = np.maximum(alike[near], there.max(axis=1))
    return [place for place, likeness in zip(whole, alike, strict=True) if likeness > AT_A_GLANCE]


def _inner(above: FromAbove, radius_mm: float) -> tuple[Array, Array]:
    """Lower and upper bounds (mm) of the centres at which a whole disc lies inside a picture."""
    height, width = above.inside.shape
    reach = radius_mm + 1.0
    start = np.asarray(above.origin_mm, np.float64)
    return start + reach, start + np.array([width, height]) / above.px_per_mm - reach


def _seen_rings(above: FromAbove, middles_mm: Array, radius_mm: float) -> Floats | None:
    """Normalised polar pictures (n, RINGS, SPOKES, 3) around each centre; None if one leaves the picture."""
    seen = _plain_rings(above, middles_mm, radius_mm)
    return None if seen is None else _rings(seen)


def _plain_rings(above: FromAbove, middles_mm: Array, radius_mm: float) -> Floats | None:
    """Polar pictures (n, RINGS, SPOKES, 3) around each centre; None if one leaves the picture."""
    scale = above.px_per_mm
    xs, ys = spokes(radius_mm * scale)
    at = (middles_mm - np.asarray(above.origin_mm)) * scale - 0.5
    height, width = above.picture.shape[:2]
    reach = radius_mm * scale
    if (at < reach).any() or (at[:, 0] > width - reach).any() or (at[:, 1] > height - reach).any():
        return None
    all_x = (at[:, 0, None, None] + xs).astype(np.float32)
    all_y = (at[:, 1, None, None] + ys).astype(np.float32)
    flat = (len(at) * RINGS, SPOKES)
    seen = cv2.remap(above.picture, all_x.reshape(flat), all_y.reshape(flat), cv2.INTER_LINEAR)
    return np.asarray(seen.reshape(len(at), RINGS, SPOKES, 3), np.float32)


#: Least visible share of a partly covered disc that is identified.
LEAST_SEEN = 0.3


def name_covered(
    above: FromAbove,
    bank: DiscBank,
    at_mm: tuple[float, float],
    only: Sequence[int],
    covered: Callable[[Array, Array], Floats],
) -> DiscSight | None:
    """The disc at a point where pieces or light hide part of it; None if too little of it is visible.

    `covered` maps board points (x and y, mm) to 1 where they are hidden, else 0.
    """
    radius = float(bank.radius_mm[only[0]])
    steps = np.arange(-2 * REACH_MM, 2 * REACH_MM + 0.1, 1.0)
    middles = np.asarray(at_mm) + np.array([(x, y) for y in steps for x in steps])
    seen = _plain_rings(above, middles, radius)
    if seen is None:
        return None
    xs, ys = spokes(radius)
    weight = 1 - covered(middles[:, 0, None, None] + xs, middles[:, 1, None, None] + ys)
    ring = np.arange(RINGS, dtype=np.float32)[:, None] + 0.5
    share = (weight * ring).sum(axis=(1, 2)) / float(ring.sum() * SPOKES)
    if share[len(share) // 2] < LEAST_SEEN:
        return None
    alike = _alike_where(seen, (weight * ring).astype(np.float32), bank.pictures[list(only)])
    best = alike.max(axis=0)
    order = np.argsort(-best)
    disc, likeness = only[int(order[0])], float(best[order[0]])
    where = middles[int(alike[:, order[0]].argmax())]
    margin = likeness - (float(best[order[1]]) if len(order) > 1 else -1.0)
    confidence = float(np.clip(margin / 0.2, 0, 1) * np.clip((likeness - 0.45) / 0.35, 0, 1))
    others = tuple(only[int(k)] for k in order[1:] if likeness - best[k] < 0.2)
    return DiscSight(disc, (float(where[0]), float(where[1])), likeness, confidence, others, covered=True)


def _alike_where(seen: Floats, weight: Floats, pictures: Floats) -> Floats:
    """Weighted correlations (places, discs) at the best rotation, with weights (places, rings, spokes)."""

    def turned(one: Floats, other: Floats, kind: str) -> Floats:
        """Circular cross-correlation over the spokes of `one` and `other`, summed over the rings."""
        ours, theirs = np.fft.rfft(one, axis=2), np.fft.rfft(other, axis=2)
        crossed = np.einsum(kind, ours, theirs.conj(), optimize=True)
        return np.asarray(np.fft.irfft(crossed, n=SPOKES, axis=2), np.float32)

    total = weight.sum(axis=(1, 2))[:, None, None]
    mean = (seen * weight[..., None]).sum(axis=(1, 2)) / total[..., 0]
    away = seen - mean[:, None, None]
    own = (away * away * weight[..., None]).sum(axis=(1, 2, 3))[:, None, None]
    crossed = turned(away * weight[..., None], pictures, "prsc,drsc->pds")
    means = turned(weight, pictures, "prs,drsc->pdsc") / total[..., None]
    squares = turned(weight, (pictures * pictures).sum(axis=3), "prs,drs->pds")
    theirs = squares - total * (means * means).sum(axis=3)
    alike = crossed / np.sqrt(np.maximum(own * theirs, 1e-3))
    return np.asarray(alike.max(axis=2), np.float32)


def _alike(seen: Floats, spectra: NDArray[np.complex64]) -> Floats:
    """Correlations (places, discs) at the best rotation."""
    spectrum = np.fft.rfft(seen, axis=2).astype(np.complex64)
    crossed = np.einsum("prsc,drsc->pds", spectrum, spectra.conj(), optimize=True)
    return np.asarray(np.fft.irfft(crossed, n=SPOKES, axis=2).max(axis=2), np.float32)


def round_spots(
    unlike: Floats, px_per_mm: float, radius_mm: float, level: float
) -> list[tuple[float, float]]:
    """Centres (px) of disc-sized spots in a residual picture (h, w), the most filled first."""
    radius = radius_mm * px_per_mm
    size = 2 * int(np.ceil(radius)) + 1
    ys, xs = np.mgrid[:size, :size] - size // 2
    disc = ((xs * xs + ys * ys) <= (0.92 * radius) ** 2).astype(np.float32)
    full = cv2.filter2D(
        np.minimum(unlike / level, 1.0).astype(np.float32),
        -1,
        disc / disc.sum(),
        borderType=cv2.BORDER_CONSTANT,
    )
    peak = cv2.dilate(full, np.ones((int(radius) | 1,) * 2, np.uint8))
    found = np.argwhere((full >= peak) & (full > FULL))
    order = np.argsort(-full[found[:, 0], found[:, 1]])
    kept: list[tuple[float, float]] = []
    for k in order:
        y, x = found[k]
        if all((x - a) ** 2 + (y - b) ** 2 > (0.5 * radius) ** 2 for a, b in kept):
            kept.append((float(x), float(y)))
    return kept


#: Least mean residual (share) of a spot that may be a disc.
FULL = 0.42


#: Least gradient (Sobel sum) of an edge pixel that votes for a disc's centre; number of places kept for each
#: size.
EDGE, PLACES = 56, 60


def round_edges(
    above: FromAbove, radii_mm: Sequence[float], but_mm: tuple[float, float, float, float] | None = None
) -> list[list[tuple[float, float]]]:
    """Centres (mm) of circular edges in a top view, for each radius, most votes first; none in the box
    `but_mm`.

    Every edge pixel votes for the points one radius away on either side of it (Duda and Hart 1972).
    """
    scale = above.px_per_mm
    picture = cv2.GaussianBlur(above.picture, (0, 0), 0.8)
    dx = cv2.Sobel(picture, cv2.CV_16S, 1, 0, ksize=3)
    dy = cv2.Sobel(picture, cv2.CV_16S, 0, 1, ksize=3)
    steep = np.abs(dx) + np.abs(dy)
    keep = (steep.max(axis=2) > 2 * EDGE) & above.inside
    if but_mm is not None:
        x0, y0 = ((np.array(but_mm[:2]) - above.origin_mm) * scale).astype(int) + 4
        x1, y1 = ((np.array(but_mm[2:]) - above.origin_mm) * scale).astype(int) - 4
        keep[max(y0, 0) : max(y1, 0), max(x0, 0) : max(x1, 0)] = False
    ys, xs = np.nonzero(keep)
    channel = steep[ys, xs].argmax(axis=1)
    way = np.stack([dx[ys, xs, channel], dy[ys, xs, channel]]).astype(np.float32)
    way /= np.maximum(np.linalg.norm(way, axis=0), 1e-3)
    return [_voted(above, xs, ys, way, radius) for radius in radii_mm]


def _voted(
    above: FromAbove, xs: NDArray[np.intp], ys: NDArray[np.intp], way: Floats, radius_mm: float
) -> list[tuple[float, float]]:
    scale = above.px_per_mm
    height, width = above.inside.shape
    told = []
    for share in (1.0, 0.93, 0.84):
        for sign in (1.0, -1.0):
            reach = sign * share * radius_mm * scale
            cx = np.round(xs + way[0] * reach).astype(np.int32)
            cy = np.round(ys + way[1] * reach).astype(np.int32)
            within = (cx >= 0) & (cy >= 0) & (cx < width) & (cy < height)
            told.append(cy[within] * width + cx[within])
    votes = np.bincount(np.concatenate(told), minlength=height * width).astype(np.float32)
    spread = cv2.GaussianBlur(votes.reshape(height, width), (0, 0), 1.2)
    peak = cv2.dilate(spread, np.ones((int(radius_mm * scale) | 1,) * 2, np.uint8))
    rows, columns = np.nonzero((spread >= peak) & (spread > 0.5))
    order = np.argsort(-spread[rows, columns])[:PLACES]
    found = (np.column_stack([columns[order], rows[order]]) + 0.5) / scale + above.origin_mm
    return [(float(x), float(y)) for x, y in found]
