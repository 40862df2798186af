"""Art of tiles and printed cells: paved corridors between walls of rock, in the open deck's eleven kinds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import skia
from PIL import Image

from calibration.decks.drawing.noise import BLEED_MM, Grid, cellular, fbm, smoothstep, stream, value_noise
from calibration.decks.drawing.palette import ROCKS, STARTER_COLOURS, Palette, rgb
from calibration.decks.drawing.pen import INK, Pen, box, circle, edges, lighter, polygon, star_points, stroke
from calibration.decks.drawing.plan import Plan
from calibration.decks.drawing.sheet_of_art import Sheet, few_colours
from calibration.decks.drawing.tile import TOWARDS, passages, tile_plan, walls_and_floor
from calibration.decks.labyrinth2.art.emblems import PLAQUE_MM, draw_emblem
from calibration.decks.labyrinth2.art.figures import gargoyle_head
from calibration.decks.labyrinth2.tile_set import (
    BOARD_MM,
    FRAME_MM,
    GARGOYLES,
    LOOSE,
    SIDE,
    STARTS,
    TILE_MM,
    build_catalogue,
)
from calibration.decks.pieces import sides_of
from scorer.catalogue import Card, Side

HALF_MM, HALL_MM = 6.4, 9.6  # a corridor's half width, and the radius of the round hall in the middle
WOBBLE_MM = 0.3
SEED = 20261123
CHIP_RING_MM = 11.6
_MIDDLE = TILE_MM / 2
#: Where the wall is widest, for the emblem: the side of a straight, the outer corner of a bend, the closed
#: side of a three-way.
_EMBLEM_AT = {"I": (9.1, 12.5), "L": (9.6, 40.4), "T": (_MIDDLE, 9.1)}


def draw_loose(card: Card, px_per_mm: float) -> Image.Image:
    """A loose tile, upright, with its own rock, emblem and decorations."""
    shape = card.id[0]
    number = _number(card.id)
    palette = ROCKS[number % len(ROCKS)]
    at = _EMBLEM_AT[shape]
    sheet = _walls_and_floor(card, palette, px_per_mm, keep_clear=(at, PLAQUE_MM + 0.4))
    with sheet.pen() as pen:
        draw_emblem(pen, at, number)
        _edge(pen)
    return few_colours(sheet.cut())


def draw_printed(card: Card, px_per_mm: float) -> Image.Image:
    """A printed cell of the board in its orientation: pale stone framed in gold, with its start or
    gargoyle."""
    assert card.cell is not None
    corner = {cell: name for name, cell in STARTS.items()}.get(card.cell)
    keeper = {cell: number for number, cell in GARGOYLES.items()}.get(card.cell)
    sides = sides_of(card)
    closed = [side for side in TOWARDS if side not in sides]
    plinth = _plinth_at(closed[0])
    clear = (plinth, 11.0) if keeper is not None else None
    sheet = _walls_and_floor(card, _PALE, px_per_mm, keep_clear=clear)
    with sheet.pen() as pen:
        if corner is not None:
            _start(pen, corner)
        else:
            _chip_ring(pen)
        if keeper is not None:
            _gargoyle_place(pen, plinth, keeper)
        _edge(pen)
        pen.line(box(1.5, 1.5, TILE_MM - 1.5, TILE_MM - 1.5), INK, 1.2, alpha=0.55)
        pen.line(box(1.5, 1.5, TILE_MM - 1.5, TILE_MM - 1.5), rgb("d9b45a"), 0.7)
    return few_colours(sheet.cut())


_PALE = replace(
    next(rock for rock in ROCKS if rock.name == "sandstone"),
    rock=(rgb("3a2c1f"), rgb("7d654a"), rgb("a98d68"), rgb("dcc7a0")),
    flag=rgb("d8d2c2"),
)


def _number(tile_id: str) -> int:
    """The number of a loose tile in the set from 0, over three shapes in order."""
    before = 0
    for shape, count in LOOSE.items():
        if tile_id[0] == shape:
            return before + int(tile_id[1:]) - 1
        before += count
    raise ValueError(tile_id)


def _walls_and_floor(
    card: Card, palette: Palette, px_per_mm: float, keep_clear: tuple[tuple[float, float], float] | None
) -> Sheet:
    sheet = Sheet((TILE_MM, TILE_MM), px_per_mm, palette.rock[1])
    plan = _plan(card.id, sides_of(card), sheet.grid)
    image = walls_and_floor(sheet, card.id, SEED, plan, palette, keep_clear)
    sheet.lay(_paved(image, card.id, sheet.grid, plan))
    return sheet


def _plan(name: str, sides: Sequence[Side], grid: Grid) -> Plan:
    """Floor plan of corridors from the centre to the open sides. Walls are uneven, except where tiles
    meet."""
    x, y, line = passages(sides, grid)
    edge = TILE_MM / 2 - np.maximum(np.abs(x), np.abs(y))
    calm = smoothstep(0.0, 5.0, edge)
    rng = stream(SEED, name, "plan")
    wobble = WOBBLE_MM * (value_noise(rng, grid, 2.6) + 0.5 * value_noise(rng, grid, 1.1))
    return tile_plan(np.minimum(line - HALF_MM, np.hypot(x, y) - HALL_MM) + wobble * calm, line)


def _paved(image: np.ndarray, name: str, grid: Grid, plan: Plan) -> np.ndarray:
    """`image` with flagstones on its floor, of varied tones with dark joints."""
    rng = stream(SEED, name, "paving")
    stones = cellular(rng, grid, 3.7, warp_mm=0.08)
    tone = rng.normal(1.0, 0.055, len(stones.centre_mm)).astype(np.float32)[stones.label]
    grain = 0.02 * fbm(rng, grid, 1.2, octaves=2)
    joint = smoothstep(0.42, 0.12, stones.border_mm)
    x, y = grid.mm()
    centre = stones.centre_mm.astype(np.float32)
    facing = np.clip(-(x - centre[stones.label, 0] + y - centre[stones.label, 1]) / 2.4, -1, 1)
    rim = smoothstep(0.9, 0.4, stones.border_mm) * (1 - joint)
    factor = (tone + grain + 0.09 * rim * facing) * (1 - 0.34 * joint)
    floor = smoothstep(0.0, -0.35, plan.main_mm)
    made: np.ndarray = image * (1 + floor * (factor - 1))[..., None]
    return made


def _edge(pen: Pen) -> None:
    """Draw a bevel along the tile's edge, which separates adjacent tiles visibly."""
    pen.line(box(0, 0, TILE_MM, TILE_MM), INK, 1.1, alpha=0.75)
    for corner, colour in (((0.75, 0.75), (1.0, 1.0, 1.0)), ((TILE_MM - 0.75, TILE_MM - 0.75), INK)):
        ends = [(0.75, TILE_MM - 0.75), corner, (TILE_MM - 0.75, 0.75)]
        pen.line(polygon(ends, closed=False), colour, 0.35, alpha=0.4)


