"""The network that tells marks: 120 thousand weights, run by OpenCV on all crops of a photo at once.

`tools/mark_examples.py` makes what it is trained on, `tools/train_marks.py` trains it.
"""

from __future__ import annotations

import threading
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

WEIGHTS = Path(__file__).with_name("mark_net.onnx")
#: Examples show many more marks than tables do, so that chances are too high by so much (nats). Set on the
#: even ones of `tuning-evening` 0 to 59 and 600 to 719: of 342 marks 9 are missed, 3 are false.
_TOO_HIGH = 0.6
#: A network keeps its layers' values: one photo at a time.
_lock = threading.Lock()


@cache
def _network() -> Any:
    return cv2.dnn.readNetFromONNX(str(WEIGHTS))


def mark_chances(crops: NDArray[np.float32]) -> NDArray[np.float64]:
    """(F, 2) how likely each of (F, 7, 40, 40) crops (`vision.mark_crops`) shows a find that is circled, and
    one that is struck through, 0 to 1.
    """
    if not len(crops):
        return np.zeros((0, 2))
    with _lock:
        network = _network()
        network.setInput(crops)
        odds = np.asarray(network.forward(), float) - _TOO_HIGH
    return np.asarray(1 / (1 + np.exp(-odds)))
