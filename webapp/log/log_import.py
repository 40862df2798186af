"""Import of a log into an empty table or beside existing data: rows by their id, photos by their hash.

New rows are added. If a row exists here and differs, the version that was changed later is kept, and the
replaced one is in the journal. If this table's version is later, or the order is unknown, it stays, and the
report says so. Importing the same zip again changes nothing.

An import is complete or changes nothing. Its rows are sorted on the disk, and every game is first merged in a
dry run (`webapp.log.dry_run`), before anything is written here. After that the log is accepted, which is
recorded on the disk. The games are then written one by one in short transactions, so that other writers wait
for one game at most. If the server stops, the next one completes an accepted import (`finish_imports`).
"""

from __future__ import annotations

import logging
import os
import shutil
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeVar

import msgspec
from sqlalchemy import select
from sqlalchemy.exc import DataError, IntegrityError, OperationalError
from sqlalchemy.orm import Session

from scorer.catalogue import Catalogue
from scorer.errors import Code, WaymarkError
from scorer.text import Text
from vision.photo.decode import read_header
from webapp.games.soundness import UnsoundRow
from webapp.log.dry_run import Rehearsal
from webapp.log.import_staging import Staging
from webapp.log.log_export import ManifestPhoto
from webapp.log.log_reader import LogReader, log_broken, open_log
from webapp.log.merge_games import (
    Counts,
    Merging,
    add_changes,
    merge_people,
    merge_unit,
    state_of_unit,
    times_of,
)
from webapp.log.rows import TABLES, Values
from webapp.store.database import Database
from webapp.store.models import Change, Game, NotText, Person, Photo
from webapp.store.names import name_key
from webapp.store.photo_places import FolderStore
from webapp.store.photo_store import PhotoStore, StoreUnreachable
from webapp.store.photos import StoredPhoto, original_key, store_original

log = logging.getLogger(__name__)

#: Files in the folder of an import: the zip, its rows, a mark that it is accepted, and a file that a server
#: locks while it works on the import.
LOG_FILE, _ROWS_FILE, _ACCEPTED, _HELD = "log.zip", "rows.sqlite3", "accepted", "held"
#: Prefix of such a folder's name.
_FOLDER = "log-"
#: Pause after each transaction, as a share of its duration, and the least pause in seconds, for other
#: writers: a process that waits for SQLite's lock checks it every tenth of a second.
_OTHERS_SHARE, _OTHERS_SECONDS = 0.5, 0.002

#: Number of photos stored at a time.
_STORED_AT_A_TIME = 4

#: Function that receives the numbers of stored photos and of all photos, which take nearly all of the time.
Told = Callable[[int, int], None]
CatalogueOf = Callable[[str], Catalogue]


class ImportProgress(msgspec.Struct, frozen=True, kw_only=True):
    """`photos` of `total` are stored; `running` is false before it begins and once it has ended."""

    running: bool
    photos: int = 0
    total: int = 0


