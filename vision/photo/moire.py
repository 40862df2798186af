"""Screen detection: photo and card outlines -> whether the cards are shown on a screen, by moire patterns.

A screen's pixels are a grid. In the photo the grid itself, or its moire pattern with the camera's pixels,
covers cards and table alike. Cloth and wood grain have such patterns too, but not on the cards. Halftone
print has them on the cards alone.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.photo.decode import Photo, halvings_to_hold
from vision.photo.numerics import median

Array = NDArray[np.float64]
Spectrum = NDArray[np.float32]

# The numbers below were measured on 200 photos of tables (`tuning-evening` and the shipped ones), 108 of a
# third deck with a fine regular print, and 14 simulated photos of a screen that shows some of the first.

#: Side (px) of the examined tiles; least share of a tile covered by cards (or free of them); largest number
#: of tiles of each kind.
TILE_PX, LEAST_SEEN, MOST_TILES = 256, 0.4, 5
#: Waves below this frequency (cycles per pixel) belong to print. Near the picture's rows and columns (this
#: many cycles per tile) file formats and enlargement cause waves of their own.
LEAST_FREQUENCY, ALONG_AXES = 0.12, 2
#: Neighbourhood (cycles per tile) with which a wave is compared, and largest drift of a grid's frequency from
#: card to card in an oblique view.
AROUND, DRIFT = 10, 6
#: Ratio of a wave common to all cards to its neighbourhood, at full size, from which the photo shows a
#: screen: on tables up to 4.4, on 13 of 14 screens 15 and more. As cards of a third deck reached 13.6, the
#: wave must also have the second ratio in the third number of tiles beside the cards.
STANDS_OUT, STANDS_OUT_BESIDE, TILES_BESIDE = 10.0, 5.0, 4
#: The ratio from which a photo that was halved in decoding is examined at full size, with at least one tile
#: beside the cards: halving removes most of a fine grid, and three of seven screens come to only 3.4 and 5.0.
HINT = 4.7
#: Clipping level of edges, as a multiple of the usual step: a pixel grid is faint and covers everything.
CUT_OFF = 3.0


def shows_a_screen(photo: Photo, cards_px: Sequence[Array]) -> bool:
    """Whether a pixel grid covers the cards, with corners (4, 2) px, and the table around them."""
    whole = halvings_to_hold(photo.width, photo.height)
    if photo.halvings > whole:
        common, beside = _grid(photo, photo.halvings, cards_px, HINT)
        if common < HINT or not beside:
            return False
    common, beside = _grid(photo, whole, cards_px, STANDS_OUT)
    return common >= STANDS_OUT and beside >= TILES_BESIDE


def _grid(photo: Photo, halvings: int, cards_px: Sequence[Array], least: float) -> tuple[float, int]:
    """Strength of the strongest frequency common to all cards, and the number of tiles beside the cards that
    show it.

    The tiles are not examined if the strength is below `least`.
    """
    pixels = photo.reduced(halvings)
    height, width = pixels.shape[:2]
    if min(height, width) < TILE_PX:
        return 0.0, 0
    outlines = [np.asarray(corners, np.float64) / (1 << halvings) for corners in cards_px]
    cards = np.zeros((height, width), np.uint8)
    for outline in outlines:
        cv2.fillConvexPoly(cards, outline.round().astype(np.int32), 1)
    waves = _waves(pixels, cards, _spots(outlines))
    if len(waves) < 2:
        return 0.0, 0
    drift = np.ones((2 * DRIFT + 1, 2 * DRIFT + 1), np.uint8)
    common = np.mean([cv2.dilate(each, drift) for each in waves], axis=0)
    if common.max() < least:
        return float(common.max()), 0
    away = np.stack(np.meshgrid(*(np.linspace(0.1, 0.9, MOST_TILES) * side for side in (width, height))), -1)
    about = _waves(pixels, 1 - cards, away.reshape(-1, 2), most=MOST_TILES**2)
    row, column = np.unravel_index(int(common.argmax()), common.shape)
    rows = slice(max(0, row - DRIFT), row + DRIFT + 1)
    columns = slice(max(0, column - DRIFT), column + DRIFT + 1)
    beside = sum(bool(each[rows, columns].max() >= STANDS_OUT_BESIDE) for each in about)
    return float(common.max()), beside


def _spots(outlines: Sequence[Array]) -> Array:
    """Centres (N, 2) of the cards; for few cards the centres of their halves."""
    if len(outlines) >= MOST_TILES - 1:
        return np.array([outline.mean(axis=0) for outline in outlines])
    halves = [
        (0.5 - share) * outline[:2].mean(axis=0) + (0.5 + share) * outline[2:].mean(axis=0)
        for outline in outlines
        for share in (-0.2, 0.2)
    ]
    return np.array(halves)


def _waves(
    pixels: NDArray[np.uint8], seen: NDArray[np.uint8], spots: Array, most: int = MOST_TILES
) -> list[Spectrum]:
    """Relative spectra of the tiles around spots (N, 2), from the pixels in the mask `seen` (h, w); at most
    `most`."""
    height, width = seen.shape
    found: list[Spectrum] = []
    for x, y in spots:
        left, top = (
            int(np.clip(x - TILE_PX / 2, 0, width - TILE_PX)),
            int(np.clip(y - TILE_PX / 2, 0, height - TILE_PX)),
        )
        tile = slice(top, top + TILE_PX), slice(left, left + TILE_PX)
        if len(found) < most and seen[tile].mean() >= LEAST_SEEN:
            grey = np.asarray(cv2.cvtColor(pixels[tile], cv2.COLOR_BGR2GRAY), np.float32)
            found.append(_standing_out(grey, seen[tile]))
    return found


def _standing_out(grey: NDArray[np.float32], seen: NDArray[np.uint8]) -> Spectrum:
    """Relative spectrum (TILE_PX, TILE_PX / 2 + 1): each frequency's amplitude divided by that of its
    neighbourhood.

    It is 1 for frequencies with other possible causes, and where the neighbourhood is zero, as in a flat
    area.
    """
    fine = grey - cv2.GaussianBlur(grey, (0, 0), 3.0)
    most = CUT_OFF * median(np.abs(fine[seen > 0])) + 1
    window = np.hanning(TILE_PX).astype(np.float32)
    fine = np.clip(fine, -most, most) * seen * window * window[:, None]
    strength = np.fft.fftshift(np.abs(np.fft.rfft2(fine)), axes=0).astype(np.float32)
    side = 2 * AROUND + 1
    usual = cv2.blur(strength, (side, side)) + 0.05 * float(strength.mean())
    rows, columns = np.arange(TILE_PX) - TILE_PX // 2, np.arange(TILE_PX // 2 + 1)
    told = np.hypot(rows[:, None], columns) >= LEAST_FREQUENCY * TILE_PX
    told &= (np.abs(rows[:, None]) >= ALONG_AXES) & (columns >= ALONG_AXES)
    share = np.divide(strength, usual, out=np.ones_like(strength), where=told & (usual > 0))
    return np.asarray(share, np.float32)
