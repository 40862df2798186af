"""What lens, sensor and phone make of an ideal picture, and how it is stored.

The ideal picture is a pinhole's, in linear light. In order: lens softness and lateral colour, Brown's radial
distortion (D. C. Brown, *Decentering distortion of lenses*, 1966), vignetting, motion blur, exposure and
white balance, shot and read noise correlated as after demosaicing, the phone's noise reduction and
sharpening, tone curve and saturation, 8 bits, file.
"""

from __future__ import annotations

import io
import itertools
import math
import os
import subprocess
import tempfile
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from samples.scene_schema import Camera, Post
from samples.smooth import STEP_PX, coarse_grid, enlarge, strips

Linear = NDArray[np.float32]
Coarse = NDArray[np.float64]

# A phone exposes the middle grey of a table scene about here, and lets about this share of the pixels clip.
MEAN_LEVEL = 0.25
CLIPPED_SHARE = 0.02
BRIGHTEST = 4.0  # the tone curve's end, to white
NOISE_ROWS = 512
INTERPOLATION_BLUR_PX = 0.41  # deviation of linear interpolation's kernel, mean over its phases
SHOULDER_KNEE = 0.70  # above this share of white, highlights are compressed
SUFFIX = {"jpeg": ".jpg", "heic": ".heic", "png": ".png", "webp": ".webp"}
# EXIF orientation -> how an upright picture is turned to be stored (numpy quarter turns anticlockwise)
STORED_TURNS = {1: 0, 3: 2, 6: 1, 8: 3}
EXIF_ORIENTATION, EXIF_MAKE, EXIF_MODEL, EXIF_FOCAL_35 = 0x0112, 0x010F, 0x0110, 0xA405


def distort(points_px: NDArray[np.float64], camera: Camera, post: Post) -> NDArray[np.float64]:
    """Move ideal-picture points (N, 2) to where the lens puts them; photo pixels, x right, y down."""
    centre, half = _centre(camera.width, camera.height)
    offset = np.asarray(points_px, float) - centre
    r2 = (offset**2).sum(axis=1, keepdims=True) / half**2
    return np.asarray(centre + offset * (1 + post.k1 * r2 + post.k2 * r2**2))


def file_size(camera: Camera, post: Post) -> tuple[int, int]:
    """Width and height of the photo as it is stored, upright."""
    if post.copy is None:
        return camera.width, camera.height
    share = post.copy.long_side_px / max(camera.width, camera.height)
    return round(camera.width * share), round(camera.height * share)


def in_file(points_px: NDArray[np.float64], camera: Camera, post: Post) -> NDArray[np.float64]:
    """Ideal-picture points (N, 2) in the stored photo: through the lens, and made smaller with it."""
    seen = distort(points_px, camera, post)
    share = np.array(file_size(camera, post)) / (camera.width, camera.height)
    return np.asarray((seen + 0.5) * share - 0.5) if post.copy is not None else seen


def undistort(points_px: NDArray[np.float64], camera: Camera, post: Post) -> NDArray[np.float64]:
    """The inverse of `distort`, by fixed-point steps (mild distortion converges in a few)."""
    centre, half = _centre(camera.width, camera.height)
    seen = np.asarray(points_px, float) - centre
    offset = seen.copy()
    for _ in range(8):
        r2 = (offset**2).sum(axis=1, keepdims=True) / half**2
        offset = seen / (1 + post.k1 * r2 + post.k2 * r2**2)
    return np.asarray(centre + offset)


def develop(linear_rgb: Linear, post: Post, size: tuple[int, int] | None = None) -> NDArray[np.uint8]:
    """The phone's 8-bit sRGB picture (H, W, 3) of an ideal linear one (h, w, 3), at any exposure.

    `size` is the photo's (width, height), the ideal picture's when left out; a smaller ideal picture of the
    same view, its centre and diagonal on the photo's, is enlarged on its way through the lens.
    """
    rng = np.random.default_rng(post.seed)
    height, width = linear_rgb.shape[:2]
    width, height = size or (width, height)
    source = [np.ascontiguousarray(linear_rgb[..., channel], np.float32) for channel in range(3)]
    source = _softened(source, post, math.hypot(width, height), rng)
    lens = _lens(source, post, (width, height), rng)
    noise = _noise(width, post, rng)
    tone = _tone_curve(post)
    photo = np.empty((height, width, 3), np.uint8)
    for rows, cells in strips(height, STEP_PX):
        shape = (rows.stop - rows.start, width)
        planes = [
            _seen(plane, [field[cells] for field in fields], shape)
            for plane, fields in zip(source, lens, strict=True)
        ]
        _add_noise(planes, [block[np.arange(rows.start, rows.stop) % NOISE_ROWS] for block in noise])
        # what the margin above holds is the strip before's; the margin below is the next one's to overwrite
        first = STEP_PX if rows.start else 0
        photo[rows.start + first : rows.stop] = _processed(_toned(planes, tone), post)[first:]
    return photo


