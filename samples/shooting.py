"""How a photo is taken: where the phone is held, in what light, and what it makes of it."""

from __future__ import annotations

import math

import msgspec
import numpy as np
from numpy.typing import NDArray

from samples.layouts import NoScene
from samples.projection import card_corners_mm, card_to_photo, card_to_table, table_to_photo
from samples.scene_schema import Camera, Light, Post, SceneCard
from samples.splits import LAMPS, Split

SIZES = ((2304, 1728), (2048, 1536), (2592, 1944), (2400, 1800), (2560, 1440))
BIG_SIZE = (4032, 3024)
#: A board with all that lies round it is photographed as phones come, now and then 16 : 9.
BOARD_SIZES = ((4032, 3024), (3264, 2448), (2592, 1944), (4000, 2250))
BOARD_SIZE_SHARES = (0.4, 0.25, 0.25, 0.1)
FARTHEST_MM = 650.0
SMALLEST_TILTED_PX = 170.0  # height of the smallest card on an evening's photo
SMALLEST_CARD_PX = 270.0  # a card needs about 200 pixels to be named at all


def phone_over(cards: list[SceneCard], rng: np.random.Generator) -> Camera:
    """A phone over the tableau: all of it in view with some room, 26 mm equivalent."""
    corners = np.vstack([card_to_table(card, card_corners_mm(card)) for card in cards])
    middle = (corners[:, :2].min(axis=0) + corners[:, :2].max(axis=0)) / 2
    size = (
        BIG_SIZE
        if rng.random() < 0.06
        else SIZES[int(rng.choice(len(SIZES), p=[0.45, 0.2, 0.15, 0.12, 0.08]))]
    )
    if rng.random() < 0.45:
        size = size[::-1]
    span = np.ptp(corners[:, :2], axis=0)
    # held so that the tableau's long side runs along the picture's, then any turn
    wanted = (
        rng.uniform(0, 360)
        if rng.random() < 0.35
        else float(rng.choice([0, 90, 180, 270], p=[0.55, 0.1, 0.25, 0.1])) + rng.normal(0, 9)
    )
    if abs(math.log(span[0] / span[1])) > 0.25 and rng.random() < 0.7:
        along = (span[0] > span[1]) == (size[0] > size[1])
        wanted = (0 if along else 90) + 180 * int(rng.random() < 0.3) + rng.normal(0, 10)
    azimuth = rng.uniform(-180, 180)
    tilt = float(min(40.0, abs(rng.normal(0, 17))))
    camera = Camera(
        target_mm=(float(middle[0] + rng.normal(0, 8)), float(middle[1] + rng.normal(0, 8))),
        distance_mm=280.0,
        width=size[0],
        height=size[1],
        tilt_deg=tilt,
        azimuth_deg=float(azimuth),
        roll_deg=float(wanted - azimuth),
        fstop=float(rng.choice([1.6, 1.8, 2.2])),
        sensor_diagonal_mm=float(rng.choice([7.0, 8.0, 9.5])),
    )
    margin = rng.uniform(0.02, 0.09) * min(size)
    for _ in range(60):
        seen = table_to_photo(camera, corners)
        inside = (seen >= margin).all() and (seen <= np.array(size) - margin).all()
        if inside:
            break
        camera = msgspec.structs.replace(camera, distance_mm=camera.distance_mm * 1.025)
    distance = min(camera.distance_mm * (1 + 0.3 * rng.beta(1, 2.5)), max(camera.distance_mm, 600.0))
    camera = msgspec.structs.replace(
        camera, distance_mm=float(distance), focus_mm=float(distance * rng.normal(1.0, 0.025))
    )
    heights = [
        np.linalg.norm(np.diff(card_to_photo(camera, card, card_corners_mm(card))[1:3], axis=0))
        for card in cards
    ]
    if distance > FARTHEST_MM or min(heights) < SMALLEST_CARD_PX:
        raise NoScene
    return camera


