"""Ink of an evening's tableau: pens, the path with its spur and marks, last round's wiped drawing."""

from __future__ import annotations

from dataclasses import dataclass, replace

import msgspec
import numpy as np
from numpy.typing import NDArray

from samples import ink
from samples.drawing import CORRIDOR_REACH_MM, link_line, mark_strokes, marks_drawn, path_strokes
from samples.ghosts import Wipe, ghost_film, wiped
from samples.layouts import NoScene, table_to_card_true
from samples.nuisances import Nuisances
from samples.scene_schema import SceneCard
from samples.splits import INK_SHIFT, Split
from samples.walks import DrawnWalk, draw_walk
from scorer.dungeon import Dungeon
from scorer.record import Marks

Array = NDArray[np.float64]
COLOURS = ("black", "blue", "red", "green", "purple", "orange", "brown", "light blue")
COLOUR_SHARES = (0.36, 0.24, 0.15, 0.12, 0.05, 0.02, 0.03, 0.03)


@dataclass(frozen=True)
class Inked:
    """Strokes of one pen, in the order in which they are laid down."""

    pen: ink.Pen
    strokes: tuple[ink.Stroke, ...]


def evening_pen(split: Split, rng: np.random.Generator, *, faint: bool = False) -> ink.Pen:
    """Any pen that a household has; `faint`: one that runs dry."""
    pen = ink.Pen.random(rng, str(rng.choice(COLOURS, p=COLOUR_SHARES)))
    shifted = np.clip(np.add(pen.rgb, INK_SHIFT[split]), 0, 255)
    density = pen.density * (float(rng.uniform(0.22, 0.4)) if faint else 1.0)
    rgb = (int(shifted[0]), int(shifted[1]), int(shifted[2]))
    return replace(pen, rgb=rgb, density=density, width_mm=pen.width_mm * float(rng.uniform(0.8, 1.15)))


def layers_of_ink(
    dungeon: Dungeon,
    cards: list[SceneCard],
    drawn: DrawnWalk,
    path: list[ink.Stroke],
    marks: Marks,
    pen: ink.Pen,
    nuisances: Nuisances,
    split: Split,
    rng: np.random.Generator,
) -> list[Inked]:
    """This round's ink, pen by pen: the path, a spur, the marks."""
    layers = [Inked(pen, tuple(path))]
    if nuisances.pens == "changed":
        layers = _pen_changed(path, pen, _other_pen(pen, split, rng), rng)
    if nuisances.spur:
        layers.append(Inked(pen, tuple(_spur(dungeon, cards, drawn, pen, rng))))
    marker = _other_pen(pen, split, rng) if nuisances.pens == "marks" else pen
    layers.append(Inked(marker, tuple(mark_strokes(dungeon, cards, marks, marker, rng))))
    return layers


def _other_pen(pen: ink.Pen, split: Split, rng: np.random.Generator) -> ink.Pen:
    """A pen of another colour."""
    while True:
        other = evening_pen(split, rng)
        if other.colour != pen.colour:
            return other


def _pen_changed(
    path: list[ink.Stroke], pen: ink.Pen, other: ink.Pen, rng: np.random.Generator
) -> list[Inked]:
    """The path with its last part drawn with another pen: from a new stroke on, or in the midst of one."""
    starts = [k for k, stroke in enumerate(path) if stroke.kind == "path"]
    if len(starts) > 1:
        cut = starts[int(rng.integers(1, len(starts)))]
        return [Inked(pen, tuple(path[:cut])), Inked(other, tuple(path[cut:]))]
    stroke = path[starts[0]]
    first = np.arange(len(stroke.points_mm)) < len(stroke.points_mm) * rng.uniform(0.3, 0.7)
    before = replace(stroke, density=stroke.density * first)
    after = replace(stroke, density=stroke.density * ~first * (other.density / pen.density))
    rest = [each for each in path if each is not stroke]
    return [Inked(pen, (before,)), Inked(other, (after, *rest))]


