"""Portraits of the dungeon's creatures, each around the origin and within 15 mm."""

from __future__ import annotations

from collections.abc import Callable

from calibration.decks.drawing.palette import Colour, rgb
from calibration.decks.drawing.pen import INK, Pen, bow, box, circle, curve, edges, ellipse, lighter, stroke

BONE, WHITE = rgb("f2ead2"), rgb("ffffff")
Portrait = Callable[[Pen], None]


def _eyes(pen: Pen, x: float, y: float, radius: float, iris: Colour) -> None:
    for side in (-1, 1):
        pen.solid(circle(x * side, y, radius), WHITE, outline=0.3, contrast=0.1)
        pen.fill(circle((x - 0.15) * side, y + 0.1, 0.66 * radius), iris)
        pen.fill(circle((x - 0.15) * side, y + 0.1, 0.34 * radius), INK)
        pen.fill(circle((x - 0.15) * side - 0.25 * radius, y - 0.25 * radius, 0.2 * radius), WHITE)


def _teeth(pen: Pen, xs: tuple[float, ...], y: float, size: float) -> None:
    for x in xs:
        pen.solid(edges(f"{x - 0.42 * size},{y} {x + 0.42 * size},{y} {x},{y + size}"), BONE, outline=0.15)


def rat(pen: Pen) -> None:
    fur = rgb("8b7a6b")
    tail = bow("8,9 14,8 13,-2 8.6,-7")
    pen.line(tail, INK, 2.0)
    pen.line(tail, rgb("d79a94"), 1.3)
    pen.solid(curve("-6,2 0,-5 9,-2 12,8 8,13 -4,13 -9,9"), fur, outline=0.5)
    for x, y in ((-4.6, -6.4), (2.6, -7.4)):
        pen.solid(circle(x, y, 3.4), fur, outline=0.45)
        pen.solid(circle(x - 0.2, y + 0.2, 2.1), rgb("d79a94"), outline=0.2)
    pen.solid(curve("-14,3.6 -9,-3.6 -3,-7 3,-5 4,1 -1,6 -9,6.4"), lighter(fur, 0.1), outline=0.5)
    pen.solid(circle(-13.6, 3.2, 1.5), rgb("d2605e"), outline=0.3)
    pen.solid(circle(-4.6, -1.6, 1.7), rgb("e8412f"), outline=0.3)
    pen.fill(circle(-5, -1.7, 0.7), INK)
    for y in (1.6, 3.2, 4.8):
        pen.line(stroke(f"-9,{0.4 * y + 2} -14.6,{y + 2.4}"), INK, 0.28)
    _teeth(pen, (-9.4, -8.2), 6, 2.2)
    for x in (-5.0, 2.0):
        pen.solid(curve(f"{x - 2.6},13.4 {x},10.6 {x + 2.8},13.4"), rgb("d79a94"), outline=0.35)
    for x, y in ((3, 3), (6, 6), (1, 9), (8, 10), (5, 0)):
        pen.line(bow(f"{x - 1},{y} {x},{y + 1} {x + 1},{y}"), lighter(fur, -0.45), 0.35)


def bat(pen: Pen) -> None:
    hide = rgb("5b4a7a")
    wing = "1,-2 5,-9 10.4,-12 14.8,-8 13.4,-3.6 14.4,1.4 10.6,0.6 9.6,5.6 6,3.6 4.6,8 1.4,6"
    for mirrored in (False, True):
        pen.solid(edges(wing, mirrored=mirrored), hide, outline=0.5, contrast=0.3)
        for tip in ("10.6,0.6", "6,3.6", "13.4,-3.6"):
            pen.line(stroke(f"5,-9 {tip}", mirrored=mirrored), lighter(hide, -0.5), 0.5)
        pen.solid(edges("1,-8.4 4.4,-14.2 5,-6.6", mirrored=mirrored), hide, outline=0.45)
        pen.fill(edges("2,-8.6 4,-12.2 4.4,-7.2", mirrored=mirrored), rgb("c98ba8"))
    pen.solid(curve("-4,2 4,2 3.4,10 0,13.6 -3.4,10"), lighter(hide, -0.1), outline=0.5)
    pen.solid(
        curve("-5,-8 0,-9.4 5,-8 5.6,-2.6 3,2.6 0,3.8 -3,2.6 -5.6,-2.6"), lighter(hide, 0.12), outline=0.5
    )
    _eyes(pen, 2.2, -4.4, 1.7, rgb("f2b01e"))
    pen.solid(ellipse(0, -1.4, 1.1, 0.8), rgb("2b1f3d"), outline=0.2)
    pen.fill(curve("-2.8,0.2 0,1 2.8,0.2 1.6,2.6 -1.6,2.6"), rgb("2b0f1a"))
    _teeth(pen, (-1.4, 1.4), 0.6, 1.9)


