"""Reachability and distances on a grid of square tiles, which are joined where both open to their common
side.

Cells are numbers, row by row from the top left. Sets of cells are the bits of one integer, so that a flood
fill takes microseconds. The open sides of a tile are four bits, `TOP` to `LEFT` clockwise, so that a quarter
turn is a rotation of the bits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scorer.catalogue import Card, Side

Cell = tuple[int, int]

SIDES: tuple[Side, ...] = ("top", "right", "bottom", "left")
TOP, RIGHT, BOTTOM, LEFT = 1, 2, 4, 8
ALL_SIDES = 15
#: The change of column and row by one step towards each side.
STEPS: tuple[Cell, ...] = ((0, -1), (1, 0), (0, 1), (-1, 0))


def turned(sides: int, rotation: int) -> int:
    """The open sides of a tile that is turned by so many degrees clockwise."""
    quarters = rotation // 90 % 4
    return (sides << quarters | sides >> (4 - quarters)) & ALL_SIDES


def open_sides(card: Card) -> int:
    """The open sides of a tile (a bit mask), in the orientation of its art."""
    sides = 0
    for node in card.nodes:
        if node.kind == "opening" and node.side is not None:
            sides |= 1 << SIDES.index(node.side)
    return sides


def rotations_of(sides: int) -> tuple[int, ...]:
    """The rotations of a tile that differ in the sides to which it opens then, the smallest of each."""
    found: dict[int, int] = {}
    for rotation in (0, 90, 180, 270):
        found.setdefault(turned(sides, rotation), rotation)
    return tuple(found.values())


def bits(cells: int) -> Iterator[int]:
    """The cell numbers in a bit set, in ascending order."""
    while cells:
        lowest = cells & -cells
        yield lowest.bit_length() - 1
        cells ^= lowest


@dataclass(frozen=True, slots=True)
class Passages:
    """Connections between cells of a grid, as bit sets. `to_right` are the cells joined to the next one in
    their row, `down` those joined to the one below."""

    columns: int
    to_right: int
    down: int

    def beside(self, cells: int) -> int:
        """The bit set of all cells one step away from any of `cells`."""
        to_right, down = self.to_right, self.down
        return (
            (cells & to_right) << 1
            | cells >> 1 & to_right
            | (cells & down) << self.columns
            | cells >> self.columns & down
        )

    def levels(self, cell: int) -> Iterator[int]:
        """The bit sets of cells at 0, 1, 2... steps from a cell (breadth-first search)."""
        seen = ahead = 1 << cell
        while ahead:
            yield ahead
            ahead = self.beside(ahead) & ~seen
            seen |= ahead

    def joined(self, cell: int) -> int:
        """The bit set of all cells reachable from a cell, including itself."""
        seen = ahead = 1 << cell
        while ahead:
            ahead = self.beside(ahead) & ~seen
            seen |= ahead
        return seen

    def way(self, start: int, end: int) -> list[int] | None:
        """The cells of a shortest way, both ends with it; None where there is none."""
        rings: list[int] = []
        for ring in self.levels(start):
            rings.append(ring)
            if ring >> end & 1:
                break
        else:
            return None
        found = [end]
        for ring in reversed(rings[:-1]):
            found.append(next(bits(self.beside(1 << found[-1]) & ring)))
        return found[::-1]


def passages(sides: Sequence[int], columns: int) -> Passages:
    """The connections of a grid, from the open sides in each cell (0: closed, or no tile)."""
    to_right = down = 0
    last = len(sides) - columns
    for cell, here in enumerate(sides):
        if here & RIGHT and (cell + 1) % columns and sides[cell + 1] & LEFT:
            to_right |= 1 << cell
        if here & BOTTOM and cell < last and sides[cell + columns] & TOP:
            down |= 1 << cell
    return Passages(columns, to_right, down)
