"""Examples for the network that proposes dungeons: cards drawn in styles of chance, for this alone.

    python -m tools.proposal_examples --count 3000 --out out/proposal.npz

writes `cards` (N, 176, 128, 3) uint8 BGR and `parts` (N, 8, 176, 128) uint8 of 255: what
`calibration.enrol.propose.drawing` says of each channel. The dungeons are the open deck's mirrored, turned
and stretched; nothing of how a deck is drawn is the same from one example to the next: ground, floors, walls,
widths, levels, doors, stairs, icons, frame, print and light. Every fifth card is the open deck's own art in
other colours. The second deck is never shown.
"""

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.enrol.propose.drawing import Drawing, drawn_parts
from calibration.open_deck import bundled_catalogue
from scorer.catalogue import Card, Catalogue, read_catalogue

#: A card's canvas; 2 px are a 63rd of its shorter side, a millimetre of a usual card.
WIDTH, HEIGHT, PX = 128, 176, 2.03
#: Drawn so much finer.
FINER = 2
OPEN_ART_SHARE = 0.2
Canvas = NDArray[np.uint8]
Array = NDArray[np.float64]
Rng = np.random.Generator
Colour = tuple[int, int, int]


class Layout:
    """A card's dungeon in canvas pixels after a mirror, a turn and a stretch of chance."""

    def __init__(self, card: Card, size_mm: tuple[float, float], rng: Rng, *, plain: bool = False) -> None:
        self.turned = not plain and rng.random() < 0.35
        self.flips = (False, False) if plain else (rng.random() < 0.5, rng.random() < 0.5)
        self.size_mm = size_mm
        straight = not plain and rng.random() < 0.4
        nodes = {node.id: node for node in card.nodes}
        self.lines: dict[str, list[Array]] = {"main": [], "underground": []}
        for edge in card.edges:
            if edge.kind == "corridor":
                line = self.at([nodes[edge.from_].at, *edge.via, nodes[edge.to].at])
                if straight:
                    line = cv2.approxPolyDP(line.astype(np.float32), 3.5, False)[:, 0].astype(float)
                for k, end in ((0, nodes[edge.from_]), (-1, nodes[edge.to])):
                    if end.kind == "opening":
                        line = np.concatenate([self._beyond(line[k])[None], line][:: 1 if k == 0 else -1])
                self.lines[edge.level or "main"].append(line)
        self.rooms = [self.at(room.outline) for room in card.rooms]
        self.doors = [
            (self.at([n.at])[0], self.rooms[[r.id for r in card.rooms].index(str(n.room))])
            for n in card.nodes
            if n.kind == "door"
        ]
        self.finds = [(str(n.find), self.at([n.at])[0]) for n in card.nodes if n.find]
        self.finds += [(str(f.find), self.at([f.at])[0]) for room in card.rooms for f in room.finds]
        self.ends = [self.at([n.at])[0] for n in card.nodes if n.kind == "end"]
        self.stairs = []
        for edge in card.edges:
            if edge.kind == "stairs":
                pair = sorted((nodes[edge.from_], nodes[edge.to]), key=lambda node: node.level != "main")
                self.stairs.append(self.at([node.at for node in pair]))

    @property
    def drawing(self) -> Drawing:
        finds, doors = [at for _, at in self.finds], [at for at, _ in self.doors]
        return Drawing(self.lines, self.rooms, doors, finds, self.stairs)

    def at(self, points_mm: Any) -> Array:
        """(N, 2) canvas pixels."""
        share = np.asarray(points_mm, float).reshape(-1, 2) / np.asarray(self.size_mm)
        if self.turned:
            share = share[:, ::-1]
        for axis, flip in enumerate(self.flips):
            if flip:
                share[:, axis] = 1 - share[:, axis]
        return np.asarray(share * (WIDTH, HEIGHT))

    def _beyond(self, point: Array) -> Array:
        off = [point[0], WIDTH - point[0], point[1], HEIGHT - point[1]]
        step = [(-16, 0), (16, 0), (0, -16), (0, 16)][int(np.argmin(off))]
        return np.asarray(point + np.asarray(step))


def _px(points: Array, scale: float) -> NDArray[np.int32]:
    return np.round((np.atleast_2d(points) * scale - 0.5) * 16).astype(np.int32)


