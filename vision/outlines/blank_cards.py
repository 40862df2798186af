"""Cards of a known size on a table, found by their outlines alone: no catalogue says what is on them.

What is unlike the table lies on it like islands. An island's outline tells how the table lies before the
camera, for the card's size is known; the plane is fitted to all outlines that are cards in it. Where islands
are left over, as cards that touch leave them, rectangles of that size are voted for by their sides. From all
of them together come the plane and the lens's distortion, and each one's sides are brought onto the edges in
the photo in full size.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.plane import Placed, Plane, fit_plane
from vision.outlines.background import TableColours, unlike_table
from vision.outlines.card_blocks import as_block
from vision.outlines.edges import REACH_MM, Sides, Strips, find_quads, find_sides, own_outline, strips_of
from vision.outlines.rectangles import (
    Rectangle,
    best_scale,
    find_rectangles,
    merit_of,
    pattern_of,
    without_overlap,
)
from vision.photo import geometry
from vision.photo.decode import Photo
from vision.photo.geometry import card_homography, misfit, poses_by_lines
from vision.photo.lens import AnyLens, Lens

Array = NDArray[np.float64]
Size = tuple[float, float]

#: The picture in which outlines are sought: its longer side.
VIEW_PX = 1400.0
#: How far a quadrangle may be from what a phone takes of a card (`table_pose.misfit`), and how much another
#: card's sides may differ in length in its plane.
_MISFIT, _LIKE = 0.09, 0.05
#: Of quadrangles, the most that are looked at, and the most planes that are voted on.
_QUADS, _PLANES = 200, 8
#: So many quadrangles that are cards in one plane tell that plane.
_ENOUGH = 3.5
#: Where a rectangle is looked into, shares of its sides.
_GRID = (0.04, 0.15, 0.3, 0.5, 0.7, 0.85, 0.96)
_INSIDE = np.array([[x, y] for x in _GRID for y in _GRID])
#: What lies so far (mm) beside a rectangle is looked at, and how much less it counts where that is no table.
_BESIDE_MM, _ROUND = 2.0, 0.6
#: What it counts beside its sides that a card stands out.
_ISLAND = 1.5
#: A rectangle is moved in such steps, so often at most each, to where it counts so many times as much.
_SETTLING_MM, _SETTLED_AFTER, _MOVED = (8.0, 4.0, 2.0), 4, 1.15
#: As against a card: so little shown is bare table, and so much is a card.
_BARE, _CARD = 0.3, 0.6
#: What an outline counts as, where it closes (`Rectangle.support`).
_CLOSED = 0.85
#: An outline that is no farther from the one that was found is the same one.
_OTHER_OUTLINE_MM = 0.5
#: Of so many cards the sides are looked at for it.
_OUTLINES = 14
#: What a rectangle's support needs where it counts by how much the card stands out from the table.
_STANDS_OUT = 0.2
#: How much sides may differ in length of quadrangles that are taken into a common plane, round by round.
_JOINT = (0.05, 0.035, 0.025)
#: Planes in which a card's sides differ by less than this (a logarithm) are one.
_SAME_SCALE = 0.015
#: Scales that are tried where lines alone tell the plane: this far from one to the next (a logarithm).
_SCALE_STEP = 0.045
#: Angles between the votes of a full turn; how much of a window, as large as a part of a card, is no table if
#: a card may lie there, as against a card.
_STEP_DEG, _LEFT, _PART = 3.0, 0.4, 0.6
#: Rectangles that share so much at most are both looked at closely.
_UNDECIDED = 0.5
#: Strengths of distortion that are tried; it is told by so many cards.
_K1 = np.linspace(-0.06, 0.06, 13)
_LENS_CARDS = 4
#: How often plane and lens are fitted at most.
_ROUNDS = 4
#: Phones bend lines by about as much as this, or less.
_USUAL_K1, _UNUSUAL = 0.05, 0.15
#: What a card's outline needs in the full-sized photo: the mean and the least of its sides' support, and how
#: far (mm) it may be from a rectangle of its size.
LEAST_MEAN, LEAST_SIDE, MOST_OFF_MM = 0.42, 0.10, 1.6
#: A clear outline has more of its sides, all but one of them so much, and lies nearer to a card's size (mm).
_CLEAR_MEAN, _CLEAR_SECOND, _CLEAR_MM = 0.6, 0.4, 1.0
#: As against the other cards, how much of one is no table: glare takes some of it, bare table has none.
LEAST_FILLED = 0.4
#: Corners of which a rigid card's are farther than this lie where the rigid card's do.
_RIGID_MM = 0.7


@dataclass(frozen=True)
class BlankCard:
    """A card's outline. `corners_px` (4, 2) photo pixels, square though the card's may be round: clockwise as
    seen, its width first; which end is up is not known, the one that is farther up in the photo comes first.
    `support` is how much of its sides is edge, 0 to 1; `inside` the share of its sides that is in the photo;
    `clear` is not where sides are hardly seen, or do not fit the card's size: who cuts it out may cut amiss.
    """

    corners_px: Array
    support: float
    inside: float
    clear: bool = True


@dataclass(frozen=True)
class BlankTable:
    """The cards that a photo shows; `lens` as they tell it, `px_per_mm` the median over them."""

    cards: tuple[BlankCard, ...]
    lens: AnyLens
    px_per_mm: float


def find_blank_cards(photo: Photo, size_mm: Size, lens: AnyLens | None = None) -> BlankTable:
    """The cards of a size (width and height, mm) in a photo. `lens` is told where it is known."""
    known = lens is not None
    lens = lens or Lens(photo.width, photo.height)
    pixels = photo.pixels
    scale = min(1.0, VIEW_PX / max(photo.width, photo.height))
    view = _Straight(pixels, lens, scale)
    start = _first_plane(view, size_mm)
    if start is None:
        return BlankTable((), lens, 0.0)
    plane, rectangles = start
    table = view.table(plane, rectangles)
    for _ in range(2):
        plane, rectangles = _on_own_outlines(pixels, lens, plane, rectangles, table)
        table = view.table(plane, rectangles)
        cards = _measured(pixels, lens, plane, rectangles, table)
        plane, lens, rectangles = _fitted(plane, lens, cards, known=known)
    view = _Straight(pixels, lens, scale)
    more: list[Rectangle] = []
    for turns in _turns(rectangles):
        if not view.left(plane, [*rectangles, *more], size_mm):
            break
        voted = find_rectangles(
            view.layers, view.from_straight @ plane, size_mm, turns, most_shared=_UNDECIDED
        )
        more += [view.settled(plane, one) for one in voted]
    # which of those that lie on each other are cards shows in the photo in full size
    rectangles = without_overlap([*rectangles, *more], _UNDECIDED)
    for _ in range(_ROUNDS):
        cards = _apart(_measured(pixels, lens, plane, rectangles, table), view, plane)
        before = lens
        plane, lens, rectangles = _fitted(plane, lens, cards, known=known)
        if lens == before:
            break
    cards = [card for card in _measured(pixels, lens, plane, rectangles, table) if _is_card(card)]
    filled = [view.islands(plane, card.rectangle) for card in cards]
    usual = float(np.median(filled or [0.0]))
    cards = [card for card, own in zip(cards, filled, strict=True) if own >= LEAST_FILLED * usual]
    found = tuple(
        _blank(card, plane, lens, displaced=view.displaced(plane, card.rectangle, usual)) for card in cards
    )
    return BlankTable(found, lens, _px_per_mm(found, size_mm))


def _ways(step: float) -> list[tuple[float, float]]:
    return [(step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step)]


class _Straight:
    """The photo, smaller and without its distortion: `lab` (h, w, 3) uint8; `from_straight` (3, 3) leads from
    pixels of the photo without distortion to its pixels."""

    def __init__(self, pixels: NDArray[np.uint8], lens: AnyLens, scale: float) -> None:
        size = (round(lens.width * scale), round(lens.height * scale))
        small = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)
        self._bgr = lens.straightened(small, scale)
        self.lab = np.asarray(cv2.cvtColor(self._bgr, cv2.COLOR_BGR2Lab), np.uint8)
        self.unlike = unlike_table(self.lab)
        bare = cv2.blur(self.unlike, (5, 5))
        self.layers = np.asarray(cv2.merge([*cv2.split(self.lab), np.uint8(255 * bare)]), np.uint8)
        self._pattern = cv2.blur(pattern_of(self.lab[..., 0]), (31, 31))
        self._usual = max(float(np.quantile(self._pattern, 0.95)), 0.02)
        shift = 0.5 * scale - 0.5
        self.from_straight = np.array([[scale, 0, shift], [0, scale, shift], [0, 0, 1.0]])
        self.to_straight = np.linalg.inv(self.from_straight)

    def covered(self, plane: Array, rectangles: Sequence[Rectangle], grown: float) -> NDArray[np.bool_]:
        """(h, w) where cards lie, each made larger by a factor; `plane` leads to straight pixels."""
        made = np.zeros(self.unlike.shape, np.uint8)
        for one in rectangles:
            larger = replace(one, size_mm=(grown * one.size_mm[0], grown * one.size_mm[1]))
            corners = geometry.apply(self.from_straight @ plane, larger.corners_mm())
            cv2.fillConvexPoly(made, np.rint(corners).astype(np.int32), 1)
        return np.asarray(made > 0)

    def table(self, plane: Array, rectangles: Sequence[Rectangle]) -> TableColours:
        """What the table looks like beside the cards."""
        # a sleeve's film and the shadow beside a card are table too
        beside = self.covered(plane, rectangles, 1.15)
        bare = ((self.unlike < 0.5) | beside) & ~self.covered(plane, rectangles, 1.03)
        cards = self.covered(plane, rectangles, 0.95)
        return TableColours(self._bgr[bare][::17], self._bgr[cards][::7])

    def filled(self, plane: Array, one: Rectangle) -> float:
        """How much of a rectangle is drawn on, and no table, 0 to 1: cells of a chequered cloth have four
        sides too, and so has a card with the gap beside it."""
        at = self._within(plane, one)
        drawn = min(1.0, float(self._pattern[at[:, 1], at[:, 0]].mean()) / self._usual)
        return drawn * (0.1 + 0.9 * self.islands(plane, one) ** 2)

    def islands(self, plane: Array, one: Rectangle) -> float:
        """How much of a rectangle is no table, 0 to 1."""
        at = self._within(plane, one)
        return float(self.unlike[at[:, 1], at[:, 0]].mean())

    def stands_out(self, plane: Array, one: Rectangle) -> float:
        """How much of a rectangle is no table, and how much of what lies round it is, 0 to 1: a frame within
        a card lies in the card."""
        beside = float(np.mean(self._along_sides(plane, one, _BESIDE_MM)))
        return self.islands(plane, one) * (1 - _ROUND * beside)

    def displaced(self, plane: Array, one: Rectangle, usual: float) -> bool:
        """Whether a rectangle ends beyond a card's side and begins within it: it shows table along one side,
        and a card beyond the other. `usual` is how much of a card is no table."""
        within = self._along_sides(plane, one, -_BESIDE_MM)
        beyond = self._along_sides(plane, one, _BESIDE_MM)
        return any(
            within[k] < _BARE * usual and beyond[(k + 2) % 4] > _CARD * usual and beyond[k] < _CARD * usual
            for k in range(4)
        )

    def settled(self, plane: Array, one: Rectangle) -> Rectangle:
        """A rectangle moved to where a card stands out most by far; where it was if none does."""
        first = best = self.stands_out(plane, one)
        place = one
        for step in _SETTLING_MM:
            for _ in range(_SETTLED_AFTER):
                (x, y), turn = place.centre_mm, 2 * step / max(one.size_mm)
                around = [replace(place, centre_mm=(x + a, y + b)) for a, b in _ways(step)]
                around += [replace(place, turn_rad=place.turn_rad + way * turn) for way in (-1, 1)]
                merits = [self.stands_out(plane, each) for each in around]
                if max(merits) <= best:
                    break
                best, place = max(merits), around[int(np.argmax(merits))]
        return place if best > _MOVED * first else one

    def _along_sides(self, plane: Array, one: Rectangle, beyond_mm: float) -> list[float]:
        """How much of what lies so far beyond each side (top, right, bottom, left) is no table."""
        wide, high = beyond_mm / one.size_mm[0], beyond_mm / one.size_mm[1]
        sides = (
            [(each, -high) for each in _GRID],
            [(1 + wide, each) for each in _GRID],
            [(each, 1 + high) for each in _GRID],
            [(-wide, each) for each in _GRID],
        )
        shares = np.array(sides).reshape(-1, 2)
        at = self._within(plane, one, shares)
        return [float(each) for each in self.unlike[at[:, 1], at[:, 0]].reshape(4, -1).mean(axis=1)]

    def left(self, plane: Array, rectangles: Sequence[Rectangle], size_mm: Size) -> bool:
        """Whether something lies on the table, as large as most of a card, that none of these covers."""
        side = math.sqrt(_area(self.from_straight @ plane, rectangles[0]))
        window = max(3, round(_PART * side * min(size_mm) / max(size_mm)))
        rest = self.unlike * ~self.covered(plane, rectangles, 1.08)
        usual = float(np.median([self.islands(plane, one) for one in rectangles]))
        return bool(cv2.blur(rest, (window, window)).max() > _LEFT * usual)

    def _within(self, plane: Array, one: Rectangle, shares: Array = _INSIDE) -> NDArray[np.intp]:
        """(N, 2) pixels over a rectangle, at shares of its sides."""
        corners = one.corners_mm()
        points = corners[0] + shares[:, :1] * (corners[1] - corners[0])
        points = points + shares[:, 1:] * (corners[3] - corners[0])
        at = (
            geometry.apply(self.from_straight @ plane, np.asarray(points, np.float64))
            .round()
            .astype(np.intp)
        )
        height, width = self._pattern.shape
        return np.asarray(np.clip(at, 0, np.array([width - 1, height - 1])))


@dataclass(frozen=True)
class _Measured:
    rectangle: Rectangle
    sides: Sides


def _turns(rectangles: Sequence[Rectangle]) -> list[list[float]]:
    """The angles (radians) at which further cards are sought: those of the cards that are found and beside
    them; then all others."""
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
    """The plane measured anew, and the rectangles in it, where what was found are not the cards' own outlines
    but frames within them, or sleeves."""
    best = sorted(rectangles, key=lambda each: -each.support)
    mm = own_outline([_strips(pixels, lens, plane, one, table) for one in best[:_OUTLINES]])
    if abs(mm) < _OTHER_OUTLINE_MM:
        return plane, list(rectangles)
    size = best[0].size_mm
    outline = geometry.rectangle(*size) + mm * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    placed = [Placed(k, one.centre_mm, one.turn_rad, one.size_mm) for k, one in enumerate(best)]
    at_mm = [geometry.rectangle(*size)] * len(best)
    at_px = [geometry.apply(_to_straight(plane, one), outline) for one in best]
    share = np.sqrt(np.prod((np.array(size) + 2 * mm) / size))
    placed = [replace(one, centre_mm=(one.centre_mm[0] / share, one.centre_mm[1] / share)) for one in placed]
    fitted = fit_plane(plane @ np.diag([share, share, 1.0]), placed, at_mm, at_px)
    return fitted.table_to_photo, [
        replace(one, centre_mm=place.centre_mm, turn_rad=place.turn_rad)
        for one, place in zip(best, fitted.placed, strict=True)
    ]


def _first_plane(view: _Straight, size_mm: Size) -> tuple[Array, list[Rectangle]] | None:
    """The plane (3, 3) from table mm to straight pixels that has most cards on it, and these; None where no
    outline is a card's."""
    size_px = (view.lab.shape[1], view.lab.shape[0])
    quads = find_quads(view.lab, view.unlike)[:_QUADS]
    all_quads = np.array(quads).reshape(-1, 4, 2)
    planes: list[tuple[float, Array]] = []
    for quad in quads:
        for turn in (0, 1):
            for block in _blocks(quad, size_px):
                whole = (size_mm[0] * block[0], size_mm[1] * block[1])
                plane = card_homography(np.roll(quad, turn, axis=0), whole)
                off = misfit(plane, size_px)
                if off > _MISFIT:
                    continue
                merit = _alike(plane, all_quads, size_mm) - 4 * off - 0.5 * (block != (1, 1))
                planes.append((merit, plane))
    planes.sort(key=lambda each: -each[0])
    by_quads = _distinct([plane for _, plane in planes], size_mm, size_px)
    agree = max((merit for merit, _ in planes), default=0.0)
    # where several outlines are cards in one plane nothing else needs to be asked
    candidates = by_quads if agree >= _ENOUGH else [*by_quads, *_by_lines(view, size_mm, size_px)]
    best: tuple[float, Array, list[Rectangle]] | None = None
    for candidate in candidates:
        plane, rectangles = _joint(candidate, all_quads, size_mm)
        to_view = view.to_straight @ plane
        if len(rectangles) < _ENOUGH or view.left(to_view, rectangles, size_mm):
            rectangles += find_rectangles(view.layers, plane, size_mm, [0.0, np.pi / 2], play_mm=1.6)
        weighed = [replace(one, support=one.support * view.stands_out(to_view, one)) for one in rectangles]
        rectangles = without_overlap([one for one in weighed if one.support > _STANDS_OUT])
        merit = sum(merit_of(one.support, _area(plane, one), view.filled(to_view, one)) for one in rectangles)
        if rectangles and (best is None or merit > best[0]):
            best = merit, plane, rectangles
    if best is None:
        return None
    _, plane, rectangles = best
    if len(rectangles) == 1:
        plane, rectangles = _parted(view, plane, rectangles[0])
    return np.linalg.solve(view.from_straight, plane), rectangles


