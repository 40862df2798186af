"""The fast renderer: a scene as warped planes under painted light, about a second a photo; no ray is traced.

Cards, table and props are projected by `samples.projection`, so truth is exact. Light is approximated: a
main light (far for a window, near for a lamp, at the lens for a flash) with fall-off and blurred shadow
polygons, an even room light, and for gloss a lobe about the mirror direction (Schlick's Fresnel).
`samples.camera` makes the photo.

`python -m samples.compositor --split tuning --count 60 --out samples/sets/tuning-fast`
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from pathlib import Path
from typing import get_args

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from samples import camera as camera_model
from samples.board_truth import write_board_truth
from samples.canvas import Canvas
from samples.defocus import confusion_px, defocus
from samples.figures import cast_figures, draw_figures
from samples.laid_cards import Images, lay_card
from samples.light import LIGHTS, SRGB_TO_LINEAR, kelvin_rgb, light_position, specular
from samples.projection import eye_mm, photo_to_table
from samples.props import shape_of
from samples.scene_schema import Scene
from samples.scenes import make_board_sample, make_sample
from samples.shadows import cast_on_ground, cast_shadows
from samples.shapes import Shape
from samples.smooth import enlarge, strips
from samples.splits import BOARDS, Split
from samples.tables import table_texture
from samples.truth import write_truth
from scorer.catalogue import load_catalogue

Array = NDArray[np.float64]
Field = NDArray[np.float32]
LARGEST_TEXTURE_PX = 2000
FARTHEST_TABLE_MM = 700.0
RENDER_SHARE = 0.7  # of the photo's width: a phone's lens and sensor resolve no more
BLUR_REACH_PX = 24  # of all levels together, in whole coarse steps


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
    canvas = Canvas(scene)
    light_at = light_position(scene)
    main, room, radius = LIGHTS[scene.light.kind]
    spread = math.radians(radius * scene.light.softness)
    table_gloss = _lay_table(canvas, scene)
    shapes = [shape_of(prop, eye_mm(scene.camera)) for prop in scene.props if prop.kind != "hand_shadow"]
    for shape in shapes:
        if shape.height_mm < 3:
            _draw_shape(canvas, shape, light_at, spread)
    order = sorted((*scene.others, *scene.cards), key=lambda card: card.on_mm + card.pose.lift_mm)
    for index, card in enumerate(order):
        own = np.random.default_rng([scene.seed, 11, index])
        lay_card(canvas, scene, card, images, light_at, spread, own)
    cast_figures(canvas, scene.figures, light_at, spread)
    draw_figures(canvas, scene.figures, images, light_at)
    for shape in shapes:
        if shape.height_mm >= 3:
            _draw_shape(canvas, shape, light_at, spread)
    cast_shadows(canvas, scene, light_at, spread, rng)
    return _lit(canvas, scene, light_at, main, room, spread, table_gloss, rng)


def _lay_table(canvas: Canvas, scene: Scene) -> float:
    """Paint the table top; gives its gloss."""
    camera = scene.camera
    reach = canvas.grid_mm.reshape(-1, 2)
    low, high = reach.min(axis=0) - 5, reach.max(axis=0) + 5
    # a camera that looks at the horizon sees further than a table goes
    middle = np.asarray(camera.target_mm)
    if float((high - low).max()) > 2 * FARTHEST_TABLE_MM:
        low, high = np.maximum(low, middle - FARTHEST_TABLE_MM), np.minimum(high, middle + FARTHEST_TABLE_MM)
    scale = min(canvas.px_per_mm, LARGEST_TEXTURE_PX / float((high - low).max()))
    if scene.table.reach_mm:
        low, high = np.full(2, -scene.table.reach_mm), np.full(2, scene.table.reach_mm)
        scale = LARGEST_TEXTURE_PX / (2 * scene.table.reach_mm)
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
        cv2.LUT(seen, SRGB_TO_LINEAR, dst=plane)
    canvas.gloss[:] = gloss * 0.5
    return gloss


def _draw_shape(canvas: Canvas, shape: Shape, light_at: Array, spread: float) -> None:
    for part in (shape.shadow_mm, *shape.more_shadows_mm):
        outline = np.column_stack([part, np.zeros(len(part))])
        raised = np.column_stack([part, np.full(len(part), min(shape.height_mm, light_at[2] * 0.5))])
        cast = cast_on_ground(raised, light_at)
        both = cv2.convexHull(np.vstack([outline, cast])[:, :2].astype(np.float32))[:, 0].astype(float)
        blur = max(0.25, 0.45 * shape.height_mm * math.tan(spread))
        canvas.darken(canvas.visible, np.column_stack([both, np.zeros(len(both))]), blur, 0.92)
        canvas.darken(canvas.open, outline, 0.6 + 0.18 * shape.height_mm, 0.6)
    for face in shape.faces:
        canvas.paint(face.points_mm, face.colour, face.alpha)
        canvas.hide_glare(face.points_mm, face.alpha)


def _lit(
    canvas: Canvas,
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
        sheen = specular(points, up, scene, light_at, spread, rough).reshape(rows, columns)
    confusion = confusion_px(canvas, scene)
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
            defocus(lit, blur, float(confusion[cells].max()))
            picture[channel, rows_seen.start + first : rows_seen.stop] = lit[first:]
    return picture.transpose(1, 2, 0)


def photograph(scene: Scene, images: Images) -> NDArray[np.uint8]:
    """The scene as a phone's upright 8-bit sRGB picture (H, W, 3)."""
    size = (scene.camera.width, scene.camera.height)
    return camera_model.develop(render_ideal(scene, images), scene.post, size)


def photo_of(scene: Scene, images: Mapping[str, NDArray[np.uint8]], stem: Path) -> Path:
    picture = photograph(scene, images.__getitem__)
    return camera_model.write_photo(picture, stem, scene.post, scene.camera)


def make_one(index: int, split: Split, out: Path, deck: Path | None) -> tuple[str, float]:
    """Draw photo `index` of a split with its truth; the file's name, and the processor time it took (s)."""
    cv2.setNumThreads(1)
    start = time.process_time()
    catalogue = load_catalogue(deck) if deck else None
    stem = out / f"{split}-{index:04d}"
    if split in BOARDS:
        board = make_board_sample(split, index, catalogue)
        photo = photo_of(board.scene, board.images, stem)
        write_board_truth(board, photo, renderer="compositor")
    else:
        sample = make_sample(split, index, catalogue)
        photo = photo_of(sample.scene, sample.images, stem)
        write_truth(sample, photo, renderer="compositor")
    return photo.name, time.process_time() - start


def main() -> None:
    """Make a set of photos with truth."""
    parser = argparse.ArgumentParser(description="Fast sample photos with truth")
    parser.add_argument("--split", choices=get_args(Split), default="tuning")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--deck", type=Path, help="a catalogue's folder (the open deck when not given)")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    job = partial(make_one, split=options.split, out=options.out, deck=options.deck)
    with ProcessPoolExecutor(options.workers) as pool:
        futures = [pool.submit(job, options.first + index) for index in range(options.count)]
        for done, future in enumerate(as_completed(futures), 1):
            name, seconds = future.result()
            print(f"[{done}/{options.count}] {name} {seconds:.1f} s", flush=True)


if __name__ == "__main__":
    main()