def _stroke(canvas: NDArray[Any], line: Array, colour: Any, width_px: float, closed: bool = False) -> None:
    thick = max(1, round(width_px * FINER))
    cv2.polylines(canvas, [_px(line, FINER)], closed, colour, thick, cv2.LINE_AA, 4)


def _disc(canvas: Canvas, at: Array, radius: float, colour: Colour, line: float = 0.0) -> None:
    x, y = _px(at, FINER)[0]
    thick = -1 if line <= 0 else max(1, round(line * FINER))
    cv2.circle(canvas, (int(x), int(y)), round(radius * FINER * 16), colour, thick, cv2.LINE_AA, 4)


def _fill(canvas: NDArray[Any], outline: Array, colour: Any) -> None:
    cv2.fillPoly(canvas, [_px(outline, FINER)], colour, cv2.LINE_AA, 4)


def _colour(rng: Rng, light: tuple[float, float] = (0, 1)) -> Colour:
    """A colour of chance whose lightness lies between two shares."""
    hue, chroma = rng.integers(180), int(255 * rng.beta(1.2, 2.0))
    value = int(255 * rng.uniform(*light))
    made = cv2.cvtColor(np.array([[[hue, chroma, value]]], np.uint8), cv2.COLOR_HSV2BGR)[0, 0]
    return int(made[0]), int(made[1]), int(made[2])


def _near(colour: Colour, rng: Rng, spread: float) -> Colour:
    blue, green, red = np.clip(np.asarray(colour) + rng.normal(0, spread, 3), 0, 255).astype(int)
    return int(blue), int(green), int(red)


class Texture:
    """How a surface is printed: a colour with grain, hatch, tiles, grid, scales, dots or nothing."""

    def __init__(self, colour: Colour, rng: Rng, busy: float) -> None:
        self.colour, self.seed = colour, int(rng.integers(1 << 30))
        self.grain = rng.uniform(0, 0.16) if rng.random() < busy else 0.0
        self.cell = float(np.exp(rng.uniform(math.log(1.5), math.log(30))))
        kinds = ["none", "hatch", "cross", "grid", "bricks", "rings", "dots", "stones"]
        self.kind = str(rng.choice(kinds)) if rng.random() < busy else "none"
        self.pitch, self.angle = rng.uniform(3.5, 14), rng.uniform(0, math.pi)
        self.ink = _near(colour, rng, rng.uniform(10, 55))
        self.thick = rng.uniform(0.3, 0.9)

    def surface(self, rng: Rng) -> Canvas:
        """(H, W, 3) of the fine canvas."""
        shape = (HEIGHT * FINER, WIDTH * FINER)
        made = np.empty((*shape, 3), np.float32)
        made[:] = self.colour
        if self.grain:
            rows = [max(2, int(side / FINER / self.cell)) for side in shape]
            noise = cv2.resize(
                rng.standard_normal(rows, np.float32), shape[::-1], interpolation=cv2.INTER_CUBIC
            )
            made *= 1 + self.grain * noise[..., None]
        canvas = np.clip(made, 0, 255).astype(np.uint8)
        self._pattern(canvas, rng)
        return canvas

    def _pattern(self, canvas: Canvas, rng: Rng) -> None:
        steps = np.arange(-HEIGHT, WIDTH + HEIGHT, self.pitch)
        if self.kind in ("hatch", "cross"):
            for turn in (self.angle,) if self.kind == "hatch" else (self.angle, self.angle + math.pi / 2):
                along = np.array([math.cos(turn), math.sin(turn)])
                for k in steps:
                    middle = np.array([WIDTH / 2, HEIGHT / 2]) + (k - 64) * along[::-1] * (1, -1)
                    _stroke(
                        canvas, np.array([middle - 220 * along, middle + 220 * along]), self.ink, self.thick
                    )
        elif self.kind in ("grid", "bricks"):
            for row, y in enumerate(np.arange(0, HEIGHT + 1, self.pitch)):
                _stroke(canvas, np.array([[0, y], [WIDTH, y]]), self.ink, self.thick)
                shift = self.pitch * 0.7 * (row % 2) if self.kind == "bricks" else 0
                for x in np.arange(shift, WIDTH + 1, self.pitch * (1.4 if self.kind == "bricks" else 1)):
                    _stroke(canvas, np.array([[x, y], [x, y + self.pitch]]), self.ink, self.thick)
        elif self.kind == "rings":
            for y in np.arange(0, HEIGHT + 8, self.pitch):
                for x in np.arange(0, WIDTH + 8, self.pitch):
                    _disc(canvas, np.array([x, y]), self.pitch * 0.7, self.ink, self.thick)
        elif self.kind == "dots":
            for at in rng.uniform(0, (WIDTH, HEIGHT), (int(6000 / self.pitch**1.6), 2)):
                _disc(canvas, at, rng.uniform(0.3, 1.0), self.ink)
        elif self.kind == "stones":
            for at in rng.uniform(0, (WIDTH, HEIGHT), (int(9000 / self.pitch**1.6), 2)):
                form = at + self.pitch * 0.6 * rng.uniform(0.5, 1, (6, 1)) * np.column_stack(
                    [np.cos(np.arange(6)), np.sin(np.arange(6))]
                )
                _fill(canvas, form, _near(self.ink, rng, 10))


