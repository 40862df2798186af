"""Upright cards: each card as it is seen, turned upright at the scale of the ink map and registered to its
blank art (`vision.registration`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.catalogue import Catalogue
from vision.art import read_art
from vision.ink_map import PX_PER_MM
from vision.layout import CardPose
from vision.print_blur import LEAST_BLUR_PX, Details, details_of
from vision.registration import for_registration, residual_flow
from vision.view import halvings_for_ink, px_per_mm

Image = NDArray[np.float32]
Picture = NDArray[np.uint8]

#: The printed edge of a card is worn, rounded and in its neighbour's shadow.
_EDGE_MM = 0.5


def halvings_for(poses: Sequence[CardPose], catalogue: Catalogue, most: int) -> int:
    """How often a photo may be halved, at most so many times, for the ink on its cards to be read."""
    seen = (px_per_mm(pose.corners_px, catalogue.size_of(pose.card)) for pose in poses)
    return halvings_for_ink(seen, most)


def halved_pose(pose: CardPose, halvings: int) -> CardPose:
    """Where a card lies in a photo that was halved so many times; pixels count from their middles."""
    if not halvings:
        return pose
    scale = 0.5**halvings
    shift = 0.5 * scale - 0.5
    to_half = np.array([[scale, 0, shift], [0, scale, shift], [0, 0, 1]])
    corners = np.asarray(pose.corners_px, float) * scale + shift
    return replace(pose, card_to_photo=to_half @ pose.card_to_photo, corners_px=corners)


@dataclass(frozen=True)
class BlankArt:
    """A card's art at the working scale: `art` (H, W, 3) uint8, and what registration and sharpness compare
    of it (kept, not to be written to).
    """

    art: NDArray[np.uint8]
    even: Image
    details: Details

    def picture(self) -> Image:
        """(H, W, 3) float32 0..1."""
        return np.divide(self.art, np.float32(255), dtype=np.float32)


@lru_cache(maxsize=128)
def blank_art(path: Path, changed_ns: int, size: tuple[int, int]) -> BlankArt:
    """The art of a file, which was changed then, at a size; kept by these."""
    del changed_ns
    art = read_art(path)
    if art is None:
        raise FileNotFoundError(path)
    art = np.asarray(cv2.resize(art, size, interpolation=cv2.INTER_AREA), np.uint8)
    grey = cv2.cvtColor(np.divide(art, np.float32(255), dtype=np.float32), cv2.COLOR_BGR2GRAY)
    return BlankArt(art, for_registration(grey, PX_PER_MM), details_of(grey, PX_PER_MM))


def rectified(
    photo_bgr: NDArray[np.uint8],
    pose: CardPose,
    blank: BlankArt,
    to_mm: NDArray[np.float64],
    size_mm: tuple[float, float],
) -> tuple[Picture, float]:
    """A card upright and registered to its art, (H, W, 3) uint8, and the largest correction, mm."""
    height, width = blank.art.shape[:2]
    window, homography = _window(photo_bgr, pose, size_mm)
    homography = homography @ to_mm
    first = cv2.warpPerspective(
        cv2.cvtColor(window, cv2.COLOR_BGR2GRAY),
        homography,
        (width, height),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    flow = residual_flow(np.divide(first, np.float32(255), dtype=np.float32), blank.even, PX_PER_MM)
    points = cv2.add(flow, _grid((width, height)))
    at = cv2.perspectiveTransform(points.reshape(-1, 1, 2), homography).reshape(points.shape)
    face = cv2.remap(window, at, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    seen = np.asarray(face, np.uint8)
    far = float(np.sqrt((flow[..., 0] ** 2 + flow[..., 1] ** 2).max())) / PX_PER_MM
    return seen, far


@lru_cache(maxsize=8)
def _grid(size: tuple[int, int]) -> Image:
    """(H, W, 2) where each pixel of a card is; kept, not to be written to."""
    xs, ys = np.meshgrid(np.arange(size[0], dtype=np.float32), np.arange(size[1], dtype=np.float32))
    return np.stack([xs, ys], axis=-1)


def softened(blank: BlankArt, blur_mm: float) -> Image:
    """A blank card as blurred as it is seen, (H, W, 3) float32."""
    art, sigma = blank.picture(), blur_mm * PX_PER_MM
    return np.asarray(cv2.GaussianBlur(art, (0, 0), sigma) if sigma > LEAST_BLUR_PX else art, np.float32)


def _window(
    photo_bgr: NDArray[np.uint8], pose: CardPose, size_mm: tuple[float, float]
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """The card's part of the photo, shrunk when it holds more detail than the working scale, and card mm
    to its pixels.
    """
    corners = np.asarray(pose.corners_px, float)
    low = np.maximum(np.floor(corners.min(axis=0)).astype(int) - 12, 0)
    high = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + 12, [photo_bgr.shape[1], photo_bgr.shape[0]])
    high = np.maximum(high, low + 2)
    window = photo_bgr[low[1] : high[1], low[0] : high[0]]
    scale = px_per_mm(corners, size_mm) / PX_PER_MM
    shrink = 1.0
    if scale > 1.5:
        shrink = 1.2 / scale
        window = cv2.resize(window, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    move = np.array(
        [
            [shrink, 0, (0.5 - low[0]) * shrink - 0.5],
            [0, shrink, (0.5 - low[1]) * shrink - 0.5],
            [0, 0, 1],
        ]
    )
    return window, move @ pose.card_to_photo


@lru_cache(maxsize=16)
def inside_edge(size: tuple[int, int], radius_mm: float) -> NDArray[np.bool_]:
    """(H, W) the card's face without its edge and rounded corners; kept, not to be written to."""
    mask = np.zeros((size[1], size[0]), np.uint8)
    margin = round(_EDGE_MM * PX_PER_MM)
    cv2.rectangle(mask, (margin, margin), (size[0] - 1 - margin, size[1] - 1 - margin), 1, -1)
    radius = radius_mm * PX_PER_MM
    ys, xs = np.mgrid[: size[1], : size[0]]
    dx = np.maximum(radius - np.minimum(xs, size[0] - 1 - xs), 0)
    dy = np.maximum(radius - np.minimum(ys, size[1] - 1 - ys), 0)
    # a corner rounded by less than the margin is square where the margin ends
    made: NDArray[np.bool_] = (mask > 0) & (np.hypot(dx, dy) <= max(radius - margin, 0))
    return made
