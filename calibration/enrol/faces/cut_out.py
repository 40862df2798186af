"""Rectification of a card's face: an upright, flat image from its four corners in a photo."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.photo import geometry
from vision.photo.decode import Photo
from vision.photo.geometry import card_homography
from vision.photo.lens import AnyLens
from vision.photo.view import pixel_size

Array = NDArray[np.float64]
Size = tuple[float, float]

#: Art has at least and at most so many pixels a millimetre (docs/FORMATS.md, section 1, asks for 8).
LEAST_PX_PER_MM, MOST_PX_PER_MM = 8, 12


def native_px_per_mm(corners_px: Array, size_mm: Size) -> float:
    """Mean resolution of a card in its photo, in pixels per mm: the square root of the ratio of areas."""
    area = cv2.contourArea(np.asarray(corners_px, np.float32))
    return float(np.sqrt(area / (size_mm[0] * size_mm[1])))


def art_px_per_mm(corners_px: Array, size_mm: Size) -> int:
    """Resolution in pixels per mm at which a face is stored: the photo's own, clipped to the limits for
    art."""
    native = native_px_per_mm(corners_px, size_mm)
    return int(np.clip(np.ceil(native), LEAST_PX_PER_MM, MOST_PX_PER_MM))


def cut_out(
    photo: Photo, lens: AnyLens, corners_px: Array, size_mm: Size, px_per_mm: float
) -> NDArray[np.uint8]:
    """Rectified face (H, W, 3) BGR from four photo corners, clockwise from the top left."""
    width, height = pixel_size(size_mm, px_per_mm)
    to_straight = card_homography(lens.straight(corners_px), size_mm)
    x, y = np.meshgrid(
        (np.arange(width) + 0.5) * size_mm[0] / width, (np.arange(height) + 0.5) * size_mm[1] / height
    )
    at = lens.seen(geometry.apply(to_straight, np.dstack([x, y])))
    halvings = int(max(0.0, np.floor(np.log2(max(native_px_per_mm(corners_px, size_mm) / px_per_mm, 1.0)))))
    at = ((at + 0.5) / 2**halvings - 0.5).astype(np.float32)
    seen = cv2.remap(
        photo.reduced(halvings), at[..., 0], at[..., 1], cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(seen, np.uint8)


def turned(face: NDArray[np.uint8], quarters: int) -> NDArray[np.uint8]:
    """A face rotated clockwise by a number of quarter turns."""
    return np.ascontiguousarray(np.rot90(face, -quarters))


# --- rounded corners ----------------------------------------------------------------------------------------

Field = NDArray[np.float32]


def corners_filled(
    face: NDArray[np.uint8], size_mm: tuple[float, float], radius_mm: float
) -> NDArray[np.uint8]:
    """A face (H, W, 3) with the area outside its rounded corners filled from the nearest pixels of the
    face."""
    if radius_mm <= 0:
        return face
    x, y = _nearest_within((face.shape[1], face.shape[0]), size_mm, radius_mm)
    return np.asarray(cv2.remap(face, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)


@lru_cache(maxsize=4)
def _nearest_within(
    size_px: tuple[int, int], size_mm: tuple[float, float], radius_mm: float
) -> tuple[Field, Field]:
    """Remap arrays x and y (H, W) in pixels: the nearest point on the card for each pixel, slightly inside
    its edge."""
    width, height = size_px
    scale = np.array([width / size_mm[0], height / size_mm[1]])
    within = 0.25  # mm: an edge is blurred
    radius = max(radius_mm - within, 0.1)
    x, y = np.meshgrid((np.arange(width) + 0.5) / scale[0], (np.arange(height) + 0.5) / scale[1])
    at = np.dstack([x, y])
    centre = np.clip(at, radius_mm, np.array(size_mm) - radius_mm)
    away = at - centre
    distance = np.linalg.norm(away, axis=2, keepdims=True)
    beyond = (distance > radius) & (np.abs(away) > 1e-9).all(axis=2, keepdims=True)
    at = np.where(beyond, centre + away * radius / np.maximum(distance, 1e-9), at)
    placed = (at * scale - 0.5).astype(np.float32)
    return np.ascontiguousarray(placed[..., 0]), np.ascontiguousarray(placed[..., 1])
