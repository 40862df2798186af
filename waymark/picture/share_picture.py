"""Picture of a ruling for sharing: the score large, the tableau from above across the whole width, what was
found. The pen's line stays visible under a translucent band in the colours of the path."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from PIL import Image

from calibration.decks.icons import icon_of
from scorer.sheet import Column
from scorer.text import Language
from scorer.verdict import Report
from waymark.phrases import say
from waymark.picture.annotations import Annotations, PathPiece, annotate
from waymark.picture.canvas import (
    BLACK,
    GREEN,
    GREY,
    PANEL,
    SEAT_COLOURS,
    SHEET_INKS,
    SLATE,
    WHITE,
    YELLOW,
    Canvas,
    Colour,
    Pixels,
    drawn_language,
    wrap,
)
from waymark.picture.fitted_text import draw_fitted
from waymark.picture.labels import Labels
from waymark.picture.signs import (
    END_NAME_MM,
    avoid_signs,
    bow,
    draw_arrows,
    draw_ends,
    draw_find,
    draw_stop,
    draw_tick,
    label_ends,
    path_colour,
)
from waymark.picture.top_view import TopView, top_view
from waymark.review.pipeline import ScoreResult
from waymark.review.tableau.assess import Assessment

WIDTH_PX = 1440
MARGIN_PX = 40
#: Width of the band over the path in mm on the cards, and its opacity.
BAND_MM, BAND_OPACITY = 4.4, 0.45
#: Least height of the letters at the path's ends, in pixels.
END_NAME_PX = 30
#: Distance of the rims that bound the band, and their width, in mm.
RIM_MM = 0.5
#: Most lines of what happened.
MOST_TOLD = 4
HERO_PX, LABEL_PX, WORDS_PX, SMALL_PX = 150, 34, 40, 32
_BOX_HEIGHT, _BOX_GAP, _ROUND = 268, 20, 18
_CHIP_RADIUS, _CHIP_GAP = 36, 26


@dataclass(frozen=True)
class Caption:
    """Whose ruling it is: the player with the colour of their pieces, where and when it was played."""

    who: str = ""
    colour: str = ""
    where: str = ""
    day: str = ""


@dataclass(frozen=True)
class ScoreBox:
    """A box of the score sheet: its `label`, the `value` that is drawn large or a tick, and how it came
    about. `ink` is the sheet's box style."""

    label: str
    value: str
    how: str
    ink: str
    tick: Literal["", "yes", "no"] = ""


def ruling_view(assessment: Assessment, scan: Any) -> TopView:
    """The view of the tableau that a picture of this ruling shows."""
    return top_view(assessment.record.cards, scan.cards, assessment.dungeon.catalogue, WIDTH_PX)


def draw_share_picture(
    result: ScoreResult, language: Language, caption: Caption | None = None
) -> Image.Image:
    """The ruling as a picture `WIDTH_PX` wide. In English where no font with Japanese is installed."""
    language = drawn_language(language)
    head = _header(caption or Caption(), result.assessment, language)
    tableau = _tableau(result, language)
    foot = _footer(result, caption or Caption(), language)
    parts = [head, tableau, foot]
    whole = Canvas((WIDTH_PX, sum(part.size[1] for part in parts)), language, ground=PANEL)
    top = 0
    for part in parts:
        whole.place(part, (0, top))
        top += part.size[1]
    return whole.finished()


# --- the score ----------------------------------------------------------------------------------------------


def score_boxes(assessment: Assessment, language: Language) -> list[ScoreBox]:
    """The boxes of the score sheet that the ruling fills: points first, then counts and ticks."""
    game = assessment.table.game
    row, report = game.sheet.row(assessment.ruling), game.words.report(assessment.said)
    columns = [column for column in game.sheet.columns if row.get(column.id) is not None]
    order = ("points", "count", "tick")
    columns.sort(key=lambda column: order.index(column.kind))
    return [_score_box(column, row[column.id], report, language) for column in columns]


def _score_box(column: Column, value: Any, report: Report, language: Language) -> ScoreBox:
    about = {column.label.en.lower(), column.told.en.lower()}
    how = next((fact.words for fact in report.facts if fact.about.en.lower() in about), None)
    if column.kind == "tick":
        label = column.choices[0 if value else 1].message(language)
        return ScoreBox(label, "", "", column.ink, "yes" if value else "no")
    name = (column.told if column.told.en else column.label).message(language)
    words = "" if how is None else how.message(language)
    return ScoreBox(name[:1].upper() + name[1:], str(value), words, column.ink)


