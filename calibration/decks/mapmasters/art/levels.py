"""Art of links between the levels: flights of stairs, and the path from the landing under a pit."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from calibration.decks.drawing.palette import UNDERGROUND, UNDERGROUND_DARK, UNDERGROUND_LIGHT, Palette, rgb
from calibration.decks.drawing.pen import INK, Pen, box, circle, lighter, polygon

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
