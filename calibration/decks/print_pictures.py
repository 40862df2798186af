"""Pictures of pieces for printing: the art with bleed, at a resolution, as JPEG."""

from __future__ import annotations

import io
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image
from reportlab.lib.utils import ImageReader

from calibration.decks.backs import draw_back
from scorer.catalogue import Card, Catalogue, Point
from vision.cards.index import read_art, unreadable

Pixels = NDArray[np.uint8]

#: Gap between discs, which are cut out one by one.
DISC_GAP_MM = 3.0
#: A standing figure's flaps, as a share of its height: so much of its art is ground.
FLAP_SHARE = 0.2
#: Quality of JPEG at the art's own resolution (200 dpi for the open deck): the whole box takes less than
#: 8 MB, and blocks are below what is seen at reading distance. Higher where a resolution is asked for, and
#: highest in files for print services, which compress them again.
JPEG_QUALITY, FINE_QUALITY, SERVICE_QUALITY = 66, 85, 92
#: Resolution of backs where none is asked for.
_BACK_DPI = 200


@dataclass(frozen=True)
class Blank:
    """A unit to cut out: a piece, or one part of a board divided into columns and rows of `parts`, with
    `bleed_mm` around it."""

    card: Card
    size_mm: Point
    parts: tuple[int, int] = (1, 1)
    part: tuple[int, int] = (0, 0)
    bleed_mm: float = 0.0

    @property
    def pitch_mm(self) -> Point:
        gap = DISC_GAP_MM if self.card.shape == "disc" else 2 * self.bleed_mm
        return self.size_mm[0] + gap, self.size_mm[1] + gap

    @property
    def sort(self) -> object:
        """Grouping key: blanks with equal keys share pages."""
        return self.size_mm, self.card.shape in ("disc", "standing") and self.card.shape


def with_bleed(pixels: Pixels, size_mm: Point, bleed_mm: Point) -> Pixels:
    """The picture continued beyond its edges by its mirror image."""
    height, width = pixels.shape[:2]
    across, down = (
        round(bleed * side / mm) for bleed, side, mm in zip(bleed_mm, (width, height), size_mm, strict=True)
    )
    made = cv2.copyMakeBorder(pixels, down, down, across, across, cv2.BORDER_REFLECT)
    return np.asarray(made, np.uint8)


def at_resolution(pixels: Pixels, size_mm: Point, dpi: int | None) -> Pixels:
    """The picture at a resolution; unchanged for None."""
    if dpi is None:
        return pixels
    width, height = (round(side / 25.4 * dpi) for side in size_mm)
    shrinks = width < pixels.shape[1]
    how = cv2.INTER_AREA if shrinks else cv2.INTER_LANCZOS4
    return np.asarray(cv2.resize(pixels, (width, height), interpolation=how), np.uint8)


def jpeg(pixels: Pixels, dpi: int | None, *, service: bool = False) -> bytes:
    """BGR pixels as JPEG; for a print `service` in full colour resolution."""
    packed = io.BytesIO()
    quality = SERVICE_QUALITY if service else JPEG_QUALITY if dpi is None else FINE_QUALITY
    picture = Image.fromarray(np.ascontiguousarray(pixels[..., ::-1]))
    picture.save(
        packed,
        "JPEG",
        quality=quality,
        subsampling=0 if service else 2,
        optimize=True,
        progressive=True,
        dpi=(dpi or 0, dpi or 0),
    )
    return packed.getvalue()


def face_picture(catalogue: Catalogue, blank: Blank, dpi: int | None) -> ImageReader:
    """The face of a blank with its bleed."""
    card = blank.card
    art = face_art(catalogue, card)
    if card.shape == "standing":
        art = _folded_out(art)
    (columns, rows), (column, row) = blank.parts, blank.part
    height, width = art.shape[:2]
    top, end = (round(height * at / rows) for at in (row, row + 1))
    left, right = (round(width * at / columns) for at in (column, column + 1))
    part = with_bleed(art[top:end, left:right], blank.size_mm, (blank.bleed_mm, blank.bleed_mm))
    whole = blank.size_mm[0] + 2 * blank.bleed_mm, blank.size_mm[1] + 2 * blank.bleed_mm
    return ImageReader(io.BytesIO(jpeg(at_resolution(part, whole, dpi), dpi)))


def face_art(catalogue: Catalogue, card: Card) -> Pixels:
    """The art of a card, BGR. Raises `WaymarkError` where it cannot be read."""
    art = read_art(catalogue.art_path(card))
    if art is None:
        raise unreadable(card)
    return art


def back_picture(blank: Blank, dpi: int | None) -> ImageReader:
    """The back of a blank with its bleed."""
    back = draw_back(blank.card.kind, blank.size_mm, (dpi or _BACK_DPI) / 25.4, blank.bleed_mm)
    return ImageReader(io.BytesIO(jpeg(back, dpi)))


def _folded_out(art: Pixels) -> Pixels:
    """The unfolded image of a figure: its two sides and flaps. The other side is a mirror image, so both
    sides face the same direction. It is printed upside down for folding."""
    flap = art[::-1][: round(len(art) * FLAP_SHARE)]
    side = np.concatenate([art, flap])
    return np.concatenate([side[::-1], side])