def _parted(view: _Straight, plane: Array, one: Rectangle) -> tuple[Array, list[Rectangle]]:
    """The one card on a plane, or those that touch in the shape of one, and their plane."""
    width, height = one.size_mm
    block = as_block(view.lab, geometry.apply(plane, one.corners_mm()), one.size_mm)
    if block is None:
        return plane, [one]
    columns, rows, corners = block
    plane = card_homography(corners, (columns * width, rows * height))
    return plane, [
        replace(one, centre_mm=((column + 0.5) * width, (row + 0.5) * height), turn_rad=0.0)
        for row in range(rows)
        for column in range(columns)
    ]


def _by_lines(view: _Straight, size_mm: Size, size_px: tuple[int, int]) -> list[Array]:
    """Planes, table mm to the view, from all straight lines and the scale at which most rectangles lie."""
    largest, smallest = 0.95 * min(size_px), max(size_px) / 11
    heights = np.geomspace(smallest, largest, round(np.log(largest / smallest) / _SCALE_STEP))
    planes = []
    for pose in poses_by_lines(view.lab[..., 0]):
        height, merit = best_scale(view.layers, view.unlike, pose, size_mm, list(heights))
        if merit > 0:
            planes.append(pose @ np.diag([height / size_mm[1], height / size_mm[1], 1.0]))
    return planes


