"""Art of standing figures in side view: explorers, gargoyles, the dragon.

A printed figure is folded along its top edge, and its other side shows the mirror image. Its lowest fifth
is the ground, which continues in the flaps of the base. The dragon faces left in its art. Chevrons on the
ground point to its front, so that the front is visible from above too.
"""

from __future__ import annotations

import numpy as np
import skia
from PIL import Image

from calibration.decks.drawing.palette import STARTER_COLOURS, Colour, rgb
from calibration.decks.drawing.pen import (
    INK,
    Pen,
    Points,
    bow,
    box,
    circle,
    curve,
    edges,
    ellipse,
    lighter,
    points,
    polygon,
    smooth,
    stroke,
)
from calibration.decks.drawing.sheet_of_art import Sheet
from calibration.decks.labyrinth2.tile_set import DRAGON_MM, EXPLORER_MM, GARGOYLE_MM
from calibration.decks.print_pictures import FLAP_SHARE
from scorer.catalogue import Card

#: The share of a figure's height that is ground.
GROUND = FLAP_SHARE
#: A gargoyle's stone and the glow of its eyes.
_STONE = {1: rgb("8e95a3"), 2: rgb("a48f86")}
_GLOW = {1: rgb("ffb32e"), 2: rgb("4fe3c8")}
_NIGHT = {1: rgb("5b3a12"), 2: rgb("123f45")}
_SCALES, _BELLY, _WING = rgb("3f9a55"), rgb("f0d98a"), rgb("b9433a")


def draw_explorer(card: Card, px_per_mm: float) -> Image.Image:
    """An explorer with a wide hat, a cloak and a staff, in the colour of the card."""
    assert card.colour is not None
    colour = STARTER_COLOURS[card.colour]
    width, height = EXPLORER_MM
    ground = height * (1 - GROUND)
    sheet = Sheet(EXPLORER_MM, px_per_mm, lighter(colour, 0.72))
    with sheet.pen() as pen:
        pen.shade(
            box(-6, -6, width + 6, height + 6),
            (lighter(colour, 0.82), lighter(colour, 0.4)),
            (0, 0),
            (0, ground),
        )
        _ground(pen, width, height, lighter(colour, -0.25), lighter(colour, -0.5))
        pen.line(polygon([(12.9, 4.6), (12.3, ground + 0.6)], closed=False), INK, 1.3)
        pen.line(polygon([(12.9, 4.6), (12.3, ground + 0.6)], closed=False), rgb("9a6a3a"), 0.75)
        pen.solid(circle(12.95, 4.1, 1.0), rgb("fff2b0"), outline=0.25)
        pen.solid(
            curve(f"5.6,8.6 10.4,8.6 12.6,15 13.2,{ground + 1} 8,{ground + 1.8} 2.8,{ground + 1} 3.4,15"),
            colour,
            outline=0.4,
            contrast=0.3,
        )
        pen.line(smooth([(8, 10), (8.3, 15), (7.9, ground + 1)], closed=False), lighter(colour, -0.5), 0.4)
        pen.line(stroke("4.5,14.6 11.7,14.6"), rgb("4a2d18"), 0.9)
        pen.solid(box(7.2, 14, 8.8, 15.2, 0.2), rgb("e8c35a"), outline=0.15)
        pen.solid(circle(11.9, 12.4, 1.0), rgb("e9bd93"), outline=0.25)
        pen.solid(circle(8, 7, 2.7), rgb("e9bd93"), outline=0.3, contrast=0.15)
        for x in (7.0, 9.0):
            pen.fill(circle(x, 7.2, 0.36), INK)
        pen.line(bow("7,8.3 8,8.9 9,8.3"), INK, 0.28)
        pen.solid(ellipse(8, 5.1, 5.2, 1.25), lighter(colour, -0.3), outline=0.35, contrast=0.25)
        pen.solid(curve("5.3,5.2 5.9,1.8 8,1.2 10.1,1.8 10.7,5.2 8,5.8"), lighter(colour, -0.15), outline=0.3)
        pen.line(bow("5.5,4.6 8,5.2 10.5,4.6"), rgb("f3e2b0"), 0.6)
        _frame(pen, width, height, lighter(colour, -0.55))
    return sheet.cut()


