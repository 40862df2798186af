"""Adjacency of cards on the table: overlap and contact of footprints, neighbour offsets, and fitting to a
grid."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from scorer.catalogue import Card, Catalogue
from scorer.games import game_of
from scorer.laying import Laying
from vision.cards.pose import TablePose
from vision.photo import geometry

Array = NDArray[np.float64]
#: Width and height in mm.
Size = tuple[float, float]
#: Positions of a piece's openings, in mm from the middle: on its left and right edges, and on its top and
#: bottom.
_Openings = tuple[frozenset[float], frozenset[float]]

#: Greatest shift of neighbours with meeting openings, as a share of the edge: a tenth of the edges still
#: touches.
_LONGEST_SHIFT = 0.9


def laying_of(catalogue: Catalogue) -> Laying:
    """The catalogue's game's rules for placing pieces (grid, side by side, shifted).

    No other function asks the game for them.
    """
    return game_of(catalogue).photo.laying


def rotations_of(card: Card, laying: Laying) -> frozenset[int]:
    """Allowed rotations of a piece, in degrees clockwise: the piece's own if it has any, otherwise those of
    its game."""
    return laying.rotations if card.rotations is None else frozenset(card.rotations)


@dataclass(frozen=True)
class Neighbours:
    """Allowed offsets between the centres of adjacent pieces.

    `laying` are the game's rules for placing pieces. `cell_mm` is the size of the grid's cells, if there is a
    grid. `openings` maps each size of piece to the positions of the openings on its sides, for pieces upright
    or upside down.
    """

    laying: Laying
    cell_mm: Size
    openings: Mapping[Size, _Openings] = field(default_factory=dict)

    def shifts(self, one: Size, other: Size) -> Array:
        """Offsets (S, 2), in mm, from the centre of a piece to the centres of its possible neighbours, along
        the table's axes.

        `one` is the footprint of the piece, `other` that of the neighbours. Pieces whose openings are not
        known lie edge to edge. In some games they may also be shifted by half their longer side. In a grid,
        only pieces of the size of a cell have neighbours.
        """
        if self.laying.grid is not None:
            cells = (self.cell_mm, self.cell_mm[::-1])
            return self._beside(one, other, ((0.0,), (0.0,))) if one in cells and other in cells else _NONE
        if (one, other) not in self._known:
            self._known[one, other] = self._beside(one, other, self._along(one, other))
        return self._known[one, other]

    @property
    def board(self) -> tuple[int, int]:
        """Columns and rows of the board; 0 where there is no board, or its size is not fixed."""
        grid = self.laying.grid
        return (grid.columns or 0, grid.rows or 0) if grid is not None else (0, 0)

    @cached_property
    def _known(self) -> dict[tuple[Size, Size], Array]:
        return {}

    def _along(self, one: Size, other: Size) -> tuple[list[float], list[float]]:
        """Allowed shifts, in mm, along the common edge: for neighbours beside a piece, and for neighbours
        above or below it."""
        mine, theirs = self._openings(one), self._openings(other)
        along: list[list[float]] = []
        for axis, length in ((0, (one[1] + other[1]) / 2), (1, (one[0] + other[0]) / 2)):
            if mine[axis] and theirs[axis]:
                shifts = {round(a - b, 1) for a in mine[axis] for b in theirs[axis]}
                along.append(sorted(shift for shift in shifts if abs(shift) < _LONGEST_SHIFT * length))
            elif self.laying.half_shifts and one[1 - axis] >= one[axis]:
                along.append([-length / 2, 0.0, length / 2])
            else:
                along.append([0.0])
        return along[0], along[1]

    def _openings(self, footprint: Size) -> _Openings:
        """Openings of all pieces that can have a footprint, whether upright or turned by a quarter."""
        upright = self.openings.get(footprint, _CLOSED)
        across = self.openings.get(footprint[::-1], _CLOSED)
        turned = across[1], across[0]
        if footprint[0] == footprint[1]:
            return (upright[0] | turned[0], upright[1] | turned[1]) if self._quarters else upright
        return upright if any(upright) else turned

    @property
    def _quarters(self) -> bool:
        return any(rotation % 180 for rotation in self.laying.rotations)

    @staticmethod
    def _beside(one: Size, other: Size, along: tuple[Collection[float], Collection[float]]) -> Array:
        width, height = (one[0] + other[0]) / 2, (one[1] + other[1]) / 2
        beside = [(side * width, shift) for side in (-1, 1) for shift in along[0]]
        above = [(shift, side * height) for side in (-1, 1) for shift in along[1]]
        return np.array(beside + above, float).reshape(-1, 2)


def neighbours_of(catalogue: Catalogue, laying: Laying | None = None) -> Neighbours:
    """Allowed neighbour offsets of a catalogue's pieces; `laying` are the placing rules, by default those of
    its game."""
    places: dict[Size, tuple[set[float], set[float]]] = {}
    for card in catalogue.cards:
        size = catalogue.size_of(card.id)
        for node in card.nodes:
            if node.kind != "opening" or node.side is None:
                continue
            level = node.side in ("top", "bottom")
            off = round(node.at[0] - size[0] / 2 if level else node.at[1] - size[1] / 2, 1)
            # Mirrored, too: the openings of a rotated piece are in reverse order.
            places.setdefault(size, (set(), set()))[level].update((off, -off))
    openings = {size: (frozenset(steep), frozenset(level)) for size, (steep, level) in places.items()}
    width, height = catalogue.card_size_mm
    return Neighbours(laying or laying_of(catalogue), (float(width), float(height)), openings)


_CLOSED: _Openings = (frozenset(), frozenset())
_NONE = np.zeros((0, 2))


# The accuracy of hands and cameras does not depend on a piece's size. Measured on cards of 63 x 88 mm in
# renders.

#: Greatest overlap of two cards that count as lying side by side.
OVERLAP_MM = 5.0
#: Largest gap of cards that still touch: sleeves cause 3 to 4 mm, laying by hand up to 6 mm, plus the
#: measurement error.
TOUCH_MM = 7.0
#: Least length of the common edge of neighbours; cards that only meet at a corner do not touch.
SHARED_EDGE_MM = 5.0
#: Largest rotation between cards of one tableau.
ALIGNED_DEG = 8.0
#: Weight of a contact relative to a measured position; gaps vary by bowed cards, sleeves, hands and
#: measurement error.
CONTACT_TRUST = 30.0
#: Distance along the common edge within which a neighbour is moved to an allowed offset.
ALONG_MM = 5.0


def quarter_of(turn_rad: float) -> int:
    """Index 0 to 3 of the quarter turn nearest to an angle in radians."""
    return round(turn_rad / (math.pi / 2)) % 4


def off_quarter(turn_rad: float) -> float:
    """Signed difference, in radians, between an angle and the nearest quarter turn."""
    return turn_rad - round(turn_rad / (math.pi / 2)) * math.pi / 2


def extent(turn_rad: float, size_mm: Size) -> Size:
    """Width and height, in mm, of a footprint rotated to the nearest quarter turn."""
    return (size_mm[1], size_mm[0]) if quarter_of(turn_rad) % 2 else size_mm


def collide(one: TablePose, other: TablePose) -> bool:
    """Whether two footprints, at any rotations, overlap by more than adjacent cards may.

    Separating axis test: the distance of two rectangles is the widest gap along the sides of either.
    """
    x, y = other.centre_mm[0] - one.centre_mm[0], other.centre_mm[1] - one.centre_mm[1]
    # inner loop: plain numbers are faster than arrays here
    reach = reach_of(one.size_mm, other.size_mm)
    if abs(x) > reach or abs(y) > reach or math.hypot(x, y) > reach:
        return False
    turn = other.turn_rad - one.turn_rad
    cos, sin = abs(math.cos(turn)), abs(math.sin(turn))
    widest = -math.inf
    for card, beside in ((one, other), (other, one)):
        (width, height), (wide, high) = card.size_mm, beside.size_mm
        across, down = math.cos(card.turn_rad), math.sin(card.turn_rad)
        widest = max(
            widest,
            abs(x * across + y * down) - (width + cos * wide + sin * high) / 2,
            abs(y * across - x * down) - (height + sin * wide + cos * high) / 2,
        )
    return widest < -OVERLAP_MM


@lru_cache(maxsize=64)
def reach_of(one: Size, other: Size) -> float:
    """Distance in mm between two footprints' centres beyond which they cannot touch at any rotation."""
    return (math.hypot(*one) + math.hypot(*other)) / 2


