"""Meshes in millimetres, table frame (x right, y down, height up), made into Blender objects.

One Blender unit is 100 mm; Blender's frame is ``(x, -y, height) / 100``.
"""

from __future__ import annotations

from collections.abc import Sequence

import bmesh
import bpy
import numpy as np

from samples.projection import card_to_table, sleeve_of
from samples.scene_schema import SceneCard

UNIT_MM = 100.0
# Height over which a punched card's edge is rounded, and how far the round runs in.
EDGE_ROUND_MM = 0.10
# Faces that meet at more than this are shaded apart.
SHARP_RAD = 0.6
# A sleeve's film lies this far over the card.
FILM_LIFT_MM = 0.08


def to_blender(points_mm: np.ndarray) -> np.ndarray:
    """(N, 3) table millimetres and height -> Blender units."""
    return np.asarray(points_mm, dtype=float) * (1 / UNIT_MM, -1 / UNIT_MM, 1 / UNIT_MM)


def mesh_object(
    name: str,
    points_mm: np.ndarray,
    faces: Sequence[Sequence[int]],
    materials: Sequence[bpy.types.Material],
    *,
    uv: np.ndarray | None = None,
    face_materials: Sequence[int] | None = None,
    smooth: bool = True,
) -> bpy.types.Object:
    """An object at the origin; ``uv`` is (N, 2) per vertex, ``face_materials`` an index per face."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([tuple(point) for point in to_blender(points_mm)], [], [list(face) for face in faces])
    for material in materials:
        mesh.materials.append(material)
    if face_materials is not None:
        mesh.polygons.foreach_set("material_index", np.asarray(face_materials, dtype=np.int32))
    if uv is not None:
        loops = np.zeros(len(mesh.loops), dtype=np.int32)
        mesh.loops.foreach_get("vertex_index", loops)
        mesh.uv_layers.new(name="UVMap").data.foreach_set(
            "uv", np.asarray(uv, dtype=np.float32)[loops].ravel()
        )
    work = bmesh.new()
    work.from_mesh(mesh)
    bmesh.ops.recalc_face_normals(work, faces=work.faces)
    for edge in work.edges:
        edge.smooth = edge.calc_face_angle(0.0) < SHARP_RAD
    work.to_mesh(mesh)
    work.free()
    mesh.polygons.foreach_set("use_smooth", np.full(len(mesh.polygons), smooth))
    mesh.update()
    thing = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(thing)
    return thing


def place(thing: bpy.types.Object, at_mm: Sequence[float], angle_deg: float, height_mm: float = 0.0) -> None:
    """Move and turn (clockwise as seen from above) an object that was built around the origin."""
    thing.location = to_blender(np.array([[at_mm[0], at_mm[1], height_mm]]))[0]
    thing.rotation_euler[2] = -np.radians(angle_deg)


def lathe(
    name: str,
    profile_mm: Sequence[tuple[float, float]],
    materials: Sequence[bpy.types.Material],
    *,
    segments: int = 64,
    along_x: bool = False,
    bands: Sequence[int] | None = None,
) -> bpy.types.Object:
    """Turn a profile of (radius, position along the axis); the axis is vertical, or x with ``along_x``.

    ``bands`` gives each profile interval its material. An object along x rests on the table.
    """
    profile = np.array(profile_mm)
    turn = np.linspace(0, 2 * np.pi, segments, endpoint=False)
    radius, position = profile[:, :1], np.repeat(profile[:, 1:], segments, axis=1)
    first, second = radius * np.cos(turn), radius * np.sin(turn)
    if along_x:
        grid = np.stack([position, first, second + profile[:, 0].max()], axis=-1)
    else:
        grid = np.stack([first, second, position], axis=-1)
    faces, bands_of_faces = [], []
    for row in range(len(profile) - 1):
        for column in range(segments):
            right = (column + 1) % segments
            a, b = row * segments, (row + 1) * segments
            faces.append([a + column, a + right, b + right, b + column])
            bands_of_faces.append(bands[row] if bands else 0)
    for row in (0, len(profile) - 1):
        if profile[row, 0] > 0:
            faces.append([row * segments + column for column in range(segments)])
            bands_of_faces.append(bands[min(row, len(bands) - 1)] if bands else 0)
    return mesh_object(name, grid.reshape(-1, 3), faces, materials, face_materials=bands_of_faces)


def box(
    name: str, size_mm: Sequence[float], material: bpy.types.Material, *, bevel_mm: float = 0.0
) -> bpy.types.Object:
    """A box standing on the table, centred over the origin; the sides are size, the top has UV 0-1."""
    width, depth, height = size_mm
    corners = np.array(
        [[x, y, z] for z in (0, height) for y in (-depth / 2, depth / 2) for x in (-width / 2, width / 2)]
    )
    faces = [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]]
    uv = np.column_stack([corners[:, 0] / width + 0.5, 0.5 - corners[:, 1] / depth])
    thing = mesh_object(name, corners, faces, [material], uv=uv, smooth=bevel_mm > 0)
    if bevel_mm > 0:
        bevel = thing.modifiers.new("bevel", "BEVEL")
        bevel.width, bevel.segments, bevel.harden_normals = bevel_mm / UNIT_MM, 4, False
    return thing


def sheet(
    name: str,
    size_mm: Sequence[float],
    material: bpy.types.Material,
    *,
    thickness_mm: float = 0.3,
    corner_mm: float = 0.0,
) -> bpy.types.Object:
    """A flat rounded sheet on the table (board, mat, token) with UV 0-1 on its upper face."""
    outline = rounded_rectangle(size_mm[0], size_mm[1], corner_mm) - np.array(size_mm[:2]) / 2
    count = len(outline)
    points = np.vstack([np.column_stack([outline, np.full(count, h)]) for h in (0.0, thickness_mm)])
    faces: list[list[int]] = [[i, (i + 1) % count, count + (i + 1) % count, count + i] for i in range(count)]
    faces += [list(range(count)), list(range(count, 2 * count))]
    uv = np.column_stack([points[:, 0] / size_mm[0] + 0.5, 0.5 - points[:, 1] / size_mm[1]])
    return mesh_object(name, points, faces, [material], uv=uv, smooth=False)


def rounded_rectangle(width: float, height: float, radius: float, per_side: int = 12) -> np.ndarray:
    """(N, 2) outline from (0, 0), sides subdivided so that the sheet can bend."""
    if radius <= 0:
        radius = 1e-3
    arc = np.linspace(0, np.pi / 2, 9)
    points: list[np.ndarray] = []
    corners = [
        (width - radius, radius, -np.pi / 2),
        (width - radius, height - radius, 0.0),
        (radius, height - radius, np.pi / 2),
        (radius, radius, np.pi),
    ]
    for index, (x, y, start) in enumerate(corners):
        points.append(np.column_stack([x + radius * np.cos(arc + start), y + radius * np.sin(arc + start)]))
        next_x, next_y, next_start = corners[(index + 1) % 4]
        begin = points[-1][-1]
        end = np.array([next_x + radius * np.cos(next_start), next_y + radius * np.sin(next_start)])
        steps = np.linspace(0, 1, per_side + 1)[1:-1, None]
        points.append(begin + (end - begin) * steps)
    return np.vstack(points)


def card_object(
    name: str, card: SceneCard, face: bpy.types.Material, core: bpy.types.Material
) -> bpy.types.Object:
    """The card as a slab with round edges, bent by the very function that the truth is projected through."""
    width, height = card.size_mm
    # (a disc's corners meet)
    radius = min(card.corner_radius_mm, 0.499 * min(width, height))
    outline = rounded_rectangle(width, height, radius)
    middle = np.array([width / 2, height / 2])
    count = len(outline)
    inset = EDGE_ROUND_MM
    # (scale towards the middle, depth below the upper face, belongs to the face)
    shrink = 1 - 2 * inset / width
    inner = np.linspace(shrink, 0.0, 13)[:-1]
    rings = [
        (shrink, card.thickness_mm, False),
        (1.0, card.thickness_mm - inset / 2, False),
        (1.0, inset, False),
        ((1 + shrink) / 2, inset * 0.25, False),
    ]
    rings += [(float(scale), 0.0, True) for scale in inner]
    flat, depth = [], []
    for scale, below, _ in rings:
        flat.append(middle + (outline - middle) * scale)
        depth.append(np.full(count, below))
    flat.append(middle[None])
    depth.append(np.zeros(1))
    on_card = np.vstack(flat)
    points = card_to_table(card, on_card)
    points[:, 2] -= np.concatenate(depth)
    # No underside: it is never seen, and one flat polygon would cut through a bent card.
    faces: list[list[int]] = []
    kinds: list[int] = []
    for ring in range(len(rings) - 1):
        for i in range(count):
            j = (i + 1) % count
            faces.append([ring * count + i, ring * count + j, (ring + 1) * count + j, (ring + 1) * count + i])
            kinds.append(0 if rings[ring][2] or rings[ring][1] <= inset * 0.25 else 1)
    last, centre = (len(rings) - 1) * count, len(rings) * count
    for i in range(count):
        faces.append([last + i, last + (i + 1) % count, centre])
        kinds.append(0)
    uv = np.column_stack([on_card[:, 0] / width, 1 - on_card[:, 1] / height])
    return mesh_object(name, points, faces, [face, core], uv=uv, face_materials=kinds)


def film_object(name: str, card: SceneCard, film: bpy.types.Material) -> bpy.types.Object:
    """The upper film of a sleeved card's sleeve: a thin sheet over the card, bent as the card is."""
    sleeve = sleeve_of(card)
    width, height = sleeve.size_mm
    columns, rows = 24, 32
    x, y = np.meshgrid(np.linspace(0, width, columns), np.linspace(0, height, rows))
    on_card = np.column_stack([x.ravel(), y.ravel()])
    points = card_to_table(sleeve, on_card)
    points[:, 2] += FILM_LIFT_MM
    corner = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    faces = np.column_stack([corner, corner + 1, corner + columns + 1, corner + columns])
    uv = np.column_stack([on_card[:, 0] / width, 1 - on_card[:, 1] / height])
    return mesh_object(name, points, faces.tolist(), [film], uv=uv)
