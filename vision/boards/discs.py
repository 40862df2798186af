"""Identity of discs in a top view at any rotation, by correlation in polar coordinates (rings and spokes).

In polar coordinates around the centre a rotation is a shift. A picture is compared with every disc at every
rotation at once, by their spectra. Pixels that are hidden have no weight.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards.art import Flat
from vision.boards.top_view import FromAbove

Floats = NDArray[np.float32]
Array = NDArray[np.float64]
Spectra = NDArray[np.complex64]
#: Board points (x and y, mm) -> 1 where they are hidden, else 0.
Hidden = Callable[[Array, Array], Floats]

#: Number of rings and of spokes in a disc's polar picture, and the share of the radius that is compared.
RINGS, SPOKES, RIM = 12, 72, 0.96
#: Weight of a point of each ring, by the ring's length.
BY_RING = (np.arange(RINGS, dtype=np.float32) + 0.5)[None, :, None].repeat(SPOKES, axis=2)
#: Search radius (mm) around the expected centre of a disc, in steps of 1 mm; that of a disc partly hidden.
REACH_MM, HIDDEN_REACH_MM = 2.0, 4.0
#: Least visible share of a partly hidden disc that is identified.
LEAST_SEEN = 0.3
#: Lead in correlation below which the next disc may be meant.
RIVAL = 0.15


@dataclass(frozen=True)
class DiscSight:
    """A detected disc: its number in its bank, its centre on the board (mm), and its correlation with its art
    (-1..1).

    `lead` is the margin over the next disc; `others` are alternatives, likeliest first; `covered`: an object
    hides part of it.
    """

    disc: int
    at_mm: tuple[float, float]
    likeness: float
    lead: float
    others: tuple[int, ...] = ()
    covered: bool = False

    @property
    def confidence(self) -> float:
        """Confidence (0..1) in the identity."""
        lead, least = (0.2, 0.45) if self.covered else (0.12, 0.3)
        return float(np.clip(self.lead / lead, 0, 1) * np.clip((self.likeness - least) / 0.35, 0, 1))


@dataclass(frozen=True)
class DiscBank:
    """Discs by number: `ids`, `radius_mm` (n,), and along the rings the spectra of their polar pictures (n,
    RINGS, S, 3), of zero mean, and of the squares (n, RINGS, S) of these."""

    ids: tuple[str, ...]
    radius_mm: Array
    spectra: Spectra
    squares: Spectra

    def of_radius(self, radius_mm: float) -> list[int]:
        """The numbers of the discs of a size."""
        return [int(k) for k in np.flatnonzero(self.radius_mm == radius_mm)]


def disc_bank(discs: Sequence[Flat]) -> DiscBank:
    """The bank of some discs."""
    pictures = np.zeros((len(discs), RINGS, SPOKES, 3), np.float32)
    for k, disc in enumerate(discs):
        height, width = disc.picture.shape[:2]
        xs, ys = spokes(width / 2)
        at = (xs + (width - 1) / 2).astype(np.float32), (ys + (height - 1) / 2).astype(np.float32)
        own = cv2.remap(disc.picture, *at, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        pictures[k] = own - np.average(own, (0, 1), np.broadcast_to(BY_RING[0, ..., None], own.shape))
    return DiscBank(
        tuple(disc.id for disc in discs),
        np.array([disc.size_mm[0] / 2 for disc in discs]),
        np.fft.rfft(pictures, axis=2).astype(np.complex64),
        np.fft.rfft((pictures * pictures).sum(axis=3), axis=2).astype(np.complex64),
    )


@lru_cache(maxsize=16)
def spokes(radius: float) -> tuple[Array, Array]:
    """Offsets x and y from a disc's centre to its polar sample points, (RINGS, SPOKES) each."""
    far = (np.arange(RINGS) + 0.5) / RINGS * RIM * radius
    turn = np.arange(SPOKES) / SPOKES * 2 * np.pi
    return far[:, None] * np.cos(turn), far[:, None] * np.sin(turn)


def name_disc(
    above: FromAbove,
    bank: DiscBank,
    at_mm: tuple[float, float],
    only: Sequence[int],
    hidden: Hidden | None = None,
) -> DiscSight | None:
    """The disc around a point of the board, out of the numbers `only` of one size; None if the picture does
    not show the place, or if most of it is `hidden`."""
    compared = _around(above, bank, only, at_mm, hidden)
    if compared is None:
        return None
    alike, places = compared
    best = alike.max(axis=0)
    order = np.argsort(-best)
    top = int(order[0])
    x, y = places[int(alike[:, top].argmax())]
    leads = [float(best[top] - best[k]) for k in order[1:]]
    others = tuple(only[int(k)] for k, lead in zip(order[1:], leads, strict=True) if lead < RIVAL)
    lead = leads[0] if leads else float(best[top]) + 1.0
    return DiscSight(
        only[top], (float(x), float(y)), float(best[top]), lead, others, covered=hidden is not None
    )


def disc_likeness(
    above: FromAbove, bank: DiscBank, at_mm: tuple[float, float], radius_mm: float
) -> dict[str, float] | None:
    """Correlation of each disc of a size with the picture around a point; None if the picture does not show
    it."""
    numbers = bank.of_radius(radius_mm)
    compared = _around(above, bank, numbers, at_mm)
    if compared is None:
        return None
    return {bank.ids[k]: float(best) for k, best in zip(numbers, compared[0].max(axis=0), strict=True)}


