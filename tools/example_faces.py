"""Faces of example cards: a dungeon's levels, rooms, doors, stairs, icons and frame, drawn in a style."""

from __future__ import annotations

import math
from typing import Any

import cv2
import numpy as np

from calibration.enrol.propose.drawing import Drawing
from scorer.catalogue import Card
from tools.example_styles import (
    FINER,
    HEIGHT,
    WIDTH,
    Array,
    Canvas,
    Colour,
    Rng,
    Style,
    chance_colour,
    disc,
    fill,
    near_colour,
    stroke,
)


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
        """Canvas positions (N, 2) in pixels of card positions (N, 2) in mm."""
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


def _dashes(canvas: Canvas, line: Array, colour: Colour, width: float, dash: float, gap: float) -> None:
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    for start in np.arange(0, along[-1], dash + gap):
        at = np.linspace(start, min(start + dash, along[-1]), 4)
        stroke(canvas, np.column_stack([np.interp(at, along, line[:, k]) for k in (0, 1)]), colour, width)


def _mask(lines: list[Array], width: float) -> Canvas:
    made = np.zeros((HEIGHT * FINER, WIDTH * FINER), np.uint8)
    for line in lines:
        stroke(made, line, 255, width)
    return made


def _roughened(mask: Canvas, amount: float, rng: Rng) -> Canvas:
    """A mask with an irregular edge."""
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
            _dashes(canvas, line, near_colour(texture.colour, rng, 30), 0.5, 2.5, 3)


def _room(canvas: Canvas, outline: Array, style: Style, rng: Rng) -> None:
    wide = outline.copy()
    for axis, limit in enumerate((WIDTH, HEIGHT)):
        wide[wide[:, axis] < 0.7, axis] = -12
        wide[wide[:, axis] > limit - 0.7, axis] = limit + 12
    mask = np.zeros(canvas.shape[:2], np.uint8)
    fill(mask, wide, 255)
    _laid(canvas, mask, style.room.surface(rng))
    if style.wall_rim:
        stroke(canvas, wide, style.edge_colour, style.wall + 2, closed=True)
    stroke(canvas, wide, style.wall_colour, style.wall, closed=True)


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
        stroke(canvas, bar, style.floor.colour, style.wall + 1.2)
    if style.door == "posts":
        for sign in (-1, 1):
            disc(canvas, at + sign * along * half, 1.0 + style.wall / 3, style.wall_colour)
    elif style.door == "arc":
        turn = np.linspace(0, math.pi / 2, 9)[:, None]
        leaf = at - along * half + 2 * half * (np.cos(turn) * along + np.sin(turn) * across)
        stroke(canvas, leaf, style.ink, 0.5)
    elif style.door == "disc":
        disc(canvas, at, style.corridor * 0.33, style.floor.colour)
        disc(canvas, at, style.corridor * 0.33, style.wall_colour, 0.7)
    elif style.door == "plank":
        thick = max(style.wall, 2.0)
        box = [at - along * half - across * thick / 1.5, at + along * half - across * thick / 1.5]
        box += [at + along * half + across * thick / 1.5, at - along * half + across * thick / 1.5]
        fill(canvas, np.array(box), style.door_colour)
        stroke(canvas, np.array(box), style.ink, 0.5, closed=True)
    elif style.door == "bar":
        stroke(canvas, bar, style.door_colour, style.wall + 0.8)


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
                stroke(canvas, np.array([middle - across * half, middle + across * half]), style.ink, 0.6)
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
        fill(canvas, np.array(box), style.stairs_colour)
        stroke(canvas, np.array(box), style.ink, 0.6, closed=True)
    else:
        for sign in (-1, 1):
            rail = np.array([begin, stop]) + sign * across * half * 0.9
            stroke(canvas, rail, style.stairs_colour, 1.4)
    for t in np.linspace(0.05, 0.95, max(4, round(length / rng.uniform(2, 3.4)))):
        middle, wide = begin + (stop - begin) * t, half * (1 - (1 - narrow) * t)
        stroke(canvas, np.array([middle - across * wide, middle + across * wide]), style.ink, 0.7)


