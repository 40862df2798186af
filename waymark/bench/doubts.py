"""Calibration data on doubts: the likelihood of a reading given the ink, and whether the reading is
true."""

from __future__ import annotations

import math

from vision.questions import Question
from vision.scan import Scan
from waymark.bench.claims import claims_of, disputed
from waymark.bench.players import Truth


def doubt_confidences(reading: Scan, truth: Truth) -> tuple[tuple[float, bool], ...]:
    """For each doubt that the ink weighs: the probability of the reading as it is, and whether that reading
    is true. Doubts without a true option are left out, as they say nothing about the weighing."""
    told = []
    for question in reading.questions:
        if question.behind > 0 and question.alternatives:
            true = _true_readings(reading, question, truth)
            if any(true):
                told.append((stands_likely(question.behind, len(true)), true[0]))
    return tuple(told)


def stands_likely(behind: float, readings: int) -> float:
    """Probability (0 to 1) of the current reading among `readings` readings, each other one being `behind`
    nats less likely."""
    return 1 / (1 + (readings - 1) * math.exp(-behind))


def _true_readings(reading: Scan, question: Question, truth: Truth) -> list[bool]:
    """For each reading of a question, the current one first: whether it agrees with the truth in all
    disputed claims. All are False where the number of cards differs, since card positions are unknown then.
    """
    records = (reading.tableau, *question.alternatives)
    if any(len(record.cards) != len(reading.cards) for record in records):
        return [False] * len(records)
    claims = [claims_of(record, reading.cards, truth.seen.cards, {}) for record in records]
    things = disputed(each.things for each in claims)
    if things:
        return [not (each.things ^ truth.claims.things) & things for each in claims]
    steps = disputed(each.walk for each in claims)
    return [not (each.walk ^ truth.claims.walk) & steps for each in claims]
