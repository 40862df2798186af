"""The queue engine (huey): it gives tasks to the threads of one or several processes, also on several
machines, wakes them at once, and runs periodic jobs every minute.

Huey forgets a task when it hands the task out, and has no fair scheduling. A task therefore only announces
that photos wait. The database of the photos determines the next photo and guarantees its reading
(`webapp.scans.leases`). Huey's data may be lost: they are created again from there.

Procrastinate and PgQueuer need PostgreSQL, Celery and dramatiq another server at every table."""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from huey import Huey, MemoryHuey, SqliteHuey, crontab
from huey.consumer import Consumer
from huey.registry import Message
from huey.serializer import Serializer
from huey.storage import PostgresStorage
from sqlalchemy import Engine as DatabaseEngine

log = logging.getLogger(__name__)

QUEUE = "scans"
#: Prefix of the queue's tables in a PostgreSQL database.
TABLE_PREFIX = "waymark_queue"
#: Maximum number of queued announcements; more add no information.
MOST_TASKS = 64
#: An idle thread looks at least this often, in seconds; on PostgreSQL it is told.
_LOOK_SECONDS = 0.25
_STOP_SECONDS = 5
_FIRST = 10


class QueueEngine:
    """Calls `read_next` in `workers` threads, once for each `call` from any process with the same database.
    It also calls `look_after` at the start and every minute."""

    def __init__(
        self,
        database: DatabaseEngine,
        workers: int,
        read_next: Callable[[], None],
        look_after: Callable[[], None],
    ) -> None:
        self._huey = _huey_beside(database)

        # Huey knows tasks by module and name: by this one's in every process.
        def read() -> None:
            read_next()

        def every_minute() -> None:
            look_after()

        self._read_next = self._huey.task(name="read_next")(read)
        self._huey.periodic_task(crontab(), name="look_after", priority=_FIRST)(every_minute)
        self._consumer = _Consumer(
            self._huey,
            workers=workers,
            initial_delay=_LOOK_SECONDS,
            max_delay=_LOOK_SECONDS,
            # Nothing is scheduled but the minute.
            scheduler_interval=60,
            shutdown_timeout=_STOP_SECONDS,
        )
        self._thread = threading.Thread(target=self._consumer.run, name="scan-consumer", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def call(self, waiting: int) -> None:
        """Announce that a number of photos wait. Never raises: a lost announcement is repeated within a
        minute."""
        try:
            for _ in range(min(waiting, MOST_TASKS) - self._huey.pending_count()):
                self._read_next()
        except Exception as error:
            log.warning(
                "the queue could not be told that photos wait (%s); they are found in a minute", error
            )

    def stop(self) -> None:
        """Stop handing out tasks, and wait briefly for tasks in progress."""
        if self._thread.is_alive():
            # Its threads can be waited for once it has started them all.
            self._consumer.stop_flag.set()
            self._thread.join(timeout=_STOP_SECONDS)
            self._consumer.stop(graceful=True)
        with suppress(Exception):
            self._huey.storage.close()


class _Consumer(Consumer):  # type: ignore[misc]
    """Huey's consumer inside another program, without signal handlers of its own."""

    def _set_signal_handlers(self) -> None:
        pass


class _Plain(Serializer):  # type: ignore[misc]
    """Serializer of tasks: only id and name are stored, since tasks have no arguments. Pickle, huey's
    default, would let anyone with write access to the database run any program."""

    def _serialize(self, data: Any) -> bytes:
        return msgspec.json.encode((data.id, data.name) if isinstance(data, Message) else data)

    def _deserialize(self, data: bytes) -> Any:
        return Message(*msgspec.json.decode(data, type=tuple[str, str]), args=(), kwargs={}, retries=0)


def queue_file(database_file: Path) -> Path:
    """Path of the queue's file beside a SQLite database; separate files keep their writers from blocking each
    other."""
    return database_file.with_suffix(".queue.sqlite3")


def _huey_beside(database: DatabaseEngine) -> Huey:
    url = database.url
    about: dict[str, Any] = {"results": False, "serializer": _Plain()}
    if url.get_backend_name() == "postgresql":
        _, parameters = database.dialect.create_connect_args(url)
        return Huey(
            QUEUE, storage_class=PostgresStorage, table_prefix=TABLE_PREFIX, dsn="", **about, **parameters
        )
    if not url.database:
        return MemoryHuey(QUEUE, **about)
    file = queue_file(Path(url.database))
    try:
        try:
            return SqliteHuey(QUEUE, filename=str(file), **about)
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError:
            # Damaged: nothing stands in it that is not found in the database, too.
            for part in ("", "-wal", "-shm"):
                file.with_name(file.name + part).unlink(missing_ok=True)
            return SqliteHuey(QUEUE, filename=str(file), **about)
    except (sqlite3.Error, OSError) as error:
        log.warning("%s cannot be used (%s); photos are read by this server alone", file, error)
        return MemoryHuey(QUEUE, **about)
