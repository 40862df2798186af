"""What an edit does to a tracing: where things snap to, how corridors fork and part, what goes with what."""

from __future__ import annotations

import math
import string
from collections.abc import Iterable, Iterator, Sequence
from itertools import count, pairwise

import shapely
from msgspec.structs import replace
from shapely.geometry import LineString
from shapely.geometry import Point as Spot
from shapely.ops import substring

from calibration.enrol.card_geometry import SHARED_NODE_MM, outline_polygon
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
    Part,
    Stairs,
    Tracing,
    confirmed,
    in_doubt,
)
from scorer.catalogue import Edge, FindKind, Level, Node, NodeKind, Point, Room, RoomFind, Side

#: A finger is taken to mean what lies so near, in mm, unless the page says how near that is at its zoom.
REACH_MM = 3.0
LEAST_REACH_MM, MOST_REACH_MM = 0.6, 6.0
#: A corridor that is led over a place so near, on its way elsewhere, runs through it.
THROUGH_MM = 1.2
#: Lines that a finger drew are kept to so much.
SMOOTH_MM = 0.35
#: A wall that leans by less, in mm, and is so much longer, is upright or level.
UPRIGHT_MM, UPRIGHT_SLOPE = 0.8, 15.0
SHORTEST_MM = 0.8
#: A room of less is a slip of the finger, in square mm.
LEAST_ROOM_MM2 = 9.0
#: A wall so near the card's edge is the edge: its doors are openings.
EDGE_WALL_MM = 1.0
#: No card has more places.
MOST_PLACES = 400


def edited(tracing: Tracing, edit: Edit, size_mm: Point, reach_mm: float = REACH_MM) -> Tracing:
    """The tracing after an edit on a card of this size; `reach_mm` is how far from something a finger means
    it. Raises `NoEffect`."""
    canvas = _Canvas(tracing, size_mm, min(max(reach_mm, LEAST_REACH_MM), MOST_REACH_MM))
    canvas.take(edit)
    made = canvas.tracing()
    if len(made.nodes) + len(made.rooms) > MOST_PLACES:
        raise NoEffect("No card has so many places.", "1 枚のカードに置ける場所の数を超えました。")
    return made


