"""Random table scenes: which cards lie where, what the player drew, and how the photo was taken.

`make_sample(split, index)` is a pure function of its arguments and the open deck. The splits draw from
disjoint seeds, table designs, lamps and inks: what is tuned on "tuning" has never seen a "validation" scene.
Frames: nominal table mm (the record's), true table mm (cards lie a little off), upright card mm; x right, y
down.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Literal

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray
from shapely.geometry import LineString, MultiPoint, Polygon
from shapely.ops import unary_union

from calibration.open_deck import bundled_catalogue
from samples import ink
from samples.camera import distort
from samples.projection import (
    camera_position,
    card_corners_mm,
    card_to_photo,
    card_to_table,
    photo_to_table,
    table_to_photo,
)
from samples.props import shape_of
from samples.scene_schema import (
    Camera,
    CardPose,
    Finish,
    Light,
    Post,
    Prop,
    Scene,
    SceneCard,
    Table,
    save_scene,
)
from samples.walks import DrawnWalk, draw_walk
from scorer.catalogue import Card, Catalogue, load_catalogue
from scorer.dungeon import Dungeon, Link, Place, build_dungeon
from scorer.placement import footprint, overlapping, table_to_card
from scorer.record import Marks, PlacedCard, Record, make_record

Array = NDArray[np.float64]
Split = Literal["tuning", "validation", "sample"]

FIRST_SEED: dict[str, int] = {"tuning": 1_000_000, "validation": 2_000_000, "sample": 3_000_000}
SEEDS_PER_SPLIT = 1_000_000
# Lamps (kelvin) and a shift of the inks' sRGB: no two splits share one.
LAMPS: dict[str, tuple[float, ...]] = {
    "tuning": (2750, 3400, 4300, 5200, 6500),
    "validation": (2900, 3800, 4700, 5800, 7200),
    "sample": (2820, 3600, 5000, 5500, 6100),
}
INK_SHIFT: dict[str, tuple[int, int, int]] = {
    "tuning": (0, 0, 0),
    "validation": (10, 8, -8),
    "sample": (-6, 6, 8),
}
TABLE_KINDS = ("wood", "cloth", "playmat", "white_desk", "dark_desk")

HALF_SHIFT_MM = 44.0
ILLEGAL_SHARE = 0.15
# A find's icon is about 7.5 mm across; rings keep just outside it.
RING_MM = (4.1, 5.3)
STRIKE_MM = 4.3
NEIGHBOUR_GAP_MM = 7.0
CORRIDOR_REACH_MM, UNDERGROUND_REACH_MM, ROOM_REACH_MM = 1.6, 1.3, 1.9


@dataclass(frozen=True)
class Sample:
    """One photo to be: the scene, the pictures it names, and what is true of it. `path_mm` are the strokes'
    middle lines, true table mm."""

    split: str
    seed: int
    scene: Scene
    images: dict[str, NDArray[np.uint8]]
    record: Record
    path_mm: tuple[Array, ...]
    pen: ink.Pen
    legal: bool


class NoScene(Exception):
    """These random choices make no playable scene."""


@cache
def open_deck() -> Catalogue:
    """The bundled catalogue."""
    return load_catalogue(bundled_catalogue())


def card_face(card: Card) -> NDArray[np.uint8]:
    """A card's printed face (H, W, 3) sRGB, upright. Raises `FileNotFoundError` without its picture."""
    path = open_deck().art_path(card)
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR_RGB)
    if picture is None:
        raise FileNotFoundError(path)
    return np.asarray(picture, np.uint8)


def make_sample(split: Split, index: int) -> Sample:
    """The sample photo `index` of a split. Raises `ValueError` for an index beyond the split's seeds."""
    if not 0 <= index < SEEDS_PER_SPLIT:
        raise ValueError(f"index {index} is not in 0..{SEEDS_PER_SPLIT - 1}")
    seed = FIRST_SEED[split] + index
    for attempt in range(40):
        try:
            return _attempt(split, seed, np.random.default_rng([seed, attempt]))
        except NoScene:
            continue
    raise RuntimeError(f"no scene could be made from seed {seed}")


