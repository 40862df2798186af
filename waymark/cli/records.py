"""`waymark referee`, `waymark hint` and `waymark final`: records and games in, no picture library needed."""

from __future__ import annotations

from typing import Any

import click

from scorer.port.play import Hints
from waymark.cli.answers import Output, answer_each, explain_option, with_output, wrong_usage
from waymark.cli.inputs import (
    CatalogueChoice,
    TermsTold,
    catalogue_option,
    read_input,
    read_record,
    with_terms_options,
)
from waymark.cli.refereeing import DirectionChoice, Refereed, RefereeRequest, referee_answer, referee_record
from waymark.cli.usage_errors import Command


@click.command(cls=Command, help=explain_option("help.referee"))
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


@click.command(cls=Command, help=explain_option("help.hint"))
@click.argument("records", nargs=-1, required=True, metavar="RECORD...")
@catalogue_option
@with_terms_options
@with_output
def hint(output: Output, records: tuple[str, ...], catalogue: str | None, told: TermsTold) -> None:
    choice = CatalogueChoice(catalogue)
    told.check(choice)

    def work(name: str) -> tuple[Hints[Any, Any], Any]:
        file = read_record(read_input(name), choice.game)
        hints = file.game.play.hints
        if hints is None:
            raise wrong_usage("usage.hint", file=name)
        terms = file.game.rules.settings.of(file.record, told.of(file.game))
        loaded = choice.load_for(file.game.id)
        return hints, hints.hint(loaded, file.record, terms)

    def show(name: str, value: tuple[Hints[Any, Any], Any]) -> None:
        hints, hinted = value
        for line in hints.lines(hinted):
            click.echo(line.message(output.language))

    answer_each(output, records, work, show, answer=lambda value: value[1])


@click.command(cls=Command, help=explain_option("help.final"))
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