def _chip_ring(pen: Pen) -> None:
    """Draw a gold ring of a chip's size in the hall."""
    with pen.at(_MIDDLE, _MIDDLE):
        pen.fill(circle(0, 0, CHIP_RING_MM), rgb("2b2233"), 0.16)
        pen.line(circle(0, 0, CHIP_RING_MM), INK, 1.5, alpha=0.6)
        pen.line(circle(0, 0, CHIP_RING_MM), rgb("dcb452"), 1.0)
        for turn in range(0, 360, 45):
            with pen.at(0, 0, turn):
                pen.fill(polygon([(-0.9, -CHIP_RING_MM), (0, -CHIP_RING_MM - 1.3), (0.9, -CHIP_RING_MM),
                                  (0, -CHIP_RING_MM + 1.3)]), rgb("f0d07a"))  # fmt: skip
        gem = [(-3.2, -1.2), (-1.6, -3), (1.6, -3), (3.2, -1.2), (0, 3.4)]
        pen.line(polygon(gem), INK, 0.5, alpha=0.55)
        for x in (-1.2, 1.2):
            pen.line(polygon([(x, -1.2), (0, 3.4)], closed=False), INK, 0.35, alpha=0.45)
        pen.line(stroke("-3.2,-1.2 3.2,-1.2"), INK, 0.35, alpha=0.45)


