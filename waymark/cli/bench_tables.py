"""Tables that `waymark bench` prints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from scorer.text import Language
from waymark.bench import told
from waymark.bench.table_report import tables_told
from waymark.cli.tables import print_line
from waymark.phrases import say


def print_bench(console: Console, report: Mapping[str, Any], folder: str, language: Language) -> None:
    """Print one row for each photo, the totals, and the reliability of the sure readings."""
    console.print(f"[bold]{escape(say(language, 'bench.title', folder=folder))}[/]")
    if "tables" in report:
        _print_tables(console, report["tables"], language)
    if not report["photos"]:
        return
    table = Table(show_footer=True)
    total = report["total"]
    columns: list[tuple[str, str]] = [
        ("bench.photo", say(language, "bench.total", count=total["photos"])),
        ("bench.cards", told.percent(total["every_card_right"])),
        ("bench.tableau", told.percent(total["tableau_exact"])),
        ("bench.path", told.percent(total["path_exact"])),
        ("bench.counts", told.percent(total["counts_exact"])),
        ("bench.marks", f"{total['marks_f1']:.3f}"),
        ("bench.sure", told.percent(total["sure"])),
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
    console.print(table)
    for photo, words in told.unread(report, language):
        print_line(console, f"{photo}{say(language, 'bench.colon')}{words}", language)
    print_line(console, told.sure_and_wrong_sentence(total, language), language)
    _print_summary(console, report, language)
    names, groups = told.groups(report, language, ended_right=False)
    if len(groups) > 1:
        _print_told(console, names, groups)
    if "comparison" in report:
        _print_comparison(console, report, language)
    stages = say(language, "list.comma").join(
        f"{stage} {milliseconds / 1000:.2f}" for stage, milliseconds in total["stages_ms_median"].items()
    )
    print_line(console, say(language, "bench.stages", stages=stages, jobs=report["jobs"]), language)
    if total["decodes_median"] is not None:
        decodes, cpu = (f"{total[name]:.1f}" for name in ("decodes_median", "cpu_decodes_median"))
        print_line(console, say(language, "bench.decodes", decodes=decodes, cpu=cpu), language)


def _print_tables(console: Console, report: Mapping[str, Any], language: Language) -> None:
    """Print one row for each table of groups, then their summary statistics."""
    keys = ("photo", "cards", "lines_right", "result_right", "all_groups_right", "sure", "table_questions")
    table = Table()
    for key in keys:
        table.add_column(say(language, f"bench.{key}"), justify="left" if key == "photo" else "right")
    for row in report["tables"]:
        cards = f"{row['cards_right']}/{row['card_count']}" + f" +{row['cards_extra']}" * bool(
            row["cards_extra"]
        )
        photos = escape(" + ".join(row["photos"]))
        if row["error"] or not row["whole"]:
            table.add_row(photos, cards)
            continue
        told_of = (row["result_right"], row["right"], row["sure"])
        lines = f"{row['lines_right']}/{row['lines']}"
        table.add_row(
            photos, cards, lines, *map(_tick, told_of), str(len(row["players"]["careful"]["asked"]))
        )
    console.print(table)
    for row in report["tables"]:
        if row["error"]:
            words = say(language, "bench.failed", message=row["error_ja" if language == "ja" else "error"])
            print_line(console, f"{row['photos'][0]}{say(language, 'bench.colon')}{words}", language)
    _print_told(console, *tables_told(report, language))


def _print_summary(console: Console, report: Mapping[str, Any], language: Language) -> None:
    """Print the summary statistics of the reading and of each player, for all photos and for each tier."""
    names = [say(language, "bench.total", count=report["total"]["photos"]), *list(told.columns(report))[1:]]
    _print_told(console, ["", *names], told.summary(report, language))
    for name in report["total"]["players"]:
        wrong = [row["photo"] for row in report["photos"] if row["players"][name]["sure_and_wrong"]]
        if wrong:
            player = say(language, f"bench.player.{name}")
            listed = say(language, "list.comma").join(wrong)
            print_line(console, say(language, "bench.ended_wrong", player=player, photos=listed), language)


def _print_told(console: Console, names: Sequence[str], lines: Iterable[told.Told]) -> None:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for number, name in enumerate(names):
        table.add_column(
            escape(name), justify="right" if number else "left", no_wrap=not number, overflow="fold"
        )
    for line in lines:
        values = zip(line.values, line.bad, strict=True)
        table.add_row(escape(line.name), *(f"[red]{value}[/]" if bad else value for value, bad in values))
    console.print(table)


def _print_comparison(console: Console, report: Mapping[str, Any], language: Language) -> None:
    """Print the statistics of both runs side by side, then the photos that are worse and those that are
    better."""
    print_line(console, told.glance(report, language), language)
    _print_told(console, told.change_columns(language), told.changes(report, language))
    for each in told.changed_photos(report, language):
        photos = say(language, "list.comma").join(each.values)
        print_line(console, each.name + say(language, "bench.colon") + photos, language)


def _tick(good: bool) -> str:
    return "[green]✓[/]" if good else "[red]✗[/]"


def print_board_bench(console: Console, report: Mapping[str, Any], folder: str, language: Language) -> None:
    """Print the accuracy of the reading of board photos."""
    total = report["total"]
    photos = total["photos"]
    console.print(f"[bold]{say(language, 'bench.board.title', folder=escape(folder), photos=photos)}[/]")
    table = Table()
    table.add_column("")
    table.add_column("", justify="right", style="bold")
    for name in ("tiles", "pieces", "board", "held", "turns", "sure", "wrong"):
        right, count = total[name]
        table.add_row(say(language, f"bench.board.{name}"), f"{right} / {count}")
    table.add_row(say(language, "bench.board.questions"), f"{total['questions']}")
    for player, end in total["players"].items():
        name = say(language, f"bench.player.{player}") + say(language, "bench.colon")
        table.add_row(name + say(language, "bench.board.board"), f"{end['right']} / {end['photos']}")
        table.add_row(name + say(language, "bench.board.wrong"), f"{end['sure_and_wrong']} / {end['sure']}")
    if total["cpu_seconds_median"] is not None:
        table.add_row(say(language, "bench.board.seconds"), f"{total['cpu_seconds_median']:.2f}")
    console.print(table)
