"""Removal of private metadata from a photo: position, owner, camera and embedded previews. Pixels, colour
profile and orientation stay unchanged.

JPEG, PNG and WebP are edited by their segments, so that not one pixel changes. HEIC keeps metadata and
pictures in one tangle of items: it is decoded and written as a JPEG of high quality.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
from PIL import ExifTags, Image

from vision.photo.decode import load_photo, orientation_in
from vision.photo.jpeg import JPEG_END, jpeg_segments
from webapp.store.photos import packed_jpeg

#: Quality of the JPEG into which a HEIC is converted.
REENCODED_QUALITY = 95

#: First marker of application segments and comments; and the segments that define colours.
_APP0 = 0xE0
_NEEDED = {_APP0: b"JFIF\x00", 0xE2: b"ICC_PROFILE\x00", 0xEE: b"Adobe"}
#: PNG chunks that are kept: the picture and the interpretation of its colours (PNG, third edition).
_PNG_KEPT = frozenset(
    {
        b"IHDR",
        b"PLTE",
        b"IDAT",
        b"IEND",
        b"tRNS",
        b"cHRM",
        b"gAMA",
        b"iCCP",
        b"sRGB",
        b"sBIT",
        b"cICP",
        b"pHYs",
    }
)
_PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_WEBP_KEPT = frozenset({b"VP8 ", b"VP8L", b"VP8X", b"ALPH", b"ICCP"})
#: Flags of VP8X: an EXIF chunk, an XMP chunk, animation frames.
_WEBP_EXIF, _WEBP_XMP, _WEBP_ANIMATION = 0x08, 0x04, 0x02


@dataclass(frozen=True)
class PrivatePhoto:
    """A photo's bytes without private metadata. `lossless`: the pixels equal the original's."""

    data: bytes
    media_type: str
    lossless: bool


def without_metadata(data: bytes, media_type: str) -> PrivatePhoto:
    """The photo with only its picture, colour profile and orientation. A photo without other data is returned
    byte for byte. Raises `WaymarkError` if the photo cannot be decoded."""
    edit = {"image/jpeg": _jpeg, "image/png": _png, "image/webp": _webp}.get(media_type)
    cleaned = edit(data) if edit is not None else None
    if cleaned is not None:
        return PrivatePhoto(cleaned, media_type, True)
    whole = load_photo(data, whole=True).pixels
    sampled = cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444
    return PrivatePhoto(packed_jpeg(whole, REENCODED_QUALITY, *sampled), "image/jpeg", False)


def _orientation_exif(data: bytes) -> bytes:
    """EXIF data (a TIFF structure) with the orientation only; empty for an upright photo."""
    orientation = orientation_in(data)
    if orientation not in range(2, 9):
        return b""
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = orientation
    return exif.tobytes().removeprefix(b"Exif\x00\x00")


def _jpeg(data: bytes) -> bytes | None:
    """The first picture of a JPEG file; previews, depth maps and videos that phones append are dropped."""
    parts = [data[:2]]
    complete = False
    for marker, start, end in jpeg_segments(data):
        segment = data[start:end]
        if marker == JPEG_END:
            complete = True
        needed = _NEEDED.get(marker, b"" if marker < _APP0 else None)
        if needed is not None and segment[4:].startswith(needed):
            parts.append(_without_thumbnail(segment) if marker == _APP0 else segment)
    if not complete:
        return None
    exif = _orientation_exif(data)
    if exif:
        body = b"Exif\x00\x00" + exif
        segment = b"\xff\xe1" + (len(body) + 2).to_bytes(2, "big") + body
        # After the JFIF header, if there is one.
        first = 2 if len(parts) > 1 and parts[1][:2] == b"\xff\xe0" else 1
        parts.insert(first, segment)
    return b"".join(parts)


def _without_thumbnail(jfif: bytes) -> bytes:
    """The JFIF header without its thumbnail, whose sides are set to 0 (ITU-T T.871, 10.1)."""
    return jfif[:2] + (16).to_bytes(2, "big") + jfif[4:16].ljust(12, b"\x00") + b"\x00\x00"


def _png(data: bytes) -> bytes | None:
    parts = [_PNG_SIGNATURE]
    exif = _orientation_exif(data)
    at = len(_PNG_SIGNATURE)
    while at + 12 <= len(data):
        end = at + 12 + int.from_bytes(data[at : at + 4], "big")
        kind = data[at + 4 : at + 8]
        if kind in _PNG_KEPT:
            parts.append(data[at:end])
        if kind == b"IHDR" and exif:
            parts.append(_png_chunk(b"eXIf", exif))
        if kind == b"IEND":
            return b"".join(parts)
        at = end
    return None


def _png_chunk(kind: bytes, body: bytes) -> bytes:
    return len(body).to_bytes(4, "big") + kind + body + zlib.crc32(kind + body).to_bytes(4, "big")


def _webp(data: bytes) -> bytes | None:
    chunks = dict(_webp_chunks(data))
    exif = _orientation_exif(data)
    if not chunks.keys() & {b"VP8 ", b"VP8L"}:
        return None
    if b"VP8X" in chunks:
        header = bytearray(chunks[b"VP8X"])
        header[0] &= ~(_WEBP_EXIF | _WEBP_XMP | _WEBP_ANIMATION)
        header[0] |= _WEBP_EXIF if exif else 0
        chunks[b"VP8X"] = bytes(header)
    kept = [(kind, body) for kind, body in chunks.items() if kind in _WEBP_KEPT]
    if exif and b"VP8X" in chunks:
        kept.append((b"EXIF", exif))
    body = b"WEBP" + b"".join(_webp_chunk(kind, body) for kind, body in kept)
    return b"RIFF" + len(body).to_bytes(4, "little") + body


def _webp_chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 12
    while at + 8 <= len(data):
        size = int.from_bytes(data[at + 4 : at + 8], "little")
        yield data[at : at + 4], data[at + 8 : at + 8 + size]
        at += 8 + size + size % 2


def _webp_chunk(kind: bytes, body: bytes) -> bytes:
    return kind + len(body).to_bytes(4, "little") + body + b"\x00" * (len(body) % 2)
