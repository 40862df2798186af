"""Depth of field: the circle of confusion of a thin lens, and blur that differs from pixel to pixel."""

from __future__ import annotations

import itertools
import math

import cv2
import numpy as np
from numpy.typing import NDArray

from samples.canvas import Canvas
from samples.projection import eye_mm
from samples.scene_schema import Scene

Array = NDArray[np.float64]
Field = NDArray[np.float32]
SHARP_PX = 0.25  # less blur than this is not seen
BLUR_LEVELS_PX = (0.0, 0.8, 1.6, 3.2)  # steps of the depth of field


def confusion_px(canvas: Canvas, scene: Scene) -> Array:
    """On the coarse grid, the blur (deviation, pixels) of the circle of confusion of each point of the table
    (thin lens)."""
    camera = scene.camera
    focal_mm = camera.focal_mm_35 * camera.sensor_diagonal_mm / 43.267
    px_per_sensor_mm = math.hypot(camera.width, camera.height) / camera.sensor_diagonal_mm
    eye = eye_mm(camera)
    target = np.array([*camera.target_mm, 0.0])
    axis = (target - eye) / np.linalg.norm(target - eye)
    points = np.dstack([canvas.grid_mm, np.zeros(canvas.grid_mm.shape[:2])])
    depth = np.maximum((points - eye) @ axis, 50.0)
    focus = camera.focus_mm or camera.distance_mm
    aperture = focal_mm / camera.fstop
    circle = aperture * focal_mm * np.abs(depth - focus) / (depth * (focus - focal_mm)) * px_per_sensor_mm
    return np.asarray(circle / 2 * 0.6)


def defocus(plane: Field, wanted: Field, largest: float) -> None:
    """Blur one colour in place by the deviation `wanted` at each pixel, of which `largest` is the largest."""
    for low, high in itertools.pairwise(BLUR_LEVELS_PX):
        # each level blurs the last one's further
        if largest <= max(low, SHARP_PX):
            return
        share = wanted - np.float32(low)
        share *= np.float32(1 / (high - low))
        np.clip(share, 0, 1, out=share)
        share *= cv2.GaussianBlur(plane, (0, 0), math.sqrt(high**2 - low**2)) - plane
        plane += share
