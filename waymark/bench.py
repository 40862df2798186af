"""How well photos with known truth are read: the measures that the README's figures come from.

A photo `<stem>.jpg` (or another format) has its truth beside it as `<stem>.truth.json`, in the form of
docs/FORMATS.md, section 4. Reading and truth are brought to that one form and compared there, so that the
metric can be fed the truth itself. A tableau turned by 180 degrees as a whole is the same tableau.
"""

from __future__ import annotations

import contextlib
import math
import multiprocessing
import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec
import psutil

from scorer.catalogue import Catalogue, load_catalogue
from scorer.errors import WaymarkError
from scorer.placement import footprint
from scorer.record import PlacedCard, Record, path_backwards
from waymark.review.pipeline import load_cards, scan_json, score_photo
from waymark.review.table import Table

TRUTH_SUFFIX = ".truth.json"
PHOTO_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif")
#: A card's corners are right within this share of the card's height in the photo.
CORNER_TOLERANCE = 0.04
#: docs/FORMATS.md, section 2: readers compare places on the table within this distance.
PLACE_TOLERANCE_MM = 3.0


class SeenCard(msgspec.Struct, frozen=True):
    """A card in a photo: `corners` are photo pixels, printed top-left, top-right, bottom-right,
    bottom-left."""

    card: str
    rotation: int
    corners: tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]


class Seen(msgspec.Struct, frozen=True):
    """What a photo shows, as truth or as read: the part of a scan that is compared."""

    tableau: Record
    cards: tuple[SeenCard, ...]
    sure: bool = True
    timings_ms: dict[str, float] = {}


@dataclass(frozen=True)
class Hits:
    """Counts for an F1 measure."""

    both: int = 0
    only_truth: int = 0
    only_read: int = 0

    @property
    def f1(self) -> float:
        """1 where there was nothing to find and nothing was found."""
        missed = self.only_truth + self.only_read
        return 1.0 if missed == 0 else 2 * self.both / (2 * self.both + missed)

    def __add__(self, other: Hits) -> Hits:
        return Hits(
            self.both + other.both, self.only_truth + other.only_truth, self.only_read + other.only_read
        )


@dataclass(frozen=True)
class Measured:
    """One photo. `seconds` is the wall time of photo to ruling, `cpu_seconds` what the processor worked
    for it, `stages_ms` its parts, `peak_mb` the process's highest memory meanwhile; `error` says why
    nothing was read (then nothing is right)."""

    photo: str
    card_count: int
    cards_right: int = 0
    cards_extra: int = 0
    tableau_exact: bool = False
    path_exact: bool = False
    counts_exact: bool = False
    escape_right: bool = False
    circled: Hits = Hits()
    struck: Hits = Hits()
    sure: bool = False
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    stages_ms: Mapping[str, float] = field(default_factory=dict)
    peak_mb: float = 0.0
    error: str | None = None

    @property
    def outcome_exact(self) -> bool:
        """What a player gets by the reading is what the drawing is worth: every count, and the escape."""
        return self.counts_exact and self.escape_right

    @property
    def every_card_right(self) -> bool:
        return self.cards_right == self.card_count and self.cards_extra == 0

    @property
    def marks(self) -> Hits:
        return self.circled + self.struck


# --- the metric ---------------------------------------------------------------------------------------------


