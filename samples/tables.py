"""Table tops for the fast compositor: colour textures made of smoothed noise, in table millimetres.

Blocks of a million seeds use one half of the woods and cloths in turn, so that a validation photo never lies
on a table that tuning has seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

Design = TypeVar("Design")
Texture = NDArray[np.uint8]
Field = NDArray[np.float32]

#: Tables as any split has them; a checked cloth is a nuisance of its own.
PLAIN_TABLES = ("wood", "cloth", "playmat", "white_desk", "dark_desk")
SEEDS_PER_BLOCK = 1_000_000
BLOCK = 640  # noise is drawn in blocks of at most this many values each way

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


#: Those of the evening splits, a third each.
EVENING_WOODS = {
    "oak": ((190, 150, 104), (146, 108, 70)),
    "ash": ((212, 196, 166), (172, 150, 116)),
    "mahogany": ((128, 62, 44), (84, 36, 26)),
    "walnut": ((118, 82, 58), (76, 48, 34)),
    "bamboo": ((222, 200, 140), (190, 160, 98)),
    "wenge": ((74, 58, 48), (44, 34, 30)),
    "pine": ((218, 184, 136), (188, 140, 90)),
    "birch": ((228, 212, 186), (204, 180, 146)),
    "rosewood": ((132, 78, 60), (70, 38, 34)),
}
EVENING_CLOTHS = {
    "green": (40, 98, 60),
    "slate": (74, 84, 98),
    "rust": (150, 74, 44),
    "navy": (30, 40, 78),
    "olive": (98, 100, 60),
    "plum": (84, 46, 82),
    "red": (150, 34, 38),
    "sand": (196, 178, 146),
    "charcoal": (52, 52, 56),
}
FIRST_EVENING_BLOCK = 4


def cloud(shape: tuple[int, int], cell: tuple[float, float], rng: np.random.Generator) -> Field:
    """Smooth noise (H, W) of about unit deviation whose features are `cell` = (high, wide) pixels."""
    rows, columns = max(2, int(shape[0] / cell[0]) + 3), max(2, int(shape[1] / cell[1]) + 3)
    drawn = rng.standard_normal((min(rows, BLOCK), min(columns, BLOCK)), dtype=np.float32)
    # fine grain repeats, too far apart to be seen
    seed = cv2.copyMakeBorder(drawn, 0, rows - drawn.shape[0], 0, columns - drawn.shape[1], cv2.BORDER_WRAP)
    if min(cell) <= 1.0 and rows >= shape[0] and columns >= shape[1]:
        return np.asarray(seed[: shape[0], : shape[1]])
    big = np.asarray(cv2.resize(seed, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC), np.float32)
    big *= 1.35
    return big


def table_texture(kind: str, seed: int, shape_px: tuple[int, int], px_per_mm: float) -> tuple[Texture, float]:
    """A table top (H, W, 3) sRGB and its gloss 0..1. Raises `ValueError` for an unknown kind."""
    makers = {
        "wood": _wood,
        "cloth": _cloth,
        "playmat": _playmat,
        "white_desk": _white_desk,
        "dark_desk": _dark_desk,
        "checked_cloth": _checked_cloth,
    }
    if kind not in makers:
        raise ValueError(f"unknown table {kind!r}; expected one of {sorted(makers)}")
    rng = np.random.default_rng(seed)
    return makers[kind](rng, shape_px, px_per_mm, seed)


def designs_of(designs: Sequence[Design], evening: Sequence[Design], seed: int) -> Sequence[Design]:
    """The woods or cloths that a seed's block may lie on."""
    block = seed // SEEDS_PER_BLOCK
    if block < FIRST_EVENING_BLOCK:
        return designs[block % 2 :: 2]
    return evening[(block - FIRST_EVENING_BLOCK) % 3 :: 3]


def _through(table: NDArray[np.floating], level: Field) -> Texture:
    """Each `level` 0..1 (H, W) as its colour in an evenly spaced table (N, 3)."""
    steps = np.linspace(0, len(table) - 1, 1 << 16)
    ramp = np.column_stack([np.interp(steps, np.arange(len(table)), column) for column in table.T])
    ramp = np.clip(ramp + 0.5, 0, 255).astype(np.uint8)
    index = np.clip(level * np.float32(65535), 0, 65535).astype(np.uint16)
    return np.asarray(cv2.merge([cv2.LUT(index, np.ascontiguousarray(column)) for column in ramp.T]))


def _times(base: NDArray[np.floating], factor: Field) -> Texture:
    """One colour (3,) at a brightness that varies (H, W)."""
    planes = [cv2.multiply(factor, float(value), dtype=cv2.CV_8U) for value in base]
    return np.asarray(cv2.merge(planes))


