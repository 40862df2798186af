"""A second deck of another style, for validation and tests alone: the dungeons as a surveyor's blueprint.

Cards of 57 x 89 mm with other corners, corridors and icons. Its dungeons are the open deck's seen in a
mirror and laid out anew for that size, with some finds exchanged, so that no face can be known from the other
deck.

`python -m samples.styles --style blueprint --out samples/sets/second-deck` writes the catalogue's folder.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from calibration.decks.mapmasters.geometry import build_catalogue
from samples.tables import cloud
from scorer.catalogue import Card, Catalogue, Edge, FindKind, Node, Point, Room, RoomFind, Side

SIZE_MM = (57.0, 89.0)
CORNER_RADIUS_MM = 4.5
PX_PER_MM = 10.0
DRAWN_PX_PER_MM = 20.0  # then made smaller: no edge is jagged
BLEED_MM = 4.0
CORRIDOR_MM = {"main": 5.2, "underground": 4.6}
ICON_MM = 6.6
NAMES = {"S": "A", "D": "C", "B": "X"}
EXCHANGED: dict[str, FindKind] = {
    "coin": "barrel",
    "barrel": "coin",
    "recycle": "scissors",
    "scissors": "recycle",
}
SIDES: dict[str, Side] = {"left": "right", "right": "left", "top": "top", "bottom": "bottom"}
Rgb = tuple[int, int, int]
Canvas = NDArray[np.uint8]

GROUND: Rgb = (27, 58, 104)
GRID: Rgb = (48, 86, 140)
LINE: Rgb = (226, 238, 246)
FLOOR: dict[str, Rgb] = {"main": (196, 214, 226), "underground": (158, 204, 176)}
ROOM: Rgb = (220, 224, 214)
HATCH: Rgb = (184, 192, 188)
NAVY: Rgb = (18, 34, 66)
DISC: Rgb = (246, 246, 238)
STARTER_RGB: dict[str, Rgb] = {
    "red": (196, 62, 58),
    "blue": (70, 140, 220),
    "green": (66, 168, 96),
    "yellow": (226, 190, 60),
    "purple": (156, 92, 190),
}
#: The rim of an icon tells items, obstacles and the rest apart.
RIM: dict[str, Rgb] = {
    "monster": (190, 50, 60),
    "padlock": (190, 50, 60),
    "pitfall": (190, 50, 60),
    "lava_pit": (190, 50, 60),
    "magic_circle": (120, 70, 170),
    "recycle": (40, 130, 90),
    "scissors": (40, 130, 90),
}


# --- the dungeons -------------------------------------------------------------------------------------------


def second_deck() -> Catalogue:
    """The second deck's catalogue, in memory."""
    whole = build_catalogue()
    return Catalogue(
        name="blueprint",
        game="mapmasters",
        cards=tuple(_mirrored(card, whole.card_size_mm) for card in whole.cards),
        card_size_mm=SIZE_MM,
        corner_radius_mm=CORNER_RADIUS_MM,
    )


def _mirrored(card: Card, size_mm: Point) -> Card:
    """The card in a mirror, at the other size, with another name and some finds exchanged."""

    def at(point: Point) -> Point:
        x = (size_mm[0] - point[0]) * SIZE_MM[0] / size_mm[0]
        return round(x, 2), round(point[1] * SIZE_MM[1] / size_mm[1], 2)

    def node(old: Node) -> Node:
        side = SIDES[old.side] if old.side else None
        find = EXCHANGED.get(old.find, old.find) if old.find else None
        return msgspec.structs.replace(old, at=at(old.at), side=side, find=find, value=1)

    def edge(old: Edge) -> Edge:
        return msgspec.structs.replace(old, via=tuple(at(point) for point in old.via))

    def find(old: RoomFind) -> RoomFind:
        return msgspec.structs.replace(old, at=at(old.at), find=EXCHANGED.get(old.find, old.find), value=1)

    def room(old: Room) -> Room:
        return msgspec.structs.replace(
            old, outline=tuple(at(point) for point in old.outline), finds=tuple(map(find, old.finds))
        )

    name = NAMES[card.id[0]] + card.id[1:]
    return msgspec.structs.replace(
        card,
        id=name,
        art=f"art/{name}.png",
        nodes=tuple(map(node, card.nodes)),
        edges=tuple(map(edge, card.edges)),
        rooms=tuple(map(room, card.rooms)),
    )


# --- the drawing --------------------------------------------------------------------------------------------


