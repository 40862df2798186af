"""What the commands print for people: tables of scans, rulings, decks and measurements. They take
JSON-ready values (CONTRACT sections 3 and 4 as dicts), so that a person is told exactly what a program is
told."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from scorer.mapmasters.objectives import VP_EACH
from scorer.mapmasters.score_sheet import ROUNDS
from scorer.text import Language
from waymark.cli.answers import STANDARD_STREAM
from waymark.phrases import counted, find_name, means_name, reading_key, say

if TYPE_CHECKING:
    from calibration.deck_check import DeckReport


def _line(console: Console, text: str, language: Language) -> None:
    """A sentence on a line of its own. Rich breaks lines at spaces, which Japanese has none of; there the
    terminal does it."""
    console.print(text, markup=False, soft_wrap=language == "ja")


def _shown(name: str, language: Language) -> str:
    """An input's name in a title."""
    return say(language, "input.standard") if name == STANDARD_STREAM else escape(Path(name).name)


#: Behind a stroke in a question's options: how many places it has.
_PLACE_COUNT = re.compile(r"\((\d+)\)")


def print_scan(console: Console, scan: Mapping[str, Any], name: str, language: Language) -> None:
    """The cards, the strokes, and what is in doubt."""
    console.print(f"[bold]{say(language, 'scan.title', photo=_shown(name, language))}[/]")
    table = Table()
    table.add_column("#", justify="right")
    table.add_column(say(language, "scan.card"), style="bold")
    table.add_column(say(language, "scan.place"), justify="right")
    table.add_column(say(language, "scan.turned"))
    table.add_column(say(language, "scan.confidence"), justify="right")
    for index, (placed, seen) in enumerate(zip(scan["tableau"]["cards"], scan["cards"], strict=True)):
        rotation = placed["rotation"]
        table.add_row(
            str(index),
            escape(placed["card"]),
            f"{round(placed['x'])}, {round(placed['y'])}",
            f"{rotation}°" if rotation else say(language, "scan.upright"),
            f"{seen['confidence']:.0%}",
        )
    console.print(table)
    for number, stroke in enumerate(scan["tableau"]["path"], 1):
        _line(console, f"{say(language, 'scan.stroke', number=number)}: {' → '.join(stroke)}", language)
    print_notation(console, scan["notation"], language)
    for warning in scan["photo"].get("warnings", ()):
        _line(console, say(language, "scan.warning", warning=warning), language)
    _line(console, say(language, reading_key(scan["sure"], scan["questions"])), language)
    for question in scan["questions"]:
        _line(console, question_line(question, language), language)


def print_notation(console: Console, notation: str, language: Language) -> None:
    """The tableau and its path as one line to copy: it is left to the terminal to break it."""
    console.print(f"{say(language, 'notation')}: {escape(notation)}", soft_wrap=True)


def question_line(question: Mapping[str, Any], language: Language) -> str:
    """One question as one line: what is asked, where, why, and the options. Where those are paths, the number
    behind each stroke is said to be that of its places."""
    options = " / ".join(map(str, question["options"]))
    if question["about"] in ("path", "direction"):
        options = _PLACE_COUNT.sub(lambda match: say(language, "question.places", count=match[1]), options)
    return say(
        language,
        "question.line",
        asks=say(language, f"question.{question['about']}"),
        place=question.get("place") or "-",
        reason=question["reason"],
        options=options,
    )


def print_ruling(console: Console, ruling: Mapping[str, Any], name: str, language: Language) -> None:
    """What was discovered and what it is worth, how the path ended and why; what people should look at."""
    console.print(f"[bold]{say(language, 'ruling.title')}: {_shown(name, language)}[/]")
    table = Table()
    table.add_column(say(language, "ruling.found"))
    table.add_column(say(language, "ruling.count"), justify="right", style="bold")
    discovered = {find: count for find, count in ruling["discovered"].items() if count}
    for find in VP_EACH:
        if find in discovered:
            table.add_row(find_name(language, find), str(discovered[find]))
    if not discovered:
        table.add_row(say(language, "ruling.nothing"), "0")
    console.print(table)

    facts = Table.grid(padding=(0, 2))
    facts.add_column(style="bold")
    facts.add_column(overflow="fold")
    for column in ("primary", "secondary"):
        if objective := ruling[column]:
            facts.add_row(say(language, f"ruling.{column}"), _objective_words(objective, language))
    facts.add_row(say(language, "ruling.coins"), str(ruling["coins"]))
    facts.add_row(say(language, "ruling.escaped"), say(language, "yes" if ruling["escaped"] else "no"))
    facts.add_row(
        say(language, "ruling.legal"), say(language, f"ruling.legal.{'yes' if ruling['legal'] else 'no'}")
    )
    used = [f"{find_name(language, find)} {count}" for find, count in ruling["optimizers"].items() if count]
    if used:
        facts.add_row(say(language, "ruling.optimizers"), say(language, "list.comma").join(used))
    spent = [f"{means_name(language, payment['means'])} ({payment['at']})" for payment in ruling["spent"]]
    if spent:
        facts.add_row(say(language, "ruling.spent"), escape(say(language, "list.comma").join(spent)))
    console.print(facts)
    for fault in ruling["placement"]:
        _line(console, f"{say(language, 'ruling.placement')}: {in_language(fault, language)}", language)
    if changed := ruling["settings"]:
        listed = say(language, "list.comma").join(f"{name}={value}" for name, value in changed.items())
        _line(console, say(language, "ruling.settings", settings=listed), language)
    if "told" not in ruling:  # else it is told below the walk
        _line(console, in_language(ruling["why"], language), language)
    if direction := ruling["direction"]:
        _line(console, in_language(direction, language), language)
    if other := ruling.get("other_direction"):
        _line(console, _worth_line(ruling, language), language)
        _line(console, _worth_line(other, language), language)
    if ruling.get("doubted"):
        _line(console, say(language, "ruling.doubted"), language)
    for note in ruling["payments"]:
        _line(console, in_language(note, language), language)
    if ruling["marks"]:
        _line(console, say(language, "ruling.marks"), language)
        for note in ruling["marks"]:
            _line(console, f"- {in_language(note, language)}", language)


