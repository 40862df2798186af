"""Light: a dim room all around (the world), one main source, and what stands in its way."""

from __future__ import annotations

import bpy
import numpy as np

from samples.cycles.geometry import box, lathe, mesh_object, place, to_blender
from samples.cycles.nodes import Graph, plain
from samples.projection import camera_axes, camera_position
from samples.scene_schema import Camera, Light

# How much more light the main source sends onto the table than the room does, at strength 1.
KEY_TO_FILL = {"window": 2.2, "lamp": 3.5, "flash": 3.0, "overcast": 0.8, "mixed": 1.6}
ROOM_RADIANCE = 1.0
# Phones correct most, not all, of a light's colour.
ADAPTATION = 0.85


def kelvin_rgb(kelvin: float) -> np.ndarray:
    """Linear Rec.709 colour of a black body, luminance 1. Chromaticity fit of Krystek / Kim et al. (2002)."""
    t = 1000.0 / np.clip(kelvin, 1700.0, 20000.0)
    if kelvin <= 4000:
        x = -0.2661239 * t**3 - 0.2343589 * t**2 + 0.8776956 * t + 0.179910
    else:
        x = -3.0258469 * t**3 + 2.1070379 * t**2 + 0.2226347 * t + 0.240390
    if kelvin <= 2222:
        y = -1.1063814 * x**3 - 1.34811020 * x**2 + 2.18555832 * x - 0.20219683
    elif kelvin <= 4000:
        y = -0.9549476 * x**3 - 1.37418593 * x**2 + 2.09137015 * x - 0.16748867
    else:
        y = 3.0817580 * x**3 - 5.87338670 * x**2 + 3.75112997 * x - 0.37001483
    xyz = np.array([x / y, 1.0, (1 - x - y) / y])
    rgb = np.array([[3.2406, -1.5372, -0.4986], [-0.9689, 1.8758, 0.0415], [0.0557, -0.2040, 1.0570]]) @ xyz
    return np.asarray(rgb.clip(0.01, None))


def light_room(light: Light, camera: Camera, seed: int) -> np.ndarray:
    """Build the world and the sources; the linear RGB of all light on a white table at the target."""
    rng = np.random.default_rng(seed)
    room = kelvin_rgb(light.kelvin if light.kind != "mixed" else 4800) * ROOM_RADIANCE
    if light.kind == "flash":
        room = kelvin_rgb(3200) * ROOM_RADIANCE
    _world(room, rng)
    target = to_blender(np.array([[*camera.target_mm, 0.0]]))[0]
    key = KEY_TO_FILL[light.kind] * light.strength * np.pi * ROOM_RADIANCE
    colour = kelvin_rgb(light.kelvin)
    received = np.pi * room
    if light.kind == "flash":
        _flash(camera, target, key, kelvin_rgb(5600))
        return np.asarray(received + key * kelvin_rgb(5600))
    if light.kind in ("window", "mixed"):
        _window(light, target, key, colour, light.shadow_of == "window_bars" or rng.random() < 0.6)
    if light.kind == "lamp":
        _disk(light, target, key, colour, radius_mm=120 * light.softness, distance_mm=1100)
    if light.kind == "overcast":
        _disk(light, target, key, colour, radius_mm=1200 * light.softness, distance_mm=2200)
    received = received + key * colour
    if light.kind == "mixed":
        warm = kelvin_rgb(2800)
        opposite = Light("lamp", light.azimuth_deg + rng.uniform(100, 200), rng.uniform(50, 75), 2800)
        _disk(opposite, target, 0.6 * key, warm, radius_mm=150, distance_mm=1300)
        received = received + 0.6 * key * warm
    _blockers(light, camera, rng)
    return np.asarray(received)


