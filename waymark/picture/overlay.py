"""Draws a ruling on its photo. Someone who sees only this picture should understand the ruling.

Lines carry arrows and numbers beside their colours, and every state has its own shape, so that nothing
hangs on colour alone.
"""

from __future__ import annotations

import math
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from scorer.output_file import write_output
from scorer.text import Language
from vision.photo import Photo, Pixels, halvings_to_hold
from vision.scan import Scan
from waymark.picture.annotations import annotate
from waymark.picture.canvas import PANEL, Canvas, japanese_font_file
from waymark.picture.panel import draw_panel
from waymark.picture.signs import (
    draw_callout,
    draw_cards,
    draw_ends,
    draw_finds,
    draw_path,
    draw_questions,
)
from waymark.review.pipeline import ScoreResult

#: Longer side of the photo in the picture: enough to read a card's icons, quick to draw and to send.
WORKING_SIDE_PX = 2000
#: How much of the table is shown about the cards, in card heights: enough to recognise the photo.
MARGIN_CARDS = 0.4
LEAST_ASPECT = 0.75
#: The photo is drawn at most this much larger than `WORKING_SIDE_PX`: more is slow and no sharper.
_MOST_GROWN = 1.6
#: How far the photo is taken back, so that what is drawn stands out.
DIMMED = 0.78


def write_overlay(file: Path, result: ScoreResult, language: Language) -> None:
    """Draw `result` and write it to `file` as a PNG, whatever its name ends in.

    Raises `WaymarkError` (not-writable).
    """
    packed = packed_png(draw_overlay(result, language))
    write_output(file, packed)


def draw_overlay(result: ScoreResult, language: Language, *, score: bool = True) -> Image.Image:
    """The photo with the cards, the path and the finds drawn on it, and beside it the `score`; without
    that the photo carries no sentences either, for who says them elsewhere.

    Where no font with Japanese is installed the picture is in English.
    """
    if language == "ja" and japanese_font_file() is None:
        language = "en"
    left, top, right, bottom = _frame(result.scan)
    size = photo_part_size(result.scan)
    panel = None
    if score:
        panel = draw_panel(result, language, size[1])
        # The photo grows with a score that is longer than the photo is high: no empty stripe below it.
        grown = min(_MOST_GROWN, panel.height / size[1])
        size = (round(size[0] * grown), round(size[1] * grown))
    scale = size[0] / (right - left)
    part = _part(result.photo, (left, top, right, bottom), scale)
    small = cv2.resize(
        part, size, interpolation=cv2.INTER_AREA if size[0] < part.shape[1] else cv2.INTER_CUBIC
    )
    notes = annotate(result.assessment, result.scan, language, scale=scale, origin_px=(left, top))
    canvas = Canvas(np.asarray(cv2.convertScaleAbs(small, alpha=DIMMED), np.uint8), language)
    draw_cards(canvas, notes)
    draw_path(canvas, notes)
    draw_finds(canvas, notes)
    if score:
        draw_callout(canvas, notes)
    draw_ends(canvas, notes, language, escaped=_escaped(result))
    if not result.scan.sure:
        draw_questions(canvas, notes)
    drawn = canvas.finished()
    if panel is None:
        return drawn
    whole = Image.new("RGB", (drawn.width + panel.width, max(drawn.height, panel.height)), PANEL)
    whole.paste(drawn, (0, 0))
    whole.paste(panel, (drawn.width, 0))
    return whole


def photo_side_px(scan: Scan) -> int:
    """The longest side that a photo needs to have so that its part in the picture is as sharp as it can be;
    of the largest photos it is no more than what is held of them."""
    left, top, right, bottom = _frame(scan)
    height, width = scan.photo.height, scan.photo.width
    needed = WORKING_SIDE_PX * _MOST_GROWN * max(width, height) / max(right - left, bottom - top)
    return min(round(needed), max(width, height) >> halvings_to_hold(width, height))


def _part(photo: Photo, frame: tuple[int, int, int, int], scale: float) -> Pixels:
    """The part of a photo that is drawn at so many pixels a pixel, decoded no further than that needs."""
    least = min(photo.halvings, halvings_to_hold(photo.width, photo.height))
    halvings = max(least, math.floor(-math.log2(scale)) if scale < 1 else 0)
    left, top, right, bottom = (side >> halvings for side in frame)
    return photo.reduced(halvings)[top:bottom, left:right]


def packed_png(picture: Image.Image) -> bytes:
    """A picture as a PNG. Pillow would keep everybody else waiting while it packs, and takes twice as
    long."""
    rgb = np.asarray(picture.convert("RGB"))
    quick = [cv2.IMWRITE_PNG_STRATEGY, cv2.IMWRITE_PNG_STRATEGY_RLE]
    return cv2.imencode(".png", cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR), quick)[1].tobytes()


def _escaped(result: ScoreResult) -> bool:
    """Whether the way ends well: the ruling ticks a box of the score sheet."""
    sheet, verdict = result.assessment.table.game.sheet, result.assessment.ruling
    row = sheet.row(verdict)
    ticks = [column.id for column in sheet.columns if column.kind == "tick" and column.source == "ruling"]
    return any(row.get(column) is True for column in ticks)


def photo_part_size(scan: Scan) -> tuple[int, int]:
    """Width and height of the picture without the score, in pixels."""
    left, top, right, bottom = _frame(scan)
    scale = WORKING_SIDE_PX / max(right - left, bottom - top)
    return round((right - left) * scale), round((bottom - top) * scale)


def _frame(scan: Scan) -> tuple[int, int, int, int]:
    """Left, top, right, bottom of the part of the photo that is shown: the cards and a margin about them."""
    height, width = scan.photo.height, scan.photo.width
    corners = np.array([card.corners for card in scan.cards], np.float64)
    margin = MARGIN_CARDS * np.linalg.norm(corners[:, 3] - corners[:, 0], axis=1).mean()
    left, top = np.floor(corners.min(axis=(0, 1)) - margin)
    right, bottom = np.ceil(corners.max(axis=(0, 1)) + margin)
    # The score beside it is tall: a row of cards is shown with more of the table above and below.
    more = max(0.0, LEAST_ASPECT * (right - left) - (bottom - top)) / 2
    top, bottom = top - more, bottom + more
    return max(0, int(left)), max(0, int(top)), min(width, int(right)), min(height, int(bottom))
