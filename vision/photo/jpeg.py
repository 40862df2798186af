"""JPEG segments and pixels: file bytes -> checked segments, decoded pixels, and errors for damaged data.

A decoder fills missing pixels with grey and continues. `simplejpeg` reports libjpeg's warnings. Warnings
about the header alone, or about bytes after a complete picture, do not mean damage.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import simplejpeg
from numpy.typing import NDArray

#: Largest numbers of segments and scans. Decoders process each part, some byte by byte, and each scan is a
#: pass through all pixels. Phones write up to 300 segments (depth maps of 64 kB each); a progressive JPEG has
#: about ten scans.
MAX_SEGMENTS, MAX_SCANS = 1000, 32
MAX_HEADER_MB = 16
#: Greatest number of fill bytes before a segment's marker.
MAX_FILL_BYTES = 1000

BEGINS, _ENDS = b"\xff\xd8\xff", b"\xff\xd9"
#: Markers of `jpeg_segments`: end of image, start of scan, sequential frames (one pass through all pixels)
#: and progressive frames (several passes that add to one another).
JPEG_END, _SCAN, _SEQUENTIAL, _PROGRESSIVE = 0xD9, 0xDA, (0xC0, 0xC1), 0xC2
_FILL = re.compile(rb"\xff+")
_SCAN_END = re.compile(rb"\xff[^\x00\xff\xd0-\xd7]")

#: Messages of libjpeg about missing or wrong pixels (jerror.h, warnings).
_DAMAGE = re.compile(r"Corrupt JPEG data: (?!bad ICC)|Premature end|Inconsistent progression")
#: Message of libjpeg about bytes between the last pixel and the end marker.
_BEHIND = re.compile(r"Corrupt JPEG data: (\d+) extraneous bytes before marker 0xd9")
#: Messages of libjpeg about the header alone.
_HARMLESS = re.compile(
    r"Warning: unknown JFIF|Unknown Adobe|Invalid SOS parameters|Corrupt JPEG data: bad ICC"
)
#: Number of bytes after the last pixel left by an encoder that flushes its last word.
_WORD_BYTES = 8
#: Coded pixels may end with up to this many zero bytes; even flat areas have other bits in between.
_FEW_ZEROS = 64


class DamagedJpeg(ValueError):
    """Raised for a JPEG with missing or wrong pixels."""


class JpegPicture(NamedTuple):
    """Bytes of a JPEG's first picture, with an end marker added if it had none (`ended` is False then)."""

    data: bytes
    ended: bool


