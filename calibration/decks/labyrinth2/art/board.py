"""Art of the board: printed cells, empty cells for loose tiles, and a frame with the twelve arrows."""

from __future__ import annotations

import numpy as np
import skia
from PIL import Image

from calibration.decks.drawing.noise import BLEED_MM
from calibration.decks.drawing.palette import STARTER_COLOURS, rgb
from calibration.decks.drawing.pen import INK, Pen, box, circle, edges, lighter, polygon
from calibration.decks.drawing.sheet_of_art import Sheet
from calibration.decks.labyrinth2.art.tiles import draw_printed
from calibration.decks.labyrinth2.tile_set import BOARD_MM, FRAME_MM, SIDE, STARTS, TILE_MM, build_catalogue

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
