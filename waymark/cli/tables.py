"""What the commands print for people: tables of scans, rulings, decks and measurements. Rulings and scores
are printed as their game reports them; scans and measurements as they are written in JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from scorer.game import FinalScore, Game
from scorer.text import NO_WORDS, Language
from waymark.cli.answers import STANDARD_STREAM
from waymark.cli.refereeing import Refereed
from waymark.phrases import counted, reading_key, say

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
    for index, (place, seen) in enumerate(zip(_places(scan), scan["cards"], strict=False)):
        rotation = seen.get("rotation")
        table.add_row(
            str(index),
            escape(str(seen["card"])),
            place,
            f"{rotation}°" if rotation else say(language, "scan.upright"),
            f"{seen['confidence']:.0%}",
        )
    console.print(table)
    for number, stroke in enumerate(scan.get("tableau", {}).get("path", ()), 1):
        _line(console, f"{say(language, 'scan.stroke', number=number)}: {' → '.join(stroke)}", language)
    if notation := scan.get("notation"):
        print_notation(console, notation, language)
    for warning in scan["photo"].get("warnings", ()):
        _line(console, say(language, "scan.warning", warning=warning), language)
    _line(console, say(language, reading_key(scan["sure"], scan["questions"])), language)
    for question in scan["questions"]:
        _line(console, question_line(question, language), language)


def _places(scan: Mapping[str, Any]) -> Iterator[str]:
    """Where each card of a scan lies: its corner in mm, or its column and row on a board, both from 1."""
    if "tableau" in scan:
        yield from (f"{round(card['x'])}, {round(card['y'])}" for card in scan["tableau"]["cards"])
        return
    board = scan["board"]
    for piece in (*board.get("tiles", ()), *board.get("spare", ()), *board.get("pieces", ())):
        told = "column" in piece and piece["column"] is not None
        yield f"{piece['column'] + 1}, {piece['row'] + 1}" if told else "-"
    yield from repeat("-")


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


def print_ruling(console: Console, refereed: Refereed, name: str, language: Language) -> None:
    """What was counted and what it is worth, how it ended and why; what people should look at."""
    game, report = refereed.game, refereed.game.report(refereed.ruling)
    console.print(f"[bold]{say(language, 'ruling.title')}: {_shown(name, language)}[/]")
    table = Table()
    table.add_column(say(language, "ruling.found"))
    table.add_column(say(language, "ruling.count"), justify="right", style="bold")
    for what, count in report.counts:
        table.add_row(escape(game.vocabulary.name(what).message(language)), str(count))
    if not report.counts:
        table.add_row(say(language, "ruling.nothing"), "0")
    console.print(table)

    facts = Table.grid(padding=(0, 2))
    facts.add_column(style="bold")
    facts.add_column(overflow="fold")
    for fact in report.facts:
        facts.add_row(escape(fact.about.message(language)), escape(fact.words.message(language)))
    console.print(facts)
    for fault in report.faults:
        _line(console, f"{say(language, 'ruling.placement')}: {fault.message(language)}", language)
    if changed := _house_rules(refereed):
        listed = say(language, "list.comma").join(f"{name}={value}" for name, value in changed.items())
        _line(console, say(language, "ruling.settings", settings=listed), language)
    if refereed.steps is None:  # else it is told below them
        _line(console, game.why(refereed.ruling).words.message(language), language)
    if report.chosen != NO_WORDS:
        _line(console, report.chosen.message(language), language)
    if refereed.other is not None:
        for ruling in (refereed.ruling, refereed.other):
            _line(console, f"  {game.report(ruling).brief.message(language)}", language)
    if refereed.doubted:
        _line(console, say(language, "ruling.doubted"), language)
    for note in report.notes:
        _line(console, note.message(language), language)


def _house_rules(refereed: Refereed) -> dict[str, Any]:
    """The house rules that a ruling was made under, those that differ from the usual."""
    house = {term.id for term in refereed.game.terms if term.group == "house"}
    values = refereed.game.term_values(refereed.terms)
    return {name: value for name, value in values.items() if name in house}


def print_walk(console: Console, refereed: Refereed, name: str, language: Language) -> None:
    """What happened, one row a step, to be followed with a finger on the table; then why it ended."""
    console.print(f"[bold]{say(language, 'walk.title')}: {_shown(name, language)}[/]")
    table = Table()
    table.add_column("#", justify="right")
    table.add_column(say(language, "walk.place"), style="bold", no_wrap=True)
    table.add_column(say(language, "walk.what"), overflow="fold")
    table.add_column(say(language, "walk.held"), overflow="fold")
    for step in refereed.steps or ():
        row = str(step.number), step.place, step.what.message(language), step.held.message(language)
        table.add_row(*map(escape, row))
    console.print(table)
    why = refereed.game.why(refereed.ruling)
    key = "walk.ended" if why.section != NO_WORDS else "walk.ended.plain"
    section, sentence = why.section.message(language), why.words.message(language)
    _line(console, say(language, key, rule=why.rule, section=section, sentence=sentence), language)


def print_final(console: Console, game: Game, final: FinalScore, name: str, language: Language) -> None:
    """Every column of every player, and who won by what."""
    rounds = game.sheet.rounds
    whole = final.rounds >= rounds
    title = say(language, "final.title" if whole else "final.so_far", rounds=final.rounds, of=rounds)
    console.print(f"[bold]{title}: {_shown(name, language)}[/]")
    table = Table()
    table.add_column(say(language, "final.rank"), justify="right")
    table.add_column(say(language, "final.name"), style="bold", overflow="fold")
    columns = game.sheet.final_columns
    for column in columns:
        label = column.label.message(language)
        table.add_column(escape(label[:1].lower() + label[1:]), justify="right")
    table.add_column(say(language, "final.total"), justify="right")
    for player in sorted(final.players, key=lambda each: each.rank):
        points = (str(player.columns[column.id]) for column in columns)
        table.add_row(str(player.rank), escape(player.name), *points, str(player.total))
    console.print(table)
    _line(console, (final.won if whole else final.leads).message(language), language)


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
