"""Which question is put first: the one that settles most for the time that it takes to answer it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from scorer.record import Record
from vision.questions import Question
from waymark.review.question_names import (
    GAP,
    NO_PATH,
    PART_READ,
    STOPS,
    STORIES,
    UNCLEAR,
    card_reason,
    is_open_ended,
)
from waymark.review.table import Table

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
