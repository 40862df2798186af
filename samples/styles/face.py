"""The face of a card: its dungeon drawn in a deck's style."""

from __future__ import annotations

import math
from typing import Any

import cv2
import numpy as np

from samples.styles.canvas import Array, Canvas, Mask, Picture, Rng, lighter, near, random_colour
from samples.styles.finish import finished
from samples.styles.icons import draw_icon
from samples.styles.signs import draw_door, draw_end, draw_stairs
from samples.styles.style import Style
from samples.styles.textures import Texture
from scorer.catalogue import Card

#: Corridors run on beyond the card's edge by this much, so that no round end shows there.
_BEYOND_MM = 9.0


def draw_face(card: Card, style: Style, scale: float, rng: Rng, words: str = "") -> Picture:
    """The face (H, W, 3) BGR of an upright card at `scale` pixels a mm; `words` is its printed number."""
    canvas = Canvas.blank(style.size_mm, scale)
    canvas.pixels[:] = style.ground.surface(canvas, rng)
    for _ in range(style.doodles):
        _doodle(canvas, style, rng)
    if style.frame == "band":
        _frame(canvas, style, rng)
    lines = corridor_lines(card, style)
    _lower_level(canvas, lines["underground"], style, rng)
    before = canvas.pixels.copy()
    _corridors(canvas, lines["main"], style, style.floor, style.corridor_mm, style.floors, rng)
    if style.see_through:
        canvas.pixels[:] = cv2.addWeighted(canvas.pixels, 1 - style.see_through, before, style.see_through, 0)
    _middles(canvas, lines["main"], style)
    _rooms(canvas, card, style, rng)
    for _ in range(style.crossing):
        _crossing(canvas, style, rng)
    _places(canvas, card, style, rng)
    if style.frame in ("over", "line", "ornate"):
        _frame(canvas, style, rng)
    _labels(canvas, style, words, rng)
    return finished(canvas, style, rng)


def corridor_lines(card: Card, style: Style) -> dict[str, list[Array]]:
    """Centre lines in mm by level; at openings they run on beyond the card's edge."""
    nodes = {node.id: node for node in card.nodes}
    found: dict[str, list[Array]] = {"main": [], "underground": []}
    for edge in card.edges:
        if edge.kind != "corridor":
            continue
        line = np.array([nodes[edge.from_].at, *edge.via, nodes[edge.to].at], float)
        for k, end in ((0, nodes[edge.from_]), (-1, nodes[edge.to])):
            if end.kind == "opening":
                step = {"left": (-1, 0), "right": (1, 0), "top": (0, -1), "bottom": (0, 1)}[str(end.side)]
                beyond = (line[k] + _BEYOND_MM * np.asarray(step))[None]
                line = np.concatenate([beyond, line] if k == 0 else [line, beyond])
        found[edge.level or nodes[edge.from_].level].append(line)
    return found


def _rough(canvas: Canvas, mask: Mask, amount_mm: float, rng: Rng) -> Mask:
    """A mask with an uneven edge."""
    soft = cv2.GaussianBlur(mask, (0, 0), 0.45 * canvas.scale).astype(np.float32)
    edge = soft + 110 * amount_mm * canvas.noise(1.2, rng)
    return np.asarray(np.clip((edge - 127) * 6 + 127, 0, 255), np.uint8)


def _corridors(
    canvas: Canvas, lines: list[Array], style: Style, texture: Texture, width: float, form: str, rng: Rng
) -> None:
    """Draw the corridors of one level in one of the forms of floors."""
    if not lines:
        return
    mask = canvas.lines_mask(lines, width, style.square)
    if style.rough_mm:
        mask = _rough(canvas, mask, style.rough_mm, rng)
    if form == "relief":
        _shadow(canvas, mask)
    if form == "glow":
        bright = np.zeros_like(canvas.pixels)
        bright[canvas.grown(mask, 0.5) > 127] = style.edge_colour
        halo = cv2.GaussianBlur(bright, (0, 0), 1.1 * canvas.scale)
        canvas.pixels[:] = cv2.add(canvas.pixels, halo)
    if form == "hachures":
        _hachures(canvas, lines, width, style, rng)
    edge = {"plain": 0.0, "band": style.line_mm + 1.0, "glow": 0.4}.get(form, style.line_mm)
    if edge:
        rim = np.empty_like(canvas.pixels)
        rim[:] = style.edge_colour
        canvas.lay(canvas.grown(mask, edge), rim)
    surface = texture.surface(canvas, rng)
    if form == "tube":
        inside = cv2.GaussianBlur(mask, (0, 0), width * canvas.scale / 5).astype(np.float32)[..., None] / 255
        surface = (surface * (0.45 + 0.55 * np.clip(2 * inside - 0.8, 0, 1))).astype(np.uint8)
    canvas.lay(mask, surface)
    if form == "slabs":
        _slabs(canvas, lines, width, style, texture, rng)


