"""Heat maps of card outlines by a small network: photo -> probability of a card's inside, side and core.

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

#: Longer sides of the pictures that the network sees: in the smaller one it sees large cards whole.
_LONGER_PX = (768, 400)
WEIGHTS = Path(__file__).with_name("outlines.onnx")
#: The network requires sides that are multiples of this; and its maps have one pixel for so many of its
#: input.
_STEP_PX, _COARSER = 16, 2
#: Distance of a card's core from its sides, as a share of the shorter one: the cores of touching cards are
#: apart.
CORE = 0.2
#: Axes along which a picture is mirrored: the mean of the answers is better than one.
_MIRRORS: tuple[tuple[int, ...], ...] = ((), (1, 2))
#: A network object stores the values of its layers, so it processes one picture at a time.
_lock = threading.Lock()


@dataclass(frozen=True)
class OutlineMaps:
    """Heat maps `planes` (h, w, 4) uint8 of a photo, 255 for certainty: inside, side and core of a card.

    The last two are cores seen in the finer and in the coarser picture. The maps are `scale` times the size
    of the photo.
    """

    planes: NDArray[np.uint8]
    scale: float


def outline_maps(photo: Photo) -> OutlineMaps:
    """Heat maps of a photo, seen in two sizes (`_LONGER_PX`), or in its own size if that is smaller."""
    (inside, side, core), (wide_inside, _, wide_core) = (_chances(photo, longer) for longer in _LONGER_PX)
    size = (inside.shape[1], inside.shape[0])
    wide_inside, wide_core = (
        cv2.resize(each, size, interpolation=cv2.INTER_LINEAR) for each in (wide_inside, wide_core)
    )
    planes = np.dstack([(inside + wide_inside) / 2, side, core, wide_core])
    scale = min(1.0, _LONGER_PX[0] / max(photo.width, photo.height))
    return OutlineMaps(np.asarray(planes.round(), np.uint8), scale / _COARSER)


def _chances(photo: Photo, longer_px: int) -> NDArray[np.float32]:
    """Heat maps (3, h, w), 0 to 255, of a photo seen with a longer side of `longer_px`."""
    scale = min(1.0, longer_px / max(photo.width, photo.height))
    size = (round(photo.width * scale), round(photo.height * scale))
    small = np.asarray(cv2.resize(photo.pixels, size, interpolation=cv2.INTER_AREA), np.uint8)
    right, below = (-side % _STEP_PX for side in size)
    padded = cv2.copyMakeBorder(small, 0, below, 0, right, cv2.BORDER_REPLICATE)
    shown = np.asarray(padded.transpose(2, 0, 1) / np.float32(255), np.float32)
    odds = np.mean([_odds(shown, mirror) for mirror in _MIRRORS], axis=0)
    rows, columns = (-(-side // _COARSER) for side in size[::-1])
    return np.asarray(255 / (1 + np.exp(-odds[:, :rows, :columns])), np.float32)


def _odds(shown: NDArray[np.float32], mirror: tuple[int, ...]) -> NDArray[np.float32]:
    """Log-odds (3, h, w) of the maps of a picture (3, H, W), seen mirrored along some of its axes."""
    seen = np.ascontiguousarray(np.flip(shown, mirror))
    with _lock:
        network = _network()
        network.setInput(seen[None])
        odds = np.array(network.forward()[0], np.float32)
    return np.asarray(np.flip(odds, mirror))


@cache
def _network() -> Any:
    return cv2.dnn.readNetFromONNX(str(WEIGHTS))
