"""The `waymark` command: reads arguments, calls the libraries, prints. docs/FORMATS.md fixes what it
answers.

Heavy imports wait inside the commands: `waymark referee` must not pay for OpenCV.
"""

from __future__ import annotations

import gc
import os
import sys
import warnings
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click
import msgspec

from scorer.catalogue import Catalogue
from scorer.errors import Code, WaymarkError
from scorer.mapmasters.cooperative.mission import Mission, load_mission, mission_ids
from waymark.cli.answers import (
    Output,
    answer_each,
    explain_option,
    with_output,
    with_progress,
    writable,
    wrong_usage,
)
from waymark.cli.batches import MANY, print_scored, scan_batch, score_batch
from waymark.cli.board_tables import is_board, refuse, score_boards, score_turn
from waymark.cli.calibrating import calibrate
from waymark.cli.group_tables import score_table
from waymark.cli.inputs import (
    ALL_MISSIONS,
    BUNDLED_GAME,
    CatalogueChoice,
    FirstPhotoEarly,
    TableTold,
    TermsTold,
    bundled_folder,
    catalogue_option,
    cluster_option,
    cluster_told,
    fairy_tokens_from,
    game_option,
    missions_option,
    objective_name,
    overlay_files,
    paper_option,
    pen_named,
    pen_option,
    read_input,
    read_record,
    seed_option,
    spellbooks_from,
    with_table_options,
    with_terms_options,
)
from waymark.cli.refereeing import (
    DirectionChoice,
    Refereed,
    RefereeRequest,
    referee_answer,
    referee_record,
)
from waymark.cli.usage_errors import Commands
from waymark.phrases import counted, say

#: A photo uses one core most of the time and two at times; each takes a third of a gigabyte. Many are read
#: by processes (`waymark.cli.batches`).
PHOTOS_AT_ONCE = 2


