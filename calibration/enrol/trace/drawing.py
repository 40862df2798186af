"""Edits that add to a tracing: corridors, rooms, doors, finds, stairs and their links."""

from __future__ import annotations

import math
import string
from collections.abc import Sequence
from itertools import pairwise

import shapely
from msgspec.structs import replace
from shapely.geometry import LineString
from shapely.geometry import Point as Spot
from shapely.ops import substring

from calibration.enrol.card_geometry import SHARED_NODE_MM, outline_polygon
from calibration.enrol.trace.graph import MOST_REACH_MM, REACH_MM, TracedGraph, between, doubt_of
from calibration.enrol.trace.tracing import NoEffect
from scorer.catalogue import Edge, FindKind, Level, Node, NodeKind, Point, Room
from scorer.text import Text

#: Distance in mm within which a new corridor passes through an existing place.
THROUGH_MM = 1.2
#: Lines that a finger drew are kept to so much.
SMOOTH_MM = 0.35
#: A wall that leans by less, in mm, and is so much longer, is upright or level.
UPRIGHT_MM, UPRIGHT_SLOPE = 0.8, 15.0
SHORTEST_MM = 0.8
#: Smallest area of a drawn room, in square mm; smaller ones are accidental.
LEAST_ROOM_MM2 = 9.0
#: Distance in mm within which a wall lies on the card's edge, so that its doors need openings.
EDGE_WALL_MM = 1.0


