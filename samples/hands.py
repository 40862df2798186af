"""A hand that reaches into the picture: limbs shaded as round, in any skin colour, with what they shade."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from samples.scene_schema import Prop
from samples.shapes import Colour, Face, Shape, linear, on_table

Array = NDArray[np.float64]
#: Skin from pale to dark, sRGB 0-1; what lies between is as common.
SKINS = (
    (0.95, 0.80, 0.72),
    (0.89, 0.70, 0.58),
    (0.80, 0.60, 0.46),
    (0.66, 0.46, 0.33),
    (0.48, 0.32, 0.22),
    (0.30, 0.20, 0.15),
)
STRIPS = 13
FINGER_MM = 8.2  # half its width


def random_skin(rng: np.random.Generator) -> Colour:
    """A skin colour, sRGB 0-1."""
    at = rng.uniform(0, len(SKINS) - 1)
    low = min(int(at), len(SKINS) - 2)
    mixed = np.asarray(SKINS[low]) * (1 - at + low) + np.asarray(SKINS[low + 1]) * (at - low)
    mixed = np.clip(mixed * (1 + rng.normal(0, 0.03, 3)), 0, 1)
    return float(mixed[0]), float(mixed[1]), float(mixed[2])


@dataclass(frozen=True)
class Limb:
    """A round limb from its round tip: its middle line (N, 2) and half its width (N,), mm, in the hand's own
    frame (fingers point along +x, the pointing one ends at the origin); no higher than `height_mm`. The
    colour is linear."""

    line_mm: Array
    radius_mm: Array
    height_mm: float
    colour: Colour


def limbs_of(prop: Prop) -> tuple[Limb, ...]:
    """A hand from its arm to the pointing finger. An even variant points with one finger, an odd one lies
    open; the arm comes from far behind it."""
    rng = np.random.default_rng(prop.variant)
    skin = linear(prop.colour)
    sleeve: Colour = tuple(float(c) for c in rng.uniform(0.03, 0.5, 3))  # type: ignore[assignment]
    limbs: list[tuple[Array, Array, float, Colour]] = []
    wrist, arm = np.array([-150.0, 14.0]), np.array([-520.0, 60.0 + rng.uniform(-60, 60)])
    limbs.append((np.array([wrist, arm]), np.array([25.0, 36.0]), 26.0, skin))
    limbs.append((np.array([wrist + (arm - wrist) * 0.3, arm * 1.4]), np.array([34.0, 46.0]), 34.0, sleeve))
    limbs.append(
        (np.array([[-72.0, 13.0], [-110.0, 15.0], [-152.0, 14.0]]), np.array([33.0, 36, 25]), 24.0, skin)
    )
    knuckles = [np.array([-76.0, -8.0 + 16.5 * k]) for k in range(4)]
    if prop.variant % 2 == 0:  # the others are bent under
        for k in (3, 2, 1):
            bent = knuckles[k] + [16.0, rng.uniform(-1, 1)]
            limbs.append((np.array([bent, knuckles[k] - [20.0, 0]]), np.array([8.6, 9.5]), 22.0, skin))
        limbs.append(
            (np.array([[-58.0, -14.0], [-82, -19], [-120, -8]]), np.array([8.0, 10, 13]), 26.0, skin)
        )
    else:
        for k, length in ((3, 52.0), (2, 68.0), (1, 76.0)):
            spread = 0.10 * k + rng.normal(0, 0.04)
            tip = knuckles[k] + length * np.array([math.cos(spread), math.sin(spread)])
            limbs.append(
                (np.array([tip, knuckles[k], knuckles[k] - [22, 0]]), np.array([6.6, 8.2, 9.0]), 14.0, skin)
            )
        limbs.append(
            (np.array([[-62.0, -46.0], [-92, -28], [-124, -6]]), np.array([8.0, 10.5, 13]), 15.0, skin)
        )
    bend = knuckles[0] * 0.48 + [0, rng.uniform(-3, 3)]
    finger = np.array([[-0.72 * FINGER_MM, 0.0], bend, knuckles[0], knuckles[0] - [26, -3]])
    limbs.append((finger, np.array([0.8, 1.0, 1.1, 1.25]) * FINGER_MM, 15.0, skin))
    return tuple(Limb(*limb) for limb in limbs)


def smooth_limb(limb: Limb) -> tuple[Array, Array]:
    """The limb's middle line (M, 2) and half its width (M,), mm, with its round tip."""
    fine_at = np.linspace(0, len(limb.line_mm) - 1, 10 * len(limb.line_mm))
    at = np.arange(len(limb.line_mm))
    middle = np.column_stack([np.interp(fine_at, at, limb.line_mm[:, k]) for k in (0, 1)])
    wide = np.interp(fine_at, at, limb.radius_mm)
    # the tip is a half circle
    ahead = middle[0] - middle[1]
    ahead /= np.linalg.norm(ahead)
    cap = np.linspace(1, 0, 8)[:-1]
    middle = np.vstack([middle[0] + ahead * cap[:, None] * wide[0], middle])
    return middle, np.concatenate([wide[0] * np.sqrt(1 - cap**2), wide])


