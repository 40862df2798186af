"""Block detection: a quadrangle of a card's proportions -> rows and columns of touching cards in it, by their
seams."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.photo import geometry

Array = NDArray[np.float64]
Size = tuple[float, float]

#: The most cards that lie so in a row, and how far their outline's shape may be from one card's (a
#: logarithm).
_MOST, _LIKE = 5, 0.06
#: Least number of seams of a block: one or two printed lines may pass for seams.
_SEAMS = 3
#: Pixels along the longer side of what is looked at; a seam is so near its place (a share of the side),
#: about as near as the others (px), its edge along most of its length so many times as strong as all but a
#: tenth of the other lines'. Measured: the weakest seam of a block of 4 x 2 cards has 2.6 (`tuning`, one
#: photo); of 638 single faces of eight sets none passes but a whole board of 25 squares.
_SIDE_PX, _NEAR, _APART_PX, _SEAM = 352, 0.035, 4.0, 2.0


def as_block(lab: NDArray[np.uint8], quad: Array, size_mm: Size) -> tuple[int, int, Array] | None:
    """Number of columns and rows of upright touching cards in a quadrangle (4, 2), with the block's corners;
    None if one card.

    `size_mm` is the size of one card. The picture is (H, W, 3) uint8 CIE L*a*b*.
    """
    width, height = size_mm
    found: tuple[int, int, Array] | None = None
    for turn in (0, 1):
        # the quadrangle is a card, width first: as a block it may lie sideways
        wide, high = (width, height) if turn == 0 else (height, width)
        for columns in range(1, _MOST + 1):
            for rows in range(1, _MOST + 1):
                shape = np.log(columns * width / (rows * height)) - np.log(wide / high)
                if columns + rows - 2 < _SEAMS or abs(float(shape)) > _LIKE:
                    continue
                corners = np.roll(quad, -turn, axis=0)
                # a block's seams are some of those of one of more cards
                if found is not None and columns * rows <= found[0] * found[1]:
                    continue
                pose, face = _cut(lab, corners, wide / high)
                seams = _seams(face, columns, rows)
                strong = min(each for each, _ in seams[0] + seams[1]) > _SEAM
                if strong and all(_together(each) for each in seams):
                    off = [float(np.median([away for _, away in each] or [0.0])) for each in seams]
                    flat = geometry.apply(pose, corners) + np.array(off)
                    found = columns, rows, geometry.apply(np.asarray(np.linalg.inv(pose)), flat)
    return found


def _together(seams: list[tuple[float, float]]) -> bool:
    """Whether all seams have about the same offset from their expected positions."""
    away = [each for _, each in seams]
    return not away or max(away) - min(away) <= _APART_PX


def _cut(lab: NDArray[np.uint8], corners: Array, ratio: float) -> tuple[Array, NDArray[np.float32]]:
    """Homography (3, 3) from the picture to the rectified area within the corners, and that rectified
    picture."""
    wide = round(_SIDE_PX * min(1.0, ratio))
    high = round(_SIDE_PX * min(1.0, 1 / ratio))
    flat = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    pose = np.asarray(cv2.getPerspectiveTransform(corners.astype(np.float32), flat), np.float64)
    face = cv2.warpPerspective(lab, pose, (wide, high), flags=cv2.INTER_AREA)
    return pose, np.asarray(cv2.GaussianBlur(face, (0, 0), 1.0), np.float32)


def _seams(
    face: NDArray[np.float32], columns: int, rows: int
) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
    """Seams between columns, and between rows: for each its relative edge strength and its offset in px.

    The strength is relative to other lines across the face. The offset is from the expected position.
    """
    across = np.median(np.abs(face[:, 2:] - face[:, :-2]).sum(axis=2), axis=0)
    down = np.median(np.abs(face[2:] - face[:-2]).sum(axis=2), axis=1)
    found: list[list[tuple[float, float]]] = []
    for lines, parts in ((across, columns), (down, rows)):
        count = len(lines)
        within = lines[round(0.05 * count) : round(0.95 * count)]
        usual = max(float(np.percentile(within, 90)), 1.0)
        near = round(_NEAR * count)
        own = []
        for k in range(1, parts):
            at = round(k / parts * count)
            beside = lines[at - near : at + near + 1]
            own.append((float(beside.max()) / usual, float(beside.argmax() - near)))
        found.append(own)
    return found[0], found[1]
