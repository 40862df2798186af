"""Doors, stairs and dead ends in a deck's style."""

from __future__ import annotations

import math

import numpy as np

from samples.styles.canvas import Array, Canvas, Rng, lighter
from samples.styles.icons import draw_icon
from samples.styles.style import Style


def wall_at(at: Array, outline: Array) -> Array:
    """Unit direction of the wall on which a door lies."""
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


def _box(at: Array, along: Array, across: Array, half: float, deep: float) -> Array:
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float) * (half, deep)
    return np.asarray(at + corners @ np.array([along, across]))


def draw_door(canvas: Canvas, at: Array, outline: Array, style: Style) -> None:
    """Draw a door in the wall of a room."""
    along = wall_at(at, outline)
    half = max(style.corridor_mm / 2 - 0.3, 1.2)
    bar = np.array([at - along * half, at + along * half])
    if style.door in ("gap", "posts", "arc", "leaves", "portcullis"):
        canvas.stroke(bar, style.floor.colour, style.wall_mm + 0.7)
    if style.door == "disc":
        canvas.disc(at, half * 0.7, style.floor.colour)
        canvas.disc(at, half * 0.7, style.wall_colour, 0.35)
    elif style.door == "bar":
        canvas.stroke(bar, style.door_colour, style.wall_mm + 0.5)
    elif style.door in ("plank", "square", "arch", "keyhole"):
        _panel(canvas, at, along, half, style)
    else:
        _gate(canvas, at, along, half, style)


def _panel(canvas: Canvas, at: Array, along: Array, half: float, style: Style) -> None:
    """A door as a box: a plank, a square, an arch with boards, or a keyhole."""
    across = np.array([-along[1], along[0]])
    deep = {"plank": max(style.wall_mm * 0.8, 0.8), "arch": half * 0.7}.get(style.door, half * 0.75)
    box = _box(at, along, across, half * (1.0 if style.door == "plank" else 0.8), deep)
    canvas.fill(box, style.door_colour)
    canvas.stroke(box, style.ink, 0.3, closed=True)
    if style.door == "arch":
        for k in (-0.5, 0.0, 0.5):
            line = np.array([at + along * k * half - across * deep, at + along * k * half + across * deep])
            canvas.stroke(line, lighter(style.door_colour, -0.4), 0.25)
    elif style.door == "keyhole":
        canvas.disc(at, 0.6, style.ink)


def _gate(canvas: Canvas, at: Array, along: Array, half: float, style: Style) -> None:
    """What stands in a gap of the wall: posts, an arc, bars or two leaves."""
    across = np.array([-along[1], along[0]])
    if style.door == "posts":
        for sign in (-1, 1):
            canvas.disc(at + sign * along * half, 0.5 + style.wall_mm / 2, style.wall_colour)
    elif style.door == "arc":
        turn = np.linspace(0, math.pi / 2, 9)[:, None]
        leaf = at - along * half + 2 * half * (np.cos(turn) * along + np.sin(turn) * across)
        canvas.stroke(leaf, style.ink, 0.3)
    elif style.door == "portcullis":
        for k in np.linspace(-0.8, 0.8, 5):
            line = np.array([at + along * k * half - across, at + along * k * half + across])
            canvas.stroke(line, style.ink, 0.3)
    elif style.door == "leaves":
        for sign in (-1, 1):
            post = at + sign * along * half
            canvas.stroke([post, post + across * half - sign * along * half * 0.3], style.door_colour, 0.7)


def draw_stairs(canvas: Canvas, pair: Array, style: Style, rng: Rng) -> None:
    """Draw stairs from an upper place to a lower place (2, 2)."""
    top, foot = pair
    length = float(np.hypot(*(foot - top)))
    along = (foot - top) / length if length > 0.5 else np.array([0.0, 1.0])
    across = np.array([-along[1], along[0]])
    half = style.corridor_mm * 0.45
    if style.stairs == "signs":
        for at, kind in ((top, "down"), (foot, "up")):
            draw_icon(canvas, at, style, kind)
        return
    if style.stairs in ("treads", "hatches", "spiral"):
        for at, sign in ((top, 1), (foot, -1)):
            _stairs_end(canvas, at, sign * along, across, style)
        return
    begin, stop = top - along * 1.6, foot + along * 1.4
    _flight(canvas, begin, stop, across * half, style, max(4, round(length / float(rng.uniform(1.0, 1.9)))))


