"""Points in columns and rows, seen in perspective, are found as a lattice."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.outlines.lattice import Lattice, lattices
from vision.photo import geometry

Array = NDArray[np.float64]
CELL = np.array([63.0, 88.0])


def seen(columns: int, rows: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """True cells (N, 2) of a grid, shuffled, and where a tilted camera sees them, each a little off."""
    cells = np.array([(x, y) for y in range(rows) for x in range(columns)], np.float64)
    cells = cells[rng.permutation(len(cells))]
    turn = float(rng.uniform(0, 2 * np.pi))
    tilt = rng.uniform(-4e-4, 4e-4, 2)
    camera = np.array(
        [[np.cos(turn), -np.sin(turn), 500], [np.sin(turn), np.cos(turn), 400], [tilt[0], tilt[1], 1]]
    )
    on_table = (cells - cells.mean(axis=0)) * CELL + rng.normal(0, 0.03 * CELL.min(), cells.shape)
    return cells, geometry.apply(camera, on_table)


def neighbours(lattice: Lattice, cells: Array, points: Array) -> list[float]:
    """True distances, in cells, of the points that are neighbours in a lattice."""
    at = geometry.apply(lattice.to_picture, np.array(lattice.cells, np.float64))
    true = {
        cell: cells[np.linalg.norm(points - where, axis=1).argmin()]
        for cell, where in zip(lattice.cells, at, strict=True)
    }
    return [
        float(np.linalg.norm(true[x, y] - true[x + a, y + b]))
        for x, y in true
        for a, b in ((1, 0), (0, 1))
        if (x + a, y + b) in true
    ]


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 5), st.integers(2, 5), st.integers(0, 10_000))
def test_all_points_of_a_grid_are_one_lattice_of_true_neighbours(columns: int, rows: int, seed: int) -> None:
    cells, points = seen(columns, rows, np.random.default_rng(seed))
    best = lattices(points)[0]
    assert len(best.cells) == len(points)
    assert neighbours(best, cells, points) == pytest.approx([1.0] * len(neighbours(best, cells, points)))


def test_a_lattice_goes_on_around_a_point_that_nobody_saw() -> None:
    cells, points = seen(4, 4, np.random.default_rng(5))
    there = ~((cells == (1, 1)).all(axis=1))
    assert len(lattices(points[there])[0].cells) == 15


def test_what_lies_anyhow_is_no_large_lattice() -> None:
    points = np.random.default_rng(8).uniform(0, 1000, (12, 2))
    assert max((len(each.cells) for each in lattices(points)), default=0) < 8


def test_too_few_points_are_no_lattice() -> None:
    assert lattices(np.zeros((0, 2))) == []
    assert lattices(np.array([[0, 0], [10, 0], [0, 10.0]])) == []
