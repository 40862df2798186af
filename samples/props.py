"""Simple drawn things for the fast compositor: what lies about on a table, as flat-shaded faces in space.

Each prop becomes faces (polygons of points (x, y, height) in table mm with a linear colour) painted back to
front, and the outline and height of the shadow that it throws. Shapes are approximate on purpose: they are
clutter, not subject.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull

from samples.hands import hand
from samples.scene_schema import Prop
from samples.shapes import Colour, Face, Shape, linear, on_table

Array = NDArray[np.float64]


def shape_of(prop: Prop, eye_mm: Array) -> Shape:
    """The prop's shape as seen from `eye_mm` (3,): table x, y and height. Raises `ValueError` for
    shadow-only props."""
    maker = {
        "pen": _pen,
        "pencil": _pencil,
        "die": _die,
        "coin": _coin,
        "token": _token,
        "miniature": _miniature,
        "mug": _mug,
        "glass": _glass,
        "scoreboard": _sheet,
        "paper": _sheet,
        "phone": _phone,
        "cable": _cable,
        "hand": hand,
    }.get(prop.kind)
    if maker is None:
        raise ValueError(f"{prop.kind!r} has no faces")
    return maker(prop, eye_mm)


def _disc(radius: float, count: int = 40, squash: float = 1.0) -> Array:
    angle = np.linspace(0, 2 * math.pi, count, endpoint=False)
    return radius * np.column_stack([np.cos(angle), squash * np.sin(angle)])


def _box(x0: float, y0: float, x1: float, y1: float) -> Array:
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])


def _rounded(width: float, height: float, radius: float) -> Array:
    corners = [(1, 1, 0), (-1, 1, 90), (-1, -1, 180), (1, -1, 270)]
    points = []
    for sx, sy, start in corners:
        for degrees in range(start, start + 91, 15):
            a = math.radians(degrees)
            points.append(
                (
                    sx * (width / 2 - radius) + radius * math.cos(a),
                    sy * (height / 2 - radius) + radius * math.sin(a),
                )
            )
    return np.array(points)


def _tone(colour: Colour, factor: float) -> Colour:
    return colour[0] * factor, colour[1] * factor, colour[2] * factor


def _rod(prop: Prop, sections: list[tuple[float, float, float, float, Colour]]) -> Shape:
    """A round rod along its own x: sections of (from, to, radius at from, at to, colour) shaded as a
    cylinder."""
    faces = []
    strips = 9
    for start, stop, r0, r1, colour in sections:
        for k in range(strips):
            a0, a1 = math.pi * k / strips, math.pi * (k + 1) / strips
            middle = (a0 + a1) / 2
            bright = 0.30 + 0.75 * max(0.0, math.sin(middle + 0.35)) ** 1.3
            gloss = 0.5 * math.exp(-(((middle - 1.15) / 0.16) ** 2))
            local = np.array(
                [
                    [start, -r0 * math.cos(a0)],
                    [stop, -r1 * math.cos(a0)],
                    [stop, -r1 * math.cos(a1)],
                    [start, -r0 * math.cos(a1)],
                ]
            )
            heights = np.array(
                [
                    r0 + r0 * math.sin(a0),
                    r1 + r1 * math.sin(a0),
                    r1 + r1 * math.sin(a1),
                    r0 + r0 * math.sin(a1),
                ]
            )
            tinted = tuple(min(1.0, c * bright + gloss * 0.5) for c in colour)
            faces.append(Face(on_table(local, prop, heights * prop.size), (tinted[0], tinted[1], tinted[2])))
    low, high = sections[0][0], sections[-1][1]
    radius = max(section[2] for section in sections)
    outline = on_table(_box(low, -radius, high, radius), prop, 0.0)[:, :2]
    return Shape(tuple(faces), outline, radius * 1.3)


def _pen(prop: Prop, eye_mm: Array) -> Shape:
    ink = linear(prop.colour)
    body: Colour = ((0.82, 0.82, 0.80), ink, (0.02, 0.02, 0.022))[prop.variant % 3]
    return _rod(
        prop,
        [
            (-68, -60, 4.5, 5.2, ink),
            (-60, -18, 5.6, 5.8, ink),
            (-18, 60, 5.2, 5.2, body),
            (60, 68, 5.2, 4.0, ink),
        ],
    )


def _pencil(prop: Prop, eye_mm: Array) -> Shape:
    paint = linear(prop.colour)
    return _rod(
        prop,
        [
            (-85, -80, 0.4, 1.2, (0.03, 0.03, 0.03)),
            (-80, -66, 1.2, 3.5, (0.60, 0.40, 0.22)),
            (-66, 78, 3.6, 3.6, paint),
            (78, 86, 3.6, 3.6, (0.45, 0.12, 0.10)),
        ],
    )


def _die(prop: Prop, eye_mm: Array) -> Shape:
    half, colour = 8.0, linear(prop.colour)
    pip_colour: Colour = (0.85, 0.85, 0.82) if sum(colour) < 1.2 else (0.03, 0.03, 0.03)
    height = 2 * half * prop.size
    top, ground = _rounded(2 * half, 2 * half, 1.6), _rounded(2 * half, 2 * half, 1.6)
    faces = list(_walls(on_table(ground, prop, 0.0), height, colour, eye_mm))
    faces.append(Face(on_table(top, prop, height), colour))
    spots = {
        0: [(0, 0)],
        1: [(-1, -1), (1, 1)],
        2: [(-1, -1), (0, 0), (1, 1)],
        3: [(-1, -1), (1, 1), (-1, 1), (1, -1)],
        4: [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)],
        5: [(-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)],
    }[prop.variant % 6]
    for x, y in spots:
        pip = _disc(1.55, 18) + np.array([x, y]) * 4.4
        faces.append(Face(on_table(pip, prop, height), pip_colour))
    return Shape(tuple(faces), on_table(ground, prop, 0.0)[:, :2], height)


def _walls(base: Array, height: float, colour: Colour, eye_mm: Array) -> list[Face]:
    """The sides of an upright prism that face the eye."""
    faces = []
    centre = base[:, :2].mean(axis=0)
    for a, b in zip(base, np.roll(base, -1, axis=0), strict=True):
        edge = b[:2] - a[:2]
        outward = np.array([edge[1], -edge[0]])
        middle = (a[:2] + b[:2]) / 2
        if outward @ (middle - centre) < 0:
            outward = -outward
        if outward @ (eye_mm[:2] - middle) <= 0:
            continue
        unit = outward / max(float(np.linalg.norm(outward)), 1e-9)
        bright = 0.45 + 0.25 * float(unit @ np.array([0.6, -0.8]))
        quad = np.array([a, b, [b[0], b[1], height], [a[0], a[1], height]])
        faces.append(Face(quad, _tone(colour, bright)))
    return faces


def _coin(prop: Prop, eye_mm: Array) -> Shape:
    colour = linear(prop.colour)
    height = 2.0
    faces = [
        Face(on_table(_disc(11.0), prop, 0.6), _tone(colour, 0.4)),
        Face(on_table(_disc(11.0), prop, height), colour),
        Face(on_table(_disc(9.6), prop, height), _tone(colour, 0.72)),
        Face(on_table(_disc(9.2), prop, height), _tone(colour, 0.92)),
    ]
    if prop.variant % 2:
        faces.append(Face(on_table(_disc(6.0) * (0.75, 1.0), prop, height), _tone(colour, 0.62)))
    else:
        bar = _box(-1.4, -5.5, 1.4, 5.5)
        faces.append(Face(on_table(bar, prop, height), _tone(colour, 0.6)))
    sheen = _disc(8.5, 24, 0.35) + np.array([-1.5, -4.0])
    faces.append(Face(on_table(sheen, prop, height), (0.95, 0.93, 0.85), alpha=0.25))
    return Shape(tuple(faces), on_table(_disc(11.0), prop, 0.0)[:, :2], height)


def _token(prop: Prop, eye_mm: Array) -> Shape:
    colour = linear(prop.colour)
    outline = _disc(9.0, 6 if prop.variant % 3 == 1 else 40)
    if prop.variant % 3 == 2:
        outline = _box(-7, -7, 7, 7)
    height = 6.0 * prop.size
    base = on_table(outline, prop, 0.0)
    faces = [*_walls(base, height, colour, eye_mm), Face(on_table(outline, prop, height), colour)]
    return Shape(tuple(faces), base[:, :2], height)


def _miniature(prop: Prop, eye_mm: Array) -> Shape:
    """A standing figure on a round foot: legs or a cloak, a chest, a head."""
    colour = linear(prop.colour)
    wide, tall = (6.0, 30.0) if prop.variant % 2 else (4.6, 26.0)
    foot = on_table(_disc(8.0), prop, 0.0)
    faces = [*_walls(foot, 2.5, _tone(colour, 0.5), eye_mm), Face(on_table(_disc(8.0), prop, 2.5), colour)]
    sections = [(2.5, wide), (0.45 * tall, 0.6 * wide), (0.72 * tall, 0.95 * wide), (0.8 * tall, 2.2)]
    rings = [on_table(_disc(radius, 24), prop, height * prop.size) for height, radius in sections]
    for number, (low, high) in enumerate(itertools.pairwise(rings)):
        faces.append(_hull_face(np.vstack([low, high]), _tone(colour, 0.55 + 0.12 * number), eye_mm))
    heads = [
        on_table(_disc(r, 20), prop, h * tall * prop.size) for h, r in ((0.8, 2.0), (0.88, 3.1), (1, 1.6))
    ]
    faces.append(_hull_face(np.vstack(heads), _tone(colour, 1.0), eye_mm))
    return Shape(tuple(faces), foot[:, :2], tall * prop.size)


def _hull_face(points: Array, colour: Colour, eye_mm: Array, alpha: float = 1.0) -> Face:
    """The silhouette of a solid as one face: its points seen from the eye, cast to the ground, their hull."""
    cast = eye_mm[:2] + (points[:, :2] - eye_mm[:2]) * (eye_mm[2] / (eye_mm[2] - points[:, 2]))[:, None]
    hull = ConvexHull(cast)
    return Face(np.column_stack([cast[hull.vertices], np.zeros(len(hull.vertices))]), colour, alpha)


def _mug(prop: Prop, eye_mm: Array) -> Shape:
    colour, height = linear(prop.colour), 92.0 * prop.size
    drink: Colour = ((0.035, 0.015, 0.006), (0.20, 0.10, 0.04), (0.10, 0.02, 0.01))[prop.variant % 3]
    top, base = on_table(_disc(40.0, 60), prop, height), on_table(_disc(38.0, 60), prop, 0.0)
    faces = [_hull_face(np.vstack([top, base]), _tone(colour, 0.30), eye_mm)]
    faces += _walls(on_table(_disc(39.5, 60), prop, 0.0), height, colour, eye_mm)
    handle = _box(36, -6, 62, 6)
    faces.append(
        _hull_face(
            np.vstack([on_table(handle, prop, height * 0.75), on_table(handle, prop, height * 0.3)]),
            _tone(colour, 0.55),
            eye_mm,
        )
    )
    faces += [
        Face(top, colour),
        Face(on_table(_disc(36.5, 60), prop, height), _tone(colour, 0.35)),
        Face(on_table(_disc(36.0, 60), prop, height * 0.8), drink),
    ]
    return Shape(tuple(faces), base[:, :2], height)


def _glass(prop: Prop, eye_mm: Array) -> Shape:
    height = 95.0 * prop.size
    top, base = on_table(_disc(34.0, 48), prop, height), on_table(_disc(28.0, 48), prop, 0.0)
    clear: Colour = (0.75, 0.80, 0.82)
    faces = [
        _hull_face(np.vstack([top, base]), clear, eye_mm, alpha=0.16),
        Face(base, (0.55, 0.60, 0.60), alpha=0.35),
        Face(top, clear, alpha=0.22),
        Face(on_table(_disc(31.5, 48), prop, height), (0.30, 0.32, 0.33), alpha=0.25),
    ]
    return Shape(tuple(faces), base[:, :2], height * 0.25)


def _sheet(prop: Prop, eye_mm: Array) -> Shape:
    """A score sheet or note: ruled boxes and scribbled strokes on board or paper."""
    rng = np.random.default_rng(prop.variant)
    board = prop.kind == "scoreboard"
    width, height = (150.0, 90.0) if board else (148.0, 105.0)
    print_colour = linear(prop.colour)
    colour: Colour = (0.78, 0.77, 0.73) if board else print_colour
    faces = [
        Face(on_table(_rounded(width, height, 3.0 if board else 0.5), prop, 1.5 if board else 0.3), colour)
    ]
    dark = print_colour if board else _tone(colour, 0.35)
    rows, columns = (4, 7) if board else (int(rng.integers(6, 14)), 1)
    for row in range(rows + 1):
        y = -height * 0.4 + row * height * 0.8 / rows
        faces.append(
            Face(on_table(_box(-width * 0.45, y - 0.2, width * 0.45, y + 0.2), prop, 1.5), dark, alpha=0.8)
        )
    for column in range(columns + 1 if columns > 1 else 0):
        x = -width * 0.45 + column * width * 0.9 / columns
        faces.append(
            Face(on_table(_box(x - 0.2, -height * 0.4, x + 0.2, height * 0.4), prop, 1.5), dark, alpha=0.8)
        )
    for _ in range(int(rng.integers(4, 16))):
        at = np.array([rng.uniform(-0.42, 0.42) * width, rng.uniform(-0.36, 0.36) * height])
        pull = np.cumsum(rng.normal(0, 2.2, (6, 2)), axis=0) + at
        for a, b in itertools.pairwise(pull):
            side = np.array([a[1] - b[1], b[0] - a[0]])
            side = 0.5 * side / max(float(np.linalg.norm(side)), 1e-6)
            faces.append(
                Face(
                    on_table(np.array([a - side, b - side, b + side, a + side]), prop, 1.5),
                    (0.03, 0.03, 0.08),
                    alpha=0.85,
                )
            )
    return Shape(
        tuple(faces), on_table(_rounded(width, height, 1.0), prop, 0.0)[:, :2], 1.5 if board else 0.5
    )


def _phone(prop: Prop, eye_mm: Array) -> Shape:
    colour, outline = linear(prop.colour), _rounded(72, 150, 9)
    faces = [*_walls(on_table(outline, prop, 0.0), 8.0, _tone(colour, 1.6), eye_mm)]
    faces.append(Face(on_table(outline, prop, 8.0), colour))
    faces.append(Face(on_table(_rounded(67, 144, 7), prop, 8.0), (0.008, 0.009, 0.011)))
    glint = np.array([[-33.5, -60], [-33.5, 10], [33.5, -66], [10, -71]])
    faces.append(Face(on_table(glint, prop, 8.0), (0.6, 0.65, 0.7), alpha=0.12))
    return Shape(tuple(faces), on_table(outline, prop, 0.0)[:, :2], 8.0)


def _cable(prop: Prop, eye_mm: Array) -> Shape:
    rng = np.random.default_rng(prop.variant)
    t = np.linspace(-1, 1, 60)
    y = 14 * np.sin(t * rng.uniform(2, 4) + rng.uniform(0, 6)) + 6 * np.sin(t * 5 + rng.uniform(0, 6))
    line = np.column_stack([t * 55, y])
    tangent = np.gradient(line, axis=0)
    normal = np.column_stack([-tangent[:, 1], tangent[:, 0]])
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    colour = linear(prop.colour)
    faces = []
    for half, height, factor in ((2.0, 1.0, 0.6), (1.2, 3.4, 1.0), (0.4, 4.0, 1.7)):
        band = np.vstack([line + normal * half, (line - normal * half)[::-1]])
        faces.append(Face(on_table(band, prop, height), _tone(colour, factor)))
    outline = np.vstack([line + normal * 2, (line - normal * 2)[::-1]])
    return Shape(tuple(faces), on_table(outline, prop, 0.0)[:, :2], 3.0)
