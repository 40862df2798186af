"""Sightings: cards found by features alone, each where it lies, and none that is not there."""

import numpy as np
import pytest
from long_rest import long_but
from table_photos import Laid, photograph, small_catalogue

from vision.cards import looks
from vision.cards.features import (
    Detected,
    Sighting,
    detect,
    find_features,
    is_plausible,
    match_features,
    sight_cards,
)
from vision.cards.index import CardIndex, load_index
from vision.photo import geometry
from vision.photo.decode import Photo
from vision.photo.view import View, make_view

SIZE = (63.0, 88.0)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> CardIndex:
    return load_index(small_catalogue(tmp_path_factory.mktemp("cards") / "deck"))


def sighted(photo: Photo, index: CardIndex) -> tuple[Sighting, ...]:
    view = make_view(photo)
    return sight_cards(match_features(find_features(view, index), index), index, view.scale)


def assert_sighted(photo: Photo, index: CardIndex, cards: list[Laid], corners: list[np.ndarray]) -> None:
    found = sighted(photo, index)
    assert sorted(index.ids[one.card] for one in found) == sorted(card.card for card in cards)
    for one in found:
        seen = geometry.apply(one.card_to_photo, geometry.rectangle(*SIZE))
        truth = [quad for card, quad in zip(cards, corners, strict=True) if card.card == index.ids[one.card]]
        height = np.linalg.norm(truth[0][3] - truth[0][0])
        assert min(np.abs(seen - quad).max() for quad in truth) < 0.04 * height


@pytest.mark.parametrize("roll", long_but([0, 90, 137, 270], 2))
def test_cards_are_sighted_whichever_way_the_phone_is_held(index: CardIndex, roll: float) -> None:
    cards = [Laid("D01", 0, 0), Laid("D17", 63, 44, 180), Laid("B01", 126, 0)]
    photo, corners = photograph(cards, roll_deg=roll)
    assert_sighted(photo, index, cards, corners)


def test_cards_are_sighted_at_a_tilt_of_forty_degrees(index: CardIndex) -> None:
    cards = [Laid("D33", 0, 0), Laid("D49", 63, 0), Laid("D65", 0, 88, 180)]
    photo, corners = photograph(cards, tilt_deg=40)
    assert_sighted(photo, index, cards, corners)


def test_the_same_face_may_lie_there_twice(index: CardIndex) -> None:
    cards = [Laid("D09", 0, 0), Laid("D09", 63, 44, 180), Laid("D25", 126, 0)]
    photo, corners = photograph(cards)
    assert_sighted(photo, index, cards, corners)


def test_a_starter_of_another_colour_does_not_claim_the_same_place(index: CardIndex) -> None:
    cards = [Laid("S1-blue", 0, 0), Laid("D41", 63, 0)]
    photo, corners = photograph(cards)
    assert_sighted(photo, index, cards, corners)


def test_a_picture_without_cards_has_no_sighting(index: CardIndex) -> None:
    noise = np.random.default_rng(5).integers(0, 255, (600, 800, 3), dtype=np.uint8)
    assert sighted(Photo(noise), index) == ()
    assert sighted(Photo(np.full((600, 800, 3), 128, np.uint8)), index) == ()


def test_a_plausible_card_is_convex_not_mirrored_and_of_a_card_s_shape() -> None:
    upright = np.diag([4.0, 4.0, 1.0])
    assert is_plausible(upright, SIZE, 1.0)
    assert not is_plausible(upright @ np.diag([-1.0, 1.0, 1.0]), SIZE, 1.0)
    assert not is_plausible(np.diag([4.0, 0.8, 1.0]), SIZE, 1.0)
    assert not is_plausible(np.diag([0.3, 0.3, 1.0]), SIZE, 1.0)
    behind = upright.copy()
    behind[2, 1] = -1 / 60  # Its lower edge lies behind the camera.
    assert not is_plausible(behind, SIZE, 1.0)


def test_a_photo_is_searched_once_for_the_cards_of_all_boxes(
    index: CardIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    photo, _ = photograph([Laid("D01", 0, 0), Laid("D17", 63, 44, 180)])
    other = index.of([number for number, card in enumerate(index.ids) if card not in ("D01", "D17")])
    searched: list[int] = []

    def noted(view: View, most: int) -> Detected:
        searched.append(most)
        return detect(view, most)

    monkeypatch.setattr(looks, "detect", noted)
    assert looks.boxes_shown(photo, [other, index, other, index]) == (1, 3)
    assert len(searched) == 2, "in two views"
