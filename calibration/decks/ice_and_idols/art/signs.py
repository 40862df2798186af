"""Signs of the temple set, each around the origin and within 5 mm: idols, altars, borders, and effects of
spaces and cards."""

from __future__ import annotations

import math
from collections.abc import Callable

from calibration.decks.drawing.glyphs import draw_text
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
    star_points,
    stroke,
)
from scorer.ice_and_idols.rules.pieces import BorderName, IdolKind

IDOL_COLOURS: dict[IdolKind, Colour] = {
    "sapphire": rgb("2766c4"),
    "tiger_eye": rgb("c9822a"),
    "jade": rgb("2f9463"),
    "ruby": rgb("c02743"),
    "gold": rgb("e0bb2e"),
}
CREAM, NIGHT, ICE = rgb("fff8e6"), rgb("14283c"), rgb("d7ecf4")
BORDER_COLOURS: dict[BorderName, Colour] = {
    "sun": rgb("c4622a"),
    "star": rgb("5a3a8f"),
    "moon": rgb("1f4f7a"),
    "comet": rgb("1f6b5a"),
}


def _eyes(pen: Pen, x: float, y: float, radius: float) -> None:
    for side in (-1, 1):
        pen.fill(circle(x * side, y, radius), CREAM)
        pen.fill(circle(x * side, y, 0.5 * radius), INK)


def _bird(pen: Pen, c: Colour) -> None:
    for mirrored in (False, True):
        pen.solid(curve("1.6,-1.6 4.6,-0.6 4.2,3 2,4.4", mirrored=mirrored), lighter(c, -0.15), outline=0.28)
    pen.solid(curve("-2.6,-4.6 0,-5 2.6,-4.6 2.8,0 2.2,4.6 -2.2,4.6 -2.8,0"), c, outline=0.3)
    _eyes(pen, 1.2, -2.6, 0.85)
    pen.solid(edges("-0.7,-1.8 0.7,-1.8 0,-0.2"), rgb("f3c64a"), outline=0.15)
    for y in (1.0, 2.3, 3.6):
        pen.line(bow(f"-1.6,{y} 0,{y + 0.7} 1.6,{y}"), lighter(c, 0.5), 0.35)


def _cat(pen: Pen, c: Colour) -> None:
    pen.solid(curve("-3,4.8 -3.2,0.6 3.2,0.6 3,4.8"), lighter(c, -0.15), outline=0.3)
    pen.solid(
        curve(
            "-3.8,-2 -4.2,-5.6 -3.4,-5.2 -1.4,-3.8 1.4,-3.8 3.4,-5.2 4.2,-5.6 3.8,-2 3.4,0.8 0,2.2 -3.4,0.8"
        ),
        c,
        outline=0.3,
    )
    _eyes(pen, 1.6, -1.4, 0.9)
    pen.fill(edges("-0.5,0.1 0.5,0.1 0,0.8"), INK)
    for x in (-1.4, 0.0, 1.4):
        pen.line(stroke(f"{x},2.6 {x},4.4"), lighter(c, -0.5), 0.4)


def _frog(pen: Pen, c: Colour) -> None:
    for mirrored in (False, True):
        pen.solid(curve("1.6,4.6 5,4.6 4.8,1.6 2.6,0.6", mirrored=mirrored), lighter(c, -0.15), outline=0.28)
        pen.solid(circle(-2.4 if mirrored else 2.4, -3.2, 1.7), c, outline=0.3)
    pen.solid(curve("-3.8,-2 0,-3 3.8,-2 3.6,2 2,4.8 -2,4.8 -3.6,2"), c, outline=0.3)
    _eyes(pen, 2.4, -3.3, 1.0)
    pen.line(bow("-2.8,0 0,1.6 2.8,0"), INK, 0.5)
    for x in (-1.0, 1.0):
        pen.fill(circle(x, -0.9, 0.25), INK)


