"""Kinds of doubt and rules about them, switched off one at a time (`tools.ablate`)."""

from __future__ import annotations

import json
import pkgutil
from pathlib import Path
from unittest.mock import patch

from shared_readings import open_deck, photo_file, reading_of

from tools.ablate import RULES, ablate, noting_calls, outcome, table, without_kind
from tools.keep_readings import Kept, keep, kept_readings
from waymark.bench.truth import TRUTH_SUFFIX, read_truth
from waymark.review.tableau.doubt_kinds import reason_of


def kept(photo: str) -> Kept:
    truth = photo_file(photo).with_name(f"{photo}{TRUTH_SUFFIX}")
    return Kept(photo, None, read_truth(truth, [open_deck()]), reading_of(photo))


def test_every_rule_that_is_switched_off_is_one() -> None:
    assert all(callable(pkgutil.resolve_name(name)) for name in RULES)


def test_a_kind_of_doubt_that_is_off_is_not_raised() -> None:
    reading = reading_of("table-06")
    kinds = {reason_of(each.name) for each in reading.questions}
    for kind in kinds:
        without = without_kind(reading, kind)
        assert {reason_of(each.name) for each in without.questions} == kinds - {kind}
        assert without.tableau == reading.tableau


def test_a_rule_is_noted_where_it_changes_an_answer_and_makes_no_difference_to_it() -> None:
    each, changed = kept("table-04"), set[str]()
    with noting_calls(changed):
        noted = outcome(each)
    rule = "waymark.review.tableau.posterior.is_missing_nothing"
    assert noted == outcome(each) and noted.sure and rule in changed
    with patch(rule, RULES[rule]):
        assert not outcome(each).sure


def test_results_are_kept_photo_by_photo_and_told_as_a_table(tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    ablate([kept("table-04")], results)
    before = results.read_text()
    ablate([kept("table-04")], results)  # It has been tried.
    assert results.read_text() == before and json.loads(before)["photo"] == "table-04"
    lines = list(table(results))
    assert "| 1 | `posterior.is_missing_nothing` | -1 | 0 | 0 | 0 | +1 | 0 |" in lines
    assert "| 0 | `direction._as_likely` | 0 | 0 | 0 | 0 | 0 | 0 |" in lines


def test_a_kept_reading_is_the_one_of_the_photo(tmp_path: Path) -> None:
    photo, folder = photo_file("table-03"), tmp_path / "readings"
    folder.mkdir()
    keep(photo, None, folder / "table-03.reading.json.gz")
    (read,) = kept_readings(photo.parent, folder, [])
    assert read.name == "table-03" and read.reading is not None
    assert read.reading.tableau == reading_of("table-03").tableau