def add_reflections(light: Light, camera: Camera) -> None:
    """Hang up what the cards mirror where the scene says: each a bright sheet that the lens sees there in a
    level mirror, and that lights nothing else."""
    eye = camera_position(camera) * (1, -1, 1)
    for reflection in light.reflections:
        angle = np.radians(reflection.angle_deg)
        along = np.array([np.cos(angle), np.sin(angle)])
        across = np.array([-along[1], along[0]])
        half = np.array([reflection.length_mm, reflection.width_mm]) / 2
        on_table = [
            np.asarray(reflection.at_mm) + u * half[0] * along + v * half[1] * across
            for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        ]
        # the ray from the lens goes on from the table upwards: as far over it as the lens is
        corners = [[*(2 * at - eye[:2]), eye[2]] for at in on_table]
        # a varnished card sends back about a twentieth of what it mirrors
        graph = Graph("reflection")
        level = 20.0 * reflection.strength * KEY_TO_FILL[light.kind] * ROOM_RADIANCE
        emitted = graph.add(
            "ShaderNodeEmission", {"Color": tuple(kelvin_rgb(light.kelvin)), "Strength": level}
        ).outputs[0]
        sheet = mesh_object("reflection", np.array(corners), [[0, 1, 2, 3]], [graph.close(emitted)])
        sheet.visible_camera = sheet.visible_diffuse = sheet.visible_shadow = False


def white_balance(received: np.ndarray) -> np.ndarray:
    """(3,) gains that take out most of the light's colour; green keeps its level."""
    return np.asarray((received / received[1]) ** -ADAPTATION)


def _direction(light: Light) -> np.ndarray:
    """Unit vector from the table towards the source, Blender's frame."""
    azimuth, elevation = np.radians([light.azimuth_deg, max(light.elevation_deg, 12.0)])
    return np.array(
        [np.cos(azimuth) * np.cos(elevation), -np.sin(azimuth) * np.cos(elevation), np.sin(elevation)]
    )


def _area(
    name: str,
    where: np.ndarray,
    target: np.ndarray,
    size: tuple[float, float],
    power: float,
    colour: np.ndarray,
    shape: str = "RECTANGLE",
) -> None:
    data = bpy.data.lights.new(name, "AREA")
    data.shape, data.size, data.size_y = shape, size[0], size[1]
    data.energy, data.color = power * float(colour.max()), tuple((colour / colour.max()).tolist())
    thing = bpy.data.objects.new(name, data)
    thing.location = where
    from mathutils import Vector

    thing.rotation_euler = Vector(where - target).to_track_quat("Z", "Y").to_euler()
    bpy.context.scene.collection.objects.link(thing)


def _power(irradiance: float, distance: float, sine: float) -> float:
    """Power of a small Lambertian source that faces the target: E = P sin(elevation) / (pi d^2)."""
    return irradiance * np.pi * distance**2 / max(sine, 0.2)


def _window(light: Light, target: np.ndarray, key: float, colour: np.ndarray, bars: bool) -> None:
    """A window of 2 x 3 panes (or one) 2.2 m away."""
    direction, distance = _direction(light), 22.0
    width, height = 11.0 * light.softness, 15.0 * light.softness
    side = np.cross([0, 0, 1.0], direction)
    side /= np.linalg.norm(side)
    up = np.cross(direction, side)
    columns, rows = (2, 3) if bars else (1, 1)
    power = _power(key, distance, float(direction[2])) / (columns * rows)
    for column in range(columns):
        for row in range(rows):
            shift = side * ((column + 0.5) / columns - 0.5) * width + up * ((row + 0.5) / rows - 0.5) * height
            where = target + direction * distance + shift
            gap = 0.86 if bars else 1.0
            # Panes are coplanar: each looks along the window's own normal.
            _area("pane", where, target + shift, (width / columns * gap, height / rows * gap), power, colour)


def _disk(
    light: Light, target: np.ndarray, key: float, colour: np.ndarray, *, radius_mm: float, distance_mm: float
) -> None:
    direction, distance = _direction(light), distance_mm / 100
    power = _power(key, distance, float(direction[2]))
    _area(
        "lamp", target + direction * distance, target, (radius_mm / 50, radius_mm / 50), power, colour, "DISK"
    )


def _flash(camera: Camera, target: np.ndarray, key: float, colour: np.ndarray) -> None:
    """The phone's own LED, 14 mm beside the lens."""
    axes = camera_axes(camera)
    where = (camera_position(camera) + 14 * axes[:, 0] + 4 * axes[:, 1]) / 100
    distance = camera.distance_mm / 100
    power = _power(key, distance, float(np.cos(np.radians(camera.tilt_deg))))
    _area("flash", where, target, (0.05, 0.05), power, colour, "DISK")


