"""Files for print services: each card alone with its bleed, as a zip of JPEGs of exactly the pixels that the
service asks for, or as a PDF with a page for each card."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from calibration.decks.backs import draw_back
from calibration.decks.print_options import SERVICE_DPI, SERVICES, whole_size
from calibration.decks.print_pictures import Pixels, face_art, jpeg, with_bleed
from scorer.catalogue import Card, Catalogue, Point
from scorer.errors import Code, WaymarkError
from scorer.output_file import write_output
from scorer.text import Text


@dataclass(frozen=True)
class _Template:
    """Sizes (mm) of a card and of its picture with bleed, and the resolution."""

    size_mm: Point
    whole_mm: Point
    dpi: int

    @property
    def bleed_mm(self) -> Point:
        return (self.whole_mm[0] - self.size_mm[0]) / 2, (self.whole_mm[1] - self.size_mm[1]) / 2

    @property
    def size_px(self) -> tuple[int, int]:
        return round(self.whole_mm[0] / 25.4 * self.dpi), round(self.whole_mm[1] / 25.4 * self.dpi)


def write_for_service(
    catalogue: Catalogue, cards: Sequence[Card], file: Path, name: str, *, backs: bool, dpi: int | None = None
) -> int:
    """Write `cards` for the print service `name` to a zip of JPEGs or, by the file's ending, to a PDF;
    returns the number of pictures. A back follows its face in the PDF, and has a folder of its own in the
    zip. Raises `WaymarkError` (no-cards, cards-too-large, not-writable)."""
    if not cards:
        raise WaymarkError(Code.NO_CARDS, Text("There are no cards to print."))
    pictures = _pictures(catalogue, cards, name, backs, dpi or SERVICE_DPI)
    made = _zipped(pictures) if file.suffix.lower() == ".zip" else _as_pages(pictures, catalogue.name)
    write_output(file, made)
    return len(cards) * (2 if backs else 1)


Picture = tuple[str, bytes, _Template]


def _pictures(
    catalogue: Catalogue, cards: Sequence[Card], name: str, backs: bool, dpi: int
) -> Iterator[Picture]:
    """The pictures in order: their names in a zip, their bytes, and their sizes."""
    faces: dict[str, bytes] = {}
    drawn: dict[tuple[str, Point], bytes] = {}
    for number, card in enumerate(cards, 1):
        size_mm = catalogue.size_of(card.id)
        template = _Template(size_mm, whole_size(SERVICES[name], size_mm), dpi)
        if card.id not in faces:
            faces[card.id] = _face(catalogue, card, template)
        yield f"faces/{number:03}-{card.id}.jpg", faces[card.id], template
        if backs:
            kind = card.kind, size_mm
            if kind not in drawn:
                drawn[kind] = _back(card.kind, template)
            yield f"backs/{number:03}-{card.kind}.jpg", drawn[kind], template


def _face(catalogue: Catalogue, card: Card, template: _Template) -> bytes:
    return _sized(with_bleed(face_art(catalogue, card), template.size_mm, template.bleed_mm), template)


def _back(kind: str, template: _Template) -> bytes:
    return _sized(draw_back(kind, template.size_mm, template.dpi / 25.4, max(template.bleed_mm)), template)


def _sized(pixels: Pixels, template: _Template) -> bytes:
    resized = cv2.resize(pixels, template.size_px, interpolation=cv2.INTER_LANCZOS4)
    return jpeg(np.asarray(resized, np.uint8), template.dpi, service=True)


def _zipped(pictures: Iterator[Picture]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as packed:
        for name, data, _ in pictures:
            packed.writestr(zipfile.ZipInfo(name), data)
    return made.getvalue()


def _as_pages(pictures: Iterator[Picture], title: str) -> bytes:
    """A PDF with a page of the size with bleed for each picture; the trim box is the card."""
    made = io.BytesIO()
    canvas = Canvas(made, pageCompression=1, invariant=True)
    canvas.setTitle(title)
    canvas.setCreator("Waymark")
    for _, data, template in pictures:
        width, height = (side * mm for side in template.whole_mm)
        across, down = (side * mm for side in template.bleed_mm)
        canvas.setPageSize((width, height))
        canvas.setBleedBox((0, 0, width, height))
        canvas.setTrimBox((across, down, width - across, height - down))
        canvas.drawImage(ImageReader(io.BytesIO(data)), 0, 0, width, height)
        canvas.showPage()
    canvas.save()
    return made.getvalue()
