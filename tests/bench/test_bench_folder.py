"""A folder of photos: each is read with the deck that its truth names; one that fails leaves the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cli_runs import run_here, trial_deck
from shared_readings import PHOTOS, open_deck

from scorer.catalogue import parse_catalogue
from scorer.errors import Code, WaymarkError
from scorer.text import Language, written
from vision.cards.pose import CardPose
from vision.scan import Scan, SeenPhoto
from waymark.bench import worker
from waymark.bench.folder import Pictures, bench_folder
from waymark.bench.players import Truth, play
from waymark.bench.truth import Seen
from waymark.bench.worst import picture_files
from waymark.cluster import processors
from waymark.review.referee_cache import Table

NAMES = ("deep/right.jpg", "fails.jpg", "hidden.jpg", "other.jpg")


def as_it_is(seen: Seen) -> Scan:
    """The truth as a reading."""
    cards = tuple(CardPose(card.card, card.rotation, card.corners, 0.9) for card in seen.cards)
    lines = tuple(() for _ in seen.tableau.path)
    return Scan(SeenPhoto(2592, 1944), seen.tableau, cards, lines, (), sure=True)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, bool, list[str]]]:
    """Photos are read by their names, in threads of this process; what is drawn is noted: the photo, whether
    it was read, its files."""
    noted: list[tuple[str, bool, list[str]]] = []

    @contextmanager
    def workers(jobs: int, decks: Sequence[str | None]) -> Iterator[tuple[Executor, int]]:
        with ThreadPoolExecutor(jobs) as threads:
            yield threads, jobs

    def read(photo: Path, deck: str | None, seen: Seen, players: Sequence[Any]) -> worker.Read:
        if photo.name == "fails.jpg":
            raise ZeroDivisionError("of ours")
        if photo.name == "hidden.jpg":
            raise WaymarkError(Code.NO_CARD, written("No card.", "カードがありません。"))
        scan = as_it_is(seen)
        truth = Truth(seen, Table(open_deck()))
        ends = {player: play(scan, truth, player) for player in players}
        return worker.Read(scan, scan, photo.name == "other.jpg", ends, (), 1.0, 0.5, 300.0, None, None)

    def draw(
        photo: Path,
        deck: str | None,
        seen: Seen,
        reading: Scan | None,
        files: Sequence[Path],
        language: Language,
    ) -> None:
        noted.append((photo.name, reading is not None, [file.name for file in files]))

    monkeypatch.setattr("waymark.bench.folder.local_workers", workers)
    monkeypatch.setattr(worker, "read", read)
    monkeypatch.setattr(worker, "draw", draw)
    return noted


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Four photos with the truth of one that ships."""
    truth = (PHOTOS / "table-07.truth.json").read_bytes()
    for name in NAMES:
        photo = tmp_path / "photos" / name
        photo.parent.mkdir(parents=True, exist_ok=True)
        photo.write_bytes(b"")
        photo.with_suffix(".truth.json").write_bytes(truth)
    return tmp_path / "photos"


def test_a_photo_that_fails_leaves_the_others(folder: Path, drawn: list[Any]) -> None:
    told = bench_folder(folder, [open_deck()], players=["careful"], jobs=9)
    rows = {row["photo"]: row for row in told["photos"]}
    assert list(rows) == list(NAMES) and told["jobs"] == len(NAMES)
    for name in ("deep/right.jpg", "other.jpg"):
        assert rows[name]["outcome_exact"] and rows[name]["path_exact"] and rows[name]["error"] is None
        assert rows[name]["players"]["careful"]["right"] and rows[name]["groups"]["deck"] == "open"
    assert (rows["deep/right.jpg"]["sure"], rows["deep/right.jpg"]["sure_untold"]) == (True, False)
    assert rows["other.jpg"]["sure_untold"] and told["total"]["sure_untold"] == 0.25
    assert rows["hidden.jpg"]["error"] == "No card."
    assert "ZeroDivisionError: of ours" in rows["fails.jpg"]["error"]
    assert not rows["fails.jpg"]["players"]["careful"]["right"]
    assert (told["total"]["unread"], told["total"]["counts_exact"]) == (2, 0.5)
    assert drawn == []


def test_the_worst_photos_are_drawn_where_they_are_asked_for(folder: Path, drawn: list[Any]) -> None:
    told = bench_folder(folder, [open_deck()], pictures=Pictures(folder, "ja"))
    assert told["worst"] == ["fails.jpg", "hidden.jpg"]
    assert sorted(drawn) == [
        ("fails.jpg", False, list(picture_files(1))),
        ("hidden.jpg", False, list(picture_files(2))),
    ]
    assert told["jobs"] == min(len(NAMES), processors())


def test_truths_of_two_decks_are_read_each_with_its_own(
    folder: Path, drawn: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    truth = folder / "other.truth.json"
    seen = msgspec.json.decode(truth.read_bytes())
    seen["tableau"]["catalogue"] = "twin"
    truth.write_bytes(msgspec.json.encode(seen))
    plain = msgspec.to_builtins(open_deck()) | {"name": "twin"}
    twin = parse_catalogue(msgspec.json.encode(plain), folder=folder)
    read_with: dict[str, str | None] = {}
    read = worker.read

    def noted(photo: Path, deck: str | None, *more: Any) -> worker.Read:
        read_with[photo.name] = deck
        return read(photo, deck, *more)

    monkeypatch.setattr(worker, "read", noted)
    monkeypatch.setattr("waymark.bench.folder.load_cards", lambda deck: None)
    told = bench_folder(folder, [open_deck(), twin])
    assert read_with["other.jpg"] == str(folder) and read_with["right.jpg"] is None
    assert {deck: each["photos"] for deck, each in told["groups"]["deck"].items()} == {"open": 3, "twin": 1}


def test_cards_without_art_are_told_once_and_before_any_photo(tmp_path: Path) -> None:
    deck = trial_deck(tmp_path / "deck")
    record = {
        "format": "waymark-tableau/1",
        "catalogue": "trial",
        "cards": [{"card": "C1", "x": 0, "y": 0, "rotation": 0}],
        "path": [["0.w1", "0.f1", "0.e1"]],
    }
    cards = [{"card": "C1", "rotation": 0, "corners": [[0, 0], [63, 0], [63, 88], [0, 88]]}]
    for name in ("a", "b"):
        (tmp_path / f"{name}.jpg").write_bytes(b"")
        truth = msgspec.json.encode({"tableau": record, "cards": cards})
        (tmp_path / f"{name}.truth.json").write_bytes(truth)
    told = run_here("bench", tmp_path, "--catalogue", deck)
    assert (told.exit_code, told.stdout, told.stderr.count("\n")) == (3, "", 1), told.stderr
