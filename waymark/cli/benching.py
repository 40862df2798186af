"""`waymark bench` and its siblings: accuracy on a folder of photos, rulings a second, proposed dungeons."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click
import msgspec

from waymark.cli.answers import Output, explain_option, with_output, with_progress
from waymark.cli.asked_photos import refuse
from waymark.cli.inputs import (
    CatalogueChoice,
    catalogue_option,
    cluster_option,
    cluster_told,
    read_input,
    seed_option,
)
from waymark.cli.usage_errors import Command


@click.command(cls=Command, help=explain_option("help.bench"))
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
        options = {"--player": players, "--cluster": cluster, "--html": page, "--compare": earlier}
        refuse(options, "usage.with_board")
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


@click.command(cls=Command, name="bench-rulings", help=explain_option("help.bench_rulings"))
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


@click.command(cls=Command, name="bench-proposals", help=explain_option("help.bench_proposals"))
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
