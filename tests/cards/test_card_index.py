"""The catalogue's index: what it holds, and that its cache can be trusted."""

import os
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from table_photos import CARDS, small_catalogue

from scorer.catalogue import Catalogue
from scorer.errors import WaymarkError
from vision.cards import index as card_index
from vision.cards.adjacency import neighbours_of
from vision.cards.index import load_index

FEW = CARDS[:4]


def same(one: card_index.CardIndex, other: card_index.CardIndex) -> bool:
    return one.ids == other.ids and np.array_equal(one.descriptors, other.descriptors)


def shifts_of(catalogue: Catalogue) -> set[tuple[float, ...]]:
    """Where neighbours of the catalogue's cards lie."""
    size = (63.0, 88.0)
    return {tuple(shift) for shift in neighbours_of(catalogue).shifts(size, size).tolist()}


def test_every_card_has_features_all_over_and_a_small_picture(tmp_path: Path) -> None:
    index = load_index(small_catalogue(tmp_path / "deck", FEW), cache=tmp_path / "cache")
    assert index.ids == FEW
    assert index.thumbs.shape == (4, 176, 126)
    for points in index.keypoints:
        assert (points[:, 0].min(), points[:, 0].max()) < (12, 63) and points[:, 0].max() > 51
        assert points[:, 1].min() < 12 and points[:, 1].max() > 76
    lengths = np.linalg.norm(index.descriptors, axis=2)
    assert np.allclose(lengths[lengths > 0], 1, atol=1e-3)


def test_the_second_load_reads_what_the_first_wrote(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    catalogue = small_catalogue(tmp_path / "deck", FEW)
    built = load_index(catalogue, cache=tmp_path / "cache")
    monkeypatch.setattr(card_index, "_look_at_all", lambda _: pytest.fail("built again"))
    assert same(load_index(catalogue, cache=tmp_path / "cache"), built)


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04 nonsense", None])
def test_a_damaged_cache_is_built_anew(tmp_path: Path, damage: bytes | None) -> None:
    catalogue = small_catalogue(tmp_path / "deck", FEW)
    built = load_index(catalogue, cache=tmp_path / "cache")
    (file,) = (tmp_path / "cache").iterdir()
    file.write_bytes(file.read_bytes()[:5000] if damage is None else damage)
    assert same(load_index(catalogue, cache=tmp_path / "cache"), built)
    assert file.stat().st_size > 5000


def test_changed_art_is_seen(tmp_path: Path) -> None:
    catalogue = small_catalogue(tmp_path / "deck", FEW)
    before = load_index(catalogue, cache=tmp_path / "cache")
    swapped = catalogue.art_path(catalogue.cards[0])
    swapped.write_bytes(catalogue.art_path(catalogue.cards[3]).read_bytes())
    after = load_index(catalogue, cache=tmp_path / "cache")
    assert not np.array_equal(before.thumbs[0], after.thumbs[0])
    assert np.array_equal(after.thumbs[0], after.thumbs[3])


def test_what_a_change_leaves_behind_is_removed(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    other = small_catalogue(tmp_path / "other", FEW[:1])
    load_index(other, cache=cache)
    (kept,) = cache.iterdir()
    catalogue = small_catalogue(tmp_path / "deck", FEW[:1])
    load_index(catalogue, cache=cache)
    (before,) = set(cache.iterdir()) - {kept}
    (cache / "notes.txt").write_text("not ours")
    for name, age_days in (("index-long-unused.npz", 60), ("index-half.tmp", 1), ("index-in-use.tmp", 0)):
        (cache / name).write_bytes(b"...")
        at = time.time() - age_days * 24 * 3600
        os.utime(cache / name, (at, at))
    art = catalogue.art_path(catalogue.cards[0])
    os.utime(art, (1, 1))
    load_index(catalogue, cache=cache)
    left = set(cache.iterdir())
    assert {kept, cache / "notes.txt", cache / "index-in-use.tmp"} < left
    assert before not in left and len(left) == 4


def test_an_index_in_use_stays_young(tmp_path: Path) -> None:
    catalogue = small_catalogue(tmp_path / "deck", FEW[:1])
    load_index(catalogue, cache=tmp_path / "cache")
    (file,) = (tmp_path / "cache").iterdir()
    os.utime(file, (1, 1))
    load_index(catalogue, cache=tmp_path / "cache")
    assert time.time() - file.stat().st_mtime < 3600


def test_the_cache_folder_can_be_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAYMARK_CACHE", str(tmp_path / "elsewhere"))
    load_index(small_catalogue(tmp_path / "deck", FEW[:1]))
    assert len(list((tmp_path / "elsewhere").glob("*.npz"))) == 1


def test_a_cache_that_cannot_be_written_only_costs_time(tmp_path: Path) -> None:
    catalogue = small_catalogue(tmp_path / "deck", FEW[:1])
    (tmp_path / "file").write_text("a file where the folder should be")
    assert load_index(catalogue, cache=tmp_path / "file").ids == FEW[:1]


def test_writers_at_once_leave_one_whole_file(tmp_path: Path) -> None:
    catalogue = small_catalogue(tmp_path / "deck", FEW[:2])
    threads = [
        threading.Thread(target=load_index, args=(catalogue,), kwargs={"cache": tmp_path / "cache"})
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    names = os.listdir(tmp_path / "cache")
    assert len(names) == 1 and names[0].endswith(".npz")
    assert same(
        load_index(catalogue, cache=tmp_path / "cache"), load_index(catalogue, cache=tmp_path / "own")
    )


def test_missing_art_is_told(tmp_path: Path) -> None:
    catalogue = small_catalogue(tmp_path / "deck", FEW[:2])
    catalogue.art_path(catalogue.cards[1]).unlink()
    with pytest.raises(WaymarkError) as caught:
        load_index(catalogue, cache=tmp_path / "cache")
    assert caught.value.code == "art-unreadable"
    assert FEW[1] in caught.value.en and FEW[1] in caught.value.ja


def test_neighbours_lie_where_openings_meet(tmp_path: Path) -> None:
    shifts = shifts_of(small_catalogue(tmp_path / "deck"))
    beside = {(side * 63.0, down) for side in (-1, 1) for down in (-44.0, 0.0, 44.0)}
    assert shifts == beside | {(0.0, -88.0), (0.0, 88.0)}


def test_a_catalogue_without_topology_has_whole_and_half_shifts(tmp_path: Path) -> None:
    bare = small_catalogue(tmp_path / "bare", FEW, topology=False)
    assert {(63.0, 44.0), (-63.0, 0.0), (0.0, 88.0)} <= shifts_of(bare)
