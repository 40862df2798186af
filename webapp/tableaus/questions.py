"""Open questions as a person answers them: a picture, what each answer says, and what it would score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import msgspec
import numpy as np
from flask import url_for
from flask_babel import gettext as _

from scorer.places import place_words
from scorer.text import Language
from vision.questions import Question
from waymark.picture.annotations import path_pieces
from waymark.review.assessment import Assessment, answer, asks_the_same, other_answers
from waymark.review.projection import Points, Projection
from waymark.review.question_names import BROKEN_RULE, GAP, number_of
from webapp.tableaus.model import ReviewOption, ReviewQuestion, Score
from webapp.tableaus.path_answers import Way, lines_of, own_edges, path_words, runs_or_not, seen_lines
from webapp.tableaus.verdict_view import how_it_ends, px, pxs, score_now

#: A crop shows at least this much, so that people see where on the cards they are.
_LEAST_CROP_MM = 44.0
_CROP_MARGIN_MM = 6.0
#: Cards come first, for everything else lies on them; the direction last, for another path may settle it.
_ORDER = {"card": 0, "path": 1, "mark": 1, "direction": 2}


def review_questions(assessment: Assessment, language: Language) -> tuple[ReviewQuestion, ...]:
    """Every open question, those that can change the score first."""
    projection = Projection(assessment.scan.cards, assessment.dungeon)
    different = [
        question
        for k, question in enumerate(assessment.open_questions)
        if not any(asks_the_same(question, before) for before in assessment.open_questions[:k])
    ]
    asked = [_asked(assessment, question, projection, language) for question in different]
    if not any(question.matters for question in asked):
        # None changes the score alone, but two of them together would: all have to be asked.
        asked = [msgspec.structs.replace(question, matters=True) for question in asked]
    weights = {column.id: column.weight for column in assessment.table.game.sheet.columns}
    return tuple(sorted(asked, key=lambda question: _urgency(question, weights)))


def _urgency(question: ReviewQuestion, weights: Mapping[str, float]) -> tuple[bool, bool, int, float, int]:
    """What sorts questions: cards first, then what changes the score most; of a broken rule last, for another
    answer may mend it."""
    now = question.options[0].score

    def weight(then: Score) -> float:
        return sum(
            weights[column] * abs((then.scores[column] or 0) - (value or 0))
            for column, value in now.scores.items()
        )

    most = max(weight(option.score) for option in question.options)
    return (
        not question.matters,
        question.name == BROKEN_RULE,
        _ORDER[question.about],
        -most,
        question.number,
    )


def _asked(
    assessment: Assessment, question: Question, projection: Projection, language: Language
) -> ReviewQuestion:
    ways = []
    others = other_answers(assessment, question.name)
    for option in range(len(others) + 1):
        then = answer(assessment, question.name, option)
        assert then is not None, "an open question has its options"
        ways.append(_way(option, then))
    groups = _alike(ways) if question.alternatives else [[way] for way in ways]
    at = _where(question.place, assessment, projection)
    options = tuple(_option(question, group, ways, language) for group in groups)
    lines = [np.array(line) for option in options for line in option.lines]
    return ReviewQuestion(
        name=question.name,
        number=number_of(question.name, assessment.reading.questions),
        about=question.about,
        place=question.place,
        at=px(at),
        reason=question.reason_ja if language == "ja" else question.reason_en,
        prompt=_prompt(question, ways),
        crop=_crop(question, at, lines, assessment, projection),
        options=options,
        matters=not question.alternatives
        or not all(assessment.table.alike(ways[0].assessment.ruling, way.assessment.ruling) for way in ways),
        joins=question.name == GAP,
    )


def _way(number: int, assessment: Assessment) -> Way:
    projection = Projection(assessment.scan.cards, assessment.dungeon)
    names = [name for stroke in assessment.record.path for name in stroke]
    pieces = tuple(path_pieces(assessment, projection))
    return Way(number, assessment, tuple(pairwise(names)), pieces)


def _alike(ways: Sequence[Way]) -> list[list[Way]]:
    """Answers that come to the same in groups, in the order of their first ones. Where all do, each stays for
    itself: there is nothing to choose between, and every answer shows what was drawn."""
    groups: list[list[Way]] = []
    for way in ways:
        for group in groups:
            if _same_end(group[0].assessment, way.assessment):
                group.append(way)
                break
        else:
            groups.append([way])
    return groups if len(groups) > 1 else [[way] for way in ways]


def _same_end(one: Assessment, other: Assessment) -> bool:
    return one.table.alike(one.ruling, other.ruling) and how_it_ends(one) == how_it_ends(other)


def _option(
    question: Question, group: Sequence[Way], ways: Sequence[Way], language: Language
) -> ReviewOption:
    first = group[0]
    record = first.assessment.record
    own = [_own(way, ways, question) for way in group]
    mm = Projection(first.assessment.scan.cards, first.assessment.dungeon).px_per_mm
    lines = [line for way, edges in zip(group, own, strict=True) for line in seen_lines(way, edges, mm)]
    rest: list[Points] = []
    lacks: list[Points] = []
    detail = ""
    if question.about == "path" and len(ways) > 1:
        rest, lacks = _not_own(first, own[0], ways)
        words = path_words(first, own[0], ways, language)
        # The short name of an answer that only people give tells of no stretch.
        named = bool(question.alternatives) or question.name == GAP
        if named or first.number:
            detail = words[1] if named or runs_or_not(ways) else words[0]
    card = record.cards[int(question.place)].card if question.about == "card" else None
    start = first.pieces[0].line_px[0] if question.about == "direction" and first.pieces else None
    return ReviewOption(
        number=first.number,
        label=_label(question, first, own[0], ways, language),
        detail=detail,
        lines=tuple(pxs(line) for line in lines),
        rest=tuple(pxs(line) for line in rest),
        lacks=tuple(pxs(line) for line in lacks),
        score=score_now(first.assessment, language),
        start=px(start) if start is not None else None,
        card=card,
        picture=card_picture(card) if card is not None else None,
        alike=len(group),
    )


def _not_own(way: Way, own: Sequence[int], ways: Sequence[Way]) -> tuple[list[Points], list[Points]]:
    """The rest of a way's path, and what others have that it lacks."""
    there = {frozenset(edge) for edge in way.edges}
    rest = lines_of(way, [k for k in range(len(way.edges)) if k not in own])
    lacks = [
        line
        for other in ways
        for line in lines_of(
            other, [k for k in own_edges(other, ways) if frozenset(other.edges[k]) not in there]
        )
    ]
    return rest, lacks


