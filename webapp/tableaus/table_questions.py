"""Questions about a shared table: what is asked, the answers, and the part of the photo that shows them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import msgspec
import numpy as np
from flask_babel import gettext as _

from scorer.groups import Untold
from scorer.text import written
from scorer.told_apart import told_apart
from vision.questions import Question
from waymark.review.groups import SKETCH, UNTOLD, GroupOption, is_agreed, is_doubt, is_left, is_untold, leads
from waymark.review.projection import Points
from webapp.tableaus.question_crops import crop_about, where
from webapp.tableaus.questions import card_picture
from webapp.tableaus.reading_model import Px, ReviewDoubt, ReviewOption, ReviewQuestion
from webapp.tableaus.table_reading import TableReading
from webapp.tableaus.tables import LEFT
from webapp.tableaus.verdict_view import px

#: Least side of a crop: a table is photographed from farther away than one tableau.
_LEAST_CROP_MM = 68.0

#: Numbers of the options that leave a question open, as in other reviews.
_RETAKE, _UNKNOWN, _OTHERWISE = -2, -3, -4


class TableQuestions:
    """The questions about a table's reading; each answer leads to a reading of its own."""

    def __init__(self, reading: TableReading) -> None:
        self._reading = reading

    def questions(self, answers: dict[str, str]) -> Iterator[ReviewQuestion]:
        asked = [
            self._asked(number, question, self._reading.open.offered.get(question.name, ()), answers)
            for number, question in enumerate(self._reading.open.questions)
        ]
        yield from sorted(asked, key=lambda question: question.left)

    def _asked(
        self, number: int, question: Question, offered: Sequence[GroupOption], answers: dict[str, str]
    ) -> ReviewQuestion:
        ways = [
            TableReading(self._reading.standing, each.record, each.ruling, self._reading.language)
            for each in offered
        ]
        lines = _own_lines(ways) if question.about == "path" and _is_of_lines(question) else [()] * len(ways)
        options = [
            ReviewOption(
                number=k,
                label=self._label(question, each, bool(lines[k]), k),
                lines=lines[k],
                score=ways[k].score(),
                card=each.key if question.about == "card" else None,
                picture=card_picture(each.key)
                if question.about == "card" and each.key in self._reading.dungeon.catalogue.by_id
                else None,
                kind="stands" if k == 0 else "other",
            )
            for k, each in enumerate(offered)
        ]
        now = self._reading.score()
        if is_untold(question.name):
            # Purchases are entered; the option that nothing was bought has a label of its own.
            label = self._untold[question.name].entered.message(self._reading.language)
            options.insert(
                0, ReviewOption(number=_OTHERWISE, label=label, lines=(), score=now, kind="otherwise")
            )
        else:
            options.append(
                ReviewOption(
                    number=_RETAKE, label=_("Take the photo again"), lines=(), score=now, kind="retake"
                )
            )
        unknown = ReviewOption(number=_UNKNOWN, label=_("I cannot tell"), lines=(), score=now, kind="unknown")
        # A tap on the first option must not lead to a wrong ruling that is marked as certain.
        first = not is_untold(question.name) and not leads(offered)
        options.insert(0 if first else len(options), unknown)
        words = told_apart([each.label for each in options])
        options = [
            msgspec.structs.replace(each, label=told) for each, told in zip(options, words, strict=True)
        ]
        at = where(question.place, self._reading.dungeon, self._reading.projection)
        why = self._why(question)
        return ReviewQuestion(
            name=question.name,
            number=number,
            about=question.about,
            place=question.place,
            at=px(at),
            reason=why,
            prompt=self._untold[question.name].asks.message(self._reading.language)
            if is_untold(question.name)
            else _prompt(question),
            crop=self._crop(question, at, [np.array(line) for each in lines for line in each]),
            options=tuple(options),
            matters=True,
            left=LEFT + question.name in answers,
        )

    @cached_property
    def _untold(self) -> dict[str, Untold]:
        """Unstated facts, by the names of their questions."""
        found = self._reading.table_rules.untold(
            self._reading.board, self._reading.record, self._reading.ruling
        )
        return {UNTOLD + each.name: each for each in found}

    def _label(self, question: Question, option: GroupOption, has_lines: bool, number: int) -> str:
        words = option.words.message(self._reading.language)
        if question.name.startswith("owner:"):
            known = self._reading.rules.sheet.colours.get(option.key)
            return known.message(self._reading.language) if known is not None else words
        if option.key == SKETCH or question.about in ("card", "direction") or is_agreed(question.name):
            return words
        if _is_of_lines(question):
            return _("The line runs as drawn here") if has_lines else _("There is no line here")
        return words

    def doubts(self, questions: Sequence[ReviewQuestion]) -> Iterator[ReviewDoubt]:
        """Remaining doubts about the reading that lead to no further question."""
        for question in questions:
            if question.left:
                message = _("You could not tell what is right here, so the score may be wrong.")
                yield ReviewDoubt(at=question.at, message=message, question=question.name)

    def _why(self, question: Question) -> str:
        """Reason for a question, in words; for a doubt of the ruling in the ruling's own words."""
        doubts = (
            self._reading.rules.rules.doubts(self._reading.board, self._reading.record, self._reading.said)
            if is_doubt(question.name)
            else ()
        )
        words = {f"{doubt.about}:{doubt.place}": doubt.words for doubt in doubts}
        told = words.get(question.name, written(question.reason_en, question.reason_ja))
        return told.message(self._reading.language)

    def _crop(
        self, question: Question, at: Points, lines: Sequence[Points]
    ) -> tuple[float, float, float, float]:
        """Box in the photo that shows a question and all its answers."""
        photo, mm = self._reading.now.scan.photo, self._reading.projection.px_per_mm
        points = [at[None], *lines]
        if question.about == "direction" or is_untold(question.name):
            points += self._reading.projection.corners_px
        elif question.crop_px is not None:
            points.append(np.array(question.crop_px, float).reshape(2, 2))
        elif question.about == "card" and question.place.isdigit():
            points.append(self._reading.projection.corners_px[int(question.place)])
        return crop_about(points, _LEAST_CROP_MM, mm, photo)


def _is_of_lines(question: Question) -> bool:
    """Whether the answers differ in the course of a line, and not in its owner or validity."""
    return question.name.startswith("path:") or is_agreed(question.name)


def _prompt(question: Question) -> str:
    if is_left(question.name):
        return _("Is this right as it is now?")
    if is_agreed(question.name):
        return _("This photo differs from what was agreed before; which is right?")
    if question.about == "card":
        return _("Which card is this?")
    if question.about == "direction":
        return _("In which order were the lines drawn?")
    if question.name.startswith("owner:"):
        return _("Whose line is this?")
    if _is_of_lines(question):
        return _("Which way does the path run?")
    return _("Was the path read right here?")


def _own_lines(ways: Sequence[TableReading]) -> list[tuple[tuple[Px, ...], ...]]:
    """Polylines of the stretches that only one of several answers has."""
    pieces = [list(way.pieces()) for way in ways]
    edges = [{frozenset((piece.a, piece.b)) for piece in each} for each in pieces]
    own = []
    for k, each in enumerate(pieces):
        others = set[frozenset[str]]().union(*(edges[j] for j in range(len(ways)) if j != k))
        shared = others if len(ways) == 2 else set.intersection(*edges)
        own.append(tuple(piece.line for piece in each if frozenset((piece.a, piece.b)) not in shared))
    return own
