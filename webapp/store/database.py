"""The database: one engine, sessions, migrations at start, the journal of what changes."""

from __future__ import annotations

import logging
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, create_engine, event, func, select
from sqlalchemy.engine import make_url
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.orm import Session, UOWTransaction, sessionmaker
from sqlalchemy.orm.attributes import instance_state

from scorer.errors import Code, WaymarkError
from scorer.text import Text
from webapp.store.models import (
    Base,
    Change,
    Entry,
    Game,
    GameRound,
    InOrder,
    Person,
    Purchase,
    Seat,
    Tableau,
    now,
    placed_at,
)
from webapp.store.storage_errors import folder_gone, storage_error

log = logging.getLogger(__name__)

MIGRATIONS = Path(__file__).parent / "migrations"
#: Time in seconds for which a writer waits for another one's transaction (SQLite).
BUSY_SECONDS = 30
#: Number of pooled connections, with as many again if all are in use: one for every thread that responds or
#: reads photos, and one for every export. Then the time in seconds after which waiting for one fails.
_CONNECTIONS, _CONNECTION_SECONDS = 16, 10
#: Interval in seconds at which a lock is retried for which SQLite does not wait.
_LOOK_AGAIN_SECONDS = 0.02
#: Advisory lock of writers (PostgreSQL): an arbitrary number that no other program uses in this database.
_WRITERS_LOCK = 0x57617931
#: Tables with manual input, whose changes are recorded in the journal.
_JOURNALLED = (Person, Game, Seat, GameRound, Entry, Purchase, Tableau)
#: Prefix of a box of an entry's `scores` in the journal, before its column.
BOX = "scores."
#: Derived columns and counters.
_NOT_JOURNALLED = frozenset({"version", "ruling", "sure", "record", "cards", "answered", "shot_id"})

Row = TypeVar("Row", bound=Base)


@dataclass(frozen=True)
class Database:
    """An SQLAlchemy engine with two kinds of sessions. Writers take one lock at the start, so that no writer
    reads what another is about to change. Readers never wait, and see a consistent snapshot."""

    engine: Engine
    readers: sessionmaker[Session]
    writers: sessionmaker[Session]

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """One writing transaction: committed at the end, rolled back on any exception."""
        with self.writers.begin() as session:
            yield session

    @contextmanager
    def snapshot(self) -> Iterator[Session]:
        """A session for reading a consistent snapshot."""
        with self.readers() as session:
            yield session


def open_database(url: str) -> Database:
    """The database, migrated to the newest schema. A SQLite file and its folder are created if missing.

    Raises `WaymarkError`: no-database where it cannot be reached or written, disk-full, damaged,
    newer-data."""
    try:
        return _open(url)
    except CommandError as error:
        raise WaymarkError(
            Code.NEWER_DATA,
            Text(
                "The database was written by a newer Waymark than this one; update Waymark, or name another "
                "folder with --data."
            ),
        ) from error
    except (SQLAlchemyError, sqlite3.Error, ImportError, OSError) as error:
        told = storage_error(error)
        if told is not None and told.code in (Code.DISK_FULL, Code.DAMAGED):
            raise told from error
        what = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
        raise WaymarkError(
            Code.NO_DATABASE,
            Text("The database cannot be opened ({what}); check --data and --database.", what=what),
        ) from error


