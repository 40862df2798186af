"""Cards as they lie: the printed face with its ink, the thickness, contact shadow and gloss."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from samples.canvas import Canvas
from samples.light import specular, to_linear
from samples.projection import card_corners_mm, card_to_photo, card_to_table, table_to_photo
from samples.scene_schema import CARD_THICKNESS_MM, Camera, Finish, Scene, SceneCard
from samples.shadows import cast_on_ground
from samples.smooth import coarse_grid, enlarge
from samples.tables import cloud

Array = NDArray[np.float64]
Field = NDArray[np.float32]
Images = Callable[[str], NDArray[np.uint8]]
EDGE_SLOPE = 0.6


def lay_card(
    canvas: Canvas,
    scene: Scene,
    card: SceneCard,
    images: Images,
    light_at: Array,
    spread: float,
    rng: np.random.Generator,
) -> None:
    camera = scene.camera
    width, height = card.size_mm
    outline = _rounded_outline(card)
    upper = card_to_table(card, outline)
    seen = table_to_photo(camera, upper)
    shown = canvas.photo_polygon(seen, 0.0)
    if shown is None:
        return
    window = shown[0]
    # its shadow on what is already there, and the dark line of contact
    cast = cast_on_ground(upper, light_at)
    lift = float(upper[:, 2].mean())
    canvas.darken(canvas.visible, cast, max(0.12, lift * math.tan(spread) * 0.7), 0.9)
    base = np.column_stack([upper[:, :2], np.zeros(len(upper))])
    canvas.darken(canvas.open, base, 0.55 + 0.5 * lift, 0.55)
    lower = upper - [0, 0, CARD_THICKNESS_MM]
    core = 0.55 + 0.2 * float(rng.random())
    canvas.paint(lower, (core, core * 0.98, core * 0.95), 1.0)
    # the face
    map_x, map_y = _card_map(camera, card, window)
    longest = float(
        np.linalg.norm(np.diff(card_to_photo(camera, card, card_corners_mm(card)), axis=0), axis=1).max()
    )
    per_mm = min(16.0, max(3.0, 1.15 * longest / height))
    face = _face(card, images, per_mm, scene.finish, rng)
    # (the face is a whole number of pixels each way)
    face_x = map_x * np.float32(face.shape[1] / width) - np.float32(0.5)
    face_y = map_y * np.float32(face.shape[0] / height) - np.float32(0.5)
    inset = card.corner_radius_mm
    dx = np.abs(map_x - np.float32(width / 2)) - np.float32(width / 2 - inset)
    dy = np.abs(map_y - np.float32(height / 2)) - np.float32(height / 2 - inset)
    outside = (
        np.hypot(np.maximum(dx, 0), np.maximum(dy, 0)) + np.minimum(np.maximum(dx, dy), 0) - np.float32(inset)
    )
    cover = np.clip(0.5 - outside * np.float32(EDGE_SLOPE * longest / height), 0, 1)
    keep = 1 - cover
    for plane, printed in zip(canvas.albedo, cv2.split(face), strict=True):
        colour = cv2.remap(printed, face_x, face_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        colour -= plane[window]
        colour *= cover
        plane[window] += colour
    for field in (canvas.visible, canvas.open):
        field[window] *= keep
        field[window] += cover
    canvas.gloss[window] *= keep
    shine = _card_glare(scene, card, light_at, spread, rng)
    local = cv2.remap(shine, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    canvas.glare[window] *= keep
    canvas.glare[window] += local * cover


def _card_map(camera: Camera, card: SceneCard, window: tuple[slice, slice]) -> tuple[Field, Field]:
    """For each pixel of a window, the point of the upright card that it shows, mm (the inverse of
    `card_to_photo`)."""
    width, height = card.size_mm
    x, y = np.meshgrid(np.linspace(-2, width + 2, 11), np.linspace(-2, height + 2, 15))
    on_card = np.column_stack([x.ravel(), y.ravel()])
    seen = card_to_photo(camera, card, on_card)
    matrix, _ = cv2.findHomography(seen, on_card, 0)
    residual = on_card - cv2.perspectiveTransform(seen[None], matrix)[0]
    rows, columns = window
    shape = (rows.stop - rows.start, columns.stop - columns.start)
    px, py = coarse_grid(shape)
    pixels = np.column_stack([px.ravel() + columns.start, py.ravel() + rows.start])
    found = cv2.perspectiveTransform(pixels[None], matrix)[0]
    if np.abs(residual).max() > 0.02:
        # a bowed card is no plane: the rest is a cubic
        centre, span = seen.mean(axis=0), np.ptp(seen, axis=0).max() / 2

        def terms(points: Array) -> Array:
            u, v = ((points - centre) / span).T
            return np.column_stack([u**i * v**j for i in range(4) for j in range(4 - i)])

        weights, *_ = np.linalg.lstsq(terms(seen), residual, rcond=None)
        found = found + terms(pixels) @ weights
    map_x, map_y = (enlarge(axis.reshape(px.shape), shape) for axis in found.T)
    return map_x, map_y


def _rounded_outline(card: SceneCard) -> Array:
    """The card's outline (N, 2) mm with its round corners, points along the edges too (a card may be
    bowed)."""
    width, height = card.size_mm
    radius = card.corner_radius_mm
    points = []
    for cx, cy, start in (
        (width - radius, radius, -90),
        (width - radius, height - radius, 0),
        (radius, height - radius, 90),
        (radius, radius, 180),
    ):
        for degrees in range(start, start + 91, 18):
            angle = math.radians(degrees)
            points.append([cx + radius * math.cos(angle), cy + radius * math.sin(angle)])
    ring = np.array(points)
    closed = np.vstack([ring, ring[:1]])
    dense = [
        a + (b - a) * t
        for a, b in itertools.pairwise(closed)
        for t in np.linspace(0, 1, 1 + int(np.linalg.norm(b - a) // 10) or 1, endpoint=False)
    ]
    return np.array(dense)


def _face(card: SceneCard, images: Images, per_mm: float, finish: Finish, rng: np.random.Generator) -> Field:
    """A card's face with its ink at `per_mm` pixels a millimetre, linear light, worn at the rim."""
    size = (round(card.size_mm[0] * per_mm), round(card.size_mm[1] * per_mm))
    picture = images(card.face)
    shrink = size[0] < picture.shape[1]
    art = to_linear(
        cv2.resize(picture[..., :3], size, interpolation=cv2.INTER_AREA if shrink else cv2.INTER_CUBIC)
    )
    # print is neither black nor white
    art = 0.012 + 0.86 * art
    x, y = (np.arange(side, dtype=np.float32) for side in size)
    rim = np.minimum(np.minimum(x, x[::-1]), np.minimum(y, y[::-1])[:, None]) / np.float32(per_mm)
    rough = 0.5 + 0.5 * cloud((size[1], size[0]), (2.2 * per_mm, 2.2 * per_mm), rng)
    worn = np.clip((0.45 - rim) / 0.3, 0, 1) * np.clip(rough, 0, 1) * finish.wear
    art = art * (1 - worn[..., None]) + 0.72 * worn[..., None]
    if card.ink is not None:
        film = cv2.resize(images(card.ink), size, interpolation=cv2.INTER_AREA)
        alpha = film[..., 3:].astype(np.float32) / 255
        art = art * (1 - alpha) + 0.9 * alpha * to_linear(film[..., :3])
    return np.asarray(art, np.float32)


