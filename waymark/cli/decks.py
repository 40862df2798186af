"""`waymark enrol` and `waymark deck`: cards are enrolled, exported, checked, shared and printed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click
import msgspec

from scorer.catalogue import Card, Catalogue
from scorer.errors import Code, WaymarkError
from scorer.games import USUAL_GAME
from scorer.text import Text
from waymark.cli.answers import Output, explain_option, with_output, writable, wrong_usage
from waymark.cli.inputs import (
    ALL_MISSIONS,
    CatalogueChoice,
    bundled_folder,
    catalogue_option,
    game_option,
    missions_option,
    paper_option,
)
from waymark.cli.usage_errors import Command, Commands
from waymark.phrases import counted, sentence


@click.command(cls=Command, help=explain_option("help.enrol"))
@click.argument("folder", metavar="DIR")
@click.argument("photos", nargs=-1, metavar="[PHOTO...]")
@click.option("--game", metavar="NAME", help=explain_option("help.opt.game"))
@click.option("--card-size", metavar="WxH", help=explain_option("help.opt.card_size"))
@click.option("--cards", type=click.IntRange(1, 999), metavar="N", help=explain_option("help.opt.card_count"))
@click.option("--pieces", multiple=True, metavar="SORT=WxH", help=explain_option("help.opt.pieces"))
@click.option("--as-told", is_flag=True, help=explain_option("help.opt.pieces_as_told"))
@click.option("--from", "shared", metavar="FILE.json", help=explain_option("help.opt.from"))
@click.option("--answer", "answers", multiple=True, metavar="CARD=ID", help=explain_option("help.opt.answer"))
@click.option("--propose", is_flag=True, help=explain_option("help.opt.propose"))
@with_output
def enrol(
    output: Output,
    folder: str,
    photos: tuple[str, ...],
    game: str | None,
    card_size: str | None,
    cards: int | None,
    pieces: tuple[str, ...],
    as_told: bool,
    shared: str | None,
    answers: tuple[str, ...],
    propose: bool,
) -> None:
    from waymark.cli.enrolling import answers_told, enrol_photos, size_told
    from waymark.cli.enrolling_pieces import enrol_box, pieces_told
    from waymark.cli.proposing import propose_deck

    if not propose and shared is None and (pieces or (answers and not photos)):
        shown, said = pieces_told(pieces), answers_told(answers)
        enrol_box(output, Path(folder), photos, game, shown, said, as_told=as_told)
        return
    if propose == bool(photos or shared) or (answers and shared is None):
        raise wrong_usage("usage.photos_or_propose")
    if propose:
        propose_deck(output, folder)
        return
    known = Path(shared) if shared is not None else None
    enrol_photos(
        output, Path(folder), photos, game, size_told(card_size), known, answers_told(answers), cards=cards
    )


@click.group(cls=Commands, help=explain_option("help.deck"))
def deck() -> None:
    """The group of the commands about cards."""


@deck.command(name="export", help=explain_option("help.deck.export"))
@click.argument("folder", metavar="DIR")
@game_option
@with_output
def export_deck(output: Output, folder: str, game: str) -> None:
    import shutil

    from calibration.enrol.catalogue_folder import export_catalogue
    from scorer.catalogue import read_catalogue

    target = Path(folder)
    try:
        export_catalogue(bundled_folder(game), target)
    except (OSError, shutil.Error) as error:
        raise WaymarkError(
            Code.NOT_WRITABLE,
            Text(
                "The deck cannot be written to {folder!r}; name a folder that can be made and written.",
                folder=folder,
            ),
        ) from error
    count = len(read_catalogue(target).cards)
    output.say("deck.exported", cards=counted("card", count), folder=folder)
    output.answer({"folder": folder, "cards": count})


@deck.command(name="check", help=explain_option("help.deck.check"))
@click.argument("folder", metavar="DIR")
@with_output
def check_deck(output: Output, folder: str) -> None:
    from calibration.decks import check
    from waymark.cli import tables

    report = check.check_deck(Path(folder))
    scanned = None
    if not report.findings:  # What is unsound is mended first: a scan would stumble over it.
        report, scanned = check.scan_too(Path(folder), report)
    if output.for_people:
        tables.print_deck_report(output.console, report, output.language)
        tables.print_confusions(output.console, scanned, output.language)
    answer = {
        "name": report.name,
        "cards": report.card_count,
        "findings": [
            {**msgspec.to_builtins(finding), "message": finding.sentence(output.language)}
            for finding in report.findings
        ],
        "nearest": report.nearest,
        "nearest_layouts": report.nearest_layouts,
        "confused": [] if scanned is None else msgspec.to_builtins(scanned.confusions),
        "scanned": 0 if scanned is None else scanned.scanned,
    }
    if not report.findings:
        output.answer(answer)
        return
    count = len(report.findings)
    error = WaymarkError(
        Code.UNSOUND_CATALOGUE,
        Text(
            "The catalogue in {folder!r} has {faults}; mend them in its catalogue.json or art and check "
            "again.",
            folder=folder,
            faults=counted("fault", count),
        ),
    )
    output.complain(error)
    output.answer(answer | output.error_answer(error))
    sys.exit(error.exit_status)


@deck.command(name="share", help=explain_option("help.deck.share"))
@click.argument("folder", metavar="DIR")
@click.argument("file", metavar="FILE.json")
@with_output
def share_deck(output: Output, folder: str, file: str) -> None:
    from calibration.enrol.share.sharing import write_shared

    shared = write_shared(Path(folder), Path(file))
    output.say("deck.shared", cards=counted("card", shared.cards), traced=shared.traced, file=file)
    for card in shared.left_out:
        output.say("deck.not_shared", card=card)
    output.answer({"file": file, **msgspec.to_builtins(shared)})


@deck.command(name="print", help=explain_option("help.deck.print"))
@click.argument("file", metavar="FILE.pdf")
@catalogue_option
@game_option
@paper_option
@click.option("--cards", "card_ids", metavar="IDS", help=explain_option("help.opt.cards"))
@missions_option
@click.option("--parts", metavar="NAMES", help=explain_option("help.opt.parts"))
@click.option("--dpi", type=click.IntRange(72, 1200), metavar="N", help=explain_option("help.opt.dpi"))
@click.option(
    "--bleed", type=click.FloatRange(0, 10), metavar="MM", default=0.0, help=explain_option("help.opt.bleed")
)
@click.option("--backs", is_flag=True, help=explain_option("help.opt.backs"))
@click.option("--service", metavar="NAME", help=explain_option("help.opt.service"))
@with_output
def print_deck(
    output: Output,
    file: str,
    catalogue: str | None,
    game: str,
    paper: Any,
    card_ids: str | None,
    named_missions: str | None,
    parts: str | None,
    dpi: int | None,
    bleed: float,
    backs: bool,
    service: str | None,
) -> None:
    _check_print_target(file, service)
    loaded, chosen = _cards_to_print(CatalogueChoice(catalogue).load_for(game), card_ids, named_missions)
    if service is not None:
        from calibration.decks.service_files import write_for_service

        count = write_for_service(loaded, chosen, Path(file), service, backs=backs, dpi=dpi)
        output.say("deck.for_service", cards=counted("card", len(chosen)), count=count, file=file)
        output.answer({"file": file, "cards": len(chosen), "pictures": count})
        return
    from calibration.decks.print_options import PrintOptions

    options = PrintOptions(dpi, bleed, backs)
    if parts is not None:
        from waymark.cli.printing import print_parts

        pages = print_parts(loaded, chosen, Path(file), _listed(parts), paper, options, output.language)
    else:
        from calibration.decks.print_sheet import print_sheets

        pages = print_sheets(loaded, chosen, Path(file), paper=paper, options=options)
    output.say("deck.printed", cards=counted("card", len(chosen)), pages=counted("page", pages), file=file)
    output.answer({"file": file, "cards": len(chosen), "pages": pages})


def _cards_to_print(
    loaded: Catalogue, card_ids: str | None, named_missions: str | None
) -> tuple[Catalogue, list[Card]]:
    """The catalogue, with the tokens of the missions, and the cards that were asked for."""
    from calibration.decks.print_sheet import box_contents
    from calibration.missions.pieces import missions_named, with_pieces

    chosen = box_contents(loaded)
    if card_ids is not None:
        chosen = [loaded.card(card_id) for card_id in _listed(card_ids)]
    if named_missions is not None:
        loaded, needed = with_pieces(loaded, missions_named(loaded, _missions(named_missions)))
        chosen = needed if card_ids is None else [*chosen, *needed]
    return loaded, chosen


@deck.command(name="missions", help=explain_option("help.deck.missions"))
@click.argument("file", metavar="FILE.pdf")
@catalogue_option
@missions_option
@paper_option
@with_output
def print_missions(
    output: Output, file: str, catalogue: str | None, named_missions: str | None, paper: Any
) -> None:
    from calibration.missions.pieces import missions_named
    from calibration.missions.sheet import mission_sheets

    _check_pdf(file)
    loaded = CatalogueChoice(catalogue).load_for(USUAL_GAME)
    missions = missions_named(loaded, _missions(named_missions or ALL_MISSIONS))
    pages = mission_sheets(loaded, missions, Path(file), output.language, paper=paper)
    output.say("deck.missions", pages=counted("page", pages), file=file)
    output.answer({"file": file, "missions": [mission.id for mission in missions], "pages": pages})


def _check_pdf(file: str) -> None:
    """Raises `WaymarkError` (not-writable, usage) where no PDF can be written under this name."""
    if not writable(file):
        raise WaymarkError(Code.NOT_WRITABLE, sentence("file.not_writable", file=file))
    if Path(file).suffix.lower() != ".pdf":
        raise wrong_usage("usage.pdf", file=file)


def _check_print_target(file: str, service: str | None) -> None:
    """Raises `WaymarkError` (not-writable, usage) for a service that is not known, and where no PDF, or zip
    for a service, can be written under this name."""
    if service is None:
        _check_pdf(file)
        return
    from calibration.decks.print_options import SERVICES

    if service not in SERVICES:
        raise wrong_usage("usage.service", service=service, services=", ".join(SERVICES))
    if not writable(file):
        raise WaymarkError(Code.NOT_WRITABLE, sentence("file.not_writable", file=file))
    if Path(file).suffix.lower() not in (".pdf", ".zip"):
        raise wrong_usage("usage.pdf_or_zip", file=file)


def _listed(names: str) -> list[str]:
    return [name.strip() for name in names.split(",") if name.strip()]


def _missions(names: str) -> list[str] | None:
    """The ids of missions; None for `all`."""
    return None if names == ALL_MISSIONS else _listed(names)
