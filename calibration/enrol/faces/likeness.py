"""Comparison of two face images of cards. Views of one card differ by light, blur, noise and glare.
Near-twins differ by one icon, one number, or the colour of the ground.

Both images are registered to a fraction of a line's width, then matched in sharpness, and in light by
windows of a centimetre. The residual of each cell is compared with what noise and misregistration can
leave.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.enrol.faces.light import linear
from vision.ink.rectify import for_registration, residual_flow
from vision.photo.view import pixel_size

Field = NDArray[np.float32]
Size = tuple[float, float]

#: Resolutions in pixels per mm of the descriptor and of the close comparison.
GLANCE_PX_PER_MM, CLOSE_PX_PER_MM = 0.75, 5.0
#: Window for matching light, and cell size for summing differences, in mm.
_LIGHT_MM, _CELL_MM = 9.0, 2.2
#: Blurs (pixels of the close look) that are tried to make two views equally sharp.
_BLURS = (0.0, 0.6, 0.9, 1.3, 1.8, 2.5, 3.4)
#: A pixel as white as this shows nothing, and neither does one where contrast is so much less than the
#: other's.
_WHITE, _WASHED = 247, 0.45
#: Glare takes colour together with contrast: a window of less contrast that keeps at least this share of the
#: other's colour contrast (CIELAB units, regularised by noise) shows another ink and no glare.
_KEPT_COLOUR, _COLOUR_NOISE = 0.6, 3.0
#: Distance from glare, in pixels of the close comparison, within which pixels count as hazy.
_ROUND = 11
#: Expected noise (grey levels) and misregistration (mm).
_NOISE, _SHIFT_MM = 5.0, 0.11
#: What is finer than this may be blurred away in one of them, up to such a share of its energy.
_FINE_MM, _LOST = 0.3, 0.2
#: Sizes and shifts (pixels) at which descriptors are compared.
_SIZES, _SHIFT = (0.93, 0.965, 1.0, 1.035, 1.07), 3
#: Resolution and blur (pixels) at which faces are laid on each other, and when their correlation is the best.
_LAY_PX_PER_MM, _LAY_BLUR, _LAY_UNTIL = 2.0, 7, (3, 60, 1e-4)
#: Corners of one card that are farther apart were found at different places; less is left to the optical
#: flow. What is farther apart than the second is another thing.
LEAST_AWAY_MM, _MOST_AWAY_MM = 1.0, 12.0
#: Width in mm of the rim ignored because of wear and shadows.
_RIM_MM = 1.2
#: The rim that colour is not looked at in: a frame may be all that is coloured. Beyond round corners lies the
#: table, mm.
_COLOUR_RIM_MM, _CORNER_MM = 0.8, 3.6


@dataclass(frozen=True)
class Face:
    """A face prepared for comparison: `close` (H, W, 3) uint8 BGR, and the descriptor `glance` (h, w)
    float32 of mean 0 and norm 1. `shown` (H, W): where the view shows the card; None: all over."""

    close: NDArray[np.uint8]
    glance: Field
    size_mm: Size
    shown: NDArray[np.bool_] | None = None

    def turned_by(self, quarters: int) -> Face:
        """The face rotated clockwise by a number of quarter turns."""
        if quarters == 0:
            return self
        return Face(
            np.ascontiguousarray(np.rot90(self.close, -quarters)),
            np.ascontiguousarray(np.rot90(self.glance, -quarters)),
            self.size_mm,
        )


@dataclass(frozen=True)
class Difference:
    """Difference of two views. `structure`: the largest cell residual of the drawing, in standard
    deviations of chance. `hue`, `colour` and `cast`: colour differences.
    `seen`: the share of the card visible in both views. `alike`: the correlation over that share."""

    structure: float
    hue: float
    colour: float
    cast: float
    seen: float
    alike: float


#: The difference of a view from itself.
NO_DIFFERENCE = Difference(structure=0.0, hue=0.0, colour=0.0, cast=0.0, seen=1.0, alike=1.0)


def prepared(face: NDArray[np.uint8], size_mm: Size) -> Face:
    close = cv2.resize(face, pixel_size(size_mm, CLOSE_PX_PER_MM), interpolation=cv2.INTER_AREA)
    small = cv2.resize(face, pixel_size(size_mm, GLANCE_PX_PER_MM), interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
    away = grey - cv2.GaussianBlur(grey, (0, 0), 8.0)
    away /= np.sqrt(cv2.GaussianBlur(away * away, (0, 0), 8.0)) + 2.0
    away -= away.mean()
    away /= np.linalg.norm(away) + 1e-6
    return Face(np.asarray(close, np.uint8), np.asarray(away, np.float32), size_mm)


def glance(one: Field, other: Field) -> float:
    """Correlation of two descriptors (`Face.glance`), -1 to 1, at the best shift of up to one pixel."""
    if one.shape != other.shape:
        return -1.0
    inner = one[1:-1, 1:-1]
    best = cv2.matchTemplate(other, inner, cv2.TM_CCORR)
    return float(best.max() / (np.linalg.norm(inner) + 1e-6))


def glances(one: Field, others: Sequence[Field]) -> list[float]:
    """Correlations of a descriptor with others, each at the best of several sizes and shifts: their outlines
    may have been found at different places. -1 for those of another shape."""
    height, width = one.shape
    middle = np.array([(width - 1) / 2, (height - 1) / 2])
    best = [-1.0] * len(others)
    for size in _SIZES:
        turn = np.array([[size, 0, middle[0] * (1 - size)], [0, size, middle[1] * (1 - size)]])
        inner = cv2.warpAffine(one, turn, (width, height))[_SHIFT:-_SHIFT, _SHIFT:-_SHIFT]
        norm = float(np.linalg.norm(inner)) + 1e-6
        for number, other in enumerate(others):
            if other.shape == one.shape:
                told = float(cv2.matchTemplate(other, inner, cv2.TM_CCORR).max()) / norm
                best[number] = max(best[number], told)
    return best


def registered(one: Face, other: Face) -> Face:
    """The first face laid on the second, where their outlines were found at different places; unchanged where
    that makes them no more alike."""
    if one.close.shape != other.close.shape:
        return one
    laid, away_mm = laid_on(one.close, other.close, CLOSE_PX_PER_MM)
    if not LEAST_AWAY_MM < away_mm < _MOST_AWAY_MM:
        return one
    size, flags = one.close.shape[1::-1], cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    moved = cv2.warpAffine(one.close, laid, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    face = prepared(np.asarray(moved, np.uint8), one.size_mm)
    if glance(face.glance, other.glance) <= glance(one.glance, other.glance):
        return one
    shown = cv2.warpAffine(np.ones(one.close.shape[:2], np.uint8), laid, size, flags=flags) > 0
    # the other's own pixels keep its light there from being fitted to nothing
    return replace(face, close=np.where(shown[..., None], face.close, other.close), shown=shown)


def laid_on(
    one: NDArray[np.uint8], other: NDArray[np.uint8], px_per_mm: float
) -> tuple[NDArray[np.float64], float]:
    """The affine map (2, 3) from pixels of `other` (H, W, 3) BGR to those of `one` that correlates them best
    (Evangelidis and Psarakis 2008), and how far it moves a corner, mm. The identity where none is found."""
    share = _LAY_PX_PER_MM / px_per_mm
    greys = [cv2.cvtColor(each, cv2.COLOR_BGR2GRAY) for each in (other, one)]
    small = [cv2.resize(each, None, fx=share, fy=share, interpolation=cv2.INTER_AREA) for each in greys]
    start = np.eye(2, 3, dtype=np.float32)
    try:
        _, found = cv2.findTransformECC(
            small[0], small[1], start, cv2.MOTION_AFFINE, _LAY_UNTIL, None, _LAY_BLUR
        )
    except cv2.error:  # it does not converge where they show different things
        return np.eye(2, 3), 0.0
    laid = np.asarray(found, np.float64)
    laid[:, 2] /= share
    height, width = greys[0].shape
    corners = np.array([[0, 0, 1], [width, 0, 1], [width, height, 1], [0, height, 1]], float)
    away = np.linalg.norm(corners @ laid.T - corners[:, :2], axis=1)
    return laid, float(away.max()) / px_per_mm


def compare(one: Face, other: Face) -> Difference:
    """Detailed difference of two faces in the same orientation."""
    a, b = one.close, other.close
    grey = [cv2.cvtColor(each, cv2.COLOR_BGR2GRAY).astype(np.float32) for each in (a, b)]
    flow = residual_flow(grey[0], for_registration(grey[1], CLOSE_PX_PER_MM), CLOSE_PX_PER_MM)
    height, width = grey[0].shape
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    moved = np.asarray(
        cv2.remap(a, x + flow[..., 0], y + flow[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE),
        np.uint8,
    )
    drawn = drawn_apart(moved, b, one.shown)
    rim = round(_RIM_MM * CLOSE_PX_PER_MM)
    known = float(drawn.shown.mean() / ((height - 2 * rim) * (width - 2 * rim) / (height * width)))
    coloured = within_rim(height, width, _COLOUR_RIM_MM, _CORNER_MM, CLOSE_PX_PER_MM)
    told = drawn.shown | (drawn.clear & coloured)
    apart = colours_apart(moved, b, told, CLOSE_PX_PER_MM)
    if apart is None:
        return replace(NO_DIFFERENCE, seen=known, alike=0.0)
    structure = float(drawn.structure.max())
    return Difference(structure, apart.hue, apart.colour, apart.cast, known, drawn.alike)


@dataclass(frozen=True)
class DrawnApart:
    """Where the drawings of two registered views differ: `structure` (H, W), the residual of the cell around
    each place in standard deviations of chance. No glare hides what is `clear` (H, W). What is not rim of
    that is `shown` (H, W), and `alike` is the correlation over it."""

    structure: Field
    clear: NDArray[np.bool_]
    shown: NDArray[np.bool_]
    alike: float


def drawn_apart(
    one: NDArray[np.uint8], other: NDArray[np.uint8], inside: NDArray[np.bool_] | None = None
) -> DrawnApart:
    """Difference of the drawings of two registered views (H, W, 3) BGR at `CLOSE_PX_PER_MM`. `inside` (H, W):
    where the first shows the card; None: all over."""
    greys = [cv2.cvtColor(each, cv2.COLOR_BGR2GRAY).astype(np.float32) for each in (one, other)]
    first, second = _equally_sharp(greys[0], greys[1])
    fitted, dull, gain = _lit_alike(first, second, round(_LIGHT_MM * CLOSE_PX_PER_MM) | 1)
    unseen = _hidden(one, other, dull)
    if inside is not None:
        unseen |= ~inside
    clear = cv2.dilate(unseen.astype(np.uint8), np.ones((_ROUND, _ROUND), np.uint8)) == 0
    rim = round(_RIM_MM * CLOSE_PX_PER_MM)
    shown = np.zeros_like(unseen)
    shown[rim:-rim, rim:-rim] = clear[rim:-rim, rim:-rim]
    cell = round(_CELL_MM * CLOSE_PX_PER_MM) | 1
    weight = cv2.blur(shown.astype(np.float32), (cell, cell))
    rest = np.where(shown, (second - fitted) ** 2, 0).astype(np.float32)
    energy = cv2.blur(rest, (cell, cell)) / np.maximum(weight, 0.5) / _chance(second, gain, cell)
    structure = np.sqrt(np.where(weight > 0.5, energy, 0)).astype(np.float32)
    p, q = (each[shown] - each[shown].mean() if shown.any() else np.zeros(1) for each in (fitted, second))
    alike = float((p * q).sum() / (np.linalg.norm(p) * np.linalg.norm(q) + 1e-6))
    return DrawnApart(structure, np.asarray(clear, np.bool_), shown, alike)


def _chance(grey: Field, gain: Field, cell: int) -> Field:
    """Variance (H, W) that noise, misregistration and blur leave between two views of one card, of which one
    had this gain."""
    slope = (
        cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=0.125) ** 2
        + cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=0.125) ** 2
    )
    # contrast that is raised raises noise with it
    chance = (_NOISE * np.maximum(gain, 1.0)) ** 2
    chance += (_SHIFT_MM * CLOSE_PX_PER_MM) ** 2 * cv2.blur(slope, (cell, cell))
    # a hand that moved blurs one way only: what is fine may be lost in one of the two
    fine = grey - cv2.GaussianBlur(grey, (0, 0), _FINE_MM * CLOSE_PX_PER_MM)
    return np.asarray(chance + _LOST * cv2.blur(fine**2, (cell, cell)), np.float32)


def within_rim(
    height: int, width: int, rim_mm: float, corner_mm: float, px_per_mm: float
) -> NDArray[np.bool_]:
    """Mask (height, width) of a card without its outermost rim and its corners."""
    rim, corner = round(rim_mm * px_per_mm), round(corner_mm * px_per_mm)
    within = np.zeros((height, width), np.bool_)
    within[rim:-rim, corner:-corner] = True
    within[corner:-corner, rim:-rim] = True
    return within


def _equally_sharp(one: Field, other: Field) -> tuple[Field, Field]:
    """Both images at the sharpness of the less sharp one: the sharper image is blurred."""
    energy = [
        float(np.abs(cv2.Sobel(cv2.GaussianBlur(each, (0, 0), 0.7), cv2.CV_32F, 1, 1)).mean())
        / (float(each.std()) + 1.0)
        for each in (one, other)
    ]
    sharp, dull = (0, 1) if energy[0] > energy[1] else (1, 0)
    pictures = [one, other]
    best, least = pictures[sharp], np.inf
    for blur in _BLURS:
        tried = cv2.GaussianBlur(pictures[sharp], (0, 0), blur) if blur else pictures[sharp]
        own = float(np.abs(cv2.Sobel(cv2.GaussianBlur(tried, (0, 0), 0.7), cv2.CV_32F, 1, 1)).mean()) / (
            float(tried.std()) + 1.0
        )
        if abs(own - energy[dull]) < least:
            best, least = tried, abs(own - energy[dull])
    pictures[sharp] = np.asarray(best, np.float32)
    return pictures[0], pictures[1]


def _lit_alike(one: Field, other: Field, window: int) -> tuple[Field, NDArray[np.bool_], Field]:
    """The first image with the second's light and contrast by windows, a mask of windows without contrast,
    and the gain applied to the first."""
    size = (window, window)
    mean_a, mean_b = cv2.blur(one, size), cv2.blur(other, size)
    var_a = np.maximum(cv2.blur(one * one, size) - mean_a**2, 0)
    var_b = np.maximum(cv2.blur(other * other, size) - mean_b**2, 0)
    both = cv2.blur(one * other, size) - mean_a * mean_b
    gain = np.clip((both + 20.0) / (var_a + 20.0), 0.4, 2.5)
    fitted = mean_b + gain * (one - mean_a)
    contrast = np.sqrt((var_a + 16.0) / (var_b + 16.0))
    usual = float(np.median(contrast))
    washed = (contrast < _WASHED * usual) | (contrast > usual / _WASHED)
    return np.asarray(fitted, np.float32), washed, np.asarray(gain, np.float32)


def _hidden(one: NDArray[np.uint8], other: NDArray[np.uint8], dull: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Mask of where one of two views is nearly white, or washed out: `dull` and without colour."""
    white = (one.min(axis=2) >= _WHITE) | (other.min(axis=2) >= _WHITE)
    washed = dull & ~_coloured_alike(one, other, round(_LIGHT_MM * CLOSE_PX_PER_MM) | 1)
    return np.asarray(white | washed, np.bool_)


