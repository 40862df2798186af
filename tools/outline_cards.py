"""Decks of random art for the examples of `tools.outline_examples`: a size, corners, a frame, and faces."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from samples.styles.dungeons import dungeon, plan_of
from samples.styles.face import draw_face
from samples.styles.style import FAMILIES, random_style
from tools.outline_grounds import Field, Rng, colour, coloured, noise, octaves, shapes, write

#: Card sizes (mm) before noise: width and height of an upright card, or a square.
SIZES = ((63, 88), (57, 89), (44, 68), (70, 120), (70, 70), (50, 75), (88, 63), (45, 45), (59, 91))
#: Longer side of a face, in pixels.
FACE_PX = 240
#: Share of decks with dungeons in the styles of `samples.styles`.
STYLED = 0.35


@dataclass(frozen=True)
class Deck:
    """Cards that are alike: `size_mm`, the radius of their corners, and faces (H, W, 3), 0 to 255."""

    size_mm: tuple[float, float]
    radius_mm: float
    faces: tuple[Field, ...]


def random_deck(rng: Rng, count: int) -> Deck:
    """A deck with at most `count` different faces in one style."""
    width, height = SIZES[int(rng.integers(len(SIZES)))]
    stretch = rng.uniform(0.92, 1.08)
    size = float(width * stretch), float(height * stretch if width != height else width * stretch)
    radius = float(rng.choice([0.0, rng.uniform(1, 5)], p=[0.3, 0.7])) * min(size) / 63
    if rng.random() < STYLED:
        return Deck(size, radius, _styled(rng, size, count))
    wide, high = (round(FACE_PX * side / max(size)) for side in size)
    kinds = (_white, _white, _texts, _texts, _art, _art, _art, _pattern, _plain)
    make = kinds[int(rng.integers(len(kinds)))]
    style = int(rng.integers(1 << 30))
    faces = []
    frame = _Frame(rng)
    for _ in range(count):
        made = np.ascontiguousarray(make(rng, np.random.default_rng(style), (wide, high)))
        frame.draw(made, FACE_PX / max(size))
        faces.append(np.clip(made, 0, 255).astype(np.float32))
    return Deck(size, radius, tuple(faces))


def _styled(rng: Rng, size_mm: tuple[float, float], count: int) -> tuple[Field, ...]:
    """Dungeon cards in a random style of those for training (`samples.styles`)."""
    style = random_style(rng, str(rng.choice(FAMILIES)), size_mm)
    faces: list[Field] = []
    while len(faces) < count:
        try:
            card = dungeon(plan_of(rng, size_mm, style.corridor_mm), rng, "X")
        except RuntimeError:  # no dungeon of this plan fits
            continue
        faces.append(draw_face(card, style, FACE_PX / max(size_mm), rng).astype(np.float32))
    return tuple(faces)


class _Frame:
    """A deck's frame: one or two bands of colour along the sides, or none."""

    def __init__(self, rng: Rng) -> None:
        count = int(rng.choice([0, 1, 2], p=[0.45, 0.35, 0.2]))
        light = rng.random()
        bounds = (0, 60) if light < 0.35 else (200, 255) if light < 0.65 else (0, 255)
        self.bands = [(float(rng.uniform(0.6, 5)), colour(rng, *bounds)) for _ in range(count)]
        self.line = float(rng.uniform(2, 8)) if rng.random() < 0.25 else 0.0
        self.ink = colour(rng)

    def draw(self, face: Field, px_per_mm: float) -> None:
        within = 0
        for wide_mm, tint in self.bands:
            thick = max(1, round(wide_mm * px_per_mm))
            for edge in (slice(within, within + thick), slice(-within - thick, -within or None)):
                face[edge, within : face.shape[1] - within] = tint
                face[within : face.shape[0] - within, edge] = tint
            within += thick
        if self.line:
            at = round(self.line * px_per_mm)
            corner = (face.shape[1] - 1 - at, face.shape[0] - 1 - at)
            cv2.rectangle(face, (at, at), corner, self.ink.tolist(), 1)


