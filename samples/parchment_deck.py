"""A deck for validation alone, tuned on by nobody: dungeons as somebody drew them with a nib on parchment.

Cards of 57 x 89 mm with square corners, drawn up to the edge: wavering double walls with hatching outside,
floors of bare parchment, icons without a disc, the underground in dashes and a wash. Starters of five
colours differ in a wax seal and a ribbon alone.

`python -m samples.styles --style parchment --out samples/sets/parchment-deck` writes the catalogue's folder.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from samples.grid_dungeons import box_of
from samples.tables import cloud
from scorer.catalogue import Card, Catalogue, Edge, Node, Point

SIZE_MM = (57.0, 89.0)
PX_PER_MM, DRAWN = 10.0, 16.0
BLEED_MM = 3.0
FLOOR_MM = {"main": 5.0, "underground": 4.2}
ICON_MM = 6.4
Rgb = tuple[int, int, int]
Line = NDArray[np.float64]

SKIN: Rgb = (226, 206, 164)
FLOOR: Rgb = (240, 226, 190)
SEPIA: Rgb = (70, 44, 26)
WASH: Rgb = (170, 178, 168)
SEALS: dict[str, Rgb] = {
    "red": (168, 40, 34),
    "blue": (44, 74, 140),
    "green": (54, 112, 58),
    "yellow": (204, 160, 40),
    "purple": (112, 56, 124),
}


def parchment_deck() -> Catalogue:
    """The catalogue, in memory."""
    return Catalogue(
        name="parchment",
        game="mapmasters",
        cards=tuple(box_of(("N", "P", "Q"), SIZE_MM, 31_000)),
        card_size_mm=SIZE_MM,
        corner_radius_mm=0.0,
    )


def draw(card: Card) -> NDArray[np.uint8]:
    """A card's face (H, W, 3) sRGB, upright, cut at its edge."""
    layout = card.id.split("-")[0]
    rng = np.random.default_rng(zlib.crc32(layout.encode()))
    nib = _Nib(_skin(rng), rng)
    nodes = {node.id: node for node in card.nodes}
    lines = {
        level: [
            centre_line(e, nodes) for e in card.edges if e.kind == "corridor" and (e.level or "main") == level
        ]
        for level in ("main", "underground")
    }
    rooms = [np.array(room.outline, float) for room in card.rooms]
    _hatch_rock(nib, [*lines["main"], *rooms], rng)
    width = FLOOR_MM["underground"]
    below = nib.mask_of(lines["underground"], width, [])
    nib.tint(below, WASH, 0.75)
    nib.walls(below, dashed=True)
    main = nib.mask_of(lines["main"], FLOOR_MM["main"], rooms)
    nib.tint(main, FLOOR, 0.92)
    _cobbles(nib, rooms, rng)
    nib.walls(main)
    for room in rooms:
        nib.scrawl(np.vstack([room, room[:1]]), 0.5)
    for edge in card.edges:
        if edge.kind == "stairs":
            _steps(nib, nodes[edge.from_], nodes[edge.to])
    _nodes_and_finds(nib, card, rng)
    for edge in card.edges:
        if edge.kind == "fall" and edge.to in nodes:
            _rubble(nib, nodes[edge.to].at, rng)
    _title(nib, card)
    return nib.finished()


def _nodes_and_finds(nib: _Nib, card: Card, rng: np.random.Generator) -> None:
    """Doors, ends and finds of a card, those in rooms last."""
    for node in card.nodes:
        if node.kind == "door":
            _door(nib, node, np.array(next(r.outline for r in card.rooms if r.id == node.room)))
        elif node.kind == "end":
            for k in range(5):
                off = rng.normal(0, 0.9, 2)
                nib.scrawl(nib.ring(np.asarray(node.at) + off, 0.5 + 0.1 * k), 0.25)
        elif node.kind == "find" and node.find:
            _icon(nib, node.find, node.at)
    for room_ in card.rooms:
        for find in room_.finds:
            _icon(nib, find.find, find.at)