@click.group(
    name="waymark",
    cls=Commands,
    help=explain_option("help.group"),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.option("--debug", is_flag=True, hidden=True)
@click.version_option(package_name="waymark", prog_name="waymark", help=explain_option("help.opt.version"))
def cli(debug: bool) -> None:
    """The group that holds the commands; `debug` is looked up where a traceback may be printed."""


@cli.command(help=explain_option("help.scan"))
@click.argument("photos", nargs=-1, required=True, metavar="PHOTO...")
@catalogue_option
@click.option("--stages", metavar="DIR", help=explain_option("help.opt.stages"))
@pen_option
@cluster_option
@with_table_options
@with_output
def scan(
    output: Output,
    photos: tuple[str, ...],
    catalogue: str | None,
    stages: str | None,
    pen: str | None,
    cluster: str | None,
    table: TableTold,
) -> None:
    choice = CatalogueChoice(catalogue)
    if is_board(choice):
        refuse({"--stages": stages, "--pen": pen, "--cluster": cluster})
        score_boards(output, photos, choice, table, TermsTold(), [None] * len(photos), scan_alone=True)
        return
    if table:
        _refuse_with_groups({"--stages": stages, "--pen": pen, "--cluster": cluster})
        score_table(output, photos, CatalogueChoice(catalogue), table, TermsTold(), scan_alone=True)
        return
    own = pen_named(pen)
    if cluster is not None and stages is not None:
        raise wrong_usage("usage.cluster_pictures", option="--stages")
    if cluster is not None or (len(photos) >= MANY and stages is None):
        scan_batch(output, photos, CatalogueChoice(catalogue), cluster, own)
        return
    inputs = FirstPhotoEarly(photos, read_input)
    from waymark import program
    from waymark.cli import tables
    from waymark.cli.stage_pictures import drawn_stages, stage_folders

    folders = dict(zip(photos, stage_folders(stages, photos), strict=True))
    choice = CatalogueChoice(catalogue)

    def show(name: str, scanned: Any) -> None:
        tables.print_scan(output.console, scanned, name, output.language)
        if folders[name] is not None:
            output.say("stages.written", folder=folders[name])

    def work(name: str) -> object:
        with drawn_stages(folders[name], choice.load):
            photo = partial(inputs.load, name)
            return program.read(photo, choice.load(), pen=own).to_json(output.language)

    answer_each(output, photos, work, show, at_once=PHOTOS_AT_ONCE)


@cli.command(help=explain_option("help.score"))
@click.argument("photos", nargs=-1, required=True, metavar="PHOTO...")
@catalogue_option
@click.option("--primary", type=objective_name, metavar="NAME", help=explain_option("help.opt.primary"))
@click.option("--secondary", type=objective_name, metavar="NAME", help=explain_option("help.opt.secondary"))
@click.option("--fairy", multiple=True, metavar="KIND=N", help=explain_option("help.opt.fairy"))
@click.option("--spellbook", multiple=True, metavar="SB-N", help=explain_option("help.opt.spellbook"))
@click.option("--overlay", metavar="PNG", help=explain_option("help.opt.overlay"))
@pen_option
@cluster_option
@click.option("--turn", metavar="NAME", help=explain_option("help.opt.turn"))
@with_table_options
@with_terms_options
@with_output
def score(
    output: Output,
    photos: tuple[str, ...],
    catalogue: str | None,
    primary: str | None,
    secondary: str | None,
    fairy: tuple[str, ...],
    spellbook: tuple[str, ...],
    overlay: str | None,
    pen: str | None,
    cluster: str | None,
    turn: str | None,
    table: TableTold,
    told: TermsTold,
) -> None:
    choice = CatalogueChoice(catalogue)
    if is_board(choice):
        versus: dict[str, object] = {"--primary": primary, "--secondary": secondary, "--fairy": fairy}
        refuse(versus | {"--spellbook": spellbook, "--pen": pen, "--cluster": cluster})
        if turn is not None:
            score_turn(output, photos, choice, table, told, None if overlay is None else Path(overlay), turn)
        else:
            score_boards(output, photos, choice, table, told, overlay_files(overlay, photos))
        return
    if turn is not None:
        raise wrong_usage("usage.turn_board")
    if table:
        versus = {"--primary": primary, "--secondary": secondary, "--fairy": fairy, "--spellbook": spellbook}
        _refuse_with_groups(versus | {"--pen": pen, "--cluster": cluster})
        # The photos of one table make one picture.
        (picture,) = overlay_files(overlay, photos[:1])
        score_table(output, photos, CatalogueChoice(catalogue), table, told, overlay=picture)
        return
    own = pen_named(pen)
    if cluster is not None and overlay is not None:
        raise wrong_usage("usage.cluster_pictures", option="--overlay")
    held = {
        "fairy_tokens": fairy_tokens_from(fairy),
        "spellbooks": spellbooks_from(spellbook),
        "primary": primary,
        "secondary": secondary,
    }
    told = replace(told, values={name: value for name, value in held.items() if value})
    choice = CatalogueChoice(catalogue)
    told.check(choice)
    if cluster is not None or (len(photos) >= MANY and overlay is None):
        score_batch(output, photos, choice, told, cluster, own)
        return
    inputs = FirstPhotoEarly(photos, read_input)
    from scorer.games import game_of
    from waymark import program

    pictures = dict(zip(photos, overlay_files(overlay, photos), strict=True))

    def work(name: str) -> object:
        cards = choice.load()
        result = program.score(partial(inputs.load, name), cards, told.of(game_of(cards)), own)
        if picture := pictures[name]:
            program.draw(result, picture, output.language)
        return result.to_json(output.language)

    def show(name: str, scored: Any) -> None:
        game = game_of(choice.load())
        print_scored(output, game, told.of(game), scored, name)
        if picture := pictures[name]:
            output.say("overlay.written", file=picture)

    answer_each(output, photos, work, show, at_once=PHOTOS_AT_ONCE)


def _refuse_with_groups(options: Mapping[str, object]) -> None:
    """Raises `WaymarkError` (usage) for options that say nothing of a table on which groups draw."""
    for option, value in options.items():
        if value:
            raise wrong_usage("usage.with_groups", option=option)


@cli.command(help=explain_option("help.referee"))
@click.argument("records", nargs=-1, required=True, metavar="RECORD...")
@catalogue_option
@click.option("--explain", is_flag=True, help=explain_option("help.opt.explain"))
@click.option(
    "--direction",
    type=click.Choice(["as-written", "unknown"]),
    default="as-written",
    show_default=True,
    help=explain_option("help.opt.direction"),
)
@click.option("--notation", is_flag=True, help=explain_option("help.opt.notation"))
@with_terms_options
@with_output
def referee(
    output: Output,
    records: tuple[str, ...],
    catalogue: str | None,
    explain: bool,
    direction: DirectionChoice,
    notation: bool,
    told: TermsTold,
) -> None:
    choice = CatalogueChoice(catalogue)
    told.check(choice)
    wanted = RefereeRequest(told, direction, explain, notation)

    def work(name: str) -> object:
        file = read_record(read_input(name), choice.game)
        return referee_record(choice.load_for(file.game.id), file, wanted)

    def show(name: str, refereed: Refereed) -> None:
        if notation and not explain and refereed.notation is not None:
            click.echo(refereed.notation)
            return
        from waymark.cli import tables

        console = output.console
        if explain:
            tables.print_walk(console, refereed, name, output.language)
        tables.print_ruling(console, refereed, name, output.language)
        if refereed.notation is not None:
            tables.print_notation(console, refereed.notation, output.language)

    answer_each(output, records, work, show, answer=referee_answer)


@cli.command(help=explain_option("help.hint"))
@click.argument("records", nargs=-1, required=True, metavar="RECORD...")
@catalogue_option
@with_terms_options
@with_output
def hint(output: Output, records: tuple[str, ...], catalogue: str | None, told: TermsTold) -> None:
    from scorer.mapmasters.cooperative.hint import hint
    from scorer.mapmasters.cooperative.hint_record import Hint
    from scorer.mapmasters.cooperative.record import TableRecord

    choice = CatalogueChoice(catalogue)
    told.check(choice)

    def work(name: str) -> Hint:
        file = read_record(read_input(name), choice.game)
        if not isinstance(file.record, TableRecord):
            raise wrong_usage("usage.hint", file=name)
        terms = file.game.terms_of(file.record, told.of(file.game))
        loaded = choice.load_for(file.game.id)
        return hint(loaded, file.record, terms.difficulty, terms.settings)

    def show(name: str, hinted: Hint) -> None:
        click.echo(hinted.message if output.language == "en" else hinted.message_ja)
        for goal in hinted.goals:
            click.echo(f"{goal.goal}:" if goal.met is None else f"{goal.goal}: {goal.met} \u2713")
            for way in goal.ways:
                click.echo(f"  {way.message if output.language == 'en' else way.message_ja}")

    answer_each(output, records, work, show)


@cli.command(help=explain_option("help.final"))
@click.argument("games", nargs=-1, required=True, metavar="GAME.json...")
@catalogue_option
@with_terms_options
@with_output
def final(output: Output, games: tuple[str, ...], catalogue: str | None, told: TermsTold) -> None:
    from scorer.games import game_of_record

    choice = CatalogueChoice(catalogue)
    told.check(choice)

    def work(name: str) -> object:
        data = read_input(name)
        game = game_of_record(data, choice.game)
        terms, read = told.of(game), game.sheet.parse_games(data)
        counted = catalogue is not None or game.bundled is not None
        named = choice.load_for(game.id) if counted else None
        if not isinstance(read, tuple):
            return game, game.sheet.final_answer(read, terms, named)
        return game, [game.sheet.final_answer(each, terms, named) for each in read]

    def show(name: str, value: Any) -> None:
        from waymark.cli import tables

        game, answer = value
        for each in answer if isinstance(answer, list) else [answer]:
            tables.print_final(output.console, game, game.sheet.final(each), name, output.language)

    answer_each(output, games, work, show, answer=lambda value: value[1])


@cli.command(help=explain_option("help.bench"))
@click.argument("folder", metavar="DIR")
@click.option(
    "--catalogue", "catalogues", multiple=True, metavar="DIR", help=explain_option("help.opt.catalogues")
)
@click.option(
    "--player",
    "players",
    multiple=True,
    type=click.Choice(["careful", "hurried", "none"]),
    help=explain_option("help.opt.player"),
)
@cluster_option
@click.option("--jobs", type=click.IntRange(1), metavar="N", help=explain_option("help.opt.jobs"))
@click.option("--html", "page", metavar="DIR", help=explain_option("help.opt.html"))
@click.option("--compare", "earlier", metavar="FILE", help=explain_option("help.opt.compare"))
@with_output
def bench(
    output: Output,
    folder: str,
    catalogues: tuple[str, ...],
    players: tuple[str, ...],
    cluster: str | None,
    jobs: int | None,
    page: str | None,
    earlier: str | None,
) -> None:
    from waymark.bench.boards import bench_boards, shows_boards
    from waymark.bench.comparison import comparison, read_report
    from waymark.bench.folder import Pictures, bench_folder
    from waymark.bench.page import PAGE, make_folder, write_page
    from waymark.bench.players import PLAYERS
    from waymark.cli import bench_tables

    if shows_boards(Path(folder)):
        refuse({"--player": players, "--cluster": cluster, "--html": page, "--compare": earlier})
        decks = [CatalogueChoice(name).load() for name in catalogues]
        told = bench_boards(Path(folder), decks, progress=partial(with_progress, output))
        if output.for_people:
            bench_tables.print_board_bench(output.console, told, folder, output.language)
        output.answer(told)
        return
    before = read_report(read_input(earlier), earlier) if earlier is not None else None
    pictures = Pictures(make_folder(page), output.language) if page is not None else None
    with cluster_told(cluster or ""):
        report = bench_folder(
            Path(folder),
            [CatalogueChoice(name).load() for name in (*catalogues, None)],
            players=[player for player in PLAYERS if player in players],
            jobs=jobs,
            cluster=cluster,
            pictures=pictures,
            progress=partial(with_progress, output),
        )
    if before is not None:
        report["comparison"] = comparison(before, report)
    if pictures is not None:
        write_page(pictures.folder, report, folder, output.language)
    if output.for_people:
        bench_tables.print_bench(output.console, report, folder, output.language)
    if pictures is not None:
        output.say("bench.page", file=pictures.folder / PAGE)
    output.answer(report)


@cli.command(name="bench-rulings", help=explain_option("help.bench_rulings"))
@click.option(
    "--count",
    type=click.IntRange(1),
    metavar="N",
    default=1000,
    show_default=True,
    help=explain_option("help.opt.record_count"),
)
@seed_option
@catalogue_option
@with_output
def bench_rulings(output: Output, count: int, seed: int, catalogue: str | None) -> None:
    from waymark import bench_cooperative, bench_rulings

    cards = CatalogueChoice(catalogue).load()
    report = msgspec.structs.asdict(bench_rulings.bench_rulings(cards, count, seed))
    tables = msgspec.structs.asdict(bench_cooperative.bench_cooperative(cards, count, seed))
    output.say("bench.rulings", **report)
    output.say("bench.cooperative", **tables)
    output.answer(report | {"cooperative": tables})


@cli.command(name="bench-proposals", help=explain_option("help.bench_proposals"))
@click.option(
    "--traced",
    "traced",
    multiple=True,
    type=click.IntRange(0),
    metavar="N",
    help=explain_option("help.opt.traced"),
)
@click.option(
    "--cards", "most", type=click.IntRange(1), metavar="N", help=explain_option("help.opt.most_cards")
)
@click.option("--worn", is_flag=True, help=explain_option("help.opt.worn"))
@click.option("--as-told", is_flag=True, help=explain_option("help.opt.as_told"))
@seed_option
@catalogue_option
@with_output
def bench_proposals(
    output: Output,
    traced: tuple[int, ...],
    most: int | None,
    worn: bool,
    as_told: bool,
    seed: int,
    catalogue: str | None,
) -> None:
    from waymark import bench_proposals
    from waymark.cli.proposing import print_proposals

    report = bench_proposals.bench_proposals(
        CatalogueChoice(catalogue).load(), traced or (0, 10), worn=worn, as_told=as_told, most=most, seed=seed
    )
    if output.for_people:
        print_proposals(output, report)
    output.answer(report)


@cli.command(help=explain_option("help.enrol"))
@click.argument("folder", metavar="DIR")
@click.argument("photos", nargs=-1, metavar="[PHOTO...]")
@click.option("--game", metavar="NAME", help=explain_option("help.opt.game"))
@click.option("--card-size", metavar="WxH", help=explain_option("help.opt.card_size"))
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
    enrol_photos(output, Path(folder), photos, game, size_told(card_size), known, answers_told(answers))


cli.add_command(calibrate)


@cli.group(help=explain_option("help.deck"))
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
            f"The deck cannot be written to {folder!r}; name a folder that can be made and written.",
            f"{folder!r} にデッキを書き出せません。作成して書き込めるフォルダーを指定してください。",
        ) from error
    count = len(read_catalogue(target).cards)
    output.say("deck.exported", cards=counted(output.language, "card", count), folder=folder)
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
        f"The catalogue in {folder!r} has {counted('en', 'fault', count)}; "
        "mend them in its catalogue.json or art and check again.",
        f"{folder!r} のカタログに誤りが {count} 件あります。直してからもう一度調べてください。",
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
    output.say(
        "deck.shared",
        cards=counted(output.language, "card", shared.cards),
        traced=shared.traced,
        file=file,
    )
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
@with_output
def print_deck(
    output: Output,
    file: str,
    catalogue: str | None,
    game: str,
    paper: Any,
    card_ids: str | None,
    named_missions: str | None,
) -> None:
    from calibration.decks.print_sheet import box_contents, print_sheets
    from calibration.missions.pieces import with_pieces

    _check_pdf(file)
    loaded = CatalogueChoice(catalogue).load_for(game)
    chosen = box_contents(loaded)
    if card_ids is not None:
        chosen = [loaded.card(card_id) for card_id in _listed(card_ids)]
    if named_missions is not None:
        loaded, needed = with_pieces(loaded, _missions(loaded, named_missions))
        chosen = needed if card_ids is None else [*chosen, *needed]
    pages = print_sheets(loaded, chosen, Path(file), paper=paper)
    output.say(
        "deck.printed",
        cards=counted(output.language, "card", len(chosen)),
        pages=counted(output.language, "page", pages),
        file=file,
    )
    output.answer({"file": file, "cards": len(chosen), "pages": pages})


