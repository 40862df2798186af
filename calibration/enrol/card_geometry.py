"""Geometric predicates on one card's topology: what a reader, and the referee, can rely on.

`contract_problems` holds for every catalogue (docs/FORMATS.md, section 1); `drawing_problems` holds
for the open deck, whose cards must be readable by a camera. Lengths are millimetres on the upright card, x
right, y down.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import shapely
from shapely.geometry import LineString, Point, Polygon

from scorer.catalogue import Card, Edge, Node

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

# Drawing rules of the open deck (corridors are 7 and 6 mm wide, icons 7.5 mm, ink up to 2 mm).
PLACES_APART_MM = 9.0
LINES_APART_MM = 10.0
NODE_ZONE_MM = 13.0  # corridors that leave one place need this much to part
WALL_CLEARANCE_MM = 5.4  # half a corridor and a wall
ROOMS_APART_MM = 3.5
ROOM_MIN_MM = (15.0, 18.0)
FINDS_APART_MM = 8.0
FIND_FROM_WALL_MM = 5.5
ICON_CLEARANCE_MM = 6.0  # an underground line beside the icon of a main find
EDGE_MARGIN_MM = 8.0
PARTING_ANGLE_DEG = 50.0
CROSSING_ANGLE_DEG = 40.0
ALONGSIDE_MM = 4.8  # an underground line that runs along under a main corridor is hidden by it
MAIN_HALF_WIDTH_MM, UNDER_HALF_WIDTH_MM, WALL_MM = 3.5, 3.0, 1.0
HIDDEN_AT_MOST_MM = 18.0  # underground centre line covered in one stretch
HIDDEN_FROM_ROOM_PIT_MM = 23.0  # the same where it starts at a landing in the middle of a room
SEEN_AT_LEAST = 0.38  # share of an underground corridor's floor that the main level leaves uncovered
LEVELS_APART_MM = 5.2  # a place from a corridor of the other level
REFERENCE_CORNER_MM = (13.0, 79.0)  # printed reference and cost: x below, y above


@dataclass(frozen=True)
class Problem:
    """One thing wrong with a card: `code` is a key of `SENTENCES`, `place` one or two local ids."""

    card: str
    place: str
    code: str
    detail: str = ""


SENTENCES: dict[str, tuple[str, str]] = {
    "duplicate-id": ("the id is used twice", "ID が二重に使われています"),
    "unknown-id": ("the edge names a place that does not exist", "存在しない場所を指す廊下です"),
    "unknown-kind": ("the kind is not one that the format knows", "形式にない種類です"),
    "off-card": ("the place lies off the card", "カードの外にあります"),
    "opening-off-edge": (
        "the opening does not lie on its side of the card",
        "開口部が指定の辺の上にありません",
    ),
    "unknown-room": ("the door names a room that does not exist", "存在しない部屋を指す扉です"),
    "door-off-outline": ("the door does not lie on its room's outline", "扉が部屋の輪郭上にありません"),
    "room-without-door": ("the room has no door", "部屋に扉がありません"),
    "bad-outline": (
        "the room's outline crosses itself or has no area",
        "部屋の輪郭が交差しているか面積がありません",
    ),
    "find-off-room": ("the find lies outside its room", "発見物が部屋の外にあります"),
    "wrong-level": ("the corridor joins places of another level", "廊下の階と場所の階が違います"),
    "same-level-crossing": (
        "corridors of one level cross outside a place",
        "同じ階の廊下が場所以外で交差しています",
    ),
    "landing-missing": ("the pitfall has no landing underground", "落とし穴の着地点がありません"),
    "bad-fall": (
        "the fall does not lead from a pitfall to an underground place",
        "落下が落とし穴から地下へ通じていません",
    ),
    "bad-stairs": (
        "the stairs do not join two stairs of different levels",
        "階段が異なる階の階段同士を結んでいません",
    ),
    "stairs-alone": ("the stairs lead to no others", "階段の行き先がありません"),
    "find-out-of-reach": ("no opening leads to the find", "どの開口部からも発見物に届きません"),
    "places-too-near": ("places lie too near each other along a corridor", "廊下上の場所が近すぎます"),
    "lines-too-near": ("corridors of one level run too near each other", "同じ階の廊下が近すぎます"),
    "line-too-near-room": ("a corridor runs too near a room", "廊下が部屋に近すぎます"),
    "rooms-too-near": ("rooms lie too near each other", "部屋同士が近すぎます"),
    "room-too-small": ("the room is too small", "部屋が小さすぎます"),
    "finds-too-near": ("the room's finds lie too near each other", "部屋の発見物が近すぎます"),
    "find-at-wall": ("the find lies too near a wall", "発見物が壁に近すぎます"),
    "near-edge": ("the place lies too near the card's edge", "場所がカードの端に近すぎます"),
    "narrow-fork": ("corridors leave the place at too small an angle", "廊下の分岐角が小さすぎます"),
    "narrow-crossing": (
        "corridors of two levels cross at too small an angle",
        "二つの階の廊下の交差角が小さすぎます",
    ),
    "hidden-line": (
        "an underground corridor runs hidden along a main one",
        "地下の廊下がメインフロアの廊下に隠れています",
    ),
    "levels-too-near": (
        "a place lies on a corridor of the other level",
        "場所が別の階の廊下に重なっています",
    ),
    "reference-corner": (
        "something lies in the corner of the printed reference",
        "印刷番号の角に重なっています",
    ),
    "under-room": ("an underground place lies under a room", "地下の場所が部屋の下にあります"),
    "twin-corridors": ("two corridors join the same two places", "同じ二つの場所を結ぶ廊下が二本あります"),
}


def corridor_line_mm(card: Card, edge: Edge) -> LineString:
    """The centre line of a corridor from its first place through `via` to its last."""
    at = {node.id: node.at for node in card.nodes}
    return LineString([at[edge.from_], *edge.via, at[edge.to]])


def corridors(card: Card) -> list[tuple[Edge, LineString]]:
    """Corridors with a length: a door that lies in an opening is joined to it by none."""
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
    """Ids reached from any opening when every obstacle is passable (falls one way)."""
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
    """Everything in which the card's topology breaks docs/FORMATS.md, section 1. A card without
    topology is fine."""
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
    """Corridors of one level that meet anywhere but in a place that both share."""
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


def drawing_problems(card: Card, size_mm: tuple[float, float]) -> list[Problem]:
    """Everything in which an open-deck card is hard to read by eye or camera."""
    lines = corridors(card)
    return [
        *_spacing_problems(card, lines),
        *_fork_problems(card, lines),
        *_room_drawing_problems(card, lines, size_mm),
        *_level_problems(card, lines),
        *_margin_problems(card, lines, size_mm),
    ]


def _dense(line: LineString) -> np.ndarray:
    """(N, 2) points every millimetre along the line, both ends included."""
    count = max(2, math.ceil(line.length) + 1)
    made: np.ndarray = shapely.get_coordinates(line.interpolate(np.linspace(0, 1, count), normalized=True))
    return made


def _apart(points: np.ndarray, centre: tuple[float, float], radius: float) -> np.ndarray:
    made: np.ndarray = points[np.hypot(*(points - np.asarray(centre)).T) > radius]
    return made


def _spacing_problems(card: Card, lines: list[tuple[Edge, LineString]]) -> Iterator[Problem]:
    at = {node.id: node.at for node in card.nodes}
    pairs: set[frozenset[str]] = set()
    for edge, line in lines:
        name = f"{edge.from_}-{edge.to}"
        if line.length < PLACES_APART_MM:
            yield Problem(card.id, name, "places-too-near", f"{line.length:.1f} mm")
        pair = frozenset((edge.from_, edge.to))
        if pair in pairs or len(pair) == 1:
            yield Problem(card.id, name, "twin-corridors")
        pairs.add(pair)
        points = _dense(line)
        for i in range(0, len(points), 3):
            far = points[i + 22 :]
            if len(far) and np.hypot(*(far - points[i]).T).min() < LINES_APART_MM:
                yield Problem(card.id, name, "lines-too-near", "bends back on itself")
                break
    for (a, line_a), (b, line_b) in combinations(lines, 2):
        if a.level != b.level or line_a.distance(line_b) >= LINES_APART_MM:
            continue
        points_a, points_b = _dense(line_a), _dense(line_b)
        for id_ in {a.from_, a.to} & {b.from_, b.to}:
            points_a = _apart(points_a, at[id_], NODE_ZONE_MM)
            points_b = _apart(points_b, at[id_], NODE_ZONE_MM)
        if not len(points_a) or not len(points_b):
            continue
        gap = float(np.hypot(*(points_a[:, None] - points_b[None]).transpose(2, 0, 1)).min())
        if gap < LINES_APART_MM:
            yield Problem(card.id, f"{a.from_}-{a.to} {b.from_}-{b.to}", "lines-too-near", f"{gap:.1f} mm")
    for one, two in combinations((node for node in card.nodes if node.kind != "opening"), 2):
        gap = math.dist(one.at, two.at)
        if one.level == two.level and gap < PLACES_APART_MM - 0.01:
            yield Problem(card.id, f"{one.id} {two.id}", "places-too-near", f"{gap:.1f} mm")


def _heading(line: LineString, from_end: bool) -> np.ndarray:
    """Unit direction in which a corridor leaves its first (or last) place, over 6 mm."""
    reach = min(6.0, line.length)
    origin, towards = (line.length, line.length - reach) if from_end else (0.0, reach)
    step = np.subtract(line.interpolate(towards).coords[0], line.interpolate(origin).coords[0])
    made: np.ndarray = step / np.hypot(*step)
    return made


def _angle_deg(u: np.ndarray, v: np.ndarray) -> float:
    return math.degrees(math.acos(float(np.clip(u @ v, -1, 1))))


def _fork_problems(card: Card, lines: list[tuple[Edge, LineString]]) -> Iterator[Problem]:
    leaving: dict[str, list[np.ndarray]] = {}
    for edge, line in lines:
        leaving.setdefault(edge.from_, []).append(_heading(line, from_end=False))
        leaving.setdefault(edge.to, []).append(_heading(line, from_end=True))
    for id_, headings in leaving.items():
        for u, v in combinations(headings, 2):
            if _angle_deg(u, v) < PARTING_ANGLE_DEG:
                yield Problem(card.id, id_, "narrow-fork", f"{_angle_deg(u, v):.0f} degrees")


def _room_drawing_problems(
    card: Card, lines: list[tuple[Edge, LineString]], size_mm: tuple[float, float]
) -> Iterator[Problem]:
    polygons = {room.id: outline_polygon(room.outline) for room in card.rooms}
    doors = {node.id: node for node in card.nodes if node.kind == "door"}
    for (id_a, a), (id_b, b) in combinations(polygons.items(), 2):
        if a.distance(b) < ROOMS_APART_MM:
            yield Problem(card.id, f"{id_a} {id_b}", "rooms-too-near", f"{a.distance(b):.1f} mm")
    for room in card.rooms:
        polygon = polygons[room.id]
        x0, y0, x1, y1 = polygon.bounds
        if min(x1 - x0, y1 - y0) < ROOM_MIN_MM[0] or max(x1 - x0, y1 - y0) < ROOM_MIN_MM[1]:
            yield Problem(card.id, room.id, "room-too-small", f"{x1 - x0:.1f} x {y1 - y0:.1f} mm")
        for a, b in combinations(room.finds, 2):
            if math.dist(a.at, b.at) < FINDS_APART_MM:
                yield Problem(card.id, f"{a.id} {b.id}", "finds-too-near", f"{math.dist(a.at, b.at):.1f} mm")
        for find in room.finds:
            off = polygon.exterior.distance(Point(find.at))
            if off < FIND_FROM_WALL_MM:
                yield Problem(card.id, find.id, "find-at-wall", f"{off:.1f} mm")
        for edge, line in lines:
            if edge.level != room.level or line.distance(polygon) >= WALL_CLEARANCE_MM:
                continue
            points = _dense(line)
            for id_ in (edge.from_, edge.to):
                if id_ in doors and doors[id_].room == room.id:
                    # A corridor leaves its own door straight out; only where it bends along the wall is it
                    # near.
                    points = _apart(points, doors[id_].at, 7.5)
                    inside = line.intersection(polygon.buffer(-0.3))
                    if inside.length > 0.2:
                        yield Problem(card.id, f"{edge.from_}-{edge.to}", "line-too-near-room", "runs inside")
            gap = min((polygon.distance(Point(p)) for p in points), default=math.inf)
            if gap < WALL_CLEARANCE_MM:
                yield Problem(
                    card.id, f"{edge.from_}-{edge.to} {room.id}", "line-too-near-room", f"{gap:.1f} mm"
                )


def _level_problems(card: Card, lines: list[tuple[Edge, LineString]]) -> Iterator[Problem]:
    main = [(e, line) for e, line in lines if e.level == "main"]
    under = [(e, line) for e, line in lines if e.level != "main"]
    at = {node.id: node.at for node in card.nodes}
    fall_spots = {e.to for e in card.edges if e.kind == "fall"}
    icons = [(n.id, n.at) for n in card.nodes if n.kind in ("find", "stairs")]
    for edge, line in under:
        name = f"{edge.from_}-{edge.to}"
        ends = [at[edge.from_], at[edge.to]]
        own_pits = [at[id_] for id_ in (edge.from_, edge.to) if id_ in fall_spots]
        for id_, spot in icons:
            if id_ in (edge.from_, edge.to) or any(math.dist(spot, p) < SAME_SPOT_MM for p in own_pits):
                continue
            if line.distance(Point(spot)) < ICON_CLEARANCE_MM:
                yield Problem(
                    card.id, f"{name} {id_}", "levels-too-near", f"{line.distance(Point(spot)):.1f} mm"
                )
        points = _dense(line)
        tangents = np.gradient(points, axis=0)
        for other, other_line in main:
            if line.distance(other_line) > ALONGSIDE_MM:
                continue
            crossing = line.intersection(other_line)
            for spot in getattr(crossing, "geoms", [crossing]):
                if spot.is_empty or any(math.dist(spot.coords[0], end) < 2.0 for end in ends):
                    continue
                angle = _crossing_angle_deg(line, other_line, spot.coords[0])
                if angle < CROSSING_ANGLE_DEG:
                    yield Problem(
                        card.id, f"{name} {other.from_}-{other.to}", "narrow-crossing", f"{angle:.0f} degrees"
                    )
            for point, tangent in zip(points, tangents, strict=True):
                if (
                    any(math.dist(point, p) < 9.0 for p in own_pits)
                    or other_line.distance(Point(point)) > ALONGSIDE_MM
                ):
                    continue
                along = other_line.project(Point(point))
                ahead = np.subtract(
                    other_line.interpolate(along + 0.7).coords[0],
                    other_line.interpolate(max(0, along - 0.7)).coords[0],
                )
                if not ahead.any():
                    continue
                angle = _angle_deg(tangent / np.hypot(*tangent), ahead / np.hypot(*ahead))
                if min(angle, 180 - angle) < 25.0:
                    yield Problem(card.id, f"{name} {other.from_}-{other.to}", "hidden-line")
                    break
    yield from _covered_problems(card, main, under)
    for node in card.nodes:
        if node.kind == "opening" or node.id in fall_spots:
            continue
        for edge, line in main if node.level != "main" else under:
            if node.find == "pitfall" and any(math.dist(node.at, at[f]) < SAME_SPOT_MM for f in fall_spots):
                continue
            if line.distance(Point(node.at)) < LEVELS_APART_MM:
                yield Problem(card.id, f"{node.id} {edge.from_}-{edge.to}", "levels-too-near")
    for room in card.rooms:
        polygon = outline_polygon(room.outline).buffer(1.0)
        for node in card.nodes:
            if node.level != room.level and node.id not in fall_spots and polygon.contains(Point(node.at)):
                yield Problem(card.id, f"{node.id} {room.id}", "under-room")


def _covered_problems(
    card: Card, main: list[tuple[Edge, LineString]], under: list[tuple[Edge, LineString]]
) -> Iterator[Problem]:
    if not under:
        return
    cover = shapely.union_all(
        [line.buffer(MAIN_HALF_WIDTH_MM) for _, line in main]
        + [outline_polygon(room.outline).buffer(WALL_MM) for room in card.rooms]
    )
    room_pits = {find.id for room in card.rooms for find in room.finds if find.find == "pitfall"}
    landings = {edge.to for edge in card.edges if edge.kind == "fall" and edge.from_ in room_pits}
    for edge, line in under:
        covered = line.intersection(cover)
        stretch = max((part.length for part in getattr(covered, "geoms", [covered])), default=0.0)
        most = HIDDEN_FROM_ROOM_PIT_MM if {edge.from_, edge.to} & landings else HIDDEN_AT_MOST_MM
        floor = line.buffer(UNDER_HALF_WIDTH_MM)
        seen = floor.difference(cover).area / floor.area
        if stretch > most or seen < SEEN_AT_LEAST:
            yield Problem(
                card.id, f"{edge.from_}-{edge.to}", "hidden-line", f"{stretch:.0f} mm, {seen:.0%} seen"
            )


def _crossing_angle_deg(a: LineString, b: LineString, at: tuple[float, float]) -> float:
    headings = []
    for line in (a, b):
        along = line.project(Point(at))
        step = np.subtract(
            line.interpolate(along + 1.5).coords[0], line.interpolate(max(0.0, along - 1.5)).coords[0]
        )
        headings.append(step / np.hypot(*step))
    angle = _angle_deg(*headings)
    return min(angle, 180 - angle)


def _margin_problems(
    card: Card, lines: list[tuple[Edge, LineString]], size_mm: tuple[float, float]
) -> Iterator[Problem]:
    width, height = size_mm
    for node in card.nodes:
        x, y = node.at
        if node.kind in ("opening", "door"):
            continue
        if min(x, y, width - x, height - y) < EDGE_MARGIN_MM:
            yield Problem(card.id, node.id, "near-edge", f"{min(x, y, width - x, height - y):.1f} mm")
    corner = shapely.box(0, REFERENCE_CORNER_MM[1], REFERENCE_CORNER_MM[0], height)
    for edge, line in lines:
        if line.distance(corner) < 3.5:
            yield Problem(card.id, f"{edge.from_}-{edge.to}", "reference-corner")
    for room in card.rooms:
        if outline_polygon(room.outline).distance(corner) < 1.5:
            yield Problem(card.id, room.id, "reference-corner")
