"""Spreading features: the strongest of each cell of a grid in turn, so that no busy corner takes all."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def spread(
    at: NDArray[np.float64],
    response: NDArray[np.float64],
    size: tuple[float, float],
    cell: float,
    most: int,
) -> NDArray[np.intp]:
    """Indices of at most so many of (N, 2) points within `size`, of which (N,) `response` is the strength:
    first the strongest of every cell, then every second strongest, and so on. `cell` is its side, about.
    """
    columns, rows = (max(1, round(side / cell)) for side in size)
    own = (at[:, 0] / size[0] * columns).astype(int).clip(0, columns - 1) * rows
    own += (at[:, 1] / size[1] * rows).astype(int).clip(0, rows - 1)
    order = np.lexsort((-response, own))
    first = np.concatenate([[0], np.flatnonzero(np.diff(own[order])) + 1]) if len(order) else order
    lengths = np.diff(np.append(first, len(order)))
    turn = np.empty(len(order), int)
    turn[order] = np.arange(len(order)) - np.repeat(first, lengths)
    return np.lexsort((-response, turn))[:most]