def draw_gargoyle(number: int, px_per_mm: float) -> Image.Image:
    """A winged stone gargoyle crouching on a plinth."""
    width, height = GARGOYLE_MM
    ground = height * (1 - GROUND)
    stone, night = _STONE[number], _NIGHT[number]
    sheet = Sheet(GARGOYLE_MM, px_per_mm, night)
    with sheet.pen() as pen:
        pen.glow(
            box(-6, -6, width + 6, height + 6),
            [(lighter(_GLOW[number], 0.1), 1.0), (night, 1.0)],
            (width / 2, 10),
            19,
        )
        _ground(pen, width, height, rgb("4b4e57"), rgb("2b2d33"))
        with pen.at(width / 2, 0):
            for side in (-1, 1):
                wing = points("2,12 4.4,5.4 8.4,2.2 9.8,6 9.4,10.4 8,9.6 8,14 6.4,13 5.4,17")
                pen.solid(polygon([(side * x, y) for x, y in wing]), lighter(stone, -0.3), outline=0.35)
                for x, y in ((9.2, 9.2), (7.4, 12.8)):
                    pen.line(polygon([(4.2 * side, 6.8), (x * side, y)], closed=False), INK, 0.3, alpha=0.7)
            pen.solid(
                smooth(
                    [(-3.6, 12), (3.6, 12), (5.2, 18), (4.6, ground + 1.2), (-4.6, ground + 1.2), (-5.2, 18)]
                ),
                stone,
            )
            for side in (-1, 1):
                pen.solid(ellipse(3.9 * side, ground - 2.4, 2.0, 3.2), lighter(stone, 0.06), outline=0.3)
                for k in (-1, 0, 1):
                    pen.solid(
                        ellipse((3.9 + 1.1 * k) * side, ground + 0.6, 0.62, 0.95),
                        lighter(stone, 0.3),
                        outline=0.2,
                    )
            for y in (15.2, 17, 18.8):
                pen.line(smooth([(-1.8, y), (0, y + 0.7), (1.8, y)], closed=False), INK, 0.3, alpha=0.6)
            with pen.at(0, 9.2, scale=0.95):
                gargoyle_head(pen, number)
            for k in range(number):
                at = (k - (number - 1) / 2) * 4.0
                pen.solid(
                    polygon([(at, 25.3), (at + 1.5, 27), (at, 28.7), (at - 1.5, 27)]),
                    _GLOW[number],
                    outline=0.25,
                )
        _frame(pen, width, height, lighter(_GLOW[number], -0.35))
    return sheet.cut()


def gargoyle_head(pen: Pen, number: int) -> None:
    """Draw a gargoyle's head around the origin, about 11 mm wide: horns, ears, glowing eyes."""
    stone, glow = _STONE[number], _GLOW[number]
    for side in (-1, 1):
        horn = [(1.6, -3), (3.6, -4.4), (4.6, -7.4), (5.2, -4), (3.4, -1.4)]
        pen.solid(smooth([(side * x, y) for x, y in horn]), rgb("e3dccb"), outline=0.3)
        pen.solid(polygon([(3 * side, -1), (6 * side, -2.2), (4 * side, 1.4)]), stone, outline=0.3)
    pen.solid(curve("-3.6,-2.6 0,-4.4 3.6,-2.6 4,0.8 2.6,4 0,5 -2.6,4 -4,0.8"), stone)
    for side in (-1, 1):
        pen.line(polygon([(0.7 * side, -1), (3.1 * side, -2.3)], closed=False), INK, 0.7)
        pen.fill(ellipse(1.7 * side, -0.5, 1.3, 1.05), glow, 0.6, blur=0.5)
        pen.solid(ellipse(1.7 * side, -0.6, 1.0, 0.8), glow, outline=0.25, contrast=0.15)
        pen.fill(ellipse(1.6 * side, -0.6, 0.3, 0.7), INK)
        pen.fill(circle(0.6 * side, 1.3, 0.32), INK)
    pen.line(bow("-2.6,2.3 -1.2,3 0,2.7 1.2,3 2.6,2.3"), INK, 0.45)
    for side in (-1, 1):
        pen.fill(polygon([(1.1 * side, 2.8), (2.0 * side, 2.6), (1.6 * side, 4.0)]), (1.0, 1.0, 0.94))


