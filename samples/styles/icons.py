"""Icons of finds in several families: one deck draws a kind the same way each time."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np

from samples.styles.canvas import Array, Canvas, Colour, Rng, random_colour
from samples.styles.style import LEAST_CONTRAST, Style, apart_from, contrast


def draw_icon(canvas: Canvas, at: Array, style: Style, kind: str) -> None:
    """Draw the icon of a kind, on the deck's plate where it has one."""
    rng = np.random.default_rng([style.seed, *kind.encode()])
    size = style.icon_mm
    colour = random_colour(rng) if style.own_colours else style.ink
    plate = style.plate if style.plate != "mixed" else str(rng.choice(["disc", "square", "none"]))
    rim = random_colour(rng) if style.own_colours else style.ink
    behind = style.plate_colour if plate in ("disc", "square") else style.floor.colour
    if contrast(colour, behind) < LEAST_CONTRAST:  # nobody prints an icon that cannot be seen
        colour = apart_from(behind, rng)
    if plate == "disc":
        canvas.disc(at, size, style.plate_colour)
        canvas.disc(at, size - 0.15, rim, 0.45)
    elif plate == "square":
        box = at + size * 0.9 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
        canvas.fill(box, style.plate_colour)
        canvas.stroke(box, rim, 0.45, closed=True)
    elif plate == "shade":
        shade = np.zeros(canvas.shape, np.uint8)
        x, y = canvas.at(at + 0.25)[0]
        cv2.circle(shade, (int(x), int(y)), round(size * canvas.scale * 16), 80, -1, cv2.LINE_AA, 4)
        canvas.lay(cv2.GaussianBlur(shade, (0, 0), 0.5 * canvas.scale), np.zeros_like(canvas.pixels))
    reach = size * (0.72 if plate in ("disc", "square") else 0.95)
    _DRAWN[style.icons](canvas, at, reach, colour, style, rng)


def draw_sign(canvas: Canvas, at: Array, style: Style, kind: str, size_mm: float, behind: Colour) -> None:
    """Draw the icon of a kind at a size, on another ground than a floor."""
    draw_icon(canvas, at, replace(style, icon_mm=size_mm, floor=replace(style.floor, colour=behind)), kind)


def _strokes(canvas: Canvas, at: Array, reach: float, colour: Colour, style: Style, rng: Rng) -> None:
    for _ in range(int(rng.integers(2, 6))):
        points = at + reach * rng.uniform(-0.9, 0.9, (int(rng.integers(2, 5)), 2))
        canvas.stroke(points, colour, float(rng.uniform(0.25, 0.8)))


def _blots(canvas: Canvas, at: Array, reach: float, colour: Colour, style: Style, rng: Rng) -> None:
    turns = np.arange(7) * 0.9
    form = at + reach * rng.uniform(0.5, 1.0, (7, 1)) * np.column_stack([np.cos(turns), np.sin(turns)])
    canvas.fill(form, colour)
    canvas.stroke(form, style.ink, 0.3, closed=True)
    for _ in range(int(rng.integers(1, 4))):
        canvas.disc(
            at + reach * rng.normal(0, 0.35, 2), reach * float(rng.uniform(0.1, 0.4)), random_colour(rng)
        )


