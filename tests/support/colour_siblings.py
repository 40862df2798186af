"""Cards of one layout that differ in a colour, and views of them."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.enrol.faces.light import encoded, linear

SIZE = (63.0, 88.0)
PER_MM = 8
Picture = NDArray[np.uint8]
Rgb = tuple[int, int, int]
Rgb3 = tuple[float, float, float]
RED, GREEN, BLUE, YELLOW = (52, 58, 178), (70, 140, 62), (160, 92, 48), (50, 168, 196)
VIOLET = (140, 70, 120)
DAYLIGHT, LAMP, SHADE = (1.0, 1.0, 1.0), (0.78, 0.95, 1.12), (1.1, 1.0, 0.9)


def layout() -> Picture:
    """A dungeon of no deck: grey rock, pale corridors with dark walls, a room, some brown chests."""
    rng = np.random.default_rng(8)
    rock = cv2.GaussianBlur(rng.normal(0, 60, (88 * PER_MM, 63 * PER_MM)), (0, 0), 6)
    art = np.asarray(np.clip(np.array([118, 122, 128]) + rock[..., None], 0, 255), np.uint8)
    for colour, thick in (((40, 44, 50), 62), ((206, 222, 230), 50)):
        for a, b in (((0, 200), (504, 200)), ((250, 200), (250, 704)), ((0, 500), (250, 500))):
            cv2.line(art, a, b, colour, thick)
    cv2.rectangle(art, (300, 380), (450, 620), (40, 44, 50), 8)
    cv2.rectangle(art, (304, 384), (446, 616), (188, 204, 214), -1)
    for at in ((330, 420), (380, 560), (100, 488)):
        cv2.rectangle(art, at, (at[0] + 44, at[1] + 32), (58, 92, 138), -1)
    return art


def with_colour(part: str, colour: Rgb) -> Picture:
    """The layout with one part in a colour."""
    art = layout()
    if part == "emblem":  # of 4 mm
        cv2.circle(art, (60, 60), 2 * PER_MM, colour, -1, cv2.LINE_AA)
    elif part == "stripe":  # of 1.2 mm
        cv2.line(art, (330, 660), (470, 660), colour, round(1.2 * PER_MM))
    elif part == "wash":  # over all of it
        ink = np.array(colour) / np.mean(colour)
        return np.asarray(np.clip(art * (0.83 + 0.17 * ink), 0, 255), np.uint8)
    else:  # a frame of 1.5 mm
        cv2.rectangle(art, (14, 14), (63 * PER_MM - 15, 88 * PER_MM - 15), colour, round(1.5 * PER_MM))
    return art


def photographed(art: Picture, seed: int, cast: Rgb3 = DAYLIGHT) -> Picture:
    """A view in a light of a colour: blurred, noisy, darker towards its corners and to one side."""
    rng = np.random.default_rng(seed)
    light = linear(cv2.GaussianBlur(art, (0, 0), float(rng.uniform(0.6, 2.0))))
    y, x = np.mgrid[-1 : 1 : art.shape[0] * 1j, -1 : 1 : art.shape[1] * 1j]
    falls = float(rng.uniform(0.7, 1.1)) * (1 - 0.12 * (x * x + y * y)) * (1 + 0.15 * x)
    seen = encoded((light * falls[..., None] * np.array(cast)).astype(np.float32))
    noisy = seen + rng.normal(0, 4, seen.shape)
    return np.asarray(np.clip(np.rint(noisy), 0, 255), np.uint8)
