"""A shipped table as photos show it that are to be taken again."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray
from shared_readings import PHOTOS

Pixels = NDArray[np.uint8]


def table() -> Pixels:
    photo = cv2.imread(str(PHOTOS / "table-07.jpg"))
    assert photo is not None
    return np.asarray(photo, np.uint8)


def out_of_focus(table: Pixels) -> Pixels:
    return np.asarray(cv2.GaussianBlur(table, (0, 0), 16), np.uint8)


def moved(table: Pixels) -> Pixels:
    return np.asarray(cv2.filter2D(table, -1, np.full((1, 61), 1 / 61, np.float32)), np.uint8)


def dark(table: Pixels) -> Pixels:
    return np.asarray(table * 0.04, np.uint8)


def covered_by_glare(table: Pixels) -> Pixels:
    white = cv2.ellipse(table.copy(), (840, 1200), (500, 1100), 0, 0, 360, (255, 255, 255), -1)
    return np.asarray(cv2.GaussianBlur(white, (0, 0), 15), np.uint8)


def cut_off(table: Pixels) -> Pixels:
    return np.ascontiguousarray(table[1950:])


def far_away(table: Pixels) -> Pixels:
    """The whole table 645 px high, in a photo of 12 megapixels of nothing else."""
    small = cv2.resize(table, None, fx=0.28, fy=0.28, interpolation=cv2.INTER_AREA)
    photo = cv2.GaussianBlur(np.tile(table[:200, :200], (20, 15, 1)), (0, 0), 20)
    photo[700 : 700 + len(small), 500 : 500 + small.shape[1]] = small
    return np.asarray(photo, np.uint8)


def dark_and_blurred(table: Pixels) -> Pixels:
    """Cards are found in it, and nothing that is drawn on them."""
    noise = np.random.default_rng(3).normal(0, 3, table.shape)
    return np.asarray(np.clip(cv2.GaussianBlur(table, (0, 0), 6) * 0.15 + noise, 0, 255), np.uint8)