class _Nib:
    """Draws in card millimetres, with a hand that wavers."""

    def __init__(self, canvas: NDArray[np.uint8], rng: np.random.Generator) -> None:
        self.canvas, self.rng = canvas, rng

    def px(self, points: Line) -> NDArray[np.int32]:
        return np.round(((np.asarray(points, float) + BLEED_MM) * DRAWN - 0.5) * 16).astype(np.int32)

    def ring(self, at: Line | Point, radius: float, squash: float = 1.0) -> Line:
        turn = np.linspace(0, 2 * math.pi, 24)
        return np.asarray(at) + radius * np.column_stack([np.cos(turn), squash * np.sin(turn)])

    def scrawl(self, line: Line, width: float, colour: Rgb = SEPIA, waver: float = 0.1) -> None:
        """One stroke of the nib, thicker and thinner on its way."""
        line = np.asarray(line, float)
        along = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
        count = max(2, int(along[-1] / 0.5))
        at = np.linspace(0, along[-1], count)
        dense = np.column_stack([np.interp(at, along, line[:, k]) for k in (0, 1)])
        slow = cv2.GaussianBlur(self.rng.normal(0, 1, (count, 3)), (1, 9), 2.5) * 2.2
        dense += waver * slow[:, :2]
        for k in range(count - 1):
            thick = max(1, round(width * DRAWN * (1 + 0.25 * float(slow[k, 2]))))
            cv2.polylines(self.canvas, [self.px(dense[k : k + 2])], False, colour, thick, cv2.LINE_AA, 4)

    def fill(self, outline: Line, colour: Rgb) -> None:
        cv2.fillPoly(self.canvas, [self.px(outline)], colour, cv2.LINE_AA, 4)

    def mask_of(self, lines: list[Line], width: float, outlines: list[Line]) -> NDArray[np.uint8]:
        mask = np.zeros(self.canvas.shape[:2], np.uint8)
        for line in lines:
            cv2.polylines(mask, [self.px(line)], False, 255, round(width * DRAWN), cv2.LINE_AA, 4)
        for outline in outlines:
            cv2.fillPoly(mask, [self.px(outline)], 255, cv2.LINE_AA, 4)
        return mask

    def tint(self, mask: NDArray[np.uint8], colour: Rgb, cover: float) -> None:
        share = cover * mask[..., None].astype(np.float32) / 255
        self.canvas[:] = (self.canvas * (1 - share) + share * np.array(colour, np.float32)).astype(np.uint8)

    def walls(self, mask: NDArray[np.uint8], *, dashed: bool = False) -> None:
        for contour in cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)[0]:
            line = contour[::6, 0].astype(float) / DRAWN - BLEED_MM
            if len(line) < 4:
                continue
            line = np.vstack([line, line[:1]])
            if not dashed:
                self.scrawl(line, 0.45)
                continue
            for k in range(0, len(line) - 5, 8):
                self.scrawl(line[k : k + 5], 0.35)

    def text(self, words: str, at: Point, height: float, colour: Rgb = SEPIA) -> None:
        x, y = ((np.asarray(at) + BLEED_MM) * DRAWN).astype(int)
        font = cv2.FONT_HERSHEY_SCRIPT_COMPLEX
        cv2.putText(self.canvas, words, (int(x), int(y)), font, height * DRAWN / 22, colour, 2, cv2.LINE_AA)

    def finished(self) -> NDArray[np.uint8]:
        inset = round(BLEED_MM * DRAWN)
        size = (round(SIZE_MM[0] * PX_PER_MM), round(SIZE_MM[1] * PX_PER_MM))
        cut = self.canvas[inset:-inset, inset:-inset]
        return np.asarray(cv2.resize(cut, size, interpolation=cv2.INTER_AREA), np.uint8)


