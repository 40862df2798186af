"""Answers of `waymark enrol DIR --propose` and `waymark bench-proposals`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from waymark.cli.answers import Output
from waymark.phrases import counted, say

if TYPE_CHECKING:
    from waymark.bench_proposals import PartFigures, ProposalReport

FORMAT = "waymark-enrol/1"


def propose_deck(output: Output, folder: str) -> None:
    """Propose dungeons for the cards of a folder, and answer with what was proposed for each.

    Raises `WaymarkError` (no-catalogue, not-a-catalogue, busy, not-writable).
    """
    from calibration.enrol.propose.folder import propose_folder
    from scorer.catalogue import read_catalogue

    made = propose_folder(Path(folder))
    count = counted("card", len(made.cards))
    output.say("enrol.proposed", cards=count, left=len(made.left), known=made.learned_from)
    if made.trace_next:
        output.say("enrol.trace_next", cards=", ".join(made.trace_next))
    told: dict[str, Any] = {
        "format": FORMAT,
        "cards": len(read_catalogue(Path(folder)).cards),
        "photos": [],
        "proposed": msgspec.to_builtins(made.cards),
        "left": list(made.left),
        "learned_from": made.learned_from,
        "trace_next": list(made.trace_next),
    }
    output.answer(told)


def print_proposals(output: Output, report: ProposalReport) -> None:
    """Print one table with a column for each number of traced cards."""
    from rich.table import Table

    language = output.language
    title = say(language, "proposals.title", deck=report.deck, faces=report.faces, order=report.order)
    table = Table(title=title)
    table.add_column(say(language, "proposals.part"))
    for each in report.figures:
        table.add_column(
            say(language, "proposals.after", traced=each.traced, cards=each.cards), justify="right"
        )
    for group in ("parts", "finds"):
        for name in sorted({name for each in report.figures for name in getattr(each, group)}):
            table.add_row(name, *(_shares(getattr(each, group).get(name)) for each in report.figures))
        table.add_section()
    table.add_row(say(language, "proposals.ways"), *(f"{each.equal_ways:.1f}" for each in report.figures))
    table.add_row(say(language, "proposals.exact"), *(f"{each.exact_cards:.1f}" for each in report.figures))
    table.add_row(say(language, "proposals.links"), *(f"{each.exact_links:.1f}" for each in report.figures))
    table.add_row(
        say(language, "proposals.sure_wrong"),
        *(f"{each.sure_wrong} / {each.sure_guesses}" for each in report.figures),
    )
    table.add_row(say(language, "proposals.unwarned"), *(str(each.unwarned_cards) for each in report.figures))
    table.add_row(say(language, "proposals.doubts"), *(f"{each.doubts:.1f}" for each in report.figures))
    output.console.print(table)


def _shares(figures: PartFigures | None) -> str:
    if figures is None or figures.recall is None:
        return "-"
    precision = "-" if figures.precision is None else f"{figures.precision:.1f}"
    return f"{figures.recall:.1f} / {precision}  ({figures.true})"