def _attempt(split: Split, seed: int, rng: np.random.Generator) -> Sample:
    catalogue = open_deck()
    placed = random_layout(catalogue, rng)
    dungeon = build_dungeon(catalogue, placed)
    drawn = draw_walk(dungeon, rng, legal=bool(rng.random() >= ILLEGAL_SHARE))
    if drawn is None:
        raise NoScene
    images: dict[str, NDArray[np.uint8]] = {}
    cards = [_posed(card, index, rng) for index, card in enumerate(placed)]
    pen = _pen(split, rng)
    marks = _marks(dungeon, drawn, rng)
    strokes = _drawn_strokes(dungeon, cards, drawn, marks, pen, rng)
    for index, card in enumerate(cards):
        images[card.face] = card_face(catalogue.card(card.card))
        film = ink.film(
            strokes,
            partial(table_to_card_true, card),
            card.size_mm,
            pen,
            seed + index,
        )
        if float(film.max()) > 0:
            name = f"ink{index}.png"
            images[name] = ink.overlay(film, pen)
            cards[index] = msgspec.structs.replace(card, ink=name)
    camera = _camera(cards, rng)
    others = _others(catalogue, cards, placed, camera, images, rng)
    light = _light(split, rng)
    scene = Scene(
        seed=seed,
        cards=tuple(cards),
        others=tuple(others),
        props=tuple(_props(cards, others, camera, light, pen, rng)),
        table=Table(str(rng.choice(TABLE_KINDS)), seed),  # type: ignore[arg-type]
        light=light,
        camera=camera,
        finish=Finish(
            gloss=float(rng.beta(2, 2)),
            linen=float(rng.choice([0.0, 0.4, 0.8])),
            wear=float(rng.beta(1.3, 3)),
        ),
        post=_post(rng, seed),
    )
    record = make_record(tuple(placed), drawn.strokes, marks=marks)
    path = tuple(stroke.points_mm for stroke in strokes if stroke.kind == "path")
    return Sample(split, seed, scene, images, record, path, pen, drawn.ruling.legal)


# --- the tableau
# ---------------------------------------------------------------------------------------------------


def random_layout(catalogue: Catalogue, rng: np.random.Generator) -> list[PlacedCard]:
    """Three to five cards laid by the rules, none twice, grown one by one so that corridors connect."""
    count = int(rng.choice([5, 4, 3], p=[0.74, 0.16, 0.10]))
    starters = [card for card in catalogue.cards if card.kind == "starter"]
    others = [card for card in catalogue.cards if card.kind == "dungeon"]
    rare = [card for card in catalogue.cards if card.kind in ("step", "boss")]
    colour = str(rng.choice(sorted({card.colour for card in starters if card.colour})))
    own = [card for card in starters if card.colour == colour]
    n_starters = int(rng.integers(0, min(4, count)))
    hand = [own[k] for k in rng.permutation(len(own))[:n_starters]]
    hand += [others[k] for k in rng.permutation(len(others))[: count - n_starters]]
    if rare and rng.random() < 0.08:
        hand[-1] = rare[int(rng.integers(len(rare)))]
    hand = [hand[k] for k in rng.permutation(len(hand))]
    form = str(rng.choice(["any", "block", "row", "column"], p=[0.5, 0.25, 0.15, 0.10]))
    laid: list[PlacedCard] = [PlacedCard(hand[0].id, 0.0, 0.0, _turn(rng))]
    for card in hand[1:]:
        choices = _good_places(catalogue, laid, card, form, rng)
        if not choices:
            raise NoScene
        laid.append(choices[int(rng.integers(min(3, len(choices))))])
    left, top = min(card.x for card in laid), min(card.y for card in laid)
    order = rng.permutation(len(laid))
    return [PlacedCard(laid[k].card, laid[k].x - left, laid[k].y - top, laid[k].rotation) for k in order]


def _turn(rng: np.random.Generator) -> Literal[0, 180]:
    return 180 if rng.random() < 0.45 else 0


