"""Calibration of confidences: whether 90% of what was read with 90% confidence is right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from waymark.bench.bounds import lower_bound, upper_bound
from waymark.bench.metric import Measured

BINS = 10
#: A predicted probability (0 to 1), and whether the prediction was right.
Prediction = tuple[float, bool]


def reliability(rows: Sequence[Measured]) -> dict[str, Any]:
    """The calibration curves of card confidences and of doubts, and the share of correct scores among sure
    and unsure ones."""
    return {
        "cards": curve(confidence for row in rows for confidence in row.card_confidences),
        "doubts": curve(confidence for row in rows for confidence in row.doubt_confidences),
        "scores": {
            "sure": _counted([row.outcome_exact for row in rows if row.sure]),
            "not_sure": _counted([row.outcome_exact for row in rows if not row.sure and row.error is None]),
        },
    }


def curve(predictions: Iterable[Prediction]) -> dict[str, Any]:
    """Calibration curve of predictions in bins of equal width: count, mean prediction, and observed share
    with its bounds. `gap` is the expected calibration error."""
    bins: list[list[Prediction]] = [[] for _ in range(BINS)]
    for predicted, came in predictions:
        bins[min(BINS - 1, max(0, int(predicted * BINS)))].append((predicted, came))
    count = sum(map(len, bins))
    told = [
        {"predicted": sum(predicted for predicted, _ in each) / len(each)}
        | _counted([came for _, came in each])
        for each in bins
        if each
    ]
    gap = sum(each["count"] * abs(each["predicted"] - each["right"]) for each in told)
    return {"count": count, "gap": gap / count if count else None, "bins": told}


def _counted(came: Sequence[bool]) -> dict[str, Any]:
    count, right = len(came), sum(came)
    return {
        "count": count,
        "right": right / count if count else None,
        "low": lower_bound(right, count),
        "high": upper_bound(right, count),
    }