def _sprites(canvas: Canvas, at: Array, reach: float, colour: Colour, style: Style, rng: Rng) -> None:
    """A mirrored sprite of few pixels."""
    side = int(rng.choice([6, 8, 10]))
    half = rng.random((side, side // 2)) < 0.55
    cells = np.concatenate([half, half[:, ::-1]], axis=1)
    second = rng.random((side, side // 2)) < 0.3
    other = np.concatenate([second, second[:, ::-1]], axis=1)
    step = 2 * reach / side
    for row, column in zip(*np.nonzero(cells), strict=True):
        corner = at - reach + step * np.array([column, row])
        box = corner + step * np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
        canvas.fill(box, style.ink if other[row, column] else colour)


def _letters(canvas: Canvas, at: Array, reach: float, colour: Colour, style: Style, rng: Rng) -> None:
    words = "".join(rng.choice(list("ABCDEKLMRSTX?!+&%#"), int(rng.integers(1, 3))))
    height = 1.5 * reach / max(1.0, 0.8 * len(words))
    font = int(rng.choice([0, 2, 3, 4]))
    corner = at + np.array([-0.45 * height * len(words), 0.5 * height])
    canvas.words(words, corner, height, colour, font)


def _shapes(canvas: Canvas, at: Array, reach: float, colour: Colour, style: Style, rng: Rng) -> None:
    """Stars, polygons, rings, crosses: signs of a legend."""
    corners = int(rng.integers(3, 8))
    turns = np.arange(2 * corners) * math.pi / corners + float(rng.uniform(0, 3))
    inner = float(rng.choice([1.0, 0.5, 0.75]))
    radius = np.where(np.arange(2 * corners) % 2, inner, 1.0)[:, None]
    form = at + reach * 0.9 * radius * np.column_stack([np.cos(turns), np.sin(turns)])
    if rng.random() < 0.6:
        canvas.fill(form, colour)
        canvas.stroke(form, style.ink, 0.3, closed=True)
    else:
        canvas.stroke(form, colour, 0.6, closed=True)
    if rng.random() < 0.6:
        canvas.disc(at, reach * float(rng.uniform(0.15, 0.4)), random_colour(rng))


def _pieces(canvas: Canvas, at: Array, reach: float, colour: Colour, style: Style, rng: Rng) -> None:
    """Things put together of boxes, discs and sticks, shaded, with a dark outline."""
    for _ in range(int(rng.integers(2, 5))):
        own = random_colour(rng, (0.3, 1.0))
        middle = at + reach * rng.normal(0, 0.25, 2)
        form = int(rng.integers(3))
        if form == 0:
            radius = reach * float(rng.uniform(0.25, 0.6))
            canvas.disc(middle, radius + 0.2, style.ink)
            canvas.disc(middle, radius, own)
            canvas.disc(middle - radius * 0.3, radius * 0.3, (255, 255, 255))
        else:
            half = reach * rng.uniform(0.15, 0.7, 2)
            turn = float(rng.uniform(0, math.pi))
            spin = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
            box = middle + (np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half) @ spin
            canvas.fill(box, own)
            canvas.stroke(box, style.ink, 0.3, closed=True)


def _runes(canvas: Canvas, at: Array, reach: float, colour: Colour, style: Style, rng: Rng) -> None:
    """An upright staff with slanted twigs."""
    canvas.stroke([at - np.array([0, reach]), at + np.array([0, reach])], colour, 0.5)
    for _ in range(int(rng.integers(2, 5))):
        start = at + np.array([0, reach * float(rng.uniform(-0.9, 0.7))])
        aim = start + reach * np.array([float(rng.choice([-0.7, 0.7])), float(rng.uniform(-0.5, 0.5))])
        canvas.stroke([start, aim], colour, 0.45)


def _faces(canvas: Canvas, at: Array, reach: float, colour: Colour, style: Style, rng: Rng) -> None:
    """A head of three to seven corners, or a round one, with eyes, a mouth and horns or ears."""
    corners = int(rng.integers(3, 9))
    turns = np.arange(corners if corners < 8 else 24) * 2 * math.pi / (corners if corners < 8 else 24)
    head = at + reach * 0.9 * np.column_stack([np.sin(turns), -np.cos(turns)])
    canvas.fill(head, colour)
    canvas.stroke(head, style.ink, 0.3, closed=True)
    for sign in (-1, 1):
        canvas.disc(at + reach * np.array([0.3 * sign, -0.2]), reach * 0.16, (255, 255, 255))
        canvas.disc(at + reach * np.array([0.3 * sign, -0.2]), reach * 0.08, (0, 0, 0))
        ear = at + reach * np.array([[0.4 * sign, -0.6], [0.9 * sign, -1.0], [0.75 * sign, -0.3]])
        if rng.random() < 0.5:
            canvas.fill(ear, style.ink)
    mouth = reach * float(rng.uniform(-0.2, 0.3))
    canvas.stroke(
        at + np.array([[-0.4 * reach, 0.4 * reach], [0, 0.4 * reach + mouth], [0.4 * reach, 0.4 * reach]]),
        style.ink,
        0.3,
    )


_DRAWN = {
    "strokes": _strokes,
    "blots": _blots,
    "sprites": _sprites,
    "letters": _letters,
    "shapes": _shapes,
    "pieces": _pieces,
    "runes": _runes,
    "faces": _faces,
}
