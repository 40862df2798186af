"""What speaks against a record beside its ink: rules that it breaks, and what the player marked.

All of it is weighed in nats, as the readers weigh ink, so that it can be added up; nothing is decided
here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

from scorer.game import Discord
from scorer.record import Record
from waymark.review.table import Table

#: Players break a rule in one drawing of eight at most, so a reading that breaks one is less likely by this
#: (nats) than the ink alone says.
BROKEN_RULE_COST = 2.0
#: From this weight on (nats) marks and path tell two stories: nearly one circle that is plain to see, where
#: the path does not come.
TWO_STORIES = 2.4


@dataclass(frozen=True)
class Evidence:
    """What is weighed: the marks of `reading`, each with how surely it was read (`confidence`, 0 to 1; marks
    that people set are certain), on one table, under the terms that were told. `settled` are places whose
    marks people have answered for: those say nothing more."""

    table: Table
    reading: Record
    confidence: Mapping[str, float]
    settled: frozenset[str] = frozenset()

    @property
    def is_unweighed(self) -> bool:
        """Whether there are marks of which nobody told how surely they were read: a photo that was kept
        before readers did."""
        return not self.confidence and bool(self.reading.marks.circled or self.reading.marks.struck)

    def discord(self, record: Record, terms: Any) -> tuple[Discord, ...]:
        """What the player marked otherwise than the ruling has it, weighed by how surely it was read. Photos
        that were kept before readers told that stand as they did: their marks say nothing."""
        if not self.confidence:
            return ()
        return tuple(
            replace(each, weight=each.weight * self._confidence(each, record))
            for each in self.table.discord(record, terms)
            if each.place not in self.settled
        )

    def two_stories(self, record: Record, terms: Any) -> tuple[Discord, ...]:
        """The marks that tell another story than the path, where they weigh enough to be a doubt by
        themselves; the heaviest first. What a player forgot to mark tells none alone."""
        marks = [each for each in self.discord(record, terms) if each.there]
        if sum(each.weight for each in marks) < TWO_STORIES:
            return ()
        return tuple(sorted(marks, key=lambda each: -each.weight))

    def against(self, record: Record, terms: Any) -> float:
        """How much less likely (nats) rules and marks make a record than one against which nothing speaks."""
        broken = 0.0 if self.table.referee(record, terms).legal else BROKEN_RULE_COST
        return broken + sum(each.weight for each in self.discord(record, terms))

    def _confidence(self, each: Discord, record: Record) -> float:
        """How surely a mark was read; of one that is wanting, how surely marks were read at all."""
        read = {*self.reading.marks.circled, *self.reading.marks.struck}
        drawn = {*record.marks.circled, *record.marks.struck}
        if not each.there:
            seen = [self.confidence.get(place, 0.0) for place in read & drawn]
            return fmean(seen) if seen else 1.0
        return self.confidence.get(each.place, 0.0) if each.place in read & drawn else 1.0
