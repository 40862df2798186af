"""Art of treasure cards, and of stickers for the faces of dice."""

from __future__ import annotations

import colorsys
import math

import skia
from PIL import Image

from calibration.decks.drawing.glyphs import draw_text, text_width
from calibration.decks.drawing.palette import Colour, rgb
from calibration.decks.drawing.pen import INK, Pen, box, circle, edges, lighter, polygon, stroke
from calibration.decks.drawing.sheet_of_art import Sheet
from calibration.decks.labyrinth2.art.figures import gargoyle_head
from calibration.decks.labyrinth2.tile_set import CARD_MM, CHIP_MM, COIN_MM, DIE_MM

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


_RADIANS = math.pi / 180


def draw_card(value: int, px_per_mm: float) -> Image.Image:
    """The card of a treasure: its chip, gems of that number, and its uses (a die reroll, or a further
    pass)."""
    width, height = CARD_MM
    pale, deep = shades(value)
    body = value_colour(value)
    sheet = Sheet(CARD_MM, px_per_mm, deep)
    with sheet.pen() as pen:
        pen.fill(box(-6, -6, width + 6, height + 6), deep)
        pen.shade(
            box(2.6, 2.6, width - 2.6, height - 2.6, 2.2), (lighter(pale, 0.5), pale), (0, 0), (0, height)
        )
        pen.line(box(2.6, 2.6, width - 2.6, height - 2.6, 2.2), GOLD, 0.9)
        pen.line(box(3.7, 3.7, width - 3.7, height - 3.7, 1.4), deep, 0.3, alpha=0.7)
        draw_number(pen, value, (9.3, 9.6), 5.6, lighter(body, -0.3))
        with pen.at(width - 9.3, height - 9.6, 180):
            draw_number(pen, value, (0, 0), 5.6, lighter(body, -0.3))
        with pen.at(width / 2, 25.4):
            for k in range(24):
                with pen.at(0, 0, 15 * k):
                    pen.fill(
                        polygon([(-0.7, -12.6), (0, -15.2 if k % 2 else -14.2), (0.7, -12.6)]), GOLD, 0.9
                    )
            with pen.within(circle(0, 0, CHIP_MM / 2)):
                chip_face(pen, value, CHIP_MM / 2)
            pen.line(circle(0, 0, CHIP_MM / 2), INK, 0.5)
        per_row = 4 if value > 6 else 3
        rows = [min(per_row, value - start) for start in range(0, value, per_row)]
        for row, count in enumerate(rows):
            for k in range(count):
                with pen.at(
                    width / 2 + 6.2 * (k - (count - 1) / 2),
                    45.2 + 4.6 * (row - (len(rows) - 1) / 2),
                    scale=0.9,
                ):
                    _gem(pen, body)
        with pen.at(width / 2 - 2, 57.6):
            if value <= 6:
                _thrown_again(pen, deep)
            else:
                _further_pass(pen, deep)
    return sheet.cut()


def _gem(pen: Pen, colour: Colour) -> None:
    outline = [(-2.6, -0.6), (-1.4, -2.1), (1.4, -2.1), (2.6, -0.6), (0, 2.3)]
    pen.solid(polygon(outline), colour, outline=0.22, contrast=0.4)
    pen.fill(edges("-2.6,-0.6 -1.1,-0.6 0,2.3"), (1.0, 1.0, 1.0), 0.35)
    pen.fill(edges("-1.4,-2.1 1.4,-2.1 1.1,-0.6 -1.1,-0.6"), (1.0, 1.0, 1.0), 0.5)
    pen.line(stroke("-2.6,-0.6 2.6,-0.6"), INK, 0.15, alpha=0.7)


def _arc_arrow(pen: Pen, radius: float, start: float, sweep: float, colour: Colour, weight: float) -> None:
    """Draw a clockwise arc with an arrow head; angles in degrees clockwise from the right."""
    arc = skia.Path()
    arc.addArc(skia.Rect.MakeLTRB(-radius, -radius, radius, radius), start, sweep)
    pen.line(arc, colour, weight, butt=True)
    end = (start + sweep) * _RADIANS
    with pen.at(radius * math.cos(end), radius * math.sin(end), start + sweep + 90):
        pen.fill(polygon([(-0.2, -1.7 * weight), (2.2 * weight, 0), (-0.2, 1.7 * weight)]), colour)


