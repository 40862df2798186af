"""A photo's reading as it is kept: the whole scan, with the other readings that its questions carry."""

from __future__ import annotations

import msgspec

from vision.scan import Scan


def encode_reading(scan: Scan) -> bytes:
    """The scan as JSON bytes, nothing left out."""
    return msgspec.json.encode(scan)


def decode_reading(data: bytes) -> Scan:
    """What `encode_reading` wrote."""
    return msgspec.json.decode(data, type=Scan)