def jpeg_segments(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Iterator over the segments of a JPEG's first picture: (marker, start, end), from start marker to end
    marker.

    A scan's segment includes its coded pixels. A segment without a following marker includes the rest of the
    file. The iterator stops at bytes that are no segment (a truncated file), and after more segments than any
    camera writes. The segments are walked (ISO/IEC 10918-1, annex B), so that an embedded thumbnail's end
    marker does not count.
    """
    at = 2
    segments = scans = in_header = filled = 0
    while segments <= MAX_SEGMENTS and scans <= MAX_SCANS and in_header <= MAX_HEADER_MB * 1_000_000:
        fill = _FILL.match(data, at, at + MAX_FILL_BYTES + 2)
        filled += fill.end() - 1 - at if fill else 0
        if filled > MAX_FILL_BYTES:
            return
        at = fill.end() - 1 if fill else at
        marker = data[at : at + 2]
        if marker == _ENDS:
            yield JPEG_END, at, at + 2
            return
        if len(marker) < 2 or marker[0] != 0xFF or at + 4 > len(data):
            return
        end = at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")
        if marker[1] == _SCAN:
            scan_end = _SCAN_END.search(data, end)
            end = len(data) if scan_end is None else scan_end.start()
            scans += 1
        else:
            in_header += end - at
        segments += 1
        yield marker[1], at, end
        at = end


def picture_in(data: bytes) -> JpegPicture | None:
    """The first picture of a JPEG, even without its end marker; None if it is not decodable.

    Some phones leave the end marker out of panoramas, and write other data after the pixels. A picture
    without pixels is not decodable, nor is one with more parts than any camera writes. A progressive picture
    with missing scans is not decodable either.
    """
    last = frame = segments = 0
    passes = _Passes()
    for segments, (marker, start, end) in enumerate(jpeg_segments(data), 1):  # noqa: B007
        if marker == JPEG_END:
            return JpegPicture(data[:end], True) if passes.suffice(frame) else None
        if marker in (*_SEQUENTIAL, _PROGRESSIVE):
            frame = marker
            passes.components = data[start + 9] if start + 9 < len(data) else 0
        if marker == _SCAN:
            last = end
            passes.add(data[start:end])
            # Bytes after a sequential frame's pass, other than the end marker, do not belong to the picture.
            if frame in _SEQUENTIAL and passes.interleaved and data[end : end + 2] != _ENDS:
                break
    else:
        if not last or segments > MAX_SEGMENTS or passes.count > MAX_SCANS:
            return None
    if not passes.suffice(frame):
        return None
    # Zero bytes left by an interrupted copy are not coded pixels.
    coded = data[:last].rstrip(b"\x00")
    return JpegPicture((coded if last - len(coded) > _FEW_ZEROS else data[:last]) + _ENDS, False)


class _Passes:
    """Precision of the coefficients covered by a JPEG's scans: the lowest bit of each coefficient, for each
    component."""

    def __init__(self) -> None:
        self.components = self.count = 0
        self.interleaved = False
        self._lowest: dict[int, NDArray[np.int_]] = {}

    def add(self, scan: bytes) -> None:
        self.count += 1
        count = scan[4] if len(scan) > 4 else 0
        if len(scan) < 8 + 2 * count:
            return
        self.interleaved = count == self.components > 0
        first, last, bits = scan[5 + 2 * count : 8 + 2 * count]
        for number in range(count):
            told = self._lowest.setdefault(scan[5 + 2 * number], np.full(64, 16))
            told[first : last + 1] = np.minimum(told[first : last + 1], bits & 15)

    def suffice(self, frame: int) -> bool:
        """Whether the scans cover all components, and in a progressive frame all coefficients to the last
        bit."""
        if frame == _PROGRESSIVE and any(told.any() for told in self._lowest.values()):
            return False
        return frame not in (*_SEQUENTIAL, _PROGRESSIVE) or len(self._lowest) == self.components


def decode_jpeg(
    picture: JpegPicture, size: tuple[int, int], halvings: int, *, damaged_too: bool = False
) -> NDArray[np.uint8] | None:
    """BGR pixels of a grey or colour JPEG after `halvings` halvings, without the remainder of odd sizes.

    None if libjpeg-turbo does not support this kind of JPEG. Raises `DamagedJpeg`, unless `damaged_too` is
    set.
    """
    width, height = ((side + (1 << halvings) - 1) >> halvings for side in size)

    def decoded(*, strict: bool) -> NDArray[np.uint8]:
        pixels = simplejpeg.decode_jpeg(
            picture.data, "BGR", min_height=height, min_width=width, min_factor=1 << halvings, strict=strict
        )
        return np.asarray(pixels, np.uint8)[: size[1] >> halvings, : size[0] >> halvings]

    try:
        return decoded(strict=not damaged_too)
    except ValueError as told:
        if damaged_too or not (_DAMAGE.match(str(told)) or _HARMLESS.match(str(told))):
            return None
        if _is_damage(str(told), picture):
            raise DamagedJpeg(str(told)) from None
    return decoded(strict=False)


def check_pixels(picture: JpegPicture) -> None:
    """Check that a JPEG of any kind is complete, by decoding it at an eighth of its size. Raises
    `DamagedJpeg`."""
    try:
        simplejpeg.decode_jpeg(picture.data, "CMYK", min_factor=8)
    except ValueError as told:
        if _DAMAGE.match(str(told)) and _is_damage(str(told), picture):
            raise DamagedJpeg(str(told)) from None


def _is_damage(told: str, picture: JpegPicture) -> bool:
    """Whether a message of libjpeg means missing or wrong pixels.

    If the last pixel comes long before the end of the data, decoding went astray.
    """
    behind = _BEHIND.match(told)
    if behind is None:
        return not _HARMLESS.match(told)
    count = int(behind[1])
    return picture.ended and count > _WORD_BYTES and len(set(picture.data[-2 - count : -2])) > 1
