"""An answer to a question, and what stands while it is asked."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Literal

from scorer.record import Record
from scorer.what_if import Assumption
from vision.questions import Question
from waymark.review.evidence import Evidence
from waymark.review.table import Table

#: What an answer says. `stands`: it is right as it stands. `other`: another reading of the ink; `led`: the
#: line runs here although it was not read so; `jumped`: it breaks off at a gate here and goes on from another
#: one; `held`: something was held that nobody told; `turned`: the path was walked otherwise; `broken`: the
#: same, and a rule was broken all the same; `unmarked`: these marks are none of this round's. Three leave the
#: question open: `otherwise`, it is none of these and has to be corrected by hand, `retake`, something is
#: missing that another photo has to show, and `unknown`, nobody can tell.
Kind = Literal[
    "stands",
    "other",
    "led",
    "jumped",
    "held",
    "turned",
    "broken",
    "unmarked",
    "otherwise",
    "retake",
    "unknown",
]

#: The numbers of answers that leave a question open; those that settle it count from 0, as it stands.
UNKNOWN, OTHERWISE, RETAKE = -1, -2, -3


@dataclass(frozen=True)
class Option:
    """One answer: `number` is what `answer` takes. Once it is given `record` and `terms` stand, and the
    questions named in `settles` are answered, besides the one that was asked. `behind`: how much less likely
    (nats) it is than if nothing spoke against it. `assumption` says what was held; `worth` is what it scores,
    as the game compares verdicts, `legal`: no rule is broken then; `guessed`: nothing tells it but that it
    lies near."""

    number: int
    kind: Kind
    record: Record
    terms: Any
    settles: frozenset[str] = frozenset()
    behind: float = 0.0
    assumption: Assumption | None = None
    worth: Hashable = None
    legal: bool = True
    guessed: bool = False

    @property
    def leaves_open(self) -> bool:
        return self.kind in ("otherwise", "retake", "unknown")


@dataclass(frozen=True)
class Standing:
    """What stands while something is asked: the record under its terms, the `questions` of the reading that
    are open, what is weighed, and the names of what has been `answered`. `ways`: the names of the reading's
    questions about the direction that nobody has answered, open or not."""

    record: Record
    terms: Any
    table: Table
    questions: tuple[Question, ...]
    evidence: Evidence
    answered: frozenset[str] = frozenset()
    ways: frozenset[str] = frozenset()
