"""A first look at where the cards are."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from calibration.open_deck import bundled_catalogue
from scorer.catalogue import load_catalogue
from vision.card_index import load_index
from vision.outlines import find_outlines
from vision.photo import Photo, load_photo

PHOTO = Path(__file__).parents[1] / "samples" / "photos" / "table-07.jpg"
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
