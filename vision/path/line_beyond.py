"""Continuation past the last card: picture and outer opening -> whether the line continues beyond the card's
edge.

A path may leave the dungeon at a card's edge, where it ends on the paper. Ink that continues beyond that
edge, of the same strength and colour, lies on another card that may be hidden.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.dungeon import Dungeon
from vision.cards.pose import LayoutCard
from vision.photo.geometry import on_card

Array = NDArray[np.float64]

# Measured on 160 photos of `tuning-evening` (120 of the open deck, 40 of a third one): of 2 paths whose end
# was lost with a card under a hand 1 is detected, and there is 1 false detection.

#: Distances (mm) from the edge at which the line is sampled inside it and beyond it, and their step.
INSIDE_MM, BEYOND_MM, STEP_MM = (1.5, 7.0), (2.0, 7.0), 0.5
#: Half width (mm) of the area across the opening, its step, and the distance at which a line's ground is
#: sampled.
ASIDE_MM, ACROSS_STEP_MM, GROUND_MM = 4.0, 0.25, 1.75
#: Least contrast (0 to 1) of the ink inside; share of it required beyond the edge; share of the steps where
#: it must be found; and largest sideways move (mm) from step to step.
LEAST_CONTRAST, SAME_LINE, MOST_STEPS, ASIDE_A_STEP_MM = 0.06, 0.45, 0.8, 0.75


def goes_on(
    picture: NDArray[np.uint8], scale: float, poses: Sequence[LayoutCard], dungeon: Dungeon, name: str
) -> bool:
    """Whether a line that ends in an opening continues beyond the card's edge, in a picture scaled by
    `scale`."""
    place = dungeon.places[name]
    inside = _seen_along(
        picture, scale, poses[place.card_index], dungeon, name, -np.arange(*INSIDE_MM, STEP_MM)
    )
    beyond = _seen_along(
        picture, scale, poses[place.card_index], dungeon, name, np.arange(*BEYOND_MM, STEP_MM)
    )
    if inside is None or beyond is None:
        return False
    # the line's colour relative to its ground, where it is clearest inside
    left, right = _sides(inside)
    contrast = np.minimum(np.linalg.norm(left, axis=2), np.linalg.norm(right, axis=2))
    contrast[np.einsum("rtc,rtc->rt", left, right) <= 0] = 0
    at = contrast.argmax(axis=1)
    rows = np.arange(len(at))
    ink = np.median(left[rows, at] + right[rows, at], axis=0) / 2
    strength = float(np.linalg.norm(ink))
    if strength < LEAST_CONTRAST:
        return False
    ridge = np.minimum(*(side @ (ink / strength) for side in _sides(beyond)))
    reach = round(ASIDE_A_STEP_MM / ACROSS_STEP_MM)
    spot, met = int(np.median(at)), 0
    for row in ridge:
        low = max(0, spot - reach * (2 if met == 0 else 1))
        near = row[low : spot + reach * (2 if met == 0 else 1) + 1]
        if near.max(initial=0.0) >= SAME_LINE * strength:
            spot, met = low + int(near.argmax()), met + 1
    return met >= MOST_STEPS * len(ridge)


def _sides(seen: Array) -> tuple[Array, Array]:
    """Brightness differences (rows, n, 3) between each point and the ground on its left and right, per
    channel."""
    off = round(GROUND_MM / ACROSS_STEP_MM)
    middle = seen[:, off:-off]
    return seen[:, : -2 * off] - middle, seen[:, 2 * off :] - middle


def _seen_along(
    picture: NDArray[np.uint8], scale: float, pose: LayoutCard, dungeon: Dungeon, name: str, out_mm: Array
) -> Array | None:
    """Colours (len(out_mm), n, 3), 0 to 1, on lines across an opening at distances from the card's edge.

    The result is None if a point lies outside the picture.
    """
    aside = np.arange(-ASIDE_MM - GROUND_MM, ASIDE_MM + GROUND_MM + 1e-9, ACROSS_STEP_MM)
    at_px = points_beyond(scale, pose, dungeon, name, out_mm, aside)
    height, width = picture.shape[:2]
    if not ((at_px > 0) & (at_px < (width - 1, height - 1))).all():
        return None
    seen = cv2.remap(picture, at_px[..., 0], at_px[..., 1], cv2.INTER_LINEAR)
    return np.asarray(seen, np.float64) / 255


def points_beyond(
    scale: float, pose: LayoutCard, dungeon: Dungeon, name: str, out_mm: Array, aside_mm: Array
) -> NDArray[np.float32]:
    """Pixels (len(out_mm), len(aside_mm), 2) of points near an opening.

    `out_mm` is the distance beyond the card's edge, `aside_mm` that along it.
    """
    place = dungeon.places[name]
    corners = np.asarray(dungeon.outline_mm(place.card_index))
    low, high = corners.min(axis=0), corners.max(axis=0)
    at = np.array(place.at_mm)
    gaps = np.array([at[0] - low[0], at[1] - low[1], high[0] - at[0], high[1] - at[1]])
    outward = np.array([[-1.0, 0.0], [0.0, -1.0], [1.0, 0.0], [0.0, 1.0]])[int(np.abs(gaps).argmin())]
    across = np.array([-outward[1], outward[0]])
    table = at + out_mm[:, None, None] * outward + aside_mm[None, :, None] * across
    card = dungeon.cards[place.card_index]
    face = on_card(card, table.reshape(-1, 2), dungeon.catalogue.size_of(card.card))
    at_px = cv2.perspectiveTransform(face[None], np.asarray(pose.card_to_photo, float))[0]
    return np.asarray(((at_px + 0.5) * scale - 0.5).reshape(*table.shape), np.float32)
