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
from vision.neighbours import Size
from vision.view import View, pixel_size

Array = NDArray[np.float64]
Image = NDArray[np.float32]

# The numbers below were measured on cards of 63 x 88 mm, laid by hand and bowed, in renders of tables.

#: How far off a card may lie at first, and a block after the whole card has been shifted.
CARD_SLACK_MM = 4.0
BLOCK_SLACK_MM = 1.5
#: Blocks of this size are sought, or of this share of a small card's shorter side; they overlap by a third.
BLOCK_MM = 15.0
BLOCK_SHARE = 1 / 3
#: Correlation from which a block's place counts, and how many are needed for the affine map.
LEAST_BLOCK = 0.35
LEAST_BLOCKS = 6
#: Blocks are sought anew once the card has been moved, but not where no corner went farther than the last
#: number; more often than the first where so many were found that the card is most likely this one.
ROUNDS, MOST_ROUNDS, TELLING_BLOCKS, NEAR_MM = 2, 4, 16, 0.4
#: Misfit in mm beyond which a block's place is weighted down.
BLOCK_MISFIT_MM = 0.3
#: How firmly a card's slant, size and perspective are taken to be the plane's, as so many blocks at its rim
#: would say: where a part of it is seen, that would tell the rest wildly.
STIFFNESS = 0.2
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
    size_mm = likeness.index.sizes_mm[card]
    size_px = pixel_size(size_mm, THUMB_PX_PER_MM)
    art = likeness.art(card)
    slack = round(CARD_SLACK_MM * THUMB_PX_PER_MM)
    patch = view.cut_out(card_to_photo, size_mm, size_px, slack)
    if patch is None:
        return None
    response = cv2.matchTemplate(normalised(patch, THUMB_PX_PER_MM), art, cv2.TM_CCORR_NORMED)
    _, _, _, (x, y) = cv2.minMaxLoc(response)
    shift = (np.array([x, y]) - slack) * _mm_per_px(size_mm)
    moved = card_to_photo @ homography.similarity(0.0, shift)
    at_mm, corners = np.zeros((0, 2)), homography.rectangle(*size_mm)
    for number in range(MOST_ROUNDS):
        if number >= ROUNDS and len(at_mm) < TELLING_BLOCKS:
            break
        patch = view.cut_out(moved, size_mm, size_px, round(BLOCK_SLACK_MM * THUMB_PX_PER_MM))
        if patch is None:
            return None
        at_mm, found_mm, trust = _find_blocks(normalised(patch, THUMB_PX_PER_MM), art, size_mm)
        if len(at_mm) < LEAST_BLOCKS:
            break
        correction = _correction(at_mm, found_mm, trust, size_mm)
        moved = moved @ correction
        if np.linalg.norm(homography.apply(correction, corners) - corners, axis=1).max() < NEAR_MM:
            break
    return laid_at(view, moved, card, likeness)


def laid_at(view: View, card_to_photo: Array, card: int, likeness: Likeness) -> Aligned | None:
    """A card laid just there. None where that is not in the picture."""
    width, height = size_mm = likeness.index.sizes_mm[card]
    patch = view.cut_out(card_to_photo, size_mm, pixel_size(size_mm, THUMB_PX_PER_MM))
    if patch is None:
        return None
    score = likeness.score(normalised(patch, THUMB_PX_PER_MM), card)
    grid = np.array([[x, y] for x in np.linspace(5, width - 5, 4) for y in np.linspace(5, height - 5, 5)])
    return Aligned(card_to_photo, score, grid, homography.apply(card_to_photo, grid))


def likeness_at(
    view: View, card_to_photo: Array, card: int, likeness: Likeness
) -> dict[tuple[int, int], float]:
    """Likeness of the few other cards that come nearest to being where `card` is, and of the card itself
    turned: number and quarter turns against it, to score. A card that looks the same turned is no rival of
    itself; one that is much the same is as far behind as where it differs.
    """
    index = likeness.index
    size_mm = index.sizes_mm[card]
    coarse = likeness.coarse_region(view, card_to_photo, size_mm)
    patch = view.cut_out(card_to_photo, size_mm, pixel_size(size_mm, THUMB_PX_PER_MM))
    if coarse is None or patch is None:
        return {}
    fine = normalised(patch, THUMB_PX_PER_MM)
    cards = likeness.cards_of(size_mm)
    rivals: list[tuple[float, int, int]] = []
    for quarters in index.flips(size_mm):
        # Turned clockwise, a card looks upright in a picture that is turned back.
        scores, _ = likeness.try_all(np.ascontiguousarray(np.rot90(coarse, quarters)), size_mm)
        for k in np.argsort(-scores)[: RIVALS + 1]:
            rival = int(cards[k])
            if quarters in index.turns(rival) and (rival, quarters) != (card, 0):
                rivals.append((float(scores[k]), rival, quarters))
    # Sisters that differ in colour alone are all told, however many they are.
    found = {(sister, 0): likeness.score(fine, sister) for sister in likeness.sisters(card)}
    most = len(found) + RIVALS
    for _, rival, quarters in sorted(rivals, reverse=True):
        if len(found) == most:
            break
        if (rival, quarters) in found:
            continue
        if rival != card:
            found[rival, quarters] = likeness.score(np.rot90(fine, quarters), rival)
        elif (gap := likeness.turn_gap(fine, card, quarters)) is not None:
            found[rival, quarters] = likeness.score(fine, card) - gap
    return found


