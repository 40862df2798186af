"""JPEG segments and pixels: file bytes -> checked segments, decoded pixels, and errors for damaged data.

A decoder fills what is missing with grey and goes on. `simplejpeg` reports libjpeg's warnings; those about
the header alone, or about bytes behind a complete picture, are no damage.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import simplejpeg
from numpy.typing import NDArray

#: What may stand before, between and behind a picture's pixels: decoders look at each part by itself, some
#: byte by byte. Phones write up to 300 segments (depth maps in 64 kB each); a progressive JPEG has some ten
#: scans, each of which is a way through all pixels.
MAX_SEGMENTS, MAX_SCANS = 1000, 32
MAX_HEADER_MB = 16
#: Bytes that only fill up to a segment's marker.
MAX_FILL_BYTES = 1000

BEGINS, _ENDS = b"\xff\xd8\xff", b"\xff\xd9"
#: Markers of `jpeg_segments`: the picture's end, a scan, and frames: of one way through all pixels, and of
#: several that add to one another.
JPEG_END, _SCAN, _SEQUENTIAL, _PROGRESSIVE = 0xD9, 0xDA, (0xC0, 0xC1), 0xC2
_FILL = re.compile(rb"\xff+")
_SCAN_END = re.compile(rb"\xff[^\x00\xff\xd0-\xd7]")

#: What libjpeg says where pixels are missing or wrong (jerror.h, warnings).
_DAMAGE = re.compile(r"Corrupt JPEG data: (?!bad ICC)|Premature end|Inconsistent progression")
#: And where something stands between the last pixel and the end.
_BEHIND = re.compile(r"Corrupt JPEG data: (\d+) extraneous bytes before marker 0xd9")
#: Warnings about what the header tells beside the pixels.
_HARMLESS = re.compile(
    r"Warning: unknown JFIF|Unknown Adobe|Invalid SOS parameters|Corrupt JPEG data: bad ICC"
)
#: An encoder that flushes its last word leaves so many bytes behind the last pixel.
_WORD_BYTES = 8
#: Pixels may end with so many bytes 0; flat ones have other bits between them.
_FEW_ZEROS = 64


class DamagedJpeg(ValueError):
    """Pixels of a JPEG are missing, or wrong."""


class JpegPicture(NamedTuple):
    """The bytes of a JPEG's first picture, with an end marker, and whether that was there (`ended`)."""

    data: bytes
    ended: bool


def jpeg_segments(data: bytes) -> Iterator[tuple[int, int, int]]:
    """(marker, start, end) of each segment of a JPEG's first picture, from behind its start marker to its end
    marker; a scan's segment has its coded pixels with it, one that no marker ends all that follows. Stops at
    what is no segment (the file is cut off), and behind more of them than any camera writes.

    Walks the segments (ISO/IEC 10918-1, annex B), so that an embedded thumbnail's end marker does not count.
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
    """The first picture of a JPEG, also where it lacks its end marker: some phones leave it out of panoramas,
    and write other data behind the pixels. None where no pixels are reached, where a picture
    has more parts than any camera writes, and where passes through a progressive one are missing."""
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
            # All that follows a way through all pixels and is no end belongs to no picture.
            if frame in _SEQUENTIAL and passes.interleaved and data[end : end + 2] != _ENDS:
                break
    else:
        if not last or segments > MAX_SEGMENTS or passes.count > MAX_SCANS:
            return None
    if not passes.suffice(frame):
        return None
    # What a copy that broke off left empty holds no pixels.
    coded = data[:last].rstrip(b"\x00")
    return JpegPicture((coded if last - len(coded) > _FEW_ZEROS else data[:last]) + _ENDS, False)


class _Passes:
    """What the scans of a JPEG bring: for each component down to which bit each coefficient is told."""

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
        """Whether they tell all components, and of a progressive frame all coefficients to the last bit."""
        if frame == _PROGRESSIVE and any(told.any() for told in self._lowest.values()):
            return False
        return frame not in (*_SEQUENTIAL, _PROGRESSIVE) or len(self._lowest) == self.components


def decode_jpeg(
    picture: JpegPicture, size: tuple[int, int], halvings: int, *, damaged_too: bool = False
) -> NDArray[np.uint8] | None:
    """A grey or colour JPEG as blue, green and red, so many times halved, without the last,
    narrower row and column of a size that cannot be halved. None where it is of a kind that libjpeg-turbo
    does not read so. Raises `DamagedJpeg`, unless what is damaged is wanted, too."""
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
    """Decode a JPEG of any kind no further than shows whether it is whole. Raises `DamagedJpeg`."""
    try:
        simplejpeg.decode_jpeg(picture.data, "CMYK", min_factor=8)
    except ValueError as told:
        if _DAMAGE.match(str(told)) and _is_damage(str(told), picture):
            raise DamagedJpeg(str(told)) from None


def _is_damage(told: str, picture: JpegPicture) -> bool:
    """Whether what libjpeg says of a JPEG means that pixels are missing or wrong: where the picture's last
    one comes long before its data end, the way through them was lost."""
    behind = _BEHIND.match(told)
    if behind is None:
        return not _HARMLESS.match(told)
    count = int(behind[1])
    return picture.ended and count > _WORD_BYTES and len(set(picture.data[-2 - count : -2])) > 1
