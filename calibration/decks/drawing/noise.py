"""Seeded noise in millimetre coordinates: the same field at every resolution, up to sampling.

Value noise with cubic interpolation, summed over octaves (fractional Brownian motion), and cellular noise
(Worley 1996).
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import cv2
import numpy as np

CARD_MM = (63.0, 88.0)
BLEED_MM = 6.0  # drawn around the card and cut off, so that nothing changes towards its edge
FINEST_MM = 0.3  # octaves below are not visible in print and only swell the files


@dataclass(frozen=True)
class Grid:
    """The pixel grid of a card, or of another piece of `size_mm`, with its bleed."""

    px_per_mm: float
    size_mm: tuple[float, float] = CARD_MM

    @property
    def shape(self) -> tuple[int, int]:
        """(height, width) in pixels, bleed included."""
        width, height = self.size_mm
        return (
            round((height + 2 * BLEED_MM) * self.px_per_mm),
            round((width + 2 * BLEED_MM) * self.px_per_mm),
        )

    def mm(self) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates x (1, W) and y (H, 1) of the pixel centres in card millimetres."""
        height, width = self.shape
        x = (np.arange(width, dtype=np.float32) + 0.5) / self.px_per_mm - BLEED_MM
        y = (np.arange(height, dtype=np.float32) + 0.5) / self.px_per_mm - BLEED_MM
        return x[None, :], y[:, None]

    def to_px(self, points_mm: np.ndarray) -> np.ndarray:
        """Points (N, 2) in card millimetres converted to grid pixels (N, 2) float."""
        return (np.asarray(points_mm, np.float64) + BLEED_MM) * self.px_per_mm


def stream(seed: int, card_id: str, part: str) -> np.random.Generator:
    """An independent random generator for one part of a card, so that a change of one part leaves the
    others unchanged."""
    return np.random.default_rng([seed, zlib.crc32(card_id.encode()), zlib.crc32(part.encode())])


def value_noise(rng: np.random.Generator, grid: Grid, cell_mm: float) -> np.ndarray:
    """Smooth noise (H, W) float32 of about unit standard deviation, with features of `cell_mm`."""
    height, width = grid.shape
    cells = (
        int(np.ceil(height / grid.px_per_mm / cell_mm)) + 1,
        int(np.ceil(width / grid.px_per_mm / cell_mm)) + 1,
    )
    lattice = rng.standard_normal(cells).astype(np.float32)
    cell_px = cell_mm * grid.px_per_mm
    size = (max(width, round(cells[1] * cell_px)), max(height, round(cells[0] * cell_px)))
    made: np.ndarray = cv2.resize(lattice, size, interpolation=cv2.INTER_CUBIC)[:height, :width]
    return made


def fbm(
    rng: np.random.Generator, grid: Grid, cell_mm: float, *, octaves: int = 4, gain: float = 0.5
) -> np.ndarray:
    """Fractional Brownian motion (H, W) float32 of about unit standard deviation."""
    total = np.zeros(grid.shape, np.float32)
    weight, power = 1.0, 0.0
    for _ in range(octaves):
        if cell_mm < FINEST_MM:
            break
        total += weight * value_noise(rng, grid, cell_mm)
        power += weight * weight
        weight, cell_mm = weight * gain, cell_mm / 2
    return total * np.float32(1.35 / np.sqrt(power))


@dataclass(frozen=True)
class Cells:
    """Cellular noise: the cell index of each pixel, and the distance to the nearest cell border."""

    label: np.ndarray  # (H, W) int, 0 .. count-1
    border_mm: np.ndarray  # (H, W) float32
    centre_mm: np.ndarray  # (count, 2)


def cellular(rng: np.random.Generator, grid: Grid, cell_mm: float, warp_mm: float) -> Cells:
    """Voronoi cells of jittered points about `cell_mm` apart, with borders warped by noise."""
    height, width = grid.shape
    columns = int(np.ceil(width / grid.px_per_mm / cell_mm))
    rows = int(np.ceil(height / grid.px_per_mm / cell_mm))
    spots = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), axis=-1).reshape(-1, 2)
    centre_mm = (spots + 0.5 + rng.uniform(-0.46, 0.46, spots.shape)) * cell_mm - BLEED_MM
    seeds = np.full((height, width), 255, np.uint8)
    at = np.clip(np.floor(grid.to_px(centre_mm)).astype(int), 0, [width - 1, height - 1])
    seeds[at[:, 1], at[:, 0]] = 0
    _, label = cv2.distanceTransformWithLabels(seeds, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
    order = np.zeros(int(label.max()) + 1, np.int32)
    order[label[at[:, 1], at[:, 0]]] = np.arange(len(at))
    label = order[label]
    if warp_mm:
        rows_px, columns_px = np.indices((height, width), dtype=np.float32)
        shift = warp_mm * grid.px_per_mm
        label = cv2.remap(
            label.astype(np.float32),
            columns_px + shift * fbm(rng, grid, cell_mm * 0.7, octaves=3),
            rows_px + shift * fbm(rng, grid, cell_mm * 0.7, octaves=3),
            cv2.INTER_NEAREST,
            borderMode=cv2.BORDER_REFLECT,
        ).astype(np.int32)
    inner = np.full((height, width), 255, np.uint8)
    inner[:, 1:][label[:, 1:] != label[:, :-1]] = 0
    inner[1:][label[1:] != label[:-1]] = 0
    border = cv2.distanceTransform(inner, cv2.DIST_L2, 5) / grid.px_per_mm
    return Cells(label, border.astype(np.float32), centre_mm)


def smoothstep(low: float, high: float, value: np.ndarray) -> np.ndarray:
    """Smooth step function: 0 below `low`, 1 above `high`. With `high` below `low` it is reversed."""
    t = np.clip((value - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)
