"""Comparison of two runs over the same photos: which run is better for each statistic, with a sign test."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

import msgspec

from scorer.errors import Code, WaymarkError
from scorer.text import Text
from waymark.bench.report import FORMAT

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Figure:
    """A statistic of a photo: its `name`, a function from the row to its `value`, and whether `larger` is
    better."""

    name: str
    value: Callable[[Row], float]
    larger: bool = True


#: Statistics that are compared, for each reading and for each player's result.
READING = ("every_card_right", "tableau_exact", "path_exact", "counts_exact", "outcome_exact", "marks_f1")
END = ("right", "sure")


def read_report(data: bytes, name: str) -> dict[str, Any]:
    """The report that an earlier run wrote with `--json`. Raises `WaymarkError` (usage)."""
    try:
        report = msgspec.json.decode(data)
        if isinstance(report, dict) and report.get("format") == FORMAT:
            return report
    except (msgspec.DecodeError, UnicodeDecodeError):
        pass
    raise WaymarkError(
        Code.USAGE,
        Text("{name!r} is not an answer of waymark bench; name a file that it wrote with --json.", name=name),
    )


def comparison(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """The figures of the photos that both runs have: their means before and now, the photos that are better
    and worse, and `chance`, how often a coin would part them so unevenly (sign test, both sides). Players are
    compared that answered in both."""
    rows, earlier = ({row["photo"]: row for row in report["photos"]} for report in (now, before))
    both = [photo for photo in rows if photo in earlier]
    players = [name for name in now["total"].get("players", {}) if name in before["total"].get("players", {})]
    return {
        "photos": len(both),
        "only_before": sorted(earlier.keys() - rows.keys()),
        "only_now": sorted(rows.keys() - earlier.keys()),
        "figures": {
            figure.name: _compared(
                figure, {photo: (figure.value(earlier[photo]), figure.value(rows[photo])) for photo in both}
            )
            for figure in _figures(players)
            if both
        },
    }


def _figures(players: Sequence[str]) -> Iterator[Figure]:
    yield Figure("sure_and_wrong", lambda row: row["sure"] and not row["outcome_exact"], larger=False)
    for player in players:
        yield Figure(f"{player}.sure_and_wrong", _end(player, "sure_and_wrong"), larger=False)
    for name in READING:
        yield Figure(name, itemgetter(name))
    yield Figure("sure_and_right", lambda row: row["sure"] and row["outcome_exact"])
    for player in players:
        for name in END:
            yield Figure(f"{player}.{name}", _end(player, name))
        yield Figure(f"{player}.questions", _end(player, "questions"), larger=False)


def _end(player: str, name: str) -> Callable[[Row], float]:
    return lambda row: float(row["players"][player][name])


def _compared(figure: Figure, pairs: Mapping[str, tuple[float, float]]) -> dict[str, Any]:
    more = sorted(photo for photo, (before, now) in pairs.items() if now > before)
    less = sorted(photo for photo, (before, now) in pairs.items() if now < before)
    better, worse = (more, less) if figure.larger else (less, more)
    return {
        "before": sum(before for before, _ in pairs.values()) / len(pairs),
        "now": sum(now for _, now in pairs.values()) / len(pairs),
        "better": better,
        "worse": worse,
        "chance": sign_test(len(better), len(worse)),
    }


def sign_test(better: int, worse: int) -> float:
    """Two-sided p-value of the sign test: the probability that a fair coin falls at least so unevenly. 1
    where nothing changed."""
    tosses, fewer = better + worse, min(better, worse)
    return min(1.0, 2 * sum(math.comb(tosses, k) for k in range(fewer + 1)) / (1 << tosses))
