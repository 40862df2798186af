"""What a drawn thing is made of: faces in space, and the outlines that throw its shadow."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from samples.scene_schema import Prop

Array = NDArray[np.float64]
Colour = tuple[float, float, float]


@dataclass(frozen=True)
class Face:
    """A polygon (N, 3) mm with a linear albedo; `alpha` < 1 for glass and print; `lit` scales its light."""

    points_mm: Array
    colour: Colour
    alpha: float = 1.0
    lit: float = 1.0


@dataclass(frozen=True)
class Shape:
    """A prop's faces in painting order, and the ground outline (N, 2) at `height_mm` that throws its
    shadow; `more_shadows_mm` are those of its other parts."""

    faces: tuple[Face, ...]
    shadow_mm: Array
    height_mm: float
    more_shadows_mm: tuple[Array, ...] = ()


def linear(colour: Colour) -> Colour:
    """An sRGB colour 0..1 as linear light."""
    values = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
    return values[0], values[1], values[2]


def on_table(local: Array, prop: Prop, height: float | Array) -> Array:
    """A prop's own points (N, 2) mm, moved, turned and scaled to where it lies: (N, 3) table mm."""
    angle = math.radians(prop.angle_deg)
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    flat = np.asarray(local, float) * prop.size @ turn.T + np.asarray(prop.at_mm)
    return np.column_stack([flat, np.broadcast_to(height, len(flat))])
