"""Portraits of the four characters, each around the origin and within 15 mm."""

from __future__ import annotations

from calibration.decks.drawing.palette import Colour, rgb
from calibration.decks.drawing.pen import INK, Pen, bow, box, circle, curve, edges, ellipse, lighter, stroke
from calibration.decks.stone_dragon.art.creatures import Portrait

_SKIN = (rgb("e9bd93"), rgb("b27a4f"), rgb("f0cda8"), rgb("8a5a3c"))


def _face(pen: Pen, skin: Colour, iris: Colour, *, smile: float = 0.6) -> None:
    pen.solid(box(-2.2, 3, 2.2, 8.6, 1), lighter(skin, -0.15), outline=0.35)
    pen.solid(
        curve("-5,-5 -3,-8.6 3,-8.6 5,-5 5,0.6 2.6,4.8 0,6 -2.6,4.8 -5,0.6"),
        skin,
        outline=0.45,
        contrast=0.16,
    )
    for side in (-1, 1):
        pen.solid(ellipse(2.1 * side, -1.8, 1.05, 0.85), rgb("ffffff"), outline=0.22, contrast=0.05)
        pen.fill(circle(2.1 * side, -1.7, 0.62), iris)
        pen.fill(circle(2.1 * side, -1.7, 0.3), INK)
        pen.line(bow(f"{0.9 * side},-3.4 {2.2 * side},-3.9 {3.5 * side},-3.2"), INK, 0.5)
    pen.line(bow("0.3,-1.4 0.9,0.9 -0.3,1.1"), lighter(skin, -0.5), 0.4)
    pen.line(bow(f"-1.7,2.9 0,{2.9 + smile} 1.7,2.9"), rgb("8a2f2a"), 0.6)


def _knight(pen: Pen) -> None:
    steel = rgb("9aa7b5")
    pen.solid(curve("-13,15 -11,8 -4,6 4,6 11,8 13,15"), steel, outline=0.5)
    pen.solid(edges("-3.4,8 0,6.8 3.4,8 2.6,15 -2.6,15"), rgb("b3282f"), outline=0.4)
    for side in (-1, 1):
        pen.solid(ellipse(10.4 * side, 9.6, 3.8, 2.6), lighter(steel, 0.15), outline=0.4)
    _face(pen, _SKIN[0], rgb("3a6ea5"), smile=0.3)
    pen.solid(
        curve("-6.2,-1 -6.6,-8 -3,-12.6 3,-12.6 6.6,-8 6.2,-1 5,-5.6 0,-6.4 -5,-5.6"), steel, outline=0.5
    )
    for side in (-1, 1):
        pen.solid(
            edges(f"{6.2 * side},-2 {4.4 * side},-3 {4.2 * side},4 {5.6 * side},3.4"),
            lighter(steel, -0.1),
            outline=0.35,
        )
    pen.line(stroke("0,-12.6 0,-6.4"), lighter(steel, -0.45), 0.7)
    plume = curve("0,-12 -3,-15.4 4,-15.6 10,-13 12,-7 8.4,-9.6 4,-11.4")
    pen.solid(plume, rgb("c8323a"), outline=0.4)


def _merchant(pen: Pen) -> None:
    coat = rgb("2f6b5a")
    pen.solid(curve("-13,15 -10,8 -4,6.4 4,6.4 10,8 13,15"), coat, outline=0.5)
    pen.solid(edges("-4,7 0,13 4,7 2,6 -2,6"), rgb("f4efe2"), outline=0.35)
    pen.line(bow("-5,8 0,14.6 5,8"), rgb("e2b33c"), 0.9)
    pen.solid(circle(0, 13, 1.5), rgb("e2b33c"), outline=0.3)
    _face(pen, _SKIN[1], rgb("4a3520"), smile=1.0)
    pen.solid(curve("-4,2 0,3.4 4,2 3.4,6.4 0,9 -3.4,6.4"), rgb("3a2a1f"), outline=0.4)
    pen.line(bow("-1.6,4 0,4.8 1.6,4"), rgb("c96a5a"), 0.7)
    pen.solid(curve("-6.6,-5 -7.4,-9 -3,-13.6 4,-13.4 7.4,-9 6.6,-5 0,-7"), rgb("7b3fa8"), outline=0.45)
    for k, x in enumerate((-4.4, -1.4, 1.8)):
        pen.line(
            bow(f"{x},-6.2 {x + 1},-10 {x + 3},-12.8"), lighter(rgb("7b3fa8"), 0.35 if k % 2 else -0.35), 0.6
        )
    pen.solid(curve("-1.2,-7.4 0,-9.4 1.2,-7.4 0,-5.4"), rgb("59d3c0"), outline=0.3)


