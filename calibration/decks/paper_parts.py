"""Printed parts of a game that are words and icons: cards and tokens, score sheets, pages of rules."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar
from xml.sax.saxutils import escape

import numpy as np
from numpy.typing import NDArray
from reportlab.lib.enums import TA_CENTER, TA_LEFT
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph

from calibration.decks.backs import draw_back
from calibration.decks.print_options import Paper
from calibration.decks.print_pictures import DISC_GAP_MM, jpeg
from calibration.decks.print_sheet import MARGIN_MM, PAGE_SIZES, draw_cut_marks, draw_ruler, page_size_mm
from scorer.catalogue import Point
from scorer.text import Language, Text

Pixels = NDArray[np.uint8]
T = TypeVar("T")

#: A font that every viewer has for Japanese, so that none need be put in the file.
JAPANESE_FONT = "HeiseiKakuGo-W5"
_FONTS: dict[Language, tuple[str, str]] = {
    "en": ("Helvetica", "Helvetica-Bold"),
    "ja": (JAPANESE_FONT, JAPANESE_FONT),
}
TOKEN_MM = 22.0
#: Rulers of a page of rules, and margins of pages of words, in mm.
PAGE_RULER_MM, PAGE_MARGIN_MM = 100.0, 15.0
#: Ground and line of a printed card by its kind, red-green-blue from 0 to 1.
_INKS = {
    "objective": ((0.95, 0.92, 0.98), (0.24, 0.16, 0.34)),
    "spellbook": ((0.98, 0.93, 0.97), (0.31, 0.17, 0.38)),
}
_BACK_PX_PER_MM = 200 / 25.4


@dataclass(frozen=True)
class PaperCard:
    """A card of words: its title, an icon, a line in its corner, and what it does."""

    kind: str
    title: Text
    words: Text
    corner: Text
    icon: Pixels | None = None


@dataclass(frozen=True)
class Section:
    """A heading of a page of rules, with its sentences."""

    heading: Text
    lines: tuple[Text, ...]


def fonts(language: Language) -> tuple[str, str]:
    """The names of the plain and the bold font."""
    if language == "ja" and JAPANESE_FONT not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(UnicodeCIDFont(JAPANESE_FONT))
    return _FONTS[language]


# --- cards and tokens ---------------------------------------------------------------------------------------


def draw_paper_cards(
    canvas: Canvas,
    cards: Sequence[PaperCard],
    size_mm: Point,
    paper: Paper,
    language: Language,
    *,
    backs: bool,
) -> int:
    """Draw pages of cards with cut marks, and their backs; returns the number of pages."""
    count = 0
    for slots, chosen in _grid(cards, size_mm, 0.0, page_size_mm(paper)):
        _marks(canvas, slots, size_mm)
        for card, (x, y) in zip(chosen, slots, strict=False):
            _draw_card(canvas, card, (x, y), size_mm, language)
        canvas.showPage()
        count += 1
        if not backs:
            continue
        _marks(canvas, slots, size_mm)
        width = page_size_mm(paper)[0]
        for card, (x, y) in zip(chosen, slots, strict=False):
            back = draw_back(card.kind, size_mm, _BACK_PX_PER_MM)
            _picture(canvas, back, (width - x - size_mm[0], y), size_mm)
        canvas.showPage()
        count += 1
    return count


def draw_tokens(
    canvas: Canvas, tokens: Sequence[tuple[Text, Pixels | None]], paper: Paper, language: Language
) -> int:
    """Draw pages of round tokens; returns the number of pages."""
    count = 0
    radius = TOKEN_MM / 2
    for slots, chosen in _grid(tokens, (TOKEN_MM, TOKEN_MM), DISC_GAP_MM, page_size_mm(paper)):
        for (name, icon), (x, y) in zip(chosen, slots, strict=False):
            _disc(canvas, icon, (x + radius, y + radius + 1.5), 7.0)
            canvas.setFont(fonts(language)[0], 6.5)
            canvas.setFillGray(0)
            canvas.drawCentredString((x + radius) * mm, (y + 3.2) * mm, name.message(language))
            canvas.setLineWidth(0.4)
            canvas.setStrokeGray(0.55)
            canvas.circle((x + radius) * mm, (y + radius) * mm, radius * mm)
        canvas.showPage()
        count += 1
    return count


def _grid(
    things: Sequence[T], size_mm: Point, gap_mm: float, page_mm: Point
) -> Iterator[tuple[list[Point], Sequence[T]]]:
    """Pages of things: the lower left corners in reading order, and the things there."""
    width, height = size_mm[0] + gap_mm, size_mm[1] + gap_mm
    columns = max(1, int((page_mm[0] - 2 * MARGIN_MM) / width))
    rows = max(1, int((page_mm[1] - 2 * MARGIN_MM) / height))
    for start in range(0, len(things), columns * rows):
        chosen = things[start : start + columns * rows]
        used = math.ceil(len(chosen) / columns)
        left, bottom = (page_mm[0] - columns * width) / 2, (page_mm[1] - used * height) / 2
        slots = [
            (left + column * width + gap_mm / 2, bottom + row * height + gap_mm / 2)
            for row in reversed(range(used))
            for column in range(columns)
        ]
        yield slots, chosen


def _marks(canvas: Canvas, slots: Sequence[Point], size_mm: Point) -> None:
    xs = sorted({round(x + end, 4) for x, _ in slots for end in (0, size_mm[0])})
    ys = sorted({round(y + end, 4) for _, y in slots for end in (0, size_mm[1])})
    draw_cut_marks(canvas, (xs[0], ys[0], xs[-1], ys[-1]), xs, ys)


def _draw_card(canvas: Canvas, card: PaperCard, at: Point, size_mm: Point, language: Language) -> None:
    (x, y), (width, height) = at, size_mm
    ground, line = _INKS.get(card.kind, _INKS["objective"])
    plain, bold = fonts(language)
    canvas.saveState()
    canvas.setFillColorRGB(*ground)
    canvas.rect(x * mm, y * mm, width * mm, height * mm, stroke=0, fill=1)
    canvas.setStrokeColorRGB(*line)
    canvas.setLineWidth(1.2)
    canvas.roundRect((x + 4) * mm, (y + 4) * mm, (width - 8) * mm, (height - 8) * mm, 2.5 * mm)
    canvas.setFillColorRGB(*line)
    middle, room = (x + width / 2) * mm, (width - 14) * mm
    _centred(canvas, card.title.message(language), bold, 15, middle, (y + height - 14) * mm, room)
    if card.icon is not None:
        _disc(canvas, card.icon, (x + width / 2, y + height * 0.55), 12)
    _centred(canvas, card.corner.message(language), bold, 13, middle, (y + 9.5) * mm, room)
    style = _style(plain, 11, language, centred=True)
    paragraph = Paragraph(escape(card.words.message(language)), style)
    _, high = paragraph.wrap(room, height * mm)
    centre = (y + height * (0.5 if card.icon is None else 0.29)) * mm
    paragraph.drawOn(canvas, middle - room / 2, centre - high / 2)
    canvas.restoreState()


def _centred(canvas: Canvas, words: str, font: str, size: float, x: float, y: float, room: float) -> None:
    """A line in the middle, smaller where it is too long."""
    size = min(size, size * room / max(1.0, canvas.stringWidth(words, font, size)))
    canvas.setFont(font, size)
    canvas.drawCentredString(x, y, words)


def _disc(canvas: Canvas, icon: Pixels | None, centre: Point, radius: float) -> None:
    """An icon in a circle; lengths in mm."""
    x, y = centre
    if icon is None:
        return
    canvas.saveState()
    circle = canvas.beginPath()
    circle.circle(x * mm, y * mm, radius * mm)
    canvas.clipPath(circle, stroke=0)
    _picture(canvas, icon, (x - radius, y - radius), (2 * radius, 2 * radius))
    canvas.restoreState()
    canvas.setLineWidth(0.8)
    canvas.circle(x * mm, y * mm, radius * mm)


def _picture(canvas: Canvas, pixels: Pixels, at: Point, size_mm: Point) -> None:
    data = jpeg(pixels, None)
    canvas.drawImage(ImageReader(io.BytesIO(data)), at[0] * mm, at[1] * mm, size_mm[0] * mm, size_mm[1] * mm)


# --- pages of words -----------------------------------------------------------------------------------------


def draw_rules(
    canvas: Canvas, title: Text, sections: Sequence[Section], paper: Paper, language: Language
) -> None:
    """Draw a page of rules with a ruler of 100 mm at its edge."""
    plain, bold = fonts(language)
    width, height = PAGE_SIZES[paper]
    left, right = PAGE_MARGIN_MM * mm, width - PAGE_MARGIN_MM * mm
    y = height - PAGE_MARGIN_MM * mm - 18
    canvas.setFillGray(0)
    canvas.setFont(bold, 22)
    canvas.drawString(left, y, title.message(language))
    y -= 8 * mm
    for section in sections:
        canvas.setFont(bold, 12)
        canvas.drawString(left, y, section.heading.message(language))
        y -= 1.6 * mm
        for line in section.lines:
            paragraph = Paragraph("• " + escape(line.message(language)), _style(plain, 9.6, language))
            _, high = paragraph.wrap(right - left, y)
            paragraph.drawOn(canvas, left, y - high)
            y -= high + 0.5 * mm
        y -= 5.2 * mm
    draw_ruler(canvas, PAGE_MARGIN_MM - 4, PAGE_MARGIN_MM, PAGE_RULER_MM)
    canvas.showPage()


def draw_table(
    canvas: Canvas,
    box: tuple[float, float, float, float],
    rows: Sequence[Sequence[str]],
    font: str,
    bold: str,
) -> None:
    """Draw a table of equal rows within the box (left, bottom, width, height; points). The first row and
    the first column are bold; the first column is half as wide again."""
    left, bottom, width, height = box
    across = width / (len(rows[0]) + 0.5)
    down = height / len(rows)
    edges = [left, *(left + across * (1.5 + number) for number in range(len(rows[0])))]
    canvas.setLineWidth(0.5)
    canvas.setStrokeGray(0.35)
    for number in range(len(rows) + 1):
        canvas.line(left, bottom + number * down, left + width, bottom + number * down)
    for x in edges:
        canvas.line(x, bottom, x, bottom + height)
    for number, row in enumerate(rows):
        y = bottom + height - (number + 0.5) * down - 3
        for column, words in enumerate(row):
            start, end = edges[column], edges[column + 1]
            name = bold if number == 0 or column == 0 else font
            _centred(canvas, words, name, 9, (start + end) / 2, y, end - start - 4)


def _style(font: str, size: float, language: Language, *, centred: bool = False) -> ParagraphStyle:
    return ParagraphStyle(
        "text",
        fontName=font,
        fontSize=size,
        leading=size * 1.35,
        alignment=TA_CENTER if centred else TA_LEFT,
        wordWrap="CJK" if language == "ja" else None,
    )


#: Draws a part's pages on a canvas and returns how many they are.
Part = Callable[[Canvas, Paper, Language, bool], int]
