"""Grounds that cards lie on, for the examples of `tools.outline_examples`: flat textures in BGR.

None of them is drawn by `samples.tables`, whose tables measure what the network learned.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Rng = np.random.Generator
Field = NDArray[np.float32]
#: Side of a texture, in pixels.
SIDE = 900


def noise(rng: Rng, cell: tuple[float, float], side: int = SIDE) -> Field:
    """Smooth noise (side, side) of about unit deviation with features of `cell` = (high, wide) pixels."""
    rows, columns = (max(2, min(side, int(side / max(1.0, each)) + 2)) for each in cell)
    drawn = rng.standard_normal((rows, columns), np.float32)
    return np.asarray(cv2.resize(drawn, (side, side), interpolation=cv2.INTER_CUBIC), np.float32) * 1.3


def octaves(rng: Rng, cell: float, count: int, fall: float = 0.55, side: int = SIDE) -> Field:
    """Sum of noises, each half as coarse as the one before and `fall` times as strong."""
    total = noise(rng, (cell, cell), side)
    share = fall
    for k in range(1, count):
        if cell / 2**k < 1:
            break
        total = total + share * noise(rng, (cell / 2**k,) * 2, side)
        share *= fall
    return np.asarray(total / max(float(total.std()), 1e-6), np.float32)


def colour(rng: Rng, low: float = 0, high: float = 255) -> Field:
    """A colour (3,), often a muted one."""
    made = rng.uniform(low, high, 3)
    return np.asarray(made + rng.beta(1.2, 1.0) * (made.mean() - made), np.float32)


def coloured(level: Field, palette: Sequence[Field]) -> Field:
    """Levels (H, W) of about -2 to 2 as colours (H, W, 3) of an evenly spaced palette."""
    steps = np.array(palette, np.float32)
    at = np.linspace(0, len(steps) - 1, 1024)
    ramp = np.stack([np.interp(at, np.arange(len(steps)), each) for each in steps.T], axis=1)
    index = (np.clip((level + 2) / 4, 0, 0.999) * 1024).astype(np.intp)
    return np.asarray(ramp.astype(np.float32).take(index, axis=0))


def _plain(rng: Rng, scale: float) -> Field:
    tone = (
        1 + rng.uniform(0, 0.05) * noise(rng, (90 * scale,) * 2) + rng.uniform(0, 0.07) * noise(rng, (1, 1))
    )
    return np.asarray(colour(rng, 5, 250) * tone[..., None])


def _blackboard(rng: Rng, scale: float) -> Field:
    base = rng.uniform(25, 80) + rng.normal(0, 7, 3).astype(np.float32)
    smear = np.clip(octaves(rng, 60 * scale, 5) - 0.2, 0, 3) * rng.uniform(0, 16)
    wiped = np.clip(noise(rng, (5 * scale, 150 * scale)), 0, 3) * rng.uniform(0, 9)
    return np.asarray(base + (smear + wiped + 3 * noise(rng, (1, 1)))[..., None])


def _wood(rng: Rng, scale: float) -> Field:
    dark, light = sorted((colour(rng, 20, 235) * np.array([0.55, 0.8, 1.0]) for _ in range(2)), key=np.sum)
    rows = np.arange(SIDE, dtype=np.float32)[:, None]
    plank = rng.uniform(40, 180) * scale
    board = (rows[:, 0] // plank).astype(int)
    tones = rng.normal(0, 0.5, 200).astype(np.float32)[board % 200][:, None]
    bend = 8 * scale * noise(rng, (40 * scale, 300 * scale))
    grain = np.sin((rows + bend + 40 * scale * tones) / (rng.uniform(0.6, 5) * scale))
    level = rng.uniform(0.1, 0.9) * grain + 0.5 * noise(rng, (1.2 * scale, 45 * scale)) + tones
    level = level + 0.35 * noise(rng, (max(1, 0.4 * scale), 12 * scale))
    made = coloured(np.asarray(level * rng.uniform(0.3, 1.1), np.float32), [dark, light])
    if rng.random() < 0.6:
        made[(rows[:, 0] % plank) < rng.uniform(0.4, 2) * scale] *= rng.uniform(0.3, 0.9)
    return made


def _stone(rng: Rng, scale: float) -> Field:
    base = colour(rng, 30, 240)
    cell = float(np.exp(rng.uniform(np.log(2), np.log(80)))) * scale
    palette = [
        np.asarray(np.clip(base * rng.uniform(0.5, 1.5) + rng.normal(0, 12, 3), 0, 255), np.float32)
        for _ in range(4)
    ]
    made = coloured(octaves(rng, cell, 6, 0.7), palette)
    if rng.random() < 0.5:  # veins
        vein = np.abs(octaves(rng, 70 * scale, 5)) < rng.uniform(0.02, 0.08)
        made[vein] = made[vein] * 0.5 + 0.5 * colour(rng)
    return made


def _carpet(rng: Rng, scale: float) -> Field:
    base = colour(rng, 10, 230)
    tuft = rng.uniform(0.7, 4) * scale
    tone = 1 + rng.uniform(0.05, 0.35) * noise(rng, (tuft, tuft * rng.uniform(1, 3)))
    tone = tone + rng.uniform(0.02, 0.2) * noise(rng, (1, 1)) + 0.04 * noise(rng, (40 * scale,) * 2)
    return np.asarray(
        base * tone[..., None] + rng.uniform(0, 12) * rng.standard_normal((SIDE, SIDE, 3)), np.float32
    )


def _bands(rng: Rng, scale: float, axis: Field) -> Field:
    """Stripes across an axis, 0 to 1: even ones, or those of a tartan."""
    period = float(np.exp(rng.uniform(np.log(5), np.log(70)))) * scale
    if rng.random() < 0.6:
        return np.asarray((axis / period % 1 < rng.choice([0.5, 0.5, rng.uniform(0.15, 0.8)])), np.float32)
    level = np.zeros_like(axis)
    for _ in range(int(rng.integers(2, 5))):
        start, wide = rng.random(), rng.uniform(0.03, 0.35)
        level = np.maximum(level, rng.uniform(0.3, 1) * ((axis / period / 2 + start) % 1 < wide))
    return np.asarray(level, np.float32)


def _checked(rng: Rng, scale: float) -> Field:
    """Gingham, tartan, stripes and chequers."""
    bend = rng.uniform(0, 2) * scale * noise(rng, (120 * scale,) * 2)
    rows, columns = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32)
    state = rng.bit_generator.state
    first = _bands(rng, scale, rows + bend)
    if rng.random() < 0.7:
        rng.bit_generator.state = state  # the same stripes both ways
    second = _bands(rng, scale, columns + bend)
    form = rng.random()
    level = first if form < 0.25 else np.abs(first - second)
    if 0.25 <= form < 0.85:
        level = np.asarray((first + second) / 2, np.float32)
    light, dark = colour(rng, 120, 255), colour(rng, 0, 200)
    made = light + (dark - light) * level[..., None]
    if rng.random() < 0.3:
        tint = colour(rng)
        made = made + 0.5 * (tint - made) * second[..., None]
    weave = 1 + rng.uniform(0, 0.1) * noise(rng, (1.2, 1.2)) + rng.uniform(0, 0.05) * noise(rng, (4, 4))
    return np.asarray(made * weave[..., None])


def _tiled(rng: Rng, scale: float) -> Field:
    """Floor tiles, bricks and printed squares with joints between them."""
    wide = float(np.exp(rng.uniform(np.log(8), np.log(140)))) * scale
    high = wide * float(rng.choice([1.0, 0.5, rng.uniform(0.3, 2.0)]))
    rows, columns = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32)
    row = (rows // high).astype(int)
    columns = columns + (row % 2) * wide * (0.5 if rng.random() < 0.4 else 0)
    tone = rng.normal(0, rng.uniform(0, 0.15), 997).astype(np.float32)
    number = (row * 31 + (columns // wide).astype(int) * 17) % 997
    made = colour(rng, 30, 240) * (1 + tone[number] + 0.08 * octaves(rng, 20 * scale, 4))[..., None]
    joint = rng.uniform(0.5, 4) * scale
    made[((rows % high) < joint) | ((columns % wide) < joint)] = colour(rng, 10, 245)
    return np.asarray(made, np.float32)


def write(made: Any, words: str, at: tuple[int, int], scale: float, tint: Any, thick: int) -> None:
    """Write into a picture (H, W, 3) of floats."""
    mask = np.zeros(made.shape[:2], np.uint8)
    cv2.putText(mask, words, at, cv2.FONT_HERSHEY_SIMPLEX, scale, 255, thick, cv2.LINE_AA)
    made[mask > 90] = tint


def shapes(made: Any, rng: Rng, count: int, low: float, high: float) -> None:
    """Draw random figures of sizes `low` to `high` px into a picture (H, W, 3)."""
    height, width = made.shape[:2]
    for _ in range(count):
        at = rng.uniform(0, (width, height))
        size = float(np.exp(rng.uniform(np.log(low), np.log(high))))
        tint, thick = colour(rng).tolist(), int(rng.choice([-1, -1, 1, 2, 3]))
        form = int(rng.integers(6))
        if form == 0:
            cv2.circle(made, at.astype(int).tolist(), max(1, int(size / 2)), tint, thick, cv2.LINE_AA)
        elif form == 1:
            box = (
                at.tolist(),
                (size, size * rng.uniform(0.3, 2)),
                float(rng.choice([0, rng.uniform(0, 180)])),
            )
            points = cv2.boxPoints(box).astype(np.int32)
            if thick < 0:
                cv2.fillPoly(made, [points], tint, cv2.LINE_AA)
            else:
                cv2.polylines(made, [points], True, tint, thick, cv2.LINE_AA)
        elif form == 2:
            points = (at + rng.normal(0, size / 2, (int(rng.integers(3, 8)), 2))).astype(np.int32)
            cv2.fillPoly(made, [points], tint, cv2.LINE_AA)
        elif form == 3:
            points = (at + np.cumsum(rng.normal(0, size / 2, (5, 2)), axis=0)).astype(np.int32)
            cv2.polylines(made, [points], False, tint, max(1, abs(thick)), cv2.LINE_AA)
        elif form == 4:
            axes = (max(1, int(size / 2)), max(1, int(size * rng.uniform(0.1, 0.6))))
            cv2.ellipse(
                made, at.astype(int).tolist(), axes, rng.uniform(0, 180), 0, 360, tint, thick, cv2.LINE_AA
            )
        else:
            words = "".join(rng.choice(list("abcdefghiKLMNOPRSTUXYZ 0123456789"), int(rng.integers(2, 12))))
            write(made, words, (int(at[0]), int(at[1])), size / 60 + 0.2, tint, max(1, abs(thick)))


def _playmat(rng: Rng, scale: float) -> Field:
    palette = [colour(rng) for _ in range(int(rng.integers(3, 7)))]
    level = octaves(rng, rng.uniform(15, 160) * scale, int(rng.integers(2, 7)), rng.uniform(0.4, 0.7))
    made = np.ascontiguousarray(coloured(level, palette))
    if rng.random() < 0.4:  # contour lines
        made[np.abs((level * rng.uniform(1, 4)) % 1 - 0.5) < 0.05] *= 0.5
    shapes(made, rng, int(rng.integers(0, 60)), 6 * scale, 120 * scale)
    return made


def _zones(rng: Rng, scale: float) -> Field:
    """A mat with printed places for cards: frames in which nothing lies."""
    made = np.ascontiguousarray((_plain if rng.random() < 0.5 else _playmat)(rng, scale))
    wide, high, tint = rng.uniform(55, 75) * scale, rng.uniform(80, 100) * scale, colour(rng).tolist()
    gap, thick = rng.uniform(4, 30) * scale, max(1, int(rng.uniform(0.4, 1.5) * scale))
    for left in np.arange(rng.uniform(0, wide), SIDE, wide + gap):
        for top in np.arange(rng.uniform(0, high), SIDE, high + gap):
            cv2.rectangle(made, (int(left), int(top)), (int(left + wide), int(top + high)), tint, thick)
    return made


def _motifs(rng: Rng, scale: float) -> Field:
    """A tablecloth with one printed motif again and again."""
    made = np.ascontiguousarray(_plain(rng, scale))
    period = max(10, int(np.exp(rng.uniform(np.log(8), np.log(60))) * scale))
    motif = np.full((period, period, 3), np.nan, np.float32)
    mask = np.zeros((period, period, 3), np.float32)
    state = rng.bit_generator.state
    for canvas in (np.nan_to_num(motif), mask):
        rng.bit_generator.state = state
        shapes(canvas, rng, int(rng.integers(2, 6)), 0.15 * period, 0.6 * period)
        motif = canvas if canvas is not mask else motif
    cover = (mask.max(axis=2, keepdims=True) > 0).astype(np.float32)
    times = SIDE // period + 1
    stamped, cover = (np.tile(each, (times, times, 1))[:SIDE, :SIDE] for each in (motif, cover))
    return np.asarray(made * (1 - cover) + stamped * cover)


def _papers(rng: Rng, scale: float) -> Field:
    """Sheets with lines of text, or ruled ones."""
    made = np.ascontiguousarray(np.broadcast_to(colour(rng, 190, 255), (SIDE, SIDE, 3)).astype(np.float32))
    tint, line = colour(rng, 0, 140).tolist(), rng.uniform(3, 9) * scale
    if rng.random() < 0.5:
        for at in np.arange(0, SIDE, line):
            cv2.line(made, (0, int(at)), (SIDE, int(at)), tint, 1)
            if rng.random() < 0.5:
                cv2.line(made, (int(at), 0), (int(at), SIDE), tint, 1)
        return made
    for at in np.arange(0, SIDE, line):
        x = float(rng.uniform(0, 20))
        while x < SIDE:
            wide = rng.uniform(1, 7) * line / 2
            cv2.line(made, (int(x), int(at)), (int(x + wide), int(at)), tint, max(1, int(line / 4)))
            x += wide + line / 2
    return made


#: What grounds are made of, and how often.
GROUNDS: tuple[tuple[Callable[[Rng, float], Field], float], ...] = (
    (_plain, 0.14),
    (_blackboard, 0.05),
    (_wood, 0.15),
    (_stone, 0.09),
    (_carpet, 0.1),
    (_checked, 0.18),
    (_tiled, 0.05),
    (_playmat, 0.11),
    (_zones, 0.03),
    (_motifs, 0.06),
    (_papers, 0.04),
)


def ground(rng: Rng, px_per_mm: float) -> Field:
    """A texture (900, 900, 3) of a ground, 0 to 255, at about a number of pixels a millimetre."""
    shares = np.array([share for _, share in GROUNDS])
    makers = [make for make, _ in GROUNDS]
    make = makers[int(rng.choice(len(makers), p=shares / shares.sum()))]
    return np.clip(make(rng, px_per_mm), 0, 255).astype(np.float32)
