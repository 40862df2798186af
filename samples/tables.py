"""Table tops for the fast compositor: colour textures made of smoothed noise, in table millimetres.

Blocks of a million seeds use one half of the woods and cloths in turn, so that a validation photo never lies
on a table that tuning has seen.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Texture = NDArray[np.uint8]
Field = NDArray[np.float32]

SEEDS_PER_BLOCK = 1_000_000

WOODS = {
    "oak": ((198, 156, 108), (150, 108, 66)),
    "pine": ((224, 190, 140), (196, 148, 94)),
    "walnut": ((112, 76, 52), (70, 44, 30)),
    "grey": ((150, 140, 128), (110, 100, 92)),
    "cherry": ((164, 96, 62), (120, 62, 40)),
    "teak": ((146, 104, 64), (104, 68, 38)),
}
CLOTHS = {
    "green": (34, 92, 62),
    "navy": (34, 44, 84),
    "burgundy": (104, 28, 40),
    "linen": (202, 190, 168),
    "grey": (116, 116, 120),
    "black": (32, 32, 35),
    "ochre": (176, 132, 66),
    "teal": (42, 108, 116),
}


def cloud(shape: tuple[int, int], cell: tuple[float, float], rng: np.random.Generator) -> Field:
    """Smooth noise (H, W) of about unit deviation whose features are `cell` = (high, wide) pixels."""
    rows, columns = max(2, int(shape[0] / cell[0]) + 3), max(2, int(shape[1] / cell[1]) + 3)
    seed = rng.normal(size=(rows, columns)).astype(np.float32)
    if min(cell) <= 1.0 and rows >= shape[0] and columns >= shape[1]:
        return np.asarray(seed[: shape[0], : shape[1]])
    big = cv2.resize(seed, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)
    return np.asarray(big * 1.35, np.float32)


def table_texture(kind: str, seed: int, shape_px: tuple[int, int], px_per_mm: float) -> tuple[Texture, float]:
    """A table top (H, W, 3) sRGB and its gloss 0..1. Raises `ValueError` for an unknown kind."""
    makers = {
        "wood": _wood,
        "cloth": _cloth,
        "playmat": _playmat,
        "white_desk": _white_desk,
        "dark_desk": _dark_desk,
    }
    if kind not in makers:
        raise ValueError(f"unknown table {kind!r}; expected one of {sorted(makers)}")
    rng = np.random.default_rng(seed)
    colour, gloss = makers[kind](rng, shape_px, px_per_mm, seed)
    return np.asarray(np.clip(colour + 0.5, 0, 255), np.uint8), gloss


def _half(designs: list[str], seed: int) -> list[str]:
    return designs[seed // SEEDS_PER_BLOCK % 2 :: 2]


def _mixed(low: object, high: object, amount: Field) -> Field:
    a, b = np.asarray(low, np.float32), np.asarray(high, np.float32)
    share = np.clip(amount, 0, 1)[..., None]
    return np.asarray(a * (1 - share) + b * share)


def _wood(rng: np.random.Generator, shape: tuple[int, int], scale: float, seed: int) -> tuple[Field, float]:
    light, dark = WOODS[str(rng.choice(_half(list(WOODS), seed)))]
    upright = rng.random() < 0.5
    size = shape[::-1] if upright else shape
    plank = rng.uniform(70, 160) * scale if rng.random() < 0.7 else 10 * max(size)
    rows = np.arange(size[0], dtype=np.float32)[:, None]
    warp = cloud(size, (40 * scale, 260 * scale), rng) * 9 * scale
    board = np.floor((rows + rng.uniform(0, 1e3)) / plank)
    offsets = np.random.default_rng(int(rng.integers(1 << 31))).normal(size=4096).astype(np.float32)
    tone = offsets[board.astype(int) % 4096]
    rings = np.sin((rows + warp + tone * 40 * scale) / (rng.uniform(2.2, 6.0) * scale))
    grain = 0.45 + 0.16 * rings * (0.6 + 0.4 * cloud(size, (30 * scale, 200 * scale), rng))
    grain += 0.13 * cloud(size, (1.0 * scale, 40 * scale), rng) + 0.10 * cloud(
        size, (max(1.0, 0.4 * scale), 14 * scale), rng
    )
    grain += 0.12 * tone
    pores = cloud(size, (max(1.0, 0.3 * scale), 5 * scale), rng)
    grain += 0.35 * np.clip(pores - 1.9, 0, 1)
    colour = _mixed(light, dark, np.asarray(grain, np.float32))
    if plank < max(size):
        seam = np.abs(((rows + 0.5) % plank) - plank / 2) > plank / 2 - 0.35 * scale
        colour *= np.where(seam, 0.45, 1.0)[..., None]
    if upright:
        colour = colour.transpose(1, 0, 2)
    return np.ascontiguousarray(colour), float(rng.uniform(0.1, 0.6))


def _cloth(rng: np.random.Generator, shape: tuple[int, int], scale: float, seed: int) -> tuple[Field, float]:
    base = np.array(CLOTHS[str(rng.choice(_half(list(CLOTHS), seed)))], np.float32) + rng.normal(0, 6, 3)
    rows = np.arange(shape[0], dtype=np.float32)[:, None]
    columns = np.arange(shape[1], dtype=np.float32)[None, :]
    thread = rng.uniform(0.5, 1.1) * scale
    bend = cloud(shape, (30 * scale, 30 * scale), rng) * 0.35
    weave = np.sin(2 * np.pi * rows / thread + bend) * np.sin(2 * np.pi * columns / thread + bend)
    strength = rng.uniform(0.02, 0.08) if thread > 2.2 else 0.0
    folds = cloud(shape, (90 * scale, 130 * scale), rng) * rng.uniform(0.01, 0.05)
    fuzz = cloud(shape, (1.4, 1.4), rng) * rng.uniform(0.02, 0.07) + cloud(shape, (4, 4), rng) * 0.02
    colour = base * (1 + weave * strength + folds + fuzz)[..., None]
    if rng.random() < 0.3:  # a checked or striped cloth
        period = rng.uniform(18, 60) * scale
        stripes = ((columns // period) % 2) * 0.5 + (
            ((rows // period) % 2) * 0.5 if rng.random() < 0.6 else 0
        )
        second = np.array([230, 225, 214], np.float32) if base.mean() < 150 else base * 0.55
        colour = colour * (1 - 0.7 * stripes[..., None]) + second * (0.7 * stripes)[..., None]
    return np.asarray(colour, np.float32), 0.0


def _playmat(
    rng: np.random.Generator, shape: tuple[int, int], scale: float, seed: int
) -> tuple[Field, float]:
    # a printed landscape: few hues about one mood, from dark to light
    mood, muted = rng.uniform(40, 190, 3), rng.uniform(0.15, 0.55)
    steps = np.linspace(0.35, 1.25, 5)[rng.permutation(5)][:, None]
    palette = (steps * (mood * (1 - muted) + mood.mean() * muted) + rng.normal(0, 16, (5, 3))).astype(
        np.float32
    )
    height = cloud(shape, (120 * scale, 140 * scale), rng)
    height += 0.5 * cloud(shape, (45 * scale, 50 * scale), rng) + 0.22 * cloud(
        shape, (15 * scale, 15 * scale), rng
    )
    height += 0.1 * cloud(shape, (5 * scale, 5 * scale), rng)
    level = np.clip((height + 2) / 4 * 4, 0, 3.999)
    index = level.astype(int)
    part = (level - index)[..., None]
    part = part**3 if rng.random() < 0.5 else part
    colour = palette[index] * (1 - part) + palette[index + 1] * part
    if rng.random() < 0.6:  # contour lines, as on a printed map
        contour = np.abs((height * 3) % 1 - 0.5) < 0.04
        colour = np.where(contour[..., None], colour * 0.5, colour)
    drawing = np.ascontiguousarray(colour, np.float32)
    for _ in range(int(rng.integers(0, 12))):
        centre = (int(rng.uniform(0, shape[1])), int(rng.uniform(0, shape[0])))
        tint = tuple(float(v) for v in mood * rng.uniform(0.4, 1.4) + rng.normal(0, 20, 3))
        radius = int(rng.uniform(8, 45) * scale)
        cv2.circle(drawing, centre, radius, tint, int(rng.choice([-1, 2, 4])), cv2.LINE_AA)
    drawing *= 1 + 0.02 * cloud(shape, (1.5, 1.5), rng)[..., None]
    return np.asarray(drawing, np.float32), float(rng.uniform(0.0, 0.15))


def _white_desk(
    rng: np.random.Generator, shape: tuple[int, int], scale: float, seed: int
) -> tuple[Field, float]:
    base = rng.uniform(205, 240) + rng.normal(0, 4, 3)
    tone = 1 + 0.012 * cloud(shape, (120 * scale, 120 * scale), rng) + 0.008 * cloud(shape, (2.0, 2.0), rng)
    colour = np.asarray(base, np.float32) * tone[..., None]
    _scratch(colour, rng, scale, -10)
    return np.asarray(colour, np.float32), float(rng.uniform(0.1, 0.7))


def _dark_desk(
    rng: np.random.Generator, shape: tuple[int, int], scale: float, seed: int
) -> tuple[Field, float]:
    base = rng.uniform(26, 62) + rng.normal(0, 4, 3)
    grain = 0.10 * cloud(shape, (1.2 * scale, 50 * scale), rng) * rng.integers(0, 2)
    tone = (
        1 + grain + 0.04 * cloud(shape, (80 * scale, 80 * scale), rng) + 0.07 * cloud(shape, (1.6, 1.6), rng)
    )
    colour = np.asarray(base, np.float32) * tone[..., None]
    _scratch(colour, rng, scale, 14)
    return np.asarray(colour, np.float32), float(rng.uniform(0.1, 0.8))


def _scratch(colour: Field, rng: np.random.Generator, scale: float, step: float) -> None:
    for _ in range(int(rng.integers(0, 25))):
        start = rng.uniform(0, 1, 2) * colour.shape[1::-1]
        end = start + rng.normal(0, 35 * scale, 2)
        value = colour[int(start[1]) % colour.shape[0], int(start[0]) % colour.shape[1]] + step
        cv2.line(
            colour,
            (int(start[0]), int(start[1])),
            (int(end[0]), int(end[1])),
            tuple(float(v) for v in value),
            1,
            cv2.LINE_AA,
        )
