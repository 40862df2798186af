"""Art of panels: halls and passages of dressed stone. A room is a wide hall with a mosaic in its floor. A
corridor is a crossing of narrow passages with an emblem in the wall. No two panels have the same picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from PIL import Image

from calibration.decks.drawing.noise import Grid, fbm, smoothstep, stream, value_noise
from calibration.decks.drawing.palette import ROCKS, Colour, Palette, rgb
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
from calibration.decks.drawing.plan import Plan
from calibration.decks.drawing.sheet_of_art import Sheet, few_colours
from calibration.decks.drawing.tile import TOWARDS, passages, tile_plan, walls_and_floor
from calibration.decks.pieces import sides_of
from calibration.decks.stone_dragon.panel_set import PANEL_MM
from scorer.catalogue import Card, Side

SEED = 20261124
PASSAGE_MM, HALL_MM = 6.0, 15.5  # half widths of a passage and of a room's hall
CROSSING_MM = 7.6  # the radius of the place where a corridor's passages meet
WOBBLE_MM = 0.25
_MIDDLE = PANEL_MM / 2
_GOLD, _PALE = rgb("d9b45a"), rgb("f1e6c8")
#: Grounds of mosaics and emblems, each with the colour of its picture.
_TILES = (
    (rgb("7d2430"), rgb("f3d27a")), (rgb("1f4f7a"), rgb("f2ead2")), (rgb("2f5d3a"), rgb("f0d98a")),
    (rgb("5a3270"), rgb("f6c9d4")), (rgb("8a5a12"), rgb("fbf2d6")), (rgb("15595c"), rgb("ffd9a0")),
    (rgb("40434d"), rgb("e9c46a")), (rgb("6e3a1f"), rgb("cfe8ef")),
)  # fmt: skip

Picture = Callable[[Pen, Colour], None]


def draw_panel(card: Card, number: int, px_per_mm: float) -> Image.Image:
    """The face of a panel, by its number in the set."""
    palette = _palette(number)
    room = card.role != "corridor"
    corner = (_MIDDLE, _MIDDLE) if room else _emblem_at(sides_of(card))
    sheet = Sheet((PANEL_MM, PANEL_MM), px_per_mm, palette.rock[1])
    plan = _plan(card.id, sides_of(card), sheet.grid, room)
    image = walls_and_floor(sheet, card.id, SEED, plan, palette, None if room else (corner, 8.6))
    sheet.lay(_slabs(image, card.id, sheet.grid, plan))
    with sheet.pen() as pen:
        if card.role == "entrance":
            _gate(pen, TOWARDS[card.more["arrow"]])
        elif room:
            _mosaic(pen, number)
        else:
            _plaque(pen, corner, number)
        _edge(pen)
    return few_colours(sheet.cut())


def _palette(number: int) -> Palette:
    base = ROCKS[(number * 4 + 1) % len(ROCKS)]
    # Walls of halls are darker than caves, so that passages stand out by lamplight.
    dark = tuple(lighter(colour, -0.16) for colour in base.rock)
    return replace(base, rock=(dark[0], dark[1], dark[2], dark[3]))


def _plan(name: str, sides: Sequence[Side], grid: Grid, room: bool) -> Plan:
    """Floor plan: a hall or a crossing in the centre, and passages to the open sides, equal where panels
    meet."""
    x, y, line = passages(sides, grid)
    if room:
        # A square hall whose corners are cut.
        wide = np.maximum(np.abs(x), np.abs(y)) - HALL_MM
        middle = np.maximum(wide, (np.abs(x) + np.abs(y)) / np.sqrt(2) - 1.18 * HALL_MM)
    else:
        middle = np.hypot(x, y) - CROSSING_MM
    calm = smoothstep(0.0, 5.0, PANEL_MM / 2 - np.maximum(np.abs(x), np.abs(y)))
    wobble = WOBBLE_MM * value_noise(stream(SEED, name, "plan"), grid, 2.4)
    return tile_plan(np.minimum(line - PASSAGE_MM, middle) + wobble * calm, line)


def _slabs(image: np.ndarray, name: str, grid: Grid, plan: Plan) -> np.ndarray:
    """`image` with square floor slabs of varied tones and dark joints."""
    rng = stream(SEED, name, "slabs")
    pitch = 4.6
    x, y = np.broadcast_arrays(*grid.mm())
    shift = 0.06 * fbm(rng, grid, 3.0, octaves=2)
    u, v = (x + shift - _MIDDLE) / pitch, (y - shift - _MIDDLE) / pitch
    tones = rng.normal(1.0, 0.05, (64, 64)).astype(np.float32)
    row = np.floor(v).astype(int)
    u = u + 0.5 * (row % 2)
    tone = tones[row % 64, np.floor(u).astype(int) % 64]
    off = pitch * np.minimum(np.abs(u - np.round(u)), np.abs(v - np.round(v)))
    joint = smoothstep(0.24, 0.08, off)
    grain = 0.02 * fbm(rng, grid, 1.2, octaves=2)
    floor = smoothstep(0.0, -0.35, plan.main_mm)
    made: np.ndarray = image * (1 + floor * ((tone + grain) * (1 - 0.4 * joint) - 1))[..., None]
    return made


def _edge(pen: Pen) -> None:
    pen.line(box(0, 0, PANEL_MM, PANEL_MM, 3.0), INK, 1.3, alpha=0.8)
    pen.line(box(0.9, 0.9, PANEL_MM - 0.9, PANEL_MM - 0.9, 2.3), _GOLD, 0.3, alpha=0.55)


def _emblem_at(sides: Sequence[Side]) -> tuple[float, float]:
    """Position of the emblem in the wall of a corridor: at its closed side, or the corner between two
    closed sides."""
    closed = [side for side in TOWARDS if side not in sides]
    across = sum(TOWARDS[side][0] for side in closed)
    down = sum(TOWARDS[side][1] for side in closed)
    if not across and not down:  # a straight one
        across, down = TOWARDS[closed[0]]
    away = 18.5 if across and down else 19.5
    return _MIDDLE + away * across, _MIDDLE + away * down


def _mosaic(pen: Pen, number: int) -> None:
    """Draw a round mosaic in the centre of a hall."""
    ground, light = _TILES[number % len(_TILES)]
    with pen.at(_MIDDLE, _MIDDLE):
        pen.fill(circle(0.2, 0.3, 11.4), INK, 0.45, blur=0.5)
        pen.solid(circle(0, 0, 11.2), lighter(ground, -0.2), outline=0.3, contrast=0.16)
        for k in range(32):
            with pen.at(0, 0, 11.25 * k):
                pen.fill(edges("-0.62,-10.7 0.62,-10.7 0.52,-9.2 -0.52,-9.2"), _GOLD if k % 2 else _PALE)
        pen.solid(circle(0, 0, 8.9), ground, outline=0.25, contrast=0.12)
        with pen.at(0, 0, scale=1.42):
            _PICTURES[number % len(_PICTURES)](pen, light)


def _plaque(pen: Pen, at: tuple[float, float], number: int) -> None:
    """Draw a plaque with an emblem in the wall."""
    ground, light = _TILES[(number + 3) % len(_TILES)]
    with pen.at(*at):
        shape = box(-7.2, -7.2, 7.2, 7.2, 1.6)
        with pen.at(0.4, 0.5):
            pen.fill(shape, INK, 0.6, blur=0.5)
        pen.solid(shape, _GOLD, outline=0.3, contrast=0.45)
        pen.solid(box(-6.2, -6.2, 6.2, 6.2, 1.1), ground, outline=0.25, contrast=0.16)
        with pen.at(0, 0, scale=1.02):
            _PICTURES[number % len(_PICTURES)](pen, light)


def _gate(pen: Pen, out: tuple[int, int]) -> None:
    """Draw the entrance: a star of light on the floor, and an arrow in the wall that points out of the
    dungeon."""
    with pen.at(_MIDDLE, _MIDDLE):
        pen.glow(circle(0, 0, 15), [(rgb("fff3c0"), 0.95), (rgb("ffd56a"), 0.0)], (0, 0), 15)
        pen.solid(polygon(star_points(8, 9.6, 4.2)), rgb("f7e7a8"), outline=0.35, contrast=0.2)
        pen.solid(circle(0, 0, 3.4), rgb("c0392b"), outline=0.3)
        turn = float(np.degrees(np.arctan2(out[1], out[0])))
        with pen.at(0, 0, turn), pen.at(22.2, 0):
            arrow = edges("-6,-4.4 0.4,-4.4 0.4,-8 7,0 0.4,8 0.4,4.4 -6,4.4")
            pen.solid(arrow, rgb("f5c542"), outline=0.5, contrast=0.25)
            pen.line(edges("-4.6,-3 1.8,-3 1.8,-5 5.6,0 1.8,5 1.8,3 -4.6,3"), rgb("7c4a0c"), 0.4)


def draw_back(marked: bool, px_per_mm: float) -> Image.Image:
    """The back of a panel: a shut door in a wall of blocks, with a sun over it on the entrance."""
    sheet = Sheet((PANEL_MM, PANEL_MM), px_per_mm, rgb("38404a"))
    grid = sheet.grid
    rng = stream(SEED, "entrance-back" if marked else "back", "wall")
    x, y = np.broadcast_arrays(*grid.mm())
    row = np.floor(y / 7.5).astype(int)
    u = x / 12.0 + 0.5 * (row % 2)
    off = np.minimum(12 * np.abs(u - np.round(u)), 7.5 * np.abs(y / 7.5 - np.round(y / 7.5)))
    tones = rng.normal(0.0, 0.05, (64, 64)).astype(np.float32)
    tone = 0.36 + tones[row % 64, np.floor(u).astype(int) % 64] + 0.03 * fbm(rng, grid, 2.0, octaves=3)
    tone = tone * (1 - 0.6 * smoothstep(0.7, 0.25, off))
    tint = (1.0, 0.93, 0.8) if marked else (0.84, 0.94, 1.08)
    sheet.lay(tone[..., None] * np.array(tint, np.float32))
    with sheet.pen() as pen:
        with pen.at(_MIDDLE, _MIDDLE):
            _door(pen)
            if marked:
                _sun(pen)
        pen.line(box(2.4, 2.4, PANEL_MM - 2.4, PANEL_MM - 2.4, 2.0), _GOLD, 0.8, alpha=0.9)
        _edge(pen)
    return few_colours(sheet.cut())


def _door(pen: Pen) -> None:
    """Draw four door leaves around a ring, symmetric under quarter turns."""
    for quarter in range(4):
        with pen.at(0, 0, 90 * quarter):
            pen.solid(curve("-8,-8 -8,-15 0,-22 8,-15 8,-8 0,-7"), rgb("7a5230"), outline=0.5, contrast=0.25)
            for at in (-4.0, 0.0, 4.0):
                pen.line(stroke(f"{at},-8 {at},-17"), INK, 0.35, alpha=0.7)
            pen.line(stroke("-7,-12 7,-12"), rgb("2e3138"), 1.3)
            for at in (-5.5, 0.0, 5.5):
                pen.solid(circle(at, -12, 0.5), rgb("9aa0ab"), outline=0.15)
    pen.solid(circle(0, 0, 8.6), rgb("565d69"), outline=0.4, contrast=0.3)
    pen.line(circle(0, 0, 5.2), INK, 2.1)
    pen.line(circle(0, 0, 5.2), _GOLD, 1.4)
    for quarter in range(4):
        with pen.at(0, 0, 45 + 90 * quarter):
            pen.fill(edges("-1,-7.6 0,-9.6 1,-7.6 0,-6.4"), _GOLD)


def _sun(pen: Pen) -> None:
    for k in range(16):
        with pen.at(0, 0, 22.5 * k):
            pen.solid(edges("-1.5,-9.4 0,-15.5 1.5,-9.4"), rgb("ffc93c"), outline=0.25)
    pen.solid(circle(0, 0, 8.6), rgb("ffdf7a"), outline=0.4, contrast=0.25)
    pen.solid(circle(0, 0, 4.2), rgb("d2452d"), outline=0.3)


def _body(pen: Pen, path: object, colour: Colour) -> None:
    pen.solid(path, colour, outline=0.3, contrast=0.22)


def _sword(pen: Pen, c: Colour) -> None:
    _body(pen, edges("-0.8,1.6 -0.8,-4.2 0,-5.4 0.8,-4.2 0.8,1.6"), c)
    _body(pen, box(-2.8, 1.4, 2.8, 2.5, 0.4), lighter(c, -0.25))
    _body(pen, box(-0.6, 2.5, 0.6, 4.6, 0.3), rgb("6b4a2a"))
    _body(pen, circle(0, 5, 0.7), lighter(c, -0.25))


def _serpent(pen: Pen, c: Colour) -> None:
    body = bow("-3.8,3.8 0,5.4 4,3 0.6,0.4 -3.6,-1 -2.6,-4.6 1.8,-4.4")
    pen.line(body, INK, 2.3)
    pen.line(body, c, 1.6)
    _body(pen, ellipse(2.3, -4.2, 1.7, 1.1), c)
    pen.fill(circle(2.6, -4.5, 0.32), INK)
    pen.line(stroke("3.9,-4.2 5,-3.6"), rgb("d2452d"), 0.35)


def _chalice(pen: Pen, c: Colour) -> None:
    _body(pen, curve("-3.6,-4.4 3.6,-4.4 3.2,-0.6 0,1.4 -3.2,-0.6"), c)
    _body(pen, box(-0.6, 0.8, 0.6, 3.6, 0.2), c)
    _body(pen, curve("-3,5 -2.2,3.4 0,3.1 2.2,3.4 3,5"), lighter(c, -0.2))
    pen.line(bow("-3,-2.6 0,-1.7 3,-2.6"), INK, 0.3)


def _bat(pen: Pen, c: Colour) -> None:
    wing = "0,-0.6 1.6,-2.4 5.2,-3.6 4.6,-0.8 5.2,1.4 3.4,0.9 2.2,2.4 1.2,1.2"
    for mirrored in (False, True):
        _body(pen, edges(wing, mirrored=mirrored), c)
    _body(pen, curve("-1.2,-3.2 0,-2.2 1.2,-3.2 1.3,0.4 0,3 -1.3,0.4"), lighter(c, -0.2))
    for x in (-0.5, 0.5):
        pen.fill(circle(x, -1.2, 0.3), INK)


def _crown(pen: Pen, c: Colour) -> None:
    _body(pen, edges("-4,3.4 -4.8,-2.8 -2.2,-0.2 0,-4.4 2.2,-0.2 4.8,-2.8 4,3.4"), c)
    for x in (-2.4, 0.0, 2.4):
        pen.fill(circle(x, 2, 0.6), rgb("c0392b"))
    for x, y in ((-4.8, -3.2), (0, -4.8), (4.8, -3.2)):
        _body(pen, circle(x, y, 0.6), c)


def _hourglass(pen: Pen, c: Colour) -> None:
    _body(pen, edges("-2.8,-3.6 2.8,-3.6 0.4,0 2.8,3.6 -2.8,3.6 -0.4,0"), rgb("dfeef2"))
    pen.fill(edges("-1.6,-2 1.6,-2 0,0"), c)
    pen.fill(edges("-2.4,3.5 2.4,3.5 0,1.4"), c)
    for y in (-4.4, 3.6):
        _body(pen, box(-3.6, y, 3.6, y + 0.9, 0.3), rgb("8a5a33"))


def _eye(pen: Pen, c: Colour) -> None:
    _body(pen, curve("-5.2,0 -2.6,-3 2.6,-3 5.2,0 2.6,3 -2.6,3"), c)
    _body(pen, circle(0, 0, 2), rgb("2a6f8f"))
    pen.fill(circle(0, 0, 1), INK)
    for x in (-3.0, 0.0, 3.0):
        pen.line(stroke(f"{x},-3.4 {1.25 * x},-5"), c, 0.5)


def _hammer(pen: Pen, c: Colour) -> None:
    with pen.at(0, 0, 30):
        _body(pen, box(-0.6, -2, 0.6, 5.2, 0.3), rgb("7a5230"))
        _body(pen, box(-3.4, -4.6, 3.4, -1.4, 0.5), c)


def _wheel(pen: Pen, c: Colour) -> None:
    for width, colour in ((1.9, INK), (1.2, c)):
        pen.line(circle(0, 0, 4), colour, width)
        for k in range(4):
            with pen.at(0, 0, 45 * k):
                pen.line(stroke("0,-4 0,4"), colour, 0.7 * width)
    _body(pen, circle(0, 0, 1.2), c)


def _lily(pen: Pen, c: Colour) -> None:
    _body(pen, curve("0,-5.2 1.7,-2 0.8,2 -0.8,2 -1.7,-2"), c)
    for mirrored in (False, True):
        leaf = curve("0.6,1.4 1.8,-1.8 4.2,-3 4.8,-0.8 3.4,0.4 2.4,1.8", mirrored=mirrored)
        _body(pen, leaf, c)
    _body(pen, box(-2.4, 1.6, 2.4, 2.6, 0.3), lighter(c, -0.25))
    _body(pen, edges("-1.4,2.6 0,5.2 1.4,2.6"), c)


def _spider(pen: Pen, c: Colour) -> None:
    for mirrored in (False, True):
        for leg in (
            "0.8,-1 3.2,-3.6 4.8,-2",
            "1,0 3.8,-0.6 5,1.4",
            "1,0.8 3.4,1.8 4,4",
            "0.6,1.4 1.8,3.4 1.4,5",
        ):
            pen.line(stroke(leg, mirrored=mirrored), INK, 1.0)
            pen.line(stroke(leg, mirrored=mirrored), c, 0.5)
    _body(pen, ellipse(0, 1.6, 2, 2.5), c)
    _body(pen, circle(0, -1.6, 1.3), c)
    for x in (-0.45, 0.45):
        pen.fill(circle(x, -2, 0.28), INK)


def _fish(pen: Pen, c: Colour) -> None:
    _body(pen, edges("2.4,0 5,-2.6 4.2,0 5,2.6"), lighter(c, -0.15))
    _body(pen, curve("-5.2,0 -1.6,-3.2 3,-0.8 3,0.8 -1.6,3.2"), c)
    pen.fill(circle(-3, -0.6, 0.5), INK)
    for x in (-1.0, 0.4, 1.8):
        pen.line(bow(f"{x},-1.6 {x + 0.7},0 {x},1.6"), INK, 0.3)


def _rook(pen: Pen, c: Colour) -> None:
    _body(pen, edges("-3,-5 -1.6,-5 -1.6,-3.8 -0.7,-3.8 -0.7,-5 0.7,-5 0.7,-3.8 1.6,-3.8 1.6,-5 3,-5 "
                     "2.4,-1.6 2.4,2.4 3.4,4.8 -3.4,4.8 -2.4,2.4 -2.4,-1.6"), c)  # fmt: skip
    pen.fill(box(-0.7, 0.4, 0.7, 3, 0.7), INK)


def _comet(pen: Pen, c: Colour) -> None:
    for dy, colour in ((0.0, rgb("ef7d22")), (0.9, c)):
        pen.fill(curve(f"-1,{1.6 + dy} 5,{-4.6 + dy} 0.2,{-2.4 + dy}"), colour, 0.9)
    star = [
        (r * float(np.sin(a)), -r * float(np.cos(a)))
        for r, a in ((3.4 if k % 2 == 0 else 1.5, np.pi * k / 5) for k in range(10))
    ]
    with pen.at(-1.6, 1.6):
        _body(pen, polygon(star), c)


def _drop(pen: Pen, c: Colour) -> None:
    _body(pen, curve("0,-5.4 1.2,-2.4 3.6,0.8 2.8,4.2 0,5 -2.8,4.2 -3.6,0.8 -1.2,-2.4"), rgb("3f8fd0"))
    pen.fill(curve("-2,1 -1.4,-0.8 -0.6,-1.2 -1,1.6"), c, 0.9)


#: By a panel's number in the set, from 0 without the entrance.
_PICTURES: tuple[Picture, ...] = (
    _sword, _serpent, _chalice, _bat, _crown, _hourglass, _eye, _hammer,
    _wheel, _lily, _spider, _fish, _rook, _comet, _drop,
)  # fmt: skip
