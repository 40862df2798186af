"""Conversion of database rows to plain JSON values and back, checked against the models' types."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Annotated, Any, Literal, TypeAlias, get_args, get_type_hints

import msgspec
from msgspec import UNSET, UnsetType
from sqlalchemy import Column, LargeBinary, inspect

from scorer.games import known_games, modes_of
from webapp.store import models
from webapp.store.column_types import Id, Probability, Sha256, Text, Whole
from webapp.store.database import BOX
from webapp.store.models import (
    Base,
    Change,
    Claim,
    Entry,
    Game,
    GameRound,
    Person,
    Photo,
    Purchase,
    Revision,
    Seat,
    Shot,
    Tableau,
)

Values: TypeAlias = dict[str, Any]

#: Every table of the log, each after those that it refers to.
TABLES: tuple[type[Base], ...] = (
    Person,
    Game,
    Seat,
    GameRound,
    Entry,
    Purchase,
    Photo,
    Tableau,
    Shot,
    Revision,
    Claim,
    Change,
)
#: Values of `Id` and `Sha256` columns.
_IdText = Annotated[str, msgspec.Meta(pattern=r"\A[A-Za-z0-9_-]{1,64}\Z")]
_Sha256Text = Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{64}\Z")]
#: Texts without a limit of their own; notes have up to 20,000 characters.
_Words = Annotated[str, msgspec.Meta(max_length=100_000)]
#: Largest number, so that databases can still count up from it.
_MOST = 1_000_000_000
_Number = Annotated[int, msgspec.Meta(ge=0, le=_MOST)]
#: Valid years, with room for any time zone of a page.
_FIRST_YEAR, _LAST_YEAR = 1970, 2400
#: Largest JSON value of columns whose content depends on the game: terms, boxes, steps. A record can be
#: larger (`scorer.record.MOST_PLACES`).
_MOST_JSON_BYTES = 100_000
_LARGE = frozenset({"record", "ruling", "before", "after", "given"})
#: U+0000 in JSON, which PostgreSQL cannot store in texts: an escape whose backslash is not itself escaped.
_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")


def columns_of(table: type[Base]) -> list[Column[Any]]:
    """Columns that are exported as JSON. Binary readings have files of their own, and derived columns are
    left out."""
    return [
        column
        for column in inspect(table).columns
        if not isinstance(column.type, LargeBinary) and column.key not in ("sequence", "cards")
    ]


def encode_row(values: Mapping[str, Any]) -> bytes:
    """One line of a table's file: compact JSON without a line break in it."""
    return msgspec.json.encode(values) + b"\n"


def decode_row(table: type[Base], line: bytes) -> Values:
    """Decode a row of `encode_row`; columns that a later version added are left out. Values are of the type,
    range and size that the app itself writes.

    Raises `ValueError` (of which msgspec's errors are), `TypeError` and `RecursionError` for all else."""
    if _NUL.search(line):
        raise ValueError("a text has the character U+0000")
    struct = msgspec.json.decode(line, type=_form(table))
    given = {name: getattr(struct, name) for name in struct.__struct_fields__}
    values = _with_old_columns(table, line) | {
        name: value for name, value in given.items() if value is not UNSET
    }
    for name, value in values.items():
        _check_value(name, value)
    if table is Change:
        _as_now(values)
        _check_change(values)
    return values


def _check_value(name: str, value: Any) -> None:
    if isinstance(value, datetime) and (value.tzinfo is None or not _FIRST_YEAR <= value.year < _LAST_YEAR):
        raise ValueError(f"{name} is no time")
    is_small = name not in _LARGE and isinstance(value, dict | list)
    if is_small and len(msgspec.json.encode(value)) > _MOST_JSON_BYTES:
        raise ValueError(f"{name} is too large")


def _as_now(values: Values) -> None:
    """Rename an old log's columns in a journal row of an entry to their current names."""
    if values["noun"] == Entry.__tablename__:
        names = {column: BOX + box for column, box in _OLD_BOXES.items()}
        for side in ("before", "after"):
            values[side] = {names.get(name, name): value for name, value in values[side].items()}


