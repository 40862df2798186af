"""Laying a card's art exactly over its picture in the photo: block matching and a robust affine correction.

The plane gives a card's place to a millimetre or two; cards bow, and are not quite on the plane. Blocks of the art are
sought near where they should be (normalised correlation), and a map of six numbers is fitted to where they were found,
with blocks weighted down that disagree (ink, things on the card).
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import homography
from vision.card_index import THUMB_PX_PER_MM
from vision.likeness import Likeness, normalised

Array = NDArray[np.float64]
Image = NDArray[np.float32]

#: How far off a card may lie at first, and a block after the whole card has been shifted.
CARD_SLACK_MM = 4.0
BLOCK_SLACK_MM = 1.5
#: Blocks of this size are sought, overlapping by a third.
BLOCK_MM = 15.0
BLOCK_STEP_MM = 10.0
#: Correlation from which a block's place counts, and how many are needed for the affine map.
LEAST_BLOCK = 0.35
LEAST_BLOCKS = 6
#: Misfit in mm beyond which a block's place is weighted down.
BLOCK_MISFIT_MM = 0.3
#: A card of which less than this share is in the picture is not compared.
LEAST_VISIBLE = 0.55
#: Rivals compared closely with a found card.
RIVALS = 3


@dataclass(frozen=True)
class View:
    """The reduced photo: `grey` (h, w) and the scale by which its pixels are smaller than the photo's."""

    grey: NDArray[np.uint8]
    scale: float

    def warp(
        self, card_to_photo: Array, size_mm: tuple[float, float], px_per_mm: float, slack_mm: float
    ) -> NDArray[np.uint8] | None:
        """The card's footprint widened by `slack_mm`, upright; None where too little of it is in the picture."""
        corners = homography.apply(card_to_photo, homography.rectangle(*size_mm)) * self.scale
        if not np.isfinite(corners).all() or not homography.is_convex(corners):
            return None
        whole = cv2.contourArea(corners.astype(np.float32))
        height, width = self.grey.shape
        inside, _ = cv2.intersectConvexConvex(
            corners.astype(np.float32), homography.rectangle(width, height).astype(np.float32)
        )
        if inside < LEAST_VISIBLE * whole:
            return None
        slack = round(slack_mm * px_per_mm)
        size = (round(size_mm[0] * px_per_mm) + 2 * slack, round(size_mm[1] * px_per_mm) + 2 * slack)
        # Output pixel centres to card mm to photo pixels to the reduced picture's pixel centres.
        to_mm = np.array(
            [
                [1 / px_per_mm, 0, (0.5 - slack) / px_per_mm],
                [0, 1 / px_per_mm, (0.5 - slack) / px_per_mm],
                [0, 0, 1],
            ]
        )
        reduce = np.array(
            [[self.scale, 0, 0.5 * self.scale - 0.5], [0, self.scale, 0.5 * self.scale - 0.5], [0, 0, 1]]
        )
        return cv2.warpPerspective(  # type: ignore[return-value]
            self.grey,
            reduce @ card_to_photo @ to_mm,
            size,
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )

    def region(
        self, card_to_photo: Array, size_mm: tuple[float, float], px_per_mm: float, slack_mm: float
    ) -> Image | None:
        """As `warp`, each pixel set against its neighbourhood."""
        # Sampled twice as fine and averaged, because a coarse warp skips pixels.
        fine = self.warp(card_to_photo, size_mm, 2 * px_per_mm, slack_mm)
        if fine is None:
            return None
        small = cv2.resize(fine, (fine.shape[1] // 2, fine.shape[0] // 2), interpolation=cv2.INTER_AREA)
        return normalised(small, px_per_mm)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Aligned:
    """A card laid over its picture.

    `card_to_photo` (3, 3) mm on the upright card to photo pixels; `likeness` -1..1; `at_mm`, `at_px` (n, 2) where
    blocks of the card were found; `working_scale` of the picture they were found in.
    """

    card_to_photo: Array
    likeness: float
    at_mm: Array
    at_px: Array
    working_scale: float


def make_view(pixels: NDArray[np.uint8], scale: float) -> View:
    """The reduced grey picture in which cards are aligned."""
    size = (round(pixels.shape[1] * scale), round(pixels.shape[0] * scale))
    small = pixels if scale == 1 else cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    return View(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), scale)  # type: ignore[arg-type]


def align(view: View, card_to_photo: Array, card: int, likeness: Likeness) -> Aligned | None:
    """Lay the art of `card` over its picture near `card_to_photo`. None where it is not in the picture."""
    size_mm = likeness.index.card_size_mm
    art = likeness.art(card)
    patch = view.warp(card_to_photo, size_mm, THUMB_PX_PER_MM, CARD_SLACK_MM)
    if patch is None:
        return None
    response = cv2.matchTemplate(normalised(patch, THUMB_PX_PER_MM), art, cv2.TM_CCORR_NORMED)
    _, _, _, (x, y) = cv2.minMaxLoc(response)
    shift = (np.array([x, y]) / THUMB_PX_PER_MM) - CARD_SLACK_MM
    moved = card_to_photo @ homography.similarity(0.0, shift)
    at_mm = found_mm = np.zeros((0, 2))
    for _ in range(2):
        patch = view.warp(moved, size_mm, THUMB_PX_PER_MM, BLOCK_SLACK_MM)
        if patch is None:
            return None
        at_mm, found_mm, trust = _find_blocks(normalised(patch, THUMB_PX_PER_MM), art)
        if len(at_mm) < LEAST_BLOCKS:
            break
        moved = moved @ _affine(at_mm, found_mm, trust)
    patch = view.warp(moved, size_mm, THUMB_PX_PER_MM, 0)
    if patch is None:
        return None
    score = likeness.score(normalised(patch, THUMB_PX_PER_MM), card)
    width, height = size_mm
    grid = np.array([[x, y] for x in np.linspace(5, width - 5, 4) for y in np.linspace(5, height - 5, 5)])
    return Aligned(moved, score, grid, homography.apply(moved, grid), view.scale)


def likeness_at(view: View, card_to_photo: Array, card: int, likeness: Likeness) -> dict[int, float]:
    """Likeness of the few other cards that come nearest to being at a place: number to score."""
    size_mm = likeness.index.card_size_mm
    coarse = view.region(card_to_photo, size_mm, 1.0, 0)
    patch = view.warp(card_to_photo, size_mm, THUMB_PX_PER_MM, 0)
    if coarse is None or patch is None:
        return {}
    scores, _ = likeness.try_all(coarse, 0)
    fine = normalised(patch, THUMB_PX_PER_MM)
    nearest = [int(rival) for rival in np.argsort(-scores)[: RIVALS + 1] if rival != card][:RIVALS]
    return {rival: likeness.score(fine, rival) for rival in nearest}


def _find_blocks(region: Image, art: Image) -> tuple[Array, Array, Array]:
    """Where blocks of the art lie in the region: their middles (n, 2) mm, found middles (n, 2) mm, correlation (n,)."""
    block, step = round(BLOCK_MM * THUMB_PX_PER_MM), round(BLOCK_STEP_MM * THUMB_PX_PER_MM)
    slack = round(BLOCK_SLACK_MM * THUMB_PX_PER_MM)
    height, width = art.shape
    at, found, trust = [], [], []
    for y in range(0, height - block + 1, step):
        for x in range(0, width - block + 1, step):
            piece = art[y : y + block, x : x + block]
            window = region[y : y + block + 2 * slack, x : x + block + 2 * slack]
            response = cv2.matchTemplate(window, piece, cv2.TM_CCOEFF_NORMED)
            _, peak, _, (px, py) = cv2.minMaxLoc(response)
            if peak < LEAST_BLOCK or not (0 < px < 2 * slack and 0 < py < 2 * slack):
                continue
            dx = _vertex(response[py, px - 1 : px + 2])
            dy = _vertex(response[py - 1 : py + 2, px])
            middle = np.array([x + block / 2, y + block / 2])
            at.append(middle / THUMB_PX_PER_MM)
            found.append((middle + [px + dx - slack, py + dy - slack]) / THUMB_PX_PER_MM)
            trust.append(peak)
    return np.array(at).reshape(-1, 2), np.array(found).reshape(-1, 2), np.array(trust)


def _vertex(three: NDArray[np.float32]) -> float:
    """Where between -1 and 1 the parabola through three values at -1, 0, 1 has its top."""
    before, here, after = (float(value) for value in three)
    bend = before - 2 * here + after
    return 0.0 if bend >= 0 else float(np.clip((before - after) / (2 * bend), -1, 1))


def _affine(at_mm: Array, found_mm: Array, trust: Array) -> Array:
    """(3, 3) affine map from `at_mm` to `found_mm` by iteratively reweighted least squares."""
    design = np.column_stack([at_mm, np.ones(len(at_mm))])
    weight = trust.copy()
    middle = np.median(found_mm - at_mm, axis=0)
    misfit = np.linalg.norm(found_mm - at_mm - middle, axis=1)
    solved = np.eye(3)
    for _ in range(6):
        weight = trust / (1 + (misfit / BLOCK_MISFIT_MM) ** 2)
        root = np.sqrt(weight)[:, None]
        solved[:2] = np.linalg.lstsq(design * root, found_mm * root, rcond=None)[0].T
        misfit = np.linalg.norm(homography.apply(solved, at_mm) - found_mm, axis=1)
    return solved
