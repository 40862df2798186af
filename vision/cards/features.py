"""Card detection by local features: SIFT matches of a view against the whole catalogue -> poses of cards.

All cards of a game share icons and frames, so matches alone also suggest cards that are absent. Every match
therefore votes for a pose of its card (Lowe 2004, section 7.3). Poses are verified by a homography.
Candidates then compete: a feature of the photo supports only the card that explains it best.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.index import CardIndex
from vision.photo import geometry
from vision.photo.numerics import spread
from vision.photo.view import View

# The numbers below were tuned on the open deck (104 cards, five starters that differ in colour alone) in
# renders of tables.

#: Number of features kept for a view of this length (px). A tableau has 100 to 400 on each card, and the rest
#: is table. A large board gets at least a fixed number per cell.
PHOTO_FEATURES, FEATURES_PX = 2000, 1100
#: Factor on that number if small cards are enlarged, as most features are then finer than a card's details.
#: In three of six 12-megapixel photos with cards 60 to 90 px long (`tuning`) no card was found without it.
FINELY_FEATURES = 2.5
CELL_FEATURES = 80
#: Number of cells along the view's longer side from which features are taken in turn; otherwise a checked
#: cloth would supply nearly all of them.
CELLS_ALONG = 24
#: SIFT takes about 230 bytes per pixel. A larger view is therefore searched in strips across its longer side
#: of at most this many pixels, which overlap by this margin on either side of a cut. Cuts are at multiples of
#: the last number, so that SIFT's four halvings of a strip equal those of the whole view.
MOST_PIXELS, STRIP_RIM_PX, STRIP_STEP_PX = 750_000, 64, 16
#: A view is busy if the difference of two blurs exceeds this step in this share of it: it then has 2,200
#: features and more at 540 px (26 tuning photos). Only the kept features are then described, which saves up
#: to 40 of 140 ms.
BUSY_STEP, BUSY_SHARE = 2, 0.34
#: A view in strips is also treated as busy if the previous strips had this many more features per pixel than
#: are kept: describing them would take as long as computing SIFT's halvings again (46 views of 8 tuning
#: photos).
SPARED = 3.5e-3
#: SIFT's contrast threshold, half of the usual one: cards in shadow have little contrast, and only the
#: strongest features are kept.
LEAST_CONTRAST = 0.02
#: Greatest number of cards matched with one feature: the five colours of a starter card share most features.
CARDS_PER_FEATURE = 4
#: Cosine of the projected descriptors below which two features are unrelated, and the fall-off among rivals.
LEAST_SIMILARITY = 0.72
RIVAL_STEP = 0.04
#: Features are compared with the descriptors under this many words, which contain 98 of 100 matches.
#: Descriptors below the second value are not counted as rivals either.
WORDS_PER_FEATURE = 8
SEEN_SIMILARITY = 0.6
#: Rivals whose similarity is this far below the best are ignored: their share would be a hundredth of the
#: best one's.
FAR_BEHIND = 0.18
#: Tolerance of votes for one card: centre (share of its longer side), scale (factor), rotation (degrees).
VOTE_REACH = 0.12
VOTE_SCALE = 1.35
VOTE_TURN_DEG = 22.0
#: Least number of agreeing matches for a pose to be tried, and for it to be accepted after verification.
LEAST_VOTES = 5
LEAST_INLIERS = 7
#: Greatest number of poses verified per photo, most votes first.
POSES_TRIED = 30
#: Bounds of a card's longer side in the view: a smaller card is not distinguishable, and a larger one does
#: not fit.
CARD_LENGTH_PX = (64.0, 1500.0)
#: Largest ratio of a card's opposite sides: at 45 degrees of tilt, from one card height above it.
SIDE_RATIO = 1.9
#: Largest share of a card that may appear to overlap another one if the two lie side by side.
MOST_SHARED = 0.3
#: Greatest reprojection error of an inlier match, in the view's pixels.
INLIER_PX = 3.5


@dataclass(frozen=True)
class Features:
    """Local features, in photo pixels: `at_px` (N, 2), `size_px`, `angle_deg` (N,), `descriptors` (N, D)."""

    at_px: NDArray[np.float64]
    size_px: NDArray[np.float64]
    angle_deg: NDArray[np.float64]
    descriptors: NDArray[np.float32]


@dataclass(frozen=True)
class Matches:
    """Pairs of a photo feature and a card feature, M in number.

    `feature`, `card` (M,) are indices. `at_px`, `size_px`, `angle_deg` belong to the photo's feature.
    `at_mm`, `size_mm`, `card_angle_deg` belong to the card's feature. `weight` (M,), 0..1, is lower where
    other cards match the feature as well.
    """

    feature: NDArray[np.intp]
    card: NDArray[np.intp]
    at_px: NDArray[np.float64]
    size_px: NDArray[np.float64]
    angle_deg: NDArray[np.float64]
    at_mm: NDArray[np.float64]
    size_mm: NDArray[np.float64]
    card_angle_deg: NDArray[np.float64]
    weight: NDArray[np.float64]


@dataclass(frozen=True)
class Sighting:
    """A card detected by its features alone.

    It holds the card's index number, and the homography (3, 3) from mm on the upright card to photo pixels.
    It also holds the indices of the inlier matches, and the sum of their weights.
    """

    card: int
    card_to_photo: NDArray[np.float64]
    inliers: NDArray[np.intp]
    support: float

    def corners_px(self, index: CardIndex) -> NDArray[np.float64]:
        """Corners (4, 2) in photo pixels: printed top-left, top-right, bottom-right, bottom-left."""
        return geometry.apply(self.card_to_photo, geometry.rectangle(*index.sizes_mm[self.card]))


def find_features(view: View, index: CardIndex, *, finely: bool = False) -> Features:
    """SIFT features of the reduced photo, in the descriptor space of the index.

    More features are kept where the view is enlarged (`finely`).
    """
    return described(detect(view, most_features(view, index, finely=finely)), view, index)


def most_features(view: View, index: CardIndex, *, finely: bool = False) -> int:
    """Greatest number of features to keep of a view that is searched for the cards of an index."""
    columns, rows = index.neighbours.board
    usual = PHOTO_FEATURES * (FINELY_FEATURES if finely else 1.0)
    return int(max(round(usual * max(view.grey.shape) / FEATURES_PX), CELL_FEATURES * columns * rows))


class Detected(NamedTuple):
    """SIFT features of a view, before they are projected to the descriptor space of an index.

    `values` (n, 5) are position x and y, size (px of the view), angle and response. `descriptors` are (n,
    128).
    """

    values: NDArray[np.float64]
    descriptors: NDArray[np.float32]


def described(found: Detected, view: View, index: CardIndex) -> Features:
    """Features converted to photo pixels and to the descriptor space of the index."""
    values = found.values
    return Features(
        view.to_photo(values[:, :2]),
        values[:, 2] / view.scale,
        values[:, 3],
        index.project(found.descriptors),
    )


def detect(view: View, most: int) -> Detected:
    """SIFT features of a view, at most `most` of them."""
    longer = max(view.grey.shape)
    sift = cv2.SIFT.create(contrastThreshold=LEAST_CONTRAST)
    height, width = view.grey.shape
    strips = _strips((width, height))
    # Describing takes longer than detecting: if far more are detected than are kept, only the kept ones are
    # described.
    busy, seen = _is_busy(view.grey), 0
    parts: list[tuple[list[cv2.KeyPoint], NDArray[np.float32] | None]] = []
    for strip in strips:
        parts.append(_found_in(sift, strip, view.grey, described=not busy))
        seen += len(parts[-1][0])
        busy = seen / strip.core.stop - most / longer > SPARED * min(height, width)
    found = [point for points, _ in parts for point in points]
    owner = np.repeat(np.arange(len(strips)), [len(points) for points, _ in parts])
    values = np.array([(*point.pt, point.size, point.angle, point.response) for point in found])
    values = values.reshape(-1, 5)
    values[:, :2] += np.array([strip.start for strip in strips])[owner]
    kept = spread(values[:, :2], values[:, 4], (width, height), longer / CELLS_ALONG, most)
    descriptors = np.zeros((len(kept), 128), np.float32)
    for number, (strip, (_, near)) in enumerate(zip(strips, parts, strict=True)):
        mine = np.flatnonzero(owner[kept] == number)
        first = int(np.searchsorted(owner, number))
        if near is not None:
            descriptors[mine] = near[kept[mine] - first]
        elif len(mine):
            descriptors[mine] = sift.compute(strip.of(view.grey), [found[k] for k in kept[mine]])[1]
    return Detected(values[kept], descriptors)


class _Strip(NamedTuple):
    """A strip of columns (axis 0) or rows (axis 1) of a picture, from `first` up to `end`, for feature
    detection.

    Only features within `core` are kept, as strips overlap.
    """

    axis: int
    first: int
    end: int
    core: range

    @property
    def start(self) -> tuple[int, int]:
        """Pixel (x, y) of the strip's top left corner."""
        return (0, self.first) if self.axis else (self.first, 0)

    def of(self, grey: NDArray[np.uint8]) -> NDArray[np.uint8]:
        return grey[self.first : self.end] if self.axis else grey[:, self.first : self.end]


