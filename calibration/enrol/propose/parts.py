"""Segmentation of a card into the parts of a dungeon by a small network, and the colours of its levels."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.enrol.propose.drawing import FIND, FLOOR, MAIN, PARTS, ROOM, UNDER
from scorer.catalogue import Point

WEIGHTS = Path(__file__).with_name("parts.onnx")
#: A card's shorter side is so many pixels; its longer one a multiple of `_BLOCK`.
SHORT_PX, _BLOCK = 128, 8
#: The network looks at half that resolution, and tells of each of its pixels four.
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
    """Image size (width, height) in pixels at which the network sees a card of this size in mm."""
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
    small = cv2.resize(face, size_px_of(size_mm), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
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
    size = (small.shape[1] // _FINER, small.shape[0] // _FINER)
    near = cv2.resize(lab, size, interpolation=cv2.INTER_AREA)
    about = cv2.GaussianBlur(near, (0, 0), 2.0)
    vary = np.sqrt(np.maximum(cv2.GaussianBlur(near**2, (0, 0), 2.0) - about**2, 0))
    return np.asarray(np.concatenate([near, about, vary], axis=2).transpose(2, 0, 1), np.float32)


@cache
def _network() -> Any:
    return cv2.dnn.readNetFromONNX(str(WEIGHTS))


Array = NDArray[np.float32]
#: From where on the network is sure of a level, and down to where it is sure of the other's absence.
_SURE, _ABSENT = 0.6, 0.2
#: Lowest number of such pixels on each level needed to estimate its colour.
_FEWEST = 60
#: Colours vary at least so much (Lab), and two are told apart at this many times how much they vary.
_VARY, _APART = (3.0, 2.0, 2.0), 2.5
#: A colour is one of a level within so many times how much it varies; and how much more likely it has to be.
_LIKE, _PLAINLY = 3.5, 2.0
#: What is left of a chance against the colour; how far from the edge openings show, mm.
_LEFT, _EDGE_MM = 0.15, 5.0
_FAINT, _ROOM, _FIND = 0.1, 0.3, 0.2


def told_by_colour(parts: Array, face: NDArray[np.uint8], size_mm: Point) -> Array:
    """The parts (8, H, W) with the lines of both levels separated by their colours on the face (H, W, 3)
    BGR. The parts are returned unchanged where the colours do not differ enough."""
    small = cv2.resize(face, size_px_of(size_mm), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    lab = np.asarray(cv2.medianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2LAB), 3), np.float64)
    main, under = parts[MAIN], parts[UNDER]
    places = ((main > _SURE) & (under < _ABSENT), (under > _SURE) & (main < _ABSENT) & (parts[FLOOR] < _SURE))
    if min(int(place.sum()) for place in places) < _FEWEST:
        return parts
    middles = [np.median(lab[place], axis=0) for place in places]
    off = np.concatenate([lab[place] - middle for place, middle in zip(places, middles, strict=True)])
    # what is printed on floors is not of their colour
    off = off[(off**2).sum(axis=1) <= np.quantile((off**2).sum(axis=1), 0.8)]
    spread = np.linalg.inv(off.T @ off / len(off) + np.diag(np.square(_VARY)))
    step = middles[1] - middles[0]
    if step @ spread @ step < _APART**2:
        return parts
    away = [np.einsum("hwi,ij,hwj->hw", lab - middle, spread, lab - middle) for middle in middles]
    like = np.minimum(*away) < _LIKE**2
    rows, columns = main.shape
    shown = np.ones(main.shape, np.bool_)  # openings
    band = [round(_EDGE_MM * side / mm) for side, mm in ((rows, size_mm[1]), (columns, size_mm[0]))]
    shown[band[0] : rows - band[0], band[1] : columns - band[1]] = False
    for part, chance, reach_mm in ((ROOM, _ROOM, 1.0), (FIND, _FIND, 4.0)):
        reach = round(reach_mm * rows / size_mm[1])
        covered = (parts[part] > chance).astype(np.uint8)
        shown &= cv2.dilate(covered, np.ones((2 * reach + 1,) * 2, np.uint8)) == 0
    lower = shown & like & (away[0] - away[1] > 2 * _PLAINLY)
    upper = shown & like & (away[1] - away[0] > 2 * _PLAINLY)
    either = 1 - (1 - main) * (1 - under)
    told = parts.copy()
    told[UNDER][lower] = either[lower]
    told[MAIN][lower] *= _LEFT
    told[UNDER][upper] *= _LEFT
    told[MAIN][upper & (main > _FAINT)] = either[upper & (main > _FAINT)]
    return told
