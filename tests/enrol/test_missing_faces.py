"""What a box still lacks: by the stated number of cards, and by the views that could not be used."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.enrol.catalogue_folder import changed_catalogue, new_catalogue, write_whole
from calibration.enrol.faces.missing import UnusedFace, keep_unused_views, missing_words, state_cards
from calibration.enrol.faces.quality import GLARE
from calibration.enrol.faces.store import SeenPhoto, png, read_faces, write_faces
from scorer.catalogue import read_catalogue
from vision.photo.decode import Photo

SIZE = (63.0, 88.0)


def face(seed: int) -> NDArray[np.uint8]:
    rng = np.random.default_rng(seed)
    return np.asarray(cv2.resize(rng.integers(0, 255, (11, 8, 3), np.uint8), (504, 704)), np.uint8)


@pytest.fixture
def box(tmp_path: Path) -> Path:
    """A box of two cards. Two places of its photo are unusable: the first card, and an unknown one."""
    with changed_catalogue(tmp_path, new_catalogue("box", "mapmasters", SIZE)) as told:
        for number in (1, 2):
            art = f"art/card-0{number}.png"
            write_whole(tmp_path / art, png(face(number)))
            told["cards"].append({"id": f"card-0{number}", "kind": "dungeon", "copies": 1, "art": art})
            told["cards"][-1] |= {"traced": "no", "nodes": [], "edges": [], "rooms": []}
    kept = read_faces(tmp_path)
    kept.photos["key"] = SeenPhoto(name="table.jpg", file="photos/key.jpg")
    picture = Photo(np.zeros((300, 400, 3), np.uint8))
    here = np.array([[360.0, 10], [390, 10], [390, 50], [360, 50]])
    unused = [UnusedFace(here - (200, 0), face(1), (GLARE,)), UnusedFace(here, face(3), (GLARE,))]
    keep_unused_views(tmp_path, kept, "key", picture, SIZE, unused)
    write_faces(tmp_path, kept)
    return tmp_path


def words(box: Path) -> list[str]:
    return [told.en for told in missing_words(box, read_catalogue(box))]


def test_a_missing_card_is_named_by_its_place_in_the_photo(box: Path) -> None:
    state_cards(box, 3)
    count, place = words(box)
    assert count == "2 of 3 cards; missing: 1."
    assert place == f"Take one more photo of the card at the top right of photo 1 (table.jpg). {GLARE.en}"


def test_a_photo_of_which_nothing_could_be_used_is_named_once(box: Path) -> None:
    kept = read_faces(box)
    kept.photos["key"].unused[0].file = "views/gone.png"
    write_faces(box, kept)
    assert words(box) == [f"Take photo 1 (table.jpg) once more. {GLARE.en}"]


def test_without_a_stated_number_the_unusable_view_is_named(box: Path) -> None:
    (place,) = words(box)
    assert "at the top right" in place


def test_a_whole_box_asks_for_no_more_photos(box: Path) -> None:
    state_cards(box, 2)
    assert words(box) == ["All 2 cards are in the box."]


def test_more_cards_than_stated_are_reported(box: Path) -> None:
    state_cards(box, 1)
    (told,) = words(box)
    assert "may be in it twice" in told


def test_nothing_is_said_before_the_first_photo(tmp_path: Path) -> None:
    with changed_catalogue(tmp_path, new_catalogue("box", "mapmasters", SIZE)):
        pass
    state_cards(tmp_path, 3)
    assert words(tmp_path) == []
