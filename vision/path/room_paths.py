"""Lines inside a room: cost grid of the ink -> cheapest smooth curves between doors, or from a door to an
end.

The curve is a shortest path in position and heading (an orientation-lifted geodesic, after Bekkers et al.,
SIAM J. Imaging Sciences 2015, on a coarse grid). Turns cost, so that a line goes straight on at a crossing,
unlike a plain shortest path.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.dungeon import Place
from vision.ink.ink_map import InkMap
from vision.path import parameters
from vision.path.style import DrawingStyle

Array = NDArray[np.float64]
Point = tuple[float, float]

_GRID_PER_MM = 2.0
_HEADINGS = 16
#: Width of the border of infinite cost, in cells; no step is longer.
_RIM = 2


@dataclass(frozen=True)
class RoomField:
    """Cost grid of one room: `cost` (H, W) per mm, `origin_mm` the table mm of cell (0, 0)'s centre."""

    cost: Array
    origin_mm: tuple[float, float]

    def cell(self, at_mm: tuple[float, float]) -> tuple[int, int]:
        """Cell (row, column) at a point of the table (mm), clipped to the grid."""
        column = round((at_mm[0] - self.origin_mm[0]) * _GRID_PER_MM)
        row = round((at_mm[1] - self.origin_mm[1]) * _GRID_PER_MM)
        height, width = self.cost.shape
        return min(max(row, 0), height - 1), min(max(column, 0), width - 1)

    def point(self, row: int, column: int) -> tuple[float, float]:
        """Table mm of a cell's centre."""
        return self.origin_mm[0] + column / _GRID_PER_MM, self.origin_mm[1] + row / _GRID_PER_MM

    @cached_property
    def padded(self) -> Array:
        """The cost grid with a border of infinite cost, as wide as the longest step."""
        return np.pad(self.cost, _RIM, constant_values=math.inf)

    @cached_property
    def turning(self) -> list[list[_Step]]:
        """Step costs of the orientation-lifted graph, in which turns are penalised."""
        return _steps(self.padded, lifted=True)

    @cached_property
    def straying(self) -> list[list[_Step]]:
        """Step costs of the plain graph, in which turns are free."""
        return _steps(self.padded, lifted=False)


