"""Simulated players of a table on which groups drew. The careful one gives the true option where there
is one; the hurried one taps the first option."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from vision.questions import Question
from waymark.bench.players import MOST_QUESTIONS, PlayerName
from waymark.bench.table_truth import TableKnown
from waymark.review.groups import GroupAssessment, GroupOption, assess_groups, leads


@dataclass(frozen=True)
class TablePlayed:
    """The final result of a table for one player: whether the result of all (`result_right`) and of
    every group (`right`) is right, and whether it is `sure`. `asked` are the names of the questions, and
    `left_open` the number left open."""

    result_right: bool = False
    right: bool = False
    sure: bool = False
    asked: tuple[str, ...] = ()
    left_open: int = 0

    @property
    def sure_and_wrong(self) -> bool:
        return self.sure and not self.right


def play_table(
    player: PlayerName, known: TableKnown, now: GroupAssessment, told: Mapping[str, Any], terms: Any
) -> TablePlayed:
    """The result of a table for one simulated player; a question without a fitting option stays open."""
    answers: dict[str, str] = {}
    asked: list[str] = []
    left: set[str] = set()
    while len(asked) < MOST_QUESTIONS:
        question = next((each for each in now.questions if each.name not in asked), None)
        if question is None:
            break
        asked.append(question.name)
        option = known.answer(now, question) if player == "careful" else _first(now, question)
        if option is None:
            left.add(question.name)
            continue
        answers[question.name] = option.key
        now = assess_groups(now.scan, known.catalogue, now.game, told, terms, answers)
    return TablePlayed(
        known.result_is_right(now.ruling), known.is_right(now.ruling), now.sure, tuple(asked), len(left)
    )


def _first(now: GroupAssessment, question: Question) -> GroupOption | None:
    """The first option of a question; None where that option is "I cannot tell"."""
    options = now.offered[question.name]
    return options[0] if leads(options) else None