class Style:
    """How a deck is drawn: everything that one and the next deck need not have in common."""

    def __init__(self, rng: Rng) -> None:
        # floors stand off from the ground, in lightness more often than in colour alone
        dark = rng.random() < 0.6
        ground, floor = ((0.05, 0.55), (0.55, 1.0)) if dark else ((0.6, 1.0), (0.15, 0.75))
        self.ground = Texture(_colour(rng, ground), rng, 0.75)
        self.floor = Texture(_colour(rng, floor), rng, 0.45)
        other = _near(self.floor.colour, rng, 45) if rng.random() < 0.5 else _colour(rng, (0.3, 1.0))
        self.under = Texture(other, rng, 0.6)
        same = rng.random()
        room = (
            self.floor.colour
            if same < 0.25
            else _near(self.floor.colour, rng, 25)
            if same < 0.6
            else _colour(rng, floor)
        )
        self.room = Texture(room, rng, 0.6)
        self.corridor = PX * rng.uniform(3.6, 8.2)
        self.under_width = self.corridor * rng.uniform(0.7, 1.0)
        ink = _colour(rng, (0.0, 0.35)) if rng.random() < 0.7 else _colour(rng, (0.8, 1.0))
        self.ink = ink
        self.edge = rng.uniform(0.3, 2.2) if rng.random() < 0.75 else 0.0
        self.edge_colour = ink if rng.random() < 0.6 else _near(self.ground.colour, rng, 60)
        self.under_edge = self.edge if rng.random() < 0.6 else 0.0
        self.rough = rng.uniform(0.3, 1.6) if rng.random() < 0.35 else 0.0
        self.middle_dashes = rng.random() < 0.15
        self.under_form = str(rng.choice(["floor", "floor", "floor", "dashed"]))
        self.over = rng.random() < 0.15  # the lower level shows through
        self.shade = rng.uniform(0, 0.5) if rng.random() < 0.35 else 0.0
        self.wall = rng.uniform(0.6, 3.6)
        self.wall_colour = ink if rng.random() < 0.6 else _colour(rng)
        self.wall_rim = rng.random() < 0.3
        self.door = str(rng.choice(["gap", "posts", "disc", "plank", "arc", "bar"]))
        self.door_colour = _colour(rng)
        self.stairs = str(rng.choice(["box", "box", "ends", "ladder", "fan", "icons"]))
        self.stairs_colour = self.under.colour if rng.random() < 0.4 else _colour(rng)
        self.end = str(rng.choice(["none", "none", "cross", "bar", "disc"]))
        self.icon = PX * rng.uniform(2.3, 4.1)
        self.plate = str(rng.choice(["disc", "square", "none", "none", "mixed"]))
        self.plate_colour = _colour(rng, (0.6, 1.0)) if rng.random() < 0.7 else _colour(rng)
        self.lettered = self.plate != "none" and rng.random() < 0.12
        self.seed = int(rng.integers(1 << 30))
        self.frame = PX * rng.uniform(0.6, 3.2) if rng.random() < 0.3 else 0.0
        self.frame_over = rng.random() < 0.3
        self.frame_colour = _colour(rng)
        self.doodles = int(rng.integers(0, 26)) if rng.random() < 0.7 else 0


