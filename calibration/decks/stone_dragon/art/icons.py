"""Signs on cards, each around the origin and within 4 mm, and rows of signs with numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from calibration.decks.drawing.glyphs import draw_text, text_width
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

STEEL, WOOD, GOLD, BLOOD = rgb("c9d2dc"), rgb("7a5230"), rgb("e2b33c"), rgb("c8323a")
BLUE, GREEN, BONE = rgb("2f6fb5"), rgb("4a9a4e"), rgb("f2ead2")

Sign = Callable[[Pen], None]


def _sword(pen: Pen) -> None:
    with pen.at(0, 0, 40):
        pen.solid(edges("-0.75,1.2 -0.75,-3.6 0,-4.8 0.75,-3.6 0.75,1.2"), STEEL, outline=0.28)
        pen.line(stroke("0,-3.6 0,1"), lighter(STEEL, -0.4), 0.2)
        pen.solid(box(-2.3, 1.0, 2.3, 1.9, 0.35), GOLD, outline=0.25)
        pen.solid(box(-0.5, 1.9, 0.5, 3.8, 0.2), WOOD, outline=0.22)
        pen.solid(circle(0, 4.1, 0.6), GOLD, outline=0.22)


def _shield(pen: Pen) -> None:
    shape = curve("-3.4,-3.7 0,-3.1 3.4,-3.7 3.3,1 0,4.6 -3.3,1")
    pen.solid(shape, BLUE, outline=0.32, contrast=0.25)
    with pen.within(shape):
        pen.fill(box(-0.7, -5, 0.7, 5), BONE)
        pen.fill(box(-4, -1.2, 4, 0.2), BONE)
    pen.line(shape, INK, 0.34)


def _potion(pen: Pen) -> None:
    flask = curve("-0.7,-3.4 0.7,-3.4 0.8,-1 3.2,1.8 2.7,4.1 -2.7,4.1 -3.2,1.8 -0.8,-1")
    pen.solid(flask, rgb("eaf3f4"), outline=0.3, contrast=0.12)
    with pen.within(flask):
        pen.fill(box(-4, 0.9, 4, 5), rgb("b04bc0"))
        for x, y in ((-0.9, 2.2), (0.8, 3), (0.3, 1.6)):
            pen.fill(circle(x, y, 0.35), (1.0, 1.0, 1.0), 0.85)
    pen.line(flask, INK, 0.3)
    pen.solid(box(-1.1, -4.5, 1.1, -3.3, 0.3), WOOD, outline=0.22)


def _heart(pen: Pen) -> None:
    pen.solid(
        curve("0,4.6 -2.4,2.4 -4.2,-0.2 -3.8,-3.4 -1.6,-3.9 0,-2 1.6,-3.9 3.8,-3.4 4.2,-0.2 2.4,2.4"),
        BLOOD,
        outline=0.3,
    )
    pen.line(bow("-2.7,-0.8 -2.7,-2.2 -1.5,-2.7"), (1.0, 1.0, 1.0), 0.45, alpha=0.85)


def _coin(pen: Pen) -> None:
    pen.solid(circle(0, 0, 3.8), GOLD, outline=0.3, contrast=0.35)
    pen.line(circle(0, 0, 2.8), lighter(GOLD, -0.45), 0.3)
    pen.solid(
        edges("-1.7,1.2 -2,-1.4 -0.8,-0.4 0,-2 0.8,-0.4 2,-1.4 1.7,1.2"), lighter(GOLD, -0.4), outline=0.1
    )


def star(pen: Pen, radius: float = 4.3, colour: Colour = GOLD) -> None:
    """Draw a five-pointed star around the origin."""
    pen.solid(polygon(star_points(5, radius, 0.45 * radius)), colour, outline=0.07 * radius, contrast=0.25)


def _claw(pen: Pen) -> None:
    pen.solid(circle(0, 0, 3.9), rgb("5a1f1c"), outline=0.3, contrast=0.2)
    for x in (-1.7, 0.0, 1.7):
        pen.solid(
            curve(f"{x - 0.2},-3 {x + 0.9},-0.6 {x + 0.3},3 {x - 0.5},-0.4"), rgb("f6d469"), outline=0.18
        )


def _chest(pen: Pen) -> None:
    pen.solid(curve("-3.7,-0.4 -3.5,-3 0,-3.9 3.5,-3 3.7,-0.4"), WOOD, outline=0.3)
    pen.solid(box(-3.7, -0.6, 3.7, 3.6, 0.4), lighter(WOOD, 0.12), outline=0.3)
    for x in (-2.7, 1.9):
        pen.fill(box(x, -3.3, x + 0.8, 3.6), GOLD)
    pen.solid(box(-0.9, -1.2, 0.9, 1.2, 0.3), GOLD, outline=0.2)
    pen.fill(circle(0, -0.1, 0.35), INK)


def _panel(pen: Pen) -> None:
    pen.solid(box(-3.8, -3.8, 3.8, 3.8, 0.6), rgb("5d6b78"), outline=0.3, contrast=0.2)
    pen.fill(box(-1.0, -3.6, 1.0, 3.6), rgb("e8dcc0"))
    pen.fill(box(-3.6, -1.0, 3.6, 1.0), rgb("e8dcc0"))
    pen.line(box(-3.8, -3.8, 3.8, 3.8, 0.6), INK, 0.3)


def _duel(pen: Pen) -> None:
    for turn, _ in ((0, 1), (-80, 1)):
        with pen.at(0, 0, turn):
            _sword(pen)


def _skull(pen: Pen) -> None:
    pen.solid(
        curve("-3.4,-1 -2.7,-3.7 0,-4.3 2.7,-3.7 3.4,-1 2.6,1.5 1.8,1.8 1.7,3.8 -1.7,3.8 -1.8,1.8 -2.6,1.5"),
        BONE,
        outline=0.3,
    )
    for side in (-1, 1):
        pen.fill(ellipse(1.35 * side, -0.8, 0.95, 1.1), INK)
    pen.fill(edges("0,0.5 0.55,1.7 -0.55,1.7"), INK)
    for x in (-0.7, 0.0, 0.7):
        pen.line(stroke(f"{x},2.5 {x},3.7"), INK, 0.26)


def _eye(pen: Pen) -> None:
    pen.solid(
        curve("-4.3,0 -2.2,-2.6 2.2,-2.6 4.3,0 2.2,2.6 -2.2,2.6"), (1.0, 1.0, 1.0), outline=0.3, contrast=0.1
    )
    pen.solid(circle(0, 0, 1.8), rgb("2a7f8f"), outline=0.2)
    pen.fill(circle(0, 0, 0.85), INK)


def _swap(pen: Pen) -> None:
    for turn in (0, 180):
        with pen.at(0, 0, turn):
            pen.line(bow("-3.4,1.2 -3,-2.8 1.6,-2.8"), INK, 1.5)
            pen.line(bow("-3.4,1.2 -3,-2.8 1.6,-2.8"), GREEN, 1.0)
            pen.solid(edges("1.2,-4.7 4.2,-2.8 1.2,-0.9"), GREEN, outline=0.25)


def _action(pen: Pen) -> None:
    pen.solid(circle(0, 0, 3.9), rgb("f5f0dd"), outline=0.3, contrast=0.1)
    pen.solid(edges("0.9,-3.3 -2.1,0.6 -0.2,0.6 -0.9,3.3 2.1,-0.8 0.2,-0.8"), rgb("e8862a"), outline=0.25)


def _back(pen: Pen) -> None:
    pen.solid(box(-2.7, -3.9, 2.7, 3.9, 0.5), rgb("6b2b3a"), outline=0.3, contrast=0.2)
    pen.line(box(-1.9, -3.1, 1.9, 3.1, 0.3), GOLD, 0.3)
    pen.solid(edges("0,-1.8 1.3,0 0,1.8 -1.3,0"), GOLD, outline=0.2)


def _dragon(pen: Pen) -> None:
    pen.solid(
        curve("4,-1 2.2,-3.6 -0.6,-2.6 -4,-0.8 -4.3,0.6 -2,0.9 -3.6,2.2 -0.8,2.4 0.4,3.8 3.4,3.6"),
        rgb("8a94a3"),
        outline=0.3,
    )
    pen.solid(edges("1.8,-3 4.4,-4.6 3.2,-1.6"), BONE, outline=0.22)
    pen.solid(ellipse(0.3, -1, 0.95, 0.75), rgb("ffb32e"), outline=0.2, contrast=0.1)
    pen.fill(ellipse(0.2, -1, 0.25, 0.6), INK)
    pen.fill(circle(-3.4, -0.2, 0.3), INK)


def _arrow(pen: Pen) -> None:
    pen.solid(
        edges("-3.6,-1 0.2,-1 0.2,-2.8 3.8,0 0.2,2.8 0.2,1 -3.6,1"), rgb("f5f0dd"), outline=0.28, contrast=0.1
    )


SIGNS: dict[str, Sign] = {
    "attack": _sword, "sword": _sword, "defence": _shield, "shield": _shield, "potion": _potion,
    "life": _heart, "coins": _coin, "stars": star, "monster": _claw, "monster_cards": _claw,
    "item": _chest, "item_cards": _chest, "any": _back, "panels_up": _panel, "duel": _duel, "skull": _skull,
    "table": _eye, "dragon": _dragon, "swap": _swap, "action": _action, "to": _arrow,
}  # fmt: skip

#: How wide a sign is taken to be in a row, and the gap between two.
_SIGN_MM, _GAP_MM = 8.4, 1.2


@dataclass(frozen=True)
class Told:
    """An element of a row: a sign, or a number (`+1`, `x2`, `3`)."""

    sign: str = ""
    text: str = ""


def _wide(told: Told) -> float:
    return _SIGN_MM if told.sign else text_width(told.text, _NUMBER_MM) + 1.0


def _gap(told: Told) -> float:
    """The gap in mm after an element of a row; it is wider after a number."""
    return _GAP_MM if told.sign else 2.6


_NUMBER_MM = 6.0


def draw_row(
    pen: Pen, at: tuple[float, float], row: Sequence[Told], scale: float = 1.0, colour: Colour = INK
) -> None:
    """Draw signs and numbers in a row centred at `at`."""
    whole = sum(_wide(each) + _gap(each) for each in row) - _gap(row[-1])
    with pen.at(*at, scale=scale):
        left = -whole / 2
        for each in row:
            middle = left + _wide(each) / 2
            if each.sign:
                with pen.at(middle, 0):
                    SIGNS[each.sign](pen)
            else:
                number(pen, each.text, (middle, 0), _NUMBER_MM, colour)
            left += _wide(each) + _gap(each)


def number(pen: Pen, text: str, at: tuple[float, float], height: float, colour: Colour) -> None:
    """Draw a number in heavy strokes; a single 6 or 9 gets a line below it."""
    lift = 0.1 * height if text in ("6", "9") else 0.0
    draw_text(pen, text, (at[0], at[1] - lift), height, colour, weight=0.19)
    if lift:
        low = at[1] - lift + 0.78 * height
        pen.line(
            stroke(f"{at[0] - 0.32 * height},{low} {at[0] + 0.32 * height},{low}"), colour, 0.14 * height
        )
