"""The benchmark's figures from readings that were kept (`tools.bench_readings`)."""

from __future__ import annotations

import gzip
from pathlib import Path

import msgspec
from shared_readings import open_deck, photo_file, reading_of

from tools.bench_readings import all_measured, measured
from tools.keep_readings import SUFFIX, Kept
from waymark.bench.comparison import comparison
from waymark.bench.report import report
from waymark.bench.truth import TRUTH_SUFFIX, read_truth
from waymark.review.pipeline import encode_reading


def kept(photo: str) -> Kept:
    truth = photo_file(photo).with_name(f"{photo}{TRUTH_SUFFIX}")
    return Kept(photo, None, read_truth(truth, [open_deck()]), reading_of(photo))


def test_a_kept_reading_is_measured_as_its_photo_is() -> None:
    row = measured(kept("table-07"))
    assert row.every_card_right and row.path_exact and row.counts_exact and row.sure
    assert set(row.players) == {"careful", "hurried"} and row.groups["deck"] == "open"
    told = msgspec.to_builtins(report([row]))
    assert told["total"]["sure"] == 1.0 and told["total"]["players"]["careful"]["right"] == 1.0
    assert comparison(told, told)["photos"] == 1


def test_a_photo_in_which_nothing_was_found_counts_as_unread(tmp_path: Path) -> None:
    readings = tmp_path / "readings"
    readings.mkdir()
    for photo, told in (("table-06", encode_reading(reading_of("table-06"))), ("table-07", b"")):
        (readings / f"{photo}{SUFFIX}").write_bytes(gzip.compress(told))
    rows = {row.photo: row for row in all_measured(photo_file("table-06").parent, readings)}
    assert set(rows) == {"table-06", "table-07"}
    assert rows["table-06"].error is None and rows["table-07"].error is not None
    assert report(list(rows.values()))["total"]["unread"] == 1
