"""SIFT features of boards, pieces and photos, and matches between them."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.allowance import allowance
from vision.photo.numerics import spread
from vision.photo.view import View

Array = NDArray[np.float64]
#: Matches of features: rows and columns of a matrix of cosines, and the cosines.
Matches = tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float32]]

LEAST_CONTRAST = 0.02
#: Number of cells along a picture's longer side, over which its features are spread: a checked cloth would
#: otherwise have nearly all.
CELLS_ALONG = 24
#: Largest ratio of the distances to the best and the second-best descriptor for a match to count.
RATIO = 0.86
#: Number of candidates tried where a feature may be of several pieces.
TRIED = 3


@dataclass(frozen=True)
class Features:
    """SIFT features: `at` (n, 2) px, `size` (n,) px, `angle` (n,) radians, and RootSIFT `descriptors` (n,
    128)."""

    at: Array
    size: Array
    angle: Array
    descriptors: NDArray[np.float32]


@dataclass(frozen=True)
class PieceFeatures(Features):
    """Features of the art of several pieces, from their middles; `piece` (n,) is the piece's number."""

    piece: NDArray[np.intp]


def features_of_pieces(parts: Sequence[Features]) -> PieceFeatures:
    """The features of pieces, in the order of their numbers."""

    def joined(name: str) -> NDArray[Any]:
        return np.concatenate([getattr(each, name) for each in parts])

    piece = np.repeat(np.arange(len(parts)), [len(each.at) for each in parts])
    return PieceFeatures(joined("at"), joined("size"), joined("angle"), joined("descriptors"), piece)


def middles(at: Array, turn: Array, scale: Array | float, off: Array) -> Array:
    """The middles (n, 2) of pieces for which features vote that are `off` them in the art."""
    cos, sin = np.cos(turn) * scale, np.sin(turn) * scale
    return at - np.stack([cos * off[:, 0] - sin * off[:, 1], sin * off[:, 0] + cos * off[:, 1]], axis=1)


def look(grey: NDArray[np.uint8], most: int = 0, mask: NDArray[np.uint8] | None = None) -> Features:
    """SIFT features of a picture: all of them, or the `most` strongest, spread over the picture."""
    sift = cv2.SIFT.create(contrastThreshold=LEAST_CONTRAST)
    found = sift.detect(grey, mask)
    if most and found:
        points = np.array([point.pt for point in found])
        strength = np.array([point.response for point in found])
        size = (float(grey.shape[1]), float(grey.shape[0]))
        found = [found[k] for k in spread(points, strength, size, max(size) / CELLS_ALONG, most)]
    if not found:
        return Features(np.zeros((0, 2)), np.zeros(0), np.zeros(0), np.zeros((0, 128), np.float32))
    found, raw = sift.compute(grey, found)
    told = np.asarray(raw, np.float32)
    return Features(
        np.array([point.pt for point in found], np.float64),
        np.array([point.size for point in found], np.float64),
        np.radians([point.angle for point in found]),
        np.sqrt(told / np.maximum(told.sum(axis=1, keepdims=True), 1e-6)),
    )


def features_of_view(view: View, most: int) -> Features:
    """SIFT features of a photo's reduced picture, computed once if several boards are searched for in it."""
    what = ("board-features", most, view.grey.shape, zlib.crc32(view.grey.tobytes()))
    return allowance().once(what, int(view.grey.size), lambda: look(view.grey, most))


def distinct_matches(
    seen: NDArray[np.float32], known: NDArray[np.float32]
) -> tuple[NDArray[np.bool_], NDArray[np.intp]]:
    """Mask (n,) of the descriptors whose best match is clearly better than the next one (Lowe's ratio test),
    and the index in `known` of each of these."""
    alike = seen @ known.T
    best = np.asarray(alike.argmax(axis=1))
    rows = np.arange(len(best))
    top = alike[rows, best]
    alike[rows, best] = -1.0
    # distances of unit vectors, by their cosines
    apart, next_apart = np.sqrt(2 - 2 * top.clip(-1, 1)), np.sqrt(2 - 2 * alike.max(axis=1).clip(-1, 1))
    good = apart < RATIO * next_apart
    return good, best[good]


def likeliest(alike: NDArray[np.float32], least: float, behind: float) -> Matches:
    """Candidate matches in a matrix of cosines: rows, columns and cosines.

    For each row, up to `TRIED` columns above `least` whose cosines are within `behind` of the row's best.
    """
    rows = np.flatnonzero(alike.max(axis=1, initial=-1) > least)
    some = alike[rows]
    best = np.argpartition(-some, TRIED, axis=1)[:, :TRIED]
    told = np.take_along_axis(some, best, axis=1)
    which, rank = np.nonzero((told > least) & (told > told.max(axis=1, keepdims=True) - behind))
    return rows[which], best[which, rank], told[which, rank]
