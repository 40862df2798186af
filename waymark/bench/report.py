"""A run as JSON-ready data: its photos, their totals, the groups that they fall into, how far confidences
can be trusted, and which went worst."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any

import msgspec

from waymark.bench.figures import COUNTED, figures
from waymark.bench.groups import grouped
from waymark.bench.metric import Measured
from waymark.bench.players import Played
from waymark.bench.reliability import reliability
from waymark.bench.worst import worst

FORMAT = "waymark-bench/1"


def report(measured: Sequence[Measured], jobs: int = 1) -> dict[str, Any]:
    """The report of a run as JSON-ready data; `jobs` photos were read at a time. Shares are 0 to 1, and
    null where there is nothing to divide by."""
    return {
        "format": FORMAT,
        "jobs": jobs,
        "photos": [_row(row) for row in measured],
        "total": figures(measured) | _costs([row for row in measured if row.error is None]),
        "groups": {
            name: {value: figures(rows) for value, rows in values.items()}
            for name, values in grouped(measured).items()
        },
        "reliability": reliability(measured),
        "worst": [row.photo for row in worst(measured)],
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
        **{name: getattr(played, name) for name in COUNTED},
        "asked": msgspec.to_builtins(played.asked),
    }


def _costs(read: Sequence[Measured]) -> dict[str, Any]:
    """Time and memory of the photos that were read. `decodes_median` is the median reading time in
    multiples of the time of bare JPEG decoding. `cpu_decodes_median` is the same for processor time, which
    other load does not change."""
    seconds = sorted(row.seconds for row in read)
    decodes = [row.seconds / row.decode_seconds for row in read if row.decode_seconds]
    cpu_decodes = [row.cpu_seconds / row.decode_cpu_seconds for row in read if row.decode_cpu_seconds]
    stages = sorted({stage for row in read for stage in row.stages_ms})
    return {
        "seconds_median": statistics.median(seconds) if seconds else None,
        "seconds_worst": seconds[-1] if seconds else None,
        "decodes_median": statistics.median(decodes) if decodes else None,
        "cpu_decodes_median": statistics.median(cpu_decodes) if cpu_decodes else None,
        "cpu_seconds_median": statistics.median(row.cpu_seconds for row in read) if read else None,
        "stages_ms_median": {
            stage: statistics.median(row.stages_ms.get(stage, 0.0) for row in read) for stage in stages
        },
        "peak_mb": max((row.peak_mb for row in read), default=None),
    }
