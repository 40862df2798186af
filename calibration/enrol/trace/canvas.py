"""Application of edits to a tracing: tracing and edit -> new tracing, for drawing, moving, erasing and
confirming."""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec.structs import replace
from shapely.geometry import Point as Spot

from calibration.enrol.card_geometry import outline_polygon
from calibration.enrol.trace.drawing import DrawingGraph
from calibration.enrol.trace.graph import LEAST_REACH_MM, MOST_REACH_MM, REACH_MM, doubt_of, gone
from calibration.enrol.trace.tracing import (
    Change,
    Clear,
    Confirm,
    Corner,
    Corridor,
    Door,
    Edit,
    Erase,
    EraseCorridor,
    Find,
    Lead,
    Move,
    NoEffect,
    Opening,
    OtherLevel,
    Outline,
    Stairs,
    Tracing,
    confirmed,
)
from scorer.catalogue import Level, Node, Point, Room
from scorer.text import Text

#: Greatest number of places on a card.
MOST_PLACES = 400


def edited(tracing: Tracing, edit: Edit, size_mm: Point, reach_mm: float = REACH_MM) -> Tracing:
    """The tracing after an edit on a card of this size. `reach_mm` is the snap radius of a touch. Raises
    `NoEffect`."""
    canvas = Canvas(tracing, size_mm, min(max(reach_mm, LEAST_REACH_MM), MOST_REACH_MM))
    canvas.take(edit)
    made = canvas.tracing()
    if len(made.nodes) + len(made.rooms) > MOST_PLACES:
        raise NoEffect(Text("No card has so many places."))
    return made


