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


#: Least deviations of the logarithms of red to green and of blue to green.
_LEAST_HUE = 0.07
#: A table in shadow is darker by up to this factor; under a sleeve's film it is a little lighter.
_IN_SHADOW, _UNDER_FILM = 0.3, 1.3
#: Deviations of hue at which a colour begins not to be the table's, and is not.
_HUE_BEGINS, _HUE_ENDS = 1.8, 3.4
#: With fewer pixels of bare table nothing is said.
_LEAST_PIXELS = 300


class TableColours:
    """What a photo's bare table looks like, in light and in shadow: by hue, and no lighter than the table."""

    def __init__(self, bare: NDArray[np.uint8]) -> None:
        """`bare` (N, 3) are BGR pixels of the table."""
        self._known = len(bare) >= _LEAST_PIXELS
        if self._known:
            hue, light = _hue_and_light(bare)
            self._hue = np.median(hue, axis=0)
            away = hue - self._hue
            spread = np.cov(away[np.abs(away).max(axis=1) < 0.8].T) + np.eye(2) * _LEAST_HUE**2
            self._inverse = np.linalg.inv(spread)
            dark, bright = np.quantile(light, [0.05, 0.95])
            self._light = dark + np.log(_IN_SHADOW), bright + np.log(_UNDER_FILM)

    def share(self, pixels: NDArray[np.uint8]) -> Field:
        """(...,) how much each of (..., 3) BGR pixels may be table, 0 to 1."""
        if not self._known:
            return np.full(pixels.shape[:-1], 0.5, np.float32)
        hue, light = _hue_and_light(pixels.reshape(-1, 3))
        away = hue - self._hue
        off = np.sqrt(np.einsum("ni,ij,nj->n", away, self._inverse, away))
        like = np.clip((_HUE_ENDS - off) / (_HUE_ENDS - _HUE_BEGINS), 0, 1)
        low, high = self._light
        like *= np.clip((light - low) / 0.3, 0, 1) * np.clip((high - light) / 0.15, 0, 1)
        return np.asarray(like.reshape(pixels.shape[:-1]), np.float32)


def _hue_and_light(bgr: NDArray[np.uint8]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(N, 2) logarithms of red and blue to green, (N,) of light, of (N, 3) pixels in linear light."""
    light = (bgr.astype(np.float64) / 255) ** 2.2 + 0.004
    log = np.log(light)
    return np.column_stack([log[:, 2] - log[:, 1], log[:, 0] - log[:, 1]]), np.log(light.mean(axis=1))
