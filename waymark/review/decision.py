"""The decision whether a score is sure: `decide` is the only function that makes it.

`vision` states whether reading left anything open (`Scan.sure`); the rest of Waymark shows the decision
made here. A score is sure if no open question can change it, and if it has no gap."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from scorer.record import Record
from vision.questions import Question
from waymark.review.tableau.doubt_kinds import OPEN_ENDED, kind_of

#: Least probability of a score that is called sure, unless a higher one is asked for. Of 898 drawn photos,
#: each judged by weights fitted without it, 583 are sure with it, and 1 of those is wrong.
CERTAINTY = 0.97

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
    certain: bool = True,
) -> Decision:
    """Whether the score of a tableau is sure.

    It is not sure if
    - the probability that it is right is below the certainty asked for (`certain` is false);
    - the reading left something open for which it has no question (`read_whole` is false);
    - one of the open `questions` has no alternative (as a gap or a broken rule, which follow from a ruling),
      has one that `rule` gives another worth, or is about a card that may be none of those offered;
    - lines are unjoined, no teleport joins them, and nobody has said that it was drawn so (`gap`);
    - marks contradict the path, and nobody has said that the path is right (`two_stories`);
    - no person has confirmed the dungeon of a card (`pencil`), whatever people have answered.
    """
    harmless = certain and all(
        question.alternatives
        and kind_of(question.name) not in OPEN_ENDED
        and all(alike(rule(other)) for other in question.alternatives)
        for question in questions
    )
    return Decision(
        sure=harmless and read_whole and not (gap or two_stories or pencil),
        asked=bool(questions) and not harmless,
    )
