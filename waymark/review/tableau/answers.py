"""Application of answers and corrections: the assessment after each, and which earlier answers remain
valid."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import msgspec

from scorer.record import Record
from vision.questions import Question
from waymark.review.tableau.assess import Assessment, assess
from waymark.review.tableau.doubt_kinds import Kind, kind_of
from waymark.review.tableau.evidence import confirmed_break
from waymark.review.tableau.joins import Path, ends_of, places_of, stretches
from waymark.review.tableau.option import Option, Standing
from waymark.review.tableau.options import options_of
from waymark.review.tableau.question_names import (
    ABOUT_THE_PATH,
    BROKEN_RULE,
    CARDS_CORRECTED,
    GAP,
    MEANS,
    UNCLEAR,
    against_evidence,
    answered_against,
    is_confirmed_break,
    left_open,
)
from waymark.review.tableau.ranking import is_contradicted


def options(assessment: Assessment, name: str) -> tuple[Option, ...]:
    """The options of an open or skipped question, by number; empty where no such question exists."""
    question = assessment.question(name)
    if question is None:
        return ()
    if name not in assessment.offered:
        assessment.offered[name] = options_of(question, standing(assessment))
    return assessment.offered[name]


def answer(assessment: Assessment, name: str, option: int) -> Assessment | None:
    """The assessment after a question is answered with option number `option` (0 keeps the current
    record). None where the question or option does not exist."""
    given = next((each for each in options(assessment, name) if each.number == option), None)
    return None if given is None else answered_with(assessment, name, given)


def answered_with(assessment: Assessment, name: str, given: Option) -> Assessment:
    """Assessment of the tableau with one of the `options` of a question."""
    question = assessment.question(name)
    asked = (*assessment.open_questions, *assessment.left_questions)
    table, ruling = assessment.table, assessment.ruling
    # Two equal questions (two specks of ink at one place) share one answer.
    same = {each.name for each in asked if question is not None and asks_the_same(each, question)}
    here = same | given.settles
    against = question is not None and is_contradicted(question, options(assessment, name), given)
    # Answers about one tableau do not apply to another.
    before = frozenset() if kind_of(name) is Kind.TABLEAU and given.kind == "other" else assessment.answered
    settled = before - {left_open(each) for each in here}
    if given.leaves_open:
        settled |= {left_open(each) for each in here}
    else:
        # After a line was joined, another one may still be unjoined.
        if name != GAP or given.record.path == assessment.record.path:
            settled |= same
        settled = still_settled(settled, assessment.record, given.record) | given.settles
        settled |= {against_evidence(name)} if against else set()
        settled |= {MEANS} if given.kind == "held" else set()
        if name == BROKEN_RULE and given.kind == "stands" and question is not None:
            settled |= {confirmed_break(table, ruling, question.place)}
    return assess(
        assessment.reading,
        assessment.table,
        given.terms,
        corrected=given.record,
        answered=settled,
        certainty=assessment.certainty,
    )


def standing(assessment: Assessment) -> Standing:
    """The current state of a tableau as the options of a question need it: record, terms, evidence and
    open questions."""
    named = {each.name: each for each in assessment.doubts}
    named |= {each.name: each for each in (*assessment.open_questions, *assessment.left_questions)}
    asked = tuple(named.values())
    ways = {each.name for each in assessment.reading.questions if each.about == "direction"}
    return Standing(
        assessment.record,
        assessment.terms,
        assessment.table,
        asked,
        assessment.evidence,
        assessment.answered,
        frozenset(ways - assessment.answered),
    )


def asks_the_same(one: Question, other: Question) -> bool:
    """Whether two questions are equal except for their names."""
    return replace(one, name="") == replace(other, name="")


def still_settled(answered: Collection[str], before: Record, after: Record) -> frozenset[str]:
    """The answers that remain valid after a record has changed. Another path may have a gap or break a
    rule elsewhere, so answers about the path as a whole are dropped."""
    settled = frozenset(answered)
    if before.path != after.path:
        # If no line has a new end, the unjoined lines have been checked already.
        same_ends = ends_of(after.path) <= ends_of(before.path)
        over = [name for name in ABOUT_THE_PATH if name != GAP or not same_ends]
        settled -= {kept(name) for name in over for kept in (str, left_open)}
        # That a rule was broken may be confirmed for good.
        settled -= {against_evidence(name) for name in over if name != BROKEN_RULE}
    return settled if before.cards == after.cards else settled - {CARDS_CORRECTED}


def after_correction(assessment: Assessment, record: Record) -> frozenset[str]:
    """The answers that remain valid after a correction by hand. Earlier answers against the evidence are
    dropped for a stretch that is redrawn or a mark that is set again. Questions about the path as a
    whole are asked again about the corrected path."""
    before, read = assessment.record, assessment.reading
    changed = places_of(stretches(before) ^ stretches(record))
    marked = {*before.marks.circled, *before.marks.struck} ^ {*record.marks.circled, *record.marks.struck}
    questions = {question.name: question for question in read.questions}
    settled = set(assessment.answered)
    for kept in assessment.answered:
        name = answered_against(kept)
        if name is None:
            continue
        question = questions.get(name)
        if question is None:
            over = before.path != record.path or bool(marked)
        elif question.about == "mark":
            over = question.place in marked
        else:
            now = stretches(read.tableau)
            spot = (places_of(now ^ stretches(other)) for other in question.alternatives)
            over = any(not changed.isdisjoint(places) for places in spot)
        if over:
            settled -= {kept, name}
            if name == BROKEN_RULE:
                settled -= {each for each in settled if is_confirmed_break(each)}
    if before.path != record.path:
        settled -= {UNCLEAR, left_open(UNCLEAR)}
    return still_settled(settled, before, record)


def direction_settled(assessment: Assessment, record: Record | None = None) -> frozenset[str]:
    """The answers after the direction of the path is stated, so that the rules no longer choose it.
    `record` is a path drawn by hand; None means the current one."""
    questions = assessment.reading.questions
    ways = {question.name for question in questions if question.about == "direction"}
    answered = assessment.answered if record is None else after_correction(assessment, record)
    return answered | ways | {"direction"}


def with_path(assessment: Assessment, path: Path) -> Assessment:
    """Assessment of the tableau with another path over the same cards, taken exactly as given."""
    drawn = msgspec.structs.replace(assessment.record, path=path)
    answered = direction_settled(assessment, drawn)
    return assess(
        assessment.reading,
        assessment.table,
        assessment.terms,
        corrected=drawn,
        answered=answered,
        certainty=assessment.certainty,
    )