def _start(pen: Pen, colour: str) -> None:
    """Draw a round carpet in an explorer's colour."""
    body = STARTER_COLOURS[colour]
    with pen.at(_MIDDLE, _MIDDLE):
        pen.solid(circle(0, 0, 10.4), body, outline=0.35, contrast=0.16)
        pen.line(circle(0, 0, 9.1), lighter(body, 0.75), 0.55)
        pen.line(circle(0, 0, 7.9), lighter(body, -0.45), 0.4)
        pen.solid(polygon(star_points(8, 6.8, 3.0)), lighter(body, 0.72), outline=0.25, contrast=0.12)
        pen.solid(circle(0, 0, 1.9), body, outline=0.25, contrast=0.2)


def _plinth_at(closed: Side) -> tuple[float, float]:
    across, down = TOWARDS[closed]
    return _MIDDLE + 17.0 * across, _MIDDLE + 17.0 * down


def _gargoyle_place(pen: Pen, at: tuple[float, float], number: int) -> None:
    """Draw a plinth in the wall with the head of its gargoyle."""
    with pen.at(*at):
        pen.solid(box(-11.5, -4.7, 11.5, 4.7, 1.2), rgb("6d6f78"), outline=0.35, contrast=0.3)
        pen.line(box(-10.6, -3.8, 10.6, 3.8, 0.8), rgb("b9bcc6"), 0.35)
        with pen.at(0, 0.5, scale=0.58):
            gargoyle_head(pen, number)
        for side in (-1, 1):
            pen.solid(polygon([(8.6 * side, 0), (7.2 * side, -1.4), (5.8 * side, 0), (7.2 * side, 1.4)]),
                      rgb("d9b45a"), outline=0.2)  # fmt: skip


# --- the whole board ----------------------------------------------------------------------------------------

_FRAME, _DEEP, _GROUND = rgb("1f3a44"), rgb("14272e"), rgb("33302f")
_GOLD, _PALE_GOLD = rgb("d9b45a"), rgb("f4dd9a")
#: Lines at whose ends tiles are pushed in.
ARROW_LINES = (1, 3, 5)


