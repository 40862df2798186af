"""A first look at where the cards are."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from camera_film import picture, picture_cut_off
from long_rest import long_but
from numpy.typing import NDArray

from calibration.open_deck import bundled_catalogue
from scorer.catalogue import load_catalogue
from vision.cards.index import load_index
from vision.cards.viewfinder import find_outlines
from vision.photo.decode import Photo, load_photo

PHOTO = Path(__file__).parents[2] / "samples" / "photos" / "table-07.jpg"
INDEX = load_index(load_catalogue(bundled_catalogue()))
#: A viewfinder shows where a card is; it does not measure.
OFF_PX = 25


def test_outlines_are_those_of_the_cards() -> None:
    truth = json.loads(PHOTO.with_suffix(".truth.json").read_text())
    outlines = find_outlines(load_photo(PHOTO), INDEX)
    expected = [np.array(card["corners"]) for card in truth["cards"]]
    assert len(outlines) == len(expected)
    for outline in outlines:
        assert min(float(np.abs(outline.corners_px - corners).max()) for corners in expected) < OFF_PX
        assert not outline.apart


def test_a_neighbours_card_lies_apart() -> None:
    table = load_photo(PHOTO).pixels
    (card,) = (
        outline for outline in find_outlines(Photo(table), INDEX) if outline.corners_px[:, 1].max() < 800
    )
    left, top = card.corners_px.min(axis=0).astype(int) - 10
    right, bottom = card.corners_px.max(axis=0).astype(int) + 10
    # The same face once more, on the right below.
    both = table.copy()
    both[-(bottom - top) - 20 : -20, -(right - left) - 20 : -20] = table[top:bottom, left:right]
    seen = find_outlines(Photo(both), INDEX)
    assert [outline.apart for outline in seen].count(False) == 5
    (apart,) = (outline for outline in seen if outline.apart)
    assert apart.corners_px.min(axis=0)[1] > table.shape[0] - (bottom - top) - 40


def test_a_picture_without_cards_has_no_outlines() -> None:
    noise = np.random.default_rng(7).integers(0, 255, (600, 800, 3)).astype(np.uint8)
    assert find_outlines(Photo(noise), INDEX) == ()


def small_look(shown: NDArray[np.uint8], seed: int) -> Photo:
    """A picture as the viewfinder sends it, with a camera's noise."""
    noise = np.random.default_rng(seed).normal(0, 3, shown.shape)
    noisy = np.clip(shown + noise, 0, 255).astype(np.uint8)
    small = cv2.resize(noisy, (900, 1200), interpolation=cv2.INTER_AREA)
    written, jpeg = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 70])
    assert written
    return load_photo(jpeg.tobytes())


@pytest.mark.parametrize("seed", long_but(list(range(6)), 1))
def test_a_card_that_is_half_cut_off_is_seen_in_every_look(seed: int) -> None:
    seen = find_outlines(small_look(picture_cut_off(), seed), INDEX)
    lowest = [outline.corners_px[:, 1].max() / 1200 for outline in seen]
    assert len(seen) == 5 and not any(outline.apart for outline in seen)
    assert sorted(lowest)[-1] == pytest.approx(1.08, abs=0.02) and sorted(lowest)[-2] < 1


@pytest.mark.parametrize("seed", long_but(list(range(6)), 1))
def test_no_card_is_taken_for_cut_off_where_all_are_whole(seed: int) -> None:
    seen = find_outlines(small_look(picture(), seed), INDEX)
    assert len(seen) == 5
    assert all(outline.corners_px.min() > 0 and outline.corners_px.max() < 1200 for outline in seen)
