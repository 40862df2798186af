"""Bright things mirrored in the cards: a tube's or a window's stripe, and haze.

A stripe breaks from card to card, since no two cards lie quite level.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from samples.scene_schema import Reflection

Array = NDArray[np.float64]
BREAK_MM = 3.0  # how far a stripe is off on the next card (deviation)
EDGE_SHARE = 0.22  # of a stripe's width is its soft edge


def mirrored(reflections: tuple[Reflection, ...], points_mm: Array, rng: np.random.Generator) -> Array:
    """What the reflections add at points (N, 2) table mm of one card or sleeve, (N,)."""
    total = np.zeros(len(points_mm))
    for reflection in reflections:
        angle = math.radians(reflection.angle_deg)
        along = np.array([math.cos(angle), math.sin(angle)])
        offset = points_mm - np.asarray(reflection.at_mm)
        u, v = offset @ along, offset @ np.array([-along[1], along[0]])
        if reflection.kind == "haze":
            level = np.exp(-0.5 * ((u / reflection.length_mm) ** 2 + (v / reflection.width_mm) ** 2) * 4)
            total += reflection.strength * level
            continue
        v = v + rng.normal(0, BREAK_MM) + u * rng.normal(0, 0.03)
        edge = max(EDGE_SHARE * reflection.width_mm, 0.6)
        inside = expit((reflection.width_mm / 2 - np.abs(v)) / (0.3 * edge))
        ends = expit((reflection.length_mm / 2 - np.abs(u)) / (0.6 * edge))
        total += reflection.strength * (
            inside * ends + 0.03 * np.exp(-np.abs(v) / (2.5 * reflection.width_mm))
        )
    return total
