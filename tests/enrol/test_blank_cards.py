"""Photos of blank cards to enrol: the scene's light is traced by either renderer, and a session goes on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from samples import blank_cards
from samples.deck import open_deck
from samples.scene_schema import Scene
from vision.photo.decode import load_photo


def test_cycles_gets_the_scene_with_its_pictures_and_its_light_becomes_the_photo(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shot = blank_cards.blank_shot(open_deck(), "tuning", 700_020, ["D29", ""])

    def traced(scene: Scene, images: Mapping[str, NDArray[np.uint8]], folder: Path) -> NDArray[np.float32]:
        assert {card.face for card in scene.cards} == set(images) == {"face-D29.png", "back.png"}
        return np.full((scene.camera.height, scene.camera.width, 3), 0.2, np.float32)

    monkeypatch.setattr(blank_cards, "render_linear", traced)
    photo = blank_cards.write_shot(shot, tmp_path, "cycles")
    seen = load_photo(photo.read_bytes()).pixels
    assert 90 < np.median(seen) < 150  # a grey of 0.2 in linear light
    truth = json.loads(photo.with_name(photo.stem + ".truth.json").read_bytes())
    assert sorted(card["card"] for card in truth["cards"]) == ["", "D29"]


def test_a_session_that_was_broken_off_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deck = open_deck().folder
    order = [
        "blank",
        "--deck",
        str(deck),
        "--photos",
        "1",
        "--fewest",
        "1",
        "--most",
        "1",
        "--out",
        str(tmp_path),
    ]
    monkeypatch.setattr("sys.argv", order)
    blank_cards.main()
    (photo,) = [each for each in tmp_path.iterdir() if not each.name.endswith(".json")]
    photo.write_bytes(b"kept")
    blank_cards.main()
    assert photo.read_bytes() == b"kept"