def _distinct(planes: Sequence[Array], size_mm: Size, size_px: tuple[int, int]) -> list[Array]:
    kept: list[Array] = []
    for plane in planes:
        if not any(_same_plane(plane, other, size_mm, size_px) for other in kept):
            kept.append(plane)
            if len(kept) == _PLANES:
                break
    return kept


def _blocks(quad: Array, size_px: tuple[int, int]) -> list[tuple[int, int]]:
    """Of how many cards, side by side, a quadrangle may be the outline."""
    share = cv2.contourArea(quad.astype(np.float32)) / (size_px[0] * size_px[1])
    if share < 0.06:
        return [(1, 1)]
    return [(1, 1), (2, 1), (1, 2), (2, 2), (3, 1), (1, 3), (3, 2), (2, 3), (3, 3)]


def _alike(plane: Array, quads: Array, size_mm: Size) -> float:
    """How many quadrangles (N, 4, 2) are cards of the size in a plane."""
    middles: list[Array] = []
    for quad in _like_cards(plane, quads, size_mm):
        middle = quad.mean(axis=0)
        if all(np.linalg.norm(middle - each) > 0.5 * min(size_mm) for each in middles):
            middles.append(middle)
    return float(len(middles))


def _like_cards(plane: Array, quads: Array, size_mm: Size) -> Array:
    """(M, 4, 2) in mm those of quadrangles (N, 4, 2) that are cards of the size in a plane, width first."""
    flat, like = _in_plane(plane, quads, size_mm)
    return np.asarray(flat[like])


