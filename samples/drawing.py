"""What a player draws on the tableau: the pen, the path's strokes, marks and flourishes, in true table mm."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from shapely.geometry import LineString, MultiPoint, Polygon

from samples import ink
from samples.projection import card_to_table
from samples.scene_schema import SceneCard
from samples.splits import INK_SHIFT, Split
from samples.walks import DrawnWalk, Strokes
from scorer.dungeon import Dungeon, Link, Place
from scorer.placement import table_to_card
from scorer.record import Marks

Array = NDArray[np.float64]
# A find's icon is about 7.5 mm across; rings keep just outside it.
RING_MM = (4.1, 5.3)
STRIKE_MM = 4.3
CORRIDOR_REACH_MM = 1.6


def random_pen(split: Split, rng: np.random.Generator) -> ink.Pen:
    colour = str(rng.choice(["black", "blue", "red", "green"], p=[0.4, 0.25, 0.2, 0.15]))
    pen = ink.Pen.random(rng, colour)
    shifted = [int(np.clip(c + s, 0, 255)) for c, s in zip(pen.rgb, INK_SHIFT[split], strict=True)]
    return ink.Pen(**{**pen.__dict__, "rgb": tuple(shifted)})


def marks_drawn(dungeon: Dungeon, drawn: DrawnWalk, rng: np.random.Generator) -> Marks:
    """What the player circled and struck: all of it, some of it, or nothing."""
    care = float(rng.choice([1.0, 0.95, 0.6, 0.0], p=[0.35, 0.25, 0.22, 0.18]))
    found: list[str] = []
    struck: list[str] = []
    for step in drawn.ruling.steps:
        found += [place for place in step.found if dungeon.places[place].find is not None]
        for payment in step.paid:
            struck += [payment.at] if dungeon.places[payment.at].find is not None else []
            struck += [payment.source] if payment.source is not None else []
    items_only = rng.random() < 0.15
    if items_only:
        found = [
            p for p in found if dungeon.places[p].find in ("coin", "barrel", "sword", "key", "rope", "scroll")
        ]
    circled = [place for place in dict.fromkeys(found) if rng.random() < care]
    crossed = [place for place in dict.fromkeys(struck) if rng.random() < care]
    return Marks(circled=tuple(circled), struck=tuple(crossed))


def drawn_strokes(
    dungeon: Dungeon,
    cards: list[SceneCard],
    drawn: DrawnWalk,
    marks: Marks,
    pen: ink.Pen,
    rng: np.random.Generator,
) -> list[ink.Stroke]:
    """All ink on the table: old ghosts, the path's strokes in order, marks and flourishes."""
    strokes: list[ink.Stroke] = []
    if rng.random() < 0.15:
        for _ in range(int(rng.integers(1, 4))):
            card = cards[int(rng.integers(len(cards)))]
            start = np.asarray(card.pose.centre_mm) + rng.uniform(-25, 25, 2)
            strokes.append(
                ink.ghost_stroke(
                    np.vstack([start, start + rng.normal(0, 22, 2), start + rng.normal(0, 25, 2)]), pen, rng
                )
            )
    strokes += path_strokes(dungeon, cards, drawn.strokes, pen, rng)
    return strokes + mark_strokes(dungeon, cards, marks, pen, rng)


def path_strokes(
    dungeon: Dungeon, cards: list[SceneCard], walked: Strokes, pen: ink.Pen, rng: np.random.Generator
) -> list[ink.Stroke]:
    """The path's strokes in order, each with its flourishes behind it."""
    strokes: list[ink.Stroke] = []
    lifts_often = rng.random() < 0.2
    last = len(walked) - 1
    for number, places in enumerate(walked):
        guide, seams = _guide(dungeon, cards, places, number == 0, number == last, rng)
        stroke = ink.path_stroke(guide, pen, rng, reach_mm=CORRIDOR_REACH_MM)
        for seam in seams:
            if rng.random() < (0.5 if lifts_often else 0.08):
                stroke = ink.lifted(stroke, seam + rng.normal(0, 0.6, 2), float(rng.uniform(0.6, 3.0)))
        strokes.append(stroke)
        if number == 0 and rng.random() < 0.08:
            strokes.append(ink.dot_stroke(stroke.points_mm[0], pen, rng))
        if number == last and rng.random() < 0.12:
            strokes += ink.arrow_strokes(stroke.points_mm, pen, rng)
    return strokes