def _shadow(canvas: Canvas, mask: Mask) -> None:
    step = np.array([[1, 0, 0.5 * canvas.scale], [0, 1, 0.7 * canvas.scale]], np.float32)
    dark = cv2.GaussianBlur(cv2.warpAffine(mask, step, mask.shape[::-1]), (0, 0), 0.6 * canvas.scale)
    canvas.lay(dark, np.zeros_like(canvas.pixels), 0.6)


def _hachures(canvas: Canvas, lines: list[Array], width: float, style: Style, rng: Rng) -> None:
    """Short strokes along the walls, away from the corridor."""
    for line in lines:
        at, along = _spaced(line, 1.1)
        for place, step in zip(at, along, strict=True):
            across = np.array([-step[1], step[0]]) * (1 if rng.random() < 0.5 else -1)
            start = place + across * width / 2
            aim = start + across * float(rng.uniform(0.8, 2.4)) + step * float(rng.normal(0, 0.6))
            canvas.stroke([start, aim], style.edge_colour, 0.25)


def _slabs(
    canvas: Canvas, lines: list[Array], width: float, style: Style, texture: Texture, rng: Rng
) -> None:
    """Joints across the corridor, as of stepping stones."""
    for line in lines:
        for place, step in zip(*_spaced(line, max(1.8, 0.8 * width)), strict=True):
            across = np.array([-step[1], step[0]]) * width * 0.55
            canvas.stroke([place - across, place + across], style.ground.colour, 0.6)


def _spaced(line: Array, step_mm: float) -> tuple[Array, Array]:
    """Points (N, 2) at equal steps along a line, and its unit directions there."""
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    want = np.arange(step_mm / 2, along[-1], step_mm)
    at = np.column_stack([np.interp(want, along, line[:, k]) for k in (0, 1)])
    ahead = np.column_stack([np.interp(want + 0.1, along, line[:, k]) for k in (0, 1)])
    back = np.column_stack([np.interp(want - 0.1, along, line[:, k]) for k in (0, 1)])
    away = ahead - back
    return at, away / np.maximum(np.hypot(*away.T), 1e-9)[:, None]


