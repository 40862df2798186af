"""Laying a card's art over its picture, from a place that is only about right."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from table_photos import Laid, photograph, small_catalogue

from vision.cards.cards_in_view import COMPARED_PX_PER_MM
from vision.cards.compare import align, likeness_to
from vision.cards.index import CardIndex, load_index
from vision.photo import geometry
from vision.photo.decode import Photo
from vision.photo.view import Reductions, View

WIDTH, HEIGHT = SIZE = (63.0, 88.0)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> CardIndex:
    folder: Path = tmp_path_factory.mktemp("alignment") / "deck"
    return load_index(small_catalogue(folder, ("D01", "D17")))


def through(corners: np.ndarray, to: np.ndarray) -> np.ndarray:
    """The map of four corners to four others."""
    return np.asarray(cv2.getPerspectiveTransform(corners.astype(np.float32), to.astype(np.float32)))


def seen_for_comparing(photo: Photo, to_photo: np.ndarray) -> View:
    slope = geometry.jacobian(to_photo, np.array([SIZE]) / 2)[0]
    reduction = COMPARED_PX_PER_MM / np.sqrt(abs(np.linalg.det(slope)))
    return Reductions(photo).view(max(photo.width, photo.height) * reduction)


def off_mm(found: np.ndarray, true: np.ndarray) -> float:
    """How far the farthest corner lies from where it is, in mm on the card."""
    face = geometry.rectangle(*SIZE)
    at = geometry.apply(np.linalg.inv(true), geometry.apply(found, face))
    return float(np.linalg.norm(at - face, axis=1).max())


@pytest.mark.parametrize(
    ("corner", "moved"),
    [(0, (-3.0, -3.5)), (2, (4.0, -3.0)), (3, (-2.0, 5.0))],
    ids=["a corner too far out", "a corner askew", "a longer side"],
)
def test_a_plane_that_leans_wrongly_is_mended_on_each_card(
    index: CardIndex, corner: int, moved: tuple[float, float]
) -> None:
    """Another card's plane tells a far card's perspective badly: no affine map makes up for it."""
    photo, (quad,) = photograph([Laid("D17", 0, 0)], tilt_deg=35.0, size=(800, 600))
    face = geometry.rectangle(*SIZE)
    true = through(face, quad)
    askew = face.copy()
    askew[corner] += moved
    leaning = true @ through(face, askew)
    assert off_mm(leaning, true) > 4
    aligned = align(seen_for_comparing(photo, true), leaning, index.ids.index("D17"), likeness_to(index))
    assert aligned is not None
    assert off_mm(aligned.card_to_photo, true) < 0.4
    assert aligned.likeness > 0.8


def test_ink_and_a_hand_move_no_card(index: CardIndex) -> None:
    scribble = [[(x, 20 + 9 * (k % 2)) for k, x in enumerate(range(5, 60, 5))], [(8, 50), (55, 60), (9, 70)]]
    photo, (quad,) = photograph([Laid("D17", 0, 0)], tilt_deg=15.0, ink=scribble, size=(800, 600))
    true = through(geometry.rectangle(*SIZE), quad)
    pixels = photo.pixels.copy()
    covered = geometry.apply(true, np.array([[0.0, 55.0], [25.0, 55.0], [25.0, HEIGHT], [0.0, HEIGHT]]))
    low, high = covered.min(axis=0).astype(int), covered.max(axis=0).astype(int)
    pixels[low[1] : high[1], low[0] : high[0]] = (120, 150, 210)
    near = true @ geometry.similarity(0.02, np.array([1.5, -1.5]))
    seen = seen_for_comparing(Photo(pixels), true)
    aligned = align(seen, near, index.ids.index("D17"), likeness_to(index))
    assert aligned is not None
    assert off_mm(aligned.card_to_photo, true) < 0.6