def _strips(size: tuple[int, int]) -> tuple[_Strip, ...]:
    """Division of a picture of this width and height into overlapping strips across its longer side.

    The overlap lets features near a cut be found whole in one strip. A picture that is not too large is a
    single strip.
    """
    axis = int(size[1] > size[0])
    longer, across = size[axis], size[1 - axis]
    cores = 1
    if longer * across > MOST_PIXELS:
        cores = -(-longer // max(STRIP_RIM_PX, MOST_PIXELS // across - 2 * STRIP_RIM_PX))
    even = np.linspace(0, longer, cores + 1) / STRIP_STEP_PX
    cuts = [0, *(STRIP_STEP_PX * even[1:-1].round().astype(int)).tolist(), longer]
    return tuple(
        _Strip(axis, max(0, first - STRIP_RIM_PX), min(longer, end + STRIP_RIM_PX), range(first, end))
        for first, end in pairwise(cuts)
    )


def _found_in(
    sift: cv2.SIFT, strip: _Strip, grey: NDArray[np.uint8], *, described: bool
) -> tuple[list[cv2.KeyPoint], NDArray[np.float32] | None]:
    """Keypoints of a strip, in the strip's pixels, and their descriptors (N, 128) if `described`."""
    picture = strip.of(grey)
    points, raw = sift.detectAndCompute(picture, None) if described else (sift.detect(picture, None), None)
    mine = [k for k, point in enumerate(points) if int(point.pt[strip.axis]) + strip.first in strip.core]
    descriptors = None if raw is None else np.asarray(raw, np.float32)[mine]
    return [points[k] for k in mine], descriptors


def _is_busy(grey: NDArray[np.uint8]) -> bool:
    """Whether a picture has so much fine texture that most of its features will be discarded."""
    fine = cv2.absdiff(cv2.GaussianBlur(grey, (0, 0), 1.0), cv2.GaussianBlur(grey, (0, 0), 1.6))
    return bool(cv2.countNonZero(cv2.compare(fine, BUSY_STEP, cv2.CMP_GT)) > BUSY_SHARE * fine.size)


def match_features(features: Features, index: CardIndex) -> Matches:
    """Match every feature of the photo with the features of all cards in its nearest visual words."""
    per_card = index.word.shape[1]
    feature, described, likeness = _alike(features.descriptors, index)
    # For each card only its most similar feature.
    order = _ranked(feature * len(index.ids) + described // per_card, likeness)
    feature, described, likeness = feature[order], described[order], likeness[order]
    card = described // per_card
    best = np.ones(len(card), bool)
    best[1:] = (card[1:] != card[:-1]) | (feature[1:] != feature[:-1])
    feature, described, card, likeness = feature[best], described[best], card[best], likeness[best]
    top = np.zeros(len(features.descriptors), np.float32)
    np.maximum.at(top, feature, likeness)
    share = np.exp((likeness - top[feature]) / RIVAL_STEP)
    # Shares over all cards, not only the few kept: an icon printed on every card is weak evidence.
    weight = share / np.bincount(feature, share, minlength=len(top))[feature]
    rank_order = _ranked(feature, likeness)
    first = np.searchsorted(feature[rank_order], np.arange(len(top)))
    rank = np.empty(len(feature), int)
    rank[rank_order] = np.arange(len(feature)) - first[feature[rank_order]]
    kept = (likeness > LEAST_SIMILARITY) & (share > 0.1) & (rank < CARDS_PER_FEATURE)
    feature, card = feature[kept], card[kept]
    seen = index.keypoints.reshape(-1, 4)[described[kept]].astype(np.float64)
    return Matches(
        feature=feature,
        card=card,
        at_px=features.at_px[feature],
        size_px=features.size_px[feature],
        angle_deg=features.angle_deg[feature],
        at_mm=seen[:, :2],
        size_mm=seen[:, 2],
        card_angle_deg=seen[:, 3],
        weight=weight[kept].astype(np.float64),
    )


def _ranked(group: NDArray[np.intp], likeness: NDArray[np.float32]) -> NDArray[np.intp]:
    """Sorting order (indices) by group, and within a group by falling likeness.

    Sorting by one combined number is ten times as fast as by two. The bits of positive floats sort like the
    floats.
    """
    key = (group.astype(np.int64) << 32) - likeness.view(np.int32)
    return np.argsort(key)


def _alike(
    descriptors: NDArray[np.float32], index: CardIndex
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float32]]:
    """Pairs of similar descriptors of the photo (N, D) and of the index: both indices, and their cosine
    similarities.

    Only descriptors under the same visual words are compared. Pairs are kept if their similarity is above
    `SEEN_SIMILARITY` and not far below the best.
    """
    filing, begin = index.filing
    tried = min(WORDS_PER_FEATURE, len(index.words))
    near = np.argpartition(-(descriptors @ index.words.T), tried - 1, axis=1)[:, :tried]
    feature = np.repeat(np.arange(len(descriptors)), tried)
    order = np.argsort(near.ravel(), kind="stable")
    ends = np.searchsorted(near.ravel()[order], np.arange(len(index.words) + 1))

    def compare(word: int) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float32]]:
        mine = feature[order[ends[word] : ends[word + 1]]]
        theirs = filing[begin[word] : begin[word + 1]]
        product = descriptors[mine] @ index.filed[begin[word] : begin[word + 1]].T
        best[mine] = np.maximum(best[mine], product.max(axis=1, initial=-1.0))
        least = np.maximum(best[mine] - FAR_BEHIND, SEEN_SIMILARITY)
        seen = np.flatnonzero(product > least[:, None])
        row, column = np.divmod(seen, max(len(theirs), 1))
        return mine[row], theirs[column], product.ravel()[seen]

    best = np.full(len(descriptors), -1.0, np.float32)
    parts = [compare(word) for word in range(len(index.words))]
    ours, theirs, alike = (np.concatenate(column) for column in zip(*parts, strict=True))
    near = alike > best[ours] - FAR_BEHIND
    return ours[near], theirs[near], alike[near]


