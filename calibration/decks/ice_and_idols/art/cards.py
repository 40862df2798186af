"""Art of key cards, which show a pattern to find, and of event cards."""

from __future__ import annotations

from typing import Any

from PIL import Image

from calibration.decks.drawing.glyphs import draw_text
from calibration.decks.drawing.palette import rgb
from calibration.decks.drawing.pen import INK, Pen, box, circle, edges, lighter
from calibration.decks.drawing.sheet_of_art import Sheet, bright_colours, cloth
from calibration.decks.ice_and_idols.art.boards import SEED
from calibration.decks.ice_and_idols.art.signs import (
    BORDER_COLOURS,
    CREAM,
    ICE,
    bonus,
    border_sign,
    person,
    roundel,
    snowflake,
    turn_arrow,
)
from calibration.decks.ice_and_idols.temple_set import CARD_MM
from scorer.catalogue import Card

_KEY, _GROUNDS = rgb("e7dcc0"), {
    "collapse": rgb("6b2f2a"),
    "rotate": rgb("23506b"),
    "shift": rgb("4a3a6b"),
    "calm": rgb("3f6b5a"),
}  # fmt: skip
_WIDTH, _HEIGHT = CARD_MM


def draw_card(card: Card, px_per_mm: float) -> Image.Image:
    """The face of a key card or an event card."""
    colour = _KEY if card.role == "key" else _GROUNDS[card.more["event"]]
    sheet = cloth(card.id, SEED, CARD_MM, px_per_mm, colour)
    with sheet.pen() as pen:
        if card.role == "key":
            _key(pen, card.more)
        else:
            _event(pen, card.more)
    return bright_colours(sheet.cut())


def draw_card_back(role: str, px_per_mm: float) -> Image.Image:
    """The back of key cards (a key) or event cards (a snowflake), symmetric under rotation by 180 degrees."""
    ground = rgb("7a5a2c") if role == "key-back" else rgb("1f3a52")
    sheet = cloth(role, SEED, CARD_MM, px_per_mm, ground)
    with sheet.pen() as pen:
        pen.line(box(2.4, 2.4, _WIDTH - 2.4, _HEIGHT - 2.4, 2), CREAM, 0.7)
        for turn in (0, 180):
            with pen.at(_WIDTH / 2, _HEIGHT / 2, turn), pen.at(0, -13.4):
                if role == "key-back":
                    pen.line(circle(0, -6, 4.4), INK, 3.4)
                    pen.line(circle(0, -6, 4.4), rgb("f2d06b"), 2.3)
                    pen.solid(box(-1.2, -1.6, 1.2, 9.6, 0.4), rgb("f2d06b"), outline=0.4)
                    for y in (4.4, 7.6):
                        pen.solid(box(1, y, 4.6, y + 1.9, 0.3), rgb("f2d06b"), outline=0.35)
                else:
                    snowflake(pen, 11.4, ICE, 1.2)
        pen.solid(circle(_WIDTH / 2, _HEIGHT / 2, 2.6), CREAM, outline=0.4)
    return bright_colours(sheet.cut())


def _key(pen: Pen, told: dict[str, Any]) -> None:
    pen.line(box(1.8, 1.8, _WIDTH - 1.8, _HEIGHT - 1.8, 2), rgb("7a5a2c"), 0.7)
    with pen.at(_WIDTH / 2, 12.4, scale=2.1):
        bonus(pen, told["vp"])
    cells = [(int(x), int(y)) for x, y in told["pattern"]]
    columns, rows = (max(each[axis] for each in cells) + 1 for axis in (0, 1))
    step = min(10.5, 36 / max(columns, rows))
    with pen.at(_WIDTH / 2, 44):
        for row in range(rows):
            for column in range(columns):
                x, y = step * (column - (columns - 1) / 2), step * (row - (rows - 1) / 2)
                half = 0.46 * step
                if (column, row) in cells:
                    pen.solid(box(x - half, y - half, x + half, y + half, 0.8), rgb("f7f1de"), outline=0.35)
                    inner = 0.62 * half
                    pen.solid(
                        box(x - inner, y - inner, x + inner, y + inner, 0.4), rgb("3a3f49"), outline=0.3
                    )
                else:
                    pen.line(box(x - half, y - half, x + half, y + half, 0.8), rgb("9a855c"), 0.45)