def _header(caption: Caption, assessment: Assessment, language: Language) -> Canvas:
    boxes = score_boxes(assessment, language)
    named = bool(caption.who or caption.where)
    top = 118 if named else 96
    canvas = Canvas((WIDTH_PX, top + (_BOX_HEIGHT + 36 if boxes else 10)), language)
    left = float(MARGIN_PX)
    if caption.colour:
        canvas.disc(np.array([left + 24, 60]), 24, SEAT_COLOURS.get(caption.colour, GREY))
        canvas.disc(np.array([left + 24, 60]), 24, WHITE, 3)
        left += 66
    title = caption.who or say(language, "ruling.title")
    room = (WIDTH_PX - left - MARGIN_PX) * (0.55 if caption.where else 1)
    draw_fitted(canvas, (left, 60), title, 58, WHITE, room, name=bool(caption.who))
    room = (WIDTH_PX - left - MARGIN_PX) * 0.42
    draw_fitted(canvas, (WIDTH_PX - MARGIN_PX, 60), caption.where, 36, GREY, room, "rm", name=True)
    width = (WIDTH_PX - 2 * MARGIN_PX + _BOX_GAP) / max(1, len(boxes))
    for number, box in enumerate(boxes):
        _draw_box(canvas, box, MARGIN_PX + number * width, top, width - _BOX_GAP)
    return canvas


def _draw_box(canvas: Canvas, box: ScoreBox, left: float, top: float, width: float) -> None:
    ground, ink = SHEET_INKS.get(box.ink, SHEET_INKS["coins"])
    middle = left + width / 2
    half = np.array([width / 2, _BOX_HEIGHT / 2]) - _ROUND
    corners = np.array([middle, top + _BOX_HEIGHT / 2]) + half * [[-1, -1], [1, -1], [1, 1], [-1, 1]]
    canvas.polygon(corners, ground, rim=(ground, 2 * _ROUND))
    room = width - 28
    if not box.tick:
        _shrunk(canvas, (middle, top + 36), box.label, LABEL_PX, ink, room)
        _shrunk(canvas, (middle, top + _BOX_HEIGHT / 2 - 2), box.value, HERO_PX, ink, room)
        _shrunk(canvas, (middle, top + _BOX_HEIGHT - 34), box.how, SMALL_PX, ink, room)
        return
    at = np.array([middle, top + _BOX_HEIGHT / 2 - 26])
    if box.tick == "yes":
        draw_tick(canvas, at, GREEN, 16)
    else:
        draw_stop(canvas, at, 16, broken=False)
    _shrunk(canvas, (middle, top + _BOX_HEIGHT - 50), box.label, 44, ink, room)


def _shrunk(
    canvas: Canvas, at: tuple[float, float], words: str, size_px: float, ink: Colour, room: float
) -> None:
    """Words in the middle of a box, smaller where they are too long."""
    width = canvas.text_size(words, size_px)[0]
    canvas.text(at, words, size_px * min(1.0, room / max(width, 1.0)), ink)


# --- the tableau --------------------------------------------------------------------------------------------


def draw_tableau(result: ScoreResult, language: Language) -> Image.Image:
    """The tableau alone, from above, with its path: `WIDTH_PX` wide."""
    return _tableau(result, drawn_language(language)).finished()


def _tableau(result: ScoreResult, language: Language) -> Canvas:
    view = ruling_view(result.assessment, result.scan)
    seen = replace(result.scan, cards=view.cards(result.scan.cards))
    notes = annotate(result.assessment, seen, language)
    canvas = Canvas(view.size, language, photo=view.pixels(result.photo))
    labels = Labels(canvas)
    avoid_signs(labels, notes)
    label_ends(labels, notes, language, max(END_NAME_PX, END_NAME_MM * notes.px_per_mm))
    draw_band(canvas, notes)
    for mark in notes.finds:
        if mark.state != "missed":
            draw_find(canvas, mark, notes.px_per_mm)
    draw_ends(canvas, notes)
    labels.draw()
    return canvas


