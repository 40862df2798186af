"""Background model and foreground mask: photo -> each pixel's difference from the table's colours, and the
regions that are not table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.photo.decode import Photo

Field = NDArray[np.float32]
Pixels = NDArray[np.uint8]

#: Width of the picture's border used for the table's colours, as a share of the picture, and the longer side
#: of the picture used.
_BORDER, _LONGER_SIDE = 0.07, 700
#: Bin widths of the colour histogram (8-bit L*a*b*): lightness, the two hues; and the largest distance of a
#: hue from grey.
_LIGHT_STEP, _HUE_STEP, _MOST_HUE = 12, 5, 70
_SHAPE = (256 // _LIGHT_STEP + 1, 2 * _MOST_HUE // _HUE_STEP, 2 * _MOST_HUE // _HUE_STEP)
#: Smoothing kernel of the histogram: as light varies over a table, a colour is evidence for similar ones.
_SPREAD = np.array([0.06, 0.24, 0.4, 0.24, 0.06])
#: Factor by which a table colour may be more frequent in the interior than in the border, since parts of a
#: table differ.
_LENIENT = 1.6
#: Frequency below which a colour is too rare for a decision.
_RARE = 2e-5
#: Shadows and sleeve films beside a card, as pairs: difference of the table's lightness (8 bit), and the
#: share of the samples to which it applies.
_SHADES = ((0, 1.0), (-24, 0.3), (-48, 0.2), (14, 0.3), (28, 0.2))
#: Width in mm of the areas compared on both sides of an edge.
_BESIDE_MM = 0.9
#: Least number of pixels for a colour model.
_LEAST_PIXELS = 300


def unlike_table(lab: Pixels) -> Field:
    """Probability map (h, w), 0 to 1, that each pixel is not table, from a picture (h, w, 3) uint8 CIE
    L*a*b*.

    It is the share of the pixels of one colour that exceeds the number expected from the picture's border.
    """
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
    # (the border gives no evidence about a colour that only cards have)
    seen = np.clip(unlike, 0, 1).astype(np.float32).ravel()[bins]
    return np.asarray(cv2.blur(seen, (3, 3)), np.float32)


class TableColours:
    """Colour model of a photo's bare table, in light and in shadow, against the colours of the cards on
    it."""

    def __init__(self, bare: Pixels, cards: Pixels) -> None:
        """Fit the model to BGR pixels: `bare` (N, 3) of the table, `cards` (M, 3) of the cards on it."""
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
        """Probability (...,), 0 to 1, that each of the BGR pixels (..., 3) is table."""
        if self._share is None:
            return np.full(pixels.shape[:-1], 0.5, np.float32)
        lab = np.asarray(cv2.cvtColor(pixels.reshape(1, -1, 3), cv2.COLOR_BGR2Lab), np.uint8)
        return np.asarray(self._share.ravel()[_bins(lab)].reshape(pixels.shape[:-1]), np.float32)


def parting(table: Field, step_mm: float) -> Field:
    """Contrast (N, K), -1 to 1, between table and card at each position of strips that run outwards across an
    edge.

    It is the probability of table just beyond the position, less that just within. `table` (N, K) is the
    probability of table at each position.
    """
    wide = max(2, round(_BESIDE_MM / step_mm))
    kernel = np.zeros((1, 2 * wide + 1), np.float32)
    kernel[0, :wide], kernel[0, wide + 1 :] = -1 / wide, 1 / wide
    return np.asarray(cv2.filter2D(table, cv2.CV_32F, kernel, borderType=cv2.BORDER_REPLICATE), np.float32)


def _bins(lab: Pixels) -> NDArray[np.intp]:
    """Histogram bin numbers (...,) of the pixels' quantised colours."""
    light = np.arange(256) // _LIGHT_STEP
    hue = np.clip((np.arange(256) - 128 + _MOST_HUE) // _HUE_STEP, 0, _SHAPE[1] - 1)
    a_step, light_step = _SHAPE[2], _SHAPE[1] * _SHAPE[2]
    return np.asarray(
        (light * light_step)[lab[..., 0]] + (hue * a_step)[lab[..., 1]] + hue[lab[..., 2]], np.intp
    )


def _colours(bins: NDArray[np.intp]) -> NDArray[np.float64]:
    """Smoothed colour histogram of bin numbers (N,), normalised to a sum of 1."""
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


Array = NDArray[np.float64]

#: Longer side of the downsampled picture for the foreground mask.
_VIEW_PX = 1000.0
#: Foreground probability above which a pixel is not table; kernel sizes (px) of the closing that fills gaps
#: and of the opening that removes specks.
_UNLIKE, _CLOSED, _OPENED = 0.4, 11, 9
#: Factor by which outlines are enlarged to include shadows and rims.
_BEYOND = 1.16
#: Least area of an uncovered foreground region, as a share of a found piece's area.
_THING = 0.3
#: Greatest gap between parts of one object, as a share of a found piece's side.
_PARTS = 0.2
#: Points on a circle's rim.
_ROUND = np.linspace(0, 2 * np.pi, 36, endpoint=False)


@dataclass(frozen=True)
class Foreground:
    """Foreground mask `islands` (h, w) uint8: 1 where a pixel does not have the table's colours, holes
    filled.

    The mask is `scale` times the size of the photo.
    """

    islands: NDArray[np.uint8]
    scale: float

    def explained(self, outlines: Sequence[Array], *, discs: bool = False) -> float:
        """Intersection over union, 0 to 1, of the foreground mask and the areas of outlines (4, 2), in photo
        pixels.

        With `discs`, the area of each outline is the disc within it.
        """
        held = self._held(outlines, 1.0, discs=discs)
        both, either = (held & self.islands).sum(), (held | self.islands).sum()
        return float(both / max(int(either), 1))

    def left_over(self, outlines: Sequence[Array], *, discs: bool = False) -> list[Array]:
        """Centres (2,), in photo pixels, of foreground regions about as large as a piece that no outline
        covers.

        They are listed from the top of the photo down.
        """
        if not outlines:
            return []
        areas = [abs(cv2.contourArea((each * self.scale).astype(np.float32))) for each in outlines]
        area = float(np.median(areas))
        free = (self.islands & (1 - self._held(outlines, _BEYOND, discs=discs))).astype(np.uint8)
        free = np.asarray(cv2.morphologyEx(free, cv2.MORPH_OPEN, _round(_OPENED)), np.uint8)
        # a pale piece appears as several parts, as some of its colours occur on the table
        near = _round(2 * round(_PARTS * area**0.5 / 2) + 1)
        parts = np.asarray(cv2.morphologyEx(free, cv2.MORPH_CLOSE, near), np.uint8)
        things, _ = cv2.findContours(parts, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        found = []
        for thing in things:
            hull = cv2.convexHull(thing)
            if cv2.contourArea(hull) > _THING * area and not self._at_rim(cv2.boundingRect(hull)):
                found.append((hull[:, 0].mean(axis=0) + 0.5) / self.scale - 0.5)
        return sorted(found, key=lambda each: float(each[1]))

    def _at_rim(self, box: Sequence[int]) -> bool:
        """Whether a region of the mask runs along the picture's border, as the end of the table or a hand
        does."""
        height, width = self.islands.shape
        left, top, wide, high = box
        touches = (left <= 1, top <= 1, left + wide >= width - 1, top + high >= height - 1)
        return sum(touches) > 1 or (any(touches) and max(wide / width, high / height) > 0.5)

    def _held(self, outlines: Sequence[Array], share: float, *, discs: bool) -> NDArray[np.uint8]:
        held = np.zeros_like(self.islands)
        for each in outlines:
            corners = (each + 0.5) * self.scale - 0.5
            middle = corners.mean(axis=0)
            if discs:
                across, down = (corners[1] - corners[0]) / 2, (corners[3] - corners[0]) / 2
                corners = middle + np.cos(_ROUND)[:, None] * across + np.sin(_ROUND)[:, None] * down
            around = middle + share * (corners - middle)
            cv2.fillConvexPoly(held, np.rint(around).astype(np.int32), 1)
        return held


def foreground_of(photo: Photo) -> Foreground:
    """Foreground mask of a photo: regions that do not match the background model of its border."""
    scale = min(1.0, _VIEW_PX / max(photo.width, photo.height))
    size = (round(photo.width * scale), round(photo.height * scale))
    small = cv2.resize(photo.pixels, size, interpolation=cv2.INTER_AREA)
    unlike = unlike_table(np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2Lab), np.uint8))
    mask = (unlike > _UNLIKE).astype(np.uint8)
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, _round(_CLOSED)), np.uint8)
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, _round(_OPENED)), np.uint8)
    # everything enclosed by a region belongs to it: a pale face within its rim
    rims, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return Foreground(cv2.drawContours(np.zeros_like(mask), rims, -1, 1, cv2.FILLED), scale)


def _round(size: int) -> NDArray[np.uint8]:
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), np.uint8)
