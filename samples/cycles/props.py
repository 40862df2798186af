"""What lies about on a gaming table. One builder per kind, at the origin; :func:`add_prop` places it.

Each keeps within the footprint of its twin in ``samples.props``, by which scenes keep cards uncovered.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import bmesh
import bpy
import cv2
import numpy as np

from samples.cycles.geometry import UNIT_MM, box, lathe, mesh_object, place, sheet
from samples.cycles.nodes import Graph, linear, picture, plain
from samples.hands import limbs_of, smooth_limb
from samples.scene_schema import Prop

Things = list[bpy.types.Object]


def add_prop(prop: Prop, seed: int) -> None:
    """Build one prop and put it where the scene says."""
    rng = np.random.default_rng(seed)
    builders: dict[str, Callable[[Prop, np.random.Generator], Things]] = {
        "pen": _pen,
        "pencil": _pencil,
        "die": _die,
        "coin": _coin,
        "token": _token,
        "miniature": _miniature,
        "mug": _mug,
        "glass": _glass,
        "scoreboard": _scoreboard,
        "phone": _phone,
        "paper": _paper,
        "cable": _cable,
        "hand_shadow": _hand,
        "hand": _hand_seen,
    }
    for thing in builders[prop.kind](prop, rng):
        local = thing.location.copy()
        place(thing, prop.at_mm, prop.angle_deg, prop.height_mm)
        turn = np.radians(-prop.angle_deg)
        thing.location.x += float(np.cos(turn) * local.x - np.sin(turn) * local.y) * prop.size
        thing.location.y += float(np.sin(turn) * local.x + np.cos(turn) * local.y) * prop.size
        thing.location.z += local.z * prop.size
        thing.scale = (prop.size,) * 3


def _plastic(colour: Sequence[float], roughness: float = 0.3) -> bpy.types.Material:
    return plain("plastic", linear(colour), roughness, Coat_Weight=0.3, Coat_Roughness=0.1)


def _pen(prop: Prop, rng: np.random.Generator) -> Things:
    """A dry-erase marker, 125 mm: barrel, printed band, end plug; its cap on (variant 0) or posted (1)."""
    ink = _plastic(prop.colour)
    barrel = _plastic(
        (0.92, 0.92, 0.9) if rng.random() < 0.6 else tuple(0.25 + 0.2 * c for c in prop.colour), 0.35
    )
    band = _plastic((0.2, 0.2, 0.22) if rng.random() < 0.5 else prop.colour, 0.45)
    felt = plain("felt", linear([0.6 * c for c in prop.colour]), 0.95)
    body = [
        (0.1, -62),
        (4.2, -62),
        (4.8, -61),
        (4.8, -54),
        (5.4, -53.5),
        (5.6, -53),
        (5.6, -30),
        (5.6, 4),
        (5.6, 16),
    ]
    kinds = [1, 1, 1, 1, 1, 0, 2, 0]
    materials = [barrel, ink, band, felt]
    cap = [(6.0, 16), (6.2, 17), (6.2, 50), (5.6, 58), (4.8, 60), (0.1, 60.5)]
    if prop.variant % 2 == 0:
        things = [lathe("pen", body + cap, materials, along_x=True, bands=kinds + [1] * len(cap))]
        clip = box("clip", (34, 3.2, 1.4), ink, bevel_mm=0.5)
        clip.location = (0.36, 0, 0.125)
        return [*things, clip]
    tip = [(4.6, 17), (4.4, 30), (2.6, 36), (2.2, 44), (1.6, 45), (1.4, 49), (0.1, 50.5)]
    pen = lathe("pen", body + tip, materials, along_x=True, bands=[*kinds, 0, 0, 0, 0, 0, 3, 3])
    posted = lathe("cap", [(6.1, -26), (6.2, -27), (6.2, -58), (5.0, -66), (0.1, -67)], [ink], along_x=True)
    return [pen, posted]


def _pencil(prop: Prop, rng: np.random.Generator) -> Things:
    wood, lead = plain("cedar", linear((0.85, 0.66, 0.45)), 0.8), plain("lead", (0.03, 0.03, 0.03), 0.4)
    metal = plain("ferrule", linear((0.8, 0.75, 0.6)), 0.3, Metallic=1.0)
    rubber = plain("rubber", linear((0.85, 0.5, 0.5)), 0.8)
    profile = [(0.1, -85), (3.2, -85), (3.2, -74), (3.5, -74), (3.6, -60), (3.6, 65), (1.0, 82), (0.1, 86)]
    thing = lathe(
        "pencil",
        profile,
        [_plastic(prop.colour), wood, lead, metal, rubber],
        segments=6,
        along_x=True,
        bands=[4, 4, 3, 3, 0, 1, 2],
    )
    thing.data.polygons.foreach_set("use_smooth", np.zeros(len(thing.data.polygons), dtype=bool))
    return [thing]


PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, 1), (-1, 1), (1, -1)],
    5: [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}


def _die(prop: Prop, rng: np.random.Generator) -> Things:
    """A 16 mm die with the variant's face up."""
    side = 16.0
    cube = box("die", (side, side, side), _plastic(prop.colour, 0.25), bevel_mm=1.8)
    light = sum(prop.colour) / 3 > 0.5
    paint = plain("pips", (0.01,) * 3 if light else (0.85,) * 3, 0.4)
    up = prop.variant % 6 + 1
    around = [face for face in range(1, 7) if face not in (up, 7 - up)]
    faces = [(up, (0, 0, 1)), (around[0], (1, 0, 0)), (7 - around[0], (-1, 0, 0))]
    second = next(face for face in around if face not in (around[0], 7 - around[0]))
    faces += [(second, (0, 1, 0)), (7 - second, (0, -1, 0))]
    things = [cube]
    middle = np.array([0, 0, side / 2])
    for number, axis in faces:
        normal = np.array(axis, float)
        first = np.array([0, 0, 1.0]) if abs(normal[2]) < 0.5 else np.array([1.0, 0, 0])
        other = np.cross(normal, first)
        for u, v in PIPS[number]:
            centre = middle + normal * (side / 2 + 0.02) + 4.3 * (u * first + v * other)
            ring = np.linspace(0, 2 * np.pi, 20, endpoint=False)
            points = centre + 1.5 * (np.cos(ring)[:, None] * first + np.sin(ring)[:, None] * other)
            things.append(mesh_object("pip", points, [list(range(20))], [paint], smooth=False))
    return things