def goblin(pen: Pen) -> None:
    skin = rgb("7fa046")
    pen.solid(curve("-8,15 -6,6 0,4 6,6 8,15"), rgb("7a4a2a"), outline=0.5)
    pen.line(stroke("-3,6.4 3,15"), rgb("d9b45a"), 1.4)
    for mirrored in (False, True):
        pen.solid(edges("5,-4 14.4,-8.6 12,-2.6 13,-0.6 6,3", mirrored=mirrored), skin, outline=0.5)
        pen.fill(edges("7,-3 12,-6 8,0.6", mirrored=mirrored), lighter(skin, -0.35))
    pen.solid(curve("-6.6,-5 -4,-10 0,-11.4 4,-10 6.6,-5 6,2 3,7 0,8.4 -3,7 -6,2"), skin, outline=0.5)
    pen.solid(curve("-7,-6.6 -6,-12.6 0,-15 6,-12.6 7,-6.6 0,-8.4"), rgb("7a2f2f"), outline=0.45)
    _eyes(pen, 2.7, -3.6, 1.9, rgb("d4572a"))
    for mirrored in (False, True):
        pen.line(stroke("0.8,-5 4.8,-6.6", mirrored=mirrored), INK, 0.9)
    pen.solid(curve("-1.2,-2 1.2,-2 2.2,2.4 0,3.4 -2.2,2.4"), lighter(skin, 0.15), outline=0.35)
    pen.fill(curve("-3.6,4 0,5 3.6,4 2.4,6.4 -2.4,6.4"), rgb("2f3a10"))
    _teeth(pen, (-2.2, -0.8, 0.8, 2.2), 4.5, 1.4)


def skeleton(pen: Pen) -> None:
    for y, half in ((8.6, 6.6), (11.2, 6.0), (13.8, 5.2)):
        pen.line(bow(f"{-half},{y + 1.4} 0,{y - 1} {half},{y + 1.4}"), INK, 2.2)
        pen.line(bow(f"{-half},{y + 1.4} 0,{y - 1} {half},{y + 1.4}"), BONE, 1.5)
    pen.line(stroke("0,6 0,15"), INK, 2.6)
    pen.line(stroke("0,6 0,15"), BONE, 1.8)
    pen.solid(
        curve("-7.4,-3 -6,-10.4 0,-13.4 6,-10.4 7.4,-3 5.8,1.6 4,2.6 3.8,7 -3.8,7 -4,2.6 -5.8,1.6"),
        BONE,
        outline=0.5,
    )
    for side in (-1, 1):
        pen.fill(ellipse(3 * side, -2.6, 2.2, 2.5), INK)
        pen.fill(circle(3 * side, -2.4, 0.8), rgb("59d3ff"))
    pen.fill(edges("0,0.4 1.2,3 -1.2,3"), INK)
    pen.line(stroke("-3.6,4.6 3.6,4.6"), INK, 0.35)
    for x in (-2.4, -1.2, 0.0, 1.2, 2.4):
        pen.line(stroke(f"{x},3.4 {x},6.8"), INK, 0.4)
    pen.line(stroke("2,-12 4,-8.4 3,-6.6"), lighter(BONE, -0.5), 0.5)
    pen.solid(curve("-7.6,-5 -7,-12 0,-15 7,-12 7.6,-5 0,-7.4"), rgb("70757f"), outline=0.45)
    pen.solid(box(-0.9, -14.6, 0.9, -3.2, 0.4), rgb("8d939e"), outline=0.3)


