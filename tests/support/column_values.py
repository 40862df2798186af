"""Values for the columns of every table: one that its constraints accept, and those that they refuse."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import BigInteger, Column, Connection, LargeBinary, Table, text
from sqlalchemy.exc import DBAPIError

from webapp.store.column_types import Id, Json, Probability, Sha256, Text, Tick, UtcTime, Whole
from webapp.store.models import Base

TABLES = Base.metadata.sorted_tables
COLUMNS = [column for table in TABLES for column in table.columns]
#: What SQLite would otherwise store in any column.
_BYTES = b"\xff\x00bytes"
_SOUND: tuple[tuple[type[Any], Any], ...] = (
    (Sha256, "0" * 64),
    (Id, "an_id-1"),
    (UtcTime, "2026-02-28 23:59:59.999999"),
    (Tick, 1),
    (LargeBinary, b"\x00"),
    (BigInteger, 2**40),
    (Probability, 0.995),
)
#: Values that a type refuses everywhere, and more that SQLite refuses (PostgreSQL converts them).
_REFUSED: tuple[tuple[type[Any], tuple[Any, ...], tuple[Any, ...]], ...] = (
    (Sha256, ("", "0" * 63, "0" * 65, "G" * 64, "0" * 63 + "\0"), (_BYTES,)),
    (Id, ("", "a b", "é", "x" * 65, "a\0b"), (_BYTES,)),
    (
        UtcTime,
        ("no such day", "1969-12-31 00:00:00.000000", "2500-12-31 00:00:00.000001"),
        ("2026-02-30 00:00:00.000000", "2026-01-01 24:00:00.000000", "2026-01-01 0:00:00", "now", 7, _BYTES),
    ),
    (Tick, ("perhaps", _BYTES), (2, -1, 0.5)),
    (LargeBinary, (), ("text", 7)),
    (BigInteger, ("no number",), (0.5, _BYTES)),
    (Probability, (0, 1, 99.5, -0.5, "no number"), (_BYTES,)),
)


def sound(column: Column[Any]) -> Any:
    """A value that a column accepts. The row of every table has this `id`."""
    kind = column.type
    for key in column.foreign_keys:
        return sound(key.column)
    if isinstance(kind, Whole):
        return kind.most
    if isinstance(kind, Json):
        return "{}" if kind.shape is dict else "[]"
    if isinstance(kind, Text) and not isinstance(kind, Id):
        return kind.words[-1] if kind.words else "é" * (kind.length or 1000)
    return next(value for each, value in _SOUND if isinstance(kind, each))


def refused(column: Column[Any], database: str) -> Iterator[Any]:
    """Values that a column refuses in SQLite or PostgreSQL."""
    kind = column.type
    if not column.nullable:
        yield None
    if column.foreign_keys:
        yield "nobody"
        return
    if isinstance(kind, Whole):
        yield from (kind.least - 1, kind.most + 1, "no number")
        yield from (0.5, _BYTES) if database == "sqlite" else ()
    elif isinstance(kind, Json):
        yield from ("{", "7", "null", '{"a": NaN}', "[]" if kind.shape is dict else "{}", _BYTES)
    elif isinstance(kind, Text) and not isinstance(kind, Id):
        yield "a\0b"
        yield from (_BYTES,) if database == "sqlite" else ()
        yield from ("no such word",) if kind.words else ()
        yield from ("x" * (kind.length + 1),) if kind.length is not None else ()
    else:
        everywhere, more = next(values for each, *values in _REFUSED if isinstance(kind, each))
        yield from (*everywhere, *more) if database == "sqlite" else everywhere


def put_a_row_in_each(connection: Connection) -> None:
    """Insert a row into every table, which others refer to."""
    for table in TABLES:
        values = {column.name: _fitting(connection, column) for column in table.columns}
        names, marks = ", ".join(f'"{name}"' for name in values), ", ".join(f":{name}" for name in values)
        connection.execute(text(f'INSERT INTO "{table.name}" ({names}) VALUES ({marks})'), values)


def accepts(connection: Connection, column: Column[Any], value: Any) -> bool:
    """Whether a column of its table's row takes a value; the row is left as it was."""
    table: Table = column.table
    change = text(f'UPDATE "{table.name}" SET "{column.name}" = :value')
    point = connection.begin_nested()
    try:
        return connection.execute(change, {"value": value}).rowcount == 1
    except DBAPIError:
        return False
    finally:
        point.rollback()


def _fitting(connection: Connection, column: Column[Any]) -> Any:
    """A sound value, as the database's driver takes it."""
    value = sound(column)
    if connection.dialect.name == "postgresql" and isinstance(column.type, Tick):
        return bool(value)
    return value
