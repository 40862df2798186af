"""Rows of the database as plain JSON values, and back, checked against the models' types."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Annotated, Any, TypeAlias, get_args, get_type_hints

import msgspec
from msgspec import UNSET, UnsetType
from sqlalchemy import Column, Integer, LargeBinary, inspect

from webapp.store import models
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
    Text,
)

Values: TypeAlias = dict[str, Any]

#: Every table of the log; a row stands behind those that it refers to.
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
Integer32 = Annotated[int, msgspec.Meta(ge=-(2**31), le=2**31 - 1)]
Id = Annotated[str, msgspec.Meta(pattern=r"\A[A-Za-z0-9_-]{1,64}\Z")]
#: What a photo's file is named by: with any other name no page and no export would find it.
Sha256 = Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{64}\Z")]


def columns_of(table: type[Base]) -> list[Column[Any]]:
    """The columns that are written as JSON: a shot's reading is a file of its own, and what follows from
    others is made anew."""
    return [
        column
        for column in inspect(table).columns
        if not isinstance(column.type, LargeBinary) and column.key not in ("sequence", "cards")
    ]


def encode_row(values: Mapping[str, Any]) -> bytes:
    """One line of a table's file: compact JSON without a line break in it."""
    return msgspec.json.encode(values) + b"\n"


def decode_row(table: type[Base], line: bytes) -> Values:
    """What `encode_row` wrote; columns that a later version added are left out.

    Raises `msgspec.DecodeError` (`ValidationError` among them) and `UnicodeError` for anything else."""
    struct = msgspec.json.decode(line, type=_form(table))
    values = _with_old_columns(table, line) | {
        name: value
        for name in struct.__struct_fields__
        if (value := getattr(struct, name)) is not UNSET and _aware(value)
    }
    if table is Change and values["noun"] == Entry.__tablename__:
        names = {column: BOX + box for column, box in _OLD_BOXES.items()}
        for side in ("before", "after"):
            values[side] = {names.get(name, name): value for name, value in values[side].items()}
    return values


def _aware(value: object) -> bool:
    if isinstance(value, datetime) and value.tzinfo is None:
        raise msgspec.ValidationError("a time has no time zone")
    return True


class _OldScores(msgspec.Struct, frozen=True):
    """Columns of an entry that logs of earlier versions have: Map Masters' boxes and means."""

    primary_vp: Integer32 | None = None
    secondary_vp: Integer32 | None = None
    escaped: bool | None = None
    coins_received: Integer32 = 0
    fairy_tokens: Values = {}
    spellbooks: list[Any] = []


class _OldTerms(msgspec.Struct, frozen=True):
    """Columns of a round, and of a tableau, that logs of earlier versions have."""

    fairy_tokens: Values = {}
    spellbooks: list[Any] = []
    primary: str | None = None
    secondary: str | None = None
    settings: Values = {}


#: The boxes of Map Masters' sheet, by the columns that they had.
_OLD_BOXES = {
    "primary_vp": "primary",
    "secondary_vp": "secondary",
    "escaped": "escaped",
    "coins_received": "coins_received",
}


def _with_old_columns(table: type[Base], line: bytes) -> Values:
    """What the columns of a row say that an earlier version wrote, as columns have it now."""
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
    """A struct with the table's columns: those with a default may be left out."""
    hints = get_type_hints(table, localns=vars(models))
    required: list[Any] = []
    optional: list[Any] = []
    for column in columns_of(table):
        (kind,) = get_args(hints[column.key])
        limited = _limited(column)
        if limited is not None:
            kind = limited | None if column.nullable else limited
        if (table, column.key) in {(Photo, "id"), (Shot, "photo_id")}:
            required.append((column.key, Sha256))
        elif column.key == "id":
            required.append((column.key, Id))
        elif column.key != "created_at" and (column.default is not None or column.nullable):
            optional.append((column.key, kind | UnsetType, UNSET))
        else:
            required.append((column.key, kind))
    return msgspec.defstruct(f"{table.__name__}Row", [*required, *optional], kw_only=True, frozen=True)


def _limited(column: Column[Any]) -> Any:
    """A column's values as no database refuses them; None where there is no limit."""
    if isinstance(column.type, Integer):
        return Integer32
    if isinstance(column.type, Text) and column.type.length is not None:
        return Annotated[str, msgspec.Meta(max_length=column.type.length)]
    return None
