"""Greedy placement of labels: each goes to the nearest spot where it covers neither a sign, nor a line, nor
another label, and a leader line ties it to what it points at."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from waymark.picture.canvas import BLACK, WHITE, Canvas, Colour, box
from waymark.review.projection import Points

#: Directions tried around a point, the first up and to the left.
_DIRECTIONS = math.pi * 5 / 4 + np.arange(16) * math.pi / 8
#: Step (px) of the grid searched where no wanted spot is free.
_STEP_PX = 16.0
#: A label farther than this from what it points at (in text sizes) has a leader line.
_LEADER_SIZES = 0.9


@dataclass(frozen=True)
class Label:
    """Lines of text in a box with its centre (2,) and half size (2,), pointing at `at` (2,); pixels."""

    lines: tuple[str, ...]
    size_px: float
    ink: Colour
    ground: Colour
    at: Points
    centre: Points
    half: Points
    kind: str

    @property
    def nearest(self) -> Points:
        """The point (2,) of the box that is nearest to what it points at."""
        return np.clip(self.at, self.centre - self.half, self.centre + self.half)


class Labels:
    """The labels of one drawing of `size` (width, height) px, with the boxes that they keep clear of."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self.size = canvas.size
        self.placed: list[Label] = []
        #: Obstacles as boxes (N, 4): left, top, right, bottom.
        self.obstacles = np.empty((0, 4))

    def avoid_disc(self, at: Points, radius_px: float) -> None:
        self._avoid(np.array([[*(at - radius_px), *(at + radius_px)]]))

    def avoid_line(self, line: Points, width_px: float) -> None:
        """Keep clear of a polyline (N, 2) of this width."""
        along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
        at = np.linspace(0, along[-1], 2 + int(along[-1] / width_px))
        points = np.stack([np.interp(at, along, line[:, axis]) for axis in (0, 1)], axis=1)
        self._avoid(np.hstack([points - width_px / 2, points + width_px / 2]))

    def _avoid(self, boxes: Points) -> None:
        self.obstacles = np.vstack([self.obstacles, boxes])

    def spot(self, half: Points, wanted: Points) -> Points:
        """Centre (2,) of a box of half size (2,), which is kept clear from now on: the first of the `wanted`
        centres (N, 2) that is free, else the free spot nearest to the first, else where least is covered."""
        xs, ys = (np.arange(half[k], max(self.size[k] - half[k], half[k] + 1), _STEP_PX) for k in (0, 1))
        grid = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
        grid = grid[np.argsort(np.hypot(*(grid - wanted[0]).T))]
        for centres in (wanted, *np.array_split(grid, max(1, len(grid) // 500))):
            inside = np.all((centres >= half - 0.01) & (centres <= self.size - half + 0.01), axis=1)
            free = inside & (self._covered(centres, half) == 0)
            if free.any():
                return self._taken(centres[int(np.argmax(free))], half)
        return self._taken(grid[int(np.argmin(self._covered(grid, half)))], half)

    def _taken(self, centre: Points, half: Points) -> Points:
        self._avoid(np.array([[*(centre - half), *(centre + half)]]))
        return centre

    def _covered(self, centres: Points, half: Points) -> Points:
        """How many obstacles a box of half size (2,) covers at each of the centres (N, 2)."""
        low, high = (centres - half)[:, None], (centres + half)[:, None]
        over = (low < self.obstacles[None, :, 2:]) & (high > self.obstacles[None, :, :2])
        return np.asarray(over.all(axis=2).sum(axis=1))

    def add(
        self,
        lines: Sequence[str],
        size_px: float,
        at: Points,
        wanted: Points | None = None,
        *,
        on: Points | None = None,
        ink: Colour = WHITE,
        ground: Colour = BLACK,
        kind: str = "label",
    ) -> None:
        """Place a label that points at `at`: near it, or at the first free of the `wanted` centres. What lies
        `on` a convex outline (N, 2) needs no leader line."""
        half = self.half(lines, size_px)
        if wanted is None:
            wanted = around(at, half, [k * size_px for k in (0.6, 1.2, 2.0, 3.0, 4.5, 6.0, 9.0)])
        centre = self.spot(half, wanted)
        if on is not None and contains(on, centre):
            at = centre
        self.placed.append(Label(tuple(lines), size_px, ink, ground, at, centre, half, kind))

    def half(self, lines: Sequence[str], size_px: float) -> Points:
        """Half the width and height (2,) of a label's box."""
        width = max(self._canvas.text_size(line, size_px)[0] for line in lines)
        return np.array([width / 2 + 0.4 * size_px, (0.65 * len(lines) + 0.15) * size_px])

    def draw(self) -> None:
        """Draw all leaders, then all labels."""
        canvas = self._canvas
        for label in self.placed:
            if np.hypot(*(label.nearest - label.at)) > _LEADER_SIZES * label.size_px:
                for colour, width in ((BLACK, 0.22), (WHITE, 0.09)):
                    canvas.line(
                        np.stack([label.at, label.nearest]), colour, width * label.size_px, kind=label.kind
                    )
        for label in self.placed:
            with canvas.group(kind=label.kind):
                rim = 0.14 * label.size_px if label.ground != BLACK or len(label.lines) > 1 else 0.0
                if rim:
                    box(canvas, label.centre, label.half, WHITE)
                box(canvas, label.centre, label.half - rim, label.ground)
                for y, line in self._rows(label):
                    canvas.text((float(label.centre[0]), y), line, label.size_px, label.ink)

    def _rows(self, label: Label) -> Iterator[tuple[float, str]]:
        for row, line in enumerate(label.lines):
            yield float(label.centre[1]) + (row - (len(label.lines) - 1) / 2) * 1.3 * label.size_px, line


def contains(outline: Points, points: Points) -> NDArray[np.bool_]:
    """Whether points (..., 2) lie in a convex outline (N, 2), whichever way it goes round."""
    sides, to = np.roll(outline, -1, axis=0) - outline, points[..., None, :] - outline
    turns = sides[:, 0] * to[..., 1] - sides[:, 1] * to[..., 0]
    return np.asarray((turns >= 0).all(axis=-1) | (turns <= 0).all(axis=-1))


def around(at: Points, half: Points, distances_px: Sequence[float]) -> Points:
    """Centres (N, 2) of a box of half size (2,) so that its edge is so far from a point, nearest first."""
    ways = np.stack([np.cos(_DIRECTIONS), np.sin(_DIRECTIONS)], axis=1)
    to_edge = np.min(half / np.maximum(np.abs(ways), 1e-9), axis=1)
    return np.concatenate([at + ways * (distance + to_edge)[:, None] for distance in distances_px])
