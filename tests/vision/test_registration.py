"""Registration: a card that bows is laid over its art to within a fraction of a line's width."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.ink.rectify import for_registration, residual_flow
from vision.photo.numerics import median, wide_blur

PX_PER_MM = 5.0
SIZE = (315, 440)

Image = NDArray[np.float32]


def face(seed: int) -> Image:
    """A pattern as fine as print, (440, 315) 0..1."""
    noise = np.random.default_rng(seed).random(SIZE[::-1]).astype(np.float32)
    soft = cv2.GaussianBlur(noise, (0, 0), 2.0)
    return np.asarray((soft - soft.min()) / (soft.max() - soft.min()), np.float32)


def bent(blank: Image) -> tuple[Image, Image]:
    """What is seen of a card that bows, and how far each of its pixels lies off."""
    xs, ys = np.meshgrid(*(np.arange(side, dtype=np.float32) for side in SIZE))
    u, v = 2 * xs / (SIZE[0] - 1) - 1, 2 * ys / (SIZE[1] - 1) - 1
    off = np.stack([1.5 + 2 * u * v + 1.5 * v * v, -1 + 2.5 * u * u - v], axis=-1).astype(np.float32)
    seen = cv2.remap(
        blank, xs - off[..., 0], ys - off[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )
    return np.asarray(seen, np.float32), off


def misfit_mm(seen: Image, blank: Image, off: Image) -> Image:
    found = residual_flow(seen, for_registration(blank, PX_PER_MM), PX_PER_MM)
    return np.asarray(np.linalg.norm(found - off, axis=2) / PX_PER_MM, np.float32)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_bow_is_mended_to_a_tenth_of_a_millimetre_out_to_the_corners(seed: int) -> None:
    blank = face(seed)
    misfit = misfit_mm(*(bent(blank)[0], blank, bent(blank)[1]))
    assert misfit.mean() < 0.02 and misfit.max() < 0.1


def test_ink_on_the_card_moves_nothing() -> None:
    blank = face(3)
    seen, off = bent(blank)
    cv2.polylines(seen, [np.array([[20, 60], [280, 90], [60, 300], [290, 400]])], False, (0.0,), 9)
    assert misfit_mm(seen, blank, off).mean() < 0.04


def test_a_card_that_lies_true_is_left_where_it_is() -> None:
    blank = face(4)
    dimmed = 0.4 * blank + 0.1
    assert misfit_mm(dimmed, blank, np.zeros((*blank.shape, 2), np.float32)).max() < 0.03


@pytest.mark.parametrize("count", [1, 2, 7, 1000])
def test_the_median_is_that_of_numpy(count: int) -> None:
    values = np.random.default_rng(count).random(count).astype(np.float32)
    assert median(values) == pytest.approx(float(np.median(values)))


@pytest.mark.parametrize("sigma", [5.0, 10.0, 25.0])
def test_a_wide_blur_is_nearly_a_gaussian_one(sigma: float) -> None:
    picture = face(5)
    exact = cv2.GaussianBlur(picture, (0, 0), sigma)
    apart = np.abs(wide_blur(picture, sigma) - exact)
    assert apart.mean() < 0.03 * picture.std() and apart.max() < 0.25 * picture.std(), "most at the rim"
