"""Possibly missing cards: doubts where a card that was not found may continue the path.

A path may begin and end at an opening of the dungeon's outer edge. This is certain only if the ground beyond
it, at least half a card wide, is visible and bare. Ground outside the picture, or under a panel, a lid, a
hand or a flat filling, is not bare. Ground crossed by the line itself is not bare either. On a card that is
cut off, a path cannot be followed along corridors that are out of sight. Cards are cut off by the picture's
edge, or by a straight object over one side.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import cv2
import numpy as np
import shapely
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from scorer.dungeon import Dungeon
from vision.cards.pose import LayoutCard
from vision.ink.ink_map import InkMap
from vision.ink.relight import LOCAL_RADIUS_MM
from vision.path.line_beyond import goes_on, points_beyond
from vision.path.read import PathDoubt, PathReading
from vision.photo import geometry
from vision.photo.decode import Photo
from vision.photo.geometry import on_card

Array = NDArray[np.float64]
Cells = NDArray[np.bool_]

# Measured on 52 whole photos (the 12 that ship, `tuning-evening` 0 to 39) and on the pictures that
# `tools.cut_pictures` makes of the 12.

#: Ground is examined in strips from this distance (mm) beyond an exit (more than sleeves and gaps leave bare
#: between two cards) to half a card. Other numbers: a strip's depth (mm), its reach (mm) to both sides,
#: the distance of its samples (mm), and the most pixels of the longer side of the picture that is examined.
BEYOND_MM, STRIP_MM, ASIDE_MM, STEP_MM, GROUND_PX = 6.0, 6.0, 10.0, 1.0, 700
#: Least share of a strip within the picture.
IN_PICTURE = 0.95
#: Distances (mm) beyond the cards' sides at which the table's colours are sampled, and the most samples.
RIM_MM, TABLE_SAMPLES = (2.5, 4.0, 5.5), 300
#: Ground looks like the table if at least this share of the samples beside the cards is within this colour
#: distance (8-bit L*a*b*; lightness has a lower weight because of shadows).
LIKE, ALIKE_SHARE, LIGHTNESS = 7.0, 0.01, 0.25
#: A bare strip tells nothing where the cards look like the table: where more than this share of them have one
#: on their faces. Of 216 ends in 120 whole photos (`tuning-evening` 30000 to 30119) 205 are seen to be bare,
#: and of 1,384 openings with a card beyond them 2.
OWN_BARE = 0.2
#: Median difference of neighbouring pixels (levels of 255) below which an area is an artificial filling: real
#: tables are rougher.
FLAT = 0.05
#: A card is cut off if a corner is outside the picture by this share of the card's height,
CUT_OFF_SHARE = 0.03
#: or if more than this share of the cells along a stretch of its outline, as long as a side, do not match its
#: art. The other numbers are the stretch's width (mm), its number of cells and the least correlation. Of 52
#: whole photos one certain card has 0.33 along a side, others under a hand up to 0.67; cards cut by panels
#: have 0.67 to 1.
SIDE_HIDDEN, SIDE_MM, SIDE_CELLS, LEAST_LIKENESS = 0.5, 9.0, 6, 0.35


def with_missing_cards(
    reading: PathReading,
    photo: Photo,
    halvings: int,
    poses: Sequence[LayoutCard],
    dungeon: Dungeon,
    ink: InkMap,
) -> PathReading:
    """The reading with doubts about missing cards at the ends of the path, and one doubt where the path runs
    over cut-off cards, as one question about other missing cards suffices.

    `halvings`: the photo is examined at the resolution that the reading used.
    """
    if not reading.path:
        return reading
    ends = dict.fromkeys((reading.path[0][0], reading.path[-1][-1]))
    exits = [name for name in ends if name in dungeon.open_openings]
    picture = photo.reduced(halvings)
    led_on = [name for name in exits if goes_on(picture, 0.5**halvings, poses, dungeon, name)]
    covered = {number: covered_cells(dungeon, number, ink) for number in range(len(poses))}
    grounds = Grounds(photo, halvings, dict(enumerate(poses)), dungeon, covered)
    unseen = [name for name in exits if name not in led_on and not grounds.is_bare(name)]
    # an object over an end does not hide a card if the ground beyond is bare
    kept = [
        doubt
        for doubt in reading.doubts
        if doubt.reason != "covered" or doubt.place in led_on or doubt.place not in {*exits} - {*unseen}
    ]
    doubted = {doubt.place for doubt in kept if doubt.reason == "covered"}
    missed = [PathDoubt("path", name, (), "covered") for name in led_on if name not in doubted]
    missed += [PathDoubt("path", name, (), "unseen") for name in unseen if name not in doubted]
    cuts = cut_off(reading, photo, poses, dungeon, covered)
    missed += [PathDoubt("path", name, (), "cut") for name in [*cuts][:1]]
    return replace(reading, doubts=(*kept, *missed))


def unseen_exits(reading: PathReading, grounds: Sequence[Grounds], dungeon: Dungeon) -> Iterator[PathDoubt]:
    """Doubts about line ends at an outer opening with no photo showing bare ground beyond it."""
    doubted = {doubt.place for doubt in reading.doubts if doubt.reason == "covered"}
    ends = dict.fromkeys(name for stroke in reading.path for name in (stroke[0], stroke[-1]))
    for name in ends:
        asked = name in dungeon.open_openings and name not in doubted
        if asked and not any(ground.is_bare(name) for ground in grounds):
            yield PathDoubt("path", name, (), "unseen")


def cut_off(
    reading: PathReading,
    photo: Photo,
    poses: Sequence[LayoutCard],
    dungeon: Dungeon,
    covered: Mapping[int, Cells],
) -> Iterator[str]:
    """Places of the path nearest to where a corridor that leaves it is out of sight, one for each card of the
    path that is cut off."""
    walked: dict[int, list[str]] = {}
    for name in dict.fromkeys(name for stroke in reading.path for name in stroke):
        walked.setdefault(dungeon.places[name].card_index, []).append(name)
    for number, names in sorted(walked.items()):
        hidden = _out_of_sight(number, names, photo, poses[number], dungeon, covered[number])
        if len(hidden):
            places = [np.array(dungeon.places[name].at_mm) for name in names]
            away = [np.linalg.norm(place - hidden.mean(axis=0)) for place in places]
            yield names[int(np.argmin(away))]


def _out_of_sight(
    number: int, names: Sequence[str], photo: Photo, pose: LayoutCard, dungeon: Dungeon, covered: Cells
) -> Array:
    """Points (N, 2), table mm, of a card's corridors that leave the named places and are out of sight; none
    where the card is not cut off."""
    is_covered = _is_covered(covered)
    if not (is_covered or is_cut(np.asarray(pose.corners_px, np.float64), photo)):
        return np.zeros((0, 2))
    ways = (way for name in names for way in dungeon.neighbours[name])
    lines = [shapely.LineString(way.line_mm) for way in ways if dungeon.places[way.b].card_index == number]
    at_mm = shapely.get_coordinates(shapely.segmentize([line for line in lines if line.length], STEP_MM))
    placed = dungeon.cards[number]
    face = on_card(placed, at_mm, dungeon.catalogue.size_of(placed.card))
    at_px = geometry.apply(np.asarray(pose.card_to_photo, float), face)
    hidden = ((at_px < 0) | (at_px > (photo.width, photo.height))).any(axis=1)
    if is_covered:
        hidden |= shapely.intersects(_below(dungeon, number, covered), shapely.points(at_mm))
    return np.asarray(at_mm[hidden])


def is_cut(corners: Array, photo: Photo) -> bool:
    """Whether a card with corners (4, 2) px is partly outside the photo."""
    height = float(np.linalg.norm(corners[3] - corners[0]))
    return bool(_beyond_picture(corners, photo).max() > CUT_OFF_SHARE * height)


def _beyond_picture(corners: Array, photo: Photo) -> Array:
    """Distance (4,), in px, of each corner beyond the photo's border; negative inside."""
    return np.asarray(np.maximum(-corners, corners - np.array([photo.width, photo.height])).max(axis=1))


