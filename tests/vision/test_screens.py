"""A picture of cards on a screen is no table: the grid of its pixels is seen, and asked about."""

import math
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from table_photos import Laid, photograph, small_catalogue

from vision.photo.decode import Photo
from vision.photo.moire import shows_a_screen
from waymark.review.pipeline import read_table

Light = NDArray[np.float32]


def grid(photo: Photo) -> Light:
    """(h, w) the light that a screen's pixels let through, which lie a little aslant."""
    y, x = np.mgrid[0 : photo.height, 0 : photo.width].astype(np.float32)
    turn, period_px = math.radians(4.0), 3.1
    ways = (x * math.cos(turn) + y * math.sin(turn), y * math.cos(turn) - x * math.sin(turn))
    return np.asarray(0.9 + 0.05 * sum(np.cos(2 * np.pi * way / period_px) for way in ways), np.float32)


def through(photo: Photo, light: Light) -> Photo:
    return Photo((photo.pixels * light[..., None]).clip(0, 255).astype(np.uint8))


def test_a_grid_over_cards_and_table_is_a_screen() -> None:
    noise = np.random.default_rng(1).uniform(0, 255, (900, 1200, 3)).astype(np.float32)
    photo = Photo(cv2.GaussianBlur(noise, (0, 0), 2.0).astype(np.uint8))
    cards = [np.array([[x, 200], [x + 250, 200], [x + 250, 550], [x, 550]], float) for x in (100, 350, 600)]
    on_cards = np.zeros((900, 1200), bool)
    on_cards[200:550, 100:850] = True
    light, plain = grid(photo), np.full((900, 1200), 0.9, np.float32)
    assert not shows_a_screen(photo, cards)
    assert shows_a_screen(through(photo, light), cards)
    # A cloth has its grid beside the cards alone, what is printed in dots has it on them alone.
    assert not shows_a_screen(through(photo, np.where(on_cards, plain, light)), cards)
    assert not shows_a_screen(through(photo, np.where(on_cards, light, plain)), cards)


@pytest.mark.filterwarnings("error")
def test_a_flat_filling_is_no_screen() -> None:
    cards = [np.array([[x, 200], [x + 250, 200], [x + 250, 550], [x, 550]], float) for x in (100, 350, 600)]
    assert not shows_a_screen(Photo(np.full((900, 1200, 3), 128, np.uint8)), cards)


@pytest.mark.long
def test_a_picture_on_a_screen_is_asked_about(tmp_path: Path) -> None:
    catalogue = small_catalogue(tmp_path / "deck")
    photo, _ = photograph([Laid("D01", 0, 0), Laid("D17", 63, 44, 180), Laid("B01", 126, 0)])
    plain, shown = (read_table(each, catalogue) for each in (photo, through(photo, grid(photo))))
    assert "card:screen:0" not in [question.name for question in plain.questions]
    assert "card:screen:0" in [question.name for question in shown.questions] and not shown.sure
