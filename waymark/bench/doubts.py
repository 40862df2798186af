"""Whether what stands is true, of each doubt that a reading has: the ink says how likely it is."""

from __future__ import annotations

import math

from vision.questions import Question
from vision.scan import Scan
from waymark.bench.claims import claims_of, disputed
from waymark.bench.players import Truth


def doubt_confidences(reading: Scan, truth: Truth) -> tuple[tuple[float, bool], ...]:
    """Of each doubt about which the ink tells something, how likely what was read is by it, and whether it is
    true. Doubts of which no answer is true say nothing of how the ink was weighed."""
    told = []
    for question in reading.questions:
        if question.behind > 0 and question.alternatives:
            true = _true_readings(reading, question, truth)
            if any(true):
                told.append((stands_likely(question.behind, len(true)), true[0]))
    return tuple(told)


def stands_likely(behind: float, readings: int) -> float:
    """How likely what was read is among so many readings, each other one so much behind it (nats)."""
    return 1 / (1 + (readings - 1) * math.exp(-behind))


def _true_readings(reading: Scan, question: Question, truth: Truth) -> list[bool]:
    """Which readings agree with the truth in all that they differ in, what was read first. None does where
    cards are more or fewer, for then nothing says where they lie."""
    records = (reading.tableau, *question.alternatives)
    if any(len(record.cards) != len(reading.cards) for record in records):
        return [False] * len(records)
    claims = [claims_of(record, reading.cards, truth.seen.cards, {}) for record in records]
    things = disputed(each.things for each in claims)
    if things:
        return [not (each.things ^ truth.claims.things) & things for each in claims]
    steps = disputed(each.walk for each in claims)
    return [not (each.walk ^ truth.claims.walk) & steps for each in claims]
