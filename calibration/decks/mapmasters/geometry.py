"""Layout of a declared card: exact places, curved centre lines, room outlines, and positions of finds.

Every card is first laid out on its grid. Then a smooth, seeded displacement of the plane bends both levels
alike. It is a sum of long sine waves that fade out towards the card's edge. Corridors then wander as in a
drawn map, while distances between neighbours and crossings of levels are preserved. Lengths in
millimetres, x right, y down.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import cast

import numpy as np
import shapely
from shapely.geometry import LineString, Point, Polygon, box

from calibration.decks.mapmasters.declaration import (
    COLOURS,
    OPENING_SPOTS_MM,
    CardDeclaration,
    CorridorDeclaration,
    RoomDeclaration,
    load_declarations,
)
from scorer.catalogue import (
    Card,
    CardKind,
    Catalogue,
    Edge,
    FindKind,
    Goal,
    Level,
    Node,
    NodeKind,
    Room,
    RoomFind,
    Side,
)

CARD_SIZE_MM = (63.0, 88.0)
FADE_MM = 13.0  # the displacement fades out over this strip along the card's edge
CORNER_RADIUS_MM = 5.0
STEP_MM = 1.6
SIMPLIFY_MM = 0.1
ROOM_MARGIN_MM = 6.4  # from a room's outer sites to its walls
DOOR_MARGIN_MM = 4.3  # on a side whose door has a place right before it, so that they stay 9 mm apart
ROOM_MIN_MM = (18.2, 15.2)
INSIDE_WALL_MM = 5.6
FINDS_APART_MM = 8.2

Vec = np.ndarray


def spot_mm(card: CardDeclaration, spot: str) -> tuple[float, float]:
    """Position (x, y) in mm of a spot on the undisplaced grid."""
    if spot in OPENING_SPOTS_MM:
        return OPENING_SPOTS_MM[spot]
    column, row = ord(spot[0]) - ord("a"), int(spot[1]) - 1
    if spot.endswith("+"):
        return (
            (card.columns[column] + card.columns[column + 1]) / 2,
            (card.rows[row] + card.rows[row + 1]) / 2,
        )
    return card.columns[column], card.rows[row]


@dataclass(frozen=True)
class Displacement:
    """A smooth displacement of the card's plane, zero along its edge.

    `x_waves`, `y_waves`: rows of (amplitude, kx, ky, phase).
    """

    x_waves: Vec
    y_waves: Vec

    @classmethod
    def of_seed(cls, seed: int) -> Displacement:
        rng = np.random.default_rng([seed, 1])
        strength = rng.uniform(0.5, 1.5)

        def waves() -> Vec:
            length, turn = rng.uniform(42, 80, 2), rng.uniform(0, 2 * math.pi, 2)
            k = 2 * math.pi / length
            return np.column_stack(
                [
                    strength * rng.uniform(0.6, 1.1, 2),
                    k * np.cos(turn),
                    k * np.sin(turn),
                    rng.uniform(0, 6.28, 2),
                ]
            )

        return cls(waves(), waves())

    def __call__(self, points: Vec) -> Vec:
        """Displaced points (N, 2) in mm, from points (N, 2) in mm."""
        x, y = points[:, 0], points[:, 1]
        fade = np.clip(np.minimum.reduce([x, CARD_SIZE_MM[0] - x, y, CARD_SIZE_MM[1] - y]) / FADE_MM, 0, 1)
        fade = fade * fade * (3 - 2 * fade)

        def shift(waves: Vec) -> Vec:
            made: Vec = sum(a * np.sin(kx * x + ky * y + phase) for a, kx, ky, phase in waves)
            return made

        made: Vec = points + fade[:, None] * np.column_stack([shift(self.x_waves), shift(self.y_waves)])
        return made


def _rounded(points: list[tuple[float, float]]) -> Vec:
    """The polyline (N, 2) with its corners rounded by quadratic curves."""
    out: list[Vec] = [np.asarray(points[0], float)]
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        c = np.asarray(corner, float)
        legs = [np.asarray(p, float) - c for p in (before, after)]
        start, end = (c + leg / np.hypot(*leg) * min(CORNER_RADIUS_MM, np.hypot(*leg) / 2.05) for leg in legs)
        for t in np.linspace(0, 1, 6):
            out.append((1 - t) ** 2 * start + 2 * t * (1 - t) * c + t * t * end)
    out.append(np.asarray(points[-1], float))
    return np.array(out)


def _stub(opening: str, towards: tuple[float, float]) -> list[tuple[float, float]]:
    """An extra point that makes a corridor leave its opening perpendicular to the card's edge."""
    x, y = OPENING_SPOTS_MM[opening]
    reach = 4.2
    if opening in ("top", "bottom"):
        return [(x, reach if y == 0 else y - reach)] if abs(towards[0] - x) > 2 else []
    return [(reach if x == 0 else x - reach, y)] if abs(towards[1] - y) > 2 else []


