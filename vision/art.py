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


def read_art(path: Path) -> NDArray[np.uint8] | None:
    """A face, (H, W, 3) blue-green-red; None where the file is none, or no picture of a bounded size."""
    try:
        if path.stat().st_size > MAX_ART_MB * 1_000_000:
            return None
        with Image.open(path, formats=("PNG", "JPEG", "WEBP")) as header:
            if header.width * header.height > MAX_ART_MEGAPIXELS * 1_000_000:
                return None
        return cv2.imdecode(np.frombuffer(path.read_bytes(), np.uint8), cv2.IMREAD_COLOR)
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError, cv2.error):
        return None
