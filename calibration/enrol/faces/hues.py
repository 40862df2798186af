"""Do two views of a face differ in colour anywhere? Siblings (starters of five colours) may have the same
drawing, and their colour on a stripe, a frame or a small emblem alone.

White balance, haze and exposure change all of a face in one way: one gain for each channel, one for
saturation and one haze are fitted to all of it, and each place is made as light as in the other view. What is
then left of colour is added up over small cells and over large ones, with its sign, so that noise, blur and
misregistration cancel, in units of what light leaves; those grow with how colourful a place is. What the
gains take away is told too, as the cast: a sibling may differ by a wash over all of it, which no place shows.
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

#: Colour is looked at in pixels of so many of the close look.
_SHRINK = 2
#: Cells: their side (mm), and what light leaves in one, in CIELAB: so much, and such a share of its chroma.
#: Measured on 48 pairs of views of one card (two decks, tuning), see docs/architecture/enrolment.md.
_CELLS = ((1.2, 2.0, 0.12), (4.4, 1.65, 0.09))
#: Haze and clipping take so much of a place's saturation and leave its hue.
_FADED = 0.5
#: How firmly the views are held to be in the same light: gains, saturation, haze.
_FIRMNESS = np.array([0.1, 0.1, 0.1, 20.0, 20.0])
_ROUNDS, _EVERY = 10, 7


@dataclass(frozen=True)
class ColourDifference:
    """The largest difference of a place, in units of what light leaves: in `hue`, which haze does not change,
    and in `colour` altogether. `cast`: how much more of a channel (a natural logarithm) one has all over,
    as against the other channels."""

    hue: float
    colour: float
    cast: float


def colours_apart(
    one: Pixels, other: Pixels, shown: NDArray[np.bool_], px_per_mm: float
) -> ColourDifference | None:
    """How far two registered views (H, W, 3) BGR are apart where both are `shown`; None where that is too
    little to tell."""
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
    """(H, W, 3) the first view as the second's light shows it, by robust least squares relative to how light
    each place is; and the gains (3,) of blue, green and red."""
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
    """(3 N, 5) what a channel of (N, 3) may be made of: its own, less saturation, haze."""
    rows = np.zeros((3 * len(light), 5))
    grey = light.mean(axis=1)
    for channel in range(3):
        rows[channel::3, channel] = light[:, channel]
        rows[channel::3, 3] = grey - light[:, channel]
    rows[:, 4] = 1.0
    return rows


def _chroma(light: Array) -> Field:
    """(H, W, 2) CIELAB's a and b of linear light."""
    shown = (np.clip(light, 1e-4, 1) ** (1 / 2.2)).astype(np.float32)
    return np.asarray(cv2.cvtColor(shown, cv2.COLOR_BGR2Lab)[..., 1:], np.float32)


def _unfaded(a: Field, b: Field) -> Field:
    """(N,) how far colours (N, 2) are apart if either of them may have faded."""
    both = (a * b).sum(axis=1)
    faded = [
        np.clip(both / np.maximum((each * each).sum(axis=1), 1e-3), _FADED, 1.0)[:, None] for each in (a, b)
    ]
    apart = np.linalg.norm(faded[0] * a - b, axis=1), np.linalg.norm(a - faded[1] * b, axis=1)
    return np.asarray(np.minimum(*apart), np.float32)
