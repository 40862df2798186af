"""A folder of photos with their truths: each is read, measured and played, several at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from scorer.catalogue import Catalogue
from scorer.errors import Code, WaymarkError
from scorer.game import Game
from scorer.text import Language, Text
from vision.scan import Scan
from waymark.bench import worker
from waymark.bench.groups import groups_of
from waymark.bench.metric import Measured, compare, unread
from waymark.bench.players import Played, PlayerName
from waymark.bench.report import report
from waymark.bench.table_report import table_report
from waymark.bench.tables import TableMeasured
from waymark.bench.truth import (
    Seen,
    SeenCard,
    TableTruth,
    deck_of,
    find_photos,
    game_of_truth,
    read_table_truth,
    read_truth,
)
from waymark.bench.worst import picture_files, worst
from waymark.cluster import ahead, cluster_at, deck_name, local_workers, processors
from waymark.review.pipeline import load_cards


@dataclass(frozen=True)
class _OfDeck:
    """A photo with the catalogue that it is read with."""

    photo: Path
    deck: Catalogue

    @property
    def deck_name(self) -> str | None:
        assert self.deck.folder is not None, "a catalogue made in memory has no art to look at"
        return deck_name(self.deck.folder)


@dataclass(frozen=True)
class Known(_OfDeck):
    """A photo with its truth."""

    seen: Seen


@dataclass(frozen=True)
class KnownTable(_OfDeck):
    """A photo of a table on which groups draw, with its truth and its game."""

    seen: TableTruth
    game: Game


@dataclass(frozen=True)
class Pictures:
    """Folder and language of the pictures that are drawn of the worst photos."""

    folder: Path
    language: Language


def bench_folder(
    folder: Path,
    catalogues: Sequence[Catalogue],
    *,
    players: Sequence[PlayerName] = (),
    jobs: int | None = None,
    cluster: str | None = None,
    pictures: Pictures | None = None,
    progress: Callable[[Sequence[str]], Iterable[str]] = iter,
) -> dict[str, Any]:
    """Read every photo in `folder` (and below) that has a truth, `jobs` at a time, each in a process of its
    own (None: as many as there are processors), or on the workers of the `cluster` at an address, and let
    each of `players` answer what it asks. A photo is read with the one of `catalogues` that its truth names,
    the first where it names none of them.

    Photos of tables on which groups draw are read each alone, and those of one table (their truths have the
    same record) together.

    Returns the report as JSON-ready data (`waymark.bench.report`, and under `tables` that of
    `waymark.bench.table_report`); the worst photos are drawn where
    `pictures` says so. Raises `WaymarkError` where there is no photo with a truth, or a truth or the art of a
    catalogue cannot be read; `NoCluster`, `NotInstalled`.
    """
    known: dict[str, Known] = {}
    tables: dict[str, KnownTable] = {}
    for photo, file in find_photos(folder):
        name = str(photo.relative_to(folder))
        if (of_groups := game_of_truth(file, catalogues)) is not None:
            game, deck = of_groups
            tables[name] = KnownTable(photo, deck, read_table_truth(file, game, deck), game)
        else:
            seen = read_truth(file, catalogues)
            known[name] = Known(photo, deck_of(seen, catalogues), seen)
    jobs = min(len(known) + len(tables), jobs or processors())
    decks = {each.deck_name: each.deck for each in known.values()}
    decks |= {each.deck_name: each.deck for each in tables.values()}
    for deck in decks.values():
        # Here its error is told once, and what has to be made for the cache is not made by every process.
        load_cards(deck)
    rows: list[Measured] = []
    readings: dict[str, Scan] = {}
    with local_workers(jobs, list(decks)) if cluster is None else cluster_at(cluster) as (workers, at_once):

        def begin(each: Known) -> Future[worker.Read]:
            # Another machine does not see the file.
            photo = each.photo if cluster is None else each.photo.read_bytes()
            return workers.submit(worker.read, photo, each.deck_name, each.seen, players)

        for name, begun in zip(progress(list(known)), ahead(known.values(), begin), strict=True):
            row, reading = _measured(name, known[name], begun, players)
            rows.append(row)
            if reading is not None and pictures is not None:
                readings[name] = reading
        asked = tables_asked(tables)

        def measure(each: Sequence[str]) -> Future[TableMeasured]:
            first = tables[each[0]]
            photos = [tables[name].photo for name in each]
            read = photos if cluster is None else [photo.read_bytes() for photo in photos]
            return workers.submit(
                worker.read_table, read, each, first.deck_name, first.seen, first.game.id, first.game.mode
            )

        measured = [
            begun.result()
            for _, begun in zip(
                progress([" + ".join(each) for each in asked]), ahead(asked, measure), strict=True
            )
        ]
    if pictures is not None:
        with local_workers(jobs, list(decks)) as (workers, _):
            _draw_worst(rows, known, readings, pictures, workers)
    told = report(rows, at_once)
    return told | {"tables": table_report(measured)} if measured else told


def tables_asked(tables: Mapping[str, KnownTable]) -> list[tuple[str, ...]]:
    """The groups of photos to read: each photo alone, then all photos of one table together. A photo that
    shows the whole table comes first in its group."""
    of_table: dict[bytes, list[str]] = {}
    for name, each in tables.items():
        of_table.setdefault(bytes(each.seen.tableau), []).append(name)
    together = [
        tuple(sorted(names, key=lambda name: not tables[name].seen.is_whole))
        for names in of_table.values()
        if len(names) > 1
    ]
    return [*((name,) for name in tables), *together]


def _measured(
    name: str, known: Known, begun: Future[worker.Read], players: Sequence[str]
) -> tuple[Measured, Scan | None]:
    """The measurements and the reading of a photo, once its worker has finished."""
    groups = groups_of(known.seen)
    try:
        read = begun.result()
    except BrokenExecutor:
        raise
    except Exception as fault:  # One photo that trips over a mistake of ours must not lose the others.
        error = fault if isinstance(fault, WaymarkError) else _mistake(fault)
        row = unread(name, known.seen, error)
        ends = dict.fromkeys(players, Played(right=row.refused))
        return replace(row, players=ends, groups=groups), None
    row = replace(
        compare(name, known.seen, seen_in(read.scan), known.deck),
        sure_untold=read.sure_untold,
        players=read.players,
        doubt_confidences=read.doubts,
        groups=groups,
        seconds=read.seconds,
        cpu_seconds=read.cpu_seconds,
        peak_mb=read.peak_mb,
        decode_seconds=read.decode_seconds,
        decode_cpu_seconds=read.decode_cpu_seconds,
    )
    return row, read.reading


def _mistake(fault: Exception) -> WaymarkError:
    what = f"{type(fault).__name__}: {fault}".splitlines()[0]
    return WaymarkError(Code.INTERNAL, Text("a mistake in Waymark ({what})", what=what))


def _draw_worst(
    rows: Sequence[Measured],
    known: Mapping[str, Known],
    readings: Mapping[str, Scan],
    pictures: Pictures,
    workers: Executor,
) -> None:
    drawing = []
    for number, row in enumerate(worst(rows), 1):
        each = known[row.photo]
        read, true = picture_files(number)
        files = (pictures.folder / read, pictures.folder / true)
        drawing.append(
            workers.submit(
                worker.draw,
                each.photo,
                each.deck_name,
                each.seen,
                readings.get(row.photo),
                files,
                pictures.language,
            )
        )
    for drawn in drawing:
        drawn.result()


def seen_in(scan: Scan) -> Seen:
    """The part of a scan that is compared with a truth."""
    cards = tuple(
        SeenCard(card.card, card.rotation, card.corners, card.confidence)  # type: ignore[arg-type]
        for card in scan.cards
    )
    return Seen(scan.tableau, cards, scan.sure, scan.timings_ms)