def gaps(one: TablePose, other: TablePose) -> tuple[float, float] | None:
    """Gaps in mm between two aligned footprints, along and across the first one's axes, negative where they
    overlap.

    None for cards that are not aligned.
    """
    if abs(off_quarter(one.turn_rad - other.turn_rad)) > math.radians(ALIGNED_DEG):
        return None
    # inner loop: plain numbers are faster than arrays here
    frame = off_quarter(one.turn_rad)
    x, y = other.centre_mm[0] - one.centre_mm[0], other.centre_mm[1] - one.centre_mm[1]
    along = abs(math.cos(frame) * x + math.sin(frame) * y)
    down = abs(math.cos(frame) * y - math.sin(frame) * x)
    mine = extent(one.turn_rad - frame, one.size_mm)
    theirs = extent(other.turn_rad - frame, other.size_mm)
    return along - (mine[0] + theirs[0]) / 2, down - (mine[1] + theirs[1]) / 2


def touching_side(one: TablePose, other: TablePose) -> int | None:
    """Axis along which two cards touch: 0 side by side, 1 one above the other; None if they do not."""
    # early exit, as most cards of a table are far from each other
    x, y = other.centre_mm[0] - one.centre_mm[0], other.centre_mm[1] - one.centre_mm[1]
    if max(abs(x), abs(y)) > reach_of(one.size_mm, other.size_mm) + TOUCH_MM:
        return None
    free = gaps(one, other)
    if free is None:
        return None
    for axis in (0, 1):
        if free[axis] <= TOUCH_MM and free[1 - axis] <= -SHARED_EDGE_MM and free[axis] >= free[1 - axis]:
            return axis
    return None


