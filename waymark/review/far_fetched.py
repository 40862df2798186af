"""Doubts that are none: ink, rules and marks together speak against every other reading."""

from __future__ import annotations

from typing import Any

from scorer.record import Record
from vision.questions import DOUBT, Question
from waymark.review.evidence import Evidence
from waymark.review.path_joins import stretches
from waymark.review.question_names import HIDDEN, is_open_ended

#: A doubt is none where all its other readings are this much less likely (nats) than what stands, and nothing
#: else speaks against that: no rule broken, no line parted, no mark that tells another story. Of 70 such
#: doubts none was right, of 8 that were 2 to 3 behind two (300 photos of `tuning-evening`).
CLEAR_DOUBT = 3.5
#: A beginning of the path that something hides is a doubt up to this (nats), whatever rule another one would
#: break: no ink shows that the path begins as the rules have it. Of the drawings on which rules alone spoke
#: (179 hard and wild photos of `tuning-evening`) two were wrong; with 3.9 and more four were right.
HIDDEN_BEGINNING = 3.75


def is_far_fetched(
    question: Question, record: Record, terms: Any, evidence: Evidence, unlikely: float = DOUBT
) -> bool:
    """Whether a doubt is none: ink, rules and marks together speak against all its other readings by so much
    more (`unlikely`, nats) than against the one that stands that nobody would take one of them."""
    if question.about == "direction" or not question.alternatives or is_open_ended(question.name):
        return False
    hidden = question.name.startswith(HIDDEN) and _is_about_the_beginning(question, record)
    if hidden and question.behind <= HIDDEN_BEGINNING:
        return False
    now = evidence.against(record, terms)
    return all(
        question.behind + evidence.against(other, terms) - now + evidence.unusual(other, record, terms)
        > unlikely
        for other in question.alternatives
    )


def _is_about_the_beginning(question: Question, record: Record) -> bool:
    """Whether another reading is without the path's first step."""
    first = {frozenset(line[:2]) for line in record.path[:1] if len(line) > 1}
    return any(not first <= stretches(other) for other in question.alternatives)
