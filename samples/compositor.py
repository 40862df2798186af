"""The fast renderer: a scene as warped planes under painted light, about a second a photo; no ray is traced.

Cards, table and props are projected by `samples.projection`, so truth is exact. Light is approximated: a
main light (far for a window, near for a lamp, at the lens for a flash) with fall-off and blurred shadow
polygons, an even room light, and for gloss a lobe about the mirror direction (Schlick's Fresnel).
`samples.camera` makes the photo.

`python -m samples.compositor --split tuning --count 60 --out samples/sets/tuning-fast`
"""

from __future__ import annotations

import argparse
import itertools
import math
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from pathlib import Path
from typing import Any, get_args

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from samples import camera as camera_model
from samples.projection import (
    camera_position,
    card_corners_mm,
    card_to_photo,
    card_to_table,
    focal_px,
    photo_to_table,
    table_to_photo,
)
from samples.props import Shape, shape_of
from samples.scene_schema import CARD_THICKNESS_MM, Camera, Finish, Light, Scene, SceneCard
from samples.scenes import Split, make_sample
from samples.smooth import coarse_grid, enlarge, strips
from samples.tables import cloud, table_texture
from samples.truth import write_truth

Array = NDArray[np.float64]
Field = NDArray[np.float32]
Images = Callable[[str], NDArray[np.uint8]]

LARGEST_TEXTURE_PX = 2000
RENDER_SHARE = 0.7  # of the photo's width: a phone's lens and sensor resolve no more
BLUR_REACH_PX = 24  # of all levels together, in whole coarse steps
# Edges are softer than a pixel's own cover, or a thin gap between cards would look like a string of beads.
EDGE_BLUR_PX = 0.5
EDGE_SLOPE = 0.6
SHARP_PX = 0.25  # less blur than this is not seen
BLUR_LEVELS_PX = (0.0, 0.8, 1.6, 3.2)  # steps of the depth of field
SUBPIXEL_BITS = 4  # of OpenCV's polygon filling
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

_SRGB_TO_LINEAR = (
    np.where(
        np.arange(256) / 255 <= 0.04045,
        np.arange(256) / 255 / 12.92,
        ((np.arange(256) / 255 + 0.055) / 1.055) ** 2.4,
    )
).astype(np.float32)


def to_linear(srgb: NDArray[Any]) -> Field:
    """8-bit sRGB as linear light 0..1."""
    return np.asarray(_SRGB_TO_LINEAR[srgb])


def kelvin_rgb(kelvin: float) -> Array:
    """Linear RGB of a black body relative to 6500 K, green 1 (power-law fit of the Planckian locus)."""
    ratio = kelvin / 6500.0
    return np.array([ratio**-0.75, 1.0, ratio**0.95])