def draw_board(px_per_mm: float) -> Image.Image:
    """The whole board with its frame."""
    sheet = Sheet((BOARD_MM, BOARD_MM), px_per_mm, _FRAME)
    far = BOARD_MM - FRAME_MM
    with sheet.pen() as pen:
        pen.line(box(1.2, 1.2, BOARD_MM - 1.2, BOARD_MM - 1.2), _GOLD, 0.9)
        pen.line(box(2.6, 2.6, BOARD_MM - 2.6, BOARD_MM - 2.6), _DEEP, 0.6)
        for quarter in range(4):
            with pen.at(BOARD_MM / 2, BOARD_MM / 2, 90 * quarter), pen.at(-BOARD_MM / 2, -BOARD_MM / 2):
                _frame_side(pen)
        for name, (column, row) in STARTS.items():
            _corner(pen, name, FRAME_MM / 2 if column == 0 else far + FRAME_MM / 2,
                    FRAME_MM / 2 if row == 0 else far + FRAME_MM / 2)  # fmt: skip
        pen.line(box(FRAME_MM, FRAME_MM, far, far), INK, 3.0)
        pen.line(box(FRAME_MM - 1, FRAME_MM - 1, far + 1, far + 1), _GOLD, 0.9)
        pen.fill(box(FRAME_MM, FRAME_MM, far, far), _GROUND)
        for row in range(SIDE):
            for column in range(SIDE):
                with pen.at(FRAME_MM + TILE_MM * column, FRAME_MM + TILE_MM * row):
                    _bare_cell(pen, nest=(column, row) == (SIDE // 2, SIDE // 2))
    for card in build_catalogue().cards:
        if card.kind == "fixed" and card.cell is not None:
            left, top = (round((BLEED_MM + FRAME_MM + TILE_MM * at) * px_per_mm) for at in card.cell)
            face = np.asarray(draw_printed(card, px_per_mm).convert("RGB"))
            sheet.pixels[top : top + face.shape[0], left : left + face.shape[1], :3] = face
    return _few_colours(sheet.cut(), px_per_mm)


def _few_colours(board: Image.Image, px_per_mm: float) -> Image.Image:
    """The board reduced to one palette, half the file size. The small areas in players' colours are
    weighted like the rock."""
    pixels = np.asarray(board)
    bright = []
    for column, row in STARTS.values():
        reach = FRAME_MM + TILE_MM
        top, left = (round((BOARD_MM - reach) * px_per_mm) if at else 0 for at in (row, column))
        side = round(reach * px_per_mm)
        bright.append(pixels[top : top + side : 2, left : left + side : 2])
    sample = np.concatenate([*(part.reshape(-1, 3) for part in bright), pixels[::6, ::6].reshape(-1, 3)])
    palette = Image.fromarray(sample[None]).quantize(256, Image.Quantize.MEDIANCUT)
    return board.quantize(palette=palette, dither=Image.Dither.NONE)


def _bare_cell(pen: Pen, nest: bool) -> None:
    """Draw an empty cell: dark ground with a lattice, unlike any tile."""
    with pen.within(box(0, 0, TILE_MM, TILE_MM)):
        for at in range(-50, 101, 10):
            for ends in (((at, 0), (at + 50, 50)), ((at, 50), (at + 50, 0))):
                pen.line(polygon(ends, closed=False), rgb("413d3a"), 0.7)
    pen.line(box(0.5, 0.5, TILE_MM - 0.5, TILE_MM - 0.5), rgb("1c1a19"), 1.0)
    if nest:
        with pen.at(TILE_MM / 2, TILE_MM / 2):
            for radius in (17.0, 14.5):
                pen.line(circle(0, 0, radius), rgb("8c3a2a"), 0.9)
            for turn in (0, 90, 180, 270):
                with pen.at(0, 0, turn):
                    pen.fill(edges("-2.4,-18.4 0,-22.4 2.4,-18.4"), rgb("8c3a2a"))


def _frame_side(pen: Pen) -> None:
    """Draw the frame's upper side: a meander between arrows that point inwards."""
    for first, last in ((0, 1), (2, 3), (4, 5), (6, 7)):
        start, end = FRAME_MM + TILE_MM * first + 4, FRAME_MM + TILE_MM * last - 4
        steps = int((end - start) // 7)
        left = (start + end) / 2 - 3.5 * steps
        for k in range(steps):
            x = left + 7 * k
            key = [(x, 13), (x, 7.4), (x + 5.2, 7.4), (x + 5.2, 11.4), (x + 2.6, 11.4), (x + 2.6, 9.6)]
            pen.line(polygon(key, closed=False), _GOLD, 0.75, alpha=0.9)
            pen.line(polygon([(x, 13), (x + 7, 13)], closed=False), _GOLD, 0.75, alpha=0.9)
    for line in ARROW_LINES:
        middle = FRAME_MM + TILE_MM * (line + 0.5)
        pen.fill(box(middle - 17, 4.4, middle + 17, 17.4, 2.4), _DEEP)
        pen.line(box(middle - 17, 4.4, middle + 17, 17.4, 2.4), _GOLD, 0.6)
        arrow = polygon([(middle - 8.5, 6.2), (middle + 8.5, 6.2), (middle, 16)])
        pen.solid(arrow, _PALE_GOLD, outline=0.4, contrast=0.18)
        for side in (-1, 1):
            x = middle + 12.6 * side
            pen.solid(
                polygon([(x, 8.4), (x + 2, 10.9), (x, 13.4), (x - 2, 10.9)]), rgb("b23a2e"), outline=0.3
            )


def _corner(pen: Pen, colour: str, x: float, y: float) -> None:
    """Draw the corner of an explorer's colour."""
    body = STARTER_COLOURS[colour]
    with pen.at(x, y):
        pen.solid(circle(0, 0, 7.6), _GOLD, outline=0.4, contrast=0.4)
        pen.solid(circle(0, 0, 6.4), body, outline=0.3, contrast=0.2)
        star = skia.Path()
        for turn in (0, 45):
            square = box(-2.9, -2.9, 2.9, 2.9)
            square.transform(skia.Matrix().setRotate(turn))
            star.addPath(square)
        pen.fill(star, lighter(body, 0.75))
        pen.fill(circle(0, 0, 1.6), body)
