"""Where much of a path is in doubt: the likeliest whole paths that its doubts leave, for whoever would rather
look at a few than take the photo again."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import combinations
from typing import Any

from scorer.record import Record
from vision.questions import Question
from waymark.review.evidence import Evidence
from waymark.review.merge import merge_records
from waymark.review.table import Table

#: So many are told, and so many other readings (the likeliest) are put together two by two. Of 11 tuning
#: photos whose reading was wrong and had so many doubts 5 have the true verdict among the first three.
MOST_PATHS, MOST_TRIED = 3, 16


def whole_paths(
    questions: Collection[Question], record: Record, terms: Any, table: Table, evidence: Evidence
) -> tuple[Record, ...]:
    """The likeliest records that one or two other answers to the questions about the path make of the one
    that stands, each worth something else than it and than those before."""
    tried = sorted(_tried(questions, record, terms, table, evidence), key=lambda each: each[0])
    worths = {table.game.worth(table.referee(record, terms))}
    kept: list[Record] = []
    for _, other in tried:
        worth = table.game.worth(table.referee(other, terms))
        if worth not in worths and len(kept) < MOST_PATHS:
            worths.add(worth)
            kept.append(other)
    return tuple(kept)


def _tried(
    questions: Collection[Question], record: Record, terms: Any, table: Table, evidence: Evidence
) -> Iterator[tuple[float, Record]]:
    """Each with how much less likely (nats) ink, rules and marks make it."""
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