def orc(pen: Pen) -> None:
    skin = rgb("5f8a6a")
    pen.solid(curve("-13,15 -10,5 0,3 10,5 13,15"), rgb("4c4f57"), outline=0.5)
    for side in (-1, 1):
        for k in range(3):
            x = (6 + 2.6 * k) * side
            pen.solid(edges(f"{x - 1},{5.6 + k} {x},{1.6 + k} {x + 1},{5.6 + k}"), BONE, outline=0.25)
    for mirrored in (False, True):
        pen.solid(edges("6,-5 10.6,-8.4 9.6,-1.4 6.4,0", mirrored=mirrored), skin, outline=0.45)
    pen.solid(curve("-7.4,-6 -4,-11 4,-11 7.4,-6 8,2 5,8.6 -5,8.6 -8,2"), skin, outline=0.5)
    pen.solid(curve("-2,-11 0,-15 2,-11 1.4,-8.4 -1.4,-8.4"), INK, outline=0.3)
    _eyes(pen, 3, -3.4, 1.5, rgb("c93a2a"))
    pen.solid(curve("-7,-4.6 -3,-6.6 0,-5 3,-6.6 7,-4.6 3,-5 0,-3.6 -3,-5"), lighter(skin, -0.4), outline=0.2)
    pen.solid(curve("-2,-1.6 2,-1.6 2.8,1.4 -2.8,1.4"), lighter(skin, 0.12), outline=0.3)
    pen.fill(curve("-4.6,3.4 0,4.2 4.6,3.4 3.6,6.6 -3.6,6.6"), rgb("1f2a1c"))
    for side in (-1, 1):
        pen.solid(edges(f"{2.2 * side},6.6 {4.2 * side},6.4 {3.8 * side},0.8"), BONE, outline=0.25)
    pen.line(stroke("3.6,-8.6 6.2,-2.4"), rgb("c98a7a"), 0.6)


def troll(pen: Pen) -> None:
    hide = rgb("7b8793")
    pen.solid(curve("-15,15 -13,2 -7,-3 7,-3 13,2 15,15"), hide, outline=0.5)
    for x, y in ((-10.0, 6.0), (-11.4, 10), (10, 7), (11.6, 11), (-7.4, 12), (8, 13)):
        pen.solid(ellipse(x, y, 1.6, 1.1), rgb("6f9a4a"), outline=0.25)
    pen.solid(
        curve("-6.4,-4 -4.6,-9.6 0,-11 4.6,-9.6 6.4,-4 6.8,3 3.6,7.6 -3.6,7.6 -6.8,3"),
        lighter(hide, 0.1),
        outline=0.5,
    )
    hair = "-6.4,-6 -7.6,-12 -4,-10.4 -3,-14.6 0,-11.4 3,-14.6 4,-10.4 7.6,-12 6.4,-6 0,-8.6"
    pen.solid(edges(hair), rgb("4f6b34"), outline=0.4)
    for side in (-1, 1):
        pen.solid(circle(2.6 * side, -3, 1.2), rgb("ffd84a"), outline=0.35)
        pen.fill(circle(2.6 * side, -3, 0.5), INK)
        pen.line(stroke(f"{0.8 * side},-4.6 {5 * side},-5.4"), INK, 1.0)
    pen.solid(curve("-1.4,-3 1.4,-3 4,3 0,5 -4,3"), lighter(hide, 0.28), outline=0.4)
    for x in (-1.4, 1.4):
        pen.fill(ellipse(x, 3.4, 0.7, 0.5), INK)
    pen.line(bow("-4.4,5.6 0,7 4.4,5.6"), INK, 0.8)
    _teeth(pen, (-2.6, 2.8), 6.2, 1.6)
    pen.solid(edges("10,-12.6 15,-9.4 11.6,9 8.4,8"), rgb("6b4a2a"), outline=0.5)
    for x, y in ((12, -8), (11.6, -3.6), (13.4, -5.4)):
        pen.solid(circle(x, y, 0.8), rgb("a9afb8"), outline=0.25)


