"""A steep table is looked at from above, or stretched: what is seen there lies where the map says."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.cards.pose import TablePose
from vision.cards.search_views import STRETCH, close_up, from_above, parts, steepness, stretched
from vision.photo import geometry
from vision.photo.decode import Photo
from vision.photo.view import Reductions

CARD = TablePose(0, (0.0, 0.0), 0.0, (63.0, 88.0))
#: mm on a table that is seen at 55 degrees, to pixels of a photo of 1200 x 900.
TABLE_TO_PHOTO = np.array([[3.0, 0.0, 600.0], [0.0, 1.72, 450.0], [0.0, -0.0012, 1.0]])


def photo_with_a_dot(at_mm: tuple[float, float]) -> Reductions:
    pixels = np.full((900, 1200, 3), 90, np.uint8)
    x, y = geometry.apply(TABLE_TO_PHOTO, np.array(at_mm))
    cv2.circle(pixels, (round(float(x)), round(float(y))), 7, (255, 255, 255), -1)
    return Reductions(Photo(pixels))


def brightest(grey: np.ndarray) -> np.ndarray:
    return np.asarray(np.argwhere(grey > 200)[:, ::-1].mean(axis=0))


@pytest.mark.parametrize("at_mm", [(10.0, 20.0), (-60.0, -70.0)])
def test_from_above_the_table_has_one_scale(at_mm: tuple[float, float]) -> None:
    photo_at = photo_with_a_dot(at_mm)
    sight = from_above(photo_at, TABLE_TO_PHOTO, [CARD])
    assert sight is not None
    seen = geometry.apply(sight.to_photo, sight.view.to_photo(brightest(sight.view.grey)[None]))
    assert seen[0] == pytest.approx(geometry.apply(TABLE_TO_PHOTO, np.array(at_mm)), abs=2.0)
    slope = geometry.jacobian(np.linalg.inv(TABLE_TO_PHOTO) @ sight.to_photo, np.array([[300.0, 300.0]]))
    assert np.linalg.svd(slope[0], compute_uv=False) == pytest.approx(abs(slope[0, 0, 0]), rel=1e-6)
    assert sight.view.grey.size <= 1.25e6


def test_a_stretched_photo_keeps_its_places() -> None:
    photo_at = photo_with_a_dot((10.0, 20.0))
    sight = stretched(photo_at, 600)
    assert sight.view.grey.shape == (round(450 * STRETCH), 600)
    seen = geometry.apply(sight.to_photo, brightest(sight.view.grey))
    assert seen == pytest.approx(geometry.apply(TABLE_TO_PHOTO, np.array([10.0, 20.0])), abs=2.0)


def test_a_close_up_counts_from_the_cards_corner() -> None:
    seen = close_up(photo_with_a_dot((10.0, 20.0)), TABLE_TO_PHOTO, CARD)
    assert seen is not None
    sight, card_to_sight = seen
    # The card's middle lies at the table's origin.
    on_card = np.array([10.0 + 31.5, 20.0 + 44.0])
    assert brightest(sight.view.grey) == pytest.approx(geometry.apply(card_to_sight, on_card), abs=3.0)


def test_a_place_outside_the_photo_has_no_close_up() -> None:
    far = TablePose(0, (900.0, 0.0), 0.0, (63.0, 88.0))
    assert close_up(photo_with_a_dot((0.0, 0.0)), TABLE_TO_PHOTO, far) is None


def test_steepness_is_how_much_shorter_one_side_is_seen() -> None:
    assert steepness(np.diag([3.0, 3.0, 1.0]), [CARD]) == pytest.approx(1.0)
    assert steepness(np.diag([3.0, 1.5, 1.0]), [CARD]) == pytest.approx(2.0)


def test_the_busiest_part_and_the_middle_are_looked_at_enlarged() -> None:
    pixels = np.full((1800, 2400, 3), 90, np.uint8)
    busy = np.random.default_rng(1).integers(0, 255, (120, 120, 1), np.uint8)
    pixels[300:420, 400:520] = busy
    for at in ((460, 360), (1230, 880)):
        cv2.circle(pixels, at, 40, (255, 255, 255), -1)
    for sight, at in zip(parts(Reductions(Photo(pixels))), ((460, 360), (1230, 880)), strict=True):
        white = cv2.erode(sight.view.grey, np.ones((9, 9), np.uint8))
        assert geometry.apply(sight.to_photo, brightest(white)) == pytest.approx(at, abs=1.0)
        assert sight.finely
