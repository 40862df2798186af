"""Cards that touch in the shape of one card are told from one by their seams."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.outlines.card_plane import as_block

SIZE = (63.0, 88.0)


def faces(columns: int, rows: int, scale: int = 2) -> NDArray[np.uint8]:
    """Cards side by side, each of a colour and a grain of its own, in CIE L*a*b*."""
    rng = np.random.default_rng(11)
    high, wide = round(SIZE[1] * scale), round(SIZE[0] * scale)
    cards = np.zeros((rows * high, columns * wide, 3), np.float32)
    for row in range(rows):
        for column in range(columns):
            grain = cv2.resize(rng.normal(0, 14, (high // 8, wide // 8, 3)).astype(np.float32), (wide, high))
            colour = rng.uniform(70, 180, 3)
            cards[row * high : (row + 1) * high, column * wide : (column + 1) * wide] = colour + grain
    return np.clip(cards, 0, 255).astype(np.uint8)


def whole(picture: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Its corners, as those of a card that is narrower than high."""
    height, width = picture.shape[:2]
    corners = np.array([[0.0, 0], [width, 0], [width, height], [0, height]])
    return corners if width < height else np.roll(corners, 1, axis=0)


def test_four_by_two_cards_that_touch_are_eight() -> None:
    picture = faces(4, 2)
    block = as_block(picture, whole(picture), SIZE)
    assert block is not None and block[:2] == (4, 2)
    assert np.abs(block[2] - np.roll(whole(picture), -1, axis=0)).max() < 6


@pytest.mark.parametrize("lines", [0, 1, 2])
def test_one_card_is_one_with_a_line_or_two_across_it(lines: int) -> None:
    picture = faces(1, 1, scale=4)
    height, width = picture.shape[:2]
    across, down = ((0, height // 2), (width, height // 2)), ((width // 2, 0), (width // 2, height))
    for start, end in (across, down)[:lines]:
        cv2.line(picture, start, end, (255, 128, 128), 3)
    assert as_block(picture, whole(picture), SIZE) is None