def card_picture(card: str) -> str:
    """Where a small picture of a card is."""
    return url_for("photos.card", card_id=card)


def _own(way: Way, ways: Sequence[Way], question: Question) -> list[int]:
    if question.about == "direction":
        return list(range(len(way.edges)))
    return own_edges(way, ways) if question.about == "path" else []


def _label(question: Question, way: Way, own: Sequence[int], ways: Sequence[Way], language: Language) -> str:
    record = way.assessment.record
    if question.about == "card":
        return record.cards[int(question.place)].card
    if question.about == "mark":
        circled = question.place in record.marks.circled
        return _("It is circled") if circled else _("It is not circled")
    if question.about == "direction":
        first = way.assessment.dungeon.places[record.path[0][0]]
        return _(
            "It starts at %(place)s",
            place=place_words(
                way.assessment.table.game.vocabulary, way.assessment.dungeon, first, with_id=False
            ).message(language),
        )
    if len(ways) == 1:
        if not record.path and _lines_are_drawn(way):
            return _("No path was drawn")
        return _("The lines are not joined") if question.name == GAP else _("It is right as it was read")
    if question.name == GAP and not way.number:
        return _("The lines are not joined")
    if question.name == GAP and runs_or_not(ways):
        return _("They are joined here")
    if not question.alternatives and question.name != GAP:
        return _("The line goes through here") if way.number else _("It is right as it was read")
    return path_words(way, own, ways, language)[0]


def _prompt(question: Question, ways: Sequence[Way]) -> str:
    if question.about == "card":
        return _("Which card is this?")
    if question.about == "direction":
        return _("From which end was the path drawn?")
    if question.about == "mark":
        return _("Is this find circled?")
    if question.name == GAP and len(ways) > 1:
        return _("Are these lines joined?") if runs_or_not(ways) else _("How are these lines joined?")
    if not _lines_are_drawn(ways[0]):
        return _("Is it right as it was read?")
    if not question.alternatives:
        return _("Was the path read right here?")
    return _("Does the line run here?") if runs_or_not(ways) else _("Which way does the path run?")


def _lines_are_drawn(way: Way) -> bool:
    return way.assessment.table.game.habits.drawn


def _where(place: str, assessment: Assessment, projection: Projection) -> Points:
    """Where a question is: its place, its card, or the middle of all cards."""
    index = place.partition(".")[0]
    if place in assessment.dungeon.places:
        return projection.place(place)
    corners = projection.corners_px
    if index.isdigit() and int(index) < len(corners):
        corners = [corners[int(index)]]
    middle: Points = np.concatenate(corners).mean(axis=0)
    return middle


def _crop(
    question: Question, at: Points, lines: Sequence[Points], assessment: Assessment, projection: Projection
) -> tuple[float, float, float, float]:
    """The part of the photo that shows a question and all its answers."""
    photo, mm = assessment.scan.photo, projection.px_per_mm
    points = [at[None], *lines]
    if question.crop_px is not None:
        points.append(np.array(question.crop_px, float).reshape(2, 2))
    elif question.place not in assessment.dungeon.places:
        points += projection.corners_px
    every = np.concatenate(points)
    low, high = every.min(axis=0) - _CROP_MARGIN_MM * mm, every.max(axis=0) + _CROP_MARGIN_MM * mm
    middle, half = (low + high) / 2, np.maximum((high - low) / 2, _LEAST_CROP_MM / 2 * mm)
    left, top = np.clip(middle - half, 0, (photo.width, photo.height))
    right, bottom = np.clip(middle + half, 0, (photo.width, photo.height))
    return round(float(left), 1), round(float(top), 1), round(float(right), 1), round(float(bottom), 1)
