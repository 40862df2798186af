"""Render scene folders with Blender's Cycles: ``python -m samples.cycles.render SCENE_DIR... [--samples 8]``.

Runs in ``.cycles-venv`` (bpy pins an older numpy). Each folder gets ``render.npy``: (H, W, 3) half floats,
linear light as an ideal lens shows it, white-balanced as by a phone; ``samples.camera`` makes the photo.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import bpy
import cv2
import numpy as np

from samples.cycles.figures import add_figure
from samples.cycles.geometry import UNIT_MM, card_object, film_object, mesh_object, sheet
from samples.cycles.lights import add_reflections, light_room, white_balance
from samples.cycles.materials import card_core, card_face, playmat, sleeve_film, table_surface
from samples.cycles.props import add_prop
from samples.projection import camera_axes, camera_position, focal_px
from samples.scene_schema import Camera, Scene, SceneCard, load_scene

RENDER_NAME = "render.npy"
TABLE_REACH_MM = 1500.0
# Folds keep this far from cards, which lie flat.
FOLD_CLEARANCE_MM = 30.0
MAT_SIZE_MM = (610.0, 360.0)
MAT_THICKNESS_MM = 2.0


def build(scene: Scene, folder: Path) -> np.ndarray:
    """Make the Blender scene; returns the linear RGB of the light on the table."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    _add_table(scene)
    core = card_core()
    for index, card in enumerate((*scene.cards, *scene.others)):
        ink = _ink(card, folder)
        face = card_face(
            card,
            _read(folder / card.face)[:, :, :3],
            ink if card.sleeve is None else None,
            scene.finish,
            scene.seed * 100 + index,
            mirrors=any(each.kind == "stripe" for each in scene.light.reflections),
        )
        card_object(f"card {index}", card, face, core)
        if card.sleeve is not None:
            film_object(f"sleeve {index}", card, sleeve_film(card, ink, scene.seed * 100 + index))
    for index, figure in enumerate(scene.figures):
        printed = _read(folder / figure.face)[:, :, :3] if figure.face else None
        add_figure(figure, printed, index)
    for index, prop in enumerate(scene.props):
        add_prop(prop, scene.seed * 100 + index)
    received = light_room(scene.light, scene.camera, scene.seed)
    add_reflections(scene.light, scene.camera)
    _add_camera(scene.camera)
    return received


def render(camera: Camera, *, seed: int, samples: int, megapixels: float, threads: int) -> np.ndarray:
    """Path-trace what was built; (H, W, 3) float, linear light, in the camera's size.

    Light is traced for at most ``megapixels`` and scaled up: no phone's picture is sharp to the pixel.
    """
    scale = min(1.0, (megapixels * 1e6 / (camera.width * camera.height)) ** 0.5)
    settings = bpy.context.scene.render
    settings.engine = "CYCLES"
    settings.resolution_x = round(camera.width * scale)
    settings.resolution_y = round(camera.height * scale)
    settings.threads_mode, settings.threads = "FIXED", threads
    settings.image_settings.file_format = "OPEN_EXR"
    settings.image_settings.color_depth = "32"
    settings.image_settings.color_mode = "RGB"
    cycles = bpy.context.scene.cycles
    cycles.device, cycles.samples, cycles.seed = "CPU", samples, seed % 2**31
    cycles.use_adaptive_sampling = False
    cycles.use_denoising, cycles.denoiser = True, "OPENIMAGEDENOISE"
    # The guides are nearly free of noise here: filtering them first would cost time for nothing.
    cycles.sampling_pattern, cycles.denoising_quality = "BLUE_NOISE", "BALANCED"
    cycles.denoising_input_passes, cycles.denoising_prefilter = "RGB_ALBEDO_NORMAL", "NONE"
    # Things on a table light each other once or twice; clamping removes fireflies.
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 5, 1, 2
    cycles.transmission_bounces, cycles.transparent_max_bounces = 5, 12
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.sample_clamp_indirect = 8.0
    with tempfile.TemporaryDirectory() as scratch:
        settings.filepath = str(Path(scratch) / "linear.exr")
        bpy.ops.render.render(write_still=True)
        image = bpy.data.images.load(settings.filepath)
        width, height = image.size
        pixels = np.empty(width * height * image.channels, dtype=np.float32)
        image.pixels.foreach_get(pixels)
        bpy.data.images.remove(image)
    pixels = np.ascontiguousarray(pixels.reshape(height, width, -1)[::-1, :, :3])
    if (width, height) != (camera.width, camera.height):
        # Interpolated in square roots: ringing at a lamp's image would else reach far into the dark.
        enlarged = cv2.resize(np.sqrt(pixels), (camera.width, camera.height), interpolation=cv2.INTER_CUBIC)
        pixels = np.clip(enlarged, 0, None) ** 2
    return pixels