def _open(url: str) -> Database:
    parsed = make_url(url)
    sqlite = parsed.get_backend_name() == "sqlite"
    if sqlite and parsed.database:
        Path(parsed.database).parent.mkdir(parents=True, exist_ok=True)
    arguments = {"timeout": BUSY_SECONDS} if sqlite else {}
    engine = create_engine(
        url,
        connect_args=arguments,
        pool_size=_CONNECTIONS,
        max_overflow=_CONNECTIONS,
        pool_timeout=_CONNECTION_SECONDS,
        pool_pre_ping=not sqlite,
        json_deserializer=msgspec.json.decode,
    )
    if sqlite:
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    elif parsed.get_backend_name() == "postgresql":
        event.listen(engine, "begin", _begin_postgresql)
    _migrate(engine)
    if sqlite and parsed.database:
        _stay_with(engine, Path(parsed.database))
    # SQLite gives a reader one snapshot by default; PostgreSQL needs this level.
    reading = engine if sqlite else engine.execution_options(isolation_level="REPEATABLE READ")
    writing = sessionmaker(engine.execution_options(writes=True), expire_on_commit=False)
    event.listen(writing, "before_flush", _write_journal)
    event.listen(writing, "before_flush", _put_in_order)
    return Database(engine, sessionmaker(reading, expire_on_commit=False), writing)


def _prepare_sqlite(connection: Any, _record: object) -> None:
    # The driver would begin transactions by its own rules; `_begin_sqlite` does it instead.
    connection.isolation_level = None
    cursor = connection.cursor()
    # Pages can be read while a photo is written.
    _write_ahead(cursor)
    # FULL: a confirmed answer is on the disk, not only in memory.
    for pragma in ("synchronous=FULL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
    # Text that is not UTF-8 is shown with replacement characters, so that no list fails because of it.
    connection.text_factory = partial(str, encoding="utf-8", errors="replace")
    # SQLite's own function handles ASCII letters only; searching ignores case for é and Ｋ, too.
    connection.create_function("lower", 1, _lower, deterministic=True)


def _write_ahead(cursor: sqlite3.Cursor) -> None:
    """Switch a new SQLite file to write-ahead logging (WAL), with retries. SQLite does not wait here for
    another server that writes to the same new file."""
    end = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            primary_code = error.sqlite_errorcode & 0xFF
            if primary_code != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
        time.sleep(_LOOK_AGAIN_SECONDS)


def _lower(value: object) -> object:
    return value.lower() if isinstance(value, str) else value


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _stay_with(engine: Engine, file: Path) -> None:
    """Register checks that the opened SQLite file still exists under its path. SQLite would continue in a
    deleted file, and later writes would be lost."""
    log = file.with_name(file.name + "-wal")
    opened = _file_there(file)

    def check(*_event: Any) -> None:
        if _file_there(file) != opened:
            raise folder_gone()

    def check_kept(connection: Connection) -> None:
        check(connection)
        if connection.get_execution_options().get("writes", False) and not log.exists():
            raise folder_gone()

    # SQLite would create an empty file where there is none.
    event.listen(engine, "do_connect", check)
    event.listen(engine, "begin", check)
    event.listen(engine, "commit", check_kept)


def _file_there(file: Path) -> tuple[int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _begin_postgresql(connection: Connection) -> None:
    # One writer at a time, as in SQLite, so that two writers never increment the same counter.
    if connection.get_execution_options().get("writes", False):
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_WRITERS_LOCK})")


def _migrate(engine: Engine) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    scripts = ScriptDirectory.from_config(config)
    with making_anew(engine) as connection:
        config.attributes["connection"] = connection
        old = MigrationContext.configure(connection).get_current_revision()
        if old is not None and old != scripts.get_current_head():
            scripts.get_revision(old)  # raises `CommandError` for a revision of a newer version
            if engine.dialect.name == "sqlite" and engine.url.database:
                _back_up(Path(engine.url.database), old)
        command.upgrade(config, "head")


def _back_up(file: Path, revision: str) -> None:
    """Copy a SQLite file beside itself before its schema is changed."""
    copy = file.with_name(f"{file.stem}-{revision}-{now():%Y%m%dT%H%M%S%f}Z{file.suffix}")
    part = copy.with_name(f".part-{file.stem}")
    part.unlink(missing_ok=True)  # left by a killed server
    try:
        copy_database(file, part)
        os.replace(part, copy)
    finally:
        part.unlink(missing_ok=True)
    log.warning("The database is updated to this version; a copy from before the update is kept in %s.", copy)