def _coin(prop: Prop, rng: np.random.Generator) -> Things:
    """A metal coin with a raised rim and a struck relief; variants differ in size."""
    radius = (9.7, 11.6, 13.0)[prop.variant % 3]
    metal_colour = ((0.80, 0.62, 0.30), (0.72, 0.71, 0.69), (0.72, 0.42, 0.27))[prop.variant % 3]
    graph = Graph("coin")
    where = graph.position_mm()
    distance = graph.add("ShaderNodeVectorMath", {0: where}, operation="LENGTH").outputs["Value"]
    letters = graph.math(
        "MULTIPLY",
        graph.math("GREATER_THAN", graph.noise(where, 0.55, detail=1), 0.52),
        graph.math("LESS_THAN", distance, radius * 0.75),
    )
    tarnish = graph.noise(where, 0.25, detail=5, roughness=0.7)
    colour = graph.mix(
        graph.math("MULTIPLY", tarnish, 0.7), metal_colour, tuple(0.35 * c for c in metal_colour)
    )
    metal = graph.surface(
        Base_Color=colour,
        Metallic=1.0,
        Roughness=graph.math("MULTIPLY_ADD", tarnish, 0.3, 0.18),
        Normal=graph.bump(letters, 0.25, 0.8),
    )
    thick = 1.9
    profile = [
        (0.1, 0),
        (radius - 0.2, 0),
        (radius, 0.2),
        (radius, thick - 0.2),
        (radius - 0.2, thick),
        (radius - 1.0, thick),
        (radius - 1.2, thick - 0.25),
        (0.1, thick - 0.25),
    ]
    return [lathe("coin", profile, [metal], segments=72)]


