"""Photos that are none, multipart bodies that are broken, logs that are damaged or lie."""

from __future__ import annotations

import io
import json
import random
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from malformed.sound import Route, Sent, Table, file_part, multipart_request, text_part


def _png(width: int, height: int) -> bytes:
    """A PNG's header that promises so many pixels, and no pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(b"\0" * 1000)) + chunk(b"IEND", b"")


def photo_faults(route: Route, table: Table, rng: random.Random) -> Iterator[tuple[str, Sent]]:
    """Multipart bodies that are broken, and files that are no photo."""
    sound, photo = route.sound, table.photo
    assert sound.body is not None
    shown = file_part(photo)

    def sent(*parts: bytes) -> Sent:
        return multipart_request(sound, table, [*parts])

    pictures = {
        "text": b"hello",
        "svg": b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>",
        "gif": b"GIF89a" + bytes(100),
        "zip": table.log[:2000],
        "zeros": bytes(5000),
        "cut off": photo[: rng.randrange(20, len(photo) // 2)],
        "only a header": photo[:3],
        "too many pixels": _png(60_000, 60_000),
        "absurd pixels": _png(2**31 - 1, 2**31 - 1),
        "no pixels": _png(0, 0),
        "small": _png(20, 20),
        "empty": b"",
        "noise": rng.randbytes(3000),
        "bmp": b"BM" + rng.randbytes(500),
        "heic": b"\0\0\0\x18ftypheic" + bytes(64),
    }
    for name in rng.sample(sorted(pictures), 4):
        yield "photo: " + name, sent(file_part(pictures[name]))
    multiparts = {
        "cut off": replace(sound, body=sound.body[: rng.randrange(300, len(sound.body) - 200)]),
        "wrong boundary": sound.having(Content_Type=b"multipart/form-data; boundary=other"),
        "no boundary": sound.having(Content_Type=b"multipart/form-data"),
        "no parts": replace(sound, body=b""),
        "not multipart": sound.having(Content_Type=b"application/json"),
        "wrong field": sent(file_part(photo, "picture")),
        "photo as text": sent(text_part("photo", "x")),
        "broken head": replace(sound, body=sound.body.replace(b"; name=", b"; nam=")),
        "garbage": replace(sound, body=rng.randbytes(2000)),
    }
    if route.rule in ("/api/v1/photos", "/capture"):
        # What is sent as whose photo; a viewfinder's picture is nobody's, and blank cards are a box's.
        key = "form_key" if route.rule == "/capture" else "client_key"
        multiparts |= {
            "unknown entry": sent(text_part("entry_id", "nobody"), shown),
            "U+0000": sent(text_part(key, "a\0b"), shown),
            "unknown tableau": sent(text_part("tableau_id", "x" * 900), shown),
            "two targets": sent(text_part("tableau_id", "a"), text_part("entry_id", "b"), shown),
        }
    if route.rule == "/api/v1/photos":
        multiparts |= {
            "long key": sent(text_part("client_key", "k" * 999), shown),
            "odd key": sent(text_part("client_key", "a\tb"), shown),
            "two photos": sent(shown, file_part(photo + b"1")),
        }
    for name in rng.sample(sorted(multiparts), 4):
        yield "multipart: " + name, multiparts[name]


def log_faults(route: Route, table: Table, rng: random.Random) -> Iterator[tuple[str, Sent]]:
    """Files that are no log, and logs that are damaged or lie."""
    with zipfile.ZipFile(io.BytesIO(table.log)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(parts["manifest.json"])

    def packed(changed: dict[str, bytes | None]) -> bytes:
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            for name, data in {**parts, **changed}.items():
                if data is not None:
                    archive.writestr(name, data)
        return buffer.getvalue()

    def told(**changed: Any) -> bytes:
        return packed({"manifest.json": json.dumps(manifest | changed).encode()})

    rows = next(name for name in parts if name.endswith("l") and b'"scores"' in parts[name])
    photo = next(name for name in parts if name.startswith("photos/"))
    other = {"userInfo": {}, "players": "nobody", "plays": [{"gameRefId": "x"}]}
    logs: dict[str, Callable[[], bytes]] = {
        "empty": lambda: b"",
        "text": lambda: b"hello",
        "cut off": lambda: table.log[: rng.randrange(10, len(table.log) - 30)],
        "flipped": lambda: table.log[:-60] + bytes(byte ^ 255 for byte in table.log[-60:]),
        "BG Stats file": lambda: json.dumps(other).encode(),
        "no manifest": lambda: packed({"manifest.json": None}),
        "manifest is no JSON": lambda: packed({"manifest.json": b"{"}),
        "manifest of wrong types": lambda: told(tables=[1], photos="x"),
        "other format": lambda: told(format="waymark-log/999"),
        "wrong count": lambda: told(
            tables={name: {**each, "rows": each["rows"] + 1} for name, each in manifest["tables"].items()}
        ),
        "file outside": lambda: told(
            tables={
                name: {**each, "file": "../../../etc/passwd"} for name, each in manifest["tables"].items()
            }
        ),
        "names with ..": lambda: packed({"manifest.json": None, "../../manifest.json": b"{}"}),
        "rows of wrong types": lambda: packed({rows: parts[rows].replace(b'"scores":', b'"scores":"x')}),
        "rows that are no JSON": lambda: packed({rows: b"\xff\n" * 3}),
        "rows are gone": lambda: packed({rows: None}),
        "another photo": lambda: packed({photo: None}) if photo in manifest else told(format=""),
        "bomb": lambda: packed({"manifest.json": bytes(70 << 20)}),
    }
    for name in rng.sample(sorted(logs), 6):
        yield "log: " + name, replace(route.sound, body=logs[name]())