def _good_places(
    catalogue: Catalogue, laid: list[PlacedCard], card: Card, form: str, rng: np.random.Generator
) -> list[PlacedCard]:
    """Legal places for one more card, those that join most corridors (and suit the form) first."""
    width, height = catalogue.card_size_mm
    beside = [(sx * width, dy) for sx in (-1, 1) for dy in (0.0, HALF_SHIFT_MM, -HALF_SHIFT_MM)]
    above = [(0.0, -height), (0.0, height)]
    steps = {
        "any": beside + above,
        "block": beside[:1] + beside[3:4] + above,
        "row": beside,
        "column": above,
    }[form]
    found: list[tuple[float, PlacedCard]] = []
    for base in laid:
        for dx, dy in steps:
            for rotation in (0, 180):
                placed = PlacedCard(card.id, base.x + dx, base.y + dy, rotation)
                own = footprint(placed, catalogue.card_size_mm)
                feet = [footprint(other, catalogue.card_size_mm) for other in laid]
                if any(overlapping(own, foot) for foot in feet):
                    continue
                dungeon = build_dungeon(catalogue, [*laid, placed])
                joined = sum(
                    link.kind == "crossing"
                    and len(laid) in (dungeon.places[link.a].card_index, dungeon.places[link.b].card_index)
                    for link in dungeon.links
                )
                # players mostly avoid corridors that end at a neighbour's rock, not always
                faults = len(dungeon.faults)
                if joined == 0 or (faults and rng.random() > 0.10):
                    continue
                xs = [foot.left for foot in (*feet, own)]
                ys = [foot.top for foot in (*feet, own)]
                spread = (max(xs) - min(xs)) / width + (max(ys) - min(ys)) / height
                found.append(
                    (joined - 0.6 * spread * (form in ("any", "block")) + rng.uniform(0, 1.5), placed)
                )
    found.sort(key=lambda pair: -pair[0])
    return [placed for _, placed in found]


def _posed(placed: PlacedCard, index: int, rng: np.random.Generator) -> SceneCard:
    """Where the card truly lies: a little off its nominal place, a little turned, sometimes bowed."""
    offset = rng.normal(0, 0.22, 2)
    bow = float(rng.normal(0.15, 0.3)) if rng.random() < 0.8 else float(rng.uniform(-0.8, 1.6))
    return SceneCard(
        card=placed.card,
        x=placed.x,
        y=placed.y,
        rotation=placed.rotation,
        face=f"face-{placed.card}.png",
        pose=CardPose(
            centre_mm=(placed.x + 31.5 + float(offset[0]), placed.y + 44.0 + float(offset[1])),
            angle_deg=placed.rotation + float(np.clip(rng.normal(0, 0.3), -0.8, 0.8)),
            lift_mm=float(abs(rng.normal(0, 0.12))),
            tilt_deg=(float(rng.normal(0, 0.12)), float(rng.normal(0, 0.12))),
            bow_mm=bow,
            bow_axis="long" if rng.random() < 0.7 else "short",
        ),
    )


def table_to_card_true(card: SceneCard, points_mm: Array) -> Array:
    """True table points (N, 2) in upright card mm, by the card's true pose (its bow is left out)."""
    angle = math.radians(card.pose.angle_deg)
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    return np.asarray(
        (np.asarray(points_mm) - np.asarray(card.pose.centre_mm)) @ turn + np.asarray(card.size_mm) / 2
    )


def path_to_photo(sample: Sample, points_mm: Array) -> Array:
    """True table points (N, 2) of a stroke in photo pixels, on the card that carries each of them."""
    scene = sample.scene
    outside = np.full((len(scene.cards), len(points_mm)), np.inf)
    for index, card in enumerate(scene.cards):
        half = np.asarray(card.size_mm) / 2
        beyond = np.abs(table_to_card_true(card, points_mm) - half) - half
        outside[index] = np.linalg.norm(np.maximum(beyond, 0), axis=1)
    carrier = outside.argmin(axis=0)
    out = np.zeros((len(points_mm), 2))
    for index, card in enumerate(scene.cards):
        chosen = carrier == index
        if chosen.any():
            out[chosen] = card_to_photo(scene.camera, card, table_to_card_true(card, points_mm[chosen]))
    return distort(out, scene.camera, scene.post)


