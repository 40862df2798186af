"""Cells: which pieces lie in one grid, and in which of its cells."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision import homography
from vision.contact import ALIGNED_DEG, off_quarter
from vision.neighbours import Size
from vision.plane import Placed

Array = NDArray[np.float64]

#: A piece lies in a cell when its centre is this near to the cell's, as a share of the cell. Pieces laid by
#: hand are off by a tenth; half-way between two cells is a half.
IN_CELL = 0.25
#: A grid's cells may be this much wider than its pieces, which lie in slots or with gaps.
WIDEST_PITCH = 1.15
NARROWEST_PITCH = 0.97
#: The grid is followed from a piece to those within so many cells, and then on to all.
_REACHES = (1.6, 3.2, np.inf)


def cells_in_line(placed: Sequence[Placed], cell_mm: Size) -> tuple[list[int], Array, Array]:
    """The pieces of the largest grid; (N, 2) the centres in mm of all pieces on a table whose cells have
    exactly `cell_mm`; and (3, 3) the map from that table to the one on which the pieces were measured.

    Pieces lie along the table's axes. Those of the grid are in the middle of their cells; the others are
    where they were measured.
    """
    measured = np.array([one.centre_mm for one in placed]).reshape(-1, 2)
    aligned = np.array([abs(off_quarter(one.turn_rad)) < np.radians(ALIGNED_DEG) for one in placed])
    anchors = np.flatnonzero(aligned).tolist()
    fits = [_grid_through(measured, aligned, anchor, np.array(cell_mm)) for anchor in anchors]
    origin, pitch, inside = max(fits, key=lambda fit: int(fit[2].sum()))
    cells = (measured - origin) / pitch
    centres = np.where(inside[:, None], np.round(cells), cells) * cell_mm
    to_measured = homography.similarity(0.0, origin) @ np.diag([*(pitch / cell_mm), 1.0])
    return np.flatnonzero(inside).tolist(), centres, to_measured


def _grid_through(
    measured: Array, aligned: NDArray[np.bool_], anchor: int, cell_mm: Array
) -> tuple[Array, Array, NDArray[np.bool_]]:
    """The grid with a cell at one piece: that cell's centre, the pitch, and which pieces lie in its cells."""
    origin, pitch = measured[anchor], cell_mm
    for reach in _REACHES:
        cells = (measured - origin) / pitch
        near = np.abs(cells - np.round(cells)).max(axis=1) < IN_CELL
        near &= aligned & (np.linalg.norm(cells, axis=1) < reach)
        whole = np.round(cells[near])
        for axis in (0, 1):
            at, steps = measured[near, axis], whole[:, axis]
            spread = steps - steps.mean()
            if spread.any():
                slope = float(spread @ at / (spread @ spread))
                low, high = NARROWEST_PITCH * cell_mm[axis], WIDEST_PITCH * cell_mm[axis]
                pitch = np.where(np.arange(2) == axis, np.clip(slope, low, high), pitch)
            shifted = float(np.mean(at - steps * pitch[axis]))
            origin = np.where(np.arange(2) == axis, shifted, origin)
    cells = (measured - origin) / pitch
    return origin, pitch, aligned & (np.abs(cells - np.round(cells)).max(axis=1) < IN_CELL)