def _dashes(canvas: Canvas, line: Array, colour: Colour, width: float, dash: float, gap: float) -> None:
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    for start in np.arange(0, along[-1], dash + gap):
        at = np.linspace(start, min(start + dash, along[-1]), 4)
        _stroke(canvas, np.column_stack([np.interp(at, along, line[:, k]) for k in (0, 1)]), colour, width)


def _mask(lines: list[Array], width: float) -> Canvas:
    made = np.zeros((HEIGHT * FINER, WIDTH * FINER), np.uint8)
    for line in lines:
        _stroke(made, line, 255, width)
    return made


def _roughened(mask: Canvas, amount: float, rng: Rng) -> Canvas:
    """A mask with a ragged rim."""
    shape = mask.shape
    noise = cv2.resize(rng.standard_normal((shape[0] // 7, shape[1] // 7), np.float32), shape[::-1])
    soft = cv2.GaussianBlur(mask, (0, 0), 2.2).astype(np.float32) + 40 * amount * noise
    return np.where(soft > 127, 255, 0).astype(np.uint8)


def _laid(canvas: Canvas, mask: Canvas, surface: Canvas) -> None:
    share = mask[..., None].astype(np.uint16)
    canvas[:] = ((canvas * (255 - share) + surface * share) // 255).astype(np.uint8)


def _level(canvas: Canvas, lines: list[Array], style: Style, level: str, rng: Rng) -> None:
    main = level == "main"
    texture, width = (style.floor, style.corridor) if main else (style.under, style.under_width)
    edge = style.edge if main else style.under_edge
    mask = _mask(lines, width)
    if style.rough:
        mask = _roughened(mask, style.rough, rng)
    if not main and style.under_form == "dashed":
        rim = cv2.dilate(mask, np.ones((3, 3), np.uint8)) - mask
        rim[(np.add.outer(np.arange(rim.shape[0]), np.arange(rim.shape[1])) // 7) % 2 == 0] = 0
        tint = canvas.copy()
        _laid(tint, mask, texture.surface(rng))
        canvas[:] = cv2.addWeighted(tint, 0.45, canvas, 0.55, 0)
        canvas[rim > 0] = style.ink
        return
    if edge:
        reach = max(1, round(edge * FINER))
        canvas[cv2.dilate(mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1,) * 2)) > 127] = (
            style.edge_colour
        )
    surface = texture.surface(rng)
    if style.shade:
        inside = cv2.GaussianBlur(mask, (0, 0), width * FINER / 5).astype(np.float32)[..., None] / 255
        surface = (surface * (1 - style.shade * (1 - inside))).astype(np.uint8)
    _laid(canvas, mask, surface)
    if style.middle_dashes:
        for line in lines:
            _dashes(canvas, line, _near(texture.colour, rng, 30), 0.5, 2.5, 3)


def _room(canvas: Canvas, outline: Array, style: Style, rng: Rng) -> None:
    wide = outline.copy()
    for axis, limit in enumerate((WIDTH, HEIGHT)):
        wide[wide[:, axis] < 0.7, axis] = -12
        wide[wide[:, axis] > limit - 0.7, axis] = limit + 12
    mask = np.zeros(canvas.shape[:2], np.uint8)
    _fill(mask, wide, 255)
    _laid(canvas, mask, style.room.surface(rng))
    if style.wall_rim:
        _stroke(canvas, wide, style.edge_colour, style.wall + 2, closed=True)
    _stroke(canvas, wide, style.wall_colour, style.wall, closed=True)


def _wall_at(at: Array, outline: Array) -> Array:
    """Unit direction of the wall that a door stands in."""
    best, found = math.inf, np.array([1.0, 0.0])
    for a, b in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        length = float(np.hypot(*(b - a)))
        if length < 1e-6:
            continue
        side = (b - a) / length
        off = float(np.hypot(*(at - a - np.clip((at - a) @ side, 0, length) * side)))
        if off < best:
            best, found = off, side
    return found


def _door(canvas: Canvas, at: Array, outline: Array, style: Style) -> None:
    along = _wall_at(at, outline)
    across = np.array([-along[1], along[0]])
    half = style.corridor / 2 - 0.4
    bar = np.array([at - along * half, at + along * half])
    if style.door in ("gap", "posts", "arc"):
        _stroke(canvas, bar, style.floor.colour, style.wall + 1.2)
    if style.door == "posts":
        for sign in (-1, 1):
            _disc(canvas, at + sign * along * half, 1.0 + style.wall / 3, style.wall_colour)
    elif style.door == "arc":
        turn = np.linspace(0, math.pi / 2, 9)[:, None]
        leaf = at - along * half + 2 * half * (np.cos(turn) * along + np.sin(turn) * across)
        _stroke(canvas, leaf, style.ink, 0.5)
    elif style.door == "disc":
        _disc(canvas, at, style.corridor * 0.33, style.floor.colour)
        _disc(canvas, at, style.corridor * 0.33, style.wall_colour, 0.7)
    elif style.door == "plank":
        thick = max(style.wall, 2.0)
        box = [at - along * half - across * thick / 1.5, at + along * half - across * thick / 1.5]
        box += [at + along * half + across * thick / 1.5, at - along * half + across * thick / 1.5]
        _fill(canvas, np.array(box), style.door_colour)
        _stroke(canvas, np.array(box), style.ink, 0.5, closed=True)
    elif style.door == "bar":
        _stroke(canvas, bar, style.door_colour, style.wall + 0.8)


def _stairs(canvas: Canvas, pair: Array, style: Style, rng: Rng) -> None:
    top, foot = pair
    length = float(np.hypot(*(foot - top)))
    along = (foot - top) / length if length > 1 else np.array([0.0, 1.0])
    across = np.array([-along[1], along[0]])
    half = style.corridor * 0.45
    if style.stairs == "icons":
        for at in pair:
            _icon(canvas, at, style, style.seed + 5)
        return
    if style.stairs == "ends":
        for at, sign in ((top, 1), (foot, -1)):
            for k in np.linspace(-1.5, 4.5, 5):
                middle = at + sign * along * k
                _stroke(canvas, np.array([middle - across * half, middle + across * half]), style.ink, 0.6)
        return
    begin, stop = top - along * 4, foot + along * 3
    narrow = 0.6 if style.stairs == "fan" else 1.0
    box = [
        begin - across * half,
        stop - across * half * narrow,
        stop + across * half * narrow,
        begin + across * half,
    ]
    if style.stairs != "ladder":
        _fill(canvas, np.array(box), style.stairs_colour)
        _stroke(canvas, np.array(box), style.ink, 0.6, closed=True)
    else:
        for sign in (-1, 1):
            rail = np.array([begin, stop]) + sign * across * half * 0.9
            _stroke(canvas, rail, style.stairs_colour, 1.4)
    for t in np.linspace(0.05, 0.95, max(4, round(length / rng.uniform(2, 3.4)))):
        middle, wide = begin + (stop - begin) * t, half * (1 - (1 - narrow) * t)
        _stroke(canvas, np.array([middle - across * wide, middle + across * wide]), style.ink, 0.7)


def _icon(canvas: Canvas, at: Array, style: Style, seed: int) -> None:
    """A symbol: a plate or none, a glyph of a few strokes and forms; the same for each seed."""
    rng = np.random.default_rng([style.seed, seed])
    size = style.icon
    plate = style.plate if style.plate != "mixed" else str(rng.choice(["disc", "square", "none"]))
    rim = _colour(rng)
    if plate == "disc":
        _disc(canvas, at, size, style.plate_colour)
        _disc(canvas, at, size - 0.4, rim, 1.0)
    elif plate == "square":
        box = at + size * 0.9 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
        _fill(canvas, box, style.plate_colour)
        _stroke(canvas, box, rim, 1.0, closed=True)
    reach = size * (0.75 if plate != "none" else 1.0)
    if plate == "none" and rng.random() < 0.8:
        form = at + reach * rng.uniform(0.5, 1.0, (7, 1)) * np.column_stack(
            [np.cos(np.arange(7) * 0.9), np.sin(np.arange(7) * 0.9)]
        )
        _fill(canvas, form, _colour(rng))
        _stroke(canvas, form, style.ink, 0.6, closed=True)
    if style.lettered:
        words = "".join(rng.choice(list("ABCDEKLMRSTXabdklmnorstx"), 2))
        (wide, high), _ = cv2.getTextSize(words, cv2.FONT_HERSHEY_SIMPLEX, 0.5, 1)
        scale = 0.5 * 2 * reach * FINER * 0.8 / wide
        place = (int(at[0] * FINER - reach * FINER * 0.8), int(at[1] * FINER + high * scale))
        cv2.putText(canvas, words, place, cv2.FONT_HERSHEY_SIMPLEX, scale, rim, 2, cv2.LINE_AA)
        return
    for _ in range(int(rng.integers(2, 6))):
        form, colour = int(rng.integers(4)), _colour(rng) if rng.random() < 0.5 else style.ink
        if form == 0:
            _disc(canvas, at + reach * rng.normal(0, 0.3, 2), reach * rng.uniform(0.12, 0.5), colour)
        elif form == 1:
            _fill(canvas, at + reach * rng.uniform(-0.8, 0.8, (int(rng.integers(3, 6)), 2)), colour)
        elif form == 2:
            _disc(canvas, at + reach * rng.normal(0, 0.15, 2), reach * rng.uniform(0.3, 0.7), colour, 0.8)
        else:
            points = at + reach * rng.uniform(-0.85, 0.85, (int(rng.integers(2, 4)), 2))
            _stroke(canvas, points, colour, rng.uniform(0.5, 1.6))


def _doodle(canvas: Canvas, style: Style, rng: Rng) -> None:
    """Something printed on the ground that means nothing: a stone, a plant, an arc, a number."""
    at, colour = rng.uniform(0, (WIDTH, HEIGHT)), _near(style.ground.colour, rng, 55)
    form = int(rng.integers(4))
    if form == 0:
        turn = np.linspace(0, rng.uniform(0.6, 6.3), 20) + rng.uniform(0, 6.3)
        _stroke(canvas, at + rng.uniform(2, 20) * np.column_stack([np.cos(turn), np.sin(turn)]), colour, 0.5)
    elif form == 1:
        _fill(canvas, at + rng.normal(0, 4.5, (5, 2)), colour)
    elif form == 2:
        words = str(int(rng.integers(10, 999)))
        place = (int(at[0] * FINER), int(at[1] * FINER))
        cv2.putText(canvas, words, place, cv2.FONT_HERSHEY_SIMPLEX, 0.35, colour, 1, cv2.LINE_AA)
    else:
        _stroke(canvas, at + rng.normal(0, 7, (3, 2)), colour, rng.uniform(0.4, 1.6))


def _border(canvas: Canvas, style: Style, rng: Rng) -> None:
    """The frame and the printed reference in a corner."""
    width = round(style.frame * FINER)
    if width:
        for k in range(2):
            edge = (slice(None), slice(0, width)) if k else (slice(0, width), slice(None))
            canvas[edge] = style.frame_colour
            edge = (slice(None), slice(-width, None)) if k else (slice(-width, None), slice(None))
            canvas[edge] = style.frame_colour


def _reference(canvas: Canvas, style: Style, rng: Rng) -> None:
    form = rng.random()
    if form < 0.25:
        return
    size = rng.uniform((14, 7), (30, 16))
    left, top = rng.choice([0, 3, WIDTH - 3 - size[0]]), rng.choice([0, 3, HEIGHT - 3 - size[1]])
    box = np.array(
        [[left, top], [left + size[0], top], [left + size[0], top + size[1]], [left, top + size[1]]]
    )
    if form < 0.8:
        _fill(canvas, box, style.plate_colour)
        _stroke(canvas, box, style.ink, 0.5, closed=True)
    place = (int((left + 2) * FINER), int((top + size[1] - 3) * FINER))
    cv2.putText(
        canvas, f"K{rng.integers(10, 99)}", place, cv2.FONT_HERSHEY_SIMPLEX, 0.45, style.ink, 1, cv2.LINE_AA
    )


def drawn(layout: Layout, style: Style, rng: Rng) -> Canvas:
    """A card's face (176, 128, 3), upright."""
    canvas = style.ground.surface(rng)
    for _ in range(style.doodles):
        _doodle(canvas, style, rng)
    if style.frame and not style.frame_over:
        _border(canvas, style, rng)
    _level(canvas, layout.lines["underground"], style, "underground", rng)
    before = canvas.copy()
    _level(canvas, layout.lines["main"], style, "main", rng)
    if style.over:
        canvas[:] = cv2.addWeighted(canvas, 0.75, before, 0.25, 0)
    for outline in layout.rooms:
        _room(canvas, outline, style, rng)
    for at, outline in layout.doors:
        _door(canvas, at, outline, style)
    for pair in layout.stairs:
        _stairs(canvas, pair, style, rng)
    for at in layout.ends:
        if style.end == "cross":
            for sign in (-1, 1):
                _stroke(canvas, at + 3 * np.array([[-1, -sign], [1, sign]]), style.ink, 0.9)
        elif style.end == "bar":
            _stroke(canvas, at + style.corridor * 0.4 * np.array([[-1, 0], [1, 0]]), style.ink, 1.2)
        elif style.end == "disc":
            _disc(canvas, at, 2, style.ink)
    for kind, at in layout.finds:
        _icon(canvas, at, style, sum(map(ord, kind)))
    if style.frame and style.frame_over:
        _border(canvas, style, rng)
    _reference(canvas, style, rng)
    return np.asarray(cv2.resize(canvas, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA), np.uint8)


def photographed(face: Canvas, rng: Rng) -> Canvas:
    """The face as one enrolled from a photo: a little off, soft, uneven, grainy."""
    height, width = face.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    moved = corners + rng.normal(0, 0.45, (4, 2)).astype(np.float32)
    face = cv2.warpPerspective(
        face, cv2.getPerspectiveTransform(corners, moved), (width, height), borderMode=cv2.BORDER_REPLICATE
    )
    if rng.random() < 0.6:
        face = cv2.GaussianBlur(face, (0, 0), rng.uniform(0.3, 1.1))
    values = face.astype(np.float32) * rng.uniform(0.75, 1.15) * rng.uniform(0.9, 1.1, 3)
    values = 255 * np.clip(values / 255, 0, 1) ** rng.uniform(0.75, 1.35)
    ramp = np.linspace(-1, 1, height)[:, None] * rng.normal(0, 0.06) + np.linspace(-1, 1, width) * rng.normal(
        0, 0.06
    )
    values = values * (1 + ramp[..., None]) + rng.normal(0, rng.uniform(0, 5), values.shape)
    return np.clip(values, 0, 255).astype(np.uint8)


def recoloured(face: Canvas, rng: Rng) -> Canvas:
    """A face with its colours mixed anew, its tones sometimes turned round."""
    values = face.astype(np.float32)[..., rng.permutation(3)] / 255
    if rng.random() < 0.25:
        values = 1 - values
    mix = np.eye(3) + rng.normal(0, 0.2, (3, 3))
    values = np.clip(values @ (mix / mix.sum(axis=1, keepdims=True)).T, 0, 1) ** rng.uniform(0.6, 1.5)
    return np.asarray(values * 255, np.uint8)


def example(deck: Catalogue, arts: dict[str, Canvas], rng: Rng) -> tuple[Canvas, Canvas]:
    """A card and its parts."""
    cards = [card for card in deck.cards if card.colour in (None, "red")]
    card = cards[int(rng.integers(len(cards)))]
    if rng.random() < OPEN_ART_SHARE:
        if card.id not in arts:
            art = cv2.imread(str(deck.art_path(card)))
            arts[card.id] = np.asarray(
                cv2.resize(art, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA), np.uint8
            )
        layout = Layout(card, deck.card_size_mm, rng, plain=True)
        face = recoloured(arts[card.id], rng) if rng.random() < 0.8 else arts[card.id]
    else:
        layout = Layout(card, deck.card_size_mm, rng)
        face = drawn(layout, Style(rng), rng)
    return photographed(face, rng), drawn_parts(layout.drawing, (WIDTH, HEIGHT))


def main() -> None:
    parser = argparse.ArgumentParser(description="Draw examples for the network that proposes dungeons")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    deck = read_catalogue(bundled_catalogue())
    arts: dict[str, Canvas] = {}
    start = time.process_time()
    made = [example(deck, arts, np.random.default_rng([12, options.first + k])) for k in range(options.count)]
    options.out.parent.mkdir(parents=True, exist_ok=True)
    np.savez(
        options.out, cards=np.stack([card for card, _ in made]), parts=np.stack([part for _, part in made])
    )
    print(f"{options.count} examples, {time.process_time() - start:.0f} s")


if __name__ == "__main__":
    main()