class DrawingGraph(TracedGraph):
    """A traced graph with the edits that draw new parts."""

    def new_room(self) -> str:
        taken = self.ids()
        letters = iter(string.ascii_uppercase)
        return next((name for name in letters if name not in taken), None) or self.new_id("R")

    def end_of_line(self, at: Point, level: Level) -> Node:
        """The node at an end of a corridor: an existing node, a door in a wall, an opening, or a new node."""
        there = self.node_at(at, level)
        if there is not None:
            return there
        if (wall := self.wall_at(at, self.reach, level)) is not None:
            return self.new_door(*wall)
        if (opening := self.opening(at, level)) is not None:
            return opening
        if (on := self.corridor_at(at, level)) is not None:
            return self.split(*on)
        if (room := self.room_around(at, level)) is not None:
            # Into a room leads a door.
            wall_ = outline_polygon(room.outline).exterior
            spot = wall_.interpolate(wall_.project(Spot(at)))
            return self.new_door(room, (round(spot.x, 2), round(spot.y, 2)))
        return self.add("e", "end", at, level)

    def corridor(self, points: Sequence[Point], level: Level) -> None:
        if len(points) < 2:
            raise NoEffect(Text("A corridor needs two ends."))
        line = LineString(points).simplify(SMOOTH_MM)
        if line.length < SHORTEST_MM:
            raise NoEffect(Text("This corridor is too short."))
        points = [(x, y) for x, y in line.coords]
        points = self._out_of_rooms(points, level)
        start, end = self.end_of_line(points[0], level), self.end_of_line(points[-1], level)
        if start.id == end.id:
            raise NoEffect(Text("This corridor ends where it begins; lead it to another place."))
        middle = [p for p in points[1:-1] if math.dist(p, start.at) > 0.3 and math.dist(p, end.at) > 0.3]
        whole = LineString([start.at, *middle, end.at])
        stops = [(0.0, start.id), *self._met(whole, level, {start.id, end.id}), (whole.length, end.id)]
        for (a, one), (b, other) in pairwise(stops):
            if one == other:
                continue
            via = between(substring(whole, a, b))
            self._join(one, other, via, level)
        for _, node_id in stops:
            self.tidy(node_id)

    def _out_of_rooms(self, points: list[Point], level: Level) -> list[Point]:
        """A line (points in mm) cut at the wall where it enters or leaves a room."""
        for _ in range(2):
            room = self.room_around(points[-1], level)
            if room is not None and self.room_around(points[0], level) is not room:
                wall = outline_polygon(room.outline).exterior
                line = LineString(points)
                crossed = [line.project(Spot(p)) for p in points_of(line.intersection(wall))]
                if crossed:
                    points = [(x, y) for x, y in substring(line, 0, min(crossed)).coords]
            points = points[::-1]
        return points

    def _met(self, whole: LineString, level: Level, ends: set[str]) -> list[tuple[float, str]]:
        """Nodes on a new line, with their positions along it in mm: existing nodes of the level, and new
        nodes where it crosses corridors."""
        met = [
            (whole.project(Spot(node.at)), node.id)
            for node in list(self.nodes.values())
            if node.level == level
            and node.id not in ends
            and node.kind != "opening"
            and whole.distance(Spot(node.at)) <= THROUGH_MM
        ]
        known = [self.nodes[node_id].at for node_id in (*ends, *(node_id for _, node_id in met))]
        crossings = [
            spot
            for _, line in self.corridors(level)
            for spot in points_of(whole.intersection(line))
            if all(math.dist(spot, at) > SHARED_NODE_MM for at in known)
        ]
        for spot in crossings:
            near = [
                (line.distance(Spot(spot)), k, edge, line)
                for k, (edge, line) in enumerate(self.corridors(level))
            ]
            _, _, edge, line = min(near, key=lambda each: each[:2])
            node = self.split(edge, line.project(Spot(spot)))
            met.append((whole.project(Spot(spot)), node.id))
        return sorted(met)

    def _join(self, one: str, other: str, via: tuple[Point, ...], level: Level) -> None:
        length = LineString([self.nodes[one].at, *via, self.nodes[other].at]).length
        for edge in self.edges:
            if edge.kind == "corridor" and {edge.from_, edge.to} == {one, other}:
                twice = LineString([self.nodes[one].at, *via, self.nodes[other].at])
                if abs(self.line(edge).length - length) < 2 and self.line(edge).distance(twice) < 1:
                    # Drawn once more: the newer line is how it runs.
                    self.edges.remove(edge)
                    break
        self.edges.append(Edge(kind="corridor", from_=one, to=other, via=via, level=level))

    def outline(self, corners: Sequence[Point], level: Level) -> None:
        made = _upright(corners)
        polygon = outline_polygon(made) if len(made) >= 3 else None
        if polygon is None or not polygon.is_valid or polygon.area < LEAST_ROOM_MM2:
            raise NoEffect(Text("A room needs at least three corners, and its walls may not cross."))
        room = Room(id=self.new_room(), outline=tuple(made), level=level)
        self.rooms[room.id] = room
        for node in list(self.nodes.values()):
            if node.level != level or self.edges_of(node.id, "fall") or self.edges_of(node.id, "stairs"):
                continue
            if node.kind == "find" and not self.edges_of(node.id) and polygon.contains(Spot(node.at)):
                del self.nodes[node.id]
                self.into_room(room.id, node.at, node.find or "coin", node.value, doubt_of(node))
            elif node.kind in ("end", "opening") and polygon.exterior.distance(Spot(node.at)) <= self.reach:
                if node.kind == "opening":
                    self.door_in_opening(room.id, node)
                else:
                    spot = polygon.exterior.interpolate(polygon.exterior.project(Spot(node.at)))
                    at = self.on_card((spot.x, spot.y))
                    self.put(replace(node, kind="door", room=room.id, at=at))

    def door_in_opening(self, room_id: str, opening: Node) -> Node:
        """A new door on the card's edge, at the position of an opening."""
        door = self.add("d", "door", opening.at, opening.level)
        door = self.put(replace(door, room=room_id))
        self.edges.append(Edge(kind="corridor", from_=door.id, to=opening.id, level=opening.level))
        return door

    def door(self, at: Point) -> None:
        wall = self.wall_at(at, max(self.reach, MOST_REACH_MM))
        if wall is None:
            raise NoEffect(Text("There is no wall of a room here; outline the room first."))
        self.new_door(*wall)

    def new_door(self, room: Room, spot: Point) -> Node:
        """The door at a point of a room's wall, created where none exists."""
        there = self.node_at(spot, room.level)
        if there is not None and there.kind == "door" and there.room == room.id:
            return self.put(there)
        if there is not None and there.kind in ("end", "junction") and len(self.edges_of(there.id)) == 1:
            return self.put(replace(there, kind="door", room=room.id, at=spot))
        _, edge_spot, far = self.edge_side(spot)
        if far <= EDGE_WALL_MM:
            # The wall is the card's edge: who goes through the door is on the next card.
            opening = self.opening(edge_spot, room.level)
            if opening is not None:
                return self.door_in_opening(room.id, opening)
        door = self.add("d", "door", spot, room.level)
        return self.put(replace(door, room=room.id))

    def find(self, at: Point, find: FindKind, value: int, level: Level) -> None:
        for room in self.rooms.values():
            for each in room.finds:
                if math.dist(each.at, at) <= self.reach:
                    self.change(each.id, find, value)
                    return
        room_ = self.room_around(at, level)
        if room_ is not None and self.node_at(at, level, min(self.reach, 1.5)) is None:
            self.into_room(room_.id, at, find, value)
        else:
            self.on_corridor(at, level, "find", find, value)

    def change(self, place: str, find: FindKind, value: int) -> None:
        if (held := self.room_find(place)) is not None:
            if find != "pitfall":
                self.unlink(place)
            self.put_find(held[0], replace(held[1], find=find, value=value))
            return
        node = self.named(place)
        if node.kind not in ("find", "stairs"):
            raise NoEffect(Text("There is no find here."))
        if find != "pitfall":
            self.unlink(place)
        self.put(replace(node, kind="find", find=find, value=value))

    def on_corridor(self, at: Point, level: Level, kind: NodeKind, find: FindKind | None, value: int) -> Node:
        """A find or stairs at the nearest node or on the nearest corridor within reach, else as an
        isolated node."""
        there = self.node_at(at, level)
        if there is not None and there.kind in ("opening", "door"):
            there = None
        on = self.corridor_at(at, level)
        if there is None and on is not None:
            node = self.split(*on)
            there = node if node.kind not in ("opening", "door") else None
        if there is None:
            there = self.add("f" if kind == "find" else "t", kind, at, level)
        if (there.find == "pitfall" and find != "pitfall") or (there.kind == "stairs" and kind != "stairs"):
            self.unlink(there.id)
        return self.put(replace(there, kind=kind, find=find, value=value))

    def lead(self, place: str, at: Point) -> None:
        node, find = self.nodes.get(place), self.room_find(place)
        if (node is not None and node.find == "pitfall") or (find is not None and find[1].find == "pitfall"):
            spot = node.at if node is not None else find[1].at if find is not None else at
            self.unlink(place)
            there = self.node_at(at, "underground")
            if there is None and (on := self.corridor_at(at, "underground")) is not None:
                there = self.split(*on)
            if there is None:
                # Most pits drop straight down.
                near = math.dist(spot, at) <= max(self.reach, REACH_MM)
                there = self.add("u", "junction", spot if near else at, "underground")
            if there.kind == "end":
                there = replace(there, kind="junction")
            if there.find is None:
                self.put(there)
            else:
                self.put_along(there)
            self.edges.append(Edge(kind="fall", from_=place, to=there.id))
            return
        if node is None or node.kind != "stairs":
            raise NoEffect(Text("Only stairs and pits lead to another level."))
        level: Level = "underground" if node.level == "main" else "main"
        self.unlink(place)
        there = self.on_corridor(at, level, "stairs", None, 1)
        self.unlink(there.id)
        self.put(node)
        main, under = (place, there.id) if node.level == "main" else (there.id, place)
        self.edges.append(Edge(kind="stairs", from_=main, to=under))


def points_of(shape: object) -> list[Point]:
    """Points of an intersection of two lines; for a shared section, its ends."""
    return [(float(x), float(y)) for x, y in shapely.get_coordinates(shape)]


def _upright(corners: Sequence[Point]) -> list[Point]:
    """Corners in order without duplicates. Walls that are nearly horizontal or vertical are made exactly
    so."""
    made: list[Point] = []
    for corner in corners:
        if made and math.dist(made[-1], corner) < SHORTEST_MM:
            continue
        made.append(_straightened(made[-1], corner) if made else corner)
    if len(made) > 2:
        made[-1] = _straightened(made[0], made[-1])
        if math.dist(made[0], made[-1]) < SHORTEST_MM:
            made.pop()
    return made


def _straightened(before: Point, corner: Point) -> Point:
    (px, py), (x, y) = before, corner
    dx, dy = abs(x - px), abs(y - py)
    if dx < min(UPRIGHT_MM, dy / UPRIGHT_SLOPE):
        return px, y
    return (x, py) if dy < min(UPRIGHT_MM, dx / UPRIGHT_SLOPE) else corner