class _Canvas:
    """The picture while it is being painted, in the pixels of the scene's camera: albedo (3, H, W),
    visibility of the main light and of the room, gloss of the table, glare of the cards (H, W)."""

    def __init__(self, scene: Scene) -> None:
        self.camera = scene.camera
        self.shape = (scene.camera.height, scene.camera.width)
        self.albedo = np.zeros((3, *self.shape), np.float32)
        self.visible = np.ones(self.shape, np.float32)
        self.open = np.ones(self.shape, np.float32)
        self.gloss = np.zeros(self.shape, np.float32)
        self.glare = np.zeros(self.shape, np.float32)
        self.px_per_mm = focal_px(scene.camera) / scene.camera.distance_mm
        x, y = coarse_grid(self.shape)
        # the coarse grid in table millimetres
        self.grid_mm = photo_to_table(self.camera, np.column_stack([x.ravel(), y.ravel()])).reshape(
            *x.shape, 2
        )

    def enlarged(self, coarse: NDArray[np.floating]) -> Field:
        """A field on the coarse grid at full size."""
        return enlarge(coarse, self.shape)

    def polygon(self, points_mm: Array, blur_px: float = 0.0) -> tuple[tuple[slice, slice], Field] | None:
        """The cover 0..1 of a polygon (N, 3) and the window that it lies in; None when out of sight."""
        points = table_to_photo(self.camera, points_mm)
        return self.photo_polygon(points, blur_px)

    def photo_polygon(self, points: Array, blur_px: float) -> tuple[tuple[slice, slice], Field] | None:
        if not np.isfinite(points).all():
            return None
        height, width = self.shape
        margin = 3 * blur_px + 2
        low = np.maximum(np.floor(points.min(axis=0) - margin), 0).astype(int)
        high = np.minimum(np.ceil(points.max(axis=0) + margin) + 1, [width, height]).astype(int)
        if np.any(high - low < 1):
            return None
        shrink = max(1, int(blur_px / 3))
        size = -(-(high - low) // shrink)
        mask = np.zeros((size[1], size[0]), np.uint8)
        placed = np.round(((points - low + 0.5) / shrink - 0.5) * (1 << SUBPIXEL_BITS)).astype(np.int32)
        cv2.fillPoly(mask, [placed], 255, cv2.LINE_AA, SUBPIXEL_BITS)
        cover: Field = mask.astype(np.float32) / np.float32(255)
        if blur_px < EDGE_BLUR_PX:
            cover = np.asarray(cv2.GaussianBlur(cover, (3, 3), EDGE_BLUR_PX), np.float32)
        else:
            cover = np.asarray(cv2.GaussianBlur(cover, (0, 0), blur_px / shrink), np.float32)
        if shrink > 1:
            cover = np.asarray(
                cv2.resize(
                    cover, (int(high[0] - low[0]), int(high[1] - low[1])), interpolation=cv2.INTER_LINEAR
                ),
                np.float32,
            )
        return (slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))), cover

    def darken(self, field: Field, points_mm: Array, blur_mm: float, amount: float) -> None:
        """Multiply a field by the shade of a polygon on the table."""
        found = self.polygon(points_mm, blur_mm * self.px_per_mm)
        if found is not None:
            window, cover = found
            field[window] *= 1 - amount * cover

    def paint(
        self, points_mm: Array, colour: tuple[float, float, float], alpha: float, gloss: float = 0.0
    ) -> None:
        found = self.polygon(points_mm)
        if found is None:
            return
        window, cover = found
        cover = cover * np.float32(alpha)
        keep = 1 - cover
        for plane, value in zip(self.albedo, colour, strict=True):
            plane[window] *= keep
            plane[window] += np.float32(value) * cover
        self.gloss[window] = self.gloss[window] * keep + gloss * cover
        self.visible[window] = np.maximum(self.visible[window], cover)
        self.open[window] = np.maximum(self.open[window], cover)


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


def _eye(camera: Camera) -> Array:
    position = camera_position(camera)
    return np.array([position[0], -position[1], position[2]])


def _light_position(scene: Scene) -> Array:
    """Where the main light stands, table x, table y, height; a window is far away."""
    camera, light = scene.camera, scene.light
    if light.kind == "flash":
        return _eye(camera) + np.array([18.0, -12.0, 0.0])
    reach = {"lamp": 620.0, "mixed": 800.0}.get(light.kind, 2600.0)
    return np.array([*camera.target_mm, 0.0]) + reach * towards_light(light)


