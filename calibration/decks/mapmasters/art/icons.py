"""Icons of the finds, around the origin and about 7.5 mm across: outline, shade, highlight."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import skia

from calibration.decks.drawing.glyphs import draw_text
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
    join,
    lighter,
    polygon,
    smooth,
    stroke,
)
from calibration.decks.mapmasters.art.monsters import MONSTERS

GOLD = rgb("e0b13c")
STEEL = rgb("b9c4cc")
WOOD = rgb("9a6537")
PAPER = rgb("efe0b8")
WHITE: Colour = (1.0, 1.0, 1.0)
CREAM = rgb("fff6dd")


def _shadow(pen: Pen, path: skia.Path) -> None:
    with pen.at(0.35, 0.45):
        pen.fill(path, INK, 0.5, blur=0.35)


def _halo(pen: Pen, path: skia.Path) -> None:
    """Draw a thin pale rim that separates the icon from floor and ink."""
    pen.line(path, CREAM, 1.25, alpha=0.55)


def _body(pen: Pen, path: skia.Path, colour: Colour, contrast: float = 0.34) -> None:
    _shadow(pen, path)
    _halo(pen, path)
    pen.solid(path, colour, contrast=contrast)


def _coin(pen: Pen, rng: np.random.Generator, value: int) -> None:
    if value > 1:
        for dx, dy in ((-1.0, 1.35), (0.95, 1.2)):
            _body(pen, circle(dx, dy, 2.35), GOLD)
    middle = (0.0, -0.35) if value > 1 else (0.0, 0.0)
    radius = 2.6 if value > 1 else 3.1
    with pen.at(*middle):
        _body(pen, circle(0, 0, radius), GOLD)
        pen.line(circle(0, 0, radius - 0.55), lighter(GOLD, -0.4), 0.22)
        pen.line(circle(0.1, 0.1, radius - 0.55), lighter(GOLD, 0.55), 0.12, alpha=0.8)
        arc = skia.Path()
        arc.addArc(skia.Rect.MakeLTRB(-radius + 0.3, -radius + 0.3, radius - 0.3, radius - 0.3), 195, 65)
        pen.line(arc, WHITE, 0.3, alpha=0.85)
        if value > 1:
            draw_text(pen, str(value), (0, 0), 2.4, rgb("553405"), weight=0.15)
        else:
            crown = edges("-1.3,0.95 -1.55,-0.9 -0.7,-0.1 0,-1.3 0.7,-0.1 1.55,-0.9 1.3,0.95")
            pen.fill(crown, rgb("6d4708"))
            pen.fill(box(-1.3, 0.95, 1.3, 1.35), rgb("6d4708"))


def _barrel(pen: Pen, rng: np.random.Generator, value: int) -> None:
    outline = curve("-2.1,-3.3 2.1,-3.3 2.6,-3.1 3.2,0 2.6,3.1 2.1,3.3 -2.1,3.3 -2.6,3.1 -3.2,0 -2.6,-3.1")
    _body(pen, outline, WOOD)
    with pen.within(outline):
        for k in (-1.6, -0.55, 0.55, 1.6):
            stave = skia.Path()
            stave.moveTo(k * 0.8, -3.6)
            stave.quadTo(k * 1.35, 0, k * 0.8, 3.6)
            pen.line(stave, lighter(WOOD, -0.5), 0.22)
        for y in (-1.9, 1.9):
            hoop = skia.Path()
            hoop.moveTo(-3.4, y - 0.1)
            hoop.quadTo(0, y + 0.55, 3.4, y - 0.1)
            pen.line(hoop, INK, 1.15)
            pen.line(hoop, rgb("7e8790"), 0.7)
            with pen.at(0, -0.16):
                pen.line(hoop, rgb("c9d1d6"), 0.2)
        pen.line(stroke("-1.9,-2.6 -2.2,0 -1.9,2.6"), lighter(WOOD, 0.6), 0.32, alpha=0.7)
    lid = ellipse(0, -2.85, 2.2, 0.75)
    pen.solid(lid, lighter(WOOD, 0.2), outline=0.25)
    pen.fill(circle(0, 0.1, 0.55), INK)


def _sword(pen: Pen, rng: np.random.Generator, value: int) -> None:
    with pen.at(0, 0, 45, 1.03):
        blade = edges("-0.72,1.2 -0.72,-3.4 0,-4.5 0.72,-3.4 0.72,1.2")
        guard = curve("-2.2,0.75 -1.2,1.15 1.2,1.15 2.2,0.75 2.35,1.5 1.2,1.95 -1.2,1.95 -2.35,1.5")
        grip = box(-0.42, 1.9, 0.42, 3.8, 0.2)
        pommel = circle(0, 4.05, 0.7)
        whole = join(blade, guard, grip, pommel)
        _shadow(pen, whole)
        _halo(pen, whole)
        pen.solid(blade, STEEL)
        pen.fill(edges("0,-4.4 0.68,-3.4 0.68,1.1 0,1.1"), rgb("76838e"))
        pen.line(stroke("-0.42,-3.2 -0.42,0.8"), WHITE, 0.2, alpha=0.9)
        pen.solid(grip, rgb("6e3f22"))
        for y in (2.3, 2.8, 3.3):
            pen.line(stroke(f"-0.4,{y + 0.15} 0.4,{y - 0.15}"), rgb("2e190c"), 0.16)
        pen.solid(guard, GOLD)
        pen.solid(pommel, GOLD)
        pen.fill(circle(0, 1.42, 0.34), rgb("b0312b"))


def _key(pen: Pen, rng: np.random.Generator, value: int) -> None:
    with pen.at(0, 0, -40, 1.02):
        bow = join(circle(-2.3, 0, 1.65))
        shaft = box(-0.9, -0.42, 3.9, 0.42, 0.2)
        bits = join(box(2.0, 0.2, 2.7, 1.75, 0.1), box(3.1, 0.2, 3.8, 1.45, 0.1))
        whole = join(bow, shaft, bits)
        _shadow(pen, whole)
        _halo(pen, whole)
        pen.line(whole, INK, 0.7)
        for part in (bits, shaft, bow):
            pen.shade(part, (lighter(GOLD, 0.45), GOLD, lighter(GOLD, -0.35)), (0, -1.7), (0, 1.7))
        pen.solid(circle(-2.3, 0, 0.75), rgb("6a5a44"), outline=0.25)
        pen.line(box(-1.0, -0.62, -0.45, 0.62, 0.1), INK, 0.35)
        pen.fill(box(-1.0, -0.62, -0.45, 0.62, 0.1), lighter(GOLD, 0.25))
        pen.line(stroke("-0.2,-0.2 3.6,-0.2"), WHITE, 0.16, alpha=0.85)


def _rope(pen: Pen, rng: np.random.Generator, value: int) -> None:
    rope, dark = rgb("dcb873"), rgb("6b4a1e")
    radii = (3.0, 2.02, 1.04)
    rings = [ellipse(0, -0.1, r, r * 0.92) for r in radii]
    tail = skia.Path()
    tail.moveTo(0.6, 2.65)
    tail.cubicTo(2.2, 2.5, 2.0, 3.6, 3.3, 3.45)
    _shadow(pen, ellipse(0, 0, 3.5, 3.2))
    pen.line(join(rings[0], tail), CREAM, 2.2, alpha=0.55)
    for ring in (tail, *rings):
        pen.line(ring, INK, 1.4)
        pen.line(ring, rope, 0.74)
        with pen.at(-0.08, -0.1):
            pen.line(ring, lighter(rope, 0.55), 0.16, alpha=0.8)
    for k, radius in enumerate(radii):
        count = (22, 15, 8)[k]
        for angle in np.arange(count) * 2 * math.pi / count:
            inner, outer, ahead = radius - 0.34, radius + 0.34, angle + 0.42 / radius
            strand = [
                (inner * math.cos(angle), inner * 0.92 * math.sin(angle) - 0.1),
                (outer * math.cos(ahead), outer * 0.92 * math.sin(ahead) - 0.1),
            ]
            pen.line(polygon(strand, closed=False), dark, 0.17)
    pen.fill(circle(0, -0.1, 0.35), dark)
    pen.solid(box(-0.75, 1.0, 0.75, 3.35, 0.3), rgb("a4432f"), outline=0.26)
    for y in (1.55, 2.15, 2.75):
        pen.line(stroke(f"-0.6,{y + 0.1} 0.6,{y - 0.1}"), rgb("571d12"), 0.18)


def _scroll(pen: Pen, rng: np.random.Generator, value: int) -> None:
    with pen.at(0, 0, -14):
        sheet = curve("-2.3,-2.9 2.3,-2.9 2.3,-2.9 2.15,0 2.4,2.9 2.4,2.9 -2.3,2.9 -2.3,2.9 -2.5,0")
        rolls = [box(-3.1, y - 0.72, 3.1, y + 0.72, 0.7) for y in (-2.8, 2.8)]
        whole = join(sheet, *rolls)
        _shadow(pen, whole)
        _halo(pen, whole)
        pen.solid(sheet, PAPER, contrast=0.15)
        for k, y in enumerate((-1.35, -0.6, 0.15, 0.9)):
            pen.line(
                bow(f"-1.6,{y} -0.8,{y - 0.2} 0,{y + 0.15} 0.8,{y - 0.15} {1.6 - 0.3 * k},{y}"),
                rgb("7a4f2b"),
                0.22,
            )
        pen.fill(circle(1.0, 1.45, 0.55), rgb("a3282a"))
        pen.fill(circle(0.85, 1.3, 0.18), rgb("e0837d"))
        for roll in rolls:
            pen.solid(roll, rgb("dcc48d"), contrast=0.3)
            for x in (-3.1, 3.1):
                bounds = roll.getBounds()
                pen.solid(circle(x, bounds.centerY(), 0.5), rgb("8a4b2a"), outline=0.22)


def _padlock(pen: Pen, rng: np.random.Generator, value: int) -> None:
    shackle = skia.Path()
    shackle.moveTo(-1.65, 0)
    shackle.lineTo(-1.65, -1.5)
    shackle.cubicTo(-1.65, -3.9, 1.65, -3.9, 1.65, -1.5)
    shackle.lineTo(1.65, 0)
    body = box(-2.75, -0.75, 2.75, 3.35, 0.7)
    _shadow(pen, body)
    pen.line(shackle, CREAM, 2.2, alpha=0.5)
    _halo(pen, body)
    pen.line(shackle, INK, 1.65)
    pen.line(shackle, rgb("8e99a3"), 1.0)
    with pen.at(-0.2, -0.15):
        pen.line(shackle, rgb("e6edf2"), 0.28)
    pen.solid(body, rgb("c98f2e"))
    pen.line(box(-2.3, -0.3, 2.3, 2.9, 0.4), lighter(GOLD, 0.4), 0.2, alpha=0.8)
    for x in (-2.1, 2.1):
        for y in (-0.1, 2.7):
            pen.fill(circle(x, y, 0.24), rgb("5d3d0c"))
    pen.fill(circle(0, 0.85, 0.72), INK)
    pen.fill(edges("-0.32,1.0 0.32,1.0 0.6,2.5 -0.6,2.5"), INK)


def _monster(pen: Pen, rng: np.random.Generator, value: int) -> None:
    MONSTERS[int(rng.integers(len(MONSTERS)))](pen)


def _ring(rng: np.random.Generator, radius: float, count: int, jitter: float) -> np.ndarray:
    angles = (np.arange(count) + rng.uniform(-0.3, 0.3, count)) * 2 * np.pi / count
    reach = radius * (1 + rng.uniform(-jitter, jitter, count))
    return np.stack([np.cos(angles) * reach, np.sin(angles) * reach], axis=1)


def _pitfall(pen: Pen, rng: np.random.Generator, value: int) -> None:
    rim = smooth(_ring(rng, 3.75, 15, 0.05))
    hole = smooth(_ring(rng, 2.95, 15, 0.09))
    pen.fill(smooth(_ring(rng, 4.1, 13, 0.06)), INK, 0.35, blur=0.4)
    pen.solid(rim, rgb("94826a"), outline=0.2)
    pen.fill(hole, rgb("0c0908"))
    with pen.within(hole):
        # The floor below shows ochre: this hole leads underground.
        pen.glow(
            hole,
            [(rgb("c79a45"), 1.0), (rgb("5e431a"), 1.0), (rgb("0c0908"), 1.0)],
            (0.5, 0.7),
            2.7,
            [0.0, 0.45, 1.0],
        )
        with pen.at(-0.5, -0.65):
            pen.line(hole, rgb("0c0908"), 1.3, alpha=0.9, blur=0.35)
    planks = int(rng.integers(5, 7))
    for k in range(planks):
        angle = 360 / planks * (k + float(rng.uniform(-0.25, 0.25)))
        length = float(rng.uniform(1.1, 2.0))
        with pen.at(0, 0, angle):
            half = float(rng.uniform(0.42, 0.6))
            plank = edges(
                f"3.95,{-half} 3.95,{half} {3.3 - length * 0.75},{half * 0.9} "
                f"{3.55 - length},0.15 {3.2 - length * 0.6},{-half * 0.4} "
                f"{3.35 - length},{-half * 0.9}"
            )
            pen.solid(plank, rgb("a0713f"), outline=0.22)
            pen.line(stroke(f"3.7,-0.1 {3.3 - length * 0.6},0.05"), rgb("5d3b1c"), 0.14)
            pen.fill(circle(3.55, half * 0.3, 0.13), INK)


def _lava_pit(pen: Pen, rng: np.random.Generator, value: int) -> None:
    pen.fill(circle(0, 0, 3.9), rgb("ff7a1a"), 0.55, blur=0.7)
    rim = smooth(_ring(rng, 3.7, 13, 0.07))
    pen.solid(rim, rgb("4a3c38"), outline=0.25)
    pool = smooth(_ring(rng, 2.85, 12, 0.09))
    pen.line(pool, INK, 0.5)
    pen.glow(
        pool,
        [(rgb("fff3a0"), 1.0), (rgb("ffb52e"), 1.0), (rgb("e8501a"), 1.0), (rgb("8e1c10"), 1.0)],
        (0.2, 0.2),
        3.1,
        [0.0, 0.35, 0.72, 1.0],
    )
    with pen.within(pool):
        for _ in range(4):
            x, y = rng.uniform(-1.9, 1.9, 2)
            crust = smooth(_ring(rng, float(rng.uniform(0.45, 0.75)), 7, 0.3) + np.array([x, y]))
            pen.fill(crust, rgb("6d1e12"), 0.85)
            pen.line(crust, rgb("ffd35a"), 0.14)
        for _ in range(3):
            x, y = rng.uniform(-1.4, 1.4, 2)
            bubble = circle(x, y, float(rng.uniform(0.16, 0.45)))
            pen.fill(bubble, rgb("fff7c8"))
            pen.line(bubble, rgb("d9480f"), 0.14)
    for angle in rng.uniform(0, 360, 5):
        with pen.at(0, 0, float(angle)):
            pen.line(stroke("3.5,0 3.2,0.15 2.9,-0.1"), rgb("ffb84a"), 0.2)


def _magic_circle(pen: Pen, rng: np.random.Generator, value: int) -> None:
    glow, line = rgb("56e0ea"), rgb("14474f")
    disc = circle(0, 0, 3.75)
    pen.fill(disc, glow, 0.7, blur=0.6)
    pen.glow(
        disc,
        [(rgb("e9ffff"), 1.0), (rgb("a8eef0"), 1.0), (rgb("3fa9b5"), 1.0)],
        (0, 0),
        3.75,
        [0.0, 0.6, 1.0],
    )
    pen.line(circle(0, 0, 3.6), line, 0.4)
    pen.line(circle(0, 0, 2.55), line, 0.28)
    turn = float(rng.uniform(0, 72))
    star = [
        (2.5 * math.cos(math.radians(turn + 144 * k)), 2.5 * math.sin(math.radians(turn + 144 * k)))
        for k in range(5)
    ]
    pen.line(polygon(star), line, 0.5)
    pen.line(polygon(star), WHITE, 0.2)
    for k in range(10):
        with pen.at(0, 0, turn + 36 * k), pen.at(3.07, 0, 90):
            rune = (
                [(-0.22, 0.34), (-0.22, -0.34), (0.24, -0.1)]
                if k % 3
                else [(-0.24, -0.3), (0.24, 0.3), (0.24, -0.3)]
            )
            pen.line(polygon(rune, closed=False), line, 0.2)
    pen.fill(circle(0, 0, 0.5), WHITE)


def _recycle(pen: Pen, rng: np.random.Generator, value: int) -> None:
    green = rgb("4fae62")
    disc = circle(0, 0, 3.55)
    _body(pen, disc, rgb("e9ecd8"), contrast=0.12)
    for k in range(3):
        with pen.at(0, 0, 120 * k):
            arc = skia.Path()
            arc.addArc(skia.Rect.MakeLTRB(-2.2, -2.2, 2.2, 2.2), -85, 68)
            head = edges("1.05,-0.75 3.05,-0.95 2.25,0.75")
            pen.line(arc, INK, 1.35, butt=True)
            pen.line(head, INK, 0.5)
            pen.line(arc, green, 0.85, butt=True)
            pen.fill(head, green)
            inner = skia.Path()
            inner.addArc(skia.Rect.MakeLTRB(-2.4, -2.4, 2.4, 2.4), -82, 55)
            pen.line(inner, lighter(green, 0.6), 0.2, butt=True)


def _scissors(pen: Pen, rng: np.random.Generator, value: int) -> None:
    handles = []
    for side in (-1, 1):
        with pen.at(0, 0, 22 * side):
            blade = polygon([(-0.55, 0.6), (-0.1 * side - 0.05, -4.0), (0.55, 0.6)])
            _shadow(pen, blade)
            _halo(pen, blade)
            pen.solid(blade, STEEL)
            pen.line(stroke(f"-0.2,0.2 {-0.08 * side},-3.2"), WHITE, 0.18, alpha=0.85)
            grip = ellipse(0.25 * side * 0, 2.45, 1.05, 1.45)
            handles.append((side, grip))
    for side, grip in handles:
        with pen.at(0, 0, -22 * side):
            pen.line(stroke("0,0.2 0,1.1"), INK, 1.2)
            pen.line(grip, CREAM, 1.7, alpha=0.5)
            pen.line(grip, INK, 1.35)
            pen.line(grip, rgb("b5433a"), 0.8)
            pen.line(stroke("0,0.2 0,1.1"), rgb("b5433a"), 0.65)
            with pen.at(-0.2, -0.2):
                pen.line(grip, rgb("f0a79d"), 0.2, alpha=0.8)
    pen.solid(circle(0, 0, 0.55), GOLD, outline=0.22)


Icon = Callable[[Pen, np.random.Generator, int], None]
ICONS: dict[str, Icon] = {
    "coin": _coin,
    "barrel": _barrel,
    "sword": _sword,
    "key": _key,
    "rope": _rope,
    "scroll": _scroll,
    "monster": _monster,
    "padlock": _padlock,
    "pitfall": _pitfall,
    "lava_pit": _lava_pit,
    "magic_circle": _magic_circle,
    "recycle": _recycle,
    "scissors": _scissors,
}

# Compact shapes are drawn larger, so that all icons weigh the same to the eye.
_SCALE = {
    "monster": 1.1,
    "barrel": 1.08,
    "coin": 1.12,
    "padlock": 1.06,
    "scroll": 1.04,
    "scissors": 1.06,
    "sword": 1.08,
}

TILT_DEG = 9.0  # no two icons lie alike, so that cards of one layout share less


def draw_find(pen: Pen, find: str, at: tuple[float, float], rng: np.random.Generator, value: int = 1) -> None:
    """Draw the icon of `find` at `at`. Raises `KeyError` for a find without an icon."""
    turn_deg = 0.0 if value > 1 else float(rng.uniform(-TILT_DEG, TILT_DEG))
    with pen.at(*at, turn_deg, _SCALE.get(find, 1.0)):
        ICONS[find](pen, rng, value)