def _thrown_again(pen: Pen, colour: Colour) -> None:
    with pen.at(0, 0, -10):
        pen.solid(box(-2.5, -2.5, 2.5, 2.5, 0.7), CREAM, outline=0.3, contrast=0.08)
        for x, y in ((-1.3, -1.3), (1.3, -1.3), (0, 0), (-1.3, 1.3), (1.3, 1.3)):
            pen.fill(circle(x, y, 0.5), INK)
    _arc_arrow(pen, 4.9, 150, 100, colour, 0.9)
    _arc_arrow(pen, 4.9, -30, 100, colour, 0.9)


def _further_pass(pen: Pen, colour: Colour) -> None:
    for x in (-5.4, 0.6):
        pen.solid(polygon([(x, -3.4), (x + 5, 0), (x, 3.4), (x + 1.4, 0)]), colour, outline=0.25)
    pen.line(stroke("-10,0 -6,0"), colour, 1.1)


def draw_arrows_face(count: int, px_per_mm: float) -> Image.Image:
    """A face of the dragon die: the number of clockwise quarter turns."""
    sheet = Sheet((DIE_MM, DIE_MM), px_per_mm, rgb("8c2a1e"))
    with sheet.pen() as pen, pen.at(DIE_MM / 2, DIE_MM / 2):
        _die_ground(pen, rgb("9c3022"))
        spread = 0.0 if count == 1 else 3.3
        places = {1: [(0, 0)], 2: [(-1, -1), (1, 1)], 3: [(0, -1), (-1, 1), (1, 1)]}.get(
            count, [(-1, -1), (1, -1), (-1, 1), (1, 1)]
        )
        for x, y in places:
            with pen.at(x * spread, y * spread, scale=1.0 if count == 1 else 0.56):
                _arc_arrow(pen, 4.1, 148, 264, rgb("3a0d08"), 2.1)
                _arc_arrow(pen, 4.1, 150, 264, rgb("ffd45c"), 1.5)
    return sheet.cut()


def draw_gargoyle_face(number: int, px_per_mm: float) -> Image.Image:
    """A face of the dragon die: activation of a gargoyle."""
    sheet = Sheet((DIE_MM, DIE_MM), px_per_mm, rgb("30333b"))
    with sheet.pen() as pen, pen.at(DIE_MM / 2, DIE_MM / 2):
        _die_ground(pen, rgb("5b3a12") if number == 1 else rgb("123f45"))
        with pen.at(0, 1.4, scale=1.06):
            gargoyle_head(pen, number)
    return sheet.cut()


def draw_battle_face(count: int, px_per_mm: float) -> Image.Image:
    """A face of a battle die: red pips lose, green ones do not."""
    colour = rgb("b3231f") if count <= 3 else rgb("1f7a3c")
    sheet = Sheet((DIE_MM, DIE_MM), px_per_mm, CREAM)
    with sheet.pen() as pen, pen.at(DIE_MM / 2, DIE_MM / 2):
        _die_ground(pen, CREAM)
        away = 4.1
        spots = {
            1: [(0, 0)],
            2: [(-1, -1), (1, 1)],
            3: [(-1, -1), (0, 0), (1, 1)],
            4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
            5: [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
            6: [(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)],
        }[count]
        for x, y in spots:
            pen.solid(circle(away * x, away * y, 1.55), colour, outline=0.25, contrast=0.25)
    return sheet.cut()


def _die_ground(pen: Pen, colour: Colour) -> None:
    half = DIE_MM / 2
    pen.shade(
        box(-half - 6, -half - 6, half + 6, half + 6),
        (lighter(colour, 0.12), lighter(colour, -0.12)),
        (-half, -half),
        (half, half),
    )
    pen.line(box(-half, -half, half, half), INK, 0.8, alpha=0.6)
