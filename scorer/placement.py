"""Geometry of cards on the table: footprints, contact, overlap, and the transform from card to table
coordinates.

Lengths are in mm, x to the right, y down. Each game decides what a `PlacementFault` means."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

import msgspec

from scorer.catalogue import Point, Side
from scorer.errors import Code, WaymarkError
from scorer.record import PlacedCard
from scorer.text import Text

#: Side by side cards may differ from exact contact by up to this much, either way.
CONTACT_TOLERANCE_MM = 1.5
#: Two openings meet when they lie within this distance.
MEETING_DISTANCE_MM = 3.0
#: Forgives rounding in lengths that are exact on paper.
EPSILON_MM = 1e-6
#: More pairs of cards than this do not lie side by side: 1,000 cards edge to edge make 4,000.
MOST_NEAR_PAIRS = 20_000

_SIDES: tuple[Side, ...] = ("top", "right", "bottom", "left")
OUTWARD: dict[Side, Point] = {"top": (0, -1), "right": (1, 0), "bottom": (0, 1), "left": (-1, 0)}
OPPOSITE: dict[Side, Side] = {"top": "bottom", "bottom": "top", "left": "right", "right": "left"}


@dataclass(frozen=True)
class PlacementFault:
    """A rule of laying that cards break: `turned`, `overlap`, `detached`, `misaligned` (with openings)."""

    rule: str
    cards: tuple[int, ...]
    places: tuple[str, ...] = ()


class Footprint(msgspec.Struct, frozen=True, gc=False):
    """An axis-aligned rectangle on the table, in mm."""

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
        """Whether `point` lies inside by more than `margin` (mm)."""
        x, y = point
        return self.left + margin < x < self.right - margin and self.top + margin < y < self.bottom - margin


def footprint(placed: PlacedCard, card_size_mm: Point) -> Footprint:
    """The rectangle that a card takes; a quarter turn swaps its width and height."""
    width, height = card_size_mm if placed.rotation in (0, 180) else (card_size_mm[1], card_size_mm[0])
    return Footprint(placed.x, placed.y, placed.x + width, placed.y + height)


def turned(point: Point, rotation: int) -> Point:
    """A point turned clockwise about the origin by quarter turns."""
    x, y = point
    if rotation == 0:
        return x, y
    if rotation == 90:
        return -y, x
    if rotation == 180:
        return -x, -y
    return y, -x


def printed_corner(placed: PlacedCard, card_size_mm: Point) -> Point:
    """The table position (mm) of a card's printed top-left corner."""
    width, height = card_size_mm
    if placed.rotation == 0:
        return placed.x, placed.y
    if placed.rotation == 90:
        return placed.x + height, placed.y
    if placed.rotation == 180:
        return placed.x + width, placed.y + height
    return placed.x, placed.y + width


def card_to_table(placed: PlacedCard, point: Point, card_size_mm: Point) -> Point:
    """A point on the upright card, transformed to table coordinates (mm)."""
    (x, y), (dx, dy) = printed_corner(placed, card_size_mm), turned(point, placed.rotation)
    return x + dx, y + dy


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
    """Whether two cards touch or overlap; a common corner alone does not count."""
    gap_x, gap_y = a.gap(b)
    smaller, larger = sorted((gap_x, gap_y))
    return larger <= CONTACT_TOLERANCE_MM + EPSILON_MM and smaller < -CONTACT_TOLERANCE_MM


def overlapping(a: Footprint, b: Footprint) -> bool:
    """Whether two cards overlap by more than the contact tolerance in both directions."""
    return max(a.gap(b)) < -CONTACT_TOLERANCE_MM - EPSILON_MM


def near_pairs(footprints: Sequence[Footprint]) -> list[tuple[int, int]]:
    """The pairs of cards (lower number first, in order) whose openings could meet: those that touch, overlap,
    or lie within `MEETING_DISTANCE_MM`. Raises `WaymarkError` (heaped-cards) beyond `MOST_NEAR_PAIRS`.
    """
    reach = MEETING_DISTANCE_MM + 2 * EPSILON_MM
    from_left = sorted((card.left, index) for index, card in enumerate(footprints))
    pairs: list[tuple[int, int]] = []
    for rank, (_, i) in enumerate(from_left, 1):
        card = footprints[i]
        right, top, bottom = card.right + reach, card.top - reach, card.bottom + reach
        for left, j in islice(from_left, rank, None):
            if left > right:
                break
            other = footprints[j]
            if other.top <= bottom and other.bottom >= top:
                pairs.append((i, j) if i < j else (j, i))
        if len(pairs) > MOST_NEAR_PAIRS:
            raise _heaped_cards()
    pairs.sort()
    return pairs


def groups(count: int, touching_pairs: Iterable[tuple[int, int]]) -> tuple[tuple[int, ...], ...]:
    """The touching groups of `count` cards, largest first (then the one with the first card)."""
    members = {index: [index] for index in range(count)}
    for i, j in touching_pairs:
        smaller, larger = sorted((members[i], members[j]), key=len)
        if smaller is not larger:
            larger += smaller
            members.update(dict.fromkeys(smaller, larger))
    distinct = {id(group): tuple(sorted(group)) for group in members.values()}
    return tuple(sorted(distinct.values(), key=lambda group: (-len(group), group[0])))


def laying_faults(
    cards: Sequence[PlacedCard], footprints: Sequence[Footprint], near: Sequence[tuple[int, int]]
) -> tuple[PlacementFault, ...]:
    """`turned`, `overlap` and `detached` among the cards, which have these footprints and `near_pairs`
    (openings are the dungeon's affair)."""
    faults = [PlacementFault("turned", (i,)) for i, card in enumerate(cards) if card.rotation in (90, 270)]
    pairs = [(i, j, footprints[i], footprints[j]) for i, j in near]
    faults += [PlacementFault("overlap", (i, j)) for i, j, a, b in pairs if overlapping(a, b)]
    pieces = groups(len(cards), ((i, j) for i, j, a, b in pairs if touching(a, b)))
    if len(pieces) > 1:
        faults.append(PlacementFault("detached", tuple(sorted(i for piece in pieces[1:] for i in piece))))
    return tuple(faults)


def _heaped_cards() -> WaymarkError:
    return WaymarkError(
        Code.HEAPED_CARDS,
        Text(
            "More than {most_near_pairs:,} pairs of these cards touch or lie on each other; check where the "
            "record lays them.",
            most_near_pairs=MOST_NEAR_PAIRS,
        ),
    )
