"""Small pictures of cards, whatever their ids and whatever a catalogue says that their art is."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from other_deck import PAPER, other_deck

from scorer.catalogue import load_catalogue
from scorer.errors import WaymarkError
from vision.cards.index import MAX_ART_MEGAPIXELS, read_art
from webapp.app import create_app
from webapp.config import ServerConfig
from webapp.tableaus.questions import card_picture

IDS = [
    "D1",
    "地図 1",
    "a/b",
    "/a//b/",
    "..",
    "a\nb",
    'say "x"',
    "50%",
    "%2F",
    "a?b#c",
    "é\u202e😀",
    "' OR 1=1",
]


def renamed(folder: Path, **change: str) -> Path:
    """A deck whose first card has other fields."""
    other_deck(folder, PAPER)
    file = folder / "catalogue.json"
    told = json.loads(file.read_text())
    told["cards"][0] |= change
    file.write_text(json.dumps(told))
    return folder


@pytest.mark.parametrize("card_id", IDS)
def test_a_card_of_any_id_has_its_picture(config: ServerConfig, tmp_path: Path, card_id: str) -> None:
    app = create_app(replace(config, catalogue=renamed(tmp_path / "deck", id=card_id)))
    with app.test_request_context():
        address = card_picture(card_id)
    answer = app.test_client().get(address)
    assert answer.status_code == 200 and answer.data.startswith(b"\xff\xd8"), address
    again = app.test_client().get(address, headers={"If-None-Match": answer.headers["ETag"]})
    assert again.headers["ETag"] == answer.headers["ETag"]


@pytest.mark.parametrize("art", ["../secret.png", "/etc/hostname", "art/../../secret.png", "a\0b"])
def test_art_lies_in_the_catalogues_folder(tmp_path: Path, art: str) -> None:
    (tmp_path / "secret.png").write_bytes(b"?")
    with pytest.raises(WaymarkError) as caught:
        load_catalogue(renamed(tmp_path / "deck", art=art))
    assert caught.value.code == "broken-catalogue"


def test_a_link_out_of_the_folder_is_no_art(tmp_path: Path) -> None:
    folder = renamed(tmp_path / "deck", art="link.png")
    (tmp_path / "secret.png").write_bytes(b"?")
    (folder / "link.png").symlink_to(tmp_path / "secret.png")
    with pytest.raises(WaymarkError):
        load_catalogue(folder)
    moved = tmp_path / "moved"
    moved.symlink_to(tmp_path / "deck")
    (folder / "link.png").unlink()
    # The folder itself may be a link.
    assert load_catalogue(moved).cards


def test_art_is_a_picture_of_a_bounded_size(tmp_path: Path) -> None:
    file = tmp_path / "art.png"
    assert read_art(file) is None
    for data in (b"", b"?" * 1000, b"\x89PNG\r\n\x1a\n"):
        file.write_bytes(data)
        assert read_art(file) is None
    side = int((MAX_ART_MEGAPIXELS * 1e6) ** 0.5)
    for more, taken in ((0, True), (100, False)):
        cv2.imwrite(str(file), np.zeros((side, side + more), np.uint8))
        assert (read_art(file) is not None) == taken
