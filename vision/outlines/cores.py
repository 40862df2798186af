"""Cards in the heat maps of the network (`outline_net`): regions of insides, and of cores where cards touch.

A core is a card without a rim of `CORE` times its shorter side all around (Wang et al. 2019 part lines of text
by shrunk regions in this way). The homography of a core's four corners gives the corners of its card.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.outlines.edges import as_quad
from vision.outlines.outline_net import CORE
from vision.photo import geometry
from vision.photo.geometry import card_homography

Array = NDArray[np.float64]
Size = tuple[float, float]

#: Levels (8 bit) at which regions are cut out of a heat map.
_LEVELS = (90, 127, 170)
#: Least area of a region, as a share of the picture.
_LEAST_AREA = 0.0006


def cards_of_insides(inside: NDArray[np.uint8]) -> list[Array]:
    """Corners (4, 2), clockwise, of the quadrangles in a heat map (H, W) uint8 of the insides of cards."""
    return _quads(inside)


def cards_of_cores(core: NDArray[np.uint8], size_mm: Size) -> list[Array]:
    """Corners (4, 2), clockwise, of the cards of one size (width and height, mm) whose cores a heat map (H, W)
    uint8 shows."""
    return [_around(corners, size_mm) for corners in _quads(core)]


def _quads(chance: NDArray[np.uint8]) -> list[Array]:
    """Quadrangles (4, 2) whole within a heat map (H, W); one may appear once for each level."""
    found = []
    height, width = chance.shape
    for level in _LEVELS:
        mask = np.asarray(chance > level, np.uint8)
        outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        for outline in outlines:
            x, y, wide, high = cv2.boundingRect(outline)
            whole = x > 1 and y > 1 and x + wide < width - 1 and y + high < height - 1
            if not whole or cv2.contourArea(outline) < _LEAST_AREA * height * width:
                continue
            corners = as_quad(outline)
            if corners is not None:
                found.append(corners)
    return found


def _around(core: Array, size_mm: Size) -> Array:
    """Corners (4, 2) of the card about the corners (4, 2) of its core."""
    rim = CORE * min(size_mm)
    sides = np.linalg.norm(np.roll(core, -1, axis=0) - core, axis=1)
    lies = (sides[0] + sides[2] > sides[1] + sides[3]) == (size_mm[0] >= size_mm[1])
    width, height = size_mm if lies else size_mm[::-1]
    plane = card_homography(core, (width - 2 * rim, height - 2 * rim))
    return geometry.apply(plane, geometry.rectangle(width + 0.0, height + 0.0) - rim)