def _is_covered(covered: Cells) -> bool:
    """Whether a stretch of a card's outline, as long as a side and possibly around a corner, is covered."""
    left, right, top, bottom = covered
    around = np.concatenate([top, right, bottom[::-1], left[::-1]])
    hidden = [np.roll(around, -first)[:SIDE_CELLS].mean() for first in range(len(around))]
    return bool(max(hidden) >= SIDE_HIDDEN)


def _below(dungeon: Dungeon, number: int, covered: Cells) -> shapely.Geometry:
    """Area (table mm) of a card that is covered: the convex hull of the covered cells along its sides, and
    half their depth more."""
    cells = [
        shapely.MultiPoint(_points_of(side, np.array([0.0, SIDE_MM]), side.bounds[k : k + 2]).reshape(-1, 2))
        for side, hidden in zip(_sides(dungeon, number), covered, strict=True)
        for k in np.flatnonzero(hidden)
    ]
    return shapely.union_all(cells).convex_hull.buffer(SIDE_MM / 2)


class Side(NamedTuple):
    """A side of a card, in table mm: its coordinate `edge` on `axis` (0: x), and the direction `inward` to
    the card's middle.

    `bounds` (SIDE_CELLS + 1,) are the boundaries of its cells.
    """

    axis: int
    edge: float
    inward: float
    bounds: Array


