"""Print sheets: a catalogue's pieces at true size with cut marks, as many of one size to a page as fit.

Lengths are millimetres. Pieces are adjacent, so one cut separates two of them; the marks are outside the
block. Discs are spaced, each within its circle. A standing figure is printed with its mirror image above
it. It is folded along its top edge and along the flaps at its base, which repeat its ground. A board
larger than a page is printed in parts.
"""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from reportlab.lib.pagesizes import A4, LETTER
from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from scorer.catalogue import Card, Catalogue, Point
from scorer.errors import Code, WaymarkError
from scorer.output_file import write_output
from scorer.text import Text
from vision.cards.index import read_art, unreadable

Paper = Literal["a4", "letter"]

#: Cut marks begin this far outside the block, so that no ink is left on a card that is cut a little off.
MARK_GAP_MM = 1.5
MARK_LENGTH_MM = 4.0
MARK_WIDTH_PT = 0.4
#: So much is left at a page's edges: most printers cannot print nearer than 4 mm, and a mark is seen.
MARGIN_MM = 6.0
#: Gap between discs, which are cut out one by one.
DISC_GAP_MM = 3.0
#: A standing figure's flaps, as a share of its height: so much of its art is ground.
FLAP_SHARE = 0.2
FOOTER_SIZE_PT = 6.5
#: At this quality JPEG leaves no trace on paper, and the file is a tenth of the art's.
JPEG_QUALITY = 92

_PAGE_SIZES = {"a4": A4, "letter": LETTER}
_FOLD_GREY, _CIRCLE_GREY = 0.75, 0.55


@dataclass(frozen=True)
class _Blank:
    """A unit to cut out: a piece, or one part of a board divided into columns and rows of `parts`."""

    card: Card
    size_mm: Point
    parts: tuple[int, int] = (1, 1)
    part: tuple[int, int] = (0, 0)

    @property
    def pitch_mm(self) -> Point:
        gap = DISC_GAP_MM if self.card.shape == "disc" else 0.0
        return self.size_mm[0] + gap, self.size_mm[1] + gap

    @property
    def sort(self) -> object:
        """Grouping key: blanks with equal keys share pages."""
        return self.size_mm, self.card.shape in ("disc", "standing") and self.card.shape


def box_contents(catalogue: Catalogue) -> list[Card]:
    """All pieces of the box, each as often as it has copies. Pieces printed on a board are omitted when
    the board is present."""
    on_board = any(card.kind == "board" for card in catalogue.cards)
    return [
        card
        for card in catalogue.cards
        if not (on_board and card.kind == "fixed")
        for _ in range(card.copies)
    ]


def print_sheets(catalogue: Catalogue, cards: Sequence[Card], file: Path, *, paper: Paper = "a4") -> int:
    """Write `cards` to the PDF `file`, with pieces of one size together.

    Returns the number of pages. Raises `WaymarkError` when no card is given, when a card's art cannot be
    read, when a card is too large for a page, or when the file cannot be written.
    """
    if not cards:
        raise WaymarkError(Code.NO_CARDS, Text("There are no cards to print."))
    page_mm = (_PAGE_SIZES[paper][0] / mm, _PAGE_SIZES[paper][1] / mm)
    sorts: dict[object, list[_Blank]] = {}
    for card in cards:
        for blank in _blanks(catalogue, card, page_mm):
            sorts.setdefault(blank.sort, []).append(blank)
    pages: list[list[_Blank]] = []
    for alike in sorts.values():
        columns, rows = _to_a_page(alike[0], page_mm)
        if not columns * rows:
            raise WaymarkError(
                Code.CARDS_TOO_LARGE,
                Text("A card of this size does not fit on {paper} paper.", paper=paper.upper()),
            )
        pages += [alike[at : at + columns * rows] for at in range(0, len(alike), columns * rows)]
    pictures: dict[tuple[str, Point], ImageReader] = {}
    sheet = io.BytesIO()
    canvas = Canvas(sheet, pagesize=_PAGE_SIZES[paper], pageCompression=1, invariant=True)
    canvas.setTitle(catalogue.name)
    canvas.setCreator("Waymark")
    # Viewers shrink pages to fit unless the file asks them not to.
    canvas.setViewerPreference("PrintScaling", "None")
    for number, blanks in enumerate(pages, 1):
        for blank in blanks:
            key = blank.card.id, blank.part
            if key not in pictures:
                pictures[key] = _picture(catalogue, blank)
        footer = f"{catalogue.name}  {number}/{len(pages)}  print at 100% ({_measure(catalogue, blanks[0])})"
        _draw_page(canvas, blanks, pictures, page_mm, footer)
        canvas.showPage()
    canvas.save()
    write_output(file, sheet.getvalue())
    return len(pages)


def _blanks(catalogue: Catalogue, card: Card, page_mm: Point) -> list[_Blank]:
    width, height = catalogue.size_of(card.id)
    if card.shape == "standing":
        return [_Blank(card, (width, 2 * height * (1 + FLAP_SHARE)))]
    if card.kind != "board":
        return [_Blank(card, (width, height))]
    columns, rows = (
        math.ceil(side / (page - 2 * MARGIN_MM)) for side, page in zip((width, height), page_mm, strict=True)
    )
    return [
        _Blank(card, (width / columns, height / rows), (columns, rows), (column, row))
        for row in range(rows)
        for column in range(columns)
    ]


