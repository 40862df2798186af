"""Photo files: originals under the hash of their bytes, never altered; display copies, re-encoded."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

import cv2
import numpy as np
from PIL import Image

from scorer.errors import Code, WaymarkError
from scorer.text import Text
from vision.photo.decode import Pixels, load_photo, read_header
from webapp.store.render_cache import Maker

if TYPE_CHECKING:
    from webapp.store.photo_store import PhotoStore

#: Longest sides of the copies that pages show, in pixels.
DisplaySize = Literal[480, 1600, 3200]
DISPLAY_SIZES: tuple[DisplaySize, ...] = get_args(DisplaySize)
DISPLAY_QUALITY = 85
#: Prefix of a file's name while it is being written.
_PART = ".part-"


@dataclass(frozen=True)
class StoredPhoto:
    """A stored original. `sha256` (hex) is its name; width and height are those of the upright picture."""

    sha256: str
    media_type: str
    width: int
    height: int
    size_bytes: int


def store_original(originals: PhotoStore, data: bytes) -> StoredPhoto:
    """Store a photo's bytes durably under their hash.

    Only the header is decoded. Raises `WaymarkError`: not a photo, too small, or too large."""
    header = read_header(data)
    sha256 = hashlib.sha256(data).hexdigest()
    key = original_key(sha256)
    if not _is_kept(originals, key, sha256):
        originals.write(key, data)
    return StoredPhoto(sha256, header.media_type, header.width, header.height, len(data))


def _is_kept(originals: PhotoStore, key: str, sha256: str) -> bool:
    try:
        with originals.local_file(key) as file:
            return is_intact(file, sha256)
    except FileNotFoundError:
        return False


def is_intact(file: Path, sha256: str) -> bool:
    """Whether a file's bytes have the given SHA-256."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest() == sha256


def check_original(file: Path, sha256: str) -> None:
    """Raises `WaymarkError` (photo-damaged) for an original whose bytes do not match its hash."""
    if not is_intact(file, sha256):
        raise WaymarkError(
            Code.PHOTO_DAMAGED,
            Text(
                "The file of photo {sha256} is damaged; send the same photo again, take another, or "
                "restore a backup.",
                sha256=sha256[:8],
            ),
        )


@contextmanager
def intact_original(originals: PhotoStore, sha256: str) -> Iterator[Path]:
    """The file of an original, as it came, while the block runs. Raises `WaymarkError` (photo-lost,
    photo-damaged, store-unreachable)."""
    try:
        with originals.local_file(original_key(sha256)) as file:
            check_original(file, sha256)
            yield file
    except FileNotFoundError:
        raise photo_lost(sha256) from None


def original_key(sha256: str) -> str:
    """Storage key of the original with that SHA-256. Raises `ValueError` for an invalid hash."""
    if len(sha256) != 64 or not set(sha256) <= set("0123456789abcdef"):
        raise ValueError(f"not a SHA-256: {sha256!r}")
    return f"{sha256[:2]}/{sha256}"


def display_copy(
    originals: PhotoStore, copies: PhotoStore, maker: Maker, sha256: str, longest_px: DisplaySize
) -> bytes:
    """A JPEG of the upright photo without its metadata, made at the first need. Raises `WaymarkError`."""
    key = f"{original_key(sha256)}-{longest_px}.jpg"

    def make() -> bytes:
        with intact_original(originals, sha256) as file:
            data = _smaller(file, longest_px)
        copies.write(key, data)
        return data

    with suppress(FileNotFoundError):
        return copies.read(key)
    return maker.made(key, make)


def _smaller(original: Path, longest_px: DisplaySize) -> bytes:
    """The upright photo as a JPEG with limited side length in pixels. Raises `WaymarkError`."""
    # A damaged photo is shown as far as it is readable: its grey part shows people what is wrong.
    photo = load_photo(original, longest_px=longest_px, damaged_too=True)
    picture = Image.fromarray(photo.reduced(photo.halvings)[..., ::-1])
    picture.thumbnail((longest_px, longest_px), Image.Resampling.LANCZOS)
    return packed_jpeg(np.asarray(picture)[..., ::-1], DISPLAY_QUALITY, cv2.IMWRITE_JPEG_PROGRESSIVE, 1)


def packed_jpeg(pixels: Pixels, quality: int, *options: int) -> bytes:
    """Pixels encoded as JPEG bytes, without Pillow: it would copy the pixels twice and block other
    threads."""
    return cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality, *options])[1].tobytes()


def write_whole(target: Path, data: bytes) -> None:
    """Write a file so that it is there whole or not at all, even if the machine stops (POSIX rename)."""
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=_PART)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def clear_parts(folder: Path) -> None:
    """Delete partial files left by a killed server. A writer that is still active finds its file missing and
    reports an error."""
    for part in folder.glob(f"**/{_PART}*"):
        with suppress(OSError):
            part.unlink()


def photo_lost(sha256: str) -> WaymarkError:
    """The error for a photo whose file has gone from the data folder."""
    return WaymarkError(
        Code.PHOTO_LOST,
        Text(
            "The photo {sha256} is no longer in the data folder; take it again or restore the folder.",
            sha256=sha256[:8],
        ),
    )
