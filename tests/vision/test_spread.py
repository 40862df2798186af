"""Spreading features over a picture."""

import numpy as np

from vision.photo.numerics import regions_at, spread


def test_a_busy_corner_leaves_the_quiet_rest_its_share() -> None:
    random = np.random.default_rng(5)
    busy, quiet = random.uniform(0, 100, (900, 2)), random.uniform(0, 400, (100, 2))
    at, response = np.vstack([busy, quiet]), np.append(np.full(900, 0.9), np.full(100, 0.1))
    kept = spread(at, response, (400, 400), 100, 160)
    assert len(kept) == len(set(kept)) == 160
    outside = np.asarray(np.any(at > 100, axis=1))
    assert np.count_nonzero(outside[kept]) == np.count_nonzero(outside) > 80


def test_the_strongest_of_a_cell_come_first() -> None:
    at = np.array([[10.0, 10.0], [20.0, 20.0], [90.0, 90.0], [15.0, 15.0]])
    kept = spread(at, np.array([0.2, 0.9, 0.1, 0.5]), (100, 100), 50, 3)
    assert kept.tolist() == [1, 2, 3]


def test_nothing_is_spread_over_nothing() -> None:
    assert len(spread(np.zeros((0, 2)), np.zeros(0), (100, 50), 20, 10)) == 0


def test_regions_are_kept_whole_where_they_hold_a_pixel_of_the_core() -> None:
    mask = np.array([[1, 1, 0, 1], [0, 1, 0, 1], [0, 0, 0, 0]], np.uint8)
    core = np.zeros_like(mask)
    core[0, 0] = core[2, 2] = 1  # the second one is on no region
    assert regions_at(mask, core).tolist() == [[1, 1, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0]]