def _to_a_page(blank: _Blank, page_mm: Point) -> tuple[int, int]:
    """Number of columns and rows of a blank on a page."""
    return (
        int((page_mm[0] - 2 * MARGIN_MM) / blank.pitch_mm[0]),
        int((page_mm[1] - 2 * MARGIN_MM) / blank.pitch_mm[1]),
    )


def _measure(catalogue: Catalogue, blank: _Blank) -> str:
    """The text with a known size in mm, to verify that the print was not scaled."""
    width, height = blank.size_mm if blank.parts != (1, 1) else catalogue.size_of(blank.card.id)
    whole = "a part" if blank.parts != (1, 1) else "a card"
    return f"{whole} is {width:g} x {height:g} mm"


def _draw_page(
    canvas: Canvas,
    blanks: Sequence[_Blank],
    pictures: dict[tuple[str, Point], ImageReader],
    page_mm: Point,
    footer: str,
) -> None:
    columns = min(_to_a_page(blanks[0], page_mm)[0], len(blanks))
    rows = math.ceil(len(blanks) / columns)
    across, down = (side * mm for side in blanks[0].pitch_mm)
    width, height = (side * mm for side in blanks[0].size_mm)
    left, bottom = (page_mm[0] * mm - columns * across) / 2, (page_mm[1] * mm - rows * down) / 2
    disc = blanks[0].card.shape == "disc"
    if not disc:
        _draw_cut_marks(canvas, left, bottom, (columns, rows), (width, height))
    for slot, blank in enumerate(blanks):
        row, column = divmod(slot, columns)
        x = left + column * across + (across - width) / 2
        y = bottom + (rows - 1 - row) * down + (down - height) / 2
        picture = pictures[blank.card.id, blank.part]
        if disc:
            _draw_disc(canvas, picture, x, y, width)
            continue
        canvas.drawImage(picture, x, y, width, height)
        if blank.card.shape == "standing":
            _draw_folds(canvas, x, y, width, height)
    canvas.setFont("Helvetica", FOOTER_SIZE_PT)
    canvas.drawCentredString(page_mm[0] * mm / 2, bottom - (MARK_GAP_MM + MARK_LENGTH_MM / 2) * mm, footer)


def _draw_disc(canvas: Canvas, picture: ImageReader, x: float, y: float, width: float) -> None:
    radius = width / 2
    canvas.saveState()
    circle = canvas.beginPath()
    circle.circle(x + radius, y + radius, radius)
    canvas.clipPath(circle, stroke=0)
    canvas.drawImage(picture, x, y, width, width)
    canvas.restoreState()
    canvas.setLineWidth(MARK_WIDTH_PT)
    canvas.setStrokeGray(_CIRCLE_GREY)
    canvas.circle(x + radius, y + radius, radius)


def _draw_folds(canvas: Canvas, x: float, y: float, width: float, height: float) -> None:
    """Draw dashed fold lines of a figure: along its top edge and its two feet."""
    flap = height / 2 * FLAP_SHARE / (1 + FLAP_SHARE)
    canvas.saveState()
    canvas.setLineWidth(MARK_WIDTH_PT)
    canvas.setStrokeGray(_FOLD_GREY)
    canvas.setDash(2, 2)
    for up in (flap, height / 2, height - flap):
        canvas.line(x, y + up, x + width, y + up)
    canvas.restoreState()


def _draw_cut_marks(
    canvas: Canvas, left: float, bottom: float, counts: tuple[int, int], size: tuple[float, float]
) -> None:
    """Draw short marks in the margins that continue every cut; lengths in points."""
    (columns, rows), (width, height) = counts, size
    gap, length = MARK_GAP_MM * mm, MARK_LENGTH_MM * mm
    right, top = left + columns * width, bottom + rows * height
    canvas.setLineWidth(MARK_WIDTH_PT)
    canvas.setStrokeGray(0)
    for column in range(columns + 1):
        x = left + column * width
        canvas.line(x, top + gap, x, top + gap + length)
        canvas.line(x, bottom - gap, x, bottom - gap - length)
    for row in range(rows + 1):
        y = bottom + row * height
        canvas.line(left - gap, y, left - gap - length, y)
        canvas.line(right + gap, y, right + gap + length, y)


def _picture(catalogue: Catalogue, blank: _Blank) -> ImageReader:
    card = blank.card
    art = read_art(catalogue.art_path(card))
    if art is None:
        raise unreadable(card)
    if card.shape == "standing":
        art = _folded_out(art)
    (columns, rows), (column, row) = blank.parts, blank.part
    height, width = art.shape[:2]
    top, end = (round(height * at / rows) for at in (row, row + 1))
    left, right = (round(width * at / columns) for at in (column, column + 1))
    packed = io.BytesIO()
    part = np.ascontiguousarray(art[top:end, left:right, ::-1])
    Image.fromarray(part).save(packed, "JPEG", quality=JPEG_QUALITY, subsampling=0)
    packed.seek(0)
    return ImageReader(packed)


def _folded_out(art: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The unfolded image of a figure: its two sides and flaps. The other side is a mirror image, so both
    sides face the same direction. It is printed upside down for folding."""
    flap = art[::-1][: round(len(art) * FLAP_SHARE)]
    side = np.concatenate([art, flap])
    return np.concatenate([side[::-1], side])
