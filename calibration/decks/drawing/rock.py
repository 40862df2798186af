"""Texture of rock: facets of cellular noise under light from the upper left, with cracks and lichen."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.decks.drawing.noise import Grid, cellular, fbm, smoothstep, stream
from calibration.decks.drawing.palette import Palette, ramp


def painted_rock(card_id: str, seed: int, grid: Grid, palette: Palette, floor_mm: np.ndarray) -> np.ndarray:
    """Rock texture (H, W, 3) float32. `floor_mm`: distance to the nearest floor, near which the rock is
    lit."""
    rng = stream(seed, card_id, "rock")
    big_mm = float(rng.uniform(5.5, 8.5))
    slabs = _Facets(rng, grid, big_mm, warp_mm=0.30)
    chips = _Facets(rng, grid, big_mm * 0.36, warp_mm=0.16)
    clouds = fbm(rng, grid, 13.0, octaves=3)
    grain = fbm(rng, grid, 1.5, octaves=3, gain=0.6)
    relief = fbm(rng, grid, 4.0, octaves=4, gain=0.55)
    light = _lit(relief, grid) * 0.9
    tone = 0.47 + 0.17 * slabs.tone + 0.11 * chips.tone + 0.07 * clouds + 0.055 * grain + 0.13 * light
    # Each slab is dark at its border and catches light along the crack that faces the lamp.
    tone -= 0.30 * smoothstep(0.45, 0.0, slabs.border_mm) + 0.13 * smoothstep(0.22, 0.0, chips.border_mm)
    tone += 0.16 * smoothstep(1.1, 0.3, slabs.border_mm) * slabs.facing
    tone += 0.10 * smoothstep(0.55, 0.15, chips.border_mm) * chips.facing
    tone += 0.14 * smoothstep(2.2, 0.2, floor_mm) - 0.17 * smoothstep(2.0, 9.0, floor_mm)
    if rng.random() < 0.45:
        tone += _strata(rng, grid)
    rock = ramp(palette.rock, np.clip(tone, 0.0, 1.0))
    lichen = smoothstep(0.9, 1.9, fbm(rng, grid, 6.0, octaves=4, gain=0.65))[..., None]
    strength = float(rng.uniform(0.15, 0.42))
    tint = np.array(palette.accent, np.float32) * (0.35 + 0.65 * np.clip(tone, 0, 1)[..., None])
    rock = rock * (1 - strength * lichen) + tint * strength * lichen
    if rng.random() < 0.5:
        vein = smoothstep(0.11, 0.03, np.abs(fbm(rng, grid, 9.0, octaves=4, gain=0.5)))
        vein *= smoothstep(-0.2, 0.8, fbm(rng, grid, 8.0, octaves=2))
        share = (0.55 * vein * smoothstep(0.6, 1.6, floor_mm))[..., None]
        rock = rock + (np.array(palette.rock[3], np.float32) - rock) * share
    made: np.ndarray = rock.astype(np.float32)
    return made


def _strata(rng: np.random.Generator, grid: Grid) -> np.ndarray:
    """Texture of sediment layers: warped parallel bands of uneven tone."""
    x, y = grid.mm()
    turn = float(rng.uniform(0, np.pi))
    across = (
        x * np.float32(np.cos(turn)) + y * np.float32(np.sin(turn)) + 1.1 * fbm(rng, grid, 9.0, octaves=3)
    )
    return np.float32(0.075) * (np.sin(across * 1.9) + 0.7 * np.sin(across * 4.3 + 1.0)).astype(np.float32)


class _Facets:
    """Random tilted planes, one a cell: tone, distance to the border, and orientation relative to the
    light."""

    def __init__(self, rng: np.random.Generator, grid: Grid, cell_mm: float, warp_mm: float) -> None:
        cells = cellular(rng, grid, cell_mm, warp_mm)
        count = len(cells.centre_mm)
        tilt = rng.normal(0, 0.55, (count, 2)).astype(np.float32)
        level = rng.normal(0, 0.75, count).astype(np.float32)
        x, y = grid.mm()
        centre = cells.centre_mm.astype(np.float32)
        across = (x - centre[cells.label, 0]) / cell_mm
        down = (y - centre[cells.label, 1]) / cell_mm
        self.tone = level[cells.label] + 1.6 * (across * tilt[cells.label, 0] + down * tilt[cells.label, 1])
        self.border_mm = cells.border_mm
        self.facing = np.clip(-(across + down) * 1.6, -1, 1)


def _lit(height: np.ndarray, grid: Grid) -> np.ndarray:
    """Slope of a height field towards the upper left, of about unit standard deviation."""
    blurred = cv2.GaussianBlur(height, (0, 0), 0.12 * grid.px_per_mm)
    slope = cv2.Sobel(blurred, cv2.CV_32F, 1, 0) + cv2.Sobel(blurred, cv2.CV_32F, 0, 1)
    made: np.ndarray = np.clip(slope / (float(slope.std()) + 1e-6), -2.5, 2.5) * 0.6
    return made