def render_ideal(scene: Scene, images: Images) -> Field:
    """The scene as a pinhole sees it: (h, w, 3) linear light, before `samples.camera`; `RENDER_SHARE` of the
    photo's size.

    `images` gives a named picture as (H, W, 3) or (H, W, 4) sRGB.
    """
    view = scene.camera
    view = msgspec.structs.replace(
        view, width=round(view.width * RENDER_SHARE), height=round(view.height * RENDER_SHARE)
    )
    scene = msgspec.structs.replace(scene, camera=view)
    rng = np.random.default_rng([scene.seed, 7])
    canvas = _Canvas(scene)
    light_at = _light_position(scene)
    main, room, radius = LIGHTS[scene.light.kind]
    spread = math.radians(radius * scene.light.softness)
    table_gloss = _lay_table(canvas, scene)
    shapes = [shape_of(prop, _eye(scene.camera)) for prop in scene.props if prop.kind != "hand_shadow"]
    for shape in shapes:
        if shape.height_mm < 3:
            _draw_shape(canvas, shape, light_at, spread)
    order = sorted((*scene.others, *scene.cards), key=lambda card: card.pose.lift_mm)
    for index, card in enumerate(order):
        own = np.random.default_rng([scene.seed, 11, index])
        _lay_card(canvas, scene, card, images, light_at, spread, own)
    for shape in shapes:
        if shape.height_mm >= 3:
            _draw_shape(canvas, shape, light_at, spread)
    _cast_shadows(canvas, scene, light_at, spread, rng)
    return _lit(canvas, scene, light_at, main, room, spread, table_gloss, rng)


