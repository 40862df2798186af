"""The score panel beside the photo: score, finds, payments, events, doubts and a legend of the signs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from scorer.text import Language, Text
from vision.questions import Question
from waymark.phrases import reading_key, say
from waymark.picture.annotations import Annotations, FindMark, FindState, annotate
from waymark.picture.canvas import FONT_PX, GREY, ORANGE, SKY, WHITE, YELLOW, Canvas, Colour, wrap
from waymark.picture.signs import DASH_GAP_MM, DASH_MM, LINE_MM, draw_find
from waymark.review.pipeline import ScoreResult
from waymark.review.tableau.assess import Assessment

PANEL_WIDTH_PX = 680
FACT_PX = 38
#: Limit of a one-column panel's height, in heights of the photo; a longer one gets two columns.
_LONGEST_COLUMN = 1.5
Section = Callable[["Column"], None]


class Column:
    """A cursor that writes rows from top to bottom on a canvas."""

    LEFT, RIGHT = 32, PANEL_WIDTH_PX - 32

    def __init__(self, canvas: Canvas) -> None:
        self.canvas = canvas
        self.y = 36.0
        self.started = False

    def text(self, words: str, size_px: int = FONT_PX, colour: Colour = WHITE, indent: int = 0) -> None:
        left = self.LEFT + indent
        for line in wrap(words, self.canvas.language, size_px, self.RIGHT - left):
            self.canvas.text((left, self.y), line, size_px, colour, "la")
            self.y += size_px * 1.32

    def pair(self, words: str, value: str, size_px: int = FONT_PX, colour: Colour = WHITE) -> None:
        self.canvas.text((self.RIGHT, self.y), value, size_px, colour, "ra")
        self.text(words, size_px, colour)

    def fact(self, about: str, words: str) -> None:
        """Write a label with its value on the right, or below the label where the value is too long."""
        widths = [self.canvas.text_size(each, FACT_PX)[0] for each in (about, words)]
        if sum(widths) < (self.RIGHT - self.LEFT) * 0.95:
            self.pair(about, words, FACT_PX)
        else:
            self.text(about, FACT_PX)
            self.text(words, FONT_PX, SKY, indent=20)

    def rule(self) -> None:
        self.y += 14
        self.canvas.line(np.array([[self.LEFT, self.y], [self.RIGHT, self.y]]), GREY, 2)
        self.y += 18


def draw_panel(result: ScoreResult, language: Language, height: int) -> Canvas:
    """The panel with score, finds, events and legend; in two columns where one column would be much
    longer than the photo is high."""
    notes = annotate(result.assessment, result.scan, language)
    sections: list[Section] = [
        partial(_fill_score, notes, result.assessment),
        partial(_fill_story, notes),
        partial(fill_reading, result.scan.sure, result.scan.questions, result.scan.photo.warnings),
        partial(_legend, drawn=result.assessment.table.game.photo.habits.drawn),
    ]
    return draw_sections(sections, language, height)


def draw_sections(sections: list[Section], language: Language, height: int) -> Canvas:
    """Sections stacked in one column, or in two where one would be much longer than the photo is high."""
    heights = [_column_height([section], language) for section in sections]
    if sum(heights) <= height * _LONGEST_COLUMN:
        columns = [sections]
    else:
        # The cut that leaves the longer column shortest.
        cut = min(range(1, len(sections)), key=lambda k: max(sum(heights[:k]), sum(heights[k:])))
        columns = [sections[:cut], sections[cut:]]
    rows = max(height, *(math.ceil(_column_height(column, language)) for column in columns))
    whole = Canvas((PANEL_WIDTH_PX * len(columns), rows), language)
    for k, column in enumerate(columns):
        canvas = Canvas((PANEL_WIDTH_PX, rows), language)
        _fill(Column(canvas), column)
        whole.place(canvas, (k * PANEL_WIDTH_PX, 0))
    return whole


def _column_height(sections: Sequence[Section], language: Language) -> float:
    return _fill(Column(Canvas((PANEL_WIDTH_PX, 16), language)), sections)


def _fill(column: Column, sections: Sequence[Section]) -> float:
    """Write sections one below the other, skipping empty ones; returns the total height in pixels."""
    for section in sections:
        before = column.y
        if column.started:
            column.rule()
        ruled = column.y
        section(column)
        if column.y == ruled:
            column.y = before
        else:
            column.started = True
    return column.y + 24


def _fill_score(notes: Annotations, assessment: Assessment, column: Column) -> None:
    language, game = column.canvas.language, assessment.table.game
    report = game.words.report(assessment.said)
    column.text(say(language, "ruling.title"), 46)
    column.y += 8
    for fact in report.facts:
        if not fact.with_ids:
            column.fact(fact.about.message(language), fact.words.message(language))
    if notes.end_px is None:  # else it stands on the photo, where the path ends
        column.text(notes.why, FONT_PX, SKY)
    for fault in report.faults:
        column.text(fault.message(language), 26, ORANGE)
    column.rule()
    column.text(say(language, "ruling.found"), 34)
    for what, count in report.counts:
        column.pair(game.words.vocabulary.name(what).message(language), str(count))
    if not report.counts:
        column.text(say(language, "ruling.nothing"))
    steps = game.words.steps(assessment.board, assessment.ruling)
    if spent := Counter(means for step in steps for means in step.paid):
        column.y += 10
        column.text(say(language, "ruling.spent"), 34)
        for means, count in spent.items():
            column.pair(game.words.vocabulary.name(means).message(language), str(count))


def _fill_story(notes: Annotations, column: Column) -> None:
    if notes.told:
        column.text(say(column.canvas.language, "overlay.told"), 34)
    for line in notes.told:
        column.text(line, 26)


def fill_reading(sure: bool, questions: Sequence[Question], warnings: Sequence[Text], column: Column) -> None:
    """Write whether the reading is sure, its questions and its warnings."""
    language = column.canvas.language
    column.text(say(language, reading_key(sure, questions)), 26, WHITE if sure else YELLOW)
    for number, question in enumerate(questions, 1):
        line = question.words.message(language)
        column.text(f"?{number} {line}", 26, GREY if sure else YELLOW)
    for warning in warnings:
        column.text(say(language, "scan.warning", warning=warning.message(language)), 26, ORANGE)


def _legend(column: Column, *, drawn: bool) -> None:
    """Write the meaning of each sign on the photo; nothing in a game without lines."""
    if not drawn:
        return
    canvas, mm = column.canvas, 6.0
    states: tuple[FindState, ...] = ("collected", "used", "missed")
    for state in states:
        draw_find(canvas, FindMark(np.array([70.0, column.y + 18]), "", state, None), mm)
        column.text(say(canvas.language, f"overlay.{state}"), 26, indent=90)
        column.y += 34
    column.y -= 10
    for dashed, colour, key in (
        (False, SKY, "overlay.walked"),
        (True, SKY, "overlay.underground"),
        (True, GREY, "overlay.not_counted"),
    ):
        line = np.array([[38.0, column.y + 18], [102.0, column.y + 18]])
        canvas.line(line, colour, LINE_MM * mm, dash_px=(DASH_MM * mm, DASH_GAP_MM * mm) if dashed else ())
        column.text(say(canvas.language, key), 26, indent=90)
        column.y += 8