def _centre_line(
    card: CardDeclaration, corridor: CorridorDeclaration, bend: Displacement, rng: np.random.Generator
) -> LineString:
    names = [card.place(corridor.from_).spot, *corridor.through, card.place(corridor.to).spot]
    points = [spot_mm(card, name) for name in names]
    if names[0] in OPENING_SPOTS_MM:
        points[1:1] = _stub(names[0], points[1])
    if names[-1] in OPENING_SPOTS_MM:
        points[-1:-1] = _stub(names[-1], points[-2])
    line = LineString(_rounded(points))
    count = max(3, math.ceil(line.length / STEP_MM) + 1)
    along = np.linspace(0, line.length, count)
    dense = bend(shapely.get_coordinates(line.interpolate(along)))
    # A slight tremble of this corridor alone, none at its ends.
    tangent = np.gradient(dense, axis=0)
    normal = (
        np.column_stack([-tangent[:, 1], tangent[:, 0]]) / np.maximum(np.hypot(*tangent.T), 1e-9)[:, None]
    )
    envelope = np.minimum(1, np.minimum(along, line.length - along) / 8)
    tremble = sum(
        rng.uniform(0.1, 0.4) * np.sin(2 * math.pi * along / wave + rng.uniform(0, 6.28))
        for wave in (9.0, 15.0, 23.0)
    )
    return LineString(dense + normal * (envelope * tremble)[:, None])


def _box_mm(card: CardDeclaration, room: RoomDeclaration) -> list[float]:
    """Bounding box (left, top, right, bottom) in mm of the room around its sites, before displacement."""
    at = np.array([spot_mm(card, site) for site in room.sites])
    low, high = at.min(0), at.max(0)
    margins = [ROOM_MARGIN_MM] * 4
    for place in card.places:
        if place.kind != "door" or place.room != room.id:
            continue
        corridor = next((c for c in card.corridors if place.id in (c.from_, c.to)), None)
        if corridor is None or corridor.through:
            continue
        other = corridor.to if corridor.from_ == place.id else corridor.from_
        step = np.subtract(spot_mm(card, card.place(other).spot), spot_mm(card, place.spot))
        side = (0 if step[0] < 0 else 2) if abs(step[0]) > abs(step[1]) else (1 if step[1] < 0 else 3)
        margins[side] = DOOR_MARGIN_MM
    for axis, minimum in enumerate(ROOM_MIN_MM):
        lack = minimum - (high[axis] - low[axis] + margins[axis] + margins[axis + 2])
        if lack > 0:
            free = [s for s in (axis, axis + 2) if margins[s] > DOOR_MARGIN_MM] or [axis, axis + 2]
            for side in free:
                margins[side] += lack / len(free)
    return [low[0] - margins[0], low[1] - margins[1], high[0] + margins[2], high[1] + margins[3]]


def _ell(card: CardDeclaration, room: RoomDeclaration) -> Polygon:
    """Outline of an L-shaped room: arms between adjacent sites, with a margin around each."""
    margin = ROOM_MARGIN_MM + 0.4
    at = [spot_mm(card, site) for site in room.sites]
    parts = [box(x - margin, y - margin, x + margin, y + margin) for x, y in at]
    for a, b in ((a, b) for i, a in enumerate(room.sites) for b in room.sites[i + 1 :]):
        if abs(ord(a[0]) - ord(b[0])) + abs(int(a[1]) - int(b[1])) == 1:
            parts.append(
                LineString([spot_mm(card, a), spot_mm(card, b)]).buffer(
                    margin, cap_style="square", join_style="mitre"
                )
            )
    return shapely.union_all(parts).simplify(0.01)


def _outline(
    card: CardDeclaration, room: RoomDeclaration, bend: Displacement, rng: np.random.Generator
) -> Polygon:
    left, top, right, bottom = _box_mm(card, room)
    centre = np.array([[(left + right) / 2, (top + bottom) / 2]])
    if room.shape == "ell":
        corners = shapely.get_coordinates(_ell(card, room).exterior)[:-1]
        centre = corners.mean(0)[None]
        return Polygon(corners + (bend(centre) - centre))
    if room.shape == "irregular":
        corners = _jagged(left, top, right, bottom, rng)
        return Polygon(bend(corners))
    shift = (bend(centre) - centre)[0]
    left, right, top, bottom = left + shift[0], right + shift[0], top + shift[1], bottom + shift[1]
    if "left" in room.edges:
        left = 0.0
    if "right" in room.edges:
        right = CARD_SIZE_MM[0]
    if room.shape == "chamfer":
        cuts = np.where(rng.random(4) < 0.7, rng.uniform(2.8, 5.0, 4), 0.0)
        if not cuts.any():
            cuts[rng.integers(4)] = 4.0
        corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
        return Polygon(_cut_corners(corners, cuts))
    return box(left, top, right, bottom)


