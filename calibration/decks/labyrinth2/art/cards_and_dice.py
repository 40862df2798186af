"""Art of treasure cards, and of stickers for the faces of dice."""

from __future__ import annotations

import math

import skia
from PIL import Image

from calibration.decks.drawing.palette import Colour, rgb
from calibration.decks.drawing.pen import INK, Pen, box, circle, edges, lighter, polygon, stroke
from calibration.decks.drawing.sheet_of_art import Sheet
from calibration.decks.labyrinth2.art.discs import CREAM, GOLD, chip_face, draw_number, shades, value_colour
from calibration.decks.labyrinth2.art.figures import gargoyle_head
from calibration.decks.labyrinth2.tile_set import CARD_MM, CHIP_MM, DIE_MM

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
