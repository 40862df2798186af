"""Which tiles of a set show a room. Beside a tile's middle, where no corridor runs, is a room's floor or the
same ground as in the tile's corners."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.enrol.pieces.tile_features import CORNERS, Square, features_of

#: Squares of a tile (left, top, right, bottom; shares of its side) beside the crossing of any corridors.
_BESIDE: tuple[Square, ...] = tuple(
    (left, top, left + 0.05, top + 0.05) for left in (0.31, 0.64) for top in (0.31, 0.64)
)
#: Least variance of a feature within a tile's ground, as a share of its own variance and absolute.
_STIFF, _LEAST = 0.05, 0.5


def rooms_shown(tiles: Sequence[NDArray[np.uint8]]) -> list[bool]:
    """Whether each of a set's tiles (H, W, 3) BGR shows a room. The set has tiles of both sorts, which are
    separated at the widest gap."""
    if len(tiles) < 2:
        return [False] * len(tiles)
    corners, beside = features_of(tiles, CORNERS), features_of(tiles, _BESIDE)
    ground = np.median(corners, axis=1, keepdims=True)
    spread = (corners - corners.mean(axis=1, keepdims=True)).reshape(-1, corners.shape[-1])
    within = np.cov(spread.T)
    within += np.diag(_STIFF * np.diag(within) + _LEAST)
    apart = beside - ground
    away = (apart * np.linalg.solve(within, apart[..., None])[..., 0]).sum(axis=-1)
    unlike = np.log1p(np.median(away, axis=1))
    order = np.sort(unlike)
    gap = int(np.diff(order).argmax())
    return [bool(each > (order[gap] + order[gap + 1]) / 2) for each in unlike]
