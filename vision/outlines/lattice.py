"""Lattices: points in columns and rows, as the middles of touching cards lie, seen in perspective.

A lattice is grown from four points that are the corners of a cell, one neighbouring cell after the other, and
its homography is fitted again to all points found so far (Geiger et al. 2012 find the corners of chessboards
in this way).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.photo import geometry

Array = NDArray[np.float64]
Cell = tuple[int, int]

#: Largest distance of a point from its place in a lattice, as a share of the cell's shorter side.
_NEAR = 0.25
#: Number of nearest points that may be a point's neighbours in a lattice; and the least sine of the angle
#: between a cell's sides.
_NEIGHBOURS, _LEAST_SINE = 6, 0.4
#: Four cells around a corner, clockwise; and the cells beside a cell.
_SQUARE = ((0, 0), (1, 0), (1, 1), (0, 1))
_BESIDE = ((1, 0), (-1, 0), (0, 1), (0, -1))


@dataclass(frozen=True)
class Lattice:
    """Cells (column, row) where points were found, and `to_picture` (3, 3), from columns and rows to the
    points' picture."""

    cells: tuple[Cell, ...]
    to_picture: Array


def lattices(points: Array) -> list[Lattice]:
    """The lattices among points (N, 2), those of most points first. Four points start one lattice at most."""
    found: list[Lattice] = []
    known: set[frozenset[int]] = set()
    for corners in _cells(points):
        if frozenset(corners) in known:
            continue
        placed = dict(zip(_SQUARE, corners, strict=True))
        to_picture = _grown(points, placed)
        for column, row in placed:
            square = [(column + a, row + b) for a, b in _SQUARE]
            known.add(frozenset(placed[each] for each in square if each in placed))
        found.append(Lattice(tuple(placed), to_picture))
    return sorted(found, key=lambda each: -len(each.cells))


def _cells(points: Array) -> Iterator[tuple[int, int, int, int]]:
    """Four points (their numbers, clockwise) that are about the corners of a parallelogram."""
    away = np.linalg.norm(points[:, None] - points[None], axis=2)
    for origin, near in enumerate(np.argsort(away, axis=1)[:, 1 : _NEIGHBOURS + 1]):
        for right in near:
            for below in near:
                along, down = points[right] - points[origin], points[below] - points[origin]
                sides = away[origin, right], away[origin, below]
                if along[0] * down[1] - along[1] * down[0] < _LEAST_SINE * sides[0] * sides[1]:
                    continue
                off = np.linalg.norm(points - (points[origin] + along + down), axis=1)
                across = int(off.argmin())
                if off[across] < _NEAR * min(sides) and len({origin, right, across, below}) == 4:
                    yield origin, int(right), across, int(below)


def _grown(points: Array, placed: dict[Cell, int]) -> Array:
    """The homography (3, 3) from cells to points, after all points that are neighbours were `placed`."""
    while True:
        to_picture = _fitted(points, placed)
        free = np.setdiff1d(np.arange(len(points)), list(placed.values()))
        beside = {(a + c, b + d) for a, b in placed for c, d in _BESIDE} - set(placed)
        more: dict[Cell, int] = {}
        for cell in sorted(beside):
            there, *others = geometry.apply(
                to_picture, np.array([cell, *[(cell[0] + a, cell[1] + b) for a, b in _BESIDE]], np.float64)
            )
            side = min(float(np.linalg.norm(each - there)) for each in others)
            off = np.linalg.norm(points[free] - there, axis=1)
            if len(free) and off.min() < _NEAR * side and int(free[off.argmin()]) not in more.values():
                more[cell] = int(free[off.argmin()])
        if not more:
            return to_picture
        placed.update(more)


def _fitted(points: Array, placed: dict[Cell, int]) -> Array:
    """Least-squares homography (3, 3) from cells to the points placed there."""
    fitted, _ = cv2.findHomography(np.array([*placed], np.float64), points[[*placed.values()]])
    return np.asarray(fitted, np.float64)
