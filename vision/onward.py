"""Whether a line may run on past the cards that were found: then another card lies there that was not.

A path may leave the dungeon at a card's edge, where it ends on the paper. Ink that goes on beyond that edge,
as strong and of the same colour, lies on another card, whatever hides the rest of it. And where something
that is no table lies beyond the edge, it may hide a card: a hand does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.dungeon import Dungeon
from vision.bare_table import unlike_table
from vision.layout import CardPose
from vision.on_card import on_card
from vision.path import PathDoubt, PathReading
from vision.photo import Photo

Array = NDArray[np.float64]

# Tried on 160 photos of `tuning-evening` (120 of the open deck, 40 of a third one): of 2 paths whose end was
# lost with a card under a hand 1 is told, and 1 of the others.

#: The line is looked at so far inside the edge, and so far beyond it (mm, in steps): people draw up to it.
INSIDE_MM, BEYOND_MM, STEP_MM = (1.5, 7.0), (2.0, 7.0), 0.5
#: So far to the sides of the opening (mm), and how far from its middle a line's ground is seen.
ASIDE_MM, ACROSS_STEP_MM, GROUND_MM = 4.0, 0.25, 1.75
#: Ink inside is seen from this contrast on (0 to 1); beyond, this share of that is the same line, and it is
#: there in so many of the steps, no farther aside than this from one step to the next (mm).
LEAST_CONTRAST, SAME_LINE, MOST_STEPS, ASIDE_A_STEP_MM = 0.06, 0.45, 0.8, 0.75
#: The ground beyond an end is looked at within the first of these (mm outwards) and the second to the sides,
#: in a picture whose longer side is no more than the last (px).
GROUND_OUT_MM, GROUND_ASIDE_MM, GROUND_STEP_MM, GROUND_PX = (3.0, 25.0), 10.0, 1.0, 420
#: A pixel is unlike the table from here on (0 to 1), and like what covers the end within so much (8-bit
#: L*a*b*) of its colour over the last mm of the card.
UNLIKE, LIKE_COVER, COVER_MM = 0.6, 18.0, 8.0
#: A thing lies there where so much of the ground is unlike the table, and its colour (medians, lightness
#: halved, for it falls off towards the picture's border) that far from that beyond the cards' other openings.
#: Where a hand hid the next card it is 0.78; of 28 ends of tableaus of three and four cards (hard and wild
#: ones of `tuning-evening`) one has more than 0.51, under a finger.
THING, THING_UNLIKE = 0.6, 15.0
#: It is bare where no more than this is unlike the table, no more than the second like what covers the end,
#: and so much of it lies in the picture: then nothing hides a card, whatever hides the end.
BARE, COVER_BEYOND, GROUND_SEEN = 0.15, 0.3, 0.7


@dataclass(frozen=True)
class Ground:
    """What lies beyond an end of a path: whether it is a thing and not the table, or is seen to be the bare
    table. It may be neither."""

    is_thing: bool
    is_bare: bool


def runs_on(
    photo: Photo, halvings: int, poses: Sequence[CardPose], dungeon: Dungeon, path: Sequence[Sequence[str]]
) -> list[str]:
    """The places of a path's two ends, on the outer edge, beyond which its line is seen to go on. `halvings`:
    the photo is looked at in the size that reading took."""
    if not path:
        return []
    picture = photo.reduced(halvings)
    return [
        name
        for name in dict.fromkeys((path[0][0], path[-1][-1]))
        if name in dungeon.open_openings and _goes_on(picture, 0.5**halvings, poses, dungeon, name)
    ]


def ground_beyond(
    photo: Photo, halvings: int, poses: Sequence[CardPose], dungeon: Dungeon, path: Sequence[Sequence[str]]
) -> dict[str, Ground]:
    """What lies beyond each of a path's two ends that is on the outer edge, by its place."""
    ends = dict.fromkeys((path[0][0], path[-1][-1])) if path else {}
    outer = [name for name in ends if name in dungeon.open_openings]
    if not outer:
        return {}
    # of the halves that are there the smallest, for averaging takes its time by what it is given
    halvings = max(
        (k for k in range(halvings, 8) if max(photo.width, photo.height) >> k >= GROUND_PX), default=halvings
    )
    picture = photo.reduced(halvings)
    scale = min(1.0, GROUND_PX / max(picture.shape[:2]))
    size = (round(picture.shape[1] * scale), round(picture.shape[0] * scale))
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    lab = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2Lab), np.uint8)
    unlike = unlike_table(lab)
    grounds = {
        name: _colour_beyond(lab, 0.5**halvings * scale, poses, dungeon, name)
        for name in sorted(dungeon.open_openings)
    }
    usual = np.median(list(grounds.values()), axis=0)
    aside = np.arange(-GROUND_ASIDE_MM, GROUND_ASIDE_MM + 1e-9, GROUND_STEP_MM)
    reach = np.abs(aside) <= COVER_MM
    out, within = np.arange(*GROUND_OUT_MM, GROUND_STEP_MM), -np.arange(1.0, COVER_MM, GROUND_STEP_MM)
    found = {}
    for name in outer:
        pose = poses[dungeon.places[name].card_index]
        beyond, inside = (
            _beyond(0.5**halvings * scale, pose, dungeon, name, away, across)
            for away, across in ((out, aside), (within, aside[reach]))
        )
        seen = cv2.remap(unlike, beyond, None, cv2.INTER_NEAREST, borderValue=(-1,))
        ground, cover = (
            cv2.remap(lab, at, None, cv2.INTER_NEAREST).reshape(-1, 3).astype(float)
            for at in (beyond, inside)
        )
        away = np.linalg.norm(ground - np.median(cover, axis=0), axis=1)
        unknown = float((seen < 0).mean())
        strange, alike = float((seen > UNLIKE).mean()), float((away < LIKE_COVER).mean())
        found[name] = Ground(
            strange >= THING and float(np.linalg.norm(grounds[name] - usual)) >= THING_UNLIKE,
            strange <= BARE and alike <= COVER_BEYOND and unknown <= 1 - GROUND_SEEN,
        )
    return found