def _card_glare(
    scene: Scene, card: SceneCard, light_at: Array, spread: float, rng: np.random.Generator
) -> Field:
    """The card's gloss at one point a millimetre, (89, 64)."""
    columns, rows = round(card.size_mm[0]) + 1, round(card.size_mm[1]) + 1
    x, y = np.meshgrid(np.arange(columns, dtype=float), np.arange(rows, dtype=float))
    points = card_to_table(card, np.column_stack([x.ravel(), y.ravel()])).reshape(rows, columns, 3)
    along_x, along_y = np.gradient(points, axis=1), np.gradient(points, axis=0)
    normals = np.cross(along_x, along_y).reshape(-1, 3)
    normals *= np.sign(normals[:, 2:])
    # a card is never quite flat
    normals[:, :2] += 0.006 * np.stack(
        [cloud((rows, columns), (25, 25), rng).ravel() for _ in range(2)], axis=1
    )
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    finish = scene.finish
    rough = math.radians(2.5 + 13.0 * (1 - finish.gloss) + 4.0 * finish.linen)
    shine = specular(points.reshape(-1, 3), normals, scene, light_at, spread, rough).reshape(rows, columns)
    texture = 1 + 0.25 * finish.linen * cloud((rows, columns), (1.5, 1.5), rng)
    return np.asarray(shine * (0.25 + 0.75 * finish.gloss) * texture, np.float32)
