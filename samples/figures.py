"""Standing pieces in the fast renderer: what they hide, their shadows, themselves."""

from __future__ import annotations

import itertools
import math

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely.geometry import MultiPoint, Polygon
from shapely.ops import unary_union

from samples.canvas import Canvas
from samples.figure_shapes import AROUND, pawn_rings, sheets_of
from samples.laid_cards import Images
from samples.light import to_linear
from samples.projection import eye_mm, table_to_photo
from samples.scene_schema import Camera, Figure
from samples.shadows import cast_on_ground
from samples.shapes import linear

Array = NDArray[np.float64]
Field = NDArray[np.float32]


def silhouette(camera: Camera, figure: Figure) -> Polygon:
    """What a figure hides, in pixels of the ideal picture; empty where it reaches behind the lens."""
    if figure.build == "pawn":
        seen = table_to_photo(camera, pawn_rings(figure).reshape(-1, 3))
        return MultiPoint(seen).convex_hull if np.isfinite(seen).all() else Polygon()
    parts = [(sheet.ground, table_to_photo(camera, sheet.corners_mm)) for sheet in sheets_of(figure)]
    if not all(np.isfinite(corners).all() for _, corners in parts):
        return Polygon()
    body = MultiPoint(np.vstack([corners for ground, corners in parts if not ground])).convex_hull
    return unary_union([body, *(Polygon(corners).buffer(0) for ground, corners in parts if ground)])


def ground_of(figure: Figure) -> Polygon:
    """Where it stands on the table."""
    if figure.build == "pawn":
        return Polygon(pawn_rings(figure)[0, :, :2])
    lying = [sheet.corners_mm[:, :2] for sheet in sheets_of(figure) if sheet.ground]
    return MultiPoint(np.vstack(lying)).convex_hull


def cast_figures(canvas: Canvas, figures: tuple[Figure, ...], light_at: Array, spread: float) -> None:
    """The shadows of figures on what lies below them."""
    for figure in figures:
        if figure.build == "pawn":
            raised = pawn_rings(figure).reshape(-1, 3)
        else:
            raised = np.vstack([sheet.corners_mm for sheet in sheets_of(figure) if not sheet.ground])
        tall = figure.size_mm[1]
        foot = np.column_stack([np.asarray(ground_of(figure).exterior.coords)[:-1]])
        ground = np.column_stack([foot, np.full(len(foot), figure.on_mm)])
        canvas.darken(canvas.open, ground, 2.5, 0.35)
        # sharp at the foot, soft at the head: two layers, which darken once where both lie
        low = raised.copy()
        low[:, 2] = np.minimum(low[:, 2], figure.on_mm + 0.45 * tall)
        for points, blur, amount in (
            (low, 0.2 * tall * math.tan(spread), 0.75),
            (raised, 0.55 * tall * math.tan(spread), 0.75),
        ):
            points = points.copy()
            points[:, 2] = np.minimum(points[:, 2], 0.6 * light_at[2])
            cast = cast_on_ground(points, light_at, figure.on_mm)
            hull = cv2.convexHull(cast[:, :2].astype(np.float32))[:, 0].astype(float)
            around = np.column_stack([hull, np.full(len(hull), figure.on_mm)])
            canvas.darken(canvas.visible, around, max(0.25, blur), amount)


def draw_figures(canvas: Canvas, figures: tuple[Figure, ...], images: Images, light_at: Array) -> None:
    """Figures from the farthest to the nearest."""
    eye = eye_mm(canvas.camera)
    for figure in sorted(figures, key=lambda each: -float(np.linalg.norm(eye[:2] - each.foot_mm))):
        shaded = _in_shade(figure, figures, light_at)
        if figure.build == "pawn":
            _draw_pawn(canvas, figure, light_at, eye, shaded)
        else:
            _draw_folded(canvas, figure, images, light_at, eye, shaded)


def _in_shade(figure: Figure, figures: tuple[Figure, ...], light_at: Array) -> float:
    """How much of the main light others leave to its middle."""
    middle = np.array([*figure.foot_mm, figure.on_mm + 0.55 * figure.size_mm[1]])
    left = 1.0
    for other in figures:
        top = other.on_mm + other.size_mm[1]
        if other is figure or top <= middle[2] + 2:
            continue
        raised = np.asarray(ground_of(other).centroid.coords[0])
        half = other.size_mm[0] / 2
        ring = np.array([[*raised, z] for z in (middle[2], top)])
        cast = cast_on_ground(ring, light_at, middle[2])[:, :2]
        reach = Polygon(MultiPoint(cast).buffer(half * 0.6).convex_hull)
        if reach.contains(MultiPoint(middle[None, :2]).geoms[0]):
            left *= 0.25
    return left


