"""Cards as they lie: the printed face with its ink, the thickness, contact shadow and gloss."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from samples.canvas import Canvas
from samples.light import LIGHTS, light_position, specular, to_linear
from samples.projection import (
    card_corners_mm,
    card_to_photo,
    card_to_table,
    eye_mm,
    sleeve_of,
    table_to_photo,
)
from samples.reflections import mirrored
from samples.scene_schema import Camera, Finish, Scene, SceneCard
from samples.shadows import cast_on_ground
from samples.smooth import coarse_grid, enlarge
from samples.tables import cloud

Array = NDArray[np.float64]
Field = NDArray[np.float32]
Images = Callable[[str], NDArray[np.uint8]]
EDGE_SLOPE = 0.6
UNDER_FILM = 0.3
# What a sleeve's film does to what lies under it: light that it scatters, and how rough it is (degrees).
VEIL = {"clear": 0.012, "matte": 0.05}
FILM_ROUGH_DEG = {"clear": 2.0, "matte": 11.0}
SEAM_MM = 0.9  # the welded rim
THIN_MM = 0.8  # of what is thicker the sides are seen
BLOCK_MM = 5.0  # what is thicker casts a shadow of its sides, too
CLEAR_SHADOW = 0.12  # of a clear piece's edge


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
    clear = images(card.face).shape[2] == 4
    # its shadow on what is already there, and the dark line of contact
    cast = cast_on_ground(upper, light_at, card.on_mm)
    lift = float(upper[:, 2].mean()) - card.on_mm
    base = np.column_stack([upper[:, :2], np.full(len(upper), card.on_mm)])
    if card.thickness_mm > BLOCK_MM:
        flat = cv2.convexHull(np.vstack([base, cast])[:, :2].astype(np.float32))[:, 0].astype(float)
        cast = np.column_stack([flat, np.full(len(flat), card.on_mm)])
    shade = CLEAR_SHADOW if clear else 1.0
    canvas.darken(canvas.visible, cast, max(0.12, lift * math.tan(spread) * 0.7), 0.9 * shade)
    canvas.darken(canvas.open, base, 0.55 + 0.5 * lift, 0.55 * shade)
    lower = upper - [0, 0, card.thickness_mm]
    core = 0.55 + 0.2 * float(rng.random())
    sides = card.side_rgb or (core * 0.9, core * 0.86, core * 0.8)
    if not clear:
        canvas.paint(lower, card.side_rgb or (core, core * 0.98, core * 0.95), 1.0)
        if card.thickness_mm > THIN_MM:
            _paint_sides(canvas, lower, upper, sides, light_at)
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
    shown_through = cover
    if clear:
        alpha = cv2.resize(images(card.face)[..., 3], face.shape[1::-1], interpolation=cv2.INTER_AREA)
        shown_through = (
            cover
            / np.float32(255)
            * cv2.remap(
                alpha.astype(np.float32), face_x, face_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
            )
        )
    for plane, printed in zip(canvas.albedo, cv2.split(face), strict=True):
        colour = cv2.remap(printed, face_x, face_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        colour -= plane[window]
        colour *= shown_through
        plane[window] += colour
    if not clear:
        for field in (canvas.visible, canvas.open):
            field[window] *= keep
            field[window] += cover
    canvas.gloss[window] *= keep
    shine = _card_glare(scene, card, light_at, spread, rng)
    local = cv2.remap(shine, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    if card.sleeve is not None:
        local *= UNDER_FILM  # the film's own gloss covers the card's
    canvas.glare[window] *= keep
    canvas.glare[window] += local * cover
    if card.sleeve is not None:
        _lay_sleeve(canvas, scene, card, images, light_at, spread, rng)


def _paint_sides(
    canvas: Canvas, lower: Array, upper: Array, colour: tuple[float, float, float], light_at: Array
) -> None:
    """The cut edge of a board, tile or chip, in the light or in its own shade."""
    eye = eye_mm(canvas.camera)
    middle = upper.mean(axis=0)
    to_eye, to_light = eye - middle, light_at - middle
    flat = max(float(np.linalg.norm(to_eye[:2])), 1e-6)
    lit = float(np.clip(to_eye[:2] @ to_light[:2] / flat / max(float(to_light[2]), 1e-6), 0.0, 1.6))
    seen = table_to_photo(canvas.camera, np.vstack([lower, upper]))
    hull = cv2.convexHull(seen.astype(np.float32))[:, 0].astype(float)
    canvas.paint_seen(hull, colour, 1.0, visible=lit, opened=0.55)


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
    # wear is seen at the rim alone
    reach = math.ceil(0.45 * per_mm) + 1
    inner = slice(reach, -reach)
    whole = slice(None)
    for edge in (
        (slice(0, reach), whole),
        (slice(-reach, None), whole),
        (inner, slice(0, reach)),
        (inner, slice(-reach, None)),
    ):
        worn = np.clip((0.45 - rim[edge]) / 0.3, 0, 1) * np.clip(rough[edge], 0, 1) * finish.wear
        art[edge] = art[edge] * (1 - worn[..., None]) + 0.72 * worn[..., None]
    if card.ink is not None and card.sleeve is None:
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
    if scene.light.reflections:
        mirror = mirrored(scene.light.reflections, points[..., :2].reshape(-1, 2), rng)
        shine += mirror.reshape(rows, columns)
    texture = 1 + 0.25 * finish.linen * cloud((rows, columns), (1.5, 1.5), rng)
    return np.asarray(shine * (0.25 + 0.75 * finish.gloss) * texture, np.float32)


def brightest_mirror(scene: Scene) -> float:
    """How bright the main light is mirrored by the tableau: the brightest hundredth of any card or sleeve, in
    units of a white surface under that light. Reflections that the scene names are left out."""
    bare = msgspec.structs.replace(scene, light=msgspec.structs.replace(scene.light, reflections=()))
    light_at = light_position(bare)
    spread = math.radians(LIGHTS[bare.light.kind][2] * bare.light.softness)
    found = []
    for index, card in enumerate(bare.cards):
        rng = np.random.default_rng([scene.seed, 13, index])
        if card.sleeve is None:
            shine = _card_glare(bare, card, light_at, spread, rng)
        else:
            shine = _film_glare(bare, sleeve_of(card), light_at, spread, rng)
        found.append(float(np.quantile(shine, 0.99)))
    return max(found)


def _lay_sleeve(
    canvas: Canvas,
    scene: Scene,
    card: SceneCard,
    images: Images,
    light_at: Array,
    spread: float,
    rng: np.random.Generator,
) -> None:
    """The film over a card that is laid: its veil, the ink on it, its welded rim and its own gloss."""
    assert card.sleeve is not None
    film = sleeve_of(card)
    width, height = film.size_mm
    seen = table_to_photo(scene.camera, card_to_table(film, _rounded_outline(film)))
    shown = canvas.photo_polygon(seen, 0.0)
    if shown is None:
        return
    window, cover = shown
    map_x, map_y = _card_map(scene.camera, film, window)
    # a soft line of shadow where the sleeve's edge stands off the table
    rim = np.minimum(np.minimum(map_x, width - map_x), np.minimum(map_y, height - map_y))
    canvas.open[window] *= 1 - cover * np.float32(0.10) * np.clip(1 - rim / 3.0, 0, 1)
    veil = np.full(cover.shape, VEIL[card.sleeve.film], np.float32)
    veil += np.float32(0.10) * (np.abs(rim - 0.5 * SEAM_MM) < 0.25 * SEAM_MM)
    veil *= cover
    for plane in canvas.albedo:
        plane[window] *= 1 - veil
        plane[window] += veil
    if card.ink is not None:
        picture = images(card.ink)
        ink_x = map_x * np.float32(picture.shape[1] / width) - np.float32(0.5)
        ink_y = map_y * np.float32(picture.shape[0] / height) - np.float32(0.5)
        # straight alpha must not be mixed with its neighbours' colours
        alpha = picture[..., 3].astype(np.float32) / 255
        shrink = float(np.hypot(*(np.diff(ink_x[:1, :2]), np.diff(ink_y[:1, :2]))).max())
        blur = max(0.0, 0.35 * (shrink - 1))
        taken = [alpha, *(alpha * to_linear(picture[..., channel]) for channel in range(3))]
        if blur > 0.3:
            taken = [cv2.GaussianBlur(field, (0, 0), blur) for field in taken]
        moved = [
            cv2.remap(field, ink_x, ink_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
            for field in taken
        ]
        for plane, colour in zip(canvas.albedo, moved[1:], strict=True):
            plane[window] *= 1 - moved[0]
            plane[window] += np.float32(0.9) * colour
    canvas.glare[window] += cover * cv2.remap(
        _film_glare(scene, film, light_at, spread, rng),
        map_x,
        map_y,
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )


def _film_glare(
    scene: Scene, film: SceneCard, light_at: Array, spread: float, rng: np.random.Generator
) -> Field:
    """A sleeve's gloss at one point a millimetre: film lies less evenly than a card."""
    assert film.sleeve is not None
    columns, rows = round(film.size_mm[0]) + 1, round(film.size_mm[1]) + 1
    x, y = np.meshgrid(np.arange(columns, dtype=float), np.arange(rows, dtype=float))
    points = card_to_table(film, np.column_stack([x.ravel(), y.ravel()]))
    normals = np.tile([0.0, 0.0, 1.0], (len(points), 1))
    for cell, size in ((30, 0.02), (9, 0.012)):
        bend = [cloud((rows, columns), (cell, 1.6 * cell), rng).ravel() for _ in range(2)]
        normals[:, :2] += size * film.sleeve.waves * np.stack(bend, axis=1)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    rough = math.radians(FILM_ROUGH_DEG[film.sleeve.film])
    shine = specular(points, normals, scene, light_at, spread, rough)
    if scene.light.reflections:
        # waves bend a mirrored line
        wave = 4.0 * film.sleeve.waves * cloud((rows, columns), (14, 14), rng).ravel()
        moved = points[:, :2] + wave[:, None]
        shine += (0.9 if film.sleeve.film == "clear" else 0.5) * mirrored(scene.light.reflections, moved, rng)
    return np.asarray(shine.reshape(rows, columns), np.float32)
