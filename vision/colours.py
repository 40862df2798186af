"""Colours: which of several cards it is that are alike in all but their colour, as starters often are.

Cards are recognised in grey, where such sisters are one. Light and camera shift all colours of a photo about
alike, so the shift is learned from the cards whose names are sure. It is no more than a shift of blue and red
against green: those cards often have few colours, and what they would tell of more leads astray.
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

# The numbers below were measured on 40 photos of `tuning-evening` with a deck whose starters differ in a
# fifth of their ground's colour (compositor).

#: Channels below or above these levels say nothing of a colour.
DARKEST, BRIGHTEST = 10.0, 250.0
#: Cells that a card must show, and cells of sure cards, before anything is said.
LEAST_CELLS, LEAST_KNOWN = 12, 24
#: How far off the best one may be (logarithm of a channel's share of green), also as a share of how far the
#: next is, and by how much that is farther. Of 80 sisters (60 photos, the open deck and a third one) 66 are
#: told, none wrongly; with the true one taken out of the catalogue 4 get a false name. At 0.08 instead of
#: 0.05 it is 68 and 15, at 0.04 60 and none.
MOST_OFF, MOST_SHARE, LEAST_LEAD = 0.05, 0.65, 0.025
#: The shift is nearly the same all over a card that has its true name. Where it varies by this factor more
#: than with a sister's, the name is another one, whatever the light seems to be: cards of one colour tell
#: little of it.
MOST_UNEVEN = 1.2
#: Up to this factor, and no farther off than `MOST_OFF`, colours say which sister is the likelier: so 56
#: of 57 sisters of a deck that is drawn in one grey come first (9 by their likeness in grey), and 72 of 77 of
#: another deck in home prints (71; the validation photos). Without these bounds it would be 57 and 54: what
#: shifts a print's colours shifts each card's otherwise.
ORDER_UNEVEN = 2.0


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


def told_by_colour(
    sure: Sequence[Lying],
    open_: Sequence[tuple[Lying, Sequence[int]]],
    photo_at: Reductions,
    index: CardIndex,
) -> list[Told | None]:
    """For each card that may be one of several what its colours tell; None where they tell nothing."""
    known = [_shifts(one, one.card, photo_at, index) for one in sure]
    cells = np.concatenate([np.zeros((0, 2)), *known])
    if len(cells) < LEAST_KNOWN:
        return [None] * len(open_)
    light = np.median(cells, axis=0)
    told: list[Told | None] = []
    for one, options in open_:
        shifts = [_shifts(one, card, photo_at, index) for card in options]
        off = np.array([_off(each, light) for each in shifts])
        uneven = np.array([_uneven(each) for each in shifts])
        order = np.argsort(off, kind="stable")
        best, next_best = order[:2]
        clear = off[best] <= min(MOST_OFF, off[next_best] * MOST_SHARE, off[next_best] - LEAST_LEAD)
        clear &= uneven[best] <= uneven.min() * MOST_UNEVEN
        ranked = tuple(int(options[k]) for k in order)
        trusted = off[best] <= MOST_OFF and uneven[best] <= uneven.min() * ORDER_UNEVEN
        told.append(Told(ranked, bool(clear)) if trusted else None)
    return told


def _off(shifts: Array, light: Array) -> float:
    """How far a card's colours are from what the light makes of those that are printed on it."""
    return float(np.hypot(*(np.median(shifts, axis=0) - light))) if len(shifts) >= LEAST_CELLS else np.inf


def _uneven(shifts: Array) -> float:
    """By how much the shift varies over a card."""
    if len(shifts) < LEAST_CELLS:
        return np.inf
    return float(np.hypot(*np.abs(shifts - np.median(shifts, axis=0)).mean(axis=0)))


def _shifts(one: Lying, card: int, photo_at: Reductions, index: CardIndex) -> Array:
    """(n, 2) by how much the colours of a card's cells are others than printed; of cells that show any."""
    printed = index.tints[card].reshape(-1, 3).astype(np.float64)
    cells = index.tints.shape[1:3]
    seen = _cells(one.card_to_photo, index.sizes_mm[card], (cells[0], cells[1]), photo_at)
    shown = np.all((np.minimum(printed, seen) > DARKEST) & (seen < BRIGHTEST), axis=1)
    return _chroma(seen[shown]) - _chroma(printed[shown])


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
