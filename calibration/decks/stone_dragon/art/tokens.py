"""Art of chips, coins and pawns. A chip's number is as large as possible, with its sign above it."""

from __future__ import annotations

from PIL import Image

from calibration.decks.drawing.palette import STARTER_COLOURS, Colour, rgb
from calibration.decks.drawing.pen import INK, Pen, bow, box, circle, curve, edges, lighter, stroke
from calibration.decks.drawing.sheet_of_art import Sheet
from calibration.decks.print_pictures import FLAP_SHARE
from calibration.decks.stone_dragon.art.icons import GOLD, SIGNS, number
from calibration.decks.stone_dragon.panel_set import PAWN_MM
from scorer.catalogue import Card

_CHIP: dict[str, Colour] = {
    "sword": rgb("b3393a"),
    "shield": rgb("2f5f9a"),
    "potion": rgb("7b3f8f"),
    "life": rgb("2f8f5a"),
}
_RIMS = {1: rgb("c9a26a"), 2: rgb("c9d2dc"), 4: rgb("f2c53d"), 5: rgb("f2c53d")}
PAWN_COLOURS: dict[str, Colour] = STARTER_COLOURS | {"black": rgb("2b2d33")}


def draw_chip(card: Card, px_per_mm: float) -> Image.Image:
    """A supply chip or a life chip."""
    assert card.size_mm is not None and card.value is not None and card.role is not None
    radius = card.size_mm[0] / 2
    body = _CHIP[card.role]
    sheet = Sheet(card.size_mm, px_per_mm, body)
    with sheet.pen() as pen, pen.at(radius, radius):
        pen.fill(circle(0, 0, radius + 6), _RIMS[card.value])
        for k in range(12):
            with pen.at(0, 0, 30 * k):
                if card.value > 1:
                    pen.fill(
                        edges(f"-0.9,{-radius} 0.9,{-radius} 0,{-radius + 1.5}"),
                        lighter(_RIMS[card.value], -0.45),
                    )
        pen.line(circle(0, 0, radius - 0.3), lighter(_RIMS[card.value], -0.5), 0.6)
        pen.solid(circle(0, 0, radius - 1.7), body, outline=0.3, contrast=0.22)
        with pen.at(0, -3.3, scale=1.05):
            SIGNS[card.role](pen)
        pen.solid(box(-4.4, 1.6, 4.4, 8.2, 1.6), rgb("fff6dd"), outline=0.3, contrast=0.06)
        text = str(card.value) if card.role == "life" else f"+{card.value}"
        number(pen, text, (0, 4.9), 4.6 if card.role == "life" else 4.2, INK)
    return sheet.cut()


def draw_coin(card: Card, px_per_mm: float) -> Image.Image:
    """A coin: copper for a value of one, gold for five."""
    assert card.size_mm is not None and card.value is not None
    radius = card.size_mm[0] / 2
    metal = rgb("c47a3d") if card.value == 1 else GOLD
    sheet = Sheet(card.size_mm, px_per_mm, metal)
    with sheet.pen() as pen, pen.at(radius, radius):
        far = radius + 6
        pen.shade(
            circle(0, 0, far), (lighter(metal, 0.5), metal, lighter(metal, -0.4)), (-far, -far), (far, far)
        )
        for k in range(40):
            with pen.at(0, 0, 9 * k):
                pen.line(stroke(f"0,{-radius + 0.5} 0,{-radius + 1.5}"), lighter(metal, -0.55), 0.35)
        pen.line(circle(0, 0, radius - 2.1), lighter(metal, -0.5), 0.5)
        if card.value > 1:
            for k in range(card.value):
                with pen.at(0, 0, 72 * k), pen.at(0, -radius + 3.6, scale=0.3):
                    SIGNS["stars"](pen)
        number(pen, str(card.value), (0, 0), 8.2 if card.value == 1 else 7.0, lighter(metal, -0.65))
    return sheet.cut()


def draw_pawn(card: Card, px_per_mm: float) -> Image.Image:
    """A hooded figure with a torch, in the colour of the pawn. The black pawn has no torch, and burning
    eyes."""
    assert card.colour is not None
    colour = PAWN_COLOURS[card.colour]
    dark = card.colour == "black"
    width, height = PAWN_MM
    ground = height * (1 - FLAP_SHARE)
    sheet = Sheet(PAWN_MM, px_per_mm, lighter(colour, 0.7))
    with sheet.pen() as pen:
        sky = (
            (lighter(colour, 0.55), lighter(colour, 0.2))
            if dark
            else (lighter(colour, 0.85), lighter(colour, 0.45))
        )
        pen.shade(box(-6, -6, width + 6, height + 6), sky, (0, 0), (0, ground))
        pen.shade(
            box(-6, ground, width + 6, height + 6),
            (lighter(colour, -0.2), lighter(colour, -0.5)),
            (0, ground),
            (0, height),
        )
        pen.line(stroke(f"-6,{ground} {width + 6},{ground}"), INK, 0.4, alpha=0.8)
        if not dark:
            _torch(pen, ground)
        robe = curve(f"8,2.4 11.4,6 11,10 12.8,{ground + 0.8} 8,{ground + 1.8} 3.2,{ground + 0.8} 5,10 4.6,6")
        pen.solid(robe, colour, outline=0.45, contrast=0.3)
        pen.line(bow(f"8,11 8.5,15 8,{ground + 1}"), lighter(colour, -0.5), 0.4)
        pen.fill(curve("8,4.4 10.2,6.2 9.8,9 8,10.4 6.2,9 5.8,6.2"), rgb("17120f"))
        for x in (7.1, 8.9):
            pen.fill(circle(x, 7.2, 0.55), rgb("ff8a2a") if dark else rgb("fff2b0"))
        pen.line(stroke("4.6,14 11.4,14"), rgb("e8c35a") if not dark else rgb("8a2f1f"), 0.8)
        pen.line(box(0, 0, width, height), lighter(colour, -0.5), 1.3)
    return sheet.cut()


def _torch(pen: Pen, ground: float) -> None:
    pen.line(stroke(f"13.2,8 12.4,{ground - 4}"), INK, 1.3)
    pen.line(stroke(f"13.2,8 12.4,{ground - 4}"), rgb("9a6a3a"), 0.8)
    pen.solid(curve("13.3,2.2 14.6,5 14.4,7.6 12.2,7.6 11.9,5"), rgb("ff9a26"), outline=0.3)
    pen.fill(curve("13.3,4.4 14,6 13.8,7.4 12.8,7.4 12.6,6"), rgb("fff0a0"))
