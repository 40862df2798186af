"""Detection and recognition of short printed texts in a picture, such as the reference on a card.

Two networks are run by OpenCV. One detects text areas (segmentation with a shrunken kernel, "DB", Liao et al.
2020). The other reads a line (a convolutional network with attention layers and connectionist temporal
classification, "SVTR-LCNet", Du et al. 2022). They are PP-OCRv4's mobile models (PaddlePaddle authors, Apache
2.0; LICENSE-TEXT-NETS), with rounded weights in half precision. Of their 6,623 characters, only Latin
letters, digits and a few more are supported here. Any other character makes a text unreadable.
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

_PLACES = Path(__file__).parents[1] / "text_places.onnx"
_LETTERS = Path(__file__).parents[1] / "text_net.onnx"
#: A network object stores the values of its layers, so it processes one picture at a time.
_lock = threading.Lock()

#: Mean and deviation with which the networks' training data were normalised.
_MEAN = np.array([0.485, 0.456, 0.406], np.float32)
_SPREAD = np.array([0.229, 0.224, 0.225], np.float32)
#: The text detection network requires sides that are multiples of this.
_STEP_PX = 32
#: Least text probability of a pixel in a place's kernel; and the growth of a kernel, as a factor on its area
#: divided by its perimeter.
_TEXT, _GROWN = 0.3, 1.6
_LEAST_KERNEL_PX = 40
#: A place is read a second time with this share of its height as extra margin; if the two readings differ,
#: the confidence is multiplied by the second number.
_MORE, _UNLIKE = 0.08, 0.5
#: Height and least width of a line in the reading network's input.
_LINE_PX, _LINE_WIDE_PX = 48, 320

_SIGNS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-./#+"
_CLASSES = (
    4544, 3463, 4902, 5171, 3332, 4389, 4548, 3539, 3538, 5493, 4849, 2710, 5233, 4547, 4245, 4545,
    2156, 1958, 1033, 3333, 1034, 4922, 3537, 2993, 4546, 3316, 1221, 3588, 4244, 1220, 4381, 1219,
    5128, 425, 3587, 2697, 5193, 3506, 3639, 3589, 4741, 1310, 4731, 5127, 1217, 1381, 4497, 5405,
    5033, 5200, 1218, 4136, 26, 93, 25, 94, 632, 631, 933, 29, 27, 1109, 28, 466, 487, 5461, 3573,
)  # fmt: skip
_SIGN_OF = dict(zip(_CLASSES, _SIGNS, strict=True))
#: The placeholder for an unsupported character.
OTHER = "?"

Pixels = NDArray[np.uint8]
#: Left, top, right, bottom in pixels of the picture.
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class PrintedText:
    """A line of printed text read in a picture, with its confidence and its place.

    The text has `?` for unsupported characters. The confidence is that of its least certain character, 0 to
    1. The text may be upright or upside down.
    """

    text: str
    confidence: float
    box: Box
    upside_down: bool


@cache
def _network(file: Path) -> Any:
    return cv2.dnn.readNetFromONNX(str(file))


def text_places(picture: Pixels) -> list[Box]:
    """Text detection: boxes of horizontal texts in a (H, W, 3) BGR picture."""
    high, wide = (max(_STEP_PX, round(side / _STEP_PX) * _STEP_PX) for side in picture.shape[:2])
    shown = cv2.resize(picture, (wide, high)).astype(np.float32) / 255
    with _lock:
        network = _network(_PLACES)
        network.setInput(((shown - _MEAN) / _SPREAD).transpose(2, 0, 1)[None])
        chances = np.array(network.forward()[0, 0], np.float32)
    count, _, stats, _ = cv2.connectedComponentsWithStats((chances > _TEXT).astype(np.uint8))
    across, down = picture.shape[1] / wide, picture.shape[0] / high
    boxes = []
    for left, top, width, height, area in stats[1:count].tolist():
        if area >= _LEAST_KERNEL_PX:
            grown = _GROWN * area / (2 * (width + height)) + 1
            boxes.append(
                (
                    max(0.0, (left - grown) * across),
                    max(0.0, (top - grown) * down),
                    min(float(picture.shape[1]), (left + width + grown) * across),
                    min(float(picture.shape[0]), (top + height + grown) * down),
                )
            )
    return boxes


def read_line(line: Pixels) -> tuple[str, float]:
    """Text recognition of a picture of one line: the text, and its confidence; empty if nothing is read."""
    if min(line.shape[:2]) < 4:
        return "", 0.0
    wide = max(_LINE_PX, round(line.shape[1] * _LINE_PX / line.shape[0]))
    shown = cv2.resize(line, (wide, _LINE_PX)).astype(np.float32) / 127.5 - 1
    whole = np.zeros((1, 3, _LINE_PX, max(wide, _LINE_WIDE_PX)), np.float32)
    whole[0, :, :, :wide] = shown.transpose(2, 0, 1)
    with _lock:
        network = _network(_LETTERS)
        network.setInput(whole)
        chances = np.array(network.forward()[0], np.float32)
    signs: list[tuple[int, float]] = []
    before = 0
    for sign, chance in zip(chances.argmax(axis=1), chances.max(axis=1), strict=True):
        if sign and sign != before:
            signs.append((int(sign), float(chance)))
        before = sign
    if not signs:
        return "", 0.0
    return "".join(_SIGN_OF.get(sign, OTHER) for sign, _ in signs), min(chance for _, chance in signs)


def read_box(picture: Pixels, box: Box) -> tuple[PrintedText, PrintedText]:
    """Texts in a box, read upright and upside down.

    Each is read twice, with a smaller and a larger margin. A text that differs between the two has a lower
    confidence.
    """
    told = []
    for upside_down in (False, True):
        first, second = (_read_about(picture, box, share, upside_down) for share in (0.0, _MORE))
        text, confidence = max(first, second, key=lambda each: each[1])
        if first[0] != second[0]:
            confidence *= _UNLIKE
        else:
            confidence = min(first[1], second[1])
        told.append(PrintedText(text, confidence, box, upside_down))
    return told[0], told[1]


def _read_about(picture: Pixels, box: Box, share: float, upside_down: bool) -> tuple[str, float]:
    """Text and confidence of a box enlarged on all sides by a share of its height."""
    more = share * (box[3] - box[1])
    left, top = (max(0, round(side - more)) for side in box[:2])
    right, bottom = (round(side + more) for side in box[2:])
    line = picture[top:bottom, left:right]
    return read_line(np.ascontiguousarray(line[::-1, ::-1]) if upside_down else line)