def _spur(
    dungeon: Dungeon, cards: list[SceneCard], drawn: DrawnWalk, pen: ink.Pen, rng: np.random.Generator
) -> list[ink.Stroke]:
    """A way begun by mistake off the path, and the scribble over it; none where the path leaves no way."""
    walked = [name for stroke in drawn.strokes for name in stroke]
    choices = [
        link
        for name in walked
        if dungeon.places[name].kind in ("junction", "find")
        for link in dungeon.neighbours[name]
        if link.kind == "corridor" and link.b not in walked and link.level == "main"
    ]
    if not choices:
        return []
    link = choices[int(rng.integers(len(choices)))]
    way = ink.resample(link_line(dungeon, cards, link), 0.25)
    length = float(rng.uniform(6.0, 13.0))
    way = way[: max(12, int(length / 0.25))]
    line = ink.path_stroke(way, pen, rng, reach_mm=CORRIDOR_REACH_MM)
    points = line.points_mm
    # to and fro across the false way, beginning where it leaves the path
    begin = min(int(3.0 / ink.STEP_MM), len(points) // 2)
    count = int(rng.integers(6, 12))
    at = np.linspace(begin, len(points) - 1, count).astype(int)
    tangent = np.gradient(points, axis=0)[at]
    tangent /= np.maximum(np.linalg.norm(tangent, axis=1, keepdims=True), 1e-9)
    normal = np.column_stack([-tangent[:, 1], tangent[:, 0]])
    swing = rng.uniform(1.5, 2.9, count) * np.where(np.arange(count) % 2, 1, -1)
    zigzag = points[at] + normal * swing[:, None] + rng.normal(0, 0.3, (count, 2))
    scribble = ink.laid_down("spur", ink.resample(zigzag, ink.STEP_MM), pen, rng)
    return [replace(line, kind="spur"), scribble]


def old_path(
    dungeon: Dungeon,
    cards: list[SceneCard],
    nuisances: Nuisances,
    split: Split,
    pen: ink.Pen,
    rng: np.random.Generator,
) -> Inked | None:
    """Last round's drawing over the same cards, before it was wiped."""
    if not nuisances.ghost:
        return None
    drawn = draw_walk(dungeon, rng, legal=True)
    if drawn is None:
        raise NoScene
    old = pen if rng.random() < 0.5 else _other_pen(pen, split, rng)
    strokes = path_strokes(dungeon, cards, drawn.strokes, old, rng)
    if rng.random() < 0.6:
        strokes += mark_strokes(dungeon, cards, marks_drawn(dungeon, drawn, rng), old, rng)
    return Inked(old, tuple(strokes))


def with_ink(
    card: SceneCard,
    index: int,
    layers: list[Inked],
    old: Inked | None,
    wipe: Wipe,
    images: dict[str, NDArray[np.uint8]],
) -> SceneCard:
    """The card with all ink that lies on it, or on its sleeve."""
    border = card.sleeve.border_mm if card.sleeve is not None else 0.0
    size = (card.size_mm[0] + 2 * border, card.size_mm[1] + 2 * border)

    def to_surface(points: Array) -> Array:
        return table_to_card_true(card, points) + border

    films = []
    if old is not None:
        density = ink.film(old.strokes, to_surface, size, old.pen, wipe.seed + 50 + index)
        cover = wiped(density, card.pose.angle_deg, wipe, index)
        if float(cover.max()) > 0.02:
            films.append(ghost_film(cover, old.pen))
    for number, layer in enumerate(layers):
        density = ink.film(layer.strokes, to_surface, size, layer.pen, wipe.seed + 100 * number + index)
        if float(density.max()) > 0:
            films.append(ink.overlay(density, layer.pen))
    if not films:
        return card
    name = f"ink{index}.png"
    whole = films[0]
    for film in films[1:]:
        whole = ink.laid_over(whole, film)
    images[name] = whole
    return msgspec.structs.replace(card, ink=name)
