"""Comparison of a card's art with its place in the photo: local normalised correlation and robust affine
alignment."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from vision.cards.adjacency import Size
from vision.cards.index import THUMB_PX_PER_MM, CardIndex
from vision.photo import geometry
from vision.photo.view import View, pixel_size

Image = NDArray[np.float32]

# The numbers below were measured on the open deck's cards, right and wrong ones, under ink, blur and glare in
# renders of tables.

#: Size of the neighbourhood for local contrast normalisation.
NEIGHBOURHOOD_MM = 9.0
#: Spread (grey levels) added to every neighbourhood's, so that noise on plain ground does not count as
#: pattern.
LEAST_SPREAD = 6.0
#: Size of the blocks compared, and the share of them that counts (the best ones).
BLOCK_MM = 7.0
KEPT_SHARE = 0.7
#: Least likeness of a place to a card: right cards under heavy ink or blur reach 0.55 and more, a starter of
#: another colour 0.6. The threshold is the first number, plus the second for a card with few blocks, as wrong
#: cards match by chance there; measured on cards of 63 x 88 mm (the third number of blocks). On tiles (34 mm,
#: 16 blocks) bare table reached 0.45.
WRONG_LIKENESS, CHANCE_LIKENESS, MEASURED_BLOCKS = 0.25, 0.10, 108
#: Coarse scale at which all cards are compared with a site.
COARSE_PX_PER_MM = 0.8
#: Number of cards compared at every position.
TRIED_CLOSELY = 24
#: A bank of more cards than this is tried at half the coarse scale first.
MANY_CARDS = 300
#: Least correlation at the coarse scale of two cards that differ in colour alone.
SISTER_ART = 0.9
#: Blocks of a card and of itself turned with at least this correlation do not show its orientation.
SAME_ART = 0.8


#: Cards photographed at fewer px per mm than this are compared with blurred art. The blur is this many of
#: their pixels (sigma), in steps of this factor.
SOFT_PX_PER_MM, SOFT_BLUR_PX, SOFT_STEP = 1.5, 0.7, 1.2


@dataclass(frozen=True)
class Likeness:
    """Comparison of photo patches with the card art of one index; the normalised art is cached per card."""

    index: CardIndex

    def as_soft(self, px_per_mm: float) -> Likeness:
        """The same comparison with the art blurred to a resolution of `px_per_mm`."""
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
        """Normalised grey art (h, w) of a card at `THUMB_PX_PER_MM`."""
        kept = self._normal
        if card not in kept:
            kept[card] = normalised(self.index.thumb(card), THUMB_PX_PER_MM)
        return kept[card]

    def turn_gap(self, patch: Image, card: int, quarters: int) -> float | None:
        """Median likeness of a normalised patch to a card, minus that to the card turned clockwise by
        `quarters`.

        The quarter turns keep the footprint. Only blocks where the two arts differ count. None where they
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
        """Likeness, -1 to 1, of a normalised patch (of the size of the art) to a card, without its worst
        blocks."""
        blocks = block_correlations(patch, self.art(card))
        kept = np.sort(blocks)[::-1][: max(1, round(KEPT_SHARE * len(blocks)))]
        return float(kept.mean())

    def blocks_at(self, view: View, card_to_photo: NDArray[np.float64], card: int) -> Image | None:
        """Correlation (rows, columns) of each block of a card's art with the photo; None if the card is
        outside the picture."""
        size_mm = self.index.sizes_mm[card]
        patch = view.cut_out(card_to_photo, size_mm, pixel_size(size_mm, THUMB_PX_PER_MM))
        if patch is None:
            return None
        art, side = self.art(card), round(BLOCK_MM * THUMB_PX_PER_MM)
        blocks = block_correlations(normalised(patch, THUMB_PX_PER_MM), art)
        return blocks.reshape(max(1, art.shape[0] // side), -1)

    def art_bank(self, size_mm: Size) -> Image:
        """Matrix (n, pixels) of the unit-length grey art of all cards of a size, in the order of `cards_of`.

        Dot products with its rows are correlations.
        """
        return self._coarse[size_mm]

    @cached_property
    def _coarse(self) -> dict[Size, Image]:
        """For each size, the normalised art of its cards at the coarse scale, as unit vectors (n, pixels)."""
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
        """For each size, the art of its cards at half the coarse scale, as unit vectors (n, pixels)."""
        banks = {}
        for size_mm, bank in self._coarse.items():
            width, height = pixel_size(size_mm, COARSE_PX_PER_MM)
            banks[size_mm] = _unit_rows(np.stack([_halved(row.reshape(height, width)) for row in bank]))
        return banks

    def sisters(self, card: int) -> list[int]:
        """Indices of the colour variants of a card: other cards of its size with the same or nearly the same
        art in grey."""
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
        """Indices of the cards of a size, ascending."""
        return np.flatnonzero([size == size_mm for size in self.index.sizes_mm])

    def coarse_region(
        self, view: View, card_to_photo: NDArray[np.float64], size_mm: Size, slack_px: int = 0
    ) -> Image | None:
        """Normalised patch of a card's place at the coarse scale, widened by `slack_px` on every side.

        None where the place is outside the picture.
        """
        width, height = pixel_size(size_mm, COARSE_PX_PER_MM)
        # Sampled twice as finely and averaged, because a coarse warp skips pixels.
        fine = view.cut_out(card_to_photo, size_mm, (2 * width, 2 * height), 2 * slack_px)
        if fine is None:
            return None
        small = cv2.resize(fine, (fine.shape[1] // 2, fine.shape[0] // 2), interpolation=cv2.INTER_AREA)
        return normalised(small, COARSE_PX_PER_MM)

    def try_all(
        self, region: Image, size_mm: Size, slack_px: int = 0
    ) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
        """Correlation of every card of a size with every position in a normalised region at the coarse scale.

        `region` is the cards' footprint widened by `slack_px` on every side. Returns the best correlation
        (n,) for each of `cards_of`, and its shift (n, 2) in mm from the middle.
        """
        width, height = pixel_size(size_mm, COARSE_PX_PER_MM)
        side = 2 * slack_px + 1
        windows = np.lib.stride_tricks.sliding_window_view(region, (height, width))[:side, :side]
        views = windows.reshape(side * side, height * width)
        lengths = np.maximum(np.sqrt(np.einsum("ij,ij->i", views, views)), 1e-6)
        bank = self._coarse[size_mm]
        # Every other shift suffices to choose the cards for the full search.
        some = np.arange(side * side).reshape(side, side)[::2, ::2].ravel()
        many = len(bank) > MANY_CARDS
        placings = views[some] / lengths[some, None]
        if many:
            # A quarter of the pixels suffices for that.
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
    """The `Likeness` of an index, cached with the index, so that its art is normalised only once."""
    kept = vars(index)
    likeness: Likeness = kept.setdefault("likeness", Likeness(index))
    return likeness


def _halved(picture: Image) -> Image:
    """Picture downsampled by averages of 2 x 2 pixels, flattened to (pixels,)."""
    height, width = (side // 2 for side in picture.shape)
    made = cv2.resize(picture[: 2 * height, : 2 * width], (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(made, np.float32).ravel()


def _unit_rows(rows: Image) -> Image:
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6), np.float32)


def least_likeness(size_mm: Size) -> float:
    """Threshold of likeness for a card of a size; smaller cards have fewer blocks and reach more by
    chance."""
    width, height = pixel_size(size_mm, THUMB_PX_PER_MM)
    side = round(BLOCK_MM * THUMB_PX_PER_MM)
    blocks = max(1, width // side) * max(1, height // side)
    return WRONG_LIKENESS + CHANCE_LIKENESS * max(1.0, float(np.sqrt(MEASURED_BLOCKS / blocks)))


def normalised(grey: MatLike, px_per_mm: float) -> Image:
    """Local contrast normalisation (h, w) float32: each pixel minus its neighbourhood's mean, divided by its
    spread."""
    values = grey.astype(np.float32)
    side = max(3, round(NEIGHBOURHOOD_MM * px_per_mm) | 1)
    mean = cv2.blur(values, (side, side), borderType=cv2.BORDER_REPLICATE)
    square = cv2.blur(values * values, (side, side), borderType=cv2.BORDER_REPLICATE)
    spread = np.sqrt(np.maximum(square - mean * mean, 0)) + LEAST_SPREAD
    made: Image = ((values - mean) / spread).astype(np.float32)
    return made


def block_correlations(patch: Image, art: Image, px_per_mm: float = THUMB_PX_PER_MM) -> NDArray[np.float32]:
    """Normalised cross-correlation of each block of two normalised pictures of one size, in row-major
    order."""
    side = min(round(BLOCK_MM * px_per_mm), *patch.shape)
    rows, columns = patch.shape[0] // side, patch.shape[1] // side

    def means(values: Image) -> Image:
        cut = values[: rows * side, : columns * side]
        # for whole blocks INTER_AREA is the mean, several times as fast as numpy's sum over two of four axes
        return np.asarray(cv2.resize(cut, (columns, rows), interpolation=cv2.INTER_AREA), np.float32).ravel()

    my_mean, their_mean = means(patch), means(art)
    both = means(patch * art) - my_mean * their_mean
    mine = means(patch * patch) - my_mean**2
    theirs = means(art * art) - their_mean**2
    # A block without pattern on either side carries little information: the added term keeps its value near
    # 0.
    return np.asarray(both / np.sqrt((mine + 0.05) * (theirs + 0.05)), np.float32)


Array = NDArray[np.float64]

# The numbers below were measured on cards of 63 x 88 mm, laid by hand and bowed, in renders of tables.

#: Largest initial offset of a card, and of a block after the whole card has been shifted.
CARD_SLACK_MM = 4.0
BLOCK_SLACK_MM = 1.5
#: Size of the blocks that are located, as mm or as a share of a small card's shorter side; they overlap by a
#: third.
WARP_BLOCK_MM = 15.0
BLOCK_SHARE = 1 / 3
#: Least correlation of a located block, and least number of blocks for the affine map.
LEAST_BLOCK = 0.35
LEAST_BLOCKS = 6
#: Number of rounds of locating blocks and moving the card; number of rounds if at least this many blocks were
#: found, as the card is then most likely the right one; and corner movement (mm) below which the rounds end.
ROUNDS, MOST_ROUNDS, TELLING_BLOCKS, NEAR_MM = 2, 4, 16, 0.4
#: Misfit in mm beyond which a block's place is weighted down.
BLOCK_MISFIT_MM = 0.3
#: Regularisation of a card's slant, size and perspective towards the plane's, in blocks at the card's rim. If
#: only a part of a card is visible, these are poorly determined.
STIFFNESS = 0.2
#: Rivals compared closely with a found card.
RIVALS = 3


@dataclass(frozen=True)
class Aligned:
    """Registration of a card's art to the photo.

    `card_to_photo` (3, 3) leads from mm on the upright card to photo pixels. `likeness` is -1..1. `at_mm` and
    `at_px` (n, 2) are corresponding points spread over the card.
    """

    card_to_photo: Array
    likeness: float
    at_mm: Array
    at_px: Array


def align(view: View, card_to_photo: Array, card: int, likeness: Likeness) -> Aligned | None:
    """Register the art of `card` to the photo, starting from `card_to_photo`; None if it is outside the
    view."""
    size_mm = likeness.index.sizes_mm[card]
    size_px = pixel_size(size_mm, THUMB_PX_PER_MM)
    art = likeness.art(card)
    slack = round(CARD_SLACK_MM * THUMB_PX_PER_MM)
    patch = view.cut_out(card_to_photo, size_mm, size_px, slack)
    if patch is None:
        return None
    response = cv2.matchTemplate(normalised(patch, THUMB_PX_PER_MM), art, cv2.TM_CCORR_NORMED)
    _, _, _, (x, y) = cv2.minMaxLoc(response)
    shift = (np.array([x, y]) - slack) * _mm_per_px(size_mm)
    moved = card_to_photo @ geometry.similarity(0.0, shift)
    at_mm, corners = np.zeros((0, 2)), geometry.rectangle(*size_mm)
    for number in range(MOST_ROUNDS):
        if number >= ROUNDS and len(at_mm) < TELLING_BLOCKS:
            break
        patch = view.cut_out(moved, size_mm, size_px, round(BLOCK_SLACK_MM * THUMB_PX_PER_MM))
        if patch is None:
            return None
        at_mm, found_mm, trust = _find_blocks(normalised(patch, THUMB_PX_PER_MM), art, size_mm)
        if len(at_mm) < LEAST_BLOCKS:
            break
        correction = _correction(at_mm, found_mm, trust, size_mm)
        moved = moved @ correction
        if np.linalg.norm(geometry.apply(correction, corners) - corners, axis=1).max() < NEAR_MM:
            break
    return laid_at(view, moved, card, likeness)


def laid_at(view: View, card_to_photo: Array, card: int, likeness: Likeness) -> Aligned | None:
    """Comparison of a card with the photo at a fixed pose, without alignment; None if the pose is outside the
    view."""
    width, height = size_mm = likeness.index.sizes_mm[card]
    patch = view.cut_out(card_to_photo, size_mm, pixel_size(size_mm, THUMB_PX_PER_MM))
    if patch is None:
        return None
    score = likeness.score(normalised(patch, THUMB_PX_PER_MM), card)
    grid = np.array([[x, y] for x in np.linspace(5, width - 5, 4) for y in np.linspace(5, height - 5, 5)])
    return Aligned(card_to_photo, score, grid, geometry.apply(card_to_photo, grid))


def likeness_at(
    view: View, card_to_photo: Array, card: int, likeness: Likeness
) -> dict[tuple[int, int], float]:
    """Likeness of rival identities at the place of `card`: {(card index, quarter turns): score}.

    Rivals are the few best scoring other cards, and the card itself turned. A card that looks the same when
    turned is no rival of itself. A card that looks nearly the same when turned is scored by the blocks where
    it differs.
    """
    index = likeness.index
    size_mm = index.sizes_mm[card]
    coarse = likeness.coarse_region(view, card_to_photo, size_mm)
    patch = view.cut_out(card_to_photo, size_mm, pixel_size(size_mm, THUMB_PX_PER_MM))
    if coarse is None or patch is None:
        return {}
    fine = normalised(patch, THUMB_PX_PER_MM)
    cards = likeness.cards_of(size_mm)
    rivals: list[tuple[float, int, int]] = []
    for quarters in index.flips(size_mm):
        # A card rotated clockwise is upright in a picture rotated back.
        scores, _ = likeness.try_all(np.ascontiguousarray(np.rot90(coarse, quarters)), size_mm)
        for k in np.argsort(-scores)[: RIVALS + 1]:
            rival = int(cards[k])
            if quarters in index.turns(rival) and (rival, quarters) != (card, 0):
                rivals.append((float(scores[k]), rival, quarters))
    # Sisters that differ only in colour are all returned, regardless of their number.
    found = {(sister, 0): likeness.score(fine, sister) for sister in likeness.sisters(card)}
    most = len(found) + RIVALS
    for _, rival, quarters in sorted(rivals, reverse=True):
        if len(found) == most:
            break
        if (rival, quarters) in found:
            continue
        if rival != card:
            found[rival, quarters] = likeness.score(np.rot90(fine, quarters), rival)
        elif (gap := likeness.turn_gap(fine, card, quarters)) is not None:
            found[rival, quarters] = likeness.score(fine, card) - gap
    return found


def turned_map(card_to_photo: Array, size_mm: Size, quarters: int) -> Array:
    """Pose (3, 3) of a card rotated clockwise against another pose, by quarter turns that keep the
    footprint."""
    middle = np.asarray(size_mm) / 2
    turn = geometry.similarity(quarters * np.pi / 2, np.zeros(2))
    return card_to_photo @ geometry.similarity(quarters * np.pi / 2, middle - turn[:2, :2] @ middle)


def _mm_per_px(size_mm: Size) -> Array:
    """Size (2,) of a pixel of a card's thumbnail, in mm across and down."""
    return np.array(size_mm) / pixel_size(size_mm, THUMB_PX_PER_MM)


def _find_blocks(region: Image, art: Image, size_mm: Size) -> tuple[Array, Array, Array]:
    """Template matching of the art's blocks in a region: expected centres (n, 2) mm, found centres (n, 2) mm,
    correlation (n,)."""
    block = round(min(WARP_BLOCK_MM, BLOCK_SHARE * min(size_mm)) * THUMB_PX_PER_MM)
    step = round(block * 2 / 3)
    slack = round(BLOCK_SLACK_MM * THUMB_PX_PER_MM)
    mm = _mm_per_px(size_mm)
    height, width = art.shape
    at, peaks, around, trust = [], [], [], []
    for y in range(0, height - block + 1, step):
        for x in range(0, width - block + 1, step):
            piece = art[y : y + block, x : x + block]
            window = region[y : y + block + 2 * slack, x : x + block + 2 * slack]
            response = cv2.matchTemplate(window, piece, cv2.TM_CCOEFF_NORMED)
            _, peak, _, (px, py) = cv2.minMaxLoc(response)
            if peak < LEAST_BLOCK or not (0 < px < 2 * slack and 0 < py < 2 * slack):
                continue
            at.append((x, y))
            peaks.append((px, py))
            around.append(response[py - 1 : py + 2, px - 1 : px + 2])
            trust.append(peak)
    if not at:
        return np.zeros((0, 2)), np.zeros((0, 2)), np.zeros(0)
    near = np.array(around, np.float64)
    within = np.column_stack([_vertices(near[:, 1]), _vertices(near[:, :, 1])])
    middles = np.array(at) + block / 2
    return middles * mm, (middles + peaks + within - slack) * mm, np.array(trust)


def _vertices(threes: Array) -> Array:
    """Positions (n,), between -1 and 1, of the maxima of parabolas through values (n, 3) at -1, 0 and 1."""
    before, here, after = threes.T
    bend = before - 2 * here + after
    top = (before - after) / (2 * np.where(bend < 0, bend, -np.inf))
    return np.asarray(np.clip(top, -1, 1))


def _correction(at_mm: Array, found_mm: Array, trust: Array, size_mm: Size) -> Array:
    """Homography (3, 3) from `at_mm` to `found_mm`, by iteratively reweighted least squares.

    Where few blocks were found, it stays close to an affine map.
    """
    # Coordinates in half cards from the centre: the linearised homography then weighs all parts of the card
    # equally.
    middle, unit = np.array(size_mm) / 2, max(size_mm) / 2
    at, found = (at_mm - middle) / unit, (found_mm - middle) / unit
    rows = np.zeros((len(at), 2, 8))
    rows[:, 0, 0:2] = rows[:, 1, 3:5] = at
    rows[:, 0, 2] = rows[:, 1, 5] = 1.0
    rows[:, :, 6:] = -found[:, :, None] * at[:, None]
    flat, wanted = rows.reshape(-1, 8), (found - at).ravel()
    stiff = np.diag([STIFFNESS, STIFFNESS, 1e-9] * 2 + [STIFFNESS] * 2)
    away = found_mm - at_mm
    misfit = np.linalg.norm(away - np.median(away, axis=0), axis=1)
    solved = np.eye(3)
    for _ in range(6):
        weighted = flat * np.repeat(trust / (1 + (misfit / BLOCK_MISFIT_MM) ** 2), 2)[:, None]
        told = np.linalg.solve(weighted.T @ flat + stiff, weighted.T @ wanted)
        solved = np.eye(3) + np.append(told, 0.0).reshape(3, 3)
        misfit = unit * np.linalg.norm(geometry.apply(solved, at) - found, axis=1)
    to_units = np.array([[1 / unit, 0, -middle[0] / unit], [0, 1 / unit, -middle[1] / unit], [0, 0, 1.0]])
    return np.asarray(np.linalg.solve(to_units, solved @ to_units))