def _sides(dungeon: Dungeon, number: int) -> list[Side]:
    outline = np.asarray(dungeon.outline_mm(number))
    low, high = outline.min(axis=0), outline.max(axis=0)
    return [
        Side(axis, edge, inward, np.linspace(low[1 - axis] + 1, high[1 - axis] - 1, SIDE_CELLS + 1))
        for axis in (0, 1)
        for edge, inward in ((low[axis], 1.0), (high[axis], -1.0))
    ]


def _points_of(side: Side, inside_mm: Array, along_mm: Array) -> Array:
    """Points (n, m, 2) in table mm at distances inside a card's side (negative: beyond it), and positions
    along it."""
    across = side.edge + side.inward * inside_mm
    grid = np.stack(np.meshgrid(across, along_mm, indexing="ij"), axis=-1)
    return np.asarray(grid if side.axis == 0 else grid[..., ::-1])


def covered_cells(dungeon: Dungeon, number: int, ink: InkMap) -> Cells:
    """Mask (4, SIDE_CELLS) of the cells along each side of a card that do not look like its art.

    All are False if the card's art in this light is not known.
    """
    if ink.blank is None:
        return np.zeros((4, SIDE_CELLS), bool)
    inside = np.arange(1.0, 1.0 + SIDE_MM, 0.5)
    return np.array(
        [
            [
                _likeness(ink, _points_of(side, inside, np.arange(start, stop, 0.5))) < LEAST_LIKENESS
                for start, stop in pairwise(side.bounds.tolist())
            ]
            for side in _sides(dungeon, number)
        ]
    )


def _likeness(ink: InkMap, at_mm: Array) -> float:
    """Correlation of a card's picture with its art at points (h, w, 2) of the table, 0.5 mm apart; 0 without
    contrast."""
    assert ink.blank is not None
    at_px = ink.to_px(at_mm).astype(np.float32)
    seen, art = (
        _print_of(cv2.remap(each, at_px, None, cv2.INTER_AREA).astype(np.float32))
        for each in (ink.picture, ink.blank)
    )
    spread = float(np.sqrt((seen**2).sum() * (art**2).sum()))
    return float((seen * art).sum()) / spread if spread > 0 else 0.0


