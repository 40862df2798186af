"""The deck that samples are dealt from, with its printed faces."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.open_deck import bundled_catalogue
from scorer.catalogue import Card, Catalogue, load_catalogue


@cache
def open_deck() -> Catalogue:
    """The bundled catalogue."""
    return load_catalogue(bundled_catalogue())


def card_face(catalogue: Catalogue, card: Card) -> NDArray[np.uint8]:
    """A card's printed face (H, W, 3) sRGB, upright. Raises `FileNotFoundError` without its picture."""
    return read_face(catalogue.art_path(card))


def read_face(path: Path) -> NDArray[np.uint8]:
    """A printed face's picture (H, W, 3) sRGB. Raises `FileNotFoundError`."""
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR_RGB)
    if picture is None:
        raise FileNotFoundError(path)
    return np.asarray(picture, np.uint8)


def card_back(size_mm: tuple[float, float] = (63.0, 88.0), px_per_mm: float = 8.0) -> NDArray[np.uint8]:
    """A plain back (H, W, 3): a compass rose on a lattice."""
    width, height = (round(side * px_per_mm) for side in size_mm)
    picture = np.full((height, width, 3), (38, 52, 66), np.uint8)
    for offset in range(-height, width, round(4 * px_per_mm)):
        cv2.line(picture, (offset, 0), (offset + height, height), (52, 72, 88), 3, cv2.LINE_AA)
        cv2.line(picture, (offset + height, 0), (offset, height), (52, 72, 88), 3, cv2.LINE_AA)
    centre = (width // 2, height // 2)
    for k in range(8):
        long = (22 if k % 2 == 0 else 13) * px_per_mm
        a = math.pi / 4 * k
        tip = (round(centre[0] + long * math.sin(a)), round(centre[1] - long * math.cos(a)))
        sides = [
            (
                round(centre[0] + 4 * px_per_mm * math.sin(a + s)),
                round(centre[1] - 4 * px_per_mm * math.cos(a + s)),
            )
            for s in (-0.5, 0.5)
        ]
        cv2.fillPoly(picture, [np.array([tip, sides[0], centre])], (206, 178, 110), cv2.LINE_AA)
        cv2.fillPoly(picture, [np.array([tip, sides[1], centre])], (160, 130, 74), cv2.LINE_AA)
    cv2.rectangle(picture, (16, 16), (width - 17, height - 17), (206, 178, 110), 5, cv2.LINE_AA)
    return picture
