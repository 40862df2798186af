"""Light, approximated: the main light and the room's, its colour, and what gloss sends to the lens (a lobe
about the mirror direction, Schlick's Fresnel)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from samples.projection import eye_mm
from samples.scene_schema import Light, Scene

Array = NDArray[np.float64]
Field = NDArray[np.float32]
FRESNEL_AT_NORMAL = 0.045
ROOM_SHEEN = 1.5  # how bright the room is in a mirror, to its light on a white surface; set by Cycles
# main light on a level surface, room light, source's radius in degrees, how much of a mirror's light a card
# sends back
LIGHTS: dict[str, tuple[float, float, float]] = {
    "window": (1.0, 0.45, 14.0),
    "lamp": (1.0, 0.28, 5.0),
    "flash": (1.0, 0.22, 1.6),
    "overcast": (0.40, 0.80, 28.0),
    "mixed": (0.75, 0.50, 8.0),
}
SRGB_TO_LINEAR = (
    np.where(
        np.arange(256) / 255 <= 0.04045,
        np.arange(256) / 255 / 12.92,
        ((np.arange(256) / 255 + 0.055) / 1.055) ** 2.4,
    )
).astype(np.float32)


def to_linear(srgb: NDArray[Any]) -> Field:
    """8-bit sRGB as linear light 0..1."""
    return np.asarray(SRGB_TO_LINEAR[srgb])


def kelvin_rgb(kelvin: float) -> Array:
    """Linear RGB of a black body relative to 6500 K, green 1 (power-law fit of the Planckian locus)."""
    ratio = kelvin / 6500.0
    return np.array([ratio**-0.75, 1.0, ratio**0.95])


def towards_light(light: Light) -> Array:
    """Unit vector to the main light: table x, table y, height."""
    azimuth, elevation = math.radians(light.azimuth_deg), math.radians(light.elevation_deg)
    return np.array(
        [
            math.cos(azimuth) * math.cos(elevation),
            math.sin(azimuth) * math.cos(elevation),
            math.sin(elevation),
        ]
    )


def light_position(scene: Scene) -> Array:
    """Where the main light stands, table x, table y, height; a window is far away."""
    camera, light = scene.camera, scene.light
    if light.kind == "flash":
        made: Array = eye_mm(camera) + np.array([18.0, -12.0, 0.0])
        return made
    reach = {"lamp": 620.0, "mixed": 800.0}.get(light.kind, 2600.0)
    return np.array([*camera.target_mm, 0.0]) + reach * towards_light(light)


def _lobe(angle: Array, source: float, rough: float) -> Array:
    """A mirror's light at `angle` from the source's middle, of a source of radius `source` on a surface of
    that roughness (radians); 1 inside the source on a perfect mirror."""
    edge = math.hypot(rough, 0.02)
    share = source**2 / (source**2 + 2 * rough**2)
    return np.asarray(share / (1 + np.exp((angle - source) / (0.55 * edge))))


def specular(
    points: Array, normals: Array, scene: Scene, light_at: Array, spread: float, rough: float
) -> Array:
    """Light sent to the lens by a varnished surface (N,), in units of a white surface under the main
    light."""
    eye = eye_mm(scene.camera)
    view = eye - points
    view /= np.linalg.norm(view, axis=1, keepdims=True)
    cosine = np.clip((view * normals).sum(axis=1), 0, 1)
    mirrored = 2 * cosine[:, None] * normals - view
    source = light_at - points
    source /= np.linalg.norm(source, axis=1, keepdims=True)
    angle = np.arccos(np.clip((mirrored * source).sum(axis=1), -1, 1))
    fresnel = FRESNEL_AT_NORMAL + (1 - FRESNEL_AT_NORMAL) * (1 - cosine) ** 5
    # a source of radius r that lights a surface with 1 is this bright
    brightness = scene.light.strength / math.sin(max(spread, 0.02)) ** 2
    _, room, _ = LIGHTS[scene.light.kind]
    return np.asarray(fresnel * (brightness * _lobe(angle, spread, rough) + ROOM_SHEEN * room))