def _white(rng: Rng, style: Rng, size_px: tuple[int, int]) -> Field:
    """A white or cream face with a few signs."""
    wide, high = size_px
    made = np.empty((high, wide, 3), np.float32)
    made[:] = style.uniform(215, 255) + style.normal(0, 5, 3)
    count, tint = int(rng.integers(1, 4)), colour(rng, 0, 200).tolist()
    reach = rng.uniform(0.08, 0.2) * min(size_px)
    for k in range(count):
        at = np.array([wide / 2, high * (k + 1) / (count + 1)])
        if style.random() < 0.3:
            at = rng.uniform(0.15, 0.85, 2) * size_px
        form = at + reach * rng.uniform(0.5, 1.2, (6, 1)) * np.column_stack(
            [np.cos(np.arange(6)) * style.uniform(0.8, 2), np.sin(np.arange(6))]
        )
        if rng.random() < 0.6:
            cv2.fillPoly(made, form.astype(np.int32)[None], tint, cv2.LINE_AA)
        else:
            cv2.polylines(made, form.astype(np.int32)[None], True, tint, 2, cv2.LINE_AA)
    return made


def _texts(rng: Rng, style: Rng, size_px: tuple[int, int]) -> Field:
    """A trading card: title, picture, and a box of text."""
    wide, high = size_px
    made = np.empty((high, wide, 3), np.float32)
    made[:] = colour(style) if style.random() < 0.6 else colour(rng)
    inset, top = round(style.uniform(0.03, 0.1) * wide), round(style.uniform(0.05, 0.14) * high)
    middle = round(style.uniform(0.4, 0.65) * high)
    art = _art(rng, style, (wide - 2 * inset, middle - top))
    made[top:middle, inset : wide - inset] = art
    paper = colour(style, 150, 255) if style.random() < 0.8 else colour(style, 0, 120)
    made[middle + 4 : high - inset, inset : wide - inset] = paper
    ink = (255 - paper).tolist() if style.random() < 0.5 else colour(style, 0, 90).tolist()
    for at in np.arange(middle + 12, high - inset - 6, style.uniform(5, 9)):
        end = inset + 4 + rng.uniform(0.4, 1) * (wide - 2 * inset - 8)
        x = inset + 4.0
        while x < end:
            step = float(rng.uniform(4, 16))
            cv2.line(made, (int(x), int(at)), (int(min(x + step, end)), int(at)), ink, 1)
            x += step + 3
    words = "".join(rng.choice(list("ABCDEFGHIKLMNOPRST"), int(rng.integers(4, 10))))
    write(made, words, (inset, top - 3), top / 45 + 0.1, ink, 1)
    return made


def _art(rng: Rng, style: Rng, size_px: tuple[int, int]) -> Field:
    """A picture without a frame: blurred fields, shapes and grain."""
    wide, high = size_px
    side = max(size_px)
    mood = colour(style, 10, 240)
    near = style.uniform(0, 90)
    palette = [
        np.asarray(np.clip(mood * style.uniform(0.3, 1.5) + rng.normal(0, near, 3), 0, 255), np.float32)
        for _ in range(5)
    ]
    level = octaves(rng, side * style.uniform(0.08, 0.8), int(style.integers(1, 7)), 0.6, side)
    made = np.ascontiguousarray(coloured(level, palette)[:high, :wide])
    shapes(made, rng, int(rng.integers(0, 40) * style.random()), 4, side * 0.6)
    return made


def _pattern(rng: Rng, style: Rng, size_px: tuple[int, int]) -> Field:
    """A pattern, as on a card's back or on one of squares."""
    wide, high = size_px
    period = int(style.uniform(5, 60))
    tile = np.empty((period, period, 3), np.float32)
    tile[:] = colour(style)
    shapes(tile, style, int(style.integers(1, 5)), 2, period)
    if style.random() < 0.3:
        tile[: period // 2, : period // 2] = tile[period // 2 :, period // 2 :].mean(axis=(0, 1))
    made = np.tile(tile, (high // period + 1, wide // period + 1, 1))[:high, :wide]
    if rng.random() < 0.5:
        middle = (wide // 2, high // 2)
        cv2.circle(made, middle, int(rng.uniform(0.1, 0.4) * wide), colour(rng).tolist(), -1, cv2.LINE_AA)
    return made


def _plain(rng: Rng, style: Rng, size_px: tuple[int, int]) -> Field:
    """A face in one colour with a little print, often a dark one."""
    wide, high = size_px
    made = np.empty((high, wide, 3), np.float32)
    made[:] = colour(style, 0, 120 if style.random() < 0.6 else 255)
    made *= (1 + 0.08 * noise(rng, (30, 30), max(size_px))[:high, :wide])[..., None]
    shapes(made, rng, int(rng.integers(2, 14)), 5, 0.5 * wide)
    return made
