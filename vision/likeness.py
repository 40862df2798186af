"""How alike a place in the photo and a card's art are: local normalised correlation, despite light and ink.

Pictures are compared at the index's small scale after each pixel has been set against its neighbourhood (mean
taken off, divided by the spread), so that light, shadow and white balance fall out. The likeness is told per
block, and the worst blocks are left out: ink, a die or a highlight covers some, a wrong card is unlike in
nearly all.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from vision.card_index import THUMB_PX_PER_MM, CardIndex
from vision.neighbours import Size
from vision.view import View, pixel_size

Image = NDArray[np.float32]

# The numbers below were measured on the open deck's cards, right and wrong ones, under ink, blur and glare in
# renders of tables.

#: The neighbourhood a pixel is set against.
NEIGHBOURHOOD_MM = 9.0
#: Spread (grey levels) added to every neighbourhood's, so that noise on plain ground is no pattern.
LEAST_SPREAD = 6.0
#: Blocks in which likeness is told, and the share of them that counts (the best).
BLOCK_MM = 7.0
KEPT_SHARE = 0.7
#: Likeness from which a place holds the card: right cards under heavy ink or blur reach 0.55 and more, a
#: starter of another colour 0.6. Wrong ones come to the first number, and by chance to the second more where
#: cards have as many blocks as those of 63 x 88 mm; on tiles (34 mm, 16 blocks) bare table reached 0.45.
WRONG_LIKENESS, CHANCE_LIKENESS, MEASURED_BLOCKS = 0.25, 0.10, 108
#: The coarse scale at which all cards are tried on a site.
COARSE_PX_PER_MM = 0.8
#: Of all cards so many are tried at every placing.
TRIED_CLOSELY = 24
#: A bank of more cards than this is tried at half the coarse scale first.
MANY_CARDS = 300
#: Two cards' art is this alike at the coarse scale where they differ in colour alone.
SISTER_ART = 0.9
#: Blocks of a card and of itself turned that are this alike tell nothing of how it lies.
SAME_ART = 0.8


#: Cards that are seen with fewer pixels to a mm than the first are compared with art that is as soft: blurred
#: by so many of their pixels. In steps of this factor.
SOFT_PX_PER_MM, SOFT_BLUR_PX, SOFT_STEP = 1.5, 0.7, 1.2


@dataclass(frozen=True)
class Likeness:
    """Compares places with the art of one index. Normalised pictures are made once per card and kept."""

    index: CardIndex

    def as_soft(self, px_per_mm: float) -> Likeness:
        """The comparison with the art as cards show it that are seen with so few pixels to a mm."""
        steps = round(float(np.log(SOFT_PX_PER_MM / px_per_mm) / np.log(SOFT_STEP)))
        if steps < 1:
            return self
        if steps not in self._soft:
            sigma = SOFT_BLUR_PX * THUMB_PX_PER_MM / SOFT_PX_PER_MM * SOFT_STEP**steps
            thumbs = np.stack([cv2.GaussianBlur(thumb, (0, 0), sigma) for thumb in self.index.thumbs])
            self._soft[steps] = Likeness(replace(self.index, thumbs=thumbs.astype(np.uint8)))
        return self._soft[steps]

    @cached_property
    def _soft(self) -> dict[int, Likeness]:
        return {}

    @cached_property
    def _normal(self) -> dict[int, Image]:
        return {}

    def art(self, card: int) -> Image:
        """(h, w) the card's normalised grey art at `THUMB_PX_PER_MM`."""
        kept = self._normal
        if card not in kept:
            kept[card] = normalised(self.index.thumb(card), THUMB_PX_PER_MM)
        return kept[card]

    def turn_gap(self, patch: Image, card: int, quarters: int) -> float | None:
        """By how much a normalised patch is more like a card than like the card turned clockwise by quarters
        that keep its footprint, where the two differ: half of those blocks say as much. None where they
        differ nowhere.
        """
        upright = self.art(card)
        turned = np.ascontiguousarray(np.rot90(upright, -quarters))
        telling = block_correlations(turned, upright) < SAME_ART
        if not telling.any():
            return None
        gaps = block_correlations(patch, upright) - block_correlations(patch, turned)
        return float(np.median(gaps[telling]))

    def score(self, patch: Image, card: int) -> float:
        """Likeness -1..1 of a normalised patch (of the art's size) and a card, its worst blocks left out."""
        blocks = block_correlations(patch, self.art(card))
        kept = np.sort(blocks)[::-1][: max(1, round(KEPT_SHARE * len(blocks)))]
        return float(kept.mean())

    def blocks_at(self, view: View, card_to_photo: NDArray[np.float64], card: int) -> Image | None:
        """(rows, columns) the correlation of each block of a card's art with what is seen in its place; None
        where that is not in the picture."""
        size_mm = self.index.sizes_mm[card]
        patch = view.cut_out(card_to_photo, size_mm, pixel_size(size_mm, THUMB_PX_PER_MM))
        if patch is None:
            return None
        art, side = self.art(card), round(BLOCK_MM * THUMB_PX_PER_MM)
        blocks = block_correlations(normalised(patch, THUMB_PX_PER_MM), art)
        return blocks.reshape(max(1, art.shape[0] // side), -1)

    def art_bank(self, size_mm: Size) -> Image:
        """(n, pixels) unit vectors of all cards of a size (`cards_of`): their products tell how alike two
        cards' art is in grey."""
        return self._coarse[size_mm]

    @cached_property
    def _coarse(self) -> dict[Size, Image]:
        """Of each size, (n, pixels) unit vectors: the cards' normalised art at the coarse scale."""
        banks = {}
        for size_mm in self.index.footprints:
            shape = pixel_size(size_mm, COARSE_PX_PER_MM)
            rows = []
            for card in self.cards_of(size_mm):
                small = cv2.resize(self.index.thumb(int(card)), shape, interpolation=cv2.INTER_AREA)
                rows.append(normalised(small, COARSE_PX_PER_MM).ravel())
            bank = np.stack(rows)
            banks[size_mm] = bank / np.maximum(np.linalg.norm(bank, axis=1, keepdims=True), 1e-6)
        return banks

    @cached_property
    def _half_coarse(self) -> dict[Size, Image]:
        """`_coarse` at half its scale."""
        banks = {}
        for size_mm, bank in self._coarse.items():
            width, height = pixel_size(size_mm, COARSE_PX_PER_MM)
            banks[size_mm] = _unit_rows(np.stack([_halved(row.reshape(height, width)) for row in bank]))
        return banks

    def sisters(self, card: int) -> list[int]:
        """The other cards of its size whose art is the same in grey, or nearly."""
        size_mm = self.index.sizes_mm[card]
        bank, cards = self._coarse[size_mm], self.cards_of(size_mm)
        if card not in self._known_sisters:
            alike = bank @ bank[int(np.flatnonzero(cards == card)[0])]
            self._known_sisters[card] = [int(other) for other in cards[alike >= SISTER_ART] if other != card]
        return self._known_sisters[card]

    @cached_property
    def _known_sisters(self) -> dict[int, list[int]]:
        return {}

    def cards_of(self, size_mm: Size) -> NDArray[np.intp]:
        """The numbers of the cards of a size, ascending."""
        return np.flatnonzero([size == size_mm for size in self.index.sizes_mm])

    def coarse_region(
        self, view: View, card_to_photo: NDArray[np.float64], size_mm: Size, slack_px: int = 0
    ) -> Image | None:
        """A card's place in the photo, widened by `slack_px` on every side, at the coarse scale and
        normalised; None where it is not in the picture."""
        width, height = pixel_size(size_mm, COARSE_PX_PER_MM)
        # Sampled twice as fine and averaged, because a coarse warp skips pixels.
        fine = view.cut_out(card_to_photo, size_mm, (2 * width, 2 * height), 2 * slack_px)
        if fine is None:
            return None
        small = cv2.resize(fine, (fine.shape[1] // 2, fine.shape[0] // 2), interpolation=cv2.INTER_AREA)
        return normalised(small, COARSE_PX_PER_MM)

    def try_all(
        self, region: Image, size_mm: Size, slack_px: int = 0
    ) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
        """Correlate every card of a size with every placing in a normalised region at the coarse scale.

        `region` is the cards' footprint widened by `slack_px` on every side. Returns for each of `cards_of`
        its best correlation (n,) and the shift (n, 2), in mm from the middle, where it lies.
        """
        width, height = pixel_size(size_mm, COARSE_PX_PER_MM)
        side = 2 * slack_px + 1
        windows = np.lib.stride_tricks.sliding_window_view(region, (height, width))[:side, :side]
        views = windows.reshape(side * side, height * width)
        lengths = np.maximum(np.sqrt(np.einsum("ij,ij->i", views, views)), 1e-6)
        bank = self._coarse[size_mm]
        # Every other placing tells which cards are worth the rest.
        some = np.arange(side * side).reshape(side, side)[::2, ::2].ravel()
        many = len(bank) > MANY_CARDS
        placings = views[some] / lengths[some, None]
        if many:
            # A quarter of the pixels does for that.
            shrunk = np.stack([_halved(placing.reshape(height, width)) for placing in placings])
            scores = _unit_rows(shrunk) @ self._half_coarse[size_mm].T
        else:
            scores = placings @ bank.T
        best, score = some[scores.argmax(axis=0)], scores.max(axis=0)
        if side > 1 or many:
            likely = np.argsort(-score)[:TRIED_CLOSELY]
            close = views @ bank[likely].T / lengths[:, None]
            best[likely], score[likely] = close.argmax(axis=0), close.max(axis=0)
        away = np.column_stack([best % side, best // side]) - slack_px
        return score, away * (np.array(size_mm) / (width, height))


def likeness_to(index: CardIndex) -> Likeness:
    """The comparison with an index's cards, kept with it: its pictures are made once, not for every photo."""
    kept = vars(index)
    likeness: Likeness = kept.setdefault("likeness", Likeness(index))
    return likeness


def _halved(picture: Image) -> Image:
    """(pixels of half the height and width,) a picture averaged over squares of four."""
    height, width = (side // 2 for side in picture.shape)
    made = cv2.resize(picture[: 2 * height, : 2 * width], (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(made, np.float32).ravel()


def _unit_rows(rows: Image) -> Image:
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6), np.float32)


def least_likeness(size_mm: Size) -> float:
    """Likeness from which a place holds a card of a size: chance says more where there are fewer blocks."""
    width, height = pixel_size(size_mm, THUMB_PX_PER_MM)
    side = round(BLOCK_MM * THUMB_PX_PER_MM)
    blocks = max(1, width // side) * max(1, height // side)
    return WRONG_LIKENESS + CHANCE_LIKENESS * max(1.0, float(np.sqrt(MEASURED_BLOCKS / blocks)))


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
    side = min(round(BLOCK_MM * px_per_mm), *patch.shape)
    rows, columns = patch.shape[0] // side, patch.shape[1] // side

    def means(values: Image) -> Image:
        cut = values[: rows * side, : columns * side]
        # of whole blocks it is their mean, several times as fast as numpy's sum over two of four axes
        return np.asarray(cv2.resize(cut, (columns, rows), interpolation=cv2.INTER_AREA), np.float32).ravel()

    my_mean, their_mean = means(patch), means(art)
    both = means(patch * art) - my_mean * their_mean
    mine = means(patch * patch) - my_mean**2
    theirs = means(art * art) - their_mean**2
    # A block without pattern on either side says little: the added term keeps it near nothing.
    return np.asarray(both / np.sqrt((mine + 0.05) * (theirs + 0.05)), np.float32)
