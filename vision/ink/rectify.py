"""Rectification: photo and card pose -> the upright card at the ink map's scale, registered to its art within
a fraction of a line's width."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.catalogue import Catalogue
from vision.cards.index import read_art
from vision.cards.pose import LayoutCard, corners_of
from vision.ink.ink_map import PX_PER_MM
from vision.photo.numerics import median, wide_blur
from vision.photo.view import halvings_for_ink, px_per_mm

Image = NDArray[np.float32]
#: High-passed samples (N,) of a card's picture, for each of the blurs tried.
Details = tuple[Image, ...]

#: Blurs tried (Gaussian sigma, mm), and the least blur (px) that exceeds that of resampling.
_BLURS_MM = (0.0, 0.12, 0.2, 0.3, 0.45)
LEAST_BLUR_PX = 0.3
#: Scale (mm) of the high-pass; slower variation counts as illumination.
_FINE_MM = 1.0


def details_of(blank_grey: Image, px_per_mm: float) -> Details:
    """High-pass of a blank card's grey picture (H, W) under each of the tried blurs."""
    grey = _middle(blank_grey)
    sigmas = (blur_mm * px_per_mm for blur_mm in _BLURS_MM)
    softened = (cv2.GaussianBlur(grey, (0, 0), sigma) if sigma > LEAST_BLUR_PX else grey for sigma in sigmas)
    return tuple(_fine(np.asarray(soft, np.float32), px_per_mm) for soft in softened)


def matched_blur(seen: Image, details: Details, px_per_mm: float) -> float:
    """Estimated blur of a photo: the Gaussian sigma (px) that makes the sharp art as blurred as the photo.

    `seen` is (H, W, 3) float32 and has the size of the blank card.
    """
    target = _fine(np.asarray(cv2.cvtColor(_middle(seen), cv2.COLOR_BGR2GRAY), np.float32), px_per_mm)
    # trimmed, so that ink does not influence the estimate of print sharpness
    inside = np.abs(target) < 3 * median(np.abs(target)) + 0.02
    target = target[inside]
    errors = []
    for high in details:
        x = high[inside]
        factor = float((x * target).sum() / max(float((x * x).sum()), 1e-9))
        errors.append(float(((target - factor * x) ** 2).sum()))
    return _BLURS_MM[int(np.argmin(errors))] * px_per_mm


def _middle(picture: Image) -> Image:
    """The central part of a card's picture, from which the blur is estimated."""
    top, left = picture.shape[0] // 4, picture.shape[1] // 5
    return picture[top:-top, left:-left]


def _fine(grey: Image, px_per_mm: float) -> Image:
    """High-pass of a grey picture at every third pixel, (N,)."""
    fine = cv2.subtract(grey, cv2.GaussianBlur(grey, (0, 0), _FINE_MM * px_per_mm))
    return np.asarray(fine[2::3, 2::3], np.float32).ravel()


# The numbers below were tuned on bowed cards of 63 x 88 mm in the tuning split of `samples/` (compositor).

#: Blocks are compared at half the working scale: fine enough for a fiftieth of a millimetre, and cheap.
_SHRINK = 0.5
#: Side of a block: large enough to hold some corridor walls.
_BLOCK_MM = 19.5
#: Blocks along a card's shorter and its longer side. They overlap; on small cards more.
_BLOCKS = (5, 7)
#: Largest displacement (mm) accepted; beyond it the pose itself would be wrong.
_LARGEST_MM = 2.5
#: Least phase correlation response; it is nearly 1 for equal pictures, and lower values are chance.
_LEAST_RESPONSE = 0.12
#: Number of polynomial terms fitted first (motion and bending of the whole card), and of all terms.
_FIRST_TERMS, _ALL_TERMS = 6, 10
#: Regularisation of each term in the fit to blocks.
_STIFFNESS = np.array([0.0, 0.02, 0.02, 0.1, 0.1, 0.1, 0.6, 0.6, 0.6, 0.6])
#: Number of robust reweighting rounds; number of refinement steps; damping of a step (slopes over two pixels
#: are less than a picture's own); pixel step; and the residual (deviations of the card's pattern) above which
#: pixels count less. On four tuning photos this leaves 1 to 4% less residual than three rounds of blocks.
_ROUNDS = 5
_MENDING, _STEP, _EVERY, _UNLIKE = 2, 0.75, 2, 0.7
#: Width (px) of a card's rim that is not compared.
_RIM = 4

Array = NDArray[np.float64]


def for_registration(grey: NDArray[np.float32], px_per_mm: float) -> NDArray[np.float32]:
    """A card's grey picture (H, W) prepared for registration: downsampled, with even illumination."""
    height, width = grey.shape
    size = (max(16, round(width * _SHRINK)), max(16, round(height * _SHRINK)))
    return _evened(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), px_per_mm * _SHRINK)


