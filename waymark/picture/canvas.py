"""The writer of SVG that every overlay is drawn with: colours, fonts, shapes and text. A page shows the
drawing over its photo; `finished` rasterises it for files."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from xml.etree import ElementTree

import cv2
import numpy as np
import resvg_py
from numpy.typing import NDArray
from PIL import Image, ImageFont

from scorer.text import Language
from waymark.picture.typeface import LATIN, file_of_brought, files_for, japanese_font_file, line_width, runs
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
SLATE: Colour = (85, 88, 94)
PANEL: Colour = (28, 31, 38)

#: Colours of players' pieces, by their names.
SEAT_COLOURS: dict[str, Colour] = {
    "red": (196, 55, 45),
    "blue": (40, 95, 180),
    "green": (40, 130, 75),
    "yellow": (222, 170, 30),
    "purple": (125, 70, 160),
}
#: Ground and ink of a column of the score sheet, by the box style that it is drawn in.
SHEET_INKS: dict[str, tuple[Colour, Colour]] = {
    "primary": ((219, 231, 250), (27, 79, 156)),
    "secondary": ((251, 224, 238), (161, 36, 107)),
    "time": ((220, 241, 226), (31, 107, 59)),
    "escape": ((251, 224, 220), (163, 32, 29)),
    "coins": ((250, 236, 200), (122, 83, 0)),
}

FONT_PX = 30
#: Size (px) at which text is measured.
_MEASURED_PX = 64


def drawn_language(asked: Language) -> Language:
    """The language in which a picture is drawn: English where no font with Japanese is installed."""
    return "en" if japanese_font_file() is None else asked


@lru_cache(maxsize=64)
def font(language: Language, size_px: int) -> ImageFont.FreeTypeFont:
    """A font of this size: one with Japanese for that language if installed, else the Latin font that comes
    with Waymark."""
    file = japanese_font_file() if language == "ja" else None
    return ImageFont.truetype(file or file_of_brought(LATIN), size_px)


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
    """An SVG drawing of `size` (width, height) in pixels, in drawing order, over a photo (BGR pixels of
    that size) or a plain `ground`, or over nothing."""

    def __init__(
        self,
        size: tuple[int, int],
        language: Language,
        *,
        photo: Pixels | None = None,
        ground: Colour = PANEL,
    ) -> None:
        self.size = size
        self.language = language
        self._photos = [] if photo is None else [((0, 0), photo)]
        self._ground = ground
        self._words: set[str] = set()
        self._svg = ElementTree.Element(
            "svg",
            {
                "xmlns": "http://www.w3.org/2000/svg",
                "width": str(size[0]),
                "height": str(size[1]),
                "viewBox": f"0 0 {size[0]} {size[1]}",
                "fill": "none",
                "font-family": str(font(language, _MEASURED_PX).getname()[0]),
                "stroke-linecap": "round",
                "stroke-linejoin": "round",
            },
        )
        self._open = self._svg

    def _add(self, tag: str, kind: str = "", **attributes: str | float | None) -> ElementTree.Element:
        attributes["class"] = kind or None
        known = {name.replace("_", "-"): value for name, value in attributes.items() if value is not None}
        return ElementTree.SubElement(
            self._open,
            tag,
            {name: value if isinstance(value, str) else _number(value) for name, value in known.items()},
        )

    @contextmanager
    def group(self, kind: str = "", title: str = "", **attributes: str | float | None) -> Iterator[None]:
        """Shapes drawn inside become children of a `<g>` of the class `kind` with these attributes (`_`
        written as `-`); a page shows its `title` as a hint."""
        before, self._open = self._open, self._add("g", kind, **attributes)
        if title:
            self._add("title").text = title
        yield
        self._open = before

    def line(
        self,
        points: Points,
        colour: Colour,
        width_px: float,
        *,
        closed: bool = False,
        dash_px: Sequence[float] = (),
        kind: str = "",
        data_number: str | None = None,
    ) -> None:
        """A polyline (N, 2), dashed by `dash_px` (dash, gap): round caps make gaps look smaller. A page
        finds it by its class `kind`, and by the number of its step."""
        self._add(
            "path",
            kind,
            d=_path(points, closed=closed),
            stroke=_hex(colour),
            stroke_width=width_px,
            stroke_dasharray=" ".join(map(_number, dash_px)) or None,
            data_number=data_number,
        )

    def polygon(
        self,
        points: Points,
        colour: Colour,
        opacity: float | None = None,
        *,
        rim: tuple[Colour, float] | None = None,
        kind: str = "",
        data_number: str | None = None,
    ) -> None:
        """A filled polygon (N, 2), with a `rim` (colour, width in px) around its edge behind it."""
        self._add(
            "path",
            kind,
            d=_path(points, closed=True),
            fill=_hex(colour),
            fill_opacity=opacity,
            stroke=None if rim is None else _hex(rim[0]),
            stroke_width=None if rim is None else rim[1],
            paint_order=None if rim is None else "stroke",
            data_number=data_number,
        )

    def disc(
        self,
        centre: Points,
        radius_px: float,
        colour: Colour,
        width_px: float | None = None,
        *,
        dash_px: Sequence[float] = (),
    ) -> None:
        """A filled disc, or with `width_px` a ring of that stroke width."""
        self._add(
            "circle",
            cx=centre[0],
            cy=centre[1],
            r=radius_px,
            fill=_hex(colour) if width_px is None else None,
            stroke=None if width_px is None else _hex(colour),
            stroke_width=width_px,
            stroke_dasharray=" ".join(map(_number, dash_px)) or None,
        )

    def text(
        self,
        at: tuple[float, float],
        words: str,
        size_px: float,
        colour: Colour,
        anchor: str = "mm",
        *,
        name: bool = False,
    ) -> None:
        """One line of text; `anchor` is one of Pillow's, from `lmr` and `ams`. A `name` runs from right to
        left where its first letter does."""
        capital_top = self._face.getbbox("H", anchor="ls")[1]
        above = {"a": self._face.getmetrics()[0], "m": -capital_top / 2, "s": 0}[anchor[1]]
        base = at[1] + above * size_px / _MEASURED_PX
        self._words.add(words)
        parts = runs(words, self._face, name=name)
        # SVG anchors every part that has a position by itself.
        before = self.text_size(words, size_px)[0] * {"l": 0, "m": 0.5, "r": 1}[anchor[0]] if parts[1:] else 0
        drawn = self._add(
            "text",
            x=at[0] - before,
            y=base,
            fill=_hex(colour),
            font_size=size_px,
            text_anchor=None if parts[1:] else {"l": None, "m": "middle", "r": "end"}[anchor[0]],
        )
        for family, part in parts:
            # resvg chooses fonts for everything between two positions at once, and may leave boxes.
            more = {"y": _number(base)} if parts[1:] else {}
            more |= {"font-family": f"{family}, sans-serif"} if family else {}
            ElementTree.SubElement(drawn, "tspan", more).text = part

    def picture(self, at: Points, pixels_bgr: Pixels, radius_px: float) -> None:
        """Draw a round picture of this radius centred at a point."""
        side = max(2, round(2 * radius_px))
        small = cv2.resize(pixels_bgr, (side, side), interpolation=cv2.INTER_AREA)
        inside = np.zeros((side, side), np.uint8)
        cv2.circle(inside, (side // 2, side // 2), side // 2, 255, -1)
        packed = cv2.imencode(".png", np.dstack([small, inside]))[1].tobytes()
        left, top = (float(each) - radius_px for each in at)
        link = f"data:image/png;base64,{base64.b64encode(packed).decode()}"
        self._add("image", x=left, y=top, width=2 * radius_px, height=2 * radius_px, href=link)

    def place(self, other: Canvas, at: tuple[int, int]) -> None:
        """Draw another canvas with its photo at a position (left, top) of this one, clipped to its size."""
        self._photos += [((at[0] + x, at[1] + y), photo) for (x, y), photo in other._photos]
        self._words |= other._words
        other._svg.set("x", str(at[0]))
        other._svg.set("y", str(at[1]))
        self._open.append(other._svg)

    @property
    def _face(self) -> ImageFont.FreeTypeFont:
        return font(self.language, _MEASURED_PX)

    def text_size(self, words: str, size_px: float) -> tuple[float, float]:
        """Width and height of a line of text in pixels."""
        _, top, _, bottom = self._face.getbbox(words)
        scale = size_px / _MEASURED_PX
        return line_width(words, self._face) * scale, (bottom - top) * scale

    def svg(self) -> str:
        """The drawing as an SVG document, without its photo."""
        return ElementTree.tostring(self._svg, encoding="unicode")

    def fragment(self) -> str:
        """The drawing's elements, to be put into an SVG of a page."""
        return "".join(ElementTree.tostring(child, encoding="unicode") for child in self._svg)

    def finished(self) -> Image.Image:
        """The drawing over its photo, rasterised by resvg."""
        picture = Image.new("RGB", self.size, self._ground)
        for at, photo in self._photos:
            picture.paste(Image.fromarray(cv2.cvtColor(photo, cv2.COLOR_BGR2RGB)), at)
        own = japanese_font_file() if self.language == "ja" else file_of_brought(LATIN)
        files = [own or file_of_brought(LATIN), *files_for(self._words, self._face)]
        packed = resvg_py.svg_to_bytes(
            svg_string=self.svg(), skip_system_fonts=True, font_files=list(map(str, files))
        )
        with Image.open(io.BytesIO(packed)) as drawn:
            picture.paste(drawn, (0, 0), drawn)
        return picture


def _number(value: float) -> str:
    """A coordinate with at most two decimals."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _hex(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def _path(points: Points, *, closed: bool) -> str:
    """Path data of a polyline (N, 2)."""
    steps = "L".join(f"{_number(x)} {_number(y)}" for x, y in np.asarray(points, float).tolist())
    return f"M{steps}{'Z' if closed else ''}"


def box(canvas: Canvas, centre: Points, half: Points, colour: Colour) -> None:
    """Draw a filled box by its centre (2,) and half size (2,)."""
    (left, top), (right, bottom) = centre - half, centre + half
    canvas.polygon(np.array([[left, top], [right, top], [right, bottom], [left, bottom]]), colour)