def _lay_table(canvas: _Canvas, scene: Scene) -> float:
    """Paint the table top; gives its gloss."""
    camera = scene.camera
    reach = canvas.grid_mm.reshape(-1, 2)
    low, high = reach.min(axis=0) - 5, reach.max(axis=0) + 5
    scale = min(canvas.px_per_mm, LARGEST_TEXTURE_PX / float((high - low).max()))
    shape = (int((high[1] - low[1]) * scale), int((high[0] - low[0]) * scale))
    texture, gloss = table_texture(scene.table.kind, scene.table.seed, shape, scale)
    ring = np.array([low, [high[0], low[1]], high, [low[0], high[1]]])
    # a homography from four well-spread points that are surely in front of the lens
    size = np.array([camera.width - 1, camera.height - 1], float)
    photo = np.array([[0, 0], [1, 0], [1, 1], [0, 1.0]]) * size
    on_table = (photo_to_table(camera, photo) - ring[0]) * scale
    matrix = cv2.getPerspectiveTransform(on_table.astype(np.float32), photo.astype(np.float32))
    warped = cv2.warpPerspective(
        texture, matrix, (camera.width, camera.height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )
    for plane, seen in zip(canvas.albedo, cv2.split(warped), strict=True):
        cv2.LUT(seen, _SRGB_TO_LINEAR, dst=plane)
    canvas.gloss[:] = gloss * 0.5
    return gloss


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


def _lay_card(
    canvas: _Canvas,
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
    cast = _cast_on_ground(upper, light_at)
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


def _cast_on_ground(points_mm: Array, light_at: Array) -> Array:
    """Where points (N, 3) throw their shadow on the table, (N, 3) with height 0."""
    share = light_at[2] / np.maximum(light_at[2] - points_mm[:, 2], 1e-6)
    flat = light_at[:2] + (points_mm[:, :2] - light_at[:2]) * share[:, None]
    return np.column_stack([flat, np.zeros(len(flat))])


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


def _lobe(angle: Array, source: float, rough: float) -> Array:
    """A mirror's light at `angle` from the source's middle, of a source of radius `source` on a surface of
    that roughness (radians); 1 inside the source on a perfect mirror."""
    edge = math.hypot(rough, 0.02)
    share = source**2 / (source**2 + 2 * rough**2)
    return np.asarray(share / (1 + np.exp((angle - source) / (0.55 * edge))))


def _specular(
    points: Array, normals: Array, scene: Scene, light_at: Array, spread: float, rough: float
) -> Array:
    """Light sent to the lens by a varnished surface (N,), in units of a white surface under the main
    light."""
    eye = _eye(scene.camera)
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
    shine = _specular(points.reshape(-1, 3), normals, scene, light_at, spread, rough).reshape(rows, columns)
    texture = 1 + 0.25 * finish.linen * cloud((rows, columns), (1.5, 1.5), rng)
    return np.asarray(shine * (0.25 + 0.75 * finish.gloss) * texture, np.float32)


def _draw_shape(canvas: _Canvas, shape: Shape, light_at: Array, spread: float) -> None:
    outline = np.column_stack([shape.shadow_mm, np.zeros(len(shape.shadow_mm))])
    raised = np.column_stack(
        [shape.shadow_mm, np.full(len(shape.shadow_mm), min(shape.height_mm, light_at[2] * 0.5))]
    )
    cast = _cast_on_ground(raised, light_at)
    both = cv2.convexHull(np.vstack([outline, cast])[:, :2].astype(np.float32))[:, 0].astype(float)
    blur = max(0.25, 0.45 * shape.height_mm * math.tan(spread))
    canvas.darken(canvas.visible, np.column_stack([both, np.zeros(len(both))]), blur, 0.92)
    canvas.darken(canvas.open, outline, 0.6 + 0.18 * shape.height_mm, 0.6)
    for face in shape.faces:
        canvas.paint(face.points_mm, face.colour, face.alpha)


def _cast_shadows(
    canvas: _Canvas, scene: Scene, light_at: Array, spread: float, rng: np.random.Generator
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
    eye = _eye(scene.camera)
    target = np.asarray(scene.camera.target_mm)
    if named == "photographer" and scene.light.kind != "flash":
        for outline, height in (
            (_rounded_box(155, 75), eye[2]),
            (_rounded_box(240, 330) + (eye[:2] - target) * 0.4 + 40, eye[2] * 1.05),
        ):
            at = np.column_stack([outline + eye[:2], np.full(len(outline), min(height, 0.8 * light_at[2]))])
            cast = _cast_on_ground(at, light_at)[:, :2]
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


def _soft_shadow(canvas: _Canvas, outline_mm: Array, height_mm: float, spread: float, amount: float) -> None:
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


def _lit(
    canvas: _Canvas,
    scene: Scene,
    light_at: Array,
    main: float,
    room: float,
    spread: float,
    table_gloss: float,
    rng: np.random.Generator,
) -> Field:
    """Albedo times light, plus gloss, then the depth of field."""
    rows, columns = canvas.grid_mm.shape[:2]
    points = np.column_stack([canvas.grid_mm.reshape(-1, 2), np.zeros(rows * columns)])
    to_light = light_at - points
    distance = np.linalg.norm(to_light, axis=1)
    reference = float(np.linalg.norm(light_at - np.array([*scene.camera.target_mm, 0.0])))
    cosine = to_light[:, 2] / distance
    level = (cosine * (reference / distance) ** 2).reshape(rows, columns)
    level /= max(float(light_at[2] / reference), 0.2)
    # the room is no uniform sphere either
    slope = rng.normal(0, 0.22, 2) / 500
    tilt = 1 + (canvas.grid_mm - np.asarray(scene.camera.target_mm)) @ slope
    tilt = np.clip(tilt, 0.5, 1.6)
    light, strength = scene.light, scene.light.strength
    # the phone's white balance takes most of the main light's colour away
    tint = kelvin_rgb(light.kelvin)
    seen = tint**0.15
    other_kelvin = (
        0.5 * light.kelvin + 0.5 * rng.uniform(3000, 8000)
        if light.kind != "mixed"
        else rng.uniform(2600, 8500)
    )
    other = kelvin_rgb(other_kelvin) / tint**0.85
    direct_level = level * main * strength * (tilt if light.kind == "window" else 1)
    sheen = np.zeros_like(level)
    if table_gloss > 0.05:
        up = np.tile([0.0, 0.0, 1.0], (len(points), 1))
        rough = math.radians(8 + 20 * (1 - table_gloss))
        sheen = _specular(points, up, scene, light_at, spread, rough).reshape(rows, columns)
    confusion = _confusion(canvas, scene)
    picture = np.empty((3, *canvas.shape), np.float32)
    for rows_seen, cells in strips(canvas.shape[0], BLUR_REACH_PX):
        visible = canvas.visible[rows_seen]
        shape = visible.shape
        direct = enlarge(direct_level[cells], shape) * visible
        filled = enlarge(tilt[cells] * room, shape) * (0.35 + 0.65 * canvas.open[rows_seen])
        shine = (0.25 + 0.75 * visible) * canvas.glare[rows_seen]
        if table_gloss > 0.05:
            shine += enlarge(sheen[cells], shape) * canvas.gloss[rows_seen] * visible
        blur = enlarge(confusion[cells], shape)
        first = BLUR_REACH_PX if rows_seen.start else 0
        for channel in range(3):
            lit = direct * np.float32(seen[channel])
            lit += filled * np.float32(other[channel])
            lit *= canvas.albedo[channel, rows_seen]
            lit += shine * np.float32(0.5 * seen[channel] + 0.5)
            _defocus(lit, blur, float(confusion[cells].max()))
            picture[channel, rows_seen.start + first : rows_seen.stop] = lit[first:]
    return picture.transpose(1, 2, 0)


def _confusion(canvas: _Canvas, scene: Scene) -> Array:
    """On the coarse grid, the blur (deviation, pixels) of the circle of confusion of each point of the table
    (thin lens)."""
    camera = scene.camera
    focal_mm = camera.focal_mm_35 * camera.sensor_diagonal_mm / 43.267
    px_per_sensor_mm = math.hypot(camera.width, camera.height) / camera.sensor_diagonal_mm
    eye = _eye(camera)
    target = np.array([*camera.target_mm, 0.0])
    axis = (target - eye) / np.linalg.norm(target - eye)
    points = np.dstack([canvas.grid_mm, np.zeros(canvas.grid_mm.shape[:2])])
    depth = np.maximum((points - eye) @ axis, 50.0)
    focus = camera.focus_mm or camera.distance_mm
    aperture = focal_mm / camera.fstop
    circle = aperture * focal_mm * np.abs(depth - focus) / (depth * (focus - focal_mm)) * px_per_sensor_mm
    return np.asarray(circle / 2 * 0.6)


def _defocus(plane: Field, wanted: Field, largest: float) -> None:
    """Blur one colour in place by the deviation `wanted` at each pixel, of which `largest` is the largest."""
    for low, high in itertools.pairwise(BLUR_LEVELS_PX):
        # each level blurs the last one's further
        if largest <= max(low, SHARP_PX):
            return
        share = wanted - np.float32(low)
        share *= np.float32(1 / (high - low))
        np.clip(share, 0, 1, out=share)
        share *= cv2.GaussianBlur(plane, (0, 0), math.sqrt(high**2 - low**2)) - plane
        plane += share


def photograph(scene: Scene, images: Images) -> NDArray[np.uint8]:
    """The scene as a phone's upright 8-bit sRGB picture (H, W, 3)."""
    size = (scene.camera.width, scene.camera.height)
    return camera_model.develop(render_ideal(scene, images), scene.post, size)


def _make_one(index: int, split: Split, out: Path, first: int) -> tuple[str, float]:
    cv2.setNumThreads(1)
    start = time.process_time()
    sample = make_sample(split, first + index)
    picture = photograph(sample.scene, sample.images.__getitem__)
    stem = out / f"{split}-{first + index:04d}"
    photo = camera_model.write_photo(picture, stem, sample.scene.post, sample.scene.camera)
    write_truth(sample, photo, renderer="compositor")
    return photo.name, time.process_time() - start


def main() -> None:
    """Make a set of photos with truth."""
    parser = argparse.ArgumentParser(description="Fast sample photos with truth")
    parser.add_argument("--split", choices=get_args(Split), default="tuning")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    job = partial(_make_one, split=options.split, out=options.out, first=options.first)
    with ProcessPoolExecutor(options.workers) as pool:
        futures = [pool.submit(job, index) for index in range(options.count)]
        for done, future in enumerate(as_completed(futures), 1):
            name, seconds = future.result()
            print(f"[{done}/{options.count}] {name} {seconds:.1f} s", flush=True)


if __name__ == "__main__":
    main()
