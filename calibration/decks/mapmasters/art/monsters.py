"""Icons of monsters: several distinct creatures, around the origin and about 7.5 mm across."""

from __future__ import annotations

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
    join,
    lighter,
    polygon,
    smooth,
    stroke,
)

BONE = rgb("f2ead2")
WHITE: Colour = (1.0, 1.0, 1.0)
CREAM = rgb("fff6dd")


def _base(pen: Pen, path: skia.Path, colour: Colour) -> None:
    with pen.at(0.35, 0.45):
        pen.fill(path, INK, 0.5, blur=0.35)
    pen.line(path, CREAM, 1.25, alpha=0.55)
    pen.solid(path, colour)


def _eye(
    pen: Pen, x: float, y: float, radius: float, iris: Colour, look: tuple[float, float] = (0.0, 0.1)
) -> None:
    pen.solid(circle(x, y, radius), WHITE, outline=0.2, contrast=0.1)
    pen.fill(circle(x + look[0], y + look[1], radius * 0.62), iris)
    pen.fill(circle(x + look[0], y + look[1], radius * 0.32), INK)
    pen.fill(circle(x + look[0] - radius * 0.25, y + look[1] - radius * 0.25, radius * 0.18), WHITE)


def _fangs(pen: Pen, xs: tuple[float, ...], y: float, size: float, up: bool = False) -> None:
    for x in xs:
        pen.fill(
            polygon([(x - size * 0.45, y), (x + size * 0.45, y), (x, y - size if up else y + size)]), BONE
        )


def horned_brute(pen: Pen) -> None:
    skin = rgb("b5523f")
    for side in (-1, 1):
        horn = curve(
            f"{1.4 * side},-1.4 {2.6 * side},-2.2 {2.9 * side},-3.9 {3.9 * side},-2.4 "
            f"{3.3 * side},-0.6 {2.2 * side},-0.2"
        )
        _base(pen, horn, BONE)
    head = curve("-2.6,-1.4 -1.2,-2.5 1.2,-2.5 2.6,-1.4 3.0,0.6 2.1,2.6 0.9,3.6 -0.9,3.6 -2.1,2.6 -3.0,0.6")
    _base(pen, head, skin)
    for side in (-1, 1):
        pen.fill(
            polygon([(0.45 * side, -0.1), (2.0 * side, -0.9), (1.8 * side, 0.4), (0.8 * side, 0.5)]),
            rgb("ffe25a"),
        )
        pen.fill(circle(1.15 * side, 0.0, 0.3), INK)
        pen.line(polygon([(0.3 * side, -0.3), (2.2 * side, -1.25)], closed=False), INK, 0.5)
        pen.fill(ellipse(0.5 * side, 1.25, 0.2, 0.3), INK)
    pen.fill(curve("-1.9,1.9 0,2.25 1.9,1.9 1.3,3.1 -1.3,3.1"), rgb("3b0f0d"))
    _fangs(pen, (-1.2, -0.4, 0.4, 1.2), 2.0, 0.6)
    _fangs(pen, (-0.85, 0.85), 3.0, 0.75, up=True)


def slime(pen: Pen) -> None:
    green = rgb("79b94a")
    body = curve(
        "-3.5,3.2 -3.7,1.6 -2.6,0.3 -2.2,-1.9 -0.9,-3.4 0.9,-3.3 2.2,-1.8 2.6,0.4 "
        "3.7,1.7 3.5,3.2 1.8,2.9 0.4,3.5 -1.6,2.9"
    )
    _base(pen, body, green)
    pen.fill(curve("-1.7,-1.2 -1.2,-2.4 -0.4,-2.7 -1.0,-1.6"), WHITE, 0.75)
    _eye(pen, 0, -0.5, 1.15, rgb("d9762a"))
    mouth = curve("-2.0,1.2 0,1.6 2.0,1.2 1.1,2.6 -1.1,2.6")
    pen.fill(mouth, rgb("27420f"))
    _fangs(pen, (-1.1, -0.35, 0.4, 1.1), 1.4, 0.6)
    for x, y, r in ((2.3, 1.8, 0.35), (-2.6, 2.1, 0.28), (1.5, -1.6, 0.25)):
        pen.fill(circle(x, y, r), lighter(green, 0.5), 0.9)


def spider(pen: Pen) -> None:
    dark = rgb("5b4a63")
    legs = []
    for side in (-1, 1):
        for knee, foot in (
            ((2.4, -2.9), (3.6, -1.6)),
            ((3.0, -1.0), (3.8, 0.7)),
            ((2.9, 1.2), (3.5, 2.9)),
            ((2.0, 2.3), (1.9, 3.7)),
        ):
            legs.append(
                polygon([(0.6 * side, 0), (knee[0] * side, knee[1]), (foot[0] * side, foot[1])], closed=False)
            )
    whole = join(*legs)
    with pen.at(0.3, 0.4):
        pen.line(whole, INK, 0.7, alpha=0.4, blur=0.3)
    pen.line(whole, CREAM, 1.6, alpha=0.5)
    pen.line(whole, INK, 0.95)
    pen.line(whole, lighter(dark, 0.1), 0.4)
    _base(pen, ellipse(0, 1.2, 2.0, 2.2), dark)
    pen.fill(edges("-0.6,0.6 0.6,0.6 -0.5,2.2 0.5,2.2"), rgb("e0552e"))
    pen.solid(ellipse(0, -1.4, 1.5, 1.25), dark)
    for x, y, r in (
        (-0.6, -1.6, 0.42),
        (0.6, -1.6, 0.42),
        (-1.1, -1.1, 0.22),
        (1.1, -1.1, 0.22),
        (0, -2.1, 0.22),
    ):
        pen.fill(circle(x, y, r), rgb("ff5a3c"))
        pen.fill(circle(x - r * 0.3, y - r * 0.3, r * 0.3), WHITE)
    _fangs(pen, (-0.45, 0.45), -0.4, 0.9)


