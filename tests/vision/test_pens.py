"""A player's pen is learned from one tap on its line; what it draws is read, what others draw is asked."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest
from click.testing import CliRunner
from drawn_cards import Table, catalogue, random_walk
from numpy.typing import NDArray

from calibration import pen as pen_calibration
from calibration.kept_pens import FOLDER_VARIABLE, keep_pen, kept_pen, pen_file, pen_told, undo_pen
from calibration.pen import learn_pen
from samples.compositor import photograph
from samples.deck import open_deck
from samples.faint_pens import pen_photo
from samples.truth import write_truth
from scorer.errors import Code, WaymarkError
from scorer.record import PlacedCard
from vision.cards.index import CardIndex
from vision.ink.likelihood import read_ink
from vision.ink.pens import PenProfile
from vision.path.read import PathReading, read_path
from vision.photo.decode import Photo
from vision.scan import line_to_photo
from waymark.cli.main import cli

BLACK = PenProfile(through=(0.84, 0.84, 0.84), spread=0.2, width_mm=1.5, line_mm=200.0)
BLUE = PenProfile(through=(0.97, 0.85, 0.78), spread=0.2, width_mm=1.5, line_mm=200.0)
#: What a dried-out pen leaves of a fresh line, as a share of the light that it takes.
FAINT = 0.14


def two_cards(pen: str) -> Table:
    ids = [card.id for card in catalogue().cards if card.kind == "dungeon"]
    table = Table((PlacedCard(ids[20], 0, 0, 0), PlacedCard(ids[31], 63, 44, 180)), pen=pen)
    walks = [random_walk(table.dungeon, seed) for seed in range(40)]
    table.walk(max(walks, key=len))
    return table


def walk_of(table: Table) -> tuple[str, ...]:
    walks = [random_walk(table.dungeon, seed) for seed in range(40)]
    return max(walks, key=len)


def faint_photo(table: Table, share: float = FAINT, *, old: float = 0.0) -> Photo:
    """The table as a pen that has dried out leaves it; `old`: its line wiped to so much of that, instead."""
    drawn = table.photo()[0].pixels.astype(np.float32)
    blank = replace(table, lines=[]).photo()[0].pixels.astype(np.float32)
    gone = blank - drawn
    if old:
        gone = old * (0.6 * cv2.GaussianBlur(gone, (0, 0), 2) + 0.4 * cv2.blur(gone, (31, 1)))
    seen: NDArray[np.float32] = blank - share * gone
    return Photo(np.clip(seen, 0, 255).round().astype(np.uint8))


def read(table: Table, photo: Photo, pen: PenProfile | None) -> PathReading:
    ink = read_ink(photo.pixels, table.photo()[1].poses, catalogue(), known=pen)
    return read_path(ink, table.dungeon)


@pytest.fixture
def laid(monkeypatch: pytest.MonkeyPatch) -> Table:
    """A table whose cards are found where they lie."""
    table = two_cards("black")
    layout = table.photo()[1]
    monkeypatch.setattr(pen_calibration, "read_layout", lambda photo, index: layout)
    return table


def learn(table: Table, photo: Photo, at_mm: tuple[float, float]) -> PenProfile:
    at = line_to_photo(np.array([at_mm]), table.dungeon, table.photo()[1].poses)[0]
    index: CardIndex = None  # type: ignore[assignment]  # the cards are found
    return learn_pen(photo, catalogue(), index, (float(at[0]), float(at[1])))


def test_a_line_too_faint_to_be_read_is_read_after_one_tap_on_it(laid: Table) -> None:
    photo, walk = faint_photo(laid), walk_of(laid)
    assert read(laid, photo, None).path not in ((walk,), (walk[::-1],))
    line = max(laid.lines, key=len)
    x, y = np.asarray(line)[len(line) // 2][:2]
    pen = learn(laid, photo, (float(x), float(y)))
    assert all(0.75 < part < 0.95 for part in pen.through), pen
    assert pen.line_mm > 60 and 0.8 < pen.width_mm < 2.6
    reading = read(laid, photo, pen)
    assert reading.path in ((walk,), (walk[::-1],))
    assert {doubt.reason for doubt in reading.doubts} <= {"direction"}


def test_a_tap_beside_the_line_teaches_nothing(laid: Table) -> None:
    blank = Photo(replace(laid, lines=[]).photo()[0].pixels)
    with pytest.raises(WaymarkError) as raised:
        learn(laid, blank, (31.0, 44.0))
    assert raised.value.code == Code.NO_LINE
    with pytest.raises(WaymarkError) as raised:
        learn_pen(blank, catalogue(), None, (0.0, 0.0))  # type: ignore[arg-type]
    assert "no card" in raised.value.en


@pytest.mark.long
def test_a_line_in_another_colour_is_asked_about() -> None:
    table = two_cards("red")
    reading = read(table, faint_photo(table, 0.3), BLUE)
    assert not reading.path or "other-pen" in {doubt.reason for doubt in reading.doubts}
    own = read(table, faint_photo(table, 0.3), None)
    assert "other-pen" not in {doubt.reason for doubt in own.doubts}


def test_what_was_wiped_of_a_known_pen_is_no_path() -> None:
    table = two_cards("black")
    reading = read(table, faint_photo(table, 0.16, old=0.3), BLACK)
    assert not reading.path or "ghost" in {doubt.reason for doubt in reading.doubts}


@pytest.mark.long
def test_a_known_pen_may_draw_a_full_line() -> None:
    table = two_cards("black")
    walk = walk_of(table)
    assert read(table, table.photo()[0], BLACK).path in ((walk,), (walk[::-1],))


def test_pens_are_kept_by_player_and_undone_in_one_step(tmp_path: Path) -> None:
    assert kept_pen("Aya", tmp_path) is None
    keep_pen("Aya", BLACK, tmp_path)
    keep_pen("Aya", BLUE, tmp_path)
    keep_pen("Ben", BLACK, tmp_path)
    assert pen_told("Aya", tmp_path) == BLUE == pen_told(str(pen_file("Aya", tmp_path)), tmp_path)
    assert undo_pen("Aya", tmp_path) == (BLUE, BLACK)
    assert undo_pen("Aya", tmp_path) == (BLACK, None)
    assert undo_pen("Aya", tmp_path) == (None, None)
    assert pen_told("Ben", tmp_path) == BLACK
    pen_file("Ben", tmp_path).write_text('{"player": "Ben", "pen": {"through": [1, 1, 1]}}')
    with pytest.raises(WaymarkError) as raised:
        pen_told("Ben", tmp_path)
    assert raised.value.code == Code.NO_PEN


@pytest.mark.parametrize("wrong", [(1.0, 1.0, 1.0), (-0.2, 0.5, 0.5), (float("nan"), 0.5, 0.5)])
def test_a_pen_that_cannot_be_is_none(wrong: tuple[float, float, float], tmp_path: Path) -> None:
    assert not msgspec.structs.replace(BLACK, through=wrong).makes_sense()


@pytest.mark.long
def test_the_command_learns_a_pen_and_tells_what_it_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "pens"))
    files = []
    for number in (0, 7):
        sample = pen_photo("tuning-evening", 3, number, open_deck())
        files.append(tmp_path / f"{number}.png")
        picture = photograph(sample.scene, sample.images.__getitem__)
        cv2.imwrite(str(files[-1]), cv2.cvtColor(picture, cv2.COLOR_RGB2BGR))
        write_truth(sample, files[-1], renderer="compositor")
    truth = json.loads((tmp_path / "0.truth.json").read_bytes())
    line = max(truth["path_px"], key=len)
    x, y = line[len(line) // 2]
    photos = [str(file) for file in files]

    def called(*arguments: str) -> dict[str, Any]:
        result = CliRunner().invoke(cli, [*arguments, "--json", "-"])
        assert result.exit_code == 0, result.output
        told: dict[str, Any] = json.loads(result.stdout)
        return told

    told = called("calibrate", "ink", *photos, "--at", f"{x},{y}", "--player", "Aya")
    assert told["format"] == "waymark-pen/1" and told["before"] is None
    assert all(photo["changed"] for photo in told["photos"])
    # Another path where the pen was learned; a line that was read in doubt is sure.
    learned, other = told["photos"]
    assert learned["before"]["path"] != learned["after"]["path"]
    assert (other["before"]["sure"], other["after"]["sure"]) == (False, True)
    known = called("scan", photos[1], "--pen", "Aya")
    path = json.loads((tmp_path / "7.truth.json").read_bytes())["tableau"]["path"]
    places = {place.split(".")[1] for stroke in path for place in stroke}

    def read_places(scan: dict[str, Any]) -> set[str]:
        return {place.split(".")[1] for stroke in scan["tableau"]["path"] for place in stroke}

    assert read_places(known) == places
    undone = called("calibrate", "ink", photos[1], "--undo", "--player", "Aya")
    assert undone["pen"] is None and not list((tmp_path / "pens").glob("*.json"))
    unknown = CliRunner().invoke(cli, ["scan", photos[1], "--pen", "Aya", "--json", "-"])
    assert unknown.exit_code == 3 and json.loads(unknown.stdout)["error"]["code"] == "no-pen"
    unclear = CliRunner().invoke(cli, ["calibrate", "ink", photos[0], "--json", "-"])
    assert unclear.exit_code == 4 and json.loads(unclear.stdout)["error"]["code"] == "no-line"
    wrong = CliRunner().invoke(cli, ["calibrate", "ink", photos[0], "--at", "here"])
    assert wrong.exit_code == 2 and "--at" in wrong.stderr