def room_field(ink: InkMap, room: Place, margin_mm: float) -> RoomField:
    """Cost grid of the room at place `room` (with its outline), with a margin around it.

    Lines run over walls and off the middle of their corridor.
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
    cost = (
        parameters.ROOM_LINES.blank_nats_per_mm * (1 - inked) + parameters.ROOM_LINES.ink_nats_per_mm * inked
    )
    seen = np.ascontiguousarray(ink.visible[first[1] : last[1], first[0] : last[0]]).astype(np.uint8)
    hidden = 1 - cv2.remap(seen, at - first.astype(np.float32), None, cv2.INTER_NEAREST)
    # pixels at printed edges count as not visible, too, but these regions are thin
    hidden = cv2.morphologyEx(hidden, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    cost = np.where(hidden > 0, np.minimum(cost, parameters.ROOM_LINES.hidden_nats_per_mm), cost)
    mask = np.zeros(cost.shape, np.uint8)
    polygon = np.round((outline - low) * _GRID_PER_MM).astype(np.int32)
    cv2.fillPoly(mask, [polygon], 1)
    mask = cv2.dilate(mask, np.ones((3, 3), np.uint8))
    cost[mask == 0] += 2.0 * parameters.ROOM_LINES.blank_nats_per_mm
    return RoomField(cost.astype(np.float64), (float(low[0]), float(low[1])))


@dataclass(frozen=True)
class Curve:
    """A curve through a room: its cost (about 0.15 per mm on ink, 3 per mm on blank) and (N, 2) table mm."""

    cost: float
    line_mm: Array

    @property
    def excess(self) -> float:
        """Cost of the curve beyond the cost of the same length on full ink."""
        return self.cost - parameters.ROOM_LINES.ink_nats_per_mm * float(
            np.linalg.norm(np.diff(self.line_mm, axis=0), axis=1).sum()
        )


#: A step over the grid: increment of the state's number, cost by start cell, cost on full ink, and cost of
#: the turn. A state's number is the cell's number times the number of headings, plus the heading.
_Step = tuple[int, list[float], float, float]


def _ways(lifted: bool) -> list[tuple[int, int]]:
    """Row and column offsets of one step in each heading.

    Longer steps are used only with 16 headings, where turns cost.
    """
    if not lifted:
        return [(dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dy or dx]
    ways = []
    for heading in range(_HEADINGS):
        angle = 2 * math.pi * heading / _HEADINGS
        # with knight's moves between the eight neighbours there are sixteen headings
        far = 2.0 if heading % 2 else 1.2
        ways.append((round(far * math.sin(angle)), round(far * math.cos(angle))))
    return ways


def _steps(padded: Array, lifted: bool) -> list[list[_Step]]:
    """For each heading, the possible next steps over a padded cost grid (H, W)."""
    across, cost = padded.shape[1], padded.ravel()
    ways = _ways(lifted)
    on, prices, lengths = [], [], []
    for dy, dx in ways:
        on.append(dy * across + dx)
        passed = np.roll(cost, -on[-1])
        if 2 in (abs(dy), abs(dx)):
            # the cell that a knight's move passes over
            passed = 0.5 * (passed + np.roll(cost, -((dy // 2) * across + dx // 2)))
        lengths.append(math.hypot(dx, dy) / _GRID_PER_MM)
        prices.append((passed * lengths[-1]).tolist())
    if not lifted:
        return [
            [
                (on[k], prices[k], parameters.ROOM_LINES.ink_nats_per_mm * lengths[k], 0.0)
                for k in range(len(ways))
            ]
        ]
    steps = []
    for heading in range(_HEADINGS):
        ahead = []
        for turn in (-2, -1, 0, 1, 2):
            new = (heading + turn) % _HEADINGS
            grows, price = (
                on[new] * _HEADINGS + new - heading,
                parameters.ROOM_LINES.turn_nats * abs(turn) ** 1.5,
            )
            ahead.append((grows, prices[new], parameters.ROOM_LINES.ink_nats_per_mm * lengths[new], price))
        steps.append(ahead)
    return steps


def curves_from(
    field: RoomField,
    start_mm: tuple[float, float],
    goals_mm: list[tuple[float, float]],
    *,
    lifted: bool = True,
    most: float = math.inf,
) -> list[Curve]:
    """Shortest paths from one point to each of several goals; `lifted` penalises turns.

    A curve with more `excess` than `most` may have infinite cost, which saves searching the rest of the room.
    """
    across = int(field.padded.shape[1])
    steps = field.turning if lifted else field.straying
    headings = len(steps)

    def number(at_mm: tuple[float, float]) -> int:
        row, column = field.cell(at_mm)
        return (row + _RIM) * across + column + _RIM

    goals = {number(goal) for goal in goals_mm}
    start = number(start_mm) * headings
    best = [math.inf] * (field.padded.size * headings)
    excess = [0.0] * len(best)
    came = [-1] * len(best)
    queue = [(0.0, start + heading) for heading in range(headings)]
    for _, state in queue:
        best[state] = 0.0
    reached: dict[int, int] = {}
    pop, push = heapq.heappop, heapq.heappush
    while queue and len(reached) < len(goals):
        d, state = pop(queue)
        if d > best[state]:
            continue
        cell, heading = divmod(state, headings)
        if cell in goals and cell not in reached:
            reached[cell] = state
        so_far = excess[state]
        for grows, price, least, turn in steps[heading]:
            e = d + price[cell] + turn
            after = state + grows
            if e < best[after]:
                best[after] = e
                came[after] = state
                excess[after] = beyond = so_far + (e - d - least)
                if beyond <= most:
                    push(queue, (e, after))
    curves = []
    for goal in goals_mm:
        end = reached.get(number(goal), -1)
        if end < 0:
            curves.append(Curve(math.inf, np.array([start_mm, goal], float)))
            continue
        trace = [end]
        while came[trace[-1]] >= 0:
            trace.append(came[trace[-1]])
        cells = [divmod(state // headings, across) for state in reversed(trace)]
        line = np.array([field.point(row - _RIM, column - _RIM) for row, column in cells], float)
        curves.append(Curve(best[end], line))
    return curves


class RoomReader:
    """Curves through the rooms of one ink map, each computed once and cached for all readings."""

    def __init__(self, ink: InkMap, style: DrawingStyle) -> None:
        self._ink = ink
        self._style = style
        self._fields: dict[str, RoomField] = {}
        self._curves: dict[tuple[str, Point, tuple[Point, ...], bool, float], list[Curve]] = {}

    def curves(
        self, room: Place, start_mm: Point, goals_mm: list[Point], *, lifted: bool, most: float = math.inf
    ) -> list[Curve]:
        """Shortest paths by `curves_from` in the room at place `room`, cached."""
        key = (room.id, start_mm, tuple(goals_mm), lifted, most)
        if key not in self._curves:
            if room.id not in self._fields:
                self._fields[room.id] = room_field(self._ink, room, self._style.reach_mm)
            field = self._fields[room.id]
            self._curves[key] = curves_from(field, start_mm, goals_mm, lifted=lifted, most=most)
        return self._curves[key]