def _wood(rng: np.random.Generator, shape: tuple[int, int], scale: float, seed: int) -> tuple[Texture, float]:
    light, dark = _one_of(designs_of([*WOODS.values()], [*EVENING_WOODS.values()], seed), rng)
    upright = rng.random() < 0.5
    size = shape[::-1] if upright else shape
    plank = rng.uniform(70, 160) * scale if rng.random() < 0.7 else 10 * max(size)
    rows = np.arange(size[0], dtype=np.float32)[:, None]
    warp = cloud(size, (40 * scale, 260 * scale), rng)
    warp *= 9 * scale
    board = np.floor((rows + rng.uniform(0, 1e3)) / plank)
    offsets = np.random.default_rng(int(rng.integers(1 << 31))).normal(size=4096).astype(np.float32)
    tone = offsets[board.astype(int) % 4096]
    warp += rows + tone * np.float32(40 * scale)
    warp /= np.float32(rng.uniform(2.2, 6.0) * scale)
    grain = np.sin(warp, out=warp)
    grain *= 0.096 + 0.064 * cloud(size, (30 * scale, 200 * scale), rng)
    grain += 0.45 + np.float32(0.12) * tone
    fine = max(1.0, 0.4 * scale)
    for cell, share in (((1.0 * scale, 40 * scale), 0.13), ((fine, 14 * scale), 0.10)):
        grain = cv2.scaleAdd(cloud(size, cell, rng), share, grain)
    pores = cloud(size, (max(1.0, 0.3 * scale), 5 * scale), rng)
    pores -= 1.9
    grain = cv2.scaleAdd(np.clip(pores, 0, 1, out=pores), 0.35, grain)
    colour = _through(np.array([light, dark], float), grain)
    if plank < max(size):
        seam = np.abs(((rows[:, 0] + 0.5) % plank) - plank / 2) > plank / 2 - 0.35 * scale
        colour[seam] = (colour[seam] * 0.45).astype(np.uint8)
    if upright:
        colour = cv2.transpose(colour)
    return np.asarray(colour, np.uint8), float(rng.uniform(0.1, 0.6))