def sight_cards(matches: Matches, index: CardIndex, scale: float) -> tuple[Sighting, ...]:
    """Card detections: cards whose matches agree on a pose, best supported first, without two at one place.

    `scale` is the scale of the view in which the features were found.
    """
    sizes = np.array(index.sizes_mm)
    turn = np.radians(matches.angle_deg - matches.card_angle_deg)
    growth = matches.size_px / matches.size_mm
    away = sizes[matches.card] / 2 - matches.at_mm
    cos, sin = np.cos(turn), np.sin(turn)
    turned = np.column_stack([cos * away[:, 0] - sin * away[:, 1], sin * away[:, 0] + cos * away[:, 1]])
    centre = matches.at_px + growth[:, None] * turned
    log_scale = np.log(growth)
    seeds: list[tuple[float, int, NDArray[np.intp]]] = []
    by_card = np.argsort(matches.card, kind="stable")
    begin = np.searchsorted(matches.card[by_card], np.arange(len(sizes) + 1))
    most = np.bincount(matches.card, matches.weight, minlength=len(sizes))
    often = np.flatnonzero(np.diff(begin) >= LEAST_VOTES)
    for card in often[np.argsort(-most[often], kind="stable")].tolist():
        # No pose of a card can have more votes than the card has matches.
        if len(seeds) >= POSES_TRIED and most[card] < seeds[POSES_TRIED - 1][0]:
            break
        mine = by_card[begin[card] : begin[card + 1]]
        reach = VOTE_REACH * sizes[card].max()
        seeds += _vote(card, mine, centre, log_scale, turn, matches.weight, reach, index.copies[card])
        seeds.sort(key=lambda seed: (-seed[0], seed[1]))
    found = [
        sighting
        for _, card, members in seeds[:POSES_TRIED]
        if (sighting := _verify(card, members, matches, index, scale)) is not None
    ]
    found.sort(key=lambda sighting: -sighting.support)
    kept: list[Sighting] = []
    quads: list[NDArray[np.float32]] = []
    for sighting in found:
        quad = sighting.corners_px(index).astype(np.float32)
        if all(
            cv2.intersectConvexConvex(quad, other)[0] < MOST_SHARED * cv2.contourArea(quad) for other in quads
        ):
            kept.append(sighting)
            quads.append(quad)
    return tuple(kept)