def _coloured_alike(one: NDArray[np.uint8], other: NDArray[np.uint8], window: int) -> NDArray[np.bool_]:
    """Mask of windows in which both images (H, W, 3) BGR have colour contrast of similar strength."""
    strength = []
    for each in (one, other):
        chroma = cv2.cvtColor(each, cv2.COLOR_BGR2Lab)[..., 1:].astype(np.float32)
        mean = cv2.blur(chroma, (window, window))
        spread = np.maximum(cv2.blur(chroma * chroma, (window, window)) - mean * mean, 0).sum(axis=2)
        strength.append(np.sqrt(spread))
    low, high = np.minimum(*strength), np.maximum(*strength)
    return np.asarray((low > _COLOUR_NOISE) & (low >= _KEPT_COLOUR * high), np.bool_)


# --- colour -------------------------------------------------------------------------------------------------
# Siblings (starters of five colours) may have the same drawing and differ only in a stripe, a frame or an
# emblem. White balance, haze and exposure change the whole face in one way: one gain for each channel,
# one for saturation and one haze are fitted to all of it. The remaining colour difference is summed with
# its sign over cells, so noise, blur and misregistration cancel. Its unit is the difference that light
# can leave. A sibling may differ by a wash over the whole face: the cast.

Array = NDArray[np.float64]
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