def _cloth(
    rng: np.random.Generator, shape: tuple[int, int], scale: float, seed: int
) -> tuple[Texture, float]:
    base = np.array(
        _one_of(designs_of([*CLOTHS.values()], [*EVENING_CLOTHS.values()], seed), rng), np.float32
    ) + rng.normal(0, 6, 3)
    rows = np.arange(shape[0], dtype=np.float32)[:, None]
    columns = np.arange(shape[1], dtype=np.float32)[None, :]
    thread = rng.uniform(0.5, 1.1) * scale
    strength = rng.uniform(0.02, 0.08) if thread > 2.2 else 0.0
    tone = cloud(shape, (90 * scale, 130 * scale), rng)
    tone *= rng.uniform(0.01, 0.05)
    if strength:
        bend = cloud(shape, (30 * scale, 30 * scale), rng) * np.float32(0.35)
        turn = np.float32(2 * np.pi / thread)
        weave = np.sin(rows * turn + bend)
        weave *= np.sin(columns * turn + bend)
        tone = cv2.scaleAdd(weave, strength, tone)
    tone = cv2.scaleAdd(cloud(shape, (1.4, 1.4), rng), rng.uniform(0.02, 0.07), tone)
    tone = cv2.scaleAdd(cloud(shape, (4, 4), rng), 0.02, tone)
    tone += 1
    colour = _times(base, tone)
    if rng.random() < 0.3:  # a checked or striped cloth
        period = rng.uniform(18, 60) * scale
        across = np.float32(0.5) * (rows // period % 2) if rng.random() < 0.6 else 0 * rows
        stripes = np.float32(0.5) * (columns // period % 2) + across
        second = np.array([230, 225, 214], np.float32) if base.mean() < 150 else base * 0.55
        stripes *= 0.7
        plain = np.full_like(colour, 0)
        plain[:] = np.clip(second + 0.5, 0, 255).astype(np.uint8)
        colour = np.asarray(cv2.blendLinear(plain, colour, stripes, 1 - stripes))
    return colour, 0.0


def _one_of(designs: Sequence[Design], rng: np.random.Generator) -> Design:
    # (drawn by name once, which draws the same numbers)
    return designs[int(rng.choice(np.arange(len(designs))))]


def _checked_cloth(
    rng: np.random.Generator, shape: tuple[int, int], scale: float, seed: int
) -> tuple[Texture, float]:
    """Gingham or tartan: hard checks of strong contrast, each thread of them seen."""
    dark = np.array(
        _one_of(designs_of([*CLOTHS.values()], [*EVENING_CLOTHS.values()], seed), rng), np.float32
    )
    dark *= min(1.0, 90.0 / float(dark.mean()))
    light = np.float32(rng.uniform(215, 245)) + rng.normal(0, 4, 3).astype(np.float32)
    period = rng.uniform(7, 30) * scale
    bend = cloud(shape, (140 * scale, 140 * scale), rng) * np.float32(1.5 * scale)
    rows = np.arange(shape[0], dtype=np.float32)[:, None] + bend
    columns = np.arange(shape[1], dtype=np.float32)[None, :] + bend
    bands = [np.float32(0.5) * (axis // period % 2) for axis in (rows, columns)]
    if rng.random() < 0.4:  # thin lines between the bands
        width = rng.uniform(0.6, 1.6) * scale
        for band, axis in zip(bands, (rows, columns), strict=True):
            band[np.abs(axis % (2 * period) - period / 2) < width] = 0.5
    level = bands[0] + bands[1]
    tone = 1 + 0.05 * cloud(shape, (1.4, 1.4), rng) + 0.03 * cloud(shape, (4, 4), rng)
    planes = [
        np.clip((high + (low - high) * level) * tone, 0, 255).astype(np.uint8)
        for high, low in zip(light, dark, strict=True)
    ]
    return np.asarray(cv2.merge(planes)), 0.0


def _playmat(
    rng: np.random.Generator, shape: tuple[int, int], scale: float, seed: int
) -> tuple[Texture, float]:
    # a printed landscape: few hues about one mood, from dark to light
    mood, muted = rng.uniform(40, 190, 3), rng.uniform(0.15, 0.55)
    steps = np.linspace(0.35, 1.25, 5)[rng.permutation(5)][:, None]
    palette = (steps * (mood * (1 - muted) + mood.mean() * muted) + rng.normal(0, 16, (5, 3))).astype(
        np.float32
    )
    height = cloud(shape, (120 * scale, 140 * scale), rng)
    for cell, share in (
        ((45 * scale, 50 * scale), 0.5),
        ((15 * scale, 15 * scale), 0.22),
        ((5 * scale, 5 * scale), 0.1),
    ):
        height = cv2.scaleAdd(cloud(shape, cell, rng), share, height)
    # the printed colour at each of 4096 heights from -2 to 2
    heights = np.linspace(-2, 2, 4096)
    level = np.clip(heights + 2, 0, 3.999)
    index = level.astype(int)
    part = (level - index)[:, None]
    part = part**3 if rng.random() < 0.5 else part
    printed = palette[index] * (1 - part) + palette[index + 1] * part
    if rng.random() < 0.6:  # contour lines, as on a printed map
        contour = np.abs((heights * 3) % 1 - 0.5) < 0.04
        printed[contour] *= 0.5
    height += 2
    height *= 0.25
    drawing = _through(printed, height)
    for _ in range(int(rng.integers(0, 12))):
        centre = (int(rng.uniform(0, shape[1])), int(rng.uniform(0, shape[0])))
        tint = tuple(float(v) for v in np.clip(mood * rng.uniform(0.4, 1.4) + rng.normal(0, 20, 3), 0, 255))
        radius = int(rng.uniform(8, 45) * scale)
        cv2.circle(drawing, centre, radius, tint, int(rng.choice([-1, 2, 4])), cv2.LINE_AA)
    fuzz = cloud(shape, (1.5, 1.5), rng)
    fuzz *= 0.02
    fuzz += 1
    planes = [cv2.multiply(plane, fuzz, dtype=cv2.CV_8U) for plane in cv2.split(drawing)]
    return np.asarray(cv2.merge(planes)), float(rng.uniform(0.0, 0.15))


def _white_desk(
    rng: np.random.Generator, shape: tuple[int, int], scale: float, seed: int
) -> tuple[Texture, float]:
    base = rng.uniform(205, 240) + rng.normal(0, 4, 3)
    tone = cloud(shape, (120 * scale, 120 * scale), rng)
    tone *= 0.012
    tone = cv2.scaleAdd(cloud(shape, (2.0, 2.0), rng), 0.008, tone)
    tone += 1
    colour = _times(base, tone)
    _scratch(colour, rng, scale, -10)
    return colour, float(rng.uniform(0.1, 0.7))


def _dark_desk(
    rng: np.random.Generator, shape: tuple[int, int], scale: float, seed: int
) -> tuple[Texture, float]:
    base = rng.uniform(26, 62) + rng.normal(0, 4, 3)
    tone = cloud(shape, (80 * scale, 80 * scale), rng)
    tone *= 0.04
    tone = cv2.scaleAdd(cloud(shape, (1.6, 1.6), rng), 0.07, tone)
    if rng.integers(0, 2):
        tone = cv2.scaleAdd(cloud(shape, (1.2 * scale, 50 * scale), rng), 0.10, tone)
    tone += 1
    colour = _times(base, tone)
    _scratch(colour, rng, scale, 14)
    return colour, float(rng.uniform(0.1, 0.8))


def _scratch(colour: Texture, rng: np.random.Generator, scale: float, step: float) -> None:
    for _ in range(int(rng.integers(0, 25))):
        start = rng.uniform(0, 1, 2) * colour.shape[1::-1]
        end = start + rng.normal(0, 35 * scale, 2)
        value = colour[int(start[1]) % colour.shape[0], int(start[0]) % colour.shape[1]].astype(float) + step
        cv2.line(
            colour,
            (int(start[0]), int(start[1])),
            (int(end[0]), int(end[1])),
            tuple(float(v) for v in np.clip(value, 0, 255)),
            1,
            cv2.LINE_AA,
        )