def write_photo(rgb: NDArray[np.uint8], stem: Path, post: Post, camera: Camera) -> Path:
    """Store an upright picture as `post` says; gives the file's path.

    HEIC needs libheif's `heif-enc` (a developer's tool); raises `FileNotFoundError` without it.
    """
    if post.copy is not None:
        return _write_copy(rgb, stem, post, camera)
    path = stem.with_name(stem.name + SUFFIX[post.format])
    turns = STORED_TURNS[post.exif_orientation]
    image = Image.fromarray(np.ascontiguousarray(np.rot90(rgb, turns)))
    exif = Image.Exif()
    exif[EXIF_ORIENTATION] = post.exif_orientation
    exif[EXIF_MAKE] = "Waymark"
    exif[EXIF_MODEL] = "rendered sample"
    exif.get_ifd(0x8769)[EXIF_FOCAL_35] = round(camera.focal_mm_35)
    if post.format == "jpeg":
        subsampling = 2 if post.jpeg_quality < 92 else 0
        image.save(path, quality=post.jpeg_quality, subsampling=subsampling, exif=exif, optimize=True)
    elif post.format == "webp":
        image.save(path, quality=post.jpeg_quality, exif=exif, method=1)
    elif post.format == "png":
        image.save(path, exif=exif, compress_level=1)
    else:
        _write_heic(image, path, post, exif)
    return path


def _write_copy(rgb: NDArray[np.uint8], stem: Path, post: Post, camera: Camera) -> Path:
    """The photo as a messenger passes it on: a JPEG already, made smaller, compressed again, no EXIF."""
    assert post.copy is not None
    first = io.BytesIO()
    Image.fromarray(rgb).save(first, "JPEG", quality=post.jpeg_quality)
    smaller = Image.open(first).resize(file_size(camera, post), Image.Resampling.LANCZOS)
    path = stem.with_name(stem.name + SUFFIX["jpeg"])
    smaller.save(path, quality=post.copy.jpeg_quality, subsampling=2)
    return path


