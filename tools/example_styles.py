"""Random drawing styles for synthetic cards: strokes, colours, textures, and the style of a whole deck."""

from __future__ import annotations

import math
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

#: Canvas size of a card in pixels; about 2 px are a millimetre, a 63rd of a usual card's width.
WIDTH, HEIGHT, PX = 128, 176, 2.03
#: Supersampling factor of the drawing.
FINER = 2
Canvas = NDArray[np.uint8]
Array = NDArray[np.float64]
Rng = np.random.Generator
Colour = tuple[int, int, int]


def _pixels(points: Array, scale: float) -> NDArray[np.int32]:
    return np.round((np.atleast_2d(points) * scale - 0.5) * 16).astype(np.int32)


def stroke(canvas: NDArray[Any], line: Array, colour: Any, width_px: float, closed: bool = False) -> None:
    thick = max(1, round(width_px * FINER))
    cv2.polylines(canvas, [_pixels(line, FINER)], closed, colour, thick, cv2.LINE_AA, 4)


def disc(canvas: Canvas, at: Array, radius: float, colour: Colour, line: float = 0.0) -> None:
    x, y = _pixels(at, FINER)[0]
    thick = -1 if line <= 0 else max(1, round(line * FINER))
    cv2.circle(canvas, (int(x), int(y)), round(radius * FINER * 16), colour, thick, cv2.LINE_AA, 4)


def fill(canvas: NDArray[Any], outline: Array, colour: Any) -> None:
    cv2.fillPoly(canvas, [_pixels(outline, FINER)], colour, cv2.LINE_AA, 4)


def chance_colour(rng: Rng, light: tuple[float, float] = (0, 1)) -> Colour:
    """A random colour with a lightness between two bounds."""
    hue, chroma = rng.integers(180), int(255 * rng.beta(1.2, 2.0))
    value = int(255 * rng.uniform(*light))
    made = cv2.cvtColor(np.array([[[hue, chroma, value]]], np.uint8), cv2.COLOR_HSV2BGR)[0, 0]
    return int(made[0]), int(made[1]), int(made[2])


def near_colour(colour: Colour, rng: Rng, spread: float) -> Colour:
    blue, green, red = np.clip(np.asarray(colour) + rng.normal(0, spread, 3), 0, 255).astype(int)
    return int(blue), int(green), int(red)


class Texture:
    """A surface texture: a colour with grain, hatch, tiles, grid, scales, dots or nothing."""

    def __init__(self, colour: Colour, rng: Rng, busy: float) -> None:
        self.colour, self.seed = colour, int(rng.integers(1 << 30))
        self.grain = rng.uniform(0, 0.16) if rng.random() < busy else 0.0
        self.cell = float(np.exp(rng.uniform(math.log(1.5), math.log(30))))
        kinds = ["none", "hatch", "cross", "grid", "bricks", "rings", "dots", "stones"]
        self.kind = str(rng.choice(kinds)) if rng.random() < busy else "none"
        self.pitch, self.angle = rng.uniform(3.5, 14), rng.uniform(0, math.pi)
        self.ink = near_colour(colour, rng, rng.uniform(10, 55))
        self.thick = rng.uniform(0.3, 0.9)

    def surface(self, rng: Rng) -> Canvas:
        """Pixels (H, W, 3) of the texture at the canvas resolution."""
        shape = (HEIGHT * FINER, WIDTH * FINER)
        made = np.empty((*shape, 3), np.float32)
        made[:] = self.colour
        if self.grain:
            rows = [max(2, int(side / FINER / self.cell)) for side in shape]
            noise = cv2.resize(
                rng.standard_normal(rows, np.float32), shape[::-1], interpolation=cv2.INTER_CUBIC
            )
            made *= 1 + self.grain * noise[..., None]
        canvas = np.clip(made, 0, 255).astype(np.uint8)
        self._pattern(canvas, rng)
        return canvas

    def _pattern(self, canvas: Canvas, rng: Rng) -> None:
        if self.kind in ("hatch", "cross"):
            self._hatch(canvas)
        elif self.kind in ("grid", "bricks"):
            self._courses(canvas)
        elif self.kind == "rings":
            for y in np.arange(0, HEIGHT + 8, self.pitch):
                for x in np.arange(0, WIDTH + 8, self.pitch):
                    disc(canvas, np.array([x, y]), self.pitch * 0.7, self.ink, self.thick)
        elif self.kind == "dots":
            for at in rng.uniform(0, (WIDTH, HEIGHT), (int(6000 / self.pitch**1.6), 2)):
                disc(canvas, at, rng.uniform(0.3, 1.0), self.ink)
        elif self.kind == "stones":
            for at in rng.uniform(0, (WIDTH, HEIGHT), (int(9000 / self.pitch**1.6), 2)):
                form = at + self.pitch * 0.6 * rng.uniform(0.5, 1, (6, 1)) * np.column_stack(
                    [np.cos(np.arange(6)), np.sin(np.arange(6))]
                )
                fill(canvas, form, near_colour(self.ink, rng, 10))

    def _hatch(self, canvas: Canvas) -> None:
        """Parallel lines, or two sets of them at a right angle."""
        steps = np.arange(-HEIGHT, WIDTH + HEIGHT, self.pitch)
        for turn in (self.angle,) if self.kind == "hatch" else (self.angle, self.angle + math.pi / 2):
            along = np.array([math.cos(turn), math.sin(turn)])
            for k in steps:
                middle = np.array([WIDTH / 2, HEIGHT / 2]) + (k - 64) * along[::-1] * (1, -1)
                stroke(canvas, np.array([middle - 220 * along, middle + 220 * along]), self.ink, self.thick)

    def _courses(self, canvas: Canvas) -> None:
        """A grid, or courses of bricks."""
        for row, y in enumerate(np.arange(0, HEIGHT + 1, self.pitch)):
            stroke(canvas, np.array([[0, y], [WIDTH, y]]), self.ink, self.thick)
            shift = self.pitch * 0.7 * (row % 2) if self.kind == "bricks" else 0
            for x in np.arange(shift, WIDTH + 1, self.pitch * (1.4 if self.kind == "bricks" else 1)):
                stroke(canvas, np.array([[x, y], [x, y + self.pitch]]), self.ink, self.thick)


