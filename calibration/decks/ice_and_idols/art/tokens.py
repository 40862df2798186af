"""Art of idols, cubes, figures, and the tokens for adrenaline and for the first player."""

from __future__ import annotations

from PIL import Image

from calibration.decks.drawing.glyphs import draw_text
from calibration.decks.drawing.palette import STARTER_COLOURS, Colour, rgb
from calibration.decks.drawing.pen import INK, Pen, bow, box, circle, curve, edges, ellipse, lighter, stroke
from calibration.decks.drawing.sheet_of_art import Sheet
from calibration.decks.ice_and_idols.art.signs import CREAM, ICE, IDOL_COLOURS, NIGHT, idol, snowflake, star
from calibration.decks.ice_and_idols.temple_set import FIGURE_MM
from calibration.decks.print_pictures import FLAP_SHARE
from scorer.catalogue import Card
from scorer.ice_and_idols.rules.pieces import IdolKind


def draw_idol(kind: IdolKind, size_mm: tuple[float, float], px_per_mm: float) -> Image.Image:
    side = size_mm[0]
    sheet = Sheet(size_mm, px_per_mm, lighter(IDOL_COLOURS[kind], 0.6))
    with sheet.pen() as pen:
        pen.line(box(0, 0, side, side), IDOL_COLOURS[kind], 2.2)
        pen.line(box(1.4, 1.4, side - 1.4, side - 1.4, 1), INK, 0.3)
        with pen.at(side / 2, side / 2, scale=1.15):
            idol(pen, kind)
    return sheet.cut()


def draw_cube(colour: str, size_mm: tuple[float, float], px_per_mm: float) -> Image.Image:
    """The top face of a wooden cube."""
    body = STARTER_COLOURS[colour]
    side = size_mm[0]
    sheet = Sheet(size_mm, px_per_mm, body)
    with sheet.pen() as pen:
        pen.shade(
            box(-6, -6, side + 6, side + 6), (lighter(body, 0.25), lighter(body, -0.15)), (0, 0), (side, side)
        )
        for k in range(5):
            y = 0.9 + 1.6 * k
            pen.line(
                bow(f"0,{y} {side / 2},{y + 0.4} {side},{y - 0.1}"), lighter(body, -0.25), 0.2, alpha=0.6
            )
        pen.line(box(0, 0, side, side), lighter(body, -0.45), 0.7)
    return sheet.cut()


def draw_adrenaline(plus: bool, size_mm: tuple[float, float], px_per_mm: float) -> Image.Image:
    radius = size_mm[0] / 2
    body = rgb("d2452d") if plus else rgb("3a5a7a")
    sheet = Sheet(size_mm, px_per_mm, body)
    with sheet.pen() as pen, pen.at(radius, radius):
        pen.fill(circle(0, 0, radius + 6), body)
        pen.line(circle(0, 0, radius - 0.5), lighter(body, -0.5), 0.9)
        beat = "-9,1 -5,1 -3.4,-4.4 -1,5 1.4,-6.6 3.6,3 5,1 9,1"
        pen.line(stroke(beat), lighter(body, 0.35), 1.0)
        pen.solid(circle(0, 0, 5.4), CREAM, outline=0.35, contrast=0.06)
        draw_text(pen, "+1" if plus else "-2", (0, 0), 5, lighter(body, -0.35))
    return sheet.cut()


def draw_first_player(size_mm: tuple[float, float], px_per_mm: float) -> Image.Image:
    radius = size_mm[0] / 2
    sheet = Sheet(size_mm, px_per_mm, NIGHT)
    with sheet.pen() as pen, pen.at(radius, radius):
        pen.fill(circle(0, 0, radius + 6), NIGHT)
        snowflake(pen, radius - 1.5, ICE, 0.6)
        star(pen, radius - 4, rgb("f2d06b"))
        draw_text(pen, "1", (0, 0.4), 4.4, INK)
    return sheet.cut()


