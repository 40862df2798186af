"""What spoils a photo is told with the place: where no card was found, and where cards were."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from long_rest import long_but
from shared_readings import open_deck
from spoilt_tables import (
    Pixels,
    covered_by_glare,
    cut_off,
    dark,
    dark_and_blurred,
    far_away,
    moved,
    out_of_focus,
    table,
)

from vision.photo.decode import Photo
from vision.photo.sharpness import blur_px
from vision.quality import Box, why_nothing
from waymark.review.pipeline import load_cards, read_table

#: Where the cards of the shipped table lie.
CARDS: Box = (465, 266, 1215, 2134)


@pytest.mark.parametrize(
    ("spoil", "kind", "place"),
    long_but(
        [
            (dark, "dark", None),
            (out_of_focus, "blurred", None),
            (moved, "blurred", None),
            (covered_by_glare, "hidden", (340, 100, 1340, 2300)),
            (cut_off, "cut-off", (468, 0, 947, 184)),
            (far_away, "far", (630, 774, 841, 1299)),
        ],
        *(0, 4),
    ),
)
def test_a_photo_without_cards_tells_why_and_where(
    spoil: Callable[[Pixels], Pixels], kind: str, place: Box | None
) -> None:
    (found,) = why_nothing(Photo(spoil(table())), load_cards(open_deck()))
    assert found.kind == kind
    assert found.words.en.endswith(".") and found.words.ja.endswith("。")
    if place is None:
        assert found.box is None
    else:
        assert found.box == pytest.approx(place, abs=60)


@pytest.mark.parametrize("grey", long_but([60, 128, 230], 1))
def test_an_empty_picture_is_not_blamed(grey: int) -> None:
    assert why_nothing(Photo(np.full((900, 1200, 3), grey, np.uint8)), load_cards(open_deck())) == ()


@pytest.mark.long
def test_what_makes_reading_hard_is_told_with_the_place() -> None:
    photo = read_table(Photo(dark_and_blurred(table())), open_deck()).photo
    assert {each.kind for each in photo.shortcomings} >= {"dark"}
    assert "hidden" not in {each.kind for each in photo.shortcomings}, "in the dark nothing is covered"
    assert photo.shortcomings[0].box == pytest.approx(CARDS, abs=40)
    assert {each.words for each in photo.shortcomings} <= set(photo.warnings)


@pytest.mark.long
def test_blur_is_told_by_the_direction_in_which_it_is_worse() -> None:
    grey = cv2.cvtColor(table(), cv2.COLOR_BGR2GRAY)[900:1300, 500:900]
    sharp, shaken = blur_px(grey), blur_px(np.asarray(cv2.blur(grey, (9, 1)), np.uint8))
    assert sharp is not None and sharp < 1.3
    assert shaken is None or shaken > 1.75
