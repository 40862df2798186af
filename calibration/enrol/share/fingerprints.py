"""Fingerprints of card faces: descriptors that identify a face, but from which its art cannot be
reconstructed.

The descriptor divides the face into a grid (9 x 13 cells, each 7 mm wide, on a card of 63 x 88 mm). Each
cell stores the share of its gradients in each of four directions, in sixteen steps, and its hue. It is
invariant to light, white balance and blur: gradients are relative to the neighbourhood, hue to green. The
details of a drawing (position and polarity of lines within a cell, icons, letters) are not stored.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.catalogue import Point

Floats = NDArray[np.float32]

#: Raise whenever a number below changes: fingerprints of other versions are not compared.
VERSION = 1
#: About how wide a cell is, and how many stand side by side along a face's shorter and longer side.
CELL_MM = 7.0
CELLS_SHORT, CELLS_LONG = (8, 16), (8, 32)
DIRECTIONS = 4
#: A cell's side when its pattern is measured, the blur that takes out what a camera may not see, and the
#: neighbourhood against which pattern is told, all in pixels; noise on plain ground is no pattern.
CELL_PX = 10
BLUR_PX, NEIGHBOURHOOD_PX, EDGE_PX = 1.2, 13, 2
LEAST_SPREAD = 6.0
#: Sixteen steps of this size (of the pattern's own spread), so many of them below its mean.
STEP, STEPS_BELOW = 0.4, 6
#: A step of hue: the logarithm of a channel's share of green.
HUE_STEP = 0.02
_DARK = 8.0


@dataclass(frozen=True)
class Fingerprint:
    """Descriptor of a face: `pattern` (rows, columns, directions) float32 of standard deviation 1, and
    `hue` (rows, columns, 2) float32, blue and red relative to green."""

    pattern: Floats
    hue: Floats

    @property
    def cells(self) -> tuple[int, int]:
        """Number of columns and rows."""
        return self.pattern.shape[1], self.pattern.shape[0]

    def turned(self, quarters: int) -> Fingerprint:
        """The fingerprint of the face rotated clockwise by a number of quarter turns."""
        pattern = np.rot90(self.pattern, -quarters)
        if quarters % 2:
            pattern = np.roll(pattern, DIRECTIONS // 2, axis=2)
        return Fingerprint(np.ascontiguousarray(pattern), np.ascontiguousarray(np.rot90(self.hue, -quarters)))


def cells_of(size_mm: Point) -> tuple[int, int]:
    """Number of columns and rows of the grid for a face of this size in mm."""
    short, long = sorted(size_mm)
    across = int(np.clip(round(short / CELL_MM), *CELLS_SHORT))
    along = int(np.clip(round(across * long / short), max(across, CELLS_LONG[0]), CELLS_LONG[1]))
    return (across, along) if size_mm[0] <= size_mm[1] else (along, across)


def fingerprint(face: NDArray[np.uint8], size_mm: Point) -> Fingerprint:
    """The fingerprint of a face (H, W, 3) BGR of `size_mm`, cropped at the card's edge."""
    columns, rows = cells_of(size_mm)
    small = cv2.resize(face, (columns * CELL_PX, rows * CELL_PX), interpolation=cv2.INTER_AREA)
    return _in_steps(Fingerprint(_pattern(small, columns, rows), _hue(small, columns, rows)))


def _pattern(small: NDArray[np.generic], columns: int, rows: int) -> Floats:
    grey = cv2.cvtColor(np.asarray(small, np.uint8), cv2.COLOR_BGR2GRAY).astype(np.float32)
    grey = np.asarray(cv2.GaussianBlur(grey, (0, 0), BLUR_PX), np.float32)
    window, edge = (NEIGHBOURHOOD_PX, NEIGHBOURHOOD_PX), cv2.BORDER_REFLECT_101
    mean = cv2.blur(grey, window, borderType=edge)
    square = cv2.blur(grey * grey, window, borderType=edge)
    even = (grey - mean) / (np.sqrt(np.maximum(square - mean * mean, 0)) + LEAST_SPREAD)
    along_x = cv2.Sobel(even, cv2.CV_32F, 1, 0, ksize=1)
    along_y = cv2.Sobel(even, cv2.CV_32F, 0, 1, ksize=1)
    strength = np.hypot(along_x, along_y)
    # Corners that lie a little off would bring the table in.
    inside = np.zeros_like(strength)
    inside[EDGE_PX:-EDGE_PX, EDGE_PX:-EDGE_PX] = 1
    direction = np.mod(np.arctan2(along_y, along_x), np.pi) / np.pi * DIRECTIONS
    made = np.zeros((rows, columns, DIRECTIONS), np.float32)
    for k in range(DIRECTIONS):
        off = np.abs((direction - k + DIRECTIONS / 2) % DIRECTIONS - DIRECTIONS / 2)
        share = np.asarray(strength * inside * np.maximum(1 - off, 0), np.float32)
        # What lies near a cell's side counts in both.
        fine = cv2.resize(share, (columns * 4, rows * 4), interpolation=cv2.INTER_AREA)
        fine = cv2.GaussianBlur(fine, (0, 0), 1.6, borderType=edge)
        made[..., k] = cv2.resize(fine, (columns, rows), interpolation=cv2.INTER_AREA)
    made = np.sqrt(np.maximum(made, 0))
    made -= made.mean(axis=(0, 1), keepdims=True)
    return made / max(float(np.sqrt(np.mean(made**2))), 1e-6)


