"""The quadrangle around a block of touching cards, of which corners may be missing."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.outlines.blocks import quad_around
from vision.photo import geometry

Array = NDArray[np.float64]
CAMERA = np.array([[1.9, -0.3, 260], [0.2, 1.7, 120], [4e-4, 3e-4, 1]])


def outline(cells: list[str]) -> NDArray[np.int32]:
    """The outline of cards of 60 by 88 mm that lie where the rows have an x, in perspective."""
    picture = np.zeros((900, 1200), np.uint8)
    for row, line in enumerate(cells):
        for column, mark in enumerate(line):
            if mark == "x":
                card = geometry.rectangle(60, 88) + np.array([column * 60, row * 88])
                cv2.fillConvexPoly(picture, np.rint(geometry.apply(CAMERA, card)).astype(np.int32), 255)
    found, _ = cv2.findContours(picture, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return np.asarray(found[0], np.int32)


@pytest.mark.parametrize(
    "cells",
    [
        ["xxx", "xxx"],
        ["xxxx", " xxx", " xxx"],
        ["xxx ", "xxxx", " xx "],
        ["x  ", "x  ", "xxx"],
        ["xxxxx", "xxxx ", "xxxx ", "xxxx "],
    ],
)
def test_the_quadrangle_goes_around_all_columns_and_rows(cells: list[str]) -> None:
    whole = geometry.apply(CAMERA, geometry.rectangle(60 * len(cells[0]), 88 * len(cells)))
    found = quad_around(outline(cells))
    assert found is not None
    off = [np.linalg.norm(np.roll(found, turn, axis=0) - whole, axis=1).max() for turn in range(4)]
    assert min(off) < 8


def test_what_has_no_four_outermost_sides_is_no_block() -> None:
    triangle = np.array([[[100, 100]], [[500, 120]], [[300, 500]]], np.int32)
    assert quad_around(triangle) is None
