"""Occlusion and glare: masks of the pixels of a card that objects cover or that a reflection brightens."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.ink import parameters
from vision.ink.ink_map import PX_PER_MM
from vision.ink.relight import Relit, strongest, values_of
from vision.photo.numerics import median, regions_at

Image = NDArray[np.float32]
Picture = NDArray[np.uint8]

#: Reduction of the pictures in which objects are grown, for speed, and the largest number of steps.
_GROW_SHRINK, _GROW_STEPS = 4, 6


def near_things(things: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Mask (H, W) of pixels near an occluding object, where a change may be its shadow."""
    size = (things.shape[1] // _GROW_SHRINK, things.shape[0] // _GROW_SHRINK)
    small = cv2.resize(things.view(np.uint8), size, interpolation=cv2.INTER_AREA)
    side = 2 * round(parameters.THINGS.no_further_pen_mm * PX_PER_MM / _GROW_SHRINK) + 1
    near = cv2.dilate(small, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)))
    return np.asarray(cv2.resize(near, things.shape[::-1], interpolation=cv2.INTER_NEAREST) > 0)


def find_things(
    seen: Picture, change: Image, relit: Relit, noise: Image, inside: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Occlusion mask (H, W) of a card: changed regions that are too wide for a pen, such as objects or hard
    light."""
    changed = change > np.maximum(4 * noise, np.float32(0.09))
    changed = (changed | relit.odd) & inside
    side = round(parameters.THINGS.disc_mm * PX_PER_MM) | 1
    # morphological opening at half scale, as the disc is large
    small = cv2.resize(changed.astype(np.uint8), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_NEAREST)
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side // 2 | 1, side // 2 | 1))
    padded = cv2.copyMakeBorder(small, side, side, side, side, cv2.BORDER_REPLICATE)
    core = cv2.morphologyEx(padded, cv2.MORPH_OPEN, disc)[side:-side, side:-side]
    if not core.any():
        return np.zeros_like(changed)
    rim = round(parameters.THINGS.rim_mm * PX_PER_MM) | 1
    # a hand appears as several parts where the print below it happens to have its colour
    gap = round(parameters.THINGS.gap_mm * PX_PER_MM / 2) | 1
    core = cv2.morphologyEx(core, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (gap, gap)))
    core = _with_shadow(core, small)
    grown = _grown(core, values_of(seen), relit.blank())
    core = cv2.resize(grown, core.shape[::-1], interpolation=cv2.INTER_NEAREST)
    wide = cv2.dilate(core, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (rim, rim)))
    _fill_holes(wide, round(parameters.THINGS.hole_mm2 * (PX_PER_MM / 2) ** 2))
    return np.asarray(cv2.resize(wide, changed.shape[::-1], interpolation=cv2.INTER_NEAREST) > 0)


def _with_shadow(core: NDArray[np.uint8], changed: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Mask of objects (h, w) at half scale, extended by connected changed regions that are wider than a line.

    Such a region is the shadow beside a finger or under a pen.
    """
    side = round(parameters.THINGS.shadow_mm * PX_PER_MM / 2) | 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    return regions_at(cv2.morphologyEx(changed, cv2.MORPH_OPEN, disc) | core, core)


def _fill_holes(things: NDArray[np.uint8], most_px: int) -> None:
    """Fills holes in a mask of objects (h, w) up to a given area, in place: the card does not show within a
    finger."""
    outlines, nesting = cv2.findContours(things, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    for k, outline in enumerate(outlines):
        if nesting[0, k, 3] >= 0 and cv2.contourArea(outline) <= most_px:
            cv2.drawContours(things, outlines, k, 1, -1)


def _grown(core: NDArray[np.uint8], seen: Image, blank: Image) -> NDArray[np.uint8]:
    """Mask of objects (h, w), grown over adjacent pixels of their own colour, at 1 / `_GROW_SHRINK` scale.

    It covers a finger on a floor of nearly its colour.
    """
    size = (round(seen.shape[1] / _GROW_SHRINK), round(seen.shape[0] / _GROW_SHRINK))
    small, card = (cv2.resize(picture, size, interpolation=cv2.INTER_AREA) for picture in (seen, blank))
    thing = cv2.resize(core, size, interpolation=cv2.INTER_AREA)
    off = strongest(cv2.absdiff(small, card))
    side = round(parameters.THINGS.reach_mm * PX_PER_MM / _GROW_SHRINK) | 1
    disc = round(parameters.THINGS.grown_mm * PX_PER_MM / _GROW_SHRINK) | 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (disc, disc))
    for _ in range(_GROW_STEPS):
        weight = thing.astype(np.float32)
        near = cv2.blur(weight, (side, side))
        own = cv2.blur(small * weight[..., None], (side, side)) / np.maximum(near, 1e-3)[..., None]
        unlike = strongest(cv2.absdiff(small, np.asarray(own, np.float32)))
        # white is glare, in which a line may be visible
        coloured = own.min(axis=2) < parameters.THINGS.white_value
        alike = (
            coloured
            & (near > 0.02)
            & (unlike < parameters.THINGS.unlike_value)
            & (unlike < off - parameters.THINGS.nearer_value)
        )
        wider = cv2.morphologyEx(thing | alike.astype(np.uint8), cv2.MORPH_OPEN, kernel) | thing
        wider = regions_at(wider, thing)
        if np.count_nonzero(wider) == np.count_nonzero(thing):
            break
        thing = wider
    return np.asarray(thing, np.uint8)


#: Reduction of the pictures in which glare is measured, for speed.
_WASH_SHRINK = 4


def washed_out(seen: Image, relit: Relit) -> Relit:
    """Glare correction: the relit card with the share of added light (`Relit.washed`), which hides lines.

    The added light is then treated as an offset. Floors are bright and saturate early, so it is estimated
    from the dark print around them.
    """
    size = (round(seen.shape[1] / _WASH_SHRINK), round(seen.shape[0] / _WASH_SHRINK))
    small, art = (cv2.resize(picture, size, interpolation=cv2.INTER_AREA) for picture in (seen, relit.art))
    # at the coarse scale at which it varies
    gain = relit.full_gain()[_WASH_SHRINK // 2 :: _WASH_SHRINK, _WASH_SHRINK // 2 :: _WASH_SHRINK]
    usual_gain = np.array([median(gain[..., channel]) for channel in range(3)], np.float32)
    usual = np.clip(art * usual_gain, 0, 1)
    # white light adds to every channel
    added = np.clip(-strongest(usual - small), 0, 1)
    room = (1 - strongest(usual)) ** 2 + np.float32(1e-3)
    side = round(parameters.GLARE.reach_mm * PX_PER_MM / _WASH_SHRINK) | 1
    mean = cv2.blur(added * room, (side, side)) / cv2.blur(room, (side, side))
    low, high = parameters.GLARE.pales_value, parameters.GLARE.hides_value
    if mean.max() <= low:
        return relit
    share = cv2.resize(np.asarray(mean, np.float32), seen.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    washed = np.asarray(np.clip((share - low) / (high - low), 0, 1), np.float32)
    return replace(relit, washed=washed, usual_gain=usual_gain)
