"""Drawing primitives: colours, fonts and shapes. Shapes use OpenCV (anti-aliased), text uses Pillow, for
fonts with Japanese."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFont

from scorer.text import Language
from waymark.picture.typeface import draw_line, font_files, line_width
from waymark.review.projection import Points

Pixels = NDArray[np.uint8]
Colour = tuple[int, int, int]  # red, green, blue

# Okabe and Ito's palette, made for all kinds of colour vision.
ORANGE: Colour = (230, 159, 0)
SKY: Colour = (86, 180, 233)
GREEN: Colour = (0, 158, 115)
YELLOW: Colour = (240, 228, 66)
VERMILION: Colour = (213, 94, 0)
WHITE: Colour = (255, 255, 255)
BLACK: Colour = (20, 22, 26)
GREY: Colour = (150, 152, 156)
PANEL: Colour = (28, 31, 38)

FONT_PX = 30
#: Name patterns of fonts with Japanese, best first.
JAPANESE_FONTS = (
    "NotoSansCJK*-Regular.*",
    "NotoSansJP*Regular*",
    "NotoSans*JP*",
    "NotoSansCJK*",
    "SourceHanSans*",
    "ipaexg.ttf",
    "ipag*.ttf",
    "TakaoPGothic.ttf",
    "VL-PGothic*.ttf",
    "*ヒラギノ角ゴシック W4*",
    "Hiragino*Gothic*",
    "YuGoth*.tt?",
    "meiryo.ttc",
    "msgothic.ttc",
    "DroidSansFallback*.ttf",
    "wqy-*.ttc",
)
#: Fractional bits of coordinates in OpenCV's drawing functions, for subpixel positions.
_SHIFT = 4


@lru_cache(maxsize=1)
def japanese_font_file() -> Path | None:
    """File of a font with Japanese on this machine; None where none is installed."""
    files = font_files()
    return next((file for pattern in JAPANESE_FONTS for file in files if file.match(pattern)), None)


def drawn_language(asked: Language) -> Language:
    """The language in which a picture is drawn: English where no font with Japanese is installed."""
    return "en" if japanese_font_file() is None else asked


@lru_cache(maxsize=64)
def font(language: Language, size_px: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """A font of this size: one with Japanese for that language if installed, else Pillow's default font."""
    file = japanese_font_file() if language == "ja" else None
    return ImageFont.truetype(file, size_px) if file else ImageFont.load_default(size_px)


def wrap(words: str, language: Language, size_px: int, width_px: float) -> list[str]:
    """Break a sentence into lines that fit: at spaces in English, anywhere but in Latin words in Japanese."""
    joiner = "" if language == "ja" else " "
    pieces = re.findall(r"[!-~]+|.", words) if language == "ja" else words.split()
    lines, line = [], ""
    face = font(language, size_px)
    for piece in pieces:
        longer = line + joiner + piece if line else piece
        # A full stop or a comma does not begin a line of Japanese.
        if line and line_width(longer, face) > width_px and piece not in "、。」)":
            lines.append(line)
            line = piece
        else:
            line = longer
    return [*lines, line]


class Canvas:
    """A picture to draw on. Shapes are drawn at once and text at the end, so that no shape covers a
    word."""

    def __init__(self, pixels_bgr: Pixels, language: Language) -> None:
        self.pixels = np.ascontiguousarray(pixels_bgr)
        self.language = language
        self._texts: list[tuple[tuple[float, float], str, int, Colour, str]] = []

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.pixels.shape[1], self.pixels.shape[0]

    def line(self, points: Points, colour: Colour, width_px: float, *, closed: bool = False) -> None:
        cv2.polylines(
            self.pixels, [_fixed(points)], closed, colour[::-1], max(1, round(width_px)), cv2.LINE_AA, _SHIFT
        )

    def polygon(self, points: Points, colour: Colour) -> None:
        cv2.fillPoly(self.pixels, [_fixed(points)], colour[::-1], cv2.LINE_AA, _SHIFT)

    def disc(self, centre: Points, radius_px: float, colour: Colour, width_px: float = -1) -> None:
        thickness = -1 if width_px < 0 else max(1, round(width_px))
        x, y = _fixed(centre)
        cv2.circle(
            self.pixels,
            (int(x), int(y)),
            round(radius_px * 2**_SHIFT),
            colour[::-1],
            thickness,
            cv2.LINE_AA,
            _SHIFT,
        )

    def text(
        self, at: tuple[float, float], words: str, size_px: float, colour: Colour, anchor: str = "mm"
    ) -> None:
        self._texts.append((at, words, max(10, round(size_px)), colour, anchor))

    def picture(self, at: Points, pixels_bgr: Pixels, radius_px: float) -> None:
        """Draw a round picture of this radius centred at a point."""
        side = max(2, round(2 * radius_px))
        left, top = (round(float(x)) - side // 2 for x in at)
        width, height = self.size
        small = cv2.resize(pixels_bgr, (side, side), interpolation=cv2.INTER_AREA)
        inside = np.zeros((side, side), np.uint8)
        cv2.circle(inside, (side // 2, side // 2), side // 2, 255, -1)
        a, b, c, d = max(left, 0), max(top, 0), min(left + side, width), min(top + side, height)
        if a >= c or b >= d:
            return
        part = (slice(b - top, d - top), slice(a - left, c - left))
        shown = self.pixels[b:d, a:c]
        shown[inside[part] > 0] = small[part][inside[part] > 0]

    def text_size(self, words: str, size_px: float) -> tuple[float, float]:
        face = font(self.language, max(10, round(size_px)))
        _, top, _, bottom = face.getbbox(words)
        return line_width(words, face), bottom - top

    def finished(self) -> Image.Image:
        picture = Image.fromarray(cv2.cvtColor(self.pixels, cv2.COLOR_BGR2RGB))
        for at, words, size_px, colour, anchor in self._texts:
            draw_line(picture, at, words, colour, font(self.language, size_px), anchor)
        return picture


def _fixed(points: Points) -> NDArray[np.int32]:
    made: NDArray[np.int32] = np.round(np.asarray(points) * 2**_SHIFT).astype(np.int32)
    return made


def box(canvas: Canvas, centre: Points, width: float, height: float, colour: Colour) -> None:
    half = np.array([width / 2, height / 2])
    (left, top), (right, bottom) = centre - half, centre + half
    canvas.polygon(np.array([[left, top], [right, top], [right, bottom], [left, bottom]]), colour)


def dashes(line: Points, dash_px: float, gap_px: float) -> list[Points]:
    """The dashes (each (N, 2)) of a polyline (N, 2), from its start. Lines have round caps, so gaps look
    smaller than `gap_px`."""
    along = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    starts = np.arange(0, along[-1], dash_px + gap_px)
    cut: list[Points] = []
    for start in starts:
        end = min(start + dash_px, along[-1])
        inner = along[(along > start) & (along < end)]
        at = np.concatenate([[start], inner, [end]])
        cut.append(np.stack([np.interp(at, along, line[:, 0]), np.interp(at, along, line[:, 1])], axis=1))
    return cut
