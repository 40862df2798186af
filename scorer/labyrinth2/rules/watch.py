"""The explorers watched by the dragon and the gargoyles, and those that have to fight."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from scorer.labyrinth2.rules.house import House
from scorer.labyrinth2.rules.position import Position, beside
from scorer.square_grid import Passages


@dataclass(frozen=True, slots=True)
class Watch:
    """The area watched by a thrower (`cells`, a bit set) and its nearest explorers. `fights` are those that
    hold a treasure and must fight; `maybe` are those for which this is unknown."""

    cells: int
    nearest: tuple[str, ...]
    fights: tuple[str, ...]
    maybe: tuple[str, ...]


NOTHING = Watch(0, (), (), ())

#: For each explorer, whether it holds a treasure; None where unknown.
Armed = Mapping[str, bool | None]


def dragon_watch(position: Position, ways: Passages, armed: Armed, house: House, facing: int) -> Watch:
    """The area and explorers that the dragon watches when it faces a side."""
    front = None if position.nest is None else beside(position.nest, facing)
    if front is None:
        return NOTHING
    towards_dragon = 1 << (facing + 2) % 4
    if house.front == "open" and not position.sides[front] & towards_dragon:
        return NOTHING
    return _watch(ways.levels(front), position.explorers, armed, house, own_tile=False)


def gargoyle_watch(position: Position, ways: Passages, armed: Armed, house: House, cell: int) -> Watch:
    """The area and explorers that a gargoyle on a cell watches; none in the nest."""
    if cell == position.nest:
        return NOTHING
    return _watch(ways.levels(cell), position.explorers, armed, house, own_tile=True)


def _watch(
    levels: Iterator[int], explorers: Mapping[str, int], armed: Armed, house: House, *, own_tile: bool
) -> Watch:
    rings = list(levels)
    cells = 0
    for ring in rings:
        cells |= ring
    if own_tile and house.same_tile == "even" and len(rings) > 1:
        rings[:2] = [rings[0] | rings[1]]
    seen = {
        name: 1 << cell
        for name, cell in explorers.items()
        if cells >> cell & 1 and (house.empty_handed == "shields" or armed.get(name) is not False)
    }
    if not seen:
        return Watch(cells, (), (), ())
    for ring in rings:
        nearest = tuple(name for name, cell in seen.items() if ring & cell)
        if nearest:
            break
    return Watch(
        cells,
        nearest,
        tuple(name for name in nearest if armed.get(name)),
        tuple(name for name in nearest if armed.get(name) is None),
    )
