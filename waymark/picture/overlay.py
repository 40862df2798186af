"""Draws a ruling on its photo. Someone who sees only this picture should understand the ruling.

Lines carry arrows and numbers beside their colours, and every state has its own shape, so that nothing
hangs on colour alone.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from scorer.output_file import write_output
from scorer.text import Language
from waymark.picture.annotations import annotate
from waymark.picture.backdrop import backdrop, photo_part_size
from waymark.picture.canvas import PANEL, Canvas, drawn_language
from waymark.picture.panel import draw_panel
from waymark.picture.signs import draw_callout, draw_cards, draw_ends, draw_finds, draw_path, draw_questions
from waymark.review.pipeline import ScoreResult


def write_overlay(file: Path, result: ScoreResult, language: Language) -> None:
    """Draw `result` and write it to `file` as a PNG, whatever its name ends in.

    Raises `WaymarkError` (not-writable).
    """
    write_output(file, packed_png(draw_overlay(result, language)))


def draw_overlay(result: ScoreResult, language: Language, *, score: bool = True) -> Image.Image:
    """The photo with the cards, the path and the finds drawn on it, and beside it the `score`; without
    that the photo carries no sentences either, for who says them elsewhere.

    Where no font with Japanese is installed the picture is in English.
    """
    language = drawn_language(language)
    _, height = photo_part_size(result.scan)
    panel = draw_panel(result, language, height) if score else None
    back = backdrop(result.photo, result.scan, panel.height if panel is not None else height)
    notes = annotate(result.assessment, result.scan, language, scale=back.scale, origin_px=back.origin_px)
    canvas = Canvas(back.pixels, language)
    draw_cards(canvas, notes)
    draw_path(canvas, notes)
    draw_finds(canvas, notes)
    if score:
        draw_callout(canvas, notes)
    draw_ends(canvas, notes, language, escaped=_escaped(result))
    if not result.scan.sure:
        draw_questions(canvas, notes)
    drawn = canvas.finished()
    return drawn if panel is None else beside(drawn, panel)


def beside(drawn: Image.Image, panel: Image.Image) -> Image.Image:
    """A drawn photo with a panel on its right, as one picture."""
    whole = Image.new("RGB", (drawn.width + panel.width, max(drawn.height, panel.height)), PANEL)
    whole.paste(drawn, (0, 0))
    whole.paste(panel, (drawn.width, 0))
    return whole


def packed_png(picture: Image.Image) -> bytes:
    """PNG bytes of a picture. OpenCV encodes them, as Pillow blocks other threads meanwhile and takes
    twice as long."""
    rgb = np.asarray(picture.convert("RGB"))
    quick = [cv2.IMWRITE_PNG_STRATEGY, cv2.IMWRITE_PNG_STRATEGY_RLE]
    return cv2.imencode(".png", cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR), quick)[1].tobytes()


def packed_jpeg(picture: Image.Image) -> bytes:
    """JPEG bytes of a picture, at quality 88."""
    rgb = np.asarray(picture.convert("RGB"))
    return cv2.imencode(".jpg", cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, 88])[
        1
    ].tobytes()


def _escaped(result: ScoreResult) -> bool:
    """Whether the path ends well: the ruling ticks a box of the score sheet."""
    sheet, verdict = result.assessment.table.game.sheet, result.assessment.ruling
    row = sheet.row(verdict)
    ticks = [column.id for column in sheet.columns if column.kind == "tick" and column.source == "ruling"]
    return any(row.get(column) is True for column in ticks)
