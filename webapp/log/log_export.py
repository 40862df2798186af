"""Streamed export of the whole log as one zip: rows as lines of JSON, readings, photos without their private
metadata, and `manifest.json` with the hash of every photo in the zip. It can have any size: beyond 4 GB, and
beyond 65,535 parts, it is a zip64."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Iterator
from datetime import datetime
from importlib.metadata import version
from typing import Any

import msgspec
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from scorer.errors import WaymarkError
from webapp.log.metadata import without_metadata
from webapp.log.rows import TABLES, columns_of, encode_row
from webapp.store.database import Database
from webapp.store.models import Photo, Shot, now
from webapp.store.photo_store import PhotoStore, StoreUnreachable
from webapp.store.photos import original_key

LOG_FORMAT = "waymark-log/1"
MANIFEST = "manifest.json"
EXTENSIONS = {"image/jpeg": "jpg", "image/png": "png", "image/webp": "webp"}
#: Number of rows read from the database at a time.
_ROWS_AT_A_TIME = 200
#: Least number of bytes sent at a time.
_SENT_AT_A_TIME = 1 << 16


class ManifestTable(msgspec.Struct, frozen=True, kw_only=True):
    """One table's file in the zip: one row per line."""

    file: str
    rows: int


class ManifestPhoto(msgspec.Struct, frozen=True, kw_only=True):
    """A photo: `id` as the rows name it; `sha256`, `media_type` and `size_bytes` are those of the file in the
    zip."""

    id: str
    file: str
    sha256: str
    media_type: str
    size_bytes: int


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """Contents of the zip. `photos_left_out` are photos whose file was missing or could not be decoded."""

    format: str
    exported_at: datetime
    waymark: str
    tables: dict[str, ManifestTable]
    readings: int
    photos: list[ManifestPhoto]
    photos_left_out: list[str]


def log_size_bytes(session: Session) -> int:
    """Estimated size of the zip in bytes, mostly photos."""
    return int(session.scalar(select(func.sum(Photo.size_bytes))) or 0)


def log_zip(database: Database, originals: PhotoStore) -> Iterator[bytes]:
    """The zip's bytes as a stream, from one consistent snapshot of the log, with one photo in memory at a
    time."""
    sink = _Sink()
    with database.snapshot() as session, zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        tables: dict[str, ManifestTable] = {}
        for table in TABLES:
            name, rows = table.__tablename__, 0
            file = f"rows/{name}.jsonl"
            columns = columns_of(table)
            statement = select(*columns).order_by(table.created_at, table.id)
            with archive.open(file, "w", force_zip64=True) as entry:
                for row in session.execute(statement.execution_options(yield_per=_ROWS_AT_A_TIME)):
                    entry.write(encode_row(row._asdict()))
                    rows += 1
                    if sink.is_full:
                        yield sink.taken()
            tables[name] = ManifestTable(file=file, rows=rows)
        readings = 0
        for shot_id, reading in session.execute(
            select(Shot.id, Shot.reading).where(Shot.reading.is_not(None)).execution_options(yield_per=20)
        ):
            archive.writestr(f"readings/{shot_id}.json", reading or b"")
            readings += 1
            if sink.is_full:
                yield sink.taken()
        photos: list[ManifestPhoto] = []
        left_out: list[str] = []
        for photo_id, media_type in session.execute(select(Photo.id, Photo.media_type)).all():
            try:
                original = originals.read(original_key(photo_id))
                public = without_metadata(original, media_type)
            except StoreUnreachable:
                raise  # Rows are never left out: the download fails visibly instead.
            except (OSError, WaymarkError):
                left_out.append(photo_id)
                continue
            sha256 = hashlib.sha256(public.data).hexdigest()
            file = f"photos/{sha256}.{EXTENSIONS[public.media_type]}"
            if file not in archive.NameToInfo:
                archive.writestr(file, public.data, zipfile.ZIP_STORED)
            photos.append(
                ManifestPhoto(
                    id=photo_id,
                    file=file,
                    sha256=sha256,
                    media_type=public.media_type,
                    size_bytes=len(public.data),
                )
            )
            yield sink.taken()
        manifest = Manifest(
            format=LOG_FORMAT,
            exported_at=now(),
            waymark=version("waymark"),
            tables=tables,
            readings=readings,
            photos=photos,
            photos_left_out=left_out,
        )
        archive.writestr(MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)))
    yield sink.taken()


class _Sink:
    """Output buffer of the zip writer, without seeking."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._bytes = 0

    def write(self, data: Any) -> int:
        self._parts.append(bytes(data))
        self._bytes += len(data)
        return len(data)

    @property
    def is_full(self) -> bool:
        """Whether the buffer should be emptied."""
        return self._bytes >= _SENT_AT_A_TIME

    def flush(self) -> None:
        pass

    def close(self) -> None:
        pass

    def taken(self) -> bytes:
        """The bytes written since the last call."""
        data = b"".join(self._parts)
        self._parts.clear()
        self._bytes = 0
        return data
