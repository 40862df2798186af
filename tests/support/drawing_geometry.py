"""Geometric checks of the open deck's drawings: minimum distances and angles that a camera needs.

`drawing_problems` is stricter than the contract of every catalogue (`card_geometry`). Lengths are
millimetres on the upright card, x right, y down.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations

import numpy as np
import shapely
from shapely.geometry import LineString, Point

from calibration.enrol.card_geometry import SAME_SPOT_MM, Problem, corridors, outline_polygon
from scorer.catalogue import Card, Edge, Room

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


def drawing_problems(card: Card, size_mm: tuple[float, float]) -> list[Problem]:
    """All features of an open-deck card that are hard to read by eye or camera."""
    lines = corridors(card)
    return [
        *_spacing_problems(card, lines),
        *_fork_problems(card, lines),
        *_room_drawing_problems(card, lines, size_mm),
        *_level_problems(card, lines),
        *_margin_problems(card, lines, size_mm),
    ]


def _dense(line: LineString) -> np.ndarray:
    """Points (N, 2) at steps of about one millimetre along the line, both ends included."""
    count = max(2, math.ceil(line.length) + 1)
    made: np.ndarray = shapely.get_coordinates(line.interpolate(np.linspace(0, 1, count), normalized=True))
    return made


def _apart(points: np.ndarray, centre: tuple[float, float], radius: float) -> np.ndarray:
    made: np.ndarray = points[np.hypot(*(points - np.asarray(centre)).T) > radius]
    return made


def _spacing_problems(card: Card, lines: list[tuple[Edge, LineString]]) -> Iterator[Problem]:
    """Corridors that are too short, duplicated or bent back, and corridors and places of one level that
    are too close."""
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
    yield from _lines_apart_problems(card, lines)
    for one, two in combinations((node for node in card.nodes if node.kind != "opening"), 2):
        gap = math.dist(one.at, two.at)
        if one.level == two.level and gap < PLACES_APART_MM - 0.01:
            yield Problem(card.id, f"{one.id} {two.id}", "places-too-near", f"{gap:.1f} mm")


def _lines_apart_problems(card: Card, lines: list[tuple[Edge, LineString]]) -> Iterator[Problem]:
    at = {node.id: node.at for node in card.nodes}
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


def _heading(line: LineString, from_end: bool) -> np.ndarray:
    """Unit vector (2,) of a corridor at its first (or last) place, over 6 mm."""
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
        yield from _beside_room_problems(card, lines, room)


def _beside_room_problems(card: Card, lines: list[tuple[Edge, LineString]], room: Room) -> Iterator[Problem]:
    """Corridors of a room's level that run inside the room or too near its walls."""
    polygon = outline_polygon(room.outline)
    doors = {node.id: node for node in card.nodes if node.kind == "door"}
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
            yield Problem(card.id, f"{edge.from_}-{edge.to} {room.id}", "line-too-near-room", f"{gap:.1f} mm")


def _level_problems(card: Card, lines: list[tuple[Edge, LineString]]) -> Iterator[Problem]:
    """Underground corridors and places that the main level covers or makes hard to distinguish."""
    main = [(e, line) for e, line in lines if e.level == "main"]
    under = [(e, line) for e, line in lines if e.level != "main"]
    fall_spots = {e.to for e in card.edges if e.kind == "fall"}
    for edge, line in under:
        yield from _under_icon_problems(card, edge, line, fall_spots)
        for other in main:
            yield from _alongside_problems(card, (edge, line), other, fall_spots)
    yield from _covered_problems(card, main, under)
    yield from _other_level_problems(card, main, under, fall_spots)
    for room in card.rooms:
        polygon = outline_polygon(room.outline).buffer(1.0)
        for node in card.nodes:
            if node.level != room.level and node.id not in fall_spots and polygon.contains(Point(node.at)):
                yield Problem(card.id, f"{node.id} {room.id}", "under-room")


def _own_pits(card: Card, edge: Edge, fall_spots: set[str]) -> list[tuple[float, float]]:
    """Positions in mm of the landings at the ends of a corridor."""
    at = {node.id: node.at for node in card.nodes}
    return [at[id_] for id_ in (edge.from_, edge.to) if id_ in fall_spots]


def _under_icon_problems(card: Card, edge: Edge, line: LineString, fall_spots: set[str]) -> Iterator[Problem]:
    """Icons too near an underground corridor, except those at its own ends."""
    own_pits = _own_pits(card, edge, fall_spots)
    for id_, spot in [(n.id, n.at) for n in card.nodes if n.kind in ("find", "stairs")]:
        if id_ in (edge.from_, edge.to) or any(math.dist(spot, p) < SAME_SPOT_MM for p in own_pits):
            continue
        if line.distance(Point(spot)) < ICON_CLEARANCE_MM:
            name = f"{edge.from_}-{edge.to} {id_}"
            yield Problem(card.id, name, "levels-too-near", f"{line.distance(Point(spot)):.1f} mm")


def _alongside_problems(
    card: Card, below: tuple[Edge, LineString], above: tuple[Edge, LineString], fall_spots: set[str]
) -> Iterator[Problem]:
    """Crossings of an underground and a main corridor at too small an angle, and underground corridors
    covered along their length."""
    (edge, line), (other, other_line) = below, above
    if line.distance(other_line) > ALONGSIDE_MM:
        return
    name = f"{edge.from_}-{edge.to} {other.from_}-{other.to}"
    at = {node.id: node.at for node in card.nodes}
    ends = [at[edge.from_], at[edge.to]]
    crossing = line.intersection(other_line)
    for spot in getattr(crossing, "geoms", [crossing]):
        if spot.is_empty or any(math.dist(spot.coords[0], end) < 2.0 for end in ends):
            continue
        angle = _crossing_angle_deg(line, other_line, spot.coords[0])
        if angle < CROSSING_ANGLE_DEG:
            yield Problem(card.id, name, "narrow-crossing", f"{angle:.0f} degrees")
    if _is_hidden_along(line, other_line, _own_pits(card, edge, fall_spots)):
        yield Problem(card.id, name, "hidden-line")


def _is_hidden_along(line: LineString, other_line: LineString, own_pits: list[tuple[float, float]]) -> bool:
    """Whether a line runs parallel and close to another somewhere, away from its own landings."""
    points = _dense(line)
    for point, tangent in zip(points, np.gradient(points, axis=0), strict=True):
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
            return True
    return False


def _other_level_problems(
    card: Card,
    main: list[tuple[Edge, LineString]],
    under: list[tuple[Edge, LineString]],
    fall_spots: set[str],
) -> Iterator[Problem]:
    """Places located on a corridor of the other level."""
    at = {node.id: node.at for node in card.nodes}
    for node in card.nodes:
        if node.kind == "opening" or node.id in fall_spots:
            continue
        for edge, line in main if node.level != "main" else under:
            if node.find == "pitfall" and any(math.dist(node.at, at[f]) < SAME_SPOT_MM for f in fall_spots):
                continue
            if line.distance(Point(node.at)) < LEVELS_APART_MM:
                yield Problem(card.id, f"{node.id} {edge.from_}-{edge.to}", "levels-too-near")


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
