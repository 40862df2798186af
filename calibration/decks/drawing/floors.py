"""Textures of floors: dirt of main corridors between rock walls, and the yellow pattern of the
underground."""

from __future__ import annotations

import numpy as np

from calibration.decks.drawing.noise import Grid, fbm, smoothstep, stream
from calibration.decks.drawing.palette import UNDERGROUND, UNDERGROUND_DARK, UNDERGROUND_LIGHT, Palette
from calibration.decks.drawing.plan import Plan

_PATTERNS = ("waves", "diamonds", "bricks", "scales")


def _mix(base: np.ndarray, colour: np.ndarray | tuple[float, float, float], share: np.ndarray) -> np.ndarray:
    made: np.ndarray = base + (np.asarray(colour, np.float32) - base) * share[..., None]
    return made


def _cover(signed_mm: np.ndarray, grid: Grid, soft_mm: float = 0.0) -> np.ndarray:
    """Coverage from a signed distance: 1 inside, 0 outside, with a transition of one pixel or `soft_mm`."""
    half = max(soft_mm, 1.0 / grid.px_per_mm) / 2
    return smoothstep(half, -half, signed_mm)


def lay_underground(image: np.ndarray, card_id: str, seed: int, grid: Grid, plan: Plan) -> np.ndarray:
    """`image` with the underground floors drawn over it: patterned ochre with a soft edge and no walls."""
    rng = stream(seed, card_id, "underground")
    x, y = grid.mm()
    grain = fbm(rng, grid, 2.2, octaves=3)
    broad = fbm(rng, grid, 7.0, octaves=2)
    pattern = _PATTERNS[int(rng.integers(len(_PATTERNS)))]
    wave = _pattern(pattern, x + 0.25 * broad, y + 0.25 * grain)
    floor = np.empty((*grid.shape, 3), np.float32)
    floor[:] = np.array(UNDERGROUND, np.float32)
    floor = _mix(floor, UNDERGROUND_LIGHT, np.clip(0.25 + 0.25 * broad + 0.35 * np.clip(wave, 0, 1), 0, 0.8))
    floor = _mix(floor, UNDERGROUND_DARK, 0.42 * smoothstep(-0.35, -0.8, wave) + 0.06 * np.clip(grain, 0, 2))
    floor = _mix(floor, UNDERGROUND_DARK, 0.55 * smoothstep(-0.9, -0.05, plan.under_mm))
    out = _mix(image, (0.05, 0.03, 0.02), 0.5 * smoothstep(1.2, 0.0, plan.under_mm))
    cover = _cover(plan.under_mm, grid, soft_mm=0.35)[..., None]
    made: np.ndarray = out * (1 - cover) + floor * cover
    return made


def _pattern(name: str, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Height of a floor pattern at (x, y) in mm: -1 in its joints, up to 1 in its bodies; pitch about 2
    mm."""
    pitch = 2.1
    if name == "waves":
        return np.sin(2 * np.pi * (y + 0.42 * np.sin(2 * np.pi * x / (1.7 * pitch))) / (0.85 * pitch))
    if name == "diamonds":
        u, v = (x + y) / pitch, (x - y) / pitch
    elif name == "bricks":
        v = y / (0.72 * pitch)
        u = x / (1.5 * pitch) + 0.5 * (np.floor(v) % 2)
    else:
        v = y / (0.8 * pitch)
        u = x / (1.25 * pitch) + 0.5 * (np.floor(v) % 2)
        v = v + 0.35 * np.cos(2 * np.pi * u)
    edge = np.minimum(np.abs(u - np.round(u)), np.abs(v - np.round(v)))
    return smoothstep(0.0, 0.32, edge) * 2 - 1


def lay_dirt(
    image: np.ndarray, card_id: str, seed: int, grid: Grid, plan: Plan, palette: Palette
) -> np.ndarray:
    """`image` with the main corridors drawn over it: dark foot of the walls, inner shadow, and dirt with
    ruts."""
    rng = stream(seed, card_id, "dirt")
    broad = fbm(rng, grid, 5.0, octaves=3)
    grain = fbm(rng, grid, 1.3, octaves=3, gain=0.6)
    dirt = np.array(palette.dirt, np.float32)
    floor = dirt * (1 + 0.055 * broad + 0.035 * grain)[..., None]
    ruts = smoothstep(0.4, 0.05, np.abs(plan.main_line_mm - 1.15 + 0.18 * broad)) * smoothstep(
        -0.3, 0.9, grain
    )
    floor = _mix(floor, dirt * 0.74, 0.45 * ruts)
    wear = smoothstep(1.6, 0.2, plan.main_line_mm) * 0.22
    floor = _mix(floor, np.minimum(dirt * 1.12, 1.0), wear)
    # Shadow of the wall: deeper on the side that faces away from the light.
    down, across = np.gradient(plan.main_mm)
    away = np.clip((across + down) * grid.px_per_mm, -1, 1)
    depth = 0.55 - 0.28 * away
    floor = _mix(floor, dirt * 0.36, depth * smoothstep(-1.5, 0.1, plan.main_mm))
    out = _mix(
        image, np.array(palette.rock[0], np.float32) * 0.6, 0.93 * smoothstep(0.62, 0.36, plan.main_mm)
    )
    rim = smoothstep(0.5, 0.72, plan.main_mm) * smoothstep(1.25, 0.8, plan.main_mm)
    out = _mix(out, palette.rock[3], rim * np.clip(0.42 + 0.4 * away, 0, 1))
    cover = _cover(plan.main_mm, grid)[..., None]
    made: np.ndarray = out * (1 - cover) + floor * cover
    return made
