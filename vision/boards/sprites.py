"""Sprites of standing pieces: folded figures and turned pawns projected onto the board as the camera sees
them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards.art import Flat
from vision.photo.geometry import rectangle

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

#: Length of a folded figure's flaps, and width of its open foot, as shares of its height.
FLAP_SHARE, FOOT_SHARE = 0.2, 0.1
#: Distance (px) of the rim from a piece's edge.
RIM_PX = 4
#: Outline of a turned pawn: (height, half width), as shares of its height.
PAWN = (
    (0.0, 0.27), (0.07, 0.27), (0.12, 0.22), (0.3, 0.14), (0.55, 0.13), (0.66, 0.16), (0.78, 0.19),
    (0.9, 0.155), (1.0, 0.04),
)  # fmt: skip


@dataclass(frozen=True)
class Sprite:
    """The pixels of the board that a piece hides from the camera, with the colours expected there.

    `at` (n, 2) are pixels (x, y) from its foot; `low` and `high` (n, 3) bound the blue, green and red of its
    art within a pixel. `rim` (m, 2) are pixels just beyond its edge. `upright` (n,) marks pixels of standing
    sides, which have their own light; the rest lies flat.
    """

    at: NDArray[np.int32]
    low: Floats
    high: Floats
    pawn: bool
    rim: NDArray[np.int32]
    upright: NDArray[np.bool_]


def laid_on_board(points_mm: Array, eye_mm: Array) -> Array:
    """Projection from the camera: points over the board (n, 3) mm -> the board points (n, 2) mm that they
    hide."""
    down = eye_mm[2] / np.maximum(eye_mm[2] - points_mm[:, 2], 1.0)
    return np.asarray(eye_mm[:2] + (points_mm[:, :2] - eye_mm[:2]) * down[:, None])


def sprite_of(
    piece: Flat, foot_mm: tuple[float, float], turn: float, pawn: bool, eye_mm: Array, px_per_mm: float
) -> Sprite:
    """The sprite of a piece at a foot position (mm) and rotation, as the camera sees it."""
    return (
        _pawn(piece, foot_mm, eye_mm, px_per_mm) if pawn else _folded(piece, foot_mm, turn, eye_mm, px_per_mm)
    )


def _folded(
    piece: Flat, foot_mm: tuple[float, float], turn: float, eye_mm: Array, px_per_mm: float
) -> Sprite:
    width, height = piece.size_mm
    right = np.array([np.cos(turn), np.sin(turn), 0.0])
    before = np.array([-right[1], right[0], 0.0])
    foot, up = np.array([*foot_mm, 0.0]), np.array([0.0, 0.0, 1.0])
    half = right * width / 2
    picture = piece.picture
    flap = np.ascontiguousarray(picture[::-1][: max(2, round(len(picture) * FLAP_SHARE))])
    parts: list[tuple[NDArray[np.uint8], Array]] = []
    for side in (1.0, -1.0):
        base = foot + side * before * height * FOOT_SHARE / 2
        far = base + side * before * FLAP_SHARE * height
        parts.append((flap, np.array([base - half, base + half, far + half, far - half])))
    # the side that the camera sees hides the other one
    sides = sorted((1.0, -1.0), key=lambda side: float(side * before @ (eye_mm - foot)))
    for side in sides[1:]:
        base = foot + side * before * height * FOOT_SHARE / 2
        crest = foot + up * height
        parts.append((picture, np.array([crest - half, crest + half, base + half, base - half])))
    outlines = [laid_on_board(corners, eye_mm) for _, corners in parts]
    every = (np.concatenate(outlines) - foot_mm) * px_per_mm
    low = np.floor(every.min(axis=0)).astype(int) - 1
    size = np.ceil(every.max(axis=0)).astype(int) + 2 - low
    made = np.zeros((size[1], size[0], 3), np.uint8)
    mask = np.zeros((size[1], size[0]), np.uint8)
    standing = np.zeros_like(mask)
    for number, ((art, _), outline) in enumerate(zip(parts, outlines, strict=True)):
        corners = ((outline - foot_mm) * px_per_mm - low - 0.5).astype(np.float32)
        if abs(cv2.contourArea(corners)) < 4:
            continue
        frame = (rectangle(art.shape[1], art.shape[0]) - 0.5).astype(np.float32)
        seen = cv2.warpPerspective(
            art,
            cv2.getPerspectiveTransform(frame, corners),
            (int(size[0]), int(size[1])),
            flags=cv2.INTER_AREA,
        )
        own = np.zeros_like(mask)
        cv2.fillConvexPoly(own, np.round(corners).astype(np.int32), 1)
        cv2.copyTo(seen, own, made)
        mask |= own
        if number >= 2:
            standing |= own
    kernel = np.ones((3, 3), np.uint8)
    # pixels beyond its edge are not part of it
    beyond = cv2.copyTo(made, mask, np.full_like(made, 255))
    within = np.flatnonzero(mask)
    least, most = (
        each.reshape(-1, 3).take(within, axis=0).astype(np.float32)
        for each in (cv2.erode(beyond, kernel), cv2.dilate(made, kernel))
    )
    upright = standing.ravel().take(within) > 0
    return Sprite(_pixels(within, mask, low), least, most, False, _rim(mask, low), upright)


def _pawn(piece: Flat, foot_mm: tuple[float, float], eye_mm: Array, px_per_mm: float) -> Sprite:
    height = piece.size_mm[1]
    turn = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    circle = np.column_stack([np.cos(turn), np.sin(turn)])
    rings = [
        laid_on_board(
            np.column_stack([np.asarray(foot_mm) + circle * share * height, np.full(12, at * height)]), eye_mm
        )
        for at, share in PAWN
    ]
    every = (np.concatenate(rings) - foot_mm) * px_per_mm
    low = np.floor(every.min(axis=0)).astype(int) - 1
    size = np.ceil(every.max(axis=0)).astype(int) + 2 - low
    mask = np.zeros((size[1], size[0]), np.uint8)
    for one, other in pairwise(rings):
        both = ((np.concatenate([one, other]) - foot_mm) * px_per_mm - low).astype(np.float32)
        cv2.fillConvexPoly(mask, np.round(cv2.convexHull(both)[:, 0]).astype(np.int32), 1)
    at = _pixels(np.flatnonzero(mask), mask, low)
    colours = np.tile(piece.painted, (len(at), 1)).astype(np.float32)
    return Sprite(at, colours, colours, True, _rim(mask, low), np.ones(len(at), bool))


def _rim(mask: NDArray[np.uint8], low: NDArray[np.int64]) -> NDArray[np.int32]:
    """Pixels (m, 2) just outside a mask with its origin at `low`."""
    wide = cv2.copyMakeBorder(mask, RIM_PX, RIM_PX, RIM_PX, RIM_PX, cv2.BORDER_CONSTANT, value=0)
    outer = cv2.dilate(wide, np.ones((2 * RIM_PX + 1,) * 2, np.uint8))
    inner = cv2.dilate(wide, np.ones((2 * RIM_PX - 3,) * 2, np.uint8))
    return _pixels(np.flatnonzero(outer - inner), wide, low - RIM_PX)


def _pixels(within: NDArray[np.intp], mask: NDArray[np.uint8], low: NDArray[np.int64]) -> NDArray[np.int32]:
    """Pixels (n, 2), (x, y), from flat indices into a mask with its origin at `low`."""
    at = np.empty((len(within), 2), np.int32)
    at[:, 1], at[:, 0] = np.divmod(within, mask.shape[1])
    return at + low.astype(np.int32)
