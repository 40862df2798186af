"""Top views: a photo rectified to the plane of a board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.photo import geometry
from vision.photo.view import Reductions

Array = NDArray[np.float64]
P = TypeVar("P", NDArray[np.uint8], NDArray[np.float32])


@dataclass(frozen=True)
class FromAbove:
    """A photo rectified to a top view.

    `picture` (h, w, 3) is blue-green-red at `px_per_mm`; `origin_mm` is the board point at the corner of its
    first pixel. `inside` (h, w) masks pixels that lie within the photo.
    """

    picture: NDArray[np.uint8]
    px_per_mm: float
    origin_mm: tuple[float, float]
    inside: NDArray[np.bool_]

    def px(self, at_mm: Array | tuple[float, float]) -> Array:
        """Pixels of the picture of points (..., 2) of the board."""
        return (np.asarray(at_mm) - self.origin_mm) * self.px_per_mm - 0.5

    def cut(self, left_mm: float, top_mm: float, size_px: tuple[int, int]) -> NDArray[np.uint8]:
        """Crop of `size_px` (width, height) from a point of the board (mm); black outside the picture."""
        x = round((left_mm - self.origin_mm[0]) * self.px_per_mm)
        y = round((top_mm - self.origin_mm[1]) * self.px_per_mm)
        width, height = size_px
        made = np.zeros((height, width, 3), np.uint8)
        x0, y0 = max(x, 0), max(y, 0)
        x1, y1 = min(x + width, self.picture.shape[1]), min(y + height, self.picture.shape[0])
        if x1 > x0 and y1 > y0:
            made[y0 - y : y1 - y, x0 - x : x1 - x] = self.picture[y0:y1, x0:x1]
        return made


def from_above(
    pictures: Reductions, to_photo: Array, area_mm: tuple[float, float, float, float], px_per_mm: float
) -> FromAbove:
    """Top view of the area (left, top, right, bottom; mm) of the board's plane."""
    left, top, right, bottom = area_mm
    size = (round((right - left) * px_per_mm), round((bottom - top) * px_per_mm))
    shift = 0.5 / px_per_mm
    to_board = np.array([[1 / px_per_mm, 0, left + shift], [0, 1 / px_per_mm, top + shift], [0, 0, 1]])
    through = to_photo @ to_board
    picture = pictures.colours_through(through, size)
    inside = _inside(through, size, pictures.size)
    return FromAbove(picture, px_per_mm, (left, top), inside)


#: Pixel step at which the mask of the photo's area is computed.
_INSIDE_STEP = 8


def _inside(through: Array, size: tuple[int, int], photo: tuple[int, int]) -> NDArray[np.bool_]:
    """Mask (h, w) of the pixels of a picture that lie in the photo; `through` (3, 3) maps picture to
    photo."""
    xs, ys = np.meshgrid(np.arange(0, size[0], _INSIDE_STEP), np.arange(0, size[1], _INSIDE_STEP))
    mapped = np.stack([xs, ys], axis=-1) @ through[:, :2].T + through[:, 2]
    depth = mapped[..., 2:]
    at = mapped[..., :2] / np.where(np.abs(depth) < 1e-9, 1e-9, depth)
    middle = np.array([*np.array(size) / 2, 1.0]) @ through[2]
    within = (at > 0).all(axis=2) & (at < (photo[0] - 1, photo[1] - 1)).all(axis=2)
    within &= depth[..., 0] * middle > 0
    return np.asarray(cv2.resize(within.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0)


def crop_map(middle_px: Array, turn_rad: float, scale: float, size: tuple[int, int]) -> Array:
    """Affine map (2, 3) from a crop of `size` (width, height), rotated upright, to a picture.

    The crop lies around a point of the picture; its pixels are `scale` pixels of the picture long.
    """
    turn = geometry.similarity(turn_rad, np.zeros(2))[:2, :2] * scale
    return np.column_stack([turn, np.asarray(middle_px) - turn @ ((np.array(size) - 1) / 2)])


def crop(picture: P, middle_px: Array, turn_rad: float, scale: float, size: tuple[int, int]) -> P:
    """Crop of a picture around a point, rotated upright (`crop_map`)."""
    to_picture = crop_map(middle_px, turn_rad, scale, size)
    made = cv2.warpAffine(picture, to_picture, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    return cast(P, np.asarray(made))
