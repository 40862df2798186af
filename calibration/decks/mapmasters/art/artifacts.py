"""Icons of artifacts and of persons to escort, in the style of finds, and the tokens that show them."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import skia
from PIL import Image

from calibration.decks.drawing.noise import BLEED_MM, Grid
from calibration.decks.drawing.palette import rgb
from calibration.decks.drawing.pen import (
    INK,
    Pen,
    box,
    circle,
    curve,
    drawing,
    edges,
    ellipse,
    join,
    lighter,
    polygon,
)
from calibration.missions.pieces import TOKEN_MM

_LEATHER, _WOOL, _SKIN = rgb("8a5530"), rgb("f4efe2"), rgb("e8b98f")
_BRASS, _IRON = rgb("d9a832"), rgb("59616b")
_GROUND, _RIM = rgb("e9dcb9"), rgb("7a5a2c")


def _winged_boots(pen: Pen) -> None:
    boot = curve(
"-1.0,-3.5 1.3,-3.5 1.3,-3.5 1.2,0.3 2.6,0.9 3.7,1.7 3.8,2.7 3.8,2.7 -1.3,2.7 "
"-1.3,2.7 -1.2,0.3"
)  # fmt: skip
    wing = curve(
"-0.2,0.9 -2.0,0.9 -2.9,0.2 -2.1,0.1 -3.6,-0.9 -2.6,-0.9 -3.9,-2.5 -2.7,-2.2 "
"-3.4,-3.9 -1.2,-2.4 0.3,-0.6"
)  # fmt: skip
    pen.line(join(boot, wing), rgb("fff6dd"), 1.25, alpha=0.55)
    pen.solid(boot, _LEATHER)
    pen.solid(box(-1.1, -3.8, 1.5, -2.7, 0.35), lighter(_LEATHER, 0.35), outline=0.28)
    pen.solid(box(-1.5, 2.4, 3.9, 3.2, 0.3), rgb("3b2413"), outline=0.24)
    pen.solid(wing, _WOOL, contrast=0.12)
    for tip in ((-2.3, 0.2), (-2.8, -0.9), (-2.9, -2.2)):
        pen.line(polygon([(0.0, 0.1), tip], closed=False), rgb("8b8d95"), 0.24)


def _cook(pen: Pen) -> None:
    hat = join(
        circle(-1.7, -2.2, 1.5), circle(1.7, -2.2, 1.5), circle(0, -2.9, 1.7), box(-2, -2.4, 2, -0.2, 0.2)
    )
    head = curve("-2.1,-0.8 2.1,-0.8 2.4,1.2 1.3,3.3 -1.3,3.3 -2.4,1.2")
    pen.line(join(hat, head), rgb("fff6dd"), 1.25, alpha=0.55)
    pen.solid(head, _SKIN, contrast=0.2)
    pen.line(hat, INK, 0.68)
    pen.fill(hat, _WOOL)
    pen.fill(box(-2, -0.9, 2, -0.15, 0.1), rgb("c3c7cf"))
    for x in (-0.85, 0.85):
        pen.fill(circle(x, 0.75, 0.32), INK)
    pen.solid(ellipse(0, 1.35, 0.5, 0.42), lighter(_SKIN, -0.2), outline=0.14)
    pen.fill(curve("0,1.6 1.4,1.5 2.1,2.3 0.9,2.35 0,2.1 -0.9,2.35 -2.1,2.3 -1.4,1.5"), INK)


def _lantern(pen: Pen) -> None:
    ring = circle(0, -3.1, 0.95)
    body = curve("-1.7,-1.5 1.7,-1.5 2.3,0.5 1.8,2.6 -1.8,2.6 -2.3,0.5")
    cap = edges("-1.3,-2.4 1.3,-2.4 2.2,-1.2 -2.2,-1.2")
    foot = box(-2.4, 2.4, 2.4, 3.6, 0.35)
    pen.line(join(ring, body, cap, foot), rgb("fff6dd"), 1.25, alpha=0.55)
    pen.line(ring, INK, 0.95)
    pen.line(ring, _BRASS, 0.42)
    pen.line(body, INK, 0.68)
    pen.glow(
        body, [(rgb("fffbe0"), 1.0), (rgb("ffd75a"), 1.0), (rgb("c9791c"), 1.0)], (0, 0.9), 2.6, [0, 0.5, 1]
    )
    flame = curve("0,-0.9 0.7,0.5 0.6,1.5 0,1.9 -0.6,1.5 -0.7,0.5")
    pen.line(flame, rgb("b8480f"), 0.3)
    pen.fill(flame, rgb("fff8d2"))
    for x in (-1.15, 1.15):
        pen.line(polygon([(x, -1.3), (x * 1.3, 0.5), (x, 2.5)], closed=False), INK, 0.3)
    for part in (cap, foot):
        pen.solid(part, _BRASS)


def _miner(pen: Pen) -> None:
    head = curve("-2.0,-0.6 2.0,-0.6 2.3,1.0 1.3,2.2 -1.3,2.2 -2.3,1.0")
    beard = curve("-2.3,0.6 -1.1,1.7 0,1.3 1.1,1.7 2.3,0.6 2.1,2.7 0,4.1 -2.1,2.7")
    dome = skia.Path()
    dome.addArc(skia.Rect.MakeLTRB(-2.5, -3.6, 2.5, 1.8), 180, 180)
    dome.close()
    brim = box(-3.2, -1.3, 3.2, -0.4, 0.4)
    pen.line(join(head, beard, dome, brim), rgb("fff6dd"), 1.25, alpha=0.55)
    pen.solid(head, _SKIN, contrast=0.2)
    for x in (-0.9, 0.9):
        pen.fill(circle(x, 0.35, 0.32), INK)
    pen.solid(beard, rgb("8d5a33"), outline=0.26)
    pen.solid(ellipse(0, 1.0, 0.55, 0.45), lighter(_SKIN, -0.2), outline=0.14)
    for part in (dome, brim):
        pen.solid(part, _IRON, outline=0.3)
    pen.solid(circle(0, -2.2, 0.95), rgb("fff2a8"), outline=0.28)


#: By the names that missions and goals give them.
ARTIFACTS: dict[str, Callable[[Pen], None]] = {
    "winged_boots": _winged_boots,
    "cook": _cook,
    "lantern": _lantern,
    "miner": _miner,
}


def draw_artifact(pen: Pen, name: str) -> None:
    """Draw an artifact's icon around the origin, about 7.5 mm across; a plain star for an unknown name."""
    draw = ARTIFACTS.get(name)
    if draw is not None:
        draw(pen)
        return
    reach = [3.6 if k % 2 == 0 else 1.6 for k in range(10)]
    turns = [math.pi * k / 5 for k in range(10)]
    pen.solid(
        polygon([(r * math.sin(a), -r * math.cos(a)) for r, a in zip(reach, turns, strict=True)]), _BRASS
    )


def draw_token(name: str, px_per_mm: float) -> Image.Image:
    """The art of a round token of `TOKEN_MM`, on a square of that size, as RGB."""
    grid = Grid(px_per_mm, (TOKEN_MM, TOKEN_MM))
    pixels = np.full((*grid.shape, 4), 255, np.uint8)
    middle = TOKEN_MM / 2
    with drawing(pixels, grid) as pen, pen.at(middle, middle):
        pen.fill(circle(0, 0, middle + BLEED_MM), _RIM)
        pen.glow(circle(0, 0, middle - 1.3), [(lighter(_GROUND, 0.5), 1.0), (_GROUND, 1.0)], (0, 0), middle)
        pen.line(circle(0, 0, middle - 1.3), INK, 0.3)
        with pen.at(0, 0, scale=1.85):
            draw_artifact(pen, name)
    side = round(TOKEN_MM * px_per_mm)
    first = round(BLEED_MM * px_per_mm)
    return Image.fromarray(np.ascontiguousarray(pixels[first : first + side, first : first + side, :3]))