def draw(card: Card) -> Canvas:
    """A card's face (H, W, 3) sRGB, upright, cut at its edge, at `PX_PER_MM`."""
    rng = np.random.default_rng(zlib.crc32(card.id.encode()))
    pen = _Pen(_ground(card, rng))
    nodes = {node.id: node for node in card.nodes}
    for level in ("underground", "main"):
        lines = [
            _corridor(edge, nodes)
            for edge in card.edges
            if edge.kind == "corridor" and (edge.level or "main") == level
        ]
        width = CORRIDOR_MM[level]
        for line in lines:
            pen.stroke(line, LINE, width + 1.0)
        for line in lines:
            pen.stroke(line, FLOOR[level], width)
        for line in lines:
            pen.dashes(
                line, (140, 164, 190) if level == "main" else (104, 158, 128), 0.22, dash_mm=1.1, gap_mm=1.5
            )
    for room in card.rooms:
        _draw_room(pen, room)
    for edge in card.edges:
        if edge.kind == "stairs":
            _draw_stairs(pen, nodes[edge.from_], nodes[edge.to])
    _draw_nodes_and_finds(pen, card)
    _draw_plate(pen, card)
    return pen.finished()


def _draw_nodes_and_finds(pen: _Pen, card: Card) -> None:
    """Doors, ends and finds of a card, those in rooms last."""
    for node in card.nodes:
        if node.kind == "door":
            _draw_door(pen, node, card)
        elif node.kind == "end":
            pen.cross(node.at, 1.6, NAVY, 0.5)
        elif node.kind == "find" and node.find:
            _draw_find(pen, node.find, node.at)
    for room in card.rooms:
        for find in room.finds:
            _draw_find(pen, find.find, find.at)