class Canvas(DrawingGraph):
    """A mutable tracing under edits: edits that draw, and edits that change drawn parts."""

    def take(self, edit: Edit) -> None:
        """Apply an edit. Raises `NoEffect`."""
        match edit:
            case Opening() | Corridor() | Outline() | Find() | Stairs() | Door() | Lead():
                self._draw(edit)
            case _:
                self._mend(edit)

    def _draw(self, edit: Edit) -> None:
        match edit:
            case Opening():
                self.opening(self.on_card(edit.at), edit.level, anywhere=True)
            case Corridor():
                self.corridor([self.on_card(at) for at in edit.points], edit.level)
            case Outline():
                self.outline([self.on_card(at) for at in edit.corners], edit.level)
            case Find():
                self.find(self.on_card(edit.at), edit.find, edit.value, edit.level)
            case Stairs():
                self.on_corridor(self.on_card(edit.at), edit.level, "stairs", None, 1)
            case Door():
                self.door(self.on_card(edit.at))
            case Lead():
                self.lead(edit.place, self.on_card(edit.at))

    def _mend(self, edit: Edit) -> None:
        match edit:
            case Move():
                self.move(edit.place, self.on_card(edit.at))
            case Corner():
                self.corner(edit.room, edit.number, self.on_card(edit.at))
            case Change():
                self.change(edit.place, edit.find, edit.value)
            case Erase():
                self.erase(edit.place)
            case EraseCorridor():
                self.erase_edge(edit.edge)
            case OtherLevel():
                self.other_level(edit.place, edit.level)
            case Confirm():
                self.confirm(edit)
            case Clear():
                self.nodes, self.edges, self.rooms = {}, [], {}

    def move(self, place: str, at: Point) -> None:
        if place in self.rooms:
            self.move_room(self.rooms[place], at)
            return
        if (held := self.room_find(place)) is not None:
            room, find = held
            target = self.room_around(at, room.level)
            if target is None or target.id == room.id:
                self.put_find(room, replace(find, at=at), doubt_of(find))
                return
            self.rooms[room.id] = replace(
                room, finds=tuple(each for each in room.finds if each.id != find.id)
            )
            falls = self.edges_of(find.id, "fall")
            self.into_room(target.id, at, find.find, find.value, doubt_of(find))
            newest = self.rooms[target.id].finds[-1].id
            self.edges = [replace(e, from_=newest) if e in falls else e for e in self.edges]
            return
        node = self.named(place)
        if node.kind == "opening":
            side, spot, _ = self.edge_side(at)
            self.put(replace(node, side=side, at=self.on_card(spot)))
        elif node.kind == "door":
            wall = self.wall_at(at, math.inf, node.level)
            if wall is not None:
                self.put(replace(node, room=wall[0].id, at=wall[1]))
        elif node.find is not None:
            # Who says where a find is has not said which.
            self.put_along(replace(node, at=at))
        else:
            self.put(replace(node, at=at))

    def move_room(self, room: Room, at: Point) -> None:
        x0, y0 = _middle(room.outline)
        dx, dy = at[0] - x0, at[1] - y0

        def there(spot: Point) -> Point:
            return self.on_card((spot[0] + dx, spot[1] + dy))

        self.rooms[room.id] = replace(
            room,
            outline=tuple(there(corner) for corner in room.outline),
            finds=tuple(replace(find, at=there(find.at)) for find in room.finds),
            confidence=None,
        )
        for node in list(self.nodes.values()):
            if node.kind == "door" and node.room == room.id:
                self.put_along(replace(node, at=there(node.at)))

    def corner(self, room_id: str, number: int, at: Point) -> None:
        room = self.rooms.get(room_id)
        if room is None or number >= len(room.outline):
            raise gone()
        outline = tuple(at if k == number else corner for k, corner in enumerate(room.outline))
        if not outline_polygon(outline).is_valid:
            raise NoEffect(Text("The room's walls may not cross."))
        self.rooms[room_id] = replace(room, outline=outline, confidence=None)
        wall = outline_polygon(outline).exterior
        for node in list(self.nodes.values()):
            if node.kind == "door" and node.room == room_id:
                spot = wall.interpolate(wall.project(Spot(node.at)))
                self.nodes[node.id] = replace(node, at=self.on_card((spot.x, spot.y)))

    def erase(self, place: str) -> None:
        if place in self.rooms:
            room = self.rooms.pop(place)
            for find in room.finds:
                self.unlink(find.id)
            for node in list(self.nodes.values()):
                if node.kind == "door" and node.room == place:
                    self.plain(node)
            return
        if (held := self.room_find(place)) is not None:
            room, find = held
            self.unlink(place)
            self.rooms[room.id] = replace(
                room, finds=tuple(each for each in room.finds if each.id != find.id)
            )
            return
        node = self.named(place)
        if node.kind in ("end", "junction"):
            self.remove(node)
        else:
            self.plain(node)

    def plain(self, node: Node) -> None:
        """Turn a node into a plain point of its corridor, after its find, door or stairs were erased."""
        self.unlink(node.id)
        beside = self.edges_of(node.id)
        flat = [edge for edge in beside if self.line(edge).length < 0.1]
        if flat and node.kind == "door":
            # A door on the card's edge: the opening goes with it, unless corridors lead there.
            self.edges = [edge for edge in self.edges if edge not in flat]
            beside = [edge for edge in beside if edge not in flat]
            for edge in flat:
                other = self.nodes[edge.to if edge.from_ == node.id else edge.from_]
                if not self.edges_of(other.id):
                    del self.nodes[other.id]
        self.nodes[node.id] = Node(
            id=node.id, kind="end" if len(beside) == 1 else "junction", at=node.at, level=node.level
        )
        self.tidy(node.id)

    def remove(self, node: Node) -> None:
        """Delete a node with its corridors."""
        gone = [edge for edge in self.edges if node.id in (edge.from_, edge.to)]
        self.edges = [edge for edge in self.edges if edge not in gone]
        del self.nodes[node.id]
        for edge in gone:
            for end in (edge.from_, edge.to):
                self.tidy(end)

    def erase_edge(self, number: int) -> None:
        if number >= len(self.edges):
            raise gone()
        edge = self.edges.pop(number)
        self.tidy(edge.from_)
        self.tidy(edge.to)

    def other_level(self, place: str, level: Level) -> None:
        reached = {place}
        if place in self.rooms:
            room = self.rooms[place]
            self.rooms[place] = replace(room, level=level, confidence=None)
            reached = {n.id for n in self.nodes.values() if n.kind == "door" and n.room == place}
        else:
            self.named(place)
        grown = True
        while grown:
            before = len(reached)
            for edge in self.edges:
                if edge.kind == "corridor" and {edge.from_, edge.to} & reached:
                    reached |= {edge.from_, edge.to}
            grown = len(reached) > before
        for node_id in reached:
            self.put_along(replace(self.nodes[node_id], level=level))
            for edge in [e for e in self.edges if e.kind != "corridor" and node_id in (e.from_, e.to)]:
                start = self.nodes.get(edge.from_)
                end = self.nodes[edge.to]
                joined = start is not None and edge.kind == "stairs" and start.level != end.level
                if not joined and not (edge.kind == "fall" and end.level == "underground"):
                    self.edges.remove(edge)
        self.edges = [
            replace(edge, level=level, confidence=doubt_of(edge))
            if edge.kind == "corridor" and edge.from_ in reached
            else edge
            for edge in self.edges
        ]

    def confirm(self, edit: Confirm) -> None:
        places = edit.places if edit.place is None else (edit.place, *edit.places)
        edges = edit.edges if edit.edge is None else (edit.edge, *edit.edges)
        if not (places or edges):
            inked = confirmed(self.tracing())
            self.nodes = {node.id: node for node in inked.nodes}
            self.edges, self.rooms = list(inked.edges), {room.id: room for room in inked.rooms}
        for number in edges:
            if number >= len(self.edges):
                raise gone()
            self.edges[number] = replace(self.edges[number], confidence=None)
        for place in places:
            self.confirm_place(place)

    def confirm_place(self, place: str) -> None:
        if place in self.rooms:
            self.rooms[place] = replace(self.rooms[place], confidence=None)
        elif (held := self.room_find(place)) is not None:
            self.put_find(*held)
        else:
            self.put(self.named(place))


def _middle(outline: Sequence[Point]) -> Point:
    return sum(x for x, _ in outline) / len(outline), sum(y for _, y in outline) / len(outline)