def draw_band(canvas: Canvas, notes: Annotations) -> None:
    """The path as a translucent band, so that the ink under it shows; jumps are dotted, arrows lie on the
    band."""
    mm = notes.px_per_mm
    walked = [piece for piece in notes.pieces if not piece.jump]
    with canvas.group(opacity=BAND_OPACITY):
        for piece in walked:
            canvas.line(piece.line_px, BLACK, (BAND_MM + 2 * RIM_MM) * mm, kind="path-halo")
        for piece in walked:
            canvas.line(piece.line_px, path_colour(piece), BAND_MM * mm, kind="path-line")
    for piece in notes.pieces:
        if piece.jump:
            _draw_jump(canvas, piece, mm)
    draw_arrows(canvas, notes.pieces, mm)


def _draw_jump(canvas: Canvas, piece: PathPiece, mm: float) -> None:
    line, dots = bow(piece.line_px, mm), (0.01, 2.3 * mm)
    canvas.line(line, BLACK, 2.1 * mm, dash_px=dots, kind="path-halo")
    canvas.line(line, path_colour(piece), 1.4 * mm, dash_px=dots, kind="path-line")


# --- what was found -----------------------------------------------------------------------------------------


def _footer(result: ScoreResult, caption: Caption, language: Language) -> Canvas:
    notes = annotate(result.assessment, result.scan, language)
    assessment = result.assessment
    game = assessment.table.game
    counts = game.words.report(assessment.said).counts
    room = WIDTH_PX - 2 * MARGIN_PX
    lines = wrap(notes.why, language, WORDS_PX, room)
    told = wrap(" · ".join(notes.told), language, SMALL_PX, room)[:MOST_TOLD]
    chips = [
        (icon_of(assessment.dungeon.catalogue, what), f"{count}", game.words.vocabulary.name(what))
        for what, count in counts
    ]
    shown = [(icon, count, "" if icon is not None else name.message(language)) for icon, count, name in chips]
    unsure = [] if result.scan.sure else wrap(say(language, "picture.unsure"), language, SMALL_PX, room)
    height = 30 + 54 * len(lines) + 44 * (len(unsure) + len(told)) + (112 if shown else 16) + 62
    canvas = Canvas((WIDTH_PX, height), language)
    y = 56.0
    for line in lines:
        canvas.text((MARGIN_PX, y), line, WORDS_PX, WHITE, "lm")
        y += 54
    for line, colour in [*((line, GREY) for line in told), *((line, YELLOW) for line in unsure)]:
        canvas.text((MARGIN_PX, y), line, SMALL_PX, colour, "lm")
        y += 44
    if shown:
        _draw_chips(canvas, shown, y + 30)
    canvas.line(np.array([[MARGIN_PX, height - 66], [WIDTH_PX - MARGIN_PX, height - 66]]), SLATE, 2)
    canvas.text((MARGIN_PX, height - 32), caption.day, 28, GREY, "lm")
    canvas.text((WIDTH_PX - MARGIN_PX, height - 32), "Waymark", 28, GREY, "rm")
    return canvas


def _draw_chips(canvas: Canvas, chips: Sequence[tuple[Pixels | None, str, str]], y: float) -> None:
    """A row of found things: the icon, or the name where the deck has none, with its count."""
    widths = [_chip_width(canvas, icon, count, name) for icon, count, name in chips]
    shrink = min(1.0, (WIDTH_PX - 2 * MARGIN_PX) / (sum(widths) + _CHIP_GAP * (len(chips) - 1)))
    x = float(MARGIN_PX)
    for (icon, count, name), width in zip(chips, widths, strict=True):
        left, radius = x, _CHIP_RADIUS * shrink
        if icon is not None:
            canvas.disc(np.array([left + radius, y]), radius + 3, WHITE)
            canvas.picture(np.array([left + radius, y]), icon, radius)
            left += 2 * radius + 10 * shrink
        words = f"{name} {count}".strip() if icon is None else f"× {count}"
        canvas.text((left, y), words, WORDS_PX * shrink, WHITE, "lm")
        x += (width + _CHIP_GAP) * shrink


def _chip_width(canvas: Canvas, icon: Pixels | None, count: str, name: str) -> float:
    words = f"{name} {count}".strip() if icon is None else f"× {count}"
    return canvas.text_size(words, WORDS_PX)[0] + (0 if icon is None else 2 * _CHIP_RADIUS + 10)