# --- what the player drew
# ------------------------------------------------------------------------------------------


def _pen(split: Split, rng: np.random.Generator) -> ink.Pen:
    colour = str(rng.choice(["black", "blue", "red", "green"], p=[0.4, 0.25, 0.2, 0.15]))
    pen = ink.Pen.random(rng, colour)
    shifted = [int(np.clip(c + s, 0, 255)) for c, s in zip(pen.rgb, INK_SHIFT[split], strict=True)]
    return ink.Pen(**{**pen.__dict__, "rgb": tuple(shifted)})


def _marks(dungeon: Dungeon, drawn: DrawnWalk, rng: np.random.Generator) -> Marks:
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


def _drawn_strokes(
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
    lifts_often = rng.random() < 0.2
    last = len(drawn.strokes) - 1
    for number, places in enumerate(drawn.strokes):
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
    for name in marks.circled:
        strokes.append(
            ink.circle_stroke(_on_true_table(dungeon, cards, name), rng.uniform(*RING_MM), pen, rng)
        )
    for name in marks.struck:
        strokes += ink.strike_strokes(_on_true_table(dungeon, cards, name), STRIKE_MM, pen, rng)
    return strokes


def _true(dungeon: Dungeon, cards: list[SceneCard], card_index: int, points_mm: Array) -> Array:
    """Nominal table points that belong to a card, moved to where that card truly lies."""
    placed = dungeon.cards[card_index]
    size = dungeon.catalogue.card_size_mm
    local = np.array([table_to_card(placed, (float(x), float(y)), size) for x, y in points_mm])
    return card_to_table(cards[card_index], local)[:, :2]


def _on_true_table(dungeon: Dungeon, cards: list[SceneCard], name: str) -> Array:
    place = dungeon.places[name]
    return _true(dungeon, cards, place.card_index, np.array([place.at_mm]))[0]


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
                ends = [_on_true_table(dungeon, cards, p.id) for p in (here, there)]
                seams.append((ends[0] + ends[1]) / 2)
                pieces.append(np.array(ends))
                continue
        pieces.append(_true(dungeon, cards, here.card_index, ink.resample(line, 0.5)))
    if not pieces:
        at = _on_true_table(dungeon, cards, nodes[0].id)
        pieces = [np.vstack([at - [1.0, 0.0], [*at, 1.0, 0.0]])]
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


# --- how the photo was taken
# ---------------------------------------------------------------------------------------

SIZES = ((2304, 1728), (2048, 1536), (2592, 1944), (2400, 1800), (2560, 1440))
BIG_SIZE = (4032, 3024)
FARTHEST_MM = 650.0
SMALLEST_CARD_PX = 270.0  # a card needs about 200 pixels to be named at all


def _camera(cards: list[SceneCard], rng: np.random.Generator) -> Camera:
    """A phone over the tableau: all of it in view with some room, 26 mm equivalent."""
    corners = np.vstack([card_to_table(card, card_corners_mm(card)) for card in cards])
    middle = (corners[:, :2].min(axis=0) + corners[:, :2].max(axis=0)) / 2
    size = (
        BIG_SIZE
        if rng.random() < 0.06
        else SIZES[int(rng.choice(len(SIZES), p=[0.45, 0.2, 0.15, 0.12, 0.08]))]
    )
    if rng.random() < 0.45:
        size = size[::-1]
    span = np.ptp(corners[:, :2], axis=0)
    # held so that the tableau's long side runs along the picture's, then any turn
    wanted = (
        rng.uniform(0, 360)
        if rng.random() < 0.35
        else float(rng.choice([0, 90, 180, 270], p=[0.55, 0.1, 0.25, 0.1])) + rng.normal(0, 9)
    )
    if abs(math.log(span[0] / span[1])) > 0.25 and rng.random() < 0.7:
        along = (span[0] > span[1]) == (size[0] > size[1])
        wanted = (0 if along else 90) + 180 * int(rng.random() < 0.3) + rng.normal(0, 10)
    azimuth = rng.uniform(-180, 180)
    tilt = float(min(40.0, abs(rng.normal(0, 17))))
    camera = Camera(
        target_mm=(float(middle[0] + rng.normal(0, 8)), float(middle[1] + rng.normal(0, 8))),
        distance_mm=280.0,
        width=size[0],
        height=size[1],
        tilt_deg=tilt,
        azimuth_deg=float(azimuth),
        roll_deg=float(wanted - azimuth),
        fstop=float(rng.choice([1.6, 1.8, 2.2])),
        sensor_diagonal_mm=float(rng.choice([7.0, 8.0, 9.5])),
    )
    margin = rng.uniform(0.02, 0.09) * min(size)
    for _ in range(60):
        seen = table_to_photo(camera, corners)
        inside = (seen >= margin).all() and (seen <= np.array(size) - margin).all()
        if inside:
            break
        camera = msgspec.structs.replace(camera, distance_mm=camera.distance_mm * 1.025)
    distance = min(camera.distance_mm * (1 + 0.3 * rng.beta(1, 2.5)), max(camera.distance_mm, 600.0))
    camera = msgspec.structs.replace(
        camera, distance_mm=float(distance), focus_mm=float(distance * rng.normal(1.0, 0.025))
    )
    heights = [
        np.linalg.norm(np.diff(card_to_photo(camera, card, card_corners_mm(card))[1:3], axis=0))
        for card in cards
    ]
    if distance > FARTHEST_MM or min(heights) < SMALLEST_CARD_PX:
        raise NoScene
    return camera


def _light(split: Split, rng: np.random.Generator) -> Light:
    kind = str(rng.choice(["window", "lamp", "flash", "overcast", "mixed"], p=[0.33, 0.23, 0.08, 0.18, 0.18]))
    shadow = str(rng.choice(["", "photographer", "window_bars", "plant"], p=[0.66, 0.16, 0.10, 0.08]))
    if kind in ("flash", "overcast"):
        shadow = ""
    return Light(
        kind=kind,  # type: ignore[arg-type]
        azimuth_deg=float(rng.uniform(0, 360)),
        elevation_deg=float(rng.uniform(22, 80)),
        kelvin=float(rng.choice(LAMPS[split]) + rng.uniform(-40, 40)),
        strength=float(rng.uniform(0.6, 1.6)),
        softness=float(rng.uniform(0.5, 1.6)),
        shadow_of=shadow,  # type: ignore[arg-type]
    )


def _post(rng: np.random.Generator, seed: int) -> Post:
    dim = rng.random() < 0.25
    form = str(rng.choice(["jpeg", "webp", "png", "heic"], p=[0.88, 0.05, 0.03, 0.04]))
    warm = rng.normal(0, 0.06)
    return Post(
        k1=float(rng.normal(-0.008, 0.014)),
        k2=float(rng.normal(0.003, 0.006)),
        vignetting=float(rng.uniform(0.05, 0.35)),
        noise=float(rng.uniform(0.03, 0.07) if dim else rng.uniform(0.006, 0.03)),
        chroma_noise=float(rng.uniform(0.02, 0.06) if dim else rng.uniform(0.005, 0.02)),
        white_balance=(float(1 + warm), float(1 + rng.normal(0, 0.02)), float(1 - warm)),
        exposure_ev=float(rng.normal(0.05, 0.3)),
        contrast=float(rng.uniform(0.95, 1.3)),
        saturation=float(rng.uniform(0.85, 1.25)),
        sharpening=float(rng.uniform(0.2, 1.0)),
        motion_blur_px=float(rng.uniform(0.8, 4.0)) if rng.random() < 0.22 else 0.0,
        motion_blur_deg=float(rng.uniform(0, 180)),
        jpeg_quality=int(rng.integers(70, 96)),
        format=form,  # type: ignore[arg-type]
        exif_orientation=int(rng.choice([1, 3, 6, 8], p=[0.6, 0.1, 0.2, 0.1])) if form == "jpeg" else 1,
        seed=seed,
    )


# --- what lies about
# -----------------------------------------------------------------------------------------------


def _ground(card: SceneCard) -> Polygon:
    return Polygon(card_to_table(card, card_corners_mm(card))[:, :2])


def _in_view(camera: Camera, rng: np.random.Generator) -> Array:
    size = np.array([camera.width, camera.height])
    return np.asarray(photo_to_table(camera, (rng.uniform(-0.08, 1.08, 2) * size)[None])[0])


def _others(
    catalogue: Catalogue,
    cards: list[SceneCard],
    placed: list[PlacedCard],
    camera: Camera,
    images: dict[str, NDArray[np.uint8]],
    rng: np.random.Generator,
) -> list[SceneCard]:
    """Cards nearby that touch neither the tableau nor each other: a market's, a neighbour's, a deck's
    back."""
    taken = [_ground(card) for card in cards]
    here = {card.card for card in placed}
    others: list[SceneCard] = []
    for _number in range(int(rng.choice([0, 1, 2, 3, 5], p=[0.45, 0.2, 0.15, 0.12, 0.08]))):
        for _ in range(12):
            at = _in_view(camera, rng)
            straight = rng.random() < 0.5
            angle = float(
                rng.choice([0, 90, 180, 270]) + rng.normal(0, 2) if straight else rng.uniform(0, 360)
            )
            choices = [card for card in catalogue.cards if card.id not in here]
            card = choices[int(rng.integers(len(choices)))]
            back = rng.random() < 0.3
            name = "back.png" if back else f"face-{card.id}.png"
            other = SceneCard(
                card="" if back else card.id,
                x=float(at[0] - 31.5),
                y=float(at[1] - 44),
                rotation=0,
                face=name,
                pose=CardPose(
                    (float(at[0]), float(at[1])),
                    angle,
                    lift_mm=0.3 * float(rng.integers(0, 6)) if back else 0.0,
                ),
            )
            outline = _ground(other)
            if any(outline.distance(shape) < NEIGHBOUR_GAP_MM for shape in taken):
                continue
            taken.append(outline)
            here.add(card.id)
            images[name] = card_back() if back else card_face(card)
            others.append(other)
            break
    return others


def card_back(px_per_mm: float = 8.0) -> NDArray[np.uint8]:
    """A plain back (H, W, 3): a compass rose on a lattice."""
    width, height = round(63 * px_per_mm), round(88 * px_per_mm)
    picture = np.full((height, width, 3), (38, 52, 66), np.uint8)
    for offset in range(-height, width, round(4 * px_per_mm)):
        cv2.line(picture, (offset, 0), (offset + height, height), (52, 72, 88), 3, cv2.LINE_AA)
        cv2.line(picture, (offset + height, 0), (offset, height), (52, 72, 88), 3, cv2.LINE_AA)
    centre = (width // 2, height // 2)
    for k in range(8):
        long = (22 if k % 2 == 0 else 13) * px_per_mm
        a = math.pi / 4 * k
        tip = (round(centre[0] + long * math.sin(a)), round(centre[1] - long * math.cos(a)))
        sides = [
            (
                round(centre[0] + 4 * px_per_mm * math.sin(a + s)),
                round(centre[1] - 4 * px_per_mm * math.cos(a + s)),
            )
            for s in (-0.5, 0.5)
        ]
        cv2.fillPoly(picture, [np.array([tip, sides[0], centre])], (206, 178, 110), cv2.LINE_AA)
        cv2.fillPoly(picture, [np.array([tip, sides[1], centre])], (160, 130, 74), cv2.LINE_AA)
    cv2.rectangle(picture, (16, 16), (width - 17, height - 17), (206, 178, 110), 5, cv2.LINE_AA)
    return picture


def _props(
    cards: list[SceneCard],
    others: list[SceneCard],
    camera: Camera,
    light: Light,
    pen: ink.Pen,
    rng: np.random.Generator,
) -> list[Prop]:
    """Things about the table that hide no more than a card's margin."""
    in_photo = [Polygon(card_to_photo(camera, card, card_corners_mm(card))) for card in (*cards, *others)]
    tableau = unary_union([shape.buffer(0) for shape in in_photo])
    eye = _eye_mm(camera)
    px_per_mm = float(np.sqrt(in_photo[0].area / (63 * 88)))
    props: list[Prop] = []
    taken: list[Polygon] = []
    bag = ["pen", "die", "coin", "token", "mug", "scoreboard", "paper", "phone", "pencil", "glass"]
    share = np.array([5, 3, 3, 3, 1.2, 1.5, 1, 0.7, 1.7, 0.7])
    wanted = ["pen"] if rng.random() < 0.6 else []
    wanted += [str(k) for k in rng.choice(bag, size=int(rng.integers(0, 8)), p=share / share.sum())]
    for kind in wanted:
        # a pen may lie over a margin, now and then
        overlap = (
            2.5 * px_per_mm
            if kind in ("pen", "die", "coin", "token") and rng.random() < 0.15
            else -2.0 * px_per_mm
        )
        for _ in range(10):
            at = _in_view(camera, rng)
            prop = Prop(
                kind=kind,  # type: ignore[arg-type]
                at_mm=(float(at[0]), float(at[1])),
                angle_deg=float(rng.uniform(0, 360)),
                colour=_prop_colour(kind, pen, rng),
                size=float(rng.uniform(0.85, 1.15)),
                variant=int(rng.integers(0, 1000)),
            )
            points = np.vstack([face.points_mm for face in shape_of(prop, eye).faces])
            seen = table_to_photo(camera, points)
            if not np.isfinite(seen).all():
                continue
            outline = MultiPoint(seen).convex_hull
            if outline.intersects(tableau.buffer(-overlap)) or any(
                outline.intersects(other) for other in taken
            ):
                continue
            taken.append(outline)
            props.append(prop)
            break
    if light.kind not in ("flash", "overcast") and rng.random() < 0.18:
        target = np.asarray(camera.target_mm)
        at = target + rng.normal(0, 90, 2)
        props.append(
            Prop(
                "hand_shadow",
                (float(at[0]), float(at[1])),
                angle_deg=float(rng.uniform(0, 360)),
                size=float(rng.uniform(0.7, 1.3)),
                variant=int(rng.integers(0, 1000)),
                height_mm=float(rng.uniform(40, 220)),
            )
        )
    return props


def _eye_mm(camera: Camera) -> Array:
    position = camera_position(camera)
    return np.array([position[0], -position[1], position[2]])


def _prop_colour(kind: str, pen: ink.Pen, rng: np.random.Generator) -> tuple[float, float, float]:
    if kind == "pen":
        base = (
            np.asarray(pen.rgb) / 255
            if rng.random() < 0.7
            else np.asarray(ink.INK_RGB[str(rng.choice(list(ink.INK_RGB)))]) / 255
        )
    elif kind == "coin":
        base = np.array([(0.72, 0.55, 0.25), (0.62, 0.62, 0.62), (0.62, 0.40, 0.26)][int(rng.integers(3))])
    elif kind in ("paper", "mug", "glass") and rng.random() < 0.7:
        base = np.full(3, rng.uniform(0.8, 0.95))
    elif kind in ("phone", "cable"):
        base = np.full(3, float(rng.choice([0.08, 0.12, 0.85])))
    elif kind == "pencil":
        base = np.array([(0.85, 0.62, 0.12), (0.12, 0.3, 0.2), (0.6, 0.1, 0.1)][int(rng.integers(3))])
    else:
        base = rng.uniform(0.05, 0.95, 3)
    return float(base[0]), float(base[1]), float(base[2])


def sample_folder(sample: Sample, folder: Path) -> None:
    """Write a scene folder (`scene.json` and the pictures that it names) for `samples.cycles`."""
    save_scene(sample.scene, folder)
    for name, picture in sample.images.items():
        order = cv2.COLOR_RGBA2BGRA if picture.shape[2] == 4 else cv2.COLOR_RGB2BGR
        cv2.imwrite(str(folder / name), cv2.cvtColor(picture, order))
