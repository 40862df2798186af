"""Where answers are written to: what cannot be written is told before any work. Counts agree with nouns."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_runs import run_here, trial_deck, write_deck
from dungeons import card

from waymark.phrases import counted


@pytest.fixture
def nothing_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    def draw(*_: object, **__: object) -> int:
        raise AssertionError("a sheet was drawn")

    monkeypatch.setattr("calibration.decks.print_sheet.print_sheets", draw)


@pytest.fixture
def nothing_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(*_: object) -> bytes:
        raise AssertionError("a photo was read")

    monkeypatch.setattr("waymark.cli.photos.read_input", read)


@pytest.mark.usefixtures("nothing_is_drawn")
@pytest.mark.parametrize("target", ["nowhere/cards.pdf", "."])
def test_a_print_into_a_folder_that_is_not_there_fails_before_drawing(tmp_path: Path, target: str) -> None:
    result = run_here("deck", "print", tmp_path / target, "--json", "-")
    assert result.exit_code == 3
    assert json.loads(result.stdout)["error"]["code"] == "not-writable"
    assert result.stderr.count("\n") == 1
    assert "書き込めません" in run_here("deck", "print", tmp_path / target, "--lang", "ja").stderr


@pytest.mark.usefixtures("nothing_is_read")
def test_an_overlay_folder_for_one_photo_is_wrong_usage(tmp_path: Path) -> None:
    result = run_here("score", "a.jpg", "--overlay", tmp_path)
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "is a folder; name a file in it" in result.stderr


@pytest.mark.usefixtures("nothing_is_read")
def test_an_overlay_file_for_several_photos_is_wrong_usage(tmp_path: Path) -> None:
    file = tmp_path / "out.png"
    file.write_bytes(b"kept")
    result = run_here("score", "a.jpg", "b.jpg", "--overlay", file, "--lang", "ja")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "ファイルです" in result.stderr
    assert file.read_bytes() == b"kept"


def test_an_overlay_of_one_photo_makes_its_folder(tmp_path: Path) -> None:
    # the photo cannot be read, but its overlay's name is none the worse for a folder that is yet to be made
    result = run_here("score", tmp_path / "no.jpg", "--overlay", tmp_path / "new" / "out.png")
    assert result.exit_code == 3


def test_one_card_on_one_page_is_told_in_the_singular(tmp_path: Path) -> None:
    file = tmp_path / "one.pdf"
    assert "1 card on 1 page written" in run_here("deck", "print", file, "--cards", "D01").stdout
    assert "2 cards on 1 page written" in run_here("deck", "print", file, "--cards", "D01,D02").stdout
    assert (
        "カード 1 枚 (1 ページ)" in run_here("deck", "print", file, "--cards", "D01", "--lang", "ja").stdout
    )


def test_faults_are_counted_in_words(tmp_path: Path) -> None:
    one = run_here("deck", "check", trial_deck(tmp_path / "one"))
    assert "trial: 1 fault in 1 card." in one.stdout and "has 1 fault;" in one.stderr
    two = run_here("deck", "check", write_deck(tmp_path / "two", card("A", "w1 e1"), card("B", "w1 e1")))
    assert "2 faults in 2 cards." in two.stdout and "has 2 faults;" in two.stderr


def test_japanese_counts_carry_their_own_counter() -> None:
    assert [counted("page", n).en for n in (0, 1, 2)] == ["0 pages", "1 page", "2 pages"]
    assert counted("page", 1).ja == "1"