def _write_heic(image: Image.Image, path: Path, post: Post, exif: Image.Exif) -> None:
    # heif-enc turns the pixels by a JPEG's EXIF tag itself, and keeps the tag; so it is given an upright
    # picture
    handle, source = tempfile.mkstemp(suffix=".png", dir=path.parent)
    os.close(handle)
    try:
        upright = np.rot90(np.asarray(image), -STORED_TURNS[post.exif_orientation])
        Image.fromarray(np.ascontiguousarray(upright)).save(source, compress_level=1)
        subprocess.run(
            [
                "heif-enc",
                "-q",
                str(max(40, post.jpeg_quality - 25)),
                "-p",
                "preset=ultrafast",
                source,
                "-o",
                str(path),
            ],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    finally:
        os.unlink(source)


def _centre(width: int, height: int) -> tuple[NDArray[np.float64], float]:
    return np.array([(width - 1) / 2, (height - 1) / 2]), math.hypot(width, height) / 2


def _softened(planes: list[Linear], post: Post, diagonal_px: float, rng: np.random.Generator) -> list[Linear]:
    """The blur of lens and shaking hand, before the picture is enlarged to the photo's diagonal."""
    enlarged = diagonal_px / math.hypot(*planes[0].shape)
    softness = float(rng.uniform(0.55, 0.9))
    # linear interpolation blurs by itself
    rest = math.sqrt(max(softness**2 - (INTERPOLATION_BLUR_PX * enlarged) ** 2, 0.0)) / enlarged
    if rest > 0.2:
        planes = [np.asarray(cv2.GaussianBlur(plane, (5, 5), rest), np.float32) for plane in planes]
    if post.motion_blur_px > 0.5:
        way = _way(post.motion_blur_px / enlarged, post.motion_blur_deg)
        planes = [np.asarray(cv2.filter2D(plane, -1, way), np.float32) for plane in planes]
    return planes


def _lens(
    planes: list[Linear], post: Post, size: tuple[int, int], rng: np.random.Generator
) -> list[tuple[Coarse, Coarse, Coarse]]:
    """Where in the ideal picture each colour of the photo comes from (x, y), and its gain, on the coarse grid
    of a photo of `size` (width, height): distortion, lateral colour; vignetting, exposure, white balance."""
    centre, half = _centre(*size)
    ideal_centre, ideal_half = _centre(*planes[0].shape[::-1])
    x, y = coarse_grid(size[::-1])
    x, y = (x - centre[0]) / half, (y - centre[1]) / half
    radius = np.hypot(x, y)
    # ideal radius as a function of the seen one, from a table
    ideal = np.linspace(0, 1.25, 512)
    seen = ideal * (1 + post.k1 * ideal**2 + post.k2 * ideal**4)
    ratio = ideal_half * np.interp(radius, seen, ideal) / np.maximum(radius, 1e-9)
    # cos^4-like fall-off that reaches `vignetting` in the corner
    fall = 1 - post.vignetting * radius**2 * (0.6 + 0.4 * radius**2)
    gain = fall * _exposure(planes, fall) * 2.0**post.exposure_ev
    lateral = float(rng.uniform(-4e-4, 4e-4))
    return [
        (x * ratio * stretch + ideal_centre[0], y * ratio * stretch + ideal_centre[1], gain * balance)
        for stretch, balance in zip((1 + lateral, 1.0, 1 - lateral), post.white_balance, strict=True)
    ]


def _seen(plane: Linear, lens: list[Coarse], shape: tuple[int, int]) -> Linear:
    """Photo rows of `shape` (H, W) of one colour; `lens` is their part of `_lens`."""
    x, y, gain = (enlarge(field, shape) for field in lens)
    moved = cv2.remap(plane, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    moved *= gain
    return np.asarray(moved, np.float32)


def _exposure(planes: list[Linear], fall: NDArray[np.float64]) -> float:
    """The factor of an automatic exposure: centre-weighted, between log mean and mean, held back where much
    would clip."""
    luminance = np.zeros((120, 160))
    for plane, share in zip(planes, (0.2126, 0.7152, 0.0722), strict=True):
        luminance += share * cv2.resize(plane, (160, 120), interpolation=cv2.INTER_AREA)
    luminance *= cv2.resize(fall, (160, 120), interpolation=cv2.INTER_AREA)
    y, x = np.mgrid[-1:1:120j, -1:1:160j]
    weight = np.exp(-2 * (x**2 + y**2))
    weight /= weight.sum()
    log_mean = math.exp(float((np.log(luminance + 1e-4) * weight).sum()))
    gain = MEAN_LEVEL / max(math.sqrt(log_mean * float((luminance * weight).sum())), 1e-5)
    highlight = float(np.quantile(luminance, 1 - CLIPPED_SHARE))
    return min(gain, max(0.85 / max(highlight, 1e-5), 0.33 * gain))


def _way(length_px: float, angle_deg: float) -> Linear:
    """The filter kernel of a hand that moves straight on."""
    size = max(math.ceil(length_px) | 1, 3)
    kernel = np.zeros((size, size), np.float32)
    angle = math.radians(angle_deg)
    steps = np.linspace(-0.5, 0.5, 8 * size) * length_px
    # each point of the way is shared out to its four pixels
    for x, y in zip(size // 2 + steps * math.cos(angle), size // 2 + steps * math.sin(angle), strict=True):
        for row, column in itertools.product(
            (math.floor(y), math.floor(y) + 1), (math.floor(x), math.floor(x) + 1)
        ):
            if 0 <= row < size and 0 <= column < size:
                kernel[row, column] += (1 - abs(y - row)) * (1 - abs(x - column))
    made: Linear = kernel / kernel.sum()
    return made


def _noise(width: int, post: Post, rng: np.random.Generator) -> list[Linear]:
    """Three planes (`NOISE_ROWS`, width) of a sensor's noise at unit deviation of the light, to be repeated
    downwards; its coloured part is coarser, as demosaicing and chroma denoising leave it."""
    cv2.setRNGSeed(int(rng.integers(1, 2**31 - 1)))
    fine = np.empty((NOISE_ROWS, width), np.float32)
    cv2.randn(fine, np.zeros(1), np.ones(1))
    luma = cv2.GaussianBlur(fine, (0, 0), 0.55) * np.float32(1.6 * post.noise)
    blotches = [np.empty((NOISE_ROWS // 2, width // 2), np.float32) for _ in range(3)]
    for blotch in blotches:
        cv2.randn(blotch, np.zeros(1), np.full(1, post.chroma_noise))
    grey = sum(blotches) / np.float32(3)
    return [luma + cv2.resize(blotch - grey, (width, NOISE_ROWS)) for blotch in blotches]


def _add_noise(planes: list[Linear], noise: list[Linear]) -> None:
    """Shot and read noise grow with the light's root."""
    deviation = planes[0] + planes[1]
    deviation += planes[2]
    deviation *= 0.22 / 3
    deviation += 0.004
    np.sqrt(np.maximum(deviation, 0.004, out=deviation), out=deviation)
    for plane, own in zip(planes, noise, strict=True):
        own *= deviation
        plane += own


def _tone_curve(post: Post) -> NDArray[np.float32]:
    """Display values 0..1 of 65536 levels of light up to `BRIGHTEST`: shoulder, sRGB curve, contrast."""
    light = np.linspace(0, BRIGHTEST, 1 << 16, dtype=np.float32)
    # linear up to a knee, then a shoulder that ends at white
    over = np.maximum(light - SHOULDER_KNEE, 0)
    rolled = SHOULDER_KNEE + (1 - SHOULDER_KNEE) * (1 - np.exp(-over / (1 - SHOULDER_KNEE)))
    shoulder = np.where(light < SHOULDER_KNEE, light, rolled)
    srgb = np.where(shoulder <= 0.0031308, 12.92 * shoulder, 1.055 * np.power(shoulder, 1 / 2.4) - 0.055)
    # an S-curve about the middle
    bent = srgb + (post.contrast - 1) * 0.9 * (srgb - 0.5) * srgb * (1 - srgb) * 4 * 0.5
    made: NDArray[np.float32] = np.clip(bent, 0, 1).astype(np.float32)
    return made


def _toned(planes: list[Linear], curve: NDArray[np.float32]) -> NDArray[np.float32]:
    """Linear planes as display values (H, W, 3) 0..1."""
    for plane in planes:
        plane *= 65535 / BRIGHTEST
        np.clip(plane, 0, 65535, out=plane)
    return np.asarray(cv2.merge([cv2.LUT(plane.astype(np.uint16), curve) for plane in planes]), np.float32)


def _processed(encoded: NDArray[np.float32], post: Post) -> NDArray[np.uint8]:
    """Saturation, noise reduction that spares edges, then sharpening with its halos."""
    luma, red, blue = cv2.split(cv2.cvtColor(encoded, cv2.COLOR_RGB2YCrCb))
    smooth = cv2.GaussianBlur(luma, (7, 7), 1.1)
    detail = luma - smooth
    # detail below the noise's own size is mostly noise: shrink it (soft coring)
    core = np.float32(0.012 + 0.55 * post.noise)
    power = detail * detail
    detail *= power
    power += core**2 * np.float32(0.35)
    detail /= power
    smooth += detail
    halo = smooth - cv2.GaussianBlur(smooth, (9, 9), 1.3)
    np.clip(halo, -0.12, 0.12, out=halo)
    luma = cv2.scaleAdd(halo, post.sharpening, smooth)
    red, blue = (
        cv2.addWeighted(
            cv2.GaussianBlur(chroma, (7, 7), 1.2), post.saturation, chroma, 0, 0.5 - 0.5 * post.saturation
        )
        for chroma in (red, blue)
    )
    rgb = cv2.cvtColor(cv2.merge([luma, red, blue]), cv2.COLOR_YCrCb2RGB)
    # the sum saturates as it is stored in 8 bits
    return np.asarray(cv2.addWeighted(rgb, 255, rgb, 0, 0, dtype=cv2.CV_8U), np.uint8)