def _world(room: np.ndarray, rng: np.random.Generator) -> None:
    """Ceiling brighter than walls, floor dark, in broad uneven patches: gloss needs something to mirror."""
    world = bpy.data.worlds.new("room")
    bpy.context.scene.world = world
    world.use_nodes = True
    tree = world.node_tree
    tree.nodes.clear()
    add = tree.nodes.new
    where, split = add("ShaderNodeTexCoord"), add("ShaderNodeSeparateXYZ")
    tree.links.new(where.outputs["Generated"], split.inputs[0])
    ramp, noise, mix = add("ShaderNodeValToRGB"), add("ShaderNodeTexNoise"), add("ShaderNodeMix")
    tree.links.new(split.outputs[2], ramp.inputs[0])
    # Radiance over the upward component: horizon walls 0.7, ceiling 1.15 on average.
    wall, ceiling = rng.uniform(0.45, 0.85), rng.uniform(1.0, 1.3)
    elements = ramp.color_ramp.elements
    elements[0].position, elements[0].color = 0.0, (*(room * 0.2), 1)
    elements[1].position, elements[1].color = 1.0, (*(room * ceiling), 1)
    for position, level in ((0.08, wall), (0.55, wall * 1.1), (0.62, ceiling)):
        element = elements.new(position)
        element.color = (*(room * level), 1)
    noise.inputs["Scale"].default_value = rng.uniform(1.5, 3.5)
    noise.inputs["Detail"].default_value = 2
    tree.links.new(where.outputs["Generated"], noise.inputs["Vector"])
    levels = add("ShaderNodeMapRange")
    levels.inputs[1].default_value, levels.inputs[2].default_value = 0.3, 0.7
    levels.inputs[3].default_value, levels.inputs[4].default_value = 0.55, 1.45
    tree.links.new(noise.outputs[0], levels.inputs[0])
    mix.data_type, mix.blend_type = "RGBA", "MULTIPLY"
    mix.inputs[0].default_value = 1.0
    tree.links.new(ramp.outputs[0], mix.inputs[6])
    tree.links.new(levels.outputs[0], mix.inputs[7])
    background, output = add("ShaderNodeBackground"), add("ShaderNodeOutputWorld")
    tree.links.new(mix.outputs[2], background.inputs[0])
    tree.links.new(background.outputs[0], output.inputs[0])


def _blockers(light: Light, camera: Camera, rng: np.random.Generator) -> None:
    """The phone itself, and what ``shadow_of`` names; the phone shows in reflections and takes light away."""
    axes, eye = camera_axes(camera), camera_position(camera)
    phone = box("phone body", (76, 158, 8), plain("phone body", (0.02, 0.02, 0.02), 0.3))
    corner = eye + axes @ np.array([-24.0, -58.0, 3.0])
    phone.matrix_world = _matrix(axes, corner)
    if light.shadow_of == "photographer":
        cloth = plain("person", (0.10, 0.09, 0.09), 0.9)
        torso = [(0.1, 0), (140, 10), (175, 200), (160, 330), (60, 370), (90, 450), (85, 540), (0.1, 580)]
        body = lathe("person", torso, [cloth])
        back = axes[:, 2] * (1, 1, 0)
        back = back / np.linalg.norm(back) if camera.tilt_deg > 3 else -axes[:, 1] * (1, 1, 0)
        # Leaning over, not standing in the table: light still reaches what lies under the chest.
        x, y, _ = eye + back * 380
        place(body, (x, -y), 0, 120)
        # Whoever holds the phone is never in the picture, only their shadow and reflection.
        body.visible_camera = False
    if light.shadow_of == "plant":
        leaf = plain("leaf", (0.03, 0.09, 0.02), 0.6)
        direction = _direction(light)
        for _ in range(14):
            spot = (
                np.array([camera.target_mm[0], -camera.target_mm[1], 0])
                + direction * rng.uniform(350, 520) * 1.0
            )
            spot = spot + rng.normal(0, 90, 3)
            piece = lathe("leaf", [(0.1, -60), (12, -30), (16, 0), (10, 35), (0.1, 60)], [leaf], segments=10)
            piece.scale = (1, 0.1, 1)
            piece.rotation_euler = tuple(rng.uniform(-1.5, 1.5, 3))
            piece.location = spot / 100
            piece.visible_camera = False


def _matrix(axes: np.ndarray, origin_mm: np.ndarray) -> object:
    from mathutils import Matrix

    full = np.eye(4)
    full[:3, :3], full[:3, 3] = axes, origin_mm / 100
    return Matrix(full.tolist())