def _level(normal: Array, at: Array, light_at: Array) -> float:
    """The main light on a surface, compared with a level one."""
    towards = light_at - at
    towards = towards / np.linalg.norm(towards)
    return float(np.clip(normal @ towards / max(float(towards[2]), 0.15), 0.0, 3.0))


def _draw_folded(
    canvas: Canvas, figure: Figure, images: Images, light_at: Array, eye: Array, shaded: float
) -> None:
    sheets = sheets_of(figure)
    width, height = figure.size_mm
    # about as many pixels as are seen, so that nothing flickers when it is made smaller
    sides = [table_to_photo(canvas.camera, s.corners_mm[:2]) for s in sheets if not s.ground]
    wide = max(float(np.linalg.norm(side[1] - side[0])) for side in sides)
    per_mm = float(np.clip(1.3 * wide / width, 2.0, 16.0))
    size = (max(2, round(width * per_mm)), max(2, round(height * per_mm)))
    art = images(figure.face)[..., :3]
    shrink = size[0] < art.shape[1]
    picture = 0.012 + 0.86 * to_linear(
        cv2.resize(art, size, interpolation=cv2.INTER_AREA if shrink else cv2.INTER_CUBIC)
    )
    picture = np.ascontiguousarray(picture, np.float32)
    # the foot stands in the corner between sheet and flap, where less of the room is seen
    shade = np.ones(size[1], np.float32)
    tall = max(1, round(0.25 * size[1]))
    shade[-tall:] = np.linspace(1.0, 0.72, tall)
    upright = picture * shade[:, None, None]
    strip = np.ascontiguousarray(picture[::-1][: max(2, round(size[1] * figure.flap_share))])
    middle = np.array([*figure.foot_mm, figure.on_mm + 0.5 * height])
    for sheet in sheets:
        if sheet.ground:
            base = np.column_stack([sheet.corners_mm[:, :2], np.full(4, figure.on_mm)])
            canvas.darken(canvas.open, base, 0.6, 0.5)
            canvas.print_on(sheet.corners_mm, strip, visible=1.0, opened=0.85)
    standing = [sheet for sheet in sheets if not sheet.ground]
    body = table_to_photo(canvas.camera, np.vstack([sheet.corners_mm for sheet in standing]))
    if not np.isfinite(body).all():
        return
    hull = cv2.convexHull(body.astype(np.float32))[:, 0].astype(float)
    canvas.paint_seen(hull, (0.6, 0.58, 0.54), 1.0, visible=0.7 * shaded, opened=0.7)
    facing = [(float(sheet.normal @ (eye - sheet.corners_mm.mean(axis=0))), sheet) for sheet in standing]
    for towards, sheet in sorted(facing, key=lambda each: each[0]):
        if towards > 0:
            lit = _level(sheet.normal, middle, light_at) * shaded
            canvas.print_on(sheet.corners_mm, upright, visible=lit, opened=0.6)


def _draw_pawn(canvas: Canvas, figure: Figure, light_at: Array, eye: Array, shaded: float) -> None:
    rings = pawn_rings(figure)
    seen = table_to_photo(canvas.camera, rings.reshape(-1, 3)).reshape(*rings.shape[:2], 2)
    if not np.isfinite(seen).all():
        return
    colour = linear(figure.colour)
    for low, high in itertools.pairwise(range(len(rings))):
        hull = cv2.convexHull(np.vstack([seen[low], seen[high]]).astype(np.float32))[:, 0].astype(float)
        canvas.paint_seen(hull, colour, 1.0, visible=0.3 * shaded, opened=0.6)
        quads = []
        for k in range(AROUND):
            j = (k + 1) % AROUND
            corners = np.array([rings[low, k], rings[low, j], rings[high, j], rings[high, k]])
            normal = np.cross(corners[1] - corners[0], corners[3] - corners[1])
            length = float(np.linalg.norm(normal))
            if length < 1e-9:
                normal = np.cross(corners[1] - corners[0], corners[2] - corners[1])
                length = float(np.linalg.norm(normal))
            middle = corners.mean(axis=0)
            normal = normal / max(length, 1e-9)
            outward = middle[:2] - np.asarray(figure.foot_mm)
            if normal[:2] @ outward < 0:
                normal = -normal
            if normal @ (eye - middle) > 0:
                quads.append((k, j, normal, middle))
        for k, j, normal, middle in quads:
            polygon = np.array([seen[low, k], seen[low, j], seen[high, j], seen[high, k]])
            lit = _level(normal, middle, light_at) * shaded
            view = (eye - middle) / np.linalg.norm(eye - middle)
            half = view + (light_at - middle) / np.linalg.norm(light_at - middle)
            shine = 0.5 * max(0.0, float(normal @ half / np.linalg.norm(half))) ** 60 * shaded
            tinted = (colour[0] + shine, colour[1] + shine, colour[2] + shine)
            canvas.paint_seen(polygon, tinted, 1.0, visible=lit, opened=0.45 + 0.3 * max(0.0, normal[2]))
