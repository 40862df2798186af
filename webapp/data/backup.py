"""Backup of a data folder to one file while the server runs, and restore from that file.

The database is copied first, as a consistent snapshot (SQLite's own backup). Originals are never altered or
removed, and are stored before a row names them. Every row in the backup therefore has its photo, wherever
originals are stored. Derived data (display copies, digests) are left out."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sqlite3
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import IO

import msgspec

from scorer.catalogue import FILE_NAME
from scorer.errors import Code, WaymarkError
from scorer.text import Text
from webapp.config import ServerConfig
from webapp.decks.shelf import DECKS
from webapp.store.database import copy_database
from webapp.store.models import now
from webapp.store.packed_again import PackedFiles
from webapp.store.photo_places import open_store
from webapp.store.photo_store import PhotoStore
from webapp.store.photos import original_key
from webapp.store.storage_errors import storage_error

BACKUP_FORMAT = "waymark-backup/1"
MANIFEST = "manifest.json"
DATABASE = "waymark.sqlite3"
#: Folder of originals inside a backup, wherever they are stored in the data folder.
_PHOTOS = "photos/"
#: Name of an unfinished backup.
_WHOLE = "backup"
#: Other contents of a table's folder: session key and certificates that devices trust, lens calibrations,
#: players' pens. User decks are handled separately.
_OWN = ("secret-key", "certificates", "lenses", "pens")
#: Allowed names in a backup, and their destinations. User decks may have names in any script, but none may
#: begin with a dot, so that no name leads out of the folder.
_NAME = re.compile(
    r"waymark\.sqlite3|photos/([0-9a-f]{2})/\1[0-9a-f]{62}|secret-key|certificates/[A-Za-z0-9._-]{1,80}"
    r"|(?:lenses|pens)/[0-9a-f]{20}\.json"
    rf"|{DECKS}(?:/[^./\\:\x00-\x1f][^/\\:\x00-\x1f]{{0,254}}){{2,8}}"
)
_PIECE = 1 << 20
#: Wrapper around the list of photos, for a progress bar.
Follow = Callable[[list[str]], Iterable[str]]


class BackupManifest(msgspec.Struct, frozen=True, kw_only=True):
    """Contents of a backup: the SHA-256 of every file. `photos_missing` are photos of the database whose file
    was missing or damaged."""

    format: str
    made_at: datetime
    waymark: str
    files: dict[str, str]
    photos_missing: list[str]


def make_backup(config: ServerConfig, target: Path, follow: Follow) -> BackupManifest:
    """Write a backup of a data folder to a file. The file appears only when it is complete. Raises
    `WaymarkError`."""
    source = config.data / DATABASE
    if config.database_url is not None:
        raise WaymarkError(
            Code.USAGE,
            Text(
                "This backs up the SQLite file of a data folder; back a PostgreSQL database up with "
                "pg_dump, and copy the photos (the folder, or the bucket) after it."
            ),
        )
    if not source.is_file():
        raise WaymarkError(
            Code.NO_FILE,
            Text(
                "There are no data of Waymark in {data!r}; name the folder with --data.",
                data=str(config.data),
            ),
        )
    part = target.with_name(f".part-{target.name}")
    try:
        # Removes the remains of a killed process.
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(mode=0o700)
        copy_database(source, part / DATABASE)
        _leave_digests_out(part / DATABASE)
        with (
            open(os.open(part / _WHOLE, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file,
            zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive,
        ):
            manifest = _write(archive, config, part / DATABASE, follow)
        with (part / _WHOLE).open("rb") as written:
            os.fsync(written.fileno())
        os.replace(part / _WHOLE, target)
    except (OSError, sqlite3.Error) as error:
        told = storage_error(error) if isinstance(error, sqlite3.Error) else None
        raise told or _not_written(target, error) from error
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return manifest


def _leave_digests_out(database: Path) -> None:
    with closing(sqlite3.connect(database)) as copy:
        if copy.execute("SELECT 1 FROM sqlite_master WHERE name = 'digest'").fetchone():
            copy.execute("DELETE FROM digest")
            copy.commit()


def _write(archive: zipfile.ZipFile, config: ServerConfig, database: Path, follow: Follow) -> BackupManifest:
    originals = open_store(config.photos_at)
    files: dict[str, str] = {}
    missing: list[str] = []
    with database.open("rb") as opened:
        files[DATABASE] = _put(archive, DATABASE, opened, packed=True)
    for name, file in (*_own_files(config.data), *_box_files(config.data)):
        # A file that existed a moment ago may be gone: a photo that waited to be examined.
        with suppress(FileNotFoundError), file.open("rb") as opened:
            files[name] = _put(archive, name, opened)
    with closing(sqlite3.connect(database)) as copy:
        ids = [str(row[0]) for row in copy.execute("SELECT id FROM photo ORDER BY id")]
    for photo_id in follow(ids):
        name = f"{_PHOTOS}{photo_id[:2]}/{photo_id}"
        if not _NAME.fullmatch(name):
            continue
        try:
            with originals.local_file(original_key(photo_id)) as file, file.open("rb") as opened:
                files[name] = _put(archive, name, opened)
        except FileNotFoundError:
            missing.append(photo_id)
            continue
        if files[name] != photo_id:
            missing.append(photo_id)
    manifest = BackupManifest(
        format=BACKUP_FORMAT, made_at=now(), waymark=version("waymark"), files=files, photos_missing=missing
    )
    archive.writestr(MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)))
    return manifest


def _own_files(data: Path) -> Iterator[tuple[str, Path]]:
    for name in _OWN:
        place = data / name
        files = sorted(place.iterdir()) if place.is_dir() else [place]
        for file in files:
            inside = str(file.relative_to(data))
            if file.is_file() and _NAME.fullmatch(inside):
                yield inside, file


def _box_files(data: Path) -> Iterator[tuple[str, Path]]:
    """Names and paths of the files of decks in the data folder, each catalogue first. Decks are written in
    the opposite order: pictures, then their data, then the catalogue. Every file that a catalogue names is
    therefore present."""
    for box in sorted((data / DECKS).glob("*/")):
        files = [file for file in box.rglob("*") if file.is_file()]
        for file in sorted(files, key=lambda file: (file.name != FILE_NAME, file.suffix != ".json", file)):
            inside = file.relative_to(data).as_posix()
            if _NAME.fullmatch(inside):
                yield inside, file


def _put(archive: zipfile.ZipFile, name: str, source: IO[bytes], *, packed: bool = False) -> str:
    """Add a file to a zip; returns the SHA-256 of its bytes."""
    info = zipfile.ZipInfo(name, now().timetuple()[:6])
    info.compress_type = zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED
    digest = hashlib.sha256()
    with archive.open(info, "w", force_zip64=True) as entry:
        while data := source.read(_PIECE):
            digest.update(data)
            entry.write(data)
    return digest.hexdigest()


def _not_written(target: Path, error: Exception) -> WaymarkError:
    told = storage_error(error)
    if told is not None and told.code == Code.DISK_FULL:
        return told
    return WaymarkError(
        Code.NOT_WRITABLE,
        Text(
            "The backup cannot be written to {target!r} ({error}); name a place that can be written and has "
            "room.",
            target=str(target),
            error=error,
        ),
    )


# --- restoring ----------------------------------------------------------------------------------------------


def restore_backup(
    source: Path, data: Path, follow: Follow, originals: PhotoStore | None = None
) -> BackupManifest:
    """Create a data folder from a backup. `data` must be missing or empty; it is complete afterwards, or
    unchanged after an error. Photos are written to `originals` where they are stored elsewhere. Raises
    `WaymarkError`."""
    if data.exists() and (not data.is_dir() or any(data.iterdir())):
        raise WaymarkError(
            Code.NOT_WRITABLE,
            Text("{data!r} is not empty; name a new folder, so that nothing in it is lost.", data=str(data)),
        )
    part = data.absolute().with_name(f".part-{data.absolute().name}")
    try:
        data.absolute().parent.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(mode=0o700)
        with _opened(source) as archive:
            files = PackedFiles(archive, MANIFEST)
            manifest = _manifest_of(files)
            for name in follow(list(manifest.files)):
                _take(files, name, manifest.files[name], part / name)
                if originals is not None and name.startswith(_PHOTOS):
                    originals.write(name.removeprefix(_PHOTOS), (part / name).read_bytes())
                    (part / name).unlink()
        _check_database(part / DATABASE)
        if data.exists():
            data.rmdir()
        os.replace(part, data)
    except (zipfile.BadZipFile, EOFError, NotImplementedError, sqlite3.Error) as error:
        raise _not_a_backup() from error
    except OSError as error:
        raise _not_written(data, error) from error
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return manifest


def _opened(source: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(source)
    except OSError as error:
        raise WaymarkError(
            Code.NO_FILE,
            Text(
                "{source!r} cannot be opened ({reason}); name a file made by waymark data backup.",
                source=str(source),
                reason=error.strerror,
            ),
        ) from error


def _manifest_of(files: PackedFiles) -> BackupManifest:
    try:
        with files.open(MANIFEST) as entry:
            manifest = msgspec.json.decode(entry.read(), type=BackupManifest)
    except (KeyError, msgspec.DecodeError, UnicodeError) as error:
        raise _not_a_backup() from error
    if manifest.format != BACKUP_FORMAT or DATABASE not in manifest.files:
        raise _not_a_backup()
    # Only names that a backup has: none leads out of the folder.
    if not all(_NAME.fullmatch(name) and name in files for name in manifest.files):
        raise _not_a_backup()
    return manifest


def _take(files: PackedFiles, name: str, sha256: str, target: Path) -> None:
    """Extract a file of a backup and verify its SHA-256."""
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    digest = hashlib.sha256()
    with files.open(name) as entry, open(os.open(target, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
        while data := entry.read(_PIECE):
            digest.update(data)
            file.write(data)
        file.flush()
        os.fsync(file.fileno())
    if digest.hexdigest() != sha256:
        raise _not_a_backup()


def _check_database(file: Path) -> None:
    with closing(sqlite3.connect(file)) as opened:
        if opened.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
            raise _not_a_backup()


def _not_a_backup() -> WaymarkError:
    return WaymarkError(
        Code.NOT_A_BACKUP,
        Text("This is no whole backup of Waymark; name another file made by waymark data backup."),
    )
