"""Evidence of readings: log-odds of whole paths by ink, rules and marks."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from statistics import fmean
from typing import Any

from scorer.record import Record
from scorer.verdict import Discord
from vision.questions import Question
from waymark.review.referee_cache import Table
from waymark.review.tableau.merge import merge_records
from waymark.review.tableau.question_names import BROKEN_RULE, GAP, STOPS, STOPS_INSIDE, broken_rule_at

#: Cost (nats) of a reading that breaks a rule: players do so in at most one drawing of eight.
BROKEN_RULE_COST = 2.0
#: Cost (nats) of another reading that stops without an obstacle: of 7,345 legal drawings (evening samples)
#: 83% get out, and 1.6% stop outside rooms although links lead on.
STOPS_COST = 3.0
#: Cost (nats) of a reading with unjoined lines, besides that of the rule it breaks: 1.9% of 3,500 drawings
#: have some.
PARTS_COST = 2.0
#: Weight (nats) from which marks contradict the path: nearly that of one clear circle that the path does not
#: reach.
TWO_STORIES = 2.4


def confirmed_break(table: Table, ruling: Any, place: str) -> str:
    """Stored key of an answer that the deciding rule of a ruling was broken at a place."""
    return broken_rule_at(table.game.words.why(ruling).rule, place)


@dataclass(frozen=True)
class Evidence:
    """The evidence about a tableau: the marks of `reading`, each with its `confidence` (0 to 1; marks
    set by people are certain), and the stated terms.
    `settled` are places whose marks people have answered for, which no longer count. A rule violation
    that was `confirmed` (keys of answers) does not count either."""

    table: Table
    reading: Record
    confidence: Mapping[str, float]
    settled: frozenset[str] = frozenset()
    confirmed: frozenset[str] = frozenset()

    def discord(self, record: Record, terms: Any) -> tuple[Discord, ...]:
        """The contradictions between the player's marks and the ruling, weighted by the confidence of
        each mark. Readings stored without confidences have none."""
        if not self.confidence:
            return ()
        # A player who broke a rule continued, and marked the finds beyond.
        walked = {name for line in record.path for name in line} if self.is_confirmed(record, terms) else ()
        return tuple(
            replace(each, weight=each.weight * self._confidence(each, record))
            for each in self.table.discord(record, terms)
            if each.place not in self.settled and not self._is_at(each.place, walked, record)
        )

    def two_stories(self, record: Record, terms: Any) -> tuple[Discord, ...]:
        """The marks that contradict the path with enough weight to be a doubt, heaviest first. A
        forgotten mark alone is no doubt."""
        marks = [each for each in self.discord(record, terms) if each.there]
        if sum(each.weight for each in marks) < TWO_STORIES:
            return ()
        return tuple(sorted(marks, key=lambda each: -each.weight))

    def against(self, record: Record, terms: Any) -> float:
        """Cost (nats) of a record by its rules and marks, compared with a record that nothing
        contradicts."""
        return self._broken(record, terms) + sum(each.weight for each in self.discord(record, terms))

    def unusual(self, other: Record, record: Record, terms: Any) -> float:
        """Extra cost (nats) of another reading that stops without an obstacle, has unjoined lines or has
        no path, where the current `record` does not. Where the current record has the same fault, a
        question of its own covers it."""
        if not record.path:
            return 0.0
        then, now = (self._doubted(each, terms) for each in (other, record))
        # A line that leaves a gate and was seen only as a dot has an unknown course.
        dotted = bool(other.path) and len(other.path[-1]) == 1 and GAP not in then
        stops = not other.path or not (dotted or then.isdisjoint(STOPS))
        stops_now, parts = not now.isdisjoint(STOPS), GAP in then - now
        return STOPS_COST * (stops and not stops_now) + PARTS_COST * parts

    def _doubted(self, record: Record, terms: Any) -> set[str]:
        """The doubts that follow from the ruling on a record. A line that ends at the door of a hidden
        room is no doubt."""
        places = self.table.dungeon(record.cards).places
        at_door = bool(record.path) and places[record.path[-1][-1]].kind == "door"
        doubts = {doubt.about for doubt in self.table.doubts(record, terms)}
        return doubts - {STOPS_INSIDE} if at_door else doubts

    def _broken(self, record: Record, terms: Any) -> float:
        legal = self.table.referee(record, terms).legal
        return 0.0 if legal or self.is_confirmed(record, terms) else BROKEN_RULE_COST

    def is_confirmed(self, record: Record, terms: Any) -> bool:
        """Whether a person has confirmed the rule violation of a record."""
        if not self.confirmed:
            return False
        ruling = self.table.referee(record, terms)
        broken = (doubt for doubt in self.table.doubts(record, terms) if doubt.about == BROKEN_RULE)
        return any(confirmed_break(self.table, ruling, doubt.place) in self.confirmed for doubt in broken)

    def _is_at(self, name: str, walked: Collection[str], record: Record) -> bool:
        """Whether a line of the record reaches a place, or the room that contains it."""
        place = self.table.dungeon(record.cards).places.get(name) if walked else None
        return place is not None and (name in walked or place.room in walked)

    def _confidence(self, each: Discord, record: Record) -> float:
        """Confidence (0 to 1) of a mark; for a missing mark, the confidence with which marks were read
        at all."""
        read = {*self.reading.marks.circled, *self.reading.marks.struck}
        drawn = {*record.marks.circled, *record.marks.struck}
        if not each.there:
            seen = [self.confidence.get(place, 0.0) for place in read & drawn]
            # With a hand over a find, it is unknown whether the find is marked.
            none = 1.0 if each.place in read else self.confidence.get(each.place, 1.0)
            return none * (fmean(seen) if seen else 1.0)
        return self.confidence.get(each.place, 0.0) if each.place in read & drawn else 1.0


#: Largest number of whole paths that are offered, and of alternatives (the likeliest) that are combined in
#: pairs. Of 11 tuning photos with a wrong reading and so many doubts, 5 have the true ruling among the first
#: three.
MOST_PATHS, MOST_TRIED = 3, 16


def whole_paths(
    questions: Collection[Question], record: Record, terms: Any, table: Table, evidence: Evidence
) -> tuple[Record, ...]:
    """The likeliest records that result from one or two changed answers to questions about the path.
    Each scores differently from the current record and from those listed before it."""
    tried = sorted(_tried(questions, record, terms, table, evidence), key=lambda each: each[0])
    worths = {table.game.rules.worth(table.referee(record, terms))}
    kept: list[Record] = []
    for _, other in tried:
        worth = table.game.rules.worth(table.referee(other, terms))
        if worth not in worths and len(kept) < MOST_PATHS:
            worths.add(worth)
            kept.append(other)
    return tuple(kept)


def _tried(
    questions: Collection[Question], record: Record, terms: Any, table: Table, evidence: Evidence
) -> Iterator[tuple[float, Record]]:
    """Each record with its cost (nats) by ink, rules and marks."""
    alone = [
        (question.behind, other)
        for question in questions
        if question.about in ("path", "direction")
        for other in question.alternatives
        if other.path
    ]
    weighed = sorted(
        ((behind + evidence.against(other, terms), behind, other) for behind, other in alone),
        key=lambda each: each[0],
    )
    yield from ((total, other) for total, _, other in weighed)
    for (_, one_behind, one), (_, other_behind, other) in combinations(weighed[:MOST_TRIED], 2):
        both = merge_records(record, one, other, table)
        if both is not None and both.path:
            yield one_behind + other_behind + evidence.against(both, terms), both
