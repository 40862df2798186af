"""Ranking of a question's options by likelihood, and of the questions by the score at stake."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from scorer.record import Record
from vision.questions import Question
from waymark.review.referee_cache import Table
from waymark.review.tableau.doubt_kinds import OPEN_ENDED, OUT_OF_SIGHT, UNREAD, Kind, kind_of
from waymark.review.tableau.evidence import BROKEN_RULE_COST
from waymark.review.tableau.option import Option
from waymark.review.tableau.question_names import (
    BROKEN_RULE,
    GAP,
    MARKS,
    NO_PATH,
    PART_READ,
    STOPS,
    STORIES,
    UNCLEAR,
)

#: Kinds of options that make path, rules and marks consistent.
_MENDING = frozenset({"held", "turned", "other", "led", "jumped"})
#: Cost (nats) relative to another option from which the evidence contradicts an answer; and the support
#: (nats) by which marks clearly speak for a broken rule.
CONTRADICTED, _PLAINLY = 3.0, 0.5
#: Lead (nats) that the first option needs over each option with another score, since a tap on it settles
#: the question. Of 474 photos of `tuning-evening`, hurried players end sure and wrong on 2 with a lead of
#: 3, and on 1 with 4; no photo more is unsure.
LEAST_LEAD = 4.0
#: Lead (nats) from which marks support a repair of the path. That tokens are forgotten more often than
#: rules are broken is not enough.
_LEAD = 1.5


def in_order(question: Question, options: Sequence[Option]) -> tuple[Option, ...]:
    """The options in display order: likelier ones first, then "correct by hand", then "I cannot tell".
    That a rule was really broken comes after other readings of the line unless the marks support it: paths
    are mostly legal, and more often misread. It comes before what may have been held: the first answer never
    pays the player.

    A tap on the first option must not lead to a wrong score that is called sure. So options without
    support in the ink come after the reading: a line where none was found, a circle that does not count.
    Where a card or the whole line seems to be missing, that it is missing comes first. Where the
    evidence cannot separate the first option from options with other scores, "I cannot tell" comes
    first, as it settles nothing."""
    place = {"retake": 0, "otherwise": 2, "unknown": 5}
    # A guessed option, which is only near the place, is no evidence on whether a rule was broken.
    mending = [option for option in options if option.kind in _MENDING and not option.guessed]
    stands = next(option.behind for option in options if option.kind == "stands")
    if question.name == BROKEN_RULE:
        best = min((option.behind for option in mending), default=stands)
        reading = min((option.behind for option in mending if option.kind != "held"), default=math.inf)
        # Without clear marks, or if a misreading of the ink is equally likely, the course is unknown: the
        # first answer then settles nothing.
        misread = next((option.behind for option in options if option.kind == "otherwise"), math.inf)
        mended = stands - reading >= _LEAD and reading < misread
        place |= {
            "otherwise": 2 if mended or best - stands > _PLAINLY else 0,
            "stands": 0 if best - stands > _PLAINLY else 3,
            "held": 4,
            "led": 4,
            "broken": 5,
            "unknown": 6,
        }
    elif is_unweighed(question, options):
        place |= {"other": 2, "led": 2, "otherwise": 3}
    elif question.name == MARKS or (question.about == "path" and question.name != GAP):
        place |= {"led": 2, "unmarked": 2} if question.name != MARKS else {"unmarked": 2}
    ranked = sorted(options, key=lambda option: (place.get(option.kind, 1), option.behind))
    # Where only marks lead a line over cards without ink, its direction is unknown.
    led = question.name == MARKS and ranked[0].kind == "led"
    if led or is_unweighed(question, options) or not _leads(question, ranked):
        ranked.sort(key=lambda option: option.kind != "unknown")
    return tuple(ranked)


def is_unweighed(question: Question, options: Sequence[Option]) -> bool:
    """Whether there is no evidence for any alternative to the reading, since the other options are only
    nearby guesses."""
    by_itself = question.name in {BROKEN_RULE, *STOPS} or kind_of(question.name) in OPEN_ENDED
    return not by_itself and any(option.kind == "otherwise" for option in options)


def _leads(question: Question, ranked: Sequence[Option]) -> bool:
    """Whether the first option leaves the question open, or is far likelier than each option with
    another score. An option without a weighed competitor is not. Where ink is in doubt, a broken rule
    does not count against an option: a token may be unstated, or the start may be forbidden."""
    first, *others = (option for option in ranked if option is ranked[0] or not option.leaves_open)
    by_ink = question.about == "path" and question.alternatives and question.name not in (*STORIES, *STOPS)

    def lead(each: Option) -> float:
        broken = BROKEN_RULE_COST if by_ink and first.legal and not each.legal else 0.0
        return each.behind - first.behind - broken

    return first.leaves_open or (
        bool(others)
        and first.behind < LEAST_LEAD
        and all(each.worth == first.worth or lead(each) >= LEAST_LEAD for each in others)
    )


def seems_missing(question: Question) -> bool:
    """Whether a question is about something unread: a card or a part of one, or all or most of the line."""
    unseen = kind_of(question.name) in OUT_OF_SIGHT
    return unseen or question.name in (NO_PATH, UNCLEAR) or kind_of(question.name) in UNREAD


def is_contradicted(question: Question, options: Sequence[Option], given: Option) -> bool:
    """Whether the evidence (ink, marks, rules) contradicts an answer, by `CONTRADICTED` nats compared with
    another option."""
    if given.leaves_open or is_unweighed(question, options):
        return False
    if question.name == UNCLEAR:  # That answer rests on the player's word alone.
        return False
    settling = [option.behind for option in options if not option.leaves_open]
    return given.behind - min(settling) >= CONTRADICTED


#: Estimated seconds to answer, by subject: comparing a card with a picture, comparing two lines with ink,
#: remembering a start. Only their order matters.
_SECONDS = {"card": 4.0, "mark": 3.0, "path": 6.0, "direction": 5.0}


def in_turn(
    questions: Collection[Question], table: Table, record: Record, terms: Any
) -> tuple[Question, ...]:
    """The questions in the order in which they are asked.
    First the question which of two tableaus is meant, then whether to take the photo again, then cards
    and whether there is a line at all. Next come questions whose answer reconciles rule, marks and ink;
    then unjoined lines; then the most score at stake for each second of answering time; last the path as
    a whole. Questions without an effect come after all others. The sort is stable."""
    first = {UNCLEAR: -1, NO_PATH: 0, PART_READ: 4}
    first |= dict.fromkeys(STORIES, 1) | dict.fromkeys({GAP, *STOPS}, 2)

    def turn(question: Question) -> tuple[bool, int, float]:
        rank = 0 if question.about == "card" else first.get(question.name, 3)
        rank = -2 if kind_of(question.name) is Kind.TABLEAU else rank
        at_stake = stake(question, table, record, terms)
        changes = not question.alternatives or at_stake > 0 or kind_of(question.name) in OPEN_ENDED
        return not changes, rank, -at_stake / _SECONDS[question.about]

    return tuple(sorted(questions, key=turn))


def stake(question: Question, table: Table, record: Record, terms: Any) -> float:
    """Largest difference in points that an alternative to the current reading makes, weighted as on the
    score sheet. A difference in worth without points counts as 0.1."""
    verdict = table.referee(record, terms)
    now = table.game.sheet.row(verdict)
    weights = {column.id: column.weight for column in table.game.sheet.columns}

    def differences() -> Iterable[float]:
        for other in question.alternatives:
            then = table.referee(other, terms)
            row = table.game.sheet.row(then)
            points = sum(
                weights[column] * abs((row[column] or 0) - (value or 0)) for column, value in now.items()
            )
            yield points or (0.0 if table.alike(verdict, then) else 0.1)

    return max(differences(), default=0.0)
