"""Card outlines of a known size on a table, without a catalogue: photo -> corners (4, 2) px, lens distortion.

A network sees the inside and the sides of cards (`outline_net`). With the table's colours, they give regions
unlike the table, which determine the plane (`card_plane`), since the card's size is known. Touching cards
leave regions without an outline of their own. There, rectangles of the card's size are found by voting with
their sides. Plane and lens distortion are fitted to all rectangles together. The sides of each are fitted to
the edges in the full-sized photo.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.plane import Plane, fit_plane
from vision.cards.pose import TablePose
from vision.outlines.background import TableColours
from vision.outlines.card_plane import first_plane
from vision.outlines.cores import Cores
from vision.outlines.edges import REACH_MM, Sides, Strips, find_sides, own_outline, strips_of
from vision.outlines.outline_net import outline_maps
from vision.outlines.rectangles import Rectangle, find_rectangles, without_overlap
from vision.outlines.straight_view import StraightView
from vision.photo import geometry
from vision.photo.decode import Photo
from vision.photo.geometry import card_homography
from vision.photo.lens import AnyLens, Lens

Array = NDArray[np.float64]
Size = tuple[float, float]

#: Longer side of the picture in which outlines are searched.
VIEW_PX = 1400.0
#: Weight of a card's contrast with the table, relative to the support of its sides.
_ISLAND = 1.5
#: Least ratio of a rectangle's fit to the maps after a move to that before.
_MOVED = 1.15
#: Offset in mm up to which an outline counts as the one already found.
_OTHER_OUTLINE_MM = 0.5
#: Number of cards whose sides are examined for another outline.
_OUTLINES = 14
#: Angle between the steps of the vote over a full turn.
_STEP_DEG = 3.0
#: Greatest overlap of two rectangles that are both examined closely.
_UNDECIDED = 0.5
#: Distortion coefficients (k1) that are tried, and the least number of cards for estimating it.
_K1 = np.linspace(-0.06, 0.06, 13)
_LENS_CARDS = 4
#: Greatest number of rounds in which plane and lens are fitted.
_ROUNDS = 4
#: Usual distortion of phone lenses, and the relative cost of a lens with that distortion, which grows with
#: its square.
_USUAL_K1, _UNUSUAL = 0.05, 0.15
#: Requirements for a card's outline in the full-sized photo: the mean and the least support of its sides, and
#: the largest deviation (mm) from a rectangle of its size.
LEAST_MEAN, LEAST_SIDE, MOST_OFF_MM = 0.42, 0.10, 1.6
#: Requirements for a clear outline: mean support, second-lowest support of a side, and largest deviation (mm)
#: from the card's size.
_CLEAR_MEAN, _CLEAR_SECOND, _CLEAR_MM = 0.6, 0.4, 1.0
#: Least foreground share of a card relative to the other cards: glare reduces it, and bare table has none.
LEAST_FILLED = 0.4
#: Least share of a card that the network sees as the inside of cards; and least share of all such areas that
#: the found cards cover for any of them to be clear: where more is left, plane or size may be wrong.
_LEAST_TOLD, _LEAST_EXPLAINED = 0.35, 0.5
#: Distance from the rigid card's corner above which a measured corner is replaced by it.
_RIGID_MM = 0.7


@dataclass(frozen=True)
class BlankCard:
    """Outline of a card without identity.

    `corners_px` (4, 2) are photo pixels, clockwise, and the first side is the card's width. Rounded corners
    are extended to square ones. Which end is the top is unknown, so the end farther up in the photo comes
    first. `support` is the share of the sides that is edge, 0 to 1. `inside` is the share of the sides within
    the photo. `clear` is False where sides are hardly visible or do not fit the card's size: cutting out
    along such an outline may be wrong.
    """

    corners_px: Array
    support: float
    inside: float
    clear: bool = True


@dataclass(frozen=True)
class BlankTable:
    """Outlines of all cards in a photo, with the estimated lens distortion `lens` and the median resolution
    `px_per_mm`."""

    cards: tuple[BlankCard, ...]
    lens: AnyLens
    px_per_mm: float


def find_blank_cards(photo: Photo, size_mm: Size, lens: AnyLens | None = None) -> BlankTable:
    """Outlines of the cards of one size (width and height, mm) in a photo; `lens` is given where its
    distortion is known."""
    known = lens is not None
    lens = lens or Lens(photo.width, photo.height)
    pixels = photo.pixels
    scale = min(1.0, VIEW_PX / max(photo.width, photo.height))
    maps = outline_maps(photo)
    view = StraightView(pixels, lens, scale, maps)
    start = first_plane(view, size_mm)
    if start is None:
        return BlankTable((), lens, 0.0)
    plane, rectangles = start
    table = view.table(plane, rectangles)
    for _ in range(2):
        plane, rectangles = _on_own_outlines(pixels, lens, plane, rectangles, table)
        table = view.table(plane, rectangles)
        cards = _measured(pixels, lens, plane, rectangles, table)
        plane, lens, rectangles = _fitted(plane, lens, cards, known=known)
    view = StraightView(pixels, lens, scale, maps)
    cores = view.cores(size_mm)
    more: list[Rectangle] = []
    for turns in _turns(rectangles):
        if not view.left(plane, [*rectangles, *more], size_mm):
            break
        to_view = view.from_straight @ plane
        more += find_rectangles(view.layers, to_view, size_mm, turns, most_shared=_UNDECIDED)
    # which of several overlapping rectangles are cards is decided in the full-sized photo
    rectangles = without_overlap([*rectangles, *more], _UNDECIDED)
    for _ in range(_ROUNDS):
        rectangles += elsewhere(cores, view.from_straight @ plane, rectangles)
        cards = _apart(_measured(pixels, lens, plane, rectangles, table), view, plane)
        before = lens
        plane, lens, rectangles = _fitted(plane, lens, cards, known=known)
        if lens == before:
            break
    cards = [card for card in _measured(pixels, lens, plane, rectangles, table) if _is_card(card)]
    filled = [view.islands(plane, card.rectangle) for card in cards]
    usual = float(np.median(filled or [0.0]))
    cards = [card for card, own in zip(cards, filled, strict=True) if own >= LEAST_FILLED * usual]
    cards = [card for card in cards if view.told(plane, card.rectangle) >= _LEAST_TOLD]
    unexplained = view.explained(plane, [card.rectangle for card in cards]) < _LEAST_EXPLAINED
    doubted = [unexplained or view.displaced(plane, card.rectangle, usual) for card in cards]
    found = tuple(
        _blank(card, plane, lens, doubted=doubt) for card, doubt in zip(cards, doubted, strict=True)
    )
    return BlankTable(found, lens, _px_per_mm(found, size_mm))


def outline_near(photo: Photo, lens: AnyLens, corners_px: Array, size_mm: Size) -> BlankCard | None:
    """Outline of a card refined to its edges, from corners (4, 2) px known to within 3 mm; None if the edges
    are unclear."""
    to_straight = card_homography(lens.straight(corners_px), size_mm)
    none = np.zeros((0, 3), np.uint8)
    unknown = TableColours(none, none)
    sides = find_sides(strips_of(photo.reduced(0), lens, to_straight, size_mm, unknown))
    off = np.linalg.norm(sides.corners - geometry.rectangle(*size_mm), axis=1)
    if sides.support.mean() < LEAST_MEAN or sides.support.min() < LEAST_SIDE or off.max() > REACH_MM * 2**0.5:
        return None
    # Touching cards have seams as sides, so the position follows from all four sides together.
    frame = geometry.rectangle(*size_mm)
    moved, _ = cv2.estimateAffinePartial2D(frame, sides.corners, method=cv2.LMEDS)
    corners = frame @ moved[:, :2].T + moved[:, 2]
    seen = lens.seen(geometry.apply(to_straight, corners))
    return BlankCard(seen, float(sides.support.mean()), sides.inside)


@dataclass(frozen=True)
class _Measured:
    rectangle: Rectangle
    sides: Sides


def _turns(rectangles: Sequence[Rectangle]) -> list[list[float]]:
    """Angles (radians) to search for further cards: first the angles of the known cards and near them, then
    all others."""
    first = rectangles[0].turn_rad
    steps = round(180 / _STEP_DEG)
    near = {round(np.degrees(one.turn_rad - first) / _STEP_DEG) for one in rectangles}
    beside = {
        (turn + way + quarter) % steps for turn in near for way in (-1, 0, 1) for quarter in (0, steps // 2)
    }
    return [
        [first + float(np.radians(_STEP_DEG * turn)) for turn in sorted(wanted)]
        for wanted in (beside, set(range(steps)) - beside)
    ]


def _on_own_outlines(
    pixels: NDArray[np.uint8],
    lens: AnyLens,
    plane: Array,
    rectangles: Sequence[Rectangle],
    table: TableColours,
) -> tuple[Array, list[Rectangle]]:
    """The plane and rectangles corrected to the cards' own outlines, where frames within the cards or sleeves
    were found."""
    best = sorted(rectangles, key=lambda each: -each.support)
    mm = own_outline([_strips(pixels, lens, plane, one, table) for one in best[:_OUTLINES]])
    if abs(mm) < _OTHER_OUTLINE_MM:
        return plane, list(rectangles)
    size = best[0].size_mm
    outline = geometry.rectangle(*size) + mm * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    placed = [TablePose(k, one.centre_mm, one.turn_rad, one.size_mm) for k, one in enumerate(best)]
    at_mm = [geometry.rectangle(*size)] * len(best)
    at_px = [geometry.apply(_to_straight(plane, one), outline) for one in best]
    share = np.sqrt(np.prod((np.array(size) + 2 * mm) / size))
    placed = [replace(one, centre_mm=(one.centre_mm[0] / share, one.centre_mm[1] / share)) for one in placed]
    fitted = fit_plane(plane @ np.diag([share, share, 1.0]), placed, at_mm, at_px)
    return fitted.table_to_photo, [
        replace(one, centre_mm=place.centre_mm, turn_rad=place.turn_rad)
        for one, place in zip(best, fitted.placed, strict=True)
    ]


def _to_straight(plane: Array, one: Rectangle) -> Array:
    """Homography (3, 3) from mm on a card to undistorted photo pixels."""
    turned = geometry.similarity(one.turn_rad, np.asarray(one.centre_mm))
    half = np.asarray(one.size_mm) / 2
    return np.asarray(plane @ turned @ np.array([[1, 0, -half[0]], [0, 1, -half[1]], [0, 0, 1.0]]))


def _measured(
    pixels: NDArray[np.uint8],
    lens: AnyLens,
    plane: Array,
    rectangles: Sequence[Rectangle],
    table: TableColours,
) -> list[_Measured]:
    return [_Measured(one, find_sides(_strips(pixels, lens, plane, one, table))) for one in rectangles]


def _strips(
    pixels: NDArray[np.uint8], lens: AnyLens, plane: Array, one: Rectangle, table: TableColours
) -> Strips:
    return strips_of(pixels, lens, _to_straight(plane, one), one.size_mm, table)


def elsewhere(cores: Cores, to_view: Array, rectangles: Sequence[Rectangle]) -> list[Rectangle]:
    """Places where rectangles clearly fit the maps better, out of the reach of the sides where they are."""
    found = []
    for one in rectangles:
        moved = cores.settled(to_view, one)
        away = np.linalg.norm(moved.corners_mm() - one.corners_mm(), axis=1).max()
        if away > REACH_MM and cores.fit(to_view, moved) > _MOVED * cores.fit(to_view, one):
            found.append(moved)
    return found


def _apart(cards: Sequence[_Measured], view: StraightView, plane: Array) -> list[_Measured]:
    """Non-maximum suppression: the best outlined cards that do not overlap each other."""
    usual = max(0.1, float(np.median([view.islands(plane, card.rectangle) for card in cards])))
    merit = {
        id(card): float(
            card.sides.support.mean() + 0.5 * card.sides.support.min() - 0.1 * np.median(_off(card))
        )
        + _ISLAND * view.stands_out(plane, card.rectangle) / usual
        for card in cards
    }
    ranked = [replace(card.rectangle, support=merit[id(card)]) for card in cards]
    kept = without_overlap(ranked)
    return [card for card, rank in zip(cards, ranked, strict=True) if any(rank is each for each in kept)]


def _off(card: _Measured) -> Array:
    """Distance (4,), in mm, of each corner of a card from a rectangle of the card's size."""
    rigid = geometry.rectangle(*card.rectangle.size_mm)
    return np.asarray(np.linalg.norm(card.sides.corners - rigid, axis=1))