def _cut_corners(corners: list[tuple[float, float]], cuts: Vec) -> list[tuple[float, float]]:
    out = []
    for i, corner in enumerate(corners):
        if cuts[i] == 0:
            out.append(corner)
            continue
        for other in (corners[i - 1], corners[(i + 1) % 4]):
            step = np.subtract(other, corner)
            out.append(tuple(corner + step / np.hypot(*step) * cuts[i]))
    return out


def _jagged(left: float, top: float, right: float, bottom: float, rng: np.random.Generator) -> Vec:
    """Outline (N, 2) of a cave: corners cut or moved inward, sides slightly broken."""
    corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
    inwards = np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)])
    corners = corners + inwards * rng.uniform(0, 1.8, (4, 2))
    out = _cut_corners(
        [tuple(c) for c in corners], np.where(rng.random(4) < 0.6, rng.uniform(2.0, 4.5, 4), 0.0)
    )
    points = []
    middle = np.array([(left + right) / 2, (top + bottom) / 2])
    for a, b in zip(out, [*out[1:], out[0]], strict=True):
        points.append(a)
        if math.dist(a, b) > 11:
            t = rng.uniform(0.35, 0.65)
            break_ = np.asarray(a) * (1 - t) + np.asarray(b) * t
            outward = break_ - middle
            points.append(tuple(break_ + outward / np.hypot(*outward) * rng.uniform(-0.6, 0.7)))
    return np.array(points)


def _place_finds(
    polygon: Polygon, count: int, fixed: list[tuple[float, float]], rng: np.random.Generator
) -> list[tuple[float, float]] | None:
    """`count` further points inside the walls, spread widely but unevenly; None when they do not fit.

    `fixed`: finds with given positions, listed first in the result (a pitfall must be above its landing).
    """
    inside = polygon.buffer(-INSIDE_WALL_MM)
    if any(not inside.contains(Point(spot)) for spot in fixed):
        return None
    if not count:
        return fixed
    if inside.is_empty:
        return None
    x0, y0, x1, y1 = inside.bounds
    grid = np.array([(x, y) for x in np.linspace(x0, x1, 22) for y in np.linspace(y0, y1, 22)])
    grid = grid[shapely.contains_xy(inside.buffer(0.01), grid[:, 0], grid[:, 1])]
    if not len(grid):
        return None
    best: tuple[float, list[Vec]] = (-1.0, [])
    for _ in range(30):
        chosen = [np.asarray(spot) for spot in fixed] or [grid[rng.integers(len(grid))]]
        while len(chosen) < count + len(fixed):
            gaps = np.min([np.hypot(*(grid - c).T) for c in chosen], axis=0)
            # Not always the farthest point: rooms look furnished by hand, not by a formula.
            ranked = np.flatnonzero(gaps >= min(gaps.max(), max(FINDS_APART_MM, gaps.max() * 0.8)))
            chosen.append(grid[rng.choice(ranked)])
        nearest = min(
            (math.dist(a, b) for i, a in enumerate(chosen) for b in chosen[i + 1 :]), default=math.inf
        )
        if nearest >= FINDS_APART_MM * 1.25:
            best = (nearest, chosen)
            break
        if nearest > best[0]:
            best = (nearest, chosen)
    return [(float(x), float(y)) for x, y in best[1]] if best[0] >= FINDS_APART_MM else None


def _cut_at_room(line: LineString, polygon: Polygon, from_start: bool) -> LineString | None:
    """The part of a corridor outside its room, from the door outward. The line starts (or ends) inside the
    room."""
    outside = line.difference(polygon)
    parts = [part for part in getattr(outside, "geoms", [outside]) if part.length > 0.5]
    if len(parts) != 1:
        return None
    part = parts[0]
    wanted = line.coords[-1] if from_start else line.coords[0]
    reached = part.coords[-1] if from_start else part.coords[0]
    return part if math.dist(wanted, reached) < 0.01 else None


class LayoutError(ValueError):
    """Error: the declaration cannot be laid out with this seed."""


def _mm(value: float) -> float:
    return round(float(value), 2)


