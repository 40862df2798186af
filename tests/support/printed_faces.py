"""Where a card's print lies in a made photo, against where its truth says."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from samples.board_truth import BoardSample
from samples.camera import distort
from samples.projection import card_to_photo
from samples.sample import Sample
from samples.scene_schema import SceneCard

PX_PER_MM = 6


def print_offset(
    sample: Sample | BoardSample, photo: NDArray[np.uint8], card: SceneCard
) -> tuple[float, float]:
    """How far (mm) the printed face in the photo, before any messenger's copy, is off the truth, and how well
    the two agree (0 to 1), by phase correlation."""
    grey = cv2.cvtColor(photo, cv2.COLOR_RGB2GRAY)
    x, y = np.meshgrid(*((np.arange(int(side * PX_PER_MM)) + 0.5) / PX_PER_MM for side in card.size_mm))
    scene = sample.scene
    ideal = card_to_photo(scene.camera, card, np.column_stack([x.ravel(), y.ravel()]))
    map_x, map_y = distort(ideal, scene.camera, scene.post).T.reshape(2, *x.shape).astype(np.float32)
    found = cv2.remap(grey, map_x, map_y, cv2.INTER_CUBIC).astype(np.float32)
    printed = cv2.resize(
        cv2.cvtColor(sample.images[card.face], cv2.COLOR_RGB2GRAY),
        x.shape[::-1],
        interpolation=cv2.INTER_AREA,
    ).astype(np.float32)
    a, b = (cv2.GaussianBlur(picture, (0, 0), 1.0) for picture in (printed, found))
    shift, agreement = cv2.phaseCorrelate(a, b, cv2.createHanningWindow(x.shape[::-1], cv2.CV_32F))
    return float(np.hypot(*shift)) / PX_PER_MM, float(agreement)
