"""The benchmark's figures from kept readings, without reading the photos again.

    python -m tools.keep_readings PHOTOS --out READINGS
    python -m tools.bench_readings PHOTOS READINGS --json REPORT.json [--compare EARLIER.json]

The report is that of `waymark bench`, whose `--compare` takes it, without times and memory. What decides from
a reading (`waymark.review`) is that of now, what read it that of then.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import msgspec
from rich.console import Console

from scorer.errors import Code, WaymarkError
from scorer.text import Text
from tools.keep_readings import Kept, decks_below, kept_readings
from waymark.bench.comparison import comparison, read_report
from waymark.bench.doubts import doubt_confidences
from waymark.bench.folder import seen_in
from waymark.bench.groups import groups_of
from waymark.bench.metric import Measured, compare, unread
from waymark.bench.players import PLAYERS, Played, Truth, play
from waymark.bench.report import report
from waymark.cli.bench_tables import print_bench
from waymark.cluster import deck_named
from waymark.review.referee_cache import Table
from waymark.review.tableau.assess import assess


def measured(kept: Kept) -> Measured:
    """The measurements of a kept reading."""
    groups = groups_of(kept.seen)
    if kept.reading is None:
        row = unread(kept.name, kept.seen, WaymarkError(Code.NO_CARD, Text("No card was found.")))
        return replace(row, players=dict.fromkeys(PLAYERS, Played(right=row.refused)), groups=groups)
    truth = Truth(kept.seen, Table(deck_named(kept.deck)))
    now = assess(kept.reading, truth.table, truth.terms)
    untold = assess(kept.reading, truth.table, truth.table.game.rules.settings.make({}))
    return replace(
        compare(kept.name, kept.seen, seen_in(now.scan), truth.table.catalogue),
        sure_untold=untold.sure,
        players={player: play(kept.reading, truth, player) for player in PLAYERS},
        doubt_confidences=doubt_confidences(kept.reading, truth),
        groups=groups,
    )


def all_measured(photos: Path, readings: Path) -> Iterator[Measured]:
    """The measurements of all photos of a folder that are read."""
    return map(measured, kept_readings(photos, readings, decks_below(photos)))


def main() -> None:
    """Print the figures, and write the report."""
    parser = argparse.ArgumentParser(description="Figures from kept readings")
    parser.add_argument("photos", type=Path)
    parser.add_argument("readings", type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--compare", type=Path, help="an earlier report of the same photos")
    options = parser.parse_args()
    told = report(list(all_measured(options.photos, options.readings)))
    if options.compare is not None:
        told["comparison"] = comparison(read_report(options.compare.read_bytes(), str(options.compare)), told)
    if options.json is not None:
        options.json.write_bytes(msgspec.json.encode(told) + b"\n")
    print_bench(Console(), told, options.photos.name, "en")


if __name__ == "__main__":
    main()
