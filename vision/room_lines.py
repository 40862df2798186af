"""Room lines: how the pen ran inside a room, from door to door or from a door to where it ends.

The cheapest smooth curve along the ink is a shortest path in position and heading (an orientation-lifted
geodesic, after Bekkers et al., SIAM J. Imaging Sciences 2015, on a coarse grid): a turn costs, so that at a
crossing a line goes straight on, which a plain shortest path does not know.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.dungeon import Place
from vision import tuning
from vision.drawing_style import DrawingStyle
from vision.ink import InkMap

Array = NDArray[np.float64]
Point = tuple[float, float]

_GRID_PER_MM = 2.0
_HEADINGS = 16


@dataclass(frozen=True)
class RoomField:
    """Costs per grid cell of one room: `cost` (H, W) per mm, `origin_mm` the table mm of cell (0, 0)'s
    centre.
    """

    cost: Array
    origin_mm: tuple[float, float]

    def cell(self, at_mm: tuple[float, float]) -> tuple[int, int]:
        """(row, column) of the cell at a table point, kept inside."""
        column = round((at_mm[0] - self.origin_mm[0]) * _GRID_PER_MM)
        row = round((at_mm[1] - self.origin_mm[1]) * _GRID_PER_MM)
        height, width = self.cost.shape
        return min(max(row, 0), height - 1), min(max(column, 0), width - 1)

    def point(self, row: int, column: int) -> tuple[float, float]:
        """Table mm of a cell's centre."""
        return self.origin_mm[0] + column / _GRID_PER_MM, self.origin_mm[1] + row / _GRID_PER_MM


def room_field(ink: InkMap, room: Place, margin_mm: float) -> RoomField:
    """The room of place `room` (with its outline) as a cost grid, with room to move outside the outline: a
    line runs over walls and lies off its corridor's middle.
    """
    outline = np.asarray(room.outline_mm)
    low, high = outline.min(axis=0) - margin_mm, outline.max(axis=0) + margin_mm
    columns, rows = (np.ceil((high - low) * _GRID_PER_MM).astype(int) + 1).tolist()
    grid = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), axis=-1) / _GRID_PER_MM + low
    at = ink.to_px(grid).astype(np.float32)
    first = np.maximum(np.floor(at.min(axis=(0, 1))).astype(int) - 2, 0)
    last = np.maximum(np.ceil(at.max(axis=(0, 1))).astype(int) + 3, first + 1)
    part = np.ascontiguousarray(ink.evidence[first[1] : last[1], first[0] : last[0]])
    soft = cv2.dilate(part, np.ones((3, 3), np.uint8))
    evidence = cv2.remap(soft, at - first.astype(np.float32), None, cv2.INTER_LINEAR)
    inked = 1.0 / (1.0 + np.exp(-np.clip(1.5 * evidence, -20, 20)))
    cost = tuning.BLANK_COST * (1 - inked) + tuning.INK_COST * inked
    mask = np.zeros(cost.shape, np.uint8)
    polygon = np.round((outline - low) * _GRID_PER_MM).astype(np.int32)
    cv2.fillPoly(mask, [polygon], 1)
    mask = cv2.dilate(mask, np.ones((3, 3), np.uint8))
    cost[mask == 0] += 2.0 * tuning.BLANK_COST
    return RoomField(cost.astype(np.float64), (float(low[0]), float(low[1])))


@dataclass(frozen=True)
class Curve:
    """A curve through a room: its cost (about 0.15 per mm on ink, 3 per mm on blank) and (N, 2) table mm."""

    cost: float
    line_mm: Array

    @property
    def excess(self) -> float:
        """The cost beyond what its length on full ink would be."""
        return self.cost - tuning.INK_COST * float(
            np.linalg.norm(np.diff(self.line_mm, axis=0), axis=1).sum()
        )


_Move = tuple[int, int, float, int, float]