def phone_above(cards: list[SceneCard], rng: np.random.Generator, *, tilt_deg: float, roomy: bool) -> Camera:
    """A phone over the tableau at any tilt; `roomy`: from further off, so that more of the table is seen.

    Raises `NoScene` where the cards would be too small in the photo.
    """
    corners = np.vstack([card_to_table(card, card_corners_mm(card)) for card in cards])
    middle = (corners[:, :2].min(axis=0) + corners[:, :2].max(axis=0)) / 2
    size = BIG_SIZE if rng.random() < 0.12 else SIZES[int(rng.integers(len(SIZES)))]
    span = np.ptp(corners[:, :2], axis=0)
    # from whichever side of the table, the tableau's long side mostly along the picture's
    azimuth = rng.uniform(-180, 180)
    focal = 26.0
    if tilt_deg > 45:  # from afar, zoomed in: a wide lens would see the horizon
        focal = float(rng.uniform(34, 52))
    elif rng.random() < 0.35:
        size = size[::-1]
    if tilt_deg > 30:  # who leans over a table holds the phone level
        wanted = azimuth + rng.normal(0, 7)
    else:
        wanted = 180.0 * int(rng.random() < 0.4) + rng.normal(0, 10)
        wanted += 0 if (span[0] > span[1]) == (size[0] > size[1]) else 90
    camera = Camera(
        target_mm=(float(middle[0] + rng.normal(0, 6)), float(middle[1] + rng.normal(0, 6))),
        distance_mm=260.0 * focal / 26.0,
        width=size[0],
        height=size[1],
        tilt_deg=tilt_deg,
        azimuth_deg=float(azimuth),
        roll_deg=float(wanted - azimuth),
        focal_mm_35=focal,
        fstop=float(rng.choice([1.6, 1.8, 2.2])),
        sensor_diagonal_mm=float(rng.choice([7.0, 8.0, 9.5])),
    )
    margin = rng.uniform(0.02, 0.08) * min(size)
    for _ in range(80):
        seen = table_to_photo(camera, corners)
        if (seen >= margin).all() and (seen <= np.array(size) - margin).all():
            break
        camera = msgspec.structs.replace(camera, distance_mm=camera.distance_mm * 1.025)
    further = 1 + (0.12 + 0.3 * rng.random() if roomy else 0.25 * rng.beta(1, 3))
    distance = camera.distance_mm * float(further)
    camera = msgspec.structs.replace(
        camera, distance_mm=distance, focus_mm=float(distance * rng.normal(1.0, 0.02))
    )
    sides = [
        np.linalg.norm(np.diff(card_to_photo(camera, card, card_corners_mm(card)), axis=0), axis=1)
        for card in cards
    ]
    if min(float(side[1]) for side in sides) < (SMALLEST_TILTED_PX if tilt_deg > 20 else SMALLEST_CARD_PX):
        raise NoScene
    return camera


