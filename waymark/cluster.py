"""Who reads a batch of photos: processes of this machine, or the workers of a cluster, which are an executor
as well. `--cluster ADDRESS` names a scheduler of dask.distributed, whose workers have the same version of
Waymark. Photos travel to them as bytes; a folder of cards other than the open deck has to lie at the same
path there."""

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

#: A scheduler that has not answered by then is not there.
CONNECT_SECONDS = 10
#: Photos on their way to a cluster's workers at a time: enough for its cores, and no more in memory.
ON_THEIR_WAY = 64


class NoCluster(Exception):
    """Why there is no cluster at an address."""


class NotInstalled(Exception):
    """dask.distributed is not there."""


def processors() -> int:
    """How many processors this program may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def local_workers(jobs: int, decks: Sequence[str | None] = ()) -> Iterator[tuple[Executor, int]]:
    """Fresh processes of this machine, so many `jobs`, as one executor, and how many photos they read at a
    time. Threads of one process would wait for each other: half of a reading is Python. Each has loaded the
    cards of these names (`deck_name`), so that its first photo does not pay for them."""
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
    """The workers of a cluster as one executor, and how many photos they read at a time. Raises `NoCluster`,
    `NotInstalled`."""
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
    """What a worker on another machine finds the same cards by; None for the open deck, which it has."""
    return None if folder == bundled_catalogue() else str(folder)


@cache
def deck_named(name: str | None) -> Catalogue:
    """The cards of that name, loaded once in a worker's life. Raises `WaymarkError`."""
    return load_catalogue(bundled_catalogue() if name is None else Path(name))


def scan(photo: bytes, deck: str | None, pen: PenProfile | None, language: Language) -> dict[str, Any]:
    """What `waymark scan` answers for a photo of who draws with that `pen`. Raises `WaymarkError`."""
    from waymark import program

    return program.read(photo, deck_named(deck), pen=pen).to_json(language)


def score(
    photo: bytes, deck: str | None, terms: Any, pen: PenProfile | None, language: Language
) -> dict[str, Any]:
    """What `waymark score` answers for a photo, with the game's own terms. Raises `WaymarkError`."""
    from waymark import program

    return program.score(photo, deck_named(deck), terms, pen).to_json(language)


def read(photo: bytes, deck: str | None) -> bytes:
    """A photo's reading (`encode_reading`). Raises `WaymarkError`."""
    from vision.photo.decode import load_photo
    from waymark.review.pipeline import encode_reading, read_table

    return encode_reading(read_table(load_photo(photo), deck_named(deck)))


def ahead(inputs: Iterable[T], begin: Callable[[T], Future[R]]) -> Iterator[Future[R]]:
    """What was begun for each input, in order; as many are begun ahead as may be on their way."""
    rest = iter(inputs)
    begun = deque(begin(each) for each in islice(rest, ON_THEIR_WAY))
    while begun:
        yield begun.popleft()
        begun.extend(begin(each) for each in islice(rest, 1))
