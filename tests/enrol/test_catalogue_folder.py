"""A catalogue's folder grows by whole changes, and what a person wrote in it stays."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from calibration.enrol.catalogue_folder import changed_catalogue, new_catalogue
from scorer.catalogue import FILE_NAME, Card, Node, read_catalogue
from scorer.errors import WaymarkError

NEW = new_catalogue("ours", "mapmasters", (63, 88))


def test_a_catalogue_begins_with_its_first_change(tmp_path: Path) -> None:
    with changed_catalogue(tmp_path / "box", NEW) as told:
        told["cards"].append({"id": "C01", "kind": "dungeon", "art": "art/C01.png", "traced": "no"})
    [card] = read_catalogue(tmp_path / "box").cards
    assert (card.id, card.tracing) == ("C01", "no")


def test_what_a_person_wrote_stays(tmp_path: Path) -> None:
    own = {
        **NEW,
        "note": "second printing",
        "cards": [{"id": "Gate", "kind": "boss", "art": "g.png", "x": 1}],
    }
    (tmp_path / FILE_NAME).write_text(json.dumps(own), "utf-8")
    with changed_catalogue(tmp_path) as told:
        told["cards"].append({"id": "C01", "kind": "dungeon", "art": "art/C01.png"})
    kept = json.loads((tmp_path / FILE_NAME).read_bytes())
    assert kept["note"] == "second printing" and kept["cards"][0] == own["cards"][0]


def test_a_change_that_fails_changes_nothing(tmp_path: Path) -> None:
    with changed_catalogue(tmp_path, json.loads(json.dumps(NEW))):
        pass
    before = (tmp_path / FILE_NAME).read_bytes()
    with pytest.raises(KeyError), changed_catalogue(tmp_path) as told:
        told["cards"] = told["nothing"]
    with pytest.raises(WaymarkError), changed_catalogue(tmp_path) as told:
        told["cards"] = [{"id": 5}]
    assert (tmp_path / FILE_NAME).read_bytes() == before
    assert {file.name for file in tmp_path.iterdir()} == {FILE_NAME, "enrol"}


def test_a_folder_that_is_no_catalogue_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WaymarkError, match="readable"), changed_catalogue(tmp_path):
        pass
    (tmp_path / FILE_NAME).write_text("[]")
    with pytest.raises(WaymarkError, match="not a Waymark catalogue"), changed_catalogue(tmp_path, NEW):
        pass


def test_a_file_where_the_folder_should_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "box").write_text("no folder")
    with pytest.raises(WaymarkError, match="cannot be written"), changed_catalogue(tmp_path / "box", NEW):
        pass


def test_a_guessed_dungeon_says_so() -> None:
    card = Card(
        id="A", kind="dungeon", art="a", nodes=(Node(id="w1", kind="opening", side="left", at=(0, 22)),)
    )
    assert card.tracing == "yes"
    assert replace(card, traced="proposed").tracing == "proposed"
    assert Card(id="A", kind="dungeon", art="a", traced="yes").tracing == "no"