def wraith(pen: Pen) -> None:
    shroud = rgb("2f3f58")
    pen.glow(circle(0, 0, 15.6), [(rgb("8ff0e4"), 0.85), (rgb("8ff0e4"), 0.0)], (0, -2), 15.6)
    pen.solid(
        curve(
            "0,-14.6 6,-12 8.6,-4 11,5 14,11 9,10.6 8,15 4,11.6 0,15 "
            "-4,11.6 -8,15 -9,10.6 -14,11 -11,5 -8.6,-4 -6,-12"
        ),
        shroud,
        outline=0.5,
    )
    pen.fill(curve("0,-10.6 4.2,-8.6 5,-2 2.4,3 0,4.4 -2.4,3 -5,-2 -4.2,-8.6"), rgb("0b0f18"))
    for side in (-1, 1):
        pen.fill(ellipse(2 * side, -4, 1.5, 1.1), rgb("8ff0e4"), 0.8, blur=0.6)
        pen.solid(ellipse(2 * side, -4, 1.0, 0.7), rgb("dffffa"), outline=0.15, contrast=0.05)
    for mirrored in (False, True):
        pen.line(bow("7,2 11.6,-1 13,-6", mirrored=mirrored), INK, 2.2)
        pen.line(bow("7,2 11.6,-1 13,-6", mirrored=mirrored), lighter(shroud, 0.2), 1.5)
        for tip in ("11.6,-9.4", "13.4,-10", "15,-8.6"):
            pen.line(stroke(f"13,-6 {tip}", mirrored=mirrored), INK, 1.1)
            pen.line(stroke(f"13,-6 {tip}", mirrored=mirrored), BONE, 0.6)
    for x in (-4.6, 0.0, 4.6):
        pen.line(bow(f"{0.6 * x},5 {x},9 {1.1 * x},12"), lighter(shroud, 0.35), 0.5)


def stone_dragon(pen: Pen) -> None:
    """Draw the head of the stone dragon, with embers in its cracks."""
    stone = rgb("808894")
    for points in ("4,-6 11,-15 9.6,-4", "7.6,-3 15,-9.4 11,0.6", "1,-8 5.4,-15 6,-6"):
        pen.solid(edges(points), BONE, outline=0.4)
    pen.solid(curve("9,-2 14,4 15.4,15 2,15 0,8 3,2"), lighter(stone, -0.15), outline=0.5)
    jaw = curve("6,4 0,8.6 -8,9.6 -13.4,8.6 -13,7 -6,5.4 0,3")
    pen.solid(jaw, lighter(stone, -0.1), outline=0.5)
    pen.fill(curve("-12,6.4 -5,3.4 2,2 1,5 -6,6.6"), rgb("e2401f"))
    pen.solid(
        curve("10,-1 8,-7 1,-8.6 -4,-4.6 -11.4,-2.6 -15,1 -14,4.6 -8,4 0,3.4 6,4.6"), stone, outline=0.5
    )
    _teeth(pen, (-12.4, -10, -7.6, -5.2, -2.8), 4, 2.4)
    for x in (-11.0, -8.0, -5.0):
        pen.solid(edges(f"{x - 0.8},8.4 {x + 0.8},8.2 {x},5.8"), BONE, outline=0.15)
    pen.fill(circle(-12.6, 0.4, 0.9), INK)
    pen.fill(ellipse(-0.6, -3.2, 2.6, 2.0), rgb("ffb32e"), 0.7, blur=0.8)
    pen.solid(ellipse(-0.6, -3.2, 2.1, 1.6), rgb("ffe14a"), outline=0.35, contrast=0.1)
    pen.fill(ellipse(-0.9, -3.2, 0.55, 1.4), INK)
    pen.line(stroke("-4.6,-5.4 3.4,-6.2"), INK, 1.0)
    for crack in (
        "4,-2 6,0.4 5,2.4 8,4",
        "9,6 7,9 9.4,12",
        "12.6,7 13.4,10 12,13",
        "-8,-1.6 -6,0 -7,1.6",
        "3.4,10 5,12.6",
    ):
        pen.line(stroke(crack), rgb("5a1a0c"), 0.9)
        pen.line(stroke(crack), rgb("ff8a2a"), 0.5)


MONSTERS: dict[str, Portrait] = {
    "rat": rat,
    "bat": bat,
    "goblin": goblin,
    "skeleton": skeleton,
    "orc": orc,
    "troll": troll,
    "wraith": wraith,
}
