"""Fine-grained disc identity: discs that differ by little more than a numeral, compared in fine rings and
spokes at any rotation.

Of 51 chips in three photos (`tuning-stone-dragon`), 49 are identified correctly, the other two with hardly a
lead. With local normalisation, as for tiles, only 42 are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.catalogue import Card, Catalogue
from vision.boards.plane import FromAbove
from vision.cards.index import picture_of, unreadable

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

#: Number of rings and of spokes, the share of the radius that is compared, and the scale of the top view.
RINGS, SPOKES, RIM, PX_PER_MM = 20, 120, 0.97, 2.0
#: Search radius (mm) around the expected centre of a disc, and its step.
REACH_MM, STEP_MM = 1.5, 0.5


@dataclass(frozen=True)
class FineBank:
    """Polar spectra of discs, by number: `ids`, `radius_mm` (n,), and `spectra` (n, RINGS, S, 3) along the
    rings."""

    ids: tuple[str, ...]
    radius_mm: Array
    spectra: NDArray[np.complex64]


@dataclass(frozen=True)
class FineSight:
    """An identified disc: its number in the bank, its middle (mm) and its correlation with its art (-1..1).

    `lead` is the margin over the second-best disc; `others` are the next discs, likeliest first.
    """

    disc: int
    at_mm: tuple[float, float]
    likeness: float
    lead: float
    others: tuple[int, ...]


def fine_bank(catalogue: Catalogue, discs: Sequence[Card]) -> FineBank:
    """Polar spectra of all discs' art. Raises `WaymarkError` (art-unreadable)."""
    pictures = []
    radii = []
    for card in discs:
        art = picture_of(catalogue, card)
        if art is None:
            raise unreadable(card)
        radius = catalogue.size_of(card.id)[0] / 2
        side = round(2 * radius * PX_PER_MM)
        small = np.asarray(cv2.resize(art, (side, side), interpolation=cv2.INTER_AREA), np.uint8)
        wide = cv2.copyMakeBorder(small, 6, 6, 6, 6, cv2.BORDER_REPLICATE)
        plain = wide.astype(np.float32)
        middle = np.array([[wide.shape[1] / 2, wide.shape[0] / 2]])
        pictures.append(_polar(plain, middle, radius)[0])
        radii.append(radius)
    rings = _unit(np.stack(pictures)) if pictures else np.zeros((0, RINGS, SPOKES, 3), np.float32)
    return FineBank(
        tuple(card.id for card in discs), np.array(radii), np.fft.rfft(rings, axis=2).astype(np.complex64)
    )


def name_finely(
    above: FromAbove, bank: FineBank, at_mm: tuple[float, float], radius_mm: float
) -> FineSight | None:
    """The disc of a given size nearest to a point of the board; None beyond the photo. `above` has
    `PX_PER_MM`."""
    numbers = np.flatnonzero(bank.radius_mm == radius_mm)
    compared = _compared(above, bank, numbers, at_mm, radius_mm)
    if compared is None:
        return None
    alike, shifts = compared
    best = alike.max(axis=0)
    order = np.argsort(-best)
    top_one = int(order[0])
    shift = shifts[int(alike[:, top_one].argmax())]
    lead = float(best[top_one] - best[order[1]]) if len(order) > 1 else 1.0
    others = tuple(int(numbers[k]) for k in order[1:3] if best[top_one] - best[k] < 0.12)
    return FineSight(
        int(numbers[top_one]),
        (float(at_mm[0] + shift[0]), float(at_mm[1] + shift[1])),
        float(best[top_one]),
        lead,
        others,
    )


def disc_likeness(
    above: FromAbove, bank: FineBank, at_mm: tuple[float, float], radius_mm: float
) -> dict[str, float] | None:
    """Correlation of each disc of a given size with the picture around a point; None beyond the photo."""
    numbers = np.flatnonzero(bank.radius_mm == radius_mm)
    compared = _compared(above, bank, numbers, at_mm, radius_mm)
    if compared is None:
        return None
    return {bank.ids[k]: float(each) for k, each in zip(numbers, compared[0].max(axis=0), strict=True)}


def _compared(
    above: FromAbove, bank: FineBank, numbers: NDArray[np.intp], at_mm: tuple[float, float], radius_mm: float
) -> tuple[Floats, Array] | None:
    """Correlations (shifts, discs) of the discs with the picture at each shift (mm) from a point."""
    reach = round((radius_mm + REACH_MM + 6) * PX_PER_MM)
    x, y = (np.asarray(at_mm) - above.origin_mm) * PX_PER_MM
    left, top = round(float(x)) - reach, round(float(y)) - reach
    height, width = above.inside.shape
    if left < 0 or top < 0 or left + 2 * reach > width or top + 2 * reach > height:
        return None
    plain = above.picture[top : top + 2 * reach, left : left + 2 * reach].astype(np.float32)
    steps = np.arange(-REACH_MM, REACH_MM + 0.01, STEP_MM)
    shifts = np.array([(a, b) for b in steps for a in steps])
    middles = (np.array([x - left, y - top]) + shifts * PX_PER_MM).astype(np.float64)
    seen = np.fft.rfft(_unit(_polar(plain, middles, radius_mm)), axis=2).astype(np.complex64)
    crossed = np.einsum("prsc,drsc->pds", seen, bank.spectra[numbers].conj(), optimize=True)
    alike = np.fft.irfft(crossed, n=SPOKES, axis=2).max(axis=2)
    return np.asarray(alike, np.float32), shifts


def _polar(plain: Floats, middles_px: Array, radius_mm: float) -> Floats:
    """Polar pictures (n, RINGS, SPOKES, 3) around middles (n, 2) px of a picture."""
    far = (np.arange(RINGS) + 0.5) / RINGS * RIM * radius_mm * PX_PER_MM
    turn = np.arange(SPOKES) / SPOKES * 2 * np.pi
    xs = (middles_px[:, 0, None, None] + far[:, None] * np.cos(turn) - 0.5).astype(np.float32)
    ys = (middles_px[:, 1, None, None] + far[:, None] * np.sin(turn) - 0.5).astype(np.float32)
    flat = (len(middles_px) * RINGS, SPOKES)
    found = cv2.remap(plain, xs.reshape(flat), ys.reshape(flat), cv2.INTER_LINEAR)
    return np.asarray(found.reshape(len(middles_px), RINGS, SPOKES, 3), np.float32)


def _unit(pictures: Floats) -> Floats:
    """Polar pictures without their mean colour, weighted by the rings' lengths and scaled to unit norm."""
    weight = np.sqrt(np.arange(RINGS, dtype=np.float32) + 0.5)[:, None, None]
    share = weight**2 / (weight**2).sum()
    mean = (pictures * share).sum(axis=1, keepdims=True).mean(axis=2, keepdims=True)
    away = (pictures - mean) * weight
    length = np.sqrt((away * away).sum(axis=(1, 2, 3), keepdims=True))
    return np.asarray(away / np.maximum(length, 1e-3), np.float32)