class Imports:
    """Imports that are running, by the key that their sender chose."""

    def __init__(self) -> None:
        self._running: dict[str, ImportProgress] = {}
        self._one = threading.Lock()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Context manager that allows one import at a time, since each occupies a server thread. Raises
        `WaymarkError` (busy)."""
        if not self._one.acquire(blocking=False):
            raise WaymarkError(
                Code.BUSY, Text("Another log is being imported; send this one when that is done.")
            )
        try:
            yield
        finally:
            self._one.release()

    @contextmanager
    def follow(self, key: str) -> Iterator[Told]:
        """A callback that records the progress of an import, as numbers of stored and of all photos. Without
        a key nothing is recorded."""

        def tell(photos: int, total: int) -> None:
            if key:
                self._running[key] = ImportProgress(running=True, photos=photos, total=total)

        tell(0, 0)
        try:
            yield tell
        finally:
            self._running.pop(key, None)

    def progress(self, key: str) -> ImportProgress:
        """Progress of the import with this key."""
        return self._running.get(key, ImportProgress(running=False))


class ImportReport(msgspec.Struct, frozen=True, kw_only=True):
    """Result of an import, as numbers of rows by noun: `added` are new here, `updated` were changed later in
    the log. `kept` were changed later here. `namesakes` are people who now share one name."""

    added: dict[str, int]
    updated: dict[str, int]
    kept: dict[str, int]
    photos_added: int
    photos_missing: int
    namesakes: list[str]


_Answer = TypeVar("_Answer")


@dataclass
class _Photos:
    """The photos of a log that belong to new shots, by their id in the log. `coming` are the photos that the
    log contains."""

    originals: PhotoStore
    reader: LogReader
    listed: dict[str, ManifestPhoto]
    coming: dict[str, StoredPhoto] = field(default_factory=dict)
    here: dict[str, StoredPhoto] = field(default_factory=dict)
    missing: set[str] = field(default_factory=set)

    def look_at(self, session: Session, photo_id: str) -> StoredPhoto | None:
        """Validated data of a photo as it will be stored; None where the log does not contain the photo."""
        known = self.coming.get(photo_id) or self.here.get(photo_id)
        if known is not None:
            return known
        listed = self.listed.get(photo_id)
        names = [photo_id, *([listed.sha256] if listed is not None else [])]
        for photo in (session.get(Photo, name) for name in names):
            if photo is not None and self.originals.has(original_key(photo.id)):
                stored = StoredPhoto(photo.id, photo.media_type, photo.width, photo.height, photo.size_bytes)
                self.here[photo_id] = stored
                return stored
        if listed is None:
            self.missing.add(photo_id)
            return None
        try:
            header = read_header(self.reader.photo(listed))
        except WaymarkError as error:
            raise UnsoundRow(Photo.__tablename__, photo_id, error.words) from error
        size = listed.size_bytes
        stored = StoredPhoto(listed.sha256, header.media_type, header.width, header.height, size)
        self.coming[photo_id] = stored
        return stored

    def known(self, photo_id: str) -> StoredPhoto | None:
        """A photo that `look_at` has validated."""
        return self.coming.get(photo_id) or self.here.get(photo_id)

    def store(self, tell: Told) -> int:
        """Store all photos of the log; returns their number. Files are named by content, so that storing
        twice is harmless."""

        def store_one(photo_id: str) -> None:
            store_original(self.originals, self.reader.photo(self.listed[photo_id]))

        tell(0, len(self.coming))
        # Each waits longer for the disk or the store than it computes.
        with ThreadPoolExecutor(_STORED_AT_A_TIME, "log-photos") as pool:
            try:
                for number, _ in enumerate(pool.map(store_one, self.coming), 1):
                    tell(number, len(self.coming))
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise
        return len({photo.sha256 for photo in self.coming.values()})


@dataclass(frozen=True)
class _Import:
    """One log that is being imported."""

    database: Database
    catalogue_of: CatalogueOf
    originals: PhotoStore
    reader: LogReader
    staging: Staging
    photos: _Photos
    states: dict[str, tuple[object, ...]] = field(default_factory=dict)

    def stage(self) -> None:
        """Read all rows from the zip into the staging file, each validated by itself."""
        for table in TABLES:
            self.staging.add(table, self.reader.rows(table))
        with self.database.snapshot() as session:
            self.staging.sort(session)

    def rehearse(self) -> None:
        """Merge every game in the dry run, and validate the result without keeping it. Raises
        `UnsoundRow`."""
        rehearsal = Rehearsal()
        try:
            for unit in self.staging.units():
                # One snapshot for each: a long one would keep the database from releasing replaced data.
                with self.database.snapshot() as here:
                    self.states[unit] = state_of_unit(here, unit)
                    times = times_of(here)
                    with rehearsal.with_unit(here, self.staging, unit) as session:
                        photo = partial(self.photos.look_at, here)
                        merging = Merging(
                            self.staging, session, self.catalogue_of, self.reader.reading, photo, times
                        )
                        try:
                            merge_unit(merging, unit)
                        except (IntegrityError, DataError, NotText) as error:
                            raise log_broken() from error
        finally:
            rehearsal.close()

    def write(self, tell: Told) -> Counts:
        """Write the whole log in short transactions; running it again changes nothing."""
        counts = Counts()
        self.photos.store(tell)
        for people in self.staging.rows(Person):
            counts.add(self._in_turn(partial(self._merge_people, people)))
        for unit in self.staging.units():
            counts.add(self._write_unit(unit))
        for changes in self.staging.rows(Change):
            self._in_turn(partial(add_changes, rows=changes))
        return counts

    def _merge_people(self, people: Sequence[Values], session: Session) -> Counts:
        return merge_people(self._with(session), people)

    def _write_unit(self, unit: str) -> Counts:
        """Write one game or tableau. If it was changed here since the dry run and would become invalid, the
        local version is kept."""

        def write(session: Session) -> Counts:
            same = state_of_unit(session, unit) == self.states.get(unit)
            return merge_unit(self._with(session), unit, checked=same)

        try:
            return self._in_turn(write)
        except (UnsoundRow, IntegrityError) as error:
            log.warning("changed while a log was taken in, and stays: %s (%s)", unit, error)
            return Counts(kept=Counter({Game.__tablename__: 1}))

    def _with(self, session: Session) -> Merging:
        return Merging(
            self.staging,
            session,
            self.catalogue_of,
            self.reader.reading,
            self.photos.known,
            times_of(session),
        )

    def _in_turn(self, write: Callable[[Session], _Answer]) -> _Answer:
        begun = time.monotonic()
        with self.database.transaction() as session:
            answer = write(session)
        time.sleep(max(_OTHERS_SECONDS, _OTHERS_SHARE * (time.monotonic() - begun)))
        return answer


def import_log(
    database: Database,
    catalogue_of: CatalogueOf,
    originals: PhotoStore,
    file: Path,
    tell: Told = lambda photos, total: None,
) -> ImportReport:
    """Import the log in a zip, completely or not at all. `catalogue_of` returns the cards of the deck that a
    game names. `tell` is called as photos are stored. A zip in a folder of its own (`import_folder`) is
    completed by the next server if this one stops. Raises `WaymarkError`: not-a-log, log-broken, too-large,
    and no-database if an accepted log could not be written completely."""
    if file.parent.name.startswith(_FOLDER):
        return _import(database, catalogue_of, originals, file, file.parent, tell)
    with tempfile.TemporaryDirectory(prefix=_FOLDER) as folder:
        return _import(database, catalogue_of, originals, file, Path(folder), tell)


def _import(
    database: Database, catalogue_of: CatalogueOf, originals: PhotoStore, file: Path, folder: Path, tell: Told
) -> ImportReport:
    accepted = folder / _ACCEPTED
    with open_log(file) as reader, _staging(folder / _ROWS_FILE) as staging:
        listed = {photo.id: photo for photo in reader.manifest.photos}
        coming = _Import(
            database, catalogue_of, originals, reader, staging, _Photos(originals, reader, listed)
        )
        reader.shot_of = staging.shot_of
        if not accepted.exists():
            coming.stage()
        coming.rehearse()
        _check_room(folder, coming.photos)
        staging.keep()
        _mark(accepted)
        try:
            counts = coming.write(tell)
            with database.snapshot() as session:
                namesakes = _namesakes(session)
        except (OSError, OperationalError, StoreUnreachable) as error:
            raise _written_in_part(error) from error
    return ImportReport(
        added={noun: count for noun, count in counts.added.items() if count},
        updated=dict(counts.updated),
        kept={noun: count for noun, count in counts.kept.items() if count},
        photos_added=len({photo.sha256 for photo in coming.photos.coming.values()}),
        photos_missing=len(coming.photos.missing),
        namesakes=namesakes,
    )


@contextmanager
def _staging(file: Path) -> Iterator[Staging]:
    staging = Staging(file)
    try:
        yield staging
    finally:
        staging.close()


# --- folders ------------------------------------------------------------------------------------------------


@contextmanager
def import_folder(receiving: Path) -> Iterator[Path]:
    """Context manager for a folder that receives a log and its staged rows. It is removed afterwards, unless
    an accepted log could not be written completely."""
    folder = Path(tempfile.mkdtemp(prefix=_FOLDER, dir=receiving))
    with _held(folder):
        try:
            yield folder
        except BaseException:
            if not (folder / _ACCEPTED).exists():
                shutil.rmtree(folder, ignore_errors=True)
            raise
        shutil.rmtree(folder, ignore_errors=True)


def finish_imports(
    database: Database, catalogue_of: CatalogueOf, originals: PhotoStore, receiving: Path
) -> int:
    """Complete accepted imports, and remove those that were not accepted; returns the number of completed
    logs. Folders that another server is importing are left alone."""
    finished = 0
    for folder in sorted(receiving.glob(f"{_FOLDER}*")):
        with _held(folder) as held:
            if not held:
                continue
            if (folder / _ACCEPTED).exists():
                try:
                    import_log(database, catalogue_of, originals, folder / LOG_FILE)
                    finished += 1
                except WaymarkError as error:
                    log.error("a log that was being taken in was not finished: %s", error.en)
                    if error.code not in (Code.LOG_BROKEN, Code.NOT_A_LOG, Code.TOO_LARGE):
                        continue  # Retried when the disk or the store is available again.
            shutil.rmtree(folder, ignore_errors=True)
    return finished


@contextmanager
def _held(folder: Path) -> Iterator[bool]:
    """Lock an import's folder against other servers; whether the lock was taken."""
    with (folder / _HELD).open("wb") as file:
        if sys.platform != "win32":
            import fcntl

            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                yield False
                return
        yield True


