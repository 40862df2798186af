"""Shadows: of what lies on the table, and of what is not in the picture (hands, the phone, window bars,
leaves)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from samples.canvas import Canvas
from samples.projection import eye_mm
from samples.scene_schema import Scene

Array = NDArray[np.float64]


def cast_on_ground(points_mm: Array, light_at: Array, ground_mm: float = 0.0) -> Array:
    """Where points (N, 3) throw their shadow on a surface `ground_mm` over the table, (N, 3)."""
    share = (light_at[2] - ground_mm) / np.maximum(light_at[2] - points_mm[:, 2], 1e-6)
    flat = light_at[:2] + (points_mm[:, :2] - light_at[:2]) * share[:, None]
    return np.column_stack([flat, np.full(len(flat), ground_mm)])


def cast_shadows(
    canvas: Canvas, scene: Scene, light_at: Array, spread: float, rng: np.random.Generator
) -> None:
    """Shadows of what is not in the picture: hands, the phone, window bars, leaves."""
    for prop in scene.props:
        if prop.kind == "hand_shadow":
            _soft_shadow(
                canvas,
                _hand(prop.size, prop.variant, math.radians(prop.angle_deg)) + np.asarray(prop.at_mm),
                prop.height_mm,
                spread,
                0.95,
            )
    named = scene.light.shadow_of
    eye = eye_mm(scene.camera)
    target = np.asarray(scene.camera.target_mm)
    if named == "photographer" and scene.light.kind != "flash":
        for outline, height in (
            (_rounded_box(155, 75), eye[2]),
            (_rounded_box(240, 330) + (eye[:2] - target) * 0.4 + 40, eye[2] * 1.05),
        ):
            at = np.column_stack([outline + eye[:2], np.full(len(outline), min(height, 0.8 * light_at[2]))])
            cast = cast_on_ground(at, light_at)[:, :2]
            _soft_shadow(canvas, cast, height, spread * 0.7, 0.8)
    elif named == "window_bars":
        heading = math.radians(scene.light.azimuth_deg) + rng.uniform(-0.3, 0.3)
        along = np.array([math.cos(heading), math.sin(heading)])
        across = np.array([-along[1], along[0]])
        for k, direction in ((0, along), (1, across)):
            side = across if k == 0 else along
            for step in np.arange(-600, 601, rng.uniform(150, 260)):
                middle = target + side * (step + rng.uniform(-10, 10))
                half = rng.uniform(9, 18)
                bar = np.array(
                    [
                        middle + direction * a * 900 + side * b * half
                        for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
                    ]
                )
                _soft_shadow(canvas, bar, 260.0, spread * 0.35, 0.75)
    elif named == "plant":
        for _ in range(int(rng.integers(10, 26))):
            at = target + rng.normal(0, 170, 2)
            angle, size = rng.uniform(0, 2 * math.pi), rng.uniform(18, 50)
            t = np.linspace(0, 2 * math.pi, 24)
            leaf = np.column_stack([size * np.cos(t), size * 0.32 * np.sin(t)])
            turn = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
            _soft_shadow(canvas, at + leaf @ turn, rng.uniform(80, 260), spread * 0.5, 0.7)


def _soft_shadow(canvas: Canvas, outline_mm: Array, height_mm: float, spread: float, amount: float) -> None:
    ground = np.column_stack([outline_mm, np.zeros(len(outline_mm))])
    canvas.darken(canvas.visible, ground, max(0.8, 0.5 * height_mm * math.tan(spread)), amount)


def _hand(size: float, variant: int, angle: float) -> Array:
    """The outline of a hand's shadow: a palm with some fingers, pointing along `angle`."""
    rng = np.random.default_rng(variant)
    t = np.linspace(0, 2 * math.pi, 90, endpoint=False)
    radius = 48 + 6 * np.sin(3 * t + rng.uniform(0, 6))
    for finger in range(int(rng.integers(1, 5))):
        at = -0.5 + 0.32 * finger + rng.normal(0, 0.05)
        gap = np.angle(np.exp(1j * (t - at)))
        radius += rng.uniform(30, 65) * np.exp(-((gap / 0.11) ** 4))
    arm = np.angle(np.exp(1j * (t - math.pi)))
    radius += 260 * np.exp(-((arm / 0.14) ** 4))
    return np.asarray(size * radius[:, None] * np.column_stack([np.cos(t + angle), np.sin(t + angle)]))


def _rounded_box(width: float, height: float) -> Array:
    t = np.linspace(0, 2 * math.pi, 48, endpoint=False)
    c, s = np.cos(t), np.sin(t)
    return np.column_stack(
        [width / 2 * np.sign(c) * np.abs(c) ** 0.4, height / 2 * np.sign(s) * np.abs(s) ** 0.4]
    )