def hand(prop: Prop, eye_mm: Array) -> Shape:
    """A hand whose finger ends at `prop.at_mm`."""
    skin = linear(prop.colour)
    limbs = limbs_of(prop)
    faces: list[Face] = []
    shadows: list[Array] = []
    for limb in limbs:
        made, outline = _shaded(limb, prop)
        faces += made
        shadows.append(outline)
    nail = np.column_stack([4.6 * np.cos(_TURN) - 7.0, 3.6 * np.sin(_TURN)])
    pale: Colour = tuple(min(1.0, 0.75 * c + 0.22) for c in skin)  # type: ignore[assignment]
    faces.append(Face(on_table(nail, prop, 16.0), pale, alpha=0.55))
    bend = limbs[-1].line_mm[1]
    for x in (bend[0] - 2, bend[0] + 2, bend[0] * 0.55):
        crease = np.array([[x, bend[1] - 5.5], [x + 1.2, bend[1]], [x, bend[1] + 5.5], [x + 0.3, bend[1]]])
        faces.append(Face(on_table(crease, prop, 16.0), _darker(skin, 0.45), alpha=0.5))
    return Shape(tuple(faces), shadows[-1], 15.0, tuple(shadows[:-1]))


_TURN = np.linspace(0, 2 * math.pi, 24, endpoint=False)


def _darker(colour: Colour, by: float) -> Colour:
    """Skin in its own shade: blood shows, so red is lost last."""
    return colour[0] * by**0.8, colour[1] * by, colour[2] * by**1.05


def _shaded(limb: Limb, prop: Prop) -> tuple[list[Face], Array]:
    """A limb as strips of skin, and its outline on the ground."""
    middle, wide = smooth_limb(limb)
    tangent = np.gradient(middle, axis=0)
    tangent /= np.linalg.norm(tangent, axis=1, keepdims=True)
    normal = np.column_stack([-tangent[:, 1], tangent[:, 0]])
    angles = np.linspace(-math.pi / 2, math.pi / 2, STRIPS + 1)
    top = np.minimum(limb.height_mm, 2 * wide) / 2
    faces = []
    for low, high in itertools.pairwise(angles):
        sides = [middle + normal * (wide * math.sin(a))[:, None] for a in (low, high)]
        heights = [top * (1 + math.cos(a)) for a in (low, high)]
        lit = 0.42 + 0.62 * max(0.0, math.cos((low + high) / 2 + 0.35))
        band = np.vstack([sides[0], sides[1][::-1]])
        raised = np.concatenate([heights[0], heights[1][::-1]])
        faces.append(Face(on_table(band, prop, raised * prop.size), _darker(limb.colour, lit)))
    outline = np.vstack([middle + normal * wide[:, None], (middle - normal * wide[:, None])[::-1]])
    return faces, on_table(outline, prop, 0.0)[:, :2]
