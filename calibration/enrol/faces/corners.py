"""Filling of a card's rounded corners, where a photo shows the table instead of the art."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

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
