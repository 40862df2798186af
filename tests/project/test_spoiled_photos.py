"""Photos made of whole ones to try doubts on: a part is missing, or two tableaus lie side by side."""

from __future__ import annotations

from pathlib import Path

import pytest
from shared_readings import open_deck, photo_file

from tools.spoiled_photos import Known, spoiled, write
from vision.photo.decode import load_photo
from waymark.bench.truth import find_photos, read_truth


@pytest.fixture
def known() -> list[Known]:
    files = [
        (photo_file(name), photo_file(name).with_suffix(".truth.json")) for name in ("table-04", "table-05")
    ]
    return [(photo, truth, read_truth(truth, [open_deck()])) for photo, truth in files]


def test_a_photo_is_spoiled_by_its_name_and_keeps_its_truth(known: list[Known], tmp_path: Path) -> None:
    (name, one, other), *_ = spoiled(known)
    assert other is None
    for folder in ("once", "again"):
        (tmp_path / folder).mkdir()
        write(name, one, other, tmp_path / folder)
    (once, truth), (again, _) = (find_photos(tmp_path / folder)[0] for folder in ("once", "again"))
    assert once.read_bytes() == again.read_bytes()
    assert read_truth(truth, [open_deck()]).tableau == one[2].tableau
    whole = load_photo(one[0], whole=True).pixels
    part = load_photo(once, whole=True).pixels
    assert part.shape != whole.shape or (part != whole).any()


def test_either_of_two_tableaus_side_by_side_is_the_one_that_is_meant(
    known: list[Known], tmp_path: Path
) -> None:
    (made,) = [each for each in spoiled(known) if each[2] is not None]
    write(*made, tmp_path)
    (one, first), (two, second) = find_photos(tmp_path)
    assert one.read_bytes() == two.read_bytes()
    told = [read_truth(each, [open_deck()]).tableau for each in (first, second)]
    assert told == [known[0][2].tableau, known[1][2].tableau]
