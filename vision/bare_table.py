"""What of a photo is its table: colours that the picture's border shows, however many a cloth or a playmat
has, against those that only cards have."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Field = NDArray[np.float32]
Pixels = NDArray[np.uint8]

#: The border that is looked at, as a share of the picture, and the picture's longer side for it.
_BORDER, _LONGER_SIDE = 0.07, 700
#: Colours are told apart in so many levels (8-bit L*a*b*) of lightness and of the two hues; hues lie so
#: far from grey at most.
_LIGHT_STEP, _HUE_STEP, _MOST_HUE = 12, 5, 70
_SHAPE = (256 // _LIGHT_STEP + 1, 2 * _MOST_HUE // _HUE_STEP, 2 * _MOST_HUE // _HUE_STEP)
#: Light varies over a table: a colour speaks for those beside it.
_SPREAD = np.array([0.06, 0.24, 0.4, 0.24, 0.06])
#: How often a table's colour may be seen within, beside what the border shows of it: its parts differ.
_LENIENT = 1.6
#: Of a colour that hardly any pixel has nothing is said.
_RARE = 2e-5
#: A table beside a card lies in its shadow, or under a sleeve's film: it is so much lighter there (8-bit
#: lightness) for a part of it.
_SHADES = ((0, 1.0), (-24, 0.3), (-48, 0.2), (14, 0.3), (28, 0.2))
#: What lies so far beyond an edge and within it is compared, mm.
_BESIDE_MM = 0.9
#: With fewer pixels nothing is said.
_LEAST_PIXELS = 300


def unlike_table(lab: Pixels) -> Field:
    """(h, w) how unlike the table each pixel of a picture (h, w, 3) uint8 CIE L*a*b* is, 0 to 1: the share of
    its colour's pixels that are more than the border lets expect."""
    height, width = lab.shape[:2]
    scale = min(1.0, _LONGER_SIDE / max(height, width))
    size = (max(8, round(width * scale)), max(8, round(height * scale)))
    bins = _bins(lab)
    small = bins if scale == 1 else _bins(np.asarray(cv2.resize(lab, size, interpolation=cv2.INTER_AREA)))
    band = max(2, round(_BORDER * min(size)))
    border = np.ones(small.shape, bool)
    border[band:-band, band:-band] = False
    table, within = _colours(small[border]), _colours(small[~border])
    usual = _weighted_median(within / np.maximum(table, 1e-9), table)
    expected = min(1.0, usual) * _LENIENT * table
    unlike = np.where(within > _RARE, 1 - expected / np.maximum(within, 1e-9), 0.5)
    # (a colour of cards alone is not told by the border at all)
    seen = np.clip(unlike, 0, 1).astype(np.float32).ravel()[bins]
    return np.asarray(cv2.blur(seen, (3, 3)), np.float32)


class TableColours:
    """What a photo's bare table looks like, in light and in shadow, as against what lies on it."""

    def __init__(self, bare: Pixels, cards: Pixels) -> None:
        """`bare` (N, 3) are BGR pixels of the table, `cards` (M, 3) of what lies on it."""
        self._share: Field | None = None
        if min(len(bare), len(cards)) < _LEAST_PIXELS:
            return
        lab = cv2.cvtColor(bare[None], cv2.COLOR_BGR2Lab)[0].astype(np.int16)
        table = np.zeros(_SHAPE)
        for lighter, share in _SHADES:
            shaded = lab + np.array([lighter, 0, 0], np.int16)
            table += share * _colours(_bins(np.clip(shaded, 0, 255).astype(np.uint8)))
        other = _colours(_bins(np.asarray(cv2.cvtColor(cards[None], cv2.COLOR_BGR2Lab)[0], np.uint8)))
        self._share = ((table + _RARE) / (table + other + 2 * _RARE)).astype(np.float32)

    def share(self, pixels: Pixels) -> Field:
        """(...,) how much each of (..., 3) BGR pixels may be table, 0 to 1."""
        if self._share is None:
            return np.full(pixels.shape[:-1], 0.5, np.float32)
        lab = np.asarray(cv2.cvtColor(pixels.reshape(1, -1, 3), cv2.COLOR_BGR2Lab), np.uint8)
        return np.asarray(self._share.ravel()[_bins(lab)].reshape(pixels.shape[:-1]), np.float32)


def parting(table: Field, step_mm: float) -> Field:
    """(N, K) how much more of what lies just beyond each place of a strip, which runs outwards, may be table
    than of what lies just within, -1 to 1; `table` (N, K) is how much each place may be table."""
    wide = max(2, round(_BESIDE_MM / step_mm))
    kernel = np.zeros((1, 2 * wide + 1), np.float32)
    kernel[0, :wide], kernel[0, wide + 1 :] = -1 / wide, 1 / wide
    return np.asarray(cv2.filter2D(table, cv2.CV_32F, kernel, borderType=cv2.BORDER_REPLICATE), np.float32)


def _bins(lab: Pixels) -> NDArray[np.intp]:
    """(...,) the number of each pixel's colour."""
    light = np.arange(256) // _LIGHT_STEP
    hue = np.clip((np.arange(256) - 128 + _MOST_HUE) // _HUE_STEP, 0, _SHAPE[1] - 1)
    a_step, light_step = _SHAPE[2], _SHAPE[1] * _SHAPE[2]
    return np.asarray(
        (light * light_step)[lab[..., 0]] + (hue * a_step)[lab[..., 1]] + hue[lab[..., 2]], np.intp
    )


def _colours(bins: NDArray[np.intp]) -> NDArray[np.float64]:
    """How often each colour is seen among pixels of these (N,), all of them 1 together."""
    counts = np.bincount(bins, minlength=int(np.prod(_SHAPE))).reshape(_SHAPE).astype(float)
    reach = len(_SPREAD) // 2
    for axis in range(3):
        length = counts.shape[axis]
        padded = np.pad(counts, [(reach, reach) if axis == other else (0, 0) for other in range(3)])
        beside = [share * padded.take(range(k, k + length), axis) for k, share in enumerate(_SPREAD)]
        counts = np.sum(beside, axis=0)
    return np.asarray(counts / max(float(counts.sum()), 1.0), np.float64)


def _weighted_median(values: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    values, weights = values[weights > 0], weights[weights > 0]
    order = np.argsort(values)
    total = np.cumsum(weights[order])
    return float(values[order[int(np.searchsorted(total, total[-1] / 2))]])