def draw_dragon(px_per_mm: float) -> Image.Image:
    """The dragon in profile, facing left and breathing fire."""
    width, height = DRAGON_MM
    ground = height * (1 - GROUND)
    sheet = Sheet(DRAGON_MM, px_per_mm, rgb("241a3c"))
    with sheet.pen() as pen:
        pen.shade(
            box(-6, -6, width + 6, height + 6),
            (rgb("ffd98c"), rgb("e8794a"), rgb("5d2f63"), rgb("261b42")),
            (0, 14),
            (width, 10),
        )
        rng = np.random.default_rng(5)
        for x, y in rng.uniform((24, 1.5), (45, 14), (22, 2)):
            pen.fill(circle(float(x), float(y), float(rng.uniform(0.1, 0.28))), (1.0, 1.0, 0.9), 0.85)
        _ground(pen, width, height, rgb("7a3b24"), rgb("32180f"))
        _wing(pen, [(22, 14), (23.4, 4.4), (30.4, 1.7), (29.2, 5), (33, 7), (28, 16)], lighter(_WING, -0.35))
        for colour, weight in ((INK, 4.6), (_SCALES, 3.8)):
            pen.line(_tail(), colour, weight)
        pen.solid(edges("41.4,19.4 44.2,25 41.3,23.9 37.9,25.2"), _WING, outline=0.35)
        body = curve(
            f"19,14.5 24,14.6 31,18 35.5,24 35,{ground + 0.4} 27,{ground + 1} "
            f"19,{ground + 0.4} 16.6,27 17.4,21"
        )
        neck = curve("22.6,20 24,14 21.8,8.6 18.2,5.2 15,5 14.4,8.6 16.6,12 16.4,17 17,24")
        for path in (body, neck):
            pen.line(path, INK, 0.8)
        for path in (body, neck):
            pen.shade(path, (lighter(_SCALES, 0.3), _SCALES, lighter(_SCALES, -0.35)), (14, 4), (36, ground))
        with pen.within(_joined(body, neck)):
            for k, y in enumerate(np.arange(7.5, ground, 2.1)):
                x = 14.2 + 1.0 * np.sin(0.23 * k)
                pen.solid(ellipse(float(x) + 1.9, float(y), 2.9, 1.05), _BELLY, outline=0.22, contrast=0.18)
            for x, y in rng.uniform((20, 12), (35, ground), (70, 2)):
                arc = smooth([(x - 0.7, y), (x, y + 0.8), (x + 0.7, y)], closed=False)
                pen.line(arc, lighter(_SCALES, -0.5), 0.24, alpha=0.7)
        for x, y, turn in (
            (19.6, 5.2, 20),
            (22.4, 8.2, 42),
            (24.2, 11.8, 62),
            (33.6, 19.6, 42),
            (35.6, 23.4, 60),
        ):
            with pen.at(x, y, turn):
                pen.solid(edges("-1.2,0.5 0.4,-2.1 1.2,0.5"), _WING, outline=0.25)
        for x, lift in ((20.0, 0.0), (30.5, -0.6)):
            pen.solid(
                curve(
                    f"{x - 1.6},{25 + lift} {x + 3.4},{24.4 + lift} {x + 3.6},{ground} "
                    f"{x + 2},{ground + 1.6} {x - 3},{ground + 1.6} {x - 2.6},{ground}"
                ),
                lighter(_SCALES, 0.08),
                outline=0.35,
            )
            for k in range(3):
                pen.solid(
                    ellipse(x - 2.6 + 1.6 * k, ground + 1.3, 0.95, 0.75), (1.0, 0.97, 0.85), outline=0.2
                )
        _wing(
            pen,
            points(
                "25,20 27.4,6.6 36.4,1.8 35.6,6.2 42.8,6.6 39.4,10.8 43.8,13.4 38.4,15.2 "
                "40,19.6 33.6,18.8 29.4,22.6"
            ),
            _WING,
        )
        _fire(pen)
        _head(pen)
        for x in (6.0, 17.0, 28.0, 39.0):
            chevron = edges(
                f"{x - 3.4},36.4 {x + 0.6},33.9 {x + 3.6},33.9 {x - 0.4},36.4 {x + 3.6},38.9 {x + 0.6},38.9"
            )
            pen.solid(chevron, rgb("ffc23d"), outline=0.3, contrast=0.2)
        _frame(pen, width, height, rgb("f2b13a"))
    return sheet.cut()