def _is_card(card: _Measured) -> bool:
    support = card.sides.support
    return bool(
        support.mean() >= LEAST_MEAN and support.min() >= LEAST_SIDE and np.median(_off(card)) <= MOST_OFF_MM
    )


def _fitted(
    plane: Array, lens: AnyLens, cards: Sequence[_Measured], *, known: bool
) -> tuple[Array, AnyLens, list[Rectangle]]:
    """Least-cost fit to all corners: the plane, the lens (kept if `known`) and the cards' rectangles."""
    order = sorted(range(len(cards)), key=lambda k: -float(cards[k].sides.support.min()))
    chosen = [cards[k] for k in order]
    seen = [
        lens.seen(geometry.apply(_to_straight(plane, one.rectangle), one.sides.corners)) for one in chosen
    ]
    placed = [
        TablePose(k, one.rectangle.centre_mm, one.rectangle.turn_rad, one.rectangle.size_mm)
        for k, one in enumerate(chosen)
    ]
    at_mm = [geometry.rectangle(*one.rectangle.size_mm) for one in chosen]
    sure = [one.sides.support.min() >= 0.3 for one in chosen]
    best: tuple[float, Plane, AnyLens] | None = None
    strengths = [0.0] if known or sum(sure) < _LENS_CARDS else [*_K1]
    for k1 in strengths:
        other = lens if known else Lens(lens.width, lens.height, float(k1))
        fitted = fit_plane(plane, placed, at_mm, [other.straight(each) for each in seen])
        cost = _cost(fitted, other, at_mm, seen, sure) * (1 + _UNUSUAL * (float(k1) / _USUAL_K1) ** 2)
        if best is None or cost < best[0]:
            best = cost, fitted, other
    assert best is not None
    _, fitted, lens = best
    rectangles = [
        replace(one.rectangle, centre_mm=place.centre_mm, turn_rad=place.turn_rad)
        for one, place in zip(chosen, fitted.placed, strict=True)
    ]
    return fitted.table_to_photo, lens, rectangles