def mark_strokes(
    dungeon: Dungeon, cards: list[SceneCard], marks: Marks, pen: ink.Pen, rng: np.random.Generator
) -> list[ink.Stroke]:
    """Rings around what was circled, lines through what was struck."""
    strokes: list[ink.Stroke] = []
    for name in marks.circled:
        strokes.append(
            ink.circle_stroke(on_true_table(dungeon, cards, name), rng.uniform(*RING_MM), pen, rng)
        )
    for name in marks.struck:
        strokes += ink.strike_strokes(on_true_table(dungeon, cards, name), STRIKE_MM, pen, rng)
    return strokes


def _true(dungeon: Dungeon, cards: list[SceneCard], card_index: int, points_mm: Array) -> Array:
    """Nominal table points that belong to a card, moved to where that card truly lies."""
    placed = dungeon.cards[card_index]
    size = dungeon.catalogue.card_size_mm
    local = np.array([table_to_card(placed, (float(x), float(y)), size) for x, y in points_mm])
    card = cards[card_index]
    if card.size_mm != size:  # printed at home, at a scale of its own
        local = local * (np.asarray(card.size_mm) / size)
    return card_to_table(card, local)[:, :2]


def link_line(dungeon: Dungeon, cards: list[SceneCard], link: Link) -> Array:
    """The middle of a corridor (N, 2) from `link.a` to `link.b`, where its card truly lies."""
    line = ink.resample(np.asarray(link.line_mm, float), 0.5)
    return _true(dungeon, cards, dungeon.places[link.a].card_index, line)


def on_true_table(dungeon: Dungeon, cards: list[SceneCard], name: str) -> Array:
    """Where a place (2,) truly lies, true table mm."""
    place = dungeon.places[name]
    made: Array = _true(dungeon, cards, place.card_index, np.array([place.at_mm]))[0]
    return made


def _guide(
    dungeon: Dungeon,
    cards: list[SceneCard],
    places: tuple[str, ...],
    first: bool,
    last: bool,
    rng: np.random.Generator,
) -> tuple[Array, list[Array]]:
    """The line that the player means to draw through `places`, true table mm, and the points where it
    changes cards."""
    nodes = [dungeon.places[name] for name in places]
    pieces: list[Array] = []
    seams: list[Array] = []
    step = 0
    while step < len(nodes) - 1:
        here, there = nodes[step], nodes[step + 1]
        if there.kind == "room" and step + 2 < len(nodes):
            line = _through_room(there, here, nodes[step + 2], rng)
            step += 2
        elif there.kind == "room":
            line = _into_room(there, here, rng)
            step += 1
        elif here.kind == "room":
            line = _into_room(here, there, rng)[::-1]
            step += 1
        else:
            link = _link(dungeon, here, there, rng)
            line = np.asarray(link.line_mm if link is not None else (here.at_mm, there.at_mm), float)
            step += 1
            if here.card_index != there.card_index:
                ends = [on_true_table(dungeon, cards, p.id) for p in (here, there)]
                seams.append((ends[0] + ends[1]) / 2)
                pieces.append(np.array(ends))
                continue
        pieces.append(_true(dungeon, cards, here.card_index, ink.resample(line, 0.5)))
    if not pieces:
        at = on_true_table(dungeon, cards, nodes[0].id)
        pieces = [at + np.array([[-1.0, 0.0], [1.0, 0.0]])]
    guide = ink.resample(np.vstack(pieces), 0.5)
    return _with_ends(guide, nodes, first, last, rng), seams


def _link(dungeon: Dungeon, here: Place, there: Place, rng: np.random.Generator) -> Link | None:
    links = dungeon.links_between(here.id, there.id)
    return links[int(rng.integers(len(links)))] if links else None


def _with_ends(guide: Array, nodes: list[Place], first: bool, last: bool, rng: np.random.Generator) -> Array:
    """Starts a little inside the edge, stops short of a wall or on an obstacle, as hands do."""
    start = rng.uniform(0, 3.0) if nodes[0].kind == "opening" else rng.uniform(0, 1.2)
    end_kind = nodes[-1].kind
    if end_kind == "opening":
        stop = rng.uniform(0, 2.5)
    elif last and nodes[-1].find in ("monster", "padlock", "lava_pit"):
        stop = rng.uniform(0, 2.8)
    else:
        stop = rng.uniform(0, 1.2)
    fine = ink.resample(guide, 0.1)
    low, high = int(start / 0.1), len(fine) - int(stop / 0.1)
    return fine[low:high] if high - low > 30 else fine


