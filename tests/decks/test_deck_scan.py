"""`waymark deck check` scans the faces of a catalogue that look alike."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from calibration.decks.scan import scan_deck
from calibration.open_deck import bundled_catalogue
from samples.styles.decks import write_deck
from scorer.catalogue import load_catalogue
from vision.cards.index import read_art
from waymark.cli.main import cli


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAYMARK_CACHE", str(tmp_path / "cache"))


def deck_of(folder: Path, ids: tuple[str, ...], copies: dict[str, str]) -> Path:
    """Cards of the open deck, and `copies`: a card's id, and whose face it has (with the grain of another
    print, so that the pictures themselves differ)."""
    told = json.loads((bundled_catalogue() / "catalogue.json").read_bytes())
    by_id = {card["id"]: card for card in told["cards"]}
    told["cards"] = [by_id[name] for name in (*ids, *copies)]
    (folder / "art").mkdir(parents=True)
    for card in told["cards"]:
        picture = read_art(bundled_catalogue() / f"art/{copies.get(card['id'], card['id'])}.png")
        assert picture is not None
        if card["id"] in copies:
            grain = np.random.default_rng(7).normal(0, 8, picture.shape)
            picture = np.clip(picture + grain, 0, 255).astype(np.uint8)
        cv2.imwrite(str(folder / card["art"]), picture)
    (folder / "catalogue.json").write_text(json.dumps(told))
    return folder


@pytest.mark.long
def test_a_copy_of_a_face_under_another_id_is_told(tmp_path: Path) -> None:
    folder = deck_of(tmp_path / "deck", ("D01", "D02", "D03", "D04", "D05", "D06"), {"D07": "D01"})
    told = CliRunner().invoke(cli, ["deck", "check", str(folder), "--json", "-"])
    findings = {(each["card"], each["place"]) for each in json.loads(told.stdout)["findings"]}
    assert told.exit_code == 3 and findings
    assert findings <= {("D01", "D07"), ("D07", "D01")}
    told = CliRunner().invoke(cli, ["deck", "check", str(folder), "--lang", "ja"])
    assert "スキャン" in told.stdout


@pytest.mark.long
def test_colours_that_a_scan_tells_apart_are_no_fault(tmp_path: Path) -> None:
    starters = ("S1-red", "S1-blue", "S1-green", "S1-yellow", "S1-purple", "D01", "D02")
    scanned = scan_deck(load_catalogue(deck_of(tmp_path / "deck", starters, {})))
    assert scanned.confusions == () and scanned.left_out == 0


@pytest.mark.long
def test_colours_of_one_dungeon_that_a_scan_asks_about_are_told_and_no_fault(tmp_path: Path) -> None:
    write_deck("pixels", tmp_path / "deck")
    told = CliRunner().invoke(cli, ["deck", "check", str(tmp_path / "deck"), "--json", "-"])
    answer = json.loads(told.stdout)
    assert told.exit_code == 0 and answer["findings"] == []
    assert {each["card"][:2] for each in answer["confused"]} == {"G1", "G2", "G3"}
    assert all(each["harmless"] and not each["taken"] for each in answer["confused"])


def test_a_deck_of_faces_that_are_all_different_is_not_scanned(tmp_path: Path) -> None:
    scanned = scan_deck(load_catalogue(deck_of(tmp_path / "deck", ("D01", "D02"), {})))
    assert (scanned.confusions, scanned.scanned, scanned.left_out) == ((), 0, 0)
