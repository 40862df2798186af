"""Numbers and words in TrueType fonts, centred on a point of a canvas."""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO
from typing import Any

import numpy as np
import pymupdf_fonts
from PIL import Image, ImageDraw, ImageFont

from samples.styles.canvas import Canvas

#: Fonts of pymupdf-fonts that boxes for tuning have, and those of boxes held out.
FONTS = ("notosbo", "notosbi", "ubuntubo", "ubuntu", "figbo", "spacembo")
HELD_OUT_FONTS = ("cascadiab", "ubuntmbo", "fimbo", "figbi")


@lru_cache(maxsize=256)
def _font(name: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(BytesIO(pymupdf_fonts.myfont(name)), size)


@lru_cache(maxsize=32)
def _digit_share(name: str) -> float:
    """Height of a digit as a share of a font's size."""
    _, top, _, bottom = _font(name, 200).getbbox("0")
    return (bottom - top) / 200


def write_words(
    canvas: Canvas, text: str, middle_mm: Any, height_mm: float, colour: Any, font: str, most_mm: float = 1e3
) -> None:
    """Write text with digits of a height, narrowed to at most `most_mm` in width."""
    size = max(6, round(height_mm * canvas.scale / _digit_share(font)))
    left, top, right, bottom = _font(font, size).getbbox(text)
    if right - left > most_mm * canvas.scale:
        size = max(6, int(size * most_mm * canvas.scale / (right - left)))
        left, top, right, bottom = _font(font, size).getbbox(text)
    x, y = np.asarray(middle_mm) * canvas.scale
    mask = Image.new("L", canvas.shape[::-1], 0)
    ImageDraw.Draw(mask).text(
        (x - (left + right) / 2, y - (top + bottom) / 2), text, fill=255, font=_font(font, size)
    )
    surface = np.empty_like(canvas.pixels)
    surface[:] = colour
    canvas.lay(np.asarray(mask, np.uint8), surface)
