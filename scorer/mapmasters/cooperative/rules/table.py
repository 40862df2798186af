"""A cooperative table prepared for the referee: its dungeon, mission and layout."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from scorer.catalogue import Catalogue
from scorer.dungeon import Dungeon
from scorer.mapmasters.cooperative.rules.layout import (
    Cell,
    Layout,
    TableFault,
    build_table,
    layout_of,
    table_faults,
)
from scorer.mapmasters.cooperative.rules.mission import (
    NO_MISSION,
    Plan,
    Slot,
    load_mission,
    plan_of,
    slots_of,
)
from scorer.mapmasters.cooperative.rules.record import TableRecord


@dataclass(frozen=True)
class Table:
    """A cooperative table prepared for rulings on many readings of it. It has the dungeon of the face-up
    cards (with the outer openings as `open_openings`), the openings that wait for a card, the arrangement
    of cards, the mission, and the faults of laying."""

    dungeon: Dungeon
    waiting: frozenset[str]
    layout: Layout
    plan: Plan
    faults: tuple[TableFault, ...]

    def as_it_lies(self) -> Table:
        """The same table as seen by a person who views the cards as they lie (`Dungeon.lying`)."""
        return replace(self, dungeon=self.dungeon.lying([card.rotation for card in self.dungeon.cards]))


def make_table(catalogue: Catalogue, record: TableRecord) -> Table:
    """The table of a record. Raises `WaymarkError` for a mission, card, goal, place or requirement that does
    not exist."""
    mission = record.mission
    if isinstance(mission, str):
        mission = load_mission(catalogue, mission)
    mission = mission or NO_MISSION
    slots = slots_of(mission)
    layout = layout_of(record, catalogue, slots)
    plan = plan_of(mission, catalogue, _on_table(record, layout, slots))
    dungeon, waiting = build_table(catalogue, record, layout)
    return Table(dungeon, waiting, layout, plan, table_faults(catalogue, record, layout, plan.slots))


def _on_table(record: TableRecord, layout: Layout, slots: dict[Cell, Slot]) -> Iterator[str]:
    """The cards that lie there. One that nobody has seen yet is the one that the mission names for its
    slot."""
    for card, cell in zip(record.cards, layout.cells, strict=True):
        if card.card is not None:
            yield card.card
        elif cell in slots and (name := slots[cell].card) is not None:
            yield name