def _add_camera(camera: Camera) -> None:
    """The pinhole of ``samples.projection`` with its thin lens."""
    from mathutils import Matrix

    data = bpy.data.cameras.new("phone")
    data.sensor_fit, data.sensor_width = "HORIZONTAL", 36.0
    data.lens = focal_px(camera) / camera.width * 36.0
    data.clip_start, data.clip_end = 0.05, 1000.0
    data.dof.use_dof = True
    data.dof.focus_distance = (camera.focus_mm or camera.distance_mm) / UNIT_MM
    real_focal_mm = camera.focal_mm_35 * camera.sensor_diagonal_mm / 43.267
    aperture_radius = real_focal_mm / camera.fstop / 2 / UNIT_MM
    # Blender takes the aperture in metres per millimetre of focal length, whatever the scene's unit.
    data.dof.aperture_fstop = 1e-3 * data.lens / (2 * aperture_radius)
    thing = bpy.data.objects.new("phone", data)
    full = np.eye(4)
    full[:3, :3], full[:3, 3] = camera_axes(camera), camera_position(camera) / UNIT_MM
    thing.matrix_world = Matrix(full.tolist())
    bpy.context.scene.collection.objects.link(thing)
    bpy.context.scene.camera = thing


def _add_table(scene: Scene) -> None:
    x, y = scene.camera.target_mm
    surface = table_surface(scene.table)
    if scene.table.kind in ("cloth", "checked_cloth"):
        _add_cloth(scene, surface)
        return
    top = -MAT_THICKNESS_MM if scene.table.kind == "playmat" else 0.0
    reach = TABLE_REACH_MM
    corners = np.array(
        [
            [x - reach, y - reach, top],
            [x + reach, y - reach, top],
            [x + reach, y + reach, top],
            [x - reach, y + reach, top],
        ]
    )
    mesh_object("table", corners, [[0, 1, 2, 3]], [surface], smooth=False)
    if scene.table.kind == "playmat":
        rng = np.random.default_rng(scene.table.seed)
        mat = sheet("mat", MAT_SIZE_MM, playmat(scene.table.seed), thickness_mm=MAT_THICKNESS_MM, corner_mm=8)
        shift = rng.uniform(-60, 60, 2)
        mat.location = ((x + shift[0]) / UNIT_MM, -(y + shift[1]) / UNIT_MM, -MAT_THICKNESS_MM / UNIT_MM)
        mat.rotation_euler[2] = float(np.radians(rng.choice([0, 90]) + rng.normal(0, 3)))


def _add_cloth(scene: Scene, surface: bpy.types.Material) -> None:
    """A grid with soft ridges that flatten under and around whatever lies on it."""
    rng = np.random.default_rng(scene.table.seed)
    count, reach = 260, 700.0
    x, y = (
        axis + target
        for axis, target in zip(
            np.meshgrid(*[np.linspace(-reach, reach, count)] * 2), scene.camera.target_mm, strict=True
        )
    )
    height = np.zeros_like(x)
    for _ in range(int(rng.integers(3, 7))):
        angle, at = rng.uniform(0, np.pi), rng.uniform(-reach / 2, reach / 2)
        across = (
            (x - scene.camera.target_mm[0]) * np.cos(angle)
            + (y - scene.camera.target_mm[1]) * np.sin(angle)
            - at
        )
        along = -(x - scene.camera.target_mm[0]) * np.sin(angle) + (y - scene.camera.target_mm[1]) * np.cos(
            angle
        )
        across = across + 25 * np.sin(along / rng.uniform(90, 200) + rng.uniform(0, 6))
        height += (
            rng.uniform(1.5, 6)
            * np.exp(-((across / rng.uniform(9, 22)) ** 2))
            * (0.6 + 0.4 * np.sin(along / 130))
        )
    clear = np.full_like(x, np.inf)
    for card in (*scene.cards, *scene.others):
        reach_mm = float(np.hypot(*card.size_mm)) / 2
        clear = np.minimum(clear, np.hypot(x - card.pose.centre_mm[0], y - card.pose.centre_mm[1]) - reach_mm)
    for prop in scene.props:
        if prop.kind != "hand_shadow":
            clear = np.minimum(clear, np.hypot(x - prop.at_mm[0], y - prop.at_mm[1]) - 70)
    height *= np.clip(clear / FOLD_CLEARANCE_MM, 0, 1) ** 2
    points = np.column_stack([x.ravel(), y.ravel(), height.ravel()])
    corner = (np.arange(count - 1)[:, None] * count + np.arange(count - 1)).ravel()
    faces = np.column_stack([corner, corner + 1, corner + count + 1, corner + count])
    mesh_object("cloth", points, faces.tolist(), [surface])


def _ink(card: SceneCard, folder: Path) -> np.ndarray | None:
    return _read(folder / card.ink) if card.ink else None


def _read(path: Path) -> np.ndarray:
    """(H, W, C) float 0-1, RGB(A)."""
    pixels = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if pixels is None:
        raise FileNotFoundError(path)
    order = cv2.COLOR_BGRA2RGBA if pixels.shape[2] == 4 else cv2.COLOR_BGR2RGB
    return np.asarray(cv2.cvtColor(pixels, order).astype(np.float32) / np.iinfo(pixels.dtype).max)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--samples", type=int, default=8, help="paths per pixel")
    parser.add_argument("--megapixels", type=float, default=4.0, help="trace at most so many pixels")
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    for folder in options.folders:
        started = time.perf_counter()
        scene = load_scene(folder)
        received = build(scene, folder)
        light = render(
            scene.camera,
            seed=scene.seed,
            samples=options.samples,
            megapixels=options.megapixels,
            threads=options.threads,
        )
        balanced = np.minimum(light * white_balance(received), np.finfo(np.float16).max)
        np.save(folder / RENDER_NAME, balanced.astype(np.float16))
        print(f"{folder}: {time.perf_counter() - started:.1f} s", flush=True)


if __name__ == "__main__":
    main()