def compare(photo: str, truth: Seen, read: Seen, catalogue: Catalogue) -> Measured:
    """Measure a reading against the truth. Both are refereed here; the means held beside the path are the
    truth's."""
    table, told = Table(catalogue), read.tableau
    terms = table.terms_in(truth.tableau)
    pairs = match_cards(truth.cards, read.cards)
    turned = _best_turn(truth.cards, read.cards, pairs)
    right = sum(card_right(truth.cards[t], read.cards[r], turned) for t, r in pairs)
    to_truth = {r: t for t, r in pairs}
    true_ruling, read_ruling = (table.referee(each, terms) for each in (truth.tableau, told))
    return Measured(
        photo=photo,
        card_count=len(truth.cards),
        cards_right=right,
        cards_extra=len(read.cards) - len(pairs),
        tableau_exact=tableau_exact(truth.tableau, told, pairs, catalogue.card_size_mm),
        path_exact=path_exact(truth.tableau, rename_path(told.path, to_truth), table),
        counts_exact=_counts(table, true_ruling) == _counts(table, read_ruling),
        escape_right=_escaped(true_ruling) == _escaped(read_ruling),
        circled=mark_hits(truth.tableau.marks.circled, told.marks.circled, to_truth),
        struck=mark_hits(truth.tableau.marks.struck, told.marks.struck, to_truth),
        sure=read.sure,
        stages_ms=read.timings_ms,
    )


def match_cards(truth: Sequence[SeenCard], read: Sequence[SeenCard]) -> list[tuple[int, int]]:
    """Pairs of (truth, read) indices: cards of one id, the nearest in the photo first."""
    candidates = sorted(
        (math.dist(_centre(a.corners), _centre(b.corners)), t, r)
        for t, a in enumerate(truth)
        for r, b in enumerate(read)
        if a.card == b.card
    )
    pairs: list[tuple[int, int]] = []
    for _, t, r in candidates:
        if all(t != other_t and r != other_r for other_t, other_r in pairs):
            pairs.append((t, r))
    return sorted(pairs)


def card_right(truth: SeenCard, read: SeenCard, turned: int) -> bool:
    """Whether a card of the right id lies where it should, the whole tableau being turned by `turned`
    degrees."""
    top_left, top_right, bottom_right, bottom_left = truth.corners
    height = (math.dist(top_left, bottom_left) + math.dist(top_right, bottom_right)) / 2
    near = all(
        math.dist(a, b) <= CORNER_TOLERANCE * height for a, b in zip(truth.corners, read.corners, strict=True)
    )
    return near and (truth.rotation - read.rotation - turned) % 360 == 0


def _best_turn(truth: Sequence[SeenCard], read: Sequence[SeenCard], pairs: Sequence[tuple[int, int]]) -> int:
    """The turn of the whole tableau, 0 or 180, in which most cards agree."""
    return max((0, 180), key=lambda turn: sum(card_right(truth[t], read[r], turn) for t, r in pairs))


def tableau_exact(
    truth: Record, read: Record, pairs: Sequence[tuple[int, int]], card_size_mm: tuple[float, float]
) -> bool:
    """Whether the same cards lie in the same places, up to the origin and a half turn of the whole
    tableau."""
    if not len(pairs) == len(truth.cards) == len(read.cards):
        return False
    for cards in (read.cards, tuple(_turned_half(card, card_size_mm) for card in read.cards)):
        matched = [(truth.cards[t], cards[r]) for t, r in pairs]
        shift_x = statistics.median(a.x - b.x for a, b in matched)
        shift_y = statistics.median(a.y - b.y for a, b in matched)
        if all(
            a.card == b.card
            and a.rotation == b.rotation
            and math.hypot(a.x - b.x - shift_x, a.y - b.y - shift_y) <= PLACE_TOLERANCE_MM
            for a, b in matched
        ):
            return True
    return False


def _turned_half(placed: PlacedCard, card_size_mm: tuple[float, float]) -> PlacedCard:
    """The card after the table was turned by 180 degrees about its origin."""
    rectangle = footprint(placed, card_size_mm)
    return msgspec.structs.replace(
        placed, x=-rectangle.right, y=-rectangle.bottom, rotation=(placed.rotation + 180) % 360
    )


def path_exact(truth: Record, read_path: Sequence[Sequence[str]], table: Table) -> bool:
    """Whether the strokes are the same; walked the other way as a whole counts where both ways are legal."""
    if _strokes(read_path) == _strokes(truth.path):
        return True
    backwards = msgspec.structs.replace(truth, path=path_backwards(truth.path))
    if _strokes(read_path) != backwards.path:
        return False
    terms = table.terms_in(truth)
    return all(table.referee(way, terms).legal for way in (truth, backwards))


