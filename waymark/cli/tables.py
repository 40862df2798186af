"""Tables that the commands print: scans, rulings, decks and measurements. Rulings and scores are printed
as their game reports them, scans and measurements as in their JSON."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from scorer.game import Game
from scorer.sheet import FinalScore
from scorer.text import NO_WORDS, Language
from waymark.cli.answers import STANDARD_STREAM
from waymark.cli.refereeing import Refereed
from waymark.phrases import counted, reading_key, say
from waymark.review.tableau.doubt_kinds import Kind, kind_of

if TYPE_CHECKING:
    from calibration.decks.check import DeckReport
    from calibration.decks.scan import DeckScan


def print_line(console: Console, text: str, language: Language) -> None:
    """Print a sentence on a line of its own. Rich breaks lines only at spaces, so the terminal breaks
    Japanese ones."""
    console.print(text, markup=False, soft_wrap=language == "ja")


def _shown(name: str, language: Language) -> str:
    """An input's name as it appears in a title."""
    return say(language, "input.standard") if name == STANDARD_STREAM else escape(Path(name).name)


#: Number of places after each stroke in a question's options.
_PLACE_COUNT = re.compile(r"\((\d+)\)")
#: A board's cell in a question, column and row from 0.
_CELL = re.compile(r"(\d+),\s*(\d+)")


def print_scan(console: Console, scan: Mapping[str, Any], name: str, language: Language) -> None:
    """Print the cards, the strokes and the doubts of a scan."""
    console.print(f"[bold]{say(language, 'scan.title', photo=_shown(name, language))}[/]")
    table = Table()
    table.add_column("#", justify="right")
    table.add_column(say(language, "scan.card"), style="bold")
    table.add_column(say(language, "scan.cell" if "board" in scan else "scan.place"), justify="right")
    table.add_column(say(language, "scan.turned"))
    table.add_column(say(language, "scan.confidence"), justify="right")
    for index, (place, seen) in enumerate(zip(_places(scan), scan["cards"], strict=False)):
        rotation = seen.get("rotation")
        table.add_row(
            str(index),
            escape(seen["card"] or "-"),
            place,
            f"{rotation}°" if rotation else say(language, "scan.upright"),
            f"{seen['confidence']:.0%}",
        )
    console.print(table)
    for number, stroke in enumerate(scan.get("tableau", {}).get("path", ()), 1):
        print_line(console, f"{say(language, 'scan.stroke', number=number)}: {' → '.join(stroke)}", language)
    if notation := scan.get("notation"):
        print_notation(console, notation, language)
    for warning in scan["photo"].get("warnings", ()):
        print_line(console, say(language, "scan.warning", warning=warning), language)
    print_line(console, say(language, reading_key(scan["sure"], scan["questions"])), language)
    # Of many things beside a board the same may be asked.
    asked = Counter(question_line(question, language) for question in scan["questions"])
    for line, count in asked.items():
        print_line(console, f"{line} × {count}" if count > 1 else line, language)


def _places(scan: Mapping[str, Any]) -> Iterator[str]:
    """Position of each card of a scan: its corner in mm, or its column and row on a board, both from 1."""
    if "tableau" in scan:
        yield from (f"{round(card['x'])}, {round(card['y'])}" for card in scan["tableau"]["cards"])
        return
    board = scan["board"]
    for piece in (*board.get("tiles", ()), *board.get("spare", ()), *board.get("pieces", ())):
        told = "column" in piece and piece["column"] is not None
        yield f"{piece['column'] + 1}, {piece['row'] + 1}" if told else "-"
    yield from repeat("-")


def print_notation(console: Console, notation: str, language: Language) -> None:
    """Print a tableau and its path as one line of notation to copy; only the terminal breaks it."""
    console.print(f"{say(language, 'notation')}: {escape(notation)}", soft_wrap=True)


def question_line(question: Mapping[str, Any], language: Language) -> str:
    """A question as one line: subject, place, reason and options. For options that are paths, the number
    after each stroke is explained as its number of places."""
    options = " / ".join(map(str, question["options"]))
    asks, place = f"question.{question['about']}", _place(question, language)
    if kind_of(question.get("name", "")) is Kind.TABLEAU:
        asks, place = "question.tableau", ""
    if question["about"] in ("path", "direction"):
        options = _PLACE_COUNT.sub(lambda match: say(language, "question.places", count=match[1]), options)
    return say(
        language,
        "question.line",
        asks=say(language, asks),
        place=place,
        reason=question["reason"],
        options=options,
    )


def _place(question: Mapping[str, Any], language: Language) -> str:
    """The place of a question, or "" without one; a board's cells count from 1, as in the table."""
    place = question.get("place")
    if not place:
        return ""
    if cell := _CELL.fullmatch(str(place)):
        place = say(language, "question.cell", column=int(cell[1]) + 1, row=int(cell[2]) + 1)
    return f" ({place})"


def print_ruling(console: Console, refereed: Refereed, name: str, language: Language) -> None:
    """Print the counts with their points, the end of the path with its reason, and remarks."""
    console.print(f"[bold]{say(language, 'ruling.title')}: {_shown(name, language)}[/]")
    _print_counts(console, refereed, language)
    _print_facts(console, refereed, language)
    _print_remarks(console, refereed, language)


