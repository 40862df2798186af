"""`waymark scan --stages`: a picture of every stage, named in order, with something to see on each."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from cli_runs import ROOT, run_here

NAMES = [
    *("1-features.png", "2-cards.png", "3-plane.png", "4-ink.png", "5-links.png", "6-walk.png", "7-marks.png")
]
PHOTO = ROOT / "samples" / "photos" / "table-09.jpg"


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> dict[str, np.ndarray]:
    """The stages of one shipped photo."""
    folder = tmp_path_factory.mktemp("stages") / "new"
    done = run_here("scan", PHOTO, "--stages", folder)
    assert done.exit_code == 0
    assert str(folder) in done.stdout
    seen = {path.name: cv2.imread(str(path)) for path in sorted(folder.iterdir())}
    return {name: picture for name, picture in seen.items() if picture is not None}


def test_each_stage_has_its_picture_in_order(pictures: dict[str, np.ndarray]) -> None:
    assert list(pictures) == NAMES
    assert len({picture.tobytes() for picture in pictures.values()}) == len(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_something_is_drawn_in_colour_on_what_is_grey(name: str, pictures: dict[str, np.ndarray]) -> None:
    picture = pictures[name]
    assert min(picture.shape[:2]) > 400
    assert picture.std() > 10
    spread = picture.max(axis=2).astype(int) - picture.min(axis=2)
    assert np.mean(spread > 60) > 0.0005
    if name != "3-plane.png":
        # the photo beneath is grey
        assert np.mean(spread > 60) < 0.5


@pytest.mark.long
def test_several_photos_have_a_folder_each(tmp_path: Path) -> None:
    twin = tmp_path / "twin"
    twin.mkdir()
    copy = twin / PHOTO.name
    copy.write_bytes(PHOTO.read_bytes())
    done = run_here("scan", PHOTO, copy, "--stages", tmp_path / "stages", "--lang", "ja")
    assert done.exit_code == 0
    assert "各段階の画像" in done.stdout
    folders = sorted((tmp_path / "stages").iterdir())
    assert [folder.name for folder in folders] == ["table-09-1", "table-09-2"]
    for folder in folders:
        assert [path.name for path in sorted(folder.iterdir())] == NAMES


@pytest.mark.long
def test_a_photo_without_cards_shows_how_far_the_reading_came(tmp_path: Path) -> None:
    empty = tmp_path / "empty.png"
    noise = np.random.default_rng(1).integers(60, 200, (90, 120, 3), np.uint8)
    cv2.imwrite(str(empty), cv2.resize(noise, (1200, 900), interpolation=cv2.INTER_CUBIC))
    (tmp_path / "stages").mkdir()
    (tmp_path / "stages" / NAMES[6]).write_bytes(b"of an earlier scan")
    done = run_here("scan", empty, "--stages", tmp_path / "stages")
    assert done.exit_code == 4
    assert [path.name for path in sorted((tmp_path / "stages").iterdir())] == NAMES[:2]


def test_a_file_in_the_folders_place_is_refused_before_any_work(tmp_path: Path) -> None:
    target = tmp_path / "stages"
    target.write_text("in the way")
    done = run_here("scan", PHOTO, "--stages", target)
    assert done.exit_code == 2
    assert "--stages" in done.stderr
    assert target.read_text() == "in the way"
