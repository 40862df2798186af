"""Print sheets: a catalogue's pieces at true size with cut marks, as many of one size to a page as fit.

Lengths are millimetres. Pieces are adjacent, so one cut separates two of them, unless they have bleed; the
marks are outside the block. Discs are spaced, each within its circle. A standing figure is printed with its
mirror image above it. It is folded along its top edge and along the flaps at its base, which repeat its
ground. A board larger than a page is printed in parts. Backs are mirrored, for paper turned on its long edge.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Sequence
from pathlib import Path

from reportlab import rl_config
from reportlab.lib.pagesizes import A4, LETTER
from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from calibration.decks.print_options import Paper, PrintOptions
from calibration.decks.print_pictures import FLAP_SHARE, Blank, back_picture, face_picture
from scorer.catalogue import Card, Catalogue, Point
from scorer.errors import Code, WaymarkError
from scorer.output_file import write_output
from scorer.text import Text

#: Cut marks begin this far outside the block, so that no ink is left on a card that is cut a little off.
MARK_GAP_MM = 1.5
MARK_LENGTH_MM = 4.0
MARK_WIDTH_PT = 0.4
#: So much is left at a page's edges: most printers cannot print nearer than 4 mm, and a mark is seen.
MARGIN_MM = 6.0
#: Length of the ruler that shows whether a page was scaled, and the free width beside the block it needs.
RULER_MM, RULER_ROOM_MM = 50.0, 9.0
FOOTER_SIZE_PT = 6.5

# Pictures as they are: written as text they take a quarter more.
vars(rl_config).update(useA85=0)

PAGE_SIZES = {"a4": A4, "letter": LETTER}
_FOLD_GREY, _CIRCLE_GREY = 0.75, 0.55

Pictures = Callable[[Blank], ImageReader]


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


def print_sheets(
    catalogue: Catalogue,
    cards: Sequence[Card],
    file: Path,
    *,
    paper: Paper = "a4",
    options: PrintOptions | None = None,
) -> int:
    """Write `cards` to the PDF `file`, with pieces of one size together.

    Returns the number of pages. Raises `WaymarkError` when no card is given, when a card's art cannot be
    read, when a card is too large for a page, or when the file cannot be written.
    """
    sheet = io.BytesIO()
    canvas = new_document(sheet, catalogue.name, paper)
    pages = draw_sheets(canvas, catalogue, cards, paper, options or PrintOptions())
    canvas.save()
    write_output(file, sheet.getvalue())
    return pages


def new_document(target: io.BytesIO, title: str, paper: Paper) -> Canvas:
    """An empty PDF that viewers print at true size."""
    canvas = Canvas(target, pagesize=PAGE_SIZES[paper], pageCompression=1, invariant=True)
    canvas.setTitle(title)
    canvas.setCreator("Waymark")
    # Viewers shrink pages to fit unless the file asks them not to.
    canvas.setViewerPreference("PrintScaling", "None")
    return canvas


def draw_sheets(
    canvas: Canvas, catalogue: Catalogue, cards: Sequence[Card], paper: Paper, options: PrintOptions
) -> int:
    """Draw the pages of `cards`; returns how many they are."""
    if not cards:
        raise WaymarkError(Code.NO_CARDS, Text("There are no cards to print."))
    page_mm = page_size_mm(paper)
    pages = _pages(catalogue, cards, page_mm, paper, options)
    faces = _kept(lambda blank: face_picture(catalogue, blank, options.dpi), lambda blank: blank.card.id)
    backs = _kept(lambda blank: back_picture(blank, options.dpi), lambda blank: blank.card.kind)
    count = 0
    for number, blanks in enumerate(pages, 1):
        footer = f"{catalogue.name}  {number}/{len(pages)}  print at 100% ({_measure(catalogue, blanks[0])})"
        _draw_page(canvas, blanks, faces, page_mm, footer)
        canvas.showPage()
        count += 1
        if options.backs and _has_back(blanks[0]):
            _draw_page(canvas, blanks, backs, page_mm, "", mirrored=True)
            canvas.showPage()
            count += 1
    return count


def page_size_mm(paper: Paper) -> Point:
    return PAGE_SIZES[paper][0] / mm, PAGE_SIZES[paper][1] / mm


def _kept(make: Pictures, name: Callable[[Blank], str]) -> Pictures:
    """`make`, called once for blanks of the same name, size and part."""
    made: dict[object, ImageReader] = {}

    def picture(blank: Blank) -> ImageReader:
        key = name(blank), blank.size_mm, blank.part
        if key not in made:
            made[key] = make(blank)
        return made[key]

    return picture


def _has_back(blank: Blank) -> bool:
    """Whether a blank is a card with a back: no board, disc or figure."""
    return blank.parts == (1, 1) and blank.card.kind != "board" and not blank.card.shape


def _pages(
    catalogue: Catalogue, cards: Sequence[Card], page_mm: Point, paper: Paper, options: PrintOptions
) -> list[list[Blank]]:
    sorts: dict[object, list[Blank]] = {}
    for card in cards:
        for blank in _blanks(catalogue, card, page_mm, options.bleed_mm):
            sorts.setdefault(blank.sort, []).append(blank)
    pages: list[list[Blank]] = []
    for alike in sorts.values():
        columns, rows = _to_a_page(alike[0], page_mm)
        if not columns * rows:
            raise WaymarkError(
                Code.CARDS_TOO_LARGE,
                Text("A card of this size does not fit on {paper} paper.", paper=paper.upper()),
            )
        pages += [alike[at : at + columns * rows] for at in range(0, len(alike), columns * rows)]
    return pages


def _blanks(catalogue: Catalogue, card: Card, page_mm: Point, bleed_mm: float) -> list[Blank]:
    width, height = catalogue.size_of(card.id)
    if card.shape == "standing":
        return [Blank(card, (width, 2 * height * (1 + FLAP_SHARE)))]
    if card.kind != "board":
        return [Blank(card, (width, height), bleed_mm=0.0 if card.shape else bleed_mm)]
    columns, rows = (
        math.ceil(side / (page - 2 * MARGIN_MM)) for side, page in zip((width, height), page_mm, strict=True)
    )
    return [
        Blank(card, (width / columns, height / rows), (columns, rows), (column, row))
        for row in range(rows)
        for column in range(columns)
    ]


def _to_a_page(blank: Blank, page_mm: Point) -> tuple[int, int]:
    """Number of columns and rows of a blank on a page."""
    return (
        int((page_mm[0] - 2 * MARGIN_MM) / blank.pitch_mm[0]),
        int((page_mm[1] - 2 * MARGIN_MM) / blank.pitch_mm[1]),
    )


def _measure(catalogue: Catalogue, blank: Blank) -> str:
    """The text with a known size in mm, to verify that the print was not scaled."""
    width, height = blank.size_mm if blank.parts != (1, 1) else catalogue.size_of(blank.card.id)
    whole = "a part" if blank.parts != (1, 1) else "a card"
    return f"{whole} is {width:g} x {height:g} mm"


def _draw_page(
    canvas: Canvas,
    blanks: Sequence[Blank],
    pictures: Pictures,
    page_mm: Point,
    footer: str,
    *,
    mirrored: bool = False,
) -> None:
    columns = min(_to_a_page(blanks[0], page_mm)[0], len(blanks))
    rows = math.ceil(len(blanks) / columns)
    across, down = blanks[0].pitch_mm
    width, height = blanks[0].size_mm
    left, bottom = (page_mm[0] - columns * across) / 2, (page_mm[1] - rows * down) / 2
    disc = blanks[0].card.shape == "disc"
    slots = [
        (left + column * across + (across - width) / 2, bottom + row * down + (down - height) / 2)
        for row in reversed(range(rows))
        for column in (reversed(range(columns)) if mirrored else range(columns))
    ]
    block = left, bottom, left + columns * across, bottom + rows * down
    if not disc:
        xs = sorted({round(x + end, 4) for x, _ in slots for end in (0, width)})
        ys = sorted({round(y + end, 4) for _, y in slots for end in (0, height)})
        draw_cut_marks(canvas, block, xs, ys)
    for blank, (x, y) in zip(blanks, slots, strict=False):
        picture, bleed = pictures(blank), blank.bleed_mm
        if disc:
            _draw_disc(canvas, picture, x * mm, y * mm, width * mm)
            continue
        whole = (x - bleed) * mm, (y - bleed) * mm, (width + 2 * bleed) * mm, (height + 2 * bleed) * mm
        canvas.drawImage(picture, *whole)
        if blank.card.shape == "standing":
            _draw_folds(canvas, x * mm, y * mm, width * mm, height * mm)
    canvas.setFont("Helvetica", FOOTER_SIZE_PT)
    canvas.setFillGray(0)
    # Between two cut marks.
    middle = page_mm[0] / 2 + (0 if columns % 2 else across / 2)
    canvas.drawCentredString(middle * mm, (bottom - MARK_GAP_MM - MARK_LENGTH_MM / 2) * mm, footer)
    if not mirrored and left >= RULER_ROOM_MM and down >= RULER_MM + 4:
        draw_ruler(canvas, left - MARK_GAP_MM - 1.0, bottom + rows * down - (down + RULER_MM) / 2, RULER_MM)


def draw_ruler(canvas: Canvas, right_mm: float, bottom_mm: float, length_mm: float) -> None:
    """A vertical ruler in millimetres, to check that the print was not scaled; ticks end at `right_mm`."""
    canvas.saveState()
    canvas.setLineWidth(MARK_WIDTH_PT)
    canvas.setStrokeGray(0)
    canvas.setFillGray(0)
    canvas.setFont("Helvetica", 4.5)
    x = right_mm * mm
    canvas.line(x, bottom_mm * mm, x, (bottom_mm + length_mm) * mm)
    for number in range(round(length_mm) + 1):
        y = (bottom_mm + number) * mm
        length = 3.0 if number % 10 == 0 else 2.0 if number % 5 == 0 else 1.2
        canvas.line(x - length * mm, y, x, y)
        if number % 10 == 0 and number:
            canvas.drawRightString(x - 1.3 * mm, y - 4.2, f"{number}")
    canvas.drawRightString(x - 1.3 * mm, bottom_mm * mm + 1.5, "mm")
    canvas.restoreState()


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


def draw_cut_marks(
    canvas: Canvas, block_mm: tuple[float, float, float, float], xs: Sequence[float], ys: Sequence[float]
) -> None:
    """Draw short marks outside the block (left, bottom, right, top) that continue the cuts at `xs` and
    `ys`; lengths in mm."""
    left, bottom, right, top = (side * mm for side in block_mm)
    gap, length = MARK_GAP_MM * mm, MARK_LENGTH_MM * mm
    canvas.setLineWidth(MARK_WIDTH_PT)
    canvas.setStrokeGray(0)
    for x in (each * mm for each in xs):
        canvas.line(x, top + gap, x, top + gap + length)
        canvas.line(x, bottom - gap, x, bottom - gap - length)
    for y in (each * mm for each in ys):
        canvas.line(left - gap, y, left - gap - length, y)
        canvas.line(right + gap, y, right + gap + length, y)
