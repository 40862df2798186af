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
        assert min(float(np.abs(outline - corners).max()) for corners in expected) < OFF_PX


def test_a_picture_without_cards_has_no_outlines() -> None:
    noise = np.random.default_rng(7).integers(0, 255, (600, 800, 3)).astype(np.uint8)
    assert find_outlines(Photo(noise), INDEX) == []