def turned_map(card_to_photo: Array, size_mm: Size, quarters: int) -> Array:
    """(3, 3) the map of a card that lies in the place of another one of its size, turned clockwise against it
    by quarters that keep its footprint."""
    middle = np.asarray(size_mm) / 2
    turn = homography.similarity(quarters * np.pi / 2, np.zeros(2))
    return card_to_photo @ homography.similarity(quarters * np.pi / 2, middle - turn[:2, :2] @ middle)


def _mm_per_px(size_mm: Size) -> Array:
    """(2,) the length of a pixel of a card's small picture, across and down."""
    return np.array(size_mm) / pixel_size(size_mm, THUMB_PX_PER_MM)


def _find_blocks(region: Image, art: Image, size_mm: Size) -> tuple[Array, Array, Array]:
    """Blocks of the art found in the region: middles (n, 2) mm, found middles (n, 2) mm, correlation (n,)."""
    block = round(min(BLOCK_MM, BLOCK_SHARE * min(size_mm)) * THUMB_PX_PER_MM)
    step = round(block * 2 / 3)
    slack = round(BLOCK_SLACK_MM * THUMB_PX_PER_MM)
    mm = _mm_per_px(size_mm)
    height, width = art.shape
    at, peaks, around, trust = [], [], [], []
    for y in range(0, height - block + 1, step):
        for x in range(0, width - block + 1, step):
            piece = art[y : y + block, x : x + block]
            window = region[y : y + block + 2 * slack, x : x + block + 2 * slack]
            response = cv2.matchTemplate(window, piece, cv2.TM_CCOEFF_NORMED)
            _, peak, _, (px, py) = cv2.minMaxLoc(response)
            if peak < LEAST_BLOCK or not (0 < px < 2 * slack and 0 < py < 2 * slack):
                continue
            at.append((x, y))
            peaks.append((px, py))
            around.append(response[py - 1 : py + 2, px - 1 : px + 2])
            trust.append(peak)
    if not at:
        return np.zeros((0, 2)), np.zeros((0, 2)), np.zeros(0)
    near = np.array(around, np.float64)
    within = np.column_stack([_vertices(near[:, 1]), _vertices(near[:, :, 1])])
    middles = np.array(at) + block / 2
    return middles * mm, (middles + peaks + within - slack) * mm, np.array(trust)


def _vertices(threes: Array) -> Array:
    """(n,) where between -1 and 1 the parabolas through (n, 3) values at -1, 0, 1 have their tops."""
    before, here, after = threes.T
    bend = before - 2 * here + after
    top = (before - after) / (2 * np.where(bend < 0, bend, -np.inf))
    return np.asarray(np.clip(top, -1, 1))


def _correction(at_mm: Array, found_mm: Array, trust: Array, size_mm: Size) -> Array:
    """(3, 3) homography from `at_mm` to `found_mm`, by iteratively reweighted least squares; affine as far as
    few blocks tell."""
    # In halves of the card from its middle: the linear form of a homography weighs all of it alike.
    middle, unit = np.array(size_mm) / 2, max(size_mm) / 2
    at, found = (at_mm - middle) / unit, (found_mm - middle) / unit
    rows = np.zeros((len(at), 2, 8))
    rows[:, 0, 0:2] = rows[:, 1, 3:5] = at
    rows[:, 0, 2] = rows[:, 1, 5] = 1.0
    rows[:, :, 6:] = -found[:, :, None] * at[:, None]
    flat, wanted = rows.reshape(-1, 8), (found - at).ravel()
    stiff = np.diag([STIFFNESS, STIFFNESS, 1e-9] * 2 + [STIFFNESS] * 2)
    away = found_mm - at_mm
    misfit = np.linalg.norm(away - np.median(away, axis=0), axis=1)
    solved = np.eye(3)
    for _ in range(6):
        weighted = flat * np.repeat(trust / (1 + (misfit / BLOCK_MISFIT_MM) ** 2), 2)[:, None]
        told = np.linalg.solve(weighted.T @ flat + stiff, weighted.T @ wanted)
        solved = np.eye(3) + np.append(told, 0.0).reshape(3, 3)
        misfit = unit * np.linalg.norm(homography.apply(solved, at) - found, axis=1)
    to_units = np.array([[1 / unit, 0, -middle[0] / unit], [0, 1 / unit, -middle[1] / unit], [0, 0, 1.0]])
    return np.asarray(np.linalg.solve(to_units, solved @ to_units))