def _colour_beyond(
    lab: NDArray[np.uint8], scale: float, poses: Sequence[CardPose], dungeon: Dungeon, name: str
) -> Array:
    """(3,) the median colour of the ground beyond an opening, CIE L*a*b* with lightness halved."""
    pose = poses[dungeon.places[name].card_index]
    step_mm = 4 * GROUND_STEP_MM
    aside = np.arange(-GROUND_ASIDE_MM, GROUND_ASIDE_MM + 1e-9, step_mm)
    at_px = _beyond(scale, pose, dungeon, name, np.arange(*GROUND_OUT_MM, step_mm), aside)
    ground = cv2.remap(lab, at_px, None, cv2.INTER_NEAREST).reshape(-1, 3).astype(float)
    return np.asarray(np.median(ground, axis=0) * (0.5, 1.0, 1.0))


def with_missing_cards(
    reading: PathReading, goes_on: Sequence[str], grounds: Mapping[str, Ground]
) -> PathReading:
    """The reading that doubts the ends of the path beyond which another card may lie: where the line goes on,
    or a thing lies beyond, or something covers the end and the ground there is not seen to be bare."""
    bare = {name for name, ground in grounds.items() if ground.is_bare} - set(goes_on)
    kept = [doubt for doubt in reading.doubts if doubt.reason != "covered" or doubt.place not in bare]
    doubted = {doubt.place for doubt in kept if doubt.reason == "covered"}
    things = [name for name, ground in grounds.items() if ground.is_thing]
    missed = (PathDoubt("path", name, (), "covered") for name in dict.fromkeys((*goes_on, *things)))
    return replace(reading, doubts=(*kept, *(each for each in missed if each.place not in doubted)))


def _goes_on(
    picture: NDArray[np.uint8], scale: float, poses: Sequence[CardPose], dungeon: Dungeon, name: str
) -> bool:
    place = dungeon.places[name]
    inside = _seen_along(
        picture, scale, poses[place.card_index], dungeon, name, -np.arange(*INSIDE_MM, STEP_MM)
    )
    beyond = _seen_along(
        picture, scale, poses[place.card_index], dungeon, name, np.arange(*BEYOND_MM, STEP_MM)
    )
    if inside is None or beyond is None:
        return False
    # the line's colour against its ground, where it is plainest inside
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
    """(rows, n, 3) by how much the ground on either side is brighter than each point, per channel."""
    off = round(GROUND_MM / ACROSS_STEP_MM)
    middle = seen[:, off:-off]
    return seen[:, : -2 * off] - middle, seen[:, 2 * off :] - middle


def _seen_along(
    picture: NDArray[np.uint8], scale: float, pose: CardPose, dungeon: Dungeon, name: str, out_mm: Array
) -> Array | None:
    """(len(out_mm), n, 3) what is seen across the way out of an opening, 0 to 1, at distances from the edge;
    None where that leaves the picture."""
    aside = np.arange(-ASIDE_MM - GROUND_MM, ASIDE_MM + GROUND_MM + 1e-9, ACROSS_STEP_MM)
    at_px = _beyond(scale, pose, dungeon, name, out_mm, aside)
    height, width = picture.shape[:2]
    if not ((at_px > 0) & (at_px < (width - 1, height - 1))).all():
        return None
    seen = cv2.remap(picture, at_px[..., 0], at_px[..., 1], cv2.INTER_LINEAR)
    return np.asarray(seen, np.float64) / 255


def _beyond(
    scale: float, pose: CardPose, dungeon: Dungeon, name: str, out_mm: Array, aside_mm: Array
) -> NDArray[np.float32]:
    """(len(out_mm), len(aside_mm), 2) where in a picture of that scale points lie by an opening: so far out
    of the card's edge, and so far to the side."""
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