def _cost(
    fitted: Plane, lens: AnyLens, at_mm: Sequence[Array], seen: Sequence[Array], sure: Sequence[bool]
) -> float:
    """Mean truncated distance, in pixels, between observed corners and their projections."""
    away = [
        np.linalg.norm(
            lens.seen(geometry.apply(fitted.table_to_photo @ place.to_table(), points)) - where, axis=1
        )
        for place, points, where, good in zip(fitted.placed, at_mm, seen, sure, strict=True)
        if good or not any(sure)
    ]
    return float(np.minimum(np.concatenate(away), 12.0).mean())


def _blank(card: _Measured, plane: Array, lens: AnyLens, *, doubted: bool) -> BlankCard:
    rigid = geometry.rectangle(*card.rectangle.size_mm)
    free = card.sides.corners
    away = np.linalg.norm(free - rigid, axis=1, keepdims=True)
    corners = np.where(away <= _RIGID_MM, free, rigid)
    at = lens.seen(geometry.apply(_to_straight(plane, card.rectangle), corners))
    if at[:2, 1].mean() > at[2:, 1].mean():
        at = np.roll(at, 2, axis=0)
    weak = sorted(card.sides.support)
    clear = np.mean(weak) >= _CLEAR_MEAN and weak[1] >= _CLEAR_SECOND and np.median(away) <= _CLEAR_MM
    clear = bool(clear) and not doubted
    return BlankCard(at, float(card.sides.support.mean()), card.sides.inside, clear)


def _px_per_mm(cards: Sequence[BlankCard], size_mm: Size) -> float:
    area = size_mm[0] * size_mm[1]
    return float(
        np.median(
            [np.sqrt(cv2.contourArea(each.corners_px.astype(np.float32)) / area) for each in cards] or [0.0]
        )
    )