def _mask(pen: Pen, c: Colour) -> None:
    pen.solid(
        edges("-4.4,-4.8 -1.6,-3 0,-5.2 1.6,-3 4.4,-4.8 3.6,-0.6 -3.6,-0.6"), lighter(c, -0.2), outline=0.28
    )
    pen.solid(curve("-3.6,-2.6 3.6,-2.6 3.4,1.6 1.6,4.8 -1.6,4.8 -3.4,1.6"), c, outline=0.3)
    for side in (-1, 1):
        pen.fill(edges(f"{0.6 * side},-0.8 {2.8 * side},-1.6 {2.4 * side},0.2"), CREAM)
        pen.fill(circle(1.7 * side, -0.7, 0.4), INK)
    pen.fill(box(-1.8, 2, 1.8, 3.4, 0.4), INK)
    for x in (-1.0, 0.0, 1.0):
        pen.line(stroke(f"{x},2 {x},3.4"), CREAM, 0.3)


def _sun_face(pen: Pen, c: Colour) -> None:
    for k in range(12):
        with pen.at(0, 0, 30 * k):
            pen.solid(edges("-0.8,-3.4 0,-5.2 0.8,-3.4"), lighter(c, -0.15), outline=0.2)
    pen.solid(circle(0, 0, 3.6), c, outline=0.3)
    _eyes(pen, 1.3, -0.7, 0.75)
    pen.line(bow("-1.7,1.2 0,2.4 1.7,1.2"), INK, 0.5)


_IDOLS: dict[IdolKind, Callable[[Pen, Colour], None]] = {
    "sapphire": _bird,
    "tiger_eye": _cat,
    "jade": _frog,
    "ruby": _mask,
    "gold": _sun_face,
}


def idol(pen: Pen, kind: IdolKind) -> None:
    """Draw a statue with the colour and shape of its kind."""
    _IDOLS[kind](pen, IDOL_COLOURS[kind])


def altar(pen: Pen, kind: IdolKind) -> None:
    """Draw the altar of a kind of idol: steps, and the idol's outline as a hollow in a plate of its
    colour."""
    colour = IDOL_COLOURS[kind]
    pen.solid(box(-6.2, -6.2, 6.2, 6.2, 1.2), rgb("7f8790"), outline=0.35, contrast=0.25)
    pen.solid(box(-5.2, -5.2, 5.2, 5.2, 0.9), lighter(colour, -0.25), outline=0.25, contrast=0.15)
    for quarter in range(4):
        with pen.at(0, 0, 90 * quarter):
            pen.solid(edges("-5.2,-5.2 -3.4,-5.2 -5.2,-3.4"), CREAM, outline=0.15)
    with pen.at(0, 0, scale=0.74):
        _IDOLS[kind](pen, lighter(colour, 0.62))


def star(pen: Pen, radius: float, colour: Colour) -> None:
    pen.solid(polygon(star_points(5, radius, 0.42 * radius)), colour, outline=0.3, contrast=0.22)


def border_sign(pen: Pen, name: BorderName) -> None:
    """Draw the sign that names a border."""
    if name == "sun":
        for k in range(12):
            with pen.at(0, 0, 30 * k):
                pen.solid(edges("-0.9,-2.8 0,-5 0.9,-2.8"), rgb("ffb52e"), outline=0.2)
        pen.solid(circle(0, 0, 3), rgb("ffd65a"), outline=0.3)
    elif name == "moon":
        pen.solid(circle(0, 0, 4.4), rgb("e8f0fa"), outline=0.3)
        pen.fill(circle(1.7, -0.9, 3.5), rgb("1f4f7a"))
        pen.line(circle(0, 0, 4.4), INK, 0.3)
    elif name == "star":
        star(pen, 5, rgb("f6c9ff"))
    else:
        for dy, colour in ((1.2, rgb("2fb58a")), (0.0, rgb("8af0d0"))):
            pen.fill(curve(f"-2.4,{2.2 + dy} 5,{-5 + dy} 0.4,{-2.6 + dy}"), colour)
        with pen.at(-2, 2):
            star(pen, 3, rgb("eafff6"))


