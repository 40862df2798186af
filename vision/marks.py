"""Marks: finds that the player circled or struck through.

A ring is the best closed line round a find in polar coordinates (dynamic programming); a strike is a straight
line through the icon that is not the path's own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.dungeon import Dungeon, Place
from vision import tuning
from vision.drawing_style import style_of
from vision.ghosts import freshness
from vision.ink import PX_PER_MM, InkMap

Array = NDArray[np.float64]

_RADIUS_STEP_MM = 0.25
_ANGLES = 48
#: No pen draws a ring within this (mm).
_LEAST_RING_MM = 1.5
#: A ring's own ink, softened, is about this wide at most (mm).
_RING_WIDTH_MM = 3.2
#: The path's own line is left out with this width.
_PATH_WIDTH_MM = 2.8


@dataclass(frozen=True)
class MarkReading:
    """Places of circled and struck finds, and those in doubt with the share that was seen."""

    circled: tuple[str, ...]
    struck: tuple[str, ...]
    doubtful: tuple[str, ...]


@dataclass(frozen=True)
class Rings:
    """The best closed line round each find: `share` (F,) of directions in which it is inked, `strength` (F,)
    its mean evidence (nats), `outline_mm` (F, A, 2); `fresh` (F,) how surely it is of this round
    (`vision.ghosts`).
    """

    places: tuple[str, ...]
    share: Array
    strength: Array
    outline_mm: Array
    fresh: Array

    @property
    def found(self) -> NDArray[np.bool_]:
        """(F,) whether there is a ring."""
        plain = (self.share >= tuning.RING_SHARE) & (self.strength >= tuning.RING_STRENGTH)
        return np.asarray(plain & (self.fresh > 0.5))

    @property
    def doubtful(self) -> NDArray[np.bool_]:
        """(F,) whether there may as well be a ring as none: it shows in too few directions or too faintly."""
        low, high = tuning.RING_DOUBT
        seen = (self.share >= low) & (self.strength >= tuning.RING_FAINT)
        thin = (self.fresh > 0) & (self.fresh < 1)
        weak = (self.share < high) | (self.strength < tuning.RING_STRENGTH)
        return np.asarray(seen & (thin | weak & (self.fresh > 0)))


def find_rings(ink: InkMap, dungeon: Dungeon) -> Rings:
    """The best ring round every find of the dungeon, whether there is one or not (see `share`)."""
    finds = [place for place in dungeon.places.values() if place.find is not None]
    if not finds:
        return Rings((), np.zeros(0), np.zeros(0), np.zeros((0, _ANGLES, 2)), np.zeros(0))
    rim_mm = style_of(dungeon.catalogue).icon_mm / 2
    nearest_mm = max(rim_mm - tuning.RING_INSIDE_MM, _LEAST_RING_MM)
    radii = np.arange(nearest_mm, rim_mm + tuning.RING_OUTSIDE_MM + 1e-6, _RADIUS_STEP_MM)
    angles = np.arange(_ANGLES) * 2 * math.pi / _ANGLES
    ray = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    centre = np.array([place.at_mm for place in finds])
    at = centre[:, None, None, :] + (radii[None, :, None] * ray[:, None, :])[None]
    pixels = ink.to_px(at).astype(np.float32)
    flat = pixels.reshape(len(finds), -1, 2)
    polar = cv2.remap(ink.evidence, flat, None, cv2.INTER_LINEAR).reshape(pixels.shape[:3])
    # twice round, so that the line has forgotten its beginning when it counts
    polar = np.clip(np.concatenate([polar, polar], axis=1), -3, 3)
    count = len(radii)
    value = polar[:, 0].astype(float)
    back = np.zeros((len(finds), 2 * _ANGLES, count), np.int8)
    for s in range(1, 2 * _ANGLES):
        candidates = np.full((5, len(finds), count), -np.inf)
        for k, move in enumerate((-2, -1, 0, 1, 2)):
            cost = (0.0, 0.15, 0.9)[abs(move)]
            if move >= 0:
                candidates[k, :, : count - move] = value[:, move:] - cost
            else:
                candidates[k, :, -move:] = value[:, :move] - cost
        best = candidates.argmax(axis=0)
        back[:, s] = best - 2
        value = np.take_along_axis(candidates, best[None], axis=0)[0] + polar[:, s]
    every = np.arange(len(finds))
    at_radius = value.argmax(axis=1)
    evidence = np.zeros((len(finds), _ANGLES))
    radius = np.zeros((len(finds), _ANGLES))
    # the middle round: free of both loose ends
    for s in range(2 * _ANGLES - 1, 0, -1):
        if _ANGLES // 2 <= s < _ANGLES + _ANGLES // 2:
            evidence[:, s % _ANGLES] = polar[every, s, at_radius]
            radius[:, s % _ANGLES] = radii[at_radius]
        at_radius = at_radius + back[every, s, at_radius]
    outline = centre[:, None, :] + radius[:, :, None] * ray[None]
    share, strength = (evidence > 0).mean(axis=1), evidence.mean(axis=1)
    fresh = np.ones(len(finds))
    if ink.film is not None:
        film = cv2.remap(ink.film, ink.to_px(outline).astype(np.float32), None, cv2.INTER_LINEAR)
        for k, inked in enumerate(evidence > 0):
            if inked.any():
                fresh[k] = freshness(float(np.median(film[k, inked])), ink.line_film)
    return Rings(tuple(place.id for place in finds), share, strength, outline, fresh)


def without_rings(ink: InkMap, rings: Rings) -> InkMap:
    """The ink map with what rings cover hidden: the path may cross there or not."""
    mask = np.zeros(ink.evidence.shape, np.uint8)
    for found, outline in zip(rings.found, rings.outline_mm, strict=True):
        if found:
            points = np.round(ink.to_px(outline) * 16).astype(np.int32)
            cv2.polylines(mask, [points], True, 1, round(_RING_WIDTH_MM * PX_PER_MM), shift=4)
    bare = mask == 0
    evidence = np.where(bare, ink.evidence, np.float32(0))
    return replace(ink, evidence=np.asarray(evidence, np.float32), visible=ink.visible & bare)


def read_marks(ink: InkMap, dungeon: Dungeon, rings: Rings, path_lines_mm: Sequence[Array]) -> MarkReading:
    """Circled and struck finds. `path_lines_mm`: (N, 2) table mm for each stroke, as matched."""
    finds = [dungeon.places[name] for name in rings.places]
    if not finds:
        return MarkReading((), (), ())
    path = np.zeros(ink.evidence.shape, np.uint8)
    for line in path_lines_mm:
        points = np.round(ink.to_px(line) * 16).astype(np.int32)
        cv2.polylines(path, [points], False, 1, round(_PATH_WIDTH_MM * PX_PER_MM), shift=4)
    strikes = _strikes(ink, path, finds, style_of(dungeon.catalogue).icon_mm)
    return MarkReading(
        circled=tuple(p.id for p, found in zip(finds, rings.found, strict=True) if found),
        struck=tuple(p.id for p, yes in zip(finds, strikes, strict=True) if yes),
        doubtful=tuple(p.id for p, doubt in zip(finds, rings.doubtful, strict=True) if doubt),
    )


def _strikes(ink: InkMap, path: NDArray[np.uint8], finds: Sequence[Place], icon_mm: float) -> list[bool]:
    """Whether a straight line other than the path runs through each find's icon."""
    along = np.arange(-tuning.STRIKE_HALF * icon_mm, tuning.STRIKE_HALF * icon_mm + 1e-6, 0.25)
    step = 0.4
    flank = round(tuning.FLANK_MM / step)
    reach = round(tuning.STRIKE_OFF * icon_mm / step) + flank
    across = step * np.arange(-reach, reach + 1)
    angles = np.radians(np.arange(0, 180, 7.5))
    u = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    v = np.stack([-np.sin(angles), np.cos(angles)], axis=-1)
    # (angle, offset, station, 2)
    template = (
        along[None, None, :, None] * u[:, None, None, :] + across[None, :, None, None] * v[:, None, None, :]
    )
    at = np.array([place.at_mm for place in finds])[:, None, None, None, :] + template[None]
    pixels = ink.to_px(at).astype(np.float32)
    flat = pixels.reshape(len(finds), -1, 2)
    evidence = cv2.remap(ink.evidence, flat, None, cv2.INTER_LINEAR).reshape(pixels.shape[:4])
    own = cv2.remap(path, flat, None, cv2.INTER_NEAREST).reshape(pixels.shape[:4]) > 0
    inked = evidence > 0
    free = ~own
    shown = free.sum(axis=3) * 0.25
    share = (inked & free).sum(axis=3) / np.maximum(free.sum(axis=3), 1)
    whole = inked.mean(axis=3)
    hit = (
        (share >= tuning.STRIKE_SHARE)
        & (shown >= tuning.STRIKE_SHOWN * icon_mm)
        & (whole >= tuning.STRIKE_SHARE)
    )
    hit = hit[:, :, flank:-flank]
    beside = np.minimum(whole[:, :, : -2 * flank], whole[:, :, 2 * flank :])
    hit &= beside < tuning.FLANK_SHARE
    strength = (np.clip(evidence, -4, 4) * free).sum(axis=3) / np.maximum(free.sum(axis=3), 1)
    hit &= strength[:, :, flank:-flank] >= tuning.STRIKE_STRENGTH
    if ink.film is not None:
        film = cv2.remap(ink.film, flat, None, cv2.INTER_LINEAR).reshape(pixels.shape[:4])
        film = (film * (inked & free)).sum(axis=3) / np.maximum((inked & free).sum(axis=3), 1)
        hit &= film[:, :, flank:-flank] >= tuning.FRESH * ink.line_film
    return [bool(h) for h in hit.any(axis=(1, 2))]