class _Pen:
    """Draws in card millimetres on a canvas with a bleed."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas = canvas

    def _px(self, points_mm: NDArray[np.float64] | list[Point] | Point) -> NDArray[np.int32]:
        points = (np.atleast_2d(np.asarray(points_mm, float)) + BLEED_MM) * DRAWN_PX_PER_MM - 0.5
        return np.round(points * 16).astype(np.int32)

    def stroke(
        self, line: NDArray[np.float64], colour: Rgb, width_mm: float, *, closed: bool = False
    ) -> None:
        thick = max(1, round(width_mm * DRAWN_PX_PER_MM))
        cv2.polylines(self.canvas, [self._px(line)], closed, colour, thick, cv2.LINE_AA, 4)

    def fill(self, outline: NDArray[np.float64], colour: Rgb) -> None:
        cv2.fillPoly(self.canvas, [self._px(outline)], colour, cv2.LINE_AA, 4)

    def disc(self, at: Point, radius_mm: float, colour: Rgb, line_mm: float = 0.0) -> None:
        x, y = self._px(at)[0]
        thick = -1 if not line_mm else max(1, round(line_mm * DRAWN_PX_PER_MM))
        radius = round(radius_mm * DRAWN_PX_PER_MM * 16)
        cv2.circle(self.canvas, (int(x), int(y)), radius, colour, thick, cv2.LINE_AA, 4)

    def cross(self, at: Point, reach_mm: float, colour: Rgb, width_mm: float) -> None:
        for sign in (-1, 1):
            arm = np.array([[-reach_mm, -sign * reach_mm], [reach_mm, sign * reach_mm]])
            self.stroke(np.asarray(at) + arm, colour, width_mm)

    def dashes(
        self, line: NDArray[np.float64], colour: Rgb, width_mm: float, *, dash_mm: float, gap_mm: float
    ) -> None:
        steps = np.hypot(*np.diff(line, axis=0).T)
        along = np.concatenate([[0.0], np.cumsum(steps)])
        for start in np.arange(0.0, along[-1], dash_mm + gap_mm):
            at = np.linspace(start, min(start + dash_mm, along[-1]), 4)
            piece = np.column_stack([np.interp(at, along, line[:, k]) for k in (0, 1)])
            self.stroke(piece, colour, width_mm)

    def text(self, words: str, at: Point, size_mm: float, colour: Rgb) -> None:
        x, y = ((np.asarray(at) + BLEED_MM) * DRAWN_PX_PER_MM).astype(int)
        scale = size_mm * DRAWN_PX_PER_MM / 22
        cv2.putText(
            self.canvas, words, (int(x), int(y)), cv2.FONT_HERSHEY_SIMPLEX, scale, colour, 3, cv2.LINE_AA
        )

    def finished(self) -> Canvas:
        inset = round(BLEED_MM * DRAWN_PX_PER_MM)
        cut = self.canvas[inset:-inset, inset:-inset]
        size = (round(SIZE_MM[0] * PX_PER_MM), round(SIZE_MM[1] * PX_PER_MM))
        return np.asarray(cv2.resize(cut, size, interpolation=cv2.INTER_AREA), np.uint8)


def _ground(card: Card, rng: np.random.Generator) -> Canvas:
    """Blue paper with a fine grid, folds and the draughtsman's arcs and notes; a starter's has its colour."""
    shape = tuple(round((side + 2 * BLEED_MM) * DRAWN_PX_PER_MM) for side in SIZE_MM[::-1])
    tint = np.asarray(GROUND, float) + rng.normal(0, 7, 3)
    if card.colour is not None:
        tint = 0.72 * tint + 0.28 * np.asarray(STARTER_RGB[card.colour])
    tone = (
        1
        + 0.07 * cloud((shape[0], shape[1]), (260, 260), rng)
        + 0.025 * cloud((shape[0], shape[1]), (6, 6), rng)
    )
    canvas = np.clip(tint * tone[..., None], 0, 255).astype(np.uint8)
    pen = _Pen(canvas)
    faint: Rgb = tuple(int(v) for v in np.clip(tint * 1.28 + 14, 0, 255))  # type: ignore[assignment]
    pitch = 3.0
    for k in np.arange(-BLEED_MM, SIZE_MM[1] + BLEED_MM, pitch):
        width = 0.18 if round(k / pitch) % 5 else 0.32
        pen.stroke(np.array([[-BLEED_MM, k], [SIZE_MM[0] + BLEED_MM, k]]), faint, width)
    for k in np.arange(-BLEED_MM, SIZE_MM[0] + BLEED_MM, pitch):
        width = 0.18 if round(k / pitch) % 5 else 0.32
        pen.stroke(np.array([[k, -BLEED_MM], [k, SIZE_MM[1] + BLEED_MM]]), faint, width)
    pale: Rgb = tuple(int(v) for v in np.clip(tint * 1.5 + 40, 0, 255))  # type: ignore[assignment]
    for _ in range(int(rng.integers(5, 10))):  # construction arcs, dimension lines, soundings
        at = rng.uniform((0, 0), SIZE_MM)
        form = int(rng.integers(3))
        if form == 0:
            turn = np.linspace(0, rng.uniform(0.6, 2.5), 30) + rng.uniform(0, 6.3)
            arc = at + rng.uniform(4, 16) * np.column_stack([np.cos(turn), np.sin(turn)])
            pen.dashes(arc, pale, 0.2, dash_mm=1.4, gap_mm=0.9)
        elif form == 1:
            length, upright = rng.uniform(6, 18), rng.random() < 0.5
            along = np.array([0.0, length]) if upright else np.array([length, 0.0])
            side = np.array([0.9, 0.0]) if upright else np.array([0.0, 0.9])
            for piece in ((at, at + along), (at - side, at + side), (at + along - side, at + along + side)):
                pen.stroke(np.array(piece), pale, 0.2)
        else:
            pen.text(str(int(rng.integers(10, 990))), (float(at[0]), float(at[1])), 1.7, pale)
            pen.disc((float(at[0]) - 1.2, float(at[1]) - 0.6), 0.35, pale)
    return canvas


def _corridor(edge: Edge, nodes: dict[str, Node]) -> NDArray[np.float64]:
    """A corridor's middle line, led out over the card's edge at its openings."""
    start, end = nodes[edge.from_], nodes[edge.to]
    points = [start.at, *edge.via, end.at]
    outward = {"left": (-8.0, 0.0), "right": (8.0, 0.0), "top": (0.0, -8.0), "bottom": (0.0, 8.0)}
    for node, first in ((start, True), (end, False)):
        if node.kind == "opening" and node.side:
            outside = (node.at[0] + outward[node.side][0], node.at[1] + outward[node.side][1])
            points = [outside, *points] if first else [*points, outside]
    return np.array(points, float)


def _draw_room(pen: _Pen, room: Room) -> None:
    outline = np.array(room.outline, float)
    for axis, limit in enumerate(SIZE_MM):  # a room at the card's edge goes on over the bleed
        outline[outline[:, axis] < 0.3, axis] = -BLEED_MM - 2
        outline[outline[:, axis] > limit - 0.3, axis] = limit + BLEED_MM + 2
    pen.fill(outline, ROOM)
    inside = np.zeros(pen.canvas.shape[:2], np.uint8)
    cv2.fillPoly(inside, [pen._px(outline)], 255, cv2.LINE_8, 4)
    hatched = pen.canvas.copy()
    hatch = _Pen(hatched)
    for k in np.arange(-SIZE_MM[1], SIZE_MM[0] + SIZE_MM[1], 2.4):
        hatch.stroke(np.array([[k, 0.0], [k + SIZE_MM[1], SIZE_MM[1]]]), HATCH, 0.3)
    pen.canvas[inside > 0] = hatched[inside > 0]
    pen.stroke(outline, LINE, 1.6, closed=True)
    pen.stroke(outline, NAVY, 0.55, closed=True)


def _draw_door(pen: _Pen, node: Node, card: Card) -> None:
    """A gap in the wall with the swing of its leaf."""
    room = next(room for room in card.rooms if room.id == node.room)
    outline = np.array(room.outline, float)
    at = np.asarray(node.at)
    best, along = math.inf, np.array([1.0, 0.0])
    for a, b in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        side = (b - a) / max(float(np.linalg.norm(b - a)), 1e-9)
        t = float(np.clip((at - a) @ side, 0, np.linalg.norm(b - a)))
        off = float(np.linalg.norm(at - a - t * side))
        if off < best:
            best, along = off, side
    half = CORRIDOR_MM["main"] / 2 - 0.3
    pen.stroke(np.array([at - along * half, at + along * half]), FLOOR["main"], 2.0)
    for sign in (-1, 1):
        post = at + sign * along * (half + 0.2)
        pen.disc((float(post[0]), float(post[1])), 0.75, NAVY)
    turn = np.linspace(0, math.pi / 2, 12)
    across = np.array([-along[1], along[0]])
    leaf = at - along * half + 2 * half * (np.cos(turn)[:, None] * along + np.sin(turn)[:, None] * across)
    pen.dashes(leaf, NAVY, 0.18, dash_mm=0.6, gap_mm=0.5)


def _draw_stairs(pen: _Pen, one: Node, other: Node) -> None:
    """A flight from the main level's end: treads that grow shorter, in a box."""
    top, foot = sorted((one, other), key=lambda node: node.level != "main")
    run = np.subtract(foot.at, top.at)
    length = float(np.hypot(*run))
    along = run / length if length > 0.5 else np.array([0.0, 1.0])
    across = np.array([-along[1], along[0]])
    begin, end = np.asarray(top.at) - along * 2.4, np.asarray(foot.at) + along * 1.6
    corners = [begin - across * 2.7, end - across * 2.1, end + across * 2.1, begin + across * 2.7]
    pen.fill(np.array(corners), FLOOR["underground"])
    pen.stroke(np.array(corners), NAVY, 0.45, closed=True)
    for t in np.linspace(0.06, 0.94, max(5, round(float(np.hypot(*(end - begin))) / 1.1))):
        at, half = begin + (end - begin) * t, 2.7 - 0.6 * t
        pen.stroke(np.array([at - across * half, at + across * half]), NAVY, 0.3)
    tip = (begin + end) / 2 + along * 1.2
    head = [tip, tip - along * 1.5 + across * 0.9, tip - along * 1.5 - across * 0.9]
    pen.fill(np.array(head), (190, 50, 60))


