"""The shapes of standing pieces, for both renderers: figures folded from a printed strip, and turned pawns.

A folded figure is two sheets that meet at the top, apart at the foot, with a flap on the ground before each;
both sheets show the same picture, so that it looks the same way from either side. A pawn is a solid of
revolution in one colour.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from samples.scene_schema import Figure

Array = NDArray[np.float64]
PAPER_MM = 0.6  # a folded figure's sheets together
#: A pawn's outline: its radius at heights, shares of its height.
PAWN = (
    (0.0, 0.27), (0.07, 0.27), (0.12, 0.22), (0.3, 0.14), (0.5, 0.095), (0.56, 0.15), (0.6, 0.10),
    (0.66, 0.145), (0.74, 0.185), (0.82, 0.19), (0.9, 0.155), (0.97, 0.08), (1.0, 0.0),
)  # fmt: skip
AROUND = 20
_UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True)
class Sheet:
    """One flat part of a folded figure: its corners in space (4, 3), those of its picture from the top left
    clockwise; `ground`: it lies on the ground and shows the picture's lowest part upside down."""

    corners_mm: Array
    normal: Array
    ground: bool = False


def sheets_of(figure: Figure) -> tuple[Sheet, ...]:
    """A folded figure's flaps and sides."""
    angle = math.radians(figure.angle_deg)
    right = np.array([math.cos(angle), math.sin(angle), 0.0])
    before = np.array([-right[1], right[0], 0.0])
    width, height = figure.size_mm
    foot = np.array([*figure.foot_mm, figure.on_mm])
    lean = math.radians(figure.lean_deg)
    top = foot + height * (math.sin(lean) * before + np.array([0, 0, math.cos(lean)]))
    half = right * width / 2
    flap = figure.flap_share * height
    found = []
    for side in (1.0, -1.0):
        outward = side * before
        base = foot + outward * figure.spread_mm / 2
        crest = top + outward * PAPER_MM / 2
        corners = np.array([crest - half, crest + half, base + half, base - half])
        normal = np.cross(half, crest - base)
        normal *= np.sign(normal @ outward) / np.linalg.norm(normal)
        found.append(Sheet(corners, normal))
        low, far = base + _UP * 0.3, base + outward * flap + _UP * 0.5
        lying = np.array([low - half, low + half, far + half, far - half])
        found.append(Sheet(lying, _UP, ground=True))
    return tuple(found)


def pawn_rings(figure: Figure) -> Array:
    """A pawn's surface, (heights, `AROUND`, 3)."""
    height = figure.size_mm[1]
    turn = np.linspace(0, 2 * math.pi, AROUND, endpoint=False)
    circle = np.column_stack([np.cos(turn), np.sin(turn)])
    rings = [
        np.column_stack(
            [np.asarray(figure.foot_mm) + circle * r * height, np.full(AROUND, figure.on_mm + h * height)]
        )
        for h, r in PAWN
    ]
    return np.asarray(rings)