def phone_over_board(
    points_mm: NDArray[np.float64], rng: np.random.Generator, *, tilt_deg: float, roomy: bool
) -> Camera:
    """A phone held so that all these points (N, 3) of a table are in view, from any side."""
    low, high = points_mm[:, :2].min(axis=0), points_mm[:, :2].max(axis=0)
    middle, span = (low + high) / 2, high - low
    size = BOARD_SIZES[int(rng.choice(len(BOARD_SIZES), p=BOARD_SIZE_SHARES))]
    focal = float(rng.uniform(23, 28))
    if tilt_deg > 42:  # a wide lens would see the room's walls
        focal = float(rng.uniform(28, 44))
    azimuth = rng.uniform(-180, 180)
    if tilt_deg > 25:  # who leans over a table holds the phone level, mostly across
        wanted = azimuth + rng.normal(0, 7)
        size = size[::-1] if rng.random() < 0.3 else size
    else:
        size = size[::-1] if rng.random() < 0.4 else size
        wanted = float(rng.choice([0, 90, 180, 270])) + rng.normal(0, 9)
        if abs(math.log(span[0] / span[1])) > 0.15:
            along = (span[0] > span[1]) == (size[0] > size[1])
            wanted = (0 if along else 90) + 180 * int(rng.random() < 0.5) + rng.normal(0, 9)
        if rng.random() < 0.12:
            wanted = float(rng.uniform(0, 360))
    camera = Camera(
        target_mm=(float(middle[0] + rng.normal(0, 10)), float(middle[1] + rng.normal(0, 10))),
        distance_mm=330.0 * focal / 26.0,
        width=size[0],
        height=size[1],
        tilt_deg=tilt_deg,
        azimuth_deg=float(azimuth),
        roll_deg=float(wanted - azimuth),
        focal_mm_35=focal,
        fstop=float(rng.choice([1.6, 1.8, 2.2])),
        sensor_diagonal_mm=float(rng.choice([7.0, 8.0, 9.5])),
    )
    margin = rng.uniform(0.01, 0.05) * min(size)
    for _ in range(120):
        seen = table_to_photo(camera, points_mm)
        if (seen >= margin).all() and (seen <= np.array(size) - margin).all():
            break
        camera = msgspec.structs.replace(camera, distance_mm=camera.distance_mm * 1.02)
    distance = camera.distance_mm * float(1 + (0.25 if roomy else 0.12) * rng.beta(1, 2))
    return msgspec.structs.replace(
        camera, distance_mm=distance, focus_mm=float(distance * rng.normal(1.0, 0.02))
    )


def random_light(split: Split, rng: np.random.Generator) -> Light:
    kind = str(rng.choice(["window", "lamp", "flash", "overcast", "mixed"], p=[0.33, 0.23, 0.08, 0.18, 0.18]))
    shadow = str(rng.choice(["", "photographer", "window_bars", "plant"], p=[0.66, 0.16, 0.10, 0.08]))
    if kind in ("flash", "overcast"):
        shadow = ""
    return Light(
        kind=kind,  # type: ignore[arg-type]
        azimuth_deg=float(rng.uniform(0, 360)),
        elevation_deg=float(rng.uniform(22, 80)),
        kelvin=float(rng.choice(LAMPS[split]) + rng.uniform(-40, 40)),
        strength=float(rng.uniform(0.6, 1.6)),
        softness=float(rng.uniform(0.5, 1.6)),
        shadow_of=shadow,  # type: ignore[arg-type]
    )


def random_post(rng: np.random.Generator, seed: int) -> Post:
    dim = rng.random() < 0.25
    form = str(rng.choice(["jpeg", "webp", "png", "heic"], p=[0.88, 0.05, 0.03, 0.04]))
    warm = rng.normal(0, 0.06)
    return Post(
        k1=float(rng.normal(-0.008, 0.014)),
        k2=float(rng.normal(0.003, 0.006)),
        vignetting=float(rng.uniform(0.05, 0.35)),
        noise=float(rng.uniform(0.03, 0.07) if dim else rng.uniform(0.006, 0.03)),
        chroma_noise=float(rng.uniform(0.02, 0.06) if dim else rng.uniform(0.005, 0.02)),
        white_balance=(float(1 + warm), float(1 + rng.normal(0, 0.02)), float(1 - warm)),
        exposure_ev=float(rng.normal(0.05, 0.3)),
        contrast=float(rng.uniform(0.95, 1.3)),
        saturation=float(rng.uniform(0.85, 1.25)),
        sharpening=float(rng.uniform(0.2, 1.0)),
        motion_blur_px=float(rng.uniform(0.8, 4.0)) if rng.random() < 0.22 else 0.0,
        motion_blur_deg=float(rng.uniform(0, 180)),
        jpeg_quality=int(rng.integers(70, 96)),
        format=form,  # type: ignore[arg-type]
        exif_orientation=int(rng.choice([1, 3, 6, 8], p=[0.6, 0.1, 0.2, 0.1])) if form == "jpeg" else 1,
        seed=seed,
    )