def event(pen: Pen) -> None:
    pen.solid(circle(0, 0, 4.4), NIGHT, outline=0.3, contrast=0.15)
    pen.solid(edges("1,-3.6 -2.3,0.7 -0.2,0.7 -1,3.6 2.3,-0.9 0.2,-0.9"), rgb("ffd65a"), outline=0.22)


def shift(pen: Pen) -> None:
    pen.solid(circle(0, 0, 4.4), rgb("e9e2cf"), outline=0.3, contrast=0.1)
    for y, sign in ((-1.5, 1), (1.5, -1)):
        arrow = [(-3 * sign, y), (1 * sign, y), (1 * sign, y - 1.1), (3.2 * sign, y)]
        pen.line(polygon(arrow[:2], closed=False), INK, 0.8)
        pen.fill(polygon([(0.6 * sign, y - 1.3), (3.2 * sign, y), (0.6 * sign, y + 1.3)]), INK)


def bonus(pen: Pen, points: int) -> None:
    pen.solid(edges("-4.4,-3.4 4.4,-3.4 4.4,1.6 0,4.6 -4.4,1.6"), rgb("f2d06b"), outline=0.3, contrast=0.2)
    draw_text(pen, str(points), (0, -0.4), 4.4, INK)


def roundel(pen: Pen, ground: Colour, radius: float = 6.0) -> None:
    pen.solid(circle(0, 0, radius), ground, outline=0.35, contrast=0.2)
    pen.line(circle(0, 0, radius - 0.8), CREAM, 0.3)


def snowflake(pen: Pen, radius: float, colour: Colour, weight: float = 0.5) -> None:
    for k in range(6):
        with pen.at(0, 0, 60 * k):
            pen.line(stroke(f"0,0 0,{-radius}"), colour, weight)
            for share in (0.45, 0.72):
                y, arm = -share * radius, 0.24 * radius
                pen.line(stroke(f"{-arm},{y - arm} 0,{y} {arm},{y - arm}"), colour, 0.8 * weight)


def turn_arrow(pen: Pen, clockwise: bool, colour: Colour, radius: float = 4.0) -> None:
    """Draw an arrow along three quarters of a circle."""
    sign = 1 if clockwise else -1
    points = [
        (sign * radius * math.sin(a), -radius * math.cos(a))
        for a in (math.radians(d) for d in range(-150, 121, 10))
    ]
    pen.line(polygon(points, closed=False), INK, 2.0)
    pen.line(polygon(points, closed=False), colour, 1.3)
    x, y = points[-1]
    with pen.at(x, y, sign * 120 + (0 if clockwise else 180)):
        pen.solid(edges("-0.4,-2 3,0 -0.4,2"), colour, outline=0.3)


def person(pen: Pen, colour: Colour) -> None:
    """Draw a person from the front, as a symbol for a player."""
    pen.solid(curve("-3.2,4.6 -2.4,0.6 0,-0.6 2.4,0.6 3.2,4.6"), colour, outline=0.3)
    pen.solid(circle(0, -2.4, 2), lighter(colour, 0.35), outline=0.3)


def gear(pen: Pen, radius: float, colour: Colour, alpha: float) -> None:
    teeth = 16
    points = []
    for k in range(teeth):
        for share, reach in ((0.0, 0.88), (0.22, 0.88), (0.3, 1.0), (0.7, 1.0), (0.78, 0.88)):
            a = 2 * math.pi * (k + share) / teeth
            points.append((radius * reach * math.sin(a), -radius * reach * math.cos(a)))
    pen.line(polygon(points), colour, 0.03 * radius, alpha=alpha)
    pen.line(circle(0, 0, 0.7 * radius), colour, 0.02 * radius, alpha=alpha)
    for k in range(8):
        with pen.at(0, 0, 45 * k):
            pen.line(stroke(f"0,{-0.7 * radius} 0,{-0.2 * radius}"), colour, 0.02 * radius, alpha=alpha)
    pen.line(ellipse(0, 0, 0.2 * radius, 0.2 * radius), colour, 0.02 * radius, alpha=alpha)
