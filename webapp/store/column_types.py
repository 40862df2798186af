"""SQLAlchemy column types: times in UTC, text, integers, booleans, JSON of one shape, bytes.

SQLite stores any value in any column, so a damaged file or another program may have stored an invalid value.
An invalid value is read as `Odd`, so that queries do not fail. Code that uses the value fails instead, and
`webapp.store.integrity` reports the reason."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    DateTime,
    Integer,
    LargeBinary,
    Select,
    String,
    TypeDecorator,
    func,
    select,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.exc import DontWrapMixin
from sqlalchemy.orm import InstrumentedAttribute

from scorer import text
from scorer.errors import Code, WaymarkError

#: Times of a table lie between: no clock knows others, and some cannot be told in every time zone.
FIRST_YEAR, LAST_YEAR = 1970, 2500
#: What every database takes for a whole number.
_LEAST, _MOST = -(2**31), 2**31 - 1

Process = Callable[[Any], Any]


@dataclass(frozen=True)
class Odd:
    """A stored value that is invalid for its column's type; `found` describes it. It has no text form, so
    that a page that would show it fails instead."""

    found: str

    def __str__(self) -> str:
        raise TypeError(f"no text: {self.found}")

    def __bool__(self) -> bool:
        raise TypeError(f"neither true nor false: {self.found}")


def _odd(value: object) -> Odd:
    return Odd(repr(value)[:80])


def _checked(usual: Process | None, fits: Callable[[Any], bool]) -> Process:
    """A result processor that converts a value with `usual`; a value that fails or does not pass `fits`
    becomes `Odd`."""

    def process(value: Any) -> Any:
        if value is None:
            return None
        try:
            read = usual(value) if usual is not None else value
            return read if fits(read) else _odd(value)
        except (ValueError, TypeError, LookupError, ArithmeticError, AttributeError, RecursionError):
            return _odd(value)

    return process


class UtcTime(TypeDecorator[datetime]):
    """A time in UTC, both in the database and in Python. SQLite drops time zones, and PostgreSQL answers in
    its own zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value.astimezone(UTC) if value is not None else None

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.astimezone(UTC) if value.tzinfo is not None else value.replace(tzinfo=UTC)

    def result_processor(self, dialect: Dialect, coltype: object) -> Process:
        usual = super().result_processor(dialect, coltype)
        return _checked(usual, lambda time: FIRST_YEAR <= time.year <= LAST_YEAR)


class NotText(WaymarkError, DontWrapMixin):
    """The error for text that some databases cannot store."""


class Text(TypeDecorator[str]):
    """A text column with the same limits in every database: PostgreSQL rejects NUL characters, SQLite accepts
    them. Raises `NotText` when a text with NUL is written or searched for."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: str | Odd | None, dialect: Dialect) -> str | None:
        if isinstance(value, Odd):
            # An id that is none: no row has it.
            return f"odd: {value.found}"
        if value is not None and "\0" in value:
            raise NotText(
                Code.NOT_VALID,
                text.Text(
                    "The text holds a NUL character, which nobody can see; type it again instead of "
                    "pasting it."
                ),
            )
        return value

    def result_processor(self, dialect: Dialect, coltype: object) -> Process:
        return _checked(None, lambda text: type(text) is str and "\0" not in text)


class Whole(Integer):
    """An integer column."""

    def result_processor(self, dialect: Dialect, coltype: object) -> Process:
        return _checked(None, lambda number: type(number) is int and _LEAST <= number <= _MOST)


def total_of(column: InstrumentedAttribute[int]) -> Select[int]:
    """The sum of a column's integers, other values ignored; 0 for no rows."""
    # SQLite makes 0 of what is no number, and stumbles over sums of what is too large for one.
    return select(func.coalesce(func.sum(column % _MOST, type_=BigInteger), 0, type_=BigInteger))


class Sequence(BigInteger):
    """A 64-bit integer column that only defines an order."""

    def result_processor(self, dialect: Dialect, coltype: object) -> Process:
        return _checked(None, lambda number: type(number) is int)


class Tick(Boolean):
    """A boolean column."""

    def result_processor(self, dialect: Dialect, coltype: object) -> Process:
        # SQLite has 0 and 1.
        return _checked({0: False, 1: True}.__getitem__, lambda tick: type(tick) is bool)


class Bytes(LargeBinary):
    """A column of bytes."""

    def result_processor(self, dialect: Dialect, coltype: object) -> Process:
        usual: Process | None = super().result_processor(dialect, coltype)  # type: ignore[no-untyped-call]
        return _checked(usual, lambda data: type(data) is bytes)


class Json(TypeDecorator[Any]):
    """A JSON column of one shape: an object (`dict`) or a list; None where `empty` allows it."""

    impl = JSON
    cache_ok = True

    def __init__(self, shape: type[dict[str, Any]] | type[list[Any]], *, empty: bool = False) -> None:
        super().__init__()
        self.shape, self.empty = shape, empty

    def result_processor(self, dialect: Dialect, coltype: object) -> Process:
        usual = super().result_processor(dialect, coltype)
        return _checked(usual, lambda read: type(read) is self.shape or (self.empty and read is None))
