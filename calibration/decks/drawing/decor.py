"""Small decorations in the rock, in muted colours unlike any find, and hatching along the walls."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from calibration.decks.drawing.noise import Grid, stream
from calibration.decks.drawing.palette import Colour, Palette
from calibration.decks.drawing.pen import (
    INK,
    Pen,
    circle,
    curve,
    edges,
    ellipse,
    lighter,
    polygon,
    smooth,
    stroke,
)
from calibration.decks.drawing.plan import Plan

Decoration = Callable[[Pen, np.random.Generator, Palette], None]


def _blend(a: Colour, b: Colour, share: float) -> Colour:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share


def _skull(pen: Pen, rng: np.random.Generator, palette: Palette) -> None:
    bone = _blend(palette.rock[2], (0.85, 0.8, 0.68), 0.28)
    pen.solid(
        curve("-1.2,-0.9 0,-1.6 1.2,-0.9 1.1,0.3 0.6,0.7 0.6,1.2 -0.6,1.2 -0.6,0.7 -1.1,0.3"),
        bone,
        outline=0.18,
    )
    for side in (-1, 1):
        pen.fill(ellipse(0.5 * side, -0.2, 0.32, 0.36), INK)
    pen.fill(edges("0,0.25 0.2,0.6 -0.2,0.6"), INK)


def _bones(pen: Pen, rng: np.random.Generator, palette: Palette) -> None:
    bone = _blend(palette.rock[2], (0.85, 0.8, 0.68), 0.4)
    for turn in rng.uniform(0, 180, 3):
        x, y = (float(v) for v in rng.uniform(-0.6, 0.6, 2))
        with pen.at(x, y, float(turn)):
            shaft = stroke("-1.3,0 1.3,0")
            for colour, width, extra in ((INK, 0.72, 0.16), (bone, 0.4, 0.0)):
                pen.line(shaft, colour, width)
                for end in (-1.35, 1.35):
                    for side in (-0.22, 0.22):
                        pen.fill(circle(end, side, 0.3 + extra), colour)


def _mushrooms(pen: Pen, rng: np.random.Generator, palette: Palette) -> None:
    cap = _blend(palette.accent, palette.rock[2], 0.45)
    for _ in range(int(rng.integers(2, 5))):
        x, y = (float(v) for v in rng.uniform(-1.2, 1.2, 2))
        size = float(rng.uniform(0.55, 1.0))
        with pen.at(x, y, 0.0, size):
            pen.solid(curve("-0.3,0 0.3,0 0.4,1.5 -0.4,1.5"), palette.rock[3], outline=0.18)
            pen.solid(curve("-1.3,0.3 -1.0,-0.8 0,-1.3 1.0,-0.8 1.3,0.3 0,0.5"), cap, outline=0.18)
            for dx, dy in ((-0.5, -0.4), (0.4, -0.6), (0.1, 0.0)):
                pen.fill(circle(dx, dy, 0.17), lighter(cap, 0.6))


def _crystals(pen: Pen, rng: np.random.Generator, palette: Palette) -> None:
    colour = _blend(palette.accent, palette.rock[2], 0.4)
    count = int(rng.integers(3, 6))
    for turn in np.linspace(-65, 65, count) + rng.uniform(-8, 8, count):
        with pen.at(0, 1.0, float(turn)):
            height, half = float(rng.uniform(1.6, 2.9)), float(rng.uniform(0.35, 0.55))
            pen.solid(
                polygon([(-half, 0), (-half, -height + 0.6), (0, -height), (half, -height + 0.6), (half, 0)]),
                colour,
                outline=0.16,
            )
            pen.fill(
                polygon([(0, 0), (0, -height), (-half, -height + 0.6), (-half, 0)]),
                lighter(colour, 0.5),
                0.65,
            )


def _roots(pen: Pen, rng: np.random.Generator, palette: Palette) -> None:
    wood = _blend(palette.rock[1], (0.36, 0.25, 0.15), 0.5)
    for _ in range(4):
        steps = rng.normal(0, 0.5, (6, 2)) + np.array([np.cos(a := rng.uniform(0, 6.3)), np.sin(a)]) * 0.55
        points = np.cumsum(np.vstack([[0, 0], steps]), axis=0)
        path = smooth(points, closed=False)
        pen.line(path, INK, 0.6, alpha=0.8)
        pen.line(path, lighter(wood, 0.2), 0.3)


def _puddle(pen: Pen, rng: np.random.Generator, palette: Palette) -> None:
    angles = np.arange(9) * 2 * np.pi / 9
    shape = np.stack([np.cos(angles) * 1.9, np.sin(angles) * 1.3], axis=1) * rng.uniform(0.7, 1.15, (9, 1))
    water = _blend(palette.rock[1], (0.35, 0.5, 0.56), 0.6)
    pen.solid(smooth(shape), water, outline=0.2, contrast=0.25)
    pen.line(smooth(shape * 0.6), lighter(water, 0.45), 0.14, alpha=0.7)
    pen.line(stroke("-0.7,-0.35 0.1,-0.5"), lighter(water, 0.8), 0.2, alpha=0.8)


def _web(pen: Pen, rng: np.random.Generator, palette: Palette) -> None:
    silk = lighter(palette.rock[3], 0.4)
    spokes = [
        np.array([np.cos(a), np.sin(a)]) * rng.uniform(1.6, 2.4)
        for a in np.arange(7) * 2 * np.pi / 7 + rng.uniform(0, 0.9)
    ]
    for spoke in spokes:
        pen.line(polygon([(0, 0), tuple(spoke)], closed=False), silk, 0.12, alpha=0.7)
    for share in (0.3, 0.55, 0.8):
        pen.line(polygon([tuple(s * share) for s in spokes]), silk, 0.1, alpha=0.65)


def _boulder(pen: Pen, rng: np.random.Generator, palette: Palette) -> None:
    for x, y, radius in ((0.0, 0.0, 1.5), (1.4, 0.7, 0.9), (-1.2, 0.9, 0.75)):
        angles = np.arange(8) * 2 * np.pi / 8
        shape = np.stack([np.cos(angles), np.sin(angles)], axis=1) * (
            radius * rng.uniform(0.85, 1.15, (8, 1))
        ) + [x, y]
        stone = polygon(shape)
        with pen.at(0.25, 0.35):
            pen.fill(stone, INK, 0.55, blur=0.3)
        colour = lighter(palette.rock[2], float(rng.uniform(-0.1, 0.25)))
        pen.solid(stone, colour, outline=0.2, contrast=0.4)
        pen.line(
            polygon([tuple(shape[4]), (x - 0.1 * radius, y), tuple(shape[7])], closed=False),
            lighter(colour, 0.4),
            0.16,
            alpha=0.7,
        )
        pen.line(polygon([(x - 0.1 * radius, y), tuple(shape[1])], closed=False), INK, 0.14, alpha=0.6)


def _stalagmites(pen: Pen, rng: np.random.Generator, palette: Palette) -> None:
    for x, y, height in ((-0.9, 0.6, 2.0), (0.8, 0.8, 2.4), (0.0, 1.3, 1.4)):
        pen.solid(
            curve(
                f"{x - 0.65},{y} {x - 0.25},{y - height * 0.5} {x},{y - height * 1.15} "
                f"{x + 0.25},{y - height * 0.5} {x + 0.65},{y}"
            ),
            palette.rock[2],
            outline=0.18,
            contrast=0.45,
        )
        pen.line(
            polygon([(x - 0.15, y - 0.3), (x - 0.05, y - height * 0.7)], closed=False),
            palette.rock[3],
            0.14,
            alpha=0.8,
        )


def _glyph(pen: Pen, rng: np.random.Generator, palette: Palette) -> None:
    """Draw a carved sign: a ring with random chords."""
    carve = lighter(palette.rock[0], -0.2)
    points = [(1.5 * float(np.cos(a)), 1.5 * float(np.sin(a))) for a in rng.uniform(0, 2 * np.pi, 5)]
    for shift, colour in ((0.14, palette.rock[3]), (0.0, carve)):
        with pen.at(shift, shift):
            pen.line(circle(0, 0, 1.75), colour, 0.24, alpha=0.75)
            pen.line(polygon(points), colour, 0.22, alpha=0.75)


DECORATIONS: tuple[Decoration, ...] = (
    _skull, _bones, _mushrooms, _crystals, _roots, _puddle, _web, _boulder, _boulder, _stalagmites, _glyph,
)  # fmt: skip
ROOM_MM = 2.9  # a decoration's half width and some air


def draw_decorations(
    pen: Pen, card_id: str, seed: int, grid: Grid, floor_mm: np.ndarray, palette: Palette
) -> None:
    """Scatter decorations over the rock, at least `ROOM_MM` from any floor. `floor_mm` (H, W): distance to
    the nearest floor."""
    rng = stream(seed, card_id, "decor")
    placed: list[tuple[np.ndarray, float]] = []
    kinds = rng.permutation(len(DECORATIONS))
    for spot in rng.uniform((1.5, 1.5), (grid.size_mm[0] - 1.5, grid.size_mm[1] - 1.5), (260, 2)):
        column, row = np.floor(grid.to_px(spot)).astype(int)
        if floor_mm[row, column] < ROOM_MM + 0.3 or (spot[0] < 16.0 and spot[1] > 76.0):
            continue
        # Where there is room a decoration grows: large and small ones tell cards apart.
        size = float(rng.uniform(0.75, 1.15)) * (
            1.45 if floor_mm[row, column] > 5.0 and rng.random() < 0.6 else 1.0
        )
        if any(float(np.hypot(*(spot - other))) < 2.75 * (size + grown) for other, grown in placed):
            continue
        draw = DECORATIONS[int(kinds[len(placed) % len(kinds)])]
        with pen.at(float(spot[0]), float(spot[1]), float(rng.uniform(-180, 180)), size):
            with pen.at(0.2, 0.3):
                pen.fill(ellipse(0, 0.2, 1.9, 1.6), INK, 0.35, blur=0.6)
            draw(pen, rng, palette)
        placed.append((spot, size))


def draw_strokes(pen: Pen, card_id: str, seed: int, grid: Grid, plan: Plan, palette: Palette) -> None:
    """Draw hatching away from the foot of the walls, and brush strokes over the rock."""
    rng = stream(seed, card_id, "strokes")
    floor = plan.main_mm
    down, across = np.gradient(floor)
    height, width = grid.shape
    for spot in rng.uniform((-1, -1), (grid.size_mm[0] + 1, grid.size_mm[1] + 1), (3200, 2)):
        column, row = np.floor(grid.to_px(spot)).astype(int)
        off = float(floor[min(row, height - 1), min(column, width - 1)])
        if off < 0.75 or float(plan.under_mm[min(row, height - 1), min(column, width - 1)]) < 1.2:
            continue
        x, y = float(spot[0]), float(spot[1])
        if off < 2.0:
            out = np.array([across[row, column], down[row, column]])
            out = out / (float(np.hypot(*out)) + 1e-6)
            reach = float(rng.uniform(0.5, 1.5))
            end = (x + float(out[0]) * reach, y + float(out[1]) * reach)
            pen.line(
                polygon([(x, y), end], closed=False),
                palette.rock[0],
                float(rng.uniform(0.12, 0.24)),
                alpha=0.7,
            )
        elif rng.random() < 0.35:
            turn = float(rng.normal(-0.8, 0.35))
            reach = float(rng.uniform(0.4, 1.6))
            light = rng.random() < 0.5
            path = smooth(
                [(x, y), (x + reach * 0.5, y + 0.15), (x + reach * np.cos(turn), y + reach * np.sin(turn))],
                closed=False,
            )
            pen.line(
                path, palette.rock[3] if light else palette.rock[0], float(rng.uniform(0.1, 0.28)), alpha=0.32
            )


def draw_pebbles(pen: Pen, card_id: str, seed: int, grid: Grid, plan: Plan, palette: Palette) -> None:
    """Draw pebbles on the dirt floors, mostly near the walls; they are pale and round, unlike any line."""
    rng = stream(seed, card_id, "pebbles")
    for spot in rng.uniform((0, 0), grid.size_mm, (2600, 2)):
        column, row = np.floor(grid.to_px(spot)).astype(int)
        inside = -float(plan.main_mm[row, column])
        if (
            inside <= 0.35
            or plan.main_line_mm[row, column] > 4.0
            or rng.random() < (0.35 if inside < 1.5 else 0.8)
        ):
            continue
        radius = float(rng.uniform(0.14, 0.42 if inside < 1.6 else 0.26))
        x, y = float(spot[0]), float(spot[1])
        colour = lighter(palette.dirt, float(rng.uniform(-0.3, 0.15)))
        pen.fill(ellipse(x + 0.1, y + 0.13, radius, radius * 0.8), lighter(palette.dirt, -0.65), 0.6)
        pen.fill(ellipse(x, y, radius, radius * 0.8), colour)
        pen.fill(circle(x - radius * 0.3, y - radius * 0.3, radius * 0.35), lighter(colour, 0.5), 0.8)
