"""Pixel decoding: file bytes -> (height, width, 3) uint8 BGR in sRGB, by HEIC, WebP or Pillow's decoders.

Large pictures are decoded in strips of rows, so that only a strip is held twice.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageCms

from scorer.text import Text
from vision.photo.file_header import MAX_MEGAPIXELS, cut_off, open_header, too_large

#: Height of the strips in which large pictures are processed, to keep copies small.
_STRIP_ROWS = 256
#: Largest change of a probe colour for a profile to count as sRGB under another name.
SAME_COLOUR_STEPS = 2
#: Greatest standard deviation of the values of a flat row.
_FLAT_STEPS = 2.0
#: Exceptions of decoders for damaged files.
_DAMAGED = (OSError, SyntaxError, ValueError, EOFError, RuntimeError, MemoryError)


def decode_heif(data: bytes, halvings: int) -> NDArray[np.uint8]:
    """BGR pixels of a colour HEIC, decoded by libheif directly, as Pillow's plugin copies the picture twice
    more.

    Phones write HEIC as a grid of tiles, which libheif decodes in parallel.
    """
    import pi_heif

    try:
        picture = pi_heif.open_heif(io.BytesIO(data), bgr_mode=True)
        width, height = picture.size
        # The array only refers to the memory of `picture`, which is released at the end of this function.
        pixels = np.asarray(picture)
        return _in_strips((width, height), halvings, lambda top, end: pixels[top:end, :width])
    except _DAMAGED as error:
        raise cut_off() from error


def decode_with_pillow(
    data: bytes, profile: bytes | None, notes: list[Text], halvings: int
) -> tuple[NDArray[np.uint8], bytes | None]:
    """BGR pixels (8 bits) of a picture after `halvings` halvings, and the colour profile still to be
    applied."""
    try:
        if data[:4] == b"RIFF":
            return _decode_webp(data, notes, halvings), profile
        picture = open_header(data)
        picture.load()
        transparent = picture.has_transparency_data

        def strip(top: int, end: int) -> NDArray[np.uint8]:
            rgb = _in_rgb(picture.crop((0, top, picture.width, end)), profile, transparent=transparent)
            return np.asarray(cv2.cvtColor(np.asarray(rgb), cv2.COLOR_RGB2BGR), np.uint8)

        pixels = _in_strips(picture.size, halvings, strip)
    except Image.DecompressionBombError as error:
        raise too_large("its header asks for far more", f"{MAX_MEGAPIXELS} megapixels") from error
    except (
        OSError,
        SyntaxError,
        ValueError,
        EOFError,
        RuntimeError,
        MemoryError,
        IndexError,
        cv2.error,
    ) as error:
        raise cut_off() from error
    if transparent:
        notes.append(_transparent())
    return pixels, None if picture.mode == "CMYK" else profile


def _decode_webp(data: bytes, notes: list[Text], halvings: int) -> NDArray[np.uint8]:
    """BGR pixels of a WebP, decoded by OpenCV, as Pillow holds the picture four times."""
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    if picture is None:
        raise OSError
    transparent = picture.ndim == 3 and picture.shape[2] == 4
    _check_end(data, np.asarray(picture[-1], np.uint8))

    def strip(top: int, end: int) -> NDArray[np.uint8]:
        rows = np.asarray(picture[top:end], np.uint8)
        if not transparent:
            return rows
        rgba = Image.fromarray(cv2.cvtColor(rows, cv2.COLOR_BGRA2RGBA))
        return np.asarray(_in_rgb(rgba, None, transparent=True))[..., ::-1]

    if transparent:
        notes.append(_transparent())
    return _in_strips((picture.shape[1], picture.shape[0]), halvings, strip)


def _check_end(data: bytes, last_row: NDArray[np.uint8]) -> None:
    """Check for truncation of a WebP that ends in zeros. Raises `OSError` if these are not its pixels.

    Zeros of real pixels give flat rows (libwebp spends up to 16 bits on a flat block of 16 x 16 pixels).
    Zeros from an interrupted copy give a smear.
    """
    zeros = len(data) - len(data.rstrip(b"\x00"))
    if zeros > max(64, len(last_row) // 8) and last_row.std(axis=0).max() > _FLAT_STEPS:
        raise OSError


def _in_strips(
    size: tuple[int, int], halvings: int, strip: Callable[[int, int], NDArray[np.uint8]]
) -> NDArray[np.uint8]:
    """BGR picture of size (width, height) after `halvings` halvings, assembled from strips of rows.

    `strip` decodes the rows from one number up to another.
    """
    width, height = (side >> halvings for side in size)
    made = np.empty((height, width, 3), np.uint8)
    for top in range(0, height, _STRIP_ROWS >> halvings):
        end = min(height, top + (_STRIP_ROWS >> halvings))
        rows = strip(top << halvings, end << halvings)
        for halved in range(halvings - 1, -1, -1):
            half = (width << halved, (end - top) << halved)
            rows = np.asarray(
                cv2.resize(rows[: 2 * half[1], : 2 * half[0]], half, interpolation=cv2.INTER_AREA), np.uint8
            )
        made[top:end] = rows
    return made


def _in_rgb(part: Image.Image, profile: bytes | None, *, transparent: bool) -> Image.Image:
    """Part of a decoded picture converted to RGB, with a white background where it is transparent."""
    if part.mode == "CMYK":
        part = _cmyk_to_rgb(part, profile)
    elif part.mode in ("I;16", "I;16B", "I;16L", "I;16N", "I"):
        grey = np.asarray(part, dtype=np.int32)
        # A 16-bit channel's upper byte is the 8-bit channel.
        part = Image.fromarray((np.clip(grey, 0, 65535) >> 8).astype(np.uint8))
    if transparent:
        layer = part.convert("RGBA")
        part = Image.new("RGB", layer.size, "white")
        part.paste(layer, mask=layer.getchannel("A"))
    return part.convert("RGB")


def _cmyk_to_rgb(picture: Image.Image, profile: bytes | None) -> Image.Image:
    if profile:
        try:
            source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
            turned = ImageCms.profileToProfile(picture, source, _srgb(), outputMode="RGB")
            if turned is not None:
                return turned
        except (ImageCms.PyCMSError, OSError):
            pass  # A profile of another colour space: the plain conversion remains.
    return picture.convert("RGB")


def to_srgb(pixels: NDArray[np.uint8], profile: bytes, notes: list[Text]) -> None:
    """Convert BGR pixels from an embedded RGB profile (Display P3, Adobe RGB) to sRGB, in place."""
    try:
        transform = _srgb_transform(profile)
    except (ImageCms.PyCMSError, OSError):
        notes.append(Text("The embedded colour profile could not be used; the colours are taken as sRGB."))
        return
    if transform is None:
        return
    for top in range(0, len(pixels), _STRIP_ROWS):
        rows = pixels[top : top + _STRIP_ROWS]
        rgb = Image.fromarray(cv2.cvtColor(rows, cv2.COLOR_BGR2RGB))
        ImageCms.applyTransform(rgb, transform, inPlace=True)
        rows[:] = cv2.cvtColor(np.asarray(rgb), cv2.COLOR_RGB2BGR)


@cache
def _srgb() -> ImageCms.ImageCmsProfile:
    return ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB"))


def _srgb_transform(profile: bytes) -> ImageCms.ImageCmsTransform | None:
    """Colour transform from `profile` to sRGB; None where it would change hardly anything."""
    source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
    transform = ImageCms.buildTransform(source, _srgb(), "RGB", "RGB")
    steps = np.linspace(0, 255, 6).astype(np.uint8)
    probe = np.stack(np.meshgrid(steps, steps, steps), axis=-1).reshape(6, 36, 3)
    moved = ImageCms.applyTransform(Image.fromarray(probe), transform)
    if moved is not None:
        shift = np.abs(np.asarray(moved).astype(int) - probe).max()
        if shift <= SAME_COLOUR_STEPS:
            return None
    return transform


def _transparent() -> Text:
    return Text("The picture has transparent parts; they are read as white.")
