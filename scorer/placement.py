"""Cards on the table: footprints, contact, overlap, and the turn from card to table coordinates.

Lengths are millimetres, x right, y down. What a `PlacementFault` means for a game is the game's affair.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from scorer.catalogue import Point, Side
from scorer.record import PlacedCard

#: Side by side cards may differ from exact contact by up to this much, either way.
CONTACT_TOLERANCE_MM = 1.5
#: Two openings meet when they lie within this distance.
MEETING_DISTANCE_MM = 3.0
#: Forgives rounding in lengths that are exact on paper.
EPSILON_MM = 1e-6

_SIDES: tuple[Side, ...] = ("top", "right", "bottom", "left")
OUTWARD: dict[Side, Point] = {"top": (0, -1), "right": (1, 0), "bottom": (0, 1), "left": (-1, 0)}
OPPOSITE: dict[Side, Side] = {"top": "bottom", "bottom": "top", "left": "right", "right": "left"}


@dataclass(frozen=True)
class PlacementFault:
    """A rule of laying that cards break: `turned`, `overlap`, `detached`, `misaligned` (with openings)."""

    rule: str
    cards: tuple[int, ...]
    places: tuple[str, ...] = ()


@dataclass(frozen=True)
class Footprint:
    """An axis-parallel rectangle on the table, mm."""

    left: float
    top: float
    right: float
    bottom: float

    def gap(self, other: Footprint) -> tuple[float, float]:
        """Distance between the two along x and along y; negative is the width of the shared range."""
        return (
            max(self.left, other.left) - min(self.right, other.right),
            max(self.top, other.top) - min(self.bottom, other.bottom),
        )

    def covers(self, point: Point, margin: float = 0.0) -> bool:
        """Whether `point` lies inside by more than `margin`."""
        x, y = point
        return self.left + margin < x < self.right - margin and self.top + margin < y < self.bottom - margin


def footprint(placed: PlacedCard, card_size_mm: Point) -> Footprint:
    """The rectangle that a card takes; a quarter turn swaps its width and height."""
    width, height = card_size_mm if placed.rotation in (0, 180) else (card_size_mm[1], card_size_mm[0])
    return Footprint(placed.x, placed.y, placed.x + width, placed.y + height)


def card_to_table(placed: PlacedCard, point: Point, card_size_mm: Point) -> Point:
    """A point on the upright card, in table mm."""
    (px, py), (width, height) = point, card_size_mm
    if placed.rotation == 0:
        return placed.x + px, placed.y + py
    if placed.rotation == 90:
        return placed.x + height - py, placed.y + px
    if placed.rotation == 180:
        return placed.x + width - px, placed.y + height - py
    return placed.x + py, placed.y + width - px


def table_to_card(placed: PlacedCard, point: Point, card_size_mm: Point) -> Point:
    """A point on the table, in mm on the upright card; the inverse of `card_to_table`."""
    (x, y), (width, height) = (point[0] - placed.x, point[1] - placed.y), card_size_mm
    if placed.rotation == 0:
        return x, y
    if placed.rotation == 90:
        return y, height - x
    if placed.rotation == 180:
        return width - x, height - y
    return width - y, x


def side_on_table(side: Side, rotation: int) -> Side:
    """The side of the table that a printed side of a turned card faces (turns are clockwise)."""
    return _SIDES[(_SIDES.index(side) + rotation // 90) % 4]


def touching(a: Footprint, b: Footprint) -> bool:
    """Whether two cards touch or overlap; meeting in a corner alone is no contact."""
    gap_x, gap_y = a.gap(b)
    smaller, larger = sorted((gap_x, gap_y))
    return larger <= CONTACT_TOLERANCE_MM + EPSILON_MM and smaller < -CONTACT_TOLERANCE_MM


def overlapping(a: Footprint, b: Footprint) -> bool:
    """Whether two cards lie on each other by more than the contact tolerance both ways."""
    return max(a.gap(b)) < -CONTACT_TOLERANCE_MM - EPSILON_MM


def groups(footprints: Sequence[Footprint]) -> tuple[tuple[int, ...], ...]:
    """The touching groups of cards, largest first (then the one with the first card)."""
    group_of = list(range(len(footprints)))
    for i, j in combinations(range(len(footprints)), 2):
        if group_of[i] != group_of[j] and touching(footprints[i], footprints[j]):
            old, new = group_of[j], group_of[i]
            group_of = [new if group == old else group for group in group_of]
    members: dict[int, list[int]] = {}
    for index, group in enumerate(group_of):
        members.setdefault(group, []).append(index)
    return tuple(
        sorted((tuple(group) for group in members.values()), key=lambda group: (-len(group), group[0]))
    )


def laying_faults(cards: Sequence[PlacedCard], card_size_mm: Point) -> tuple[PlacementFault, ...]:
    """`turned`, `overlap` and `detached` among the cards (openings are the dungeon's affair)."""
    footprints = [footprint(card, card_size_mm) for card in cards]
    faults = [PlacementFault("turned", (i,)) for i, card in enumerate(cards) if card.rotation in (90, 270)]
    faults += [
        PlacementFault("overlap", (i, j))
        for i, j in combinations(range(len(cards)), 2)
        if overlapping(footprints[i], footprints[j])
    ]
    pieces = groups(footprints)
    if len(pieces) > 1:
        faults.append(PlacementFault("detached", tuple(sorted(i for piece in pieces[1:] for i in piece))))
    return tuple(faults)
