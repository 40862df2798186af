"""Draws a ruling on its photo. Someone who sees only this picture should understand the ruling.

Lines carry arrows and numbers beside their colours, and every state has its own shape, so that nothing
hangs on colour alone.
"""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from scorer.text import Language
from waymark.picture.annotations import annotate
from waymark.picture.backdrop import backdrop, photo_part_size
from waymark.picture.canvas import Canvas, drawn_language
from waymark.picture.files import write_picture
from waymark.picture.panel import draw_panel
from waymark.picture.signs import draw_signs
from waymark.review.pipeline import ScoreResult


def write_overlay(file: Path, result: ScoreResult, language: Language) -> None:
    """Draw `result` and write it to `file` as PNG, JPEG or WebP by its ending.

    Raises `WaymarkError` (not-writable).
    """
    write_picture(file, draw_overlay(result, language))


def draw_overlay(result: ScoreResult, language: Language, *, score: bool = True) -> Image.Image:
    """The photo with the cards, the path and the finds drawn on it, and beside it the `score`; without
    that the photo carries no sentences either, for who says them elsewhere.

    Where no font with Japanese is installed the picture is in English.
    """
    language = drawn_language(language)
    _, height = photo_part_size(result.scan)
    panel = draw_panel(result, language, height) if score else None
    back = backdrop(result.photo, result.scan, panel.size[1] if panel is not None else height)
    notes = annotate(result.assessment, result.scan, language, scale=back.scale, origin_px=back.origin_px)
    canvas = back.canvas(language)
    draw_signs(canvas, notes, callout=score, questions=not result.scan.sure)
    return (canvas if panel is None else beside(canvas, panel)).finished()


def beside(drawn: Canvas, panel: Canvas) -> Canvas:
    """A drawn photo with a panel on its right."""
    (width, height), (more, rows) = drawn.size, panel.size
    whole = Canvas((width + more, max(height, rows)), drawn.language)
    whole.place(drawn, (0, 0))
    whole.place(panel, (width, 0))
    return whole
