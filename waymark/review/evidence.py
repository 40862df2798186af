"""What speaks against a record beside its ink: rules that it breaks, and what the player marked.

All of it is weighed in nats, as the readers weigh ink, so that it can be added up; nothing is decided
here."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

from scorer.record import Record
from scorer.verdict import Discord
from waymark.review.question_names import BROKEN_RULE, GAP, STOPS, broken_rule_at
from waymark.review.table import Table

#: Players break a rule in one drawing of eight at most, so a reading that breaks one is less likely by this
#: (nats) than the ink alone says.
BROKEN_RULE_COST = 2.0
#: The same of another reading that stops where nothing stops it: of 7,345 legal drawings (evening samples)
#: 83% get out and 1.6% stop in no room though ways lead on.
STOPS_COST = 3.0
#: The same, beside the rule that it breaks, of one that parts: of 3,500 drawings 1.9% do.
PARTS_COST = 2.0
#: From this weight on (nats) marks and path tell two stories: nearly one circle that is plain to see, where
#: the path does not come.
TWO_STORIES = 2.4


def confirmed_break(table: Table, ruling: Any, place: str) -> str:
    """What is kept of an answer that the rule which a ruling turned on was broken at a place."""
    return broken_rule_at(table.game.why(ruling).rule, place)


@dataclass(frozen=True)
class Evidence:
    """What is weighed: the marks of `reading`, each with how surely it was read (`confidence`, 0 to 1; marks
    that people set are certain), on one table, under the terms that were told. `settled` are places whose
    marks people have answered for: those say nothing more; no more does a rule that was broken as somebody
    has `confirmed` (names of what is answered)."""

    table: Table
    reading: Record
    confidence: Mapping[str, float]
    settled: frozenset[str] = frozenset()
    confirmed: frozenset[str] = frozenset()

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
        # Who broke a rule went on, and marked what he found beyond.
        walked = {name for line in record.path for name in line} if self.is_confirmed(record, terms) else ()
        return tuple(
            replace(each, weight=each.weight * self._confidence(each, record))
            for each in self.table.discord(record, terms)
            if each.place not in self.settled and not self._is_at(each.place, walked, record)
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
        return self._broken(record, terms) + sum(each.weight for each in self.discord(record, terms))

    def unusual(self, other: Record, record: Record, terms: Any) -> float:
        """How much less likely (nats) another reading than the `record` that stands is because it stops where
        nothing stops it, parts, or has no path at all, as that does not. Where the one that stands does so
        itself, that is asked by itself."""
        if not record.path:
            return 0.0
        then, now = ({doubt.about for doubt in self.table.doubts(each, terms)} for each in (other, record))
        # Where a line goes that comes out of a gate and was seen as a dot nobody has read.
        dotted = bool(other.path) and len(other.path[-1]) == 1 and GAP not in then
        stops = not other.path or not (dotted or then.isdisjoint(STOPS))
        stops_now, parts = not now.isdisjoint(STOPS), GAP in then - now
        return STOPS_COST * (stops and not stops_now) + PARTS_COST * parts

    def _broken(self, record: Record, terms: Any) -> float:
        legal = self.table.referee(record, terms).legal
        return 0.0 if legal or self.is_confirmed(record, terms) else BROKEN_RULE_COST

    def is_confirmed(self, record: Record, terms: Any) -> bool:
        """Whether the rule that a record breaks is one of which somebody said so."""
        if not self.confirmed:
            return False
        ruling = self.table.referee(record, terms)
        broken = (doubt for doubt in self.table.doubts(record, terms) if doubt.about == BROKEN_RULE)
        return any(confirmed_break(self.table, ruling, doubt.place) in self.confirmed for doubt in broken)

    def _is_at(self, name: str, walked: Collection[str], record: Record) -> bool:
        """Whether a line comes to a place, or to the room that it is in."""
        place = self.table.dungeon(record.cards).places.get(name) if walked else None
        return place is not None and (name in walked or place.room in walked)

    def _confidence(self, each: Discord, record: Record) -> float:
        """How surely a mark was read; of one that is wanting, how surely marks were read at all."""
        read = {*self.reading.marks.circled, *self.reading.marks.struck}
        drawn = {*record.marks.circled, *record.marks.struck}
        if not each.there:
            seen = [self.confidence.get(place, 0.0) for place in read & drawn]
            # Where a hand lies over a find nobody can say that it is not marked.
            none = 1.0 if each.place in read else self.confidence.get(each.place, 1.0)
            return none * (fmean(seen) if seen else 1.0)
        return self.confidence.get(each.place, 0.0) if each.place in read & drawn else 1.0
