"""Marks: ink map and finds -> circled or struck through, by a small convolutional network on a crop around
each find."""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.dungeon import Dungeon
from vision import parameters
from vision.ink import parameters as ink_parameters
from vision.ink.ink_map import PX_PER_MM, InkMap
from vision.path.style import style_of

WEIGHTS = Path(__file__).with_name("mark_net.onnx")
#: Correction (nats) of the classifier's log odds: its training examples have many more marks than tables do.
#: Tuned on the even photos of `tuning-evening` 0 to 59 and 600 to 719: of 342 marks 9 are missed, 3 are
#: false.
_TOO_HIGH = 0.6
#: A network object stores the values of its layers, so it processes one photo at a time.
_lock = threading.Lock()


@cache
def _network() -> Any:
    return cv2.dnn.readNetFromONNX(str(WEIGHTS))


def mark_chances(crops: NDArray[np.float32]) -> NDArray[np.float64]:
    """Probabilities (F, 2) that a find is circled, and that it is struck through, from crops (F, 7, 40,
    40)."""
    if not len(crops):
        return np.zeros((0, 2))
    with _lock:
        network = _network()
        network.setInput(crops)
        odds = np.asarray(network.forward(), float) - _TOO_HIGH
    return np.asarray(1 / (1 + np.exp(-odds)))


Array = NDArray[np.float64]

#: Side of a crop in pixels, and the part of the table that it shows, in icon diameters.
SIDE, SPAN = 40, 2.4
#: Channels: photo minus blank card (blue, green, red), blank card, evidence, film, visibility.
CHANNELS = 7
#: Crops are scaled to this median brightness (0 to 1) of a photo's cards; the scale is limited to darkness of
#: the second value, beyond which noise would dominate.
_LIGHT, _LEAST_LIGHT = 0.6, 0.12


