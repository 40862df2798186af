"""Round shapes in a top view: disc-sized spots of a residual, and circular edges."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards.top_view import FromAbove

Floats = NDArray[np.float32]

#: Least mean residual (share) of a spot that may be a disc.
FULL = 0.42


def round_spots(
    unlike: Floats, px_per_mm: float, radius_mm: float, level: float
) -> list[tuple[float, float]]:
    """Centres (px) of disc-sized spots in a residual picture (h, w), the most filled first."""
    radius = radius_mm * px_per_mm
    size = 2 * int(np.ceil(radius)) + 1
    ys, xs = np.mgrid[:size, :size] - size // 2
    disc = ((xs * xs + ys * ys) <= (0.92 * radius) ** 2).astype(np.float32)
    full = cv2.filter2D(
        np.minimum(unlike / level, 1.0).astype(np.float32),
        -1,
        disc / disc.sum(),
        borderType=cv2.BORDER_CONSTANT,
    )
    peak = cv2.dilate(full, np.ones((int(radius) | 1,) * 2, np.uint8))
    found = np.argwhere((full >= peak) & (full > FULL))
    order = np.argsort(-full[found[:, 0], found[:, 1]])
    kept: list[tuple[float, float]] = []
    for k in order:
        y, x = found[k]
        if all((x - a) ** 2 + (y - b) ** 2 > (0.5 * radius) ** 2 for a, b in kept):
            kept.append((float(x), float(y)))
    return kept


#: Least gradient (Sobel sum) of an edge pixel that votes for a disc's centre; number of places kept for each
#: size.
EDGE, PLACES = 56, 60


def round_edges(
    above: FromAbove, radii_mm: Sequence[float], but_mm: tuple[float, float, float, float] | None = None
) -> list[list[tuple[float, float]]]:
    """Centres (mm) of circular edges in a top view, for each radius, most votes first; none in the box
    `but_mm`.

    Every edge pixel votes for the points one radius away on either side of it (Duda and Hart 1972).
    """
    scale = above.px_per_mm
    picture = cv2.GaussianBlur(above.picture, (0, 0), 0.8)
    dx = cv2.Sobel(picture, cv2.CV_16S, 1, 0, ksize=3)
    dy = cv2.Sobel(picture, cv2.CV_16S, 0, 1, ksize=3)
    steep = np.abs(dx) + np.abs(dy)
    keep = (steep.max(axis=2) > 2 * EDGE) & above.inside
    if but_mm is not None:
        x0, y0 = ((np.array(but_mm[:2]) - above.origin_mm) * scale).astype(int) + 4
        x1, y1 = ((np.array(but_mm[2:]) - above.origin_mm) * scale).astype(int) - 4
        keep[max(y0, 0) : max(y1, 0), max(x0, 0) : max(x1, 0)] = False
    ys, xs = np.nonzero(keep)
    channel = steep[ys, xs].argmax(axis=1)
    way = np.stack([dx[ys, xs, channel], dy[ys, xs, channel]]).astype(np.float32)
    way /= np.maximum(np.linalg.norm(way, axis=0), 1e-3)
    return [_voted(above, xs, ys, way, radius) for radius in radii_mm]


def _voted(
    above: FromAbove, xs: NDArray[np.intp], ys: NDArray[np.intp], way: Floats, radius_mm: float
) -> list[tuple[float, float]]:
    scale = above.px_per_mm
    height, width = above.inside.shape
    told = []
    for share in (1.0, 0.93, 0.84):
        for sign in (1.0, -1.0):
            reach = sign * share * radius_mm * scale
            cx = np.round(xs + way[0] * reach).astype(np.int32)
            cy = np.round(ys + way[1] * reach).astype(np.int32)
            within = (cx >= 0) & (cy >= 0) & (cx < width) & (cy < height)
            told.append(cy[within] * width + cx[within])
    votes = np.bincount(np.concatenate(told), minlength=height * width).astype(np.float32)
    spread = cv2.GaussianBlur(votes.reshape(height, width), (0, 0), 1.2)
    peak = cv2.dilate(spread, np.ones((int(radius_mm * scale) | 1,) * 2, np.uint8))
    rows, columns = np.nonzero((spread >= peak) & (spread > 0.5))
    order = np.argsort(-spread[rows, columns])[:PLACES]
    found = (np.column_stack([columns[order], rows[order]]) + 0.5) / scale + above.origin_mm
    return [(float(x), float(y)) for x, y in found]
