"""A tracing as a mutable graph: lookups near a point, and primitive changes of nodes, edges and rooms."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import count

import shapely
from msgspec.structs import replace
from shapely.geometry import LineString
from shapely.geometry import Point as Spot
from shapely.ops import substring

from calibration.enrol.card_geometry import outline_polygon
from calibration.enrol.trace.tracing import NoEffect, Part, Tracing, in_doubt
from scorer.catalogue import Edge, FindKind, Level, Node, NodeKind, Point, Room, RoomFind, Side
from scorer.text import Text

#: Default snap radius of a touch in mm; the page may send one that fits its zoom.
REACH_MM = 3.0
LEAST_REACH_MM, MOST_REACH_MM = 0.6, 6.0


class TracedGraph:
    """Nodes, edges and rooms by id, with lookups and the primitive changes that edits consist of."""

    def __init__(self, tracing: Tracing, size_mm: Point, reach_mm: float) -> None:
        self.nodes = {node.id: node for node in tracing.nodes}
        self.edges = list(tracing.edges)
        self.rooms = {room.id: room for room in tracing.rooms}
        self.width, self.height = size_mm
        self.reach = reach_mm

    def tracing(self) -> Tracing:
        return Tracing(
            nodes=tuple(self.nodes.values()), edges=tuple(self.edges), rooms=tuple(self.rooms.values())
        )

    def on_card(self, at: Point) -> Point:
        x, y = at
        return round(min(max(x, 0.0), self.width), 2), round(min(max(y, 0.0), self.height), 2)

    def ids(self) -> set[str]:
        return {*self.nodes, *self.rooms, *(find.id for room in self.rooms.values() for find in room.finds)}

    def new_id(self, beginning: str) -> str:
        taken = self.ids()
        return next(name for n in count(1) if (name := f"{beginning}{n}") not in taken)

    def node_at(self, at: Point, level: Level, reach: float | None = None) -> Node | None:
        """The nearest node of a level within reach, or None."""
        near = [
            (math.dist(node.at, at), node.id)
            for node in self.nodes.values()
            if node.level == level and math.dist(node.at, at) <= (self.reach if reach is None else reach)
        ]
        return self.nodes[min(near)[1]] if near else None

    def line(self, edge: Edge) -> LineString:
        return LineString([self.nodes[edge.from_].at, *edge.via, self.nodes[edge.to].at])

    def corridors(self, level: Level) -> Iterator[tuple[Edge, LineString]]:
        for edge in self.edges:
            if edge.kind == "corridor" and self.nodes[edge.from_].level == level:
                yield edge, self.line(edge)

    def corridor_at(self, at: Point, level: Level) -> tuple[Edge, float] | None:
        """The nearest corridor of a level within reach, and the position along it in mm, or None."""
        spot = Spot(at)
        near = [
            (line.distance(spot), k, edge, line)
            for k, (edge, line) in enumerate(self.corridors(level))
            if line.length > 0 and line.distance(spot) <= self.reach
        ]
        if not near:
            return None
        _, _, edge, line = min(near, key=lambda each: each[:2])
        return edge, line.project(spot)

    def wall_at(self, at: Point, reach: float, level: Level | None = None) -> tuple[Room, Point] | None:
        """The room with the nearest wall within reach, and the nearest point on that wall, or None."""
        near = []
        for room in self.rooms.values():
            if len(room.outline) < 3 or level not in (None, room.level):
                continue
            wall = outline_polygon(room.outline).exterior
            far = wall.distance(Spot(at))
            if far <= reach:
                near.append((far, room.id, wall.interpolate(wall.project(Spot(at)))))
        if not near:
            return None
        _, room_id, spot = min(near, key=lambda each: each[:2])
        return self.rooms[room_id], (round(spot.x, 2), round(spot.y, 2))

    def room_around(self, at: Point, level: Level | None = None) -> Room | None:
        for room in self.rooms.values():
            if len(room.outline) >= 3 and level in (None, room.level):
                polygon = outline_polygon(room.outline)
                if polygon.is_valid and polygon.contains(Spot(at)):
                    return room
        return None

    def edges_of(self, node_id: str, kind: str = "corridor") -> list[Edge]:
        return [edge for edge in self.edges if edge.kind == kind and node_id in (edge.from_, edge.to)]

    def room_find(self, place: str) -> tuple[Room, RoomFind] | None:
        for room in self.rooms.values():
            for find in room.finds:
                if find.id == place:
                    return room, find
        return None

    def named(self, place: str) -> Node:
        node = self.nodes.get(place)
        if node is None:
            raise gone()
        return node

    def add(self, beginning: str, kind: NodeKind, at: Point, level: Level) -> Node:
        node = Node(id=self.new_id(beginning), kind=kind, at=self.on_card(at), level=level)
        self.nodes[node.id] = node
        return node

    def put(self, node: Node) -> Node:
        """Store a node under its id as confirmed, without a confidence."""
        self.nodes[node.id] = replace(node, confidence=None)
        return self.nodes[node.id]

    def put_along(self, node: Node) -> Node:
        """Store a node changed only as a side effect of an edit. A doubtful guess keeps its confidence."""
        self.nodes[node.id] = replace(node, confidence=doubt_of(node))
        return self.nodes[node.id]

    def put_find(self, room: Room, find: RoomFind, confidence: float | None = None) -> None:
        made = replace(find, confidence=confidence)
        finds = tuple(made if each.id == find.id else each for each in room.finds)
        self.rooms[room.id] = replace(room, finds=finds)

    def into_room(
        self, room_id: str, at: Point, find: FindKind, value: int, confidence: float | None = None
    ) -> None:
        room = self.rooms[room_id]
        made = RoomFind(id=self.new_id(room_id), find=find, at=at, value=value, confidence=confidence)
        self.rooms[room_id] = replace(room, finds=(*room.finds, made))

    def edge_side(self, at: Point) -> tuple[Side, Point, float]:
        """The nearest side of the card, the nearest point on it, and the distance in mm."""
        x, y = at
        ways: list[tuple[float, Side, Point]] = [
            (x, "left", (0.0, y)),
            (self.width - x, "right", (self.width, y)),
            (y, "top", (x, 0.0)),
            (self.height - y, "bottom", (x, self.height)),
        ]
        far, side, spot = min(ways, key=lambda each: each[0])
        return side, spot, far

    def opening(self, at: Point, level: Level, *, anywhere: bool = False) -> Node | None:
        """The opening at the card's edge near a point, created where none exists. None where the point is
        far from the edge."""
        side, spot, far = self.edge_side(at)
        if far > self.reach and not anywhere:
            return None
        there = self.node_at(spot, level)
        if there is not None and there.kind == "opening":
            return self.put(there)
        if there is not None and there.kind in ("end", "junction"):
            return self.put(replace(there, kind="opening", side=side, at=spot))
        made = self.add("o", "opening", spot, level)
        return self.put(replace(made, side=side))

    def split(self, edge: Edge, along: float, beginning: str = "j", kind: NodeKind = "junction") -> Node:
        """Split a corridor in two and return the node between them."""
        line = self.line(edge)
        if along < 0.05:
            return self.nodes[edge.from_]
        if along > line.length - 0.05:
            return self.nodes[edge.to]
        spot = line.interpolate(along)
        node = self.add(beginning, kind, (spot.x, spot.y), self.nodes[edge.from_].level)
        first, last = substring(line, 0, along), substring(line, along, line.length)
        at = self.edges.index(edge)
        self.edges[at : at + 1] = [
            replace(edge, to=node.id, via=between(first)),
            replace(edge, from_=node.id, via=between(last)),
        ]
        return node

    def tidy(self, node_id: str) -> None:
        """Update a plain node from its corridors: with two it is merged into one corridor, with one it
        becomes an end."""
        node = self.nodes.get(node_id)
        if node is None or node.kind not in ("end", "junction"):
            return
        if self.edges_of(node_id, "fall"):
            return  # a landing
        corridors = self.edges_of(node_id)
        loops = [edge for edge in corridors if edge.from_ == edge.to]
        if not corridors:
            del self.nodes[node_id]
        elif len(corridors) == 2 and not loops:
            first, last = corridors
            a = first.to if first.from_ == node_id else first.from_
            b = last.to if last.from_ == node_id else last.from_
            if a == b:
                self.nodes[node_id] = replace(node, kind="junction")
                return
            line_a = self.line(first) if first.to == node_id else self.line(first).reverse()
            line_b = self.line(last) if last.from_ == node_id else self.line(last).reverse()
            via = tuple((x, y) for x, y in [*line_a.coords[1:], *line_b.coords[1:-1]])
            doubts = [edge.confidence for edge in (first, last) if in_doubt(edge)]
            chances = doubts or [first.confidence, last.confidence]
            known = [chance for chance in chances if chance is not None]
            sure = min(known) if len(known) == len(chances) else None
            at = self.edges.index(first)
            self.edges[at] = Edge(
                kind="corridor", from_=a, to=b, via=rounded(via), level=node.level, confidence=sure
            )
            self.edges.remove(last)
            del self.nodes[node_id]
        else:
            self.nodes[node_id] = replace(node, kind="end" if len(corridors) == 1 else "junction")

    def unlink(self, place: str) -> None:
        """Delete the stairs and falls of a place."""
        gone = [edge for edge in self.edges if edge.kind != "corridor" and place in (edge.from_, edge.to)]
        self.edges = [edge for edge in self.edges if edge not in gone]
        for edge in gone:
            for end in (edge.from_, edge.to):
                if end != place:
                    self.tidy(end)


def gone() -> NoEffect:
    return NoEffect(Text("This is not on the card any more."))


def doubt_of(part: Part) -> float | None:
    """The confidence of a guess in doubt that no person has checked, else None."""
    return part.confidence if in_doubt(part) else None


def between(line: object) -> tuple[Point, ...]:
    """The interior points of a line, without its two ends."""
    coords = list(shapely.get_coordinates(line))
    return rounded((float(x), float(y)) for x, y in coords[1:-1])


def rounded(points: Iterable[Point]) -> tuple[Point, ...]:
    return tuple((round(x, 2), round(y, 2)) for x, y in points)
