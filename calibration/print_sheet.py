"""A catalogue's cards on sheets to print at true size and cut: nine to a page, with cut marks.

Lengths are millimetres. Cards lie edge to edge, so that one cut parts two of them; the marks stand outside
the block.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from PIL import Image
from reportlab.lib.pagesizes import A4, LETTER
from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from scorer.catalogue import Card, Catalogue
from scorer.errors import Code, WaymarkError
from scorer.output_file import write_output
from vision.art import read_art

Paper = Literal["a4", "letter"]

COLUMNS, ROWS = 3, 3
#: Cut marks begin this far outside the block, so that no ink is left on a card that is cut a little off.
MARK_GAP_MM = 1.5
MARK_LENGTH_MM = 4.0
MARK_WIDTH_PT = 0.4
#: Most printers cannot print nearer to the paper's edge.
UNPRINTABLE_MM = 4.0
FOOTER_SIZE_PT = 6.5
#: At this quality JPEG leaves no trace on paper, and the file is a tenth of the art's.
JPEG_QUALITY = 92

_PAGE_SIZES = {"a4": A4, "letter": LETTER}


def box_contents(catalogue: Catalogue) -> list[Card]:
    """Every card as often as the box holds it."""
    return [card for card in catalogue.cards for _ in range(card.copies)]


def print_sheets(catalogue: Catalogue, cards: Sequence[Card], file: Path, *, paper: Paper = "a4") -> int:
    """Write `cards`, nine to a page, to the PDF `file`.

    Returns the number of pages. Raises `WaymarkError` when no card is given, when a card's art cannot be
    read, when the cards are too large for nine to a page, or when the file cannot be written.
    """
    if not cards:
        raise WaymarkError(Code.NO_CARDS, "There are no cards to print.", "印刷するカードがありません。")
    width, height = (length * mm for length in catalogue.card_size_mm)
    page_width, page_height = _PAGE_SIZES[paper]
    left, bottom = (page_width - COLUMNS * width) / 2, (page_height - ROWS * height) / 2
    if min(left, bottom) < UNPRINTABLE_MM * mm:
        raise WaymarkError(
            Code.CARDS_TOO_LARGE,
            f"Nine cards of this size do not fit on {paper.upper()} paper.",
            f"この大きさのカードは {paper.upper()} に 9 枚入りません。",
        )
    pictures: dict[str, ImageReader] = {}
    sheet = io.BytesIO()
    canvas = Canvas(sheet, pagesize=(page_width, page_height), pageCompression=1, invariant=True)
    canvas.setTitle(catalogue.name)
    canvas.setCreator("Waymark")
    # Viewers shrink pages to fit unless the file asks them not to.
    canvas.setViewerPreference("PrintScaling", "None")
    per_page = COLUMNS * ROWS
    page_count = -(-len(cards) // per_page)
    for page in range(page_count):
        _draw_cut_marks(canvas, left, bottom, width, height)
        for slot, card in enumerate(cards[page * per_page : (page + 1) * per_page]):
            row, column = divmod(slot, COLUMNS)
            if card.id not in pictures:
                pictures[card.id] = _picture(catalogue, card)
            canvas.drawImage(
                pictures[card.id], left + column * width, bottom + (ROWS - 1 - row) * height, width, height
            )
        canvas.setFont("Helvetica", FOOTER_SIZE_PT)
        canvas.drawCentredString(
            page_width / 2,
            bottom - (MARK_GAP_MM + MARK_LENGTH_MM / 2) * mm,
            f"{catalogue.name}  {page + 1}/{page_count}  print at 100% (a card is "
            f"{catalogue.card_size_mm[0]:g} x {catalogue.card_size_mm[1]:g} mm)",
        )
        canvas.showPage()
    canvas.save()
    write_output(file, sheet.getvalue())
    return page_count


def _draw_cut_marks(canvas: Canvas, left: float, bottom: float, width: float, height: float) -> None:
    """Short lines in the margins that continue every cut; lengths in points."""
    gap, length = MARK_GAP_MM * mm, MARK_LENGTH_MM * mm
    right, top = left + COLUMNS * width, bottom + ROWS * height
    canvas.setLineWidth(MARK_WIDTH_PT)
    canvas.setStrokeGray(0)
    for column in range(COLUMNS + 1):
        x = left + column * width
        canvas.line(x, top + gap, x, top + gap + length)
        canvas.line(x, bottom - gap, x, bottom - gap - length)
    for row in range(ROWS + 1):
        y = bottom + row * height
        canvas.line(left - gap, y, left - gap - length, y)
        canvas.line(right + gap, y, right + gap + length, y)


def _picture(catalogue: Catalogue, card: Card) -> ImageReader:
    art = read_art(catalogue.art_path(card))
    if art is None:
        raise WaymarkError(
            Code.ART_UNREADABLE,
            f"The art of card {card.id!r} ({card.art}) cannot be read; run `waymark deck check`.",
            f"カード {card.id!r} の絵({card.art})を読めません。`waymark deck check` で調べてください。",
        )
    packed = io.BytesIO()
    Image.fromarray(art[..., ::-1]).save(packed, "JPEG", quality=JPEG_QUALITY, subsampling=0)
    packed.seek(0)
    return ImageReader(packed)
