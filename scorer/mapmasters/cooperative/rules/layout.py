"""Layout of a cooperative table: its slots, its outer openings, the openings that wait for a card, and faults
of laying."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from scorer.catalogue import Catalogue, Point
from scorer.dungeon import Dungeon, Place, build_dungeon
from scorer.mapmasters.cooperative.rules.mission import Slot
from scorer.mapmasters.cooperative.rules.record import CellStart, TableRecord
from scorer.placement import (
    EPSILON_MM,
    MEETING_DISTANCE_MM,
    OUTWARD,
    Footprint,
    footprint,
    near_pairs,
    overlapping,
    touching,
)

Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class TableFault:
    """A rule of laying that cards break, or (`slot`, column and row) that a slot breaks."""

    rule: str
    cards: tuple[int, ...]
    slot: Cell | None = None


@dataclass(frozen=True)
class Layout:
    """The arrangement of cards: the cell of each card by number (nearest column and row), the cards in each
    cell, and the empty slots of the mission."""

    cells: tuple[Cell, ...]
    lying: dict[Cell, list[int]]
    empty: frozenset[Cell]


def layout_of(record: TableRecord, catalogue: Catalogue, slots: Mapping[Cell, Slot]) -> Layout:
    """The arrangement of a table's cards in cells."""
    cells = tuple(cell_at((card.x, card.y), record.origin, catalogue.card_size_mm) for card in record.cards)
    lying: dict[Cell, list[int]] = {}
    for number, cell in enumerate(cells):
        lying.setdefault(cell, []).append(number)
    return Layout(cells, lying, frozenset(cell for cell in slots if cell not in lying))


def cell_at(corner_mm: Point, origin_mm: Point, card_size_mm: Point) -> Cell:
    """The nearest column and row for a card with this top-left corner."""
    column, row = (
        round((at - start) / size) for at, start, size in zip(corner_mm, origin_mm, card_size_mm, strict=True)
    )
    return column, row


def build_table(catalogue: Catalogue, record: TableRecord, layout: Layout) -> tuple[Dungeon, frozenset[str]]:
    """The dungeon of the cards that lie face up, its `open_openings` the outer ones alone; and the openings
    that wait for a card, because they face an empty slot or a card that lies face down. Raises
    `WaymarkError` (unknown-card, heaped-cards)."""
    hidden = frozenset(number for number, card in enumerate(record.cards) if card.face_down)
    dungeon = build_dungeon(catalogue, [card.placed for card in record.cards], hidden=hidden)
    covers = [footprint(dungeon.cards[number], catalogue.card_size_mm) for number in sorted(hidden)]
    waiting = {name for name in dungeon.open_openings if _waits(dungeon.places[name], layout, covers)}
    return replace(dungeon, open_openings=dungeon.open_openings - waiting), frozenset(waiting)


def _waits(opening: Place, layout: Layout, covers: Iterable[Footprint]) -> bool:
    if opening.side is None:
        return False
    dx, dy = OUTWARD[opening.side]
    column, row = layout.cells[opening.card_index]
    if (column + round(dx), row + round(dy)) in layout.empty:
        return True
    x, y = opening.at_mm
    beyond = x + dx * MEETING_DISTANCE_MM, y + dy * MEETING_DISTANCE_MM
    return any(cover.covers(beyond, -EPSILON_MM) for cover in covers)


def at_start(
    place: Place, layout: Layout, record: TableRecord, catalogue: Catalogue, start: CellStart
) -> bool:
    """Whether an opening coincides with a miniature's start in front of a slot: on the same side, and at the
    same distance from the side's left or top end."""
    if place.side != start.side or layout.cells[place.card_index] != start.cell:
        return False
    along = 0 if start.side in ("top", "bottom") else 1
    end = record.origin[along] + start.cell[along] * catalogue.card_size_mm[along]
    return abs(place.at_mm[along] - end - start.at) <= MEETING_DISTANCE_MM + EPSILON_MM


def table_faults(
    catalogue: Catalogue, record: TableRecord, layout: Layout, slots: Mapping[Cell, Slot]
) -> tuple[TableFault, ...]:
    """All faults of laying: of single cards, of pairs and of slots."""
    faults = [TableFault("turned", (n,)) for n, card in enumerate(record.cards) if card.rotation in (90, 270)]
    faults += _pair_faults(catalogue, record)
    if slots:
        faults += [TableFault("outside", (n,)) for n, cell in enumerate(layout.cells) if cell not in slots]
        for cell, slot in slots.items():
            faults += _slot_faults(catalogue, record, cell, slot, layout.lying.get(cell, ()))
    return tuple(faults)


def _pair_faults(catalogue: Catalogue, record: TableRecord) -> Iterator[TableFault]:
    outlines = []
    for card in record.cards:
        hidden = card.face_down or card.card is None
        size_mm = catalogue.card_size_mm if hidden else catalogue.size_of(card.card or "")
        outlines.append(footprint(card.placed, size_mm))
    for i, j in near_pairs(outlines):
        a, b = outlines[i], outlines[j]
        if overlapping(a, b):
            yield TableFault("overlap", (i, j))
        elif touching(a, b) and _out_of_line(a, b) > MEETING_DISTANCE_MM + EPSILON_MM:
            yield TableFault("shifted", (i, j))


def _out_of_line(a: Footprint, b: Footprint) -> float:
    """The offset (mm) between two touching cards along their common edge."""
    gap_x, gap_y = a.gap(b)
    return abs(a.top - b.top) if gap_x > gap_y else abs(a.left - b.left)


def _slot_faults(
    catalogue: Catalogue, record: TableRecord, cell: Cell, slot: Slot, lying: Iterable[int]
) -> Iterator[TableFault]:
    numbers = tuple(lying)
    if not numbers:
        if slot.kind != "empty":
            yield TableFault("missing-card", (), cell)
        return
    for number in numbers:
        card = record.cards[number]
        if slot.kind == "starter":
            if card.card is None or catalogue.card(card.card).kind != "starter":
                yield TableFault("wrong-card", (number,), cell)
        elif slot.card is not None and card.card != slot.card:
            # What lies face down, and is not told, may well be the card that ought to lie there so.
            if card.card is not None or slot.kind != "face_down":
                yield TableFault("wrong-card", (number,), cell)
        elif slot.kind == "card" and card.rotation not in (slot.rotation, 90, 270):
            yield TableFault("wrong-way", (number,), cell)
