"""A photo as pixels: the one place that decodes pictures, turns them by EXIF and brings them to sRGB."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Photo:
    """A decoded picture.

    `pixels`     (height, width, 3) uint8, sRGB, blue-green-red as OpenCV has it, read-only, upright by EXIF
    `warnings`   sentences (English) on what was odd but could be read
    """

    pixels: NDArray[np.uint8]
    warnings: tuple[str, ...] = ()

    @property
    def width(self) -> int:
        return int(self.pixels.shape[1])

    @property
    def height(self) -> int:
        return int(self.pixels.shape[0])