def _bezier(p0: Array, p1: Array, p2: Array, p3: Array) -> Array:
    t = np.linspace(0, 1, 40)[:, None]
    return np.asarray((1 - t) ** 3 * p0 + 3 * (1 - t) ** 2 * t * p1 + 3 * (1 - t) * t**2 * p2 + t**3 * p3)


def _inward(room: Place, place: Place) -> Array:
    """Unit vector into the room at a door; towards the middle at a find."""
    at, middle = np.asarray(place.at_mm), np.asarray(room.at_mm)
    if place.kind != "door":
        way = middle - at
        return np.asarray(way / max(float(np.linalg.norm(way)), 1e-6))
    outline = np.asarray(room.outline_mm)
    best, normal = math.inf, middle - at
    for a, b in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        along = b - a
        length = float(np.linalg.norm(along))
        t = float(np.clip((at - a) @ along / max(length**2, 1e-9), 0, 1))
        off = float(np.linalg.norm(at - a - t * along))
        if off < best and length > 3:
            best, normal = off, np.array([-along[1], along[0]]) / length
    probe = at + normal * 1.0
    inside = Polygon(room.outline_mm).buffer(0.2).contains(MultiPoint([tuple(probe)]))
    return np.asarray(normal if inside else -normal)


def _through_room(room: Place, here: Place, there: Place, rng: np.random.Generator) -> Array:
    """A natural curve across a room from one of its places to another."""
    a, b = np.asarray(here.at_mm), np.asarray(there.at_mm)
    apart = float(np.linalg.norm(b - a))
    inner = Polygon(room.outline_mm).buffer(-1.2)
    outline = np.asarray(room.outline_mm)
    depth = float(np.ptp(outline, axis=0).min())
    for bold in (rng.uniform(0.3, 0.6), 0.25, 0.12):
        pull_a = max(bold * apart, 0.35 * depth * bold * 2) if here.kind == "door" else 0.0
        pull_b = max(bold * apart, 0.35 * depth * bold * 2) if there.kind == "door" else 0.0
        curve = _bezier(a, a + _inward(room, here) * pull_a, b + _inward(room, there) * pull_b, b)
        if all(inner.buffer(0.5).covers(MultiPoint([tuple(p)])) for p in curve[6:-6]):
            return curve
    # round a corner of an L-shaped room
    return ink.resample(_shortest_inside(room, a, b), 0.5)


def _shortest_inside(room: Place, a: Array, b: Array) -> Array:
    """The shortest way within the room that keeps off its walls (visibility graph on the shrunken
    outline)."""
    inner = Polygon(room.outline_mm).buffer(-3.0, join_style="mitre")
    if inner.is_empty or inner.geom_type != "Polygon":
        return np.vstack([a, np.asarray(room.at_mm), b])
    free = Polygon(room.outline_mm).buffer(-2.0)
    turns = [a, *np.asarray(inner.exterior.coords)[:-1], b]
    count = len(turns)
    cost = np.full(count, np.inf)
    cost[0], previous, left = 0.0, [-1] * count, set(range(count))
    while left:
        k = min(left, key=lambda i: cost[i])
        left.discard(k)
        for j in left:
            # doors lie in the wall: their ends are cut off before testing
            p = turns[k] + (_towards(turns[k], turns[j], 3.2) if k in (0, count - 1) else 0)
            q = turns[j] + (_towards(turns[j], turns[k], 3.2) if j in (0, count - 1) else 0)
            reach = cost[k] + float(np.linalg.norm(turns[j] - turns[k]))
            if reach < cost[j] and free.covers(LineString([p, q])):
                cost[j], previous[j] = reach, k
    if not np.isfinite(cost[-1]):
        return np.vstack([a, np.asarray(room.at_mm), b])
    way, k = [], count - 1
    while k >= 0:
        way.append(turns[k])
        k = previous[k]
    return np.array(way[::-1])


def _towards(a: Array, b: Array, length: float) -> Array:
    way = np.asarray(b, float) - a
    return np.asarray(way / max(float(np.linalg.norm(way)), 1e-6) * length)


def _into_room(room: Place, here: Place, rng: np.random.Generator) -> Array:
    """From a place of the room to somewhere in its middle, where the line ends."""
    at = np.asarray(here.at_mm)
    middle = np.asarray(Polygon(room.outline_mm).representative_point().coords[0])
    goal = at + (middle - at) * rng.uniform(0.7, 1.05) + rng.normal(0, 0.8, 2)
    return _bezier(at, at + _inward(room, here) * 4.0, goal, goal)
