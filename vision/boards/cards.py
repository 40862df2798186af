"""Cards that lie flat beside a board, seen from above at a known scale: position, identity and rotation of
each.

Features vote for the centre and rotation of a card, whatever its identity. The card is then identified by its
whole picture, compared with all cards of its size. Single features would not do, because many cards share a
frame or a sign.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.spatial import cKDTree

from vision.boards.art import Flat
from vision.boards.sift import TRIED, Features, PieceFeatures, features_of_pieces, likeliest, look, middles
from vision.boards.tiles import normalised
from vision.boards.top_view import FromAbove, crop

Array = NDArray[np.float64]
Floats = NDArray[np.float32]
Box = tuple[float, float, float, float]

# First values, by eye on a few photos of `tuning-stone-dragon`.

#: Scale of the art for its features, and for the comparison of whole pictures.
FEATURE_PX_PER_MM, PICTURE_PX_PER_MM = 2.0, 1.0
#: Scale of the picture in which features are sought, relative to the top view: at it all 113 player boards in
#: view in 32 photos of `tuning-ice-and-idols` were found, and of cards (6 photos of `tuning-stone-dragon`) no
#: fewer than at full scale, in less than half of the time.
SHRUNK = 0.5
#: Number of features kept for a card, and for the table.
CARD_FEATURES, TABLE_FEATURES = 90, 2000
LEAST_ALIKE, BEHIND = 0.78, 0.08
#: Largest ratio between the size of a feature and its size in the art.
SCALE = 1.45
#: Distance (mm) and angle (degrees) within which votes agree; least votes for a place; number of places
#: examined.
REACH_MM, REACH_DEG, LEAST_VOTES, PLACES = 6.0, 14.0, 3, 60
#: Least correlation (-1 to 1) of a card with its art.
LIKE_ART = 0.36
#: Shifts (mm) and rotations (degrees) tried at first, and then around the best of them. Then: correlation
#: below which a place is dropped at first, and correlation above which other places on the card are skipped.
ROUGH, FINE = ((-2.5, 0.0, 2.5), (0.0,)), ((-1.0, 0.0, 1.0), (-3.0, 0.0, 3.0))
AT_A_GLANCE, PLAIN = 0.16, 0.5
#: The latter for cards that are mostly covered, and the visible share below which a card counts as such. What
#: is left of such a card repeats: one place further it correlates up to 0.63 (22 photos of
#: `tuning-ice-and-idols`).
PLAIN_COVERED, MUCH_COVERED = 0.7, 0.5


@dataclass(frozen=True)
class CardBank:
    """Pictures and features of cards, by number.

    `pictures` are normalised and upright, (h, w, 3) each; `shown` (h, w) is 0 where pieces may lie on the
    card, else 1. `features` are in mm.
    """

    ids: tuple[str, ...]
    sizes_mm: tuple[tuple[float, float], ...]
    pictures: tuple[Floats, ...]
    shown: tuple[Floats, ...]
    features: PieceFeatures


@dataclass(frozen=True)
class CardSight:
    """A detected card: its id, centre on the board (mm), and rotation (degrees clockwise from upright on the
    board).

    `likeness` is the correlation with its art, `confidence` (0..1) that of its identity; `others` are cards
    that it may be instead.
    """

    card: str
    at_mm: tuple[float, float]
    turn_deg: float
    likeness: float
    confidence: float
    others: tuple[str, ...] = ()


def card_bank(cards: Sequence[Flat], covered: Mapping[str, Sequence[Box]] | None = None) -> CardBank:
    """The bank of cards whose pictures have `FEATURE_PX_PER_MM`.

    `covered` has, by id, the boxes (left, top, right, bottom, mm) where small pieces may lie.
    """
    pictures: list[Floats] = []
    shown: list[Floats] = []
    parts: list[Features] = []
    for card in cards:
        found = look(np.asarray(cv2.cvtColor(card.picture, cv2.COLOR_BGR2GRAY), np.uint8), CARD_FEATURES)
        at_mm = (found.at + 0.5) / FEATURE_PX_PER_MM - np.array(card.size_mm) / 2
        parts.append(replace(found, at=at_mm, size=found.size / FEATURE_PX_PER_MM))
        width, height = (round(side * PICTURE_PX_PER_MM) for side in card.size_mm)
        small = cv2.resize(card.picture, (width, height), interpolation=cv2.INTER_AREA)
        pictures.append(normalised(np.asarray(small, np.uint8)))
        shown.append(_shown((width, height), (covered or {}).get(card.id, ())))
    return CardBank(
        tuple(card.id for card in cards),
        tuple(card.size_mm for card in cards),
        tuple(pictures),
        tuple(shown),
        features_of_pieces(parts),
    )


def _shown(size: tuple[int, int], covered: Sequence[Box]) -> Floats:
    made = np.ones((size[1], size[0]), np.float32)
    for box in covered:
        left, top, right, bottom = (max(round(each * PICTURE_PX_PER_MM), 0) for each in box)
        made[top:bottom, left:right] = 0
    return made


def find_cards(
    above: FromAbove,
    bank: CardBank,
    but_mm: tuple[float, float, float, float],
    most_features: int = TABLE_FEATURES,
    shrunk: float = SHRUNK,
) -> list[CardSight]:
    """The cards beside the board, which covers the box `but_mm`, with overlapping detections removed.

    `most_features` features are used, in a picture scaled by `shrunk`.
    """
    if not bank.ids:
        return []
    found: list[CardSight] = []
    plain: list[Floats] = []
    for at, turn, size in _places(above, bank, but_mm, most_features, shrunk):
        box = np.asarray(
            cv2.boxPoints(((float(at[0]), float(at[1])), size, float(np.degrees(turn)))), np.float32
        )
        if any(_shared(box, other) > 0.3 for other in plain):
            continue
        sight = _named(above, bank, at, turn, size)
        if sight is not None:
            found.append(sight)
            shown = float(bank.shown[bank.ids.index(sight.card)].mean())
            if sight.likeness > (PLAIN_COVERED if shown < MUCH_COVERED else PLAIN):
                plain.append(_box(sight, size))
    return _apart(found, bank)


def find_more_cards(
    above: FromAbove, bank: CardBank, but_mm: tuple[float, float, float, float], found: Sequence[CardSight]
) -> list[CardSight]:
    """The cards that were found and those beside them: on a patterned cloth most features are the cloth's,
    but few are around the cards."""
    sizes = dict(zip(bank.ids, bank.sizes_mm, strict=True))
    far, near = np.zeros(above.inside.shape, np.uint8), np.zeros(above.inside.shape, np.uint8)
    for sight in found:
        width, height = sizes[sight.card]
        for mask, wider in ((far, 2 * height), (near, 0.0)):
            box = cv2.boxPoints((sight.at_mm, (width + wider, height + wider), sight.turn_deg))
            corners = (box - above.origin_mm) * above.px_per_mm
            cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), 1)
    around = replace(above, inside=above.inside & (far > 0) & (near == 0))
    return _apart([*found, *find_cards(around, bank, but_mm)], bank)


def _apart(found: Sequence[CardSight], bank: CardBank) -> list[CardSight]:
    """The likeliest of detections that overlap."""
    sizes = dict(zip(bank.ids, bank.sizes_mm, strict=True))
    kept: list[CardSight] = []
    for sight in sorted(found, key=lambda sight: -sight.likeness):
        box = _box(sight, sizes[sight.card])
        if all(_shared(box, _box(other, sizes[other.card])) < 0.25 for other in kept):
            kept.append(sight)
    return kept


def _box(sight: CardSight, size: tuple[float, float]) -> Floats:
    return np.asarray(cv2.boxPoints((sight.at_mm, size, sight.turn_deg)), np.float32)


def _shared(one: Floats, other: Floats) -> float:
    """Overlap of two boxes, as a share of the smaller one."""
    both, _ = cv2.intersectConvexConvex(one, other)
    return float(both / max(min(cv2.contourArea(one), cv2.contourArea(other)), 1e-6))


def _places(
    above: FromAbove,
    bank: CardBank,
    but_mm: tuple[float, float, float, float],
    most_features: int,
    shrunk: float,
) -> list[tuple[Array, float, tuple[float, float]]]:
    """Candidate cards: centres (mm), rotations (radians) and sizes, most votes first."""
    grey = cv2.cvtColor(above.picture, cv2.COLOR_BGR2GRAY)
    x0, y0 = ((np.array(but_mm[:2]) - above.origin_mm) * above.px_per_mm).astype(int)
    x1, y1 = ((np.array(but_mm[2:]) - above.origin_mm) * above.px_per_mm).astype(int)
    grey[max(y0, 0) : y1, max(x0, 0) : x1] = 0
    grey[~above.inside] = 0
    if shrunk < 1:
        grey = cv2.resize(grey, None, fx=shrunk, fy=shrunk, interpolation=cv2.INTER_AREA)
    seen = look(np.asarray(grey, np.uint8), most_features)
    px_per_mm = above.px_per_mm * shrunk
    if not len(seen.at):
        return []
    known = bank.features
    which, art, _ = likeliest(seen.descriptors @ known.descriptors.T, LEAST_ALIKE, BEHIND)
    ratio = np.abs(np.log(seen.size[which] / px_per_mm / known.size[art]))
    which, art = which[ratio < np.log(SCALE)], art[ratio < np.log(SCALE)]
    turn = seen.angle[which] - known.angle[art]
    middle = middles((seen.at[which] + 0.5) / px_per_mm + above.origin_mm, turn, 1.0, known.at[art])
    sizes = np.array(bank.sizes_mm)[known.piece[art]]
    found: list[tuple[float, Array, float, tuple[float, float]]] = []
    for size in sorted(set(bank.sizes_mm)):
        own = np.flatnonzero((sizes == size).all(axis=1))
        if len(own) < LEAST_VOTES:
            continue
        agree = _agreeing(middle[own], turn[own])
        # a feature votes once, even if it may belong to several cards
        _, back, often = np.unique(which[own], return_inverse=True, return_counts=True)
        weight = (1 / often[back]).astype(np.float32)
        for _ in range(PLACES):
            votes = (agree @ weight) * (weight > 0)
            top = int(votes.argmax())
            if votes[top] < LEAST_VOTES / TRIED:
                break
            near = agree.indices[agree.indptr[top] : agree.indptr[top + 1]]
            mine = np.sort(near[weight[near] > 0])
            place = np.median(middle[own[mine]], axis=0)
            spin = float(np.angle(np.exp(1j * turn[own[mine]]).mean()))
            found.append((float(votes[top]), place, spin, (float(size[0]), float(size[1]))))
            weight[mine] = 0
    found.sort(key=lambda each: -each[0])
    return [(place, spin, size) for _, place, spin, size in found[: 2 * PLACES]]


def _agreeing(middle: Array, turn: Array) -> csr_array:
    """Sparse matrix (n, n) of pairs of matches, including each with itself, that vote for the same position
    and rotation."""
    pairs = cKDTree(middle).query_pairs(REACH_MM, output_type="ndarray")
    apart = np.abs((turn[pairs[:, 0]] - turn[pairs[:, 1]] + np.pi) % (2 * np.pi) - np.pi)
    pairs = pairs[apart < np.radians(REACH_DEG)]
    alone = np.arange(len(middle))
    rows = np.concatenate([pairs[:, 0], pairs[:, 1], alone])
    columns = np.concatenate([pairs[:, 1], pairs[:, 0], alone])
    return csr_array((np.ones(len(rows), np.float32), (rows, columns)), (len(middle), len(middle)))


def _named(
    above: FromAbove, bank: CardBank, at: Array, turn: float, size: tuple[float, float]
) -> CardSight | None:
    """The card of a given size at a candidate position; None if no card matches."""
    numbers = [k for k, each in enumerate(bank.sizes_mm) if each == size]
    theirs = _Compared([bank.pictures[k] for k in numbers], [bank.shown[k] for k in numbers])
    height, width = bank.pictures[numbers[0]].shape[:2]
    place = at, turn
    for shifts, turns in (ROUGH, FINE):
        places = [
            (place[0] + [x, y], place[1] + np.radians(spin)) for spin in turns for x in shifts for y in shifts
        ]
        cuts = [_cut(above, middle, own, (width, height)) for middle, own in places]
        seen = [k for k, cut in enumerate(cuts) if cut is not None]
        if not seen:
            return None
        alike = theirs.likeness([normalised(cut) for cut in cuts if cut is not None])
        where = int(alike.max(axis=1).argmax())
        place = places[seen[where]]
        if float(alike.max()) < AT_A_GLANCE:
            return None
    best = alike.max(axis=0)
    order = np.argsort(-best)
    top = int(order[0])
    likeness = float(best[top])
    if likeness < LIKE_ART:
        return None
    second = float(best[order[1]]) if len(order) > 1 else -1.0
    middle, own = places[seen[int(alike[:, top].argmax())]]
    confidence = float(
        np.clip((likeness - second) / 0.15, 0, 1) * np.clip((likeness - LIKE_ART + 0.1) / 0.25, 0, 1)
    )
    others = tuple(bank.ids[numbers[int(k)]] for k in order[1:3] if likeness - best[k] < 0.15)
    return CardSight(
        bank.ids[numbers[top]],
        (float(middle[0]), float(middle[1])),
        float(np.degrees(own)),
        likeness,
        confidence,
        others,
    )


class _Compared:
    """The cards of one size, prepared for comparison with pictures by the parts that are never covered."""

    def __init__(self, pictures: Sequence[Floats], shown: Sequence[Floats]) -> None:
        self.shown = np.stack([_flat(np.broadcast_to(each[..., None], (*each.shape, 3))) for each in shown])
        own = np.stack([_flat(each) for each in pictures]) * self.shown
        self.unit = own / np.maximum(np.linalg.norm(own, axis=1, keepdims=True), 1e-6)

    def likeness(self, seen: Sequence[Floats]) -> Floats:
        """Correlations (n, cards), -1..1, of each picture with each card."""
        flat = np.stack([_flat(each) for each in seen])
        length = np.sqrt(np.maximum((flat * flat) @ self.shown.T, 1e-12))
        return np.asarray(flat @ self.unit.T / length, np.float32)


def _flat(picture: Floats) -> Floats:
    return np.asarray(picture[2:-2, 2:-2].reshape(-1), np.float32)


def _cut(above: FromAbove, middle: Array, turn: float, size: tuple[int, int]) -> NDArray[np.uint8] | None:
    """The picture around a point, rotated upright, at the scale of the cards' pictures; None outside the
    photo."""
    at = above.px(middle)
    column, row = (round(float(each)) for each in at)
    if not (0 <= row < above.inside.shape[0] and 0 <= column < above.inside.shape[1]):
        return None
    if not above.inside[row, column]:
        return None
    return crop(above.picture, at, turn, above.px_per_mm / PICTURE_PX_PER_MM, size)
