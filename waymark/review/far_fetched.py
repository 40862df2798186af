"""Doubts that are none: ink, rules and marks together speak against every other reading."""

from __future__ import annotations

from typing import Any

from scorer.dungeon import Dungeon
from scorer.record import Record
from scorer.routes import routes_from
from vision.questions import DOUBT, Question
from waymark.review.evidence import Evidence
from waymark.review.path_joins import ends_of, stretches
from waymark.review.question_names import HIDDEN, is_open_ended

#: A doubt is none where all its other readings are this much less likely (nats) than what stands, and nothing
#: else speaks against that: no rule broken, no line parted, no mark that tells another story. Of 70 such
#: doubts none was right, of 8 that were 2 to 3 behind two (300 photos of `tuning-evening`).
CLEAR_DOUBT = 3.5
#: A beginning of the path that something hides is a doubt up to this (nats), whatever rule another one would
#: break: no ink shows that the path begins as the rules have it. Of the drawings on which rules alone spoke
#: (179 hard and wild photos of `tuning-evening`) two were wrong; with 3.9 and more four were right. Not where
#: another one breaks a rule and no other way leads in there.
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
        table = evidence.table
        dungeon = table.dungeon(record.cards)
        if any(
            table.referee(other, terms).legal or _may_begin_elsewhere(other, record, dungeon)
            for other in question.alternatives
        ):
            return False
    now = evidence.against(record, terms)
    return all(
        question.behind + evidence.against(other, terms) - now + evidence.unusual(other, record, terms)
        > unlikely
        for other in question.alternatives
    )


def _may_begin_elsewhere(other: Record, record: Record, dungeon: Dungeon) -> bool:
    """Whether from where another reading runs or ends otherwise a way leads out of the dungeon that the one
    that stands does not come to: the line may have come in there."""
    come_to = {name for line in record.path for name in line}
    new = {name for line in other.path for name in line} - come_to
    new |= ends_of(other.path) - ends_of(record.path)
    elsewhere = dungeon.open_openings - come_to
    return any(
        not elsewhere.isdisjoint(routes_from(dungeon, place, avoid=come_to - {place})) for place in new
    )


def _is_about_the_beginning(question: Question, record: Record) -> bool:
    """Whether another reading is without the path's first step."""
    first = {frozenset(line[:2]) for line in record.path[:1] if len(line) > 1}
    return any(not first <= stretches(other) for other in question.alternatives)