def _mark(accepted: Path) -> None:
    """Mark the log as accepted on the disk: from then on it is imported to the end."""
    with accepted.open("wb") as file:
        os.fsync(file.fileno())
    folder = os.open(accepted.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _check_room(folder: Path, photos: _Photos) -> None:
    """Check that the disk has twice the room that the log needs. Raises `WaymarkError` (disk-full)."""
    needed = 2 * sum(photo.size_bytes for photo in photos.coming.values())
    if isinstance(photos.originals, FolderStore) and shutil.disk_usage(folder).free < needed:
        raise no_room(needed)


def no_room(needed: int) -> WaymarkError:
    """The error for a log that does not fit on the disk."""
    megabytes = needed // 1_000_000 + 1
    return WaymarkError(
        Code.DISK_FULL,
        Text(
            "There is no room for this log, so nothing was imported; free {megabytes:,} MB on the disk of "
            "the data folder and retry.",
            megabytes=megabytes,
        ),
    )


def _written_in_part(error: Exception) -> WaymarkError:
    what = str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
    return WaymarkError(
        Code.NO_DATABASE,
        Text(
            "This log could not be written to its end ({what}); make room, and restart Waymark, which "
            "finishes it.",
            what=what,
        ),
    )


#: Largest number of duplicate names that are reported.
_MOST_NAMESAKES = 100
_NAMES_AT_ONCE = 1000


def _namesakes(session: Session) -> list[str]:
    """Names that several people share, compared by appearance. Only hashes of the log's names are kept, since
    a log may contain any number of people."""
    once: set[int] = set()
    twice: set[int] = set()
    for look, _ in _looks_of_names(session):
        (twice if look in once else once).add(look)
    found: dict[int, str] = {}
    for look, name in _looks_of_names(session) if twice else ():
        if look in twice:
            found.setdefault(look, name)
    return list(found.values())[:_MOST_NAMESAKES]


def _looks_of_names(session: Session) -> Iterator[tuple[int, str]]:
    """The hash of each living person's name by appearance, with the name; names without visible characters
    are left out."""
    names = select(Person.name).where(Person.deleted_at.is_(None)).order_by(Person.name, Person.id)
    for name in session.scalars(names.execution_options(yield_per=_NAMES_AT_ONCE)):
        if isinstance(name, str) and (key := name_key(name)):
            yield hash(key), name