def _icon(canvas: Canvas, at: Array, style: Style, seed: int) -> None:
    """Draw a symbol of random strokes and shapes, with or without a plate; equal seeds give equal
    symbols."""
    rng = np.random.default_rng([style.seed, seed])
    size = style.icon
    plate = style.plate if style.plate != "mixed" else str(rng.choice(["disc", "square", "none"]))
    rim = chance_colour(rng)
    if plate == "disc":
        disc(canvas, at, size, style.plate_colour)
        disc(canvas, at, size - 0.4, rim, 1.0)
    elif plate == "square":
        box = at + size * 0.9 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
        fill(canvas, box, style.plate_colour)
        stroke(canvas, box, rim, 1.0, closed=True)
    reach = size * (0.75 if plate != "none" else 1.0)
    if plate == "none" and rng.random() < 0.8:
        form = at + reach * rng.uniform(0.5, 1.0, (7, 1)) * np.column_stack(
            [np.cos(np.arange(7) * 0.9), np.sin(np.arange(7) * 0.9)]
        )
        fill(canvas, form, chance_colour(rng))
        stroke(canvas, form, style.ink, 0.6, closed=True)
    if style.lettered:
        words = "".join(rng.choice(list("ABCDEKLMRSTXabdklmnorstx"), 2))
        (wide, high), _ = cv2.getTextSize(words, cv2.FONT_HERSHEY_SIMPLEX, 0.5, 1)
        scale = 0.5 * 2 * reach * FINER * 0.8 / wide
        place = (int(at[0] * FINER - reach * FINER * 0.8), int(at[1] * FINER + high * scale))
        cv2.putText(canvas, words, place, cv2.FONT_HERSHEY_SIMPLEX, scale, rim, 2, cv2.LINE_AA)
        return
    for _ in range(int(rng.integers(2, 6))):
        form, colour = int(rng.integers(4)), chance_colour(rng) if rng.random() < 0.5 else style.ink
        if form == 0:
            disc(canvas, at + reach * rng.normal(0, 0.3, 2), reach * rng.uniform(0.12, 0.5), colour)
        elif form == 1:
            fill(canvas, at + reach * rng.uniform(-0.8, 0.8, (int(rng.integers(3, 6)), 2)), colour)
        elif form == 2:
            disc(canvas, at + reach * rng.normal(0, 0.15, 2), reach * rng.uniform(0.3, 0.7), colour, 0.8)
        else:
            points = at + reach * rng.uniform(-0.85, 0.85, (int(rng.integers(2, 4)), 2))
            stroke(canvas, points, colour, rng.uniform(0.5, 1.6))


def _doodle(canvas: Canvas, style: Style, rng: Rng) -> None:
    """Draw a meaningless decoration on the ground: a stone, a plant, an arc or a number."""
    at, colour = rng.uniform(0, (WIDTH, HEIGHT)), near_colour(style.ground.colour, rng, 55)
    form = int(rng.integers(4))
    if form == 0:
        turn = np.linspace(0, rng.uniform(0.6, 6.3), 20) + rng.uniform(0, 6.3)
        stroke(canvas, at + rng.uniform(2, 20) * np.column_stack([np.cos(turn), np.sin(turn)]), colour, 0.5)
    elif form == 1:
        fill(canvas, at + rng.normal(0, 4.5, (5, 2)), colour)
    elif form == 2:
        words = str(int(rng.integers(10, 999)))
        place = (int(at[0] * FINER), int(at[1] * FINER))
        cv2.putText(canvas, words, place, cv2.FONT_HERSHEY_SIMPLEX, 0.35, colour, 1, cv2.LINE_AA)
    else:
        stroke(canvas, at + rng.normal(0, 7, (3, 2)), colour, rng.uniform(0.4, 1.6))


def _border(canvas: Canvas, style: Style, rng: Rng) -> None:
    """Draw the card's frame and the printed reference number in a corner."""
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
        fill(canvas, box, style.plate_colour)
        stroke(canvas, box, style.ink, 0.5, closed=True)
    place = (int((left + 2) * FINER), int((top + size[1] - 3) * FINER))
    cv2.putText(
        canvas, f"K{rng.integers(10, 99)}", place, cv2.FONT_HERSHEY_SIMPLEX, 0.45, style.ink, 1, cv2.LINE_AA
    )


def _end(canvas: Canvas, at: Array, style: Style) -> None:
    """Draw the mark of a corridor's dead end."""
    if style.end == "cross":
        for sign in (-1, 1):
            stroke(canvas, at + 3 * np.array([[-1, -sign], [1, sign]]), style.ink, 0.9)
    elif style.end == "bar":
        stroke(canvas, at + style.corridor * 0.4 * np.array([[-1, 0], [1, 0]]), style.ink, 1.2)
    elif style.end == "disc":
        disc(canvas, at, 2, style.ink)


def drawn(layout: Layout, style: Style, rng: Rng) -> Canvas:
    """A rendered card face (176, 128, 3) BGR, upright."""
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
        _end(canvas, at, style)
    for kind, at in layout.finds:
        _icon(canvas, at, style, sum(map(ord, kind)))
    if style.frame and style.frame_over:
        _border(canvas, style, rng)
    _reference(canvas, style, rng)
    return np.asarray(cv2.resize(canvas, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA), np.uint8)
