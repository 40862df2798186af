"""Picture files of every kind, and some whose headers do not end."""

from __future__ import annotations

import io
import struct
import zlib

import numpy as np
from PIL import Image

from vision.photo.file_header import MAX_CHUNKS
from vision.photo.jpeg import MAX_SCANS, MAX_SEGMENTS


def packed(kind: str, mode: str = "RGB", size: tuple[int, int] = (400, 300), **options: object) -> bytes:
    """A picture of a slope of colours."""
    across = np.linspace(0, 250, size[0]).astype(np.uint8)
    grey = np.broadcast_to(across, (size[1], size[0]))
    picture = Image.fromarray(np.stack([grey, grey // 2, 255 - grey], axis=2))
    buffer = io.BytesIO()
    picture.convert(mode).save(buffer, kind, **options)
    return buffer.getvalue()


def chunk(kind: bytes, body: bytes = b"") -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


JPEG, PROGRESSIVE, PNG = packed("JPEG"), packed("JPEG", progressive=True), packed("PNG")
#: Behind the signature and IHDR.
PNG_HEAD = 33
#: Enough to keep a decoder that looks at each part for minutes.
MANY = 200_000
ENDLESS = {
    "fill bytes": JPEG[:2] + b"\xff" * 10 * MANY + JPEG[2:],
    "comments": JPEG[:2] + b"\xff\xfe\x00\x02" * MANY + JPEG[2:],
    "EXIF in pieces": JPEG[:2] + b"\xff\xe1\x00\x0aExif\x00\x00AA" * MANY + JPEG[2:],
    "no marker": JPEG[:4] + b"\x00" * 10 * MANY,
    "tables": JPEG[:2] + (b"\xff\xdb\x00\x43\x00" + b"\x01" * 64) * (MAX_SEGMENTS + 1) + JPEG[2:],
    "a large header": JPEG[:2] + (b"\xff\xe5\xff\xff" + bytes(65533)) * 250 + JPEG[2:],
    "scans": PROGRESSIVE[:-2] + PROGRESSIVE[PROGRESSIVE.rfind(b"\xff\xda") : -2] * MAX_SCANS + b"\xff\xd9",
    "private chunks": PNG[:PNG_HEAD] + chunk(b"prVt") * MANY + PNG[PNG_HEAD:],
    "profiles": PNG[:PNG_HEAD]
    + chunk(b"iCCP", b"a\x00\x00" + zlib.compress(bytes(900_000))) * (MAX_SEGMENTS + 1)
    + PNG[PNG_HEAD:],
    "empty pixels": PNG[:PNG_HEAD] + chunk(b"IDAT") * (MAX_CHUNKS + 1) + PNG[PNG_HEAD:],
    "chunks behind": PNG[:-12] + chunk(b"prVt") * MANY + PNG[-12:],
}
KINDS = {
    "PNG": packed("PNG", size=(401, 303)),
    "PNG with alpha": packed("PNG", "RGBA", (401, 303)),
    "PNG in colours of a list": packed("PNG", "P", (401, 303)),
    "grey PNG": packed("PNG", "L", (401, 303)),
    "WebP": packed("WEBP", size=(401, 303), lossless=True),
    "CMYK": packed("JPEG", "CMYK", (401, 303), quality=100),
    "JPEG": packed("JPEG", size=(401, 303), quality=100, subsampling=0),
}
