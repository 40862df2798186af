"""Plaques of goals on their cards: each shows a goal's requirements and points to its place.

A plaque covers no floor and no find, so the reading of lines and places is not affected.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
import skia

from calibration.decks.drawing.glyphs import draw_text, text_width
from calibration.decks.drawing.noise import CARD_MM, Grid, stream
from calibration.decks.drawing.palette import Palette, rgb
from calibration.decks.drawing.pen import INK, Pen, box, lighter, polygon
from calibration.decks.mapmasters.art.artifacts import draw_artifact
from calibration.decks.mapmasters.art.icons import draw_find
from calibration.decks.mapmasters.art.rooms import flight
from scorer.catalogue import Card, Goal

HEIGHT_MM = 5.4
_ICON_MM, _ICON_SCALE, _DIGIT_MM, _GAP_MM, _RIM_MM = 4.4, 0.54, 2.8, 0.75, 0.55
#: So much rock is left between a plaque and floors or finds; less of it, down to the second, costs as many mm
#: of way as the third says for each.
_CLEAR_MM, _LEAST_MM, _TIGHT = 1.4, 0.5, 10.0
#: A pointer that ends farther than the first from its target is astray: each mm more costs as many as the
#: second says, and spots that lie farther by no more than the third are tried.
_NEAR_MM, _ASTRAY, _DETOUR_MM = 4.5, 3.0, 15.0
#: What else a plaque keeps away from: the card's edge, studs and the corner's plate.
_EDGE_MM = 1.3
_STUDS_MM, _STUD_MM = ((3.4, 3.4), (CARD_MM[0] - 3.4, 3.4), (CARD_MM[0] - 3.4, CARD_MM[1] - 3.4)), 2.3
_CORNER_MM = (13.4, 79.6)
_FIND_MM = 4.4
#: So far inside an opening is what a plaque points at.
_INSIDE_MM = 4.0
#: A pointer reaches so far over the edge of a floor, which is dark itself.
_POINT_MM = 0.8
_INWARD = {"left": (1, 0), "right": (-1, 0), "top": (0, 1), "bottom": (0, -1)}
_GROUND, _DARK = rgb("f3e7c4"), rgb("2a1c0e")
_PICTURE = {"pit": "pitfall"}


@dataclass(frozen=True)
class Plaque:
    """Position of a goal's plaque in card millimetres: its centre, its size, and the target that it points
    to."""

    goal: Goal
    middle: tuple[float, float]
    size: tuple[float, float]
    target: tuple[float, float]


def _words(goal: Goal) -> list[tuple[str, str]]:
    """The symbols on a plaque: a kind or artifact, with the number beside it."""
    told: list[tuple[str, str]] = []
    for kind, wanted in goal.requires.items():
        if isinstance(wanted, int):
            told.append((kind, str(wanted)))
        else:
            told += [(f"artifact {name}", "") for name in wanted]
    return told


def _width(goal: Goal) -> float:
    parts = [
        _ICON_MM + (_GAP_MM + text_width(number, _DIGIT_MM) if number else 0.0) for _, number in _words(goal)
    ]
    return sum(parts) + _GAP_MM * (len(parts) - 1) + 2 * _RIM_MM + 0.3


def plaques(card: Card, floor_mm: np.ndarray, grid: Grid) -> list[Plaque]:
    """A plaque for each place of each goal with requirements, as near to the place as free rock allows.

    `floor_mm` (H, W): distance to the nearest floor. A goal at any opening of the card has no plaque.
    """
    rock = floor_mm.copy()
    x, y = grid.mm()
    for at in [node.at for node in card.nodes if node.kind in ("find", "stairs")]:
        rock = np.minimum(rock, np.hypot(x - at[0], y - at[1]) - _FIND_MM)
    for at in _STUDS_MM:
        rock = np.minimum(rock, np.hypot(x - at[0], y - at[1]) - _STUD_MM)
    rock = np.minimum(rock, np.maximum(x - _CORNER_MM[0], _CORNER_MM[1] - y))
    edge = np.minimum(np.minimum(x, CARD_MM[0] - x), np.minimum(y, CARD_MM[1] - y))
    rock = np.minimum(rock, edge - _EDGE_MM + _CLEAR_MM).astype(np.float32)
    made: list[Plaque] = []
    for goal in card.goals:
        for place in goal.at if goal.requires else ():
            plaque = _placed(goal, _target(card, place), rock, floor_mm, grid)
            made.append(plaque)
            away_x = np.abs(x - plaque.middle[0]) - plaque.size[0] / 2
            away_y = np.abs(y - plaque.middle[1]) - plaque.size[1] / 2
            rock = np.minimum(rock, np.maximum(away_x, away_y)).astype(np.float32)
    return made


def _target(card: Card, place: str) -> tuple[float, float]:
    node = next((node for node in card.nodes if node.id == place), None)
    if node is None:
        room = next(room for room in card.rooms if room.id == place)
        outline = np.array(room.outline)
        return float(outline[:, 0].mean()), float(outline[:, 1].mean())
    if node.kind != "opening" or node.side is None:
        return node.at
    across, down = _INWARD[node.side]
    return node.at[0] + _INSIDE_MM * across, node.at[1] + _INSIDE_MM * down


def _placed(
    goal: Goal, target: tuple[float, float], rock: np.ndarray, floor_mm: np.ndarray, grid: Grid
) -> Plaque:
    """The nearest position where the plaque fits in free rock and its pointer crosses no other floor, or
    else the best one nearby."""
    size = _width(goal), HEIGHT_MM
    kernel = np.ones([max(1, round(side * grid.px_per_mm)) for side in reversed(size)], np.uint8)
    free = cv2.erode(rock, kernel, borderType=cv2.BORDER_REPLICATE)
    x, y = grid.mm()
    far = np.hypot(x - target[0], y - target[1])
    cost = far + _TIGHT * np.maximum(_CLEAR_MM - free, 0) + 100.0 * np.maximum(_LEAST_MM - free, 0)
    step = max(1, round(grid.px_per_mm / 2))
    spots = np.argwhere(cost[::step, ::step] <= cost.min() + _DETOUR_MM) * step
    best, least = None, math.inf
    for row, column in spots[np.argsort([cost[r, c] for r, c in spots], kind="stable")]:
        if cost[row, column] >= least:
            break
        plaque = Plaque(goal, (float(x[0, column]), float(y[row, 0])), size, target)
        _, wrong = _tip(plaque, floor_mm, grid)
        total = float(cost[row, column]) + _ASTRAY * max(0.0, wrong - _NEAR_MM)
        if total < least:
            best, least = plaque, total
    assert best is not None, "the cheapest spot is one of them"
    return best


def draw_goals(pen: Pen, card: Card, seed: int, floor_mm: np.ndarray, grid: Grid, palette: Palette) -> None:
    """Draw the plaques of a card's goals."""
    for plaque in plaques(card, floor_mm, grid):
        _draw(pen, plaque, card, seed, floor_mm, grid, palette)


