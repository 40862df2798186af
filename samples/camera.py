"""What lens, sensor and phone make of an ideal picture, and how it is stored.

The ideal picture is a pinhole's, in linear light. In order: lens softness and lateral colour, Brown's radial
distortion (D. C. Brown, *Decentering distortion of lenses*, 1966), vignetting, motion blur, exposure and
white balance, shot and read noise correlated as after demosaicing, the phone's noise reduction and
sharpening, tone curve and saturation, 8 bits, file.
"""

from __future__ import annotations

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

Linear = NDArray[np.float32]

# A phone exposes the middle grey of a table scene about here, and lets about this share of the pixels clip.
MEAN_LEVEL = 0.25
CLIPPED_SHARE = 0.02
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


def undistort(points_px: NDArray[np.float64], camera: Camera, post: Post) -> NDArray[np.float64]:
    """The inverse of `distort`, by fixed-point steps (mild distortion converges in a few)."""
    centre, half = _centre(camera.width, camera.height)
    seen = np.asarray(points_px, float) - centre
    offset = seen.copy()
    for _ in range(8):
        r2 = (offset**2).sum(axis=1, keepdims=True) / half**2
        offset = seen / (1 + post.k1 * r2 + post.k2 * r2**2)
    return np.asarray(centre + offset)


def develop(linear_rgb: Linear, post: Post, *, metered: bool = False) -> NDArray[np.uint8]:
    """The phone's 8-bit sRGB picture (H, W, 3) of an ideal linear one (H, W, 3).

    Any exposure will do, unless it is `metered` already: then 1 is white, and its highlights are rolled off.
    """
    rng = np.random.default_rng(post.seed)
    picture = _through_lens(np.ascontiguousarray(linear_rgb, np.float32), post, rng)
    picture *= (1.0 if metered else _exposure(picture)) * 2.0**post.exposure_ev
    picture *= np.asarray(post.white_balance, np.float32)
    if post.motion_blur_px > 0.5:
        picture = _shaken(picture, post)
    picture = _noisy(picture, post, rng)
    encoded = _toned(picture, post, knee=0.95 if metered else SHOULDER_KNEE)
    return _processed(encoded, post)


def write_photo(rgb: NDArray[np.uint8], stem: Path, post: Post, camera: Camera) -> Path:
    """Store an upright picture as `post` says; gives the file's path.

    HEIC needs libheif's `heif-enc` (a developer's tool); raises `FileNotFoundError` without it.
    """
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
        image.save(path, quality=post.jpeg_quality, exif=exif, method=3)
    elif post.format == "png":
        image.save(path, exif=exif, compress_level=6)
    else:
        _write_heic(image, path, post, exif)
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


def _through_lens(picture: Linear, post: Post, rng: np.random.Generator) -> Linear:
    """Softness, lateral colour, distortion and vignetting."""
    height, width = picture.shape[:2]
    centre, half = _centre(width, height)
    # ideal radius as a function of the seen one, from a table
    ideal = np.linspace(0, 1.25, 512)
    seen = ideal * (1 + post.k1 * ideal**2 + post.k2 * ideal**4)
    x = ((np.arange(width) - centre[0]) / half).astype(np.float32)
    y = ((np.arange(height) - centre[1]) / half).astype(np.float32)
    radius = np.sqrt(x[None, :] ** 2 + y[:, None] ** 2)
    ratio = np.interp(np.linspace(0, 1.05, 1024), seen, ideal) / np.maximum(np.linspace(0, 1.05, 1024), 1e-9)
    ratio[0] = ratio[1]
    scale = cv2.remap(
        ratio[None].astype(np.float32),
        radius * np.float32(1023 / 1.05),
        np.zeros_like(radius),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    lateral = float(rng.uniform(-4e-4, 4e-4))
    channels = []
    for channel, stretch in enumerate((1 + lateral, 1.0, 1 - lateral)):
        factor = scale * np.float32(half * stretch)
        map_x = x[None, :] * factor + np.float32(centre[0])
        map_y = y[:, None] * factor + np.float32(centre[1])
        channels.append(
            cv2.remap(
                np.ascontiguousarray(picture[..., channel]),
                map_x,
                map_y,
                cv2.INTER_CUBIC,
                borderMode=cv2.BORDER_REFLECT_101,
            )
        )
    softness = float(rng.uniform(0.55, 0.9))
    out = cv2.GaussianBlur(cv2.merge(channels), (0, 0), softness)
    out = np.maximum(out, 0)
    # cos^4-like fall-off that reaches `vignetting` in the corner
    fall = 1 - np.float32(post.vignetting) * radius**2 * (0.6 + 0.4 * radius**2)
    out *= fall[..., None]
    return np.asarray(out, np.float32)


def _exposure(picture: Linear) -> float:
    """The factor of an automatic exposure: centre-weighted, between log mean and mean, held back where much
    would clip."""
    small = cv2.resize(picture, (160, 120), interpolation=cv2.INTER_AREA)
    luminance = small @ np.array([0.2126, 0.7152, 0.0722], np.float32)
    y, x = np.mgrid[-1:1:120j, -1:1:160j]
    weight = np.exp(-2 * (x**2 + y**2))
    weight /= weight.sum()
    log_mean = math.exp(float((np.log(luminance + 1e-4) * weight).sum()))
    gain = MEAN_LEVEL / max(math.sqrt(log_mean * float((luminance * weight).sum())), 1e-5)
    highlight = float(np.quantile(luminance, 1 - CLIPPED_SHARE))
    return min(gain, max(0.85 / max(highlight, 1e-5), 0.33 * gain))


def _shaken(picture: Linear, post: Post) -> Linear:
    size = math.ceil(post.motion_blur_px) | 1
    size = max(size, 3)
    kernel = np.zeros((size, size), np.float32)
    angle = math.radians(post.motion_blur_deg)
    for t in np.linspace(-0.5, 0.5, 8 * size):
        x = size // 2 + t * post.motion_blur_px * math.cos(angle)
        y = size // 2 + t * post.motion_blur_px * math.sin(angle)
        kernel[min(max(round(y), 0), size - 1), min(max(round(x), 0), size - 1)] += 1
    return np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), np.float32)


