"""Segmentation of a card into the parts of a dungeon by a network."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.enrol.propose.drawing import PARTS
from scorer.catalogue import Point

WEIGHTS = Path(__file__).with_name("parts.onnx")
#: Shorter side of the maps of parts, in pixels; both sides are multiples of `_BLOCK`.
SHORT_PX, _BLOCK = 128, 16
#: The network sees the card at this many times that resolution.
INPUT_FINER = 2
#: The network's last layer has half the maps' resolution, and predicts four pixels for each of its own.
_FINER = 2
#: Seen mirrored, a card is another one to the network: what it says of all of them counts.
_MIRRORS: tuple[tuple[int, ...], ...] = ((), (0,), (1,), (0, 1))
#: Lock on the network, which stores the values of its layers between calls.
_lock = threading.Lock()


@dataclass(frozen=True)
class Sight:
    """Output of the network: log-odds (32, H/2, W/2), four neighbouring pixels of each of eight parts, and
    features (F, H/2, W/2), from which a deck's style is learned."""

    odds: NDArray[np.float32]
    features: NDArray[np.float32]

    def chances(self) -> NDArray[np.float32]:
        """Probability maps (8, H, W) of the eight parts."""
        return spread(np.asarray(1 / (1 + np.exp(-self.odds)), np.float32))


def size_px_of(size_mm: Point) -> tuple[int, int]:
    """Size (width, height) in pixels of the maps of parts of a card of this size in mm."""
    scale = SHORT_PX / min(size_mm)
    return tuple(max(_BLOCK, _BLOCK * round(side * scale / _BLOCK)) for side in size_mm)  # type: ignore[return-value]


def spread(blocks: NDArray[Any]) -> NDArray[Any]:
    """Depth-to-space: maps (8, H, W) from blocks of four neighbours (32, H/2, W/2)."""
    _, rows, columns = blocks.shape
    parted = blocks.reshape(PARTS, _FINER, _FINER, rows, columns).transpose(0, 3, 1, 4, 2)
    return parted.reshape(PARTS, rows * _FINER, columns * _FINER)


def gathered(parts: NDArray[Any]) -> NDArray[Any]:
    """Space-to-depth, the reverse of `spread`: (8, H, W) -> (32, H/2, W/2)."""
    count, height, width = parts.shape
    parted = parts.reshape(count, height // _FINER, _FINER, width // _FINER, _FINER).transpose(0, 2, 4, 1, 3)
    return parted.reshape(count * _FINER * _FINER, height // _FINER, width // _FINER)


def look(face: NDArray[np.uint8], size_mm: Point) -> Sight:
    """Network output for an upright face (H, W, 3) BGR of a card of `size_mm`, averaged over mirrored
    views."""
    width, height = size_px_of(size_mm)
    seen_px = width * INPUT_FINER, height * INPUT_FINER
    small = cv2.resize(face, seen_px, interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    views = np.stack([_mirrored(small.transpose(2, 0, 1), mirror) for mirror in _MIRRORS])
    with _lock:
        network = _network()
        odds, features = [], []
        for view in views:
            network.setInput(np.ascontiguousarray(view[None]))
            told, seen = network.forward(["parts", "features"])
            odds.append(np.asarray(told[0]))
            features.append(np.asarray(seen[0]))
    whole = np.mean(
        [_mirrored(spread(told), mirror) for told, mirror in zip(odds, _MIRRORS, strict=True)], axis=0
    )
    felt = np.mean([_mirrored(seen, mirror) for seen, mirror in zip(features, _MIRRORS, strict=True)], axis=0)
    return Sight(
        gathered(whole).astype(np.float32), np.concatenate([felt, _colours(small)]).astype(np.float32)
    )


def _mirrored(maps: NDArray[Any], mirror: tuple[int, ...]) -> NDArray[Any]:
    return np.flip(maps, tuple(axis + 1 for axis in mirror)) if mirror else maps


def _colours(small: NDArray[np.float32]) -> NDArray[np.float32]:
    """Colour features (9, H/2, W/2): Lab colour at the pixel, its local mean, and its local deviation. The
    network uses them little, since no two decks share their colours."""
    lab = cv2.cvtColor(small, cv2.COLOR_BGR2LAB) / np.array([50, 40, 40], np.float32) - np.array(
        [1, 0, 0], np.float32
    )
    size = tuple(side // (INPUT_FINER * _FINER) for side in small.shape[1::-1])
    near = cv2.resize(lab, size, interpolation=cv2.INTER_AREA)
    about = cv2.GaussianBlur(near, (0, 0), 2.0)
    vary = np.sqrt(np.maximum(cv2.GaussianBlur(near**2, (0, 0), 2.0) - about**2, 0))
    return np.asarray(np.concatenate([near, about, vary], axis=2).transpose(2, 0, 1), np.float32)


@cache
def _network() -> Any:
    return cv2.dnn.readNetFromONNX(str(WEIGHTS))
