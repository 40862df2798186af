"""Local colour difference between two views of a face. Siblings (starters of five colours) may have the
same drawing and differ only in a stripe, a frame or a small emblem.

White balance, haze and exposure change the whole face in one way. So one gain for each channel, one for
saturation and one haze are fitted to all of it, and local lightness is matched. The remaining colour
difference is summed with its sign over small and large cells, so noise, blur and misregistration cancel.
Its unit is the difference that light can leave, which grows with local saturation. The fitted gains are
reported as the cast, since a sibling may differ by a wash over the whole face.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.enrol.faces.light import linear

Array = NDArray[np.float64]
Field = NDArray[np.float32]
Pixels = NDArray[np.uint8]

#: Reduction factor from the images of the close comparison to those for colour.
_SHRINK = 2
#: Cells: their side (mm), and what light leaves in one, in CIELAB: so much, and such a share of its chroma.
#: Measured on 48 pairs of views of one card (two decks, tuning), see docs/architecture/enrolment.md.
_CELLS = ((1.2, 2.0, 0.12), (4.4, 1.65, 0.09))
#: Haze and clipping take so much of a place's saturation and leave its hue.
_FADED = 0.5
#: Weights of the prior for equal light: three gains, saturation, haze.
_FIRMNESS = np.array([0.1, 0.1, 0.1, 20.0, 20.0])
_ROUNDS, _EVERY = 10, 7


@dataclass(frozen=True)
class ColourDifference:
    """Largest local colour difference, in units of what light can leave. `hue` is unaffected by haze;
    `colour` is the full difference. `cast`: the largest log gain of one channel against the others over
    the whole face."""

    hue: float
    colour: float
    cast: float


def colours_apart(
    one: Pixels, other: Pixels, shown: NDArray[np.bool_], px_per_mm: float
) -> ColourDifference | None:
    """Colour difference of two registered views (H, W, 3) BGR within the mask `shown`. None where the mask
    is too small."""
    height, width = one.shape[0] // _SHRINK, one.shape[1] // _SHRINK
    good = cv2.resize(shown.astype(np.float32), (width, height), interpolation=cv2.INTER_AREA) > 0.5
    if np.count_nonzero(good) < 400:
        return None
    light = [
        cv2.GaussianBlur(
            cv2.resize(linear(each), (width, height), interpolation=cv2.INTER_AREA), (0, 0), 1.0
        ).astype(np.float64)
        for each in (one, other)
    ]
    fitted, gains = _in_the_light_of(light[0], light[1], good)
    level = light[1].mean(axis=2, keepdims=True) / np.maximum(fitted.mean(axis=2, keepdims=True), 1e-4)
    chroma = [_chroma(fitted * np.clip(level, 0.4, 2.5)), _chroma(light[1])]
    hue, colour = 0.0, float(np.median(np.linalg.norm(chroma[0] - chroma[1], axis=2)[good]))
    for side_mm, base, share in _CELLS:
        side = round(side_mm * px_per_mm / _SHRINK) | 1
        here = good.astype(np.float32)
        weight = cv2.blur(here, (side, side))
        told = weight >= 0.5
        a, b = (
            (cv2.blur(each * here[..., None], (side, side)) / np.maximum(weight, 0.3)[..., None])[told]
            for each in chroma
        )
        lengths = np.linalg.norm(a, axis=1), np.linalg.norm(b, axis=1)
        unit = base + share * np.maximum(*lengths)
        colour = max(colour, float((np.linalg.norm(a - b, axis=1) / unit).max(initial=0.0)))
        hue = max(hue, float((_unfaded(a, b) / unit).max(initial=0.0)))
    tint = np.log(np.maximum(gains, 0.1))
    return ColourDifference(hue, colour, float(np.abs(tint - tint.mean()).max()))


def _in_the_light_of(one: Array, other: Array, good: NDArray[np.bool_]) -> tuple[Array, Array]:
    """The first view (H, W, 3) mapped to the second's light by robust least squares, and the gains (3,) of
    blue, green and red. Residuals are relative to the local lightness."""
    picked = np.flatnonzero(good.ravel())[::_EVERY]
    a, b = one.reshape(-1, 3)[picked], other.reshape(-1, 3)[picked]
    brighter = float(np.median(b.mean(axis=1)) / max(float(np.median(a.mean(axis=1))), 1e-3))
    rows, seen = _terms(a * brighter), b.ravel()
    relative = 1 / np.repeat(b.mean(axis=1) + 0.05, 3)
    start, prior = np.array([1.0, 1.0, 1.0, 0.0, 0.0]), np.diag(_FIRMNESS) * len(a)
    told, robust = start, np.ones(len(seen))
    for _ in range(_ROUNDS):
        weighted = rows * (robust * relative**2)[:, None]
        told = np.linalg.solve(weighted.T @ rows + prior, weighted.T @ seen + prior @ start)
        robust = 1 / np.maximum(np.abs(seen - rows @ told) * relative, 0.02)
    fitted = np.asarray((_terms(one.reshape(-1, 3) * brighter) @ told).reshape(one.shape), np.float64)
    return fitted, np.asarray(told[:3], np.float64)


def _terms(light: Array) -> Array:
    """Design matrix (3 N, 5) for the light (N, 3): a gain for each channel, desaturation, and haze."""
    rows = np.zeros((3 * len(light), 5))
    grey = light.mean(axis=1)
    for channel in range(3):
        rows[channel::3, channel] = light[:, channel]
        rows[channel::3, 3] = grey - light[:, channel]
    rows[:, 4] = 1.0
    return rows


def _chroma(light: Array) -> Field:
    """The CIELAB a and b channels (H, W, 2) of linear light."""
    shown = (np.clip(light, 1e-4, 1) ** (1 / 2.2)).astype(np.float32)
    return np.asarray(cv2.cvtColor(shown, cv2.COLOR_BGR2Lab)[..., 1:], np.float32)


def _unfaded(a: Field, b: Field) -> Field:
    """Distances (N,) between colours (N, 2), the least when either of the two may have faded."""
    both = (a * b).sum(axis=1)
    faded = [
        np.clip(both / np.maximum((each * each).sum(axis=1), 1e-3), _FADED, 1.0)[:, None] for each in (a, b)
    ]
    apart = np.linalg.norm(faded[0] * a - b, axis=1), np.linalg.norm(a - faded[1] * b, axis=1)
    return np.asarray(np.minimum(*apart), np.float32)
