"""Bundle adjustment of the table plane: point pairs -> homography, table mm to photo px, and a pose per card.

As for any plane (Hartley and Zisserman 2004, section 18.1), the unknowns are the homography's eight numbers,
and a position and rotation per card. Residuals are in photo pixels, with Huber weights, so that false matches
have little influence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.cards.pose import TablePose
from vision.photo import geometry

#: Greatest number of iterations of the minimiser; it converges in five to ten.
STEPS = 15
#: Relative decrease of the cost below which the minimiser stops.
SETTLED = 1e-4
#: Initial damping, and its factor after a failed step; after a successful one it is divided by that factor.
DAMPING, DAMPED = 1e-4, 10.0
#: Misfit in pixels from which a match is weighted down (times the working picture's reduction).
HUBER_PX = 2.0


@dataclass(frozen=True)
class Plane:
    """Fitted plane: `table_to_photo` (3, 3), the cards on it, and `misfit_px`, the median reprojection
    error."""

    table_to_photo: NDArray[np.float64]
    placed: tuple[TablePose, ...]
    misfit_px: float


def fit_plane(
    table_to_photo: NDArray[np.float64],
    placed: Sequence[TablePose],
    at_mm: Sequence[NDArray[np.float64]],
    at_px: Sequence[NDArray[np.float64]],
    *,
    huber_px: float = HUBER_PX,
) -> Plane:
    """Bundle adjustment: the plane and the cards' poses refined from point pairs.

    `at_mm[i]` (n_i, 2) are points on the upright card `placed[i]`, and `at_px[i]` their positions in the
    photo. The first card keeps its pose and fixes the frame.
    """
    owner = np.repeat(np.arange(len(placed)), [len(points) for points in at_mm])
    sizes = np.array([card.size_mm for card in placed])
    # Normalised lengths on both sides: table lengths in cards from the first card, and photo lengths
    # likewise.
    unit_mm = float(sizes.max())
    from_centre = (np.concatenate(at_mm) - (sizes / 2)[owner]) / unit_mm
    first = np.asarray(placed[0].centre_mm, float)
    to_units = _scaling(1 / unit_mm, -first / unit_mm)
    middle = geometry.apply(table_to_photo, first)
    unit_px = float(np.sqrt(abs(np.linalg.det(geometry.jacobian(table_to_photo, first[None])[0])))) * unit_mm
    to_pixels = _scaling(unit_px, middle)
    seen = (np.concatenate(at_px) - middle) / unit_px
    start = np.linalg.solve(to_pixels, table_to_photo @ np.linalg.inv(to_units))
    poses = np.array([[*(np.asarray(card.centre_mm) - first) / unit_mm, card.turn_rad] for card in placed])
    problem = _Problem(from_centre, seen, owner, poses[0])
    start_at = np.concatenate([(start / start[2, 2]).ravel()[:8], poses[1:].ravel()])
    values, misfit = _settled(problem, start_at, huber_px / unit_px)
    plane, poses = problem.unpack(values)
    centres = poses[:, :2] * unit_mm + first
    fitted = to_pixels @ plane @ to_units
    return Plane(
        fitted / fitted[2, 2],
        tuple(
            TablePose(card.card, (float(centre[0]), float(centre[1])), float(pose[2]), card.size_mm)
            for card, centre, pose in zip(placed, centres, poses, strict=True)
        ),
        float(np.median(np.linalg.norm(misfit.reshape(-1, 2), axis=1))) * unit_px,
    )


@dataclass(frozen=True)
class _Problem:
    """Least-squares problem of the plane and the cards' poses, in units of about one.

    It holds points on cards (N, 2), their observed positions (N, 2), the card number of each (N,), and the
    first card's pose. The unknowns are eight numbers of the plane, and three of each further card.
    """

    from_centre: NDArray[np.float64]
    seen: NDArray[np.float64]
    owner: NDArray[np.intp]
    first: NDArray[np.float64]

    def unpack(self, values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The plane (3, 3) and the poses (cards, 3) from the vector of unknowns."""
        return np.append(values[:8], 1.0).reshape(3, 3), np.vstack([self.first, values[8:].reshape(-1, 3)])

    def misfit(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Residuals (2 N,): observed minus expected, x and y of each point in turn."""
        plane, poses = self.unpack(values)
        return np.asarray(geometry.apply(plane, self._on_table(poses)[0]) - self.seen).ravel()

    def slopes(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Jacobian (2 N, unknowns) of the residuals."""
        plane, poses = self.unpack(values)
        table, turning = self._on_table(poses)
        rows = np.column_stack([table, np.ones(len(table))])
        depth = rows @ plane[2]
        rows /= depth[:, None]
        photo = geometry.apply(plane, table)
        by_place = geometry.jacobian(plane, table)
        slopes = np.zeros((len(table), 2, 8 + 3 * len(poses)))
        slopes[:, 0, 0:3] = slopes[:, 1, 3:6] = rows
        slopes[:, :, 6:8] = -photo[:, :, None] * rows[:, None, :2]
        point, column = np.arange(len(table)), 8 + 3 * self.owner
        slopes[point, :, column], slopes[point, :, column + 1] = by_place[:, :, 0], by_place[:, :, 1]
        slopes[point, :, column + 2] = np.einsum("nij,nj->ni", by_place, turning)
        return np.delete(slopes.reshape(2 * len(table), -1), slice(8, 11), axis=1)

    def _on_table(self, poses: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Points (N, 2) on the table, and their derivatives by the rotation of their cards."""
        x, y, turn = poses[self.owner].T
        cos, sin = np.cos(turn), np.sin(turn)
        away = np.column_stack(
            [
                cos * self.from_centre[:, 0] - sin * self.from_centre[:, 1],
                sin * self.from_centre[:, 0] + cos * self.from_centre[:, 1],
            ]
        )
        return away + np.column_stack([x, y]), np.column_stack([-away[:, 1], away[:, 0]])


def _settled(
    problem: _Problem, values: NDArray[np.float64], near: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Least-cost unknowns (Levenberg and Marquardt), and the residuals (2 N,) there.

    Points with a residual beyond `near` have a lower weight.
    """
    misfit = problem.misfit(values)
    cost, weight = _huber(misfit, near)
    damping = DAMPING
    slopes = problem.slopes(values)
    for _ in range(STEPS):
        weighted = slopes * weight[:, None]
        normal, slope = weighted.T @ slopes, weighted.T @ misfit
        scale = np.diag(normal)
        # (with a point too few, an unknown keeps its value)
        damped = normal + np.diag(damping * scale + 1e-12 * scale.max())
        tried = values - np.linalg.solve(damped, slope)
        tried_misfit = problem.misfit(tried)
        tried_cost, tried_weight = _huber(tried_misfit, near)
        if not tried_cost < cost:
            damping *= DAMPED
            continue
        settled = cost - tried_cost < SETTLED * cost
        values, misfit, cost, weight = tried, tried_misfit, tried_cost, tried_weight
        if settled:
            break
        damping /= DAMPED
        slopes = problem.slopes(values)
    return values, misfit


def _huber(misfit: NDArray[np.float64], near: float) -> tuple[float, NDArray[np.float64]]:
    """Huber cost of the points' residual distances (x and y in turn), and the weight of each residual."""
    distance = np.linalg.norm(misfit.reshape(-1, 2), axis=1)
    weight = near / np.maximum(distance, near)
    cost = np.where(distance > near, near * distance - near**2 / 2, distance**2 / 2)
    return float(cost.sum()), np.repeat(weight, 2)


def _scaling(scale: float, shift: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.array([[scale, 0.0, shift[0]], [0.0, scale, shift[1]], [0.0, 0.0, 1.0]])
