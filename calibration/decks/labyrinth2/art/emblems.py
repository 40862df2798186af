"""Emblems of tiles: a picture on a round plaque, upright as the tile. No two tiles of one shape share an
emblem.

Each emblem is drawn around the origin, within 5 mm, in one light colour with dark lines.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import skia

from calibration.decks.drawing.palette import Colour, rgb
from calibration.decks.drawing.pen import (
    INK,
    Pen,
    bow,
    box,
    circle,
    curve,
    edges,
    ellipse,
    lighter,
    polygon,
    smooth,
    stroke,
)

Emblem = Callable[[Pen, Colour], None]
PLAQUE_MM = 7.2  # radius
_GROUNDS = tuple(rgb(word) for word in ["7d1f2b", "1d4e79", "2d5a34", "5b2d6e", "8a5a12", "14575a", "3a3f49"])
_LIGHTS = tuple(rgb(word) for word in ["f6d469", "f3efe2", "ffb199", "a8e0f0", "c6ec9a"])


def _body(pen: Pen, path: skia.Path, colour: Colour) -> None:
    pen.solid(path, colour, outline=0.3, contrast=0.22)


def _tower(pen: Pen, c: Colour) -> None:
    _body(
        pen,
        edges(
            "-2.6,4.6 -2.2,-1.6 -3,-2.2 -3,-4.6 -1.7,-4.6 -1.7,-3.4 -0.6,-3.4 -0.6,-4.6 "
            "0.6,-4.6 0.6,-3.4 1.7,-3.4 1.7,-4.6 3,-4.6 3,-2.2 2.2,-1.6 2.6,4.6"
        ),
        c,
    )
    pen.fill(box(-0.9, 1.6, 0.9, 4.5, 0.8), INK)
    pen.fill(box(-0.45, -1.4, 0.45, 0.2), INK)


def _bell(pen: Pen, c: Colour) -> None:
    _body(pen, circle(0, 3.7, 1.0), lighter(c, -0.25))
    _body(
        pen, curve("-4.2,3.2 -2.6,1.6 -2.4,-2.2 -0.8,-4.3 0.8,-4.3 2.4,-2.2 2.6,1.6 4.2,3.2 2,3.4 -2,3.4"), c
    )
    pen.line(stroke("-2.6,1.4 2.6,1.4"), INK, 0.35)


def _key(pen: Pen, c: Colour) -> None:
    pen.line(stroke("0,-1 0,4.6"), INK, 1.9)
    pen.line(stroke("0,4.2 2.3,4.2"), INK, 1.7)
    pen.line(stroke("0,2 1.8,2"), INK, 1.7)
    pen.line(circle(0, -2.6, 1.75), INK, 1.9)
    pen.line(stroke("0,-1 0,4.6"), c, 1.2)
    pen.line(stroke("0,4.2 2.2,4.2"), c, 1.0)
    pen.line(stroke("0,2 1.7,2"), c, 1.0)
    pen.line(circle(0, -2.6, 1.75), c, 1.2)


def _flame(pen: Pen, c: Colour) -> None:
    _body(
        pen,
        curve("0,-5.4 1.2,-2.6 3.4,-0.6 3.4,3 0.8,4.9 -0.8,4.9 -3.4,3 -3.2,-0.4 -1.6,0.4 -1.4,-2.4"),
        rgb("ef7d22"),
    )
    pen.fill(curve("0.2,-1.6 1.7,1.4 1.4,3.6 0,4.3 -1.4,3.6 -1.3,1.6"), c)


def _tree(pen: Pen, c: Colour) -> None:
    _body(pen, box(-0.8, 1.5, 0.8, 4.9), rgb("8a5a33"))
    for y, half in ((2.4, 3.7), (0.1, 3.0), (-2.1, 2.2)):
        _body(pen, polygon([(-half, y), (0, y - 3.1), (half, y)]), c)


def _mushroom(pen: Pen, c: Colour) -> None:
    _body(pen, curve("-1.1,0 1.1,0 1.6,4.7 -1.6,4.7"), rgb("f3e9d2"))
    _body(pen, curve("-4.4,0.9 -3.6,-2.8 0,-5 3.6,-2.8 4.4,0.9 0,1.4"), c)
    for x, y, r in ((-1.7, -1.5, 0.75), (1.3, -2.2, 0.65), (2.2, -0.2, 0.5), (-0.1, -0.3, 0.45)):
        pen.fill(circle(x, y, r), INK, 0.75)


def _potion(pen: Pen, c: Colour) -> None:
    flask = curve("-0.8,-4 0.8,-4 0.9,-1 3.6,2.2 3,4.7 -3,4.7 -3.6,2.2 -0.9,-1")
    _body(pen, flask, rgb("e8f2f4"))
    with pen.within(flask):
        pen.fill(box(-5, 1.4, 5, 5), lighter(c, -0.15))
        for x, y in ((-1, 2.6), (0.9, 3.4), (0.4, 2.1)):
            pen.fill(circle(x, y, 0.4), (1.0, 1.0, 1.0), 0.85)
    _body(pen, box(-1.2, -5.1, 1.2, -3.8, 0.3), rgb("a8703b"))


def _candle(pen: Pen, c: Colour) -> None:
    _body(pen, ellipse(0, 4.1, 3.6, 1.0), rgb("b98a2f"))
    _body(pen, box(-1.4, -1.2, 1.4, 4.1, 0.3), c)
    pen.line(stroke("0,-1.2 0,-2.2"), INK, 0.4)
    _body(pen, curve("0,-5.3 1.2,-3 0.7,-1.8 -0.7,-1.8 -1.2,-3"), rgb("f39a2b"))


def _shield(pen: Pen, c: Colour) -> None:
    shape = curve("-3.9,-4.4 -3.8,-4.6 0,-3.7 3.8,-4.6 3.9,-4.4 3.7,1.4 0,5.4 -3.7,1.4")
    _body(pen, shape, c)
    with pen.within(shape):
        pen.fill(box(-5, -1.3, 5, 0.5), rgb("b52a33"))
        pen.fill(box(-0.9, -5, 0.9, 5.4), rgb("b52a33"))
    pen.line(shape, INK, 0.35)


def _anchor(pen: Pen, c: Colour) -> None:
    arms = bow("-3.9,1.2 -3.2,3.4 0,5.2 3.2,3.4 3.9,1.2")
    parts = (stroke("0,-2.4 0,4.3"), stroke("-2.2,-1.2 2.2,-1.2"), arms, circle(0, -3.6, 1.0))
    for colour, width in ((INK, 1.8), (c, 1.1)):
        for part in parts:
            pen.line(part, colour, width)
    for side in (-1, 1):
        _body(pen, polygon([(4.8 * side, 1.9), (3.7 * side, -0.4), (2.6 * side, 1.7)]), c)


def _heart(pen: Pen, c: Colour) -> None:
    path = skia.Path()
    path.moveTo(0, 4.7)
    path.cubicTo(-6.4, 0.2, -4.6, -5, -1.9, -4.2)
    path.cubicTo(-0.7, -3.9, -0.1, -2.9, 0, -2.2)
    path.cubicTo(0.1, -2.9, 0.7, -3.9, 1.9, -4.2)
    path.cubicTo(4.6, -5, 6.4, 0.2, 0, 4.7)
    path.close()
    _body(pen, path, rgb("d8384a"))
    pen.line(bow("-3,-1 -3,-2.6 -1.6,-3"), c, 0.6)


def _owl(pen: Pen, c: Colour) -> None:
    _body(pen, curve("-3.4,-4.9 -1,-3.6 1,-3.6 3.4,-4.9 3.7,0 2.6,4.8 -2.6,4.8 -3.7,0"), c)
    for side in (-1, 1):
        _body(pen, circle(1.45 * side, -1.6, 1.35), (1.0, 1.0, 1.0))
        pen.fill(circle(1.35 * side, -1.6, 0.7), INK)
    _body(pen, edges("-0.6,-0.6 0.6,-0.6 0,0.7"), rgb("e89a2c"))
    for x, y in ((-1.2, 1.8), (0, 1.8), (1.2, 1.8), (-0.6, 2.9), (0.6, 2.9)):
        pen.line(smooth([(x - 0.4, y), (x, y + 0.7), (x + 0.4, y)], closed=False), INK, 0.3)


def _skull(pen: Pen, c: Colour) -> None:
    _body(
        pen, curve("-3.9,-1.2 -3,-4.4 0,-5.1 3,-4.4 3.9,-1.2 3,1.7 2.1,2.1 2,4.4 -2,4.4 -2.1,2.1 -3,1.7"), c
    )
    for side in (-1, 1):
        pen.fill(ellipse(1.6 * side, -0.9, 1.1, 1.25), INK)
    pen.fill(edges("0,0.6 0.65,2 -0.65,2"), INK)
    for x in (-0.9, 0.0, 0.9):
        pen.line(stroke(f"{x},2.9 {x},4.3"), INK, 0.3)


def _lantern(pen: Pen, c: Colour) -> None:
    pen.line(bow("-1.6,-2.8 -1.4,-5.2 1.4,-5.2 1.6,-2.8"), INK, 0.6)
    _body(pen, edges("-2.6,-1.9 -1.2,-3.6 1.2,-3.6 2.6,-1.9"), rgb("6b5a45"))
    _body(pen, box(-2.2, -1.9, 2.2, 3.3), c)
    pen.fill(curve("0,-1.2 0.9,1 0.5,2.4 -0.5,2.4 -0.9,1"), rgb("e8641f"))
    pen.line(stroke("-2.2,-1.9 -2.2,3.3"), INK, 0.5)
    pen.line(stroke("2.2,-1.9 2.2,3.3"), INK, 0.5)
    _body(pen, box(-2.8, 3.3, 2.8, 4.7, 0.3), rgb("6b5a45"))


def _cat(pen: Pen, c: Colour) -> None:
    _body(
        pen,
        curve(
            "-3.7,-2 -4,-5.6 -3.4,-5.2 -1.2,-3.3 1.2,-3.3 3.4,-5.2 4,-5.6 3.7,-2 4,1.4 2.2,4 -2.2,4 -4,1.4"
        ),
        c,
    )
    for side in (-1, 1):
        pen.fill(ellipse(1.6 * side, -0.6, 0.75, 1.0), INK)
        for y in (1.4, 2.3):
            pen.line(stroke(f"{1.2 * side},1.7 {4.6 * side},{y - 0.4}"), INK, 0.25)
    pen.fill(edges("-0.6,1 0.6,1 0,1.8"), rgb("b52a33"))


def _tulip(pen: Pen, c: Colour) -> None:
    pen.line(stroke("0,0 0,5"), INK, 1.2)
    pen.line(stroke("0,0 0,5"), rgb("58a03e"), 0.7)
    for side in (-1, 1):
        _body(pen, smooth([(0, 5), (0.4 * side, 3.2), (3.4 * side, 1.2), (2.6 * side, 4)]), rgb("58a03e"))
    _body(pen, edges("-2.7,-4.6 -1.2,-2.6 0,-5.2 1.2,-2.6 2.7,-4.6 2.4,-0.6 0,1.1 -2.4,-0.6"), c)


def _moon(pen: Pen, c: Colour) -> None:
    crescent = skia.Op(circle(0, 0.4, 4.4), circle(2.2, -0.9, 3.6), skia.PathOp.kDifference_PathOp)
    _body(pen, crescent, c)
    star = [
        (
            (1.9 if k % 2 == 0 else 0.8) * math.sin(math.pi * k / 5),
            -(1.9 if k % 2 == 0 else 0.8) * math.cos(math.pi * k / 5),
        )
        for k in range(10)
    ]
    with pen.at(2.0, -2.2):
        _body(pen, polygon(star), lighter(c, 0.4))


EMBLEMS: tuple[Emblem, ...] = (
    _tower, _bell, _key, _flame, _tree, _mushroom, _potion, _candle, _shield,
    _anchor, _heart, _owl, _skull, _lantern, _cat, _tulip, _moon,
)  # fmt: skip


def draw_emblem(pen: Pen, at: tuple[float, float], number: int) -> None:
    """Draw the emblem of a loose tile by its number in the set. Each picture is used twice, on different
    grounds."""
    ground = _GROUNDS[number % len(_GROUNDS)]
    light = _LIGHTS[number % len(_LIGHTS)]
    with pen.at(*at):
        with pen.at(0.35, 0.5):
            pen.fill(circle(0, 0, PLAQUE_MM + 0.2), INK, 0.6, blur=0.5)
        pen.solid(circle(0, 0, PLAQUE_MM), rgb("c9a24b"), outline=0.25, contrast=0.5)
        pen.solid(circle(0, 0, PLAQUE_MM - 0.9), ground, outline=0.25, contrast=0.18)
        EMBLEMS[number % len(EMBLEMS)](pen, light)