def touching_groups(placed: Sequence[TablePose]) -> list[list[int]]:
    """Connected components of cards that touch along edges: their indices, group by group."""
    left = set(range(len(placed)))
    groups = []
    while left:
        group: list[int] = []
        edge = [left.pop()]
        while edge:
            one = edge.pop()
            group.append(one)
            near = [i for i in left if touching_side(placed[one], placed[i]) is not None]
            left.difference_update(near)
            edge += near
        groups.append(sorted(group))
    return groups


def spacing(placed: Sequence[TablePose]) -> float | None:
    """Median gap in mm between touching cards, as sleeves leave one; None if no cards touch."""
    free = [
        max(apart[axis], 0.0)
        for i, one in enumerate(placed)
        for other in placed[:i]
        if (axis := touching_side(one, other)) is not None and (apart := gaps(one, other)) is not None
    ]
    return float(np.median(free)) if free else None


def snap(placed: Sequence[TablePose], shifts: Callable[[Size, Size], Array]) -> Array:
    """Centres (N, 2), in mm, of cards with the gaps between neighbours closed, by least squares.

    Sleeves and hands leave gaps. Touching edges are drawn together. Along the edge, a neighbour is moved to
    the nearest allowed offset if it is near one. `shifts` gives the allowed offsets between the centres of
    two footprints, in mm. Each measured place has weight 1, and each contact has weight `CONTACT_TRUST`
    squared.
    """
    measured = np.array([card.centre_mm for card in placed], float).reshape(-1, 2)
    gap = spacing(placed) or 0.0
    rows: list[list[Array]] = [[np.eye(len(placed))], [np.eye(len(placed))]]
    values: list[list[Array]] = [[measured[:, 0]], [measured[:, 1]]]
    for i, one in enumerate(placed):
        for j, other in enumerate(placed[:i]):
            side = touching_side(one, other)
            if side is None:
                continue
            away = _meant(side, one, other, measured[i] - measured[j], gap, shifts)
            for axis in (0, 1):
                row = np.zeros((1, len(placed)))
                row[0, i], row[0, j] = CONTACT_TRUST, -CONTACT_TRUST
                rows[axis].append(row)
                values[axis].append(np.array([CONTACT_TRUST * away[axis]]))
    solved = [
        np.linalg.lstsq(np.vstack(rows[axis]), np.concatenate(values[axis]), rcond=None)[0] for axis in (0, 1)
    ]
    return np.column_stack(solved)