def residual_flow(
    seen_grey: NDArray[np.float32], blank: NDArray[np.float32], px_per_mm: float
) -> NDArray[np.float32]:
    """Dense optical flow, (H, W, 2) px: blank pixel (x, y) is seen at (x, y) + flow[y, x].

    `seen_grey` is (H, W) float32, `px_per_mm` to the millimetre; `blank` is the blank card's picture of the
    same size, made by `for_registration`.
    """
    height, width = seen_grey.shape
    seen = for_registration(seen_grey, px_per_mm)
    size = (seen.shape[1], seen.shape[0])
    xs, ys = _grid(size)
    best = np.zeros((*seen.shape, 2), np.float32)
    at, moved, weight = _block_shifts(seen, blank, px_per_mm * _SHRINK)
    if np.count_nonzero(weight) < _FIRST_TERMS + 4:
        return np.zeros((height, width, 2), np.float32)
    least, warped = _misfit(seen, blank), seen
    slopes = _slopes(blank)
    for round_ in range(1 + _MENDING):
        if round_ == 0:
            flow = _polynomial(at, moved, weight, size)
            # resampling itself costs a few hundredths
            enough = 1.03 * least
        else:
            flow = best + _mended(warped, blank, slopes)
            enough = least
        tried = cv2.remap(seen, xs + flow[..., 0], ys + flow[..., 1], cv2.INTER_LINEAR)
        misfit = _misfit(tried, blank)
        if misfit < enough:
            best, least, warped = flow, misfit, tried
        elif round_:
            break
    return np.asarray(cv2.resize(best / _SHRINK, (width, height)), np.float32)


