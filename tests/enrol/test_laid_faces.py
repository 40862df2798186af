"""Faces whose outlines were found at different places of one card: at a printed frame or a sleeve's film."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.enrol.faces.identity import LookedUp, best_match, is_symmetric
from calibration.enrol.faces.likeness import compare, prepared, registered
from calibration.enrol.faces.merging import merged
from calibration.open_deck import bundled_catalogue
from samples.deck import card_back
from scorer.catalogue import read_catalogue

DECK = read_catalogue(bundled_catalogue())
SIZE = DECK.card_size_mm
IDS = ("D29", "D30", "D31", "D40", "D41", "B02")


def art(card: str) -> NDArray[np.uint8]:
    return np.asarray(cv2.imread(str(DECK.art_path(DECK.card(card)))), np.uint8)


def cut(face: NDArray[np.uint8], left: float, top: float, right: float, bottom: float) -> NDArray[np.uint8]:
    """The face as if its outline had been found so far within it (shares of its sides; negative: beyond)."""
    height, width = face.shape[:2]
    rim = np.array([[left, top], [1 - right, top], [1 - right, 1 - bottom], [left, 1 - bottom]], np.float32)
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    turn = cv2.getPerspectiveTransform(rim * np.array([width, height], np.float32), target)
    return np.asarray(
        cv2.warpPerspective(face, turn, (width, height), borderMode=cv2.BORDER_CONSTANT), np.uint8
    )


@pytest.mark.parametrize(
    "rim", [(0.04, 0.03, 0.04, 0.03), (-0.03, -0.02, -0.03, -0.02), (0.0, 0.05, 0.0, 0.0)]
)
def test_a_card_found_at_its_frame_or_film_is_still_that_card(rim: tuple[float, float, float, float]) -> None:
    known = [LookedUp.of_pixels(art(card), SIZE) for card in IDS]
    for number, card in enumerate(IDS):
        match = best_match(LookedUp.of_pixels(cut(art(card), *rim), SIZE), known, (0, 2))
        assert match is not None and match.known == number and match.quarters == 0


@pytest.mark.parametrize("rim", [(0.0,) * 4, (0.035, 0.0, 0.0, -0.007), (-0.009, 0.004, 0.035, 0.002)])
def test_a_back_is_known_by_its_symmetry_where_its_outline_was_found_beside_it(
    rim: tuple[float, float, float, float],
) -> None:
    back = np.asarray(cv2.cvtColor(card_back(SIZE), cv2.COLOR_RGBA2BGR), np.uint8)
    assert is_symmetric(LookedUp.of_pixels(cut(back, *rim), SIZE))
    assert not any(is_symmetric(LookedUp.of_pixels(cut(art(card), *rim), SIZE)) for card in IDS)


def test_another_card_stays_another_card() -> None:
    others = [LookedUp.of_pixels(art(card), SIZE) for card in IDS[1:]]
    match = best_match(LookedUp.of_pixels(cut(art(IDS[0]), 0.04, 0.03, 0.04, 0.03), SIZE), others, (0, 2))
    assert match is None or match.verdict != "same"


def test_a_face_where_it_was_found_is_not_moved() -> None:
    face = prepared(art("D29"), SIZE)
    assert registered(face, face) is face
    soft = prepared(np.asarray(cv2.GaussianBlur(art("D29"), (0, 0), 2.0), np.uint8), SIZE)
    assert registered(soft, face) is soft and compare(soft, face).alike > 0.95


def test_a_view_found_elsewhere_is_not_blended_into_the_art() -> None:
    face = art("D29")
    elsewhere = np.asarray(cv2.GaussianBlur(cut(face, 0.05, 0.04, 0.05, 0.04), (0, 0), 1.5), np.uint8)
    assert (merged([face, elsewhere], SIZE, 8.0) == merged([face], SIZE, 8.0)).all()
