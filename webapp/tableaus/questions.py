"""Open questions for a reviewer: a picture, the words of each answer, and the score it leads to."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import msgspec
import numpy as np
from flask import url_for

from scorer.text import Language
from scorer.told_apart import told_apart
from vision.questions import Question
from waymark.picture.annotations import path_pieces
from waymark.review.projection import Points, Projection
from waymark.review.tableau.answers import answered_with, asks_the_same, options
from waymark.review.tableau.assess import Assessment
from waymark.review.tableau.doubt_kinds import OPEN_ENDED, Kind, kind_of
from waymark.review.tableau.option import Option
from waymark.review.tableau.question_names import GAP, PART_READ, STORIES, UNCLEAR, number_of
from waymark.review.tableau.ranking import in_order
from webapp.tableaus.new_cards import may_be_new
from webapp.tableaus.path_answers import (
    Way,
    headings_apart,
    lines_of,
    own_edges,
    path_words,
    runs_or_not,
    seen_lines,
    where_they_part,
)
from webapp.tableaus.question_crops import box_about, crop_of, crop_of_cards, where
from webapp.tableaus.question_words import Given, card_of, label_of, prompt_of
from webapp.tableaus.reading_model import ReviewOption, ReviewQuestion
from webapp.tableaus.verdict_view import how_it_ends, px, pxs, score_now


def review_questions(assessment: Assessment, language: Language) -> tuple[ReviewQuestion, ...]:
    """All open questions in order: the first one to be asked, the others, then those that a person left
    open."""
    projection = Projection(assessment.scan.cards, assessment.dungeon)
    still = (*assessment.open_questions, *assessment.left_questions)
    asked = [
        _asked(assessment, question, projection, language)
        for k, question in enumerate(still)
        if not any(asks_the_same(question, before) for before in still[:k])
    ]
    if not any(question.matters for question in asked):
        # None changes the score alone, but two of them together would, so all have to be asked.
        asked = [msgspec.structs.replace(question, matters=True) for question in asked]
    return tuple(sorted(asked, key=lambda question: (question.left, not question.matters)))


def _asked(
    assessment: Assessment, question: Question, projection: Projection, language: Language
) -> ReviewQuestion:
    given = [
        Given(option, _way(option.number, answered_with(assessment, question.name, option)), assessment.terms)
        for option in in_order(question, options(assessment, question.name))
    ]
    ways = [each.way for each in given if not each.option.leaves_open]
    ways.sort(key=lambda way: way.number)
    at = where(question.place, assessment.dungeon, projection)
    # Cards are offered by name, even if they lead to the same ruling.
    merge = question.alternatives and question.about != "card"
    groups = _alike(given) if merge else [[each] for each in given]
    told = _told_apart([_option(question, group, ways, language) for group in groups], groups, language)
    crops = [option.crop for option in told if option.crop is not None]
    lines = [np.array(line) for option in told for line in option.lines]
    prompt, reason = prompt_of(question, assessment, given, ways, language)
    return ReviewQuestion(
        name=question.name,
        number=number_of(question.name, assessment.reading.questions),
        about=question.about,
        place=question.place,
        at=px(at),
        reason=reason,
        prompt=prompt,
        crop=box_about(crops) if crops else crop_of(question, at, lines, assessment, projection),
        options=told,
        matters=not question.alternatives
        or kind_of(question.name) in OPEN_ENDED
        or not all(assessment.table.alike(assessment.ruling, way.assessment.ruling) for way in ways),
        joins=question.name == GAP,
        left=question in assessment.left_questions,
        new_card=may_be_new(question),
    )


def _told_apart(
    told: Sequence[ReviewOption], groups: Sequence[Sequence[Given]], language: Language
) -> tuple[ReviewOption, ...]:
    """The answers, with new labels where several have the same label: where their paths go from where they
    part, the places there, or another difference."""

    def apart(k: int) -> ReviewOption:
        alike = [j for j, each in enumerate(told) if each.label == told[k].label]
        ways = [groups[j][0].way for j in alike]
        goes = headings_apart(ways, language)
        if goes is not None:
            return msgspec.structs.replace(told[k], label=goes[alike.index(k)])
        words = where_they_part(
            groups[k][0].way, [way for way in ways if way is not groups[k][0].way], language
        )
        return msgspec.structs.replace(told[k], label=words) if words else told[k]

    parted = list(map(apart, range(len(told))))
    words = told_apart([each.label for each in parted], [(each.detail,) for each in parted])
    return tuple(
        msgspec.structs.replace(each, label=label) for each, label in zip(parted, words, strict=True)
    )


def _way(number: int, assessment: Assessment) -> Way:
    projection = Projection(assessment.scan.cards, assessment.dungeon)
    names = [name for stroke in assessment.record.path for name in stroke]
    pieces = tuple(path_pieces(assessment, projection))
    return Way(number, assessment, tuple(pairwise(names)), pieces)


#: Kinds of options that accept one of the readings.
_READ = frozenset({"stands", "other"})


def _alike(given: Sequence[Given]) -> list[list[Given]]:
    """Answers grouped by equal result, in the order of each group's first answer. Where all results are
    equal, every answer stays a group of its own and shows what was drawn."""
    groups: list[list[Given]] = []
    for each in given:
        for group in groups:
            kinds = {group[0].option.kind, each.option.kind}
            if kinds <= _READ and _same_end(group[0].way.assessment, each.way.assessment):
                group.append(each)
                break
        else:
            groups.append([each])
    read = [group for group in groups if group[0].option.kind in _READ]
    return groups if len(read) > 1 else [[each] for each in given]


def _same_end(one: Assessment, other: Assessment) -> bool:
    return one.table.alike(one.ruling, other.ruling) and how_it_ends(one) == how_it_ends(other)


def _option(
    question: Question, group: Sequence[Given], ways: Sequence[Way], language: Language
) -> ReviewOption:
    first, option = group[0].way, group[0].option
    own = [_own(each.way, ways, question) if not option.leaves_open else [] for each in group]
    mm = Projection(first.assessment.scan.cards, first.assessment.dungeon).px_per_mm
    lines = [line for each, edges in zip(group, own, strict=True) for line in seen_lines(each.way, edges, mm)]
    rest: list[Points] = []
    lacks: list[Points] = []
    detail = ""
    if question.about == "path" and len(ways) > 1 and not option.leaves_open:
        rest, lacks = _not_own(first, own[0], ways)
        words = path_words(first, own[0], ways, language)
        # The short name of an option that only people give describes no stretch.
        named = bool(question.alternatives) or question.name == GAP or len(ways) > 2
        if question.name not in STORIES and (named or first.number):
            detail = words[1] if named or runs_or_not(ways) else words[0]
    card = card_of(question, group[0]) if question.about == "card" else None
    shows_start = option.kind in ("turned", "broken") or question.about == "direction"
    start = first.pieces[0].line_px[0] if shows_start and first.pieces and not option.leaves_open else None
    return ReviewOption(
        number=option.number,
        label=label_of(question, group[0], own[0], ways, language),
        detail=detail,
        lines=tuple(pxs(line) for line in lines),
        rest=tuple(pxs(line) for line in rest),
        lacks=tuple(pxs(line) for line in lacks),
        score=score_now(first.assessment, language),
        start=px(start) if start is not None else None,
        card=card,
        picture=card_picture(card) if card is not None else None,
        alike=len(group),
        kind=option.kind,
        crop=crop_of_cards(first.assessment) if _is_tableau(question, option) else None,
    )


def _is_tableau(question: Question, option: Option) -> bool:
    """Whether an answer chooses one of several tableaus in a photo; its crop then shows that tableau."""
    return kind_of(question.name) is Kind.TABLEAU and not option.leaves_open and bool(question.alternatives)


def _not_own(way: Way, own: Sequence[int], ways: Sequence[Way]) -> tuple[list[Points], list[Points]]:
    """Polylines of a way's path without its own edges, and polylines of other ways' edges that it lacks."""
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
    """URL of a small picture of a card."""
    return url_for("photos.card", card_id=card)


def _own(way: Way, ways: Sequence[Way], question: Question) -> list[int]:
    if question.about == "direction" or (question.name in (PART_READ, UNCLEAR) and len(ways) == 1):
        return list(range(len(way.edges)))
    return own_edges(way, ways) if question.about == "path" else []