def _draw(
    pen: Pen, plaque: Plaque, card: Card, seed: int, floor_mm: np.ndarray, grid: Grid, palette: Palette
) -> None:
    (width, height), (cx, cy) = plaque.size, plaque.middle
    body = box(-width / 2, -height / 2, width / 2, height / 2, 0.8)
    pointer = _pointer(plaque, floor_mm, grid)
    with pen.at(cx, cy):
        with pen.at(0.3, 0.4):
            pen.fill(body, INK, 0.55, blur=0.4)
        for part in (pointer, body):
            pen.line(part, _DARK, 0.8)
        for part in (pointer, body):
            pen.fill(part, _GROUND)
        inner = box(-width / 2 + 0.35, -height / 2 + 0.35, width / 2 - 0.35, height / 2 - 0.35, 0.55)
        pen.line(inner, lighter(_GROUND, -0.45), 0.18)
        x = -width / 2 + _RIM_MM + 0.15
        for kind, number in _words(plaque.goal):
            with pen.at(x + _ICON_MM / 2, 0, scale=_ICON_SCALE):
                _icon(pen, kind, card, seed, palette)
            x += _ICON_MM
            if number:
                across = text_width(number, _DIGIT_MM)
                draw_text(pen, number, (x + _GAP_MM + across / 2, 0), _DIGIT_MM, _DARK, weight=0.17)
                x += _GAP_MM + across
            x += _GAP_MM


def _pointer(plaque: Plaque, floor_mm: np.ndarray, grid: Grid) -> skia.Path:
    """Path of the pointer: a wedge from the plaque's centre to the first floor towards the target."""
    run = np.subtract(plaque.target, plaque.middle)
    ahead = run / max(float(np.hypot(*run)), 1e-6)
    tip, _ = _tip(plaque, floor_mm, grid)
    beside = np.array([-ahead[1], ahead[0]]) * 1.5
    return polygon([tuple(beside), tuple(ahead * tip), tuple(-beside)])


def _tip(plaque: Plaque, floor_mm: np.ndarray, grid: Grid) -> tuple[float, float]:
    """Distances in mm from a plaque's centre to the pointer's tip, at the first floor, and from the tip to
    the target."""
    run = np.subtract(plaque.target, plaque.middle)
    length = float(np.hypot(*run))
    ahead = run / max(length, 1e-6)
    for at in np.arange(HEIGHT_MM / 2, length, 0.2):
        column, row = (int(v) for v in grid.to_px(np.add(plaque.middle, ahead * at)))
        if floor_mm[row, column] < -_POINT_MM:
            return float(at), length - float(at)
    return length, 0.0


def _icon(pen: Pen, kind: str, card: Card, seed: int, palette: Palette) -> None:
    if kind.startswith("artifact "):
        draw_artifact(pen, kind.removeprefix("artifact "))
    elif kind == "stairs":
        with pen.at(0, 0, -math.degrees(math.pi / 4), 0.8):
            flight(pen, (-3.0, 0.0), (3.6, 0.0), palette)
    elif kind == "room":
        pen.solid(box(-3.2, -2.6, 3.2, 2.6, 0.2), palette.flag, outline=0.7)
    else:
        draw_find(pen, _PICTURE.get(kind, kind), (0.0, 0.0), stream(seed, card.id, f"goal {kind}"))
