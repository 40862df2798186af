"""Closer views of a part of a photo: where their pixels lie in the photo, and which part is looked at."""

from __future__ import annotations

import numpy as np
import pytest

from vision.boards.plane import closer
from vision.photo.decode import Photo
from vision.photo.view import Box, Reductions


def with_a_spot(x: int, y: int) -> Reductions:
    pixels = np.zeros((900, 1200, 3), np.uint8)
    pixels[y - 4 : y + 5, x - 4 : x + 5] = 255
    return Reductions(Photo(pixels))


@pytest.mark.parametrize("part", [None, (600, 301, 1100, 801)])
@pytest.mark.parametrize("narrowed", [1.0, 2 / 3])
def test_a_pixel_of_a_part_leads_back_to_the_photo(part: Box | None, narrowed: float) -> None:
    view = with_a_spot(833, 555).view(450, part, narrowed)
    ys, xs = np.nonzero(view.grey > 128)
    at = view.to_photo(np.array([[xs.mean(), ys.mean()]]))[0]
    assert np.abs(at - (833, 555)).max() < 2
    seen = view.seen_through(np.array([[1, 0, 803.0], [0, 1, 525.0], [0, 0, 1]]), (61, 61))
    ys, xs = np.nonzero(seen > 128)
    assert abs(xs.mean() - 30) < 2 and abs(ys.mean() - 30) < 2


def test_the_part_is_looked_at_where_most_points_are() -> None:
    pictures = with_a_spot(100, 100)
    whole = pictures.view(600)
    crowd = np.random.default_rng(3).normal((400, 300), 40, (50, 2))
    points = np.concatenate([crowd, [[20, 20], [50, 380], [580, 30]]])
    view = closer(whole, points, pictures, 600, 1.0)
    assert view.grey.shape == (600, 600) and view.scale == 1.0
    assert np.abs(np.array(view.corner_px) - (500, 300)).max() < 40
