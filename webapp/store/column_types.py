"""SQLAlchemy column types: times in UTC, text, ids, integers, probabilities, booleans, JSON.

The database refuses any other value: tables are STRICT in SQLite, and each type has a CHECK constraint
(`constrain`). A later change of a constraint needs a migration."""

from __future__ import annotations

import string
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, ClassVar, Literal, Protocol, runtime_checkable

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    DateTime,
    Double,
    Integer,
    MetaData,
    String,
    TypeDecorator,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.exc import DontWrapMixin
from sqlalchemy.ext.compiler import compiles

from scorer import text
from scorer.errors import Code, WaymarkError
from webapp.store.storage_errors import database_damaged

Sql = Literal["sqlite", "postgresql"]
Process = Callable[[Any], Any]

#: Valid years: others do not come from real clocks, and some cannot be shown in every time zone.
_FIRST_YEAR, _LAST_YEAR = 1970, 2500
#: Largest integer that every database stores.
_MOST = 2**31 - 1
_TWO_DIGITS = "[0-9][0-9]"
#: The form in which SQLAlchemy stores a time in SQLite, as a GLOB pattern.
_TIME_FORM = (
    f"{_TWO_DIGITS * 2}-{_TWO_DIGITS}-{_TWO_DIGITS} [0-2][0-9]:[0-5][0-9]:[0-5][0-9].{_TWO_DIGITS * 3}"
)


@runtime_checkable
class Constrained(Protocol):
    """A column type with a CHECK constraint."""

    def check(self, column: str, database: Sql) -> str | None:
        """SQL condition of the quoted `column`'s values; None where the database's type suffices."""


def constrain(metadata: MetaData) -> None:
    """Make all tables STRICT in SQLite, and add the CHECK constraints of their columns' types. Foreign keys
    are left out: the row that they refer to is checked."""
    for table in metadata.tables.values():
        table.dialect_options["sqlite"]["strict"] = True
        for column in table.columns:
            if column.foreign_keys or not isinstance(column.type, Constrained):
                continue
            databases: tuple[Sql, ...] = ("sqlite", "postgresql")
            for database in databases:
                condition = column.type.check(f'"{column.name}"', database)
                if condition is not None:
                    check = CheckConstraint(condition, name=f"ck_{table.name}_{column.name}")
                    table.append_constraint(check.ddl_if(dialect=database))


def _read(usual: Process | None) -> Process:
    """A result processor that tells a damaged file from a bug: the database refuses values that `usual` does
    not read."""

    def process(value: Any) -> Any:
        try:
            return usual(value) if usual is not None and value is not None else value
        except (ValueError, TypeError, RecursionError) as error:
            raise database_damaged() from error

    return process


class UtcTime(TypeDecorator[datetime]):
    """A time in UTC, both in the database and in Python. SQLite drops time zones, and PostgreSQL answers in
    its own zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def check(self, column: str, database: Sql) -> str:
        """A time between 1970 and 2500; in SQLite also the stored form and a day that exists."""
        years = (
            f"{column} >= '{_FIRST_YEAR}-01-01 00:00:00+00' AND {column} < '{_LAST_YEAR}-12-31 00:00:00+00'"
        )
        if database == "postgresql":
            return years
        form = f"{column} GLOB '{_TIME_FORM}' AND substr({column}, 12, 2) < '24'"
        # A modifier makes SQLite compute the day: without one it accepts February 30.
        day = f"date(substr({column}, 1, 10), '+0 days') IS substr({column}, 1, 10)"
        return f"{years} AND {form} AND {day}"

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value.astimezone(UTC) if value is not None else None

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.astimezone(UTC) if value.tzinfo is not None else value.replace(tzinfo=UTC)

    def result_processor(self, dialect: Dialect, coltype: object) -> Process:
        return _read(super().result_processor(dialect, coltype))


class NotText(WaymarkError, DontWrapMixin):
    """The error for text that some databases cannot store."""


class Text(TypeDecorator[str]):
    """A text column of at most `length` characters, or of one of these `words`. PostgreSQL rejects NUL
    characters, SQLite a text with NUL. Raises `NotText` when such a text is written or searched for."""

    impl = String
    cache_ok = True

    def __init__(self, length: int | None = None, words: Sequence[str] = ()) -> None:
        super().__init__(length)
        self.length, self.words = length, tuple(words)

    def check(self, column: str, database: Sql) -> str | None:
        """One of `words`, or no NUL and at most `length` characters (which PostgreSQL's types say)."""
        if self.words:
            return f"{column} IN ({', '.join(repr(word) for word in self.words)})"
        if database == "postgresql":
            return None
        limit = f" AND length({column}) <= {self.length}" if self.length is not None else ""
        return f"instr({column}, char(0)) = 0{limit}"

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        if value is not None and "\0" in value:
            raise NotText(
                Code.NOT_VALID,
                text.Text(
                    "The text holds a NUL character, which nobody can see; type it again instead of "
                    "pasting it."
                ),
            )
        return value


class Id(Text):
    """An id of 1 to 64 of the characters that `new_id` makes."""

    cache_ok = True
    least: ClassVar[int] = 1
    characters: ClassVar[str] = f"{string.ascii_letters}{string.digits}_-"

    def __init__(self) -> None:
        super().__init__(64)

    def check(self, column: str, database: Sql) -> str:
        """Only these characters, in this number."""
        return f"length({column}) BETWEEN {self.least} AND 64 AND ltrim({column}, '{self.characters}') = ''"


class Sha256(Id):
    """A SHA-256 in 64 lower-case hexadecimal digits."""

    cache_ok = True
    least = 64
    characters = "0123456789abcdef"


class Whole(Integer):
    """An integer column with a range (both ends included)."""

    def __init__(self, least: int = 0, most: int = _MOST) -> None:
        super().__init__()
        self.least, self.most = least, most

    def check(self, column: str, database: Sql) -> str:
        """A value in this range."""
        return f"{column} BETWEEN {self.least} AND {self.most}"


class Probability(Double[float]):
    """A probability other than 0 and 1."""

    def check(self, column: str, database: Sql) -> str:
        """A value between 0 and 1."""
        return f"{column} > 0 AND {column} < 1"


#: A 64-bit integer column that only defines an order.
Order = BigInteger().with_variant(Integer(), "sqlite")


class Tick(Boolean):
    """A boolean column."""

    def check(self, column: str, database: Sql) -> str | None:
        """SQLite stores 0 and 1."""
        return f"{column} IN (0, 1)" if database == "sqlite" else None


class Json(TypeDecorator[Any]):
    """A JSON column of one shape: an object (`dict`) or a list. None is stored as NULL."""

    impl = JSON(none_as_null=True)
    cache_ok = True

    def __init__(self, shape: type[dict[str, Any]] | type[list[Any]]) -> None:
        super().__init__()
        self.shape = shape

    def check(self, column: str, database: Sql) -> str:
        """Valid JSON of this shape."""
        shape = "object" if self.shape is dict else "array"
        if database == "postgresql":
            return f"json_typeof({column}) = '{shape}'"
        return (
            f"CASE WHEN json_valid({column}) THEN json_type({column}) = '{shape}' ELSE {column} IS NULL END"
        )

    def result_processor(self, dialect: Dialect, coltype: object) -> Process:
        return _read(super().result_processor(dialect, coltype))


# Column types of STRICT tables.
for _kind in (UtcTime, Text, Json):
    compiles(_kind, "sqlite")(lambda *_what, **_options: "TEXT")
compiles(Tick, "sqlite")(lambda *_what, **_options: "INTEGER")
compiles(Probability, "sqlite")(lambda *_what, **_options: "REAL")
