"""Camera of a photo of a board: homography of the board's plane -> projection of points over the board."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

#: Usual focal length of a phone, in longer sides of its picture, and its log deviation.
USUAL_FOCAL, FOCAL_SPREAD = 0.75, 0.12


@dataclass(frozen=True)
class Eye:
    """A calibrated camera: `matrix` (3, 4) projects board mm (x, y, and z upwards) to photo pixels;
    `place_mm` (3,) is its centre."""

    matrix: Array
    place_mm: Array

    def project(self, points_mm: Array) -> Array:
        """Points over the board (..., 3) mm -> photo pixels (..., 2)."""
        points = np.asarray(points_mm, np.float64)
        mapped = points @ self.matrix[:, :3].T + self.matrix[:, 3]
        return np.asarray(mapped[..., :2] / mapped[..., 2:])


def eye_of(to_photo: Array, size: tuple[int, int]) -> Eye:
    """The camera for a board's homography, with its principal point at the photo's centre.

    The tilt determines the focal length; without a tilt, that of a usual phone is used.
    """
    width, height = size
    middle = np.array([width / 2, height / 2])
    centred = np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, 1]]) @ to_photo
    usual = USUAL_FOCAL * max(width, height)

    def misfit(log: float) -> float:
        scaled = np.diag([1 / np.exp(log), 1 / np.exp(log), 1.0]) @ centred
        one, other = scaled[:, 0], scaled[:, 1]
        lengths = np.linalg.norm(one), np.linalg.norm(other)
        square = float(one @ other) / float(lengths[0] * lengths[1])
        even = float(np.log(lengths[0] / lengths[1]))
        off = (log - np.log(usual)) / FOCAL_SPREAD
        return (square / 0.004) ** 2 + (even / 0.004) ** 2 + float(off) ** 2

    logs = np.log(usual) + np.linspace(-0.5, 0.5, 201)
    focal = float(np.exp(logs[int(np.argmin([misfit(log) for log in logs]))]))
    scaled = np.diag([1 / focal, 1 / focal, 1.0]) @ centred
    scaled /= np.sqrt(np.linalg.norm(scaled[:, 0]) * np.linalg.norm(scaled[:, 1]))
    if scaled[2, 2] < 0:
        scaled = -scaled
    one, other, shift = scaled.T
    one, other = one / np.linalg.norm(one), other / np.linalg.norm(other)
    # x to the right and y down make z point into the table
    up = -np.cross(one, other)
    turned = np.column_stack([one, other, up])
    inner = np.array([[focal, 0, middle[0]], [0, focal, middle[1]], [0, 0, 1]])
    place = -np.linalg.solve(turned, shift)
    return Eye(inner @ np.column_stack([turned, shift]), place)