@deck.command(name="missions", help=explain_option("help.deck.missions"))
@click.argument("file", metavar="FILE.pdf")
@catalogue_option
@missions_option
@paper_option
@with_output
def print_missions(
    output: Output, file: str, catalogue: str | None, named_missions: str | None, paper: Any
) -> None:
    from calibration.missions.sheet import mission_sheets

    _check_pdf(file)
    loaded = CatalogueChoice(catalogue).load_for(BUNDLED_GAME)
    missions = _missions(loaded, named_missions or ALL_MISSIONS)
    pages = mission_sheets(loaded, missions, Path(file), output.language, paper=paper)
    output.say("deck.missions", pages=counted(output.language, "page", pages), file=file)
    output.answer({"file": file, "missions": [mission.id for mission in missions], "pages": pages})


def _check_pdf(file: str) -> None:
    """Raises `WaymarkError` (not-writable, usage) where a PDF cannot be written under that name."""
    if not writable(file):
        raise WaymarkError(
            Code.NOT_WRITABLE,
            say("en", "file.not_writable", file=file),
            say("ja", "file.not_writable", file=file),
        )
    if Path(file).suffix.lower() != ".pdf":
        raise wrong_usage("usage.pdf", file=file)


def _listed(names: str) -> list[str]:
    return [name.strip() for name in names.split(",") if name.strip()]


def _missions(catalogue: Catalogue, names: str) -> list[Mission]:
    """The missions named, or `all` of the catalogue's."""
    chosen = mission_ids(catalogue) if names == ALL_MISSIONS else _listed(names)
    return [load_mission(catalogue, name) for name in chosen]


def main() -> None:
    """The console script."""
    # What is imported stays: looking through it for garbage after every 700 new objects is a waste.
    gc.set_threshold(50_000)
    # Read once, as numpy and scipy are loaded: their threads need not even start (vision.photo.runtime keeps
    # them idle
    # in programs that need them). table-04.jpg on two cores: 1.64 s of CPU in place of 1.87.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Warnings of libraries are for who develops: `python -W default -m waymark` shows them.
    if not sys.warnoptions:
        warnings.simplefilter("ignore")
    cli(prog_name="waymark")


if __name__ == "__main__":
    main()