def _stairs_end(canvas: Canvas, at: Array, along: Array, across: Array, style: Style) -> None:
    """One end of stairs that are drawn only at their ends."""
    half = style.corridor_mm * 0.45
    if style.stairs == "spiral":
        canvas.disc(at, half * 1.1, style.stairs_colour)
        canvas.disc(at, half * 1.1, style.ink, 0.35)
        for turn in np.arange(8) * math.pi / 4:
            aim = at + half * 1.1 * np.array([math.cos(turn), math.sin(turn)])
            canvas.stroke([at, aim], style.ink, 0.25)
        return
    if style.stairs == "hatches":
        box = _box(at, along, across, half * 0.9, half * 0.9)
        canvas.fill(box, lighter(style.under.colour, -0.5))
        canvas.stroke(box, style.ink, 0.35, closed=True)
    for k in np.linspace(-0.8, 2.2, 5) if style.stairs == "treads" else np.linspace(-0.8, 0.8, 4) * half:
        middle = at + along * k
        canvas.stroke([middle - across * half, middle + across * half], style.ink, 0.35)


def _flight(canvas: Canvas, begin: Array, stop: Array, side: Array, style: Style, treads: int) -> None:
    """One flight of steps from the upper to the lower place."""
    narrow = 0.55 if style.stairs == "fan" else 1.0
    box = np.array([begin - side, stop - side * narrow, stop + side * narrow, begin + side])
    if style.stairs == "ladder":
        for sign in (-0.8, 0.8):
            canvas.stroke([begin + sign * side, stop + sign * side], style.stairs_colour, 0.7)
    elif style.stairs == "arrow":
        canvas.stroke([begin, stop], style.ink, 1.6)
        canvas.stroke([begin, stop], style.stairs_colour, 1.0)
        back = (begin - stop) / max(float(np.hypot(*(begin - stop))), 1e-6) * 2.2
        canvas.fill([stop, stop + back + side * 0.7, stop + back - side * 0.7], style.stairs_colour)
        return
    elif style.stairs not in ("chevrons", "stripes"):
        canvas.fill(box, style.stairs_colour)
        canvas.stroke(box, style.ink, 0.3, closed=True)
    for t in np.linspace(0.05, 0.95, treads):
        middle, wide = begin + (stop - begin) * t, side * (1 - (1 - narrow) * t)
        if style.stairs == "chevrons":
            tip = middle + (stop - begin) / treads * 0.7
            canvas.stroke([middle - wide, tip, middle + wide], style.ink, 0.5)
        elif style.stairs == "stripes":
            canvas.stroke([middle - wide, middle + wide], style.stairs_colour, 0.9)
        else:
            canvas.stroke([middle - wide, middle + wide], style.ink, 0.35)


def draw_end(canvas: Canvas, at: Array, style: Style, rng: Rng) -> None:
    """Draw the mark of a corridor's dead end."""
    half = style.corridor_mm * 0.35
    if style.end == "cross":
        for sign in (-1, 1):
            canvas.stroke(at + half * np.array([[-1, -sign], [1, sign]]), style.ink, 0.45)
    elif style.end == "bar":
        canvas.stroke(at + half * np.array([[-1, 0], [1, 0]]), style.ink, 0.6)
    elif style.end == "disc":
        canvas.disc(at, half * 0.7, style.ink)
    elif style.end == "rubble":
        for _ in range(6):
            canvas.disc(at + rng.normal(0, half * 0.6, 2), float(rng.uniform(0.3, 0.8)), style.edge_colour)