def draw_figure(card: Card, px_per_mm: float) -> Image.Image:
    """A standing figure in furs with its attribute: compasses, a spyglass, keys or a chisel."""
    assert card.colour is not None
    colour = STARTER_COLOURS[card.colour]
    width, height = FIGURE_MM
    ground = height * (1 - FLAP_SHARE)
    sheet = Sheet(FIGURE_MM, px_per_mm, lighter(colour, 0.72))
    with sheet.pen() as pen:
        pen.shade(box(-6, -6, width + 6, ground), (rgb("eef7fb"), lighter(colour, 0.5)), (0, 0), (0, ground))
        pen.shade(
            box(-6, ground, width + 6, height + 6),
            (lighter(colour, -0.1), lighter(colour, -0.45)),
            (0, ground),
            (0, height),
        )
        pen.line(stroke(f"-6,{ground} {width + 6},{ground}"), INK, 0.4, alpha=0.8)
        coat = curve(f"5,9 11,9 13,{ground + 0.6} 8,{ground + 1.6} 3,{ground + 0.6}")
        pen.solid(coat, colour, outline=0.4, contrast=0.3)
        pen.line(stroke(f"8,11 8,{ground + 1}"), lighter(colour, -0.5), 0.4)
        pen.line(bow("4.4,10.4 8,12.6 11.6,10.4"), rgb("f3ead8"), 1.7)
        pen.line(stroke("3.8,16 12.2,16"), rgb("4a2d18"), 0.9)
        pen.solid(circle(8, 6.4, 3.4), lighter(colour, -0.2), outline=0.35)
        pen.line(circle(8, 6.8, 2.8), rgb("f3ead8"), 1.0)
        pen.solid(circle(8, 6.9, 2.3), rgb("e9bd93"), outline=0.25, contrast=0.15)
        for x in (7.2, 8.8):
            pen.fill(circle(x, 6.8, 0.34), INK)
        pen.line(bow("7.2,7.9 8,8.4 8.8,7.9"), INK, 0.26)
        with pen.at(12.6, 13.4):
            _tool(pen, str(card.more["character"]))
        pen.line(box(0, 0, width, height), lighter(colour, -0.5), 1.3)
    return sheet.cut()


def _tool(pen: Pen, character: str) -> None:
    steel: Colour = rgb("c9d2dc")
    if character == "architect":
        for side in (-1, 1):
            pen.line(stroke(f"0,-3.4 {1.6 * side},3"), INK, 0.9)
            pen.line(stroke(f"0,-3.4 {1.6 * side},3"), steel, 0.5)
        pen.solid(circle(0, -3.6, 0.7), rgb("e2b33c"), outline=0.2)
    elif character == "curator":
        with pen.at(0, 0, 40):
            pen.solid(box(-0.9, -4, 0.9, 0, 0.2), rgb("e2b33c"), outline=0.25)
            pen.solid(box(-1.2, 0, 1.2, 3.6, 0.2), rgb("8a5530"), outline=0.25)
    elif character == "keysmith":
        for turn in (-18, 18):
            with pen.at(0, -2, turn):
                pen.line(circle(0, 0, 1.1), INK, 1.1)
                pen.line(circle(0, 0, 1.1), rgb("e2b33c"), 0.6)
                pen.line(stroke("0,1 0,5 1.2,5"), INK, 0.9)
                pen.line(stroke("0,1 0,5 1.1,5"), rgb("e2b33c"), 0.5)
    else:
        with pen.at(0, 0, -25):
            pen.solid(edges("-0.7,-4.4 0.7,-4.4 0.9,-0.6 -0.9,-0.6"), steel, outline=0.25)
            pen.solid(box(-1.0, -0.6, 1.0, 3.4, 0.6), rgb("8a5530"), outline=0.25)
            pen.solid(ellipse(0, 3.4, 1.2, 0.6), rgb("8a5530"), outline=0.2)
