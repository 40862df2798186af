"""Backs of cards: a compass on a lattice, in one colour for each kind of card. Turned by 180° a back is the
same, so that it does not tell which way up the face lies."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.catalogue import Point

Pixels = NDArray[np.uint8]

#: Ground and line of a back by the kind of card, blue-green-red.
_COLOURS = {
    "starter": ((58, 74, 38), (150, 196, 140)),
    "dungeon": ((74, 52, 36), (206, 176, 140)),
    "step": ((30, 66, 98), (120, 190, 238)),
    "boss": ((40, 30, 92), (130, 130, 232)),
    "objective": ((86, 40, 60), (220, 160, 190)),
    "spellbook": ((96, 44, 78), (224, 170, 220)),
}
_OTHER = _COLOURS["dungeon"]
#: Distance of the frame from the card's edge and spacing of the lattice, in mm.
_FRAME_MM, _LATTICE_MM = 4.0, 7.0
#: The drawing is this many times as large before it is reduced, for smooth edges.
_FINER = 2


def draw_back(kind: str, size_mm: Point, px_per_mm: float, bleed_mm: float = 0.0) -> Pixels:
    """The back of a card, BGR, with `bleed_mm` around it."""
    ground, line = _COLOURS.get(kind, _OTHER)
    scale = px_per_mm * _FINER
    width, height = (round((side + 2 * bleed_mm) * scale) for side in size_mm)
    back = np.full((height, width, 3), ground, np.uint8)
    middle = np.array([width, height]) / 2
    _lattice(back, middle, scale, ground, line)
    inner = (np.array(size_mm) / 2 - _FRAME_MM) * scale
    for half, thick in ((inner, 0.7), (inner - 1.6 * scale, 0.35)):
        low, high = (tuple(np.round(middle + sign * half).astype(int).tolist()) for sign in (-1, 1))
        cv2.rectangle(back, low, high, line, max(1, round(thick * scale)), cv2.LINE_AA)
    _compass(back, middle, min(size_mm) * 0.3 * scale, ground, line)
    small = cv2.resize(back, (width // _FINER, height // _FINER), interpolation=cv2.INTER_AREA)
    half = np.asarray(small, np.uint16)
    return np.asarray((half + half[::-1, ::-1] + 1) // 2, np.uint8)


def _lattice(
    back: Pixels, middle: NDArray[np.float64], scale: float, ground: tuple[int, ...], line: tuple[int, ...]
) -> None:
    pale = tuple(round(0.8 * a + 0.2 * b) for a, b in zip(ground, line, strict=True))
    step = _LATTICE_MM * scale
    reach = math.ceil(sum(back.shape[:2]) / step / 2) + 1
    for number in range(-reach, reach + 1):
        for way in (-1, 1):
            centre = middle + np.array([number * step, 0])
            along = np.array([1, way]) * sum(back.shape[:2])
            start, end = (tuple(np.round(centre + sign * along).astype(int).tolist()) for sign in (-1, 1))
            cv2.line(back, start, end, pale, max(1, round(0.3 * scale)), cv2.LINE_AA)


def _compass(
    back: Pixels, middle: NDArray[np.float64], radius: float, ground: tuple[int, ...], line: tuple[int, ...]
) -> None:
    centre = tuple(np.round(middle).astype(int).tolist())
    cv2.circle(back, centre, round(radius * 1.12), ground, -1, cv2.LINE_AA)
    cv2.circle(back, centre, round(radius * 1.12), line, max(1, round(radius * 0.04)), cv2.LINE_AA)
    for length, offset in ((0.62, 45), (1.0, 0)):
        angles = np.radians(np.arange(8) * 45 + offset)
        reach = np.where(np.arange(8) % 2 == 0, length, 0.2) * radius
        star = middle + np.stack([np.cos(angles) * reach, np.sin(angles) * reach], axis=1)
        cv2.fillPoly(back, [np.round(star).astype(np.int32)], line, cv2.LINE_AA)
        cv2.polylines(
            back, [np.round(star).astype(np.int32)], True, ground, max(1, round(radius * 0.03)), cv2.LINE_AA
        )
    cv2.circle(back, centre, round(radius * 0.12), ground, -1, cv2.LINE_AA)