def _vote(
    card: int,
    mine: NDArray[np.intp],
    centre: NDArray[np.float64],
    log_scale: NDArray[np.float64],
    turn: NDArray[np.float64],
    weight: NDArray[np.float64],
    reach_mm: float,
    places: int,
) -> list[tuple[float, int, NDArray[np.intp]]]:
    """Clusters of one card's matches that agree on a pose, at most `places` of them: (votes, card, match
    indices)."""
    groups: list[tuple[float, int, NDArray[np.intp]]] = []
    while len(mine) >= LEAST_VOTES and len(groups) < places:
        (x, y), heading = centre[mine].T, turn[mine] % (2 * np.pi)
        across, down = x[:, None] - x, y[:, None] - y
        reach = reach_mm * np.exp(log_scale[mine])
        twist = np.abs(heading[:, None] - heading)
        agree = (
            (across * across + down * down < (reach * reach)[:, None])
            & (np.abs(log_scale[mine, None] - log_scale[mine]) < np.log(VOTE_SCALE))
            & (np.minimum(twist, 2 * np.pi - twist) < np.radians(VOTE_TURN_DEG))
        )
        votes = agree @ weight[mine]
        lead = int(votes.argmax())
        members = mine[agree[lead]]
        if len(members) < LEAST_VOTES:
            break
        groups.append((float(votes[lead]), card, members))
        mine = mine[~agree[lead]]
    return groups


