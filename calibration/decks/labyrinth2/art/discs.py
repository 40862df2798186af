"""Art of chips and coins. Numbers are as large as possible. A line under 6 and 9, and studs equal to the
number, make it readable from any side."""

from __future__ import annotations

import colorsys
import math

from PIL import Image

from calibration.decks.drawing.glyphs import draw_text, text_width
from calibration.decks.drawing.palette import Colour, rgb
from calibration.decks.drawing.pen import Pen, circle, lighter, polygon
from calibration.decks.drawing.sheet_of_art import Sheet
from calibration.decks.labyrinth2.tile_set import CHIP_MM, COIN_MM

CREAM, GOLD = rgb("fff6dd"), rgb("e2b33c")
#: Numbers that are another's, or none, upside down.
_UNDERLINED = (6, 9)
_BODIES = tuple(
    rgb(word)
    for word in (
        *("c62f2f", "2366b8", "2f8f46", "d07a16", "7b3fa8", "118a8f"),
        *("b3267a", "5a6b1e", "8a4b2a", "34409c", "87909b", "1d1d22"),
    )
)


def value_colour(value: int) -> Colour:
    """The body colour of the chip and the card of a value."""
    return _BODIES[value - 1]


def draw_chip(value: int, px_per_mm: float) -> Image.Image:
    """A treasure chip: values 1 to 6 on pale ground, 7 to 12 on their own colour."""
    radius = CHIP_MM / 2
    body = value_colour(value)
    sheet = Sheet((CHIP_MM, CHIP_MM), px_per_mm, body)
    with sheet.pen() as pen, pen.at(radius, radius):
        chip_face(pen, value, radius)
    return sheet.cut()


def chip_face(pen: Pen, value: int, radius: float) -> None:
    """Draw a chip's face around the origin."""
    body = value_colour(value)
    early = value <= 6
    pen.fill(circle(0, 0, radius + 6), body)
    pen.line(circle(0, 0, radius - 0.45), lighter(body, -0.5), 0.9)
    for k in range(value):
        angle = 2 * math.pi * k / value
        x, y = (radius - 1.75) * math.sin(angle), -(radius - 1.75) * math.cos(angle)
        pen.solid(circle(x, y, 0.62), CREAM if early else GOLD, outline=0.16, contrast=0.2)
    field = CREAM if early else rgb("2a2330")
    pen.solid(circle(0, 0, radius - 2.9), field, outline=0.35, contrast=0.05)
    draw_number(pen, value, (0, 0), 0.86 * radius, lighter(body, -0.35) if early else rgb("ffd86b"))


def draw_number(pen: Pen, value: int, at: tuple[float, float], height: float, colour: Colour) -> None:
    """Draw a number in heavy strokes, with a line under 6 and 9."""
    text = str(value)
    x, y = at
    size = height if len(text) == 1 else 0.86 * height
    up = 0.11 * height if value in _UNDERLINED else 0.0
    draw_text(pen, text, (x, y - up), size, colour, weight=0.2 if len(text) == 1 else 0.17)
    if value in _UNDERLINED:
        half, low = text_width(text, size) / 2 + 0.06 * height, y - up + 0.5 * size + 0.27 * height
        pen.line(polygon([(x - half, low), (x + half, low)], closed=False), colour, 0.15 * height)


def draw_coin(px_per_mm: float) -> Image.Image:
    """A coin: a crown, and its value of five points."""
    radius = COIN_MM / 2
    sheet = Sheet((COIN_MM, COIN_MM), px_per_mm, rgb("b9851f"))
    with sheet.pen() as pen, pen.at(radius, radius):
        pen.shade(
            circle(0, 0, radius + 6),
            (rgb("ffe79a"), GOLD, rgb("93640f")),
            (-radius, -radius),
            (radius, radius),
        )
        pen.line(circle(0, 0, radius - 0.4), rgb("6b460a"), 0.8)
        for k in range(48):
            with pen.at(0, 0, 7.5 * k):
                pen.line(polygon([(0, -radius + 0.9), (0, -radius + 1.9)], closed=False), rgb("7c5412"), 0.3)
        pen.line(circle(0, 0, radius - 2.4), rgb("7c5412"), 0.4)
        pen.line(circle(0.15, 0.15, radius - 2.4), rgb("fff2bd"), 0.2, alpha=0.8)
        crown = [(-4, 0), (-4.7, -5), (-2.3, -2.6), (0, -6), (2.3, -2.6), (4.7, -5), (4, 0)]
        pen.solid(polygon(crown), rgb("8a5a0c"), outline=0.25, contrast=0.2)
        for x in (-2.2, 0.0, 2.2):
            pen.fill(circle(x, -0.9, 0.45), rgb("ffe9a8"))
        draw_text(pen, "5", (0, 3.6), 4.4, rgb("6b460a"), weight=0.2)
    return sheet.cut()


def shades(value: int) -> tuple[Colour, Colour]:
    """A pale and a deep background colour derived from a value's colour."""
    hue, saturation, _ = colorsys.rgb_to_hsv(*value_colour(value))
    return colorsys.hsv_to_rgb(hue, 0.22 * saturation, 0.97), colorsys.hsv_to_rgb(hue, 0.8 * saturation, 0.45)
