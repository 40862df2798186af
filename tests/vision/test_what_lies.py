"""What lies on a photo's table, and what of it the outlines that were found leave over."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.asking import part_of
from vision.outlines.background import foreground_of
from vision.photo.decode import Photo, load_photo

Array = NDArray[np.float64]
TABLE, PIECE = (92, 128, 160), (40, 40, 190)
SIDE = 120
#: Six squares in two rows, by their middles.
MIDDLES = [(200, 200), (400, 200), (600, 200), (200, 400), (400, 400), (600, 400)]


def square(middle: tuple[int, int], side: float = SIDE) -> Array:
    return np.array(middle) + side / 2 * np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]])


@pytest.fixture(scope="module")
def photo() -> Photo:
    table = np.full((600, 800, 3), TABLE, np.uint8)
    for middle in MIDDLES:
        cv2.fillConvexPoly(table, np.rint(square(middle)).astype(np.int32), PIECE)
    noise = np.random.default_rng(3).normal(0, 2, table.shape)
    good, data = cv2.imencode(".png", np.clip(table + noise, 0, 255).astype(np.uint8))
    assert good
    return load_photo(data.tobytes(), whole=True)


def test_nothing_is_left_over_where_every_piece_was_found(photo: Photo) -> None:
    assert foreground_of(photo).left_over([square(middle) for middle in MIDDLES]) == []


def test_a_piece_that_was_not_found_is_left_over_and_told_by_its_part_of_the_photo(photo: Photo) -> None:
    (left,) = foreground_of(photo).left_over([square(middle) for middle in MIDDLES[:-1]])
    assert np.abs(left - MIDDLES[-1]).max() < 8
    assert part_of(photo, left).en == "bottom right"


def test_outlines_of_another_shape_explain_less_of_what_lies_there(photo: Photo) -> None:
    lying = foreground_of(photo)
    right = lying.explained([square(middle) for middle in MIDDLES])
    whole = lying.explained([square((400, 300), 560)])
    round_ = lying.explained([square(middle) for middle in MIDDLES], discs=True)
    assert right > 0.9 > round_ > whole