def _point(xy: Vec | tuple[float, float]) -> tuple[float, float]:
    return _mm(xy[0]), _mm(xy[1])


def lay_out(card: CardDeclaration, *, id_: str | None = None, colour: str | None = None) -> Card:
    """The declared card in the form of docs/FORMATS.md, section 1. Raises `LayoutError` when something
    does not fit."""
    bend = Displacement.of_seed(card.seed)
    rng = np.random.default_rng([card.seed, 2])
    outlines = {room.id: _outline(card, room, bend, rng) for room in card.rooms}
    at = {p.id: _point(bend(np.array([spot_mm(card, p.spot)]))[0]) for p in card.places if p.kind != "door"}
    edges: list[Edge] = []
    joined_to_opening: list[Edge] = []
    for corridor in card.corridors:
        ends = [card.place(corridor.from_), card.place(corridor.to)]
        if {p.kind for p in ends} == {"door", "opening"} and not corridor.through:
            door, opening = sorted(ends, key=lambda p: p.kind)
            assert door.room is not None
            if outlines[door.room].exterior.distance(Point(at[opening.id])) < 0.01:
                at[door.id] = at[opening.id]
                joined_to_opening.append(
                    Edge(
                        kind="corridor",
                        from_=corridor.from_,
                        to=corridor.to,
                        level=cast(Level, corridor.level),
                    )
                )
                continue
        line = _centre_line(card, corridor, bend, rng)
        for place, from_start in zip(ends, (True, False), strict=True):
            if place.kind == "door":
                assert place.room is not None
                cut = _cut_at_room(line, outlines[place.room], from_start)
                if cut is None:
                    raise LayoutError(f"{card.id}: no clean door {place.id}")
                line = cut
                at[place.id] = _point(line.coords[0 if from_start else -1])
        via = shapely.get_coordinates(line.simplify(SIMPLIFY_MM))[1:-1]
        kept = [_point(p) for p in via if min(math.dist(p, at[e.id]) for e in ends) > 1.0]
        edges.append(
            Edge(
                kind="corridor",
                from_=corridor.from_,
                to=corridor.to,
                level=cast(Level, corridor.level),
                via=tuple(kept),
            )
        )
    edges += joined_to_opening
    edges += [Edge(kind="stairs", from_=a, to=b) for a, b in card.stairs]
    edges += [Edge(kind="fall", from_=a, to=b) for a, b in card.falls]
    rooms = []
    for room in card.rooms:
        landing = {pit: at[place] for pit, place in card.falls}
        ordered = sorted(room.finds, key=lambda entry: entry[0] not in landing)
        fixed = [landing[f_id] for f_id, _, _ in ordered if f_id in landing]
        spots = _place_finds(outlines[room.id], len(ordered) - len(fixed), fixed, rng)
        if spots is None:
            raise LayoutError(f"{card.id}: finds of {room.id} do not fit")
        finds = [
            RoomFind(id=f_id, find=cast(FindKind, find), at=_point(spot), value=value)
            for (f_id, find, value), spot in zip(ordered, spots, strict=True)
        ]
        outline = shapely.get_coordinates(outlines[room.id].exterior)[:-1]
        rooms.append(Room(id=room.id, outline=tuple(_point(p) for p in outline), finds=tuple(finds)))
    nodes = [
        Node(
            id=p.id, kind=cast(NodeKind, p.kind), at=at[p.id], level=cast(Level, p.level),
            find=cast(FindKind | None, p.find), room=p.room, value=p.value,
            side=cast(Side, p.spot.split("-")[0]) if p.kind == "opening" else None,
        )
        for p in card.places
    ]  # fmt: skip
    name = id_ or card.id
    return Card(
        id=name, kind=cast(CardKind, card.kind), art=f"art/{name}.png", cost=card.cost,
        colour=colour, seed=card.seed, nodes=tuple(nodes), edges=tuple(edges), rooms=tuple(rooms),
        goals=tuple(Goal(id=goal.id, at=goal.at, requires=dict(goal.asks)) for goal in card.goals),
    )  # fmt: skip


def build_catalogue() -> Catalogue:
    """The deck's catalogue, with each card laid out from its declaration. The nine starters come in five
    colours each."""
    cards: list[Card] = []
    for declared in load_declarations():
        if declared.kind == "starter":
            cards += [lay_out(declared, id_=f"{declared.id}-{colour}", colour=colour) for colour in COLOURS]
        else:
            cards.append(lay_out(declared))
    return Catalogue(name="open", game="mapmasters", cards=tuple(cards), card_size_mm=CARD_SIZE_MM)
