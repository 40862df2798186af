"""Light of an evening's scene, its reflections, and the post-processing of phone and messenger."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from samples.laid_cards import brightest_mirror
from samples.nuisances import Nuisances
from samples.scene_schema import Camera, Copy, Light, Post, Reflection, Scene, SceneCard
from samples.shooting import random_light, random_post
from samples.splits import Split

# Light that a card mirrors: more than the first greys its print, more than the second hides it.
SHINY, MIRRORED = 0.25, 0.7


def evening_light(
    split: Split, nuisances: Nuisances, cards: Sequence[SceneCard], rng: np.random.Generator
) -> Light:
    """The room's light, with a reflection on one of these cards where the nuisances say so."""
    light = random_light(split, rng)
    if nuisances.tier == "easy":
        calm = light.kind if light.kind in ("window", "overcast", "lamp") else "window"
        light = msgspec.structs.replace(
            light, kind=calm, shadow_of="", strength=min(light.strength, 1.0), elevation_deg=60.0
        )
    if nuisances.low_light:
        light = msgspec.structs.replace(light, kind="mixed" if light.kind == "mixed" else "lamp")
    if not nuisances.glare:
        return light
    card = cards[int(rng.integers(len(cards)))]
    at = np.asarray(card.pose.centre_mm) + rng.normal(0, 22, 2)
    strong = nuisances.strength
    if nuisances.glare == "stripe":
        reflection = Reflection(
            "stripe",
            (float(at[0]), float(at[1])),
            float(rng.uniform(0, 180)),
            width_mm=float(rng.uniform(3.0, 7.0 + 9.0 * strong)),
            length_mm=float(rng.uniform(110, 260)),
            strength=float(rng.uniform(0.5, 0.9) + 3.0 * strong * rng.uniform(0.4, 1.0)),
        )
    else:
        reflection = Reflection(
            "haze",
            (float(at[0]), float(at[1])),
            float(rng.uniform(0, 180)),
            width_mm=float(rng.uniform(60, 110)),
            length_mm=float(rng.uniform(90, 180)),
            strength=float(0.10 + 0.45 * strong * rng.uniform(0.6, 1.0)),
        )
    return msgspec.structs.replace(light, reflections=(reflection,))


def without_mirrors(scene: Scene, nuisances: Nuisances, rng: np.random.Generator) -> tuple[Scene, bool]:
    """The scene, its main light moved where an easy or typical photo's cards would mirror it; and whether
    they still do."""
    best, least = scene, brightest_mirror(scene)
    for _ in range(12):
        if least <= SHINY or nuisances.tier in ("hard", "wild"):
            break
        light = msgspec.structs.replace(
            scene.light, azimuth_deg=float(rng.uniform(0, 360)), elevation_deg=float(rng.uniform(25, 65))
        )
        moved = msgspec.structs.replace(scene, light=light)
        level = brightest_mirror(moved)
        if level < least:
            best, least = moved, level
    return best, least > MIRRORED


def evening_post(nuisances: Nuisances, camera: Camera, seed: int, rng: np.random.Generator) -> Post:
    """What phone and messenger make of the photo."""
    post = random_post(rng, seed)
    if post.format == "heic":  # its pixels are a JPEG's; sets can be made without an encoder of it
        post = msgspec.structs.replace(post, format="jpeg")
    if nuisances.tier == "easy":
        post = msgspec.structs.replace(
            post,
            noise=min(post.noise, 0.02),
            chroma_noise=min(post.chroma_noise, 0.015),
            motion_blur_px=0.0,
            exposure_ev=max(post.exposure_ev, 0.05),
        )
    if nuisances.low_light:
        dark = nuisances.strength
        post = msgspec.structs.replace(
            post,
            noise=float(rng.uniform(0.05, 0.07 + 0.05 * dark)),
            chroma_noise=float(rng.uniform(0.04, 0.06 + 0.05 * dark)),
            exposure_ev=float(-0.7 - 1.5 * dark * rng.uniform(0.6, 1.0)),
            saturation=float(rng.uniform(0.7, 0.95)),
            motion_blur_px=float(rng.uniform(0.5, 1.5 + 3.0 * dark)),
            vignetting=float(rng.uniform(0.25, 0.5)),
        )
    if nuisances.messenger:
        area = float(rng.uniform(1.5e6, 2.0e6))
        share = float(np.sqrt(area / (camera.width * camera.height)))
        post = msgspec.structs.replace(
            post,
            format="jpeg",
            exif_orientation=1,
            copy=Copy(
                round(max(camera.width, camera.height) * share),
                int(rng.integers(48, 76)) - round(12 * nuisances.strength),
            ),
        )
    return post
