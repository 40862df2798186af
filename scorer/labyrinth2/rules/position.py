"""The position on the board in the form used by the rules, and the effect of a push. Cells are numbers, row
by row (`scorer.square_grid`). A chip whose cell is None is on the spare tile."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise

from scorer.board_record import Board
from scorer.labyrinth2.rules.house import House
from scorer.labyrinth2.rules.pieces import CELLS, MIDDLE, SIDE, Pieces
from scorer.port.photo import Way
from scorer.square_grid import SIDES, STEPS, Cell, Passages, passages

ON_SPARE = "spare"

#: The twelve arrows in the order in which moves are told.
ARROWS: tuple[str, ...] = tuple(f"{side}{line}" for side in SIDES for line in (1, 3, 5))
_OPPOSITE = {"top": "bottom", "right": "left", "bottom": "top", "left": "right"}


def arrow_at(side: str, line: int) -> str | None:
    """The arrow at the end of a column or row, from 0; None where there is none."""
    return f"{side}{line}" if f"{side}{line}" in ARROWS else None


def _line(arrow: str) -> tuple[int, ...]:
    side, number = arrow[:-1], int(arrow[-1])
    along = range(SIDE) if side in ("top", "left") else range(SIDE - 1, -1, -1)
    return tuple(
        step * SIDE + number if side in ("top", "bottom") else number * SIDE + step for step in along
    )


#: The cells of the line that an arrow pushes, from where the tile goes in to where one comes out.
LINES: dict[str, tuple[int, ...]] = {arrow: _line(arrow) for arrow in ARROWS}
#: Where the tile comes out: a push there would undo it.
EXITS: dict[str, str] = {arrow: _OPPOSITE[arrow[:-1]] + arrow[-1] for arrow in ARROWS}


def ways() -> tuple[Way, ...]:
    """The possible rearrangements of tiles in a pass: none, or a push at one of the arrows."""
    made = [Way()]
    for arrow, line in LINES.items():
        cells = [cell_of(number) for number in line]
        moved = dict(pairwise(cells))
        made.append(Way(moved, cells[-1], cells[0], EXITS[arrow], frozenset({"dragon"})))
    return tuple(made)


@dataclass(frozen=True, slots=True)
class Position:
    """`tiles` and their open `sides` by cell (None and 0 where nothing was made out), the `spare` tile and
    the arrow where it came out, `chips` by name and cell in the order of the record, figures on the grid.
    `nest`: the cell under the dragon, which looks to side number `facing`."""

    tiles: tuple[str | None, ...]
    sides: tuple[int, ...]
    spare: str | None
    spare_at: str | None
    chips: tuple[tuple[str, int | None], ...]
    explorers: dict[str, int]
    gargoyles: dict[str, int]
    nest: int | None
    facing: int | None

    def passages(self) -> Passages:
        """The connections between cells; the nest counts as closed."""
        if self.nest is None:
            return passages(self.sides, SIDE)
        sides = list(self.sides)
        sides[self.nest] = 0
        return passages(sides, SIDE)

    @property
    def front(self) -> int | None:
        """The cell in front of the dragon; None where the dragon's place or direction is unknown."""
        return None if self.nest is None or self.facing is None else beside(self.nest, self.facing)


def number_of(cell: Cell) -> int:
    """The number of a cell (column, row), counted row by row."""
    return cell[1] * SIDE + cell[0]


def cell_of(number: int) -> Cell:
    """The column and row of a cell number."""
    return number % SIDE, number // SIDE


def cells_of(numbers: Iterable[int]) -> list[Cell]:
    """Columns and rows, from the top left row by row."""
    return [cell_of(number) for number in sorted(numbers)]


def beside(cell: int, side: int) -> int | None:
    """The cell on one side of another; None beyond the board."""
    column, row = cell_of(cell)
    column, row = column + STEPS[side][0], row + STEPS[side][1]
    return number_of((column, row)) if 0 <= column < SIDE and 0 <= row < SIDE else None


def position_of(board: Board, pieces: Pieces) -> Position:
    """The position of a checked board record (`checking.check_board`). Printed tiles missing from the record
    are taken from the catalogue. The dragon counts as in the middle, wherever it was read."""
    tiles: list[str | None] = [None] * CELLS
    sides = [0] * CELLS
    for cell, (printed, open_to) in pieces.printed.items():
        tiles[cell], sides[cell] = printed, open_to
    for tile in board.tiles or ():
        cell = number_of(tile.cell)
        read = tile.tile is not None and tile.face == "up"
        tiles[cell] = tile.tile if read else None
        known = read and tile.rotation is not None
        sides[cell] = pieces.lying[tile.tile or "", tile.rotation or 0] if known else 0
    spare = board.spare[0] if board.spare else None
    chips: list[tuple[str, int | None]] = []
    explorers: dict[str, int] = {}
    gargoyles: dict[str, int] = {}
    nest = facing = None
    for piece in board.pieces or ():
        name, on = piece.piece, None if piece.cell is None else number_of(piece.cell)
        if name is None:
            continue
        if name in pieces.treasures and (on is not None or piece.on == ON_SPARE):
            chips.append((name, on))
        role = pieces.figures.get(name)
        if role is None or (on is None and role != "dragon"):
            continue
        if role == "dragon":
            nest, facing = MIDDLE, None if piece.facing is None else SIDES.index(piece.facing)
        elif on is not None:
            (explorers if role == "explorer" else gargoyles).setdefault(name, on)
    return Position(
        tiles=tuple(tiles),
        sides=tuple(sides),
        spare=None if spare is None or spare.face == "down" else spare.tile,
        spare_at=None if spare is None else spare.at,
        chips=tuple(chips),
        explorers=explorers,
        gargoyles=gargoyles,
        nest=nest,
        facing=facing,
    )


def pushed(position: Position, pieces: Pieces, house: House, arrow: str, rotation: int) -> Position:
    """The position after the spare tile is pushed in at an arrow with a rotation.

    Figures and chips move with their tiles, and those pushed off go onto the tile just entered; the dragon
    stays. Every cell of the line and the spare must have a tile."""
    line = LINES[arrow]
    tiles, sides = list(position.tiles), list(position.sides)
    out = tiles[line[-1]]
    for here, there in zip(line[-2::-1], line[:0:-1], strict=True):
        tiles[there], sides[there] = tiles[here], sides[here]
    tiles[line[0]] = position.spare
    sides[line[0]] = pieces.lying[position.spare or "", rotation]
    carried: dict[int, int] = dict(zip(line, (*line[1:], line[0]), strict=True))
    off = None if house.pushed_chip == "spare" else line[0]
    chips: list[tuple[str, int | None]] = []
    for name, cell in position.chips:
        if cell is None:
            chips.append((name, line[0]))
        elif cell == line[-1]:
            chips.append((name, off))
        else:
            chips.append((name, carried.get(cell, cell)))
    return replace(
        position,
        tiles=tuple(tiles),
        sides=tuple(sides),
        spare=out,
        spare_at=EXITS[arrow],
        chips=tuple(chips),
        explorers={name: carried.get(cell, cell) for name, cell in position.explorers.items()},
        gargoyles={name: carried.get(cell, cell) for name, cell in position.gargoyles.items()},
    )
