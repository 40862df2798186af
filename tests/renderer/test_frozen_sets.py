"""The sets that figures, thresholds and fitted models rest on share nothing, and can be drawn again."""

from __future__ import annotations

from itertools import chain, combinations
from pathlib import Path

from samples.frozen_sets import FROZEN, PHOTOS_PER_STYLE, Part, decks_of, draw
from scorer.catalogue import load_catalogue


def test_no_photo_and_no_style_is_in_two_parts() -> None:
    for one, other in combinations(chain.from_iterable(FROZEN.values()), 2):
        assert one.split != other.split or not set(one.indices) & set(other.indices)
        if one.deck == other.deck == "styles":
            first, second = sorted((one.style, other.style))
            assert first + 1000 // PHOTOS_PER_STYLE < second


def test_the_sets_keep_to_their_splits_and_the_second_deck_to_the_test() -> None:
    splits = {"test": "test-evening", "calibration": "validation-evening", "training": "tuning-evening"}
    assert {name: {part.split for part in parts} for name, parts in FROZEN.items()} == {
        name: {split} for name, split in splits.items()
    }
    drawn = [part for part in FROZEN["test"] if not part.cycles]
    assert sum(part.count for part in drawn) >= 1000
    assert sum(part.count for part in drawn if part.deck == "second") == 500
    assert sum(part.count for part in FROZEN["test"] if part.cycles) == 60
    assert all(part.deck != "second" for name in ("calibration", "training") for part in FROZEN[name])


def test_a_part_is_drawn_with_its_deck_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    part = Part("tuning-evening", 30_250, 1, "styles", style=2000)
    draw(part, tmp_path, 1)
    (truth,) = tmp_path.glob("*.truth.json")
    written = truth.stat().st_mtime_ns
    draw(part, tmp_path, 1)
    assert truth.stat().st_mtime_ns == written
    ((deck, _),) = decks_of(part, tmp_path)
    assert deck is not None and load_catalogue(deck).name == "style-2000"
