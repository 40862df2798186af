"""How alike a place in the photo and a card's art are: local normalised correlation, despite light and ink.

Pictures are compared at the index's small scale after each pixel has been set against its neighbourhood (mean
taken off, divided by the spread), so that light, shadow and white balance fall out. The likeness is told per
block, and the worst blocks are left out: ink, a die or a highlight covers some, a wrong card is unlike in
nearly all.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from vision.card_index import THUMB_PX_PER_MM, CardIndex
from vision.view import View

Image = NDArray[np.float32]

#: The neighbourhood a pixel is set against.
NEIGHBOURHOOD_MM = 9.0
#: Spread (grey levels) added to every neighbourhood's, so that noise on plain ground is no pattern.
LEAST_SPREAD = 6.0
#: Blocks in which likeness is told, and the share of them that counts (the best).
BLOCK_MM = 7.0
KEPT_SHARE = 0.7
#: The coarse scale at which all cards are tried on a site.
COARSE_PX_PER_MM = 0.8


@dataclass(frozen=True)
class Likeness:
    """Compares places with the art of one index. Normalised pictures are made once per card and kept."""

    index: CardIndex

    @cached_property
    def _normal(self) -> dict[int, Image]:
        return {}

    def art(self, card: int) -> Image:
        """(h, w) the card's normalised grey art at `THUMB_PX_PER_MM`."""
        kept = self._normal
        if card not in kept:
            kept[card] = normalised(self.index.thumbs[card], THUMB_PX_PER_MM)
        return kept[card]

    def score(self, patch: Image, card: int) -> float:
        """Likeness -1..1 of a normalised patch (of the art's size) and a card, its worst blocks left out."""
        blocks = block_correlations(patch, self.art(card))
        kept = np.sort(blocks)[::-1][: max(1, round(KEPT_SHARE * len(blocks)))]
        return float(kept.mean())

    @cached_property
    def _coarse(self) -> Image:
        """(C, n) unit vectors: every card's normalised art at the coarse scale."""
        height, width = self.coarse_shape
        rows = []
        for thumb in self.index.thumbs:
            small = cv2.resize(thumb, (width, height), interpolation=cv2.INTER_AREA)
            rows.append(normalised(small, COARSE_PX_PER_MM).ravel())
        bank = np.stack(rows)
        made: Image = bank / np.maximum(np.linalg.norm(bank, axis=1, keepdims=True), 1e-6)
        return made

    @property
    def coarse_shape(self) -> tuple[int, int]:
        """(height, width) in pixels of a card at the coarse scale."""
        width, height = self.index.card_size_mm
        return round(height * COARSE_PX_PER_MM), round(width * COARSE_PX_PER_MM)

    def coarse_region(
        self, view: View, card_to_photo: NDArray[np.float64], slack_mm: float = 0.0
    ) -> Image | None:
        """A place in the photo at the coarse scale, normalised; None where it is not in the picture."""
        # Sampled twice as fine and averaged, because a coarse warp skips pixels.
        fine = view.cut_out(card_to_photo, self.index.card_size_mm, 2 * COARSE_PX_PER_MM, slack_mm)
        if fine is None:
            return None
        small = cv2.resize(fine, (fine.shape[1] // 2, fine.shape[0] // 2), interpolation=cv2.INTER_AREA)
        return normalised(small, COARSE_PX_PER_MM)

    def try_all(self, region: Image, slack_px: int) -> tuple[NDArray[np.float32], NDArray[np.intp]]:
        """Correlate every card with every placing in a normalised region at the coarse scale.

        `region` is a card's footprint widened by `slack_px` on every side. Returns for each card its best
        correlation (C,) and the shift (C, 2), in pixels from the middle, where it lies.
        """
        height, width = self.coarse_shape
        shifts = [(y, x) for y in range(2 * slack_px + 1) for x in range(2 * slack_px + 1)]
        views = np.stack([region[y : y + height, x : x + width].ravel() for y, x in shifts])
        views /= np.maximum(np.linalg.norm(views, axis=1, keepdims=True), 1e-6)
        scores = views @ self._coarse.T
        best = scores.argmax(axis=0)
        away = np.array(shifts)[best][:, ::-1] - slack_px
        return scores.max(axis=0), away


def normalised(grey: MatLike, px_per_mm: float) -> Image:
    """(h, w) float32: each pixel against its neighbourhood's mean and spread."""
    values = grey.astype(np.float32)
    side = max(3, round(NEIGHBOURHOOD_MM * px_per_mm) | 1)
    mean = cv2.blur(values, (side, side), borderType=cv2.BORDER_REPLICATE)
    square = cv2.blur(values * values, (side, side), borderType=cv2.BORDER_REPLICATE)
    spread = np.sqrt(np.maximum(square - mean * mean, 0)) + LEAST_SPREAD
    made: Image = ((values - mean) / spread).astype(np.float32)
    return made


def block_correlations(patch: Image, art: Image, px_per_mm: float = THUMB_PX_PER_MM) -> NDArray[np.float32]:
    """Correlation of each block of two normalised pictures of one size, row by row."""
    side = round(BLOCK_MM * px_per_mm)
    rows, columns = patch.shape[0] // side, patch.shape[1] // side

    def sums(values: Image) -> NDArray[np.float32]:
        cut = values[: rows * side, : columns * side].reshape(rows, side, columns, side)
        made: NDArray[np.float32] = cut.sum(axis=(1, 3)).ravel()
        return made

    count = side * side
    both = sums(patch * art) - sums(patch) * sums(art) / count
    mine = sums(patch * patch) - sums(patch) ** 2 / count
    theirs = sums(art * art) - sums(art) ** 2 / count
    # A block without pattern on either side says little: the added term keeps it near nothing.
    return np.asarray(both / np.sqrt((mine + 0.05 * count) * (theirs + 0.05 * count)), np.float32)
