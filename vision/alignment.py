"""Laying a card's art exactly over its picture in the photo: block matching and a robust affine correction.

The plane gives a card's place to a millimetre or two; cards bow, and are not quite on the plane. Blocks of
the art are sought near where they should be (normalised correlation), and a map of six numbers is fitted to
where they were found, with blocks weighted down that disagree (ink, things on the card).
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import homography
from vision.card_index import THUMB_PX_PER_MM
from vision.likeness import Likeness, normalised
from vision.view import View

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
#: Rivals compared closely with a found card.
RIVALS = 3


@dataclass(frozen=True)
class Aligned:
    """A card laid over its picture.

    `card_to_photo` (3, 3) mm on the upright card to photo pixels; `likeness` -1..1; `at_mm`, `at_px` (n, 2)
    points spread over the card, and where they are in the photo.
    """

    card_to_photo: Array
    likeness: float
    at_mm: Array
    at_px: Array


def align(view: View, card_to_photo: Array, card: int, likeness: Likeness) -> Aligned | None:
    """Lay the art of `card` over its picture near `card_to_photo`. None where it is not in the picture."""
    size_mm = likeness.index.card_size_mm
    art = likeness.art(card)
    patch = view.cut_out(card_to_photo, size_mm, THUMB_PX_PER_MM, CARD_SLACK_MM)
    if patch is None:
        return None
    response = cv2.matchTemplate(normalised(patch, THUMB_PX_PER_MM), art, cv2.TM_CCORR_NORMED)
    _, _, _, (x, y) = cv2.minMaxLoc(response)
    shift = (np.array([x, y]) / THUMB_PX_PER_MM) - CARD_SLACK_MM
    moved = card_to_photo @ homography.similarity(0.0, shift)
    at_mm = found_mm = np.zeros((0, 2))
    for _ in range(2):
        patch = view.cut_out(moved, size_mm, THUMB_PX_PER_MM, BLOCK_SLACK_MM)
        if patch is None:
            return None
        at_mm, found_mm, trust = _find_blocks(normalised(patch, THUMB_PX_PER_MM), art)
        if len(at_mm) < LEAST_BLOCKS:
            break
        moved = moved @ _affine(at_mm, found_mm, trust)
    patch = view.cut_out(moved, size_mm, THUMB_PX_PER_MM)
    if patch is None:
        return None
    score = likeness.score(normalised(patch, THUMB_PX_PER_MM), card)
    width, height = size_mm
    grid = np.array([[x, y] for x in np.linspace(5, width - 5, 4) for y in np.linspace(5, height - 5, 5)])
    return Aligned(moved, score, grid, homography.apply(moved, grid))


def likeness_at(view: View, card_to_photo: Array, card: int, likeness: Likeness) -> dict[int, float]:
    """Likeness of the few other cards that come nearest to being at a place: number to score."""
    size_mm = likeness.index.card_size_mm
    coarse = likeness.coarse_region(view, card_to_photo)
    patch = view.cut_out(card_to_photo, size_mm, THUMB_PX_PER_MM)
    if coarse is None or patch is None:
        return {}
    scores, _ = likeness.try_all(coarse, 0)
    fine = normalised(patch, THUMB_PX_PER_MM)
    nearest = [int(rival) for rival in np.argsort(-scores)[: RIVALS + 1] if rival != card][:RIVALS]
    return {rival: likeness.score(fine, rival) for rival in nearest}


def _find_blocks(region: Image, art: Image) -> tuple[Array, Array, Array]:
    """Blocks of the art found in the region: middles (n, 2) mm, found middles (n, 2) mm, correlation (n,)."""
    block, step = round(BLOCK_MM * THUMB_PX_PER_MM), round(BLOCK_STEP_MM * THUMB_PX_PER_MM)
    slack = round(BLOCK_SLACK_MM * THUMB_PX_PER_MM)
    height, width = art.shape
    at, found, trust = [], [], []
    for y in range(0, height - block + 1, step):
        for x in range(0, width - block + 1, step):
            piece = art[y : y + block, x : x + block]
            window = region[y : y + block + 2 * slack, x : x + block + 2 * slack]
            response = np.asarray(cv2.matchTemplate(window, piece, cv2.TM_CCOEFF_NORMED), np.float32)
            _, peak, _, (px, py) = cv2.minMaxLoc(response)
            if peak < LEAST_BLOCK or not (0 < px < 2 * slack and 0 < py < 2 * slack):
                continue
            dx = _vertex(response[py, px - 1 : px + 2])
            dy = _vertex(response[py - 1 : py + 2, px])
            middle = np.array([x + block / 2, y + block / 2])
            at.append(middle / THUMB_PX_PER_MM)
            found.append((middle + np.array([px + dx - slack, py + dy - slack])) / THUMB_PX_PER_MM)
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
