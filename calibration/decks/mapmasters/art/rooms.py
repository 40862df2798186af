"""Art of rooms: flagstones inside the outline, masonry walls around it, a threshold at each door."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import skia

from calibration.decks.drawing.noise import stream
from calibration.decks.drawing.palette import (
    UNDERGROUND,
    UNDERGROUND_DARK,
    UNDERGROUND_LIGHT,
    Colour,
    Palette,
    rgb,
)
from calibration.decks.drawing.pen import INK, Pen, box, circle, lighter, polygon, smooth
from calibration.decks.drawing.plan import room_outline
from scorer.catalogue import Card, Node

WALL_MM = 1.9
DOOR_MM = 5.6  # the gap in the wall
_WOOD = rgb("b67f48")
_STONE = rgb("cbc5b6")
GOLD = rgb("d3a437")


def draw_rooms(pen: Pen, card: Card, seed: int, palette: Palette) -> None:
    """Draw every room of `card` with its walls and doors, without finds."""
    for room in card.rooms:
        rng = stream(seed, card.id, f"room {room.id}")
        outline = room_outline(room)
        below = room.level != "main"
        floor = UNDERGROUND if below else palette.flag
        with pen.within(polygon(outline)):
            _flagstones(pen, rng, outline, floor)
            if card.kind in ("boss", "step"):
                _medallion(pen, outline, floor)
            pen.line(polygon(outline), INK, 3.4, alpha=0.55, blur=0.8)
            with pen.at(0.5, 0.5):
                pen.line(polygon(outline), INK, 2.4, alpha=0.35, blur=0.6)
        doors = [node for node in card.nodes if node.kind == "door" and node.room == room.id]
        _walls(
            pen,
            rng,
            outline,
            doors,
            lighter(UNDERGROUND, -0.25) if below else palette.wall,
            card.kind == "boss",
        )


def _flagstones(pen: Pen, rng: np.random.Generator, outline: np.ndarray, colour: Colour) -> None:
    (x0, y0), (x1, y1) = outline.min(axis=0), outline.max(axis=0)
    pen.fill(polygon(outline), lighter(colour, -0.42))
    upright = bool(rng.integers(2))
    row = -float(rng.uniform(0, 2))
    length, depth = (y1 - y0, x1 - x0) if upright else (x1 - x0, y1 - y0)
    while row < depth:
        height = float(rng.uniform(2.9, 4.6))
        along = -float(rng.uniform(0, 3))
        while along < length:
            width = float(rng.uniform(3.0, 6.2))
            a, b, c, d = along, row, along + width, row + height
            if upright:
                a, b, c, d = b, a, d, c
            _flagstone(pen, rng, (x0 + a, y0 + b, x0 + c, y0 + d), colour)
            along += width
        row += height


def _flagstone(
    pen: Pen, rng: np.random.Generator, bounds: tuple[float, float, float, float], colour: Colour
) -> None:
    x0, y0, x1, y1 = bounds
    gap = 0.13
    jitter = rng.uniform(-0.16, 0.16, (8, 2))
    middle_x, middle_y = (x0 + x1) / 2, (y0 + y1) / 2
    corners = np.array(
        [
            (x0 + gap, y0 + gap), (middle_x, y0 + gap), (x1 - gap, y0 + gap), (x1 - gap, middle_y),
            (x1 - gap, y1 - gap), (middle_x, y1 - gap), (x0 + gap, y1 - gap), (x0 + gap, middle_y),
        ]
    )  # fmt: skip
    stone = polygon(corners + jitter)
    warm, tone = rng.uniform(-0.025, 0.025), float(rng.uniform(-0.10, 0.07))
    tint = lighter((colour[0] + warm, colour[1], colour[2] - warm), tone)
    pen.shade(stone, (lighter(tint, 0.12), lighter(tint, -0.09)), (x0, y0), (x1, y1))
    with pen.within(stone):
        pen.line(
            polygon([(x0, y1), (x0 + 0.1, y0 + 0.1), (x1, y0)], closed=False),
            lighter(tint, 0.5),
            0.42,
            alpha=0.7,
        )
        pen.line(polygon([(x0, y1), (x1, y1), (x1, y0)], closed=False), lighter(tint, -0.4), 0.42, alpha=0.5)
        for _ in range(int(rng.integers(1, 4))):
            x, y = rng.uniform((x0, y0), (x1, y1))
            pen.fill(circle(float(x), float(y), float(rng.uniform(0.12, 0.3))), lighter(tint, -0.28), 0.6)
        if rng.random() < 0.3:
            start = np.array([rng.uniform(x0, x1), y0 if rng.random() < 0.5 else y1])
            steps = rng.normal(0, 0.55, (4, 2)) + (np.array([middle_x, middle_y]) - start) / 3
            crack = [tuple(start), *(tuple(point) for point in start + np.cumsum(steps, axis=0))]
            pen.line(polygon(crack, closed=False), lighter(tint, -0.42), 0.14, alpha=0.7)


def _medallion(pen: Pen, outline: np.ndarray, colour: Colour) -> None:
    """Draw inlaid rings on the floor of a lair, pale enough for ink to be visible."""
    x, y = (float(v) for v in (outline.min(axis=0) + outline.max(axis=0)) / 2)
    reach = float((outline.max(axis=0) - outline.min(axis=0)).min()) * 0.40
    brass = rgb("c2a765")
    with pen.at(x, y):
        pen.fill(circle(0, 0, reach), lighter(colour, 0.25), 0.45)
        pen.line(circle(0, 0, reach), brass, 0.9, alpha=0.65)
        pen.line(circle(0, 0, reach - 1.2), brass, 0.4, alpha=0.6)
        for k in range(8):
            with pen.at(0, 0, 45 * k):
                pen.fill(polygon([(0, -0.8), (reach - 1.4, 0), (0, 0.8)]), brass, 0.30)


def _walls(
    pen: Pen, rng: np.random.Generator, outline: np.ndarray, doors: list[Node], colour: Colour, grand: bool
) -> None:
    corners = [np.array(p, float) for p in outline]
    gaps: list[tuple[np.ndarray, np.ndarray]] = []
    runs: list[tuple[np.ndarray, np.ndarray]] = []
    for start, end in zip(corners, [*corners[1:], corners[0]], strict=True):
        length = float(np.hypot(*(end - start)))
        along = (end - start) / length
        begin = 0.0
        for stop in sorted(_stops(doors, start, along, length)):
            if stop - DOOR_MM / 2 > begin:
                runs.append((start + along * begin, start + along * (stop - DOOR_MM / 2)))
            gaps.append((start + along * stop, along))
            begin = stop + DOOR_MM / 2
        if begin < length:
            runs.append((start + along * begin, end))
    for centre, along in gaps:
        _threshold(pen, rng, centre, along)
    for start, end in runs:
        _masonry(pen, rng, start, end, colour)
    for corner in corners:
        if not any(float(np.hypot(*(corner - centre))) < DOOR_MM / 2 for centre, _ in gaps):
            _pillar(pen, corner, 1.45 if grand else 1.25, GOLD if grand else lighter(colour, 0.08))
            if grand:
                _brazier(pen, corner)
    for centre, along in gaps:
        for side in (-1, 1):
            _pillar(pen, centre + along * side * (DOOR_MM / 2 + 0.25), 1.05, lighter(colour, 0.16))


def _brazier(pen: Pen, at: np.ndarray) -> None:
    x, y = float(at[0]), float(at[1])
    pen.glow(circle(x, y, 4.2), [(rgb("ffb347"), 0.55), (rgb("ff9a2e"), 0.0)], (x, y), 4.2)
    pen.solid(circle(x, y, 0.95), rgb("5a4030"), outline=0.2)
    pen.glow(
        circle(x, y, 0.75), [(rgb("fff6c0"), 1.0), (rgb("ffb02e"), 1.0), (rgb("d8551a"), 1.0)], (x, y), 0.75
    )


def _stops(doors: list[Node], start: np.ndarray, along: np.ndarray, length: float) -> Iterator[float]:
    """Positions in mm along a wall from `start` of the doors on it."""
    for door in doors:
        dx, dy = np.array(door.at, float) - start
        ahead, aside = dx * along[0] + dy * along[1], dx * along[1] - dy * along[0]
        if abs(aside) < 0.6 and -0.1 <= ahead <= length + 0.1:
            yield float(ahead)


def _masonry(pen: Pen, rng: np.random.Generator, start: np.ndarray, end: np.ndarray, colour: Colour) -> None:
    length = float(np.hypot(*(end - start)))
    if length < 0.4:
        return
    turn = float(np.degrees(np.arctan2(end[1] - start[1], end[0] - start[0])))
    half = WALL_MM / 2
    with pen.at(float(start[0]), float(start[1]), turn):
        with pen.at(0.25, 0.3):
            pen.fill(box(0, -half - 0.2, length, half + 0.3), INK, 0.55, blur=0.4)
        pen.fill(box(-0.1, -half - 0.28, length + 0.1, half + 0.28, 0.3), INK)
        count = max(1, round(length / float(rng.uniform(2.1, 2.9))))
        cuts = np.linspace(0, length, count + 1)
        cuts[1:-1] += rng.uniform(-0.4, 0.4, count - 1)
        # The light stays at the upper left however the wall runs.
        light = np.array([-0.7, -0.7])
        normal = np.array([np.sin(np.radians(turn)), -np.cos(np.radians(turn))])
        lit = 1 if float(normal @ light) > 0 else -1
        for a, b in pairwise(cuts):
            block = box(
                float(a) + 0.07,
                -half + float(rng.uniform(0, 0.2)),
                float(b) - 0.07,
                half - float(rng.uniform(0, 0.2)),
                0.35,
            )
            tint = lighter(colour, float(rng.uniform(-0.16, 0.12)))
            pen.shade(
                block, (lighter(tint, 0.38), tint, lighter(tint, -0.35)), (0, -half * lit), (0, half * lit)
            )
            with pen.within(block):
                x = float(rng.uniform(a, b))
                pen.fill(circle(x, float(rng.uniform(-0.5, 0.5)), 0.2), lighter(tint, -0.4), 0.6)
                pen.line(
                    polygon(
                        [(float(a) + 0.3, -half * lit * 0.72), (float(b) - 0.3, -half * lit * 0.72)],
                        closed=False,
                    ),
                    lighter(tint, 0.65),
                    0.2,
                    alpha=0.75,
                )


def _pillar(pen: Pen, at: np.ndarray, half: float, colour: Colour) -> None:
    with pen.at(float(at[0]), float(at[1])):
        with pen.at(0.25, 0.3):
            pen.fill(box(-half, -half, half, half, 0.4), INK, 0.5, blur=0.35)
        block = box(-half, -half, half, half, 0.45)
        pen.solid(block, colour, outline=0.26, contrast=0.42)
        pen.line(
            box(-half + 0.4, -half + 0.4, half - 0.4, half - 0.4, 0.25), lighter(colour, 0.5), 0.18, alpha=0.7
        )


def _threshold(pen: Pen, rng: np.random.Generator, centre: np.ndarray, along: np.ndarray) -> None:
    turn = float(np.degrees(np.arctan2(along[1], along[0])))
    wooden = bool(rng.integers(2))
    colour = _WOOD if wooden else _STONE
    half, depth = DOOR_MM / 2, 1.25
    with pen.at(float(centre[0]), float(centre[1]), turn):
        pen.fill(box(-half, -depth - 0.15, half, depth + 0.15, 0.2), INK, 0.75)
        if wooden:
            for k in range(3):
                y = -depth + k * 2 * depth / 3
                plank = box(-half + 0.1, y + 0.05, half - 0.1, y + 2 * depth / 3 - 0.05, 0.12)
                tint = lighter(colour, float(rng.uniform(-0.08, 0.12)))
                pen.shade(plank, (lighter(tint, 0.25), lighter(tint, -0.15)), (0, y), (0, y + 0.8))
                for x in (-half + 0.6, half - 0.6):
                    pen.fill(circle(x, y + depth / 3, 0.13), INK)
        else:
            for k in range(3):
                x = -half + k * DOOR_MM / 3
                slab = box(x + 0.06, -depth, x + DOOR_MM / 3 - 0.06, depth, 0.3)
                tint = lighter(colour, float(rng.uniform(-0.05, 0.2)))
                pen.shade(slab, (lighter(tint, 0.3), lighter(tint, -0.2)), (x, -depth), (x + 1.9, depth))


def rubble(
    pen: Pen, rng: np.random.Generator, at: tuple[float, float], away: tuple[float, float], palette: Palette
) -> None:
    """Draw a cave-in that closes a dead end, on the side `away` from the corridor."""
    heading = float(np.arctan2(away[1], away[0]))
    stones = []
    for reach, count in ((4.3, 7), (3.1, 6), (2.1, 4)):
        for angle in np.linspace(-1.25, 1.25, count) + rng.uniform(-0.12, 0.12, count):
            stones.append((reach + float(rng.uniform(-0.3, 0.3)), heading + float(angle)))
    for reach, angle in stones:
        x, y = at[0] + reach * float(np.cos(angle)), at[1] + reach * float(np.sin(angle))
        radius = float(rng.uniform(0.6, 1.25))
        angles = np.arange(7) * 2 * np.pi / 7 + rng.uniform(-0.3, 0.3, 7)
        shape = np.stack([np.cos(angles), np.sin(angles)], axis=1) * (
            radius * rng.uniform(0.75, 1.15, (7, 1))
        )
        stone: skia.Path = (
            smooth(shape + np.array([x, y])) if rng.random() < 0.5 else polygon(shape + np.array([x, y]))
        )
        with pen.at(0.2, 0.3):
            pen.fill(stone, INK, 0.5, blur=0.3)
        pen.solid(stone, lighter(palette.rock[2], float(rng.uniform(-0.15, 0.35))), outline=0.2, contrast=0.4)


# --- links between levels -----------------------------------------------------------------------------------

_STEP = rgb("d2cec4")


def flight(pen: Pen, top: tuple[float, float], foot: tuple[float, float], palette: Palette) -> None:
    """Draw steps from `top` (main level) down to `foot` (underground), growing darker, narrower and more
    yellow."""
    run = np.subtract(foot, top)
    length = float(np.hypot(*run))
    if length < 0.5:
        run, length = np.array([1.0, 0.0]), 0.0
    turn = float(np.degrees(np.arctan2(run[1], run[0])))
    begin, end = -2.3, length + 1.3  # the foot ends on yellow ground that stays in sight
    with pen.at(float(top[0]), float(top[1]), turn):
        well = polygon([(begin, -3.3), (end, -2.7), (end, 2.7), (begin, 3.3)])
        pen.fill(well, INK, 0.55, blur=0.5)
        pen.solid(well, lighter(palette.wall, -0.15), outline=0.3)
        count = max(4, round((end - begin) / 1.55))
        cuts = np.linspace(begin + 0.15, end - 0.15, count + 1)
        for k, (a, b) in enumerate(pairwise(cuts)):
            t = k / (count - 1)
            half = 2.62 - 0.5 * t
            tread = tuple(float(p + (q - p) * t) for p, q in zip(_STEP, UNDERGROUND, strict=True))
            colour = lighter((tread[0], tread[1], tread[2]), -0.16 * t)
            pen.fill(box(float(a), -half, float(b), half), INK)
            pen.shade(
                box(float(a) + 0.32, -half, float(b), half, 0.15),
                (lighter(colour, 0.22), lighter(colour, -0.12)),
                (float(a), 0),
                (float(b), 0),
            )
            pen.fill(box(float(a) + 0.02, -half, float(a) + 0.42, half), lighter(colour, -0.62))
        # An arrow head cut into the middle step points down.
        middle = float(length / 2)
        head = polygon([(middle - 0.9, -1.2), (middle + 1.1, 0), (middle - 0.9, 1.2), (middle - 0.35, 0)])
        pen.fill(head, lighter(UNDERGROUND_DARK, -0.35), 0.85)


def plate(pen: Pen, at: tuple[float, float]) -> None:
    """Draw yellow ground around an underground find, to mark its level near main floors."""
    x, y = at
    pen.fill(circle(x, y, 4.5), INK, 0.45, blur=0.45)
    pen.fill(circle(x, y, 4.25), UNDERGROUND_DARK)
    pen.glow(circle(x, y, 3.95), [(UNDERGROUND_LIGHT, 1.0), (UNDERGROUND, 1.0)], at, 3.95)


def landing(pen: Pen, line: np.ndarray, reach_mm: float) -> None:
    """Draw ochre footholds along the first `reach_mm` of an underground `line` from its pit, where floors
    cover it."""
    steps = np.hypot(*np.diff(line, axis=0).T)
    along = np.concatenate([[0.0], np.cumsum(steps)])
    for at in np.arange(4.6, min(reach_mm, float(along[-1])), 1.9):
        x = float(np.interp(at, along, line[:, 0]))
        y = float(np.interp(at, along, line[:, 1]))
        pen.fill(circle(x, y, 0.72), UNDERGROUND_DARK, 0.55, blur=0.12)
        pen.fill(circle(x, y, 0.48), UNDERGROUND_LIGHT, 0.9)
