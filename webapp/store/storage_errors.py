"""Storage errors in one sentence with their remedy: a full disk, a folder that is missing or not writable, a
damaged file, a file of a newer version."""

from __future__ import annotations

import errno
import sqlite3

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnection

from scorer.errors import Code, WaymarkError
from scorer.text import Text

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_NO_WRITING = {errno.EROFS, errno.EACCES, errno.EPERM}
_NO_PLACE = {errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EEXIST, errno.ESTALE, errno.ELOOP}
_BROKEN = {errno.EIO}


def storage_error(error: BaseException) -> WaymarkError | None:
    """The user-facing error for a system or database error; None for any other error."""
    if isinstance(error, DBAPIError) and isinstance(error.orig, sqlite3.Error):
        return _of_sqlite(error.orig)
    if isinstance(error, sqlite3.Error):
        return _of_sqlite(error)
    if isinstance(error, (OperationalError, InterfaceError)):
        return _away()
    if isinstance(error, NoConnection):
        return _busy()
    if isinstance(error, OSError):
        return _of_system(error)
    return None


def _of_system(error: OSError) -> WaymarkError | None:
    if error.errno in _FULL:
        return disk_full()
    if error.errno in _NO_WRITING:
        return not_writable(error.strerror or str(error))
    if error.errno in _NO_PLACE:
        return folder_gone()
    if error.errno in _BROKEN:
        return disk_broken()
    return None


def _of_sqlite(error: sqlite3.Error) -> WaymarkError | None:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL:
        return disk_full()
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        return not_writable(str(error))
    if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_NOTFOUND):
        return folder_gone()
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return database_damaged()
    if code == sqlite3.SQLITE_IOERR:
        return disk_broken()
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return _busy()
    return _away() if isinstance(error, sqlite3.OperationalError) else None


def _busy() -> WaymarkError:
    return WaymarkError(
        Code.BUSY,
        Text("The database is kept busy by others, so nothing was changed; try again in a few seconds."),
    )


def disk_full() -> WaymarkError:
    """The error for a full disk."""
    return WaymarkError(
        Code.DISK_FULL,
        Text("The disk of the data folder is full, so this was not saved; make room there and try again."),
    )


def not_writable(why: str) -> WaymarkError:
    """The error for a data folder without write permission."""
    return WaymarkError(
        Code.DATA_FOLDER,
        Text(
            "The data folder cannot be written ({why}), so this was not saved; allow writing there and try "
            "again.",
            why=why,
        ),
    )


def folder_gone() -> WaymarkError:
    """The error for a missing data folder or file in it."""
    return WaymarkError(
        Code.DATA_FOLDER,
        Text(
            "The data folder is not as it was when the server started (removed, moved, replaced or "
            "locked), so this was not saved; put it back and start the server again."
        ),
    )


def disk_broken() -> WaymarkError:
    """The error for a disk that fails to read or write."""
    return WaymarkError(
        Code.DATA_FOLDER,
        Text(
            "The disk of the data folder does not read or write as it should, so this was not saved; check "
            "the disk, and restore a backup if files are lost."
        ),
    )


def database_damaged() -> WaymarkError:
    """The error for a database file that is invalid or incomplete."""
    return WaymarkError(
        Code.DAMAGED,
        Text(
            "The database's file is damaged; stop the server and run `waymark data check`, or restore a "
            "backup with `waymark data restore`."
        ),
    )


def _away() -> WaymarkError:
    return WaymarkError(
        Code.NO_DATABASE,
        Text(
            "The database does not answer, so nothing was changed; "
            "check that it is running and has room, and try again."
        ),
    )
