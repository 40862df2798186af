"""The decision whether a score is sure: `decide` is the only function that makes it.

`vision` states whether reading left anything open (`Scan.sure`); the rest of Waymark shows the decision
made here. A score is sure if no doubt, alone or with another one, can change it, and if it has no gap."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from scorer.record import Record
from vision.questions import Question
from waymark.review.tableau.question_names import is_open_ended

#: Whether a verdict is worth the same to the player as the current one.
Alike = Callable[[Any], bool]


@dataclass(frozen=True)
class Decision:
    """Whether a score is `sure`, and whether its questions have to be `asked` because an answer could
    change it. Both may be False: a gap that people have answered for leaves nothing to ask."""

    sure: bool
    asked: bool


def decide(
    questions: Sequence[Question],
    rule: Callable[[Record], Any],
    alike: Alike,
    *,
    read_whole: bool,
    gap: bool,
    two_stories: bool,
    pencil: bool,
    decided: Callable[[Question, Record], tuple[Decision, Any]] | None,
) -> Decision:
    """Whether the score of a tableau is sure.

    It is not sure if
    - the reading left something open for which it has no question (`read_whole` is false);
    - one of the open `questions` has no alternative (as a gap or a broken rule, which follow from a ruling),
      has one that `rule` gives another worth, or is about a card that may be none of those offered;
    - two doubts together change the score although neither does alone: `decided` returns the decision and the
      verdict for another answer to a question (None: doubts are examined one by one);
    - lines are unjoined, no teleport joins them, and nobody has said that it was drawn so (`gap`);
    - marks contradict the path, and nobody has said that the path is right (`two_stories`);
    - no person has confirmed the dungeon of a card (`pencil`), whatever people have answered.
    """
    harmless = all(
        question.alternatives
        and not is_open_ended(question.name)
        and all(alike(rule(other)) for other in question.alternatives)
        for question in questions
    )
    if harmless and decided is not None and len(questions) > 1:
        harmless = all(
            not then.asked and alike(verdict)
            for question in questions
            for then, verdict in (decided(question, other) for other in question.alternatives)
        )
    return Decision(
        sure=harmless and read_whole and not (gap or two_stories or pencil),
        asked=bool(questions) and not harmless,
    )
