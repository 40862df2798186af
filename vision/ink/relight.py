"""Relighting: blank art and photo -> the blank card as this photo's light and camera would show it.

Pictures are compared in their gamma-coded values, where sensor noise is about even and a change of light is
still a factor. `seen = a(x) * colours(blank) + b(x)`: `colours` is one cubic colour transform for the whole
photo (white balance, saturation, tone curve), `a` and `b` vary slowly over a card (light, shadow, veiling
glare). Both are fitted with outliers (ink, objects, highlights) weighted down. The local fit is the guided
filter's (He, Sun & Tang, 2013), weighted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.photo.numerics import median, regions_at, wide_blur

Image = NDArray[np.float32]

# The numbers below were tuned on the open deck in the tuning split of `samples/` (compositor), under lamps
# and at windows, with glare. Lengths are those of light and pens, not of a deck.

#: Scale over which illumination varies; ink is much narrower.
_LIGHT_SIGMA_MM = 9.0
LOCAL_RADIUS_MM = 5.0
_LOCAL_SHRINK = 2.4
#: Regularisation of the local gain towards the large-scale gain, in squared picture values.
_LOCAL_RIDGE = 0.004
#: Least deviation (picture values 0..1) that is distinguished from noise.
NOISE_FLOOR = 0.022
#: Ratio of expected to seen brightness (gamma-coded, every channel) above which a pixel is darker than any
#: shadow, and ratio of seen to expected above which it is brighter than any highlight.
_DARKEST, _BRIGHTEST = 2.2, 2.4
#: Print is gone where its deviation within a window (mm) is at least the given picture value, its visible
#: contrast is below this share and its correlation with the photo below this value, over a disc of at least
#: this diameter (mm); the region is then enlarged by the last margin (mm). Tuned on fingers of seven skin
#: colours over cards and on plain photos, 20 of the tuning split.
_PRINT_MM, _PRINT_LEAST, _PRINT_LEFT, _PRINT_ALIKE, _GONE_MM, _GONE_RIM_MM = 7.0, 0.045, 0.35, 0.5, 7.0, 2.0
#: An object is there only if less than this share of the region is within this picture value of its expected
#: appearance in even light and haze; where print gives no evidence, less than the last share, as there is
#: bare floor between dense lines.
_PRINT_SAME, _SAME_SHARE, _BARE_SHARE = 0.08, 0.45, 0.15
#: Correlation from which print is visible. The card's illumination is averaged over visible print within this
#: distance (mm); the illumination of the whole card has the last weight, which dominates farther away.
_PRINT_SHOWS, _LIGHT_GOES_ON_MM, _FAR_LIGHT = 0.7, 40.0, 0.02
#: Brightness, as a share of the card's own, below which noise is as large as the differences.
_DIMMEST = 0.5
#: If most of a card's print is gone, this quantile of the contrast estimates that of uncovered print.
_UNCOVERED = 0.9
_SAMPLE_STEP = 8
#: Number of bins per channel for weighting colours.
_COLOUR_BINS = 6


def values_of(seen: NDArray[np.uint8]) -> Image:
    """A picture (H, W, 3) uint8 as float32 values 0 to 1.

    Pictures of forty cards are kept as bytes, because floats take four times the memory.
    """
    return np.divide(seen, np.float32(255), dtype=np.float32)


@dataclass(frozen=True)
class Relit:
    """A blank card relit as in the photo.

    `art` (H, W, 3) float32 is the recoloured blank card in even light. `gain` and `offset` (h, w, 3) are the
    local light that turns a colour of `art` into one of the photo. They are kept at the smaller size of the
    fit, to save memory. `odd` (H, W) marks pixels that no light explains, and so show no card. `washed` (H,
    W) is the share of light added by glare, 0 to 1, beyond the `usual_gain` (3,); None without glare.
    """

    art: Image
    gain: Image
    offset: Image
    odd: NDArray[np.bool_]
    washed: Image | None = None
    usual_gain: NDArray[np.float32] | None = None

    def full_gain(self) -> Image:
        """Local gain (H, W, 3) at full size, including added light."""
        return self._full(self.gain)

    def blank(self) -> Image:
        """The blank card in the photo's light, (H, W, 3)."""
        return self._lit(self.full_gain(), self._full(self.offset))

    def light(self) -> tuple[Image, Image]:
        """Local gain and offset at full size, (H, W, 3) each, with light added by glare counted as an
        offset."""
        return self._told_apart(self.full_gain(), self._full(self.offset))

    def blank_and_light(self) -> tuple[Image, tuple[Image, Image]]:
        """The results of `blank` and `light` together; most of the work is shared."""
        gain, offset = self.full_gain(), self._full(self.offset)
        return self._lit(gain.copy(), offset), self._told_apart(gain, offset)

    def _lit(self, gain: Image, offset: Image) -> Image:
        """The blank card in the light of a gain and an offset; the gain's array is overwritten."""
        cv2.multiply(gain, self.art, gain)
        cv2.add(gain, offset, gain)
        # a sensor clips
        return np.asarray(np.minimum(gain, np.float32(1), out=gain))

    def _told_apart(self, gain: Image, offset: Image) -> tuple[Image, Image]:
        """Gain and offset, with the light added by glare moved from the gain to the offset."""
        if self.washed is None or self.usual_gain is None:
            return gain, offset
        added = np.asarray(self.washed[..., None] * np.maximum(gain - self.usual_gain, 0), np.float32)
        return gain - added, offset + added * self.art

    def _full(self, small: Image) -> Image:
        return np.asarray(cv2.resize(small, (self.art.shape[1], self.art.shape[0])), np.float32)


