"""What square tiles of all sets share: passages to their open sides, and walls of rock about a floor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from calibration.decks.drawing.decor import draw_decorations, draw_strokes
from calibration.decks.drawing.floors import lay_dirt
from calibration.decks.drawing.noise import Grid
from calibration.decks.drawing.palette import Palette
from calibration.decks.drawing.plan import Plan
from calibration.decks.drawing.rock import painted_rock
from calibration.decks.drawing.sheet_of_art import Sheet
from scorer.catalogue import Point, Side

TOWARDS: dict[Side, tuple[int, int]] = {"top": (0, -1), "right": (1, 0), "bottom": (0, 1), "left": (-1, 0)}


def passages(sides: Sequence[Side], grid: Grid) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Coordinates x and y (H, W) from the middle of a tile, and the distance (H, W) to the nearest centre
    line of a passage to an open side, all in millimetres."""
    middle = np.float32(grid.size_mm[0] / 2)
    x, y = grid.mm()
    x, y = np.broadcast_arrays(x - middle, y - middle)
    line = np.full(grid.shape, 99.0, np.float32)
    for side in sides:
        across, down = TOWARDS[side]
        along = x * across + y * down
        off = np.abs(x * down) + np.abs(y * across)
        line = np.minimum(line, np.where(along > 0, off, np.hypot(x, y)))
    return x, y, line


def tile_plan(floor_mm: np.ndarray, line_mm: np.ndarray) -> Plan:
    """The plan of a tile without an underground, from the distances to its floor and its centre lines."""
    under = np.full(floor_mm.shape, 99.0, np.float32)
    return Plan(floor_mm.astype(np.float32), under, line_mm.astype(np.float32), lines=())


def walls_and_floor(
    sheet: Sheet, name: str, seed: int, plan: Plan, palette: Palette, clear: tuple[Point, float] | None
) -> np.ndarray:
    """Draw decorated rock on a sheet; returns its picture (H, W, 3) with a floor laid on it. Nothing is drawn
    on the rock within `clear`, a middle and a radius in millimetres."""
    grid = sheet.grid
    sheet.lay(painted_rock(name, seed, grid, palette, np.maximum(plan.main_mm, 0)))
    free_mm = plan.main_mm
    if clear is not None:
        (x0, y0), radius = clear
        x, y = grid.mm()
        free_mm = np.minimum(free_mm, np.hypot(x - x0, y - y0) - np.float32(radius))
    with sheet.pen() as pen:
        draw_strokes(pen, name, seed, grid, plan, palette)
        draw_decorations(pen, name, seed, grid, free_mm, palette)
    return lay_dirt(sheet.as_float(), name, seed, grid, plan, replace(palette, dirt=palette.flag))