def _draw_plate(pen: _Pen, card: Card) -> None:
    """The title block in the corner: the card's name, and a starter's colour."""
    # (the open deck keeps its lower left corner free; so this is the lower right)
    left, top = SIZE_MM[0] - 2.2 - 13.5, SIZE_MM[1] - 6.6
    box = np.array([[left, top], [left + 13.5, top], [left + 13.5, top + 4.6], [left, top + 4.6]])
    pen.fill(box, LINE)
    pen.stroke(box, NAVY, 0.3, closed=True)
    pen.text(card.id.split("-")[0], (left + 0.9, top + 3.4), 2.6, NAVY)
    if card.colour is not None:
        pen.disc((left + 11.2, top + 2.3), 1.5, STARTER_RGB[card.colour])
    elif card.cost is not None:
        pen.text(str(card.cost), (left + 10.4, top + 3.4), 2.6, (190, 50, 60))


# --- icons: strokes within a circle of radius 1 -------------------------------------------------------------

Strokes = list[NDArray[np.float64]]


def _arc(
    x: float, y: float, radius: float, start: float, stop: float, squash: float = 1.0
) -> NDArray[np.float64]:
    turn = np.radians(np.linspace(start, stop, 28))
    return np.column_stack([x + radius * np.cos(turn), y + squash * radius * np.sin(turn)])


def _line(*points: Point) -> NDArray[np.float64]:
    return np.array(points, float)