def large_scale_gain(seen: Image, blank: Image, px_per_mm: float) -> Image:
    """Slowly varying illumination: the ratio of a card's picture to its blank art, at a quarter of their
    size.

    Both are registered, (H, W, 3) float32 BGR 0..1. After the first pass, outliers have low weight.
    """
    small = cv2.resize(seen, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    base = cv2.resize(blank, (small.shape[1], small.shape[0]), interpolation=cv2.INTER_AREA)
    sigma = _LIGHT_SIGMA_MM * px_per_mm / 4
    weight = np.ones(small.shape[:2], np.float32)
    gain = np.ones_like(small)
    for _ in range(3):
        each = _threefold(weight)
        top, bottom = wide_blur(small * each, sigma), wide_blur(base * each, sigma)
        gain = (top + np.float32(1e-3)) / (bottom + np.float32(1e-3))
        error = strongest(cv2.absdiff(small, gain * base))
        weight = _trust(error, max(2.0 * median(error), 0.03)) + np.float32(1e-3)
    return np.asarray(gain, np.float32)


def _threefold(weight: Image) -> Image:
    """A weight (H, W) repeated for three channels, (H, W, 3)."""
    return np.asarray(cv2.merge((weight, weight, weight)))


def _trust(error: Image, spread: float) -> Image:
    """Robust weight of an error, from 1 for an inlier to 0 for an outlier."""
    return np.asarray(1 / (1 + (error / np.float32(spread)) ** 2) ** 2, np.float32)


def _samples(picture: Image) -> NDArray[np.float32]:
    return picture[_SAMPLE_STEP // 2 :: _SAMPLE_STEP, _SAMPLE_STEP // 2 :: _SAMPLE_STEP].reshape(-1, 3)


def _samples_of(small: Image, shape: tuple[int, ...]) -> NDArray[np.float32]:
    """Samples as by `_samples` for a picture (height, width, 3), interpolated from a reduced copy of it."""
    down, across = (
        (np.arange(_SAMPLE_STEP // 2, side, _SAMPLE_STEP) + 0.5) * (own / side) - 0.5
        for side, own in zip(shape[:2], small.shape[:2], strict=True)
    )
    xs, ys = np.meshgrid(across.astype(np.float32), down.astype(np.float32))
    return np.asarray(cv2.remap(small, xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)).reshape(
        -1, 3
    )


_TERMS = 13


def _features(colours: NDArray[np.float32]) -> NDArray[np.float64]:
    """Polynomial terms (N, 13) of colours (N, 3): powers up to the third (tone curve), products (saturation)
    and a constant."""
    x = colours.astype(np.float64)
    return np.column_stack([x, x * x, x * x * x, x * x[:, [1, 2, 0]], np.ones(len(x))])


@dataclass(frozen=True)
class ColourPairs:
    """Corresponding colours of a blank card: `art` (N, 3) float32, and `seen` (N, 3) as photographed, in even
    light."""

    art: NDArray[np.float32]
    seen: NDArray[np.float32]


def colour_pairs(seen: Image, blank: Image, gain: Image) -> ColourPairs:
    """Corresponding colours of a card's picture and its blank art (H, W, 3), with the `large_scale_gain`
    between them removed."""
    return ColourPairs(_samples(blank), _samples(seen) / _samples_of(gain, seen.shape))


def colour_transform(cards: Sequence[ColourPairs]) -> NDArray[np.float64]:
    """Colour correction of the whole photo: coefficients (13, 3) from the colours of blank cards to those
    seen.

    The fit is robust, so that outliers such as clipped highlights have little weight.
    """
    art = np.concatenate([card.art for card in cards])
    features = _features(art)
    target = np.concatenate([card.seen for card in cards]).astype(np.float64)
    # regularised towards the identity
    identity = np.vstack([np.eye(3), np.zeros((_TERMS - 3, 3))])
    ridge = 0.0005 * len(features) * np.eye(_TERMS)
    # floors cover most of a card: colours are weighted so that dark rock and bright icons count as well
    level = np.clip((art * _COLOUR_BINS).astype(int), 0, _COLOUR_BINS - 1)
    bin_of = (level[:, 0] * _COLOUR_BINS + level[:, 1]) * _COLOUR_BINS + level[:, 2]
    rarity = 1.0 / np.maximum(np.bincount(bin_of, minlength=_COLOUR_BINS**3)[bin_of], len(art) / 400)
    rarity *= len(art) / rarity.sum()
    weight = np.ones(len(features))
    coefficients = identity
    for _ in range(5):
        scaled = features * (weight * rarity)[:, None]
        coefficients = np.linalg.solve(features.T @ scaled + ridge, scaled.T @ target + ridge @ identity)
        error = strongest(np.abs(target - features @ coefficients))
        spread = max(2.0 * median(error), 0.02)
        weight = 1.0 / (1.0 + (error / spread) ** 2) ** 2
    return np.asarray(coefficients)


def _apply(transform: NDArray[np.float64], picture: Image) -> Image:
    matrix = transform.astype(np.float32).T
    made = cv2.transform(picture, np.ascontiguousarray(matrix[:, [0, 1, 2, 12]]))
    # in place, since allocating memory costs more than the arithmetic
    term, part = cv2.multiply(picture, picture), np.empty_like(picture)
    cv2.add(made, cv2.transform(term, np.ascontiguousarray(matrix[:, 3:6]), part), made)
    cv2.multiply(term, picture, term)
    cv2.add(made, cv2.transform(term, np.ascontiguousarray(matrix[:, 6:9]), part), made)
    cv2.multiply(picture, cv2.transform(picture, _NEXT_CHANNEL, term), term)
    cv2.add(made, cv2.transform(term, np.ascontiguousarray(matrix[:, 9:12]), part), made)
    return np.asarray(made, np.float32)


#: Permutation: each channel is replaced by the next one.
_NEXT_CHANNEL = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]], np.float32)


def strongest(picture: NDArray[Any]) -> NDArray[Any]:
    """Maximum over three channels, (..., H, W); faster than numpy's own reduction over a short last axis."""
    return np.asarray(np.maximum(np.maximum(picture[..., 0], picture[..., 1]), picture[..., 2]))


def channel_sum(picture: Image) -> Image:
    """Sum over three channels, (H, W)."""
    return np.asarray(cv2.transform(picture, np.ones((1, 3), np.float32)))


def relight(
    seen: Image, blank: Image, gain: Image, transform: NDArray[np.float64], px_per_mm: float
) -> Relit:
    """Relight a blank card: the photo's `colour_transform`, then a weighted local affine fit per channel,
    pulled towards the `large_scale_gain`; fitted on a smaller picture for speed."""
    blank = _apply(transform, blank)
    size = (seen.shape[1], seen.shape[0])
    small = (round(size[0] / _LOCAL_SHRINK), round(size[1] / _LOCAL_SHRINK))
    s = cv2.resize(seen, small, interpolation=cv2.INTER_AREA)
    b = cv2.resize(blank, small, interpolation=cv2.INTER_AREA)
    g = cv2.resize(gain, small)
    side = 2 * round(LOCAL_RADIUS_MM * px_per_mm / _LOCAL_SHRINK) + 1
    predicted = g * b
    a, c = g, np.zeros_like(g)
    pull = g * np.float32(_LOCAL_RIDGE)
    for _ in range(3):
        error = strongest(cv2.absdiff(s, predicted))
        weight = _trust(error, max(2.0 * median(error[::2, ::2]), NOISE_FLOOR)) + np.float32(1e-4)
        share = _threefold(np.divide(np.float32(1), _smooth(weight, side)))
        w = _threefold(weight)
        wb = w * b
        mean_b = _smooth(wb, side) * share
        mean_s = _smooth(w * s, side) * share
        covariance = _smooth(wb * s, side) * share - mean_b * mean_s
        variance = np.maximum(_smooth(wb * b, side) * share - mean_b * mean_b, 0)
        a = np.maximum((covariance + pull) / (variance + np.float32(_LOCAL_RIDGE)), 0)
        c = mean_s - a * mean_b
        a, c = _smooth(a, side // 2 | 1), _smooth(c, side // 2 | 1)
        predicted = a * b + c
    expected = _smooth(g * b, side // 4 | 1) + 0.05
    ratio = (_smooth(s, side // 4 | 1) + 0.05) / expected
    odd = (strongest(np.asarray(1 / ratio, np.float32)) > _DARKEST) | (
        strongest(np.asarray(ratio, np.float32)) > _BRIGHTEST
    )
    odd |= _print_is_gone(s, b, g, px_per_mm / _LOCAL_SHRINK)
    wide = cv2.resize(odd.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0
    return Relit(blank, a, c, np.asarray(wide))


def _print_is_gone(seen: Image, blank: Image, gain: Image, px_per_mm: float) -> NDArray[np.bool_]:
    """Mask (H, W) of regions, wider than lines and marks, where the card's print is not visible in the photo.

    Examples are a hand in the card's own colours, and hard glare.
    """
    s, art, g = (cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) for picture in (seen, blank, gain))
    # a card dark all over may be under a hand or in shadow; its own brightness does not distinguish the two
    level = median(g[::4, ::4])
    b = art * np.float32(level)
    # in dim light both the variation of print and a hand's difference from the card are smaller
    dim = float(np.clip(level, _DIMMEST, 1.0))
    side = round(_PRINT_MM * px_per_mm) | 1
    mean_s, mean_b = _smooth(s, side), _smooth(b, side)
    covariance = _smooth(b * s, side) - mean_b * mean_s
    variance = np.maximum(_smooth(b * b, side) - mean_b * mean_b, 0)
    of_seen = np.maximum(_smooth(s * s, side) - mean_s * mean_s, NOISE_FLOOR**2)
    printed = variance > (dim * _PRINT_LEAST) ** 2
    if not printed.any():
        return np.zeros(s.shape, bool)
    # haze reduces the contrast of all print equally, and a veil does not change its form
    left = covariance[printed] / variance[printed]
    usual = float(np.clip(median(left), 0.3, 1.0))
    # a hand over most of a card leaves the contrast of the rest unchanged
    if median(left) < _PRINT_LEFT:
        usual = float(np.clip(np.quantile(left, _UNCOVERED), 0.3, 1.0))
    form = np.sqrt(variance * of_seen)
    gone = printed & (covariance < _PRINT_LEFT * usual * variance) & (covariance < _PRINT_ALIKE * form)
    if not gone.any():
        return np.asarray(gone)
    # the illumination of visible print is that of the card under the object
    shows = printed & (covariance > _PRINT_SHOWS * form)
    if not shows.any():
        shows = printed & ~gone if (printed & ~gone).any() else printed
    own, wide = shows.astype(np.float32), round(_LIGHT_GOES_ON_MM * px_per_mm) | 1
    far = np.float32(_FAR_LIGHT)
    light = (_smooth(g * own, wide) + far * g[shows].mean()) / (_smooth(own, wide) + far)
    # between lines the card is unchanged, however many lines there are
    away = s - np.float32(usual) * art * light
    same = np.abs(away - np.float32(median(away[shows]))) < dim * _PRINT_SAME
    alike = _smooth(same.astype(np.float32), side)
    disc = round(_GONE_MM * px_per_mm) | 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (disc, disc))
    core = cv2.morphologyEx((gone & (alike < _SAME_SHARE)).astype(np.uint8), cv2.MORPH_OPEN, kernel)
    if not core.any():
        return np.zeros(s.shape, bool)
    # regions connected with an object belong to it if they match the card by chance or the card has no print
    # there
    one = (gone | ((alike < _BARE_SHARE) & ~shows)).astype(np.uint8)
    core = regions_at(np.asarray(cv2.morphologyEx(one, cv2.MORPH_OPEN, kernel), np.uint8), core)
    reach = 2 * round(_GONE_RIM_MM * px_per_mm) + 1
    return np.asarray(cv2.dilate(core, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach))) > 0)


def _smooth(picture: NDArray[np.float32], side: int) -> NDArray[np.float32]:
    return np.asarray(cv2.blur(picture, (side, side), borderType=cv2.BORDER_REFLECT_101), np.float32)
