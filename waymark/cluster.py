"""Executors that read a batch of photos: processes of this machine, or the workers of a cluster.

`--cluster ADDRESS` names a scheduler of dask.distributed, whose workers have the same version of
Waymark. Photos are sent to them as bytes. A folder of cards other than the open deck has to exist at the
same path there."""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from calibration.open_deck import bundled_catalogue
from scorer.catalogue import Catalogue, load_catalogue
from scorer.text import Language
from vision.ink.pens import PenProfile

T = TypeVar("T")
R = TypeVar("R")

#: Timeout (seconds) for a connection to a scheduler.
CONNECT_SECONDS = 10
#: Limit of photos submitted to a cluster at a time: enough for its cores, without filling memory.
ON_THEIR_WAY = 64


class NoCluster(Exception):
    """There is no reachable cluster at an address; the message states the cause."""


class NotInstalled(Exception):
    """The package dask.distributed is not installed."""


def processors() -> int:
    """Number of processors that this program may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def local_workers(jobs: int, decks: Sequence[str | None] = ()) -> Iterator[tuple[Executor, int]]:
    """An executor of `jobs` new processes on this machine, and the number of photos read at a time.
    Threads of one process would wait for each other, since half of a reading is Python. Each process
    loads the decks with these names (`deck_name`) in advance, so that its first photo is not slower."""
    fresh = multiprocessing.get_context("spawn")
    workers = ProcessPoolExecutor(jobs, fresh, _warm_up, (tuple(decks),))
    try:
        yield workers, jobs
    finally:
        workers.shutdown(cancel_futures=True)


def _warm_up(decks: Sequence[str | None]) -> None:
    from vision.photo.runtime import keep_freed_memory
    from waymark.review.pipeline import load_cards

    keep_freed_memory()
    for deck in decks:
        load_cards(deck_named(deck))


@contextmanager
def cluster_at(address: str) -> Iterator[tuple[Executor, int]]:
    """The workers of a cluster as one executor, and the number of photos read at a time. Raises
    `NoCluster`, `NotInstalled`."""
    try:
        from distributed import Client
    except ImportError as error:
        raise NotInstalled from error
    try:
        client: Any = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise NoCluster(str(error) or type(error).__name__) from None
    with client:
        # What a photo costs is measured: what was read once is not looked up.
        yield client.get_executor(pure=False), sum(client.ncores().values())


def deck_name(folder: Path) -> str | None:
    """Name by which a worker on another machine finds the same cards; None for the open deck."""
    return None if folder == bundled_catalogue() else str(folder)


@cache
def deck_named(name: str | None) -> Catalogue:
    """The catalogue with this name (`deck_name`), cached for the life of the process. Raises
    `WaymarkError`."""
    return load_catalogue(bundled_catalogue() if name is None else Path(name))


def scan(
    photo: bytes, deck: str | None, pen: PenProfile | None, certainty: float | None, language: Language
) -> dict[str, Any]:
    """The answer of `waymark scan` for a photo, with the player's pen profile `pen`. Raises
    `WaymarkError`."""
    from waymark import program

    return program.read(photo, deck_named(deck), pen=pen, certainty=certainty).to_json(language)


def score(
    photo: bytes,
    deck: str | None,
    terms: Any,
    pen: PenProfile | None,
    certainty: float | None,
    language: Language,
) -> dict[str, Any]:
    """The answer of `waymark score` for a photo, with the game's own terms. Raises `WaymarkError`."""
    from waymark import program

    return program.score(photo, deck_named(deck), terms, pen, certainty).to_json(language)


def read(photo: bytes, deck: str | None) -> bytes:
    """A photo's reading as bytes (`encode_reading`). Raises `WaymarkError`."""
    from vision.photo.decode import load_photo
    from waymark.review.pipeline import encode_reading, read_table

    return encode_reading(read_table(load_photo(photo), deck_named(deck)))


def ahead(inputs: Iterable[T], begin: Callable[[T], Future[R]]) -> Iterator[Future[R]]:
    """The futures of all inputs, in order, with at most `ON_THEIR_WAY` submitted ahead of the consumer."""
    rest = iter(inputs)
    begun = deque(begin(each) for each in islice(rest, ON_THEIR_WAY))
    while begun:
        yield begun.popleft()
        begun.extend(begin(each) for each in islice(rest, 1))
