"""Heat maps of card outlines by a small network: photo -> probability of a card's inside, side and corner.

A U-Net (Ronneberger et al. 2015) of 376 thousand weights, trained on drawn photos (tools/train_outlines.py).
It knows no deck and no table. OpenCV runs it.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.photo.decode import Photo

WEIGHTS = Path(__file__).with_name("outlines.onnx")
#: The network requires sides that are multiples of this; and its maps have one pixel for so many of its
#: input.
_STEP_PX, _COARSER = 16, 2
#: Channels of the network's output that are used: inside of a card, side of a card (also where two cards
#: meet), corner.
_INSIDE, _SIDE, _CORNER = 0, 1, 3
#: Axes along which a picture is mirrored: the mean of the answers is better than one.
_MIRRORS: tuple[tuple[int, ...], ...] = ((), (1, 2))
#: A network object stores the values of its layers, so it processes one picture at a time.
_lock = threading.Lock()


@dataclass(frozen=True)
class OutlineMaps:
    """Heat maps `planes` (h, w, 3) uint8 of a photo, 255 for certainty: inside, side and corner of a card.

    The maps are `scale` times the size of the photo.
    """

    planes: NDArray[np.uint8]
    scale: float


def outline_maps(photo: Photo, longer_px: int) -> OutlineMaps:
    """Heat maps of a photo seen with a longer side of `longer_px`, or in its own size if that is smaller."""
    scale = min(1.0, longer_px / max(photo.width, photo.height))
    size = (round(photo.width * scale), round(photo.height * scale))
    small = np.asarray(cv2.resize(photo.pixels, size, interpolation=cv2.INTER_AREA), np.uint8)
    right, below = (-side % _STEP_PX for side in size)
    padded = cv2.copyMakeBorder(small, 0, below, 0, right, cv2.BORDER_REPLICATE)
    shown = np.asarray(padded.transpose(2, 0, 1) / np.float32(255), np.float32)
    odds = np.mean([_odds(shown, mirror) for mirror in _MIRRORS], axis=0)
    rows, columns = (-(-side // _COARSER) for side in size[::-1])
    chances = 255 / (1 + np.exp(-odds[[_INSIDE, _SIDE, _CORNER], :rows, :columns]))
    planes = np.ascontiguousarray(chances.transpose(1, 2, 0).round().astype(np.uint8))
    return OutlineMaps(planes, scale / _COARSER)


def _odds(shown: NDArray[np.float32], mirror: tuple[int, ...]) -> NDArray[np.float32]:
    """Log-odds (4, h, w) of the maps of a picture (3, H, W), seen mirrored along some of its axes."""
    seen = np.ascontiguousarray(np.flip(shown, mirror))
    with _lock:
        network = _network()
        network.setInput(seen[None])
        odds = np.array(network.forward()[0], np.float32)
    return np.asarray(np.flip(odds, mirror))


@cache
def _network() -> Any:
    return cv2.dnn.readNetFromONNX(str(WEIGHTS))