def _check_change(values: Values) -> None:
    """Check that the values of a journal row fit their columns' types, so that undo can use them. Raises
    `ValueError`."""
    if values["noun"] not in {table.__tablename__ for table in TABLES}:
        raise ValueError("a change of nothing")
    for side in (values["before"], values["after"]):
        for column, value in side.items():
            of_box = column.startswith(BOX) and values["noun"] == Entry.__tablename__
            if of_box and not _fits_box(column.removeprefix(BOX), value):
                raise ValueError(f"{value!r} in {column}")
            if column in ("typed", "time_bonus") and type(value) is not bool:
                raise ValueError(f"{value!r} in {column}")
            if column.endswith("_id") and value is not None:
                msgspec.convert(value, _IdText)


def _fits_box(column: str, value: Any) -> bool:
    if value is None:
        return True
    kind = bool if _boxes().get(column) == "tick" else int
    return column in _boxes() and type(value) is kind and 0 <= value <= 1_000_000


@cache
def _boxes() -> dict[str, str]:
    """Kind of each box of all games, by column."""
    games = [game for word in known_games() for game in modes_of(word)]
    return {column.id: column.kind for game in games for column in game.sheet.columns}


class _OldScores(msgspec.Struct, frozen=True):
    """Columns of an entry in logs of earlier versions: Map Masters' boxes and means."""

    primary_vp: _Number | None = None
    secondary_vp: _Number | None = None
    escaped: bool | None = None
    coins_received: _Number = 0
    fairy_tokens: Values = {}
    spellbooks: list[Any] = []


class _OldTerms(msgspec.Struct, frozen=True):
    """Columns of a round or tableau in logs of earlier versions."""

    fairy_tokens: Values = {}
    spellbooks: list[Any] = []
    primary: str | None = None
    secondary: str | None = None
    settings: Values = {}


#: Boxes of Map Masters' sheet by their former columns.
_OLD_BOXES = {
    "primary_vp": "primary",
    "secondary_vp": "secondary",
    "escaped": "escaped",
    "coins_received": "coins_received",
}


def _with_old_columns(table: type[Base], line: bytes) -> Values:
    """Values of a row written by an earlier version, converted to the current columns."""
    if table is Entry:
        old = msgspec.json.decode(line, type=_OldScores)
        boxes = {box: getattr(old, name) for name, box in _OLD_BOXES.items()}
        scores = {box: value for box, value in boxes.items() if value is not None}
        if not scores["coins_received"]:
            del scores["coins_received"]
        terms = {"fairy_tokens": old.fairy_tokens, "spellbooks": old.spellbooks}
        return {"scores": scores, "terms": {name: value for name, value in terms.items() if value}}
    if table in (GameRound, Tableau):
        told = msgspec.to_builtins(msgspec.json.decode(line, type=_OldTerms))
        settings = told.pop("settings")
        return {"terms": {name: value for name, value in told.items() if value} | settings}
    return {}


@cache
def _form(table: type[Base]) -> Any:
    """A msgspec struct type with the table's columns; columns with a default are optional."""
    hints = get_type_hints(table, localns=vars(models))
    required: list[Any] = []
    optional: list[Any] = []
    for column in columns_of(table):
        (kind,) = get_args(hints[column.key])
        limited = _limited(column)
        if limited is not None:
            kind = limited | None if column.nullable else limited
        if column.key not in ("id", "created_at") and (column.default is not None or column.nullable):
            optional.append((column.key, kind | UnsetType, UNSET))
        else:
            required.append((column.key, kind))
    return msgspec.defstruct(f"{table.__name__}Row", [*required, *optional], kw_only=True, frozen=True)


def _limited(column: Column[Any]) -> Any:
    """Type of a column's values with limits that every database and page accepts; None where the column's
    type suffices."""
    kind = column.type
    if isinstance(kind, Whole):
        return Annotated[int, msgspec.Meta(ge=kind.least, le=min(kind.most, _MOST))]
    if isinstance(kind, Probability):
        return Annotated[float, msgspec.Meta(gt=0, lt=1)]
    if column.key == "answered":
        return list[str | int]
    if isinstance(kind, Sha256):
        return _Sha256Text
    if isinstance(kind, Id) or column.key == "accepted_revision":
        return _IdText
    if isinstance(kind, Text):
        if kind.words:
            return Literal[kind.words]
        return Annotated[str, msgspec.Meta(max_length=kind.length)] if kind.length is not None else _Words
    return None
