"""The figures of a set of photos: of a whole run, or of those that have something in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from waymark.bench.bounds import upper_bound
from waymark.bench.metric import Hits, Measured
from waymark.bench.players import Asked, Played


def figures(rows: Sequence[Measured]) -> dict[str, Any]:
    """The summary statistics of a set of photos: accuracy, share of sure scores, and results of each
    player. Shares are 0 to 1, and None where there is nothing to divide by."""
    count = len(rows)
    sure = [row for row in rows if row.sure]

    def share(predicate: Callable[[Measured], bool], of: Sequence[Measured] = rows) -> float | None:
        return sum(map(predicate, of)) / len(of) if of else None

    return {
        "photos": count,
        "unread": sum(row.error is not None and not row.refused for row in rows),
        "refused": sum(row.refused for row in rows),
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
        "sure_untold": share(lambda row: row.sure_untold),
        "exact_among_sure": share(lambda row: row.outcome_exact, sure),
        **_sure_and_wrong([(row.sure, row.outcome_exact) for row in rows]),
        "players": {
            name: _played([row.players[name] for row in rows]) for name in (rows[0].players if rows else ())
        },
    }


def _sure_and_wrong(ends: Sequence[tuple[bool, bool]]) -> dict[str, Any]:
    """Counts and shares of sure results and of sure but wrong results, from pairs (sure, right). Shares are
    given of all photos and of the sure ones, each with its upper bound (`waymark.bench.bounds`)."""
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


#: Counts over the questions that a player met.
COUNTED = (
    "without_true_answer",
    "changed_nothing",
    "one_answer",
    "few_answers",
    "same_answers",
    "without_ink",
    "asked_again",
    "left_open",
)


def _kinds(asked: Sequence[Asked]) -> dict[str, dict[str, int]]:
    """For each kind of question, most frequent first: how often it was asked, how often it had fewer than
    two real answers, and how often it was answered."""
    kinds = Counter(each.kind for each in asked)
    return {
        kind: {
            "asked": count,
            "few_answers": sum(each.real < 2 for each in asked if each.kind == kind),
            "answered": sum(each.settles for each in asked if each.kind == kind),
        }
        for kind, count in kinds.most_common()
    }


def _played(played: Sequence[Played]) -> dict[str, Any]:
    count = len(played)
    asked = [len(each.asked) for each in played]
    return {
        "photos": count,
        "questions": sum(asked),
        "questions_mean": sum(asked) / count,
        "questions_most": max(asked),
        "at_most_one_question": sum(number <= 1 for number in asked) / count,
        "at_most_two_questions": sum(number <= 2 for number in asked) / count,
        "right": sum(each.right for each in played) / count,
        "sure": sum(each.sure for each in played) / count,
        **_sure_and_wrong([(each.sure, each.right) for each in played]),
        **{key: sum(getattr(each, key) for each in played) for key in COUNTED},
        "kinds": _kinds([each for end in played for each in end.asked]),
    }