@lru_cache(maxsize=8)
def _grid(size: tuple[int, int]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Coordinates (h, w) of all pixels, x and y; cached, read-only."""
    xs, ys = np.meshgrid(np.arange(size[0], dtype=np.float32), np.arange(size[1], dtype=np.float32))
    return xs, ys


def _compared(picture: NDArray[np.float32]) -> NDArray[np.float32]:
    """The pixels (N,) of a picture that the refinement compares."""
    return picture[_RIM:-_RIM:_EVERY, _RIM:-_RIM:_EVERY].ravel()


@lru_cache(maxsize=8)
def _compared_monomials(size: tuple[int, int]) -> NDArray[np.float32]:
    """Monomials (10, N) at the pixels that the refinement compares; cached, read-only."""
    xs, ys = _grid(size)
    u, v = (2 * _compared(xs) + 1) / size[0] - 1, (2 * _compared(ys) + 1) / size[1] - 1
    return np.ascontiguousarray(_monomials(u, v).T, np.float32)


def _slopes(blank: NDArray[np.float32]) -> NDArray[np.float32]:
    """Jacobian (20, N): derivative of each compared pixel by each coefficient of the polynomial, in x and in
    y."""
    monomials = _compared_monomials((blank.shape[1], blank.shape[0]))
    ways = ((1, 0), (0, 1))
    return np.concatenate(
        [monomials * _compared(cv2.Sobel(blank, cv2.CV_32F, *way, ksize=3, scale=0.125)) for way in ways]
    )


def _mended(
    warped: NDArray[np.float32], blank: NDArray[np.float32], slopes: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Correction field (h, w, 2) in pixels between `warped` and the blank card: one robust Gauss-Newton
    step."""
    away = _compared(warped) - _compared(blank)
    weight = 1 / (1 + (away / np.float32(_UNLIKE)) ** 2) ** 2
    weighted = slopes * weight
    normal = (weighted @ slopes.T).astype(np.float64)
    # the same stiffness relative to all pixels as relative to all blocks
    stiffness = np.tile(_STIFFNESS, 2) * (normal[0, 0] + normal[_ALL_TERMS, _ALL_TERMS])
    stiffness /= 2 * _BLOCKS[0] * _BLOCKS[1]
    told: Array = np.asarray(
        np.linalg.solve(normal + np.diag(stiffness + 1e-9), -(weighted @ away).astype(np.float64))
    )
    return _field(_STEP * told.reshape(2, _ALL_TERMS).T, (blank.shape[1], blank.shape[0]))


def _block_shifts(
    seen: NDArray[np.float32], blank: NDArray[np.float32], px_per_mm: float
) -> tuple[Array, Array, Array]:
    """Displacements of blocks by phase correlation: their centres (N, 2), shifts (N, 2) and weights (N,), in
    pixels."""
    height, width = blank.shape
    # OpenCV's phase correlation is off by half a pixel if it pads to an odd size; multiples of 16 need no
    # padding
    side = max(16, min(round(_BLOCK_MM * px_per_mm), width, height) // 16 * 16)
    window = cv2.createHanningWindow((side, side), cv2.CV_32F)
    at, moved, weight = [], [], []
    columns, rows = _BLOCKS if width <= height else _BLOCKS[::-1]
    for top in np.linspace(0, height - side, rows).astype(int):
        for left in np.linspace(0, width - side, columns).astype(int):
            block = (slice(top, top + side), slice(left, left + side))
            # OpenCV multiplies its input by the window in place, so it gets copies
            shift, response = cv2.phaseCorrelate(blank[block].copy(), seen[block].copy(), window)
            near = max(abs(shift[0]), abs(shift[1])) < _LARGEST_MM * px_per_mm
            at.append((left + side / 2, top + side / 2))
            moved.append(shift)
            weight.append(response if near and response > _LEAST_RESPONSE else 0.0)
    return np.array(at), np.array(moved), np.array(weight)


def _polynomial(at: Array, moved: Array, weight: Array, size: tuple[int, int]) -> NDArray[np.float32]:
    """Polynomial displacement field (h, w, 2) fitted robustly to the shifts at block centres."""
    rows = _monomials(2 * at[:, 0] / size[0] - 1, 2 * at[:, 1] / size[1] - 1)[:, :_FIRST_TERMS]
    stiffness = np.diag(_STIFFNESS[:_FIRST_TERMS])
    robust = np.ones(len(weight))
    coefficients: Array = np.zeros((_FIRST_TERMS, 2))
    for _ in range(_ROUNDS):
        scaled = rows * (weight * robust)[:, None]
        coefficients = np.asarray(np.linalg.solve(rows.T @ scaled + stiffness, scaled.T @ moved))
        error = np.linalg.norm(moved - rows @ coefficients, axis=1)
        spread = max(2.0 * median(error), 0.1)
        robust = 1.0 / (1.0 + (error / spread) ** 2) ** 2
    return _field(coefficients, size)


def _field(coefficients: Array, size: tuple[int, int]) -> NDArray[np.float32]:
    """Displacement field (h, w, 2) of a polynomial with coefficients (terms, 2)."""
    small = size[0] // 4, size[1] // 4
    field = _grid_monomials(small)[:, : len(coefficients)] @ coefficients
    return np.asarray(cv2.resize(field.reshape(small[1], small[0], 2).astype(np.float32), size), np.float32)


@lru_cache(maxsize=8)
def _grid_monomials(size: tuple[int, int]) -> Array:
    """Monomials (N, 10) at the points of a grid over a card; cached, read-only."""
    xs, ys = np.meshgrid(np.linspace(-1, 1, size[0]), np.linspace(-1, 1, size[1]))
    return _monomials(xs.ravel(), ys.ravel())


def _monomials(x: Array, y: Array) -> Array:
    """Monomials (N, 10) of x and y up to the third degree."""
    return np.column_stack([np.ones_like(x), x, y, x * x, x * y, y * y, x**3, x * x * y, x * y * y, y**3])


def _misfit(seen: NDArray[np.float32], blank: NDArray[np.float32]) -> float:
    """Mean absolute difference of two pictures, with large differences (ink) clipped."""
    return float(np.minimum(np.abs(seen - blank), 1.5)[4:-4, 4:-4].mean())


def _evened(grey: NDArray[np.float32], px_per_mm: float) -> NDArray[np.float32]:
    """Picture normalised to mean 0 and deviation 1 over about 8 mm, which removes light and exposure."""
    away = grey - wide_blur(grey, 4.0 * px_per_mm)
    deviation = np.sqrt(wide_blur(away * away, 4.0 * px_per_mm)) + np.float32(0.01)
    return np.asarray(np.clip(away / deviation, -2.5, 2.5), np.float32)


Picture = NDArray[np.uint8]

#: Width (mm) of a card's edge that is ignored, as it is worn, rounded and in its neighbour's shadow.
_EDGE_MM = 0.5


def halvings_for(poses: Sequence[LayoutCard], catalogue: Catalogue, most: int) -> int:
    """Number of times, up to `most`, that a photo may be halved and keep the resolution for reading ink."""
    seen = (px_per_mm(pose.corners_px, catalogue.size_of(pose.card)) for pose in poses)
    return halvings_for_ink(seen, most)


def halved_pose(pose: LayoutCard, halvings: int) -> LayoutCard:
    """Pose of a card in a photo that was halved `halvings` times; pixel coordinates refer to pixel
    centres."""
    if not halvings:
        return pose
    scale = 0.5**halvings
    shift = 0.5 * scale - 0.5
    to_half = np.array([[scale, 0, shift], [0, scale, shift], [0, 0, 1]])
    corners = corners_of(pose.corners_px * scale + shift)
    return replace(pose, card_to_photo=to_half @ pose.card_to_photo, corners=corners)


@dataclass(frozen=True)
class BlankArt:
    """A card's art (H, W, 3) uint8 at the working scale, with data for registration and blur matching;
    cached, read-only."""

    art: NDArray[np.uint8]
    even: Image
    details: Details

    def picture(self) -> Image:
        """The art as float32 values 0..1, (H, W, 3)."""
        return np.divide(self.art, np.float32(255), dtype=np.float32)


@lru_cache(maxsize=128)
def blank_art(path: Path, changed_ns: int, size: tuple[int, int]) -> BlankArt:
    """Art from a file, resized; cached by path and modification time."""
    del changed_ns
    art = read_art(path)
    if art is None:
        raise FileNotFoundError(path)
    art = np.asarray(cv2.resize(art, size, interpolation=cv2.INTER_AREA), np.uint8)
    grey = cv2.cvtColor(np.divide(art, np.float32(255), dtype=np.float32), cv2.COLOR_BGR2GRAY)
    return BlankArt(art, for_registration(grey, PX_PER_MM), details_of(grey, PX_PER_MM))


def rectified(
    photo_bgr: NDArray[np.uint8],
    pose: LayoutCard,
    blank: BlankArt,
    to_mm: NDArray[np.float64],
    size_mm: tuple[float, float],
) -> tuple[Picture, float]:
    """A card rectified and registered to its art, (H, W, 3) uint8, and the largest correction (mm) by
    registration."""
    height, width = blank.art.shape[:2]
    window, homography = _window(photo_bgr, pose, size_mm)
    homography = homography @ to_mm
    first = cv2.warpPerspective(
        cv2.cvtColor(window, cv2.COLOR_BGR2GRAY),
        homography,
        (width, height),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    flow = residual_flow(np.divide(first, np.float32(255), dtype=np.float32), blank.even, PX_PER_MM)
    points = cv2.add(flow, _pixel_grid((width, height)))
    at = cv2.perspectiveTransform(points.reshape(-1, 1, 2), homography).reshape(points.shape)
    face = cv2.remap(window, at, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    seen = np.asarray(face, np.uint8)
    far = float(np.sqrt((flow[..., 0] ** 2 + flow[..., 1] ** 2).max())) / PX_PER_MM
    return seen, far


@lru_cache(maxsize=8)
def _pixel_grid(size: tuple[int, int]) -> Image:
    """Coordinates (H, W, 2) of all pixels of a card; cached, read-only."""
    xs, ys = np.meshgrid(np.arange(size[0], dtype=np.float32), np.arange(size[1], dtype=np.float32))
    return np.stack([xs, ys], axis=-1)


def softened(blank: BlankArt, blur_mm: float) -> Image:
    """The blank card's art with the photo's blur, (H, W, 3) float32."""
    art, sigma = blank.picture(), blur_mm * PX_PER_MM
    return np.asarray(cv2.GaussianBlur(art, (0, 0), sigma) if sigma > LEAST_BLUR_PX else art, np.float32)


def _window(
    photo_bgr: NDArray[np.uint8], pose: LayoutCard, size_mm: tuple[float, float]
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """Crop of the photo around a card, and the homography from card mm to its pixels.

    The crop is shrunk if it holds more detail than the working scale.
    """
    corners = np.asarray(pose.corners_px, float)
    low = np.maximum(np.floor(corners.min(axis=0)).astype(int) - 12, 0)
    high = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + 12, [photo_bgr.shape[1], photo_bgr.shape[0]])
    high = np.maximum(high, low + 2)
    window = photo_bgr[low[1] : high[1], low[0] : high[0]]
    scale = px_per_mm(corners, size_mm) / PX_PER_MM
    shrink = 1.0
    if scale > 1.5:
        shrink = 1.2 / scale
        window = cv2.resize(window, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    move = np.array(
        [[shrink, 0, (0.5 - low[0]) * shrink - 0.5], [0, shrink, (0.5 - low[1]) * shrink - 0.5], [0, 0, 1]]
    )
    return window, move @ pose.card_to_photo


@lru_cache(maxsize=16)
def inside_edge(size: tuple[int, int], radius_mm: float) -> NDArray[np.bool_]:
    """Mask (H, W) of a card's face without its edge and rounded corners; cached, read-only."""
    mask = np.zeros((size[1], size[0]), np.uint8)
    margin = round(_EDGE_MM * PX_PER_MM)
    cv2.rectangle(mask, (margin, margin), (size[0] - 1 - margin, size[1] - 1 - margin), 1, -1)
    radius = radius_mm * PX_PER_MM
    ys, xs = np.mgrid[: size[1], : size[0]]
    dx = np.maximum(radius - np.minimum(xs, size[0] - 1 - xs), 0)
    dy = np.maximum(radius - np.minimum(ys, size[1] - 1 - ys), 0)
    # a corner rounded by less than the margin is square at the margin's inner edge
    made: NDArray[np.bool_] = (mask > 0) & (np.hypot(dx, dy) <= max(radius - margin, 0))
    return made
