"""The comparison of two versions: it finds what differs, and leaves out times and sentences."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools.same_answers import TIMES, WORDS, compare, differences, without

BEFORE = {"scan": {"sure": True, "cards": [{"card": "D29"}], "timings_ms": {"total": 1}}, "message_ja": "旧"}


def test_times_and_sentences_are_left_out() -> None:
    assert without(BEFORE, TIMES | WORDS) == {"scan": {"sure": True, "cards": [{"card": "D29"}]}}


def test_a_difference_is_named_by_its_field() -> None:
    after = {"scan": {"sure": False, "cards": [{"card": "D30"}]}}
    found = set(differences(without(BEFORE, TIMES | WORDS), after))
    assert found == {"scan.sure", "scan.cards.card"}


@pytest.mark.parametrize(("sure", "status"), [(True, 0), (False, 1)])
def test_the_exit_status_says_whether_all_is_the_same(tmp_path: Path, sure: bool, status: int) -> None:
    files = tmp_path / "old.json", tmp_path / "new.json"
    for file, value in zip(files, (True, sure), strict=True):
        file.write_text(json.dumps({"photos/mapmasters/a.jpg": {"scan": {"sure": value}}}))
    assert compare(*files, words=False) == status
