"""The whole chain on the photos that ship, as a stranger would run it. Each has its exact truth beside it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from calibration.open_deck import bundled_catalogue
from scorer.catalogue import load_catalogue
from waymark.bench.folder import bench_folder
from waymark.bench.players import PLAYERS
from waymark.bench.truth import find_photos

ROOT = Path(__file__).parents[2]
PHOTOS = ROOT / "samples" / "photos"


@pytest.fixture(
    scope="module",
    params=["table-0[37].*", pytest.param("*", marks=pytest.mark.long)],
    ids=["two photos", "every photo"],
)
def measured(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Shipped photos read once and compared with their truths."""
    folder = tmp_path_factory.mktemp("photos")
    for file in PHOTOS.glob(request.param):
        (folder / file.name).symlink_to(file)
    return bench_folder(folder, [load_catalogue(bundled_catalogue())], players=PLAYERS)


def test_every_card_of_every_shipped_photo_is_found(measured: dict[str, Any]) -> None:
    wrong = [row["photo"] for row in measured["photos"] if not row["every_card_right"]]
    assert wrong == []


def test_what_was_discovered_is_counted_exactly_on_most_of_them(measured: dict[str, Any]) -> None:
    wrong = [row["photo"] for row in measured["photos"] if not row["counts_exact"]]
    assert len(wrong) <= len(measured["photos"]) * 0.2, wrong


def test_a_sure_reading_is_right(measured: dict[str, Any]) -> None:
    assert [row["photo"] for row in measured["photos"] if row["sure"] and not row["counts_exact"]] == []


def test_who_answers_from_the_truth_ends_right_and_nobody_ends_sure_and_wrong(
    measured: dict[str, Any],
) -> None:
    ends = {player: [row["players"][player] for row in measured["photos"]] for player in PLAYERS}
    assert all(end["right"] and not end["without_true_answer"] for end in ends["careful"])
    assert not any(end["sure_and_wrong"] for player in PLAYERS for end in ends[player])


def test_a_photo_takes_less_than_a_gigabyte(measured: dict[str, Any]) -> None:
    assert measured["total"]["peak_mb"] < 1000


def waymark(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "waymark", *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
        check=False,
    )


def test_score_of_a_photo_as_make_run_does_it(tmp_path: Path) -> None:
    photo = str(find_photos(PHOTOS)[0][0])
    overlay, answer = tmp_path / "overlay.png", tmp_path / "score.json"
    done = waymark(
        "score",
        photo,
        "--primary",
        "coin",
        "--secondary",
        "room",
        "--overlay",
        str(overlay),
        "--json",
        str(answer),
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "Primary objective" in done.stdout and str(overlay) in done.stdout
    scored = json.loads(answer.read_bytes())
    assert set(scored) == {"scan", "ruling"}
    scan = scored["scan"]
    assert len(scan["cards"]) == len(scan["tableau"]["cards"])
    assert len(scan["path_px"]) == len(scan["tableau"]["path"])
    assert scored["ruling"]["primary"]["objective"] == "coin"
    with Image.open(overlay) as picture:
        assert picture.format == "PNG" and min(picture.size) > 1000


def test_the_record_of_a_scan_can_be_refereed_again(tmp_path: Path) -> None:
    """What a scan writes is what the referee reads: the ruling is the same, but for what settled the
    direction, which a record has as settled."""
    photo = str(find_photos(PHOTOS)[0][0])
    scored = json.loads(waymark("score", photo, "--json", "-").stdout)
    record = tmp_path / "record.json"
    record.write_text(json.dumps(scored["scan"]["tableau"]))
    again = json.loads(waymark("referee", str(record), "--json", "-").stdout)
    assert again == scored["ruling"] | {"direction": None}


@pytest.mark.long
def test_several_photos_are_answered_in_order_past_one_that_cannot_be_read(tmp_path: Path) -> None:
    first, second = (str(photo) for photo, _ in find_photos(PHOTOS)[:2])
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(Path(first).read_bytes()[:5000])
    done = waymark("scan", first, str(broken), second, "--json", "-")
    assert done.returncode == 0
    answers = json.loads(done.stdout)
    assert "tableau" in answers[0] and "tableau" in answers[2]
    assert answers[1]["error"]["code"]
    assert done.stderr.startswith("waymark: ") and done.stderr.count("\n") == 1