def _objective_words(objective: Mapping[str, Any], language: Language) -> str:
    return (
        f"{find_name(language, objective['objective'])} x {objective['count']} = "
        f"{objective['vp']} {say(language, 'ruling.vp')}"
    )


def _worth_line(ruling: Mapping[str, Any], language: Language) -> str:
    """Where a path starts and what it is then worth, on one line."""
    comma = say(language, "list.comma")
    found = [f"{find_name(language, find)} {count}" for find, count in ruling["discovered"].items() if count]
    scored = [
        _objective_words(ruling[column], language) for column in ("primary", "secondary") if ruling[column]
    ]
    return say(
        language,
        "ruling.worth",
        place=ruling["steps"][0]["place"] if ruling["steps"] else "-",
        found=comma.join(found) or say(language, "ruling.nothing"),
        scored="".join(f"{comma}{words}" for words in scored),
        escaped=say(language, "ruling.worth.escaped" if ruling["escaped"] else "ruling.worth.inside"),
    )


def print_walk(console: Console, ruling: Mapping[str, Any], name: str, language: Language) -> None:
    """The walk, one row a step, to be followed with a finger on the cards; then why it ended."""
    suffix = "_ja" if language == "ja" else ""
    console.print(f"[bold]{say(language, 'walk.title')}: {_shown(name, language)}[/]")
    table = Table()
    table.add_column("#", justify="right")
    table.add_column(say(language, "walk.place"), style="bold", no_wrap=True)
    table.add_column(say(language, "walk.what"), overflow="fold")
    table.add_column(say(language, "walk.held"), overflow="fold")
    for step in ruling["told"]:
        row = str(step["number"]), step["place"], step[f"what{suffix}"], step[f"held{suffix}"]
        table.add_row(*map(escape, row))
    console.print(table)
    why = ruling["why"]
    ended = {"rule": why["rule"], "section": why[f"section{suffix}"], "sentence": in_language(why, language)}
    _line(console, say(language, "walk.ended", **ended), language)


def print_final(console: Console, final: Mapping[str, Any], name: str, language: Language) -> None:
    """Every column of every player, and who won by what."""
    whole = final["rounds"] >= ROUNDS
    title = say(language, "final.title" if whole else "final.so_far", rounds=final["rounds"], of=ROUNDS)
    console.print(f"[bold]{title}: {_shown(name, language)}[/]")
    table = Table()
    table.add_column(say(language, "final.rank"), justify="right")
    table.add_column(say(language, "final.name"), style="bold", overflow="fold")
    columns = ("primary", "secondary", "time_bonus", "escape_bonus", "coins", "total")
    for column in columns:
        table.add_column(say(language, f"final.{column}"), justify="right")
    for player in sorted(final["players"], key=lambda each: each["rank"]):
        table.add_row(
            str(player["rank"]), escape(player["name"]), *(str(player[column]) for column in columns)
        )
    console.print(table)
    by = final["decided_by"]
    key = f"final.won.{by}" if whole else f"final.leads.{by}"
    winners = say(language, "list.comma").join(final["winners"])
    total = max(player["total"] for player in final["players"])
    _line(console, say(language, key, winners=winners, total=total), language)


def in_language(sentence: Mapping[str, Any], language: Language) -> str:
    """The `message` of a ruling's violation, fault or reason."""
    return str(sentence["message_ja" if language == "ja" else "message"])


def print_deck_report(console: Console, report: DeckReport, language: Language) -> None:
    """Every finding, then how alike the faces are."""
    if report.findings:
        table = Table()
        for key in ("scan.card", "deck.place", "deck.fault"):
            table.add_column(say(language, key), overflow="fold")
        for finding in report.findings:
            table.add_row(escape(finding.card), escape(finding.place), escape(finding.sentence(language)))
        console.print(table)
    key = "deck.faults" if report.findings else "deck.clean"
    console.print(
        escape(
            say(
                language,
                key,
                name=report.name,
                cards=counted(language, "card", report.card_count),
                faults=counted(language, "fault", len(report.findings)),
            )
        )
    )
    for key, nearest in (("deck.nearest", report.nearest), ("deck.nearest_layouts", report.nearest_layouts)):
        if nearest:
            a, b = nearest.cards
            _line(console, say(language, key, a=a, b=b, distance=nearest.distance), language)


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
    rows = report["photos"]
    sure = [row for row in rows if row["sure"]]
    exact = sum(row["outcome_exact"] for row in sure)
    console.print(
        say(
            language,
            "bench.exact_of_sure",
            exact=exact,
            sure=len(sure),
            wrong=len(sure) - exact,
            count=len(rows),
            share=total["sure_and_wrong"],
        )
    )
    stages = say(language, "list.comma").join(
        f"{stage} {milliseconds / 1000:.2f}" for stage, milliseconds in total["stages_ms_median"].items()
    )
    _line(console, say(language, "bench.stages", stages=stages), language)


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"


def _tick(good: bool) -> str:
    return "[green]✓[/]" if good else "[red]✗[/]"
