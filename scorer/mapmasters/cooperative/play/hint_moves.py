"""Moves of one group over a cooperative table: where a path can begin, and where it can go next.

The best case is taken throughout: an empty slot may hold any card, an obstacle is passed wherever its tool
may still be had.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Literal, NamedTuple

from scorer.dungeon import Dungeon, Place
from scorer.mapmasters.cooperative.play.hint_lines import UsedLines
from scorer.mapmasters.cooperative.play.hint_record import HintLine
from scorer.mapmasters.cooperative.rules.layout import Cell
from scorer.mapmasters.cooperative.rules.record import CellStart, Group, TableRecord
from scorer.mapmasters.cooperative.rules.ruling import GroupRuling
from scorer.mapmasters.cooperative.rules.settings import CoopSettings, Difficulty
from scorer.mapmasters.cooperative.rules.setup import honoured_books
from scorer.mapmasters.cooperative.rules.table import Table
from scorer.mapmasters.rules.means import BOOK_FOR, CLIMB, CROSS_ITSELF, TO_BARREL, TO_MONSTER, WILD, Tool
from scorer.mapmasters.rules.objectives import OPTIMIZERS
from scorer.mapmasters.rules.rooms import chord, finds_in, visits_cross
from scorer.mapmasters.rules.walk import OBSTACLES
from scorer.placement import OUTWARD


class Spot(NamedTuple):
    """A node of the search graph: at a `place`, in a `room` (with the door `place` by which it was
    entered, if any), in a `slot`, or on any circle or barrel (`hub`)."""

    kind: Literal["place", "room", "slot", "hub"]
    place: str = ""
    room: str = ""
    slot: Cell = (0, 0)


#: A spot that comes next, and the line that is in the way there, if there is one.
Step = tuple[Spot, "HintLine | None"]
_CIRCLES, _BARRELS = Spot("hub", "circle"), Spot("hub", "barrel")


class Moves:
    """The graph of spots that one group can move over, in the best case."""

    def __init__(
        self,
        table: Table,
        record: TableRecord,
        difficulty: Difficulty,
        settings: CoopSettings,
        lines: UsedLines,
        group: Group,
        ruled: GroupRuling | None,
    ) -> None:
        self._table, self._record, self._settings = table, record, settings
        self._difficulty, self._lines = difficulty, lines
        self._dungeon: Dungeon = table.dungeon
        self._group, self._ruled = group, ruled
        spent = {paid.means for paid in ruled.spent} if ruled is not None else set()
        self._books = set(honoured_books(group)) - spent
        self._hidden = {
            cell: number for number, cell in enumerate(table.layout.cells) if record.cards[number].face_down
        }
        self._slots = {*table.layout.empty, *self._hidden}

    def _starts(self) -> Iterator[Step]:
        """The group's current spot or its possible starts, each with the line already drawn there."""
        places = self._dungeon.places
        if TO_MONSTER in self._books:
            for place in places.values():
                if place.find == "monster" and place.id not in self._lines.found:
                    yield self._spot(place), None
        if self._ruled is not None and self._ruled.stands is not None:
            yield from self._goes_on(places[self._ruled.stands])
        else:
            yield from self._first_openings()
            yield from self._first_slots()

    def _goes_on(self, stands: Place) -> Iterator[Step]:
        """The spots at which a new path may begin when the group's miniature is at a place."""
        yield self._spot(stands), None
        if self._settings.step_start == "card":
            for place in self._dungeon.places.values():
                if place.card_index == stands.card_index and place.kind not in ("room", "room_find"):
                    yield self._spot(place), self._lines.at.get(place.id)

    def _first_openings(self) -> Iterator[Step]:
        """Openings of the cards that lie where the group's first path may begin."""
        start = self._group.start
        for name in self._dungeon.open_openings:
            place = self._dungeon.places[name]
            cell = self._table.layout.cells[place.card_index]
            put = isinstance(start, CellStart) and (start.cell, start.side) == (cell, place.side)
            if put or (start in (None, name) and self._may_start(cell, place.side or "")):
                yield self._spot(place), self._lines.at.get(name)

    def _first_slots(self) -> Iterator[Step]:
        """Slots without a card to be seen where the group's first path may begin."""
        start = self._group.start
        for slot in sorted(self._slots):
            sides = [side for side in OUTWARD if self._is_outer(slot, side)]
            if isinstance(start, CellStart):
                if slot == start.cell:
                    yield Spot("slot", slot=slot), None
            elif start is None and any(self._may_start(slot, side) for side in sides):
                yield Spot("slot", slot=slot), None

    def _may_start(self, cell: Cell, side: str) -> bool:
        rules = self._table.plan.starts
        return rules is None or any(rule.side == side and rule.cell in (None, cell) for rule in rules)

    def _is_outer(self, slot: Cell, side: str) -> bool:
        """Whether neither a card nor a slot lies beyond a side of a slot."""
        dx, dy = next(step for name, step in OUTWARD.items() if name == side)
        beyond = slot[0] + round(dx), slot[1] + round(dy)
        return beyond not in self._table.plan.slots and beyond not in self._table.layout.lying

    def _spot(self, place: Place) -> Spot:
        if place.kind == "room":
            return Spot("room", room=place.id)
        if place.kind == "room_find":
            return Spot("room", room=place.room or "")
        return Spot("place", place.id)

    def _onward(self, spot: Spot) -> Iterator[Step]:
        """The successors of a spot, each with the line that blocks it, if any."""
        if spot.kind == "place":
            yield from self._from_place(self._dungeon.places[spot.place])
        elif spot.kind == "room":
            yield from self._from_room(spot)
        elif spot.kind == "slot":
            yield from self._from_slot(spot.slot)
        else:
            find = "magic_circle" if spot == _CIRCLES else "barrel"
            for place in self._dungeon.places.values():
                if place.find == find and place.id not in (self._lines.struck if spot == _CIRCLES else ()):
                    yield self._spot(place), self._lines.at.get(place.id)
            yield from ((Spot("slot", slot=slot), None) for slot in self._slots)

    def _from_place(self, place: Place) -> Iterator[Step]:
        places = self._dungeon.places
        for link in self._dungeon.neighbours[place.id]:
            there = places[link.b]
            if place.find == "pitfall" and link.kind != "fall" and not self._could("rope"):
                continue
            if there.kind == "room":
                if self._enters(there):
                    yield Spot("room", place.id if place.kind == "door" else "", there.id), None
            elif there.kind != "room_find" and self._passes(there):
                yield Spot("place", there.id), self._lines.at.get(there.id)
        if CLIMB in self._books:
            laid = self._dungeon.laid[place.card_index]
            for way in laid.face.ways:
                if way.kind == "fall" and way.b == place.local_id:
                    up = places[laid.prefix + way.a]
                    yield self._spot(up), self._lines.at.get(up.id)
        if place.id in self._table.waiting and place.side is not None:
            dx, dy = OUTWARD[place.side]
            column, row = self._table.layout.cells[place.card_index]
            slot = column + round(dx), row + round(dy)
            if slot in self._slots:
                yield Spot("slot", slot=slot), None
        yield from self._jumps([place])

    def _from_room(self, spot: Spot) -> Iterator[Step]:
        places = self._dungeon.places
        room = places[spot.room]
        inside = finds_in(self._dungeon, room.id)
        for place in self._doors_of(room):
            if place.id != spot.place:
                line = self._lines.at.get(place.id) or self._line_across(room, spot.place, place)
                yield Spot("place", place.id), line
        for find in inside:
            if find.find == "pitfall" and find.id not in self._lines.struck:
                for link in self._dungeon.neighbours[find.id]:
                    if link.kind == "fall":
                        yield Spot("place", link.b), self._lines.at.get(link.b)
        yield from self._jumps(inside)

    def _doors_of(self, room: Place) -> list[Place]:
        return self._doors.get(room.id, [])

    @cached_property
    def _doors(self) -> dict[str, list[Place]]:
        doors: dict[str, list[Place]] = {}
        for place in self._dungeon.places.values():
            if place.kind == "door" and place.room is not None:
                doors.setdefault(place.room, []).append(place)
        return doors

    def _line_across(self, room: Place, entered: str, left: Place) -> HintLine | None:
        """A line through the room that a way between two doors would have to cross."""
        if not entered:
            return None
        leaving = chord(room, self._dungeon.places[entered], left)
        own = self._books | {paid.means for paid in self._ruled.spent} if self._ruled else self._books
        for first, second, line in self._lines.visits.get(room.id, ()):
            if line.group == self._group.group and CROSS_ITSELF in own:
                continue
            if visits_cross(chord(room, first, second), leaving):
                return line
        return None

    def _from_slot(self, slot: Cell) -> Iterator[Step]:
        for dx, dy in OUTWARD.values():
            beside = slot[0] + round(dx), slot[1] + round(dy)
            if beside in self._slots:
                yield Spot("slot", slot=beside), None
        for name in self._facing.get(slot, ()):
            place = self._dungeon.places[name]
            if self._passes(place):
                yield Spot("place", name), self._lines.at.get(name)
        if self._could("scroll"):
            yield _CIRCLES, None
        if TO_BARREL in self._books:
            yield _BARRELS, None

    @cached_property
    def _facing(self) -> dict[Cell, list[str]]:
        """The openings that face each slot, by the slot's cell."""
        facing: dict[Cell, list[str]] = {}
        for name in sorted(self._table.waiting):
            place = self._dungeon.places[name]
            if place.side is not None:
                dx, dy = OUTWARD[place.side]
                column, row = self._table.layout.cells[place.card_index]
                facing.setdefault((column + round(dx), row + round(dy)), []).append(name)
        return facing

    def _jumps(self, places: Iterable[Place]) -> Iterator[Step]:
        for place in places:
            if place.find == "magic_circle" and place.id not in self._lines.struck and self._could("scroll"):
                yield _CIRCLES, None
            if place.find == "barrel" and TO_BARREL in self._books:
                yield _BARRELS, None

    def _passes(self, place: Place) -> bool:
        """Whether the obstacle at a place can still be passed: the tool for it is held or may still be
        obtained."""
        obstacle = OBSTACLES.get(place.find)
        return obstacle is None or self._could(obstacle.tool)

    def _enters(self, room: Place) -> bool:
        guarded = any(find.find == "monster" for find in finds_in(self._dungeon, room.id))
        return not guarded or room.id in self._lines.cleared or self._could("sword")

    def _could(self, tool: Tool) -> bool:
        if tool not in self._tools:
            self._tools[tool] = self._might_have(tool)
        return self._tools[tool]

    @cached_property
    def _tools(self) -> dict[Tool, bool]:
        return {}

    def _might_have(self, tool: Tool) -> bool:
        """Whether the group has a tool of this kind, or may still find one."""
        if self._slots or not self._books.isdisjoint((WILD, BOOK_FOR[tool])):
            return True
        ruled = self._ruled
        if ruled is None:
            has = bool(self._group.fairy_tokens.get(tool))
        else:
            used = sum(paid.means == tool for paid in ruled.spent)
            has = bool(ruled.tokens.get(tool)) or ruled.discovered.get(tool, 0) > used
        left = {tool, *(OPTIMIZERS if self._difficulty == "rookie" else ())}
        return has or any(
            place.find in left and place.id not in self._lines.found
            for place in self._dungeon.places.values()
        )