def _verify(
    card: int, members: NDArray[np.intp], matches: Matches, index: CardIndex, scale: float
) -> Sighting | None:
    """Detection from a homography fitted to a cluster of matches; None if it is not plausible or has too few
    inliers."""
    tolerance = INLIER_PX / scale
    solved, good = cv2.findHomography(
        matches.at_mm[members],
        matches.at_px[members],
        cv2.USAC_MAGSAC,
        tolerance,
        maxIters=500,
        confidence=0.995,
    )
    if solved is None or good is None:
        return None
    card_to_photo = np.asarray(solved, np.float64)
    inliers = members[good.ravel().astype(bool)]
    if len(np.unique(matches.feature[inliers])) < LEAST_INLIERS:
        return None
    if not is_plausible(card_to_photo, index.sizes_mm[card], scale):
        return None
    return Sighting(card, card_to_photo, inliers, float(matches.weight[inliers].sum()))


def is_plausible(card_to_photo: NDArray[np.float64], size_mm: tuple[float, float], scale: float) -> bool:
    """Whether a pose projects a card to a convex, unmirrored quadrangle of plausible size and perspective."""
    depth = geometry.rectangle(*size_mm) @ card_to_photo[2, :2] + card_to_photo[2, 2]
    if np.any(depth <= 0):
        return False
    corners = geometry.apply(card_to_photo, geometry.rectangle(*size_mm)) * scale
    if not geometry.is_convex(corners):
        return False
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    if max(sides[0] / sides[2], sides[2] / sides[0], sides[1] / sides[3], sides[3] / sides[1]) > SIDE_RATIO:
        return False
    width, height = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    aspect = height / width / (size_mm[1] / size_mm[0])
    length = height if size_mm[1] >= size_mm[0] else width
    return bool(CARD_LENGTH_PX[0] < length < CARD_LENGTH_PX[1] and 0.5 < aspect < 2.0)