def _print_counts(console: Console, refereed: Refereed, language: Language) -> None:
    """Print the table of finds; omitted in games without lines where nothing is counted."""
    game, counts = refereed.game, refereed.report.counts
    table = Table()
    table.add_column(say(language, "ruling.found"))
    table.add_column(say(language, "ruling.count"), justify="right", style="bold")
    for what, count in counts:
        table.add_row(escape(game.words.vocabulary.name(what).message(language)), str(count))
    # Where no line is drawn, nothing is discovered on it.
    if not counts:
        table.add_row(say(language, "ruling.nothing"), "0")
    if counts or game.photo.habits.drawn:
        console.print(table)


def _print_facts(console: Console, refereed: Refereed, language: Language) -> None:
    """Print points and other facts of the ruling, faults of the tableau, and unusual house rules."""
    report = refereed.report
    facts = Table.grid(padding=(0, 2))
    facts.add_column(style="bold")
    facts.add_column(overflow="fold")
    for fact in report.facts:
        facts.add_row(escape(fact.about.message(language)), escape(fact.words.message(language)))
    console.print(facts)
    for fault in report.faults:
        about = f"{say(language, 'ruling.placement')}: " if refereed.game.photo.habits.drawn else ""
        print_line(console, f"{about}{fault.message(language)}", language)
    if changed := _house_rules(refereed):
        listed = say(language, "list.comma").join(f"{name}={value}" for name, value in changed.items())
        print_line(console, say(language, "ruling.settings", settings=listed), language)


def _print_remarks(console: Console, refereed: Refereed, language: Language) -> None:
    """Print why the path ended, alternative readings of the path, and notes."""
    game, report = refereed.game, refereed.report
    if refereed.steps is None:  # else it is told below them
        print_line(console, refereed.why.words.message(language), language)
    if report.chosen != NO_WORDS:
        print_line(console, report.chosen.message(language), language)
    if refereed.other is not None:
        for ruling in (refereed.ruling, refereed.other):
            print_line(console, f"  {game.words.report(ruling).brief.message(language)}", language)
    if refereed.doubted:
        print_line(console, say(language, "ruling.doubted"), language)
    for note in report.notes:
        print_line(console, note.message(language), language)


def _house_rules(refereed: Refereed) -> dict[str, Any]:
    """The house rules of a ruling that differ from the usual ones."""
    house = {term.id for term in refereed.game.rules.settings.terms if term.group == "house"}
    values = refereed.game.rules.settings.values(refereed.terms)
    return {name: value for name, value in values.items() if name in house}


def print_walk(console: Console, refereed: Refereed, name: str, language: Language) -> None:
    """Print the walk with one row for each step, to follow on the table, then the reason for its end. In
    games without lines, the deciding reason is printed."""
    drawn = refereed.game.photo.habits.drawn
    title = say(language, "walk.title" if drawn else "steps.title")
    console.print(f"[bold]{title}: {_shown(name, language)}[/]")
    steps = refereed.steps or ()
    holds = any(step.held != NO_WORDS for step in steps)
    table = Table()
    table.add_column("#", justify="right")
    table.add_column(say(language, "walk.place"), style="bold", no_wrap=True)
    table.add_column(say(language, "walk.what"), overflow="fold")
    if holds:
        table.add_column(say(language, "walk.held"), overflow="fold")
    for step in steps:
        row = [str(step.number), step.place, step.what.message(language)]
        row += [step.held.message(language)] if holds else []
        table.add_row(*map(escape, row))
    console.print(table)
    why = refereed.why
    with_section, plain = (
        ("walk.ended", "walk.ended.plain") if drawn else ("steps.ended", "steps.ended.plain")
    )
    key = with_section if why.section != NO_WORDS else plain
    section, sentence = why.section.message(language), why.words.message(language)
    print_line(console, say(language, key, rule=why.rule, section=section, sentence=sentence), language)


def print_final(console: Console, game: Game, final: FinalScore, name: str, language: Language) -> None:
    """Print every column of every player, and the winner with the reason."""
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
    print_line(console, (final.won if whole else final.leads).message(language), language)


def print_confusions(console: Console, scanned: DeckScan | None, language: Language) -> None:
    """Print the cards of one dungeon that a scan cannot tell apart, and how many similar cards were
    scanned."""
    if scanned is None or not scanned.scanned:
        return
    print_line(console, say(language, "deck.scanned", cards=counted("card", scanned.scanned)), language)
    told: set[frozenset[str]] = set()
    for each in scanned.confusions:
        group = frozenset((each.card, *each.others))
        if each.harmless and not each.taken and group not in told:
            told.add(group)
            names = say(language, "list.comma").join(sorted(group))
            print_line(console, say(language, "deck.asked", cards=names), language)
    if scanned.left_out:
        print_line(console, say(language, "deck.not_scanned", count=scanned.left_out), language)


def print_deck_report(console: Console, report: DeckReport, language: Language) -> None:
    """Print every finding about a deck, then the similarity of its faces."""
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
                cards=counted("card", report.card_count),
                faults=counted("fault", len(report.findings)),
            )
        )
    )
    for key, nearest in (("deck.nearest", report.nearest), ("deck.nearest_layouts", report.nearest_layouts)):
        if nearest:
            a, b = nearest.cards
            print_line(console, say(language, key, a=a, b=b, distance=nearest.distance), language)
