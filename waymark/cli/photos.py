"""`waymark scan` and `waymark score`: photos are read, refereed and drawn on.

Heavy imports wait inside the commands: `waymark referee` must not pay for OpenCV.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from waymark.cli.answers import Output, answer_each, explain_option, with_output, wrong_usage
from waymark.cli.batches import MANY, print_scored, scan_batch, score_batch
from waymark.cli.board_tables import is_board, refuse, score_boards, score_turn
from waymark.cli.group_tables import score_table
from waymark.cli.inputs import (
    CatalogueChoice,
    FirstPhotoEarly,
    TableTold,
    TermsTold,
    catalogue_option,
    cluster_option,
    fairy_tokens_from,
    objective_name,
    overlay_files,
    pen_named,
    pen_option,
    read_input,
    spellbooks_from,
    with_table_options,
    with_terms_options,
)
from waymark.cli.usage_errors import Command

#: A photo uses one core most of the time and two at times; each takes a third of a gigabyte. Many are read
#: by processes (`waymark.cli.batches`).
PHOTOS_AT_ONCE = 2


@click.command(cls=Command, help=explain_option("help.scan"))
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


@click.command(cls=Command, help=explain_option("help.score"))
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
