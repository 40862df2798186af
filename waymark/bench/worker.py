"""The work on one photo in a process of its own: reading, timing, simulated players, and drawing for the
worst photos."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import psutil

from scorer.games import game_named
from scorer.text import Language
from vision.scan import Scan
from waymark.bench.doubts import doubt_confidences
from waymark.bench.players import Played, PlayerName, Truth, play
from waymark.bench.tables import TableMeasured, measure_table
from waymark.bench.truth import Seen, TableTruth
from waymark.bench.worst import draw_as_it_is, draw_as_read
from waymark.cluster import deck_named
from waymark.review.pipeline import load_cards, score_photo
from waymark.review.referee_cache import Table
from waymark.review.tableau.assess import assess


@dataclass(frozen=True)
class Read:
    """The worker's result for a photo: its `reading`, the `scan` shown with the truth's terms, and
    whether the score is sure without those terms. Further: the players' results, the calibration of
    doubts, the costs from file to ruling, and the cost of bare JPEG decoding."""

    reading: Scan
    scan: Scan
    sure_untold: bool
    players: dict[str, Played]
    doubts: tuple[tuple[float, bool], ...]
    seconds: float
    cpu_seconds: float
    peak_mb: float
    decode_seconds: float | None
    decode_cpu_seconds: float | None


def read(photo: Path | bytes, deck: str | None, seen: Seen, players: Sequence[PlayerName]) -> Read:
    """The result of scanning and refereeing one photo with the truth's terms, and of the simulated
    players. `deck` is a `waymark.cluster.deck_name`."""
    cards = deck_named(deck)
    load_cards(cards)
    truth = Truth(seen, Table(cards))
    _forget_peak()
    start, cpu_start = time.perf_counter(), time.process_time()
    result = score_photo(photo, cards, truth.terms)
    reading = result.assessment.reading
    seconds, cpu_seconds, peak_mb = time.perf_counter() - start, time.process_time() - cpu_start, _peak_mb()
    decode_seconds, decode_cpu_seconds = _decode_seconds(photo)
    return Read(
        seconds=seconds,
        cpu_seconds=cpu_seconds,
        peak_mb=peak_mb,
        decode_seconds=decode_seconds,
        decode_cpu_seconds=decode_cpu_seconds,
        reading=reading,
        scan=result.scan,
        sure_untold=assess(reading, truth.table, truth.table.game.rules.settings.make({})).sure,
        players={player: play(reading, truth, player) for player in players},
        doubts=doubt_confidences(reading, truth),
    )


def read_table(
    photos: Sequence[Path | bytes],
    names: Sequence[str],
    deck: str | None,
    seen: TableTruth,
    game: str,
    mode: str,
) -> TableMeasured:
    """The measurements of a table on which groups draw, read from its photos (called by `names`)."""
    return measure_table(photos, names, seen, deck_named(deck), game_named(game, mode))


def draw(
    photo: Path,
    deck: str | None,
    seen: Seen,
    reading: Scan | None,
    files: tuple[Path, Path],
    language: Language,
) -> None:
    """Write two pictures of a photo: as read (skipped where `reading` is None) and as in the truth."""
    truth = Truth(seen, Table(deck_named(deck)))
    as_read, as_it_is = files
    if reading is not None:
        draw_as_read(as_read, photo, reading, truth, language)
    draw_as_it_is(as_it_is, photo, truth, language)


def _decode_seconds(photo: Path | bytes) -> tuple[float | None, float | None]:
    """Wall time and processor time, in seconds, of bare JPEG decoding at full size; None for other formats.
    These times measure the current speed of the machine."""
    packed = np.frombuffer(photo, np.uint8) if isinstance(photo, bytes) else np.fromfile(photo, np.uint8)
    if packed[:2].tobytes() != b"\xff\xd8":
        return None, None
    start, cpu_start = time.perf_counter(), time.process_time()
    cv2.imdecode(packed, cv2.IMREAD_COLOR)
    return time.perf_counter() - start, time.process_time() - cpu_start


_PROCESS_STATUS = Path("/proc/self/status")


def _forget_peak() -> None:
    """Reset the peak memory counter of this process (Linux only)."""
    if _PROCESS_STATUS.exists():
        with contextlib.suppress(OSError):
            Path("/proc/self/clear_refs").write_text("5")


def _peak_mb() -> float:
    """Peak resident memory of this process in MB: since `_forget_peak` on Linux, since process start
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
