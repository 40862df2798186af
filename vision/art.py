"""The picture of a card's face, from its file: a catalogue may come from anybody, so that a file is looked at
before it is decoded."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

#: The largest piece is a board of 80 x 60 cm, at the 8 px/mm that art has at least.
MAX_ART_MEGAPIXELS = 40
MAX_ART_MB = 60


def read_art(path: Path, *, clear: bool = False) -> NDArray[np.uint8] | None:
    """A face, (H, W, 3) blue-green-red, or (H, W, 4) with how much of it hides what lies below, where it may
    be `clear`; None where the file is none, or no picture of a bounded size."""
    try:
        if path.stat().st_size > MAX_ART_MB * 1_000_000:
            return None
        with Image.open(path, formats=("PNG", "JPEG", "WEBP")) as header:
            if header.width * header.height > MAX_ART_MEGAPIXELS * 1_000_000:
                return None
        data = np.frombuffer(path.read_bytes(), np.uint8)
        if not clear:
            return cv2.imdecode(data, cv2.IMREAD_COLOR)
        return _with_alpha(cv2.imdecode(data, cv2.IMREAD_UNCHANGED))
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError, cv2.error):
        return None


def _with_alpha(picture: NDArray[np.uint8] | None) -> NDArray[np.uint8] | None:
    if picture is None or picture.dtype != np.uint8:
        return None
    if picture.ndim == 2:
        picture = np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR), np.uint8)
    if picture.shape[2] == 4:
        return picture
    return np.dstack([picture, np.full(picture.shape[:2], 255, np.uint8)])