class Style:
    """The drawing style of a deck: all properties that may differ between two decks."""

    def __init__(self, rng: Rng) -> None:
        # floors stand off from the ground, in lightness more often than in colour alone
        dark = rng.random() < 0.6
        ground, floor = ((0.05, 0.55), (0.55, 1.0)) if dark else ((0.6, 1.0), (0.15, 0.75))
        self.ground = Texture(chance_colour(rng, ground), rng, 0.75)
        self.floor = Texture(chance_colour(rng, floor), rng, 0.45)
        other = (
            near_colour(self.floor.colour, rng, 45) if rng.random() < 0.5 else chance_colour(rng, (0.3, 1.0))
        )
        self.under = Texture(other, rng, 0.6)
        same = rng.random()
        room = (
            self.floor.colour
            if same < 0.25
            else near_colour(self.floor.colour, rng, 25)
            if same < 0.6
            else chance_colour(rng, floor)
        )
        self.room = Texture(room, rng, 0.6)
        self.corridor = PX * rng.uniform(3.6, 8.2)
        self.under_width = self.corridor * rng.uniform(0.7, 1.0)
        ink = chance_colour(rng, (0.0, 0.35)) if rng.random() < 0.7 else chance_colour(rng, (0.8, 1.0))
        self.ink = ink
        self.edge = rng.uniform(0.3, 2.2) if rng.random() < 0.75 else 0.0
        self.edge_colour = ink if rng.random() < 0.6 else near_colour(self.ground.colour, rng, 60)
        self.under_edge = self.edge if rng.random() < 0.6 else 0.0
        self.rough = rng.uniform(0.3, 1.6) if rng.random() < 0.35 else 0.0
        self.middle_dashes = rng.random() < 0.15
        self.under_form = str(rng.choice(["floor", "floor", "floor", "dashed"]))
        self.over = rng.random() < 0.15  # the lower level shows through
        self.shade = rng.uniform(0, 0.5) if rng.random() < 0.35 else 0.0
        self.wall = rng.uniform(0.6, 3.6)
        self.wall_colour = ink if rng.random() < 0.6 else chance_colour(rng)
        self.wall_rim = rng.random() < 0.3
        self.door = str(rng.choice(["gap", "posts", "disc", "plank", "arc", "bar"]))
        self.door_colour = chance_colour(rng)
        self.stairs = str(rng.choice(["box", "box", "ends", "ladder", "fan", "icons"]))
        self.stairs_colour = self.under.colour if rng.random() < 0.4 else chance_colour(rng)
        self.end = str(rng.choice(["none", "none", "cross", "bar", "disc"]))
        self.icon = PX * rng.uniform(2.3, 4.1)
        self.plate = str(rng.choice(["disc", "square", "none", "none", "mixed"]))
        self.plate_colour = chance_colour(rng, (0.6, 1.0)) if rng.random() < 0.7 else chance_colour(rng)
        self.lettered = self.plate != "none" and rng.random() < 0.12
        self.seed = int(rng.integers(1 << 30))
        self.frame = PX * rng.uniform(0.6, 3.2) if rng.random() < 0.3 else 0.0
        self.frame_over = rng.random() < 0.3
        self.frame_colour = chance_colour(rng)
        self.doodles = int(rng.integers(0, 26)) if rng.random() < 0.7 else 0