def _skin(rng: np.random.Generator) -> NDArray[np.uint8]:
    shape = tuple(round((side + 2 * BLEED_MM) * DRAWN) for side in SIZE_MM[::-1])
    tone = (
        1
        + 0.07 * cloud((shape[0], shape[1]), (300, 300), rng)
        + 0.04 * cloud((shape[0], shape[1]), (40, 40), rng)
    )
    tone += 0.02 * cloud((shape[0], shape[1]), (4, 12), rng)
    tint = np.asarray(SKIN, float) + rng.normal(0, 5, 3)
    canvas = np.clip(tint * tone[..., None], 0, 255).astype(np.uint8)
    for _ in range(int(rng.integers(2, 5))):  # stains
        at = rng.uniform((0, 0), SIZE_MM)
        mask = np.zeros(shape, np.uint8)
        cv2.circle(mask, tuple(int(v * DRAWN) for v in at), int(rng.uniform(3, 11) * DRAWN), 255, -1)
        share = cv2.GaussianBlur(mask, (0, 0), 14)[..., None].astype(np.float32) / 255 * 0.16
        canvas = (canvas * (1 - share) + share * np.array([120, 84, 44])).astype(np.uint8)
    return canvas


def centre_line(edge: Edge, nodes: dict[str, Node]) -> Line:
    """A corridor's middle line, led out over the card's edge at its openings."""
    start, end = nodes[edge.from_], nodes[edge.to]
    points = [start.at, *edge.via, end.at]
    away = {"left": (-6.0, 0.0), "right": (6.0, 0.0), "top": (0.0, -6.0), "bottom": (0.0, 6.0)}
    for node, first in ((start, True), (end, False)):
        if node.kind == "opening" and node.side:
            beyond = (node.at[0] + away[node.side][0], node.at[1] + away[node.side][1])
            points = [beyond, *points] if first else [*points, beyond]
    return np.array(points, float)


def _hatch_rock(nib: _Nib, shapes: list[Line], rng: np.random.Generator) -> None:
    """Bundles of short strokes along what is dug out."""
    for shape in shapes:
        steps = np.hypot(*np.diff(shape, axis=0).T)
        along = np.concatenate([[0], np.cumsum(steps)])
        for t in np.arange(1.0, along[-1], 3.1):
            at = np.array([np.interp(t, along, shape[:, k]) for k in (0, 1)])
            for side in (-1, 1):
                turn = rng.uniform(0, math.pi)
                middle = at + side * rng.uniform(3.2, 5.0) * np.array([math.sin(turn), math.cos(turn)])
                way = np.array([math.cos(turn), math.sin(turn)])
                for k in range(3):
                    off = middle + (k - 1) * 0.7 * np.array([-way[1], way[0]])
                    nib.scrawl(np.array([off - way, off + way]), 0.16, (120, 92, 62))


def _cobbles(nib: _Nib, rooms: list[Line], rng: np.random.Generator) -> None:
    for room in rooms:
        low, high = room.min(axis=0), room.max(axis=0)
        for _ in range(int(np.prod(high - low) / 14)):
            at = rng.uniform(low + 1, high - 1)
            if (
                cv2.pointPolygonTest(room.astype(np.float32).reshape(-1, 1, 2), tuple(map(float, at)), False)
                > 0
            ):
                nib.scrawl(nib.ring(at, rng.uniform(0.3, 0.7), 0.7)[:15], 0.12, (176, 150, 110))


def _door(nib: _Nib, node: Node, outline: Line) -> None:
    """A leaf across the wall's gap, studded."""
    ends = np.roll(outline, -1, axis=0)
    off = [_distance(np.asarray(node.at), a, b) for a, b in zip(outline, ends, strict=True)]
    wall = int(np.argmin(off))
    along = (ends[wall] - outline[wall]) / max(float(np.linalg.norm(ends[wall] - outline[wall])), 1e-9)
    across = np.array([-along[1], along[0]])
    at = np.asarray(node.at)
    half = FLOOR_MM["main"] / 2 - 0.1
    box = [at - along * half - across * 0.75, at + along * half - across * 0.75]
    box += [at + along * half + across * 0.75, at - along * half + across * 0.75]
    nib.fill(np.array(box), (150, 104, 60))
    nib.scrawl(np.array([*box, box[0]]), 0.3, waver=0.04)
    for k in (-0.5, 0.0, 0.5):
        nib.fill(nib.ring(at + along * half * k, 0.22), SEPIA)


