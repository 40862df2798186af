"""The table's plane and the cards' places, fitted to points as one."""

import numpy as np
import pytest

from vision.cards.plane import fit_plane
from vision.cards.pose import TablePose
from vision.photo import geometry

SIZE = (63.0, 88.0)
TABLE_TO_PHOTO = np.array([[4.0, 0.3, 200.0], [0.2, 3.6, 300.0], [1e-4, 2e-4, 1.0]])
TRUE = (
    TablePose(0, (31.5, 44.0), 0.0, SIZE),
    TablePose(1, (95.3, 43.2), 0.02, SIZE),
    TablePose(2, (32.0, 132.4), np.pi - 0.01, SIZE),
)


@pytest.mark.parametrize("false_share", [0.0, 0.2])
def test_plane_and_places_are_found_although_some_points_are_false(false_share: float) -> None:
    rng = np.random.default_rng(4)
    at_mm, at_px = [], []
    for card in TRUE:
        points = rng.uniform(0, 1, (40, 2)) * SIZE
        seen = geometry.apply(TABLE_TO_PHOTO @ card.to_table(), points) + rng.normal(0, 0.5, (40, 2))
        seen[rng.random(40) < false_share] += 60.0
        at_mm.append(points)
        at_px.append(seen)
    # off by millimetres, as votes tell it
    near = [
        TRUE[0],
        *(
            TablePose(c.card, (c.centre_mm[0] + 3, c.centre_mm[1] - 2), c.turn_rad + 0.04, SIZE)
            for c in TRUE[1:]
        ),
    ]
    plane = fit_plane(TABLE_TO_PHOTO * (1 + rng.normal(0, 0.004, (3, 3))), near, at_mm, at_px)
    for card, true in zip(plane.placed, TRUE, strict=True):
        corners = geometry.apply(plane.table_to_photo @ card.to_table(), geometry.rectangle(*SIZE))
        there = geometry.apply(TABLE_TO_PHOTO @ true.to_table(), geometry.rectangle(*SIZE))
        assert np.abs(corners - there).max() < 2.0
    assert plane.placed[0] == TRUE[0], "the first card is the frame"
    assert plane.misfit_px < 1.5