def _token(prop: Prop, rng: np.random.Generator) -> Things:
    """A punched-board disc with a printed star, wing or moon."""
    size = 256
    art = np.zeros((size, size, 3), np.float32)
    art[:] = linear(prop.colour)
    cv2.circle(art, (size // 2, size // 2), 112, tuple(0.55 * c for c in linear(prop.colour)), 8, cv2.LINE_AA)
    spikes = 4 + prop.variant % 4
    angle = np.linspace(0, 2 * np.pi, 2 * spikes, endpoint=False) - np.pi / 2
    reach = np.where(np.arange(2 * spikes) % 2 == 0, 78, 34)
    star = np.column_stack([size / 2 + reach * np.cos(angle), size / 2 + reach * np.sin(angle)])
    cv2.fillPoly(art, [star.round().astype(np.int32)], (0.82, 0.78, 0.6), cv2.LINE_AA)
    graph = Graph("token")
    print_ = graph.image(picture("token", art))
    board = graph.surface(Base_Color=print_, Roughness=0.45, Coat_Weight=0.3)
    return [sheet("token", (20, 20), board, thickness_mm=1.8, corner_mm=9.9)]


def _miniature(prop: Prop, rng: np.random.Generator) -> Things:
    """A moulded figure on a round foot: a cloak, a chest, a head."""
    wide, tall = (6.0, 30.0) if prop.variant % 2 else (4.6, 26.0)
    moulded = plain("moulded", linear(prop.colour), 0.55)
    foot = lathe(
        "foot", [(0.1, 0), (7.6, 0), (8, 0.4), (8, 2.1), (7.6, 2.5), (0.1, 2.5)], [moulded], segments=48
    )
    body = [
        (wide, 2.4),
        (0.85 * wide, 0.2 * tall),
        (0.6 * wide, 0.45 * tall),
        (0.8 * wide, 0.6 * tall),
        (0.95 * wide, 0.72 * tall),
        (0.6 * wide, 0.78 * tall),
        (2.0, 0.8 * tall),
        (2.8, 0.84 * tall),
        (3.1, 0.9 * tall),
        (2.4, 0.97 * tall),
        (0.1, tall),
    ]
    return [foot, lathe("figure", body, [moulded], segments=32)]


def _mug(prop: Prop, rng: np.random.Generator) -> Things:
    glaze = plain("glaze", linear(prop.colour), 0.25, Coat_Weight=0.8, Coat_Roughness=0.05)
    coffee = plain("coffee", (0.03, 0.012, 0.005) if prop.variant % 2 == 0 else (0.25, 0.12, 0.04), 0.08)
    profile = [
        (0.1, 0),
        (36, 0),
        (38.5, 2),
        (41, 20),
        (41, 90),
        (40, 92.5),
        (38.5, 92.5),
        (37.5, 90),
        (37.5, 8),
        (0.1, 6),
    ]
    cup = lathe("mug", profile, [glaze], segments=96)
    drink = lathe("drink", [(37.4, 74), (0.1, 74)], [coffee], segments=96)
    arc = np.linspace(-np.pi / 2, np.pi / 2, 18)
    path = np.column_stack([39 + 20 * np.cos(arc), np.zeros(18), 47 + 27 * np.sin(arc)])
    return [cup, drink, _tube("handle", path, 5.0, glaze)]


def _glass(prop: Prop, rng: np.random.Generator) -> Things:
    """A tumbler: clear walls that mirror at grazing angles; no refraction, so no caustics."""
    graph = Graph("glass")
    clear = graph.add("ShaderNodeBsdfTransparent", {"Color": (0.9, 0.93, 0.92)}).outputs[0]
    mirror = graph.add("ShaderNodeBsdfGlossy", {"Roughness": 0.03}).outputs[0]
    grazing = graph.add("ShaderNodeLayerWeight", {"Blend": 0.2}).outputs["Facing"]
    material = graph.close(graph.add("ShaderNodeMixShader", {0: grazing, 1: clear, 2: mirror}).outputs[0])
    profile = [(0.1, 0), (27, 0), (29, 2), (34, 94), (33, 95), (31.8, 94), (27, 9), (0.1, 7)]
    return [lathe("glass", profile, [material], segments=96)]


SCORE_COLUMNS = ((0.36, 0.55, 0.85), (0.90, 0.55, 0.70), (0.45, 0.72, 0.45), (0.85, 0.35, 0.32))


def _scoreboard(prop: Prop, rng: np.random.Generator) -> Things:
    """A dry-erase score card, blue, pink, green and red columns, some rows filled in by hand."""
    width, height = 1200, 800
    art = np.full((height, width, 3), 0.93, np.float32)
    cv2.rectangle(art, (0, 0), (width, 110), (0.23, 0.22, 0.28), -1)
    cv2.putText(
        art,
        "ROUND  1   2   3   4   5   6",
        (60, 78),
        cv2.FONT_HERSHEY_DUPLEX,
        1.9,
        (0.92, 0.9, 0.8),
        4,
        cv2.LINE_AA,
    )
    ink = tuple(float(c) for c in prop.colour)
    for column, colour in enumerate(SCORE_COLUMNS):
        left = 60 + column * 280
        cv2.rectangle(art, (left, 150), (left + 240, 745), colour, -1)
        for row in range(6):
            top = 170 + row * 95
            cv2.rectangle(art, (left + 18, top), (left + 222, top + 75), (0.97, 0.97, 0.94), -1)
            cv2.rectangle(art, (left + 18, top), (left + 222, top + 75), tuple(0.6 * c for c in colour), 3)
            if row < 1 + prop.variant % 5:
                spot = (left + 60 + int(rng.integers(50)), top + 60 + int(rng.integers(-4, 5)))
                cv2.putText(
                    art,
                    str(rng.integers(0, 13)),
                    spot,
                    cv2.FONT_HERSHEY_SCRIPT_SIMPLEX,
                    2.0,
                    ink,
                    7,
                    cv2.LINE_AA,
                )
    graph = Graph("scoreboard")
    srgb = picture("scoreboard", np.asarray(art**2.2))
    board = graph.surface(Base_Color=graph.image(srgb), Roughness=0.35, Coat_Weight=0.5, Coat_Roughness=0.12)
    return [sheet("scoreboard", (126, 84), board, thickness_mm=1.2, corner_mm=4)]


def _phone(prop: Prop, rng: np.random.Generator) -> Things:
    body = box("phone", (72, 150, 8), plain("phone", linear(prop.colour), 0.35, Metallic=0.4), bevel_mm=2.5)
    screen = sheet(
        "screen",
        (68, 146),
        plain("screen", (0.004, 0.004, 0.005), 0.04, Coat_Weight=1.0),
        thickness_mm=0.1,
        corner_mm=7,
    )
    screen.location = (0, 0, 0.08)
    return [body, screen]


def _paper(prop: Prop, rng: np.random.Generator) -> Things:
    """A page of notes: ruled lines and scribble."""
    height, width = 1050, 1480
    art = np.full((height, width, 3), 0.9, np.float32)
    for y in range(120, height, 80):
        if prop.variant % 2 == 0:
            cv2.line(art, (0, y), (width, y), (0.6, 0.7, 0.85), 2, cv2.LINE_AA)
        if rng.random() < 0.6:
            x = np.arange(90, int(rng.uniform(300, width - 80)), 7)
            word = np.sin(x / 40.0) > rng.uniform(-0.95, -0.6)
            line = np.column_stack(
                [x, y - 14 + 13 * np.sin(x / rng.uniform(7, 11)) + rng.normal(0, 6, len(x))]
            )
            for start, end, keep in zip(line[:-1], line[1:], word[1:], strict=True):
                if keep:
                    cv2.line(
                        art,
                        tuple(start.astype(int).tolist()),
                        tuple(end.astype(int).tolist()),
                        tuple(float(c) for c in prop.colour),
                        4,
                        cv2.LINE_AA,
                    )
    graph = Graph("paper")
    page = graph.image(picture("paper", np.asarray(art**2.2)))
    return [sheet("paper", (148, 105), graph.surface(Base_Color=page, Roughness=0.9), thickness_mm=0.12)]


def _cable(prop: Prop, rng: np.random.Generator) -> Things:
    along = np.linspace(-55, 55, 60)
    bend = 14 * np.sin(along / rng.uniform(14, 27) + rng.uniform(0, 6)) + 5 * np.sin(along / 11)
    path = np.column_stack([along, bend, np.full(60, 2.0)])
    return [_tube("cable", path, 2.0, plain("rubber", linear(prop.colour), 0.6))]


def _hand_seen(prop: Prop, rng: np.random.Generator) -> Things:
    """A hand that lies on the cards: the limbs of ``samples.hands``, each a tube with a round end."""
    things = []
    turn = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    for limb in limbs_of(prop):
        middle, wide = smooth_limb(limb)
        tangent = np.gradient(middle, axis=0)
        tangent /= np.linalg.norm(tangent, axis=1, keepdims=True)
        normal = np.column_stack([-tangent[:, 1], tangent[:, 0]])
        top = np.minimum(limb.height_mm, 2 * wide) / 2
        across = middle[:, None] + normal[:, None] * (wide[:, None] * np.sin(turn))[..., None]
        up = top[:, None] * (1 + np.cos(turn))
        points = np.dstack([across, up]).reshape(-1, 3)
        faces = [
            [row * 24 + k, row * 24 + (k + 1) % 24, (row + 1) * 24 + (k + 1) % 24, (row + 1) * 24 + k]
            for row in range(len(middle) - 1)
            for k in range(24)
        ]
        skin = plain("skin", limb.colour, 0.55, Subsurface_Weight=0.12)
        things.append(mesh_object("hand", points, faces, [skin]))
    return things


def _hand(prop: Prop, rng: np.random.Generator) -> Things:
    """A hand's mass of ellipsoids that casts a shadow, seen by nothing else."""
    flesh = plain("hand", (0.4, 0.25, 0.2), 0.8)
    parts: list[tuple[tuple[float, float, float], tuple[float, float, float]]] = [
        ((0, 0, 0), (48, 42, 14)),
        ((-150, 6, 0), (130, 30, 28)),
    ]
    parts += [((62 + 6 * (finger % 2), -30 + 20 * finger, -4), (42, 8.5, 8.5)) for finger in range(4)]
    parts.append(((12, 52, -4), (34, 10, 10)))
    things = []
    for where, radii in parts:
        mesh = bpy.data.meshes.new("hand")
        ball = bmesh.new()
        bmesh.ops.create_uvsphere(ball, u_segments=24, v_segments=12, radius=1.0)
        ball.transform(_scaling(radii))
        ball.to_mesh(mesh)
        ball.free()
        mesh.materials.append(flesh)
        thing = bpy.data.objects.new("hand", mesh)
        bpy.context.scene.collection.objects.link(thing)
        thing.location = (where[0] / UNIT_MM, -where[1] / UNIT_MM, where[2] / UNIT_MM)
        thing.visible_camera = thing.visible_glossy = False
        things.append(thing)
    return things


def _scaling(radii_mm: Sequence[float]) -> object:
    from mathutils import Matrix

    return Matrix.Diagonal((*(r / UNIT_MM for r in radii_mm), 1.0))


def _tube(name: str, path_mm: np.ndarray, radius_mm: float, material: bpy.types.Material) -> bpy.types.Object:
    curve = bpy.data.curves.new(name, "CURVE")
    curve.dimensions, curve.bevel_depth, curve.bevel_resolution = "3D", radius_mm / UNIT_MM, 6
    spline = curve.splines.new("POLY")
    spline.points.add(len(path_mm) - 1)
    for point, (x, y, z) in zip(spline.points, path_mm, strict=True):
        point.co = (x / UNIT_MM, -y / UNIT_MM, z / UNIT_MM, 1)
    spline.use_smooth = True
    curve.materials.append(material)
    thing = bpy.data.objects.new(name, curve)
    bpy.context.scene.collection.objects.link(thing)
    return thing
