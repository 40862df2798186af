"""Readings side by side in anybody's program: the same answers, and its own threads left as they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest
from table_photos import CARDS, Laid, photograph, small_catalogue
from threadpoolctl import ThreadpoolController

from vision.cards.index import load_index
from vision.photo.decode import Photo
from vision.photo.runtime import single_threaded_blas
from vision.reader import scan_with_doubts
from vision.scan import Scan

BLAS = ThreadpoolController().select(user_api="blas")


def threads() -> set[int]:
    """How many threads the loaded libraries of matrix products would take."""
    return {library["num_threads"] for library in BLAS.info()}


@pytest.fixture(autouse=True)
def two_threads() -> Iterator[None]:
    """As in a program that imported numpy long before this package, on a machine of two cores or more."""
    before = BLAS.info()
    set_threads([2] * len(before))
    yield
    set_threads([library["num_threads"] for library in before])


def set_threads(counts: Sequence[int]) -> None:
    """In a thread that ends: the one that sets OpenBLAS keeps all others from it while it lives."""

    def set_all() -> None:
        for library, count in zip(BLAS.lib_controllers, counts, strict=True):
            library.set_num_threads(count)

    thread = Thread(target=set_all)
    thread.start()
    thread.join()


def test_the_program_has_its_threads_back_once_the_last_reading_ends() -> None:
    assert threads() == {2}
    first, second = single_threaded_blas(), single_threaded_blas()
    with first:
        assert threads() == {1}
        second.__enter__()
    assert threads() == {1}, "a reading goes on"
    second.__exit__(None, None, None)
    assert threads() == {2}


def test_a_reading_that_fails_gives_the_threads_back() -> None:
    with pytest.raises(ValueError, match="broken"), single_threaded_blas():
        raise ValueError("broken")
    assert threads() == {2}


@pytest.mark.long
def test_readings_side_by_side_are_those_made_one_after_the_other(tmp_path: Path) -> None:
    catalogue = small_catalogue(tmp_path / "deck", CARDS[3:9])
    index = load_index(catalogue)
    tables = (
        [Laid("D01", 0, 0), Laid("D17", 63, 44, 180)],
        [Laid("D09", 0, 0), Laid("D25", 63, 0)],
        [Laid("D33", 0, 0), Laid("D41", 0, 88, 180)],
    )
    line = [(float(x), 22.0) for x in range(2, 62, 2)]
    photos = [photograph(cards, ink=[line], size=(800, 600))[0] for cards in tables]

    def read(photo: Photo) -> Scan:
        inside = scan_with_doubts(photo, catalogue, index, on_stage=lambda _: seen.add(max(threads())))
        return replace(inside, timings_ms={})

    seen: set[int] = set()
    alone = [read(photo) for photo in photos]
    with ThreadPoolExecutor(3) as pool:
        together = list(pool.map(read, photos * 2))
    assert together == alone * 2
    assert len({scan.cards for scan in alone}) == 3
    assert seen == {1} and threads() == {2}
