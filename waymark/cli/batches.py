"""`waymark scan` and `waymark score` of many photos, or with `--cluster`. The answers are the same;
processes of this machine or the workers of a cluster compute them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from scorer.game import Game
from waymark.cli.answers import Output, answer_each
from waymark.cli.inputs import CatalogueChoice, TermsTold, cluster_told, read_input
from waymark.cli.refereeing import Refereed

if TYPE_CHECKING:
    from vision.ink.pens import PenProfile


#: Number of photos from which the start of reading processes pays off.
MANY = 10


def scan_batch(
    output: Output,
    photos: Sequence[str],
    choice: CatalogueChoice,
    address: str | None,
    pen: PenProfile | None = None,
    certainty: float | None = None,
) -> None:
    """Answer each photo with its scan, computed by the cluster at `address` or, without one, by local
    processes. Raises `WaymarkError` where there is no cluster."""
    from waymark import cluster
    from waymark.cli import tables

    def show(name: str, scanned: Any) -> None:
        tables.print_scan(output.console, scanned, name, output.language)

    _answer_each(output, photos, choice, address, cluster.scan, (pen, certainty), show)


def score_batch(
    output: Output,
    photos: Sequence[str],
    choice: CatalogueChoice,
    told: TermsTold,
    address: str | None,
    pen: PenProfile | None = None,
    certainty: float | None = None,
) -> None:
    """Answer each photo with its score; executed as in `scan_batch`."""
    from scorer.games import game_of
    from waymark import cluster

    game = game_of(choice.load())

    def show(name: str, scored: Any) -> None:
        print_scored(output, game, told.of(game), scored, name)

    _answer_each(output, photos, choice, address, cluster.score, (told.of(game), pen, certainty), show)


def print_scored(output: Output, game: Game, terms: Any, scored: Any, name: str) -> None:
    """Print a photo's scan and ruling."""
    from waymark.cli import tables

    tables.print_scan(output.console, scored["scan"], name, output.language)
    ruling = msgspec.convert(scored["ruling"], game.rules.verdict_type)
    tables.print_ruling(output.console, Refereed(game, terms, ruling), name, output.language)


def _answer_each(
    output: Output,
    photos: Sequence[str],
    choice: CatalogueChoice,
    address: str | None,
    function: Callable[..., Any],
    more: tuple[Any, ...],
    show: Callable[[str, Any], None],
) -> None:
    from waymark.cluster import ON_THEIR_WAY, cluster_at, deck_name, local_workers, processors
    from waymark.review.pipeline import load_cards

    cards = choice.load()
    assert cards.folder is not None
    deck = deck_name(cards.folder)
    if address is None:
        # what has to be made for the cache is not made by every process
        load_cards(cards)
    workers_at = cluster_at(address) if address else local_workers(min(processors(), len(photos)), [deck])
    with cluster_told(address or ""), workers_at as (workers, count):

        def work(name: str) -> object:
            return workers.submit(function, read_input(name), deck, *more, output.language).result()

        answer_each(output, photos, work, show, at_once=ON_THEIR_WAY if address else 2 * count)
