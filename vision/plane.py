"""The table's plane: one homography from table mm to photo pixels, and each card's place on it, fitted as
one.

Bundle adjustment of a plane (Hartley and Zisserman 2004, section 18.1): the unknowns are the homography's
eight numbers and a place and turn per card; the misfit is in photo pixels, weighted down by Huber's rule so
that false matches pull little. Levenberg-Marquardt with difference quotients: thirty unknowns, a millisecond
a step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision import homography

#: Steps of the minimiser; it settles in five to ten.
STEPS = 15
#: Misfit in pixels from which a match is weighted down (times the working picture's reduction).
HUBER_PX = 2.0


@dataclass(frozen=True)
class Placed:
    """A card on the table: its number in the index, centre in table mm, turn in radians, clockwise."""

    card: int
    centre_mm: tuple[float, float]
    turn_rad: float

    def to_table(self, size_mm: tuple[float, float]) -> NDArray[np.float64]:
        """(3, 3) map from mm on the upright card to table mm."""
        turned = homography.similarity(self.turn_rad, np.zeros(2))
        shift = np.asarray(self.centre_mm) - turned[:2, :2] @ (np.asarray(size_mm) / 2)
        return homography.similarity(self.turn_rad, shift)


@dataclass(frozen=True)
class Plane:
    """`table_to_photo` (3, 3) and the cards on it; `misfit_px` is the median distance of the matches."""

    table_to_photo: NDArray[np.float64]
    placed: tuple[Placed, ...]
    misfit_px: float


def fit_plane(
    table_to_photo: NDArray[np.float64],
    placed: Sequence[Placed],
    at_mm: Sequence[NDArray[np.float64]],
    at_px: Sequence[NDArray[np.float64]],
    size_mm: tuple[float, float],
    *,
    huber_px: float = HUBER_PX,
) -> Plane:
    """Refine the plane and the cards' places from point pairs.

    `at_mm[i]` (n_i, 2) are points on the upright card `placed[i]`, `at_px[i]` where they are in the photo.
    The first card stays where it is and fixes the frame.
    """
    start = table_to_photo / table_to_photo[2, 2]
    owner = np.repeat(np.arange(len(placed)), [len(points) for points in at_mm])
    from_centre = np.concatenate(at_mm) - np.asarray(size_mm) / 2
    seen = np.concatenate(at_px)
    reach = max(size_mm)

    first = np.array([[*placed[0].centre_mm, placed[0].turn_rad]])
    rest = np.array([[*card.centre_mm, card.turn_rad] for card in placed[1:]]).reshape(-1, 3)
    square = homography.rectangle(reach, reach) + first[0, :2] - reach / 2
    corners = homography.apply(start, square)

    # The plane's eight numbers are where a square's corners are seen, in pixels: all of one size.
    def project(values: NDArray[np.float64]) -> NDArray[np.float64]:
        plane = _through(square, values[:8].reshape(4, 2))
        poses = np.vstack([first, values[8:].reshape(-1, 3)])[owner]
        cos, sin = np.cos(poses[:, 2]), np.sin(poses[:, 2])
        x = cos * from_centre[:, 0] - sin * from_centre[:, 1] + poses[:, 0]
        y = sin * from_centre[:, 0] + cos * from_centre[:, 1] + poses[:, 1]
        return homography.apply(plane, np.column_stack([x, y]))

    values = np.concatenate([corners.ravel(), rest.ravel()])
    nudge = np.concatenate([np.full(8, 1e-3), np.tile([1e-4, 1e-4, 1e-6], len(placed) - 1)])
    damping = 1e-3
    misfit = project(values) - seen
    cost = _huber_cost(misfit, huber_px)
    for _ in range(STEPS):
        slopes = np.empty((misfit.size, len(values)))
        for column in range(len(values)):
            moved = values.copy()
            moved[column] += nudge[column]
            slopes[:, column] = (project(moved) - seen - misfit).ravel() / nudge[column]
        weight = np.repeat(np.minimum(1, huber_px / np.maximum(np.linalg.norm(misfit, axis=1), 1e-9)), 2)
        weighted = slopes * weight[:, None]
        normal, slope = weighted.T @ slopes, weighted.T @ misfit.ravel()
        for _ in range(5):
            step = np.linalg.lstsq(normal + damping * np.diag(np.diag(normal) + 1e-9), -slope, rcond=None)[0]
            trial = project(values + step) - seen
            trial_cost = _huber_cost(trial, huber_px)
            if trial_cost < cost:
                break
            damping *= 10
        else:
            break
        settled = cost - trial_cost < 1e-4 * cost
        values, misfit, cost, damping = values + step, trial, trial_cost, damping / 5
        if settled:
            break
    poses = np.vstack([first, values[8:].reshape(-1, 3)])
    return Plane(
        _through(square, values[:8].reshape(4, 2)),
        tuple(
            Placed(card.card, (float(pose[0]), float(pose[1])), float(pose[2]))
            for card, pose in zip(placed, poses, strict=True)
        ),
        float(np.median(np.linalg.norm(misfit, axis=1))),
    )


def _huber_cost(misfit: NDArray[np.float64], huber_px: float) -> float:
    away = np.linalg.norm(misfit, axis=1)
    return float(np.where(away < huber_px, away**2 / 2, huber_px * (away - huber_px / 2)).sum())


def _through(square: NDArray[np.float64], corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """The homography that takes four points to four others (the direct linear transform of just four)."""
    rows = []
    for (x, y), (u, v) in zip(square, corners, strict=True):
        rows.append([x, y, 1, 0, 0, 0, -u * x, -u * y])
        rows.append([0, 0, 0, x, y, 1, -v * x, -v * y])
    solved = np.linalg.solve(np.array(rows), corners.ravel())
    return np.append(solved, 1.0).reshape(3, 3)
