"""Geometric checks of one card's topology: the guarantees that the reader and the referee rely on.

`contract_problems` applies to every catalogue (docs/FORMATS.md, section 1). Lengths are millimetres on the
upright card, x right, y down.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from shapely.geometry import LineString, Point, Polygon

from scorer.catalogue import Card, Edge, Node
from scorer.text import Text

FINDS = (
    "coin", "barrel", "sword", "key", "rope", "scroll", "monster", "padlock",
    "pitfall", "lava_pit", "magic_circle", "recycle", "scissors",
)  # fmt: skip

# Contract tolerances: a door and the ends of a crossing may be off by drawing accuracy, not more.
DOOR_OFF_OUTLINE_MM = 0.5
OFF_CARD_MM = 0.05
SAME_SPOT_MM = 0.3
# A crossing of one level counts when it lies farther than this from a place that both corridors share: at
# a shared place two wide corridors overlap by half their width anyway.
SHARED_NODE_MM = 2.0


@dataclass(frozen=True)
class Problem:
    """A defect of a card: `code` is a key of `SENTENCES`, `place` one or two local ids."""

    card: str
    place: str
    code: str
    detail: str = ""


SENTENCES: dict[str, Text] = {
    "duplicate-id": Text("the id is used twice"),
    "unknown-id": Text("the edge names a place that does not exist"),
    "unknown-kind": Text("the kind is not one that the format knows"),
    "off-card": Text("the place lies off the card"),
    "opening-off-edge": Text("the opening does not lie on its side of the card"),
    "unknown-room": Text("the door names a room that does not exist"),
    "door-off-outline": Text("the door does not lie on its room's outline"),
    "room-without-door": Text("the room has no door"),
    "bad-outline": Text("the room's outline crosses itself or has no area"),
    "find-off-room": Text("the find lies outside its room"),
    "wrong-level": Text("the corridor joins places of another level"),
    "same-level-crossing": Text("corridors of one level cross outside a place"),
    "landing-missing": Text("the pitfall has no landing underground"),
    "bad-fall": Text("the fall does not lead from a pitfall to an underground place"),
    "bad-stairs": Text("the stairs do not join two stairs of different levels"),
    "stairs-alone": Text("the stairs lead to no others"),
    "find-out-of-reach": Text("no opening leads to the find"),
    "places-too-near": Text("places lie too near each other along a corridor"),
    "lines-too-near": Text("corridors of one level run too near each other"),
    "line-too-near-room": Text("a corridor runs too near a room"),
    "rooms-too-near": Text("rooms lie too near each other"),
    "room-too-small": Text("the room is too small"),
    "finds-too-near": Text("the room's finds lie too near each other"),
    "find-at-wall": Text("the find lies too near a wall"),
    "near-edge": Text("the place lies too near the card's edge"),
    "narrow-fork": Text("corridors leave the place at too small an angle"),
    "narrow-crossing": Text("corridors of two levels cross at too small an angle"),
    "hidden-line": Text("an underground corridor runs hidden along a main one"),
    "levels-too-near": Text("a place lies on a corridor of the other level"),
    "reference-corner": Text("something lies in the corner of the printed reference"),
    "under-room": Text("an underground place lies under a room"),
    "twin-corridors": Text("two corridors join the same two places"),
}


def corridor_line_mm(card: Card, edge: Edge) -> LineString:
    """The centre line of a corridor in mm, from its first node through `via` to its last."""
    at = {node.id: node.at for node in card.nodes}
    return LineString([at[edge.from_], *edge.via, at[edge.to]])


def corridors(card: Card) -> list[tuple[Edge, LineString]]:
    """Corridors of a card with their centre lines. Corridors of length zero, as between a door and its
    opening, are omitted."""
    known = {node.id for node in card.nodes}
    lines = [
        (e, corridor_line_mm(card, e))
        for e in card.edges
        if e.kind == "corridor" and e.from_ in known and e.to in known
    ]
    return [(e, line) for e, line in lines if line.length > SAME_SPOT_MM]


def outline_polygon(outline: Iterable[tuple[float, float]]) -> Polygon:
    return Polygon([tuple(point) for point in outline])


def reachable_places(card: Card) -> frozenset[str]:
    """Ids of the places reachable from any opening when every obstacle is passable. Falls are directed
    edges."""
    steps: dict[str, set[str]] = {}

    def join(a: str, b: str, both: bool = True) -> None:
        steps.setdefault(a, set()).add(b)
        if both:
            steps.setdefault(b, set()).add(a)

    for edge in card.edges:
        join(edge.from_, edge.to, both=edge.kind != "fall")
    for node in card.nodes:
        if node.kind == "door" and node.room:
            join(node.id, node.room)
    for room in card.rooms:
        for find in room.finds:
            join(room.id, find.id)
    seen = {node.id for node in card.nodes if node.kind == "opening"}
    queue = list(seen)
    while queue:
        for nxt in steps.get(queue.pop(), ()):
            if nxt not in seen:
                seen.add(nxt)
                queue.append(nxt)
    return frozenset(seen)


def contract_problems(card: Card, size_mm: tuple[float, float]) -> list[Problem]:
    """All violations of docs/FORMATS.md, section 1, by the card's topology. A card without topology has
    none."""
    return [
        *_id_problems(card),
        *_position_problems(card, size_mm),
        *_room_problems(card),
        *_edge_problems(card),
        *same_level_crossings(card),
        *_reach_problems(card),
    ]


def _id_problems(card: Card) -> Iterator[Problem]:
    seen: set[str] = set()
    ids = (
        [n.id for n in card.nodes] + [r.id for r in card.rooms] + [f.id for r in card.rooms for f in r.finds]
    )
    for id_ in ids:
        if id_ in seen:
            yield Problem(card.id, id_, "duplicate-id")
        seen.add(id_)
    for edge in card.edges:
        for id_ in (edge.from_, edge.to):
            if id_ not in seen:
                yield Problem(card.id, id_, "unknown-id", f"{edge.kind} {edge.from_}-{edge.to}")
    goals: set[str] = set()
    for goal in card.goals:
        if goal.id in goals:
            yield Problem(card.id, goal.id, "duplicate-id")
        goals.add(goal.id)
        for id_ in goal.at:
            if id_ not in seen:
                yield Problem(card.id, id_, "unknown-id", f"goal {goal.id}")
    finds = [(n.id, n.find) for n in card.nodes if n.kind == "find"]
    finds += [(f.id, f.find) for r in card.rooms for f in r.finds]
    for id_, find in finds:
        if find not in FINDS:
            yield Problem(card.id, id_, "unknown-kind", str(find))


def _position_problems(card: Card, size_mm: tuple[float, float]) -> Iterator[Problem]:
    width, height = size_mm

    def off(point: tuple[float, float]) -> bool:
        x, y = point
        return not (-OFF_CARD_MM <= x <= width + OFF_CARD_MM and -OFF_CARD_MM <= y <= height + OFF_CARD_MM)

    for node in card.nodes:
        if off(node.at):
            yield Problem(card.id, node.id, "off-card", f"{node.at}")
        if node.kind == "opening":
            x, y = node.at
            from_side = {"left": x, "right": width - x, "top": y, "bottom": height - y}.get(node.side or "")
            if from_side is None or abs(from_side) > SAME_SPOT_MM:
                yield Problem(card.id, node.id, "opening-off-edge", f"{node.side} {node.at}")
    for edge in card.edges:
        if any(off(point) for point in edge.via):
            yield Problem(card.id, f"{edge.from_}-{edge.to}", "off-card", "via")
    for room in card.rooms:
        if any(off(point) for point in room.outline):
            yield Problem(card.id, room.id, "off-card", "outline")
        for find in room.finds:
            if off(find.at):
                yield Problem(card.id, find.id, "off-card", f"{find.at}")


def _room_problems(card: Card) -> Iterator[Problem]:
    rooms = {room.id: room for room in card.rooms}
    doors: dict[str, list[Node]] = {id_: [] for id_ in rooms}
    for node in card.nodes:
        if node.kind == "door":
            if node.room not in rooms:
                yield Problem(card.id, node.id, "unknown-room", str(node.room))
            else:
                doors[node.room].append(node)
    for room in card.rooms:
        if not doors[room.id]:
            yield Problem(card.id, room.id, "room-without-door")
        if len(room.outline) < 3 or not outline_polygon(room.outline).is_valid:
            yield Problem(card.id, room.id, "bad-outline")
            continue
        polygon = outline_polygon(room.outline)
        for door in doors[room.id]:
            off = polygon.exterior.distance(Point(door.at))
            if off > DOOR_OFF_OUTLINE_MM:
                yield Problem(card.id, door.id, "door-off-outline", f"{off:.1f} mm")
            if door.level != room.level:
                yield Problem(card.id, door.id, "wrong-level", room.id)
        for find in room.finds:
            if not polygon.contains(Point(find.at)):
                yield Problem(card.id, find.id, "find-off-room", room.id)


def _edge_problems(card: Card) -> Iterator[Problem]:
    nodes = {node.id: node for node in card.nodes}
    pits = {n.id for n in card.nodes if n.find == "pitfall"}
    pits |= {f.id for room in card.rooms for f in room.finds if f.find == "pitfall"}
    landed: set[str] = set()
    joined: set[str] = set()
    for edge in card.edges:
        name = f"{edge.from_}-{edge.to}"
        start, end = nodes.get(edge.from_), nodes.get(edge.to)
        if edge.kind == "fall":
            landed.add(edge.from_)
            if end is not None and (edge.from_ not in pits or end.level != "underground"):
                yield Problem(card.id, name, "bad-fall")
        elif edge.kind == "stairs":
            joined |= {edge.from_, edge.to}
            if start and end and ({start.kind, end.kind} != {"stairs"} or start.level == end.level):
                yield Problem(card.id, name, "bad-stairs")
        elif start and end and {start.level, end.level} != {edge.level}:
            yield Problem(card.id, name, "wrong-level")
    for id_ in sorted(pits - landed):
        yield Problem(card.id, id_, "landing-missing")
    for node in card.nodes:
        if node.kind == "stairs" and node.id not in joined:
            yield Problem(card.id, node.id, "stairs-alone")


def same_level_crossings(card: Card) -> Iterator[Problem]:
    """Pairs of corridors on one level that intersect outside a shared node."""
    at = {node.id: node.at for node in card.nodes}
    for (a, line_a), (b, line_b) in combinations(corridors(card), 2):
        if a.level != b.level or not line_a.intersects(line_b):
            continue
        rest = line_a.intersection(line_b)
        for id_ in {a.from_, a.to} & {b.from_, b.to}:
            rest = rest.difference(Point(at[id_]).buffer(SHARED_NODE_MM))
        if not rest.is_empty:
            where = rest.representative_point()
            yield Problem(
                card.id,
                f"{a.from_}-{a.to} {b.from_}-{b.to}",
                "same-level-crossing",
                f"at {where.x:.0f},{where.y:.0f}",
            )


def _reach_problems(card: Card) -> Iterator[Problem]:
    reached = reachable_places(card)
    finds = [n.id for n in card.nodes if n.kind == "find"] + [f.id for r in card.rooms for f in r.finds]
    for id_ in finds:
        if id_ not in reached:
            yield Problem(card.id, id_, "find-out-of-reach")