def _in_plane(
    plane: Array, quads: Array, size_mm: Size, most_unlike: float = _LIKE
) -> tuple[Array, NDArray[np.bool_]]:
    """Quadrangles (N, 4, 2) in mm of a plane, those that may be cards width first, and which of them may."""
    flat = geometry.apply(np.asarray(np.linalg.inv(plane), np.float64), quads)
    sides = np.linalg.norm(np.roll(flat, -1, axis=1) - flat, axis=2)
    across = np.linalg.norm(flat[:, [2, 3]] - flat[:, [0, 1]], axis=2) / np.hypot(*size_mm)
    width, height = size_mm
    one = np.abs(np.log(sides / np.array([width, height, width, height]))).max(axis=1)
    other = np.abs(np.log(sides / np.array([height, width, height, width]))).max(axis=1)
    like = (np.minimum(one, other) < most_unlike) & (np.abs(np.log(across)).max(axis=1) < most_unlike)
    return np.where((other < one)[:, None, None], np.roll(flat, -1, axis=1), flat), like


def _joint(plane: Array, quads: Array, size_mm: Size) -> tuple[Array, list[Rectangle]]:
    """The plane in which most of all quadrangles (N, 4, 2) are cards, near one that a single one tells; and
    these."""
    for most_unlike in _JOINT:
        flat, like = _in_plane(plane, quads, size_mm, most_unlike)
        found = {}
        for quad in flat[like]:
            along = quad[1] - quad[0] + quad[2] - quad[3]
            centre = quad.mean(axis=0)
            turn = float(np.arctan2(along[1], along[0]))
            one = Rectangle((float(centre[0]), float(centre[1])), turn, size_mm, _CLOSED)
            off = float(np.linalg.norm(quad - one.corners_mm(), axis=1).max()) / max(size_mm)
            found[replace(one, support=_CLOSED * (1 - off))] = quad
        kept = without_overlap([*found])
        if len(kept) < 2:
            return plane, kept
        placed = [Placed(k, one.centre_mm, one.turn_rad, one.size_mm) for k, one in enumerate(kept)]
        at_px = [geometry.apply(plane, found[one]) for one in kept]
        fitted = fit_plane(plane, placed, [geometry.rectangle(*size_mm)] * len(kept), at_px)
        plane = fitted.table_to_photo
    return plane, [
        replace(one, centre_mm=place.centre_mm, turn_rad=place.turn_rad)
        for one, place in zip(kept, fitted.placed, strict=True)
    ]


