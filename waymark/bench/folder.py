"""A folder of photos with their truths: each is read, measured and played, several at a time."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import psutil

from scorer.catalogue import Catalogue, load_catalogue
from scorer.errors import WaymarkError
from vision.scan import Scan
from waymark.bench.metric import Hits, Measured, compare
from waymark.bench.players import Played, PlayerName, Truth, play
from waymark.bench.report import report
from waymark.bench.truth import Seen, SeenCard, find_photos, read_truth
from waymark.review.pipeline import load_cards, score_photo
from waymark.review.table import Table


@dataclass(frozen=True)
class Read:
    """What a worker makes of a photo: what is shown of its reading, how it ended for each player, and what
    it cost from file to ruling."""

    scan: Scan
    players: dict[str, Played]
    seconds: float
    cpu_seconds: float
    peak_mb: float


def bench_folder(
    folder: Path,
    catalogue: Catalogue,
    *,
    players: Sequence[PlayerName] = (),
    jobs: int | None = None,
    progress: Callable[[Sequence[str]], Iterable[str]] = iter,
) -> dict[str, Any]:
    """Read every photo in `folder` (and below) that has a truth, `jobs` at a time, each in a process of its
    own (None: as many as there are processors), and let each of `players` answer what it asks.

    Returns the report as JSON-ready data: `photos`, one row each, and `total`. Raises `WaymarkError` where
    there is no photo with a truth, or a truth cannot be read.
    """
    truths = {str(photo): read_truth(truth, catalogue) for photo, truth in find_photos(folder)}
    jobs = min(len(truths), jobs or processors())
    measured: list[Measured] = []
    # Fresh processes: their memory is the reading's alone, and so is their time.
    with ProcessPoolExecutor(
        jobs, multiprocessing.get_context("spawn"), _warm_up, (catalogue.folder,)
    ) as workers:
        begun = {name: workers.submit(_read_one, name, truth, players) for name, truth in truths.items()}
        for name in progress(list(truths)):
            shown = str(Path(name).relative_to(folder))
            try:
                read = begun[name].result()
            except WaymarkError as error:
                measured.append(_unread(shown, truths[name], players, error.en))
                continue
            row = compare(shown, truths[name], seen_in(read.scan), catalogue)
            measured.append(
                replace(
                    row,
                    players=read.players,
                    seconds=read.seconds,
                    cpu_seconds=read.cpu_seconds,
                    peak_mb=read.peak_mb,
                )
            )
    return report(measured, jobs)


def processors() -> int:
    """How many processors this program may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def seen_in(scan: Scan) -> Seen:
    """The part of a scan that is compared."""
    cards = tuple(
        SeenCard(card.card, card.rotation, card.corners, card.confidence)  # type: ignore[arg-type]
        for card in scan.cards
    )
    return Seen(scan.tableau, cards, scan.sure, scan.timings_ms)


def _unread(photo: str, truth: Seen, players: Sequence[str], error: str) -> Measured:
    marks = truth.tableau.marks
    return Measured(
        photo=photo,
        card_count=len(truth.cards),
        circled=Hits(only_truth=len(marks.circled)),
        struck=Hits(only_truth=len(marks.struck)),
        players=dict.fromkeys(players, Played()),
        error=error,
    )


# The worker's own state: the catalogue stays loaded between photos, as in a running program.
_worker_catalogue: Catalogue | None = None


def _warm_up(catalogue_folder: Path | None) -> None:
    """Load in the worker what every run has in its cache, so that the first photo does not pay for it."""
    global _worker_catalogue
    assert catalogue_folder is not None, "a catalogue made in memory has no art to look at"
    _worker_catalogue = load_catalogue(catalogue_folder)
    load_cards(_worker_catalogue)


def _read_one(photo: str, seen: Seen, players: Sequence[PlayerName]) -> Read:
    """Scan and referee one photo in the worker, and play it."""
    assert _worker_catalogue is not None
    truth = Truth(seen, Table(_worker_catalogue))
    _forget_peak()
    start, cpu_start = time.perf_counter(), time.process_time()
    result = score_photo(Path(photo), _worker_catalogue, truth.terms)
    return Read(
        scan=result.scan,
        seconds=time.perf_counter() - start,
        cpu_seconds=time.process_time() - cpu_start,
        peak_mb=_peak_mb(),
        players={player: play(result.assessment.reading, truth, player) for player in players},
    )


_PROCESS_STATUS = Path("/proc/self/status")


def _forget_peak() -> None:
    """Let Linux measure the highest memory anew from here on."""
    if _PROCESS_STATUS.exists():
        with contextlib.suppress(OSError):
            Path("/proc/self/clear_refs").write_text("5")


def _peak_mb() -> float:
    """The highest resident memory of this process: since `_forget_peak` on Linux, since its start
    elsewhere."""
    if _PROCESS_STATUS.exists():
        line = next(line for line in _PROCESS_STATUS.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1000
    memory = psutil.Process().memory_info()
    if hasattr(memory, "peak_wset"):
        return float(memory.peak_wset) / 1e6
    import resource

    # macOS counts bytes.
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
