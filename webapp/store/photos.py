"""Photos: originals under the hash of their bytes, never altered; copies for display, re-encoded."""

from __future__ import annotations

import hashlib
import io
import os
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from PIL import Image

from scorer.errors import Code, WaymarkError
from vision.photo import load_photo, read_header

if TYPE_CHECKING:
    from webapp.store.photo_store import PhotoStore

#: Longest sides of the copies that pages show, in pixels.
DisplaySize = Literal[480, 1600, 3200]
DISPLAY_SIZES: tuple[DisplaySize, ...] = get_args(DisplaySize)
DISPLAY_QUALITY = 85


@dataclass(frozen=True)
class StoredPhoto:
    """An original that is safely kept. `sha256` (hex) names it; its size is the upright picture's."""

    sha256: str
    media_type: str
    width: int
    height: int
    size_bytes: int


def store_original(originals: PhotoStore, data: bytes) -> StoredPhoto:
    """Keep a photo's bytes. It is kept, whole and under its name, when this returns.

    Only the header is decoded. Raises `WaymarkError`: not a photo, too small, or too large.
    """
    header = read_header(data)
    sha256 = hashlib.sha256(data).hexdigest()
    key = original_key(sha256)
    if not originals.has(key):
        originals.write(key, data)
    return StoredPhoto(sha256, header.media_type, header.width, header.height, len(data))


def original_key(sha256: str) -> str:
    """Under which key the original of that hash lies. Raises `ValueError` for what is no hash."""
    if len(sha256) != 64 or not set(sha256) <= set("0123456789abcdef"):
        raise ValueError(f"not a SHA-256: {sha256!r}")
    return f"{sha256[:2]}/{sha256}"


def original_file(folder: Path, sha256: str) -> Path:
    """The file of an original in a folder of them. Raises `ValueError` for what is no hash."""
    return folder / original_key(sha256)


def display_copy(originals: PhotoStore, copies: PhotoStore, sha256: str, longest_px: DisplaySize) -> bytes:
    """A JPEG of the upright photo without its metadata, made at the first need. Raises `WaymarkError`, and
    `FileNotFoundError` where there is no such original."""
    key = f"{original_key(sha256)}-{longest_px}.jpg"
    with suppress(FileNotFoundError):
        return copies.read(key)
    with originals.local_file(original_key(sha256)) as file:
        data = _smaller(file, longest_px)
    copies.write(key, data)
    return data


def _smaller(original: Path, longest_px: DisplaySize) -> bytes:
    """The upright photo as a JPEG of at most so many pixels. Raises `WaymarkError`."""
    photo = load_photo(original, longest_px=longest_px)
    picture = Image.fromarray(photo.reduced(photo.halvings)[..., ::-1])
    picture.thumbnail((longest_px, longest_px), Image.Resampling.LANCZOS)
    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", quality=DISPLAY_QUALITY, progressive=True)
    return buffer.getvalue()


def write_whole(target: Path, data: bytes) -> None:
    """Write a file so that it is there whole or not at all, even if the machine stops (POSIX rename)."""
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".part-")
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


def photo_lost(sha256: str) -> WaymarkError:
    """The error for a photo whose file has gone from the data folder."""
    return WaymarkError(
        Code.PHOTO_LOST,
        f"The photo {sha256[:8]} is no longer in the data folder; take it again or restore the folder.",
        f"写真 {sha256[:8]} がデータフォルダーにありません。撮り直すか、フォルダーを復元してください。",
    )
