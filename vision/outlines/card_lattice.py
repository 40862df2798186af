"""Cards in columns and rows: their plane, with the cards as one rigid lattice.

Where cards touch, the distance of their middles is their size. So a frame that is printed within each card
cannot pass for its outline, which it may where each card is placed by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.outlines.cores import Cores
from vision.outlines.lattice import Cell, lattices
from vision.outlines.rectangles import Rectangle
from vision.photo.geometry import card_homography

Array = NDArray[np.float64]
Size = tuple[float, float]

#: Support of a card of a block: more than of one by its core.
_BLOCK = 0.75
#: Largest number of columns or rows of a block of touching cards of which only the outline is seen.
MOST_IN_ROW = 5
#: Number of planes that are fitted to the maps.
_FITTED = 3
#: From a cell's middle to its first corner.
_TO_MIDDLE = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1.0]])


@dataclass(frozen=True)
class CardLattice:
    """Cards in columns and rows with a gap between them, on a plane (3, 3), table mm to the picture."""

    plane: Array
    cards: tuple[Rectangle, ...]
    gap_mm: float


def card_lattices(
    cores: Cores, blocks: Sequence[Array], size_mm: Size, gaps_mm: Sequence[float]
) -> Iterator[CardLattice]:
    """Hypotheses: the lattices of the cores' middles, with each of the gaps between cards; and the outlines
    (4, 2) of `blocks`, with any number of columns and rows of touching cards."""
    for lattice in lattices(cores.middles()):
        for gap_mm in gaps_mm:
            yield from _laid(lattice.to_picture, lattice.cells, size_mm, gap_mm)
    for block in blocks:
        for columns in range(1, MOST_IN_ROW + 1):
            for rows in range(1, MOST_IN_ROW + 1):
                if columns * rows > 1 and cores.like_cards(block, columns * rows):
                    cells = [(column, row) for row in range(rows) for column in range(columns)]
                    yield from _laid(
                        card_homography(block, (columns, rows)) @ _TO_MIDDLE, cells, size_mm, 0.0
                    )


def best_laid(cores: Cores, hypotheses: Sequence[CardLattice]) -> CardLattice | None:
    """The lattice that agrees best with the maps after its plane was fitted to them; None where there is
    none."""
    ranked = sorted(hypotheses, key=lambda each: -cores.agreement(each.plane, each.cards))
    fitted = [replace(each, plane=cores.laid(each.plane, each.cards)) for each in ranked[:_FITTED]]
    return max(fitted, key=lambda each: cores.agreement(each.plane, each.cards), default=None)


def _laid(to_picture: Array, cells: Sequence[Cell], size_mm: Size, gap_mm: float) -> Iterator[CardLattice]:
    """The lattice whose cells are cards, upright and sideways."""
    for turn, sides in ((0.0, size_mm), (np.pi / 2, size_mm[::-1])):
        across, down = (side + gap_mm for side in sides)
        cards = tuple(
            Rectangle((column * across, row * down), turn, size_mm, _BLOCK) for column, row in cells
        )
        yield CardLattice(to_picture @ np.diag([1 / across, 1 / down, 1.0]), cards, gap_mm)
