"""What a bad wipe leaves of an old path: pale, without a fresh edge, smeared the way the cloth went.

The old drawing's cover is blurred a little, drawn out along the wipe with a tail that fades, and weakened in
swathes, since a cloth does not press evenly. `strength` is what is left of a fresh line's cover.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from samples import ink
from samples.tables import cloud

Field = NDArray[np.float32]
EDGE_BLUR_MM = 0.22
SMEARED_SHARE = 0.45
LINE_ALPHA = 0.5  # more than this is the old line itself
CLEAN_SWATHES = 0.35  # of the swathes are wiped clean


@dataclass(frozen=True)
class Wipe:
    """How the cards were wiped: all of them in one direction (degrees on the table), as far as `reach_mm`
    draws the ink out."""

    strength: float
    angle_deg: float
    reach_mm: float
    swathe_mm: float
    seed: int


def wiped(density: Field, card_angle_deg: float, wipe: Wipe, index: int) -> Field:
    """The cover 0..1 (H, W) that a wipe leaves of a film of optical density (H, W) on an upright card which
    lies turned by `card_angle_deg`."""
    per_mm = ink.OVERLAY_PX_PER_MM
    fresh = 1 - np.exp(-density)
    angle = math.radians(wipe.angle_deg - card_angle_deg)
    blurred = cv2.GaussianBlur(fresh, (0, 0), EDGE_BLUR_MM * per_mm)
    left = (1 - SMEARED_SHARE) * blurred + SMEARED_SHARE * _drawn_out(blurred, angle, wipe.reach_mm * per_mm)
    rng = np.random.default_rng([wipe.seed, index])
    left *= _pressure(fresh.shape, angle, wipe, rng)
    line = fresh > LINE_ALPHA
    if line.any():
        # as strong as told where the line was and the cloth hardly took it
        left *= wipe.strength * float(fresh[line].mean()) / max(float(np.quantile(left[line], 0.8)), 1e-3)
    return np.asarray(np.clip(left, 0, 1), np.float32)


def _drawn_out(cover: Field, angle: float, reach_px: float) -> Field:
    """The cover smeared one way along `angle`, fading over `reach_px`."""
    size = 2 * math.ceil(2.0 * reach_px) + 1
    kernel = np.zeros((size, size), np.float32)
    steps = np.arange(0, 2.0 * reach_px, 0.5)
    # (filter2D correlates: the kernel looks back to where the ink came from)
    x = np.round(size // 2 - steps * math.cos(angle)).astype(int)
    y = np.round(size // 2 - steps * math.sin(angle)).astype(int)
    np.add.at(kernel, (y, x), np.exp(-steps / reach_px))
    kernel /= kernel.sum()
    smeared = cv2.filter2D(cover, -1, kernel, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(smeared, np.float32)


def _pressure(shape: tuple[int, ...], angle: float, wipe: Wipe, rng: np.random.Generator) -> Field:
    """How much of the film stays, (H, W): stripes along the wipe, some of them clean."""
    y, x = np.mgrid[: shape[0], : shape[1]].astype(np.float32)
    across = (y * np.float32(math.cos(angle)) - x * np.float32(math.sin(angle))) / np.float32(
        wipe.swathe_mm * ink.OVERLAY_PX_PER_MM
    )
    stays = np.where(rng.random(64) < CLEAN_SWATHES, rng.uniform(0.0, 0.35, 64), rng.uniform(0.6, 1.1, 64))
    at = across + 32 + 0.3 * cloud((shape[0], shape[1]), (300, 300), rng)
    swathes = np.interp(at, np.arange(64), stays)
    return np.asarray(swathes * (1 + 0.15 * cloud((shape[0], shape[1]), (60, 60), rng)), np.float32).clip(
        0, 2
    )


def ghost_film(cover: Field, pen: ink.Pen) -> NDArray[np.uint8]:
    """(H, W, 4) uint8 RGBA of a wiped film's cover: thin ink is paler and purer than a fresh line's."""
    colour = np.clip(np.asarray(pen.rgb, float) * 1.2 + 18, 0, 255)
    film = np.empty((*cover.shape, 4), np.uint8)
    film[..., :3] = colour.round()
    film[..., 3] = (255 * cover).round()
    return film