def _distance(at: Line, a: Line, b: Line) -> float:
    way = b - a
    t = float(np.clip((at - a) @ way / max(float(way @ way), 1e-9), 0, 1))
    return float(np.linalg.norm(at - a - t * way))


def _steps(nib: _Nib, one: Node, other: Node) -> None:
    """A winding flight: treads that fan from the upper place to the lower."""
    top, foot = sorted((one, other), key=lambda node: node.level != "main")
    start, run = np.asarray(top.at), np.subtract(foot.at, top.at)
    length = float(np.hypot(*run))
    along = run / max(length, 1e-6)
    across = np.array([-along[1], along[0]])
    sides = [start - along * 1.5 - across * 2.5, start + run - across * 1.3]
    sides += [start + run + across * 1.3, start - along * 1.5 + across * 2.5]
    nib.fill(np.array(sides), (214, 196, 156))
    nib.scrawl(np.array([*sides, sides[0]]), 0.35, waver=0.05)
    for t in np.linspace(0.0, 1.0, 8):
        half = 2.4 - 1.1 * t
        at = start - along * 1.2 + (length + 1.0) * t * along
        nib.scrawl(np.array([at - across * half, at + across * half]), 0.28, waver=0.05)


def _rubble(nib: _Nib, at: Point, rng: np.random.Generator) -> None:
    """Where one lands who falls: broken stones in a heap."""
    for _ in range(7):
        middle = np.asarray(at) + rng.normal(0, 0.9, 2)
        turn = np.sort(rng.uniform(0, 6.28, 5))
        stone = middle + rng.uniform(0.4, 0.8) * np.column_stack([np.cos(turn), np.sin(turn)])
        nib.fill(stone, (206, 190, 160))
        nib.scrawl(np.vstack([stone, stone[:1]]), 0.2, waver=0.03)


def _title(nib: _Nib, card: Card) -> None:
    nib.text(card.id.split("-")[0], (2.2, SIZE_MM[1] - 1.8), 3.0)
    if card.colour is not None:
        colour = SEALS[card.colour]
        at = (SIZE_MM[0] - 4.2, SIZE_MM[1] - 4.4)
        for lean in (-0.5, 0.5):
            tail = np.array(
                [at, (at[0] + lean * 3 - 0.8, at[1] + 3.6), (at[0] + lean * 3 + 0.8, at[1] + 3.6)]
            )
            nib.fill(tail, colour)
        nib.fill(nib.ring(at, 2.4), colour)
        nib.scrawl(nib.ring(at, 1.7), 0.25, (250, 236, 210))
    elif card.cost is not None:
        nib.text(str(card.cost), (SIZE_MM[0] - 4.6, SIZE_MM[1] - 1.8), 3.4, (150, 40, 30))


def _arc(x: float, y: float, radius: float, start: float, stop: float, squash: float = 1.0) -> Line:
    turn = np.radians(np.linspace(start, stop, 22))
    return np.column_stack([x + radius * np.cos(turn), y + squash * radius * np.sin(turn)])


def _to(*points: Point) -> Line:
    return np.array(points, float)