def _same_plane(one: Array, other: Array, size_mm: Size, size_px: tuple[int, int]) -> bool:
    """Whether two planes measure a card in the middle of the picture alike."""
    middle: Array = np.asarray(np.array([size_px]) / 2, np.float64)
    scales = [
        np.linalg.svd(geometry.jacobian(np.asarray(np.linalg.inv(each)), middle)[0], compute_uv=False)
        for each in (one, other)
    ]
    return bool(np.abs(np.log(scales[0] / scales[1])).max() < _SAME_SCALE)


def _area(plane: Array, one: Rectangle) -> float:
    return abs(cv2.contourArea(geometry.apply(plane, one.corners_mm()).astype(np.float32)))


def _to_straight(plane: Array, one: Rectangle) -> Array:
    """(3, 3) from mm on a card to straight pixels."""
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


def _apart(cards: Sequence[_Measured], view: _Straight, plane: Array) -> list[_Measured]:
    """The best outlined ones that do not lie on each other."""
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
    """(4,) how far (mm) a card's corners are from a rectangle of its size."""
    rigid = geometry.rectangle(*card.rectangle.size_mm)
    return np.asarray(np.linalg.norm(card.sides.corners - rigid, axis=1))


def outline_near(photo: Photo, lens: AnyLens, corners_px: Array, size_mm: Size) -> BlankCard | None:
    """The card whose corners (4, 2) in the photo are known to 3 mm, brought onto its edges; None where it has
    none that are clear."""
    to_straight = card_homography(lens.straight(corners_px), size_mm)
    none = np.zeros((0, 3), np.uint8)
    unknown = TableColours(none, none)
    sides = find_sides(strips_of(photo.reduced(0), lens, to_straight, size_mm, unknown))
    off = np.linalg.norm(sides.corners - geometry.rectangle(*size_mm), axis=1)
    if sides.support.mean() < LEAST_MEAN or sides.support.min() < LEAST_SIDE or off.max() > REACH_MM * 2**0.5:
        return None
    # A card that touches others has seams for sides: all four together tell where it lies.
    frame = geometry.rectangle(*size_mm)
    moved, _ = cv2.estimateAffinePartial2D(frame, sides.corners, method=cv2.LMEDS)
    corners = frame @ moved[:, :2].T + moved[:, 2]
    seen = lens.seen(geometry.apply(to_straight, corners))
    return BlankCard(seen, float(sides.support.mean()), sides.inside)


