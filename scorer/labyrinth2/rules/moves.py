"""The moves that were possible in a position: every push after which an explorer can take a treasure or fight
the dragon, and the best of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import msgspec

from scorer.labyrinth2.rules.pieces import CELLS
from scorer.labyrinth2.rules.position import ARROWS, Position, cell_of, pushed
from scorer.labyrinth2.rules.table import Table
from scorer.labyrinth2.rules.watch import dragon_watch, gargoyle_watch
from scorer.square_grid import Cell, Passages, bits, rotations_of


class Move(msgspec.Struct, frozen=True, kw_only=True):
    """A push at an arrow with a rotation of the spare tile, and a walk of `steps` steps to a cell. `danger`
    is the number of throws, out of five, after which the explorer would have to fight."""

    at: str
    rotation: int
    cell: Cell
    steps: int
    danger: int


def moves_of(table: Table, explorer: str, *, barred: bool = True) -> list[Move]:
    """All moves of an explorer, sorted by arrow and rotation. With `barred`, the last push may not be undone.
    The position must be playable."""
    if table.phase in ("over", "between") or explorer not in table.position.explorers:
        return []
    found = []
    for arrow in ARROWS:
        if barred and arrow == table.position.spare_at:
            continue
        for rotation in rotations_of(table.pieces.sides[table.position.spare or ""]):
            after = pushed(table.position, table.pieces, table.house, arrow, rotation)
            move = _move(table, after, explorer, arrow, rotation)
            if move is not None:
                found.append(move)
    return found


def best_of(moves: list[Move]) -> Move | None:
    """The best of several moves: fewest dangerous throws, then fewest steps, then the first one listed. None
    without moves."""
    return min(moves, key=lambda move: (move.danger, move.steps), default=None)


def _move(table: Table, after: Position, explorer: str, arrow: str, rotation: int) -> Move | None:
    stood, ways = after.explorers[explorer], after.passages()
    wanted = 0
    if table.phase == "final":
        wanted = 0 if after.front is None else 1 << after.front
    else:
        for name, cell in after.chips:
            if cell is not None and cell != after.nest and table.pieces.treasures[name] == table.lowest:
                wanted |= 1 << cell
    goal = next(goals(ways, stood, wanted, table), None)
    if goal is None:
        return None
    steps, cell = goal
    danger = 0 if table.phase == "final" else _danger(table, after, ways, explorer, cell)
    return Move(at=arrow, rotation=rotation, cell=cell_of(cell), steps=steps, danger=danger)


def goals(ways: Passages, stood: int, wanted: int, table: Table) -> Iterator[tuple[int, int]]:
    """The wanted cells that can be walked to, nearest first, each with its steps. Where treasures are taken
    the explorer has to have walked: to another tile, or out and back (2 steps) where tables play so."""
    here = 1 << stood
    round_trip = 2 if table.house.round_trip and ways.beside(here) & ~here else CELLS + 1
    for steps, ring in enumerate(ways.levels(stood)):
        found = ring & wanted
        if table.phase != "final":
            if steps == 0:
                continue
            if steps == round_trip:
                found |= here & wanted
        for cell in bits(found):
            yield steps, cell
    if table.phase != "final" and round_trip == 2 and wanted & here and _depth(ways, stood) < 2:
        yield 2, stood


def _depth(ways: Passages, stood: int) -> int:
    return sum(1 for _ in ways.levels(stood)) - 1


def _danger(table: Table, after: Position, ways: Passages, explorer: str, cell: int) -> int:
    """The number of throws (one to three arrows, each gargoyle) after which a player who has just taken a
    treasure must fight."""
    there = replace(after, explorers={**after.explorers, explorer: cell})
    armed = {**table.armed, explorer: True}
    watches = [
        dragon_watch(there, ways, armed, table.house, ((after.facing or 0) + arrows) % 4)
        for arrows in (1, 2, 3)
    ]
    watches += [gargoyle_watch(there, ways, armed, table.house, at) for at in after.gargoyles.values()]
    return sum(explorer in watch.fights for watch in watches)
