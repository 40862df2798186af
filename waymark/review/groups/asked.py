"""A question about a table of groups, before it is decided whether it is asked, and its answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from scorer.text import Text
from vision.questions import About, Question
from waymark.review.groups.names import AS_READ

AS_IT_WAS_READ = Text("It is as it was read", "読み取ったとおりです")


@dataclass(frozen=True)
class GroupOption:
    """An answer: its `key` is the same whenever the photos are read the same; what it says, and the record
    and ruling that it comes to."""

    key: str
    words: Text
    record: Any
    ruling: Any


@dataclass(frozen=True)
class Asked:
    """A question before it is decided whether it is asked: what each of its other answers is called, by key,
    what it says, and the record that it makes; `stands` is what the first answer, that of the record as it
    stands, is called."""

    name: str
    about: About
    place: str
    reason: Text
    others: tuple[tuple[str, Text, Any], ...] = ()
    stands: tuple[str, Text] = (AS_READ, AS_IT_WAS_READ)
    crop_px: tuple[int, int, int, int] | None = None
    #: Whether an answer may be none of these: people have to look.
    is_open: bool = False

    @property
    def question(self) -> Question:
        words = [self.stands[1], *(words for _, words, _ in self.others)]
        return Question(
            self.about,
            self.place,
            tuple(each.en for each in words),
            self.reason.en,
            self.reason.ja,
            self.crop_px,
            () if self.is_open else cast(Any, tuple(record for _, _, record in self.others)),
            name=self.name,
        )

    def is_settled(self, rule: Callable[[Any], Any], alike: Callable[[Any], bool]) -> bool:
        """Whether no answer changes the ruling."""
        return not self.is_open and all(alike(rule(record)) for _, _, record in self.others)

    def options(self, record: Any, rule: Callable[[Any], Any]) -> tuple[GroupOption, ...]:
        """The answers, about a record as it stands."""
        key, words = self.stands
        return (
            GroupOption(key, words, record, rule(record)),
            *(GroupOption(key, words, other, rule(other)) for key, words, other in self.others),
        )
