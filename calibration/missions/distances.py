"""How far a goal is at least, over every card that lies and through every slot that may get one."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterator, Mapping

from calibration.missions.board import ROTATIONS, Board, Others, beyond
from calibration.missions.strides import OPPOSITE_SIDE, STEP, Cell, LaidWay, Mouth
from scorer.mapmasters.cooperative.mission import Goal

# What a leg costs, in legs over cards that lie. Tried on the open deck's first mission.
FROM_HAND = 1.6
JUMP = 1.5

#: Before a mouth of a slot, or (a name) on a circle, from where teleports lead, or outside.
Spot = tuple[Cell, Mouth] | str
CIRCLE = "circle"
OUT = "out"
_LEVELS = ("main", "underground")
_MOUTHS = tuple(
    Mouth(side, at, level)
    for level in _LEVELS
    for side in STEP
    for at in ((4, 13) if side in ("left", "right") else (6,))
)


def spot_beyond(board: Board, goal: Goal, cell: Cell, mouth: Mouth) -> Spot:
    """Where one comes out by a mouth: in the next slot, or outside; "" where that is no way."""
    there = beyond(cell, mouth.side)
    if not board.is_slot(there):
        return OUT if mouth.side in goal.sides else ""
    return there, Mouth(OPPOSITE_SIDE[mouth.side], mouth.at, mouth.level)


def next_spot(board: Board, goal: Goal, cell: Cell, way: LaidWay, end: str) -> Spot:
    """Where one is after a way over a card."""
    mouth = way.mouth.get(end)
    if mouth is None:
        return CIRCLE if end in way.circles else OUT
    return spot_beyond(board, goal, cell, mouth)


class Distances:
    """`taken`: by slot, the places that lines or other plans have gone through."""

    def __init__(
        self, board: Board, goal: Goal, others: Others, taken: Mapping[Cell, Collection[str]]
    ) -> None:
        self._board, self._goal, self._others, self._taken = board, goal, others, taken

    def to_goal(self, lairs: Mapping[str, Cell]) -> dict[Cell | None, dict[Spot, float]]:
        """For every mouth what the goal is away at least (None), or by way of an artifact's card."""
        board, goal = self._board, self._goal
        back: dict[Spot, list[tuple[Spot, float]]] = {}
        goals: dict[Spot, float] = {OUT: 0.0} if goal.card is None else {}
        target = board.cell_of(goal.card) if goal.card is not None else None
        for cell in [*board.laid, *board.empty, *board.hidden]:
            for before, after, cost in self._steps(cell):
                back.setdefault(after, []).append((before, cost))
            if cell == target:
                for way in self._faces(cell):
                    for mouth, opening in way.mouths.items():
                        inside = {stride.end for stride in way.strides(opening)}
                        if goal.places is None or opening in goal.places or inside & goal.places:
                            goals[cell, mouth] = 1.0
        plain = _spread(back, goals)
        made: dict[Cell | None, dict[Spot, float]] = {None: plain}
        for lair in {lairs[name] for name in goal.artifacts if name in lairs}:
            at_lair: dict[Spot, float] = {spot: far for spot, far in plain.items() if spot[0] == lair}
            made[lair] = _spread(back, at_lair)
        return made

    def _faces(self, cell: Cell) -> list[LaidWay]:
        """What lies in a slot, either way up where that is open; nothing where any card may come."""
        board = self._board
        if cell in board.laid:
            return [board.way(cell)]
        if cell in board.hidden:
            return [board.ways.of(board.hidden[cell][1], turn) for turn in ROTATIONS]
        card, turn = self._others.cards.get(cell, ("", 0))
        return [board.ways.of(card, 180 if turn else 0)] if card else []

    def _steps(self, cell: Cell) -> Iterator[tuple[Spot, Spot, float]]:
        """Single steps through a slot: from where, to where, the cost."""
        board, goal = self._board, self._goal
        faces = self._faces(cell)
        if not faces and cell in self._others.kept:
            return
        if not faces:
            yield from _open_steps(board, goal, cell)
            return
        taken: Collection[str] = self._taken.get(cell, ())
        for way in faces:
            starts: list[tuple[Spot, str, float]] = [
                ((cell, mouth), name, 1.0) for mouth, name in way.mouths.items()
            ]
            starts += [(CIRCLE, circle, 1.0 + JUMP) for circle in way.circles]
            for before, name, cost in starts:
                if name not in taken:
                    ends = {stride.end for stride in way.strides(name) if stride.solid.isdisjoint(taken)}
                    for end in ends:
                        yield before, next_spot(board, goal, cell, way, end), cost


def _open_steps(board: Board, goal: Goal, cell: Cell) -> Iterator[tuple[Spot, Spot, float]]:
    """Through a slot that may get any card: in by any side, out by another."""
    ends = [(out, spot_beyond(board, goal, cell, out)) for out in _MOUTHS]
    for mouth in _MOUTHS:
        before = cell, mouth
        for out, after in ends:
            if out.side != mouth.side and not (mouth.level == out.level == "underground") and after:
                yield before, after, 1 + FROM_HAND


def _spread(
    back: Mapping[Spot, Collection[tuple[Spot, float]]], goals: Mapping[Spot, float]
) -> dict[Spot, float]:
    """The cheapest way to any goal from everywhere, over steps told backwards."""
    far = dict(goals)
    queue = [(cost, index, spot) for index, (spot, cost) in enumerate(goals.items())]
    heapq.heapify(queue)
    number = len(queue)
    while queue:
        cost, _, spot = heapq.heappop(queue)
        if cost > far[spot]:
            continue
        for before, step in back.get(spot, ()):
            if cost + step < far.get(before, float("inf")):
                far[before] = cost + step
                number += 1
                heapq.heappush(queue, (cost + step, number, before))
    return far
