"""Pictures as files: PNG, JPEG or WebP by the file's ending."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from scorer.output_file import write_output

#: Limit of a JPEG or WebP file, so that it is quick to send. A PNG has none.
MOST_BYTES = 400_000
#: Qualities tried from the best on, until the file is small enough; then the picture is made smaller.
_QUALITIES = (90, 82, 74, 66)
_SMALLER = 0.85
_QUALITY_FLAGS = {".jpg": cv2.IMWRITE_JPEG_QUALITY, ".webp": cv2.IMWRITE_WEBP_QUALITY}
ENDINGS = {".png": ".png", ".jpg": ".jpg", ".jpeg": ".jpg", ".webp": ".webp"}


def write_picture(file: Path, picture: Image.Image) -> None:
    """Write `picture` as PNG, JPEG or WebP by the file's ending, as PNG with any other ending.

    Raises `WaymarkError` (not-writable).
    """
    write_output(file, packed(picture, ENDINGS.get(file.suffix.lower(), ".png")))


def packed(picture: Image.Image, ending: str) -> bytes:
    """The bytes of a file with this ending (.png, .jpg, .webp). OpenCV encodes them, as Pillow blocks other
    threads meanwhile and takes twice as long."""
    bgr = cv2.cvtColor(np.asarray(picture.convert("RGB")), cv2.COLOR_RGB2BGR)
    if ending == ".png":
        quick = [cv2.IMWRITE_PNG_STRATEGY, cv2.IMWRITE_PNG_STRATEGY_RLE]
        return bytes(cv2.imencode(ending, bgr, quick)[1].tobytes())
    while True:
        for quality in _QUALITIES:
            data = cv2.imencode(ending, bgr, [_QUALITY_FLAGS[ending], quality])[1].tobytes()
            if len(data) <= MOST_BYTES:
                return bytes(data)
        bgr = cv2.resize(bgr, None, fx=_SMALLER, fy=_SMALLER, interpolation=cv2.INTER_AREA)