class _Canvas:
    """Nodes, edges and rooms by id, with what each edit does to them."""

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

    def take(self, edit: Edit) -> None:
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
                self.confirm(edit.place, edit.edge)
            case Clear():
                self.nodes, self.edges, self.rooms = {}, [], {}

    # --- looking ---

    def on_card(self, at: Point) -> Point:
        x, y = at
        return round(min(max(x, 0.0), self.width), 2), round(min(max(y, 0.0), self.height), 2)

    def ids(self) -> set[str]:
        return {*self.nodes, *self.rooms, *(find.id for room in self.rooms.values() for find in room.finds)}

    def new_id(self, beginning: str) -> str:
        taken = self.ids()
        return next(name for n in count(1) if (name := f"{beginning}{n}") not in taken)

    def new_room(self) -> str:
        taken = self.ids()
        letters = iter(string.ascii_uppercase)
        return next((name for name in letters if name not in taken), None) or self.new_id("R")

    def node_at(self, at: Point, level: Level, reach: float | None = None) -> Node | None:
        """The node of a level that is nearest, within reach; of those at one spot what can be walked on."""
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
        """The corridor of a level that is nearest, within reach, and how far along it."""
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
        """The room whose wall is nearest, within reach, and the spot on the wall."""
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

    # --- making ---

    def add(self, beginning: str, kind: NodeKind, at: Point, level: Level) -> Node:
        node = Node(id=self.new_id(beginning), kind=kind, at=self.on_card(at), level=level)
        self.nodes[node.id] = node
        return node

    def put(self, node: Node) -> Node:
        """The node in place of the one with its id, in ink."""
        self.nodes[node.id] = replace(node, confidence=None)
        return self.nodes[node.id]

    def put_along(self, node: Node) -> Node:
        """The same where a person has told something else than what the node is: that stays in doubt."""
        self.nodes[node.id] = replace(node, confidence=_doubt(node))
        return self.nodes[node.id]

    def edge_side(self, at: Point) -> tuple[Side, Point, float]:
        """The card's side that is nearest, the spot on it, and how far that is."""
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
        """The opening at the card's edge near a point, made where there is none; None away from the edge."""
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
        """A node on a corridor, which becomes two."""
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
            replace(edge, to=node.id, via=_between(first)),
            replace(edge, from_=node.id, via=_between(last)),
        ]
        return node

    def end_of_line(self, at: Point, level: Level) -> Node:
        """What a corridor that begins or ends at a point begins or ends at."""
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
            raise NoEffect("A corridor needs two ends.", "廊下には両端が必要です。")
        line = LineString(points).simplify(SMOOTH_MM)
        if line.length < SHORTEST_MM:
            raise NoEffect("This corridor is too short.", "廊下が短すぎます。")
        points = [(x, y) for x, y in line.coords]
        points = self._out_of_rooms(points, level)
        start, end = self.end_of_line(points[0], level), self.end_of_line(points[-1], level)
        if start.id == end.id:
            raise NoEffect(
                "This corridor ends where it begins; lead it to another place.",
                "廊下の始まりと終わりが同じ場所です。別の場所まで引いてください。",
            )
        middle = [p for p in points[1:-1] if math.dist(p, start.at) > 0.3 and math.dist(p, end.at) > 0.3]
        whole = LineString([start.at, *middle, end.at])
        stops = [(0.0, start.id), *self._met(whole, level, {start.id, end.id}), (whole.length, end.id)]
        for (a, one), (b, other) in pairwise(stops):
            if one == other:
                continue
            via = _between(substring(whole, a, b))
            self._join(one, other, via, level)
        for _, node_id in stops:
            self.tidy(node_id)

    def _out_of_rooms(self, points: list[Point], level: Level) -> list[Point]:
        """A line that is led into a room from without, or out of it, ends at its wall."""
        for _ in range(2):
            room = self.room_around(points[-1], level)
            if room is not None and self.room_around(points[0], level) is not room:
                wall = outline_polygon(room.outline).exterior
                line = LineString(points)
                crossed = [line.project(Spot(p)) for p in _points_of(line.intersection(wall))]
                if crossed:
                    points = [(x, y) for x, y in substring(line, 0, min(crossed)).coords]
            points = points[::-1]
        return points

    def _met(self, whole: LineString, level: Level, ends: set[str]) -> list[tuple[float, str]]:
        """Where a new line runs through places of its level or crosses corridors of it: how far along, and
        the node that is there or is made there."""
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
            for spot in _points_of(whole.intersection(line))
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

    def tidy(self, node_id: str) -> None:
        """A plain place is what its corridors make of it: a bend is none, one that only one leaves ends
        there."""
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
                kind="corridor", from_=a, to=b, via=_plain(via), level=node.level, confidence=sure
            )
            self.edges.remove(last)
            del self.nodes[node_id]
        else:
            self.nodes[node_id] = replace(node, kind="end" if len(corridors) == 1 else "junction")

    def outline(self, corners: Sequence[Point], level: Level) -> None:
        made = _upright(corners)
        polygon = outline_polygon(made) if len(made) >= 3 else None
        if polygon is None or not polygon.is_valid or polygon.area < LEAST_ROOM_MM2:
            raise NoEffect(
                "A room needs at least three corners, and its walls may not cross.",
                "部屋には 3 つ以上の角が必要で、壁どうしが交わってはいけません。",
            )
        room = Room(id=self.new_room(), outline=tuple(made), level=level)
        self.rooms[room.id] = room
        for node in list(self.nodes.values()):
            if node.level != level or self.edges_of(node.id, "fall") or self.edges_of(node.id, "stairs"):
                continue
            if node.kind == "find" and not self.edges_of(node.id) and polygon.contains(Spot(node.at)):
                del self.nodes[node.id]
                self.into_room(room.id, node.at, node.find or "coin", node.value, _doubt(node))
            elif node.kind in ("end", "opening") and polygon.exterior.distance(Spot(node.at)) <= self.reach:
                if node.kind == "opening":
                    self.door_in_opening(room.id, node)
                else:
                    spot = polygon.exterior.interpolate(polygon.exterior.project(Spot(node.at)))
                    at = self.on_card((spot.x, spot.y))
                    self.put(replace(node, kind="door", room=room.id, at=at))

    def door_in_opening(self, room_id: str, opening: Node) -> Node:
        """A door on the card's edge, where the opening is."""
        door = self.add("d", "door", opening.at, opening.level)
        door = self.put(replace(door, room=room_id))
        self.edges.append(Edge(kind="corridor", from_=door.id, to=opening.id, level=opening.level))
        return door

    def door(self, at: Point) -> None:
        wall = self.wall_at(at, max(self.reach, MOST_REACH_MM))
        if wall is None:
            raise NoEffect(
                "There is no wall of a room here; outline the room first.",
                "ここに部屋の壁がありません。先に部屋の輪郭を描いてください。",
            )
        self.new_door(*wall)

    def new_door(self, room: Room, spot: Point) -> Node:
        """The door at a spot of a room's wall, made where there is none."""
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

    def into_room(
        self, room_id: str, at: Point, find: FindKind, value: int, confidence: float | None = None
    ) -> None:
        room = self.rooms[room_id]
        made = RoomFind(id=self.new_id(room_id), find=find, at=at, value=value, confidence=confidence)
        self.rooms[room_id] = replace(room, finds=(*room.finds, made))

    def on_corridor(self, at: Point, level: Level, kind: NodeKind, find: FindKind | None, value: int) -> Node:
        """A find or stairs, at the node or on the corridor that is nearest, or by itself."""
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

    def unlink(self, place: str) -> None:
        """A place leads nowhere any more by stairs or falls."""
        gone = [edge for edge in self.edges if edge.kind != "corridor" and place in (edge.from_, edge.to)]
        self.edges = [edge for edge in self.edges if edge not in gone]
        for edge in gone:
            for end in (edge.from_, edge.to):
                if end != place:
                    self.tidy(end)

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
            raise NoEffect(
                "Only stairs and pits lead to another level.",
                "別の階に続くのは階段と落とし穴だけです。",
            )
        level: Level = "underground" if node.level == "main" else "main"
        self.unlink(place)
        there = self.on_corridor(at, level, "stairs", None, 1)
        self.unlink(there.id)
        self.put(node)
        main, under = (place, there.id) if node.level == "main" else (there.id, place)
        self.edges.append(Edge(kind="stairs", from_=main, to=under))

    # --- mending ---

    def room_find(self, place: str) -> tuple[Room, RoomFind] | None:
        for room in self.rooms.values():
            for find in room.finds:
                if find.id == place:
                    return room, find
        return None

    def put_find(self, room: Room, find: RoomFind, confidence: float | None = None) -> None:
        made = replace(find, confidence=confidence)
        finds = tuple(made if each.id == find.id else each for each in room.finds)
        self.rooms[room.id] = replace(room, finds=finds)

    def move(self, place: str, at: Point) -> None:
        if place in self.rooms:
            self.move_room(self.rooms[place], at)
            return
        if (held := self.room_find(place)) is not None:
            room, find = held
            target = self.room_around(at, room.level)
            if target is None or target.id == room.id:
                self.put_find(room, replace(find, at=at), _doubt(find))
                return
            self.rooms[room.id] = replace(
                room, finds=tuple(each for each in room.finds if each.id != find.id)
            )
            falls = self.edges_of(find.id, "fall")
            self.into_room(target.id, at, find.find, find.value, _doubt(find))
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
            raise _gone()
        outline = tuple(at if k == number else corner for k, corner in enumerate(room.outline))
        if not outline_polygon(outline).is_valid:
            raise NoEffect("The room's walls may not cross.", "部屋の壁どうしが交わってはいけません。")
        self.rooms[room_id] = replace(room, outline=outline, confidence=None)
        wall = outline_polygon(outline).exterior
        for node in list(self.nodes.values()):
            if node.kind == "door" and node.room == room_id:
                spot = wall.interpolate(wall.project(Spot(node.at)))
                self.nodes[node.id] = replace(node, at=self.on_card((spot.x, spot.y)))

    def change(self, place: str, find: FindKind, value: int) -> None:
        if (held := self.room_find(place)) is not None:
            if find != "pitfall":
                self.unlink(place)
            self.put_find(held[0], replace(held[1], find=find, value=value))
            return
        node = self.named(place)
        if node.kind not in ("find", "stairs"):
            raise NoEffect("There is no find here.", "ここに発見物はありません。")
        if find != "pitfall":
            self.unlink(place)
        self.put(replace(node, kind="find", find=find, value=value))

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
        """What made a place of the corridor is gone; the corridor stays."""
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
        """A place with its corridors."""
        gone = [edge for edge in self.edges if node.id in (edge.from_, edge.to)]
        self.edges = [edge for edge in self.edges if edge not in gone]
        del self.nodes[node.id]
        for edge in gone:
            for end in (edge.from_, edge.to):
                self.tidy(end)

    def erase_edge(self, number: int) -> None:
        if number >= len(self.edges):
            raise _gone()
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
            replace(edge, level=level, confidence=_doubt(edge))
            if edge.kind == "corridor" and edge.from_ in reached
            else edge
            for edge in self.edges
        ]

    def confirm(self, place: str | None, edge: int | None) -> None:
        if edge is not None:
            if edge >= len(self.edges):
                raise _gone()
            self.edges[edge] = replace(self.edges[edge], confidence=None)
        elif place is None:
            inked = confirmed(self.tracing())
            self.nodes = {node.id: node for node in inked.nodes}
            self.edges, self.rooms = list(inked.edges), {room.id: room for room in inked.rooms}
        elif place in self.rooms:
            self.rooms[place] = replace(self.rooms[place], confidence=None)
        elif (held := self.room_find(place)) is not None:
            self.put_find(*held)
        else:
            self.put(self.named(place))

    def named(self, place: str) -> Node:
        node = self.nodes.get(place)
        if node is None:
            raise _gone()
        return node


def _gone() -> NoEffect:
    return NoEffect("This is not on the card any more.", "これはもうカードにありません。")


def _doubt(part: Part) -> float | None:
    """The confidence of a guess that nobody has looked at yet."""
    return part.confidence if in_doubt(part) else None


def _between(line: object) -> tuple[Point, ...]:
    """The points of a line but its ends."""
    coords = list(shapely.get_coordinates(line))
    return _plain((float(x), float(y)) for x, y in coords[1:-1])


def _plain(points: Iterable[Point]) -> tuple[Point, ...]:
    return tuple((round(x, 2), round(y, 2)) for x, y in points)


def _points_of(shape: object) -> list[Point]:
    """Where two lines meet; of a stretch that they share, its ends."""
    return [(float(x), float(y)) for x, y in shapely.get_coordinates(shape)]


def _middle(outline: Sequence[Point]) -> Point:
    return sum(x for x, _ in outline) / len(outline), sum(y for _, y in outline) / len(outline)


def _upright(corners: Sequence[Point]) -> list[Point]:
    """Corners in order, doubles left out, walls that are nearly level or upright made so."""
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