def _event(pen: Pen, told: dict[str, Any]) -> None:
    pen.line(box(1.8, 1.8, _WIDTH - 1.8, _HEIGHT - 1.8, 2), ICE, 0.7)
    pen.solid(box(4, 4, _WIDTH - 4, 51, 2), rgb("eef5f7"), outline=0.4, contrast=0.08)
    with pen.at(_WIDTH / 2, 27.5):
        if told["event"] == "collapse":
            _collapse(pen, told["x"])
        elif told["event"] == "rotate":
            for radius, weight in ((15.0, 0.9), (10.0, 0.5)):
                pen.line(box(-radius, -radius, radius, radius), lighter(_GROUNDS["rotate"], 0.2), weight)
            with pen.at(0, 0, scale=2.0):
                turn_arrow(pen, told["turn"] == "clockwise", rgb("2f8fc4"))
        elif told["event"] == "shift":
            _shift(pen, told["from"], told["to"])
        else:
            snowflake(pen, 16, rgb("6fb7a0"), 1.6)
    for k in range(told["players"]):
        with pen.at(_WIDTH / 2 + 8.4 * (k - (told["players"] - 1) / 2), 59.4, scale=0.95):
            person(pen, CREAM)


def _collapse(pen: Pen, sides: list[str]) -> None:
    """Draw a cross on the space at each given side of the figure's space."""
    at = {"top": (0, -1), "right": (1, 0), "bottom": (0, 1), "left": (-1, 0)}
    for side, (x, y) in at.items():
        with pen.at(11.4 * x, 11.4 * y):
            pen.solid(box(-5, -5, 5, 5, 0.8), rgb("b9d8e4"), outline=0.35, contrast=0.1)
            if side in sides:
                for turn in (45, -45):
                    with pen.at(0, 0, turn):
                        pen.solid(box(-5.4, -1.1, 5.4, 1.1, 0.5), rgb("c8323a"), outline=0.3)
    pen.solid(box(-5, -5, 5, 5, 0.8), rgb("f2d06b"), outline=0.35, contrast=0.1)
    with pen.at(0, 0.2, scale=0.9):
        person(pen, rgb("3a3f49"))


def _shift(pen: Pen, first: Any, last: Any) -> None:
    for y, name in ((-14.5, first), (14.5, last)):
        with pen.at(0, y):
            roundel(pen, BORDER_COLOURS[name], 7.6)
            with pen.at(0, 0, scale=1.2):
                border_sign(pen, name)
    pen.solid(edges("-2,-5.6 2,-5.6 2,0.6 5,0.6 0,6 -5,0.6 -2,0.6"), rgb("f2d06b"), outline=0.4)


def draw_points(value: int, px_per_mm: float, size_mm: tuple[float, float]) -> Image.Image:
    """A token of victory points, with as many studs around it as its value."""
    radius = size_mm[0] / 2
    bodies = {3: rgb("7f8790"), 4: rgb("2f7f9a"), 5: rgb("5a8f3f"), 6: rgb("8a4fa8"), 7: rgb("c4622a")}
    body = bodies[value]
    sheet = Sheet(size_mm, px_per_mm, body)
    with sheet.pen() as pen, pen.at(radius, radius):
        pen.fill(circle(0, 0, radius + 6), body)
        pen.line(circle(0, 0, radius - 0.4), lighter(body, -0.5), 0.8)
        for k in range(value):
            with pen.at(0, 0, 360 / value * k):
                pen.solid(circle(0, -radius + 1.9, 0.8), rgb("f2d06b"), outline=0.2)
        pen.solid(circle(0, 0, radius - 3.2), CREAM, outline=0.35, contrast=0.05)
        draw_text(pen, str(value), (0, -0.5 if value == 6 else 0), 9, lighter(body, -0.4), weight=0.2)
        if value == 6:
            pen.line(edges("-3,6 3,6 3,6.1"), lighter(body, -0.4), 1.0)
    return sheet.cut()
