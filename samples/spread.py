"""Cards that lie apart: sleeves and careless hands put gaps between cards that touch by the rules."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scorer.placement import footprint
from scorer.record import PlacedCard

Array = NDArray[np.float64]
SHARED_EDGE_MM = 2.0  # cards that share less of an edge meet at a corner only


def touching(placed: Sequence[PlacedCard], size_mm: tuple[float, float]) -> list[tuple[int, int, int]]:
    """Pairs (i, j, axis) of cards that share an edge: j lies to the right of i (axis 0) or below it (1)."""
    feet = [footprint(card, size_mm) for card in placed]
    found = []
    for i, a in enumerate(feet):
        for j, b in enumerate(feet):
            beside = min(a.bottom, b.bottom) - max(a.top, b.top)
            above = min(a.right, b.right) - max(a.left, b.left)
            if abs(b.left - a.right) < 0.1 and beside > SHARED_EDGE_MM:
                found.append((i, j, 0))
            elif abs(b.top - a.bottom) < 0.1 and above > SHARED_EDGE_MM:
                found.append((i, j, 1))
    return found


def spread_out(
    placed: Sequence[PlacedCard], size_mm: tuple[float, float], own_mm: tuple[float, float], gaps: Array
) -> Array:
    """Where the cards' middles lie, (N, 2) table mm, when each pair of `touching` is `gaps` (pairs,) apart.

    `own_mm` is the cards' true size. Least squares: corridors are kept in line as well as the gaps allow.
    """
    middle = np.array([[card.x + size_mm[0] / 2, card.y + size_mm[1] / 2] for card in placed])
    pairs = touching(placed, size_mm)
    if not pairs:
        return middle
    rows = np.zeros((len(pairs) + 1, len(placed)))
    rows[-1] = 1.0 / len(placed)
    out = np.empty_like(middle)
    for axis in (0, 1):
        apart = np.zeros(len(pairs) + 1)
        for row, (i, j, along) in enumerate(pairs):
            rows[row, i], rows[row, j] = -1.0, 1.0
            # corridors that should meet lie at shares of the card's height
            scale = own_mm[axis] / size_mm[axis]
            apart[row] = (
                own_mm[axis] + gaps[row] if along == axis else (middle[j, axis] - middle[i, axis]) * scale
            )
        apart[-1] = middle[:, axis].mean()
        out[:, axis] = np.linalg.lstsq(rows, apart, rcond=None)[0]
    return out
