"""The figures of tables on which several groups draw, as JSON-ready data and in words."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from scorer.text import Language
from waymark.bench.bounds import upper_bound
from waymark.bench.players import PLAYERS
from waymark.bench.table_players import TablePlayed
from waymark.bench.tables import TableMeasured
from waymark.bench.told import Told, percent
from waymark.phrases import say

#: Groups of tables in the report: each read from one photo that shows it whole, each read from several
#: photos together, and photos that show a part of one.
SETS = ("one_photo", "together", "parts")


def table_report(rows: Sequence[TableMeasured]) -> dict[str, Any]:
    """The measurements of all tables, with summary statistics for each set in `SETS`. Shares are 0 to 1,
    and null where there is nothing to divide by."""
    sets = {
        "one_photo": [row for row in rows if row.whole and len(row.photos) == 1],
        "together": [row for row in rows if row.whole and len(row.photos) > 1],
        "parts": [row for row in rows if not row.whole],
    }
    return {
        "tables": [msgspec.to_builtins(row) | {"every_card_right": row.every_card_right} for row in rows],
        **{name: _figures(sets[name]) for name in SETS},
    }


def _figures(rows: Sequence[TableMeasured]) -> dict[str, Any]:
    count, lines = len(rows), sum(row.lines for row in rows)
    sure = sum(row.sure for row in rows)
    wrong = sum(row.sure and not row.right for row in rows)

    def share(predicate: Callable[[TableMeasured], bool]) -> float | None:
        return sum(map(predicate, rows)) / count if count else None

    return {
        "photos": count,
        "unread": sum(row.error is not None for row in rows),
        "every_card_right": share(lambda row: row.every_card_right),
        "cards_right": sum(row.cards_right for row in rows) / max(sum(row.card_count for row in rows), 1),
        "lines": lines,
        "lines_right": sum(row.lines_right for row in rows) / lines if lines else None,
        "lines_exact": sum(row.lines_exact for row in rows) / lines if lines else None,
        "every_line_right": share(lambda row: row.lines_right == row.lines),
        "result_right": share(lambda row: row.result_right),
        "right": share(lambda row: row.right),
        "sure": share(lambda row: row.sure),
        "sure_count": sure,
        "sure_and_wrong_count": wrong,
        "sure_and_wrong_bound": upper_bound(wrong, count),
        "wrong_among_sure_bound": upper_bound(wrong, sure),
        "players": {
            player: _ends([row.players[player] for row in rows if player in row.players], count)
            for player in PLAYERS
        },
        "cpu_seconds_median": statistics.median(row.cpu_seconds for row in rows) if rows else None,
    }


def _ends(played: Sequence[TablePlayed], count: int) -> dict[str, Any]:
    """Summary statistics of one player over `count` tables; tables that could not be read count as not
    right."""
    wrong = sum(each.sure_and_wrong for each in played)

    def share(number: int) -> float | None:
        return number / count if count else None

    return {
        "photos": count,
        "questions_mean": share(sum(len(each.asked) for each in played)),
        "left_open_mean": share(sum(each.left_open for each in played)),
        "result_right": share(sum(each.result_right for each in played)),
        "right": share(sum(each.right for each in played)),
        "sure": share(sum(each.sure for each in played)),
        "sure_count": sum(each.sure for each in played),
        "sure_and_wrong_count": wrong,
        "sure_and_wrong_bound": upper_bound(wrong, count),
    }


def _share(key: str) -> Callable[[Mapping[str, Any]], str]:
    return lambda figures: percent(figures[key])


def _wrong(key: str) -> Callable[[Mapping[str, Any]], str]:
    return lambda figures: (
        f"{figures[f'{key}_count']} / {figures['photos']} ≤{percent(figures[f'{key}_bound'])}"
    )


#: Statistics of the reading of tables in the report, with their formats.
_WRITTEN: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "tables": lambda figures: str(figures["photos"]),
    "every_card_right": _share("every_card_right"),
    "lines_right": lambda figures: f"{percent(figures['lines_right'])} ({figures['lines']})",
    "every_line_right": _share("every_line_right"),
    "result_right": _share("result_right"),
    "all_groups_right": _share("right"),
    "sure": _share("sure"),
    "sure_and_wrong_count": _wrong("sure_and_wrong"),
}
#: Statistics of each player's results, with their formats.
_PLAYED: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "table_questions": lambda figures: f"{figures['questions_mean'] or 0:.2f}",
    "result_right": _share("result_right"),
    "all_groups_right": _share("right"),
    "sure": _share("sure"),
    "sure_and_wrong_count": _wrong("sure_and_wrong"),
}


def tables_told(report: Mapping[str, Any], language: Language) -> tuple[list[str], list[Told]]:
    """The column headings of a `table_report` and one text row for each statistic."""
    sets = [name for name in SETS if report[name]["photos"]]
    names = ["", *(say(language, f"bench.{name}") for name in sets)]
    lines = [
        _told(say(language, f"bench.{key}"), key, write, [report[name] for name in sets])
        for key, write in _WRITTEN.items()
    ]
    for player in PLAYERS:
        ends = [report[name]["players"][player] for name in sets]
        who = say(language, f"bench.player.{player}") + say(language, "bench.colon")
        lines += [
            _told(who + say(language, f"bench.{key}"), key, write, ends) for key, write in _PLAYED.items()
        ]
    return names, lines


def _told(
    name: str, key: str, write: Callable[[Mapping[str, Any]], str], figures: Sequence[Mapping[str, Any]]
) -> Told:
    """One text row of the report; values that are sure and wrong are marked as bad."""
    bad = key == "sure_and_wrong_count"
    return Told(name, tuple(map(write, figures)), tuple(bad and each[key] > 0 for each in figures))
