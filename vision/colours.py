"""Colours: which of several cards it is that are alike in all but their colour, as starters often are.

Cards are recognised in grey, where such sisters are nearly one. Light and camera shift all colours of a photo
about alike, and what veils it (dark, haze, sleeves) pales them alike: both are learned from the cards whose
names are sure. A shift of blue and red against green and one measure of paleness are all that is learned:
those cards often have few colours, and what they would tell of more leads astray.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.card_index import TINT_PX, CardIndex, middling
from vision.neighbours import Size
from vision.view import Reductions

Array = NDArray[np.float64]

# The numbers below were measured on 147 sisters (102 photos of `tuning-evening`, most of them hard or wild,
# with a deck whose starters differ in a fifth of their ground's colour; compositor).

#: Channels below or above these levels say nothing of a colour.
DARKEST, BRIGHTEST = 10.0, 250.0
#: Cells that a card must show, and cells of sure cards, before anything is said.
LEAST_CELLS, LEAST_KNOWN = 12, 24
#: How pale colours are is learned against the belief that they are as printed, which weighs as much as this;
#: cells that are farther off than the second number weigh less.
AS_PRINTED, STRAY, PALE_ROUNDS = 0.3, 0.02, 8
PALEST, BRIGHTEST_INK = 0.5, 1.15
#: What speaks against a sister: how far its colours are off on the whole (logarithm of a channel's share of
#: green), so many times how uneven that is over the card, and so many times how much less like it is in grey.
#: So 146 of 147 come first; 143 by the first alone, and without any measure of paleness.
UNEVEN_COUNTS, GREY_COUNTS = 2.0, 1.0
#: A name is clear where its colours are no farther off than the first, it leads by the second, the next one
#: has so much more against it that this is its share, and none is more even by the last factor. That names
#: 124 of the 147, none wrongly; with the true one taken out of the catalogue 2 get a false name.
MOST_OFF, LEAST_LEAD, MOST_SHARE, MOST_UNEVEN = 0.04, 0.03, 0.7, 1.2


@dataclass(frozen=True)
class Told:
    """What the colours of a card say: the cards that it may be, the likeliest first, and whether the first is
    `clear` of the others."""

    options: tuple[int, ...]
    clear: bool


@dataclass(frozen=True)
class Lying:
    """A card that lies somewhere: its number, and the (3, 3) map from its mm to photo pixels."""

    card: int
    card_to_photo: Array


@dataclass(frozen=True)
class Sisters:
    """A card that lies somewhere and may be one of several: their numbers, and how like each is in grey."""

    lying: Lying
    options: tuple[int, ...]
    likeness: tuple[float, ...]


def told_by_colour(
    sure: Sequence[Lying], open_: Sequence[Sisters], photo_at: Reductions, index: CardIndex
) -> list[Told | None]:
    """For each card that may be one of several what its colours tell; None where they tell nothing."""
    known = [_chromas(one, one.card, photo_at, index) for one in sure]
    if sum(len(seen) for seen, _ in known) < LEAST_KNOWN:
        return [None] * len(open_)
    paleness = _paleness(known)
    light = np.median(np.concatenate([seen - paleness * printed for seen, printed in known]), axis=0)
    told: list[Told | None] = []
    for one in open_:
        chromas = [_chromas(one.lying, card, photo_at, index) for card in one.options]
        shifts = [seen - paleness * printed for seen, printed in chromas]
        if min(len(each) for each in shifts) < LEAST_CELLS:
            told.append(None)
            continue
        off = np.array([np.hypot(*(np.median(each, axis=0) - light)) for each in shifts])
        uneven = np.array([_uneven(each) for each in shifts])
        against = off + UNEVEN_COUNTS * uneven
        best, next_best = np.argsort(against, kind="stable")[:2]
        clear = off[best] <= MOST_OFF and uneven[best] <= uneven.min() * MOST_UNEVEN
        clear &= against[best] <= min(against[next_best] * MOST_SHARE, against[next_best] - LEAST_LEAD)
        order = np.argsort(against - GREY_COUNTS * np.array(one.likeness), kind="stable")
        ranked = tuple(int(one.options[k]) for k in order)
        told.append(Told(ranked, bool(clear and order[0] == best)))
    return told


def _paleness(known: Sequence[tuple[Array, Array]]) -> float:
    """How strong the colours of cards are seen, as a share of how they are printed."""
    seen, printed = (
        np.concatenate([(each[k] - np.median(each[k], axis=0)).ravel() for each in known if len(each[k])])
        for k in (0, 1)
    )
    share, weight = 1.0, np.ones(len(seen))
    for _ in range(PALE_ROUNDS):
        share = (weight @ (seen * printed) + AS_PRINTED) / (weight @ printed**2 + AS_PRINTED)
        weight = STRAY / np.maximum(np.abs(seen - share * printed), STRAY)
    return float(np.clip(share, PALEST, BRIGHTEST_INK))


def _uneven(shifts: Array) -> float:
    """By how much the shift varies over a card: it is nearly the same all over one that has its true name."""
    return float(np.hypot(*np.abs(shifts - np.median(shifts, axis=0)).mean(axis=0)))


def _chromas(one: Lying, card: int, photo_at: Reductions, index: CardIndex) -> tuple[Array, Array]:
    """(n, 2) the colours of a card's cells as they are seen and (n, 2) as printed; of cells that show any."""
    printed = index.tints[card].reshape(-1, 3).astype(np.float64)
    cells = index.tints.shape[1:3]
    seen = _cells(one.card_to_photo, index.sizes_mm[card], (cells[0], cells[1]), photo_at)
    shown = np.all((np.minimum(printed, seen) > DARKEST) & (seen < BRIGHTEST), axis=1)
    return _chroma(seen[shown]), _chroma(printed[shown])


def _cells(card_to_photo: Array, size_mm: Size, cells: tuple[int, int], photo_at: Reductions) -> Array:
    """(rows * columns, 3) the middling colour (BGR) of each cell of a card in the photo."""
    rows, columns = cells
    across, down = size_mm[0] / (columns * TINT_PX), size_mm[1] / (rows * TINT_PX)
    to_mm = np.array([[across, 0, across / 2], [0, down, down / 2], [0, 0, 1]])
    seen = photo_at.colours_through(card_to_photo @ to_mm, (columns * TINT_PX, rows * TINT_PX))
    return middling(seen, cells).reshape(-1, 3).astype(np.float64)


def _chroma(bgr: Array) -> Array:
    """(n, 2) blue and red against green, as logarithms: the same in any brightness."""
    values = np.log(np.maximum(bgr, 1.0))
    return np.asarray(values[:, [0, 2]] - values[:, [1]])