def _around(
    above: FromAbove,
    bank: DiscBank,
    numbers: Sequence[int],
    at_mm: tuple[float, float],
    hidden: Hidden | None = None,
) -> tuple[Floats, Array] | None:
    """Correlations (places, discs) of discs of one size at each place (mm) near a point, and these places."""
    reach = REACH_MM if hidden is None else HIDDEN_REACH_MM
    steps = np.arange(-reach, reach + 0.1, 1.0)
    places = np.asarray(at_mm) + np.array([(x, y) for y in steps for x in steps])
    radius = float(bank.radius_mm[numbers[0]])
    seen = _seen_rings(above, places, radius)
    if seen is None:
        return None
    weight = BY_RING
    if hidden is not None:
        xs, ys = spokes(radius)
        free = 1 - hidden(places[:, 0, None, None] + xs, places[:, 1, None, None] + ys)
        weight = (free * BY_RING).astype(np.float32)
        if weight[len(places) // 2].sum() < LEAST_SEEN * BY_RING.sum():
            return None
    return _alike(seen, weight, bank, numbers), places


#: Correlation above which a place may hold a disc; correlation above which its surroundings are tried, too;
#: and their distance (mm). A numbered disc correlates poorly if its centre is off by two.
AT_A_GLANCE, NEARLY, BESIDE_MM = 0.36, 0.22, 1.6


def like_discs(
    above: FromAbove, bank: DiscBank, places_mm: Sequence[tuple[float, float]], radius_mm: float
) -> list[tuple[float, float]]:
    """The places, out of `places_mm`, that correlate with some disc of a given radius."""
    low, high = _inner(above, radius_mm)
    whole = [(x, y) for x, y in places_mm if low[0] < x < high[0] and low[1] < y < high[1]]
    numbers = bank.of_radius(radius_mm)
    if not whole:
        return []

    def best_at(places: Array) -> Floats:
        seen = _seen_rings(above, places, radius_mm)
        assert seen is not None, "they lie within the picture"
        return np.asarray(_alike(seen, BY_RING, bank, numbers).max(axis=1))

    alike = best_at(np.array(whole))
    near = np.flatnonzero((alike > NEARLY) & (alike <= AT_A_GLANCE))
    if len(near):
        ways = np.array([(-1, -1), (-1, 1), (1, -1), (1, 1)]) * BESIDE_MM / np.sqrt(2)
        there = best_at((np.array(whole)[near, None] + ways).reshape(-1, 2).clip(low, high))
        alike[near] = np.maximum(alike[near], there.reshape(-1, len(ways)).max(axis=1))
    return [place for place, likeness in zip(whole, alike, strict=True) if likeness > AT_A_GLANCE]


def _inner(above: FromAbove, radius_mm: float) -> tuple[Array, Array]:
    """Lower and upper bounds (mm) of the centres at which a whole disc lies inside a picture."""
    height, width = above.inside.shape
    reach = radius_mm + 1.0
    start = np.asarray(above.origin_mm, np.float64)
    return start + reach, start + np.array([width, height]) / above.px_per_mm - reach


def _seen_rings(above: FromAbove, middles_mm: Array, radius_mm: float) -> Floats | None:
    """Polar pictures (n, RINGS, SPOKES, 3) around each centre; None if one leaves the picture."""
    reach = radius_mm * above.px_per_mm
    at = above.px(middles_mm)
    height, width = above.inside.shape
    if (at < reach).any() or (at > (width - reach, height - reach)).any():
        return None
    flat = (len(at) * RINGS, SPOKES)
    xs, ys = (
        (at[:, k, None, None] + off).astype(np.float32).reshape(flat) for k, off in enumerate(spokes(reach))
    )
    seen = cv2.remap(above.picture, xs, ys, cv2.INTER_LINEAR)
    return np.asarray(seen.reshape(len(at), RINGS, SPOKES, 3), np.float32)


def _alike(seen: Floats, weight: Floats, bank: DiscBank, numbers: Sequence[int]) -> Floats:
    """Weighted correlations (places, discs) at the best rotation; weights (places or 1, rings, spokes)."""

    def turned(one: Floats, spectra: Spectra, kind: str) -> Floats:
        """Circular cross-correlation over the spokes of `one` with a bank, summed over the rings."""
        crossed = np.einsum(kind, np.fft.rfft(one, axis=2), spectra[numbers].conj(), optimize=True)
        return np.asarray(np.fft.irfft(crossed, n=SPOKES, axis=2), np.float32)

    total = weight.sum(axis=(1, 2))[:, None, None]
    mean = np.einsum("prsc,prs->pc", seen, np.broadcast_to(weight, seen.shape[:3])) / total[..., 0]
    away = seen - mean[:, None, None]
    weighted = away * weight[..., None]
    own = np.einsum("prsc,prsc->p", away, weighted)[:, None, None]
    crossed = turned(weighted, bank.spectra, "prsc,drsc->pds")
    means = turned(weight, bank.spectra, "prs,drsc->pdsc") / total[..., None]
    theirs = turned(weight, bank.squares, "prs,drs->pds") - total * (means * means).sum(axis=3)
    return np.asarray((crossed / np.sqrt(np.maximum(own * theirs, 1e-3))).max(axis=2), np.float32)
