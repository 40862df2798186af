"""A question about a table of groups, before it is decided whether it is asked, and its answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from scorer.text import Text
from vision.questions import About, Question
from waymark.review.groups.names import AS_READ

#: What stands is the first answer where it leads the others by this (nats): inks nine degrees
#: of hue apart do, and farther ones are not asked about.
LEAST_LEAD = 3.0

AS_IT_WAS_READ = Text("It is as it was read", "読み取ったとおりです")
AS_IT_STANDS = Text("It is right as it stands now", "今の内容で正しいです")


@dataclass(frozen=True)
class GroupOption:
    """An answer: its `key` is the same whenever the photos are read the same; what it says, the record and
    ruling that it comes to, and by how much (nats) it is less likely than what stands: None where nothing
    tells."""

    key: str
    words: Text
    record: Any
    ruling: Any
    behind: float | None = None


def leads(options: Sequence[GroupOption]) -> bool:
    """Whether what stands is so much likelier than each other answer that it may be the first that a finger
    finds; else that nobody can tell comes before it, which settles nothing."""
    _, *others = options
    return bool(others) and all(each.behind is not None and each.behind >= LEAST_LEAD for each in others)


@dataclass(frozen=True)
class Other:
    """Another answer than what stands, before it is refereed: as in `GroupOption`."""

    key: str
    words: Text
    record: Any
    behind: float | None = None


@dataclass(frozen=True)
class Asked:
    """A question before it is decided whether it is asked, with its other answers; `stands` is what the first
    answer, that of the record as it stands, is called."""

    name: str
    about: About
    place: str
    reason: Text
    others: tuple[Other, ...] = ()
    stands: tuple[str, Text] = (AS_READ, AS_IT_WAS_READ)
    crop_px: tuple[int, int, int, int] | None = None
    #: Whether an answer may be none of these: people have to look.
    is_open: bool = False

    @property
    def question(self) -> Question:
        words = [self.stands[1], *(other.words for other in self.others)]
        return Question(
            self.about,
            self.place,
            tuple(each.en for each in words),
            self.reason.en,
            self.reason.ja,
            self.crop_px,
            () if self.is_open else cast(Any, tuple(other.record for other in self.others)),
            name=self.name,
        )

    def is_settled(self, rule: Callable[[Any], Any], alike: Callable[[Any], bool]) -> bool:
        """Whether no answer changes the ruling."""
        return not self.is_open and all(alike(rule(other.record)) for other in self.others)

    def options(self, record: Any, rule: Callable[[Any], Any]) -> tuple[GroupOption, ...]:
        """The answers, about a record as it stands."""
        key, words = self.stands
        return (
            GroupOption(key, words, record, rule(record), 0.0),
            *(
                GroupOption(each.key, each.words, each.record, rule(each.record), each.behind)
                for each in self.others
            ),
        )
