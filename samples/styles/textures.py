"""Surfaces of floors and grounds: a colour with grain and a pattern, as a picture of the card's size."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from samples.styles.canvas import Canvas, Colour, Picture, Rng, lighter, near

#: Patterns that decks for training have, and those that only decks held out for validation have.
PATTERNS = (
    "hatch",
    "cross",
    "grid",
    "bricks",
    "rings",
    "dots",
    "stones",
    "cobbles",
    "planks",
    "marble",
    "fade",
)
HELD_OUT_PATTERNS = ("waves", "checker", "scales")


@dataclass(frozen=True)
class Texture:
    """A colour, its grain (deviation as a share, grain size in mm) and its pattern (pitch in mm)."""

    colour: Colour
    grain: float
    cell_mm: float
    pattern: str
    pitch_mm: float
    angle: float
    ink: Colour
    thick_mm: float

    def surface(self, canvas: Canvas, rng: Rng) -> Picture:
        """Pixels (H, W, 3) of the whole card in this texture."""
        own = Canvas.blank(canvas.size_mm, canvas.scale)
        own.pixels[:] = self.colour
        if self.grain:
            light = 1 + self.grain * (own.noise(self.cell_mm, rng) + 0.5 * own.noise(self.cell_mm / 3, rng))
            own.pixels[:] = np.clip(own.pixels * light[..., None], 0, 255).astype(np.uint8)
        if self.pattern != "none":
            _DRAWN[self.pattern](self, own, rng)
        return own.pixels


def texture_of(colour: Colour, rng: Rng, busy: float, held_out: bool = False) -> Texture:
    """A random texture; `busy` is how likely grain and pattern are."""
    kinds = PATTERNS + HELD_OUT_PATTERNS * 3 if held_out else PATTERNS
    return Texture(
        colour=colour,
        grain=float(rng.uniform(0.02, 0.17)) if rng.random() < busy else 0.0,
        cell_mm=float(np.exp(rng.uniform(math.log(0.7), math.log(15)))),
        pattern=str(rng.choice(kinds)) if rng.random() < busy else "none",
        pitch_mm=float(rng.uniform(1.8, 8)),
        angle=float(rng.uniform(0, math.pi)),
        ink=near(colour, rng, float(rng.uniform(8, 50))),
        thick_mm=float(rng.uniform(0.12, 0.5)),
    )


def _hatch(texture: Texture, canvas: Canvas, rng: Rng) -> None:
    """Parallel lines, or two sets of them."""
    reach = float(np.hypot(*canvas.size_mm))
    middle = np.asarray(canvas.size_mm) / 2
    turns = (0.0,) if texture.pattern == "hatch" else (0.0, math.pi / 2)
    for turn in turns:
        along = np.array([math.cos(texture.angle + turn), math.sin(texture.angle + turn)])
        across = np.array([-along[1], along[0]])
        for k in np.arange(-reach / 2, reach / 2, texture.pitch_mm):
            line = middle + k * across + np.array([[-reach], [reach]]) * along
            canvas.stroke(line, texture.ink, texture.thick_mm)


def _courses(texture: Texture, canvas: Canvas, rng: Rng) -> None:
    """A grid, bricks or planks."""
    width, height = canvas.size_mm
    step = {"grid": 1.0, "bricks": 1.5, "planks": 6.0}[texture.pattern] * texture.pitch_mm
    for row, y in enumerate(np.arange(0, height + 1, texture.pitch_mm)):
        canvas.stroke([[0, y], [width, y]], texture.ink, texture.thick_mm)
        shift = 0.0 if texture.pattern == "grid" else step * (0.5 * (row % 2) + 0.1 * float(rng.random()))
        for x in np.arange(shift, width + 1, step):
            canvas.stroke([[x, y], [x, y + texture.pitch_mm]], texture.ink, texture.thick_mm)


def _rings(texture: Texture, canvas: Canvas, rng: Rng) -> None:
    for y in np.arange(0, canvas.size_mm[1] + 3, texture.pitch_mm):
        for x in np.arange(0, canvas.size_mm[0] + 3, texture.pitch_mm):
            canvas.disc((x, y), texture.pitch_mm * 0.7, texture.ink, texture.thick_mm)


def _scales(texture: Texture, canvas: Canvas, rng: Rng) -> None:
    for row, y in enumerate(np.arange(0, canvas.size_mm[1] + 3, texture.pitch_mm / 2)):
        for x in np.arange(texture.pitch_mm / 2 * (row % 2), canvas.size_mm[0] + 3, texture.pitch_mm):
            canvas.disc((x, y), texture.pitch_mm * 0.55, texture.colour)
            canvas.disc((x, y), texture.pitch_mm * 0.55, texture.ink, texture.thick_mm)


def _scattered(texture: Texture, canvas: Canvas, rng: Rng) -> None:
    """Dots, or stones of several sides."""
    area = canvas.size_mm[0] * canvas.size_mm[1]
    turns = np.arange(6) * math.pi / 3
    for at in rng.uniform(0, canvas.size_mm, (int(0.9 * area / texture.pitch_mm**2), 2)):
        if texture.pattern == "dots":
            canvas.disc(at, float(rng.uniform(0.12, 0.5)), texture.ink)
        else:
            reach = texture.pitch_mm * 0.45 * rng.uniform(0.5, 1, (6, 1))
            form = at + reach * np.column_stack([np.cos(turns), np.sin(turns)])
            canvas.fill(form, near(texture.ink, rng, 10))


def _cobbles(texture: Texture, canvas: Canvas, rng: Rng) -> None:
    """Cells of a Voronoi diagram, each of its own shade, with joints between them."""
    rows, columns = canvas.shape
    count = max(6, int(canvas.size_mm[0] * canvas.size_mm[1] / texture.pitch_mm**2))
    seeds = np.full((rows, columns), 255, np.uint8)
    at = rng.integers(0, (rows, columns), (count, 2))
    seeds[at[:, 0], at[:, 1]] = 0
    _, labels = cv2.distanceTransformWithLabels(seeds, cv2.DIST_L2, 3, labelType=cv2.DIST_LABEL_CCOMP)
    shade = rng.normal(1, 0.07, int(labels.max()) + 1).astype(np.float32)
    canvas.pixels[:] = np.clip(canvas.pixels * shade[labels][..., None], 0, 255).astype(np.uint8)
    edge = cv2.morphologyEx(labels.astype(np.float32), cv2.MORPH_GRADIENT, np.ones((2, 2), np.uint8)) > 0
    canvas.pixels[edge] = texture.ink


def _marble(texture: Texture, canvas: Canvas, rng: Rng) -> None:
    bent = canvas.noise(9, rng) + 0.5 * canvas.noise(3, rng)
    vein = np.abs(np.sin(bent * 2.2))[..., None] ** 0.35
    mixed = canvas.pixels * vein + np.asarray(texture.ink, np.float32) * (1 - vein)
    canvas.pixels[:] = np.clip(mixed, 0, 255).astype(np.uint8)


def _fade(texture: Texture, canvas: Canvas, rng: Rng) -> None:
    """A slow change from one colour to another, straight or round."""
    rows, columns = np.mgrid[: canvas.shape[0], : canvas.shape[1]].astype(np.float32)
    x, y = columns / canvas.shape[1] - 0.5, rows / canvas.shape[0] - 0.5
    slope = x * math.cos(texture.angle) + y * math.sin(texture.angle) + 0.5
    share = np.clip(slope if texture.pitch_mm < 5 else 1.5 * np.hypot(x, y), 0, 1)[..., None]
    mixed = canvas.pixels * (1 - share) + np.asarray(lighter(texture.colour, -0.45), np.float32) * share
    canvas.pixels[:] = np.clip(mixed, 0, 255).astype(np.uint8)


def _waves(texture: Texture, canvas: Canvas, rng: Rng) -> None:
    x = np.linspace(0, canvas.size_mm[0], 60)
    for y in np.arange(0, canvas.size_mm[1] + 2, texture.pitch_mm * 0.7):
        wave = y + 0.5 * np.sin(x * 6.3 / texture.pitch_mm + rng.uniform(0, 6.3))
        canvas.stroke(np.column_stack([x, wave]), texture.ink, texture.thick_mm)


def _checker(texture: Texture, canvas: Canvas, rng: Rng) -> None:
    rows, columns = np.mgrid[: canvas.shape[0], : canvas.shape[1]]
    side = max(2, round(texture.pitch_mm * canvas.scale))
    canvas.pixels[((rows // side) + (columns // side)) % 2 == 0] = texture.ink


_DRAWN = {
    "hatch": _hatch,
    "cross": _hatch,
    "grid": _courses,
    "bricks": _courses,
    "planks": _courses,
    "rings": _rings,
    "scales": _scales,
    "dots": _scattered,
    "stones": _scattered,
    "cobbles": _cobbles,
    "marble": _marble,
    "fade": _fade,
    "waves": _waves,
    "checker": _checker,
}