def _tail() -> skia.Path:
    path = skia.Path()
    path.moveTo(33, 28.8)
    path.cubicTo(37.5, 33, 43.6, 31.4, 41, 24)
    return path


def _joined(one: skia.Path, other: skia.Path) -> skia.Path:
    return skia.Op(one, other, skia.PathOp.kUnion_PathOp)


def _wing(pen: Pen, tips: Points, colour: Colour) -> None:
    """Draw a wing from shoulder and elbow, with skin between the finger tips, which are every second point
    after them."""
    (x0, y0), elbow, tip = tips[:3]
    pen.solid(polygon(tips), colour, outline=0.4, contrast=0.25)
    for x, y in tips[4::2]:
        pen.line(polygon([elbow, (x, y)], closed=False), lighter(colour, -0.5), 0.5)
    arm = [
        (x0 - 1, y0),
        (x0 + 1, y0),
        (elbow[0] + 0.5, elbow[1] + 0.7),
        tip,
        (elbow[0] - 0.5, elbow[1] - 0.6),
    ]
    pen.solid(polygon(arm), lighter(colour, -0.3), outline=0.3, contrast=0.25)


def _fire(pen: Pen) -> None:
    for colour, share in ((rgb("e2401f"), 1.0), (rgb("ff9a26"), 0.72), (rgb("fff0a0"), 0.42)):
        with pen.at(7.6, 12.1, scale=share):
            flame = curve(
                "0.6,-0.9 -2.4,-1.9 -4.2,-3.4 -5,-1.6 -7.6,-1.8 -6.2,0.4 -7.8,2.2 -5,2.2 "
                "-3.6,3.9 -2,1.8 0.6,0.9"
            )
            if share == 1.0:
                pen.fill(flame, rgb("ffcf66"), 0.7, blur=1.2)
            pen.fill(flame, colour)


def _head(pen: Pen) -> None:
    for horn in ("17.4,5.2 23.4,1.4 19.8,6.6", "15.8,4.4 20.6,0.8 18,5.8"):
        pen.solid(edges(horn), _BELLY, outline=0.3)
    pen.solid(
        curve("17.6,10.2 15,11.8 11.6,13 8.4,13.6 7.8,12.9 11,11.4 14,9.6"),
        lighter(_SCALES, -0.1),
        outline=0.35,
    )
    pen.solid(
        curve("19.4,7.4 17.6,4.2 13.8,4 11.4,6 7.8,7.2 6.4,9.4 7.4,11.2 11.2,10.8 14.6,11 18,10.6"),
        lighter(_SCALES, 0.1),
    )
    for x in (8.4, 9.9, 11.4):
        pen.fill(polygon([(x - 0.5, 10.8), (x + 0.5, 10.8), (x, 12.2)]), (1.0, 1.0, 0.94))
    pen.fill(circle(7.6, 8.7, 0.4), INK)
    pen.solid(ellipse(13.4, 6.8, 1.35, 1.1), rgb("ffe14a"), outline=0.3, contrast=0.1)
    pen.fill(ellipse(13.1, 6.9, 0.35, 0.95), INK)
    pen.line(stroke("11.6,5.5 15,5.9"), INK, 0.55)


def _ground(pen: Pen, width: float, height: float, light: Colour, dark: Colour) -> None:
    top = height * (1 - GROUND)
    pen.shade(box(-6, top, width + 6, height + 6), (light, dark), (0, top), (0, height))
    pen.line(polygon([(-6, top), (width + 6, top)], closed=False), INK, 0.4, alpha=0.8)


def _frame(pen: Pen, width: float, height: float, colour: Colour) -> None:
    pen.line(box(0, 0, width, height), colour, 1.4)
