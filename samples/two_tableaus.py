"""Pictures with two whole tableaus, a path on each: the parts of two photos that show theirs side by side."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.photo.decode import Photo, load_photo
from waymark.bench.truth import Seen

Pixels = NDArray[np.uint8]
Array = NDArray[np.float64]
#: Where the second one lies from the first.
Way = Literal["left", "right", "above", "below"]
#: A photo with what is true of it.
Shown = tuple[Path, Seen]


@dataclass(frozen=True)
class Pair:
    """The picture, (H, W, 3) BGR, and what is true of each of its tableaus."""

    pixels: Pixels
    truths: tuple[Seen, Seen]

    @property
    def photo(self) -> Photo:
        return Photo(self.pixels)

    def jpeg(self) -> bytes:
        return bytes(cv2.imencode(".jpg", self.pixels, [cv2.IMWRITE_JPEG_QUALITY, 92])[1])


def two_tableaus(
    first: Shown,
    second: Shown,
    way: Way = "below",
    *,
    share: float = 1.0,
    turned: bool = False,
    margin: float = 0.2,
    side_px: int = 1600,
) -> Pair:
    """The tableaus of two photos, each with a `margin` of its own size around it. The first one's part is
    `side_px` long, the second one's this `share` of that, and upside down if `turned`."""
    parts = [_part(first, margin, side_px), _part(second, margin, side_px * share)]
    if turned:
        pixels, truth = parts[1]
        height, width = pixels.shape[:2]
        half_turn = np.array([[-1, 0, width - 1], [0, -1, height - 1], [0, 0, 1.0]])
        parts[1] = np.ascontiguousarray(pixels[::-1, ::-1]), _moved(truth, half_turn)
    ordered = parts[::-1] if way in ("left", "above") else parts
    return _beside(ordered, side_by_side=way in ("left", "right"), swapped=ordered is not parts)


def beside(shown: Shown, other: Pixels, side_px: int = 1600) -> Pair:
    """A photo's tableau with another picture below it; the truth is that of the tableau, twice."""
    pixels, truth = _part(shown, 0.2, side_px)
    return _beside([(pixels, truth), (other, truth)], side_by_side=False, swapped=False)


def _part(shown: Shown, margin: float, side_px: float) -> tuple[Pixels, Seen]:
    photo, truth = shown
    pixels = load_photo(photo, whole=True).pixels
    corners = np.array([corner for card in truth.cards for corner in card.corners])
    around = margin * np.ptp(corners, axis=0).max()
    low = np.maximum(corners.min(axis=0) - around, 0).astype(int)
    high = np.minimum(corners.max(axis=0) + around, pixels.shape[1::-1]).astype(int)
    cut = pixels[low[1] : high[1], low[0] : high[0]]
    scale = side_px / max(cut.shape[:2])
    small = cv2.resize(cut, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    to_part = np.array([[scale, 0, -scale * low[0]], [0, scale, -scale * low[1]], [0, 0, 1]])
    return np.asarray(small, np.uint8), _moved(truth, to_part)


def _moved(truth: Seen, move: Array) -> Seen:
    """The truth with its corners where a (3, 3) map lays them."""
    cards = [
        msgspec.structs.replace(
            card, corners=tuple(map(tuple, (np.array(card.corners) @ move[:2, :2].T + move[:2, 2]).tolist()))
        )
        for card in truth.cards
    ]
    return msgspec.structs.replace(truth, cards=tuple(cards))


def _beside(parts: list[tuple[Pixels, Seen]], *, side_by_side: bool, swapped: bool) -> Pair:
    """Parts in a row or a column, each in the middle of its place; `swapped`: the second one comes first."""
    axis = 0 if side_by_side else 1
    across = max(pixels.shape[axis] for pixels, _ in parts)
    start, pictures, truths = 0, [], []
    for pixels, truth in parts:
        before = (across - pixels.shape[axis]) // 2
        rims = (before, across - pixels.shape[axis] - before)
        top, bottom, left, right = (*rims, 0, 0) if side_by_side else (0, 0, *rims)
        pictures.append(cv2.copyMakeBorder(pixels, top, bottom, left, right, cv2.BORDER_REPLICATE))
        shift = (start, before) if side_by_side else (before, start)
        truths.append(_moved(truth, np.array([[1, 0, shift[0]], [0, 1, shift[1]], [0, 0, 1.0]])))
        start += pixels.shape[1 - axis]
    picture = np.concatenate(pictures, axis=1 - axis)
    one, other = truths[::-1] if swapped else truths
    return Pair(np.asarray(picture, np.uint8), (one, other))
