"""The ruling on a board: its problems, the cells that each explorer can reach, the explorers watched, and the
best move."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from scorer.board_problems import Problem, RulingOnBoard, told_problems
from scorer.labyrinth2.rules.codes import STOPPING
from scorer.labyrinth2.rules.moves import Move, best_of, moves_of
from scorer.labyrinth2.rules.position import cell_of, cells_of
from scorer.labyrinth2.rules.problems import problems_of
from scorer.labyrinth2.rules.table import Phase, Table
from scorer.labyrinth2.rules.watch import Watch, dragon_watch, gargoyle_watch
from scorer.square_grid import Cell, bits


class Next(msgspec.Struct, frozen=True, kw_only=True):
    """The treasure to be taken next: its value, the cells where copies lie, and those of them in the nest."""

    value: int
    cells: list[Cell]
    nested: list[Cell]


class Reach(msgspec.Struct, frozen=True, kw_only=True):
    """The cells that an explorer can reach on the current board, and the reachable cells with a treasure that
    may be taken. In the final phase it also says whether the cell in front of the dragon is reachable."""

    piece: str
    player: str | None
    cell: Cell
    cells: list[Cell]
    takes: list[Cell]
    front: bool


class Watching(msgspec.Struct, frozen=True, kw_only=True):
    """The cells that the dragon or a gargoyle watches if its side of the die is thrown now."""

    by: str
    cells: list[Cell]
    nearest: list[str]
    fights: list[str]
    maybe: list[str]


class BoardRuling(RulingOnBoard, frozen=True, kw_only=True):
    game: str = "labyrinth2"
    phase: Phase
    next: Next | None
    reach: list[Reach]
    watch: list[Watching]
    moves: list[Move] | None
    best: Move | None


def rule_board(table: Table) -> BoardRuling:
    """The ruling on a board."""
    problems = problems_of(table)
    explorer = next(
        (player.piece for player in table.board.players if player.name == table.board.to_move), None
    )
    moves = None
    if table.board.to_move is not None and explorer is not None and can_play(problems):
        moves = moves_of(table, explorer)
    return BoardRuling(
        problems=told_problems(problems),
        phase=table.phase,
        next=_next(table),
        reach=[_reach(table, name, cell) for name, cell in table.position.explorers.items()],
        watch=list(_watches(table)),
        moves=moves,
        best=best_of(moves or []),
    )


def can_play(problems: Sequence[Problem]) -> bool:
    """Whether a pass can be played in spite of these problems."""
    return not any(problem.rule in STOPPING for problem in problems)


def lowest_cells(table: Table) -> list[int]:
    """The cells of the treasures that are next to be taken, including the nest's cell."""
    treasures = table.pieces.treasures
    return sorted(
        {cell for name, cell in table.position.chips if cell is not None and treasures[name] == table.lowest}
    )


def _next(table: Table) -> Next | None:
    if table.lowest is None:
        return None
    cells = lowest_cells(table)
    nested = [cell for cell in cells if cell == table.position.nest]
    return Next(value=table.lowest, cells=cells_of(cells), nested=cells_of(nested))


def takeable(table: Table, stood: int, reached: int) -> list[int]:
    """The cells where an explorer on cell `stood` can take a treasure by walking. `reached` is the bit set of
    reachable cells."""
    out_and_back = table.house.round_trip and bool(reached & ~(1 << stood))
    return [
        cell
        for cell in lowest_cells(table)
        if cell != table.position.nest and reached >> cell & 1 and (cell != stood or out_and_back)
    ]


def _reach(table: Table, name: str, cell: int) -> Reach:
    reached = table.ways.joined(cell)
    front = table.position.front
    return Reach(
        piece=name,
        player=table.owners.get(name),
        cell=cell_of(cell),
        cells=cells_of(bits(reached)),
        takes=cells_of(takeable(table, cell, reached)),
        front=table.phase == "final" and front is not None and bool(reached >> front & 1),
    )


def _watches(table: Table) -> list[Watching]:
    position, told = table.position, []
    if position.nest is not None and position.facing is not None:
        dragon = next(
            piece.piece or "" for piece in table.board.pieces or () if piece.piece in table.pieces.dragons
        )
        watch = dragon_watch(position, table.ways, table.armed, table.house, position.facing)
        told.append(_told(dragon, watch))
    for name, cell in position.gargoyles.items():
        told.append(_told(name, gargoyle_watch(position, table.ways, table.armed, table.house, cell)))
    return told


def _told(by: str, watch: Watch) -> Watching:
    return Watching(
        by=by,
        cells=cells_of(bits(watch.cells)),
        nearest=list(watch.nearest),
        fights=list(watch.fights),
        maybe=list(watch.maybe),
    )