def _meant(
    side: int,
    one: TablePose,
    other: TablePose,
    away: Array,
    gap: float,
    shifts: Callable[[Size, Size], Array],
) -> Array:
    """Intended offset (2,), in mm, from the centre of `other` to the centre of `one`, which touches it along
    axis `side`."""
    mine, theirs = extent(one.turn_rad, one.size_mm), extent(other.turn_rad, other.size_mm)
    along = (mine[1 - side] + theirs[1 - side]) / 2
    meant = np.empty(2)
    meant[side] = (mine[side] + theirs[side]) / 2 * np.sign(away[side])
    # In sleeves, a shift by half a card is a shift by half a sleeve.
    meant[1 - side] = away[1 - side] * along / (along + gap)
    lawful = shifts(theirs, mine)
    lawful = lawful[np.abs(lawful[:, side] - meant[side]) < 1.0, 1 - side]
    if len(lawful):
        nearest = float(lawful[np.abs(lawful - meant[1 - side]).argmin()])
        if abs(nearest - meant[1 - side]) < ALONG_MM:
            meant[1 - side] = nearest
    return meant


#: Largest distance of a piece's centre from its cell's, as a share of the cell. Pieces laid by hand are off
#: by a tenth; halfway between two cells is a half.
IN_CELL = 0.25
#: Largest ratio of a grid's cells to its pieces, which lie in slots or with gaps.
WIDEST_PITCH = 1.15
NARROWEST_PITCH = 0.97
#: Search radii, in cells, by which a grid is extended from its first piece to all pieces.
_REACHES = (1.6, 3.2, np.inf)


def cells_in_line(placed: Sequence[TablePose], cell_mm: Size) -> tuple[list[int], Array, Array]:
    """Grid fit: indices of the pieces in the largest grid, centres (N, 2) of all pieces in mm, and a
    homography (3, 3).

    On the resulting table, the cells have exactly the size `cell_mm`. The homography leads from it to the
    table on which the pieces were measured. Pieces of the grid are moved to the centres of their cells; all
    others keep their measured places.
    """
    measured = np.array([one.centre_mm for one in placed]).reshape(-1, 2)
    aligned = np.array([abs(off_quarter(one.turn_rad)) < np.radians(ALIGNED_DEG) for one in placed])
    anchors = np.flatnonzero(aligned).tolist()
    fits = [_grid_through(measured, aligned, anchor, np.array(cell_mm)) for anchor in anchors]
    origin, pitch, inside = max(fits, key=lambda fit: int(fit[2].sum()))
    cells = (measured - origin) / pitch
    centres = np.where(inside[:, None], np.round(cells), cells) * cell_mm
    to_measured = geometry.similarity(0.0, origin) @ np.diag([*(pitch / cell_mm), 1.0])
    return np.flatnonzero(inside).tolist(), centres, to_measured


def _grid_through(
    measured: Array, aligned: NDArray[np.bool_], anchor: int, cell_mm: Array
) -> tuple[Array, Array, NDArray[np.bool_]]:
    """The grid with a cell at one piece: the cell's centre (2,), the pitch (2,), and a mask (N,) of the
    pieces in cells."""
    origin, pitch = measured[anchor], cell_mm
    for reach in _REACHES:
        cells = (measured - origin) / pitch
        near = np.abs(cells - np.round(cells)).max(axis=1) < IN_CELL
        near &= aligned & (np.linalg.norm(cells, axis=1) < reach)
        whole = np.round(cells[near])
        for axis in (0, 1):
            at, steps = measured[near, axis], whole[:, axis]
            spread = steps - steps.mean()
            if spread.any():
                slope = float(spread @ at / (spread @ spread))
                low, high = NARROWEST_PITCH * cell_mm[axis], WIDEST_PITCH * cell_mm[axis]
                pitch = np.where(np.arange(2) == axis, np.clip(slope, low, high), pitch)
            shifted = float(np.mean(at - steps * pitch[axis]))
            origin = np.where(np.arange(2) == axis, shifted, origin)
    cells = (measured - origin) / pitch
    return origin, pitch, aligned & (np.abs(cells - np.round(cells)).max(axis=1) < IN_CELL)
