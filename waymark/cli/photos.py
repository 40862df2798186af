"""`waymark scan` and `waymark score`: photos are read, refereed and drawn on.

Heavy imports wait inside the commands: `waymark referee` must not pay for OpenCV.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import click

from scorer.play_kinds import BOARD, TABLE, PlayKind
from scorer.port.options import Option
from waymark.cli.answers import Output, explain_option, with_output, wrong_usage
from waymark.cli.asked_photos import Asked, answer_photos
from waymark.cli.batches import MANY, scan_batch, score_batch
from waymark.cli.inputs import (
    CatalogueChoice,
    FirstPhotoEarly,
    TableTold,
    TermsTold,
    catalogue_option,
    certainty_option,
    cluster_option,
    pen_named,
    pen_option,
    read_input,
    stated_values,
    with_game_options,
    with_table_options,
    with_terms_options,
)
from waymark.cli.usage_errors import Command


def _shared(kind: PlayKind) -> Callable[[Asked], None] | None:
    """How photos of what several people share are answered, by the kind of play; None where each tableau is
    answered by itself."""
    if kind is TABLE:
        from waymark.cli.group_tables import answer_table

        return answer_table
    if kind is BOARD:
        from waymark.cli.board_tables import answer_boards

        return answer_boards
    return None


@click.command(cls=Command, help=explain_option("help.scan"))
@click.argument("photos", nargs=-1, required=True, metavar="PHOTO...")
@catalogue_option
@click.option("--stages", metavar="DIR", help=explain_option("help.opt.stages"))
@pen_option
@certainty_option
@cluster_option
@with_table_options
@with_output
def scan(
    output: Output,
    photos: tuple[str, ...],
    catalogue: str | None,
    stages: str | None,
    pen: str | None,
    certainty: float | None,
    cluster: str | None,
    table: TableTold,
) -> None:
    own = {"--stages": stages, "--pen": pen, "--certainty": certainty, "--cluster": cluster}
    asked = Asked(output, photos, CatalogueChoice(catalogue), table, scan_alone=True, own=own)
    (_shared(asked.kind) or partial(_scan_own, stages=stages, pen=pen, certainty=certainty, cluster=cluster))(
        asked
    )


def _scan_own(
    asked: Asked, *, stages: str | None, pen: str | None, certainty: float | None, cluster: str | None
) -> None:
    output, photos, choice = asked.output, asked.photos, asked.choice
    own = pen_named(pen)
    if cluster is not None and stages is not None:
        raise wrong_usage("usage.cluster_pictures", option="--stages")
    if cluster is not None or (len(photos) >= MANY and stages is None):
        scan_batch(output, photos, choice, cluster, own, certainty)
        return
    inputs = FirstPhotoEarly(photos, read_input)
    from scorer.games import game_of
    from waymark import program
    from waymark.cli.stage_pictures import drawn_stages, stage_folders

    folders = dict(zip(photos, stage_folders(stages, photos), strict=True))

    def work(name: str) -> object:
        with drawn_stages(folders[name], choice.load):
            photo = partial(inputs.load, name)
            return program.read(photo, choice.load(), pen=own, certainty=certainty).to_json(output.language)

    answer_photos(asked, photos, work, lambda: game_of(choice.load()), folders, ("stages.written", "folder"))


@click.command(cls=Command, help=explain_option("help.score"))
@click.argument("photos", nargs=-1, required=True, metavar="PHOTO...")
@catalogue_option
@with_game_options
@click.option("--overlay", metavar="PNG", help=explain_option("help.opt.overlay"))
@pen_option
@certainty_option
@cluster_option
@click.option("--turn", metavar="NAME", help=explain_option("help.opt.turn"))
@with_table_options
@with_terms_options
@with_output
def score(
    output: Output,
    photos: tuple[str, ...],
    catalogue: str | None,
    stated: Mapping[Option, Any],
    overlay: str | None,
    pen: str | None,
    certainty: float | None,
    cluster: str | None,
    turn: str | None,
    table: TableTold,
    told: TermsTold,
) -> None:
    own = {option.flag: given for option, given in stated.items()}
    own |= {"--pen": pen, "--certainty": certainty, "--cluster": cluster}
    choice = CatalogueChoice(catalogue)
    asked = Asked(output, photos, choice, table, told, overlay=overlay, turn=turn, own=own)
    if (answer := _shared(asked.kind)) is not None:
        answer(asked)
        return
    if turn is not None:
        raise wrong_usage("usage.turn_board")
    _score_own(replace(asked, told=replace(told, values=stated_values(stated))), pen, certainty, cluster)


def _score_own(asked: Asked, pen: str | None, certainty: float | None, cluster: str | None) -> None:
    output, photos, choice, told = asked.output, asked.photos, asked.choice, asked.told
    own = pen_named(pen)
    if cluster is not None and asked.overlay is not None:
        raise wrong_usage("usage.cluster_pictures", option="--overlay")
    told.check(choice)
    if cluster is not None or (len(photos) >= MANY and asked.overlay is None):
        score_batch(output, photos, choice, told, cluster, own, certainty)
        return
    inputs = FirstPhotoEarly(photos, read_input)
    from scorer.games import game_of
    from waymark import program

    pictures = asked.pictures(photos)

    def work(name: str) -> object:
        cards = choice.load()
        result = program.score(partial(inputs.load, name), cards, told.of(game_of(cards)), own, certainty)
        if picture := pictures[name]:
            program.draw(result, picture, output.language)
        return result.to_json(output.language)

    answer_photos(asked, photos, work, lambda: game_of(choice.load()), pictures)
