"""Order of a question's answers by likelihood, and order of the questions by what they can change."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from scorer.record import Record
from vision.questions import Question
from waymark.review.referee_cache import Table
from waymark.review.tableau.evidence import BROKEN_RULE_COST
from waymark.review.tableau.option import Option
from waymark.review.tableau.question_names import (
    BROKEN_RULE,
    CUT,
    GAP,
    HIDDEN_ENDS,
    MARKS,
    MISSING,
    NO_PATH,
    PART_READ,
    STOPS,
    STORIES,
    UNCLEAR,
    card_reason,
    is_open_ended,
    seen_before,
)

#: Answers that make one story of path, rules and marks.
_MENDING = frozenset({"held", "turned", "other", "led", "jumped"})
#: An answer that is so much less likely (nats) than another is asked once more; of a broken rule so much more
#: likely is what marks say plainly.
SECOND_LOOK, _PLAINLY = 3.0, 0.5
#: What is put first must be likelier by this (nats) than each answer that scores otherwise: who taps the
#: first answer ends where it leads. Of 474 photos of `tuning-evening` hurried players end sure and wrong on 2
#: with 3, on 1 with 4, and not one more unsure.
LEAST_LEAD = 4.0
#: Marks speak for what mends a path where it leads by this (nats); that tokens are forgotten more often than
#: rules are broken is not enough.
_LEAD = 1.5


def in_order(question: Question, options: Sequence[Option]) -> tuple[Option, ...]:
    """Answers as people see them: the likelier before the less likely, then that it has to be corrected by
    hand, and that nobody can tell. That a rule was broken, or that what the evidence speaks against is so all
    the same, comes after what would mend it, unless the marks say so: a path is mostly legal, and sooner
    misread.

    Who taps the first answer must not end on a wrong score that is called sure. So what no ink says comes
    after what was read: a line where none was found, a circle that does not count; where a card, or the whole
    line, seems to be missing, that it is missing comes first; and where the evidence does not tell the first
    answer from those that score otherwise, that nobody can tell comes before all: it settles nothing."""
    place = {"retake": 0, "otherwise": 2, "unknown": 5}
    # What only lies near tells nothing of whether a rule was broken.
    mending = [option.behind for option in options if option.kind in _MENDING and not option.guessed]
    stands = next(option.behind for option in options if option.kind == "stands")
    if question.name == BROKEN_RULE:
        best = min(mending, default=stands)
        # Without marks that say so nobody knows what happened, nor where the ink is as likely misread: then
        # the first answer settles nothing.
        misread = next((option.behind for option in options if option.kind == "otherwise"), math.inf)
        mended = stands - best >= _LEAD and best < misread
        place |= {
            "otherwise": 2 if mended or best - stands > _PLAINLY else 0,
            "stands": 0 if best - stands > _PLAINLY else 3,
            "led": 3,
            "broken": 4,
        }
    elif seen_before(question.name) is not None:
        place["stands"] = 3
    elif is_unweighed(question, options):
        place |= {"other": 2, "led": 2, "otherwise": 3}
    elif question.name == MARKS or (question.about == "path" and question.name != GAP):
        place |= {"led": 2, "unmarked": 2} if question.name != MARKS else {"unmarked": 2}
    ranked = sorted(options, key=lambda option: (place.get(option.kind, 1), option.behind))
    # Where marks alone lead a line, over cards without ink, nothing tells which way it runs.
    led = question.name == MARKS and ranked[0].kind == "led"
    if led or is_unweighed(question, options) or not _leads(question, ranked):
        ranked.sort(key=lambda option: option.kind != "unknown")
    return tuple(ranked)


def is_unweighed(question: Question, options: Sequence[Option]) -> bool:
    """Whether nothing tells what else may be there than what was read: the other answers only lie near it."""
    asked = seen_before(question.name) or question.name
    by_itself = asked in {BROKEN_RULE, *STOPS} or is_open_ended(asked)
    return not by_itself and any(option.kind == "otherwise" for option in options)


def _leads(question: Question, ranked: Sequence[Option]) -> bool:
    """Whether the first of several answers leaves the question open, or is likelier by far than each that
    scores otherwise. An answer that is weighed against none, only against a correction by hand, is not. Where
    ink is in doubt, that another answer breaks a rule says nothing: who tapped it may not have told a token,
    or have begun where nobody may."""
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
    """Whether a question is about something that was not read at all: a card or a part of one, or the whole
    line, or most of it."""
    unseen = question.name.startswith((*HIDDEN_ENDS, CUT))
    return unseen or question.name in (NO_PATH, UNCLEAR) or card_reason(question.name) in MISSING


def wants_another_look(question: Question, options: Sequence[Option], given: Option) -> bool:
    """Whether ink, marks and rules speak so much more against an answer than against another one that it is
    asked once more."""
    if given.leaves_open or seen_before(question.name) is not None or is_unweighed(question, options):
        return False
    if question.name == UNCLEAR:  # Whatever is said of that is his word alone.
        return False
    settling = [option.behind for option in options if not option.leaves_open]
    return given.behind - min(settling) >= SECOND_LOOK


#: Seconds that people take to answer, by what is asked: comparing a card with a picture, two lines with ink,
#: remembering where one began. Estimates; only their order matters.
_SECONDS = {"card": 4.0, "mark": 3.0, "path": 6.0, "direction": 5.0}


def in_turn(
    questions: Collection[Question], table: Table, record: Record, terms: Any
) -> tuple[Question, ...]:
    """Questions in the order in which they are put. Which of two tableaus is meant comes before all that is
    asked of one of them, then whether the photo is taken again, then cards,
    and whether there is a line at all where none was read, for everything else lies on them; then what one
    answer can make one story of, rule, marks and ink together; then lines that part; then what has most score
    at stake for each second of a person's time; then whether the path as a whole is right. What changes
    nothing by itself comes after all that does. Equal ones stay as they were."""
    first = {UNCLEAR: -1, NO_PATH: 0, PART_READ: 4}
    first |= dict.fromkeys(STORIES, 1) | dict.fromkeys({GAP, *STOPS}, 2)

    def turn(question: Question) -> tuple[bool, int, float]:
        rank = 0 if question.about == "card" else first.get(question.name, 3)
        rank = -2 if card_reason(question.name) == "group" else rank
        at_stake = stake(question, table, record, terms)
        changes = not question.alternatives or at_stake > 0 or is_open_ended(question.name)
        return not changes, rank, -at_stake / _SECONDS[question.about]

    return tuple(sorted(questions, key=turn))


def stake(question: Question, table: Table, record: Record, terms: Any) -> float:
    """How many points another answer to a question of the reading may make, as the score sheet weighs them;
    what is worth something else without a point counts a little."""
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