def copy_database(source: Path, target: Path) -> None:
    """Copy a SQLite database to one new file as a consistent snapshot, while writers continue. Raises
    `OSError` and `sqlite3.Error`."""
    os.close(os.open(target, os.O_WRONLY | os.O_CREAT, 0o600))
    with (
        closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as opened,
        closing(sqlite3.connect(target)) as copy,
    ):
        opened.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")


@contextmanager
def making_anew(engine: Engine) -> Iterator[Connection]:
    """A transaction that may recreate tables: foreign keys are checked only at its end. A dangling reference
    rolls everything back. Raises `IntegrityError`."""
    with engine.execution_options(writes=True).connect() as connection:
        sqlite = engine.dialect.name == "sqlite"
        raw: Any = connection.connection.driver_connection
        if sqlite:
            raw.execute("PRAGMA foreign_keys=OFF")  # inside a transaction it does nothing
        try:
            with connection.begin():
                yield connection
                if sqlite and (lost := connection.exec_driver_sql("PRAGMA foreign_key_check").first()):
                    raise IntegrityError("PRAGMA foreign_key_check", None, Exception(f"orphan: {lost}"))
        finally:
            if sqlite:
                raw.execute("PRAGMA foreign_keys=ON")


def _write_journal(session: Session, _context: UOWTransaction, _instances: object) -> None:
    for row in list(session.dirty):
        if not isinstance(row, _JOURNALLED):
            continue
        before: dict[str, Any] = {}
        after: dict[str, Any] = {}
        state = instance_state(row)
        for column in state.mapper.column_attrs:
            history = state.attrs[column.key].history
            if column.key in _NOT_JOURNALLED or not history.has_changes():
                continue
            old: Any = _plain(history.deleted[0]) if history.deleted else None
            new: Any = _plain(history.added[0]) if history.added else None
            if isinstance(row, Entry) and column.key == "scores":
                _note_boxes(old or {}, new or {}, before, after)
            else:
                before[column.key], after[column.key] = old, new
        if before:
            session.add(Change(noun=row.__tablename__, noun_id=row.id, before=before, after=after))


def _put_in_order(session: Session, _context: UOWTransaction, _instances: object) -> None:
    """Assign `sequence` to new rows, after all existing rows. A row that comes with a time (from another
    table's log) gets the sequence of that time."""
    last = 0
    for row in list(session.new):
        if not isinstance(row, InOrder) or row.sequence is not None:
            continue
        if row.created_at is not None:
            row.sequence = placed_at(row.created_at)
            continue
        with session.no_autoflush:
            last = last or _latest(session)
        row.sequence = last = max(placed_at(now()), last + 1)


def _latest(session: Session) -> int:
    """The largest `sequence` of all rows."""
    tables = [select(func.max(table.sequence)).scalar_subquery() for table in InOrder.__subclasses__()]
    return max(each or 0 for each in session.execute(select(*tables)).one())


def _note_boxes(
    old: dict[str, Any], new: dict[str, Any], before: dict[str, Any], after: dict[str, Any]
) -> None:
    """Record each changed box of the score sheet as a separate journal entry, since two people may change two
    boxes."""
    for box in sorted(old.keys() | new.keys()):
        if old.get(box) != new.get(box):
            before[BOX + box], after[BOX + box] = old.get(box), new.get(box)


def _plain(value: object) -> object:
    return value.isoformat() if isinstance(value, datetime) else value


def get_row(session: Session, kind: type[Row], row_id: str, *, deleted: bool = False) -> Row:
    """A row by its id. Raises `WaymarkError` (not-found) for unknown ones, and for deleted ones unless
    `deleted` asks for them too."""
    row = session.get(kind, row_id)
    if row is None or (row.deleted_at is not None and not deleted):
        raise not_found()
    return row


def not_found() -> WaymarkError:
    """The error for a missing or deleted row."""
    return WaymarkError(
        Code.NOT_FOUND,
        Text(
            "This is not here; it may have been deleted or the link is incomplete. Go back to the start page."
        ),
    )