def _noisy(picture: Linear, post: Post, rng: np.random.Generator) -> Linear:
    """Signal-dependent noise; the coloured part is coarser, as demosaicing and chroma denoising leave it."""
    height, width = picture.shape[:2]
    grey = picture.mean(axis=2)
    deviation = np.sqrt(np.maximum(grey, 0) * 0.22 + 0.004)
    cv2.setRNGSeed(int(rng.integers(1, 2**31 - 1)))
    fine = np.empty((height, width), np.float32)
    cv2.randn(fine, np.zeros(1), np.ones(1))
    luma = cv2.GaussianBlur(fine, (0, 0), 0.55) * np.float32(1.6)
    blotches = np.empty((height // 2, width // 2, 3), np.float32)
    cv2.randn(blotches, np.zeros(3), np.ones(3))
    blotches -= blotches.mean(axis=2, keepdims=True)
    coarse = cv2.resize(blotches, (width, height), interpolation=cv2.INTER_LINEAR)
    amount = luma[..., None] * np.float32(post.noise) + coarse * np.float32(post.chroma_noise)
    return picture + amount * deviation[..., None]


def _toned(picture: Linear, post: Post, knee: float) -> NDArray[np.float32]:
    """Linear light to display values 0..1: highlight shoulder, sRGB curve, contrast, saturation."""
    table_in = np.linspace(0, 4.0, 8192, dtype=np.float32)
    # linear up to a knee, then a shoulder that ends at white
    over = np.maximum(table_in - knee, 0)
    shoulder = np.where(table_in < knee, table_in, knee + (1 - knee) * (1 - np.exp(-over / (1 - knee))))
    srgb = np.where(shoulder <= 0.0031308, 12.92 * shoulder, 1.055 * np.power(shoulder, 1 / 2.4) - 0.055)
    # an S-curve about the middle
    bent = srgb + (post.contrast - 1) * 0.9 * (srgb - 0.5) * srgb * (1 - srgb) * 4 * 0.5
    table = np.clip(bent, 0, 1).astype(np.float32)
    index = np.clip(picture * (8191 / 4.0), 0, 8191).astype(np.uint16)
    toned = table[index]
    grey = toned @ np.array([0.299, 0.587, 0.114], np.float32)
    return np.asarray(grey[..., None] + (toned - grey[..., None]) * np.float32(post.saturation))


def _processed(encoded: NDArray[np.float32], post: Post) -> NDArray[np.uint8]:
    """Noise reduction that spares edges, then sharpening with its halos."""
    luma_chroma = cv2.cvtColor(np.clip(encoded, 0, 1), cv2.COLOR_RGB2YCrCb)
    luma = luma_chroma[..., 0]
    smooth = cv2.GaussianBlur(luma, (0, 0), 1.1)
    detail = luma - smooth
    # detail below the noise's own size is mostly noise: shrink it (soft coring)
    core = np.float32(0.012 + 0.55 * post.noise)
    luma = smooth + detail * (detail**2 / (detail**2 + core**2 * 0.35))
    blur = cv2.GaussianBlur(luma, (0, 0), 1.3)
    luma = luma + np.float32(post.sharpening) * np.clip(luma - blur, -0.12, 0.12)
    chroma = cv2.GaussianBlur(luma_chroma[..., 1:], (0, 0), 1.2)
    merged = np.dstack([luma, chroma]).astype(np.float32)
    rgb = cv2.cvtColor(merged, cv2.COLOR_YCrCb2RGB)
    return np.asarray(np.clip(rgb * 255 + 0.5, 0, 255), np.uint8)