def _print_of(seen: NDArray[np.float32]) -> Array:
    """High-pass filtered picture (N, 3) of points 0.5 mm apart, without slow variations such as light.

    Relighting adapts the art to slow variations of anything that covers the card.
    """
    reach = round(LOCAL_RADIUS_MM / 0.5) | 1
    fine = seen - cv2.blur(seen, (reach, reach), borderType=cv2.BORDER_REFLECT_101)
    fine = fine.reshape(-1, 3).astype(float)
    return np.asarray(fine - fine.mean(axis=0))


@dataclass(frozen=True)
class Grounds:
    """Ground beyond the openings of the cards in one photo.

    `poses` are the visible cards by their numbers in the dungeon. `covered` are their `covered_cells`, where
    known.
    """

    photo: Photo
    halvings: int
    poses: Mapping[int, LayoutCard]
    dungeon: Dungeon
    covered: Mapping[int, Cells] = field(default_factory=dict)

    def is_bare(self, name: str) -> bool:
        """Whether no card can lie beyond an opening, as a strip of the ground there is visible and looks like
        the table, while the cards do not."""
        place = self.dungeon.places[name]
        table = self._table(name) if place.card_index in self.poses else np.zeros((0, 3))
        if not len(table):
            return False
        at_px = self._at_px(name, 1)
        bare = self._bare_strips(at_px, table)
        if not bare.any() or self._is_flat(at_px[bare.argmax() :][: round(STRIP_MM / STEP_MM)]):
            return False
        own = [self._bare_strips(self._at_px(each, -1), table).any() for each in self._openings]
        return float(np.mean(own)) <= OWN_BARE

    @cached_property
    def _openings(self) -> list[str]:
        """An opening of each visible card."""
        places = self.dungeon.places.values()
        opening = {each.card_index: each.id for each in places if each.kind == "opening"}
        return [name for number, name in opening.items() if number in self.poses]

    def _at_px(self, name: str, outward: int) -> NDArray[np.float32]:
        """Pixels (n, m, 2) of the samples beyond an opening, by their distance from it; on the card's own
        face where `outward` is -1."""
        number = self.dungeon.places[name].card_index
        half = min(self.dungeon.catalogue.size_of(self.dungeon.cards[number].card)) / 2
        out = outward * np.arange(BEYOND_MM, half, STEP_MM)
        aside = np.arange(-ASIDE_MM, ASIDE_MM + 1e-9, STEP_MM)
        return points_beyond(self._scale, self.poses[number], self.dungeon, name, out, aside)

    def _bare_strips(self, at_px: NDArray[np.float32], table: Array) -> NDArray[np.bool_]:
        """Which strips (n,) of samples (rows, m, 2) lie in the picture and look like the table throughout."""
        inside = self._inside(at_px)
        alike = ~inside
        if inside.any():
            ground = self._colours(at_px[inside])
            near = np.linalg.norm(ground[:, None] - table[None], axis=2) <= LIKE
            alike[inside] = near.mean(axis=1) >= ALIKE_SHARE
        depth = round(STRIP_MM / STEP_MM)
        seen = sliding_window_view(inside, depth, axis=0).mean(axis=(1, 2)) >= IN_PICTURE
        return np.asarray(seen & sliding_window_view(alike, depth, axis=0).all(axis=(1, 2)))

    @cached_property
    def _small(self) -> tuple[NDArray[np.uint8], float]:
        """Downsampled picture (CIE L*a*b*) for examining the ground, and its scale."""
        longest = max(self.photo.width, self.photo.height)
        # the smallest of the existing halvings, as the time for averaging depends on its input
        halvings = max(
            (k for k in range(self.halvings, 8) if longest >> k >= GROUND_PX), default=self.halvings
        )
        picture = self.photo.reduced(halvings)
        scale = min(1.0, GROUND_PX / max(picture.shape[:2]))
        size = (round(picture.shape[1] * scale), round(picture.shape[0] * scale))
        small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
        lab = cv2.cvtColor(cv2.GaussianBlur(small, (0, 0), 0.8), cv2.COLOR_BGR2Lab)
        return np.asarray(lab, np.uint8), 0.5**halvings * scale

    @property
    def _scale(self) -> float:
        return self._small[1]

    def _inside(self, at_px: NDArray[np.float32]) -> NDArray[np.bool_]:
        height, width = self._small[0].shape[:2]
        return np.asarray(((at_px > 0) & (at_px < (width - 1, height - 1))).all(axis=-1))

    def _colours(self, at_px: NDArray[np.float32]) -> Array:
        """Weighted colours (N, 3) at points (N, 2) of the downsampled picture."""
        seen = cv2.remap(self._small[0], at_px.reshape(-1, 1, 2), None, cv2.INTER_LINEAR)
        return np.asarray(seen.reshape(-1, 3) * np.array([LIGHTNESS, 1.0, 1.0]))

    def _is_flat(self, at_px: NDArray[np.float32]) -> bool:
        """Whether the ground has no grain at all, as an artificial filling."""
        picture = self.photo.reduced(self.halvings)
        scale = 0.5**self.halvings / self._scale
        full = (at_px + 0.5) * np.float32(scale) - np.float32(0.5)
        grey = np.asarray(cv2.remap(picture, full, None, cv2.INTER_NEAREST), np.float64).mean(axis=2)
        steps = np.abs(np.diff(grey, axis=0))
        return bool((steps > FLAT).mean() < 0.5)

    def _table(self, name: str) -> Array:
        """Weighted colours (N, 3) of the table just beyond the cards' sides.

        Points as far out as the edge of the given opening are left out: an object over its ground may cover
        them too.
        """
        out = points_beyond(
            self._scale, self.poses[self.dungeon.places[name].card_index], self.dungeon, name,
            np.array([-1.0, 0.0]), np.array([0.0, 1.0]),
        ).astype(float)  # fmt: skip
        edge, along = out[1, 0], out[1, 1] - out[1, 0]
        away = np.array([along[1], -along[0]])
        away *= np.sign(away @ (out[1, 0] - out[0, 0]))
        rims = self._rims
        kept = rims[(rims - edge) @ away < 0]
        kept = kept[:: max(1, len(kept) // TABLE_SAMPLES)]
        return self._colours(kept) if len(kept) else np.zeros((0, 3))

    @cached_property
    def _rims(self) -> NDArray[np.float32]:
        """Points (N, 2) of the downsampled picture just beyond the cards' sides.

        Points on a card, and beside a covered part of a card's side, are left out, as they may not be table.
        """
        found, faces = [], []
        for number, pose in self.poses.items():
            placed = self.dungeon.cards[number]
            covered = self.covered.get(number, np.zeros((4, SIDE_CELLS), bool))
            for side, hidden in zip(_sides(self.dungeon, number), covered, strict=True):
                along = np.arange(side.bounds[0] + 3, side.bounds[-1] - 2, 2.0)
                # the nearer half of a cell beside a covered one may be covered, too
                half = (side.bounds[1] - side.bounds[0]) / 2
                near = np.stack([along - half, along, along + half])
                cells = np.searchsorted(side.bounds[1:-1], near, side="right")
                seen = ~hidden[cells].any(axis=0)
                at_mm = _points_of(side, -np.array(RIM_MM), along[seen]).reshape(-1, 2)
                face = on_card(placed, at_mm, self.dungeon.catalogue.size_of(placed.card))
                at = geometry.apply(np.asarray(pose.card_to_photo, float), face)
                found.append((at + 0.5) * self._scale - 0.5)
            faces.append(((np.asarray(pose.corners_px) + 0.5) * self._scale - 0.5).astype(np.int32))
        on_cards = np.zeros(self._small[0].shape[:2], np.uint8)
        cv2.fillPoly(on_cards, faces, 1)
        on_cards = cv2.dilate(on_cards, np.ones((3, 3), np.uint8))
        points = np.concatenate(found).astype(np.float32)
        points = points[self._inside(points)]
        column, row = points.round().astype(int).T
        return np.asarray(points[on_cards[row, column] == 0])