def _lower_level(canvas: Canvas, lines: list[Array], style: Style, rng: Rng) -> None:
    if not lines:
        return
    width = style.under_mm * (0.55 if style.unders == "narrow" else 1.0)
    if style.unders in ("floor", "narrow", "dark"):
        texture = style.under
        form = style.floors if style.unders == "floor" else "edged"
        _corridors(canvas, lines, style, texture, width, form, rng)
        if style.unders == "dark":
            canvas.lay(canvas.lines_mask(lines, width), np.zeros_like(canvas.pixels), 0.35)
        return
    mask = canvas.lines_mask(lines, width, style.square)
    canvas.lay(mask, style.under.surface(canvas, rng), 0.35 if style.unders == "dashed" else 0.65)
    if style.unders == "dashed":
        rim = cv2.subtract(canvas.grown(mask, max(0.2, style.line_mm / 2)), mask)
        rows, columns = np.mgrid[: rim.shape[0], : rim.shape[1]]
        rim[((rows + columns) // max(2, round(1.7 * canvas.scale))) % 2 == 0] = 0
        ink = np.empty_like(canvas.pixels)
        ink[:] = style.ink
        canvas.lay(rim, ink)


def _middles(canvas: Canvas, lines: list[Array], style: Style) -> None:
    """What is printed along the middle of corridors."""
    if style.middle == "none":
        return
    colour = lighter(style.floor.colour, -0.3 if sum(style.floor.colour) > 300 else 0.4)
    for line in lines:
        for place, step in zip(*_spaced(line, 2.6), strict=True):
            across = np.array([-step[1], step[0]])
            if style.middle == "dashes":
                canvas.stroke([place - 0.7 * step, place + 0.7 * step], colour, 0.3)
            elif style.middle == "dots":
                canvas.disc(place, 0.35, colour)
            elif style.middle == "rails":
                half = across * style.corridor_mm * 0.3
                canvas.stroke([place - half, place + half], colour, 0.3)
            else:
                canvas.disc(place + across * 0.8, 0.4, colour)


def _rooms(canvas: Canvas, card: Card, style: Style, rng: Rng) -> None:
    for room in card.rooms:
        outline = np.array(room.outline, float)
        wide = outline.copy()
        for axis, limit in enumerate(style.size_mm):
            wide[wide[:, axis] < 0.4, axis] = -6
            wide[wide[:, axis] > limit - 0.4, axis] = limit + 6
        mask = np.zeros(canvas.shape, np.uint8)
        canvas.fill(wide, 255, on=mask)
        if style.room_walls == "relief":
            _shadow(canvas, mask)
        if style.floors != "walls" or rng.random() < 0.5:
            canvas.lay(mask, style.room.surface(canvas, rng))
        if style.room_walls in ("double", "band"):
            canvas.stroke(
                wide, style.edge_colour, style.wall_mm + (2.0 if style.room_walls == "band" else 0.9), True
            )
        if style.room_walls != "none":
            canvas.stroke(wide, style.wall_colour, style.wall_mm, closed=True)


def _places(canvas: Canvas, card: Card, style: Style, rng: Rng) -> None:
    """Doors, stairs, dead ends and finds."""
    nodes = {node.id: node for node in card.nodes}
    outlines = {room.id: np.array(room.outline, float) for room in card.rooms}
    for node in card.nodes:
        if node.kind == "door":
            draw_door(canvas, np.array(node.at), outlines[str(node.room)], style)
    for edge in card.edges:
        if edge.kind == "stairs":
            pair = sorted((nodes[edge.from_], nodes[edge.to]), key=lambda node: node.level != "main")
            draw_stairs(canvas, np.array([node.at for node in pair]), style, rng)
    for node in card.nodes:
        if node.kind == "end":
            draw_end(canvas, np.array(node.at), style, rng)
    finds: list[Any] = [node for node in card.nodes if node.find]
    finds += [find for room in card.rooms for find in room.finds]
    for find in finds:
        draw_icon(canvas, np.array(find.at), style, str(find.find))


def _doodle(canvas: Canvas, style: Style, rng: Rng) -> None:
    """Draw a decoration on the ground: an arc, a blot, a word or a few strokes."""
    at, colour = rng.uniform(0, canvas.size_mm), near(style.ground.colour, rng, 55)
    form = int(rng.integers(4))
    if form == 0:
        turn = np.linspace(0, float(rng.uniform(0.6, 6.3)), 20) + float(rng.uniform(0, 6.3))
        circle = np.column_stack([np.cos(turn), np.sin(turn)])
        canvas.stroke(at + float(rng.uniform(1, 10)) * circle, colour, 0.3)
    elif form == 1:
        canvas.fill(at + rng.normal(0, 2.3, (5, 2)), colour)
    elif form == 2:
        canvas.words(str(int(rng.integers(10, 999))), at, 2.5, colour)
    else:
        canvas.stroke(at + rng.normal(0, 3.5, (3, 2)), colour, float(rng.uniform(0.2, 0.8)))


def _crossing(canvas: Canvas, style: Style, rng: Rng) -> None:
    """Decoration across corridors: a vine, a crack, a river or a stain, more or less pale."""
    drawn = canvas.pixels.copy()
    middle = rng.uniform(0, canvas.size_mm)
    colour = random_colour(rng)
    if rng.random() < 0.75:
        steps = np.cumsum(rng.normal(0, 3, (9, 2)) + rng.normal(0, 3, 2), axis=0)
        canvas.stroke(middle + steps, colour, float(rng.choice([0.3, 0.6, 1.5])))
    else:
        turns = np.arange(9) * 0.7
        reach = rng.uniform(2, 9) * rng.uniform(0.6, 1, (9, 1))
        canvas.fill(middle + reach * np.column_stack([np.cos(turns), np.sin(turns)]), colour)
    share = float(rng.uniform(0.2, 0.8))
    canvas.pixels[:] = cv2.addWeighted(canvas.pixels, share, drawn, 1 - share, 0)


def _frame(canvas: Canvas, style: Style, rng: Rng) -> None:
    """Draw the card's frame: a band, a thin line inside the edge, or a band with knots."""
    width, (right, bottom) = style.frame_mm, canvas.size_mm
    if style.frame == "line":
        box = [
            [width, width],
            [right - width, width],
            [right - width, bottom - width],
            [width, bottom - width],
        ]
        canvas.stroke(box, style.frame_colour, 0.4, closed=True)
        return
    corners = np.array([[0, 0], [right, 0], [right, bottom], [0, bottom]])
    canvas.stroke(corners, style.frame_colour, 2 * width, closed=True)
    if style.frame == "ornate":
        for k in range(4):
            a, b = corners[k], corners[(k + 1) % 4]
            for share in np.linspace(0, 1, max(3, round(float(np.hypot(*(b - a))) / 6))):
                canvas.disc(a + (b - a) * share, width * 0.7, lighter(style.frame_colour, 0.35))


def _labels(canvas: Canvas, style: Style, words: str, rng: Rng) -> None:
    """The printed number, and signs in the corners that are no finds."""
    right, bottom = canvas.size_mm
    corners = [(1.6, 1.6), (right - 12, 1.6), (1.6, bottom - 5.6), (right - 12, bottom - 5.6)]
    places = np.random.default_rng([style.seed, 7]).permutation(4)
    for k in range(style.labels):
        x, y = corners[int(places[k])]
        box = np.array([[x, y], [x + 10, y], [x + 10, y + 4], [x, y + 4]])
        if (style.seed + k) % 3:
            canvas.fill(box, style.plate_colour)
            canvas.stroke(box, style.ink, 0.25, closed=True)
        if k == 0:
            canvas.words(
                words or f"K{rng.integers(10, 99)}", (x + 1, y + 3.3), 2.8, style.ink, style.seed % 4
            )
        else:
            for j in range(int(rng.integers(1, 4))):
                canvas.disc((x + 2 + 3 * j, y + 2), math.sqrt(1.2), style.door_colour)
