"""Where a piece's neighbours may lie: edge to edge, where openings can meet, in cells or shifted by half."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scorer.catalogue import Card, Catalogue
from scorer.games import game_of
from scorer.laying import Laying

Array = NDArray[np.float64]
#: Width and height in mm.
Size = tuple[float, float]
#: Where openings lie on the left and right edges of a piece, and on its top and bottom: mm from their middle.
_Openings = tuple[frozenset[float], frozenset[float]]

#: Openings of neighbours meet while the pieces still share a tenth of their edges.
_LONGEST_SHIFT = 0.9


def laying_of(catalogue: Catalogue) -> Laying:
    """How the pieces of a catalogue's game may lie: the one place that asks the game."""
    return game_of(catalogue).laying


def rotations_of(card: Card, laying: Laying) -> frozenset[int]:
    """How a piece may lie, in degrees clockwise: as it says itself, or as its game does."""
    return laying.rotations if card.rotations is None else frozenset(card.rotations)


@dataclass(frozen=True)
class Neighbours:
    """Shifts between the centres of pieces that lie side by side.

    `laying` is the game's, `cell_mm` the size of its cells where it has any, `openings` those of all pieces
    of one size, upright or upside down.
    """

    laying: Laying
    cell_mm: Size
    openings: Mapping[Size, _Openings] = field(default_factory=dict)

    def shifts(self, one: Size, other: Size) -> Array:
        """(S, 2) mm from the centre of a piece with footprint `one` to those of its neighbours with footprint
        `other`, along the axes of the table's frame.

        Pieces whose openings are not known lie edge to edge, and shifted by half their longer side where the
        game has that. In a grid only pieces of a cell's size have neighbours.
        """
        if self.laying.grid is not None:
            cells = (self.cell_mm, self.cell_mm[::-1])
            return self._beside(one, other, ((0.0,), (0.0,))) if one in cells and other in cells else _NONE
        if (one, other) not in self._known:
            self._known[one, other] = self._beside(one, other, self._along(one, other))
        return self._known[one, other]

    @property
    def board(self) -> tuple[int, int]:
        """Columns and rows of the board on which pieces lie; 0 where there is none, or of no fixed size."""
        grid = self.laying.grid
        return (grid.columns or 0, grid.rows or 0) if grid is not None else (0, 0)

    @cached_property
    def _known(self) -> dict[tuple[Size, Size], Array]:
        return {}

    def _along(self, one: Size, other: Size) -> tuple[list[float], list[float]]:
        """By how much neighbours beside and above a piece may be shifted along the edges that touch."""
        mine, theirs = self._openings(one), self._openings(other)
        along: list[list[float]] = []
        for axis, length in ((0, (one[1] + other[1]) / 2), (1, (one[0] + other[0]) / 2)):
            if mine[axis] and theirs[axis]:
                shifts = {round(a - b, 1) for a in mine[axis] for b in theirs[axis]}
                along.append(sorted(shift for shift in shifts if abs(shift) < _LONGEST_SHIFT * length))
            elif self.laying.half_shifts and one[1 - axis] >= one[axis]:
                along.append([-length / 2, 0.0, length / 2])
            else:
                along.append([0.0])
        return along[0], along[1]

    def _openings(self, footprint: Size) -> _Openings:
        """Openings of the pieces that can have a footprint: they lie upright, or across."""
        upright = self.openings.get(footprint, _CLOSED)
        across = self.openings.get(footprint[::-1], _CLOSED)
        turned = across[1], across[0]
        if footprint[0] == footprint[1]:
            return (upright[0] | turned[0], upright[1] | turned[1]) if self._quarters else upright
        return upright if any(upright) else turned

    @property
    def _quarters(self) -> bool:
        return any(rotation % 180 for rotation in self.laying.rotations)

    @staticmethod
    def _beside(one: Size, other: Size, along: tuple[Collection[float], Collection[float]]) -> Array:
        width, height = (one[0] + other[0]) / 2, (one[1] + other[1]) / 2
        beside = [(side * width, shift) for side in (-1, 1) for shift in along[0]]
        above = [(shift, side * height) for side in (-1, 1) for shift in along[1]]
        return np.array(beside + above, float).reshape(-1, 2)


def neighbours_of(catalogue: Catalogue, laying: Laying | None = None) -> Neighbours:
    """The neighbours of a catalogue's pieces; `laying` is its game's where it is not said."""
    places: dict[Size, tuple[set[float], set[float]]] = {}
    for card in catalogue.cards:
        size = catalogue.size_of(card.id)
        for node in card.nodes:
            if node.kind != "opening" or node.side is None:
                continue
            level = node.side in ("top", "bottom")
            off = round(node.at[0] - size[0] / 2 if level else node.at[1] - size[1] / 2, 1)
            # Mirrored as well: a turned piece's openings lie the other way round.
            places.setdefault(size, (set(), set()))[level].update((off, -off))
    openings = {size: (frozenset(steep), frozenset(level)) for size, (steep, level) in places.items()}
    width, height = catalogue.card_size_mm
    return Neighbours(laying or laying_of(catalogue), (float(width), float(height)), openings)


_CLOSED: _Openings = (frozenset(), frozenset())
_NONE = np.zeros((0, 2))
