"""Cards printed at home: a colour cast, no true black, banding, coarser dots, cut with scissors."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from samples.tables import cloud


@dataclass(frozen=True)
class HomePrint:
    """One printer, one sheet of paper, one pair of scissors. `scale` is the printed size over the true."""

    cast: tuple[float, float, float]
    black: float
    paper: float
    gamma: float
    band_mm: float
    band_strength: float
    dots_mm: float
    scale: float
    corner_radius_mm: float
    seed: int

    @staticmethod
    def random(strength: float, seed: int, rng: np.random.Generator) -> HomePrint:
        """A printer whose faults grow with `strength` 0 to 1."""
        cast = 1 + rng.normal(0, 0.03 + 0.06 * strength, 3)
        cast /= cast.max()
        return HomePrint(
            cast=(float(cast[0]), float(cast[1]), float(cast[2])),
            black=float(rng.uniform(0.04, 0.10 + 0.10 * strength)),
            paper=float(rng.uniform(0.90, 1.0)),
            gamma=float(np.exp(rng.normal(0, 0.08 + 0.12 * strength))),
            band_mm=float(rng.uniform(1.2, 7.0)),
            band_strength=float(rng.uniform(0.01, 0.03 + 0.06 * strength)),
            dots_mm=float(rng.uniform(0.06, 0.16)),
            scale=float(1 + np.clip(rng.normal(-0.01, 0.012), -0.03, 0.015)),
            corner_radius_mm=float(rng.choice([0.0, 0.0, 1.0, 2.5])),
            seed=seed,
        )


def printed(face: NDArray[np.uint8], width_mm: float, printer: HomePrint, index: int) -> NDArray[np.uint8]:
    """A face (H, W, 3) sRGB as that printer puts it on paper."""
    rng = np.random.default_rng([printer.seed, index, 5])
    per_mm = face.shape[1] / width_mm
    shown = cv2.GaussianBlur(face, (0, 0), max(printer.dots_mm * per_mm, 0.3)).astype(np.float32) / 255
    shown **= np.float32(printer.gamma)
    shown = printer.black + (printer.paper - printer.black) * shown
    shown *= np.asarray(printer.cast, np.float32)
    # the head's passes run across the sheet: along the card's width or its height, all cards alike
    along = printer.seed % 2
    length = face.shape[along]
    passes = np.arange(length) / (printer.band_mm * per_mm) + rng.uniform(0, 1)
    steps = np.random.default_rng(printer.seed).normal(0, 1, (256, 3))
    band = steps[passes.astype(int) % 256] * [1.0, 0.8, 1.2] * printer.band_strength
    band -= 0.6 * printer.band_strength * (np.abs(passes % 1 - 0.5) > 0.46)[:, None]
    shown *= 1 + (band[:, None, :] if along == 0 else band[None, :, :])
    shown *= 1 + 0.02 * cloud((face.shape[0], face.shape[1]), (1.5, 1.5), rng)[..., None]
    return np.asarray(np.clip(255 * shown, 0, 255).round(), np.uint8)