def _strokes(path: Iterable[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(stroke) for stroke in path)


def rename_path(path: Iterable[Sequence[str]], to_truth: Mapping[int, int]) -> tuple[tuple[str, ...], ...]:
    """The path with the reading's card indices replaced by the truth's (`?` where the card has no
    counterpart)."""
    return tuple(tuple(_rename(place, to_truth) for place in stroke) for stroke in path)


def _rename(place: str, to_truth: Mapping[int, int]) -> str:
    index, _, local_id = place.partition(".")
    return f"{to_truth.get(int(index), '?')}.{local_id}"


def mark_hits(truth: Iterable[str], read: Iterable[str], to_truth: Mapping[int, int]) -> Hits:
    """Marks that both have, and that only one has."""
    wanted, got = set(truth), {_rename(place, to_truth) for place in read}
    return Hits(len(wanted & got), len(wanted - got), len(got - wanted))


def _counts(table: Table, verdict: Any) -> dict[str, int]:
    return dict(table.game.report(verdict).counts)


def _escaped(verdict: Any) -> bool | None:
    """Whether the path escapes, in games in which it may."""
    return getattr(verdict, "escaped", None)


def _centre(corners: Sequence[tuple[float, float]]) -> tuple[float, float]:
    return sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners)


# --- a folder -----------------------------------------------------------------------------------------------


def bench_folder(
    folder: Path,
    catalogue: Catalogue,
    *,
    progress: Callable[[Sequence[str]], Iterable[str]] = iter,
) -> dict[str, Any]:
    """Read every photo in `folder` (and below) that has a truth, one after the other in one worker
    process.

    Returns the report as JSON-ready data: `photos`, one row each, and `total`. Raises `WaymarkError` where
    there is no photo with a truth, or a truth cannot be read.
    """
    truths = {str(photo): read_truth(truth, catalogue) for photo, truth in find_photos(folder)}
    measured: list[Measured] = []
    # A fresh process: its memory is the reading's alone, and its time is not shared with the referee's.
    with ProcessPoolExecutor(
        1,
        mp_context=multiprocessing.get_context("spawn"),
    ) as worker:
        worker.submit(_warm_up, catalogue.folder).result()
        for name in progress(list(truths)):
            truth = truths[name]
            shown, terms = str(Path(name).relative_to(folder)), Table(catalogue).terms_in(truth.tableau)
            try:
                read, costs = worker.submit(_read_one, name, terms).result()
            except WaymarkError as error:
                measured.append(_unread(shown, truth, error.en))
                continue
            row = compare(shown, truth, msgspec.json.decode(read, type=Seen), catalogue)
            measured.append(
                replace(
                    row,
                    seconds=costs["seconds"],
                    cpu_seconds=costs["cpu_seconds"],
                    peak_mb=costs["peak_mb"],
                )
            )
    return report(measured)


def find_photos(folder: Path) -> list[tuple[Path, Path]]:
    """(photo, truth) files below `folder`. Raises `WaymarkError` (no-photos)."""
    found: list[tuple[Path, Path]] = []
    for truth in sorted(folder.rglob(f"*{TRUTH_SUFFIX}")):
        stem = truth.name.removesuffix(TRUTH_SUFFIX)
        photos = [
            file
            for file in sorted(truth.parent.glob(f"{stem}.*"))
            if file.stem == stem and file.suffix.lower() in PHOTO_SUFFIXES
        ]
        found += [(photo, truth) for photo in photos]
    if not found:
        raise WaymarkError(
            "no-photos",
            f"There is no photo with a {TRUTH_SUFFIX} beside it in {str(folder)!r}; "
            "name a folder of such photos.",
            f"{str(folder)!r} に {TRUTH_SUFFIX} の付いた写真がありません。"
            "そのような写真のフォルダーを指定してください。",
        )
    return found


