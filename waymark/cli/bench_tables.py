"""What `waymark bench` prints for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from scorer.text import Language
from waymark.cli.tables import print_line
from waymark.phrases import say

#: What is told of each player; the last five are counts of questions.
PLAYER_COLUMNS = (
    "player",
    "questions",
    "at_most_one",
    "at_most_two",
    "ended_right",
    "ended_sure",
    "ended_sure_and_wrong",
    "without_true_answer",
    "changed_nothing",
    "one_answer",
    "asked_again",
    "left_open",
)


def print_bench(console: Console, report: Mapping[str, Any], folder: str, language: Language) -> None:
    """One row a photo, the totals, and what the sure readings are worth."""
    console.print(f"[bold]{escape(say(language, 'bench.title', folder=folder))}[/]")
    table = Table(show_footer=True)
    total = report["total"]
    columns: list[tuple[str, str]] = [
        ("bench.photo", say(language, "bench.total", count=total["photos"])),
        ("bench.cards", f"{_percent(total['every_card_right'])}"),
        ("bench.tableau", _percent(total["tableau_exact"])),
        ("bench.path", _percent(total["path_exact"])),
        ("bench.counts", _percent(total["counts_exact"])),
        ("bench.marks", f"{total['marks_f1']:.3f}"),
        ("bench.sure", _percent(total["sure"])),
        ("bench.seconds", f"{total['seconds_median'] or 0:.2f}"),
        ("bench.memory", f"{total['peak_mb'] or 0:.0f}"),
    ]
    for key, footer in columns:
        table.add_column(
            say(language, key), footer, justify="left" if key == "bench.photo" else "right", no_wrap=True
        )
    for row in report["photos"]:
        table.add_row(
            escape(row["photo"]),
            f"{row['cards_right']}/{row['card_count']}"
            + f" +{row['cards_extra']}" * bool(row["cards_extra"]),
            *(_tick(row[key]) for key in ("tableau_exact", "path_exact", "counts_exact")),
            f"{row['marks_f1']:.2f}",
            _tick(row["sure"]),
            f"{row['seconds']:.2f}",
            f"{row['peak_mb']:.0f}",
        )
        if row["error"]:
            table.add_row(escape(say(language, "bench.failed", message=row["error"])))
    console.print(table)
    print_line(console, _sure_and_wrong(total, total["photos"], language), language)
    _print_players(console, report, language)
    stages = say(language, "list.comma").join(
        f"{stage} {milliseconds / 1000:.2f}" for stage, milliseconds in total["stages_ms_median"].items()
    )
    print_line(console, say(language, "bench.stages", stages=stages), language)


def _sure_and_wrong(total: Mapping[str, Any], photos: int, language: Language) -> str:
    """Both shares, each with its n and its bound."""
    return say(
        language,
        "bench.sure_and_wrong",
        wrong=total["sure_and_wrong_count"],
        sure=total["sure_count"],
        of_sure=_percent(total["wrong_among_sure_bound"]),
        count=photos,
        of_all=_percent(total["sure_and_wrong_bound"]),
    )


def _print_players(console: Console, report: Mapping[str, Any], language: Language) -> None:
    """How the photos ended for each simulated player."""
    photos, players = report["photos"], report["total"]["players"]
    if not players:
        return
    table = Table()
    for key in PLAYER_COLUMNS:
        table.add_column(say(language, f"bench.{key}"), justify="left" if key == "player" else "right")
    for name, total in players.items():
        table.add_row(
            say(language, f"bench.player.{name}"),
            f"{total['questions_mean']:.2f}",
            _percent(total["at_most_one_question"]),
            _percent(total["at_most_two_questions"]),
            _percent(total["right"]),
            _percent(total["sure"]),
            str(total["sure_and_wrong_count"]),
            *(str(total[key]) for key in PLAYER_COLUMNS[7:]),
        )
    console.print(table)
    for name, total in players.items():
        words = say(language, f"bench.player.{name}")
        print_line(console, f"{words}: {_sure_and_wrong(total, len(photos), language)}", language)
        wrong = [row["photo"] for row in photos if row["players"][name]["sure_and_wrong"]]
        if wrong:
            listed = say(language, "list.comma").join(wrong)
            print_line(console, say(language, "bench.ended_wrong", player=words, photos=listed), language)


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"


def _tick(good: bool) -> str:
    return "[green]✓[/]" if good else "[red]✗[/]"
