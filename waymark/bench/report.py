"""The rows of a run and their totals."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from waymark.bench.bounds import upper_bound
from waymark.bench.metric import Hits, Measured
from waymark.bench.players import Played


def report(measured: Sequence[Measured], jobs: int = 1) -> dict[str, Any]:
    """The rows and their totals, ready for JSON. Shares are 0..1; null where there was nothing to share."""
    return {
        "format": "waymark-bench/1",
        "jobs": jobs,
        "photos": [_row(row) for row in measured],
        "total": _total(measured),
    }


def _row(row: Measured) -> dict[str, Any]:
    return {
        **msgspec.to_builtins(row),
        "every_card_right": row.every_card_right,
        "outcome_exact": row.outcome_exact,
        "marks_f1": row.marks.f1,
        "players": {name: _played(played) for name, played in row.players.items()},
    }


def _played(played: Played) -> dict[str, Any]:
    return {
        "questions": len(played.asked),
        "right": played.right,
        "sure": played.sure,
        "sure_and_wrong": played.sure_and_wrong,
        "without_true_answer": played.without_true_answer,
        "changed_nothing": played.changed_nothing,
        "one_answer": played.one_answer,
        "asked_again": played.asked_again,
        "left_open": played.left_open,
        "asked": msgspec.to_builtins(played.asked),
    }


def _total(rows: Sequence[Measured]) -> dict[str, Any]:
    count = len(rows)
    read = [row for row in rows if row.error is None]
    sure = [row for row in rows if row.sure]

    def share(predicate: Callable[[Measured], bool], of: Sequence[Measured] = rows) -> float | None:
        return sum(map(predicate, of)) / len(of) if of else None

    seconds = sorted(row.seconds for row in read)
    stages = sorted({stage for row in read for stage in row.stages_ms})
    return {
        "photos": count,
        "unread": count - len(read),
        "cards_right": sum(row.cards_right for row in rows) / max(1, sum(row.card_count for row in rows)),
        "cards_extra": sum(row.cards_extra for row in rows),
        "every_card_right": share(lambda row: row.every_card_right),
        "tableau_exact": share(lambda row: row.tableau_exact),
        "path_exact": share(lambda row: row.path_exact),
        "counts_exact": share(lambda row: row.counts_exact),
        "escape_right": share(lambda row: row.escape_right),
        "marks_f1": sum((row.marks for row in rows), Hits()).f1,
        "circled_f1": sum((row.circled for row in rows), Hits()).f1,
        "struck_f1": sum((row.struck for row in rows), Hits()).f1,
        "sure": share(lambda row: row.sure),
        "exact_among_sure": share(lambda row: row.outcome_exact, sure),
        **_sure_and_wrong([(row.sure, row.outcome_exact) for row in rows]),
        "seconds_median": statistics.median(seconds) if seconds else None,
        "seconds_worst": seconds[-1] if seconds else None,
        "cpu_seconds_median": statistics.median(row.cpu_seconds for row in read) if read else None,
        "stages_ms_median": {
            stage: statistics.median(row.stages_ms.get(stage, 0.0) for row in read) for stage in stages
        },
        "peak_mb": max((row.peak_mb for row in read), default=None),
        "players": {name: _player_total([row.players[name] for row in rows]) for name in rows[0].players}
        if rows
        else {},
    }


def _sure_and_wrong(ends: Sequence[tuple[bool, bool]]) -> dict[str, Any]:
    """Of (sure, right): how many are sure, and how many of those are wrong, as shares of all photos and of
    the sure ones, each with what so many leave possible (`waymark.bench.bounds`)."""
    right_of_sure = [right for sure, right in ends if sure]
    wrong = right_of_sure.count(False)
    return {
        "sure_count": len(right_of_sure),
        "sure_and_wrong_count": wrong,
        "sure_and_wrong": wrong / len(ends) if ends else None,
        "sure_and_wrong_bound": upper_bound(wrong, len(ends)),
        "wrong_among_sure": wrong / len(right_of_sure) if right_of_sure else None,
        "wrong_among_sure_bound": upper_bound(wrong, len(right_of_sure)),
    }


def _player_total(played: Sequence[Played]) -> dict[str, Any]:
    count = len(played)
    asked = [len(each.asked) for each in played]
    return {
        "questions": sum(asked),
        "questions_mean": sum(asked) / count,
        "questions_most": max(asked),
        "at_most_one_question": sum(number <= 1 for number in asked) / count,
        "at_most_two_questions": sum(number <= 2 for number in asked) / count,
        "right": sum(each.right for each in played) / count,
        "sure": sum(each.sure for each in played) / count,
        **_sure_and_wrong([(each.sure, each.right) for each in played]),
        **{
            key: sum(getattr(each, key) for each in played)
            for key in ("without_true_answer", "changed_nothing", "one_answer", "asked_again", "left_open")
        },
    }