def _is_card(card: _Measured) -> bool:
    support = card.sides.support
    return bool(
        support.mean() >= LEAST_MEAN and support.min() >= LEAST_SIDE and np.median(_off(card)) <= MOST_OFF_MM
    )


def _fitted(
    plane: Array, lens: AnyLens, cards: Sequence[_Measured], *, known: bool
) -> tuple[Array, AnyLens, list[Rectangle]]:
    """The plane, the lens (unless it is `known`) and the cards' places that fit all corners best."""
    order = sorted(range(len(cards)), key=lambda k: -float(cards[k].sides.support.min()))
    chosen = [cards[k] for k in order]
    seen = [
        lens.seen(geometry.apply(_to_straight(plane, one.rectangle), one.sides.corners)) for one in chosen
    ]
    placed = [
        Placed(k, one.rectangle.centre_mm, one.rectangle.turn_rad, one.rectangle.size_mm)
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
    """The mean distance (pixels, large ones cut off) of corners from where they should be."""
    away = [
        np.linalg.norm(
            lens.seen(geometry.apply(fitted.table_to_photo @ place.to_table(), points)) - where, axis=1
        )
        for place, points, where, good in zip(fitted.placed, at_mm, seen, sure, strict=True)
        if good or not any(sure)
    ]
    return float(np.minimum(np.concatenate(away), 12.0).mean())


def _blank(card: _Measured, plane: Array, lens: AnyLens, *, displaced: bool) -> BlankCard:
    rigid = geometry.rectangle(*card.rectangle.size_mm)
    free = card.sides.corners
    away = np.linalg.norm(free - rigid, axis=1, keepdims=True)
    corners = np.where(away <= _RIGID_MM, free, rigid)
    at = lens.seen(geometry.apply(_to_straight(plane, card.rectangle), corners))
    if at[:2, 1].mean() > at[2:, 1].mean():
        at = np.roll(at, 2, axis=0)
    weak = sorted(card.sides.support)
    clear = np.mean(weak) >= _CLEAR_MEAN and weak[1] >= _CLEAR_SECOND and np.median(away) <= _CLEAR_MM
    clear = bool(clear) and not displaced
    return BlankCard(at, float(card.sides.support.mean()), card.sides.inside, clear)


def _px_per_mm(cards: Sequence[BlankCard], size_mm: Size) -> float:
    area = size_mm[0] * size_mm[1]
    return float(
        np.median(
            [np.sqrt(cv2.contourArea(each.corners_px.astype(np.float32)) / area) for each in cards] or [0.0]
        )
    )