def _tamer(pen: Pen) -> None:
    leather = rgb("8a5530")
    pen.solid(curve("-13,15 -10,8 -4,6.4 4,6.4 10,8 13,15"), leather, outline=0.5)
    for x, y in ((-8, 11), (-4.6, 13), (4.6, 12.4), (8.6, 11.4)):
        pen.solid(ellipse(x, y, 1.4, 0.9), rgb("3d2412"), outline=0.2)
    hair = rgb("b5482a")
    pen.solid(
        curve("-6.6,4 -8.4,-4 -5,-11.6 0,-13.2 5,-11.6 8.4,-4 6.6,4 8,9.6 5,8 4,0 -4,0 -5,8 -8,9.6"),
        hair,
        outline=0.5,
    )
    _face(pen, _SKIN[2], rgb("3f8a4a"), smile=0.8)
    pen.solid(curve("-5.2,-4 -5,-9 0,-10.8 5,-9 5.2,-4 2,-7 -1,-5.4"), hair, outline=0.4)
    pen.line(stroke("-5.6,-6.4 5.6,-6.4"), rgb("4a9a4e"), 1.1)
    # A small dragon on the shoulder.
    green = rgb("5fae5c")
    pen.solid(curve("8,8.6 7.6,4 9.6,1.6 13,2 13.4,6 11.4,9"), green, outline=0.4)
    pen.solid(curve("8.4,2.6 6.2,1.4 6.6,-1 9.6,-1.6 11.6,0.4 11,2.8"), green, outline=0.4)
    pen.solid(edges("11.4,3 15,-1.4 14.6,5"), rgb("e2b33c"), outline=0.35)
    pen.solid(circle(8.2, 0, 0.8), rgb("ffe14a"), outline=0.2)
    pen.fill(circle(8.1, 0, 0.35), INK)


def _heiress(pen: Pen) -> None:
    gown = rgb("a8326a")
    pen.solid(curve("-13,15 -11,9 -4,7 4,7 11,9 13,15"), gown, outline=0.5)
    pen.solid(curve("-6,8 0,11 6,8 4,6.4 -4,6.4"), rgb("f4efe2"), outline=0.35)
    hair = rgb("2b2230")
    pen.solid(
        curve("-6.6,6 -7.6,-5 -4,-11 4,-11 7.6,-5 6.6,6 8.6,11 5.4,11 4,2 -4,2 -5.4,11 -8.6,11"),
        hair,
        outline=0.5,
    )
    _face(pen, _SKIN[3], rgb("6b3fa0"), smile=0.5)
    pen.solid(curve("-5.4,-3 -4.8,-8.8 0,-10.4 4.8,-8.8 5.4,-3 3.4,-6.6 0,-7.4 -3.4,-6.6"), hair, outline=0.4)
    pen.solid(edges("-4.8,-9 -5.4,-14 -2.4,-11.4 0,-15 2.4,-11.4 5.4,-14 4.8,-9"), rgb("e2b33c"), outline=0.4)
    for x, colour in ((-2.8, "59d3c0"), (0.0, "d8384a"), (2.8, "59d3c0")):
        pen.solid(circle(x, -10, 0.75), rgb(colour), outline=0.2)
    for x in (-4.2, -2.2, 0.0, 2.2, 4.2):
        pen.solid(circle(x, 9.2 - 0.12 * abs(x) ** 1.5, 0.85), rgb("fdf8ec"), outline=0.22, contrast=0.12)
    for side in (-1, 1):
        pen.solid(circle(5 * side, 2.6, 0.8), rgb("e2b33c"), outline=0.22)


CHARACTERS: dict[str, tuple[Portrait, Colour]] = {
    "knight": (_knight, rgb("8f2530")),
    "merchant": (_merchant, rgb("1f5a4a")),
    "tamer": (_tamer, rgb("7a4a14")),
    "heiress": (_heiress, rgb("5a2a6b")),
}
