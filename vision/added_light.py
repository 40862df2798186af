"""Added light: a reflection's soft edge, told by the dark print about it."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import tuning
from vision.ink_map import PX_PER_MM
from vision.median import median
from vision.photometry import Relit, strongest

Image = NDArray[np.float32]

#: It is measured on pictures so many times smaller, which costs little.
_WASH_SHRINK = 4


def washed_out(seen: Image, relit: Relit) -> Relit:
    """The blank card with light that was added to it (a reflection's soft edge) as light, not as a brighter
    card, and how far that leaves nothing of a line (`Relit.washed`).

    Floors are bright and saturate soon; how much was added is told by the dark print about them.
    """
    size = (round(seen.shape[1] / _WASH_SHRINK), round(seen.shape[0] / _WASH_SHRINK))
    small, art = (cv2.resize(picture, size, interpolation=cv2.INTER_AREA) for picture in (seen, relit.art))
    # as slowly as it varies
    gain = relit.full_gain()[_WASH_SHRINK // 2 :: _WASH_SHRINK, _WASH_SHRINK // 2 :: _WASH_SHRINK]
    usual_gain = np.array([median(gain[..., channel]) for channel in range(3)], np.float32)
    usual = np.clip(art * usual_gain, 0, 1)
    # white light adds to every channel
    added = np.clip(-strongest(usual - small), 0, 1)
    room = (1 - strongest(usual)) ** 2 + np.float32(1e-3)
    side = round(tuning.WASH_MM * PX_PER_MM / _WASH_SHRINK) | 1
    mean = cv2.blur(added * room, (side, side)) / cv2.blur(room, (side, side))
    low, high = tuning.WASHED_OUT
    if mean.max() <= low:
        return relit
    share = cv2.resize(np.asarray(mean, np.float32), seen.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    washed = np.asarray(np.clip((share - low) / (high - low), 0, 1), np.float32)
    return replace(relit, washed=washed, usual_gain=usual_gain)