def _star(count: int, skip: int, radius: float) -> NDArray[np.float64]:
    turn = -math.pi / 2 + 2 * math.pi * skip * np.arange(count + 1) / count
    return np.column_stack([radius * np.cos(turn), radius * np.sin(turn)])


GLYPHS: dict[str, Callable[[], Strokes]] = {
    "coin": lambda: [_arc(0, 0, 0.62, 0, 360), _line((-0.2, -0.3), (0.2, -0.3)), _line((0, -0.3), (0, 0.35))],
    "barrel": lambda: [
        _line((-0.38, -0.6), (0.38, -0.6), (0.52, 0), (0.38, 0.6), (-0.38, 0.6), (-0.52, 0), (-0.38, -0.6)),
        _line((-0.48, -0.22), (0.48, -0.22)),
        _line((-0.48, 0.22), (0.48, 0.22)),
    ],
    "sword": lambda: [
        _line((-0.5, 0.5), (0.6, -0.6)),
        _line((-0.5, 0.02), (-0.02, 0.5)),
        _line((-0.65, 0.65), (-0.5, 0.5)),
    ],
    "key": lambda: [
        _arc(-0.35, 0, 0.27, 0, 360),
        _line((-0.08, 0), (0.65, 0)),
        _line((0.62, 0), (0.62, 0.3)),
        _line((0.38, 0), (0.38, 0.24)),
    ],
    "rope": lambda: (
        [_arc(0, y, 0.5, 0, 360, 0.4) for y in (-0.35, -0.05, 0.25)] + [_line((0.5, 0.25), (0.6, 0.65))]
    ),
    "scroll": lambda: [
        _line((-0.4, -0.55), (0.55, -0.55), (0.4, 0.55), (-0.55, 0.55), (-0.4, -0.55)),
        _line((-0.22, -0.2), (0.3, -0.2)),
        _line((-0.27, 0.15), (0.25, 0.15)),
    ],
    "monster": lambda: [
        _line(
            (-0.6, -0.65),
            (-0.42, -0.1),
            (-0.5, 0.3),
            (0, 0.65),
            (0.5, 0.3),
            (0.42, -0.1),
            (0.6, -0.65),
            (0.2, -0.35),
            (-0.2, -0.35),
            (-0.6, -0.65),
        ),
        _arc(-0.2, 0.0, 0.09, 0, 360),
        _arc(0.2, 0.0, 0.09, 0, 360),
    ],
    "padlock": lambda: [
        _line((-0.45, -0.05), (0.45, -0.05), (0.45, 0.6), (-0.45, 0.6), (-0.45, -0.05)),
        _arc(0, -0.05, 0.3, 180, 360, 1.5),
        _line((0, 0.18), (0, 0.38)),
    ],
    "pitfall": lambda: [
        _arc(0, 0.3, 0.6, 0, 360, 0.42),
        _line((0, -0.65), (0, 0.25)),
        _line((-0.2, 0.02), (0, 0.27), (0.2, 0.02)),
    ],
    "lava_pit": lambda: [
        _line(
            (0, -0.7),
            (0.32, -0.15),
            (0.45, 0.25),
            (0.2, 0.6),
            (-0.2, 0.6),
            (-0.45, 0.25),
            (-0.25, -0.05),
            (-0.12, 0.12),
            (0, -0.7),
        ),
        _line((0, 0.5), (0.1, 0.25), (0, 0.05)),
    ],
    "magic_circle": lambda: [_arc(0, 0, 0.68, 0, 360), _star(5, 2, 0.66)],
    "recycle": lambda: [
        _arc(0, 0, 0.52, 200, 340),
        _arc(0, 0, 0.52, 20, 160),
        _line((0.3, -0.32), (0.52, -0.12), (0.62, -0.42)),
        _line((-0.3, 0.32), (-0.52, 0.12), (-0.62, 0.42)),
    ],
    "scissors": lambda: [
        _arc(-0.3, 0.45, 0.2, 0, 360),
        _arc(0.3, 0.45, 0.2, 0, 360),
        _line((-0.2, 0.28), (0.4, -0.65)),
        _line((0.2, 0.28), (-0.4, -0.65)),
    ],
}


def _draw_find(pen: _Pen, find: str, at: Point) -> None:
    radius = ICON_MM / 2
    pen.disc(at, radius, DISC)
    pen.disc(at, radius - 0.25, RIM.get(find, NAVY), 0.5)
    for stroke in GLYPHS[find]():
        pen.stroke(np.asarray(at) + 0.86 * radius * stroke, NAVY, 0.42)