def skeleton(pen: Pen) -> None:
    skull = curve("-2.9,-1.8 -1.7,-3.5 1.7,-3.5 2.9,-1.8 2.9,0.2 2.1,1.1 1.9,1.9 -1.9,1.9 -2.1,1.1 -2.9,0.2")
    jaw = box(-1.65, 1.9, 1.65, 3.5, 0.7)
    _base(pen, jaw, rgb("d9cda9"))
    _base(pen, skull, rgb("eadfbf"))
    for side in (-1, 1):
        pen.fill(
            curve(f"{0.4 * side},-0.9 {1.3 * side},-1.5 {2.2 * side},-0.8 {2.0 * side},0.3 {0.8 * side},0.4"),
            INK,
        )
        pen.fill(circle(1.25 * side, -0.45, 0.42), rgb("ff6a2a"))
        pen.fill(circle(1.25 * side, -0.45, 0.18), rgb("fff0a0"))
    pen.fill(edges("0,0.35 0.45,1.15 -0.45,1.15"), INK)
    pen.line(stroke("-1.6,1.95 1.6,1.95"), INK, 0.34)
    for x in (-1.1, -0.4, 0.4, 1.1):
        pen.line(polygon([(x, 1.4), (x, 2.7)], closed=False), INK, 0.24)
    pen.line(stroke("1.0,-3.3 0.6,-2.6 1.2,-2.1"), rgb("6a5a40"), 0.2)


def beholder(pen: Pen) -> None:
    skin = rgb("a5689c")
    for x0, x1, y1 in ((-1.6, -2.9, -2.7), (-0.5, -1.0, -3.5), (0.6, 1.1, -3.5), (1.6, 2.9, -2.7)):
        stalk = smooth([(x0, -1.2), ((x0 + x1) / 2 - 0.3, -2.2), (x1, y1)], closed=False)
        pen.line(stalk, CREAM, 1.7, alpha=0.4)
        pen.line(stalk, INK, 1.0)
        pen.line(stalk, skin, 0.5)
        _eye(pen, x1, y1, 0.58, rgb("4d8b3b"))
    _base(pen, ellipse(0, 0.7, 3.3, 2.95), skin)
    _eye(pen, 0, -0.15, 1.35, rgb("d0a21f"))
    pen.line(bow("-1.8,-0.9 -0.8,-1.75 0.8,-1.75 1.8,-0.9"), lighter(skin, -0.6), 0.5)
    mouth = curve("-2.3,1.5 0,2.0 2.3,1.5 1.3,3.1 -1.3,3.1")
    pen.fill(mouth, rgb("3a0d24"))
    _fangs(pen, (-1.4, -0.7, 0, 0.7, 1.4), 1.75, 0.62)
    _fangs(pen, (-0.9, 0.9), 2.95, 0.5, up=True)


def bat(pen: Pen) -> None:
    wing = rgb("6a5f78")
    for side in (-1, 1):
        shape = edges(
            f"{0.7 * side},-0.9 {2.2 * side},-2.7 {3.9 * side},-1.9 {3.75 * side},1.9 "
            f"{3.0 * side},0.9 {2.4 * side},2.2 {1.8 * side},1.2 {1.0 * side},2.2"
        )
        _base(pen, shape, wing)
        for tip in ((3.6, 1.5), (2.4, 1.9)):
            pen.line(
                polygon([(2.2 * side, -2.3), (tip[0] * side, tip[1])], closed=False), lighter(wing, -0.5), 0.2
            )
    for side in (-1, 1):
        pen.solid(polygon([(0.35 * side, -1.5), (1.4 * side, -3.5), (1.6 * side, -1.2)]), wing)
    _base(pen, ellipse(0, 0.5, 1.75, 2.4), rgb("83749a"))
    for side in (-1, 1):
        pen.fill(ellipse(0.68 * side, -0.4, 0.52, 0.46), rgb("ffe04d"))
        pen.fill(circle(0.68 * side, -0.35, 0.22), INK)
    pen.fill(curve("-1.0,0.7 0,0.9 1.0,0.7 0.5,1.7 -0.5,1.7"), rgb("3a0d24"))
    _fangs(pen, (-0.5, 0.5), 0.8, 0.8)


MONSTERS: tuple[Callable[[Pen], None], ...] = (horned_brute, slime, spider, skeleton, beholder, bat)
