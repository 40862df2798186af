"""Gzip compression of text answers for clients that accept it: a page of 60 kB takes 9 kB.

The length of a compressed answer reveals similarities between its parts to an eavesdropper (BREACH). A page
with a form's token is therefore only compressed if its address has no query. JSON has no secrets; pictures
are compressed already."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator

from flask import Flask, Response, request

#: Minimum size in bytes for compression.
LEAST_BYTES = 860
#: Largest file that is compressed; all text files of the app are smaller.
MOST_FILE_BYTES = 4 << 20
_LEVEL = 5
#: Window size parameter that makes zlib write gzip.
_GZIP = 16 + zlib.MAX_WBITS
_TEXT = frozenset(
    {
        "application/javascript",
        "application/json",
        "application/manifest+json",
        "application/xml",
        "image/svg+xml",
        "text/css",
        "text/csv",
        "text/html",
        "text/javascript",
        "text/plain",
        "text/xml",
    }
)


def init_compression(app: Flask) -> None:
    """Enable gzip compression of an app's text answers. Call it before other code that inspects answers."""
    app.after_request(_compress)


def _compress(response: Response) -> Response:
    if response.mimetype not in _TEXT:
        return response
    response.vary.add("Accept-Encoding")
    if not _may_be(response) or request.accept_encodings["gzip"] <= 0:
        return response
    if response.is_streamed and not response.direct_passthrough:
        response.response = _pieces(response.response)
        response.headers.pop("Content-Length", None)
    else:
        size = response.content_length or 0
        if response.direct_passthrough and size > MOST_FILE_BYTES:
            return response
        response.direct_passthrough = False
        data = response.get_data()
        if len(data) < LEAST_BYTES:
            return response
        packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, _GZIP)
        response.set_data(packer.compress(data) + packer.flush())
    response.headers["Content-Encoding"] = "gzip"
    response.headers.pop("Accept-Ranges", None)
    tag, _weak = response.get_etag()
    if tag is not None:
        response.set_etag(tag, weak=True)
    return response


def _may_be(response: Response) -> bool:
    if response.status_code in (204, 206, 304) or "Content-Encoding" in response.headers:
        return False
    if response.mimetype != "text/html":
        return True
    return response.status_code == 200 and request.method == "GET" and not request.query_string


def _pieces(parts: Iterable[bytes | str]) -> Iterator[bytes]:
    """The parts of a streamed answer, gzip-compressed one by one; the source is closed at the end."""
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, _GZIP)
    try:
        for part in parts:
            packed = packer.compress(part.encode() if isinstance(part, str) else part)
            if packed:
                yield packed
        yield packer.flush()
    finally:
        close = getattr(parts, "close", None)
        if close is not None:
            close()