def mark_crops(
    ink: InkMap, at_mm: Array, icon_mm: float, *, side: int = SIDE, span: float = SPAN
) -> NDArray[np.float32]:
    """Network input (F, 7, side, side) float32, about -1 to 1: crops around finds at `at_mm` (F, 2) table mm.

    A crop is `span` icons wide, and 0 where there is no card.
    """
    # two samples per pixel and axis, as a pixel is about three of the map's
    fine = 2 * side
    reach = (np.arange(fine) - (fine - 1) / 2) * (span * icon_mm * PX_PER_MM / fine)
    grid = np.stack(np.meshgrid(reach, reach), axis=-1).astype(np.float32)
    centre = ink.to_px(np.asarray(at_mm, float).reshape(-1, 1, 1, 2)).astype(np.float32)
    at = (centre + grid).reshape(-1, fine, 2)
    blank = ink.picture if ink.blank is None else ink.blank

    def seen(layer: NDArray[np.generic]) -> NDArray[np.float32]:
        found = cv2.remap(layer, at, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
        found = cv2.resize(found, (side, len(at) // 2), interpolation=cv2.INTER_AREA)
        return np.asarray(found, np.float32).reshape(-1, side, side, *layer.shape[2:])

    bare = seen(blank)
    scale = np.float32(_LIGHT / (255 * max(_light(blank), _LEAST_LIGHT)))
    change = (seen(ink.picture) - bare) * (2 * scale)
    ground = bare[..., 0] + bare[..., 1] + bare[..., 2]
    made = np.zeros((len(bare), CHANNELS, side, side), np.float32)
    for channel in range(3):
        made[:, channel] = change[..., channel]
    made[:, 3] = np.where(ground > 0, ground * (2 * scale / 3) - 1, 0)
    made[:, 4] = seen(ink.evidence) / ink_parameters.EVIDENCE.limit_nats
    if ink.film is not None:
        made[:, 5] = seen(ink.film) / ink.line_film
    made[:, 6] = seen(255 * ink.visible.view(np.uint8)) / 255
    return np.clip(made, -1.25, 1.25, out=made)


def _light(blank: NDArray[np.uint8]) -> float:
    """Median brightness of the cards, 0 to 1, on the map's picture (H, W, 3)."""
    blue, green, red = cv2.split(blank[::9, ::9])
    level = np.maximum(np.maximum(blue, green), red)
    return float(np.median(level[level > 0])) / 255 if level.any() else 1.0


_RADIUS_STEP_MM = 0.25
_ANGLES = 48
#: Least radius of a ring (mm).
_LEAST_RING_MM = 1.5
#: Probability of a mark that is uncertain and is read as none.
_NO_RING = 0.49
#: Largest width (mm) of a ring's own softened ink.
_RING_WIDTH_MM = 3.2


@dataclass(frozen=True)
class MarkReading:
    """Places of circled and struck finds, and of finds for which a circle is uncertain."""

    circled: tuple[str, ...]
    struck: tuple[str, ...]
    doubtful: tuple[str, ...]


@dataclass(frozen=True)
class Rings:
    """Mark probabilities and ring outlines of F finds.

    The probabilities (F,) that a find is circled, and struck through, are 0 to 1. `outline_mm` (F, A, 2) is
    the outline of a certain or possible ring; without one it is the find's own spot. `seen` (F,) is the
    visible share of the ring's area.
    """

    places: tuple[str, ...]
    circled: Array
    struck: Array
    outline_mm: Array
    seen: Array

    @property
    def found(self) -> NDArray[np.bool_]:
        """Mask (F,) of the finds with a ring."""
        return np.asarray(self.circled >= 0.5)

    @property
    def doubtful(self) -> NDArray[np.bool_]:
        """Mask (F,) of the finds for which a ring is uncertain."""
        low, high = parameters.MARKS.doubt_from_share, parameters.MARKS.doubt_to_share
        return np.asarray((self.circled > low) & (self.circled < high))


def find_rings(ink: InkMap, dungeon: Dungeon) -> Rings:
    """Classification of the mark of every find of the dungeon."""
    finds = [place for place in dungeon.places.values() if place.find is not None]
    if not finds:
        return Rings((), np.zeros(0), np.zeros(0), np.zeros((0, _ANGLES, 2)), np.zeros(0))
    icon_mm = style_of(dungeon.catalogue).icon_mm
    centre = np.array([place.at_mm for place in finds])
    chances = mark_chances(mark_crops(ink, centre, icon_mm))
    rings = Rings(
        tuple(place.id for place in finds),
        chances[:, 0],
        chances[:, 1],
        np.repeat(centre[:, None], _ANGLES, axis=1),
        _seen(ink, centre, icon_mm / 2),
    )
    if (seen := rings.found | rings.doubtful).any():
        rings.outline_mm[seen] = _outlines(ink, centre[seen], icon_mm / 2)
    return _without_wiped(ink, rings)


def _without_wiped(ink: InkMap, rings: Rings) -> Rings:
    """The rings, with the residue of wiped rings of an earlier round made no likelier than no ring.

    Residue is visible, but hardly any of it is inked.
    """
    if ink.film is None:
        return rings
    at = ink.to_px(rings.outline_mm).astype(np.float32)
    film = cv2.remap(ink.film, at, None, cv2.INTER_LINEAR)
    inked = cv2.remap(ink.evidence, at, None, cv2.INTER_LINEAR) > 0
    visible = cv2.remap(ink.visible.view(np.uint8), at, None, cv2.INTER_NEAREST) > 0
    wiped = np.zeros(len(rings.places), bool)
    for k in np.flatnonzero(rings.found):
        seen = visible[k]
        wiped[k] = (
            seen.mean() >= parameters.MARKS.seen_share
            and np.median(film[k][seen]) < parameters.MARKS.wiped_film_share * ink.line_film
            and inked[k][seen].mean() < parameters.MARKS.wiped_inked_share
        )
    circled, struck = (
        np.where(wiped, np.minimum(chance, _NO_RING), chance) for chance in (rings.circled, rings.struck)
    )
    return replace(rings, circled=circled, struck=struck)


def _seen(ink: InkMap, centre: Array, rim_mm: float) -> Array:
    """Visible share (F,), 0 to 1, of the area where rings around points (F, 2) table mm would be."""
    angles = np.arange(_ANGLES) * 2 * math.pi / _ANGLES
    ring = (rim_mm + parameters.MARKS.ring_outside_mm / 2) * np.stack(
        [np.cos(angles), np.sin(angles)], axis=-1
    )
    at = ink.to_px(centre[:, None] + ring[None]).astype(np.float32)
    visible = cv2.remap(ink.visible.view(np.uint8), at, None, cv2.INTER_NEAREST)
    return np.asarray(visible.mean(axis=1))


def _outlines(ink: InkMap, centre: Array, rim_mm: float) -> Array:
    """Closed lines (F, A, 2) with the most ink around points (F, 2) table mm, by dynamic programming."""
    nearest_mm = max(rim_mm - parameters.MARKS.ring_inside_mm, _LEAST_RING_MM)
    radii = np.arange(nearest_mm, rim_mm + parameters.MARKS.ring_outside_mm + 1e-6, _RADIUS_STEP_MM)
    angles = np.arange(_ANGLES) * 2 * math.pi / _ANGLES
    ray = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    at = centre[:, None, None, :] + (radii[None, :, None] * ray[:, None, :])[None]
    pixels = ink.to_px(at).astype(np.float32)
    flat = pixels.reshape(len(centre), -1, 2)
    polar = cv2.remap(ink.evidence, flat, None, cv2.INTER_LINEAR).reshape(pixels.shape[:3])
    # two turns, so that the path no longer depends on its start in the second
    polar = np.clip(np.concatenate([polar, polar], axis=1), -3, 3)
    count = len(radii)
    value = polar[:, 0].astype(float)
    back = np.zeros((len(centre), 2 * _ANGLES, count), np.int8)
    for s in range(1, 2 * _ANGLES):
        candidates = np.full((5, len(centre), count), -np.inf)
        for k, move in enumerate((-2, -1, 0, 1, 2)):
            cost = (0.0, 0.15, 0.9)[abs(move)]
            if move >= 0:
                candidates[k, :, : count - move] = value[:, move:] - cost
            else:
                candidates[k, :, -move:] = value[:, :move] - cost
        best = candidates.argmax(axis=0)
        back[:, s] = best - 2
        value = np.take_along_axis(candidates, best[None], axis=0)[0] + polar[:, s]
    every = np.arange(len(centre))
    at_radius = value.argmax(axis=1)
    radius = np.zeros((len(centre), _ANGLES))
    # the middle turn is used, which depends on neither end
    for s in range(2 * _ANGLES - 1, 0, -1):
        if _ANGLES // 2 <= s < _ANGLES + _ANGLES // 2:
            radius[:, s % _ANGLES] = radii[at_radius]
        at_radius = at_radius + back[every, s, at_radius]
    return np.asarray(centre[:, None, :] + radius[:, :, None] * ray[None])


def without_rings(ink: InkMap, rings: Rings) -> InkMap:
    """The ink map with rings masked as not visible, so that the path may or may not cross them."""
    mask = np.zeros(ink.evidence.shape, np.uint8)
    for found, outline in zip(rings.found, rings.outline_mm, strict=True):
        if found:
            points = np.round(ink.to_px(outline) * 16).astype(np.int32)
            cv2.polylines(mask, [points], True, 1, round(_RING_WIDTH_MM * PX_PER_MM), shift=4)
    bare = mask == 0
    evidence = np.where(bare, ink.evidence, np.float32(0))
    return replace(ink, evidence=np.asarray(evidence, np.float32), visible=ink.visible & bare)


def read_marks(rings: Rings) -> MarkReading:
    """Places of circled, struck and doubtful finds, from their probabilities."""

    def those(chosen: NDArray[np.bool_]) -> tuple[str, ...]:
        return tuple(name for name, yes in zip(rings.places, chosen, strict=True) if yes)

    return MarkReading(those(rings.found), those(rings.struck >= 0.5), those(rings.doubtful))
