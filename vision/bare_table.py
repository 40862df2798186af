"""What in a picture is unlike its table: the table is what the picture's border shows most of."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Field = NDArray[np.float32]

#: The border that is looked at, as a share of the picture, in a picture of this longer side.
_BORDER, _LONGER_SIDE = 0.07, 320
#: A table has up to so many colours; one that fewer of the border's pixels have may be a card's.
_COLOURS, _LEAST_SHARE = 4, 0.12
#: Least deviations of a colour (8-bit L*a*b*): light varies over a table more than hue does.
_LEAST_SPREAD = np.array([9.0, 3.5, 3.5])
#: Deviations at which a pixel begins to be unlike the table, and is so surely.
_BEGINS, _SURELY = 2.0, 4.0


def unlike_table(lab: NDArray[np.uint8]) -> Field:
    """(h, w) how unlike the table each pixel of a picture (h, w, 3) uint8 CIE L*a*b* is, 0 to 1."""
    height, width = lab.shape[:2]
    scale = min(1.0, _LONGER_SIDE / max(height, width))
    size = (max(8, round(width * scale)), max(8, round(height * scale)))
    small = cv2.resize(cv2.GaussianBlur(lab, (0, 0), 1.5), size, interpolation=cv2.INTER_AREA)
    band = max(2, round(_BORDER * min(size)))
    border = np.ones(small.shape[:2], bool)
    border[band:-band, band:-band] = False
    seen = small[border].astype(np.float32)
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.5)
    cv2.setRNGSeed(1)
    _, labels, _ = cv2.kmeans(seen, _COLOURS, np.empty((0,), np.int32), criteria, 2, cv2.KMEANS_PP_CENTERS)
    nearest = np.full((height, width), np.inf, np.float32)
    soft = cv2.GaussianBlur(lab, (0, 0), 1.5).astype(np.float32)
    for colour in range(_COLOURS):
        own = seen[labels.ravel() == colour]
        if len(own) < _LEAST_SHARE * len(seen):
            continue
        spread = np.maximum(own.std(axis=0), _LEAST_SPREAD).astype(np.float32)
        away = np.sqrt((((soft - own.mean(axis=0)) / spread) ** 2).sum(axis=2))
        np.minimum(nearest, away, out=nearest)
    return np.asarray(np.clip((nearest - _BEGINS) / (_SURELY - _BEGINS), 0, 1), np.float32)