def read_truth(file: Path, catalogue: Catalogue) -> Seen:
    """A photo's truth, which must make sense with these cards. Raises `WaymarkError` (not-a-truth)."""
    try:
        truth = msgspec.json.decode(file.read_bytes(), type=Seen)
        table = Table(catalogue)
        table.referee(truth.tableau, table.terms_in(truth.tableau))
        return truth
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, WaymarkError) as error:
        raise WaymarkError(
            "not-a-truth",
            f"{str(file)!r} is not the truth of a photo ({error}); "
            "write it in the form of a scan, for this catalogue.",
            f"{str(file)!r} は写真の正解ではありません({error})。"
            "このカタログについて、スキャンと同じ形式で書いてください。",
        ) from error


def _unread(photo: str, truth: Seen, error: str) -> Measured:
    marks = truth.tableau.marks
    return Measured(
        photo=photo,
        card_count=len(truth.cards),
        circled=Hits(only_truth=len(marks.circled)),
        struck=Hits(only_truth=len(marks.struck)),
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


def _read_one(photo: str, terms: Any) -> tuple[bytes, dict[str, float]]:
    """Scan and referee one photo in the worker: the scan as JSON, and what it cost from file to ruling."""
    assert _worker_catalogue is not None
    _forget_peak()
    start, cpu_start = time.perf_counter(), time.process_time()
    result = score_photo(Path(photo), _worker_catalogue, terms)
    costs = {
        "seconds": time.perf_counter() - start,
        "cpu_seconds": time.process_time() - cpu_start,
        "peak_mb": _peak_mb(),
    }
    return msgspec.json.encode(scan_json(result.scan, result.assessment)), costs


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


# --- the report ---------------------------------------------------------------------------------------------


def report(measured: Sequence[Measured]) -> dict[str, Any]:
    """The rows and their totals, ready for JSON. Shares are 0..1; null where there was nothing to share."""
    return {
        "format": "waymark-bench/1",
        "photos": [_row(row) for row in measured],
        "total": _total(measured),
    }


def _row(row: Measured) -> dict[str, Any]:
    return {
        **msgspec.to_builtins(row),
        "every_card_right": row.every_card_right,
        "outcome_exact": row.outcome_exact,
        "marks_f1": row.marks.f1,
    }


def _total(rows: Sequence[Measured]) -> dict[str, Any]:
    count = len(rows)
    read = [row for row in rows if row.error is None]
    sure = [row for row in rows if row.sure]

    def share(predicate: Callable[[Measured], bool], of: Sequence[Measured] = rows) -> float | None:
        return sum(map(predicate, of)) / len(of) if of else None

    seconds = sorted(row.seconds for row in read)
    stages = sorted({stage for row in read for stage in row.stages_ms})
    return {
        "photos": count,
        "unread": count - len(read),
        "cards_right": sum(row.cards_right for row in rows) / max(1, sum(row.card_count for row in rows)),
        "cards_extra": sum(row.cards_extra for row in rows),
        "every_card_right": share(lambda row: row.every_card_right),
        "tableau_exact": share(lambda row: row.tableau_exact),
        "path_exact": share(lambda row: row.path_exact),
        "counts_exact": share(lambda row: row.counts_exact),
        "escape_right": share(lambda row: row.escape_right),
        "marks_f1": sum((row.marks for row in rows), Hits()).f1,
        "circled_f1": sum((row.circled for row in rows), Hits()).f1,
        "struck_f1": sum((row.struck for row in rows), Hits()).f1,
        "sure": share(lambda row: row.sure),
        "exact_among_sure": share(lambda row: row.outcome_exact, sure),
        "sure_and_wrong": share(lambda row: row.sure and not row.outcome_exact),
        "seconds_median": statistics.median(seconds) if seconds else None,
        "seconds_worst": seconds[-1] if seconds else None,
        "cpu_seconds_median": statistics.median(row.cpu_seconds for row in read) if read else None,
        "stages_ms_median": {
            stage: statistics.median(row.stages_ms.get(stage, 0.0) for row in read) for stage in stages
        },
        "peak_mb": max((row.peak_mb for row in read), default=None),
    }