def _hue(small: NDArray[np.generic], columns: int, rows: int) -> Floats:
    inner = np.asarray(small, np.float32)[EDGE_PX:-EDGE_PX, EDGE_PX:-EDGE_PX]
    cells = cv2.resize(inner, (columns, rows), interpolation=cv2.INTER_AREA) + _DARK
    return np.asarray(np.log(cells[..., [0, 2]] / cells[..., 1:2]), np.float32)


def _in_steps(exact: Fingerprint) -> Fingerprint:
    """The fingerprint after quantisation, as written and read again."""
    return unpacked(packed(exact), exact.cells)


def packed(mark: Fingerprint) -> str:
    """A fingerprint as base64 text: two quantised pattern values per byte, then one byte per hue value."""
    steps = np.clip(np.round(mark.pattern / STEP) + STEPS_BELOW, 0, 15).astype(np.uint8).ravel()
    hues = np.clip(np.round(mark.hue / HUE_STEP), -127, 127).astype(np.int8)
    return base64.b64encode((steps[::2] << 4 | steps[1::2]).tobytes() + hues.tobytes()).decode("ascii")


def unpacked(text: str, cells: tuple[int, int]) -> Fingerprint:
    """A fingerprint from its text. Raises `ValueError` where the text does not fit the number of cells."""
    columns, rows = cells
    count = columns * rows
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError("no base64") from error
    if len(data) != count * (DIRECTIONS // 2 + 2):
        raise ValueError(f"{len(data)} bytes for {columns} x {rows} cells")
    both = np.frombuffer(data, np.uint8, count * DIRECTIONS // 2)
    steps = np.column_stack([both >> 4, both & 15]).astype(np.float32)
    hues = np.frombuffer(data, np.int8, offset=len(both)).astype(np.float32)
    pattern = (steps - STEPS_BELOW).reshape(rows, columns, DIRECTIONS) * np.float32(STEP)
    return Fingerprint(pattern, hues.reshape(rows, columns, 2) * np.float32(HUE_STEP))


# --- which one it is ----------------------------------------------------------------------------------------

# The numbers below were measured on the open deck's 125 cards, nine to a photo, in renders of other tables,
# lamps and phones (`samples.compositor`, split `tuning`), corners 0.4% of the height off.

#: The worst cells are left out of a distance (mean square, of pattern's own spread), for glare covers some.
KEPT_CELLS = 0.75
#: Distance of the same face: 0.04 in the middle, 0.16 in 99 of 100, 0.35 at most. Others begin at 0.43, a
#: starter's other colours at 0.15. Up to the first it is known, and up to the second, where the next one is
#: farther by the third: sisters in other colours lie nearer to each other. Up to the last it is asked about.
KNOWN, KNOWN_ALONE, ALONE, LIKELY = 0.14, 0.27, 0.15, 0.41
#: The usual deviation of a pattern's number and of a hue, where the face itself does not say.
PATTERN_NOISE, HUE_NOISE = 0.27, 0.055
#: A card's next best lies beyond a plane halfway between both: by at least so many deviations of what this
#: face shows, and between these shares of what the two faces differ by, else the difference is of the light.
CLEAR = 4.0
SHARES = (0.45, 1.6)


@dataclass(frozen=True)
class Match:
    """Match of a face among the known faces: `best` (their numbers, the likeliest first), the clockwise
    quarter `turn` and the `distance` relative to the first. `clear`: near the first and no other."""

    best: tuple[int, ...]
    turn: int
    distance: float
    clear: bool


def matches(
    faces: Sequence[Fingerprint], known: Sequence[Fingerprint], turns: Sequence[int] = (0, 2)
) -> list[Match | None]:
    """The match of each face among the known faces, or None where no face is similar. All have the same
    grid; `turns` are the possible quarter turns."""
    if not known:
        return [None] * len(faces)
    patterns = np.stack([one.pattern.ravel() for one in known])
    hues = np.stack([one.hue.reshape(-1, 2) for one in known])
    upright: list[tuple[int, Fingerprint, Floats, Floats]] = []
    for face in faces:
        ways = [(t, face.turned(-t)) for t in turns]
        cells = [_cell_distances(patterns, way) for _, way in ways]
        far = [_distances(each) for each in cells]
        way = int(np.argmin([each.min() for each in far]))
        upright.append((ways[way][0], ways[way][1], far[way], cells[way]))
    light = _light(upright, hues)
    return [_match(turn, face, far, cells, patterns, hues, light) for turn, face, far, cells in upright]


def _cell_distances(patterns: Floats, face: Fingerprint) -> Floats:
    """Mean squared differences (known, cells) between a face's cells and those of each known face."""
    off = np.square(patterns - face.pattern.ravel())
    return np.asarray(off.reshape(len(patterns), -1, DIRECTIONS).mean(axis=2), np.float32)


def _distances(cells: Floats) -> Floats:
    """Distances (known,): the mean over the best-matching share of the cells of each known face."""
    kept = max(1, round(KEPT_CELLS * cells.shape[1]))
    return np.asarray(np.partition(cells, kept - 1, axis=1)[:, :kept].mean(axis=1), np.float32)


def turn_against(face: Fingerprint, known: Fingerprint) -> int:
    """Clockwise quarter turns of a face relative to a known face; 0 where their grids differ."""
    if face.cells != known.cells:
        return 0
    turns = (0, 1, 2, 3) if face.cells[0] == face.cells[1] else (0, 2)
    return min(turns, key=lambda t: float(np.mean(np.square(face.turned(-t).pattern - known.pattern))))


def _light(upright: Sequence[tuple[int, Fingerprint, Floats, Floats]], hues: Floats) -> Floats:
    """The common shift of hue, estimated from faces already identified by their pattern alone."""
    shifts = [
        face.hue.reshape(-1, 2) - hues[int(far.argmin())]
        for _, face, far, _ in upright
        if far.min() < KNOWN and np.partition(far, min(1, len(far) - 1))[min(1, len(far) - 1)] > far.min() * 2
    ]
    if not shifts:
        return np.zeros(2, np.float32)
    return np.asarray(np.median(np.concatenate(shifts), axis=0), np.float32)


def _match(
    turn: int, face: Fingerprint, far: Floats, cells: Floats, patterns: Floats, hues: Floats, light: Floats
) -> Match | None:
    if far.min() > LIKELY:
        return None
    hue = face.hue.reshape(-1, 2) - light
    off = np.mean(np.square(hues - hue), axis=(1, 2))
    both = cells.mean(axis=1) / PATTERN_NOISE**2 * patterns.shape[1] + off / HUE_NOISE**2 * hue.size
    near = np.flatnonzero(far <= LIKELY)
    order = near[np.argsort(both[near], kind="stable")]
    first = int(order[0])
    pattern_noise = max(PATTERN_NOISE, float(np.sqrt(far[first] * 2)))
    # Where glare lies nothing tells one from the other.
    kept = cells[first] <= np.quantile(cells[first], KEPT_CELLS)
    hue_noise = max(HUE_NOISE, float(np.sqrt(off[first])))

    def whitened(pattern: Floats, tints: Floats) -> Floats:
        seen = pattern.reshape(-1, DIRECTIONS)[kept].ravel() / pattern_noise
        return np.concatenate([seen, tints.reshape(-1, 2)[kept].ravel() / hue_noise])

    here = whitened(face.pattern, hue)
    own = whitened(patterns[first], hues[first])
    doubtful = []
    for other in np.flatnonzero(far <= max(1.2 * LIKELY, 3 * far[first])):
        if other == first:
            continue
        apart = whitened(patterns[other], hues[other]) - own
        length = float(np.linalg.norm(apart))
        # How far towards the other one this face lies, as a share of the way.
        share = float(apart @ (here - own)) / max(length**2, 1e-9)
        if (0.5 - share) * length < CLEAR or not SHARES[0] <= 1 - share <= SHARES[1]:
            doubtful.append(int(other))
    doubtful.sort(key=lambda other: float(both[other]))
    next_best = float(np.partition(far, 1)[1]) if len(far) > 1 else np.inf
    alone = next_best >= float(far[first]) + ALONE
    clear = not doubtful and float(far[first]) <= (KNOWN_ALONE if alone else KNOWN)
    return Match((first, *doubtful), turn, float(far[first]), clear)