#: Strokes within a circle of radius 1.
ICONS: dict[str, Callable[[], list[Line]]] = {
    "coin": lambda: [
        _arc(-0.2, 0.25, 0.5, 0, 360, 0.6),
        _arc(0.2, -0.2, 0.5, 0, 360, 0.6),
        _arc(0.2, -0.2, 0.2, 0, 360),
    ],
    "barrel": lambda: [
        _arc(0, -0.55, 0.45, 0, 360, 0.35),
        _to((-0.45, -0.55), (-0.6, 0), (-0.45, 0.6), (0.45, 0.6), (0.6, 0), (0.45, -0.55)),
        _to((-0.58, 0.1), (0.58, 0.1)),
    ],
    "sword": lambda: [
        _to((0, -0.9), (0, 0.85)),
        _to((-0.14, -0.75), (-0.14, 0.3)),
        _to((-0.5, 0.3), (0.5, 0.3)),
    ],
    "key": lambda: [
        _arc(0, -0.5, 0.34, 0, 360),
        _to((0, -0.15), (0, 0.8)),
        _to((0, 0.75), (0.35, 0.75)),
        _to((0, 0.45), (0.28, 0.45)),
    ],
    "rope": lambda: [_arc(0, 0, 0.65, 20, 350), _arc(0.05, 0, 0.42, 0, 340), _arc(0, 0.05, 0.2, 0, 300)],
    "scroll": lambda: [
        _arc(-0.55, -0.4, 0.18, 0, 360),
        _to((-0.5, -0.58), (0.6, -0.58), (0.6, 0.4), (-0.4, 0.4), (-0.4, -0.3)),
        _to((-0.15, -0.2), (0.4, -0.2)),
        _to((-0.15, 0.08), (0.4, 0.08)),
    ],
    "monster": lambda: [
        _arc(0, 0.05, 0.6, 0, 360, 1.1),
        _to((-0.5, -0.45), (-0.75, -0.95), (-0.2, -0.6)),
        _to((0.5, -0.45), (0.75, -0.95), (0.2, -0.6)),
        _to((-0.35, -0.1), (-0.1, 0.0)),
        _to((0.35, -0.1), (0.1, 0.0)),
        _to((-0.35, 0.35), (-0.15, 0.22), (0, 0.38), (0.15, 0.22), (0.35, 0.35)),
    ],
    "padlock": lambda: [
        _to((-0.5, 0.0), (0.5, 0.0), (0.38, 0.75), (-0.38, 0.75), (-0.5, 0.0)),
        _arc(0, 0, 0.36, 180, 360, 1.8),
        _arc(0, 0.32, 0.12, 0, 360),
    ],
    "pitfall": lambda: [
        _arc(0, 0, 0.85, 0, 360, 0.7),
        _arc(0, 0.05, 0.62, 0, 360, 0.65),
        _arc(0, 0.1, 0.4, 0, 360, 0.6),
    ],
    "lava_pit": lambda: [
        _arc(0, 0.35, 0.8, 0, 360, 0.45),
        _to((-0.4, 0.3), (-0.5, -0.3), (-0.2, 0.0), (0, -0.8), (0.2, -0.05), (0.5, -0.4), (0.4, 0.3)),
    ],
    "magic_circle": lambda: [
        _arc(0, 0, 0.85, 0, 360),
        _to((0, -0.8), (0.7, 0.42), (-0.7, 0.42), (0, -0.8)),
        _to((0, 0.8), (0.7, -0.42), (-0.7, -0.42), (0, 0.8)),
    ],
    "recycle": lambda: [
        _arc(0, 0, 0.6, -60, 200),
        _to((0.05, -0.75), (0.32, -0.52), (0.0, -0.32)),
        _arc(0, 0, 0.25, 0, 360),
    ],
    "scissors": lambda: [
        _arc(-0.5, -0.35, 0.24, 0, 360),
        _arc(-0.5, 0.35, 0.24, 0, 360),
        _to((-0.3, -0.25), (0.8, 0.4)),
        _to((-0.3, 0.25), (0.8, -0.4)),
    ],
}
#: Kinds that are touched up with colour.
TOUCH: dict[str, Rgb] = {
    "lava_pit": (206, 90, 40),
    "magic_circle": (120, 90, 160),
    "coin": (222, 180, 70),
    "pitfall": (96, 76, 60),
}


def _icon(nib: _Nib, find: str, at: Point) -> None:
    radius = ICON_MM / 2
    nib.fill(nib.ring(at, radius * 0.98), FLOOR)
    if find in TOUCH:
        nib.fill(nib.ring(at, radius * 0.6, 0.8), TOUCH[find])
    for stroke in ICONS[find]():
        nib.scrawl(np.asarray(at) + 0.92 * radius * stroke, 0.34, waver=0.05)
