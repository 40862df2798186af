"""The frame of the temple: 25 cells row by row, each next to the one at the other end of its row or column at
the edge; sides by number (top, right, bottom, left); the map that lies under it, turned by quarters."""

from __future__ import annotations

from scorer.square_grid import STEPS, Cell

SIDE = 5
CELLS = SIDE * SIDE
QUARTER: dict[str, int] = {"clockwise": 1, "counterclockwise": 3}


def cell_of(number: int) -> Cell:
    """The column and row of a cell number."""
    return number % SIDE, number // SIDE


def number_of(cell: Cell) -> int:
    """The number of a cell (column, row), counted row by row."""
    return cell[1] * SIDE + cell[0]


def beside(cell: int, side: int, steps: int = 1) -> int:
    """The cell a number of steps away towards a side, with wraparound at the edges."""
    right, down = STEPS[side]
    return (cell % SIDE + right * steps) % SIDE + (cell // SIDE + down * steps) % SIDE * SIDE


#: The neighbours of each cell, by side.
NEIGHBOURS: tuple[tuple[int, ...], ...] = tuple(
    tuple(beside(cell, side) for side in range(4)) for cell in range(CELLS)
)


def line_of(cell: int, side: int) -> tuple[int, ...]:
    """The cells of a row or column from a cell onwards towards a side, with wraparound."""
    return tuple(beside(cell, side, steps) for steps in range(SIDE))


def across(side: int) -> int:
    """The opposite side."""
    return (side + 2) % 4


def map_cell(cell: int, rotation: int) -> int:
    """The cell of the printed map under a cell of the temple, for a rotation of the map in degrees."""
    column, row = cell_of(cell)
    for _ in range(rotation // 90 % 4):
        column, row = row, SIDE - 1 - column
    return number_of((column, row))


#: The map cell under each cell, by the map's rotation in quarter turns.
UNDER: tuple[tuple[int, ...], ...] = tuple(
    tuple(map_cell(cell, 90 * quarters) for cell in range(CELLS)) for quarters in range(4)
)


def apart(cell: int, other: int) -> int:
    """The distance between two cells in steps, with wraparound at the edges."""
    columns, rows = abs(cell % SIDE - other % SIDE), abs(cell // SIDE - other // SIDE)
    return min(columns, SIDE - columns) + min(rows, SIDE - rows)
