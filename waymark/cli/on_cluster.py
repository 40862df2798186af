"""`waymark scan` and `waymark score` with `--cluster`: the same answers, from the workers of a cluster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from scorer.game import Game
from waymark.cli.answers import Output, answer_each
from waymark.cli.inputs import CatalogueChoice, TermsTold, cluster_told, read_input
from waymark.cli.refereeing import Refereed

if TYPE_CHECKING:
    from vision.pen_profile import PenProfile


def scan_on_cluster(
    output: Output,
    photos: Sequence[str],
    choice: CatalogueChoice,
    address: str,
    pen: PenProfile | None = None,
) -> None:
    """Answer what each photo shows. Raises `WaymarkError` where there is no cluster."""
    from waymark import cluster
    from waymark.cli import tables

    def show(name: str, scanned: Any) -> None:
        tables.print_scan(output.console, scanned, name, output.language)

    _answer_each(output, photos, choice, address, cluster.scan, (pen,), show)


def score_on_cluster(
    output: Output,
    photos: Sequence[str],
    choice: CatalogueChoice,
    told: TermsTold,
    address: str,
    pen: PenProfile | None = None,
) -> None:
    """Answer what each photo is worth. Raises `WaymarkError` where there is no cluster."""
    from scorer.games import game_of
    from waymark import cluster

    game = game_of(choice.load())

    def show(name: str, scored: Any) -> None:
        print_scored(output, game, told.of(game), scored, name)

    _answer_each(output, photos, choice, address, cluster.score, (told.of(game), pen), show)


def print_scored(output: Output, game: Game, terms: Any, scored: Any, name: str) -> None:
    """What a photo shows and what the referee says of it, for people."""
    from waymark.cli import tables

    tables.print_scan(output.console, scored["scan"], name, output.language)
    ruling = msgspec.convert(scored["ruling"], game.verdict_type)
    tables.print_ruling(output.console, Refereed(game, terms, ruling), name, output.language)


def _answer_each(
    output: Output,
    photos: Sequence[str],
    choice: CatalogueChoice,
    address: str,
    function: Callable[..., Any],
    more: tuple[Any, ...],
    show: Callable[[str, Any], None],
) -> None:
    from waymark.cluster import ON_THEIR_WAY, cluster_at, deck_name

    folder = choice.load().folder
    assert folder is not None
    deck = deck_name(folder)
    with cluster_told(address), cluster_at(address) as (workers, _):

        def work(name: str) -> object:
            return workers.submit(function, read_input(name), deck, *more, output.language).result()

        answer_each(output, photos, work, show, at_once=ON_THEIR_WAY)