def _moves(lifted: bool) -> list[list[_Move]]:
    """For each heading the steps on: rows, columns, length in mm, new heading, price of the turn."""
    if not lifted:
        steps = [(dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dy or dx]
        return [[(dy, dx, math.hypot(dx, dy) / _GRID_PER_MM, 0, 0.0) for dy, dx in steps]]
    steps = []
    for heading in range(_HEADINGS):
        angle = 2 * math.pi * heading / _HEADINGS
        # knight's steps between the eight neighbours make sixteen headings
        far = 2.0 if heading % 2 else 1.2
        steps.append((round(far * math.sin(angle)), round(far * math.cos(angle))))
    moves = []
    for heading in range(_HEADINGS):
        ahead = []
        for turn in (-2, -1, 0, 1, 2):
            new = (heading + turn) % _HEADINGS
            dy, dx = steps[new]
            ahead.append(
                (dy, dx, math.hypot(dx, dy) / _GRID_PER_MM, new, tuning.TURN_COST * abs(turn) ** 1.5)
            )
        moves.append(ahead)
    return moves


def curves_from(
    field: RoomField,
    start_mm: tuple[float, float],
    goals_mm: list[tuple[float, float]],
    *,
    lifted: bool = True,
) -> list[Curve]:
    """The cheapest curve from one point to each of several; `lifted` makes turns cost."""
    height, width = field.cost.shape
    cost: list[list[float]] = field.cost.tolist()
    moves = _moves(lifted)
    goals = {field.cell(goal) for goal in goals_mm}
    row0, column0 = field.cell(start_mm)
    best: dict[tuple[int, int, int], float] = {}
    came: dict[tuple[int, int, int], tuple[int, int, int]] = {}
    queue: list[tuple[float, int, int, int]] = []
    for heading in range(len(moves)):
        best[row0, column0, heading] = 0.0
        queue.append((0.0, row0, column0, heading))
    reached: dict[tuple[int, int], tuple[int, int, int]] = {}
    while queue and len(reached) < len(goals):
        d, row, column, heading = heapq.heappop(queue)
        state = (row, column, heading)
        if d > best[state]:
            continue
        if (row, column) in goals and (row, column) not in reached:
            reached[row, column] = state
        for dy, dx, length, new, turn in moves[heading]:
            r, c = row + dy, column + dx
            if not (0 <= r < height and 0 <= c < width):
                continue
            passed = cost[r][c]
            if dy in (-2, 2) or dx in (-2, 2):
                passed = 0.5 * (passed + cost[row + dy // 2][column + dx // 2])
            e = d + passed * length + turn
            after = (r, c, new)
            if e < best.get(after, math.inf):
                best[after] = e
                came[after] = state
                heapq.heappush(queue, (e, r, c, new))
    curves = []
    for goal in goals_mm:
        end = reached.get(field.cell(goal))
        if end is None:
            curves.append(Curve(math.inf, np.array([start_mm, goal], float)))
            continue
        trace = [end]
        while trace[-1] in came:
            trace.append(came[trace[-1]])
        line = np.array([field.point(r, c) for r, c, _ in reversed(trace)], float)
        curves.append(Curve(best[end], line))
    return curves


class RoomReader:
    """Curves through the rooms of one ink map; each is worked out once, however many readings are tried."""

    def __init__(self, ink: InkMap, style: DrawingStyle) -> None:
        self._ink = ink
        self._style = style
        self._fields: dict[str, RoomField] = {}
        self._curves: dict[tuple[str, Point, tuple[Point, ...], bool], list[Curve]] = {}

    def curves(self, room: Place, start_mm: Point, goals_mm: list[Point], *, lifted: bool) -> list[Curve]:
        """`curves_from` in the room of place `room`."""
        key = (room.id, start_mm, tuple(goals_mm), lifted)
        if key not in self._curves:
            if room.id not in self._fields:
                self._fields[room.id] = room_field(self._ink, room, self._style.reach_mm)
            self._curves[key] = curves_from(self._fields[room.id], start_mm, goals_mm, lifted=lifted)
        return self._curves[key]
